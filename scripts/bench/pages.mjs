// Pages that are made for the bench: lists that change, and markup without measure.
const page = (body) => ({ url: 'https://page.test/', body: Buffer.from(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head><body>${body}</body></html>`) });
const times = (n, row) => Array.from({ length: n }, (_, i) => row(i)).join('');
const block = (data) => `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`;

const offered = (i, price) => ({ '@type': 'Product', '@id': `#${i}`, name: `Product ${i}`, offers: { '@type': 'Offer', price, priceCurrency: 'EUR' } });
const product = (i) => `<div itemscope itemtype="https://schema.org/Product"><h2 itemprop="name">Product ${i}</h2><p itemprop="offers" itemscope itemtype="https://schema.org/Offer"><b itemprop="price">${i}.00</b> <span itemprop="priceCurrency">EUR</span></p></div>`;

/** Something changes once the tools are there: `[what, page, source of a function]`. */
export const CHANGES = [
  ['one of 200 products (JSON-LD) changes its price', page(times(200, (i) => block(offered(i, `${i}.00`)))), `() => { document.querySelectorAll('script[type]')[99].textContent = ${JSON.stringify(JSON.stringify({ '@context': 'https://schema.org', ...offered(99, '0.99') }))}; }`],
  ['one of 200 products (microdata) changes its price, which not every script notices', page(times(200, product)), "() => { document.querySelectorAll('[itemprop=price]')[99].firstChild.data = '0.99'; }"],
  ['an element comes where no markup is', page(`${block({ '@type': 'Product', name: 'Desk lamp' })}<p>Words</p>`), "() => { document.querySelector('p').after(document.createElement('p')); }"],
];

/** Adds a JSON-LD block to a page. */
export const ADD_BLOCK = `() => { const s = document.createElement('script'); s.type = 'application/ld+json'; s.textContent = ${JSON.stringify(JSON.stringify({ '@context': 'https://schema.org', '@type': 'Event', name: 'Fair', startDate: '2030-01-01' }))}; document.head.append(s); }`;

/** Pages by their size: `[what, n => page, n]`. */
export const GROWING = [
  ['microdata items', (n) => page(times(n, (i) => `<div itemscope itemtype="https://schema.org/Thing"><b itemprop="name">Item ${i}</b></div>`)), 10_000],
  ['RDFa items', (n) => page(`<div vocab="https://schema.org/">${times(n, (i) => `<div typeof="Thing"><b property="name">Item ${i}</b></div>`)}</div>`), 10_000],
  ['JSON-LD nodes', (n) => page(block({ '@graph': Array.from({ length: n }, (_, i) => ({ '@type': 'Thing', '@id': `#${i}`, name: `Item ${i}` })) })), 20_000],
  ['merges of JSON-LD nodes', (n) => page(block({ '@graph': Array.from({ length: 2 * n }, (_, i) => ({ '@type': 'Product', '@id': `#${i % n}`, ...(i < n ? { name: `Item ${i}` } : { sku: `S${i}` }) })) })), 5_000],
];
