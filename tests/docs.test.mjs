// Everything that the documentation tells someone to paste, run or follow works. After the language of a fenced block
// stand marks that say what is to be seen:
//
//   html    registers=a,b     shown in Chromium with the tag, it has these tools and is silent (none: no tools);
//                             what the block lacks, the tag or markup of a product, is put beside it
//           diagnostics=a,b   these are among them
//           bare              nothing is put beside it
//           in=polyfill       without the browser's own WebMCP, as well as with it
//   js      registers=a,b     run in a page with the tag and a product; `await` may stand anywhere
//           logs              it may write on the console
//   js, ts, jsx, tsx  module  compiles against js/index.d.ts
//   http    registers=a,b     header lines: a page served with them has the tools
//           with=nowasm       and this file in its tag; with=nonce: a tag with a nonce
//   liquid, php registers=a,b rendered, then as html; `php` needs the program
//   json                      parses
//   sh                        its scripts, files, features, flags and variables are there
//   toml    keys              keys that build.rs knows
//   text    picture           for people alone
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { root, which } from '../scripts/setup/command.mjs';
import { stage } from './browser/lib.mjs';
import { wrong } from './docs/command.mjs';
import { anchors, blocks, files, links, prose, read } from './docs/markdown.mjs';
import { around, hasTools, headers } from './docs/page.mjs';
import { complaints } from './docs/types.mjs';

const all = files();
const every = all.flatMap(blocks);
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
  async function show(html, { registers, ...marks }, { headers: sent, script } = {}) {
    assert.ok(registers, 'a mark registers=… is missing: the tools to be seen, or none');
    for (const mode of marks.in === 'polyfill' ? ['native', 'polyfill'] : ['native']) {
      const page = await stages[mode].show(html, { tag: '<html', headers: sent });
      if (script) await page.evaluate(`(async () => { ${script} })()`);
      await hasTools(page, registers);
      if (marks.diagnostics) {
        const codes = await page.evaluate(async () => (await agenticschema.ready).diagnostics().map(({ code }) => code));
        for (const code of marks.diagnostics.split(',')) assert.ok(codes.includes(code), `wanted the diagnostic ${code}, got ${codes}`);
      }
      assert.deepEqual(marks.logs ? page.errors.filter((line) => !/^(log|table): /.test(line)) : page.errors, []);
      await page.context().close();
    }
  }

  const kinds = {
    html: ({ text, marks }) => show(around(text, marks), marks),
    http: ({ text, marks }) => show(around(TAGS[marks.with] ?? ''), marks, { headers: headers(text) }),
    liquid: ({ text, marks }) => show(around(liquid(text), marks), marks),
    js: ({ text, marks }) => show(around('<p>A page</p>'), marks, { script: text }),
    php: ({ text, marks }, t) => {
      const head = php(text, t);
      return head === undefined ? undefined : show(around(head, marks), marks);
    },
  };
  for (const block of every) {
    if (kinds[block.language] && !isModule(block)) test(at(block), (t) => kinds[block.language](block, t));
  }

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
  json: ({ text }) => void JSON.parse(text),
  sh: ({ text }) => assert.deepEqual(wrong(text), []),
  toml: ({ text, marks }) => {
    assert.ok(marks.keys, 'a mark is missing: keys');
    const known = read('build.rs');
    // The names of sections are the profile's own.
    for (const [, key] of text.replace(/^\[sections\][^[]*(?:\[(?!tools)[^[]*)*/m, '').matchAll(/^\s*(\w+)\s*=/gm)) assert.ok(known.includes(`${key}:`), `build.rs knows no ${key}`);
  },
  text: ({ marks }) => assert.ok(marks.picture, 'a mark is missing: picture, for what is for people alone'),
};
for (const block of every) {
  if (checks[block.language]) test(at(block), () => checks[block.language](block));
  else if (!MODULES.includes(block.language) && !['html', 'http', 'liquid', 'php'].includes(block.language)) {
    test(at(block), () => assert.fail(`no check is known for the language "${block.language}": see the top of tests/docs.test.mjs`));
  }
}

test('commands that are not there are found', () => {
  for (const line of ['npm run nothing', 'node scripts/nothing.mjs', 'cargo build --features nothing', 'NOTHING_AT_ALL=1 npm test', 'nothing', 'npx nothing']) {
    assert.equal(wrong(line).length, 1, line);
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

test('links lead somewhere', () => {
  for (const { file, line, target } of all.flatMap(links)) {
    if (/^https:\/\//.test(target)) continue;
    const [path, anchor] = target.split('#');
    const to = path ? normalize(join(dirname(file), path)) : file;
    assert.ok(existsSync(join(root, to)), `${file}:${line}: there is no ${to}`);
    if (anchor && to.endsWith('.md')) assert.ok(anchors(to).includes(anchor), `${file}:${line}: ${to} has no heading #${anchor}`);
  }
});

test('the index names every page', () => {
  const named = new Set(links('docs/README.md').map(({ target }) => normalize(join('docs', target.split('#')[0]))));
  for (const file of all) if (/^docs\/(?!README)/.test(file)) assert.ok(named.has(file), `docs/README.md does not name ${file}`);
});

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
