import { readJson, writeJson } from './json.js';
import { defineProperty, isArray } from './primitives.js';

/**
 * Puts `navigator.modelContextTesting` in front of the polyfill's: relays list and call tools through it, want to be
 * told of changes, and hand results to clients that see nothing but MCP's own shape.
 */
export function testingShim() {
  const base = navigator.modelContextTesting;
  const shim = {
    listTools: () => base.listTools(),
    async executeTool(name, input, options) {
      return writeJson(mcpResult(await base.executeTool(name, input, options)));
    },
    registerToolsChangedCallback(callback) {
      base.addEventListener('toolchange', () => callback());
    },
    addEventListener: (...args) => base.addEventListener(...args),
    removeEventListener: (...args) => base.removeEventListener(...args),
  };
  defineProperty(navigator, 'modelContextTesting', { value: shim, configurable: true });
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
