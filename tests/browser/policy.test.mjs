// Content-Security-Policy: the tools come under every policy that lets the tag run, and no policy is broken for them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const NOWASM = '<script src="/agenticschema.nowasm.js"></script>';
const TRUSTED = "require-trusted-types-for 'script'; trusted-types 'none';";

for (const mode of MODES) describe(mode, () => {
  let s;
  before(async () => { s = await stage(mode); });
  after(() => s.close());

  /** Shows a page under a policy; returns what came of it, with the files asked for and the policy's violations. */
  async function under(policy, options = {}) {
    const page = await s.show(ld(lamp()) + ld({ '@type': 'Event', name: 'Fair' }, 'e'), {
      headers: { 'content-security-policy': policy },
      init: () => {
        globalThis.violations = [];
        document.addEventListener('securitypolicyviolation', (event) => violations.push(event.blockedURI));
      },
      ...options,
    });
    const seen = await page.evaluate(async () => {
      const handle = await agenticschema.ready;
      await handle.refresh();
      const tools = handle.tools().map((tool) => tool.name);
      await (await agenticschema.start()).refresh(); // no second attempt
      return {
        tools,
        diagnostics: handle.diagnostics().filter(({ code }) => code !== 'option-invalid'),
        answer: JSON.stringify(await T.call('get_product')),
        files: performance.getEntriesByType('resource').map(({ name }) => name.split('/').pop()).filter((name) => /^agentic/.test(name)),
        violations,
        globals: Object.getOwnPropertySymbols(globalThis).map(String).filter((name) => /agentic/.test(name)),
      };
    });
    assert.deepEqual(seen.globals, []);
    return { page, ...seen };
  }

  for (const [policy, tag] of [
    ["script-src 'self' 'wasm-unsafe-eval'; connect-src 'none'; default-src 'self'"],
    [`${TRUSTED} script-src 'self' 'wasm-unsafe-eval'`],
    ["script-src 'self'; connect-src 'none'; default-src 'self'", NOWASM],
    [`${TRUSTED} script-src 'self'`, NOWASM],
    ["script-src 'nonce-n'", NOWASM.replace('src', 'nonce="n" src')],
  ]) test(`${policy} ${tag ?? ''}`, async () => {
    const { page, answer, diagnostics, violations } = await under(policy, { tag });
    assert.match(answer, /Desk Lamp/);
    assert.deepEqual(diagnostics, []);
    assert.deepEqual(violations, []);
    assert.deepEqual(page.errors, []);
  });

  for (const [policy, tag] of [
    ["script-src 'self'"],
    [`script-src 'self'; connect-src 'none'; default-src 'none'; ${TRUSTED}`],
    ["script-src 'nonce-n'", '<script src="/agenticschema.js" nonce="n"></script>'],
    ["script-src 'nonce-n' 'strict-dynamic'", '<script src="/agenticschema.js" nonce="n"></script>'],
    [`script-src 'nonce-n' 'strict-dynamic'; ${TRUSTED}`, '<script src="/agenticschema.js" nonce="n" async></script>'],
    ["script-src 'nonce-n'", '<script src="/agenticschema.js" nonce="n" type="module"></script>'],
    ["script-src 'self'", '<script src="/agenticschema.js?v=1" defer></script>'],
  ]) test(`without WebAssembly: ${policy} ${tag ?? ''}`, async () => {
    const { page, answer, tools, diagnostics, files, violations } = await under(policy, { tag });
    assert.ok(tools.length > 1);
    assert.match(answer, /Desk Lamp/);
    assert.deepEqual(diagnostics.map(({ level, code }) => [level, code]), [['info', 'wasm-refused']]);
    assert.match(diagnostics[0].message, /wasm-unsafe-eval.*agenticschema\.nowasm\.js/);
    assert.deepEqual(violations, ['wasm-eval'], 'one attempt');
    assert.deepEqual(files.filter((name) => name.includes('nowasm')), ['agenticschema.nowasm.js']);
    assert.deepEqual(page.errors, []);
  });

  test('without WebAssembly: the options of the tag are kept', async () => {
    const { page } = await under("script-src 'self'", { tag: '<script src="/agenticschema.js" data-max-tools="1" data-watch="off"></script>' });
    assert.equal(await page.evaluate(async () => (await agenticschema.ready, agenticschema.start({ maxTools: 1 })).then((h) => h.tools().length)), 1);
    const fresh = await s.show(ld(lamp()) + ld({ '@type': 'Event', name: 'Fair' }, 'e'), { tag: '<script src="/agenticschema.js" data-max-tools="1"></script>', headers: { 'content-security-policy': "script-src 'self'" } });
    assert.equal((await fresh.evaluate(() => T.names())).length, 1);
    assert.deepEqual(fresh.errors, []);
  });

  test('without WebAssembly: markup that comes late, changes, and stop', async () => {
    const page = await s.show('<p>nothing yet</p>', { headers: { 'content-security-policy': "script-src 'self'" } });
    assert.deepEqual(await page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /nowasm/.test(name)).length), 0);
    await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), ld(lamp()));
    assert.ok(await page.evaluate(() => T.until(async () => (await T.names()).includes('get_product'), 5000)));
    await page.evaluate(() => (document.querySelector('#ld').text = document.querySelector('#ld').text.replace('10.00', '15.00')));
    assert.match(JSON.stringify(await page.evaluate(() => T.call('get_product'))), /15/);
    assert.deepEqual(await page.evaluate(async () => ((await agenticschema.ready).stop(), T.names())), []);
    assert.deepEqual(page.errors, []);
  });

  for (const [what, options, fetched] of [
    ['there is no second file', { pages: { '/agenticschema.nowasm.js': { status: 404, body: '' } } }, 1],
    ['the second file is of another version', { pages: { '/agenticschema.nowasm.js': { body: 'globalThis[Symbol.for("agenticschema.engine")]?.({ version: "0.0.0" })', headers: { 'content-type': 'text/javascript' } } } }, 1],
    ['the second file is none of ours', { pages: { '/agenticschema.nowasm.js': { body: 'var nothing', headers: { 'content-type': 'text/javascript' } } } }, 1],
    ['the tag has a hash', { tag: 'integrity' }, 0],
    ['the tag is inline', { tag: 'inline' }, 0],
  ]) test(`without WebAssembly: ${what}`, async () => {
    if (options.tag === 'integrity') options.tag = `<script src="/agenticschema.js" integrity="${s.integrity}"></script>`;
    if (options.tag === 'inline') options.tag = `<script nonce="n">${s.script}</script>`;
    const { page, tools, diagnostics, files, violations } = await under(`script-src 'self' 'nonce-n'`, options);
    assert.deepEqual(tools, []);
    assert.deepEqual(diagnostics.map(({ level, code }) => [level, code]), [['error', 'wasm-refused']]);
    assert.match(diagnostics[0].message, /wasm-unsafe-eval.*agenticschema\.nowasm\.js/);
    assert.deepEqual(violations, ['wasm-eval'], 'one attempt');
    assert.equal(files.filter((name) => name.includes('nowasm')).length, fetched);
    assert.deepEqual(page.errors.filter((line) => !/404/.test(line)), []);
  });
});
