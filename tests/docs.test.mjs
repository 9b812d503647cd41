// Everything that the documentation tells someone to paste, run or follow works. After the language of a fenced block
// stand marks that say what is to be seen:
//
//   html    registers=a,b     shown in Chromium with the tag, it has these tools and is silent (none: no tools);
//                             what the block lacks, the tag or markup of a product, is put beside it
//           diagnostics=a,b   these are its diagnostics; without the mark it has none
//           bare              nothing is put beside it
//           in=polyfill       without the browser's own WebMCP, as well as with it
//   js      registers=a,b     run in a page with the tag and a product; `await` may stand anywhere
//           logs              it may write on the console
//   js, ts, jsx, tsx  module  compiles against js/index.d.ts
//   http    registers=a,b     header lines: a page served with them has the tools
//           with=nowasm       and this file in its tag; with=nonce: a tag with a nonce; from=https://…: the file of there
//   liquid, php registers=a,b rendered, then as html; `php` needs the program
//   json    registers=a,b     JSON-LD, shown in a page
//           call=tool{…}      the answer of this call, on the page of the block of HTML before it, else on a shop's
//           client            configuration of an MCP client: its programs exist and take these arguments; ours is started
//   sh                        its scripts, files, features, flags and variables are there; our server is started
//   toml    keys              keys that build.rs knows
//   text    synopsis          the server has these flags
//           picture           for people alone
//
// Outside of blocks: commands, names of tools, attributes of the tag and versions in code spans; `Type` gives `tool`;
// links and headings.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { rows } from '../scripts/docs.mjs';
import { root, which } from '../scripts/setup/command.mjs';
import { stage } from './browser/lib.mjs';
import { command, commands, isServer, wrong } from './docs/command.mjs';
import { anchors, blocks, files, links, prose, read, spans } from './docs/markdown.mjs';
import { around, hasTools, headers, SHOP } from './docs/page.mjs';
import { built, configuration, flags, refused, starts } from './docs/server.mjs';
import { complaints } from './docs/types.mjs';

const all = files();
/** Marks of blocks in templates for issues: who fills one in sees its source. */
const TEMPLATE = { registers: 'get_product', logs: true };
const every = all.flatMap(blocks).map((block) => (block.file.startsWith('.github/') ? { ...block, marks: TEMPLATE } : block));
const at = ({ file, line, language }) => `${file}:${line} ${language}`;
const TAGS = { nowasm: '<script src="/agenticschema.nowasm.js"></script>', nonce: '<script src="/agenticschema.js" nonce="r4nd0m"></script>' };
const MODULES = ['js', 'ts', 'jsx', 'tsx'];
const isModule = ({ language, marks }) => MODULES.includes(language) && marks.module;

describe('in Chromium', () => {
  const stages = {};
  before(async () => {
    for (const mode of ['native', 'polyfill']) stages[mode] = await stage(mode);
  });
  after(() => Promise.all(Object.values(stages).map((s) => s.close())));

  /** Shows a document in the modes that a block names, and looks for its tools. */
  async function show(html, { registers, ...marks }, { headers: sent, script, elsewhere, look } = {}) {
    assert.ok(registers, 'a mark registers=… is missing: the tools to be seen, or none');
    for (const mode of marks.in === 'polyfill' ? ['native', 'polyfill'] : ['native']) {
      const page = await stages[mode].show(html, { tag: '<html', headers: sent, elsewhere });
      if (script) await page.evaluate(`(async () => { ${script} })()`);
      await hasTools(page, registers);
      const said = await page.evaluate(async () => (await agenticschema.ready).diagnostics().map(({ code, message }) => [code, message]));
      assert.deepEqual(said.map(([code]) => code).sort(), (marks.diagnostics?.split(',') ?? []).sort(), JSON.stringify(said));
      await look?.(page);
      assert.deepEqual(marks.logs ? page.errors.filter((line) => !/^(log|table): /.test(line)) : page.errors, []);
      await page.context().close();
    }
  }

  const kinds = {
    html: ({ text, marks }) => show(around(text, marks), marks),
    http: ({ text, marks }) => show(around(marks.from ? `<script src="${marks.from}/agenticschema.js"></script>` : TAGS[marks.with] ?? ''), marks, { headers: headers(text), elsewhere: marks.from }),
    json: ({ file, line, text, marks }) => (marks.call ? called(JSON.parse(text), marks.call, pageOf(file, line)) : show(around(`<script type="application/ld+json">${text}</script>`), marks)),
    liquid: ({ text, marks }) => show(around(liquid(text), marks), marks),
    js: ({ text, marks }) => show(around('<p>A page</p>'), marks, { script: text }),
    php: ({ text, marks }, t) => {
      const head = php(text, t);
      return head === undefined ? undefined : show(around(head, marks), marks);
    },
  };
  for (const block of every) {
    if (kinds[block.language] && !isModule(block) && !block.marks.client) test(at(block), (t) => kinds[block.language](block, t));
  }

  /** The page that a block is about: that of the block of HTML before it. */
  function pageOf(file, line) {
    const { text, marks } = every.findLast((block) => block.file === file && block.line < line && block.language === 'html') ?? { text: SHOP, marks: { registers: 'get_product,search_web_site' } };
    return [around(text, marks), marks];
  }

  /** Fails unless a call `tool{…}` has this answer on a page. */
  const called = (answer, call, [html, marks]) => show(html, marks, {
    async look(page) {
      const [, name, input] = /^(\w+)(\{.*\})$/.exec(call) ?? assert.fail(`no call: ${call}`);
      assert.deepEqual(await page.evaluate(([name, input]) => T.call(name, input), [name, JSON.parse(input)]), answer);
    },
  });

  test('a type that is said to give a tool gives it', async () => {
    const said = all.flatMap((file) => prose(file).flatMap(([line, text]) => [...text.matchAll(/`(\w+)` gives `(\w+)`/g)].map(([, type, tool]) => ({ file, line, type, tool }))));
    assert.ok(said.length >= 3);
    for (const { type, tool } of said) await show(around(`<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","name":"A"}</script>`), { registers: tool });
  });

  test('blocks that are wrong are found', async () => {
    const html = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Recipe","name":"Soup"}</script>';
    for (const [wrong, marks] of [
      [html, { registers: 'get_product' }],
      [`${html}<form action="/find" role="search"><input name="q"></form>`, { registers: 'get_recipe' }],
      [html.replace('"}', '",}'), { registers: 'get_recipe' }],
      [html, { registers: 'get_recipe', diagnostics: 'tool-limit' }],
      [`<script src="/agenticschema.js" data-max-tools="many"></script>${html}`, { registers: 'get_recipe' }],
      [html, {}],
    ]) await assert.rejects(show(around(wrong), marks), `${wrong} ${JSON.stringify(marks)}`);
    await show(around(html), { registers: 'get_recipe' });
    await assert.rejects(called({ type: 'Recipe', name: 'Stew' }, 'get_recipe{}', [around(html), { registers: 'get_recipe' }]));
    await called({ type: 'Recipe', name: 'Soup' }, 'get_recipe{}', [around(html), { registers: 'get_recipe' }]);
  });

  test('docs/wordpress/agenticschema.php', (t) => {
    const head = php(read('docs/wordpress/agenticschema.php'), t);
    return head === undefined ? undefined : show(around(head), { registers: 'get_product' });
  });
});

test('modules compile against the types', async () => {
  const modules = every.filter(isModule);
  assert.ok(modules.length > 0);
  assert.deepEqual(await complaints(modules.map(({ file, line, language, text }) => ({ name: `${file.replace(/\W/g, '-')}-${line}.${language}`, text }))), []);
});

test('types refuse what is not there', async () => {
  const said = await complaints([{ name: 'wrong.js', text: "import { start } from 'agenticschema';\nawait start({ maxTool: 3 });" }]);
  assert.match(said.join(), /wrong\.js line 2.*maxTool/);
});

const checks = {
  async json({ text }, t) {
    const { said, lines } = configuration(text);
    assert.deepEqual([...said, ...lines.flatMap(command)], []);
    await start(lines, t);
  },
  async sh({ text }, t) {
    assert.deepEqual(wrong(text), []);
    await start(commands(text).map(({ words }) => words), t);
  },
  toml: ({ text, marks }) => {
    assert.ok(marks.keys, 'a mark is missing: keys');
    const known = read('build.rs');
    // The names of sections are the profile's own.
    for (const [, key] of text.replace(/^\[sections\][^[]*(?:\[(?!tools)[^[]*)*/m, '').matchAll(/^\s*(\w+)\s*=/gm)) assert.ok(known.includes(`${key}:`), `build.rs knows no ${key}`);
  },
  text({ text, marks }) {
    assert.ok(marks.picture || marks.synopsis, 'a mark is missing: synopsis, or picture for what is for people alone');
    if (marks.synopsis) for (const [, flag] of text.matchAll(/--([\w-]+)/g)) assert.ok(flags().has(flag), `the server has no flag --${flag}`);
  },
};
for (const block of every) {
  if (checks[block.language] && (block.language !== 'json' || block.marks.client)) test(at(block), (t) => checks[block.language](block, t));
  else if (!MODULES.includes(block.language) && !['html', 'http', 'liquid', 'php', 'json'].includes(block.language)) {
    test(at(block), () => assert.fail(`no check is known for the language "${block.language}": see the top of tests/docs.test.mjs`));
  }
}

test('commands that are not there are found', () => {
  for (const line of ['npm run nothing', 'node scripts/nothing.mjs', 'cargo build --features nothing', 'NOTHING_AT_ALL=1 npm test', 'nothing', 'npx nothing']) {
    assert.equal(wrong(line).length, 1, line);
  }
  for (const [words, reason] of [
    ['https://a.example/ --max-tool 3', 'no flag'], ['https://a.example/ --port=x', 'value'], ['https://a.example/ --toolset all', 'value'],
    ['https://a.example/ --json', 'map'], ['map https://a.example/ --http', 'serve'], ['--quiet', 'no page'], ['https://a.example/ --quiet=1', 'no value'],
  ]) assert.match(refused(words.split(' ')).join(), new RegExp(reason), words);
  assert.deepEqual(refused('map https://a.example/ - --json --max-tools 3 --toolset split'.split(' ')), []);
  for (const wrong of ['{}', '{"mcpServers":{}}', '{"mcpServers":{"a":{"command":"agenticschema","arguments":[]}}}', '{"servers":{"a":{"command":"agenticschema","args":["x"]}}}']) {
    assert.notDeepEqual(configuration(wrong).said, [], wrong);
  }
  assert.deepEqual(wrong('npm start # this\nWASM_TOOLCHAIN=debian npm run build && npm test'), []);
});

test('no code stands outside of fenced blocks', () => {
  for (const file of all) {
    let list = false, blank = false;
    for (const [line, text] of prose(file)) {
      if (/^\s*([-*+]|\d+[.)])\s/.test(text)) list = true;
      else if (/^\S/.test(text)) list = false;
      assert.ok(list || !blank || !/^ {4,}\S/.test(text), `${file}:${line}: put it between \`\`\` with its language`);
      blank = !text.trim();
    }
  }
});

test('code spans name what is there', () => {
  const tags = new Set(['data-agenticschema', ...rows().map(({ attribute }) => attribute).filter(Boolean)]);
  const registered = new Set(every.flatMap(({ marks }) => marks.registers?.split(',') ?? []));
  const { version } = JSON.parse(read('package.json'));
  for (const { file, line, code } of all.flatMap(spans)) {
    const where = `${file}:${line} ${code}`;
    if (/^(npm|npx|cargo|node) /.test(code)) assert.deepEqual(wrong(code), [], where);
    if (/^data-[a-z-]+(=|$)/.test(code) && file !== 'SECURITY.md') assert.ok(tags.has(code.split('=')[0]), `${where}: the tag has no such attribute`);
    if (/^(get|list|search)_\w+$/.test(code)) assert.ok(isTool(code) || registered.has(code) || OF_OTHERS.has(code), `${where}: there is no such tool`);
  }
  for (const { file, line, text } of every) {
    for (const [, attribute] of text.matchAll(/\b(data-[a-z-]+)\s*['"]?\s*[=,]/g)) assert.ok(tags.has(attribute), `${file}:${line}: the tag has no attribute ${attribute}`);
  }
  for (const file of [...all, 'docs/wordpress/agenticschema.php']) {
    for (const [text, said] of read(file).matchAll(/(?:agenticschema-|Version: |^\t+')(\d+\.\d+\.\d+)/gm)) assert.equal(said, version, `${file}: ${text.trim()}`);
  }
});

test('the flags of docs/server.md are those of the server, with their defaults', () => {
  const table = new Map([...read('docs/server.md').matchAll(/^\| `--([\w-]+)[^`]*` \| (?:`([^`]*)`)? ?\|/gm)].map(([, flag, value]) => [flag, value]));
  const known = flags();
  assert.deepEqual([...table.keys()].sort(), [...known.keys()].filter((flag) => !['help', 'version', 'json'].includes(flag)).sort());
  for (const [flag, { preset }] of known) {
    if (!table.has(flag) || preset?.startsWith('concat')) continue;
    const option = /^Options::default\(\)\.(\w+)$/.exec(preset)?.[1].replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
    const real = option ? rows().find(({ name }) => name === option).default : preset?.replace(/["_]/g, '');
    assert.equal(table.get(flag), real, flag);
  }
});

test('links lead somewhere', () => {
  for (const { file, line, target } of all.flatMap(links)) {
    if (/^https:\/\//.test(target)) continue;
    const [path, anchor] = target.split('#');
    const to = path ? normalize(join(dirname(file), path)) : file;
    assert.ok(existsSync(join(root, to)), `${file}:${line}: there is no ${to}`);
    if (anchor && to.endsWith('.md')) assert.ok(anchors(to).includes(anchor), `${file}:${line}: ${to} has no heading #${anchor}`);
  }
});

test('CONTRIBUTING.md names every command', () => {
  const named = new Set(spans('CONTRIBUTING.md').map(({ code }) => /^npm (?:run )?([\w:]+)/.exec(code)?.[1]));
  for (const name of Object.keys(JSON.parse(read('package.json')).scripts)) assert.ok(name === 'prepack' || named.has(name), `CONTRIBUTING.md does not name npm run ${name}`);
});

test('CHANGELOG.md has the form of Keep a Changelog', () => {
  const titles = [...read('CHANGELOG.md').matchAll(/^(#+) (.*)$/gm)].map(([, level, title]) => [level.length, title]);
  assert.deepEqual(titles.slice(0, 2), [[1, 'Changelog'], [2, '[Unreleased]']]);
  for (const [level, title] of titles.slice(2)) assert.match(title, level === 2 ? /^\[\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d$/ : /^(Added|Changed|Deprecated|Removed|Fixed|Security)$/);
});

test('the index names every page', () => {
  const named = new Set(links('docs/README.md').map(({ target }) => normalize(join('docs', target.split('#')[0]))));
  for (const file of all) if (/^docs\/(?!README)/.test(file)) assert.ok(named.has(file), `docs/README.md does not name ${file}`);
});

/** Tools of others that the documentation names. */
const OF_OTHERS = new Set(['search_catalog']);

/** Whether a reader can have this name, with the ending of a second one. */
function isTool(name) {
  const [, word] = /^(?:get|list)_(.+?)(?:(?:_p)?_\d+)?$/.exec(name) ?? [];
  const profile = (slug) => ['', 'page/', 'parts/'].map((folder) => `src/profiles/${folder}${slug}.toml`).find((file) => existsSync(join(root, file)));
  if (!word || profile(word)) return Boolean(word);
  const parts = word.split('_');
  return parts.some((_, i) => i && profile(parts.slice(0, i).join('_')) && read(profile(parts.slice(0, i).join('_'))).includes(`[tools.${parts.slice(i).join('_')}]`));
}

/** Starts the server as command lines do; those of other programs are left out. */
async function start(lines, t) {
  const ours = lines.filter(([program, ...words]) => program && isServer(program) && !words.includes('--http'));
  if (ours.length && !built()) return void t.skip('cargo build --features server makes the program');
  for (const [, ...words] of ours) await starts(words);
}

/** Liquid as far as one tag needs it: the address of a file of the theme. */
function liquid(text) {
  const html = text.replace(/\{\{\s*'([^']+)'\s*\|\s*asset_url\s*\}\}/g, '/$1');
  assert.ok(!/\{[{%]/.test(html), 'only {{ … | asset_url }} is known here');
  return html;
}

/** What PHP prints into the head of a WordPress page; undefined, with a word, where there is no PHP. */
function php(text, t) {
  if (!which('php')) return void t.skip('php is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-docs-'));
  try {
    const file = join(folder, 'snippet.php');
    writeFileSync(file, text.startsWith('<?php') ? text : `<?php\n${text}`);
    const { status, stdout, stderr } = spawnSync('php', ['-d', 'display_errors=stderr', join(root, 'tests/docs/wordpress.php'), file], { encoding: 'utf8' });
    assert.equal(status, 0, stderr + stdout);
    assert.equal(stderr, '');
    return stdout;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
