import { shield, writeJson } from './json.js';
import { failure, noSurface, reason } from './notes.js';
import { AbortController, attribute, defaultView, defineProperty, findAll, getOwnPropertyDescriptor, getPrototypeOf, later, Promise } from './primitives.js';

/** Whether a tool of this name searches. */
const searches = (name) => /search/i.test(name.replace(/research/gi, ''));
/** Longest name with room for a suffix. */
const NAME = 28;
/** Set while one of our own tools is being registered. */
let registering;

/**
 * Registers tools with a model context, by difference: an unchanged tool is never touched, so no event is fired and
 * no running call is cut off. `call(name, input, signal)` answers; `isOwn(name)` tells the site's custom tools.
 */
export function registry(context, doc, call, isOwn, add) {
  let live = [], wanted = [], closed, unwrap;
  // The polyfill ends running calls of a tool that is unregistered; such a tool stays until its calls are done.
  const patient = context.__isWebMCPPolyfill;
  // Chromium crashes where tools of a document are touched that has left its frame, or never was in one.
  const own = defaultView(doc) && context === doc.modelContext, gone = () => own && !defaultView(doc);

  /** Registers, takes back and leaves alone; resolves when all new registrations have settled. */
  async function update(tools) {
    if (gone()) return;
    wanted = tools;
    const surfaces = {}, pending = [], before = live;
    for (const tool of tools) surfaces[tool.name] = surface(tool);
    live = [];
    for (const entry of before) {
      if (surfaces[entry.name] !== entry.surface && !(patient && entry.busy)) entry.controller.abort();
      else {
        live.push(entry);
        surfaces[entry.name] = '';
      }
    }
    const added = tools.filter(({ name }) => surfaces[name]), forms = added[0] && declared();
    for (const tool of added) pending.push(register(tool, surfaces[tool.name], forms));
    for (const one of pending) await one;
  }

  function register(tool, surface, forms) {
    const entry = { name: tool.name, surface, controller: new AbortController(), busy: 0, seeks: !isOwn(tool.name) && searches(tool.name) };
    live.push(entry);
    unwrap ??= wrap();
    const execute = async (input, options) => {
      entry.busy++;
      try {
        return await call(tool.name, input, options?.signal);
      } catch (error) {
        return failure('internal', reason(error), 'Check the arguments, then try again.');
      } finally {
        // Not at once: the polyfill has not seen the answer yet.
        if (!--entry.busy && patient) later(() => closed || update(wanted), 0);
      }
    };
    const attempt = (name, second) => {
      const { signal } = entry.controller;
      const other = () => second || attempt(suffixed(name), true);
      entry.registered = name;
      entry.leave = () => {
        entry.controller.abort();
        entry.controller = new AbortController();
        other();
      };
      const refused = (error) => {
        if (signal.aborted) return;
        // A name that the page's own tool or form holds is left to it.
        if (!second && /InvalidState|already|duplicate/i.test(reason(error))) return other();
        if (globalThis.origin === 'null') return noSurface(add);
        add('warn', 'register-failed', `The browser refused the tool ${name}: ${reason(error)}. Agents do not see it. NotAllowedError: allow it in the Permissions-Policy (tools) or the iframe's allow="tools"; SecurityError: drop Origin-Agent-Cluster: ?0; InvalidStateError: the page has a tool of this name.`);
      };
      const { title, description, inputSchema, annotations } = tool;
      const descriptor = { name, description, inputSchema: shield(inputSchema), execute, annotations };
      // Runtimes call toWellFormed on a title, engines before ES2024 have none.
      if (title && ''.toWellFormed) descriptor.title = title;
      registering = true;
      try {
        return Promise.resolve(context.registerTool(descriptor, { signal })).then(() => {}, refused);
      } catch (error) {
        return refused(error);
      } finally {
        registering = false;
      }
    };
    const begin = () => (forms.includes(tool.name) ? attempt(suffixed(tool.name), true) : attempt(tool.name));
    if (!entry.seeks) return begin();
    return siteSearch().then((found) => {
      if (found) skipped(found);
      else if (!entry.controller.signal.aborted) return begin();
    });
  }

  function skipped(found) {
    add('info', 'action-skipped', `The page has a search tool of its own (${found}), so none is made from its markup. Nothing to do.`);
  }

  /** The names that forms of the page declare. */
  function declared() {
    const names = [];
    for (const form of findAll(doc, 'form[toolname]')) names.push(attribute(form, 'toolname'));
    return names;
  }

  /** The name of a search tool that the site has made itself. */
  async function siteSearch() {
    try {
      for (const name of declared()) if (searches(name)) return name;
      const view = defaultView(doc);
      for (const { name, source, window } of await context.getTools()) if (searches(name) && !live.some(({ registered }) => registered === name) && (source ?? window ?? view) === view) return name;
    } catch {} // some surfaces have nothing but registerTool
  }

  /** Leaves a name to a tool of the page's that comes later, and searching to one that searches. */
  function leave(name) {
    if (gone()) return;
    for (const entry of live) {
      if (entry.seeks && searches(name)) {
        entry.controller.abort();
        live = live.filter((other) => other !== entry);
        skipped(name);
      } else if (entry.registered === name) entry.leave();
    }
  }

  /**
   * A model context refuses a name that is there, so a script of the page would fail because of us: it goes first, wherever
   * the context can be given a `registerTool` of its own. Returns what takes that back.
   */
  function wrap() {
    const KEY = 'registerTool';
    let before;
    const value = function (tool) {
      try {
        if (!registering && !closed) leave(tool.name);
      } catch {} // the original says what is wrong
      return (before ? before.value : getPrototypeOf(context)[KEY]).apply(this, arguments);
    };
    try {
      before = getOwnPropertyDescriptor(context, KEY);
      defineProperty(context, KEY, { value, configurable: true, writable: true });
    } catch {} // frozen: the first one has the name
    return () => {
      if (context[KEY] !== value) return; // somebody wrapped it since: theirs stays
      if (before) defineProperty(context, KEY, before);
      else delete context[KEY];
    };
  }

  return {
    update,
    /**
     * Leaves the names that forms of the page declare. Done in the turn in which a form comes, it is in time: browsers
     * register forms a moment later.
     */
    review() {
      for (const name of declared()) leave(name);
    },
    stop() {
      closed = true;
      unwrap?.();
      if (!gone()) for (const { controller } of live) controller.abort();
      live = [];
    },
  };
}

const suffixed = (name) => `${name.slice(0, NAME)}_2`;
const surface = ({ name, title, description, inputSchema, annotations }) => writeJson([name, title, description, inputSchema, annotations]);
