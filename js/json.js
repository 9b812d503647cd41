// JSON without the page's help: old libraries give arrays and strings a `toJSON` of their own, and the agent's
// runtime calls the page's JSON.stringify on what a tool hands over.
import { Date, defineProperty, isArray, keys, parseJson, quoteJson } from './primitives.js';

/** Nesting and number of values written for one call's arguments or answer. */
const DEPTH = 16;
const VALUES = 10_000;

/** Half a surrogate pair, with which a text is no Unicode and some runtimes refuse it. */
const HALF = /\p{Cs}/gu;

/** A text with the replacement character for each half of a surrogate pair. */
export const wellFormed = (text) => text.replace(HALF, '\ufffd');

const quote = (text) => quoteJson(wellFormed(text));

/** Writes a value as JSON: own enumerable properties, well-formed, no `toJSON` but a Date's; what JSON cannot hold becomes null. */
export function writeJson(value) {
  let left = VALUES;
  const write = (v, depth) => {
    if (typeof v === 'string') return quote(v);
    if (typeof v === 'boolean') return `${v}`;
    if (typeof v === 'number') return v - v === 0 ? `${v}` : 'null';
    if (typeof v !== 'object' || !v || depth > DEPTH || --left < 0) return 'null';
    if (v instanceof Date) return v - v === 0 ? quote(v.toISOString()) : 'null';
    let out = '';
    if (isArray(v)) {
      for (const item of v) out += `${out && ','}${write(item, depth + 1)}`;
      return `[${out}]`;
    }
    for (const key of keys(v)) if (v[key] !== undefined) out += `${out && ','}${quote(key)}:${write(v[key], depth + 1)}`;
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
