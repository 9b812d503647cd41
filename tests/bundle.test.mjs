// What the tag's two files promise every page, whatever is in it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';
import { BUDGET, gzip } from '../js/build/size.mjs';

const dist = (name) => readFileSync(new URL(`../dist/${name}`, import.meta.url));

/** Fails with the place, not with the whole text. */
function lacks(text, pattern) {
  const found = pattern.exec(text);
  assert.ok(!found, `${pattern} is at ${found?.index}: ${JSON.stringify(text.slice(Math.max(0, found?.index - 60), found?.index + 60))}`);
}

test('the tag is within its budget', () => {
  const bytes = gzip(dist('agenticschema.js'));
  assert.ok(bytes <= BUDGET, `${bytes} bytes after gzip, ${BUDGET} are allowed`);
});

for (const name of ['agenticschema.js', 'agenticschema.nowasm.js']) {
  const text = dist(name).toString('latin1');
  /** The script without the module, whose bytes may spell anything. */
  const code = text.replace(/"[^"]{10000,}"/, '""');

  test(`${name} is printable ASCII, for pages in any encoding`, () => lacks(text, /[^\n\x20-\x7e]/));

  test(`${name} is a classic script`, () => void new vm.Script(text));

  test(`${name} can stand in an inline script`, () => lacks(text, /<\/?script|<!--/i));

  test(`${name} says its version and licences first`, () => {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url)));
    const licences = text.replace('//# allFunctionsCalledOnLoad\n', '');
    assert.equal(licences.slice(0, licences.indexOf('*/')).replace(/polyfill [\d.]+/, 'polyfill'), `/*! agenticschema ${version} | MIT | with @mcp-b/webmcp-polyfill (MIT) `);
  });

  test(`${name} evaluates no text, adds no script element and writes no markup`, () => {
    for (const forbidden of [/\beval\(/, /\bFunction\(/, /\.innerHTML\b/, /\.outerHTML\b/, /insertAdjacentHTML/, /document\.write/, /createElement\(["'`]script/]) {
      lacks(code, forbidden);
    }
  });
}

test('the tag loads one thing, the file without WebAssembly from beside it; that file nothing', () => {
  const [tag, nowasm] = ['agenticschema.js', 'agenticschema.nowasm.js'].map((name) => dist(name).toString('latin1'));
  assert.deepEqual(tag.match(/\bimport\(.{0,50}/g)?.length, 1);
  assert.match(tag, /\bimport\(new \w+\("agenticschema\.nowasm\.js",\w+\.src\)\.href\)/);
  lacks(nowasm, /\bimport\(/);
  lacks(nowasm, /\bWebAssembly(\.\w|\[)/);
});
