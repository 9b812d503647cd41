// Tools that a site adds in the JavaScript API, and what becomes of ours beside a site's own.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const SHOP = { '@type': 'WebSite', url: '/', potentialAction: { '@type': 'SearchAction', target: '/search?q={q}', 'query-input': 'required name=q' } };

for (const mode of MODES) describe(mode, () => {
  let s;
  before(async () => { s = await stage(mode); });
  after(() => s.close());
  const quiet = (page, errors = []) => assert.deepEqual(page.errors, errors);
  /** Starts with tools that `declare` makes in the page. */
  const start = (page, declare) => page.evaluate(`(async () => { window.handle = await agenticschema.start({ custom: (${declare})() }); })()`);
  const diagnostics = (page, code) => page.evaluate((code) => handle.diagnostics().filter((d) => d.code === code).map((d) => d.message), code);

  test('a tool is registered as declared, and called with what fits its schema', async () => {
    const page = await s.show('<p>no markup</p>');
    await start(page, () => [{
      name: 'track-order', title: 'Track an order', description: 'Where an order is.',
      inputSchema: { type: 'object', properties: { id: { type: 'string', pattern: '^[0-9]+$', maxLength: 5 }, tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] } }, n: { type: 'integer', minimum: 1, exclusiveMaximum: 9 } }, required: ['id'], additionalProperties: false },
      execute: ({ id }, { signal }) => ({ id, when: new Date(0), signal: signal.constructor.name }),
      annotations: { readOnlyHint: true, destructiveHint: true, consequentialHint: false },
    }]);
    const tool = await page.evaluate(async () => {
      const [tool] = await document.modelContext.getTools();
      return { ...Object.fromEntries(['name', 'title', 'description'].map((k) => [k, tool[k]])), schema: JSON.stringify(tool.inputSchema), hints: { ...tool.annotations } };
    });
    assert.deepEqual([tool.name, tool.description], ['track-order', 'Where an order is.']);
    assert.match(tool.schema, /additionalProperties/);
    assert.equal(tool.hints.readOnlyHint, true);
    assert.ok(!tool.hints.consequentialHint && !('destructiveHint' in tool.hints), JSON.stringify(tool.hints));
    const call = (args) => page.evaluate((args) => T.call('track-order', args), args);
    assert.deepEqual(await call({ id: '7' }), { id: '7', when: '1970-01-01T00:00:00.000Z', signal: 'AbortSignal' });
    for (const [args, path] of [
      [{}, 'id'], [{ id: 7 }, 'id'], [{ id: 'x' }, 'id'], [{ id: '123456' }, 'id'], [{ id: '1', other: 1 }, 'other'], [{ id: '1', tags: 'a' }, 'tags'],
      [{ id: '1', tags: ['a', 'c'] }, 'tags[1]'], [{ id: '1', n: 0 }, 'n'], [{ id: '1', n: 9 }, 'n'], [{ id: '1', n: 1.5 }, 'n'], [JSON.parse('{"id":"1","__proto__":{"n":0}}'), '__proto__'],
    ]) {
      const answer = await call(args);
      // Playwright drops __proto__ on its way into the page.
      if (path !== '__proto__') assert.deepEqual([answer.code, answer.path], ['invalid-argument', path], JSON.stringify(args));
    }
    quiet(page);
  });

  test('bad declarations are diagnostics, one each, and cost the good ones nothing', async () => {
    const page = await s.show(ld(lamp()));
    await start(page, () => {
      const good = { name: 'good', description: 'd', execute: () => 1 };
      return [
        null, 7, {}, { ...good, name: 'two words' }, { ...good, name: 'x'.repeat(65) }, { ...good, name: '' }, { ...good, name: {} }, { ...good, name: 'a', description: ' ' },
        { ...good, name: 'b', execute: 'f' }, { ...good, name: 'c', inputSchema: [] }, { ...good, name: 'd', inputSchema: { type: 'string' } },
        { get name() { throw new Error('no'); } }, good, { ...good, execute: () => 2 }, { ...good, name: '__proto__' }, { ...good, name: 'long', description: 'x'.repeat(600) + '\ud83d' },
      ];
    });
    assert.deepEqual((await page.evaluate(() => T.names())).sort(), ['__proto__', 'get_product', 'get_product_offer', 'good', 'long']);
    assert.deepEqual(await page.evaluate(() => T.call('good')), { result: 1 });
    assert.equal((await diagnostics(page, 'custom-invalid')).length, 13);
    assert.equal((await diagnostics(page, 'field-truncated')).length, 1);
    assert.equal(await page.evaluate(async () => (await document.modelContext.getTools()).find((t) => t.name === 'long').description.length), 500);
    await start(page, () => ({ name: 'alone' }));
    assert.equal((await diagnostics(page, 'custom-invalid')).length, 1);
    quiet(page);
  });

  test('it wins over a generated tool of its name, and stays when the page changes', async () => {
    const page = await s.show(ld(lamp()));
    await start(page, () => [{ name: 'get_product', description: 'mine', execute: () => ({ mine: true }) }]);
    assert.equal((await page.evaluate(() => T.names())).filter((name) => name.startsWith('get_product')).length, 2, 'its own, and the offer of ours');
    assert.deepEqual(await page.evaluate(() => T.call('get_product')), { mine: true });
    await page.evaluate(() => document.querySelector('#ld').remove());
    await page.evaluate(() => handle.refresh());
    assert.deepEqual(await page.evaluate(() => [handle.tools().map((t) => t.name), T.names()].map((v) => v)).then((v) => v[0]), ['get_product']);
    assert.deepEqual(await page.evaluate(() => T.call('get_product')), { mine: true });
    await page.evaluate(() => handle.stop());
    assert.deepEqual(await page.evaluate(() => T.names()), []);
    quiet(page);
  });

  test('answers are objects, well-formed and capped', async () => {
    const page = await s.show('<p></p>');
    const given = () => {
      const circle = { n: 1 };
      circle.self = circle;
      return {
        text: 'plain', none: undefined, empty: '', list: [1, [2]], mcp: { content: [{ type: 'text', text: 'x' }] }, half: { a: 'x\ud83d', '\udc00k': 1 }, circle,
        big: { text: 'é"'.repeat(40000) }, huge: 10n, bad: { d: new Date(NaN), f() {} }, later: new Promise((done) => setTimeout(done, 5, { ok: 1 })),
      };
    };
    await start(page, `() => { const given = (${given})(); return [...Object.keys(given), 'throws', 'rejects'].map((name) => ({ name, description: 'd', execute: async () => { if (name === 'throws') throw new TypeError('no luck'); if (name === 'rejects') return Promise.reject({}); return given[name]; } })); }`);
    const call = (name) => page.evaluate((name) => T.call(name), name);
    for (const [name, want] of Object.entries({
      text: { result: 'plain' }, none: { result: null }, empty: { result: '' }, list: { result: [1, [2]] }, mcp: { result: { content: [{ type: 'text', text: 'x' }] } },
      half: { a: 'x\ufffd', '\ufffdk': 1 }, huge: { result: null }, bad: { d: null, f: null }, later: { ok: 1 },
    })) assert.deepEqual(await call(name), want, name);
    assert.equal((await call('circle')).self.self.n, 1);
    const big = await call('big');
    assert.equal(big.truncated, true);
    assert.ok(Buffer.byteLength(JSON.stringify(big)) <= 32000 && big.text.length > 5000, JSON.stringify(big).length);
    assert.deepEqual([(await call('throws')).code, (await call('throws')).error], ['tool-failed', 'TypeError: no luck']);
    assert.equal((await call('rejects')).code, 'tool-failed');
    quiet(page);
  });

  test('its signal ends with stop, not with the route', async () => {
    const page = await s.show('<p></p>');
    await start(page, () => [{ name: 'wait', description: 'd', execute: (input, { signal }) => new Promise((done) => { globalThis.signal = signal; signal.addEventListener('abort', () => done('ended')); }) }]);
    const seen = await page.evaluate(async () => {
      const pending = T.call('wait').catch(String);
      await T.until(() => globalThis.signal);
      history.pushState({}, '', '/elsewhere');
      await T.sleep(150);
      const afterRoute = signal.aborted;
      handle.stop();
      await Promise.race([pending, T.sleep(500)]);
      return [afterRoute, signal.aborted];
    });
    assert.deepEqual(seen, [false, true]);
    quiet(page);
  });

  for (const [what, own] of [
    ['tool', '<script>document.modelContext?.registerTool({name:"searchCatalogue",description:"mine",execute:async()=>({mine:1})})</script>'],
    ['form tool', '<form toolname="search-site" tooldescription="d"><input name="a"></form>'],
  ]) test(`a site's own search ${what} is the only one`, async () => {
    if (what === 'tool' && mode === 'polyfill') return; // there is no surface before ours
    const page = await s.show(own + ld(lamp()) + ld(SHOP, 's') + '<form role="search" action="/s"><input name="q"></form>');
    const names = await page.evaluate(() => T.names());
    assert.ok(names.includes('get_product') && !names.includes('search_web_site'), names);
    assert.equal(await page.evaluate(async () => (await agenticschema.ready).diagnostics().filter((d) => /of its own/.test(d.message)).length), 1);
    quiet(page);
  });

  test('ours comes back when it starts again', async () => {
    const page = await s.show(ld(SHOP));
    await page.evaluate(() => agenticschema.start());
    await page.evaluate(() => agenticschema.start());
    assert.deepEqual(await page.evaluate(() => T.names()), ['get_web_site', 'search_web_site']);
    quiet(page);
  });
});
