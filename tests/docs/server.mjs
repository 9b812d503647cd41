// The server in the documentation: its flags are those that src/server/arguments.rs declares, and what a block starts runs.
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM, run } from '../server/lib.mjs';
import { read } from './markdown.mjs';

/** Which way of use a struct's flags belong to; the rest belongs to both. */
const WAYS = { Arguments: 'serve', Command: 'map' };

/** Every flag: `{ type, way, preset }` by its name. */
export function flags() {
  const found = new Map([['help', { type: 'bool' }], ['version', { type: 'bool' }]]);
  for (const part of read('src/server/arguments.rs').split(/^(?=(?:pub )?(?:struct|enum) )/m)) {
    const [, owner] = /^(?:pub )?(?:struct|enum) (\w+)/.exec(part) ?? [];
    for (const [, marks, name, type] of part.matchAll(/#\[arg\((.*)\)\]\s*(?:pub )?(\w+): ([\w<>]+)/g)) {
      if (/\blong\b/.test(marks)) found.set(name.replaceAll('_', '-'), { type, way: WAYS[owner], preset: /default_value(?:_t)? = ("[^"]*"|[\w:().]+)/.exec(marks)?.[1] });
    }
  }
  return found;
}

/** What is wrong with the arguments of a command line; nothing where the server takes them. */
export function refused(words) {
  const known = flags(), said = [], way = words[0] === 'map' ? 'map' : 'serve';
  const rest = words.slice(way === 'map' ? 1 : 0);
  let pages = 0;
  while (rest.length) {
    const word = rest.shift();
    if (!word.startsWith('-') || word === '-') {
      pages++;
      continue;
    }
    const [, name, given] = /^--([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const flag = known.get(name);
    if (!flag) said.push(`the server has no flag ${word}`);
    else if (flag.way && flag.way !== way) said.push(`${word} is for ${flag.way}`);
    else if (name === 'help' || name === 'version') return said;
    else if (flag.type === 'bool') given !== undefined && said.push(`${word} takes no value`);
    else if (!fits(flag.type, given ?? rest.shift())) said.push(`${word} wants another value`);
  }
  return pages ? said : [...said, 'no page is named'];
}

function fits(type, value) {
  if (value === undefined || value.startsWith('--')) return false;
  if (/^u\d+$/.test(type)) return /^\d+$/.test(value);
  return type !== 'Toolset' || ['compact', 'split'].includes(value);
}

/** What is wrong with the configuration of an MCP client, and its command lines: `{ said, lines }`. */
export function configuration(text) {
  const { mcpServers, ...others } = JSON.parse(text);
  const said = Object.keys(others).map((name) => `clients know no ${name}`), lines = [];
  for (const [name, { command, args, ...rest }] of Object.entries(mcpServers ?? {})) {
    said.push(...Object.keys(rest).map((key) => `${name}: clients know no ${key}`));
    if (typeof command !== 'string' || !Array.isArray(args) || args.some((word) => typeof word !== 'string')) said.push(`${name}: command is text, args a list of texts`);
    else lines.push([command, ...args]);
  }
  return { said: lines.length || said.length ? said : ['no server is named'], lines };
}

const MESSAGES = [
  { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'docs', version: '1' } } },
  { jsonrpc: '2.0', method: 'notifications/initialized' },
  { jsonrpc: '2.0', id: 2, method: 'tools/list' },
].map((message) => `${JSON.stringify(message)}\n`).join('');

/** Whether the program is built: cargo build --features server. */
export const built = () => existsSync(PROGRAM);

/** Starts the program as a block does, with a page of a file in the place of each address: it offers the page's tool. */
export async function starts(words) {
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-docs-'));
  try {
    const args = words.map((word, i) => {
      if (!/^https?:/.test(word)) return word;
      const file = join(folder, `page-${i}.html`);
      writeFileSync(file, '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Lamp"}</script>');
      return file;
    });
    const { code, stdout, stderr } = await run(args, { input: MESSAGES });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /get_product/);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
