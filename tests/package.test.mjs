// The npm package: what is in it, that it says the truth about itself, and that it can be used where it is not run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { apart } from '../scripts/setup/apart.mjs';
import { root } from '../scripts/setup/command.mjs';

const run = (command, args, cwd = root) => execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

let folder, packed;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'agenticschema-package-'));
  [packed] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]));
  const modules = join(folder, 'node_modules/agenticschema');
  mkdirSync(modules, { recursive: true });
  run('tar', ['-xzf', join(folder, packed.filename), '-C', modules, '--strip-components=1']);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('has what it is for, and nothing else', () => {
  assert.deepEqual(packed.files.map(({ path }) => path).sort(), [
    'CHANGELOG.md', 'LICENSE', 'README.md', 'dist/agenticschema.js', 'dist/agenticschema.nowasm.js', 'dist/index.d.ts', 'dist/index.js',
    'dist/integrity.json', 'dist/nowasm.js', 'dist/tag.d.ts', 'dist/worker.d.ts', 'dist/worker.js', 'dist/worker.wasm', 'dist/worker.wasm.d.ts',
    'dist/worker.workerd.js', 'package.json',
  ]);
});

test('its hashes are those of its files', () => {
  const hashes = JSON.parse(readFileSync(join(folder, 'node_modules/agenticschema/dist/integrity.json'), 'utf8'));
  assert.deepEqual(Object.keys(hashes), ['agenticschema.js', 'agenticschema.nowasm.js']);
  for (const [name, hash] of Object.entries(hashes)) {
    const digest = run('openssl', ['dgst', '-sha384', join(folder, 'node_modules/agenticschema/dist', name)]).trim().split(/\s/).at(-1);
    assert.equal(hash, `sha384-${Buffer.from(digest, 'hex').toString('base64')}`);
  }
});

for (const name of ['agenticschema', 'agenticschema/nowasm']) test(`importing ${name} on a server does nothing`, () => {
  writeFileSync(join(folder, 'server.mjs'), `
    const before = Object.getOwnPropertyNames(globalThis).length;
    const { start, toTools, version } = await import('${name}');
    const handle = await start({ maxTools: 3 });
    console.log(JSON.stringify([version, handle.tools(), handle.diagnostics().map((d) => d.code), Object.getOwnPropertyNames(globalThis).length - before, typeof toTools]));
  `);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  assert.deepEqual(JSON.parse(run(process.execPath, ['server.mjs'], folder)), [version, [], ['no-webmcp-surface'], 0, 'function']);
});

test('the handler for workers finds its module', () => {
  writeFileSync(join(folder, 'worker.mjs'), `
    import { createHttpHandler } from 'agenticschema/worker';
    const page = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp"}</script>';
    const handler = createHttpHandler('https://shop.example/p/1', { fetch: async () => new Response(page, { headers: { 'content-type': 'text/html' } }) });
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_product', arguments: {} } };
    const response = await handler.fetch(new Request('https://mcp.example/', { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }, body: JSON.stringify(message) }));
    console.log((await response.json()).result.structuredContent.name);
  `);
  assert.equal(run(process.execPath, ['worker.mjs'], folder), 'Lamp\n');
});

test('its types fit their use', () => {
  try {
    run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tests/types']);
  } catch (error) {
    assert.fail(error.stdout);
  }
});

test('publint and arethetypeswrong find nothing', async (t) => {
  let tools;
  try {
    tools = await apart('package');
  } catch (error) {
    return t.skip(`their packages cannot be had: ${error.message}`);
  }
  const bin = (name, ...args) => {
    try {
      return run(process.execPath, [join(tools, 'node_modules', name), ...args], folder);
    } catch (error) {
      return assert.fail(`${error.stdout}\n${error.stderr}`);
    }
  };
  const tarball = join(folder, packed.filename);
  assert.match(bin('publint/src/cli.js', '--strict', tarball), /All good/);
  bin('@arethetypeswrong/cli/dist/index.js', '--profile', 'esm-only', '--no-color', tarball);
});
