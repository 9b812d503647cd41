// What the tag does on pages over time, and beside other scripts that register tools.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { lamp, ld, MODES, stage } from './lib.mjs';

const SHOP = { '@type': 'WebSite', url: '/', potentialAction: { '@type': 'SearchAction', target: '/search?q={q}', 'query-input': 'required name=q' } };
const FAIR = { '@type': 'Event', name: 'Fair', startDate: '2030-01-01' };

const product = (inner, more = '') => `<div itemscope itemtype="https://schema.org/Product" id="item"${more}><b itemprop="name">Desk Lamp</b>${inner}</div>`;
const rdfa = (inner, more = 'vocab="https://schema.org/"') => `<div ${more} id="item" typeof="Product"><b property="name">Desk Lamp</b>${inner}</div>`;

/** Attributes that have a say in answers: a page, what is set on its `#x`, and what a call right after says. */
const ATTRIBUTES = [
  ['content', product('<meta itemprop="color" content="green" id="x">'), 'petrol', 'petrol'],
  ['href', product('<a itemprop="url" href="/a" id="x"></a>'), '/petrol', '/petrol'],
  ['src', product('<source itemprop="url" src="/a" id="x">'), '/petrol', '/petrol'],
  ['datetime', product('<time itemprop="releaseDate" datetime="2030-01-01" id="x"></time>'), '2031-05-05', '2031-05-05'],
  ['value', product('<data itemprop="sku" value="A1" id="x"></data>'), 'B22', 'B22'],
  ['data', product('<object itemprop="url" data="/" id="x"></object>'), '/?petrol', '/.petrol'],
  ['itemprop', product('<b itemprop="color" id="x">petrol</b>'), 'material', '"material":"petrol"'],
  ['itemid', product('<b itemprop="brand" itemscope itemtype="https://schema.org/Brand" itemid="/a" id="x"></b>'), '/petrol', '/petrol'],
  ['itemtype', product('<b itemprop="color">petrol</b>').replace('id="item"', 'id="x"'), 'https://schema.org/Car', 'Car'],
  ['itemref', product('').replace('id="item"', 'id="x"') + '<b itemprop="color" id="more">petrol</b>', 'more', 'petrol'],
  ['itemscope', product('<b itemprop="brand" itemtype="https://schema.org/Brand" id="x">Old<i itemprop="name">Petrol</i></b>'), '', '"name":"Desk Lamp"'],
  ['property', rdfa('<b property="color" id="x">petrol</b>'), 'material', '"material":"petrol"'],
  ['resource', rdfa('<b property="url" resource="/a" id="x"></b>'), '/petrol', '/petrol'],
  ['about', rdfa('<b property="color">petrol</b>').replace('id="item"', 'id="x" about="#one"') + '<p about="#two" vocab="https://schema.org/" property="material">oak</p>', '#two', 'oak'],
  ['typeof', rdfa('<b property="color">petrol</b>').replace('id="item"', 'id="x"'), 'Car', 'Car'],
  ['vocab', rdfa('<b property="color" id="x" vocab="https://other.example/">petrol</b>'), 'https://schema.org/', 'petrol'],
  ['prefix', rdfa('<i prefix="s: https://other.example/" id="x"><b property="s:color">petrol</b></i>'), 's: https://schema.org/', 'petrol'],
  ['rel', rdfa('<a rel="nofollow" href="/petrol" id="x"></a>'), 'url', '/petrol'],
  ['lang', product('').replace('id="item"', 'id="item" lang="en"') + '<p id="x"></p>', 'fr', 'Desk Lamp'],
];

for (const mode of MODES) describe(mode, () => {
  let s;
  // Playwright turns the back/forward cache off; visitors have it.
  before(async () => { s = await stage(mode, { without: ['--disable-back-forward-cache'] }); });
  after(() => s.close());
  const quiet = (page) => assert.deepEqual(page.errors, []);

  describe('following', () => {
    test('irrelevant changes: the page is not read for each of them', async () => {
      const page = await s.show(ld(lamp()) + '<div id="feed"></div>', {
        // Each reading asks the document for its markup, by the method that was there when the tag came.
        init: () => {
          const { querySelectorAll } = Document.prototype;
          globalThis.readings = 0;
          Document.prototype.querySelectorAll = function (selector) {
            if (/ld\+json/.test(selector)) globalThis.readings++;
            return querySelectorAll.call(this, selector);
          };
        },
      });
      const readings = await page.evaluate(async () => {
        const before = globalThis.readings;
        for (let i = 0; i < 200; i++) {
          for (let n = 0; n < 10; n++) document.querySelector('#feed').append(document.createElement('p'));
          await T.sleep(10);
        }
        await T.sleep(600);
        return [before, globalThis.readings - before];
      });
      assert.ok(readings[0] > 0);
      assert.ok(readings[1] <= 10, `${readings[1]} readings for 200 times ten changes in two seconds`);
      quiet(page);
    });

    test('a steady stream of relevant changes is read while it lasts', async () => {
      const page = await s.show(ld(lamp()));
      const seen = await page.evaluate(async () => {
        const from = performance.now();
        let n = 0, first;
        document.body.insertAdjacentHTML('beforeend', T.ld({ '@type': 'Event', name: 'Fair' }, 'e'));
        while (performance.now() - from < 3000) {
          document.querySelector('#ld').text = document.querySelector('#ld').text.replace(/Desk Lamp \d*|Desk Lamp/, `Desk Lamp ${n++}`);
          if (!first && (await T.names()).includes('get_event')) first = performance.now() - from;
          await T.sleep(20);
        }
        return first;
      });
      // Four times debounceMs, and what the machine takes.
      assert.ok(seen < 2000, `${seen} ms`);
      quiet(page);
    });

    test('a flood: what comes in it is seen while it lasts, and soon after it', async () => {
      const page = await s.show('<div id="feed"></div>');
      const seen = await page.evaluate(async () => {
        /** When its markup comes and when the tool is listed, in a flood of `ms` milliseconds. */
        const wait = async (type, tool, ms) => {
          const begin = performance.now(), past = () => performance.now() - begin;
          let came, listed;
          while (!listed && past() < ms + 9000) {
            if (past() < ms) for (let n = 0; n < 10; n++) document.querySelector('#feed').append(document.createElement('p'));
            if (!came && past() > 1000) {
              came = past();
              document.head.insertAdjacentHTML('beforeend', T.ld({ '@type': type, name: 'Fair' }, type));
            }
            await T.sleep(10);
            if ((await T.names()).includes(tool)) listed = past();
          }
          return { came, listed };
        };
        return [await wait('Event', 'get_event', 9000), await wait('Recipe', 'get_recipe', 1200)];
      });
      // Sixteen and six times debounceMs, and what the machine takes.
      assert.ok(seen[0].listed - seen[0].came < 6500, JSON.stringify(seen));
      assert.ok(seen[1].listed - 1200 < 3000, JSON.stringify(seen));
      quiet(page);
    });

    test('only what is added or removed is registered or withdrawn, one event each', async () => {
      const page = await s.show(ld(lamp()) + ld(SHOP, 's'));
      const seen = await page.evaluate(async (fair) => {
        let events = 0;
        document.modelContext.addEventListener('toolchange', () => events++);
        const out = [];
        // What the listing has of each tool, annotations in one order.
        const list = async () => (await document.modelContext.getTools()).map(({ name, title, description, inputSchema, annotations }) => JSON.stringify([name, title, description, inputSchema, annotations]));
        const step = async (work, done) => {
          const before = await list();
          events = 0;
          work();
          await T.until(done);
          await T.sleep(400);
          const now = await list();
          const gone = before.filter((tool) => !now.includes(tool)).length, come = now.filter((tool) => !before.includes(tool)).length;
          out.push([events - gone - come, gone + come > 0, now.length > come]);
        };
        await step(() => document.body.insertAdjacentHTML('beforeend', fair), async () => (await T.names()).includes('get_event'));
        await step(() => document.querySelector('#e').remove(), async () => !(await T.names()).includes('get_event'));
        return out;
      }, ld(FAIR, 'e'));
      assert.deepEqual(seen, [[0, true, true], [0, true, true]]);
      quiet(page);
    });

    for (const [name, html, value, wanted] of ATTRIBUTES) test(`the attribute ${name} is followed`, async () => {
      const page = await s.show(html);
      const all = async () => page.evaluate(async () => {
        let all = '';
        for (const name of await T.names()) all += JSON.stringify(await T.call(name, name.startsWith('get_product') ? { section: 'all' } : {})) + JSON.stringify(await T.call(name));
        return all;
      });
      if (name !== 'lang') assert.doesNotMatch(await all(), new RegExp(wanted));
      await page.evaluate(([name, value]) => document.querySelector('#x').setAttribute(name, value), [name, value]);
      if (/type/.test(name)) await page.waitForTimeout(600); // another type is another tool
      assert.match(await all(), new RegExp(wanted));
      quiet(page);
    });

    test('readings wait for an idle moment', async () => {
      const page = await s.show(ld(lamp()), {
        init: () => {
          const { requestIdleCallback } = window;
          globalThis.asked = globalThis.waiting = 0;
          // The browser is busy until the test says so.
          window.requestIdleCallback = (work, options) => (asked++, (globalThis.work = work), requestIdleCallback(() => {}, options));
        },
      });
      const seen = await page.evaluate(async (html) => {
        document.body.insertAdjacentHTML('beforeend', html);
        await T.until(() => globalThis.asked, 2000);
        await T.sleep(300);
        const before = (await T.names()).includes('get_event');
        work();
        return [asked, before, await T.until(async () => (await T.names()).includes('get_event'))];
      }, ld(FAIR, 'e'));
      assert.deepEqual(seen, [1, false, true]);
      quiet(page);
    });

    test('a call in a hidden tab is answered from the page as it is', async () => {
      const page = await s.show(ld(lamp()));
      const answer = await page.evaluate(async () => {
        Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
        document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Desk', 'Floor');
        await T.sleep(600);
        return T.call('get_product');
      });
      assert.equal(answer.name, 'Floor Lamp');
      quiet(page);
    });

    for (const [what, init, move] of [
      ['pushState', undefined, () => history.pushState({}, '', '/next')],
      ['replaceState', undefined, () => history.replaceState({}, '', '/next')],
      ['a hash route', undefined, () => { location.hash = '#/next'; }],
      ['pushState without the Navigation API', () => delete window.navigation, () => history.pushState({}, '', '/next')],
      ['replaceState without the Navigation API', () => delete window.navigation, () => history.replaceState({}, '', '/next')],
      ['a hash route without the Navigation API', () => delete window.navigation, () => { location.hash = '#/next'; }],
    ]) test(`route: ${what} ends what the old one was doing`, async () => {
      const page = await s.show(ld(lamp()) + ld(SHOP, 's'), { init, pages: { '/search': () => null } });
      const seen = await page.evaluate(async (source) => {
        let sent;
        const { fetch } = window;
        window.fetch = (...args) => ((sent = true), fetch(...args));
        const pending = T.call('search_web_site', { q: 'x' });
        await T.until(() => sent);
        (0, eval)(`(${source})`)();
        const from = performance.now(), { code } = await pending;
        return [code, performance.now() - from < 1000];
      }, `${move}`);
      assert.deepEqual(seen, ['aborted', true]);
      quiet(page);
    });

    test('route: back and forward', async () => {
      for (const init of [undefined, () => delete window.navigation]) {
        const page = await s.show(ld(lamp()), { init });
        const seen = await page.evaluate(async () => {
          addEventListener('popstate', () => { document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Floor', 'Desk'); });
          history.pushState({}, '', '/next');
          document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Desk', 'Floor');
          const there = (await T.call('get_product')).name;
          history.back();
          await T.until(() => location.pathname === '/');
          return [there, (await T.call('get_product')).name];
        });
        assert.deepEqual(seen, ['Floor Lamp', 'Desk Lamp']);
        quiet(page);
      }
    });

    test('back/forward cache: the page is kept in it, and its tools are there and right afterwards', async () => {
      const page = await s.show(ld(lamp()), { pages: { '/away': '<title>away</title>' } });
      await page.evaluate(() => {
        addEventListener('pageshow', ({ persisted }) => { globalThis.persisted = persisted; });
        // A change that no observer sees: while the page sleeps its own listeners are the first to run.
        addEventListener('pagehide', () => { document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Desk', 'Floor'); });
      });
      await page.goto(`${s.origin}/away`);
      await page.evaluate(() => setTimeout(() => history.back(), 20));
      await page.waitForURL(`${s.origin}/`, { waitUntil: 'commit' });
      assert.ok(await page.evaluate(() => T.until(() => globalThis.persisted !== undefined)));
      assert.equal(await page.evaluate(() => persisted), true);
      assert.equal((await page.evaluate(() => T.call('get_product'))).name, 'Floor Lamp');
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), ld(FAIR, 'e'));
      assert.ok(await page.evaluate(() => T.until(async () => (await T.names()).includes('get_event'))));
      quiet(page);
    });

    test('shadow trees and frames are not of the document', async () => {
      const page = await s.show(ld(lamp()) + '<div id="host"></div><iframe id="frame"></iframe>');
      const names = await page.evaluate(async (html) => {
        const before = (await T.names()).join();
        document.querySelector('#host').attachShadow({ mode: 'open' }).innerHTML = html + '<div itemscope itemtype="https://schema.org/Event"><b itemprop="name">Fair</b></div>';
        document.querySelector('#frame').contentDocument.body.innerHTML = html;
        await T.sleep(500);
        return [before, (await T.names()).join(), JSON.stringify(await T.call('get_product'))];
      }, ld(FAIR, 'e'));
      assert.equal(names[1], names[0]);
      assert.doesNotMatch(names[2], /Fair/);
      quiet(page);
    });
  });

  describe('coexistence', () => {
    const own = (name) => `document.modelContext.registerTool({ name: '${name}', description: 'mine', execute: async () => ({ mine: '${name}' }) })`;

    test('a tool that the page registers later gets its name, and ours another', async () => {
      const page = await s.show(ld(lamp()));
      const seen = await page.evaluate(async (code) => {
        await (0, eval)(code);
        return [await T.names(), await T.call('get_product'), (await T.call('get_product_2')).name];
      }, own('get_product'));
      assert.ok(['get_product', 'get_product_2'].every((name) => seen[0].includes(name)), seen[0]);
      assert.deepEqual(seen.slice(1), [{ mine: 'get_product' }, 'Desk Lamp']);
      // It keeps both while the page goes on, and takes only its own back.
      await page.evaluate(() => { document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Desk', 'Floor'); });
      assert.equal((await page.evaluate(() => T.call('get_product_2'))).name, 'Floor Lamp');
      assert.deepEqual(await page.evaluate(async () => ((await agenticschema.ready).stop(), T.names())), ['get_product']);
      quiet(page);
    });

    test('a search tool that the page registers later is the only one', async () => {
      const page = await s.show(ld(lamp()) + ld(SHOP, 's'));
      const seen = await page.evaluate(async (code) => {
        const before = await T.names();
        await (0, eval)(code);
        document.body.append(document.createElement('search'));
        await (await agenticschema.ready).refresh();
        return [before.filter((name) => /search/.test(name)), (await T.names()).filter((name) => /search/.test(name)), (await agenticschema.ready).diagnostics().filter(({ message }) => /of its own/.test(message)).length];
      }, own('search_catalog'));
      assert.deepEqual(seen, [['search_web_site'], ['search_catalog'], 1]);
      quiet(page);
    });

    test('a form that declares a name of ours later gets it', async () => {
      const page = await s.show(ld(lamp()));
      const seen = await page.evaluate(async () => {
        document.body.insertAdjacentHTML('beforeend', '<form toolname="get_product" tooldescription="mine"><input name="size"></form>');
        const both = await T.until(async () => (await T.names()).includes('get_product_2'));
        const form = await T.until(async () => (await document.modelContext.getTools()).some(({ name, description }) => name === 'get_product' && description === 'mine'));
        return [both, form, (await T.call('get_product_2')).name];
      });
      assert.deepEqual(seen, [true, true, 'Desk Lamp']);
      quiet(page);
    });

    test('registerTool is wrapped while we have tools, and restored only if it is still ours', async () => {
      const page = await s.show('<p>nothing</p>');
      const seen = await page.evaluate(async (html) => {
        const context = document.modelContext, own = () => Object.hasOwn(context, 'registerTool');
        const out = [own()];
        document.body.insertAdjacentHTML('beforeend', html);
        await T.until(async () => (await T.names()).length);
        out.push(own(), Object.keys(context).length);
        (await agenticschema.ready).stop();
        out.push(own());
        const again = await agenticschema.start(), inner = context.registerTool;
        let n = 0;
        context.registerTool = function (...args) { n++; return inner.apply(this, args); };
        again.stop();
        await context.registerTool({ name: 'x', description: 'd', execute: async () => 1 });
        return [...out, n, await T.names()];
      }, ld(lamp()));
      assert.deepEqual(seen, [false, true, 0, false, 1, ['x']]);
      quiet(page);
    });

    test('what the page registers wrongly is refused as without us', async () => {
      const page = await s.show(ld(lamp()));
      const seen = await page.evaluate(async () => {
        const out = [];
        for (const tool of [undefined, {}, { name: 'a', description: '' }, { get name() { throw new TypeError('own'); } }, { name: Symbol('a') }]) {
          try {
            await document.modelContext.registerTool(tool);
            out.push('ok');
          } catch (error) {
            out.push(error.name);
          }
        }
        try {
          await document.modelContext.registerTool.call({}, { name: 'a', description: 'd', execute() {} });
        } catch (error) {
          out.push(error.name);
        }
        return [out, (await T.names()).includes('get_product')];
      });
      assert.deepEqual(seen[0].map((name) => /Error$/.test(name)), seen[0].map(() => true));
      assert.ok(seen[1]);
      quiet(page);
    });

    // An older script of the same kind: the same global, the same names, everything registered anew at each change.
    const RIVAL = `(() => {
      let controller;
      const run = () => {
        controller?.abort();
        controller = new AbortController();
        const context = document.modelContext ?? navigator.modelContext;
        for (const name of ['get_product', 'get_event', 'search_web_site']) {
          try {
            context?.registerTool({ name, description: 'old', inputSchema: { type: 'object', properties: {} }, annotations: { readOnlyHint: true }, execute: async () => ({ content: [{ type: 'text', text: 'old' }] }) }, { signal: controller.signal })?.catch?.(() => {});
          } catch {}
        }
      };
      const { pushState } = history;
      history.pushState = function (...args) { pushState.apply(this, args); run(); };
      const handle = { tools: () => [], diagnostics: () => [], refresh: async () => run(), stop: () => controller?.abort() };
      window.agenticschema = { start: async () => handle, ready: Promise.resolve(handle) };
      const go = () => { run(); new MutationObserver(run).observe(document.documentElement, { childList: true, subtree: true }); };
      if (document.readyState === 'loading') addEventListener('DOMContentLoaded', go); else go();
    })();`;
    for (const order of ['before', 'after']) test(`an older copy of another make, ${order} ours`, async () => {
      const pages = { '/old.js': { body: RIVAL, headers: { 'content-type': 'text/javascript' } } };
      const tags = ['<script src="/old.js"></script>', '<script src="/agenticschema.js"></script>'];
      const page = await s.show(ld(lamp()) + ld(SHOP, 's'), { tag: (order === 'before' ? tags : tags.reverse()).join(''), pages });
      const ours = async (wanted) => page.evaluate(async (wanted) => {
        const find = async () => {
          for (const name of await T.names()) if (new RegExp(wanted).test(JSON.stringify(await T.call(name)))) return name;
        };
        await T.until(find);
        return find();
      }, wanted);
      assert.match(await ours('Desk Lamp'), /^get_product(_2)?$/);
      await page.evaluate(() => { document.querySelector('#ld').text = document.querySelector('#ld').text.replace('Desk', 'Floor'); history.pushState({}, '', '/next'); });
      assert.match(await ours('Floor Lamp'), /^get_product(_2)?$/);
      await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), ld(FAIR, 'e'));
      assert.match(await ours('2030-01-01'), /^get_event(_2)?$/);
      quiet(page);
    });
  });
});
