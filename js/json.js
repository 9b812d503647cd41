// JSON without the page's help: old libraries give arrays and strings a `toJSON` of their own, and the agent's
// runtime calls the page's JSON.stringify on what a tool hands over.
import { defineProperty, isArray, keys, parseJson, quoteJson } from './primitives.js';

/** Nesting and number of values written for one call's arguments. */
const DEPTH = 8;
const VALUES = 10_000;

/** Writes a value as JSON: own enumerable properties, no `toJSON`; what JSON cannot hold becomes null. */
export function writeJson(value) {
  let left = VALUES;
  const write = (v, depth) => {
    if (typeof v === 'string' || typeof v === 'boolean') return quoteJson(v);
    if (typeof v === 'number') return v - v === 0 ? `${v}` : 'null';
    if (typeof v !== 'object' || !v || depth > DEPTH || --left < 0) return 'null';
    let out = '';
    if (isArray(v)) {
      for (const item of v) out += `${out && ','}${write(item, depth + 1)}`;
      return `[${out}]`;
    }
    for (const key of keys(v)) if (v[key] !== undefined) out += `${out && ','}${quoteJson(key)}:${write(v[key], depth + 1)}`;
    return `{${out}}`;
  };
  return write(value, 0);
}

/** Reads JSON that our core wrote. */
export const readJson = (text) => shield(parseJson(text));

/**
 * Gives arrays and objects an own, invisible `toJSON` that is no function, where the page has put one on their
 * prototypes: JSON.stringify then leaves them alone.
 */
export function shield(value) {
  if (value && typeof value === 'object' && ([].toJSON || {}.toJSON)) {
    for (const key of keys(value)) shield(value[key]);
    defineProperty(value, 'toJSON', { value: undefined, configurable: true });
  }
  return value;
}
