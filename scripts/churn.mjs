// npm run churn [-- --rival bundle.js]: what the tag costs the main thread while the page changes 1,000 times a second where no
// markup is, for three seconds: the time that V8's profiler finds in the tag's script, DOM calls included.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { browser as chromiumPath } from './setup/browser.mjs';
import { main, root, say } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

const SECONDS = 3, PER_SECOND = 1000, REPEATS = 5;
/** Microseconds between two samples of the profiler. */
const INTERVAL = 100;
/** Of these. A sample that took longer was interrupted: other processes had the processor. */
const LONGEST = 5 * INTERVAL;

const PRODUCT = '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Desk Lamp","offers":{"@type":"Offer","price":"10.00","priceCurrency":"EUR"}}</script>';
const EVENT = '<div itemscope itemtype="https://schema.org/Event"><b itemprop="name">Fair</b><meta itemprop="startDate" content="2030-01-01">';
const FEED = '<div id="feed"></div>', WORDS = '<p>Some words that the page has of its own, enough to be its text.</p>';
const PAGES = [
  ['no markup', WORDS + FEED],
  ['beside markup', PRODUCT + WORDS + FEED],
  ['inside an itemscope', `${WORDS}${EVENT}${FEED}</div>`],
];

await main(async () => {
  const { values: { rival } } = parseArgs({ options: { rival: { type: 'string' } } });
  const rust = await setUpBuild();
  const { build } = await import('../js/build.mjs');
  await build(rust, true);
  const bundles = { ours: `${root}dist/agenticschema.js`, ...(rival && { other: rival }) };
  say(`\n| milliseconds of ${SECONDS * 1000} | WebMCP | ${Object.keys(bundles).join(' | ')} |\n| --- | --- | ${Object.keys(bundles).map(() => '---:').join(' | ')} |`);
  for (const mode of ['native', 'polyfill']) {
    const args = ['--no-sandbox', '--disable-gpu', `--${mode === 'native' ? 'enable' : 'disable'}-features=WebMCP`];
    const browser = await chromium.launch({ executablePath: await chromiumPath(), args });
    for (const [what, html] of PAGES) {
      const costs = [];
      for (const bundle of Object.values(bundles)) {
        const all = [];
        for (let i = 0; i < REPEATS; i++) all.push(await cost(browser, html, readFileSync(bundle)));
        costs.push(all.sort((a, b) => a - b)[REPEATS >> 1].toFixed(1));
      }
      say(`| ${what} | ${mode} | ${costs.join(' | ')} |`);
    }
    await browser.close();
  }
});

/** Milliseconds in the script while the page changes. */
async function cost(browser, html, script) {
  const server = createServer(({ url }, response) => {
    if (url === '/tag.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script);
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html><title>t</title><script src="/tag.js"></script>${html}`);
  });
  await new Promise((done) => server.listen(0, 'localhost', done));
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`http://localhost:${server.address().port}`);
    await page.waitForTimeout(1000);
    const cdp = await context.newCDPSession(page);
    await cdp.send('Profiler.enable');
    await cdp.send('Profiler.setSamplingInterval', { interval: INTERVAL });
    await cdp.send('Profiler.start');
    await page.evaluate(churn, [SECONDS * 1000, PER_SECOND]);
    await page.waitForTimeout(700);
    const { profile } = await cdp.send('Profiler.stop');
    // What the script calls counts as its own: the document's methods have no file.
    const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
    const tags = new Set(profile.nodes.filter(({ callFrame }) => callFrame.url.endsWith('/tag.js')).map(({ id }) => id));
    const within = (id) => id !== undefined && (tags.has(id) || within(parents.get(id)));
    return profile.samples.reduce((sum, id, i) => sum + (within(id) ? Math.min(profile.timeDeltas[i], LONGEST) : 0), 0) / 1000;
  } finally {
    await context.close();
    server.closeAllConnections();
    server.close();
  }
}

/** In the page: so many insertions a second. */
async function churn([ms, perSecond]) {
  const feed = document.querySelector('#feed'), from = performance.now();
  for (let n = 0, past; (past = performance.now() - from) < ms; await new Promise((done) => setTimeout(done, 10))) {
    for (; n < (past * perSecond) / 1000; n++) feed.append(Object.assign(document.createElement('div'), { innerHTML: `<b>row ${n}</b> of the feed` }));
  }
}
