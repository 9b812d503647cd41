import { Trap } from './core.js';

// Requests: GET only, one document and nothing that it refers to. Engines outside of browsers have no cookies to send;
// those for the edge refuse to be told so (`credentials`).

/**
 * Gets a document, redirects followed as far as the core allows.
 *
 * @param ask `{ fetch, site, redirects, userAgent, limit, ms, signals, tool }`: how many redirects are followed, bytes that are read of
 * the body, milliseconds for everything together, signals (some undefined) that end it, and the tool whose request it is,
 * empty for a page
 * @returns `{ url, status, type, body, cut }`; or `{ failed, words }`, one word and more
 */
export async function get(asked, { fetch, site, redirects, userAgent, limit, ms, signals, tool }) {
  const controller = new AbortController();
  let why = 'network';
  const end = (word) => {
    why = word;
    controller.abort();
  };
  const aborted = () => end('aborted');
  const timer = setTimeout(() => end('timeout'), ms);
  for (const signal of signals) {
    if (signal?.aborted) aborted();
    signal?.addEventListener('abort', aborted);
  }
  try {
    for (let url = asked, left = redirects; ; left--) {
      if (site('permits', url) === '!') return { failed: 'blocked', words: 'it leads into a private network, where only addresses that you name yourself are read' };
      const response = await fetch(url, {
        redirect: 'manual',
        signal: controller.signal,
        headers: { accept: 'text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8', 'user-agent': userAgent },
      });
      const location = [301, 302, 303, 307, 308].includes(response.status) && response.headers.get('location');
      if (!location) {
        const { body, cut } = await bytes(response, limit);
        return { url, status: response.status, type: response.headers.get('content-type') ?? '', body, cut };
      }
      response.body?.cancel().catch(() => {});
      if (!left) return { failed: 'redirect', words: 'it redirects again and again' };
      const next = site('redirected', url, location, tool, asked);
      if (next[0] === '!') return { failed: 'redirect', words: next.slice(1) };
      url = next.slice(1);
    }
  } catch (error) {
    if (error instanceof Trap) throw error;
    const words = { timeout: 'it did not answer in time (timeoutMs)', aborted: 'the request was given up' }[why];
    return { failed: why, words: words ?? `no answer: ${error?.cause?.message || error?.message || error}`.slice(0, 200) };
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal?.removeEventListener('abort', aborted);
  }
}

/** The first `limit` bytes of a body, after decompression, and whether there are more; those are not waited for. */
export async function bytes(response, limit) {
  const reader = response.body?.getReader(), chunks = [];
  let size = 0, cut = false;
  for (let part; reader && !cut && !(part = await reader.read()).done; ) {
    const room = limit - size;
    cut = part.value.length > room;
    chunks.push(part.value.subarray(0, room));
    size += chunks.at(-1).length;
  }
  if (cut) reader.cancel().catch(() => {});
  const body = new Uint8Array(size);
  size = 0;
  for (const chunk of chunks) {
    body.set(chunk, size);
    size += chunk.length;
  }
  return { body, cut };
}
