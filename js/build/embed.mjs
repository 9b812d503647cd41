import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';
import { pack } from './pack.mjs';

// The characters from # to ~, 92 of them; space and ! stand in for two that they hold: \ needs an escape in a string,
// and < could close an inline script.
const FIRST = 35, SYMBOLS = 92, BACKSLASH = 92 - FIRST, LESS = 60 - FIRST;
/** So many bytes, the most frequent, are one character; the others take } or ~ before theirs. */
const SINGLES = 90;

const PAGE = 65_536;

/**
 * A WebAssembly module as the source text of an ES module that exports `decode`: packed, a character or two a byte, and
 * with the small module that turns it back. Synchronous, so that the tools are registered before the page's load event;
 * deflate in base64 is 4 % smaller in gzip, but 6 % larger in brotli, and can only be waited for.
 */
export function embed(module) {
  const { packed, streams, before, after, functions } = pack(module);
  const symbols = bySymbol(packed);
  const text = write(packed, symbols);

  // In unpack's memory: the text, the two tables, the module.
  const table = text.length, starts = table + 256, start = (starts + 4 * Object.keys(streams).length + 7) & ~7;
  const names = Object.keys(streams);
  const unpack = assemble({
    pages: Math.ceil((start + module.length + 5 * functions + packed.length) / PAGE),
    table,
    symbols: data(symbols),
    starts,
    positions: data(new Uint8Array(Uint32Array.from(Object.values(streams)).buffer)),
    module: start,
    lastSingle: SINGLES - 1,
    symbolCount: SYMBOLS,
    doubles: SINGLES * (SYMBOLS - 1),
    packed: packed.length,
    before,
    code: start + before,
    functions,
    after,
    rest: packed.length - after,
    ...Object.fromEntries(names.map((name, i) => [name, 4 * i])),
  });

  return `
const text = ${JSON.stringify(text)};
/** The bytes of the module. Throws where the page forbids WebAssembly. */
export function decode() {
  const small = atob('${unpack.toString('base64')}'), bytes = new Uint8Array(small.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = small.charCodeAt(i);
  const { memory, unpack } = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  new TextEncoder().encodeInto(text, new Uint8Array(memory.buffer));
  return new Uint8Array(memory.buffer).subarray(${start}, unpack());
}`;
}

/**
 * The bytes by symbol. A frequent printable one is its own symbol, so that the module's texts compress together with the
 * JavaScript's.
 */
function bySymbol(bytes) {
  const count = new Uint32Array(256);
  for (const byte of bytes) count[byte]++;
  const byFrequency = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b);
  const singles = byFrequency.slice(0, SINGLES).sort((a, b) => a - b);
  const own = (byte) => byte - FIRST >= 0 && byte - FIRST < SINGLES && byte - FIRST !== BACKSLASH && byte - FIRST !== LESS;
  const others = singles.filter((byte) => !own(byte));
  const one = Array.from({ length: SINGLES }, (_, symbol) => (singles.includes(symbol + FIRST) && own(symbol + FIRST) ? symbol + FIRST : others.shift()));
  return Uint8Array.from([...one, ...byFrequency.slice(SINGLES).sort((a, b) => a - b)]);
}

function write(bytes, symbols) {
  const character = (symbol) => (symbol === BACKSLASH ? ' ' : symbol === LESS ? '!' : String.fromCharCode(symbol + FIRST));
  const said = [];
  symbols.forEach((byte, i) => {
    const double = i - SINGLES;
    said[byte] = double < 0 ? character(i) : character(SINGLES + Math.floor(double / SYMBOLS)) + character(double % SYMBOLS);
  });
  return Array.from(bytes, (byte) => said[byte]).join('');
}

/** unpack.wat as a module, with the values filled in. */
function assemble(values) {
  const template = readFileSync(new URL('unpack.wat', import.meta.url), 'utf8');
  const text = template.replace(/^ *;;.*$/gm, '').replace(/\$\{(\w+)\}/g, (_, name) => {
    if (values[name] === undefined) throw new Error(`unpack.wat asks for \${${name}}, which js/build/embed.mjs does not know`);
    return values[name];
  });
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-'));
  try {
    writeFileSync(join(folder, 'unpack.wat'), text);
    const tool = join(root, 'node_modules/binaryen/bin/wasm-opt');
    execFileSync(process.execPath, [tool, '--enable-bulk-memory', '-Oz', join(folder, 'unpack.wat'), '-o', join(folder, 'unpack.wasm')]);
    return readFileSync(join(folder, 'unpack.wasm'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Bytes as a string of WebAssembly's text format. */
const data = (bytes) => Array.from(bytes, (byte) => `\\${byte.toString(16).padStart(2, '0')}`).join('');
