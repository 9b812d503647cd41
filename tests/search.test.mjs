// What a search finds on real pages: each page of the corpus as the answer of a search.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { realPages } from './corpus.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const BUDGET = 1500;
/** A page with so many results is a list. */
const LIST = 3;

test('real pages as results: titles and addresses within the budget', { timeout: 600_000 }, async (t) => {
  const pages = realPages();
  if (!pages.length) return t.skip('0 of 198 pages read');
  const answers = await digests(pages);
  let lists = 0, results = 0, named = 0, addressed = 0;
  for (const [i, ofPage] of answers.entries()) {
    const { name } = pages[i];
    for (const answer of ofPage) {
      assert.ok(!answer.error, `${name}: ${answer.error}`);
      assert.ok([...JSON.stringify(answer)].length <= BUDGET, `${name}: ${JSON.stringify(answer).length} characters`);
      assert.ok(answer.items || answer.results || typeof answer.text === 'string', name);
    }
    const found = ofPage.flatMap(({ items = [], results = [] }) => [...items, ...results]);
    if (found.length < LIST) continue;
    lists++;
    for (const result of found) {
      results++;
      named += Boolean(result.title ?? result.name ?? result.headline);
      addressed += Boolean(result.url);
      if (result.url) assert.match(result.url, /^https?:\/\//, `${name}: ${result.url}`);
    }
  }
  const share = (n) => `${n} (${((100 * n) / results).toFixed(1)} %)`;
  console.log(`${pages.length} pages, ${lists} of them lists, with ${results} results: ${share(named)} with a title, ${share(addressed)} with an address`);
  assert.ok(lists >= 50, `${lists} lists`);
  assert.ok(named >= 0.98 * results, share(named));
  assert.ok(addressed >= 0.96 * results, share(addressed));
});

/** For each page the answers, page by page. */
async function digests(pages) {
  const folder = mkdtempSync(join(tmpdir(), 'search-'));
  try {
    const lines = pages.map(({ url, body }, i) => {
      const file = join(folder, `${i}.html`);
      writeFileSync(file, body);
      return `${url.replace(/ /g, '%20')} ${file}`;
    });
    const cargo = execFile('cargo', ['run', '--quiet', '--locked', '--example', 'digest'], { cwd: root, maxBuffer: 2 ** 30 });
    let out = '';
    cargo.stdout.on('data', (text) => { out += text; });
    cargo.stdin.end(`${lines.join('\n')}\n`);
    const code = await new Promise((done) => cargo.on('close', done));
    assert.equal(code, 0);
    return out.trimEnd().split('\n').map((line) => JSON.parse(line));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
