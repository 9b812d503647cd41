// The project's Markdown files, as far as the tests look into them: fenced blocks, links, headings.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';

/** Not ours, or made by programs. */
const SKIPPED = new Set(['node_modules', 'target', 'dist', 'pkg', '.git', 'tests']);

/** Every Markdown file, by its path in the project. */
export function files(folder = '') {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : files(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

/**
 * The fenced blocks of a file: `{ file, line, language, marks, text }`. After the language stand marks, as words or as
 * `name=value`: they say what the test is to see, and no reader of the page is shown them.
 */
export function blocks(file) {
  const found = [];
  let open;
  for (const [i, line] of lines(file).entries()) {
    const fence = /^(\s*)(`{3,}|~{3,})\s*(.*)$/.exec(line);
    if (open && fence?.[2].startsWith(open.fence) && !fence[3]) {
      found.push(open.block);
      open = undefined;
    } else if (open) open.block.text += `${line.slice(open.indent)}\n`;
    else if (fence) {
      const [language = '', ...words] = fence[3].trim().split(/\s+/);
      const marks = Object.fromEntries(words.map((word) => (word.includes('=') ? [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)] : [word, true])));
      open = { fence: fence[2], indent: fence[1].length, block: { file, line: i + 1, language, marks, text: '' } };
    }
  }
  if (open) throw new Error(`${file}:${open.block.line}: the block has no end`);
  return found;
}

/** Lines outside of blocks, with their numbers. */
export function prose(file) {
  let inside = false;
  return lines(file).map((line, i) => [i + 1, line]).filter(([, line]) => {
    const fence = /^\s*(`{3,}|~{3,})/.test(line);
    if (fence) inside = !inside;
    return !fence && !inside;
  });
}

/** Where a file links to: `{ file, line, target }`. */
export function links(file) {
  return prose(file).flatMap(([line, text]) => [...text.replace(/`[^`]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => ({ file, line, target })));
}

/** Code spans outside of blocks: `{ file, line, code }`. */
export function spans(file) {
  return prose(file).flatMap(([line, text]) => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => ({ file, line, code })));
}

/** The anchors of a file's headings, as code hosts make them. */
export function anchors(file) {
  const seen = {};
  return prose(file).map(([, text]) => /^#{1,6}\s+(.*)$/.exec(text)?.[1]).filter(Boolean).map((title) => {
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N}_\- ]/gu, '').replaceAll(' ', '-');
    seen[plain] = (seen[plain] ?? -1) + 1;
    return seen[plain] ? `${plain}-${seen[plain]}` : plain;
  });
}

export const read = (file) => readFileSync(join(root, file), 'utf8');
const lines = (file) => read(file).split('\n');
