// Where tools are registered: what is there of a model context, and where there is none.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const SHOP = { '@type': 'WebSite', url: '/', potentialAction: { '@type': 'SearchAction', target: '/search?q={q}', 'query-input': 'required name=q' } };
/** A name that is no secure context over http. */
const HOST = 'shop.example';

for (const mode of MODES) describe(mode, () => {
  let s;
  before(async () => { s = await stage(mode, { args: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`] }); });
  after(() => s.close());
  const quiet = (page, lines = []) => assert.deepEqual(page.errors, lines);
  const codes = (page) => page.evaluate(async () => (await agenticschema.ready).diagnostics().map(({ level, code }) => `${level} ${code}`));

  // What an agent's runtime gives pages that has neither events nor lists nor signals.
  for (const [what, owner, gives] of [
    ['document, returns a promise', 'document', 'Promise.resolve()'],
    ['document, returns nothing', 'document', 'undefined'],
    ['navigator, returns a promise', 'navigator', 'Promise.resolve()'],
  ]) test(`nothing but a frozen registerTool: ${what}`, async () => {
    const page = await s.show(ld(lamp()) + ld(SHOP, 's'), {
      pages: { '/search': '<title>Found</title><ul><li><a href="/a">Oak Lamp</a></li></ul>' },
      tag: `<script>{
        const tools = globalThis.tools = new Map();
        const context = Object.freeze({ registerTool(tool, options) {
          if (tools.has(tool.name)) return Promise.reject({ name: null, message: null });
          tools.set(tool.name, tool);
          options.signal.addEventListener('abort', () => tools.delete(tool.name));
          return ${gives};
        } });
        ${owner === 'document' ? '' : "Object.defineProperty(document, 'modelContext', { value: undefined });"}
        Object.defineProperty(${owner}, 'modelContext', { value: context });
      }</script><script src="/agenticschema.js"></script>`,
    });
    const seen = await page.evaluate(async () => {
      const { execute, inputSchema } = tools.get('get_product');
      // With and without arguments, as text, without options: all that runtimes do.
      const names = [];
      for (const input of [undefined, {}, '{}', '']) names.push((await execute(input)).name ?? (await execute(input)).code);
      const found = await tools.get('search_web_site').execute('{"q":"oak"}', undefined);
      document.querySelector('#ld').remove();
      await T.until(() => !tools.has('get_product'));
      const left = [...tools.keys()].sort();
      (await agenticschema.ready).stop();
      return { names, type: inputSchema.type, found: JSON.stringify(found), left, after: tools.size, polyfill: 'ModelContext' in window && !!document.modelContext?.__isWebMCPPolyfill };
    });
    assert.deepEqual(seen.names.slice(0, 3), ['Desk Lamp', 'Desk Lamp', 'Desk Lamp']);
    assert.match(seen.names[3], /Desk Lamp|invalid-argument/);
    assert.match(seen.found, /Oak Lamp/);
    assert.deepEqual([seen.type, seen.left, seen.after, seen.polyfill], ['object', ['get_web_site', 'search_web_site'], 0, false]);
    quiet(page);
  });

  test('what is put on the page besides tools', async () => {
    const page = await s.show(ld(lamp()), {
      init: () => { globalThis.built = [Element.prototype.attachShadow, HTMLFormElement.prototype.submit, MutationObserver, history.pushState, history.replaceState, document.modelContext]; },
    });
    const seen = await page.evaluate(() => [Element.prototype.attachShadow, HTMLFormElement.prototype.submit, MutationObserver, history.pushState, history.replaceState, document.modelContext].map((one, i) => one === built[i]));
    // The polyfill follows shadow roots and forms; natively it is not even started.
    assert.deepEqual(seen, mode === 'native' ? [true, true, true, true, true, true] : [false, false, true, true, true, false]);
    quiet(page);
  });

  test('a frame that is taken away while it has tools, and stopped afterwards', async () => {
    const page = await s.show(ld(lamp()) + `<iframe id="f" srcdoc='${ld({ '@type': 'Event', name: 'Fair' })}'></iframe>`);
    let crashed = false;
    page.on('crash', () => { crashed = true; });
    const seen = await page.evaluate(async () => {
      const frame = document.querySelector('#f');
      await T.until(() => frame.contentDocument.querySelector('script'));
      const handle = await agenticschema.start({ document: frame.contentDocument });
      const names = handle.tools().map(({ name }) => name).join();
      frame.remove();
      await T.sleep(100);
      await handle.refresh();
      handle.stop();
      await T.sleep(300);
      return [names, (await T.names()).includes('get_product')];
    });
    assert.deepEqual(seen, ['get_event', true]);
    assert.equal(crashed, false);
    quiet(page);
  });

  test('documents without a window are read, and not asked for a model context', async () => {
    const page = await s.show('<p>nothing</p>');
    const seen = await page.evaluate(async (html) => {
      const out = [];
      for (let i = 0; i < 2; i++) {
        const parsed = i ? document.implementation.createHTMLDocument('t') : new DOMParser().parseFromString(html, 'text/html');
        if (i) parsed.body.innerHTML = html;
        const handle = await agenticschema.start({ document: parsed });
        out.push(handle.tools()[0].name, handle.diagnostics().map(({ code }) => code).join());
        handle.stop();
      }
      return [...out, await T.names()];
    }, ld(lamp()));
    // The polyfill's is the navigator's too, which is asked next.
    const codes = mode === 'native' ? 'no-webmcp-surface' : '';
    assert.deepEqual(seen, ['get_product', codes, 'get_product', codes, []]);
    quiet(page);
  });

  test('started and stopped before the browser has answered: no promise is left alone', async () => {
    const page = await s.show(ld(lamp()) + ld(SHOP, 's'));
    const names = await page.evaluate(async () => {
      for (let i = 0; i < 3; i++) agenticschema.start().then(() => {});
      const last = agenticschema.start();
      (await agenticschema.start()).stop();
      await last;
      await T.sleep(300);
      return T.names();
    });
    assert.deepEqual(names, []);
    quiet(page);
  });

  test('navigator.modelContext alone, with events', async () => {
    const page = await s.show(ld(lamp()), {
      tag: `<script>{
        class Context extends EventTarget {
          #tools = new Map();
          async registerTool(tool, { signal } = {}) {
            if (this.#tools.has(tool.name)) throw new DOMException('Duplicate tool name', 'InvalidStateError');
            this.#tools.set(tool.name, tool);
            signal?.addEventListener('abort', () => this.#tools.delete(tool.name));
          }
          async getTools() { return [...this.#tools.values()].map((tool) => ({ ...tool, window })); }
          executeTool(tool, input) { return this.#tools.get(tool.name).execute(input).then(JSON.stringify); }
        }
        Object.defineProperty(document, 'modelContext', { value: undefined, configurable: true });
        Object.defineProperty(navigator, 'modelContext', { value: new Context() });
      }</script><script src="/agenticschema.js"></script>`,
    });
    const seen = await page.evaluate(async () => {
      const context = navigator.modelContext;
      await context.registerTool({ name: 'get_product', description: 'mine', execute: async () => ({ mine: 1 }) });
      const list = await context.getTools(), names = list.map(({ name }) => name).sort();
      return [names, JSON.parse(await context.executeTool({ name: 'get_product_2' }, {})).name, document.modelContext];
    });
    assert.ok(['get_product', 'get_product_2'].every((name) => seen[0].includes(name)), seen[0]);
    assert.deepEqual(seen.slice(1), ['Desk Lamp', undefined]);
    quiet(page);
  });

  test('an engine without toWellFormed', async () => {
    const page = await s.show(ld({ ...lamp(), name: 'Lamp \ud83d' }), { init: () => { delete String.prototype.toWellFormed; delete String.prototype.isWellFormed; } });
    assert.equal((await page.evaluate(() => T.call('get_product'))).name, 'Lamp \ufffd');
    quiet(page);
  });

  test('an insecure context: read, not registered, and quiet', async () => {
    const page = await s.show(ld(lamp()), { host: HOST });
    assert.equal(await page.evaluate(() => isSecureContext), false);
    assert.deepEqual(await codes(page), ['warn no-webmcp-surface']);
    assert.ok((await page.evaluate(async () => (await agenticschema.ready).tools().map(({ name }) => name))).includes('get_product'));
    await page.evaluate(() => (document.querySelector('#ld').text = document.querySelector('#ld').text.replace('10.00', '15.00')));
    await page.waitForTimeout(500);
    assert.deepEqual(await page.evaluate(() => [typeof document.modelContext, typeof navigator.modelContext, typeof navigator.modelContextTesting]), ['undefined', 'undefined', 'undefined']);
    await page.evaluate(async () => (await agenticschema.ready).stop());
    quiet(page);
  });

  /** A document of nobody's, in a frame or alone; it writes what came of it where the test reads it. */
  const opaque = (tag) => `<!doctype html><title>t</title>${ld(lamp())}${ld(SHOP, 's')}${tag}<script>
    onerror = (message) => { document.title = 'error ' + message; };
    onunhandledrejection = ({ reason }) => { document.title = 'rejection ' + reason; };
    agenticschema.ready.then((handle) => { if (document.title === 't') document.title = JSON.stringify([origin, handle.tools().map(({ name }) => name), handle.diagnostics().map(({ code }) => code)]); });
  </script>`;
  const tag = () => `<script src="${s.origin}/agenticschema.js"></script>`, inline = () => `<script>${s.script}</script>`;
  for (const [what, show, wanted = ['no-webmcp-surface']] of [
    ['a data: document', () => s.visit(`data:text/html,${encodeURIComponent(opaque(inline()))}`)],
    ['a data: frame', () => s.show(`<iframe src="data:text/html,${encodeURIComponent(opaque(tag()))}"></iframe>`, { tag: '' })],
    ['a sandboxed frame', () => s.show(`<iframe sandbox="allow-scripts" srcdoc="${opaque(tag()).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></iframe>`, { tag: '' })],
    // Alone in its window it may register.
    ['a document sandboxed by its policy', () => s.show(opaque(tag()), { tag: '', headers: { 'content-security-policy': 'sandbox allow-scripts' } }), []],
  ]) test(`an opaque origin: ${what}`, async () => {
    const page = await show();
    const frame = page.frames().at(-1);
    let title;
    for (const end = Date.now() + 5000; Date.now() < end && (title ?? 't') === 't'; await page.waitForTimeout(50)) title = await frame.title();
    const [origin, tools, diagnostics] = JSON.parse(title);
    assert.equal(origin, 'null');
    assert.ok(tools.includes('get_product') && !tools.some((name) => /search/.test(name)), tools);
    assert.deepEqual(diagnostics, wanted);
    quiet(page);
  });
});
