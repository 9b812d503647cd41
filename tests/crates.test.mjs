// What Cargo.toml says of the crate holds for what it is built of.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { root } from '../scripts/setup/command.mjs';
import { nativeCargo } from '../scripts/setup/toolchain.mjs';

const cargo = (...args) => execFileSync(nativeCargo(), [...args, '--locked'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
const host = /host: (\S+)/.exec(execFileSync('rustc', ['-vV'], { encoding: 'utf8' }))[1];

test('the oldest Rust that is named compiles every crate', () => {
  const { packages, resolve, workspace_members: own } = JSON.parse(cargo('metadata', '--format-version', '1', '--all-features', '--filter-platform', host));
  const used = new Set(resolve.nodes.map(({ id }) => id));
  const number = (version) => version.split('.').reduce((sum, part) => 1000 * sum + Number(part), 0);
  const said = packages.find(({ id }) => own.includes(id)).rust_version;
  const short = packages.filter(({ id, rust_version: wanted }) => used.has(id) && wanted && number(wanted.split('.').slice(0, 2).join('.')) > number(said));
  assert.deepEqual(short.map(({ name, rust_version: wanted }) => `${name} wants ${wanted}`), []);
  // No newer one than needed.
  assert.ok(packages.some(({ id, rust_version: wanted }) => used.has(id) && !own.includes(id) && wanted?.startsWith(said)), `nothing wants ${said}`);
});

test('without features there is no server in it, and in the module no more than its glue', () => {
  const tree = (...args) => new Set(cargo('tree', '-e', 'normal', '--prefix', 'none', '-f', '{lib}', ...args).split('\n').filter(Boolean));
  const native = tree();
  for (const crate of ['tokio', 'reqwest', 'rmcp', 'axum', 'serde_json', 'encoding_rs']) assert.ok(!native.has(crate), crate);
  const module = tree('-p', 'agenticschema-wasm', '--target', 'wasm32-unknown-unknown');
  for (const crate of ['html5ever', 'url', 'encoding_rs']) assert.ok(!module.has(crate), crate);
  assert.ok(tree('--features', 'server').has('tokio'));
  const worker = tree('-p', 'agenticschema-wasm', '--features', 'html', '--target', 'wasm32-unknown-unknown');
  assert.ok(worker.has('html5ever') && !worker.has('tokio'));
});
