// The logic of `npm run tokens` and `npm run facts`: a measure that is wrong is worse than none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { factsOf, heard } from '../scripts/measure/facts.mjs';
import { items } from '../scripts/measure/markup.mjs';
import { defaults } from '../scripts/measure/ours.mjs';
import { canonical, pages } from '../scripts/measure/pages.mjs';
import { asMarkdown, asText, grouped, median, p95, percent } from '../scripts/measure/table.mjs';

const URL = 'https://shop.example.test/p/1';
const jsonld = (...blocks) => items({ jsonld: blocks.map((b) => (typeof b === 'string' ? b : JSON.stringify(b))), microdata: [], html: '' }, URL);
const lamp = {
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Lamp',
  description: `${'A lamp for the desk. '.repeat(9)}It turns. ${'It is warm at night. '.repeat(9)}`,
  offers: { '@type': 'Offer', price: '19.90', priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
  aggregateRating: { ratingValue: 4.5, reviewCount: 31 },
  potentialAction: { '@type': 'BuyAction', target: 'https://shop.example.test/buy' },
};
const named = (facts) => Object.fromEntries(facts.map(({ fact, value }) => [fact, value]));

test('quantiles, shares, groups and tables', () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([]), undefined);
  assert.equal(p95(Array.from({ length: 100 }, (_, i) => i + 1)), 95);
  assert.equal(percent(1, 8), '12.5 %');
  assert.equal(percent(0, 0), '–');
  assert.deepEqual(grouped([{ group: 'b' }, { group: 'a' }]).map(([name, rows]) => [name, rows.length]), [['a', 1], ['b', 1], ['all', 2]]);
  assert.equal(asText([['a', 'n'], ['xyz', 1234]]), 'a        n\nxyz  1,234');
  assert.equal(asMarkdown([['a', 'n'], ['x|y', undefined]]), '| a | n |\n| --- | ---: |\n| x\\|y | – |');
});

test('pages and their addresses', () => {
  const own = pages();
  assert.ok(own.length > 50);
  assert.ok(own.every(({ name, group, url, body, id }) => name.startsWith(group) && url && body.length && id.length === 24));
  const at = (html) => canonical(Buffer.from(html));
  assert.equal(at('<link rel="canonical" href="http://shop.example.test/p?a=1&amp;b=2#x">'), 'https://shop.example.test/p?a=1&b=2');
  assert.equal(at("<link href='https://shop.example.test/' rel=canonical>"), 'https://shop.example.test/');
  assert.equal(at('<link rel=canonical href=/p/1>'), undefined);
  assert.equal(at('<link rel=stylesheet href=https://shop.example.test/a.css>'), undefined);
});

test('an independent reader of JSON-LD', async () => {
  const found = await jsonld(
    { '@context': 'https://schema.org', '@graph': [{ '@type': 'Article', headline: 'H', author: { '@id': '#a' } }, { '@id': '#a', '@type': 'Person', name: 'P' }] },
    '{"@type": "Event", "name": "E",}',
    'no JSON <at all',
  );
  assert.deepEqual(found.map((item) => item.types[0]), ['Article', 'Person', 'Event']);
  assert.equal(found[0].properties.get('author')[0], found[1]);
});

test('an independent reader of microdata and RDFa', async () => {
  const offer = { types: ['http://schema.org/Offer'], id: '', properties: [['price', ' 5\n'], ['http://schema.org/priceCurrency', 'EUR']] };
  const microdata = [{ types: ['https://schema.org/Product'], id: '', properties: [['name', 'Lamp'], ['offers', offer]] }, { types: ['http://other.test/T'], id: '', properties: [['name', 'x']] }];
  const html = `<html><body vocab="http://schema.org/"><div typeof="Event"><b property="name">Fair</b><p property="location" typeof="Place"><i property="name">Hall</i></p></div></body></html>`;
  const found = await items({ jsonld: [], microdata, html }, URL);
  assert.deepEqual(found.map((item) => item.types[0]).sort(), ['Event', 'Offer', 'Place', 'Product']);
  const { headline } = factsOf(found.filter((item) => ['Event', 'Place'].includes(item.types[0])), URL);
  assert.deepEqual(named(headline), { name: 'Fair', place: 'Hall' });
  assert.deepEqual(named(factsOf(found.filter((item) => ['Product', 'Offer'].includes(item.types[0])), URL).headline), { name: 'Lamp', price: '5', currency: 'EUR' });
});

test('headline facts are those of what the page is about', async () => {
  const page = [{ '@type': 'WebSite', name: 'Shop' }, { ...lamp, isRelatedTo: { '@type': 'Product', name: 'Other' } }, { '@type': 'Organization', name: 'Shop Ltd' }];
  assert.deepEqual(named(factsOf(await jsonld(page), URL).headline), {
    name: 'Lamp', price: '19.90', currency: 'EUR', availability: 'https://schema.org/InStock', rating: '4.5', ratings: '31',
  });
  const list = Array.from({ length: 9 }, (_, i) => ({ '@type': 'Product', name: `Lamp ${i}`, brand: 'B', url: i === 7 ? '/x' : URL.replace('/1', `/${i + 2}`) }));
  assert.deepEqual(factsOf(await jsonld(list), URL).headline.map(({ value }) => value), ['Lamp 0', 'Lamp 1', 'Lamp 2']);
  assert.deepEqual(named(factsOf(await jsonld([...list, { '@type': 'Product', name: 'This', brand: 'C', url: `${URL}/` }]), URL).headline), { name: 'This', brand: 'C' });
  const all = named(factsOf(await jsonld(page), URL).all);
  assert.ok(all.description && all.reviewCount && !all.target);
});

test('answers hold a fact under any shape, and no other', async () => {
  const { headline, all } = factsOf(await jsonld(lamp), URL);
  const told = (answer, facts = headline) => facts.filter((fact) => heard([JSON.stringify(answer)]).has(fact)).map(({ fact }) => fact);
  const whole = { type: 'Product', name: 'LAMP', description: lamp.description, offers: { price: 19.9, priceCurrency: 'EUR', availability: 'InStock' }, aggregateRating: { ratingValue: '4.5', reviewCount: 31 } };
  assert.equal(told(whole).length, 6);
  assert.equal(told(whole, all).length, all.length);
  assert.deepEqual(told({ product: 'Lamp', offer: '19.90 EUR', availability: 'in stock', rating: '4.5 (31)' }), ['name', 'price', 'currency', 'availability', 'rating', 'ratings']);
  // Numbers count under a fitting name only, and whole; short texts as words.
  assert.deepEqual(told({ width: 19.9, price: '119.90', sku: '31', name: 'Clamp' }), []);
  // A text that is cut is not there; its start is, for a first look.
  const cut = heard([JSON.stringify({ description: lamp.description.slice(0, 200) })]);
  const description = all.find(({ fact }) => fact === 'description');
  assert.deepEqual([cut.has(description), cut.has(description, true)], [false, true]);
  // Its pages together hold it; what lies between them does not count.
  const half = lamp.description.length / 2;
  assert.ok(heard([{ page: 1, text: lamp.description.slice(0, half), next: 2 }, { page: 2, text: lamp.description.slice(half) }].map((a) => JSON.stringify(a))).has(description));
  assert.ok(heard(['{"text":"Fish & chips"}'], { 'Fish &amp; chips': 'Fish & chips' }).has({ fact: 'text', value: 'Fish &amp; chips' }));
  // Where JSON had to be repaired, the browser's reading of it is missing.
  assert.ok(heard(['{"name":"Fish – chips"}']).has({ fact: 'name', value: '<b>Fish</b> &#8211; &amp;chips' }));
  assert.ok(heard(['{"code":"List<String> a"}']).has({ fact: 'text', value: 'List&lt;String&gt; a' }));
  for (const [fact, value, said] of [['value', '14', true], ['value', '14.0', true], ['value', '15', false], ['unitCode', 'CMT', true], ['unitCode', 'KGM', false]]) {
    assert.equal(heard(['{"depth":"14 cm"}']).has({ fact, value, of: 'QuantitativeValue' }), said, value);
  }
  assert.ok(heard(['{"startDate":"2026-05-01"}']).has({ fact: 'start', value: '2026-05-01T19:00:00Z' }));
  assert.ok(!heard(['{"startDate":"2026-05-02"}']).has({ fact: 'start', value: '2026-05-01T19:00:00Z' }));
});

test('default answers are the calls without arguments', () => {
  const calls = [
    { tool: 'get_a', arguments: {}, text: 'a' },
    { tool: 'get_a', arguments: { section: 's' }, text: 'b' },
    { tool: 'search_a', arguments: {}, text: 'a query is missing' },
  ];
  assert.deepEqual(defaults({ calls }), ['a']);
});
