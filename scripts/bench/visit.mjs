// One visit of a page in Chromium, and what a tag costs it: the processor time of the page's thread in V8, by a trace, and
// when tools were there. Nothing but the page and the tag is loaded, and none of the page's own scripts run.
import { serve, TAG } from '../measure/browser.mjs';

/** Milliseconds without a registration after which the tools are taken to be all; and to wait for the first. */
const QUIET = 450, PATIENCE = 2000;
/** Milliseconds after a change in which it is noticed and read. */
const NOTICED = 900;
/** What the page's thread enters V8 by. Their processor time counts, not what other processes took of it. */
const ENTRIES = new Set(['EvaluateScript', 'FunctionCall', 'RunMicrotasks', 'v8.callFunction', 'v8.compile', 'v8.evaluateModule', 'v8.run']);
const CATEGORIES = ['v8', 'devtools.timeline'];

/**
 * Visits a page with the script at the start of its head, or without one (the control).
 *
 * @param change source of a function that changes the page once its tools are there
 * @returns milliseconds `toTools` (from domInteractive to the last registration; undefined without tools), `cpu`, `longest`
 *   (of one entry), `changed` (processor time after the change), and bytes of `heap`
 */
export async function visit(browser, shown, script, { change, throttle = 1, patience = PATIENCE } = {}) {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    await serve(context, shown, script ? TAG : '', script);
    // A page of the same site first: the start of a process is nobody's.
    await context.route('**/__empty__', (route) => route.fulfill({ body: '<!doctype html>', contentType: 'text/html' }));
    await context.addInitScript(hook);
    const page = await context.newPage();
    page.setDefaultTimeout(120_000);
    page.on('dialog', (dialog) => dialog.dismiss());
    const cdp = await context.newCDPSession(page);
    await page.goto(new URL('/__empty__', shown.url).href);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: throttle });
    const start = await traced(browser, page, async () => {
      await page.goto(shown.url, { waitUntil: 'domcontentloaded' });
      return page.evaluate(settled, { quiet: QUIET, patience: script ? patience : 0 });
    });
    const result = { toTools: start.seen.last && Math.max(0, start.seen.last - start.seen.interactive), cpu: start.cpu, longest: start.longest };
    for (let i = 0; i < 2; i++) await cdp.send('HeapProfiler.collectGarbage');
    result.heap = (await cdp.send('Runtime.getHeapUsage')).usedSize;
    if (change) result.changed = (await traced(browser, page, () => page.evaluate(`(${change})(); new Promise((done) => setTimeout(done, ${NOTICED}))`))).cpu;
    return result;
  } finally {
    await context.close();
  }
}

/** What the browser does here with work that is the same everywhere, in milliseconds: JSON, texts and elements. */
export async function reference(browser) {
  const page = await browser.newPage();
  try {
    return await page.evaluate(() => {
      const from = performance.now(), list = document.createElement('ul');
      for (let i = 0; i < 300; i++) {
        const { name } = JSON.parse(JSON.stringify({ name: `Item ${i}`, offers: { price: `${i}.00` }, more: Array.from({ length: 20 }, (_, n) => `${n * i}`) }));
        const item = list.appendChild(document.createElement('li'));
        item.setAttribute('itemprop', 'name');
        item.textContent = name.toLowerCase().split(' ').join('-');
      }
      document.body.append(list);
      let length = 0;
      for (const item of document.querySelectorAll('[itemprop]')) length += item.textContent.length + item.getAttribute('itemprop').length;
      return length && performance.now() - from;
    });
  } finally {
    await page.close();
  }
}

/** In the page: notes when registrations have settled. */
function hook() {
  globalThis.__seen = { last: 0 };
  const owner = globalThis.ModelContext?.prototype;
  const register = owner?.registerTool;
  if (!register) return;
  owner.registerTool = function registerTool() {
    const promise = register.apply(this, arguments);
    promise.then(() => (__seen.last = performance.now()), () => {});
    return promise;
  };
}

/** In the page: waits until no tool has come for `quiet` milliseconds. */
async function settled({ quiet, patience }) {
  const from = performance.now();
  const over = () => (__seen.last ? performance.now() - __seen.last > quiet : performance.now() - from > patience + quiet);
  while (!over()) await new Promise((done) => setTimeout(done, 50));
  return { ...__seen, interactive: performance.getEntriesByType('navigation')[0].domInteractive };
}

/** Milliseconds of processor time that the page's thread spends in V8 while `work` is done. */
async function traced(browser, page, work) {
  await browser.startTracing(page, { categories: CATEGORIES });
  const seen = await work();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const threads = new Map();
  for (const event of traceEvents) {
    if (event.ph !== 'X' || event.tdur === undefined || !ENTRIES.has(event.name)) continue;
    const key = `${event.pid} ${event.tid}`;
    threads.set(key, [...(threads.get(key) ?? []), event]);
  }
  // Another renderer has next to nothing to do.
  const all = [...threads.values()].map((events) => outermost(events)).sort((a, b) => total(b) - total(a))[0] ?? [];
  return { seen, cpu: total(all) / 1000, longest: Math.max(0, ...all.map(({ tdur }) => tdur)) / 1000 };
}

const total = (events) => events.reduce((sum, { tdur }) => sum + tdur, 0);

function outermost(events) {
  let end = -1;
  return events.sort((a, b) => a.ts - b.ts || b.dur - a.dur).filter(({ ts, dur }) => ts >= end && (end = ts + dur));
}
