// The JavaScript API, from the modules of the npm package.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const script = (name) => ({ body: readFileSync(new URL(`../../dist/${name}`, import.meta.url)), headers: { 'content-type': 'text/javascript' } });
const pages = { '/index.js': script('index.js'), '/nowasm.js': script('nowasm.js') };
const MODULE = '<script type="module">import * as api from "/index.js"; window.api = api</script>';

for (const mode of MODES) describe(mode, () => {
  let s;
  before(async () => { s = await stage(mode); });
  after(() => s.close());
  const open = (html, options) => s.show(html, { tag: MODULE, pages, ...options });
  const quiet = (page) => assert.deepEqual(page.errors, []);

  test('importing does nothing', async () => {
    const page = await open(ld(lamp()), { init: () => { globalThis.before = document.modelContext; } });
    assert.deepEqual(await page.evaluate(() => [typeof api.start, document.modelContext === globalThis.before, 'agenticschema' in window]), ['function', true, false]);
    quiet(page);
  });

  test('start reads the page, follows it, and stops', async () => {
    const page = await open(ld(lamp()));
    const seen = await page.evaluate(async () => {
      const handle = await api.start({ debounceMs: 50, maxTools: 1 });
      const out = [handle.tools().map((t) => t.name), await T.names(), (await T.call('get_product')).name];
      document.querySelector('#ld').remove();
      out.push(await T.until(async () => !(await T.names()).length));
      handle.stop();
      return out;
    });
    assert.deepEqual(seen, [['get_product'], ['get_product'], 'Desk Lamp', true]);
    quiet(page);
  });

  test('start with watch: false answers what it read, and refresh reads again', async () => {
    const page = await open(ld(lamp()));
    const seen = await page.evaluate(async () => {
      const handle = await api.start({ watch: false });
      document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Desk', 'Floor');
      await T.sleep(500);
      const before = (await T.call('get_product')).name;
      await handle.refresh();
      return [before, (await T.call('get_product')).name];
    });
    assert.deepEqual(seen, ['Desk Lamp', 'Floor Lamp']);
    quiet(page);
  });

  test('start with another document and another model context', async () => {
    const page = await open('<iframe id="f"></iframe>');
    const seen = await page.evaluate(async (html) => {
      const doc = document.querySelector('#f').contentDocument;
      doc.body.innerHTML = html;
      const tools = new Map();
      const modelContext = { registerTool: async (tool, { signal }) => { tools.set(tool.name, tool); signal.onabort = () => tools.delete(tool.name); } };
      const handle = await api.start({ document: doc, modelContext, debounceMs: 50 });
      const out = [[...tools.keys()], (await tools.get('get_product').execute({})).name];
      doc.querySelector('#ld').text = doc.querySelector('#ld').text.replace('Desk', 'Floor');
      out.push((await tools.get('get_product').execute('{}')).name);
      handle.stop();
      return [...out, tools.size];
    }, ld(lamp()));
    assert.ok(seen[0].includes('get_product'));
    assert.deepEqual(seen.slice(1), ['Desk Lamp', 'Floor Lamp', 0]);
    quiet(page);
  });

  test('toTools of a document and of an HTML text registers nothing', async () => {
    const page = await open(ld(lamp()));
    const seen = await page.evaluate(async (html) => {
      const own = api.toTools(document), other = api.toTools(html, { url: 'https://shop.test/lamps/', maxTools: 1 });
      const get = (list, name) => list.tools.find((tool) => tool.name === name);
      return [
        await get(own, 'get_product').execute(), await get(other, 'get_product').execute('{}', {}), other.tools.length,
        own.tools.every((tool) => tool.description && tool.inputSchema.type === 'object'), typeof document.modelContext,
        api.toTools('<p>nothing</p>').diagnostics.map((d) => d.code),
      ];
    }, `<title>x</title>${ld({ ...lamp(), name: 'Oak Lamp', url: '/lamps/oak' })}`);
    assert.equal(seen[0].name, 'Desk Lamp');
    assert.equal(seen[1].name, 'Oak Lamp');
    assert.equal(seen[2], 1);
    assert.deepEqual(seen.slice(3), [true, mode === 'native' ? 'object' : 'undefined', ['no-structured-data']]);
    quiet(page);
  });

  test('where WebAssembly is refused: one diagnostic, and the other module works', async () => {
    const page = await open(ld(lamp()), { headers: { 'content-security-policy': "script-src 'self' 'nonce-n'" }, tag: MODULE.replace('<script', '<script nonce="n"') });
    const seen = await page.evaluate(async () => {
      const one = await api.start(), codes = one.diagnostics().map((d) => d.code);
      const { start } = await import('/nowasm.js');
      const two = await start();
      return [one.tools(), codes, two.tools().map((t) => t.name).includes('get_product'), two.diagnostics(), (await T.call('get_product')).name];
    });
    assert.deepEqual(seen, [[], ['wasm-refused'], true, [], 'Desk Lamp']);
    quiet(page);
  });
});
