import { customTools } from './custom.js';
import { failure, notes, reason } from './notes.js';
import { openPage } from './page.js';
import { surface } from './polyfill.js';
import { AbortController, Promise, defineProperty, later } from './primitives.js';
import { registry } from './register.js';
import { watch } from './watch.js';

/** Milliseconds after which `start` no longer waits for a runtime that does not answer registrations. */
const PATIENCE = 3000;
const COPY = Symbol.for('agenticschema');

/** What stops the run of a document: one run reads it at a time. */
const running = new WeakMap();

/**
 * Reads the page, registers its tools and follows its changes.
 * @param options the pipeline's options by name, `custom` tools, and `document`, `modelContext` for other ones than the page's
 * @returns the handle, once the first registrations have settled; never rejects
 */
export function start(options) {
  const { list, add } = notes();
  let tools = [], diagnostics = [], refresh = () => {}, stop = refresh, fresh = refresh, settled;
  try {
    run({ ...options });
  } catch (error) {
    add('error', 'remap-failed', `Nothing was registered: ${reason(error)}. Please report this message.`);
  }
  const handle = {
    tools: () => (fresh(), tools),
    diagnostics: () => (fresh(), [...diagnostics, ...list]),
    refresh: () => (refresh(), Promise.resolve(settled).then(() => {})),
    stop: () => stop(),
  };
  defineProperty(handle, COPY, { value: add });
  return Promise.race([Promise.resolve(settled), new Promise((done) => later(done, PATIENCE))]).then(
    () => handle,
    () => handle,
  );

  function run({ document: doc = globalThis.document, modelContext, custom, ...pipeline }) {
    if (!doc) return add('info', 'no-webmcp-surface', 'There is no document here, so nothing was read: start in a browser.');
    // An opaque origin (a sandboxed document) is nobody's: there is no origin that a search could be trusted with.
    if (globalThis.origin === 'null') pipeline.actions = 'off';
    running.get(doc)?.();
    const page = openPage(doc, pipeline, add);
    const own = customTools(custom, pipeline.maxPayloadBytes > 0 ? +pipeline.maxPayloadBytes : 32000, add);
    const context = modelContext ?? surface(doc);
    if (!context) add('warn', 'no-webmcp-surface', 'No tool can be registered: this document has no document.modelContext and none can be added. Serve the page over https, in a window of its own.');

    const life = new AbortController();
    let route = new AbortController(), stopped, watcher, read;
    const call = (name, input, signal) =>
      stopped
        ? failure('stopped', 'This tool was withdrawn by the page.', 'List the tools again.')
        : own.has(name) ? own.call(name, input, [signal, life.signal]) : (fresh(), page.call(name, input, [signal, route.signal]));
    const registered = context && registry(context, doc, call, own.has, add);

    refresh = () => {
      if (stopped) return false;
      watcher?.clear();
      const before = read;
      ({ tools: read, diagnostics } = page.read());
      if (read !== before) {
        tools = own.before(read);
        settled = registered?.update(tools);
      }
      return read !== before;
    };
    stop = () => {
      if (stopped) return;
      stopped = true;
      tools = [];
      watcher?.stop();
      route.abort();
      life.abort();
      registered?.stop();
      page.close();
    };
    running.set(doc, stop);

    const { watch: follow, debounceMs } = page.options;
    // Watching starts before the first reading, so that nothing falls between the two.
    if (follow) {
      const moved = () => {
        route.abort();
        route = new AbortController();
      };
      watcher = watch(doc, debounceMs, refresh, moved);
      fresh = () => {
        if (!stopped && watcher.pending()) refresh();
      };
    }
    refresh();
  }
}
