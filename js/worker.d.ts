import type { Options } from './index.js';

/** Options of {@link createHttpHandler}: the pipeline's, as far as they concern a page that is read once, and these. */
export interface HandlerOptions extends Omit<Options, 'watch' | 'debounceMs'> {
  /** Milliseconds that the pages are good for; a request that finds them older reads them again. Default 300,000; `Infinity` reads them once. */
  cacheTtlMs?: number;
  /** Origins besides the handler's own whose pages may send requests, such as `https://chat.example`; `*` for all. Default none. */
  allowOrigins?: string[] | string;
  /** What makes requests in place of the global `fetch`. Redirects are asked for with `redirect: 'manual'`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Gets each line about pages that could not be read, or are not read as written. Default `console.warn`. */
  log?: (line: string) => void;
  /** The module `agenticschema/worker.wasm`, where the engine wants it imported and has not the condition `workerd`. */
  module?: WebAssembly.Module | Promise<WebAssembly.Module>;
  /** How requests name the program. Default `AgenticSchema/version`. */
  userAgent?: string;
}

/**
 * A stateless MCP server for these pages, over Streamable HTTP. The pages are read at once, or with the first request where
 * the engine allows none before. It has no authentication: whoever reaches it may ask.
 * @param urls addresses of pages, http or https
 */
export function createHttpHandler(urls: string | URL | readonly (string | URL)[], options?: HandlerOptions): { fetch(request: Request): Promise<Response> };

export const version: string;
