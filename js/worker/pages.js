// The pages behind a handler: read once, and again when somebody asks and they are old.
import { newSite, Trap } from './core.js';
import { get } from './get.js';

/** Bytes that are read of a page: an isolate has 128 MB for everything. */
const PAGE = 8 << 20;
/** Milliseconds after which pages are tried again when one could not be read. */
const RETRY = 30_000;
/** Requests of one call: the first may only describe the second. */
const REQUESTS = 2;
/** Things that are said on the log. */
const SAID = 100;

/**
 * @param load gives a promise of the WebAssembly module
 * @param settings `{ fetch, log, cacheTtlMs, timeoutMs, userAgent, pipeline }`, the pipeline's options as JSON
 */
export function openPages(urls, load, { fetch, log, cacheTtlMs, timeoutMs, userAgent, pipeline }) {
  const said = new Set(), broken = new Set();
  let site, about, reading, until = 0, good = false, failures = [];

  /** Says each thing once. */
  function say(words) {
    if (said.size < SAID && !said.has(words)) log(`agenticschema: ${words}`);
    said.add(words);
  }

  async function open() {
    const made = newSite(await load(), pipeline, urls.join('\n'));
    about ??= JSON.parse(made('about'));
    return made;
  }

  /** The site with its pages read. */
  async function current() {
    if (site && Date.now() < until) return site;
    let timer;
    const late = new Promise((done) => (timer = setTimeout(done, 2 * timeoutMs, 'late')));
    const first = await Promise.race([share(), late]).finally(() => clearTimeout(timer));
    // An engine may let a reading hang with the request that began it.
    if (first === 'late') await read();
    return site;
  }

  /** Requests that come while pages are read wait for the same reading. */
  const share = () => (reading ??= read().finally(() => (reading = undefined)));

  async function read() {
    for (;;) {
      try {
        return await readOnce();
      } catch (error) {
        // Goes on without the page that did it.
        if (!(error instanceof Trap)) throw error;
        site = undefined;
      }
    }
  }

  async function readOnce() {
    if (!site) {
      site = await open();
      good = false;
    }
    const into = site, missing = [];
    about.wrong.forEach(say);
    await Promise.all(urls.map(async (url, at) => {
      const got = broken.has(at) ? { failed: 'internal', words: 'reading it failed; please report its address' } : await fetched(url);
      const words = got.failed ? `!${got.words}` : readInto(into, at, got);
      if (words[0] === '!') {
        missing.push(`${url}: ${words.slice(1)}.`);
        return say(missing.at(-1));
      }
      good = true;
      for (const line of words.slice(1).split('\n').filter(Boolean)) say(`${url}: ${line}`);
      if (got.cut) say(`${url}: The page is longer than what is read of one.`);
    }));
    failures = missing;
    until = Date.now() + (missing.length ? Math.min(cacheTtlMs, RETRY) : cacheTtlMs);

    function fetched(url) {
      return get(url, { fetch, site: into, redirects: about.redirects, userAgent, limit: PAGE, ms: timeoutMs, signals: [], tool: '' });
    }
  }

  function readInto(into, at, { url, status, type, body }) {
    try {
      return into('read', at, url, status, type, body);
    } catch (error) {
      broken.add(at);
      throw error;
    }
  }

  /** Runs `work` with the site; after a trap the instance is thrown away, and the next request reads the pages anew. */
  async function using(work) {
    const mine = await current();
    if (!good) throw new Error(failures.join(' '));
    try {
      return await work(mine);
    } catch (error) {
      if (error instanceof Trap && site === mine) site = undefined;
      throw error;
    }
  }

  return {
    /** Begins to read. Where the engine allows no requests yet, the first one that comes begins. */
    begin: () => void share().catch(() => {}),
    /** `{ instructions, ttlMs }`: what clients are told of the server; needs no page. */
    async about() {
      if (!about) await open();
      return about;
    },
    tools: () => using((site) => site('tools')),
    resources: (from) => using((site) => site('resources', from)),
    resource: (uri) => using((site) => site('resource', uri)),
    /** `{ failed, answer }`; undefined if there is no such tool. `signal` ends the request of an action. */
    call: (name, argumentsJson, signal) =>
      using(async (site) => {
        let outcome = site('call', name, argumentsJson);
        if (outcome === '?') return undefined;
        for (let n = 0; n < REQUESTS && outcome[0] === '>'; n++) {
          const plan = outcome.slice(1), { url, timeoutMs: ms, maxBytes: limit, search } = JSON.parse(plan);
          const got = await get(url, { fetch, site, redirects: about.redirects, userAgent, limit, ms, signals: [signal], tool: name });
          if (got.failed === 'blocked') outcome = `!${site('blocked')}`;
          else if (got.failed) outcome = site('finish', plan, '', 0, '', new TextEncoder().encode(got.failed), false);
          else outcome = site('finish', plan, got.url, got.status, got.type, got.body, search !== undefined);
        }
        if (!'=!'.includes(outcome[0])) throw new Error('The call could not be carried out');
        return { failed: outcome[0] === '!', answer: outcome.slice(1) };
      }),
  };
}
