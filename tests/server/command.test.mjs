// The command line: what it prints where, and how it ends.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { ld, lamp, piped, run, search, socket } from './lib.mjs';

const PAGE = `<title>T</title><link rel=stylesheet href=/x.css><img src=/x.png><script src=/x.js></script><iframe src=/x.html></iframe>${ld(lamp)}`;
const cafe = (charset) => `<title>é</title>${charset}${ld({ ...lamp, name: 'Café' })}`;
const latin = (text) => Buffer.from(text, 'latin1');
const html = (headers, body) => ({ headers: { 'content-type': 'text/html', ...headers }, body });

const to = (location) => ({ status: 302, headers: { location }, body: '' });

let folder, pages, elsewhere;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  writeFileSync(join(folder, 'lamp.html'), PAGE);
  elsewhere = await socket({ '/': PAGE, '/search': 'secret' });
  pages = await socket({
    '/lamp': PAGE,
    '/empty': '<p>nothing</p>',
    '/evil': ld({ ...lamp, name: 'a\u001b[2Jb\u009b2Jc\u202ed' }),
    '/picture': { headers: { 'content-type': 'image/png' }, body: PAGE },
    '/untyped': (_, response) => (response.writeHead(200).end(PAGE), null),
    '/header': html({ 'content-type': 'text/html; charset=ISO-8859-1' }, latin(cafe(''))),
    '/meta': html({}, latin(cafe('<meta charset=latin1>'))),
    '/http-equiv': html({}, latin(cafe('<meta http-equiv=content-type content="text/html;charset=windows-1252">'))),
    '/mark': html({ 'content-type': 'text/html; charset=ISO-8859-1' }, `\ufeff${cafe('')}`),
    '/wide': html({}, Buffer.from(`\ufeff${cafe('')}`, 'utf16le')),
    '/unsaid': html({}, cafe('')),
    '/gzip': html({ 'content-encoding': 'gzip' }, gzipSync(cafe(''))),
    '/br': html({ 'content-encoding': 'br' }, brotliCompressSync(cafe(''))),
    '/deflate': html({ 'content-encoding': 'deflate' }, deflateSync(cafe(''))),
    '/moved': to('/lamp'),
    '/loop': to('/loop'),
    '/away': to(`${elsewhere.origin}/`),
    '/metadata': to('http://169.254.169.254/latest/meta-data/'),
    '/named': to(`http://localhost:${new URL(elsewhere.origin).port}/`),
    '/file': to('file:///etc/passwd'),
    '/slow': (_, response) => (response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'), null),
    '/silent': () => null,
    '/mailbox': { status: 503, body: '' },
    '/actions': ld(search('/search?q={q}')),
    '/search': to(`${elsewhere.origin}/search`),
    '/api': ld(search(`${elsewhere.origin}/search?q={q}`)),
  });
});
after(() => {
  rmSync(folder, { recursive: true });
  pages.close();
  elsewhere.close();
});

const name = ({ stdout }) => JSON.parse(stdout).answers['get_product {}'].name;
const map = (path, ...flags) => run(['map', `${pages.origin}${path}`, '--json', ...flags]);

test('map prints for people', async () => {
  const { code, stdout, stderr } = await run(['map', `${pages.origin}/lamp`]);
  assert.equal(code, 0);
  assert.equal(stderr, '');
  assert.match(stdout, /get_product {2}Get the Product/);
  assert.match(stdout, /^ +name +Desk Lamp$/m);
  assert.ok(!stdout.includes('\x1b'));
  const { stdout: evil } = await run(['map', `${pages.origin}/evil`]);
  // eslint-disable-next-line no-control-regex
  assert.ok(!/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/.test(evil), JSON.stringify(evil));
});

test('map prints for programs', async () => {
  const { code, stdout } = await run(['map', `${pages.origin}/lamp`, join(folder, 'lamp.html'), '-', '--json', '--quiet'], { input: PAGE });
  assert.equal(code, 0);
  const lines = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(lines.length, 3);
  for (const { url, tools, answers, diagnostics } of lines) {
    assert.match(url, /^(http:\/\/127|file:\/\/\/|about:blank)/);
    assert.equal(tools[0].name, 'get_product');
    assert.equal(answers['get_product {}'].name, 'Desk Lamp');
    assert.deepEqual(diagnostics, []);
  }
});

test('only the page is asked for', async () => {
  pages.asked.length = 0;
  await map('/lamp');
  assert.deepEqual(pages.asked, ['/lamp']);
});

test('exit codes', async () => {
  const expect = async (code, args, words) => {
    const result = await run(args);
    assert.equal(result.code, code, `${args}: ${result.stderr}`);
    if (code) assert.match(result.stderr, words);
    if (code) assert.equal(result.stdout, '');
  };
  await expect(0, ['--help']);
  await expect(0, ['-V']);
  await expect(0, [`${pages.origin}/lamp`]);
  await expect(0, ['map', `${pages.origin}/empty`]);
  await expect(0, [`${pages.origin}/lamp`, `${pages.origin}/gone`]);
  await expect(1, [`${pages.origin}/gone`], /status 404/);
  await expect(1, [`${pages.origin}/gone`, '--quiet'], /status 404/);
  await expect(1, ['map', `${pages.origin}/gone`], /status 404/);
  await expect(1, ['map', 'shop.example'], /https:\/\//);
  await expect(1, ['map', `${pages.origin}/picture`], /image\/png/);
  await expect(1, ['map', 'http://127.0.0.1:1/'], /no answer/);
  await expect(2, [], /Usage/);
  await expect(2, ['--nope'], /--nope/);
  await expect(2, ['-'], /standard input/);
  await expect(2, ['ftp://a.example/'], /ftp/);
  await expect(2, [`${pages.origin}/lamp`, '--port', 'x', '--http'], /port/);
});

test('words go to standard error, and not with --quiet', async () => {
  const loud = await run([`${pages.origin}/lamp`]);
  assert.equal(loud.stdout, '');
  assert.match(loud.stderr, /2 tools\n {2}get_product +Product\n/);
  const quiet = await run([`${pages.origin}/lamp`, `${pages.origin}/gone`, '--quiet']);
  assert.deepEqual(quiet, { code: 0, stdout: '', stderr: '' });
});

test('charsets and compressed bodies', async () => {
  for (const path of ['/header', '/meta', '/http-equiv', '/mark', '/wide', '/unsaid', '/gzip', '/br', '/deflate']) assert.equal(name(await map(path)), 'Café', path);
  assert.equal(name(await map('/untyped')), 'Desk Lamp');
});

test('redirects', async () => {
  const moved = JSON.parse((await map('/moved')).stdout);
  assert.equal(moved.url, `${pages.origin}/lamp`);
  elsewhere.asked.length = 0;
  for (const [path, words] of [['/loop', /again and again/], ['/away', /private network/], ['/named', /private network/], ['/metadata', /private network/], ['/file', /no web address/]]) {
    const { code, stderr } = await map(path, '--timeout', '3000');
    assert.equal(code, 1, path);
    assert.match(stderr, words, path);
  }
  assert.deepEqual(elsewhere.asked, []);
  // The operator named that one too.
  const both = await run(['map', `${pages.origin}/away`, `${elsewhere.origin}/`, '--json']);
  assert.equal(both.code, 0, both.stderr);
});

test('https, with the certificates that the operator names', async () => {
  const file = (name) => join(folder, name);
  const openssl = (...args) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test root', '-days', '2');
  for (const [name, host] of [['good', 'IP:127.0.0.1'], ['other', 'DNS:other.example']]) {
    openssl('req', ...key, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', '/CN=Test');
    writeFileSync(file('names'), `subjectAltName=${host}`);
    openssl('x509', '-req', '-in', `${name}.csr`, '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-out', `${name}.pem`, '-extfile', 'names', '-days', '2');
  }
  const secure = (name) => ({ key: readFileSync(file(`${name}.key`)), cert: readFileSync(file(`${name}.pem`)) });
  const insecure = await socket({ '/lamp': PAGE });
  const good = await socket({ '/lamp': PAGE, '/moved': to('/lamp'), '/down': to(`${insecure.origin}/lamp`) }, secure('good'));
  const other = await socket({ '/lamp': PAGE }, secure('other'));
  try {
    const env = { SSL_CERT_FILE: file('ca.pem') };
    const map = (urls, env = {}) => run(['map', ...urls, '--json'], { env });
    assert.equal(name(await map([`${good.origin}/lamp`], env)), 'Desk Lamp');
    assert.equal(JSON.parse((await map([`${good.origin}/moved`], env)).stdout).url, `${good.origin}/lamp`);
    for (const [url, environment] of [[good.origin, {}], [other.origin, env]]) {
      const { code, stderr } = await map([`${url}/lamp`], environment);
      assert.equal(code, 1);
      assert.match(stderr, /certificate/);
    }
    assert.deepEqual(other.asked, []);
    // What was asked for by https is not taken from a place where it could be changed on its way, unless it is named.
    const down = await map([`${good.origin}/down`], env);
    assert.equal(down.code, 1);
    assert.match(down.stderr, /from https to http/);
    assert.deepEqual(insecure.asked, []);
    assert.equal((await map([`${good.origin}/down`, `${insecure.origin}/lamp`], env)).code, 0);
  } finally {
    for (const server of [insecure, good, other]) server.close();
  }
});

test('slow pages end in time', async () => {
  for (const path of ['/slow', '/silent']) {
    const from = performance.now();
    const { code, stderr } = await map(path, '--timeout', '300');
    assert.equal(code, 1);
    assert.match(stderr, /in time/);
    assert.ok(performance.now() - from < 5_000);
  }
});

test('actions stay where the plan says', async () => {
  const call = async (path, ...flags) => {
    const session = piped([`${pages.origin}${path}`, '--quiet', ...flags]);
    await session.hello();
    const { result } = await session.ask('tools/list', {});
    const tool = result.tools.find(({ name }) => name.startsWith('search_'));
    const answer = tool && (await session.ask('tools/call', { name: tool.name, arguments: { q: 'x' } })).result;
    session.child.stdin.end();
    await session.ended;
    return answer;
  };
  elsewhere.asked.length = 0;
  const redirected = await call('/actions');
  assert.equal(redirected.isError, true);
  assert.equal(redirected.structuredContent.code, 'redirect');
  assert.equal(await call('/actions', '--no-actions'), undefined);
  assert.equal(await call('/api'), undefined);
  assert.deepEqual(elsewhere.asked, []);
  const allowed = await call('/api', '--allow-host', new URL(elsewhere.origin).host);
  assert.match(allowed.content[0].text, /secret/);
});

test('pages are read again when they are old', async () => {
  pages.asked.length = 0;
  for (const [ttl, times] of [['0', 3], ['60000', 1]]) {
    pages.asked.length = 0;
    const session = piped([`${pages.origin}/lamp`, '--quiet', '--cache-ttl', ttl]);
    await session.hello();
    for (let i = 0; i < 3; i++) await session.ask('tools/list', {});
    session.child.stdin.end();
    await session.ended;
    // The reading at the start may serve the first listing.
    assert.ok(pages.asked.length === times || pages.asked.length === times + Number(ttl === '0'), `${ttl}: ${pages.asked.length}`);
  }
});
