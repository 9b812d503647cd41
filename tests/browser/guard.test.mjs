// The bundle and the built-ins of a page: it survives pages that replace them, and leaves them as they are.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const SHOP = { '@type': 'WebSite', url: '/', potentialAction: { '@type': 'SearchAction', target: '/search?q={q}', 'query-input': 'required name=q' } };
const RESULT = '<!doctype html><title>R</title><ul><li><a href="/p/1">Oak Lamp</a> warm</li><li><a href="/p/2">Elm Lamp</a></li></ul>';

/** What a page may break, after we have loaded: each is replaced by a function that throws. */
const BROKEN = {
  'Array.prototype': () => [Array.prototype, ['map', 'filter', 'forEach', 'includes', 'indexOf', 'concat', 'find', 'reduce', 'join', 'slice', 'sort', 'flatMap']],
  'Array': () => [Array, ['isArray', 'from', 'of']],
  JSON: () => [JSON, ['parse', 'stringify']],
  Object: () => [Object, ['keys', 'entries', 'assign', 'defineProperty', 'getOwnPropertyDescriptor']],
  fetch: () => [window, ['fetch']],
  URL: () => [window, ['URL', 'URLSearchParams']],
  Promise: () => [window, ['Promise']],
  'Promise.prototype': () => [Promise, ['all', 'race', 'resolve', 'reject', 'any']],
  history: () => [history, ['pushState', 'replaceState']],
  timers: () => [window, ['setTimeout', 'clearTimeout', 'requestIdleCallback']],
  DOM: () => [window, ['DOMParser', 'MutationObserver', 'AbortController', 'TextDecoder', 'TextEncoder', 'Map', 'Set']],
  'Document.prototype': () => [Document.prototype, ['querySelector', 'querySelectorAll', 'createElement', 'addEventListener']],
  'Element.prototype': () => [Element.prototype, ['getAttribute', 'querySelector', 'querySelectorAll', 'matches', 'closest', 'hasAttribute']],
};

for (const mode of MODES) describe(mode, () => {
  let s;
  before(async () => { s = await stage(mode); });
  after(() => s.close());

  for (const [what, target] of Object.entries(BROKEN)) test(`survives: ${what} broken after it has loaded`, async () => {
    const page = await s.show(ld(lamp()) + ld(SHOP, 's'), { pages: { '/search': RESULT } });
    await page.evaluate(() => agenticschema.start({ custom: [{ name: 'own', description: 'd', inputSchema: { properties: { a: { type: 'string' } } }, execute: ({ a }) => ({ a }) }] }).then((h) => { globalThis.handle = h; }));
    const out = await page.evaluate(`(async () => {
      // An agent's runtime is not the page's: the tools are listed before, and called by their own functions.
      const list = await document.modelContext.getTools();
      const native = !document.modelContext.__isWebMCPPolyfill;
      const tools = {}, { defineProperty } = Object;
      for (const tool of list) tools[tool.name] = tool;
      const call = async (name, args) => document.modelContext.executeTool(tools[name], args);
      const [owner, names] = (${target})();
      const kept = names.map((name) => [name, Object.getOwnPropertyDescriptor(owner, name)]);
      const args = native ? [{}, { q: 'oak' }, { a: 'x' }] : ['{}', '{"q":"oak"}', '{"a":"x"}'];
      const broken = () => { throw new Error('broken'); };
      let pending;
      for (const [name] of kept) try { owner[name] = broken; } catch {}
      try {
        pending = [call('get_product', args[0]), call('search_web_site', args[1]), call('own', args[2]), (async () => handle.refresh())()];
        for (const one of pending) try { await one; } catch {}
      } finally {
        for (const [name, descriptor] of kept) if (descriptor) defineProperty(owner, name, descriptor); else delete owner[name];
      }
      const settled = await Promise.allSettled(pending);
      return settled.map(({ value, reason }) => value ?? String(reason));
    })()`).catch(String);
    assert.ok(Array.isArray(out), String(out));
    const polyfilled = mode === 'polyfill' && /Array|JSON|Object|URL|Promise|timers|DOM/.test(what); // the polyfill itself asks for them
    if (!polyfilled) {
      assert.match(out[0], /Desk Lamp/);
      assert.match(out[2], /"a":"x"/);
      assert.match(out[1], what === 'fetch' ? /"code":"network"/ : /Oak Lamp/);
    }
    // A page that breaks what it uses itself may log; what is thrown must not be ours.
    assert.deepEqual(page.errors.filter((e) => !/broken/.test(e)), []);
    assert.match(JSON.stringify(await page.evaluate(() => T.call('get_product'))), /Desk Lamp/, 'afterwards');
  });

  // What the start itself asks for: there before the script, or put in place between it and the end of the document.
  for (const [what, code] of [
    ['postTask throws', "scheduler.postTask = Object.getPrototypeOf(scheduler).postTask = () => { throw new Error('broken'); }"],
    ['postTask does nothing', 'scheduler.postTask = () => {}'],
    ['WebAssembly.compile never settles', 'WebAssembly.compile = () => new Promise(() => {})'],
    ['WebAssembly.compile gives no module', 'WebAssembly.compile = async () => ({ module: 1 })'],
    ['WebAssembly.compile throws', "WebAssembly.compile = () => { throw new Error('broken'); }"],
  ]) for (const before of [true, false]) if (!before || /compile/.test(what)) test(`starts: ${what}, ${before ? 'before' : 'after'} it has loaded`, async () => {
    const own = '<script src="/agenticschema.js"></script>', broken = `<script>${code}</script>`;
    const page = await s.show(ld(lamp()), { tag: before ? broken + own : own + broken });
    assert.match(JSON.stringify(await page.evaluate(() => T.call('get_product'))), /Desk Lamp/);
    assert.deepEqual(await page.evaluate(async () => (await agenticschema.ready).diagnostics()), []);
    assert.deepEqual(page.errors, []);
  });

  // So broken that the script cannot start, until the page has loaded.
  const HOPELESS = {
    'Object.prototype.get': () => { Object.prototype.get = 1; addEventListener('load', () => delete Object.prototype.get); },
    'Object.prototype.value': () => { Object.prototype.value = 1; addEventListener('load', () => delete Object.prototype.value); },
    'Object.prototype.signal': () => { Object.prototype.signal = 1; addEventListener('load', () => delete Object.prototype.signal); },
    Set: () => { const real = window.Set; window.Set = () => {}; addEventListener('load', () => { window.Set = real; }); },
    bind: () => { const real = Function.prototype.bind; Function.prototype.bind = () => { throw Error('broken'); }; addEventListener('load', () => { Function.prototype.bind = real; }); },
  };
  for (const [what, init] of Object.entries(HOPELESS)) test(`adds no error to a page with ${what} broken before it loads`, async () => {
    for (const name of ['agenticschema', 'agenticschema.nowasm']) {
      const page = await s.show(ld(lamp()), { init, tag: `<script src="/${name}.js"></script>` });
      assert.deepEqual(page.errors, [], name);
    }
  });

  test('survives the habits of old libraries, there before it loads', async () => {
    const page = await s.show(ld(lamp()) + ld(SHOP, 's'), {
      pages: { '/search': RESULT },
      init: () => {
        Array.prototype.toJSON = function () { return 'polluted'; };
        Object.prototype.extend = function () {};
        Array.prototype.contains = function () {};
        Function.prototype.bind = function (that, ...args) { const f = this; return (...more) => f.apply(that, [...args, ...more]); };
        String.prototype.toArray = function () {};
        const { fetch, Promise: Old } = window;
        window.fetch = (...args) => fetch(...args).then((r) => r);
        window.Promise = class extends Old {};
        const push = history.pushState;
        history.pushState = function (...args) { return push.apply(this, args); };
      },
    });
    const answers = await page.evaluate(async () => {
      delete Array.prototype.toJSON; // Playwright asks for it too
      return [JSON.stringify(await T.call('get_product')), JSON.stringify(await T.call('search_web_site', { q: 'x' }))];
    });
    assert.match(answers[0], /Desk Lamp/);
    assert.match(answers[1], /Oak Lamp/);
    assert.deepEqual(page.errors, []);
  });

  test('leaves the built-ins as they are', async () => {
    const page = await s.show(ld(lamp()) + ld(SHOP, 's'), {
      pages: { '/search': RESULT },
      init: () => {
        const seen = () => {
          const all = {};
          for (const name of Object.getOwnPropertyNames(window)) {
            if (/^[A-Z]/.test(name)) {
              const owner = Object.getOwnPropertyDescriptor(window, name).value;
              for (const [at, object] of [[name, owner], [`${name}.prototype`, owner?.prototype]]) {
                if (object && /object|function/.test(typeof object)) for (const key of Reflect.ownKeys(object)) all[`${at}.${String(key)}`] = Object.getOwnPropertyDescriptor(object, key);
              }
            } else if (name !== 'seen' && name !== 'T') all[name] = { is: typeof Object.getOwnPropertyDescriptor(window, name).value };
          }
          for (const [at, object] of Object.entries({ history, location, navigator, document })) for (const key of Reflect.ownKeys(object)) all[`${at}.${String(key)}`] = Object.getOwnPropertyDescriptor(object, key);
          return all;
        };
        const before = seen();
        globalThis.changed = () => {
          const now = seen();
          const same = (a, b) => a && b && ['value', 'get', 'set', 'is'].every((k) => Object.is(a[k], b[k]));
          return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((key) => !same(before[key], now[key]));
        };
      },
    });
    await page.evaluate(() => Promise.all([T.call('get_product'), T.call('search_web_site', { q: 'x' })]));
    const changed = (await page.evaluate(() => globalThis.changed())).filter((key) => !/^(document\.(location|__playwright.*)|__playwright.*|changed|helpers|RegExp\.(\$.*|last.*|left.*|right.*|input))$/.test(key));
    // The polyfill is there to add the surface; it wraps two methods to see form tools. Relays look for the testing shim in both.
    const surface = /^(ModelContext.*|Document\.prototype\.modelContext|navigator\.modelContext|SubmitEvent\.prototype\.(agentInvoked|respondWith)|Element\.prototype\.attachShadow|HTMLFormElement\.prototype\.submit)$/;
    assert.deepEqual(changed.filter((key) => !['agenticschema', 'navigator.modelContextTesting'].includes(key) && !(mode === 'polyfill' && surface.test(key))), []);
  });
});
