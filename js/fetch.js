import { readHtml } from './html.js';
import { AbortController, later, never, Promise, TextDecoder, Uint8Array, URL } from './primitives.js';

/**
 * Carries out a plan of the core: one GET. Redirects are followed inside the origin that was vetted; the browser
 * refuses to leave it (mode `same-origin`), so nothing of the request reaches another one.
 * @returns {url, status, type, body}; status 0 with the word for what went wrong as body when there is no response
 */
export async function carryOut({ url, timeoutMs, maxBytes, search }, signals) {
  const controller = new AbortController();
  let why = 'network', halt;
  const end = (word) => {
    why = word;
    controller.abort();
    halt();
  };
  const aborted = () => end('aborted');
  let timer, done;
  try {
    // A page may wrap fetch and never settle: what comes first keeps the time limit.
    return await new Promise((resolve, reject) => {
      halt = reject;
      timer = later(() => end('timeout'), timeoutMs);
      done = follow(signals, aborted);
      if (!controller.signal.aborted) exchange().then(resolve, reject);
    });
  } catch {
    return { url: '', status: 0, type: '', body: why };
  } finally {
    never(timer);
    done?.();
  }

  async function exchange() {
    const origin = new URL(url).origin;
    const own = origin === location.origin;
    // The page's own fetch, as it is now: what a site wraps around its requests (service layers, monitoring) is
    // meant to see ours too, and it can do no more with it than the page can do without us.
    const response = await window.fetch(url, {
      method: 'GET',
      mode: own ? 'same-origin' : 'cors',
      redirect: own ? 'follow' : 'error',
      credentials: 'same-origin',
      signal: controller.signal,
    });
    const final = response.url || url;
    if (new URL(final).origin !== origin) {
      why = 'redirect';
      throw why;
    }
    const type = response.headers.get('content-type') ?? '';
    const text = decode(await bytes(response, maxBytes, controller.signal), type);
    // An OpenSearch description is read as HTML: its elements are all that matters.
    const page = (search || /html/i.test(type)) && readHtml(text, final);
    return { url: final, status: response.status, type: page === undefined ? 'text/plain' : type, body: page || text };
  }
}

/** Calls `aborted` when one of the signals (some undefined) is or becomes aborted, until the returned function is called. */
export function follow(signals, aborted) {
  for (const signal of signals) {
    if (signal?.aborted) aborted();
    signal?.addEventListener('abort', aborted);
  }
  return () => {
    for (const signal of signals) signal?.removeEventListener('abort', aborted);
  };
}

/** The first `limit` bytes of a body; the rest is not waited for. Pages may wrap fetch and give no stream, or pass no signal on. */
async function bytes(response, limit, signal) {
  if (!response.body) return new Uint8Array(await response.arrayBuffer()).subarray(0, limit);
  const reader = response.body.getReader();
  const chunks = [];
  let size = 0;
  while (size < limit && !signal.aborted) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  reader.cancel().catch(() => {});
  const all = new Uint8Array(size);
  size = 0;
  for (const chunk of chunks) {
    all.set(chunk, size);
    size += chunk.length;
  }
  return all.subarray(0, limit);
}

/** Decodes as a browser would: byte order mark, then the Content-Type, then a `<meta>` near the start, then UTF-8. */
function decode(data, type) {
  const latin = (from) => new TextDecoder('latin1').decode(from);
  const charset = (text) => /charset\s*=\s*["']?([\w:.-]+)/i.exec(text)?.[1];
  const mark = { '\xef\xbb\xbf': 'utf-8', '\xfe\xff': 'utf-16be', '\xff\xfe': 'utf-16le' };
  const start = latin(data.subarray(0, 1024));
  const label = mark[start.slice(0, 3)] ?? mark[start.slice(0, 2)] ?? charset(type) ?? (/html/i.test(type) && charset(start));
  try {
    return new TextDecoder(label || 'utf-8').decode(data);
  } catch {
    return new TextDecoder().decode(data);
  }
}
