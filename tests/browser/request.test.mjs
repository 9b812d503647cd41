// The request of a search against a real server: where it goes, how it ends, and what comes of the response.
import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const SHOP = { '@type': 'WebSite', url: '/', potentialAction: { '@type': 'SearchAction', target: '/search?q={q}', 'query-input': 'required name=q' } };
const RESULT = '<!doctype html><title>Results</title><ul><li><a href="/p/1">Oak Lamp</a></li></ul>';

for (const mode of MODES) describe(mode, () => {
  let s, other, elsewhere, sockets = 0;
  before(async () => {
    s = await stage(mode);
    // Another origin: whoever connects is counted.
    other = createServer((socket) => {
      sockets++;
      socket.on('error', () => {}).once('data', (head) => other.answer?.(socket, String(head)) ?? socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-length: 4\r\n\r\nEVIL'));
    });
    await new Promise((done) => other.listen(0, '127.0.0.1', done));
    elsewhere = `127.0.0.1:${other.address().port}`;
  });
  after(async () => { other.close(); await s.close(); });

  /** The browser's own lines about failed requests are not ours. */
  const quiet = (page) => assert.deepEqual(page.errors.filter((e) => !/Failed to load resource|Fetch API cannot load|URL scheme|blocked by CORS|Unsafe attempt to load URL/.test(e)), []);
  const shop = (pages, options = {}) => s.show(ld(SHOP), { pages, ...options });
  const search = (page, args = { q: 'x' }) => page.evaluate((args) => T.call('search_web_site', args), args);
  /** The same page with options of start(). */
  const restart = (page, options) => page.evaluate(async (options) => { globalThis.handle = await agenticschema.start(options); }, options);
  const redirect = (location, status = 302) => ({ status, headers: { location } });

  test('stays on its origin, whatever the redirects and the results lead to', async () => {
    const far = `http://${elsewhere}/`;
    const cases = {
      '302': redirect(far), '307': redirect(far, 307), 'relative to the scheme': redirect(`//${elsewhere}/`), 'with a user': redirect(`http://localhost@${elsewhere}/`),
      'in two steps': redirect('/hop'), 'https': redirect(`https://${elsewhere}/`),
    };
    for (const [what, file] of Object.entries(cases)) {
      const page = await shop({ '/search': file, '/hop': redirect(far) });
      const answer = await search(page);
      assert.ok(answer.error && !JSON.stringify(answer).includes('EVIL'), `${what}: ${JSON.stringify(answer)}`);
      quiet(page);
    }
    const loads = `<!doctype html><html><head><base href="${far}"><meta http-equiv="refresh" content="0;url=${far}"><link rel="stylesheet" href="${far}a.css"><link rel="preload" as="image" href="${far}p.png"><link rel="prefetch" href="${far}"><script src="${far}a.js"></script><title>R</title></head>
      <body background="${far}b.png" onload="fetch('${far}')"><img src="${far}i.png" onerror="fetch('${far}')"><iframe src="${far}"></iframe><video src="${far}v" poster="${far}v.png"></video><object data="${far}"></object><style>@import "${far}c.css";</style><svg><image href="${far}s.png"/></svg><input type="image" src="${far}t.png"><ul><li><a href="${far}">Oak Lamp</a></li></ul></body></html>`;
    const page = await shop({ '/search': { body: loads, headers: { refresh: `0;url=${far}`, link: `<${far}l.css>; rel=preload; as=style` } } });
    assert.match(JSON.stringify(await search(page)), /Oak Lamp/);
    await page.waitForTimeout(300);
    assert.equal(page.url(), `${s.origin}/`);
    assert.equal(sockets, 0, 'connections to another origin');
  });

  test('follows redirects inside the origin', async () => {
    const page = await shop({ '/search': redirect('/a'), '/a': redirect('./b?c', 303), '/b': redirect(`${s.origin}/final`, 308), '/final': RESULT });
    const answer = await search(page);
    assert.equal(answer.url, `${s.origin}/final`);
    assert.match(JSON.stringify(answer), /Oak Lamp/);
    quiet(page);
  });

  test('is a GET with the cookies of the page and without a body', async () => {
    let seen;
    const page = await shop({ '/search': (request) => { seen = request; return RESULT; } }, { headers: { 'set-cookie': 'session=1' } });
    await search(page, { q: 'a&b=c/../d#e' });
    assert.deepEqual([seen.method, seen.url, seen.headers.cookie, seen.headers['content-length']], ['GET', '/search?q=a%26b%3Dc%2F..%2Fd%23e', 'session=1', undefined]);
    quiet(page);
  });

  test('asks an allowed host without cookies, and follows no redirect of it', async () => {
    const page = await s.show(ld({ ...SHOP, potentialAction: { ...SHOP.potentialAction, target: `http://${elsewhere}/search?q={q}` } }), { headers: { 'set-cookie': 'session=1' } });
    assert.deepEqual((await page.evaluate(() => T.names())).filter((name) => name.startsWith('search')), []);
    await restart(page, { allowHosts: ['127.0.0.1'] });
    assert.deepEqual((await page.evaluate(() => T.names())).filter((name) => name.startsWith('search')), [], 'the port counts');
    await restart(page, { allowHosts: [elsewhere] });
    let head;
    other.answer = (socket, text) => { head = text; return socket.end('HTTP/1.1 200 OK\r\naccess-control-allow-origin: *\r\ncontent-type: text/plain\r\ncontent-length: 8\r\n\r\nOak Lamp'); };
    assert.equal((await search(page)).text, 'Oak Lamp');
    assert.match(head, /^GET \/search\?q=x /);
    assert.doesNotMatch(head, /cookie/i);
    const before = sockets;
    other.answer = (socket) => socket.end(`HTTP/1.1 302 Found\r\naccess-control-allow-origin: *\r\nlocation: ${s.origin}/stolen\r\ncontent-length: 0\r\n\r\n`);
    assert.equal((await search(page)).code, 'network');
    assert.equal(sockets - before, 1);
    other.answer = undefined;
    sockets = 0;
    quiet(page);
  });

  for (const [what, serve, code] of [
    ['no answer', () => null, 'timeout'],
    ['a head without a body', (request, response) => (response.writeHead(200, { 'content-type': 'text/html' }), response.flushHeaders(), null), 'timeout'],
    ['a body that drips', (request, response) => { response.writeHead(200, { 'content-type': 'text/html' }); const timer = setInterval(() => response.write('<p>drip'), 30); response.on('close', () => clearInterval(timer)); return null; }, 'timeout'],
    ['redirects without end', () => redirect('/search?q=x'), 'network|timeout'],
    ['a broken connection', (request, response) => { response.writeHead(200, { 'content-type': 'text/html', 'content-length': 999 }); response.write('<p>half'); setTimeout(() => request.socket.destroy(), 50); return null; }, 'network'],
    ['404', { status: 404, body: RESULT }, 'http-status'],
    ['500', { status: 500, body: RESULT }, 'http-status'],
    ['an image', { body: 'GIF89a', headers: { 'content-type': 'image/gif' } }, 'wrong-type'],
    ['a download', { body: 'PK', headers: { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment' } }, 'wrong-type'],
  ]) test(`ends with a clear error: ${what}`, async () => {
    const page = await shop({ '/search': serve });
    // What does not wait for the limit must not meet it on a busy machine either.
    await restart(page, { timeoutMs: /timeout/.test(code) ? 400 : 10_000 });
    const from = Date.now();
    const answer = await search(page);
    assert.match(answer.code, new RegExp(`^(${code})$`), JSON.stringify(answer));
    assert.ok(Date.now() - from < 3000, `${Date.now() - from} ms`);
    assert.deepEqual([typeof answer.error, typeof answer.suggestion, answer.retryable], ['string', 'string', /timeout|network/.test(code) || what === '500']);
    quiet(page);
  });

  test('reads two megabytes of an endless body and no more', async () => {
    let sent = 0, closed;
    const page = await shop({
      '/search': (request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.on('close', () => { closed = true; });
        const more = () => { while (!closed && (sent += 65536) && response.write('<p>word '.repeat(8192))); if (!closed) response.once('drain', more); };
        more();
        return null;
      },
    });
    const answer = await search(page);
    assert.match(answer.text, /^word/);
    assert.ok(JSON.stringify(answer).length < 2000);
    for (let i = 0; i < 50 && !closed; i++) await page.waitForTimeout(20);
    assert.ok(closed, 'the connection was given up');
    assert.ok(sent < 40 << 20, `${sent} bytes`);
    quiet(page);
  });

  for (const [what, headers, body, want] of [
    ['windows-1252 of the header', { 'content-type': 'text/html; charset="windows-1252"' }, Buffer.from('<title>R</title><p>Caf\xe9 au lait', 'latin1'), 'Caf\u00e9 au lait'],
    ['windows-1251 of a meta element', { 'content-type': 'text/html' }, Buffer.concat([Buffer.from('<meta charset=windows-1251><title>R</title><p>'), Buffer.from([0xcb, 0xe0, 0xec, 0xef, 0xe0])]), '\u041b\u0430\u043c\u043f\u0430'],
    ['Shift_JIS', { 'content-type': 'text/html; charset=Shift_JIS' }, Buffer.concat([Buffer.from('<title>R</title><p>'), Buffer.from([0x83, 0x89, 0x83, 0x93, 0x83, 0x76])]), '\u30e9\u30f3\u30d7'],
    ['UTF-16 by its mark', { 'content-type': 'text/html' }, Buffer.from('\ufeff<title>R</title><p>Lampe \u00e9t\u00e9', 'utf16le'), 'Lampe \u00e9t\u00e9'],
    ['UTF-8 mark before another header', { 'content-type': 'text/html; charset=latin1' }, Buffer.from('\ufeff<title>R</title><p>\u00e9t\u00e9 lamp'), '\u00e9t\u00e9 lamp'],
    ['an unknown charset', { 'content-type': 'text/html; charset=x-none' }, Buffer.from('<title>R</title><p>\u00e9t\u00e9 lamp'), '\u00e9t\u00e9 lamp'],
    ['bytes that are no text', { 'content-type': 'text/plain' }, Buffer.from([0x6f, 0x61, 0x6b, 0xff, 0xfe, 0x00, 0x21]), 'oak\ufffd\ufffd !'],
    ['plain text', { 'content-type': 'text/plain' }, Buffer.from('Oak <b>Lamp</b>'), 'Oak Lamp'],
  ]) test(`decodes ${what}`, async () => {
    const page = await shop({ '/search': { body, headers } });
    assert.equal((await search(page)).text, want);
    quiet(page);
  });

  test('passes JSON on in pages', async () => {
    const items = Array.from({ length: 60 }, (_, i) => ({ name: `Oak Lamp ${i}`, url: `${s.origin}/p/${i}`, html: '<b>x</b>\u202e' }));
    const page = await shop({ '/search': { body: JSON.stringify({ items }), headers: { 'content-type': 'application/json' } } });
    const first = await search(page);
    assert.ok(JSON.stringify(first).length <= 1500 && first.next === 2, JSON.stringify(first).length);
    assert.deepEqual(first.data[0].items[0], { name: 'Oak Lamp 0', url: `${s.origin}/p/0`, html: 'x' });
    const second = await search(page, { q: 'x', page: 2 });
    assert.notDeepEqual(second.data, first.data);
    quiet(page);
  });

  test("ends with the caller's signal, with stop() and with the route, not with an edit", async () => {
    let closed = 0;
    const page = await shop({ '/search': (request, response) => { response.on('close', () => response.writableEnded || closed++); setTimeout(() => response.end(RESULT), 1500); return null; } });
    const ends = async (act) => {
      const was = closed;
      const answer = await page.evaluate(act);
      for (let i = 0; i < 40 && closed === was; i++) await page.waitForTimeout(20);
      return [answer, closed - was];
    };
    if (mode === 'native') { // the polyfill passes no signal on
      const [answer, connections] = await ends(async () => {
        const controller = new AbortController();
        const pending = T.call('search_web_site', { q: 'a' }, { signal: controller.signal }).catch((e) => e.name);
        await T.sleep(200);
        controller.abort();
        return pending;
      });
      assert.deepEqual([answer, connections], ['AbortError', 1]);
    }
    const [edited, connections] = await ends(async () => {
      const pending = T.call('search_web_site', { q: 'b' });
      await T.sleep(100);
      document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair' }, 'e'));
      document.querySelector('#ld').text = document.querySelector('#ld').text.replace('WebSite', 'WebPage');
      return pending;
    });
    assert.match(JSON.stringify(edited), /Oak Lamp/);
    assert.equal(connections, 0);
    const [left, ofRoute] = await ends(async () => {
      const pending = T.call('search_web_page', { q: 'c' });
      await T.sleep(200);
      history.pushState({}, '', '/elsewhere');
      return pending;
    });
    assert.deepEqual([left.code, ofRoute], ['aborted', 1], JSON.stringify(left));
    const [stopped, ofStop] = await ends(async () => {
      const pending = T.call('search_web_page', { q: 'd' }).catch((e) => ({ code: e.name }));
      await T.sleep(200);
      (await agenticschema.ready).stop();
      return pending;
    });
    assert.ok(['aborted', 'UnknownError'].includes(stopped.code) && ofStop === 1, JSON.stringify(stopped)); // the polyfill ends calls of what is unregistered
    quiet(page);
  });

  for (const [what, patch, code] of [
    ['throws', () => { window.fetch = () => { throw new Error('no'); }; }, 'network'],
    ['never settles', () => { window.fetch = () => new Promise(() => {}); }, 'timeout'],
    ['gives no response', () => { window.fetch = async () => ({}); }, 'network'],
    ['gives a body without end and knows no signal', () => { window.fetch = async () => new Response(new ReadableStream({ pull: (c) => new Promise((done) => setTimeout(() => (c.enqueue(new Uint8Array(9)), done()), 20)) })); }, 'timeout'],
    ['gives a response without a stream', () => { window.fetch = async () => ({ url: '', status: 200, headers: new Headers({ 'content-type': 'text/plain' }), arrayBuffer: async () => new TextEncoder().encode('Oak Lamp').buffer }); }, undefined],
    ['leads elsewhere', () => { window.fetch = async () => Object.defineProperty(new Response('EVIL'), 'url', { value: 'https://evil.test/' }); }, 'redirect'],
  ]) test(`a fetch of the page's own that ${what}`, async () => {
    const page = await shop({});
    await restart(page, { timeoutMs: 300 });
    await page.evaluate(patch);
    const answer = await search(page);
    assert.equal(answer.code, code, JSON.stringify(answer));
    if (!code) assert.equal(answer.text, 'Oak Lamp');
    quiet(page);
  });

  describe('from a form and an OpenSearch description', () => {
    const link = '<link rel="search" type="application/opensearchdescription+xml" title="Shop" href="/os.xml">';
    const xml = (template) => ({ body: `<?xml version="1.0" encoding="UTF-8"?>\n<!-- x --><OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/"><ShortName>Shop</ShortName><Url type="application/json" template="/j?q={searchTerms}"/><Url type="text/html" method="get" template="${template}"/></OpenSearchDescription>`, headers: { 'content-type': 'application/opensearchdescription+xml' } });

    test('the form is sent as a browser would, without its secrets', async () => {
      let seen;
      const form = '<form role="search" action="/find#x" method="get"><input type="hidden" name="csrf_token" value="1"><input type="hidden" name="lang" value="en"><input type="search" name="text"><button>Go</button></form>';
      const page = await s.show(form + ld(lamp()), { pages: { '/find': (request) => { seen = request.url; return RESULT; } } });
      assert.match(JSON.stringify(await search(page, { text: 'oak lamp' })), /Oak Lamp/);
      assert.equal(seen, '/find?lang=en&text=oak%20lamp');
      quiet(page);
    });

    test('the description is asked for by a call only', async () => {
      const seen = [];
      const note = (file) => (request) => { seen.push(request.url); return file; };
      const page = await s.show(ld(lamp()) + link, { pages: { '/os.xml': note(xml('/find?a=1&amp;text={searchTerms}&amp;p={startPage?}')), '/find': note(RESULT) } });
      await page.waitForTimeout(200);
      assert.deepEqual(seen, []);
      assert.match(JSON.stringify(await search(page, { query: 'oak lamp' })), /Oak Lamp/);
      assert.deepEqual(seen, ['/os.xml', '/find?a=1&text=oak%20lamp&p=']);
      quiet(page);
    });

    test('a description cannot lead elsewhere', async () => {
      for (const file of [xml(`http://${elsewhere}/?q={searchTerms}`), redirect(`http://${elsewhere}/os.xml`), { status: 404, body: '' }, '<!doctype html><title>no</title>']) {
        const page = await s.show(ld(lamp()) + link, { pages: { '/os.xml': file } });
        assert.ok((await search(page, { query: 'x' })).error);
        quiet(page);
      }
      assert.equal(sockets, 0);
    });
  });
});
