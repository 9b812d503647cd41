// The tag on pages as platforms and libraries make them: WordPress with Yoast's graph, a tag manager's container, jQuery,
// libraries that replace built-ins, zone.js, @mcp-b/global. The libraries are those of the npm registry.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apart } from '../../scripts/setup/apart.mjs';
import { lamp, ld, MODES, stage } from './lib.mjs';

let modules, refusal;
try {
  modules = join(await apart('frameworks'), 'node_modules');
} catch (error) {
  refusal = `the libraries cannot be had: ${error.message}`;
  console.log(refusal);
}
const library = (file) => ({ body: readFileSync(join(modules, file)), headers: { 'content-type': 'text/javascript' } });
const script = (body) => ({ body, headers: { 'content-type': 'text/javascript' } });
const TAG = '<script src="/agenticschema.js" defer></script>';
const FAIR = { '@type': 'Event', name: 'Lamp Fair', startDate: '2031-05-05' };

describe('platforms', { skip: refusal }, () => {
  for (const mode of MODES) describe(mode, () => {
    let s;
    before(async () => { s = await stage(mode); });
    after(() => s.close());
    const quiet = (page, lines = []) => assert.deepEqual(page.errors, lines);
    /** Waits for tools with this in an answer; returns all answers. */
    const until = (page, wanted) => page.evaluate(async (wanted) => {
      const answers = async () => {
        let all = '';
        if (document.modelContext) for (const name of await T.names()) all += `${name} ${JSON.stringify(await T.call(name))}\n`;
        return all;
      };
      await T.until(async () => new RegExp(wanted).test(await answers()), 6000);
      return answers();
    }, wanted);

    describe('WordPress', () => {
      const post = (slug, title, author) => {
        const at = `https://blog.example/${slug}/`;
        return `<script type="application/ld+json" class="yoast-schema-graph">${JSON.stringify({
          '@context': 'https://schema.org',
          '@graph': [
            { '@type': 'Article', '@id': `${at}#article`, isPartOf: { '@id': at }, author: { name: author, '@id': 'https://blog.example/#/schema/person/1' }, headline: title, datePublished: '2030-02-03T08:00:00+00:00', wordCount: 700, publisher: { '@id': 'https://blog.example/#organization' }, image: { '@id': `${at}#primaryimage` }, articleSection: ['Lamps'], inLanguage: 'en-US' },
            { '@type': 'WebPage', '@id': at, url: at, name: `${title} - The Lamp Blog`, isPartOf: { '@id': 'https://blog.example/#website' }, primaryImageOfPage: { '@id': `${at}#primaryimage` }, breadcrumb: { '@id': `${at}#breadcrumb` }, potentialAction: [{ '@type': 'ReadAction', target: [at] }] },
            { '@type': 'ImageObject', '@id': `${at}#primaryimage`, url: 'https://blog.example/a.jpg', contentUrl: 'https://blog.example/a.jpg', width: 1200, height: 630 },
            { '@type': 'BreadcrumbList', '@id': `${at}#breadcrumb`, itemListElement: [{ '@type': 'ListItem', position: 1, name: 'Home', item: 'https://blog.example/' }, { '@type': 'ListItem', position: 2, name: title }] },
            { '@type': 'WebSite', '@id': 'https://blog.example/#website', url: '/', name: 'The Lamp Blog', publisher: { '@id': 'https://blog.example/#organization' }, potentialAction: [{ '@type': 'SearchAction', target: { '@type': 'EntryPoint', urlTemplate: '/?s={search_term_string}' }, 'query-input': { '@type': 'PropertyValueSpecification', valueRequired: true, valueName: 'search_term_string' } }] },
            { '@type': 'Organization', '@id': 'https://blog.example/#organization', name: 'The Lamp Blog', url: 'https://blog.example/' },
            { '@type': 'Person', '@id': 'https://blog.example/#/schema/person/1', name: author },
          ],
        })}</script>`;
      };
      const body = (slug, title, author) => `<article id="post-7" class="post type-post hentry"><h1 class="entry-title">${title}</h1><div class="entry-content"><p>Words about lamps.</p></div></article>`;
      const page = (tag) => `<!doctype html><html lang="en-US" prefix="og: https://ogp.me/ns#"><head><meta charset="UTF-8">
        <title>Seven lamps - The Lamp Blog</title><meta property="og:type" content="article"><meta property="og:title" content="Seven lamps">
        ${post('seven', 'Seven lamps', 'A. Writer')}
        <script>window._wpemojiSettings = { source: { concatemoji: '/emoji.js' } }; document.documentElement.classList.add('js');</script>
        <script src="/jquery.js" id="jquery-core-js"></script>${tag}
        <script type="importmap">{"imports":{"@wordpress/interactivity":"/interactivity.js"}}</script></head>
        <body class="post-template-default single single-post logged-in admin-bar">
        <form role="search" method="get" class="search-form" action="/"><label>Search <input type="search" class="search-field" name="s"></label><input type="submit" value="Search"></form>
        <main id="main">${body('seven', 'Seven lamps', 'A. Writer')}</main>
        <form action="/wp-comments-post.php" method="post" id="commentform" class="comment-form"><textarea id="comment" name="comment"></textarea><input id="author" name="author"><input type="submit" id="submit" name="submit" value="Post"><input type="hidden" name="comment_post_ID" value="7"></form>
        <script type="speculationrules">{"prefetch":[{"source":"document","where":{"href_matches":"/*"},"eagerness":"conservative"}]}</script>
        <script>jQuery(function ($) { $('#more').on('click', function () { $.get('/eight', function (html) { var next = $(html); $('#main').append(next.filter('article')); $('head .yoast-schema-graph').replaceWith(next.filter('.yoast-schema-graph')); history.pushState(null, '', '/eight/'); }); }); });</script>
        <a id="more">Next post</a></body></html>`;
      const pages = () => ({
        '/jquery.js': library('jquery/dist/jquery.min.js'), '/interactivity.js': script(''),
        '/?s=oak': `<title>You searched for oak</title><main><article><h2 class="entry-title"><a href="/oak/">Oak lamps</a></h2></article></main>`,
        '/eight': post('eight', 'Eight lamps', 'B. Writer') + body('eight', 'Eight lamps', 'B. Writer'),
      });

      for (const tag of [
        '<script id="agenticschema-js" src="/agenticschema.js?ver=0.1.0" defer data-wp-strategy="defer"></script>',
        '<script id="agenticschema-js" src="/agenticschema.js?ver=0.1.0" async data-cfasync="false" data-no-optimize="1" data-max-tools="9"></script>',
      ]) test(`Yoast's graph: ${tag}`, async () => {
        const shown = await s.show(page(tag), { tag, pages: pages() });
        const first = await until(shown, 'A\\. Writer');
        assert.match(first, /^get_article .*Seven lamps.*A\. Writer/m);
        assert.match(first, /2030-02-03/);
        const names = await shown.evaluate(() => T.names());
        assert.ok(names.length <= 3 && names.filter((name) => /search/.test(name)).length === 1, names.join());
        const search = names.find((name) => /search/.test(name));
        assert.match(JSON.stringify(await shown.evaluate((name) => T.call(name, { search_term_string: 'oak', q: 'oak', s: 'oak' }).then(async (answer) => (answer.error ? T.call(name, { search_term_string: 'oak' }) : answer)), search)), /Oak lamps/);
        await shown.evaluate(() => jQuery('#more').trigger('click'));
        const second = await until(shown, 'B\\. Writer');
        assert.match(second, /^get_article .*Eight lamps/m);
        assert.doesNotMatch(second, /Seven lamps|A\. Writer/);
        quiet(shown);
      });

      test('an optimiser that holds scripts back until somebody moves', async () => {
        const held = '<script type="text/plain" data-held="/agenticschema.js" data-max-tools="1"></script>';
        const go = `<script>addEventListener('pointermove', () => { for (const old of document.querySelectorAll('script[data-held]')) { const script = document.createElement('script'); for (const { name, value } of old.attributes) if (name !== 'type') script.setAttribute(name === 'data-held' ? 'src' : name, value); old.replaceWith(script); } }, { once: true });</script>`;
        const shown = await s.show(page(held + go), { tag: held, pages: pages() });
        assert.equal(await shown.evaluate(() => typeof agenticschema), 'undefined');
        await shown.evaluate(() => dispatchEvent(new PointerEvent('pointermove')));
        assert.match(await until(shown, 'A\\. Writer'), /^get_article /);
        assert.equal((await shown.evaluate(() => T.names())).length, 1);
        quiet(shown);
      });
    });

    describe('a tag manager', () => {
      // What a container does: its own queue, wrapped history, and custom HTML made anew element by element, without the
      // attributes that it does not know.
      const container = (tags) => script(`(function () {
        var queue = window.dataLayer = window.dataLayer || [], push = queue.push, known = ['type', 'src', 'async', 'defer', 'charset', 'id', 'text'], tags = ${JSON.stringify(tags)};
        var fire = function (event) { tags.forEach(function (tag) { if (tag.on === event) setTimeout(function () { inject(tag.html); }, tag.after || 0); }); };
        var inject = function (html) {
          var holder = document.createElement('div');
          holder.innerHTML = html;
          Array.prototype.slice.call(holder.childNodes).forEach(function (node) {
            if (node.nodeName !== 'SCRIPT') return document.body.appendChild(node);
            var script = document.createElement('script');
            known.forEach(function (name) { if (node.getAttribute(name) !== null) script.setAttribute(name, node.getAttribute(name)); });
            script.text = node.text;
            document.body.insertBefore(script, document.body.firstChild);
          });
        };
        queue.push = function () {
          var result = push.apply(queue, arguments);
          for (var i = 0; i < arguments.length; i++) fire(arguments[i].event);
          return result;
        };
        ['pushState', 'replaceState'].forEach(function (name) {
          var original = history[name];
          history[name] = function () { var result = original.apply(history, arguments); queue.push({ event: 'gtm.historyChange' }); return result; };
        });
        window.google_tag_manager = { 'GTM-TEST': { dataLayer: queue } };
        queue.slice().forEach(function (entry) { fire(entry.event); });
      })();`);
      const SNIPPET = "<script>(function(w,d,s,l,i){w[l]=w[l]||[];w[l].push({'gtm.start':new Date().getTime(),event:'gtm.js'});var f=d.getElementsByTagName(s)[0],j=d.createElement(s);j.async=true;j.src='/gtm.js?id='+i;f.parentNode.insertBefore(j,f);})(window,document,'script','dataLayer','GTM-TEST');</script>";
      const made = "<script>var tag = document.createElement('script'); tag.src = '/agenticschema.js'; tag.setAttribute('data-max-tools', '1'); document.head.appendChild(tag);</script>";
      const put = (data) => `<script>(function () { var old = document.getElementById('tm'); if (old) old.parentNode.removeChild(old); var script = document.createElement('script'); script.id = 'tm'; script.type = 'application/ld+json'; script.text = JSON.stringify(${JSON.stringify({ '@context': 'https://schema.org', ...data })}); document.head.appendChild(script); })();</script>`;

      for (const [what, html, limit] of [['the plain line', '<script src="/agenticschema.js" data-max-tools="1"></script>', undefined], ['made with createElement', made, 1]]) test(`custom HTML, ${what}`, async () => {
        const page = await s.show(`${SNIPPET}<p>A page</p>`, {
          tag: SNIPPET,
          pages: { '/gtm.js': container([
            { on: 'gtm.js', html, after: 700 },
            { on: 'gtm.js', html: put(lamp()), after: 1400 },
            { on: 'gtm.historyChange', html: put(FAIR), after: 200 },
          ]) },
        });
        const first = await until(page, 'Desk Lamp');
        assert.match(first, /^get_product .*Desk Lamp/m);
        if (limit) assert.equal((await page.evaluate(() => T.names())).length, limit);
        await page.evaluate(() => history.pushState({}, '', '/fair'));
        const second = await until(page, 'Lamp Fair');
        assert.match(second, /^get_event .*2031-05-05/m);
        assert.doesNotMatch(second, /Desk Lamp/);
        assert.deepEqual(await page.evaluate(() => dataLayer.map(({ event }) => event)), ['gtm.js', 'gtm.historyChange'], 'nothing of ours in the queue');
        quiet(page);
      });
    });

    describe('libraries', () => {
      test('jQuery: parts of the page by load, values by attr, text and html', async () => {
        const micro = (name, price) => `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name" id="name">${name}</h1><div itemprop="offers" itemscope itemtype="https://schema.org/Offer"><meta itemprop="price" id="price" content="${price}"><b itemprop="priceCurrency">EUR</b></div></div>`;
        const page = await s.show(`<div id="main">${micro('Desk Lamp', '10.00')}</div>`, {
          tag: `<script src="/jquery.js"></script>${TAG}`,
          pages: { '/jquery.js': library('jquery/dist/jquery.js'), '/next': `<div id="other">${ld(FAIR)}<h1>Lamp Fair</h1></div>` },
        });
        const call = () => page.evaluate(() => T.call('get_product').then(JSON.stringify));
        assert.match(await until(page, 'Desk Lamp'), /^get_product /);
        await page.evaluate(() => $('#price').attr('content', '15.00'));
        assert.match(await call(), /15/);
        await page.evaluate(() => $('#name').text('Floor Lamp'));
        assert.match(await call(), /Floor Lamp/);
        await page.evaluate(() => $('#name').html('<i>Wall</i> Lamp').fadeOut(100));
        assert.match(await call(), /Wall Lamp/);
        await page.evaluate(() => new Promise((done) => $('#main').load('/next', () => { history.pushState({}, '', '/fair'); done(); })));
        const last = await until(page, 'Lamp Fair');
        assert.match(last, /^get_event .*2031-05-05/m);
        assert.doesNotMatch(last, /Wall Lamp|get_product/);
        quiet(page);
      });

      // What libraries of the years before ECMAScript 5 and 2015 leave on a page: their own built-ins in the places of the later ones.
      const OLD = script(`(function () {
        var A = Array.prototype, S = String.prototype, F = Function.prototype, E = Element.prototype;
        A.each = function (f) { for (var i = 0; i < this.length; i++) f(this[i], i); return this; };
        A.reduce = function () { return this.length > 1 ? this : this[0]; };
        A.find = A.detect = function (f) { for (var i = 0; i < this.length; i++) if (f(this[i])) return this[i]; return null; };
        A.flatten = function () { return A.concat.apply([], this); };
        A.flat = A.at = A.flatMap = function () { throw new Error('flat'); };
        A.entries = A.toArray = function () { return this.slice(); };
        A.include = function (x) { if (this.indexOf(x) < 0) this.push(x); return this; };
        A.clean = A.compact = function () { return this.filter(function (x) { return x != null; }); };
        A.toJSON = function () { return 'array'; };
        S.toJSON = function () { return 'string'; };
        Date.prototype.toJSON = function () { return 'date'; };
        S.contains = S.startsWith = S.include = function (x) { return this.indexOf(x) > -1; };
        S.trim = function () { return this.replace(/ /g, ''); };
        S.endsWith = S.padStart = S.at = function () { throw new Error('string'); };
        Array.from = function (item) { return item == null ? [] : item.length !== undefined && typeof item !== 'string' ? A.slice.call(item) : [item]; };
        Object.each = function () {}; Object.entries = Object.values = Object.fromEntries = function () { throw new Error('object'); };
        Object.prototype.$family = function () { return 'object'; };
        F.bind = function (that) { var f = this, given = A.slice.call(arguments, 1); return function () { return f.apply(that, given.concat(A.slice.call(arguments))); }; };
        F.delay = function (ms) { return setTimeout(this, ms); };
        E.hide = E.show = E.update = E.get = E.set = E.remove = function () { return this; };
        E.closest = E.matches = E.querySelectorAll = E.getElementsBySelector = function () { return []; };
        document.getElementsByClassName = document.$$ = function () { return []; };
        var Native = window.Element;
        window.Element = function (tag) { return document.createElement(tag); };
        window.Element.prototype = Native.prototype;
        window.Event = function (event) { return event || window.event; };
        window.Hash = function () {}; window.Class = function () {};
        window.$ = function (id) { return document.getElementById(id); };
        JSON.encode = JSON.stringify; JSON.decode = JSON.parse;
      })();`);
      test('built-ins replaced by an old library', async () => {
        // Playwright can bring nothing home from such a page.
        const init = () => {
          const owners = [Array, Array.prototype, String.prototype, Date.prototype, Function.prototype, Object, Object.prototype, Element.prototype, JSON];
          const kept = owners.map((owner) => Object.getOwnPropertyDescriptors(owner)), { defineProperty } = Object, { ownKeys, deleteProperty } = Reflect, { Element: E, Event: V } = window;
          globalThis.restore = () => {
            for (let i = 0; i < owners.length; i++) for (const key of ownKeys(owners[i])) if (!(key in kept[i]) || key === '$family') deleteProperty(owners[i], key); else if (kept[i][key].writable && key !== 'prototype') defineProperty(owners[i], key, kept[i][key]);
            window.Element = E;
            window.Event = V;
          };
        };
        const page = await s.show(ld({ ...lamp(), image: ['/a.jpg', '/b.jpg'], dateModified: '2030-01-01' }), {
          init,
          tag: `<script src="/old.js"></script>${TAG}`,
          pages: { '/old.js': OLD },
        });
        const seen = await page.evaluate(async () => {
          const { modelContext } = document, polyfilled = modelContext.__isWebMCPPolyfill;
          const names = async () => { const out = []; for (const { name } of await modelContext.getTools()) out.push(name); return out.sort(); };
          const call = async (name) => {
            for (const tool of await modelContext.getTools()) if (tool.name === name) return modelContext.executeTool(tool, polyfilled ? '{}' : {});
          };
          let changes = 0;
          modelContext.addEventListener('toolchange', () => changes++);
          const out = [await names(), await call('get_product')];
          const element = document.querySelector('#ld');
          element.text = element.text.replace('Desk', 'Floor');
          out.push(await call('get_product'));
          element.text = '{"@context":"https://schema.org","@type":"Event","name":"Lamp Fair"}';
          history.pushState({}, '', '/fair');
          for (let i = 0; i < 100 && (await names()).join() !== 'get_event'; i++) await T.sleep(30);
          out.push(await names(), await call('get_event'), changes);
          restore();
          return out;
        });
        assert.ok(seen[0].includes('get_product'), seen[0]);
        assert.match(seen[1], /^\{.*Desk Lamp.*\/a\.jpg.*\}$/s);
        assert.match(seen[2], /Floor Lamp/);
        assert.deepEqual(seen[3], ['get_event']);
        assert.match(seen[4], /Lamp Fair/);
        assert.ok(seen[5] > 0, 'toolchange');
        quiet(page);
      });

      test('zone.js: nothing of ours runs in a zone of the page', async () => {
        const page = await s.show(ld(lamp()) + '<div id="main"></div>', { tag: `<script src="/zone.js"></script>${TAG}`, pages: { '/zone.js': library('zone.js/bundles/zone.umd.js') } });
        assert.match(await until(page, 'Desk Lamp'), /^get_product /);
        const tasks = await page.evaluate(async () => {
          const tasks = [];
          const zone = Zone.current.fork({ name: 'app', onScheduleTask: (delegate, current, target, task) => (tasks.push(task.source), delegate.scheduleTask(target, task)) });
          zone.run(() => {
            history.pushState({}, '', '/fair');
            document.querySelector('#ld').text = JSON.stringify({ '@context': 'https://schema.org', '@type': 'Event', name: 'Lamp Fair', startDate: '2031-05-05' });
          });
          await T.sleep(600);
          return tasks;
        });
        assert.deepEqual(tasks, []);
        const last = await until(page, 'Lamp Fair');
        assert.doesNotMatch(last, /Desk Lamp/);
        quiet(page);
      });

      for (const order of ['before', 'after']) test(`@mcp-b/global ${order} the tag`, async () => {
        const both = ['<script src="/global.js"></script>', '<script src="/agenticschema.js"></script>'];
        const pages = { '/global.js': library('@mcp-b/global/dist/index.iife.js') };
        // What it writes of its own is not ours to judge.
        const alone = await s.show(ld(lamp()), { tag: both[0], pages });
        await alone.waitForTimeout(500);
        const init = mode === 'polyfill' ? () => { T.asText = true; } : undefined;
        const page = await s.show(ld(lamp()), { init, tag: (order === 'before' ? both : both.reverse()).join(''), pages });
        assert.match(await until(page, 'Desk Lamp'), /^get_product .*Desk Lamp/m);
        await page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), ld(FAIR, 'e'));
        assert.match(await until(page, 'Lamp Fair'), /^get_event .*2031-05-05/m);
        const own = await page.evaluate(async () => {
          await document.modelContext.registerTool({ name: 'get_product', description: 'mine', inputSchema: { type: 'object', properties: {} }, execute: async () => ({ mine: 1 }) });
          const out = [JSON.stringify(await T.call('get_product')), (await T.call('get_product_2')).name];
          (await agenticschema.ready).stop();
          return [...out, (await T.names()).filter((name) => /product|event/.test(name)).join()];
        });
        assert.match(own[0], /mine/);
        assert.deepEqual(own.slice(1), ['Desk Lamp', 'get_product']);
        quiet(page, alone.errors);
      });
    });
  });
});
