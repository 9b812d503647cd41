import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { root, Stop } from '../setup/command.mjs';

/**
 * The pages of a folder: `{ name, group, url, body, id }`, where `id` is of the content.
 *
 * Either `<group>/<page>.html` (or `.html.gz`), with an address from the folder's `pages.tsv` (columns `file` and `url`)
 * or from the page's canonical link, or the cases of `tests/pages`, grouped by the first word of their names.
 */
export function pages(folder = process.env.AGENTICSCHEMA_PAGES ?? join(root, 'tests/pages')) {
  folder = resolve(folder);
  if (!existsSync(folder)) throw new Stop(`There is no folder ${folder}. Set AGENTICSCHEMA_PAGES to a folder of <group>/<page>.html.`);
  const visited = addresses(join(folder, 'pages.tsv'));
  const found = folders(folder).flatMap((group) =>
    existsSync(join(folder, group, 'expected.json')) ? [ownCase(folder, group)] : savedPages(folder, group, visited),
  );
  if (!found.length) throw new Stop(`${folder} has no pages. It should hold <group>/<page>.html.`);
  return found.map((page) => ({ ...page, id: fingerprint(page.body) }));
}

/** A short name for content. */
export const fingerprint = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex').slice(0, 24);

const folders = (folder) => readdirSync(folder).filter((name) => statSync(join(folder, name)).isDirectory()).sort();

function ownCase(folder, name) {
  const { url = 'https://shop.example.test/p/1' } = JSON.parse(readFileSync(join(folder, name, 'expected.json')));
  return { name, group: name.split('-')[0], url, body: readFileSync(join(folder, name, 'page.html')) };
}

/** Where the pages were: by `<group>/<page>`. */
function addresses(list) {
  if (!existsSync(list)) return new Map();
  const [head, ...rows] = readFileSync(list, 'utf8').split('\n').map((line) => line.split('\t'));
  const [file, url] = [head.indexOf('file'), head.indexOf('url')];
  return new Map(rows.map((row) => [withoutEnding(row[file] ?? ''), secure(row[url])]));
}

const withoutEnding = (file) => file.replace(/\.html(\.gz)?$/, '');

function savedPages(folder, group, visited) {
  return readdirSync(join(folder, group)).sort().filter((file) => /\.html(\.gz)?$/.test(file)).map((file) => {
    const stored = readFileSync(join(folder, group, file));
    const body = file.endsWith('.gz') ? gunzipSync(stored) : stored;
    const name = `${group}/${withoutEnding(file)}`;
    return { name, group, url: visited.get(name) ?? canonical(body) ?? `http://localhost/${name}.html`, body };
  });
}

/** The address that the page gives itself. */
export function canonical(body) {
  const link = body.toString('latin1').match(/<link\b[^>]*\brel=["']?canonical\b[^>]*>/i)?.[0];
  const href = link?.match(/\bhref=(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i)?.slice(1).find(Boolean)?.replace(/&amp;/g, '&');
  return secure(href);
}

/** An address of the web over https: WebMCP wants a secure context. */
function secure(address) {
  try {
    const url = new URL(address);
    url.hash = '';
    return /^https?:$/.test(url.protocol) && url.hostname.includes('.') ? url.href.replace(/^http:/, 'https:') : undefined;
  } catch {}
}
