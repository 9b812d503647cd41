// node scripts/verticals.mjs: which real pages get their type's reader. Needs the pages of shared/corpus.
import { readFileSync } from 'node:fs';
import { natively, realPages } from '../tests/corpus.mjs';

/** A vertical's type with its subtypes, but for those that never are what a page is about; and its readers. */
const VERTICALS = [
  { type: 'Product', readers: ['product'] },
  { type: 'Recipe', readers: ['recipe'] },
  { type: 'Article', readers: ['article', 'discussion'] },
  { type: 'Event', readers: ['event'], but: ['PublicationEvent', 'UserInteraction', 'CourseInstance'] },
  { type: 'JobPosting', readers: ['job'] },
  { type: 'LocalBusiness', readers: ['business'] },
];

const rows = readFileSync(new URL('../vocabulary/classes.tsv', import.meta.url), 'utf8').trimEnd().split('\n');
const parents = new Map(rows.map((row) => row.split('\t')).map(([name, above]) => [name, (above ?? '').split(/[ ,]+/)]));
const isA = (type, ancestors) => ancestors.includes(type) || (parents.get(type) ?? []).some((parent) => parent && isA(parent, ancestors));

const pages = realPages();
const seen = pages.length ? await natively(pages) : [];
const table = [['vertical', 'pages', 'reader', 'named']];
const misses = [];
for (const { type, readers, but = [] } of VERTICALS) {
  const counts = [0, 0, 0];
  pages.forEach(({ name, types }, i) => {
    if (!types.some((t) => isA(t, [type]) && !isA(t, but))) return;
    const names = readers.flatMap((reader) => [`get_${reader}`, `list_${reader}`]);
    const found = names.map((reader) => seen[i].answers[`${reader} {}`]).filter(Boolean);
    const named = found.some((answer) => [answer, ...(answer.items ?? [])].some((a) => a.name || a.headline || a.title));
    counts[0]++;
    counts[1] += found.length > 0;
    counts[2] += named;
    if (!named) misses.push(`${type}\t${name}\t${found.length ? 'no name' : 'no reader'}\t${seen[i].tools.map((tool) => tool.name).join(' ')}`);
  });
  table.push([type, ...counts]);
}
for (const [head, ...numbers] of table) console.log(head.padEnd(16) + numbers.map((n) => String(n).padStart(8)).join(''));
if (misses.length) console.log(`\nWithout:\n${misses.join('\n')}`);
