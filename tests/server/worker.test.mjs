// The handler for edge workers: what the native server says, it says too, in Node and in workerd.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { gzipSync } from 'node:zlib';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { build } from 'esbuild';
import { apart } from '../../scripts/setup/apart.mjs';
import { root } from '../../scripts/setup/command.mjs';
import { createHttpHandler } from '../../dist/worker.js';
import { natively, ownPages, realPages } from '../corpus.mjs';
import { ld, lamp, search, served, socket } from './lib.mjs';

const AT = 'https://mcp.example/mcp';
const to = (location) => ({ status: 302, headers: { location }, body: '' });
const PAGES = {
  '/lamp': ld({ '@graph': [lamp, search('/search?q={q}')] }),
  '/desk': { headers: { 'content-type': 'text/html; charset=ISO-8859-1' }, body: Buffer.from(`<title>é</title>${ld({ ...lamp, name: 'Pupître', weight: { '@type': 'QuantitativeValue', value: 1.5 } }).replace('1.5}', '1.50}')}`, 'latin1') },
  '/many': { headers: { 'content-encoding': 'gzip' }, body: gzipSync(ld({ '@graph': Array.from({ length: 250 }, (_, i) => ({ '@type': 'Product', name: `Lamp ${i}` })) })) },
  '/moved': to('/lamp'),
  '/search': (request) => `<title>Results</title><main><a href="/p/1">${request.url} ${request.headers.cookie ?? 'no cookie'} result</a></main>`,
};
const SITE = ['/lamp', '/gone', '/desk', '/many'];

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const rpc = (method, params, id = 1) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const hello = (protocolVersion) => rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '0' } });
const META = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' }, 'io.modelcontextprotocol/clientCapabilities': {} };
/** A request of the form without handshake. */
const bare = (method, params = {}, headers = {}) => [rpc(method, { ...params, _meta: META }), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...headers }];

/** Requests of sense: body, headers, method. */
const ANSWERED = [
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1999-01-01'].map((version) => [hello(version)]),
  [hello('2025-06-18'), { 'mcp-protocol-version': '2025-06-18' }],
  [rpc('ping')],
  [rpc('tools/list', {})], [rpc('tools/list', {}, 'text')], [rpc('tools/list', { cursor: '7' })],
  [rpc('tools/list', {}), { 'mcp-protocol-version': '2025-11-25' }],
  [rpc('tools/call', { name: 'get_product_lamp', arguments: {} })],
  [rpc('tools/call', { name: 'get_product_desk' })],
  [rpc('tools/call', { name: 'get_product_desk', arguments: { section: 'nothing' } })],
  [rpc('tools/call', { name: 'search_web_site', arguments: { q: 'oak' } })],
  [rpc('tools/call', { name: 'search_web_site', arguments: {} })],
  [rpc('tools/call', { name: 'nothing', arguments: {} })],
  [rpc('resources/list', {})], [rpc('resources/list', { cursor: '200' })], [rpc('resources/list', { cursor: '999999' })], [rpc('resources/list', { cursor: 'x' })],
  [rpc('resources/templates/list', {})], [rpc('prompts/list', {})], [rpc('no/such/method', {})],
  bare('server/discover'), bare('tools/list'), bare('resources/list'), bare('no/such/method'), bare('resources/templates/list'),
  bare('tools/call', { name: 'get_product_lamp', arguments: {} }, { 'mcp-name': 'get_product_lamp' }),
];
/** Requests that are refused, by HTTP or by the protocol. */
const REFUSED = [
  ['{'], [''], ['[]'], ['{"jsonrpc":"2.0"}'],
  [rpc('tools/list', {}), { 'content-type': 'text/plain' }],
  [rpc('tools/list', {}), { accept: 'text/html' }],
  [rpc('tools/list', {}), { 'mcp-protocol-version': '1999-01-01' }],
  [rpc('tools/list', {}), { 'mcp-protocol-version': '2026-07-28' }],
  [hello('2025-06-18'), { 'mcp-protocol-version': '2025-03-26' }],
  [bare('tools/list')[0], {}],
  [bare('tools/list')[0], { 'mcp-protocol-version': '2025-06-18' }],
  bare('tools/list', {}, { 'mcp-method': 'ping' }),
  bare('tools/call', { name: 'get_product_lamp' }), bare('ping'),
  [rpc('tools/list', { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } }), { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' }],
  [rpc('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }), { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' }],
  [`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"${'y'.repeat(2 << 20)}"}}`],
  ['{"jsonrpc":"2.0","method":"notifications/initialized"}'], ['{"jsonrpc":"2.0","id":7,"result":{}}'],
  ['{"jsonrpc":"2.0","id":{},"method":"tools/list"}'],
  [undefined, {}, 'GET'], [undefined, {}, 'DELETE'],
];

/** Parameters of another form, which the SDK takes for methods that it does not know. */
const MALFORMED = [['tools/call', { name: 7 }], ['tools/call', {}], ['tools/call', { name: 'get_product_lamp', arguments: [] }], ['resources/read', {}], ['resources/read', { uri: 1 }]];

const request = ([body, headers, method = 'POST'], url = AT) => [url, { method, headers: { ...HEADERS, ...headers }, body }];
const asked = (handler, ...parts) => handler.fetch(new Request(...request(parts)));
const result = async (handler, method, params = {}) => {
  const answer = await (await asked(handler, rpc(method, params))).json();
  assert.ok(answer.result, JSON.stringify(answer.error));
  return answer.result;
};

/** Status and result of a response, or its code: the words of errors are the SDK's own. */
async function seen(response) {
  const text = await response.text();
  let message = null;
  try {
    message = JSON.parse(text);
  } catch {}
  return message?.result ? { status: response.status, message } : { status: response.status, code: message?.error?.code };
}

/** Asks both servers, and compares. */
async function compare(native, ask) {
  for (const row of [...ANSWERED, ...REFUSED]) {
    const theirs = await seen(await fetch(...request(row, native))), ours = await seen(await ask(row));
    // Some refusals of the SDK have words and no code.
    if (theirs.code === undefined) delete ours.code, delete theirs.code;
    assert.deepEqual(ours, theirs, row.join(' ').slice(0, 200));
    if (REFUSED.includes(row)) assert.equal(ours.message, undefined);
  }
}

describe('as the native server', () => {
  let pages, native;
  before(async () => {
    pages = await socket(PAGES);
    native = await served(SITE.map((path) => pages.origin + path));
  });
  after(async () => {
    await native.stop();
    pages.close();
  });

  test('in Node', async () => {
    const said = [];
    const handler = createHttpHandler(SITE.map((path) => pages.origin + path), { log: (line) => said.push(line) });
    await compare(native.url, (row) => asked(handler, ...row));
    assert.equal(said.length, 1);
    assert.match(said[0], /\/gone: .* answered with status 404\.$/);
    for (const call of MALFORMED) assert.equal((await seen(await asked(handler, rpc(...call)))).code, -32602, call.join());
    // Digits go out as the page has them.
    assert.match(await (await asked(handler, rpc('tools/call', { name: 'get_product_desk' }))).text(), /1\.50/);
  });

  test('in workerd', async (t) => {
    let modules;
    try {
      modules = await apart('worker');
    } catch (error) {
      return t.skip(`its package cannot be had: ${error.message}`);
    }
    const edge = await workerd(modules, SITE.map((path) => pages.origin + path));
    try {
      await compare(native.url, (row) => fetch(...request(row, edge.url)));
      const client = new Client({ name: 'test', version: '0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(edge.url)));
      const { tools, ttlMs, cacheScope } = await client.listTools();
      assert.deepEqual([tools[0].name, ttlMs, cacheScope], ['get_product_lamp', 300_000, 'public']);
      const { structuredContent } = await client.callTool({ name: 'get_product_desk', arguments: {} });
      assert.equal(structuredContent.name, 'Pupître');
      const { resources } = await client.listResources();
      const read = await client.readResource({ uri: resources[0].uri });
      assert.equal(JSON.parse(read.contents[0].text).name, 'Desk Lamp');
      assert.equal(read.cacheScope, 'private');
      await client.close();
      const many = await Promise.all(Array.from({ length: 200 }, () => fetch(...request([rpc('tools/list', {})], edge.url)).then((response) => response.json())));
      assert.ok(many.every(({ result }) => result.tools.length === tools.length));
    } finally {
      await edge.stop();
    }
  });
});

/** workerd with a worker that serves these pages, bundled as its own tools do. */
async function workerd(modules, urls) {
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  const { outputFiles } = await build({ absWorkingDir: root, stdin: { contents: `import { createHttpHandler } from 'agenticschema/worker'; export default createHttpHandler(${JSON.stringify(urls)});`, resolveDir: root }, bundle: true, format: 'esm', write: false, conditions: ['workerd', 'worker'], external: ['*.wasm'], logLevel: 'silent' });
  writeFileSync(join(folder, 'worker.js'), outputFiles[0].contents);
  copyFileSync(join(root, 'dist/worker.wasm'), join(folder, 'worker.wasm'));
  writeFileSync(join(folder, 'config.capnp'), `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js"), (name = "worker.wasm", wasm = embed "worker.wasm")],
      compatibilityDate = "2026-07-01",
      globalOutbound = "network",
    )),
    (name = "network", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`);
  const child = spawn(join(modules, 'node_modules/.bin/workerd'), ['serve', join(folder, 'config.capnp'), '--control-fd=3'], { stdio: ['ignore', 'inherit', 'inherit', 'pipe'] });
  let said = '';
  const port = await new Promise((done, fail) => {
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      said += text;
      const listen = said.split('\n').filter(Boolean).map((line) => JSON.parse(line)).find(({ event }) => event === 'listen');
      if (listen) done(listen.port);
    });
    child.once('exit', (code) => fail(new Error(`workerd ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

describe('in Node', () => {
  let pages, elsewhere;
  before(async () => {
    elsewhere = await socket({ '/': ld(lamp), '/search': 'secret' });
    pages = await socket({
      ...PAGES,
      '/away': to(`${elsewhere.origin}/`),
      '/named': to(`http://localhost:${new URL(elsewhere.origin).port}/`),
      '/loop': to('/loop'),
      '/picture': { headers: { 'content-type': 'image/png' }, body: ld(lamp) },
      '/silent': () => null,
      '/actions': ld(search('/leave?q={q}')),
      '/leave': to(`${elsewhere.origin}/search`),
      '/api': ld(search(`${elsewhere.origin}/search?q={q}`)),
    });
  });
  after(() => {
    pages.close();
    elsewhere.close();
  });
  const open = (paths, options) => createHttpHandler([paths].flat().map((path) => pages.origin + path), { log: () => {}, ...options });

  test('reads pages once, and nothing that they refer to', async () => {
    pages.asked.length = 0;
    const handler = open(['/lamp', '/desk']);
    await Promise.all(Array.from({ length: 50 }, () => result(handler, 'tools/list')));
    await result(handler, 'resources/list');
    assert.deepEqual(pages.asked.sort(), ['/desk', '/lamp']);
    pages.asked.length = 0;
    const old = open('/lamp', { cacheTtlMs: 0 });
    for (let i = 0; i < 3; i++) await result(old, 'tools/list');
    assert.ok(pages.asked.length >= 3);
  });

  test('says why no page could be read, and tries again', async () => {
    const said = [];
    let answers = 0;
    const handler = open('/lamp', { cacheTtlMs: 0, log: (line) => said.push(line), fetch: (...request) => (answers++ < 2 ? Promise.reject(new Error('no route')) : fetch(...request)) });
    const { error } = await (await asked(handler, rpc('tools/list', {}))).json();
    assert.deepEqual([error.code, /no route/.test(error.message)], [-32603, true]);
    assert.equal((await result(handler, 'initialize', { protocolVersion: '2025-06-18' })).serverInfo.name, 'agenticschema');
    await result(handler, 'tools/list').catch(() => {});
    assert.equal((await result(handler, 'tools/list')).tools[0].name, 'get_product');
    assert.equal(said.length, 1);
  });

  test('goes where the operator said, and nowhere else', async () => {
    elsewhere.asked.length = 0;
    for (const [path, words] of [['/away', /private network/], ['/named', /private network/], ['/loop', /again and again/], ['/picture', /image\/png/], ['/silent', /in time/]]) {
      const { error } = await (await asked(open(path, { timeoutMs: path === '/silent' ? 300 : 10_000 }), rpc('tools/list', {}))).json();
      assert.match(error.message, words, path);
    }
    const call = async (path, options) => {
      const handler = open(path, options), { tools } = await result(handler, 'tools/list');
      const tool = tools.find(({ name }) => name.startsWith('search_'));
      return tool && result(handler, 'tools/call', { name: tool.name, arguments: { q: 'x' } });
    };
    const redirected = await call('/actions');
    assert.deepEqual([redirected.isError, redirected.structuredContent.code], [true, 'redirect']);
    assert.equal(await call('/actions', { actions: false }), undefined);
    assert.equal(await call('/api'), undefined);
    assert.deepEqual(elsewhere.asked, []);
    const allowed = await call('/api', { allowHosts: [new URL(elsewhere.origin).host] });
    assert.match(allowed.content[0].text, /secret/);
    const both = createHttpHandler([`${pages.origin}/away`, elsewhere.origin], { log: () => {} });
    assert.equal((await result(both, 'tools/list')).tools.length, 4);
  });

  test('pages of a browser need leave', async () => {
    const handler = open('/lamp', { allowOrigins: ['https://chat.example'] });
    const from = (origin, method) => asked(handler, method ? undefined : rpc('tools/list', {}), { origin }, method);
    assert.equal((await from('https://evil.example')).status, 403);
    assert.equal((await from('null')).status, 403);
    assert.equal((await from('https://mcp.example')).status, 200);
    const allowed = await from('https://chat.example');
    assert.deepEqual([allowed.status, allowed.headers.get('access-control-allow-origin')], [200, 'https://chat.example']);
    const preflight = await from('https://chat.example', 'OPTIONS');
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-headers'), /mcp-protocol-version/);
    assert.equal((await from('https://evil.example', 'OPTIONS')).status, 403);
  });

  test('what can be none is refused at once', () => {
    for (const urls of [[], 'ftp://a.example/', '/lamp', 'https://u:p@a.example/', 'file:///etc/passwd']) assert.throws(() => createHttpHandler(urls), TypeError, `${urls}`);
    for (const options of [{ cacheTtlMs: -1 }, { cacheTtlMs: 'x' }, { timeoutMs: 0 }, { timeoutMs: Infinity }]) assert.throws(() => open('/lamp', options), TypeError, JSON.stringify(options));
  });

  test('a trap costs one page or one call', async (t) => {
    const { Instance } = WebAssembly;
    let armed = '';
    const trapping = function (module, imports) {
      const { exports } = new Instance(module, imports);
      const trap = (name) => (...values) => {
        if (armed !== name || (name === 'site_read' && values[1] !== 1)) return exports[name](...values);
        throw new WebAssembly.RuntimeError('unreachable');
      };
      return { exports: { ...exports, site_read: trap('site_read'), site_call: trap('site_call') } };
    };
    WebAssembly.Instance = trapping;
    t.after(() => (WebAssembly.Instance = Instance));
    armed = 'site_read';
    const said = [], handler = open(['/lamp', '/desk'], { log: (line) => said.push(line) });
    const names = async () => (await result(handler, 'tools/list')).tools.map(({ name }) => name);
    assert.deepEqual(await names(), ['get_product', 'search_web_site', 'get_product_offer']);
    assert.match(said.join(), /desk: reading it failed/);
    armed = 'site_call';
    const { error } = await (await asked(handler, rpc('tools/call', { name: 'get_product', arguments: {} }))).json();
    assert.equal(error.code, -32603);
    armed = '';
    assert.equal((await result(handler, 'tools/call', { name: 'get_product', arguments: {} })).structuredContent.name, 'Desk Lamp');
  });
});

test('every page, own and real, says what it says natively', async () => {
  const all = [...ownPages(), ...realPages()];
  const pages = await socket(Object.fromEntries(all.map(({ body }, i) => [`/${i}`, body])));
  const placed = all.map((page, i) => ({ ...page, url: `${pages.origin}/${i}` }));
  const native = await natively(placed), different = [];
  let calls = 0;
  for (const [i, { name, url }] of placed.entries()) {
    const handler = createHttpHandler(url, { log: () => {} });
    const { tools } = await result(handler, 'tools/list');
    if (!isDeepStrictEqual(tools, native[i].tools)) different.push(`${name}: tools`);
    for (const [call, answer] of Object.entries(native[i].answers)) {
      const [tool] = call.split(' ');
      const { content, structuredContent } = await result(handler, 'tools/call', { name: tool, arguments: JSON.parse(call.slice(tool.length)) });
      calls++;
      if (JSON.stringify(JSON.parse(content[0].text)) !== JSON.stringify(answer) || JSON.stringify(structuredContent) !== JSON.stringify(answer)) different.push(`${name}: ${call}`);
    }
  }
  pages.close();
  console.log(`worker: ${placed.length} pages, ${calls} answers as natively`);
  assert.deepEqual(different, []);
});
