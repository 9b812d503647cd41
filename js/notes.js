// Diagnostics of the host: the same shape as the core's.

/** How many are kept. */
const LIMIT = 50;

/** A list of diagnostics that keeps a repeated one once. */
export function notes() {
  const list = [];
  return {
    list,
    /** `message` says what happened, why it matters and what to do. */
    add(level, code, message) {
      for (const d of list) if (d.message === message && d.code === code) return;
      if (list.length < LIMIT) list.push({ level, code, message });
    },
  };
}

/** Notes that nothing can be registered. */
export function noSurface(add) {
  add('warn', 'no-webmcp-surface', 'No tool can be registered: this document has no document.modelContext and none can be added, or its origin is opaque. Serve the page over https, in a window of its own, without a sandbox.');
}

/** What was thrown or rejected, as words: not everything that is thrown is an Error. */
export function reason(error) {
  try {
    const words = [error?.name, error?.message].filter((w) => w && typeof w === 'string').join(': ');
    return (words || `${error}`).slice(0, 200);
  } catch {
    return 'an unreadable error';
  }
}

/** The answer to a call that could not be carried out: calls always resolve, runtimes drop the reason of a rejection. */
export const failure = (code, error, suggestion) => ({ error, code, retryable: code !== 'stopped', suggestion });
