/** The samples, by the file in samples/ that holds them. */
export const SAMPLES = [
  ['product', 'Product with variants'],
  ['recipe', 'Recipe (microdata)'],
  ['article', 'News article'],
  ['event', 'Event (RDFa)'],
  ['job', 'Job posting'],
  ['business', 'Local business'],
  ['faq', 'Questions and answers'],
  ['category', 'Category page'],
  ['yoast', 'Blog post with a plugin’s graph'],
  ['broken', 'Broken JSON-LD'],
  ['hostile', 'Hostile page'],
];

/** The text of a sample. */
export async function sample(name) {
  if (!SAMPLES.some(([known]) => known === name)) throw new Error(`There is no sample ${name}`);
  const response = await fetch(`samples/${name}.html`);
  if (!response.ok) throw new Error(`The sample could not be loaded: status ${response.status}`);
  return response.text();
}
