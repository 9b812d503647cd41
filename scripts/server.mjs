// npm run server [-- --rival 'node ../other/cli.js']: how fast the MCP server starts, what memory it holds and how many
// requests it answers, on pages of several sizes; another server's command in the same run.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs, promisify } from 'node:util';
import { pages } from './measure/pages.mjs';
import { asMarkdown, asText, median } from './measure/table.mjs';
import { main, root, say, Stop, which } from './setup/command.mjs';

/** Pages that are measured, and starts of each. */
const PAGES = 10, STARTS = 3;
/** Connections, seconds and rounds of requests. */
const CONNECTIONS = 8, SECONDS = 4, ROUNDS = 3;
const OURS = join(root, 'target/release/agenticschema');
const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'measure', version: '0' } };
const resident = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

await main(async () => {
  const { values: { rival } } = parseArgs({ options: { rival: { type: 'string' } } });
  if (!existsSync(OURS)) throw new Stop('There is no server yet. Run: cargo build --release --features server');
  if (!which('wrk')) throw new Stop('wrk sends the requests. Install it: apt-get install wrk');
  const commands = { ours: [OURS], ...(rival && { rival: rival.split(' ') }) };
  const chosen = bySize(pages().filter(({ body }) => /ld\+json|itemscope|typeof=/.test(body.toString('latin1'))));
  const web = createServer((request, response) => {
    const page = chosen[Number(request.url.slice(1))];
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html' }).end(page?.body);
  });
  await once(web.listen(0, '127.0.0.1'), 'listening');
  web.unref();
  const address = (i) => `http://127.0.0.1:${web.address().port}/${i}`;

  const starts = [['page', 'bytes', ...Object.keys(commands).flatMap((who) => [`${who}: ms to tools/list`, 'MiB'])]];
  const all = Object.fromEntries(Object.keys(commands).map((who) => [who, []]));
  for (const [i, page] of chosen.entries()) {
    const runs = Object.fromEntries(Object.keys(commands).map((who) => [who, []]));
    for (let n = 0; n < STARTS; n++) for (const [who, command] of Object.entries(commands)) runs[who].push(await start(command, address(i)));
    const middle = Object.entries(runs).map(([who, list]) => {
      const both = { ms: median(list.map(({ ms }) => ms)), mib: median(list.map(({ mib }) => mib)) };
      all[who].push(both);
      return [Number(both.ms.toFixed(1)), Number(both.mib.toFixed(1))];
    });
    starts.push([page.name, page.body.length, ...middle.flat()]);
  }
  starts.push(['median', median(chosen.map(({ body }) => body.length)), ...Object.values(all).flatMap((list) => [Number(median(list.map(({ ms }) => ms)).toFixed(1)), Number(median(list.map(({ mib }) => mib)).toFixed(1))])]);
  say(`\n${asText(starts)}\n\n${asMarkdown(starts)}`);

  const nearest = chosen.reduce((a, b) => (Math.abs(b.body.length - 60_000) < Math.abs(a.body.length - 60_000) ? b : a));
  const rates = [['requests a second', ...Object.keys(commands), 'MiB after']];
  for (const method of ['tools/list', 'tools/call']) {
    const found = {}, held = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const [who, command] of Object.entries(commands)) {
        const { rate, mib } = await load(command, address(chosen.indexOf(nearest)), method);
        (found[who] ??= []).push(rate);
        held.push(`${who} ${mib.toFixed(1)}`);
      }
    }
    rates.push([`${method}, ${nearest.name}`, ...Object.values(found).map((list) => Math.round(median(list))), held.slice(-Object.keys(commands).length).join(', ')]);
  }
  say(`\n${asText(rates)}\n\n${asMarkdown(rates)}`);
  web.close();
});

/** Pages of sizes evenly spread on a logarithmic scale. */
function bySize(list) {
  const left = [...list].sort((a, b) => a.body.length - b.body.length);
  const small = left[0].body.length, large = left.at(-1).body.length, count = Math.min(PAGES, left.length);
  return Array.from({ length: count }, (_, i) => {
    const wanted = Math.log(small) + (i / Math.max(1, count - 1)) * Math.log(large / small);
    const off = ({ body }) => Math.abs(Math.log(body.length) - wanted);
    const at = left.indexOf(left.reduce((a, b) => (off(b) < off(a) ? b : a)));
    return left.splice(at, 1)[0];
  });
}

/** One start over stdio: milliseconds from the start of the process to its tools, and what is resident then. */
async function start([program, ...args], url) {
  const from = performance.now();
  const child = spawn(program, [...args, url, '--quiet'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  const send = (id, method, params) => {
    const answer = new Promise((done) => waiting.set(id, done));
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  };
  await send(1, 'initialize', hello);
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  const { result } = await send(2, 'tools/list', {});
  const ms = performance.now() - from, mib = resident(child.pid);
  if (!result) throw new Stop(`${program} lists no tools of ${url}`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return { ms, mib };
}

/** Requests a second over HTTP, and what is resident after them. */
async function load([program, ...args], url, method) {
  const port = await free(), folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  const child = spawn(program, [...args, url, '--quiet', '--http', '--port', String(port)], { stdio: 'ignore' });
  try {
    const at = `http://127.0.0.1:${port}/`, headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
    const post = async (body) => (await fetch(at, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) })).text();
    let listed;
    for (let n = 0; n < 300 && !listed; n++) listed = await post({ method: 'tools/list', params: {} }).catch(() => sleep(50));
    const reader = /"name":"(get_\w+|list_\w+)"/.exec(listed)?.[1];
    if (!reader) throw new Stop(`${program} lists no reader: ${listed}`);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: method === 'tools/list' ? {} : { name: reader, arguments: {} } });
    const script = join(folder, 'post.lua');
    writeFileSync(script, `wrk.method = "POST"\nwrk.body = [==[${body}]==]\n${Object.entries(headers).map(([name, value]) => `wrk.headers["${name}"] = "${value}"\n`).join('')}`);
    const wrk = async (seconds) => (await promisify(execFile)('wrk', ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '-s', script, at])).stdout;
    await wrk(1);
    const said = await wrk(SECONDS);
    if (/Non-2xx/.test(said)) throw new Stop(`${program} refuses ${method}: ${said}`);
    return { rate: Number(/Requests\/sec:\s+([\d.]+)/.exec(said)[1]), mib: resident(child.pid) };
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

async function free() {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  await new Promise((done) => probe.close(done));
  return port;
}
