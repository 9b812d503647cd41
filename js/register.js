import { shield, writeJson } from './json.js';
import { failure, reason } from './notes.js';
import { AbortController, attribute, findAll, later, Promise } from './primitives.js';

/** Whether a tool of this name searches. */
const searches = (name) => /search/i.test(name.replace(/research/gi, ''));
/** Longest name with room for a suffix. */
const NAME = 28;

/**
 * Registers tools with a model context, by difference: an unchanged tool is never touched, so no event is fired and
 * no running call is cut off. `call(name, input, signal)` answers; `isOwn(name)` tells the site's custom tools.
 */
export function registry(context, doc, call, isOwn, add) {
  let live = [], wanted = [], closed;
  const ours = { __proto__: null };
  // The polyfill ends running calls of a tool that is unregistered; such a tool stays until its calls are done.
  const patient = context.__isWebMCPPolyfill;

  /** Registers, takes back and leaves alone; resolves when all new registrations have settled. */
  function update(tools) {
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
    for (const tool of tools) if (surfaces[tool.name]) pending.push(register(tool, surfaces[tool.name]));
    return Promise.all(pending);
  }

  function register(tool, surface) {
    const controller = new AbortController();
    const entry = { name: tool.name, surface, controller, busy: 0 };
    live.push(entry);
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
      ours[name] = true;
      const refused = (error) => {
        if (controller.signal.aborted) return;
        // A name that the page's own tool or form holds is left to it.
        if (!second && /InvalidState|already|duplicate/i.test(reason(error))) return attempt(suffixed(name), true);
        add('warn', 'register-failed', `The browser refused the tool ${name}: ${reason(error)}. Agents do not see it. NotAllowedError: allow it in the Permissions-Policy (tools) or the iframe's allow="tools"; SecurityError: drop Origin-Agent-Cluster: ?0; InvalidStateError: the page has a tool of this name.`);
      };
      const { title, description, inputSchema, annotations } = tool;
      const descriptor = { name, description, inputSchema: shield(inputSchema), execute, annotations };
      // Runtimes call toWellFormed on a title, engines before ES2024 have none.
      if (title && ''.toWellFormed) descriptor.title = title;
      try {
        return Promise.resolve(context.registerTool(descriptor, { signal: controller.signal })).then(() => {}, refused);
      } catch (error) {
        return refused(error);
      }
    };
    const begin = () => (taken(tool.name) ? attempt(suffixed(tool.name), true) : attempt(tool.name));
    if (isOwn(tool.name) || !searches(tool.name)) return begin();
    return siteSearch().then((found) => {
      if (found) add('info', 'action-skipped', `The page has a search tool of its own (${found}), so none is made from its markup. Nothing to do.`);
      else if (!controller.signal.aborted) return begin();
    });
  }

  /** The name of a search tool that the site has made itself. */
  async function siteSearch() {
    try {
      for (const form of findAll(doc, 'form[toolname]')) if (searches(attribute(form, 'toolname'))) return attribute(form, 'toolname');
      const view = doc.defaultView;
      for (const { name, source, window } of await context.getTools()) if (searches(name) && !ours[name] && (source ?? window ?? view) === view) return name;
    } catch {} // some surfaces have nothing but registerTool
  }

  /** Whether a form declares a tool of this name. */
  function taken(name) {
    for (const form of findAll(doc, 'form[toolname]')) if (attribute(form, 'toolname') === name) return true;
  }

  return {
    update,
    stop() {
      closed = true;
      for (const { controller } of live) controller.abort();
      live = [];
    },
  };
}

const suffixed = (name) => `${name.slice(0, NAME)}_2`;
const surface = ({ name, title, description, inputSchema, annotations }) => writeJson([name, title, description, inputSchema, annotations]);
