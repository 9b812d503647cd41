// Every page, real and own, with the tag in a real Chromium: the same tools, answers and diagnostics as natively,
// through the WebMCP surface an agent uses, and not a word in the console.
//
// A page is shown under its own address, which no request leaves the machine for: every request is answered or
// refused here. A policy lets the tag run and no script of the page.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { chromium } from 'playwright-core';
import { natively, ownPages, realPages } from '../corpus.mjs';
import { violations } from '../rules.mjs';
import { MODES } from './lib.mjs';

const BUNDLE = process.env.AGENTICSCHEMA_BUNDLE ?? fileURLToPath(new URL('../../dist/agenticschema.js', import.meta.url));
const TAG = '<script src="/agenticschema.js" nonce="tag"></script>';
const POLICY = "default-src 'none'; script-src 'nonce-tag' 'wasm-unsafe-eval'; base-uri *; form-action 'none'";
/** The file for pages that forbid WebAssembly, and such a policy. */
const NOWASM = { bundle: BUNDLE.replace(/js$/, 'nowasm.js'), policy: POLICY.replace(" 'wasm-unsafe-eval'", '') };
/** Where a line in the console comes from the tag. What Chromium says of the page itself, which it says without the tag too, is of its address. */
const OURS = /\/agenticschema\.js$|^wasm:/;
/** Groups of real pages that say nothing in Schema.org's words. */
const SILENT = ['none', 'site_rdfa_other', 'microdata_other'];
/** Characters that an answer aims to stay below. */
const GOAL = 1500;
/** Pages shown at a time. */
const AT_ONCE = 3;

const own = ownPages();
const real = realPages();
const native = natively([...own, ...real]);
native.catch(() => {});

for (const mode of MODES) describe(mode, () => {
  let browser;
  before(async () => {
    browser = await chromium.launch({
      executablePath: process.env.CHROME_BIN ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * ~NOTFOUND', mode === 'native' ? '--enable-features=WebMCP' : '--disable-features=WebMCP'],
    });
  });
  after(() => browser?.close());

  test('own pages', async () => {
    const expected = (await native).slice(0, own.length);
    assert.deepEqual(differences(await shown(browser, own), expected, own), []);
  });

  if (mode === 'native') test('own pages, without WebAssembly', async () => {
    const expected = (await native).slice(0, own.length);
    assert.deepEqual(differences(await shown(browser, own, NOWASM), expected, own), []);
  });

  test('real pages', async (t) => {
    if (!real.length) return t.skip();
    const expected = (await native).slice(own.length);
    const from = performance.now();
    const found = await shown(browser, real);
    const seconds = ((performance.now() - from) / 1000).toFixed(0);
    const different = differences(found, expected, real);
    const calls = found.reduce((n, { answers }) => n + Object.keys(answers ?? {}).length, 0);
    console.log(`corpus, ${mode}: ${real.length - different.length} of ${real.length} pages as natively (${calls} answers, ${seconds} s)`);
    assert.deepEqual(different, []);
    // The retired data-vocabulary.org is read as Schema.org's.
    const silent = ({ group, body }) => SILENT.includes(group) && !body.includes('data-vocabulary.org');
    const loud = real.filter((page, i) => silent(page) && found[i].tools.length).map(({ name }) => name);
    assert.deepEqual(loud, [], 'tools on pages without Schema.org');
  });
});

test('every tool and answer keeps to the rules', async () => {
  const seen = await native;
  const broken = [...own, ...real].flatMap(({ name }, i) => violations(seen[i]).map((what) => `${name}: ${what}`));
  const answers = seen.flatMap(({ answers }) => Object.entries(answers).map(([call, answer]) => [call.split(' ')[0], JSON.stringify(answer).length]));
  const long = answers.filter(([, length]) => length > GOAL);
  console.log(`${answers.length} answers, ${long.length} of more than ${GOAL} characters${long.length ? `: ${[...new Set(long.map(([tool]) => tool))].join(' ')}` : ''}`);
  assert.deepEqual(broken, []);
});

/** What the browser makes of the pages, in their order. */
async function shown(browser, pages, { bundle = BUNDLE, policy = POLICY } = {}) {
  const script = readFileSync(bundle);
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const found = [];
  let next = 0;
  const work = async () => {
    const tab = await context.newPage();
    let said = [], wanted;
    tab.on('console', (message) => OURS.test(message.location().url) && said.push(`${message.type()}: ${message.text()}`));
    tab.on('pageerror', (error) => said.push(String(error)));
    await tab.route('**/*', (route) => {
      if (wanted && route.request().isNavigationRequest()) {
        const body = wanted;
        wanted = undefined;
        return route.fulfill({ contentType: 'text/html; charset=utf-8', headers: { 'content-security-policy': policy }, body });
      }
      const ours = new URL(route.request().url()).pathname === '/agenticschema.js';
      return ours ? route.fulfill({ contentType: 'text/javascript', body: script }) : route.abort('aborted');
    });
    for (let i; (i = next++) < pages.length; ) {
      said = [];
      wanted = tagged(pages[i].body);
      try {
        await tab.goto(pages[i].url, { waitUntil: 'domcontentloaded' });
        found[i] = JSON.parse(await tab.evaluate(walk));
      } catch (error) {
        found[i] = { failed: String(error) };
      }
      found[i].said = said;
    }
    await tab.close();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  await context.close();
  return found;
}

/** The page with the tag first in its head. Its own policy, written for other scripts than the tag, and a timed way to another page are taken out. */
function tagged(body) {
  const html = body.toString('latin1').replace(/(http-equiv\s*=\s*["']?)(content-security-policy|refresh)/gi, '$1x-$2');
  const at = /<head(\s[^>]*)?>/i.exec(html) ?? /^\s*<!doctype[^>]*>/i.exec(html);
  const end = at ? at.index + at[0].length : 0;
  return Buffer.from(html.slice(0, end) + TAG + html.slice(end), 'latin1');
}

/** In the page: what an agent sees and, as the `map` example does, every answer of every reader. */
async function walk() {
  const handle = await agenticschema.ready;
  const { modelContext } = document;
  const polyfill = modelContext.__isWebMCPPolyfill;
  const listed = await modelContext.getTools();
  const answers = {};
  for (const { name, inputSchema } of handle.tools().filter(({ name }) => /^(get|list)_/.test(name))) {
    const tool = listed.find((t) => t.name === name);
    const sections = inputSchema.properties?.section?.enum ?? [];
    for (const first of [{}, ...sections.map((section) => ({ section }))]) {
      let call = first;
      for (let n = 0; n < 200; n++) {
        const text = tool ? await modelContext.executeTool(tool, polyfill ? JSON.stringify(call) : call) : 'not registered';
        answers[`${name} ${JSON.stringify(call)}`] = text;
        const { next } = text.startsWith('{') ? JSON.parse(text) : {};
        if (typeof next !== 'number') break;
        call = { ...first, page: next };
      }
    }
  }
  return JSON.stringify({
    tools: handle.tools(),
    diagnostics: handle.diagnostics(),
    answers,
    // The polyfill lists schemas as text, and runtimes list hints that are not set.
    listed: listed.map(({ name, title, description, inputSchema, annotations: { readOnlyHint, untrustedContentHint } }) => ({
      name, title, description, inputSchema: typeof inputSchema === 'string' ? JSON.parse(inputSchema) : inputSchema, annotations: { readOnlyHint, untrustedContentHint },
    })),
  });
}

/** A line for each page that is not as it should be. */
function differences(found, expected, pages) {
  assert.equal(found.length, expected.length);
  return pages.flatMap(({ name }, i) => {
    const { failed, said, tools, diagnostics, answers, listed } = found[i];
    if (failed || said.length) return `${name}: ${failed ?? said.join('\n  ')}`.slice(0, 1000);
    const want = expected[i];
    const byName = [...want.tools].sort((a, b) => (a.name < b.name ? -1 : 1));
    // Compared as text: the surface gives text, and the order of members is part of an answer.
    const texts = Object.fromEntries(Object.entries(want.answers).map(([call, answer]) => [call, JSON.stringify(answer)]));
    for (const [what, a, b] of [['tools', tools, want.tools], ['diagnostics', diagnostics, want.diagnostics], ['answers', answers, texts], ['listed', listed, byName]]) {
      if (!isDeepStrictEqual(a, b)) return `${name}: ${what} ${difference(a, b)}`;
    }
    return [];
  });
}

function difference(a, b) {
  const key = Object.keys({ ...b, ...a }).find((key) => !isDeepStrictEqual(a[key], b[key]));
  const [x, y] = [a, b].map((v) => JSON.stringify(v[key]) ?? 'nothing');
  let at = 0;
  while (at < x.length && x[at] === y[at]) at++;
  const from = Math.max(0, at - 60);
  return `${key}, at ${at}\n  browser ${x.slice(from, at + 100)}\n  native  ${y.slice(from, at + 100)}`;
}
