// The two DOM readers give the same string: js/snapshot.js in Chromium and src/dom/html.rs natively, over the pages of
// tests/snapshot and, where it is there, over the corpus of real pages.
//
// Pages are served from the loopback under a policy that blocks every script but the reader's, so the parser works as
// for a page with scripts while no script of the page runs; no other host is reached.

import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const shared = process.env.AGENTICSCHEMA_SHARED || join(root, '../shared');
const work = mkdtempSync(join(tmpdir(), 'snapshot-'));
const POLICY = "default-src 'none'; base-uri *; form-action 'none'";

let browser, context, server, origin, reader;
let current = { body: '', type: '', wanted: false };

before(async () => {
  const bundle = await build({
    stdin: { contents: "export { snapshot } from './js/snapshot.js'", resolveDir: root },
    bundle: true,
    format: 'iife',
    globalName: 'reader',
    write: false,
    logLevel: 'error',
  });
  reader = bundle.outputFiles[0].text;
  await promisify(execFile)('cargo', ['build', '--quiet', '--example', 'wire'], { cwd: root });
  server = createServer((request, response) => {
    const wanted = new URL(request.url, origin).pathname === '/p/page';
    response.writeHead(wanted ? 200 : 404, { 'content-type': current.type, 'content-security-policy': POLICY });
    response.end(wanted ? current.body : '');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${server.address().port}`;
  browser = await chromium.launch({
    executablePath: process.env.CHROME_BIN || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'],
  });
  context = await browser.newContext();
  // One request for each page, the page itself: no frames, no images, and no `meta http-equiv=refresh` away from it.
  await context.route('**/*', (route) => {
    const wanted = current.wanted;
    current.wanted = false;
    return wanted ? route.continue() : route.abort('aborted');
  });
  // The reader takes its primitives before anything of the page exists, as it would from a tag in the head.
  await context.addInitScript(`${reader};globalThis.reader=reader`);
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(work, { recursive: true, force: true });
});

// What the browser makes of each page: the markup of the live document, and the page mode of an inert one.
async function inBrowser(pages, modes) {
  const read = [];
  for (const { body, type = 'text/html; charset=utf-8' } of pages) {
    // A page of its own each: one that sends itself elsewhere would end the next one's navigation.
    const page = await context.newPage();
    current = { body, type, wanted: true };
    await page.goto(`${origin}/p/page?q=1`, { waitUntil: 'domcontentloaded' });
    read.push(
      await page.evaluate(([html, modes]) => {
        const read = {
          markup: () => reader.snapshot(document),
          page: () => reader.snapshot(new DOMParser().parseFromString(html, 'text/html'), 'page', location.href),
          live: () => reader.snapshot(document, 'page'),
          text: () => reader.snapshot(document, 'text'),
        };
        return Object.fromEntries(modes.map((mode) => [mode, read[mode]()]));
      }, [new TextDecoder().decode(body), modes]),
    );
    await page.close();
  }
  return read;
}

// The same from the native reader.
async function natively(pages, modes) {
  const files = pages.map(({ body }, i) => {
    const file = join(work, `${i}.html`);
    writeFileSync(file, body);
    return file;
  });
  const child = spawn(resolve(root, process.env.CARGO_TARGET_DIR || 'target', 'debug/examples/wire'), [], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(files.flatMap((file) => modes.map((mode) => `${mode} ${origin}/p/page?q=1 ${file}\n`)).join(''));
  const chunks = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const out = Buffer.concat(chunks);
  let at = 0;
  const next = () => {
    const end = out.indexOf(10, at);
    const length = Number(out.toString('latin1', at, end));
    at = end + 1 + length;
    return out.toString('utf8', end + 1, at);
  };
  return pages.map(() => Object.fromEntries(modes.map((mode) => [mode, next()])));
}

async function compare(pages, modes) {
  const [browsers, natives] = await Promise.all([inBrowser(pages, modes), natively(pages, modes)]);
  const different = [];
  pages.forEach(({ name }, i) => {
    for (const mode of modes)
      if (browsers[i][mode] !== natives[i][mode])
        different.push(`${name} (${mode}): ${difference(browsers[i][mode], natives[i][mode])}`);
  });
  return different;
}

function difference(a, b) {
  const shown = (s) => JSON.stringify(s.replaceAll('\x1e', '⏎').replaceAll('\x1f', '|'));
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  const from = Math.max(0, i - 60);
  return `at ${i}\n  browser ${shown(a.slice(from, i + 80))}\n  native  ${shown(b.slice(from, i + 80))}`;
}

test('own pages read alike', async () => {
  const folder = join(root, 'tests/snapshot');
  const pages = readdirSync(folder)
    .filter((name) => name.endsWith('.html'))
    .sort()
    .map((name) => ({ name, body: readFileSync(join(folder, name)) }));
  assert.ok(pages.length >= 20);
  assert.deepEqual(await compare(pages, ['markup', 'page', 'live', 'text']), []);
});

test('pages of the corpus read alike', async (t) => {
  const folder = join(shared, 'corpus');
  if (!existsSync(folder)) {
    console.log('corpus: skipped (198 pages not there)');
    return t.skip();
  }
  const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.html.gz')).sort();
  const pages = names.map((name) => ({ name, body: gunzipSync(readFileSync(join(folder, name))) }));
  const different = await compare(pages, ['markup', 'page', 'text']);
  console.log(`corpus: ${pages.length} pages, ${different.length} differences`);
  assert.deepEqual(different, []);
});

async function withPage(body, type, run) {
  const page = await context.newPage();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => message.text().startsWith('patched') && errors.push(message.text()));
  current = { body, type, wanted: true };
  await page.goto(`${origin}/p/page`, { waitUntil: 'domcontentloaded' });
  const result = await page.evaluate(run);
  await page.close();
  assert.deepEqual(errors, []);
  return result;
}

test('a page that patches what it can reads the same', async () => {
  const body = readFileSync(join(root, 'tests/snapshot/nested-text.html'));
  const { before, after, page, changes } = await withPage(body, 'text/html', async () => {
    let changes = 0;
    new MutationObserver((records) => (changes += records.length)).observe(document, {
      subtree: true, childList: true, attributes: true, characterData: true,
    });
    const before = reader.snapshot(document);
    const broken = () => {
      throw new Error('patched');
    };
    const restore = [];
    for (const owner of [Document, Element, Node, CharacterData, NodeList, String, Map, WeakMap, Array, RegExp, JSON, Reflect, HTMLElement])
      for (const name of Reflect.ownKeys(owner.prototype || owner)) {
        const target = owner.prototype || owner;
        const own = Object.getOwnPropertyDescriptor(target, name);
        if (!own.configurable || name === 'constructor') continue;
        restore.push([target, name, own]);
      }
    const define = Object.defineProperty;
    for (let i = 0; i < restore.length; i++) {
      const { 0: target, 1: name, 2: own } = restore[i];
      define(target, name, own.get ? { configurable: true, get: broken, set: broken } : { configurable: true, writable: true, value: broken });
    }
    define(Array.prototype, '0', { configurable: true, set: broken });
    define(Object.prototype, 'itemprop', { configurable: true, value: 'patched' });
    const after = reader.snapshot(document);
    const page = reader.snapshot(document, 'page');
    delete Array.prototype[0];
    delete Object.prototype.itemprop;
    for (let i = 0; i < restore.length; i++) define(restore[i][0], restore[i][1], restore[i][2]);
    await new Promise((done) => setTimeout(done));
    return { before, after, page, changes };
  });
  assert.equal(after, before);
  assert.ok(page.includes('Tnot an ancestor'));
  assert.equal(changes, 0);
});

test('what only scripts can make is read without an exception', async () => {
  const wire = await withPage('<!doctype html><html itemscope><title>t</title><p id=p itemprop=x>', 'text/html', () => {
    const p = document.getElementById('p');
    p.setAttribute('content', 'lone \ud83d');
    p.setAttributeNS('http://www.w3.org/2000/xmlns/', 'xmlns:Upper', 'iri');
    const xml = document.createElementNS(null, 'Plain');
    xml.setAttribute('itemprop', 'y');
    xml.append('a', document.createComment('c'), 'b', document.createElement('br'), '\udc00');
    const script = document.createElement('script');
    script.type = 'application/ld+json';
    script.append('{"a":', document.createElement('i'), '1}');
    const shadow = document.createElement('div').attachShadow({ mode: 'open' });
    shadow.innerHTML = '<b itemprop=no>shadow</b>';
    document.body.append(xml, script, shadow.host);
    const deep = document.createElement('div');
    let at = deep;
    for (let i = 0; i < 2000; i++) at = at.appendChild(document.createElement('div'));
    at.setAttribute('itemprop', 'deep');
    at.append('bottom', document.createElement('i'));
    document.body.append(deep);
    return reader.snapshot(document);
  });
  const records = wire.split('\x1e').map((record) => record.replaceAll('\x1f', '|'));
  assert.deepEqual(records.slice(1), [
    'Ehtml|S', 'Ebody', 'Ep|Ip|px|clone \ud83d|xUpper=iri', 'X', 'E*plain|py', 'Tab', 'B', 'T\udc00', 'X',
    'Escript|kapplication/ld+json', 'T{"a":1}', 'X', 'Ediv|pdeep', 'Tbottom', 'X', 'X', 'X', '',
  ]);
});

test('XHTML reads as HTML does', async () => {
  const wire = await withPage(
    '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:s="http://schema.org/" xml:lang="en"><head><title> a  b </title></head><body>' +
      '<div itemscope="itemscope" ITEMPROP="no"><b itemprop="n">x<![CDATA[<y>]]></b><a itemprop="u" href="/p"/></div><script type="application/ld+json"><![CDATA[{}]]></script></body></html>',
    'application/xhtml+xml',
    () => reader.snapshot(document),
  );
  assert.equal(
    wire.replaceAll('\x1e', ';').replaceAll('\x1f', '|').replaceAll(origin, ''),
    'H/p/page|/p/page|a b;Ehtml|xs=http://schema.org/|Men;Ebody;Ediv|Sitemscope;Eb|pn;Tx<y>;X;Ea|pu|h/p;X;X;Escript|kapplication/ld+json;T{};X;X;X;',
  );
});

test('time is linear in the page', async () => {
  const page = await context.newPage();
  current = { body: '<!doctype html>', type: 'text/html', wanted: true };
  await page.goto(`${origin}/p/page`);
  // One item of ten elements for every 208 of the page, in which a description has text to walk through.
  const measure = () => page.evaluate(() => {
    const item =
      '<div itemscope itemtype="https://schema.org/Product"><h2 itemprop="name">Lamp</h2><a itemprop="url" href="/p"><img itemprop="image" src="data:,"></a><p itemprop="description">Oak <b>and</b> brass</p><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="1"><meta itemprop="priceCurrency" content="EUR"><link itemprop="availability" href="https://schema.org/InStock"></div></div>';
    const plain = '<section><ul>' + '<li class="x"><a href="/y">t</a>'.repeat(98) + '</ul></section>';
    return [10000, 20000, 40000, 50000].map((size) => {
      document.body.innerHTML = (item + plain).repeat(Math.round(size / 208));
      let best = Infinity;
      for (let i = 0; i < 15; i++) {
        const start = performance.now();
        reader.snapshot(document);
        best = Math.min(best, performance.now() - start);
      }
      return { elements: document.querySelectorAll('*').length, annotated: document.querySelectorAll('[itemprop],[itemscope]').length, best };
    });
  });
  // On a busy machine one measurement says little: the best of each size, until they agree.
  let times = await measure();
  const ratio = () => times[2].best / times[0].best;
  for (let i = 0; i < 5 && ratio() > 6; i++) times = (await measure()).map((time, n) => (time.best < times[n].best ? time : times[n]));
  await page.close();
  for (const { elements, annotated, best } of times) console.log(`${elements} elements, ${annotated} annotated: ${best.toFixed(1)} ms`);
  console.log(`four times the page takes ${ratio().toFixed(1)} times as long`);
  assert.ok(ratio() < 14); // 16 would be the square
});
