// Command lines in the documentation: that the scripts, files, features and flags exist which they name.
import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';
import { read } from './markdown.mjs';

/** Programs of others, whose arguments are not looked at. */
const OTHERS = new Set(['git', 'cp', 'cd', 'curl', 'chmod']);
/** Packages that documentation may tell to run with npx. */
const RUN = new Set(['@mcp-b/webmcp-local-relay']);

/** What is wrong with a shell block; nothing where all of it can be run. */
export function wrong(text) {
  const said = [];
  for (const line of text.replace(/\\\n/g, ' ').split('\n')) {
    for (const part of line.replace(/(^|\s)#.*$/, '').split(/&&|\|/)) {
      const words = part.trim().replace(/^\$ /, '').split(/\s+/).filter(Boolean);
      for (; /^[A-Z][A-Z_]*=/.test(words[0]); words.shift()) {
        const name = words[0].split('=')[0];
        if (!sources().includes(name)) said.push(`nothing reads the variable ${name}`);
      }
      if (words.length) said.push(...command(words));
    }
  }
  return said;
}

function command([program, ...words]) {
  if (OTHERS.has(program)) return [];
  if (program === 'npm') return npm(words);
  if (program === 'npx') return words.some((word) => RUN.has(word.replace(/(?<=.)@[\w.^~-]+$/, ''))) ? [] : [`npx runs what is not known: ${words.join(' ')}`];
  if (program === 'node') return existsSync(join(root, words[0])) ? [] : [`there is no ${words[0]}`];
  if (program === 'cargo') return cargo(words);
  if (/(^|\/)agenticschema$/.test(program)) return server(words);
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

/** The flags of the server are the fields of its arguments. */
function server(words) {
  const file = 'src/server/arguments.rs';
  if (!existsSync(join(root, file))) return ['there is no server'];
  const flags = new Set(['help', 'version', ...[...read(file).matchAll(/#\[arg\([^\n]*long[^\n]*\)\]\s*(?:pub )?(\w+):/g)].map(([, name]) => name.replaceAll('_', '-'))]);
  return words.filter((word) => word.startsWith('--') && !flags.has(word.slice(2).split('=')[0])).map((word) => `the server has no flag ${word}`);
}

/** Where variables of the environment are read. */
let all;
function sources() {
  const under = (folder) => readdirSync(join(root, folder), { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile()).map((entry) => read(relative(root, join(entry.parentPath ?? entry.path, entry.name))));
  return (all ??= [...under('scripts'), ...under('js/build'), ...under('benches'), read('tests/corpus.mjs'), read('tests/browser/lib.mjs')].join('\n'));
}
