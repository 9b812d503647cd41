import { start, toTools, version } from 'agenticschema';
import Agents from './agents';

// A server component: there is no document here, and the package says so in what `start` resolves with.
export default async function Layout({ children }) {
  const handle = await start({ maxTools: 3 });
  return (
    <html lang="en" data-server={`${version} ${typeof toTools} ${handle.tools().length} ${handle.diagnostics().map(({ code }) => code)}`}>
      <body>
        {children}
        <Agents />
      </body>
    </html>
  );
}
