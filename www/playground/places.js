import { isJson } from './reader.js';

/**
 * Where in the input a diagnostic is about.
 *
 * @returns the start and end of the place in UTF-16 units, or undefined where the message names none
 */
export function place(text, message) {
  const named = /JSON-LD block (\d+)(?:, byte (\d+))?/.exec(message);
  if (!named) return;
  const block = isJson(text) ? { start: 0, end: text.length } : blocks(text)[named[1] - 1];
  if (!block) return;
  if (named[2] === undefined) return block;
  const at = block.start + unitsOf(text.slice(block.start, block.end), Number(named[2]));
  return { start: Math.min(at, block.end), end: Math.min(at + 1, block.end) };
}

/** The JSON-LD blocks of an HTML text. */
function blocks(text) {
  const found = [];
  for (const match of text.matchAll(/<script\b[^>]*?application\/ld\+json[^>]*>/gi)) {
    const start = match.index + match[0].length;
    const end = text.slice(start).search(/<\/script/i);
    found.push({ start, end: end < 0 ? text.length : start + end });
  }
  return found;
}

/** UTF-16 units that so many bytes of UTF-8 take. */
function unitsOf(text, bytes) {
  let units = 0;
  for (const character of text) {
    const code = character.codePointAt(0);
    bytes -= code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes < 0) break;
    units += character.length;
  }
  return units;
}
