// What the host does on a page, natively and with the polyfill: starting, options, freshness, registration, requests.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const SHOP = { '@type': 'WebSite', url: '/', potentialAction: { '@type': 'SearchAction', target: '/search?q={q}', 'query-input': 'required name=q' } };
const MICRO = '<div id="item" itemscope itemtype="https://schema.org/Product"><b itemprop="name" id="name">Desk Lamp</b><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" content="10.00" id="price"></div><div id="feed"></div></div>';
const PRODUCT = () => T.call('get_product').then(JSON.stringify);

/** Changes of a page, in the page, and what the next call must say. */
const CHANGES = [
  ['JSON-LD replaced in place', ld(lamp()), () => (document.querySelector('#ld').textContent = document.querySelector('#ld').textContent.replace('10.00', '15.00')), '15.00'],
  ['text node of JSON-LD changed', ld(lamp()), () => (document.querySelector('#ld').firstChild.data = document.querySelector('#ld').text.replace('10.00', '15.00')), '15.00'],
  ['JSON-LD in a wrapper', ld(lamp()), () => { document.querySelector('#ld').remove(); document.body.insertAdjacentHTML('beforeend', `<section><p>${T.ld({ '@type': 'Product', name: 'Floor Lamp' })}</p></section>`); }, 'Floor Lamp'],
  ['value attribute', MICRO, () => (document.querySelector('#price').content = '15.00'), '15.00'],
  ['text of a property', MICRO, () => (document.querySelector('#name').firstChild.data = 'Floor Lamp'), 'Floor Lamp'],
  ['property added', MICRO, () => document.querySelector('#item').insertAdjacentHTML('beforeend', '<b itemprop="color">petrol</b>'), 'petrol'],
  ['body replaced', MICRO, () => { const body = document.createElement('body'); body.innerHTML = document.body.innerHTML.replace('10.00', '15.00'); document.documentElement.replaceChild(body, document.body); }, '15.00'],
  ['after a flood of other changes', MICRO, () => { for (let i = 0; i < 500; i++) document.querySelector('#feed').append(document.createElement('p')); document.querySelector('#price').content = '15.00'; }, '15.00'],
  ['in the middle of a flood', MICRO, async () => { for (let i = 0; i < 500; i++) document.querySelector('#feed').append(document.createElement('p')); await T.sleep(20); document.querySelector('#price').content = '15.00'; }, '15.00'],
];

for (const mode of MODES) describe(mode, () => {
  let s;
  before(async () => { s = await stage(mode); });
  after(() => s.close());
  const quiet = (page, errors = []) => assert.deepEqual(page.errors, errors);

  for (const [name, html, change, want] of CHANGES) test(`fresh: ${name}`, async () => {
    const page = await s.show(html);
    const before = await page.evaluate(() => T.names());
    const changes = await page.evaluate(() => { globalThis.changes = 0; document.modelContext.addEventListener('toolchange', () => globalThis.changes++); });
    assert.equal(changes, undefined);
    await page.evaluate(change);
    assert.match(await page.evaluate(PRODUCT), new RegExp(want));
    if (name.includes('wrapper')) return quiet(page); // another product, other tools
    await page.waitForTimeout(600);
    assert.deepEqual(await page.evaluate(() => T.names()), before);
    if (!name.includes('added')) assert.equal(await page.evaluate(() => globalThis.changes), 0, 'toolchange');
    quiet(page);
  });

  test('tools come and go with the page, the others stay', async () => {
    const page = await s.show(ld(lamp()));
    await page.evaluate(() => document.head.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair', startDate: '2030-01-01' }, 'event')));
    assert.ok(await page.evaluate(() => T.until(async () => (await T.names()).includes('get_event'))));
    await page.evaluate(() => document.querySelector('#ld').remove());
    assert.ok(await page.evaluate(() => T.until(async () => !(await T.names()).includes('get_product'))));
    await page.evaluate(() => document.querySelector('#event').remove());
    assert.ok(await page.evaluate(() => T.until(async () => !(await T.names()).length)));
    quiet(page);
  });

  test('nothing found: nothing registered, nothing fired', async () => {
    const page = await s.show('<p>nothing</p>', { init: () => { globalThis.changes = 0; document.modelContext?.addEventListener('toolchange', () => globalThis.changes++); } });
    assert.deepEqual(await page.evaluate(() => T.names()), []);
    assert.equal(await page.evaluate(() => globalThis.changes), 0);
    assert.match(await page.evaluate(async () => JSON.stringify((await agenticschema.ready).diagnostics())), /no-structured-data/);
    assert.equal(await page.evaluate(() => Object.keys(window).includes('agenticschema')), false);
    quiet(page);
  });

  // Every way to put the tag on a page keeps its options.
  const inject = (attributes) => `<script>{const s=document.createElement('script');${attributes};s.src='/agenticschema.js';document.head.append(s)}</script>`;
  for (const tag of [
    '<script src="/agenticschema.js" data-max-tools="1"></script>',
    '<script src="/agenticschema.js" data-max-tools="1" async></script>',
    '<script src="/agenticschema.js" data-max-tools="1" defer></script>',
    '<script src="/agenticschema.js" data-max-tools="1" type="module"></script>',
    '<script src="/copy.js" data-max-tools="1" type="module"></script>',
    inject("s.dataset.maxTools='1'"),
    inject("s.dataset.maxTools='1';s.type='module'"),
  ]) test(`tag: ${tag}`, async () => {
    const page = await s.show(ld(lamp()) + ld({ '@type': 'Event', name: 'Fair' }, 'e'), { tag });
    assert.ok(await page.evaluate(() => T.until(async () => globalThis.agenticschema && (await T.names()).length)));
    assert.equal((await page.evaluate(() => T.names())).length, 1);
    quiet(page);
  });

  test('content that looks like our tag does not configure us', async () => {
    const page = await s.show('<script type="text/plain" data-agenticschema data-max-tools="1" src="x-agenticschema"></script>' + ld(lamp()) + ld({ '@type': 'Event', name: 'Fair' }, 'e'), { tag: '<script type="module" src="/copy.js"></script>' });
    assert.ok((await page.evaluate(() => T.names())).length > 1);
    quiet(page);
  });

  test('a wrong option is one warning and a diagnostic', async () => {
    const page = await s.show(ld(lamp()), { tag: '<script src="/agenticschema.js" data-max-tools="many" data-actions="perhaps"></script>' });
    assert.equal(page.errors.length, 1);
    assert.match(page.errors[0], /^warning: \[agenticschema\].*max.*actions/s);
    assert.equal((await page.evaluate(async () => (await agenticschema.ready).diagnostics().filter((d) => d.code === 'option-invalid'))).length, 2);
  });

  test('two tags: the first wins, the second says so', async () => {
    const page = await s.show(ld(lamp()) + ld({ '@type': 'Event', name: 'Fair' }, 'e'), { tag: '<script src="/agenticschema.js"></script><script src="/copy.js" data-max-tools="1"></script><script src="/copy.js"></script>' });
    assert.ok((await page.evaluate(() => T.names())).length > 1);
    assert.equal((await page.evaluate(async () => (await agenticschema.ready).diagnostics().filter((d) => /twice/.test(d.message)))).length, 1);
    quiet(page);
  });

  test('the start lets the page have its thread, and reads what changes meanwhile', async () => {
    const page = await s.show(ld(lamp()), {
      init: () => {
        const { scheduler } = globalThis, registerTool = (globalThis.ModelContext ?? Object).prototype.registerTool;
        globalThis.tasks = 0;
        if (registerTool) ModelContext.prototype.registerTool = function () { globalThis.atFirst ??= tasks; return registerTool.apply(this, arguments); };
        addEventListener('DOMContentLoaded', () => {
          const task = () => {
            if (++tasks === 2) document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair' }, 'e'));
            if (tasks < 50) scheduler.postTask(task);
          };
          scheduler.postTask(task);
        });
      },
    });
    const both = () => T.until(async () => {
      const names = await T.names();
      return names.includes('get_product') && names.includes('get_event');
    });
    assert.ok(await page.evaluate(both));
    if (mode === 'native') assert.ok((await page.evaluate(() => globalThis.atFirst)) >= 4);
    quiet(page);
  });

  test('two starts at once end as one', async () => {
    const page = await s.show(ld(lamp()), { tag: '<script src="/agenticschema.js" data-max-tools="2"></script>' });
    const seen = await page.evaluate(async () => {
      const all = [agenticschema.start(), agenticschema.start({ maxTools: 3 })];
      const [first, second] = await Promise.all(all);
      return [first.tools().length, second.tools().map((tool) => tool.name), await T.names(), (await T.call('get_product')).name];
    });
    assert.deepEqual(seen, [0, ['get_product', 'get_product_offer'], ['get_product', 'get_product_offer'], 'Desk Lamp']);
    quiet(page);
  });

  test('a start that another one replaces ends at its next piece, without a word', async () => {
    // At each of its tasks in turn.
    for (let at = 1; at <= 7; at++) {
      const page = await s.show(ld(lamp()), {
        init: `{
          const { scheduler } = globalThis, post = scheduler.postTask.bind(scheduler);
          let n = 0;
          scheduler.postTask = (work) => post(() => {
            if (++n === ${at}) globalThis.second = agenticschema.start();
            work();
          });
        }`,
      });
      const seen = await page.evaluate(async () => {
        const first = await agenticschema.ready, second = await globalThis.second;
        const out = [first.tools(), [...first.diagnostics(), ...second.diagnostics()], (await T.call('get_product')).name];
        second.stop();
        return [...out, await T.names()];
      });
      assert.deepEqual(seen, [[], [], 'Desk Lamp', []], `task ${at}`);
      quiet(page);
    }
  });

  test('the deepest markup takes less than half of the stack', async () => {
    const deep = (wrap, leaf) => Array.from({ length: 400 }).reduce(wrap, leaf), product = { '@type': 'Product', name: 'Leaf' };
    const used = [];
    for (const data of [
      { ...product, isRelatedTo: deep((at) => ({ ...product, isRelatedTo: [at] }), product) },
      { ...product, isRelatedTo: deep((at) => ({ '@context': { isRelatedTo: { '@id': 'https://schema.org/isRelatedTo', '@context': {} } }, ...product, isRelatedTo: at }), product) },
      { ...product, offers: deep((at) => ({ '@type': 'AggregateOffer', offers: [at, { '@type': 'Offer', price: 1 }] }), { '@type': 'Offer', price: 2 }) },
      { '@type': 'Recipe', name: 'Bread', recipeInstructions: deep((at) => ({ '@type': 'HowToSection', itemListElement: [at] }), { '@type': 'HowToStep', text: 'Bake' }) },
    ]) {
      const page = await s.show(ld(data), {
        init: () => {
          const { Instance } = WebAssembly;
          WebAssembly.Instance = function (module, imports) {
            const instance = new Instance(module, imports);
            if (instance.exports.core_new) globalThis.core = instance.exports;
            return instance;
          };
        },
      });
      used.push(await page.evaluate(async () => {
        const [tool] = (await agenticschema.ready).tools();
        for (const section of tool.inputSchema.properties?.section?.enum ?? []) await T.call(tool.name, { section });
        // The stack is the start of the memory, and grows down (wasm/build.rs has its size).
        const stack = new Uint32Array(core.memory.buffer, 0, (192 << 10) / 4);
        return stack.byteLength - 4 * stack.findIndex((word) => word);
      }));
    }
    assert.ok(Math.max(...used) < 96 << 10 && Math.min(...used) > 20 << 10, `${used}`);
  });

  for (const [what, body] of [
    ['never settles', 'registerTool: () => new Promise(() => {})'],
    ['never lists its tools', 'registerTool: async () => {}, getTools: () => new Promise(() => {})'],
    ['gives no descriptors', 'registerTool: async () => {}'],
  ]) test(`a runtime that ${what}: ready and refresh() resolve`, async () => {
    const hostile = what.includes('descriptors') ? "new Proxy(context, { getOwnPropertyDescriptor() { throw new Error('no'); } })" : 'context';
    const page = await s.show(ld(lamp()) + ld(SHOP, 's'), { tag: `<script>{const context={${body}};Object.defineProperty(document,'modelContext',{value:${hostile}})}</script><script src="/agenticschema.js"></script>` });
    assert.deepEqual(await page.evaluate(async () => {
      const handle = await agenticschema.ready;
      await handle.refresh();
      return [handle.tools().length > 0, handle.diagnostics()];
    }), [true, []]);
    quiet(page);
  });

  for (const [what, script] of [
    ['stops DOMContentLoaded', "addEventListener('DOMContentLoaded', (event) => event.stopImmediatePropagation(), true)"],
    ['opens its document anew while it loads', `setTimeout(() => { document.open(); document.write('<title>t</title>' + ${JSON.stringify(ld(lamp())).replaceAll('<', '\\x3c')}); document.close(); })`],
  ]) test(`a page that ${what}`, async () => {
    const wait = (request, response) => { setTimeout(() => response.writeHead(200, { 'content-type': 'text/javascript' }).end(), 300); return null; };
    const page = await s.show(ld(lamp()), { tag: `<script src="/agenticschema.js"></script><script>${script}</script><script src="/slow.js"></script>`, pages: { '/slow.js': wait } });
    assert.match(await page.evaluate(PRODUCT), /Desk Lamp/);
    quiet(page);
  });

  test('ready once the tools are there', async () => {
    const page = await s.show(ld(lamp()), { init: () => addEventListener('load', () => { globalThis.atLoad = agenticschema.ready.then(() => T.names()); }) });
    assert.ok((await page.evaluate(() => globalThis.atLoad)).includes('get_product'));
  });

  test("a page's own tool and form keep their names", async () => {
    const own = '<script>addEventListener("DOMContentLoaded",()=>{})</script>';
    const page = await s.show(`${own}<form toolname="get_event" tooldescription="d"><input name="a"></form>` + ld(lamp()) + ld({ '@type': 'Event', name: 'Fair' }, 'e'), {
      tag: '<script src="/agenticschema.js" data-watch="off"></script><script>document.modelContext?.registerTool({name:"get_product",description:"mine",execute:async()=>({mine:1})})</script>',
    });
    const names = await page.evaluate(() => T.names());
    if (mode === 'native') {
      for (const name of ['get_event', 'get_event_2', 'get_product', 'get_product_2']) assert.ok(names.includes(name), name);
      assert.deepEqual(await page.evaluate(() => T.call('get_product')), { mine: 1 });
    }
    assert.match(JSON.stringify(await page.evaluate(() => T.call('get_event_2'))), /Fair/);
    quiet(page);
  });

  for (const [what, rejection] of [
    ['rejects', "Promise.reject(new DOMException('tools policy','NotAllowedError'))"],
    ['throws', "(()=>{throw new TypeError('no')})()"],
    ['rejects with a plain object', 'Promise.reject({name:null})'],
  ]) test(`registerTool ${what}`, async () => {
    const page = await s.show(ld(lamp()), { tag: `<script>calls=0;Object.defineProperty(document,'modelContext',{value:Object.freeze({registerTool(){calls++;return ${rejection}}})})</script><script src="/agenticschema.js"></script>` });
    await page.evaluate(() => (document.querySelector('#ld').text = document.querySelector('#ld').text.replace('10', '11')));
    await page.waitForTimeout(500);
    const { tools, diagnostics, calls } = await page.evaluate(async () => { const h = await agenticschema.ready; return { tools: h.tools().length, diagnostics: h.diagnostics().filter((d) => d.code === 'register-failed').length, calls: globalThis.calls }; });
    assert.equal(diagnostics, tools);
    assert.equal(calls, tools, 'no second try');
    quiet(page);
  });

  test('stop takes everything back', async () => {
    const page = await s.show(ld(lamp()));
    const left = await page.evaluate(async () => {
      const push = history.pushState;
      const handle = await agenticschema.ready;
      handle.stop();
      document.querySelector('#ld').text = '{}';
      await T.sleep(500);
      return [await T.names(), handle.tools(), history.pushState === push, Object.hasOwn(history, 'pushState')];
    });
    assert.deepEqual(left, [[], [], true, false]);
    quiet(page);
  });

  test('without the Navigation API history is wrapped, and restored only if it is still ours', async () => {
    const init = () => delete window.navigation;
    const page = await s.show(ld(lamp()), { init });
    const seen = await page.evaluate(async () => {
      const handle = await agenticschema.ready;
      const ours = Object.hasOwn(history, 'pushState');
      handle.stop();
      const restored = !Object.hasOwn(history, 'pushState');
      const again = await agenticschema.start();
      const inner = history.pushState;
      let n = 0;
      history.pushState = function (...a) { n++; return inner.apply(this, a); };
      again.stop();
      history.pushState({}, '', '/x');
      return [ours, restored, n];
    });
    assert.deepEqual(seen, [true, true, 1]);
    quiet(page);
  });

  test('document.open replaces the page', async () => {
    const page = await s.show(ld(lamp()));
    await page.evaluate((html) => { document.open(); document.write(html); document.close(); }, `<html><body>${ld(lamp('20.00', 'Floor Lamp'))}</body></html>`);
    assert.match(await page.evaluate(PRODUCT), /Floor Lamp/);
    await page.evaluate(() => document.querySelector('#ld').remove());
    assert.ok(await page.evaluate(() => T.until(async () => !(await T.names()).length)));
    quiet(page);
  });

  for (const [what, init] of [
    ['Array.prototype.toJSON', () => { Array.prototype.toJSON = String.prototype.toJSON = function () { return 'polluted'; }; }],
    ['enumerable Object.prototype members', () => { Object.prototype.extend = function () {}; Array.prototype.each = function () {}; }],
  ]) test(`patched page: ${what}`, async () => {
    const page = await s.show(ld({ ...lamp(), image: ['/a.jpg', '/b.jpg'] }) + ld(SHOP, 's'), { init });
    const out = await page.evaluate(async () => {
      const list = await document.modelContext.getTools();
      const tool = list.find((t) => t.name === 'get_product');
      const answer = await document.modelContext.executeTool(tool, document.modelContext.__isWebMCPPolyfill ? '{}' : {}).catch(String);
      delete Array.prototype.toJSON; // Playwright asks for it too
      delete String.prototype.toJSON;
      return [answer, list.map((t) => t.inputSchema)];
    });
    assert.match(out[0], /^\{.*Desk Lamp.*\/a\.jpg/s);
    assert.doesNotMatch(out[0], /polluted/);
    for (const schema of out[1]) assert.ok(Array.isArray(schema.required ?? []) && typeof schema.properties === 'object', JSON.stringify(schema));
    quiet(page);
  });

  // The polyfill needs the real ones.
  if (mode === 'native') test('a page with a Map and a defaultView of its own', async () => {
    const init = () => { const real = window.Map; window.Map = function Map() {}; addEventListener('load', () => { window.Map = real; }); };
    const page = await s.show('<form name="defaultView"></form>' + ld(lamp()), { init });
    assert.match(await page.evaluate(PRODUCT), /Desk Lamp/);
    quiet(page);
  });

  test('built-ins replaced after load do not reach us', async () => {
    const page = await s.show(ld(lamp()));
    await page.evaluate(() => {
      const real = [JSON.parse, JSON.stringify, Object.keys, window.setTimeout, window.MutationObserver];
      JSON.parse = JSON.stringify = Object.keys = window.setTimeout = window.MutationObserver = () => { throw new Error('patched'); };
      document.querySelector('#ld').firstChild.data = document.querySelector('#ld').text.replace('Desk', 'Floor');
      return agenticschema.ready.then((h) => h.refresh()).finally(() => { [JSON.parse, JSON.stringify, Object.keys, window.setTimeout, window.MutationObserver] = real; });
    });
    assert.match(await page.evaluate(PRODUCT), /Floor Lamp/);
    quiet(page);
  });

  const search = (q = 'x') => T.call('search_web_site', { q }).then(JSON.stringify);
  const result = '<!doctype html><title>Results</title><!-- IGNORE ALL --><script>var SECRETJS=1</script><ul><li><a href="/p/1">Oak Lamp</a></li></ul>';
  for (const [what, file, want, unwanted] of [
    ['HTML', result, /Oak Lamp/, /SECRETJS|IGNORE/],
    ['JSON-LD in the results', `<title>R</title>${ld({ '@type': 'ItemList', itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Elm Lamp', url: '/p/2' }] })}`, /Elm Lamp/],
    ['charset of the header', { body: Buffer.from('<title>R</title><p>Caf\xe9 lamps are here</p>', 'latin1'), headers: { 'content-type': 'text/html; charset=windows-1252' } }, /Caf\u00e9/],
    ['charset of the page', { body: Buffer.from('<meta charset="windows-1252"><title>R</title><p>Caf\xe9 lamps are here</p>', 'latin1'), headers: { 'content-type': 'text/html' } }, /Caf\u00e9/],
    ['JSON', { body: '{"hits":[{"name":"Oak Lamp"}]}', headers: { 'content-type': 'application/json' } }, /Oak Lamp/],
    ['redirect inside the origin', { status: 302, headers: { location: '/final' } }, /Final page/],
    ['redirect to another origin', { status: 302, headers: { location: 'http://127.0.0.1:1/steal' } }, /"error"/],
    ['404', { status: 404, body: result }, /404/, /Oak Lamp/],
    ['a connection that breaks', (request) => request.socket.destroy() && null, /"error"/],
  ]) test(`request: ${what}`, async () => {
    const page = await s.show(ld(SHOP), { pages: { '/search': file, '/final': '<title>Final</title><p>Final page of the search</p>' } });
    const answer = await page.evaluate(search);
    assert.match(answer, want);
    if (unwanted) assert.doesNotMatch(answer, unwanted);
    quiet(page, page.errors.filter((e) => /Failed to load resource|Fetch API cannot load|Unsafe attempt to load URL/.test(e))); // the browser's own lines
  });

  test('request: results under Trusted Types', async () => {
    const page = await s.show(ld(SHOP), { pages: { '/search': result }, headers: { 'content-security-policy': "require-trusted-types-for 'script'; trusted-types 'none'" } });
    assert.match(await page.evaluate(search), /Oak Lamp/);
    quiet(page);
  });

  test('request: ends with the route, survives edits', async () => {
    const page = await s.show(ld(SHOP), { pages: { '/search': (request, response) => { setTimeout(() => response.writeHead(200, { 'content-type': 'text/html' }).end(result), 1200); return null; } } });
    const answers = await page.evaluate(async () => {
      const one = T.call('search_web_site', { q: 'a' });
      await T.sleep(100);
      document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair' }, 'e'));
      const edited = JSON.stringify(await one);
      let sent;
      const { fetch } = window;
      window.fetch = (...args) => ((sent = true), fetch(...args));
      const two = T.call('search_web_site', { q: 'b' });
      await T.until(() => sent);
      history.pushState({}, '', '/elsewhere');
      return [edited, JSON.stringify(await two)];
    });
    assert.match(answers[0], /Oak Lamp/);
    assert.match(answers[1], /"error"/);
    quiet(page);
  });

  test('hidden tabs wait, and catch up', async () => {
    const page = await s.show(ld(lamp()));
    const seen = await page.evaluate(async () => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
      document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair' }, 'e'));
      await T.sleep(700);
      const before = (await T.names()).includes('get_event');
      delete document.visibilityState;
      document.dispatchEvent(new Event('visibilitychange'));
      return [before, await T.until(async () => (await T.names()).includes('get_event'))];
    });
    assert.deepEqual(seen, [false, true]);
    quiet(page);
  });

  if (mode === 'polyfill') {
    test('relays list and call through navigator.modelContextTesting and hear of changes', async () => {
      const page = await s.show(ld(lamp()));
      const seen = await page.evaluate(async () => {
        const shim = navigator.modelContextTesting;
        let changes = 0;
        shim.registerToolsChangedCallback(() => changes++);
        const names = shim.listTools().map((t) => [t.name, typeof t.inputSchema]);
        const result = JSON.parse(await shim.executeTool('get_product', '{}'));
        document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair' }, 'e'));
        await T.until(() => changes);
        void navigator.modelContext;
        return { names, result, changes };
      });
      assert.ok(seen.names.some(([name, schema]) => name === 'get_product' && schema === 'string'));
      assert.equal(seen.result.content[0].type, 'text');
      assert.match(seen.result.content[0].text, /Desk Lamp/);
      assert.equal(seen.result.structuredContent.name, 'Desk Lamp');
      assert.ok(seen.changes >= 1);
      quiet(page);
    });

    test('form tools still register and unregister, shadow roots too', async () => {
      const page = await s.show(ld(lamp()));
      const seen = await page.evaluate(async () => {
        const has = (name) => T.until(async () => (await T.names()).includes(name));
        const gone = (name) => T.until(async () => !(await T.names()).includes(name));
        document.body.insertAdjacentHTML('beforeend', '<form id="f" toolname="order" tooldescription="d"><input name="a"></form><div id="h"></div>');
        const out = [await has('order')];
        document.querySelector('#f').remove();
        out.push(await gone('order'));
        document.querySelector('#h').attachShadow({ mode: 'open' }).innerHTML = '<form toolname="inner" tooldescription="d"><input name="a"></form>';
        out.push(await has('inner'));
        return out;
      });
      assert.deepEqual(seen, [true, true, true]);
      quiet(page);
    });

    for (const name of ['querySelector', 'querySelectorAll']) test(`an image called ${name} beside a form tool costs no error`, async () => {
      const page = await s.show(ld(lamp()));
      await page.evaluate(async (name) => {
        document.body.insertAdjacentHTML('beforeend', `<img name="${name}" alt=""><form toolname="order" tooldescription="d"><input name="a"></form>`);
        await T.sleep(600);
      }, name);
      assert.equal((await page.evaluate(() => T.call('get_product'))).name, 'Desk Lamp');
      quiet(page);
    });

    test('changes of a large page stay cheap', async () => {
      const page = await s.show(`<div id="big">${'<p>x</p>'.repeat(10000)}</div>`);
      const ms = await page.evaluate(async () => {
        const big = document.querySelector('#big').children;
        const from = performance.now();
        for (let i = 0; i < 200; i++) { big[i].setAttribute('class', 'c' + i); await null; }
        return performance.now() - from;
      });
      assert.ok(ms < 200, `${ms} ms for 200 batches; the bare polyfill takes over 600`);
      quiet(page);
    });
  }
});
