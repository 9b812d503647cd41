// npm run soak [minutes]: a page that changes ten times a second and goes a thousand routes, natively and with the
// polyfill, while an agent calls its tools. Nothing may grow, and nothing may be written on the console.
import { main, say, Stop } from './setup/command.mjs';
import { setUpBrowser, setUpBuild } from './setup/index.mjs';

const ROUTES = 1000, CHANGES_PER_SECOND = 10;
/** What is compared: the least of the samples of the second quarter and of the last. Growth below both bounds is noise. */
const SAMPLES = 40, GROWTH = 0.1, FLOOR = { heap: 1 << 20, listeners: 5, nodes: 200, tools: 0 };
/**
 * Bytes that the core may hold at any time: it grows until it is thrown away, at twice what the page took and 4 MiB more
 * (`spent` in js/wasm.js), and this page takes less than 2 MiB.
 */
const WASM = 8 << 20;

const PAGE = `
<script type="application/ld+json" id="ld">{"@context":"https://schema.org","@graph":[
  {"@type":"Product","name":"Desk Lamp 0","offers":{"@type":"Offer","price":"0","priceCurrency":"EUR"}},
  {"@type":"WebSite","url":"/","potentialAction":{"@type":"SearchAction","target":"/search?q={q}","query-input":"required name=q"}}]}</script>
<div itemscope itemtype="https://schema.org/Event"><b itemprop="name" id="name">Fair</b><meta itemprop="startDate" content="2030-01-01" id="date"></div>
<div vocab="https://schema.org/" typeof="Recipe"><b property="name">Soup</b><span property="recipeYield" id="yield">2</span></div>
<div id="feed"></div><div id="late"></div>`;

await main(async () => {
  const minutes = Number(process.argv[2] ?? 10);
  if (!(minutes > 0)) throw new Stop('The argument is a number of minutes: npm run soak 10');
  const rust = await setUpBuild();
  await setUpBrowser();
  const { build } = await import('../js/build.mjs');
  await build(rust, true);
  const { stage } = await import('../tests/browser/lib.mjs');
  const failures = (await Promise.all(['native', 'polyfill'].map((mode) => soak(stage, mode, minutes)))).flat();
  if (failures.length) throw new Stop(failures.join('\n'));
  say('Nothing grew, nothing was written.');
});

async function soak(stage, mode, minutes) {
  const s = await stage(mode);
  try {
    const page = await s.show(PAGE, { pages: { '/search': '<title>Found</title><ul><li><a href="/a">A lamp</a></li></ul>' } });
    page.on('crash', () => page.errors.push('the tab crashed'));
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const interval = (minutes * 60_000) / SAMPLES, samples = [];
    await page.evaluate(drive, { changes: minutes * 60 * CHANGES_PER_SECOND, routes: ROUTES, pause: 1000 / CHANGES_PER_SECOND });
    for (let i = 0; i < SAMPLES; i++) {
      await new Promise((done) => setTimeout(done, interval));
      samples.push(await sample(cdp));
      if (i % 4 === 3) say(`${mode.padEnd(9)}${JSON.stringify(samples.at(-1))}`);
    }
    const all = minutes * 60 * CHANGES_PER_SECOND;
    for (let i = 0; i < 60 && (await page.evaluate(() => soaked.changes)) < all; i++) await new Promise((done) => setTimeout(done, 500));
    const { calls, routes, changes, wrong } = await page.evaluate(() => soaked);
    say(`${mode.padEnd(9)}${changes} changes, ${routes} routes, ${calls} calls, ${page.errors.length} console lines`);
    if (routes < ROUTES) throw new Stop(`${mode}: only ${routes} routes: the machine was too busy`);
    const failures = page.errors.map((line) => `${mode}: ${line}`);
    if (wrong.length) failures.push(`${mode}: wrong answers: ${wrong.slice(0, 5).join(' | ')}`);
    const most = Math.max(...samples.map(({ wasm }) => wasm));
    if (most > WASM) failures.push(`${mode}: the core holds ${most} bytes`);
    const quarter = SAMPLES / 4;
    for (const [what, floor] of Object.entries(FLOOR)) {
      const least = (from) => Math.min(...samples.slice(from, from + quarter).map((values) => values[what]));
      const before = least(quarter), after = least(SAMPLES - quarter);
      if (after - before > Math.max(floor, before * (floor && GROWTH))) failures.push(`${mode}: ${what} grew from ${before} to ${after}`);
    }
    return failures;
  } finally {
    await s.close();
  }
}

/** What the tab holds after a collection of garbage. */
async function sample(cdp) {
  await cdp.send('HeapProfiler.collectGarbage');
  const { metrics } = await cdp.send('Performance.getMetrics');
  const metric = (wanted) => metrics.find(({ name }) => name === wanted).value;
  const objectGroup = 'soak';
  const { result: { objectId: prototypeObjectId } } = await cdp.send('Runtime.evaluate', { expression: 'WebAssembly.Memory.prototype', objectGroup });
  const { objects } = await cdp.send('Runtime.queryObjects', { prototypeObjectId, objectGroup });
  const { result: { value: wasm } } = await cdp.send('Runtime.callFunctionOn', { objectId: objects.objectId, functionDeclaration: 'function () { return this.reduce((sum, { buffer }) => sum + buffer.byteLength, 0); }', returnByValue: true });
  const { result: { value: tools } } = await cdp.send('Runtime.evaluate', { expression: 'document.modelContext.getTools().then((list) => list.length)', awaitPromise: true, returnByValue: true });
  await cdp.send('Runtime.releaseObjectGroup', { objectGroup });
  return { heap: metric('JSHeapUsedSize'), wasm, listeners: metric('JSEventListeners'), nodes: metric('Nodes'), tools };
}

/** In the page: changes, routes and calls until they are done. */
function drive({ changes, routes, pause }) {
  const $ = (id) => document.getElementById(id), from = performance.now();
  const soaked = (globalThis.soaked = { changes: 0, routes: 0, calls: 0, wrong: [] });
  const call = async (name, args, right) => {
    const answer = await T.call(name, args);
    soaked.calls++;
    if (!right(answer) && soaked.wrong.length < 20) soaked.wrong.push(`${name} ${JSON.stringify(answer).slice(0, 200)}`);
  };
  const late = (n) => T.ld({ '@type': ['Movie', 'Book', 'Course'][n % 3], name: `Late ${n}` }, 'extra');
  const change = [
    (n) => { $('ld').text = $('ld').text.replace(/Desk Lamp \d+/, `Desk Lamp ${n}`); },
    (n) => { $('name').textContent = `Fair ${n}`; },
    (n) => { $('date').content = `20${10 + (n % 80)}-01-01`; },
    (n) => { $('yield').firstChild.data = `${n}`; },
    (n) => { for (let i = 0; i < 20; i++) $('feed').append(Object.assign(document.createElement('p'), { textContent: `${n} ${i}` })); },
    () => { $('feed').replaceChildren(); },
    (n) => { $('late').innerHTML = n % 20 === 6 ? late(n) : ''; },
  ];
  const step = () => {
    const n = soaked.changes++;
    change[n % change.length](n);
    if (n % 5 === 0) {
      // Never older than the call.
      const least = Number(/Desk Lamp (\d+)/.exec($('ld').text)[1]);
      call('get_product', {}, ({ name }) => Number(name?.slice(10)) >= least);
    }
    if (n % 50 === 0) call('search_web_site', { q: `${n}` }, (answer) => /lamp/.test(JSON.stringify(answer)) || answer.error);
    while (Math.floor((soaked.changes * routes) / changes) > soaked.routes) {
      soaked.routes++;
      if (n % 3) history.replaceState({}, '', `/route-${n % 10}`);
      else history.pushState({}, '', `/page-${n % 10}?n=${n}`);
    }
    // By the clock: a step that comes late is made up for.
    if (soaked.changes < changes) setTimeout(step, Math.max(0, from + soaked.changes * pause - performance.now()));
  };
  step();
}
