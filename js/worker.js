// The entry for edge workers and servers: an MCP server as a function from Request to Response.
import load from 'agenticschema:module';
import { version } from '../package.json';
import { refusal, respond } from './worker/http.js';
import { openPages } from './worker/pages.js';

export { version };

/** Options that are not the pipeline's. */
const OWN = ['allowOrigins', 'cacheTtlMs', 'fetch', 'log', 'module', 'userAgent'];

/**
 * A stateless MCP server for these pages, over Streamable HTTP.
 *
 * @param urls addresses of pages, http or https; one or more
 * @param options see worker.d.ts
 * @returns `{ fetch(request) }`, which a worker may export as it is
 */
export function createHttpHandler(urls, options = {}) {
  const addresses = [urls].flat().map(address);
  if (!addresses.length) throw new TypeError('createHttpHandler: name at least one page.');
  const pipeline = Object.fromEntries(Object.entries(options).filter(([name]) => !OWN.includes(name)));
  const cacheTtlMs = span(options.cacheTtlMs ?? 300_000, 'cacheTtlMs'), timeoutMs = span(options.timeoutMs ?? 10_000, 'timeoutMs', 1, 1e9);
  const settings = {
    cacheTtlMs,
    timeoutMs,
    // Looked up when it is used: hosts put their own in its place later.
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    log: options.log ?? ((line) => console.warn(line)),
    userAgent: options.userAgent ?? `AgenticSchema/${version}`,
    pipeline: JSON.stringify(pipeline),
  };
  let module;
  const loaded = () => (module ??= Promise.resolve(options.module ?? load()).catch((error) => ((module = undefined), Promise.reject(error))));
  const pages = openPages(addresses, loaded, settings);
  const context = { pages, allowOrigins: [options.allowOrigins ?? []].flat(), cacheTtlMs };
  pages.begin();
  return {
    async fetch(request) {
      try {
        return await respond(request, context);
      } catch (error) {
        return refusal(500, -32603, `Internal error: ${error?.message || error}`.slice(0, 1000));
      }
    },
  };
}

function address(given) {
  let url;
  try {
    url = new URL(given);
  } catch {
    throw new TypeError(`createHttpHandler: ${given} is no address.`);
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError(`createHttpHandler: ${given} is not read: give an http or https address.`);
  if (url.username || url.password) throw new TypeError('createHttpHandler: an address with a name or password in it is not read: agents would see both.');
  return url.href;
}

function span(ms, name, least = 0, most = Infinity) {
  if (!(ms >= least && ms <= most)) throw new TypeError(`createHttpHandler: ${name} is a number of milliseconds.`);
  return ms;
}
