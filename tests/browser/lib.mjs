// Shows pages with the tag in a real Chromium, over http://localhost, natively or with the polyfill.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const BUNDLE = process.env.AGENTICSCHEMA_BUNDLE ?? fileURLToPath(new URL('../../dist/agenticschema.js', import.meta.url));
export const MODES = ['native', 'polyfill'];

/**
 * One browser and one server; `show` opens pages in them, `close` ends them.
 * @param args more switches of the browser's; `without`: those of Playwright's own to leave out
 */
export async function stage(mode, { args = [], without } = {}) {
  const script = readFileSync(BUNDLE), second = BUNDLE.replace(/js$/, 'nowasm.js'), nowasm = existsSync(second) && readFileSync(second);
  const browser = await chromium.launch({
    executablePath: process.env.CHROME_BIN ?? '/usr/bin/chromium',
    ignoreDefaultArgs: without,
    args: ['--no-sandbox', '--disable-gpu', ...args, mode === 'native' ? '--enable-features=WebMCP' : '--disable-features=WebMCP'],
  });
  let files = {};
  const server = createServer((request, response) => {
    const url = new URL(request.url, 'http://localhost');
    if (url.pathname.endsWith('agenticschema.js') || url.pathname === '/copy.js') return response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    if (nowasm && url.pathname === '/agenticschema.nowasm.js' && !(url.pathname in files)) return response.writeHead(200, { 'content-type': 'text/javascript' }).end(nowasm);
    let file = files[url.pathname + url.search] ?? files[url.pathname];
    if (typeof file === 'function') file = file(request, response);
    if (!file) return file === null || response.writeHead(404, { 'content-type': 'text/html' }).end('<title>404</title>');
    if (typeof file === 'string') file = { body: file };
    response.writeHead(file.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...file.headers }).end(file.body);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const origin = `http://localhost:${server.address().port}`;

  /** Opens an address. `errors` collects what the page logs and throws; `elsewhere` is another origin that has the script. */
  async function visit(url, init, elsewhere) {
    const context = await browser.newContext();
    if (elsewhere) await context.route(`${elsewhere}/**`, (route) => route.fulfill({ contentType: 'text/javascript', body: script }));
    const page = await context.newPage();
    page.errors = [];
    page.on('console', (m) => m.type() !== 'debug' && !/favicon/.test(m.location().url) && page.errors.push(`${m.type()}: ${m.text()}`));
    page.on('pageerror', (e) => page.errors.push(String(e)));
    await page.addInitScript(helpers);
    if (init) await page.addInitScript(init);
    await page.goto(url);
    return page;
  }

  return {
    origin,
    visit,
    script: script.toString('latin1'),
    integrity: `sha384-${createHash('sha384').update(script).digest('base64')}`,
    /** Opens `html`, with `tag` before `</head>` unless it is in the page already; `host` is another name of this machine's. */
    async show(html, { tag = '<script src="/agenticschema.js"></script>', headers, pages = {}, init, elsewhere, path = '/', host = 'localhost' } = {}) {
      files = { ...pages, [path]: { body: html.includes(tag) ? html : `<!doctype html><html lang="en"><head><title>t</title>${tag}</head><body>${html}</body></html>`, headers } };
      const page = await visit(origin.replace('localhost', host) + path, init, elsewhere);
      await page.evaluate(() => globalThis.agenticschema?.ready);
      return page;
    },
    async close() {
      await browser.close();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** In the page: what an agent does. */
function helpers() {
  globalThis.T = {
    sleep: (ms) => new Promise((done) => setTimeout(done, ms)),
    names: async () => (await document.modelContext.getTools()).map((t) => t.name).sort(),
    async call(name, args = {}, options) {
      const tool = (await document.modelContext.getTools()).find((t) => t.name === name);
      if (!tool) return { missing: name };
      // The native surface takes an object, the polyfill and what is built on it JSON text.
      const text = await document.modelContext.executeTool(tool, T.asText || document.modelContext.__isWebMCPPolyfill ? JSON.stringify(args) : args, options);
      return JSON.parse(text);
    },
    until: async (test, ms = 3000) => {
      for (const end = performance.now() + ms; performance.now() < end; await T.sleep(20)) if (await test()) return true;
      return false;
    },
    ld: (data, id = 'ld') => `<script type="application/ld+json" id="${id}">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</` + 'script>',
  };
}

/** A JSON-LD block. */
export const ld = (data, id = 'ld') => `<script type="application/ld+json" id="${id}">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`;
export const lamp = (price = '10.00', name = 'Desk Lamp') => ({ '@type': 'Product', name, offers: { '@type': 'Offer', price, priceCurrency: 'EUR' } });

/** A port that nobody listens on. */
export async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}
