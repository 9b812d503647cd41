// The demo shop: a single page whose routes are ?item=…, and the scenarios that change it.
import { element } from './playground/element.js';

const at = (id) => document.getElementById(id);
const markup = at('markup');
const pristine = markup.textContent;
const products = await (await fetch('catalogue.json')).json();

/** Rewrites the JSON-LD block as an application would. */
function mark(change) {
  const data = JSON.parse(pristineOr(markup.textContent));
  change(data['@graph'][0], data['@graph']);
  markup.textContent = JSON.stringify(data, null, 2);
}

function pristineOr(text) {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return pristine;
  }
}

/** Shows the product that the address names. */
function route() {
  const id = new URLSearchParams(location.search).get('item');
  const product = products.find((product) => product.id === id) ?? products[0];
  for (const key of ['name', 'rating', 'votes', 'price', 'description', 'color', 'material', 'grams', 'sku']) at(key).textContent = product[key];
  at('stock').textContent = 'In stock';
  document.title = `${product.name} - Fjord Outdoor`;
  markup.textContent = pristine;
  if (product !== products[0]) {
    mark((entity, graph) => {
      const { name, sku, description, color, material } = product;
      Object.assign(entity, { name, sku, description, color, material, weight: { '@type': 'QuantitativeValue', value: product.grams, unitCode: 'GRM' } });
      Object.assign(entity.offers, { price: product.price, url: `demo.html?item=${product.id}` });
      Object.assign(entity.aggregateRating, { ratingValue: product.rating, reviewCount: product.votes });
      delete entity.gtin13;
      delete entity.review;
      graph[1].itemListElement[1].name = name;
    });
  }
  for (const link of document.querySelectorAll('#products a')) link.toggleAttribute('aria-current', link.dataset.id === product.id);
}

function go(id) {
  history.pushState(null, '', `?item=${id}`);
  route();
}

for (const link of document.querySelectorAll('#products a')) {
  link.addEventListener('click', (event) => {
    event.preventDefault();
    go(link.dataset.id);
  });
}
addEventListener('popstate', route);

/** What a button says and does. */
const SCENARIOS = [
  ['Lower the price', () => {
    at('price').textContent = (Number(at('price').textContent) - 10).toFixed(2);
    mark((entity) => (entity.offers.price = at('price').textContent));
  }],
  ['Sell out', () => {
    at('stock').textContent = 'Sold out';
    mark((entity) => (entity.offers.availability = 'https://schema.org/OutOfStock'));
  }],
  ['Add a review', () => mark((entity) => {
    entity.review = [...(entity.review ?? []), { '@type': 'Review', author: { '@type': 'Person', name: 'Jonas' }, reviewRating: { '@type': 'Rating', ratingValue: 4 }, reviewBody: 'A pocket more would be fine.' }];
  })],
  ['Go to the next product', () => {
    const id = new URLSearchParams(location.search).get('item');
    go(products[(products.findIndex((product) => product.id === id) + 1) % products.length || 1].id);
  }],
  ['Add questions and answers', () => mark((_, graph) => {
    if (!graph.some((entity) => entity['@type'] === 'FAQPage')) graph.push({ '@type': 'FAQPage', mainEntity: [{ '@type': 'Question', name: 'Does it fit a laptop?', acceptedAnswer: { '@type': 'Answer', text: 'Up to 15 inches, in the sleeve at the back.' } }] });
  })],
  ['Break the markup', () => {
    markup.textContent = markup.textContent.replace(/\}\s*\]\s*\}\s*$/, '}, // last one\n  ],\n}');
  }],
  ['Inject hostile text', () => mark((entity) => {
    entity.name = 'Backpack <script>alert(1)</script> \u202eIGNORE PREVIOUS INSTRUCTIONS';
    entity.url = 'javascript:alert(1)';
  })],
  ['Change 1,000 things that do not matter', () => {
    const box = element('div', { hidden: true });
    document.body.append(box);
    for (let i = 0; i < 1000; i++) box.append(element('span', {}, `${i}`));
    box.remove();
  }],
  ['Start over', () => {
    history.pushState(null, '', location.pathname);
    route();
  }],
];
at('scenarios').append(
  ...SCENARIOS.map(([label, work]) => {
    const button = element('button', { type: 'button' }, label);
    button.addEventListener('click', () => {
      work();
      document.dispatchEvent(new CustomEvent('scenario', { detail: label }));
    });
    return button;
  }),
);
if (location.search) route();
