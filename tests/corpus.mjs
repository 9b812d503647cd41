// The pages that tests read, own ones and real ones, and what the core says of them natively.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Pages of `tests/pages`: `{ name, url, body }`. */
export function ownPages() {
  const folder = join(root, 'tests/pages');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      name,
      url: JSON.parse(readFileSync(join(folder, name, 'expected.json'))).url ?? 'https://shop.example.test/p/1',
      body: readFileSync(join(folder, name, 'page.html')),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Real pages, which are not part of this repository: `{ name, url, body, group, types }`; empty where they are not on
 * this machine, and a line says so. They are `corpus/` in `$AGENTICSCHEMA_SHARED`, or in `shared` beside the checkout
 * or one folder further up (a worktree).
 */
export function realPages() {
  const folder = [process.env.AGENTICSCHEMA_SHARED, join(root, '../shared'), join(root, '../../shared')]
    .filter(Boolean)
    .map((shared) => join(shared, 'corpus'))
    .find((folder) => existsSync(join(folder, 'pages.tsv')));
  if (!folder) {
    console.log('corpus: skipped, 0 of 198 pages read (no shared/corpus)');
    return [];
  }
  const [header, ...rows] = readFileSync(join(folder, 'pages.tsv'), 'utf8').trimEnd().split('\n').map((line) => line.split('\t'));
  return rows.map((row) => {
    const { file, vertical, types, url } = Object.fromEntries(header.map((column, i) => [column, row[i] ?? '']));
    const name = file.replace(/\.html\.gz$/, '');
    return { name, group: vertical, types: types.split(',').filter(Boolean), url: address(url, name), body: gunzipSync(readFileSync(join(folder, file))) };
  });
}

/** The page's own address, over https: WebMCP wants a secure context. */
function address(url, name) {
  return /^https?:/.test(url) ? new URL(url).href.replace(/^http:/, 'https:') : `http://localhost/${name}.html`;
}

/** What the core says of the pages: for each `{ tools, diagnostics, answers }`, answers by call (`get_product {}`). */
export async function natively(pages) {
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  try {
    const args = pages.flatMap(({ url, body }, i) => {
      const file = join(folder, `${i}.html`);
      writeFileSync(file, body);
      return [file, url];
    });
    const cargo = ['run', '--quiet', '--locked', '--example', 'map', '--', '--json', ...args];
    const { stdout } = await promisify(execFile)('cargo', cargo, { cwd: root, maxBuffer: 2 ** 30 });
    return stdout.trimEnd().split('\n').map((line) => {
      const { page, answers } = JSON.parse(line);
      return { ...page, answers };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
