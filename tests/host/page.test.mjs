// The host's edge to WebAssembly: traps, refusals and servers, in Node.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { build } from 'esbuild';
import { embed } from '../../js/build/embed.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const MODULE = `${root}/pkg/agenticschema_bg.wasm`;

/** js/`entry` as a module of its own, some files replaced. */
async function load(entry, replaced = {}) {
  const { outputFiles } = await build({
    absWorkingDir: root, entryPoints: [`js/${entry}`], bundle: true, write: false, format: 'esm', platform: 'browser',
    plugins: [{
      name: 'replaced',
      setup(b) {
        b.onResolve({ filter: /./ }, ({ path }) => (path in replaced ? { path, namespace: 'replaced' } : undefined));
        b.onLoad({ filter: /./, namespace: 'replaced' }, ({ path }) => ({ contents: replaced[path], resolveDir: `${root}/js` }));
      },
    }],
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}#${Math.random()}`);
}

const wasm = () => ({ 'agenticschema:wasm': embed(readFileSync(MODULE)) });
const fake = {
  './snapshot.js': 'export const snapshot = (doc, mode) => mode ? `${mode} of ${globalThis.wire}` : `\\x1eEscript ${globalThis.wire}`;',
  './wasm.js': `
    let count = 0;
    export const generation = () => count, discard = () => { count++; }, unpack = () => {}, compileAside = unpack;
    export const settle = () => { globalThis.spent = false; }, spent = () => globalThis.spent;
    export function newCore() {
      const mine = count; let page = '';
      const alive = () => { if (mine !== count) throw new Error('a core of a dead instance was used'); };
      const methods = {
        options: () => '{"watch":true,"debounceMs":250,"diagnostics":[]}',
        read(text) { alive(); const wire = text.slice(9); globalThis.reads.push(wire); if (wire === 'trap') throw new WebAssembly.RuntimeError('unreachable'); page = wire; return ''; },
        tools: () => '{"tools":[],"diagnostics":[]}',
        call(name, input, words) { alive(); if (name === 'trap') throw new WebAssembly.RuntimeError('unreachable'); if (name === 'text') return words ? '={"words":"' + words + '"}' : '?'; return '={"page":"' + page + '"}'; },
      };
      return (method, ...values) => methods[method](...values);
    }`,
};

test('a trap costs one diagnostic, and the last good state goes on', async () => {
  const { openPage } = await load('page.js', fake);
  const notes = [];
  globalThis.reads = [];
  const page = openPage({}, {}, (level, code, message) => notes.push([level, code, message]));
  const read = (wire) => ((globalThis.wire = wire), page.read());
  read('one');
  read('trap');
  assert.deepEqual(notes.map(([level, code]) => [level, code]), [['error', 'remap-failed']]);
  assert.deepEqual(await page.call('x', {}, []), { page: 'one' });
  read('trap');
  assert.deepEqual(globalThis.reads, ['one', 'trap', 'one'], 'the page that traps is not tried again');
  assert.equal((await page.call('trap', {}, [])).code, 'internal');
  assert.deepEqual(await page.call('x', {}, []), { page: 'one' });
  read('two');
  assert.deepEqual(await page.call('x', {}, []), { page: 'two' });
  page.close();
});

test('an instance that used up its memory is renewed, with the page it had read', async () => {
  const { openPage } = await load('page.js', fake);
  const notes = [];
  globalThis.reads = [];
  const page = openPage({}, {}, (...note) => notes.push(note));
  globalThis.wire = 'one';
  page.read();
  globalThis.spent = true;
  assert.deepEqual(await page.call('x', {}, []), { page: 'one' });
  assert.deepEqual(globalThis.reads, ['one', 'one']);
  assert.deepEqual(notes, []);
});

test('a page that is read again and again takes no more memory', { skip: !existsSync(MODULE) && 'not built' }, async () => {
  const { Instance } = WebAssembly;
  let memory, instances = 0;
  WebAssembly.Instance = function (...args) {
    const instance = new Instance(...args);
    if (instance.exports.core_read) [memory, instances] = [instance.exports.memory, instances + 1];
    return instance;
  };
  try {
    const { openPage } = await load('page.js', { ...(await wasm()), './snapshot.js': fake['./snapshot.js'].replace('Escript ', 'Hhttps://a.test/\\x1fhttps://a.test/\\x1ft\\x1eEhtml\\x1eEscript\\x1fkapplication/ld+json\\x1eT') });
    const page = openPage({}, {}, assert.fail);
    let most = 0;
    for (let i = 0; i < 400; i++) {
      globalThis.wire = `{"@context":"https://schema.org","@type":"Product","name":"Lamp ${i}","description":"${'word '.repeat(2000)}"}\x1eX\x1eX\x1e`;
      assert.ok(page.read().tools.length);
      assert.equal((await page.call('get_product', {}, [])).name, `Lamp ${i}`);
      most = Math.max(most, memory.buffer.byteLength);
    }
    assert.ok(instances > 1 && instances < 100, `${instances} instances`);
    assert.ok(most < 12 << 20, `${most} bytes`);
  } finally {
    WebAssembly.Instance = Instance;
  }
});

test('two pages share an instance: a trap of one does not hurt the other', async () => {
  const { openPage } = await load('page.js', fake);
  globalThis.reads = [];
  const one = openPage({}, {}, () => {}), two = openPage({}, {}, () => {});
  globalThis.wire = 'one';
  one.read();
  globalThis.wire = 'trap';
  two.read();
  assert.deepEqual(await one.call('x', {}, []), { page: 'one' });
  one.close();
  two.close();
});

test('the text of the page is read when it is wanted, as it is then', async () => {
  const { openPage } = await load('page.js', fake);
  globalThis.reads = [];
  const page = openPage({}, {}, () => {});
  globalThis.wire = 'one';
  page.read();
  globalThis.wire = 'two';
  assert.deepEqual(await page.call('text', {}, []), { words: 'text of two' });
});

test('a new instance works after the old one was thrown away', { skip: !existsSync(MODULE) && 'not built' }, async () => {
  const { newCore, discard, generation } = await load('wasm.js', await wasm());
  const wire = `Hhttps://a.test/\x1fhttps://a.test/\x1ft\x1eEhtml\x1eEscript\x1fkapplication/ld+json\x1eT${JSON.stringify({ '@context': 'https://schema.org', '@type': 'Product', name: 'Lamp', description: 'x'.repeat(100000) })}\x1eX\x1eX\x1e`;
  for (let i = 0; i < 3; i++) {
    assert.equal(generation(), i);
    const core = newCore('{}');
    assert.equal(core('read', wire), '');
    assert.match(core('tools'), /"get_product"/);
    assert.match(core('call', 'get_product', '{}', ''), /^=.*Lamp/s);
    discard();
  }
});

test('importing the module entry on a server does nothing', { skip: !existsSync(MODULE) && 'not built' }, async () => {
  const { start, toTools, version } = await load('index.js', await wasm());
  assert.match(version, /^\d/);
  const handle = await start();
  assert.deepEqual(handle.tools(), []);
  assert.deepEqual(handle.diagnostics().map((d) => d.code), ['no-webmcp-surface']);
  handle.stop();
  assert.deepEqual(toTools('<p>x</p>').tools, []);
  assert.match(toTools('<p>x</p>').diagnostics[0].message, /HTML parser/);
});
