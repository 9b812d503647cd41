// The one thing the core asks of the browser: this file is imported by the WebAssembly glue, so it stands alone.
const { URL } = globalThis;

/** Resolves `url` against `base` as the page would; empty when it does not parse. */
export function resolveUrl(url, base) {
  try {
    return new URL(url, base || undefined).href;
  } catch {
    return '';
  }
}
