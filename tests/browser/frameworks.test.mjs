// The tag and the package in apps as people build them: Next.js and Vite with React, from the npm registry, in a real Chromium.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { extname, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { apart } from '../../scripts/setup/apart.mjs';
import { root } from '../../scripts/setup/command.mjs';
import { freePort, MODES, stage } from './lib.mjs';

let folder, refusal;
try {
  folder = await apart('frameworks');
} catch (error) {
  refusal = `the frameworks cannot be had: ${error.message}`;
  console.log(refusal);
}

/** What browsers and frameworks say to developers of the page. */
const ITS_OWN = /React DevTools|\[vite\]/;
const quiet = (page) => assert.deepEqual(page.errors.filter((line) => !ITS_OWN.test(line)), []);
const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;

/** Follows a link inside the app, then asks every tool at once, and again when what is `wanted` has come. Nothing of `gone` may be left. */
async function go(page, link, wanted, gone) {
  const seen = await page.evaluate(async ([link, wanted, gone]) => {
    // A tool may be withdrawn between the list and the call, with the route it belonged to: the browser then says so.
    const ask = (name) => T.call(name).catch((error) => (/not found/i.test(error.message) ? { missing: name } : Promise.reject(error)));
    const answers = async () => {
      let all = '';
      for (const name of await T.names()) all += `${name} ${JSON.stringify(await ask(name))}\n`;
      return all;
    };
    globalThis.same = true;
    const { href } = location;
    if (link) document.querySelector(link).click();
    else history.back();
    // At once when the page itself is another one: later the tools would have been replaced anyway.
    const shown = () => [...document.querySelectorAll('main, #root')].filter((element) => element.checkVisibility()).map((element) => element.innerText);
    const left = () => location.href === href || new RegExp(gone).test(shown());
    for (let i = 0; left() && i < 5000; i++) await T.sleep(1);
    const first = await answers();
    await T.until(async () => new RegExp(wanted).test(await answers()) && !/unknown-tool/.test(await answers()), 20_000);
    return { first, last: await answers(), names: (await T.names()).join(), same };
  }, [link, wanted, gone.source]);
  assert.match(seen.last, new RegExp(wanted), link);
  assert.doesNotMatch(seen.first, gone, link);
  assert.doesNotMatch(seen.last, gone, link);
  assert.ok(seen.same, 'the document is still the same');
  return seen.names;
}

describe('frameworks', { skip: refusal }, () => {
  before(() => {
    // The package as npm would install it.
    const own = join(folder, 'node_modules/agenticschema');
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own);
    cpSync(join(root, 'package.json'), join(own, 'package.json'));
    cpSync(join(root, 'dist'), join(own, 'dist'), { recursive: true });
    for (const app of ['next', 'vite']) {
      for (const file of app === 'next' ? ['app', 'public'] : ['']) rmSync(join(folder, app, file), { recursive: true, force: true });
      cpSync(join(root, 'tests/apart/frameworks', app), join(folder, app), { recursive: true });
      for (const file of ['agenticschema.js', 'agenticschema.nowasm.js']) cpSync(join(root, 'dist', file), join(folder, app, 'public', file));
    }
  });

  // Today's default, and what the next major version makes the default: routes that were left stay in the document, hidden.
  for (const keep of ['no', 'yes']) describe(`Next.js${keep === 'yes' ? ' that keeps routes' : ''}`, () => {
    let server, origin;
    before(async () => {
      const cwd = join(folder, 'next'), next = join(folder, 'node_modules/next/dist/bin/next');
      const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', KEEP_ROUTES: keep };
      try {
        execFileSync(process.execPath, [next, 'build'], { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
      } catch (error) {
        assert.fail(`next build: ${error.stdout}\n${error.stderr}`);
      }
      const port = await freePort();
      server = spawn(process.execPath, [next, 'start', '--port', `${port}`], { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
      await new Promise((done, failed) => {
        server.stdout.on('data', (text) => /Ready/.test(text) && done());
        server.on('exit', (code) => failed(new Error(`next start ended with ${code}`)));
      });
      origin = `http://localhost:${port}`;
    });
    after(() => server?.kill());

    for (const mode of MODES) describe(mode, () => {
      let s;
      before(async () => { s = await stage(mode); });
      after(() => s.close());

      for (const when of keep === 'yes' || mode === 'polyfill' ? ['afterInteractive'] : ['beforeInteractive', 'afterInteractive', 'lazyOnload']) test(`next/script, ${when}: tools follow the routes`, async () => {
        const page = await s.visit(`${origin}/${when}/lamp`);
        assert.ok(await page.evaluate(() => T.until(async () => globalThis.agenticschema && (await T.names()).includes('get_product'), 10_000)));
        assert.match(JSON.stringify(await page.evaluate(() => T.call('get_product'))), /Desk Lamp.*10/);
        assert.equal(await go(page, '#to-fair', 'Lamp Fair.*2031-05-05', /Desk Lamp/), 'get_event');
        assert.equal(await go(page, '#to-soup', 'Onion Soup', /Lamp Fair/), 'get_recipe');
        assert.equal(await go(page, undefined, 'Lamp Fair.*2031-05-05', /Onion Soup/), 'get_event');
        assert.match(await go(page, '#to-lamp', 'Desk Lamp', /Lamp Fair/), /^get_product\b/);
        assert.equal(await go(page, '#to-plain', '^$', /Desk Lamp|Lamp Fair/), '');
        quiet(page);
      });

      test('a page that is streamed, loaded directly', async () => {
        const page = await s.visit(`${origin}/beforeInteractive/soup`);
        assert.ok(await page.evaluate(() => T.until(async () => (await T.names()).includes('get_recipe'), 10_000)));
        assert.match(JSON.stringify(await page.evaluate(() => T.call('get_recipe'))), /6 onions/);
        quiet(page);
      });

      test('the package: nothing on the server, tools in the browser', async () => {
        const page = await s.visit(`${origin}/module`);
        assert.equal(await page.evaluate(() => document.documentElement.dataset.server), `${version} function 0 no-webmcp-surface`);
        assert.ok(await page.evaluate(() => T.until(async () => document.modelContext && (await T.names()).includes('get_product'), 10_000)));
        assert.equal((await page.evaluate(() => T.call('get_product'))).name, 'Desk Lamp');
        quiet(page);
      });
    });
  });

  describe('Vite and React', () => {
    let vite, pages;
    before(async () => {
      process.env.NODE_ENV = 'production';
      const modules = (name) => import(pathToFileURL(join(folder, 'node_modules', name)));
      const { build, createServer: serve } = await modules('vite/dist/node/index.js');
      const { default: react } = await modules('@vitejs/plugin-react/dist/index.js');
      const config = { root: join(folder, 'vite'), configFile: false, plugins: [react()], logLevel: 'error' };
      await build({ ...config, build: { rollupOptions: { input: ['index', 'tag'].map((name) => join(folder, 'vite', `${name}.html`)) } } });
      pages = files(join(folder, 'vite/dist'), '');
      process.env.NODE_ENV = 'development';
      vite = await serve({ ...config, mode: 'development', server: { port: 0, host: 'localhost' }, cacheDir: join(folder, 'vite/cache') });
      await vite.listen();
    });
    after(() => vite?.close());

    for (const mode of MODES) describe(mode, () => {
      let s;
      before(async () => { s = await stage(mode); });
      after(() => s.close());

      /** What has to be seen in each of the three: the package built, the tag, and the package in the development server. */
      async function tour(page) {
        assert.ok(await page.evaluate(() => T.until(() => document.modelContext && document.querySelector('#to-lamp'), 10_000)));
        assert.deepEqual(await page.evaluate(() => T.names()), []);
        assert.match(await go(page, '#to-lamp', 'Desk Lamp', /Lamp Fair/), /^get_product\b/);
        assert.equal(await go(page, '#to-fair', 'Lamp Fair.*2031-05-05', /Desk Lamp/), 'get_event');
        assert.match(await go(page, '#to-picker', 'Floor Lamp.*10', /Lamp Fair/), /^get_product\b/);
        await page.evaluate(() => document.querySelector('#large').click());
        assert.match(JSON.stringify(await page.evaluate(() => T.call('get_product'))), /15/);
        assert.equal(await go(page, undefined, 'Lamp Fair', /Floor Lamp/), 'get_event');
        assert.equal(page.url().endsWith('/fair'), true);

        // Routes that React keeps in the document, hidden.
        assert.match(await go(page, '#to-kept-lamp', 'Desk Lamp', /Lamp Fair/), /^get_product\b/);
        assert.equal(await go(page, '#to-kept-fair', 'Lamp Fair', /Desk Lamp/), 'get_event');
        assert.ok(await page.evaluate(() => /Desk Lamp/.test(document.querySelector('[style*=none] script').text)), 'it is kept');
        assert.match(await go(page, undefined, 'Desk Lamp', /Lamp Fair/), /^get_product\b/);

        // Content that it hides while a part of it waits, and shows again by nothing but a style.
        assert.equal(await go(page, '#to-pause', 'Lamp Fair', /Desk Lamp/), 'get_event');
        const names = await page.evaluate(async () => {
          document.querySelector('#wait').click();
          await T.until(() => document.querySelector('#waiting'));
          document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Recipe', name: 'Soup' }, 'recipe'));
          await T.until(async () => (await T.names()).includes('get_recipe'));
          const waiting = (await T.names()).join();
          resume();
          await T.until(async () => (await T.names()).includes('get_event'));
          return [waiting, (await T.names()).join()];
        });
        assert.deepEqual(names, ['get_recipe', 'get_event,get_recipe']);
        quiet(page);
      }

      test('the package, built', async () => {
        await tour(await s.show(pages['/index.html'].body.toString(), { tag: '', pages }));
      });
      test('the tag in index.html', async () => {
        await tour(await s.show(pages['/tag.html'].body.toString(), { tag: '', pages }));
      });
      test('the package in the development server, mounted twice by strict mode', async () => {
        await tour(await s.visit(vite.resolvedUrls.local[0]));
      });
    });
  });
});

const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };

/** The files of a folder, by their addresses. */
function files(folder, path) {
  return Object.assign({}, ...readdirSync(join(folder, path), { withFileTypes: true }).map((entry) => {
    const name = `${path}/${entry.name}`;
    return entry.isDirectory() ? files(folder, name) : { [name]: { body: readFileSync(join(folder, name)), headers: { 'content-type': TYPES[extname(name)] ?? 'application/octet-stream' } } };
  }));
}
