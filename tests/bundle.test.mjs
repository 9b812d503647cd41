// What the bundle promises every page, whatever is in it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { BUDGET, gzip } from '../js/build/size.mjs';

const bundle = readFileSync(new URL('../dist/agenticschema.js', import.meta.url));
const text = bundle.toString('latin1');
/** The script without the module, whose bytes may spell anything. */
const code = text.replace(/"[^"]{10000,}"/, '""');

/** Fails with the place, not with the whole text. */
function lacks(text, pattern) {
  const found = pattern.exec(text);
  assert.ok(!found, `${pattern} is at ${found?.index}: ${JSON.stringify(text.slice(Math.max(0, found?.index - 60), found?.index + 60))}`);
}

test('is within its budget', () => assert.ok(gzip(bundle) <= BUDGET, `${gzip(bundle)} bytes after gzip, ${BUDGET} are allowed`));

test('is printable ASCII, for pages in any encoding', () => lacks(text, /[^\n\x20-\x7e]/));

test('is a classic script', () => void new vm.Script(text));

test('can stand in an inline script', () => lacks(text, /<\/?script|<!--/i));

test('says its version and licences first', () => {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
  assert.equal(text.slice(0, text.indexOf('*/')).replace(/polyfill [\d.]+/, 'polyfill'), `/*! agenticschema ${version} | MIT | with @mcp-b/webmcp-polyfill (MIT) `);
});

test('evaluates no text, loads no script and writes no markup', () => {
  for (const forbidden of [/\beval\(/, /\bFunction\(/, /\.innerHTML\b/, /\.outerHTML\b/, /insertAdjacentHTML/, /document\.write/, /\bimport\(/, /createElement\(["']script/]) {
    lacks(code, forbidden);
  }
});
