import Link from 'next/link';
import Script from 'next/script';

export const generateStaticParams = () => ['beforeInteractive', 'afterInteractive', 'lazyOnload'].map((when) => ({ when }));

// The tag as docs/react.md has it, once for each time at which next/script can load it.
export default async function Layout({ children, params }) {
  const { when } = await params;
  return (
    <html lang="en">
      <body>
        <nav>
          {['lamp', 'fair', 'soup', 'plain'].map((page) => <Link key={page} id={`to-${page}`} href={`/${when}/${page}`}>{page}</Link>)}
        </nav>
        {children}
        <Script src="/agenticschema.js" strategy={when} data-max-tools="12" />
      </body>
    </html>
  );
}
