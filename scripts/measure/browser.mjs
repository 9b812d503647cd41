// Pages in a real Chromium: their readable text, the markup as the DOM has it, and what another implementation's tools
// say. Nothing but the page itself is loaded, and none of its scripts run.
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { chromium } from 'playwright-core';
import { browser as chromiumPath } from '../setup/browser.mjs';
import { root, say, Stop } from '../setup/command.mjs';
import { fingerprint } from './pages.mjs';

/** Characters below which Readability's text counts as none: listings, shops. */
const READABLE = 250;
/** Milliseconds without a registration after which the tools are taken to be all; and to wait for the first. */
const QUIET = 400;
const PATIENCE = 3000;

/** Loads the script that is handed to `serve`. */
export const TAG = '<script nonce="measured" src="/__measured__.js"></script>';

const require = createRequire(import.meta.url);
const readability = readFileSync(join(dirname(require.resolve('@mozilla/readability/package.json')), 'Readability.js'), 'utf8');
const inThePage = readFileSync(new URL('in-page.js', import.meta.url), 'utf8');

/** `{ text, lang, jsonld, microdata, html }` of each page. `html` is the DOM's, and there only where it has RDFa. */
export async function readPages(pages) {
  const code = `(() => { const module = {}; ${readability}\n${inThePage}\n return readPage(Readability, ${READABLE}); })()`;
  return overPages(pages, 'pages', fingerprint(code), async (context, page) => {
    const tab = await open(context, page, '');
    return tab.evaluate(code);
  });
}

/** What the bundle at `path` offers on each page: `{ tools, calls: [{ tool, arguments, text }] }`. */
export async function bundleOnPages(path, pages) {
  const script = readFileSync(bundleAt(path));
  return overPages(pages, 'rival', fingerprint(script, inThePage), async (context, page) => {
    await context.addInitScript(`${inThePage}\ncatchTools();`);
    const tab = await open(context, page, TAG, script);
    return tab.evaluate(`(() => { ${inThePage}\n return callTools(${QUIET}, ${PATIENCE}); })()`);
  });
}

/** A bundle, or the one that a checkout has built. */
function bundleAt(path) {
  const places = ['', 'dist/agenticschema.js', 'packages/browser/dist/cdn/auto.js', 'dist/cdn/auto.js'];
  const file = places.map((place) => join(path, place)).find((file) => existsSync(file) && statSync(file).isFile());
  if (!file) throw new Stop(`No bundle at ${path}. Name the script itself, or a checkout after its build.`);
  return file;
}

/** Runs `visit` on each page, a new context each. Results are kept in target/measure, by content of page and code. */
async function overPages(pages, what, code, visit) {
  const folder = join(root, 'target/measure', `${what}-${code}`);
  mkdirSync(folder, { recursive: true });
  const results = [];
  let browser;
  try {
    for (const page of pages) {
      const kept = join(folder, `${fingerprint(page.id, page.url)}.json`);
      if (!existsSync(kept)) {
        if (!browser) say(`Reading pages in Chromium (${what}): about ${Math.ceil(pages.length / 40)} minutes, once`);
        browser ??= await chromium.launch({ executablePath: await chromiumPath(), args: ['--enable-features=WebMCP', '--disable-gpu', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])] });
        const context = await browser.newContext({ serviceWorkers: 'block' });
        try {
          writeFileSync(kept, JSON.stringify(await visit(context, page)));
        } catch (error) {
          throw new Stop(`${page.name}: ${error.message}`);
        } finally {
          await context.close();
        }
      }
      results.push(JSON.parse(readFileSync(kept, 'utf8')));
    }
  } finally {
    await browser?.close();
  }
  return results;
}

/** The page in a new tab. */
async function open(context, page, tag, script) {
  await serve(context, page, tag, script);
  const tab = await context.newPage();
  tab.on('dialog', (dialog) => dialog.dismiss());
  await tab.goto(page.url, { waitUntil: 'domcontentloaded' });
  return tab;
}

/**
 * Serves the page under its address, with the tag at the start of its head. A policy keeps its scripts, frames and styles
 * away; its own policy and refresh are taken out.
 */
export async function serve(context, page, tag, script) {
  const url = new URL(page.url);
  const plain = page.body.toString('latin1').replace(/http-equiv=(["']?)(content-security-policy|refresh)/gi, 'data-equiv=$1$2');
  const body = Buffer.from(/<head[^>]*>/i.test(plain) ? plain.replace(/<head[^>]*>/i, (head) => head + tag) : tag + plain, 'latin1');
  const charset = /<meta[^>]+charset=/i.test(plain.slice(0, 4096)) ? '' : '; charset=utf-8';
  await context.route('**/*', (route) => {
    const asked = new URL(route.request().url());
    if (asked.pathname === '/__measured__.js') return route.fulfill({ body: script, contentType: 'text/javascript; charset=utf-8' });
    if (route.request().resourceType() !== 'document' || asked.origin !== url.origin) return route.abort();
    return route.fulfill({
      body,
      headers: {
        'content-type': `text/html${charset}`,
        'content-security-policy': "default-src 'none'; script-src 'nonce-measured' 'wasm-unsafe-eval'; style-src 'unsafe-inline'",
      },
    });
  });
}
