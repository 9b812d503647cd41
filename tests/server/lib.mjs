// What the tests of the server share: the program, pages at a real socket that counts what is asked of it, and the
// TypeScript SDK's client over both transports.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The program: `cargo build --features server` makes it (scripts/test.mjs does). */
export const PROGRAM = process.env.AGENTICSCHEMA_SERVER ?? fileURLToPath(new URL('../../target/debug/agenticschema', import.meta.url));

/**
 * Pages at a socket: path → text, `{ status, headers, body }`, or a function of request and response. `asked` collects
 * what is requested. With `{ key, cert }` it speaks TLS.
 */
export async function socket(pages, secure) {
  const asked = [];
  const server = (secure ? createSecureServer.bind(null, secure) : createServer)((request, response) => {
    asked.push(request.url);
    let page = pages[request.url] ?? pages[request.url.split('?')[0]];
    if (typeof page === 'function') page = page(request, response);
    if (page === null) return;
    if (page === undefined) page = { status: 404, body: '' };
    if (typeof page === 'string' || Buffer.isBuffer(page)) page = { body: page };
    response.writeHead(page.status ?? 200, { 'content-type': 'text/html; charset=utf-8', ...page.headers }).end(page.body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    asked,
    origin: `${secure ? 'https' : 'http'}://127.0.0.1:${server.address().port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Runs the program to its end: `{ code, stdout, stderr }`. `input` is what it reads. */
export async function run(args, { input = '', env = {} } = {}) {
  const child = spawn(PROGRAM, args, { env: { ...process.env, ...env } });
  let stdout = '', stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

/** The program as a child with its lines of JSON: `send`, `next(id)`, `raw` lines. */
export function piped(args) {
  const child = spawn(PROGRAM, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines = [], waiting = new Map();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text) => (stderr += text));
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line);
    const message = JSON.parse(line); // anything else on standard output is a failure
    waiting.get(message.id)?.(message);
  });
  let id = 0;
  const session = {
    child,
    lines,
    stderr: () => stderr,
    ended: once(child, 'close').then(([code, signal]) => ({ code, signal })),
    write: (text) => child.stdin.write(text),
    notify: (method, params) => session.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`),
    ask(method, params) {
      const mine = ++id;
      const answer = new Promise((done) => waiting.set(mine, done));
      session.write(`${JSON.stringify({ jsonrpc: '2.0', id: mine, method, params })}\n`);
      return answer;
    },
    async hello() {
      const answer = await session.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '0' } });
      session.notify('notifications/initialized');
      return answer;
    },
  };
  return session;
}

/** The program serving HTTP on a free port: `{ url, child, stop }`. */
export async function served(args, env = {}) {
  const child = spawn(PROGRAM, [...args, '--http', '--port', '0'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  let stderr = '';
  const url = await new Promise((done, fail) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
      const at = /serving (http:\S+)/.exec(stderr);
      if (at) done(at[1]);
    });
    child.once('exit', (code) => fail(new Error(`ended with ${code}: ${stderr}`)));
  });
  return {
    url,
    child,
    async stop(signal = 'SIGTERM') {
      const ended = once(child, 'exit');
      child.kill(signal);
      const [code] = await ended;
      return code;
    },
  };
}

/** An SDK client over `stdio` or `http`, to a server of these pages: `{ client, close }`. */
export async function client(transport, args) {
  const client = new Client({ name: 'test', version: '0' });
  if (transport === 'stdio') {
    await client.connect(new StdioClientTransport({ command: PROGRAM, args: [...args, '--quiet'], stderr: 'inherit' }));
    return { client, close: () => client.close() };
  }
  const server = await served(args);
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
  return {
    client,
    async close() {
      await client.close();
      await server.stop();
    },
  };
}

/** A POST as MCP wants it. */
export const post = (url, body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
  });

/** A JSON-LD block. */
export const ld = (data) => `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...data })}</script>`;
export const lamp = { '@type': 'Product', name: 'Desk Lamp', sku: 'L-1', offers: { '@type': 'Offer', price: '10.00', priceCurrency: 'EUR' } };
/** A site with a search of this address. */
export const search = (target) => ({ '@type': 'WebSite', name: 'Shop', potentialAction: { '@type': 'SearchAction', target, 'query-input': 'required name=q' } });
