// README.md and the pages with tables say what the sources say.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readme, rows } from '../scripts/docs.mjs';
import { root } from '../scripts/setup/command.mjs';
import { read } from './docs/markdown.mjs';

const text = read('README.md');

test('has at most 250 lines', () => assert.ok(text.trimEnd().split('\n').length <= 250));

test('its options, limits, tools and answer are those of the sources and the bundle', async () => {
  assert.equal(text, await readme(), 'npm run docs writes them');
});

test('options: every attribute and name is in the types', () => {
  const types = read('js/index.d.ts');
  assert.ok(rows().length >= 10);
  for (const { name } of rows()) assert.match(types, new RegExp(`\\b${name}\\?:`));
});

test('the size it states is that of the file', () => {
  const stated = /\| size of the file, gzip \| \*?\*?([\d.]+) kB/.exec(text)?.[1];
  const { gzip } = JSON.parse(read('dist/sizes.json')).at(-1);
  assert.ok(Math.abs(stated * 1000 - gzip) <= 0.04 * gzip, `README.md states ${stated} kB, the file has ${gzip} bytes`);
});

test('docs/troubleshooting.md has every diagnostic, with its level', () => {
  const wanted = new Map();
  const codes = read('src/diagnostic.rs').split('\ncodes! {')[1].split('\n}')[0];
  for (const [, code, level] of codes.matchAll(/"([a-z-]+)" (Info|Warn|Error)/g)) wanted.set(code, new Set([level.toLowerCase()]));
  for (const [, level, code] of js().matchAll(/(?:add|COPY\])\('(info|warn|error)', '([a-z-]+)'/g)) wanted.set(code, (wanted.get(code) ?? new Set()).add(level));
  assert.ok(wanted.size >= 14);
  const said = new Map([...section('Diagnostics').matchAll(/^\| `([a-z-]+)` \| (\w+) \| (.*)$/gm)].map(([, code, level, rest]) => [code, new Set([level, ...[...rest.matchAll(/As `(\w+)`/g)].map(([, other]) => other)])]));
  assert.deepEqual([...said.keys()].sort(), [...wanted.keys()].sort());
  for (const [code, levels] of wanted) for (const level of levels) assert.ok(said.get(code).has(level), `${code} can be ${level}`);
});

test('docs/troubleshooting.md has every code of a failed call', () => {
  const rust = sources('src', '.rs'), wanted = new Set([...js().matchAll(/failure\('([a-z-]+)'/g)].map(([, code]) => code));
  for (const [, code] of rust.matchAll(/CallError::new\(\s*"([a-z-]+)"/g)) wanted.add(code);
  for (const [, code] of read('src/tools/digest.rs').matchAll(/^ +\("([a-z-]+)", (?:"The |Rule::)/gm)) wanted.add(code);
  const said = [...section('Errors of a call').matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
  assert.deepEqual(said.sort(), [...wanted].sort());
});

/** A section of docs/troubleshooting.md. */
const section = (title) => read('docs/troubleshooting.md').split(`\n## ${title}\n`)[1].split('\n## ')[0];
const js = () => sources('js', '.js');
/** All files with an ending, as one text. */
const sources = (folder, ending) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile() && entry.name.endsWith(ending)).map((entry) => read(join(entry.parentPath ?? entry.path, entry.name).slice(root.length))).join('\n');
