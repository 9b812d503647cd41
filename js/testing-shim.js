import { readJson, writeJson } from './json.js';
import { defineProperty, Event, isArray, later, quoteJson } from './primitives.js';

/**
 * Puts `navigator.modelContextTesting` in front of the polyfill's, or where a browser has none any more: relays list and
 * call tools through it, want to be told of changes, and hand results to clients that see nothing but MCP's own shape.
 */
export function testingShim(context) {
  const base = navigator.modelContextTesting ?? native(context);
  // Relays ask for the list once, perhaps before our first tool is there, and listen a moment later, perhaps after it.
  const listen = (...args) => {
    base.addEventListener(...args);
    later(() => base.dispatchEvent(new Event('toolchange')), 0);
  };
  const shim = {
    listTools: () => base.listTools(),
    async executeTool(name, input, options) {
      return writeJson(mcpResult(await base.executeTool(name, input, options)));
    },
    registerToolsChangedCallback: (callback) => listen('toolchange', () => callback()),
    addEventListener: listen,
    removeEventListener: (...args) => base.removeEventListener(...args),
  };
  defineProperty(navigator, 'modelContextTesting', { value: shim, configurable: true });
}

/**
 * The same of a browser's own model context. Relays want the list at once, so it is kept, from the first time that
 * somebody asks for it: until then this costs nothing.
 */
function native(context) {
  const told = new EventTarget();
  let tools = [], watched;
  const own = async () => (await context.getTools()).filter((tool) => (tool.source ?? tool.window) === window);
  const read = async () => {
    try {
      tools = await own();
      told.dispatchEvent(new Event('toolchange'));
    } catch {} // this document may not list tools
  };
  const watch = () => {
    if (!watched) {
      watched = true;
      context.addEventListener?.('toolchange', read);
      read();
    }
  };
  return {
    listTools: () => (watch(), tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema: quoteJson(inputSchema) }))),
    async executeTool(name, input, options) {
      return context.executeTool((await own()).find((tool) => tool.name === name), readJson(input), options);
    },
    addEventListener: (...args) => (watch(), told.addEventListener(...args)),
    removeEventListener: (...args) => told.removeEventListener(...args),
    dispatchEvent: (event) => told.dispatchEvent(event),
  };
}

/** A result's text as an MCP result; one that has the shape already is passed on. */
function mcpResult(text) {
  let value;
  try {
    value = readJson(text);
  } catch {}
  const object = value && typeof value === 'object' && !isArray(value);
  if (object && isArray(value.content)) return value;
  return { content: [{ type: 'text', text }], structuredContent: object ? value : undefined, isError: object && typeof value.error === 'string' ? true : undefined };
}
