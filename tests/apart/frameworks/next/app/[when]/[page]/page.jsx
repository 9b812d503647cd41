import { Suspense } from 'react';
import { connection } from 'next/server';
import Fair from './fair';

const markup = (data) => <script type="application/ld+json" dangerouslySetInnerHTML={{ __html: JSON.stringify({ '@context': 'https://schema.org', ...data }).replace(/</g, '\\u003c') }} />;

export const generateStaticParams = () => ['lamp', 'fair', 'soup', 'plain'].map((page) => ({ page }));

export async function generateMetadata({ params }) {
  const { page } = await params;
  return { title: `The ${page}`, description: `All about the ${page}` };
}

export default async function Page({ params }) {
  const { page } = await params;
  if (page === 'lamp') return <main><h1>Desk Lamp</h1>{markup({ '@type': 'Product', name: 'Desk Lamp', offers: { '@type': 'Offer', price: '10.00', priceCurrency: 'EUR' } })}</main>;
  if (page === 'fair') return <main><Fair /></main>;
  if (page === 'soup') return <main><h1>Soup</h1><Suspense fallback={<p>Cooking</p>}><Soup /></Suspense></main>;
  return <main><h1>Nothing special</h1></main>;
}

/** Comes when the rest of the page is there: it is streamed after it. */
async function Soup() {
  await connection();
  await new Promise((done) => setTimeout(done, 500));
  return <section>{markup({ '@type': 'Recipe', name: 'Onion Soup', recipeIngredient: ['6 onions'] })}</section>;
}
