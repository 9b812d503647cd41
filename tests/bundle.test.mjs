// What the bundle promises every page, whatever is in it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { BUDGET, gzip } from '../js/build/size.mjs';

const bundle = readFileSync(new URL('../dist/agenticschema.js', import.meta.url));
const text = bundle.toString('latin1');
/** The script without what it carries in strings: the module's bytes may spell anything. */
const code = text.replace(/"[^"\n]{1000,}"/g, '""');

test('is within its budget', () => assert.ok(gzip(bundle) <= BUDGET, `${gzip(bundle)} bytes after gzip`));

test('is printable ASCII, for pages in any encoding', () => assert.doesNotMatch(text, /[^\n\x20-\x7e]/));

test('is a classic script', () => new vm.Script(text));

test('cannot close an inline script', () => assert.doesNotMatch(text, /<\/script|<!--/i));

test('says its version and licences first', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
  assert.ok(text.startsWith(`/*! agenticschema ${version} | MIT | with @mcp-b/webmcp-polyfill `));
});

test('evaluates no text and writes no markup', () => {
  for (const forbidden of [/\beval\b/, /\bFunction\(/, /\.innerHTML/, /\.outerHTML/, /insertAdjacentHTML/, /document\.write/, /\bimport\(/, /createElement\("script/]) {
    assert.doesNotMatch(code, forbidden);
  }
});
