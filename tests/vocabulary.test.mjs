// The committed vocabulary tables are what scripts/vocabulary.mjs writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tables } from '../scripts/vocabulary.mjs';

const committed = (name) => readFileSync(new URL(`../vocabulary/${name}.tsv`, import.meta.url), 'utf8');

for (const name of ['classes', 'properties']) {
  test(`vocabulary/${name}.tsv is current (node scripts/vocabulary.mjs writes it)`, () => {
    assert.equal(committed(name), tables()[name]);
  });
}

test('every parent is a class, and only Thing and the data types stand at the top', () => {
  const rows = committed('classes').trimEnd().split('\n').map((line) => line.split('\t'));
  const known = new Set(rows.map(([name]) => name));
  for (const [name, parents] of rows) {
    for (const parent of parents.split(',').filter(Boolean)) assert.ok(known.has(parent), `${name} < ${parent}`);
  }
  const top = rows.filter(([, parents]) => !parents).map(([name]) => name);
  assert.deepEqual(top, ['Boolean', 'DataType', 'Date', 'DateTime', 'Number', 'Text', 'Thing', 'Time']);
});
