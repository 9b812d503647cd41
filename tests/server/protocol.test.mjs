// What is not how the protocol would have it: broken input, too much of it, slow and vanishing clients, signals.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { after, before, describe, test } from 'node:test';
import { ld, lamp, piped, post, search, served, socket } from './lib.mjs';

/** Requests of one client, and clients at a time. */
const MANY = 1_000;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
/** Resident memory in MiB; Linux only. */
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

let pages, held;
before(async () => {
  held = [];
  pages = await socket({
    '/lamp': ld({ '@graph': [lamp, search('/search?q={q}')] }),
    '/search': (request, response) => (/q=late/.test(request.url) ? (held.push(response), null) : '<p>found</p>'),
  });
});
after(() => pages.close());
const release = () => held.splice(0).forEach((response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>late</p>'));
const until = async (test, ms = 5_000) => {
  for (const end = performance.now() + ms; performance.now() < end; await sleep(10)) if (await test()) return;
  assert.fail(`not within ${ms} ms: ${test}`);
};

describe('stdio', () => {
  let session;
  before(async () => {
    session = piped([`${pages.origin}/lamp`, '--quiet']);
  });
  after(() => session.child.kill());

  test('greets before the page is read, lists after', async () => {
    const { result } = await session.hello();
    assert.equal(result.protocolVersion, '2025-06-18');
    assert.deepEqual(Object.keys(result.capabilities).sort(), ['resources', 'tools']);
    const [tool] = (await session.ask('tools/list', {})).result.tools;
    assert.deepEqual(tool.annotations, { readOnlyHint: true, untrustedContentHint: true });
  });

  test('broken lines are survived', async () => {
    for (const line of ['', '{', 'null', '[]', '42', '{"jsonrpc":"2.0"}', '{"jsonrpc":"1.0","id":9,"method":"tools/list"}', '{"jsonrpc":"2.0","id":{},"method":"tools/list"}', '\u0000\u0001', '['.repeat(100_000)]) session.write(`${line}\n`);
    session.write(Buffer.from([0xff, 0xfe, 0x0a]));
    assert.ok((await session.ask('tools/list', {})).result);
    assert.equal((await session.ask('no/such/method', {})).error.code, -32601);
    assert.ok((await session.ask('tools/call', { name: 7 })).error);
    assert.ok((await session.ask('tools/call', {})).error);
    assert.equal((await session.ask('tools/call', { name: 'search_web_site', arguments: { q: { a: 1 } } })).result.isError, true);
    assert.equal((await session.ask('tools/call', { name: 'search_web_site', arguments: { q: 'x'.repeat(5_000) } })).result.isError, true);
    assert.equal((await session.ask('tools/call', { name: 'get_product', arguments: { __proto__: null, page: -1, section: 9 } })).result.isError, true);
  });

  test('a message of 8 MiB is dropped, not held', async () => {
    const before = resident(session.child.pid);
    session.write(`{"jsonrpc":"2.0","id":77,"method":"tools/list","params":{"x":"${'y'.repeat(8 << 20)}"}}\n`);
    assert.ok((await session.ask('tools/list', {})).result);
    assert.ok(!session.lines.some((line) => line.includes('"id":77')));
    assert.ok(resident(session.child.pid) - before < 6, `${before} → ${resident(session.child.pid)} MiB`);
  });

  test('a client that does not read gets everything when it does', async () => {
    session.child.stdout.pause();
    const answers = Array.from({ length: MANY }, () => session.ask('tools/list', {}));
    await sleep(300);
    session.child.stdout.resume();
    assert.equal((await Promise.all(answers)).filter(({ result }) => result.tools.length).length, MANY);
  });

  test('a call that is cancelled gets no answer and ends its request', async () => {
    session.write('{"jsonrpc":"2.0","id":"late","method":"tools/call","params":{"name":"search_web_site","arguments":{"q":"late"}}}\n');
    await until(() => held.length);
    const gone = new Promise((done) => held[0].once('close', done));
    session.notify('notifications/cancelled', { requestId: 'late' });
    await gone;
    held.length = 0;
    assert.ok((await session.ask('tools/list', {})).result);
    assert.ok(!session.lines.some((line) => line.includes('"late"')));
  });

  test('SIGTERM lets a call under way finish, and ends', async () => {
    const answer = session.ask('tools/call', { name: 'search_web_site', arguments: { q: 'late' } });
    await until(() => held.length);
    session.child.kill('SIGTERM');
    await sleep(100);
    release();
    assert.match(JSON.stringify((await answer).result), /late/);
    assert.deepEqual(await session.ended, { code: 0, signal: null });
  });
});

test('stdio ends when its client does, whatever it was doing', async () => {
  for (const say of [() => {}, (s) => s.hello(), async (s) => (await s.hello(), s.ask('tools/call', { name: 'search_web_site', arguments: { q: 'late' } }), until(() => held.length))]) {
    const session = piped([`${pages.origin}/lamp`, '--quiet']);
    let timer;
    try {
      await say(session);
      session.child.stdin.end();
      timer = setTimeout(release, 100);
      assert.deepEqual(await session.ended, { code: 0, signal: null });
    } finally {
      clearTimeout(timer); // it would release what the next one holds
      session.child.kill();
    }
  }
});

describe('HTTP', () => {
  let server;
  const list = (headers) => post(server.url, { method: 'tools/list', params: {} }, headers);
  const call = (q, signal) => fetch(server.url, { signal, method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search_web_site', arguments: { q } } }) });
  // One heap, so that what is resident says what is held.
  before(async () => (server = await served([`${pages.origin}/lamp`], { MALLOC_ARENA_MAX: '1' })));
  after(() => server.child.kill('SIGKILL'));

  /** fetch sets Host itself. */
  const raw = (headers, path = '/mcp') =>
    new Promise((done, fail) => {
      const { port } = new URL(server.url);
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
      const request = http.request({ host: '127.0.0.1', port, path, method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers } }, (response) => {
        response.resume();
        done(response.statusCode);
      });
      request.on('error', fail);
      request.end(body);
    });

  test('only this machine is answered', async () => {
    const { port } = new URL(server.url);
    for (const host of ['localhost', `localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, 'LOCALHOST']) assert.equal(await raw({ host }), 200, host);
    for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example', '10.0.0.1', '127.0.0.2', 'localhost@evil.example']) assert.ok([400, 403].includes(await raw({ host })), host);
    for (const origin of ['http://localhost', `http://localhost:${port}`, 'http://127.0.0.1:8080', 'https://localhost', 'http://[::1]:3000']) assert.equal(await raw({ origin }), 200, origin);
    for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null', 'http://127.0.0.1.evil.example', 'file://', 'http://localhost@evil.example']) assert.equal(await raw({ origin }), 403, origin);
    assert.equal(await raw({}, '/'), 200);
    assert.equal(await raw({}, '/other'), 404);
    // It listens on no other address.
    await assert.rejects(new Promise((done, fail) => net.connect(port, '127.0.0.2', done).on('error', fail)));
  });

  test('what is no request', async () => {
    const status = async (body, headers) => (await post(server.url, body, headers)).status;
    for (const [body, code] of [['{', -32700], ['', -32700], ['[]', -32600], ['{"jsonrpc":"2.0"}', -32600]]) {
      const answer = await post(server.url, body);
      assert.deepEqual([answer.status, (await answer.json()).error.code], [400, code], body);
    }
    assert.equal(await status({ method: 'tools/list' }, { 'content-type': 'text/plain' }), 415);
    assert.equal(await status({ method: 'tools/list' }, { accept: 'text/html' }), 406);
    assert.equal(await status({ method: 'tools/list' }, { 'mcp-protocol-version': '1999-01-01' }), 400);
    assert.equal(await status(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"x":"${'y'.repeat(2 << 20)}"}}`), 413);
    assert.equal((await fetch(server.url)).status, 405);
    assert.equal((await fetch(server.url, { method: 'DELETE' })).status, 405);
    assert.equal((await list()).status, 200);
  });

  test('the form without sessions of 2026-07-28', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': { name: 'test', version: '0' }, 'io.modelcontextprotocol/clientCapabilities': {} };
    const ask = async (method, params = {}, more = {}) => (await post(server.url, { method, params: { ...params, _meta: meta } }, { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...more })).json();
    const { result } = await ask('server/discover');
    assert.ok(result.supportedVersions.includes('2026-07-28'), JSON.stringify(result));
    const listed = await ask('tools/list');
    assert.deepEqual(listed.result.tools[0].annotations, { readOnlyHint: true, untrustedContentHint: true });
    assert.deepEqual([listed.result.ttlMs, listed.result.cacheScope, listed.result.resultType], [300_000, 'public', 'complete']);
    const { resources } = (await ask('resources/list')).result;
    const read = await ask('resources/read', { uri: resources[0].uri }, { 'mcp-name': resources[0].uri });
    assert.equal(read.result.cacheScope, 'private');
    const called = await ask('tools/call', { name: 'get_product', arguments: {} }, { 'mcp-name': 'get_product' });
    assert.equal(called.result.structuredContent.name, 'Desk Lamp');
  });

  /** So many clients over at most `connections`; how many of them got all they asked for. */
  async function clients(count, connections) {
    const { port } = new URL(server.url);
    const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
    const ask = (body) =>
      new Promise((done, fail) => {
        const request = http.request({ agent, port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } }, (response) => {
          let text = '';
          response.setEncoding('utf8').on('data', (part) => (text += part)).on('end', () => done(text && JSON.parse(text).result));
        });
        request.on('error', fail).end(JSON.stringify({ jsonrpc: '2.0', ...body }));
      });
    const session = async () => {
      const { capabilities } = await ask({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } } });
      await ask({ method: 'notifications/initialized' });
      const { tools } = await ask({ id: 2, method: 'tools/list', params: {} });
      return Boolean(capabilities && tools.length);
    };
    let served = 0, left = count;
    await Promise.all(Array.from({ length: connections }, async () => {
      while (left-- > 0) if (await session()) served++;
    }));
    agent.destroy();
    return served;
  }

  test(`${MANY} clients leave nothing`, async () => {
    await clients(100, 4);
    const before = resident(server.child.pid);
    assert.equal(await clients(MANY, 4), MANY);
    const grown = resident(server.child.pid) - before;
    console.log(`server: ${before.toFixed(1)} MiB resident, ${grown.toFixed(1)} more after ${MANY} clients`);
    assert.ok(grown < 3);
  });

  test(`${MANY} clients at a time lose nothing`, async () => {
    assert.equal(await clients(MANY, MANY), MANY);
  });

  test('clients that vanish in a call leave nothing', async () => {
    for (let round = 0; round < 3; round++) {
      const controllers = Array.from({ length: 50 }, () => new AbortController());
      const calls = controllers.map(({ signal }) => call('late', signal).catch(() => {}));
      await until(() => held.length === 50);
      let closed = 0;
      held.forEach((response) => response.once('close', () => closed++));
      controllers.forEach((controller) => controller.abort());
      await Promise.all(calls);
      // Their searches are given up too.
      await until(() => closed === 50);
      held.length = 0;
    }
    assert.equal((await list()).status, 200);
  });

  test('a client that reads slowly holds up nobody', async () => {
    const { port } = new URL(server.url);
    const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}';
    const slow = net.connect(port, '127.0.0.1');
    const request = `POST /mcp HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\naccept: application/json, text/event-stream\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    slow.pause();
    slow.on('error', () => {});
    slow.write(request.repeat(2_000));
    const half = net.connect(port, '127.0.0.1', () => half.write(request.slice(0, 40)));
    half.on('error', () => {});
    const from = performance.now();
    for (let i = 0; i < 20; i++) assert.equal((await list()).status, 200);
    assert.ok(performance.now() - from < 5_000);
    slow.destroy();
    half.destroy();
  });

  test('SIGTERM lets a call under way finish, and ends', async () => {
    const answer = call('late');
    await until(() => held.length);
    const code = server.stop();
    await sleep(100);
    release();
    assert.match(await (await answer).text(), /late/);
    assert.equal(await code, 0);
  });
});

test('a taken port is said', async () => {
  const taken = net.createServer().listen(0, '127.0.0.1');
  await new Promise((done) => taken.once('listening', done));
  const session = piped([`${pages.origin}/lamp`, '--http', '--port', String(taken.address().port)]);
  const ended = await session.ended;
  taken.close();
  assert.deepEqual(ended, { code: 1, signal: null });
  assert.match(session.stderr(), /--port/);
});
