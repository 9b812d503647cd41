import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';
import { KINDS, split } from './split.mjs';

/** Where unpack.wat has its tables, and where it puts the module. */
const TABLES_AT = 0x34000, MODULE_AT = 0x40000;

/**
 * A WebAssembly module as the source text of an ES module that exports `decode`: taken apart into streams, a character
 * or two a byte, with the small module that puts it together again. Synchronous, so that the tools are registered before
 * the page's load event.
 */
export function embed(module) {
  const streams = split(module);
  const text = write(streams);
  // Its memory ends at twice MODULE_AT.
  if (text.length > TABLES_AT || module.length > MODULE_AT) throw new Error('The module is longer than unpack.wat has memory for');
  return `
let text = ${JSON.stringify(text)}; const unpacker = '${unpacker().toString('base64')}';
/** The bytes of the module. Throws where the page forbids WebAssembly. */
export function decode() {
  // A loop, since this runs before any compiler of the engine: from() with a function takes several times as long.
  const packed = atob(unpacker), own = new Uint8Array(packed.length);
  for (let i = 0; i < packed.length; i++) own[i] = packed.charCodeAt(i);
  const { memory, unpack } = new WebAssembly.Instance(new WebAssembly.Module(own)).exports;
  const bytes = new Uint8Array(memory.buffer);
  new TextEncoder().encodeInto(text, bytes);
  const end = unpack(text.length);
  text = '';
  return bytes.slice(${MODULE_AT}, end);
}`;
}

// The characters from space to ~ stand for bytes, except for three: " and \ need an escape in a string, and < could
// close an inline script. A tab stands between two streams of the module.
const used = (c) => c > 31 && c < 127 && c !== 34 && c !== 60 && c !== 92;
/** } and ~ take another character behind them. */
const single = (c) => used(c) && c < 125;
/** So many bytes, the most frequent, are one character. */
const SINGLES = 90;

/** The streams as text: first which bytes are one character, a bit each, as hexadecimal digits. */
function write(streams) {
  const count = new Uint32Array(256);
  for (const byte of streams.flat()) count[byte]++;
  const byFrequency = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b);
  const frequent = new Set(byFrequency.slice(0, SINGLES));
  const digits = Array.from({ length: 64 }, (_, i) => [0, 1, 2, 3].reduce((sum, bit) => sum + (frequent.has(i * 4 + bit) << bit), 0).toString(16));

  // As in unpack.wat: a frequent byte that is such a character stands for itself, so that the module's texts compress
  // together with the JavaScript's.
  const said = [];
  let spare = 31, rest = 125 * 128 + 31;
  for (let byte = 0; byte < 256; byte++) {
    if (frequent.has(byte)) {
      if (!single(byte)) do spare++; while (!single(spare) || frequent.has(spare));
      said[byte] = String.fromCharCode(single(byte) ? byte : spare);
    } else {
      do rest++; while (!used(rest & 127));
      said[byte] = String.fromCharCode(rest >> 7, rest & 127);
    }
  }
  return digits.join('') + streams.map((stream) => stream.map((byte) => said[byte]).join('')).join('\t');
}

/** unpack.wat as a module. */
function unpacker() {
  const kinds = Array.from(KINDS, (kind) => `\\0${kind}`).join('');
  const text = readFileSync(new URL('unpack.wat', import.meta.url), 'utf8').replace('KINDS"', `${kinds}"`);
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  try {
    writeFileSync(join(folder, 'unpack.wat'), text);
    const tool = join(root, 'node_modules/binaryen/bin/wasm-opt');
    execFileSync(process.execPath, [tool, '-Oz', '--converge', join(folder, 'unpack.wat'), '-o', join(folder, 'unpack.wasm')]);
    return readFileSync(join(folder, 'unpack.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
