// npm run docs: writes the parts of README.md that are made from the sources and from the bundle. A test compares them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stage } from '../tests/browser/lib.mjs';
import { blocks } from '../tests/docs/markdown.mjs';
import { main, root, say } from './setup/command.mjs';

/** The limits that a site owner can meet, by their names in src/limits.rs, in this order. */
const LIMITS = 'SNAPSHOT_NODES BLOCK DEPTH NODES VALUES STRING ACTIONS ARGUMENT RESPONSE DIGEST DIAGNOSTICS'.split(' ');

const source = (file) => readFileSync(join(root, file), 'utf8');

/** README.md as it should be. */
export async function readme() {
  let text = source('README.md');
  const parts = { options: options(), limits: limits(), ...(await example()) };
  for (const [name, made] of Object.entries(parts)) {
    const place = new RegExp(`(<!-- ${name}: npm run docs -->\n)[^]*?(<!-- end -->)`);
    if (!place.test(text)) throw new Error(`README.md has no place for ${name}`);
    text = text.replace(place, (_, before, after) => `${before}${made}\n${after}`);
  }
  return text;
}

/** The rows of src/options.rs. */
export function rows() {
  const field = (row, name) => new RegExp(`${name}: "((?:[^"\\\\]|\\\\.)*)"`).exec(row)[1];
  return source('src/options.rs').split('pub const ROWS')[1].split('];')[0].split('Row {').slice(1).map((row) => Object.fromEntries(['name', 'attribute', 'default', 'doc'].map((name) => [name, field(row, name)])));
}

function options() {
  const code = (text) => (text ? `\`${text}\`` : '');
  return table([['attribute of the tag', 'in JavaScript', 'default', ''], ...rows().map((row) => [code(row.attribute), code(row.name), code(row.default), row.doc])]);
}

function limits() {
  const found = [...source('src/limits.rs').matchAll(/((?:^\/\/\/.*\n)+)pub const (\w+): \w+ = ([\d_ <]+);/gm)];
  return table([['limit', ''], ...LIMITS.map((wanted) => {
    const [, doc, , value] = found.find(([, , name]) => name === wanted);
    const words = doc.replace(/^\/\/\/ ?/gm, '').replace(/\s+/g, ' ').replace(/\[(?:`?crate::)?[\w:]*?(\w+)`?\]/g, '$1').trim();
    return [/^[^.:;]*/.exec(words)[0], number(value, words)];
  })]);
}

function number(text, words) {
  const [base, shift = 0] = text.replaceAll('_', '').split('<<').map(Number);
  const value = base * 2 ** shift;
  return words.startsWith('Bytes') && value % 1024 === 0 ? (value % (1 << 20) ? `${value / 1024} KiB` : `${value >> 20} MiB`) : value.toLocaleString('en');
}

/** What an agent sees of the page that README.md shows, and one answer. */
async function example() {
  const { text: html } = blocks('README.md').find(({ marks }) => marks.example);
  const s = await stage('native');
  try {
    const page = await s.show(html, { tag: '<html' });
    const { tools, answer } = await page.evaluate(async () => {
      const tools = (await agenticschema.ready).tools();
      return { tools, answer: await T.call(tools[0].name) };
    });
    return {
      tools: table([['tool', 'what it tells agents of itself'], ...tools.map(({ name, description }) => [`\`${name}\``, description])]),
      answer: `\`\`\`json call=get_product{}\n${pretty(answer)}\n\`\`\``,
    };
  } finally {
    await s.close();
  }
}

/** JSON with a line for each member of the top. */
const pretty = (object) => `{\n${Object.entries(object).map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n')}\n}`;

const table = ([head, ...rows]) => [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

if (process.argv[1] === join(root, 'scripts/docs.mjs')) {
  await main(async () => {
    const text = await readme();
    const same = text === source('README.md');
    if (!same) writeFileSync(join(root, 'README.md'), text);
    say(same ? 'README.md is up to date.' : 'README.md was written.');
  });
}
