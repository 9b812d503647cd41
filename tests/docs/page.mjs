// Blocks of HTML, JavaScript and headers, as the pages that they describe.
import { read } from './markdown.mjs';

const TAG = '<script src="/agenticschema.js" defer></script>';
/** What a page says whose block is about something else. */
const PRODUCT = `<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'Product',
  name: 'Desk Lamp',
  offers: { '@type': 'Offer', price: '10.00', priceCurrency: 'EUR' },
})}</script>`;

/**
 * A document around a fragment of HTML. What it lacks is added: the tag, and a product in JSON-LD.
 * Hashes are left out of documentation (`sha384-…`), because every build has its own: they are those of dist/.
 */
export function around(fragment, { bare = false } = {}) {
  const html = fragment.replace(/sha384-…/g, () => JSON.parse(read('dist/integrity.json'))['agenticschema.js']);
  if (/<html/i.test(html)) return html;
  const tag = bare || /agenticschema(\.nowasm)?\.js/.test(html) ? '' : TAG;
  const markup = /ld\+json|itemscope|typeof=/.test(html) ? '' : PRODUCT;
  const head = /^\s*<(!--|script|meta|link)/.test(html);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>t</title>${tag}${markup}${head ? html : ''}</head><body>${head ? '' : html}</body></html>`;
}

/** A page for calls: a product, and a search form. */
export const SHOP = around('<p>A page</p><form action="/search" role="search"><input name="q"></form>');

/** Fails unless the page has the tools of a list `a,b` (`none`: no tool at all), and besides only finer ones of these. */
export async function hasTools(page, wanted) {
  const names = wanted === 'none' ? [] : wanted.split(',');
  const found = await page.evaluate(async (names) => {
    await T.until(async () => { const has = await T.names(); return names.every((name) => has.includes(name)); }, 10_000);
    return T.names();
  }, names);
  const missing = names.some((name) => !found.includes(name));
  if (missing || !found.every((name) => names.some((known) => name === known || name.startsWith(`${known}_`)))) {
    const said = await page.evaluate(async () => (await globalThis.agenticschema?.ready)?.diagnostics());
    throw new Error(`wanted the tools ${wanted}, found ${found.join(', ') || 'none'}; diagnostics: ${JSON.stringify(said)}`);
  }
}

/** Header lines as an object. */
export function headers(text) {
  return Object.fromEntries(text.trim().replace(/\n\s+/g, ' ').split('\n').map((line) => {
    const [, name, value] = /^([A-Za-z-]+):\s*(.+)$/.exec(line) ?? [];
    if (!name) throw new Error(`no header: ${line}`);
    return [name.toLowerCase(), value];
  }));
}
