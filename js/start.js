import { customTools } from './custom.js';
import { failure, noSurface, notes, reason } from './notes.js';
import { openPage, refusal } from './page.js';
import { surface } from './polyfill.js';
import { AbortController, Promise, defineProperty, later } from './primitives.js';
import { registry } from './register.js';
import { adopt } from './wasm.js';
import { watch } from './watch.js';

/** Milliseconds after which nobody waits any longer for a runtime that does not answer registrations. */
const PATIENCE = 3000;
const COPY = Symbol.for('agenticschema');

/** What stops the run of a document: one run reads it at a time. */
const running = new WeakMap();

/**
 * Reads the page, registers its tools and follows its changes.
 * @param options the pipeline's options by name, `custom` tools, and `document`, `modelContext` for other ones than the page's
 * @param rescue asked once, where WebAssembly is refused: resolves with another engine or undefined
 * @returns the handle, once the first registrations have settled; never rejects
 */
export function start(options, rescue) {
  const { list, add } = notes();
  let tools = [], diagnostics = [], refresh = () => {}, stop = refresh, fresh = refresh, settled, rescued;
  const failed = (error) => add('error', 'remap-failed', `Nothing was registered: ${reason(error)}. Please report this message.`);
  const begin = () => {
    try {
      run({ ...options });
    } catch (error) {
      failed(error);
    }
  };
  begin();
  const rest = async () => {
    await settled;
    await rescued;
    await settled;
  };
  // Resolves with the handle or nothing, whatever happens.
  const done = (handle) => new Promise((resolve) => {
    const over = () => resolve(handle);
    if (globalThis.document) later(over, PATIENCE);
    rest().then(over, over);
  });
  const handle = {
    tools: () => (fresh(), tools),
    diagnostics: () => (fresh(), [...diagnostics, ...list]),
    refresh: () => (refresh(), done()),
    stop: () => stop(),
  };
  defineProperty(handle, COPY, { value: add });
  return done(handle);

  function run({ document: doc = globalThis.document, modelContext, custom, ...pipeline }) {
    if (!doc) return add('info', 'no-webmcp-surface', 'There is no document here, so nothing was read: start in a browser.');
    // An opaque origin (a sandboxed document) is nobody's: there is no origin that a search could be trusted with.
    if (globalThis.origin === 'null') pipeline.actions = 'off';
    running.get(doc)?.();
    let stopped;
    const refused = () => {
      rescued ??= Promise.resolve(rescue?.()).then((engine) => {
        if (!adopt(engine)) return refusal(add);
        add('info', 'wasm-refused', "WebAssembly is refused here, so agenticschema.nowasm.js was loaded as well. To load one file only, add 'wasm-unsafe-eval' to script-src in the Content-Security-Policy, or use agenticschema.nowasm.js.");
        if (!stopped && running.get(doc) === end) begin();
      });
    };
    const page = openPage(doc, pipeline, add, refused);
    const own = customTools(custom, pipeline.maxPayloadBytes > 0 ? +pipeline.maxPayloadBytes : 32000, add);
    const context = modelContext ?? surface(doc);
    if (!context) noSurface(add);

    const life = new AbortController();
    let route = new AbortController(), watcher, read;
    const call = (name, input, signal) =>
      stopped
        ? failure('stopped', 'This tool was withdrawn by the page.', 'List the tools again.')
        : own.has(name) ? own.call(name, input, [signal, life.signal]) : (fresh(), page.call(name, input, [signal, route.signal]));
    const registered = context && registry(context, doc, call, own.has, add);

    refresh = () => {
      if (stopped) return false;
      watcher?.clear();
      return take(page.read());
    };
    // Registers what was read; tells whether it is news.
    const take = (page) => {
      const before = read;
      ({ tools: read, diagnostics } = page);
      registered?.review();
      if (read !== before) {
        tools = own.before(read);
        settled = registered?.update(tools);
      }
      return read !== before;
    };
    const end = () => {
      if (stopped) return;
      stopped = true;
      tools = [];
      watcher?.stop();
      route.abort();
      life.abort();
      registered?.stop();
      page.close();
    };
    running.set(doc, (stop = end));

    // The first time in pieces, so that no task of the page waits long.
    settled = (async () => {
      const { watch: follow, debounceMs } = await page.open();
      if (stopped) return;
      // Watching starts before the first reading, so that nothing falls between the two.
      if (follow) {
        const moved = () => {
          route.abort();
          route = new AbortController();
        };
        watcher = watch(doc, debounceMs, refresh, moved, () => registered?.review());
        fresh = () => {
          if (!stopped && watcher.pending()) refresh();
        };
      }
      watcher?.clear();
      const news = await page.readInPieces();
      if (!stopped && take(news)) await settled;
    })().catch(failed);
  }
}
