// npm run churn [-- --rival bundle.js]: what the tag costs the main thread while the page changes 1,000 times a second where no
// markup is, for three seconds, and until the page is read after it: the thread's time in calls of the tag's functions by the
// browser (timers, observers, idle callbacks), whatever they call included, as a trace of the browser has them.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { browser as chromiumPath } from './setup/browser.mjs';
import { main, root, say } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

const SECONDS = 3, PER_SECOND = 1000, REPEATS = 5;
/** Milliseconds after the last change: everything has been read by then. */
const REST = 1500;

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
    const events = [], over = new Promise((done) => cdp.once('Tracing.tracingComplete', done));
    cdp.on('Tracing.dataCollected', ({ value }) => events.push(...value));
    await cdp.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline'], excludedCategories: ['*'] } });
    await page.evaluate(churn, [SECONDS * 1000, PER_SECOND]);
    await page.waitForTimeout(REST);
    await cdp.send('Tracing.end');
    await over;
    // A call inside another one counts with it.
    const calls = events.filter(({ name, args }) => name === 'FunctionCall' && args.data.url?.endsWith('/tag.js')).sort((a, b) => a.ts - b.ts);
    let sum = 0, end = 0;
    for (const { ts, dur, tdur } of calls) {
      if (ts < end) continue;
      sum += tdur;
      end = ts + dur;
    }
    return sum / 1000;
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
