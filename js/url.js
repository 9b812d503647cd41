// The one thing the core asks of the browser.
const { URL } = globalThis;

/** Resolves `url` against `base` as the page would; empty when it does not parse. */
export function resolveUrl(url, base) {
  try {
    return new URL(url, base || undefined).href;
  } catch {
    return '';
  }
}
