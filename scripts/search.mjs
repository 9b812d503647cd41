import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup/command.mjs';

/** The demo shop's search: a page with the hits in its markup, as a real shop would answer. */
export function searchPage(query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, 10);
  const catalogue = JSON.parse(readFileSync(join(root, 'www/catalogue.json'), 'utf8'));
  const hits = catalogue.filter(({ name, description }) => words.every((word) => `${name} ${description}`.toLowerCase().includes(word)));
  const list = {
    '@context': 'https://schema.org',
    '@type': 'ItemList',
    numberOfItems: hits.length,
    itemListElement: hits.map(({ id, name, description, price }, i) => ({
      '@type': 'ListItem',
      position: i + 1,
      item: { '@type': 'Product', name, url: `demo.html?item=${id}`, description, offers: { '@type': 'Offer', price, priceCurrency: 'EUR' } },
    })),
  };
  const title = query ? `Search: ${escaped(query)}` : 'Search';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="shop.css">
<script type="application/ld+json">${JSON.stringify(list).replace(/</g, '\\u003c')}</script>
<script src="agenticschema.js" defer></script>
<main>
<p><a href="demo.html">Fjord Outdoor</a></p>
<h1>${title}</h1>
<p>${hits.length === 1 ? '1 product' : `${hits.length} products`}</p>
<ul class="hits">
${hits.map(({ id, name, price, description }) => `<li><a href="demo.html?item=${id}">${escaped(name)}</a> <span>${price} EUR</span><p>${escaped(description)}</p></li>`).join('\n')}
</ul>
</main>
</html>
`;
}

const escaped = (text) => text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]);
