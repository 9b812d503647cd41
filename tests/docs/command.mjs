// Command lines in the documentation: that the scripts, files, features and flags exist which they name.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';
import { read } from './markdown.mjs';
import { refused } from './server.mjs';

/** Programs of others, whose arguments are not looked at. */
const OTHERS = new Set(['git', 'cp', 'cd', 'curl', 'chmod']);
/** Packages that documentation may tell to run with npx. */
const RUN = new Set(['@mcp-b/webmcp-local-relay', '@modelcontextprotocol/inspector']);

/** What is wrong with a shell block; nothing where all of it can be run. */
export function wrong(text) {
  return commands(text).flatMap(({ variables, words }) => [
    ...variables.filter((name) => !sources().includes(name)).map((name) => `nothing reads the variable ${name}`),
    ...(words.length ? command(words) : []),
  ]);
}

/** The commands of a shell block: `{ variables, words }`. */
export function commands(text) {
  const found = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    for (const part of line.replace(/(^|\s)#.*$/, '').split(/&&|\|/)) {
      const words = part.trim().replace(/^\$ /, '').split(/\s+/).filter(Boolean);
      const variables = [];
      for (; /^[A-Z][A-Z_]*=/.test(words[0]); words.shift()) variables.push(words[0].split('=')[0]);
      found.push({ variables, words });
    }
  }
  return found;
}

/** What is wrong with one command, as words; nothing where it can be run. */
export function command([program, ...words]) {
  if (OTHERS.has(program)) return [];
  if (program === 'npm') return npm(words);
  if (program === 'npx') return words.some((word) => RUN.has(word.replace(/(?<=.)@[\w.^~-]+$/, ''))) ? [] : [`npx runs what is not known: ${words.join(' ')}`];
  if (program === 'node') return existsSync(join(root, words[0])) ? [] : [`there is no ${words[0]}`];
  if (program === 'cargo') return cargo(words);
  if (isServer(program)) return refused(words);
  return [`the command ${program} is not known to tests/docs/command.mjs`];
}

function npm([verb, script]) {
  if (['ci', 'install', 'pack'].includes(verb)) return [];
  const { scripts } = JSON.parse(read('package.json'));
  const name = verb === 'run' ? script : verb;
  return scripts[name] && (verb === 'run' || ['start', 'test'].includes(verb)) ? [] : [`package.json has no script ${name}`];
}

function cargo(words) {
  const at = words.indexOf('--features');
  const said = ['build', 'test', 'run', 'fmt', 'clippy', 'bench', 'install', 'doc'].includes(words[0]) ? [] : [`cargo ${words[0]}`];
  if (at >= 0 && !new RegExp(`^${words[at + 1]} = \\[`, 'm').test(read('Cargo.toml'))) said.push(`Cargo.toml has no feature ${words[at + 1]}`);
  return said;
}

/** Whether a program is the server, by its name. */
export const isServer = (program) => /(^|\/)agenticschema$/.test(program);

/** Where variables of the environment are read. */
let all;
function sources() {
  const under = (folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile()).map((entry) => read(relative(root, join(entry.parentPath ?? entry.path, entry.name))));
  return (all ??= [...under('scripts'), ...under('js/build'), ...under('benches'), read('tests/corpus.mjs'), read('tests/browser/lib.mjs')].join('\n'));
}
