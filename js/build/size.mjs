import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { section } from './sections.mjs';

/**
 * Bytes of the bundle after `gzip -9` above which the build fails. The aim is 40,000, then below 28,244; this is what the
 * full readers take today. It follows the size down, and each rise has its reason in CHANGELOG.md.
 */
export const BUDGET = 94_750;

/** Bytes as a server sends them. */
export const gzip = (bytes) => gzipSync(bytes, { level: 9 }).length;
export const brotli = (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;

/**
 * The size of the bundle and of its parts.
 *
 * A part's bytes are its characters in the bundle, by the source map. Its compressed bytes are its share: what the part
 * takes compressed alone, scaled so that the parts add up to the whole, since the parts also help each other.
 */
export function sizes({ code, mapped, map }, module) {
  const parts = new Map();
  for (const [source, text] of pieces(mapped, map)) {
    const name = part(source);
    parts.set(name, (parts.get(name) ?? '') + text);
  }
  const rows = [...parts].map(([name, text]) => ({ name, raw: text.length, gzip: gzip(text), brotli: brotli(text) }));
  const embedded = rows.find(({ name }) => name === 'wasm');
  if (embedded) rows.splice(rows.indexOf(embedded), 1, ...inside(embedded, module));

  const whole = { name: 'all', raw: code.length, gzip: gzip(code), brotli: brotli(code) };
  for (const column of ['gzip', 'brotli']) {
    const sum = rows.reduce((total, row) => total + row[column], 0);
    for (const row of rows) row[column] = Math.round((row[column] * whole[column]) / sum);
  }
  return [...rows.sort((a, b) => b.gzip - a.gzip), whole];
}

/** The sizes as lines for people. */
export function table(rows) {
  const all = rows.at(-1);
  const line = (name, ...columns) => name.padEnd(12) + columns.map((column) => String(column).padStart(10)).join('');
  const number = (n) => n.toLocaleString('en');
  return [
    line('', 'raw', 'gzip -9', 'brotli 11', 'share'),
    ...rows.map(({ name, raw, gzip, brotli }) => line(name, number(raw), number(gzip), number(brotli), `${((100 * gzip) / all.gzip).toFixed(0)} %`)),
    `budget      ${number(BUDGET).padStart(20)}`,
  ].join('\n');
}

function part(source) {
  if (source.includes('webmcp-polyfill')) return 'polyfill';
  if (source.startsWith('wasm:')) return 'wasm';
  return 'shim';
}

/** The embedded module as two parts: its code, and the data that it carries (texts, profiles, vocabulary). */
function inside(embedded, module) {
  const data = section(module, 11), code = Buffer.from(module).filter((_, i) => i < data.head || i >= data.end);
  const carried = module.subarray(data.head, data.end);
  const share = (measure) => measure(carried) / (measure(carried) + measure(code));
  const split = (name, f) => ({ name, raw: Math.round(embedded.raw * f(raw)), gzip: embedded.gzip * f(gzip), brotli: embedded.brotli * f(brotli) });
  const raw = (bytes) => bytes.length;
  return [split('wasm code', (measure) => 1 - share(measure)), split('wasm data', share)];
}

/** The pieces of the code, each with the source it comes from; what the map does not know belongs to the piece before. */
function* pieces(code, { mappings, sources }) {
  const lines = code.split('\n');
  let source = 0, from = 0, name = 'js/';
  for (const [n, line] of mappings.split(';').entries()) {
    let column = 0;
    from = 0;
    for (const segment of line.split(',')) {
      if (!segment) continue;
      const [columns, sourceStep] = fields(segment);
      column += columns;
      yield [name, lines[n].slice(from, column)];
      from = column;
      if (sourceStep !== undefined) name = sources[(source += sourceStep)];
    }
    yield [name, `${lines[n].slice(from)}\n`];
  }
}

/** The numbers of a source map segment (base64 VLQ). */
function fields(segment) {
  const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  const out = [];
  let value = 0, shift = 0;
  for (const digit of segment) {
    const bits = DIGITS.indexOf(digit);
    value |= (bits & 31) << shift;
    shift += 5;
    if (bits & 32) continue;
    out.push(value & 1 ? -(value >> 1) : value >> 1);
    value = shift = 0;
  }
  return out;
}
