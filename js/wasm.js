// The core: compiled once, instantiated at first use and again after a trap. `src/host/wasm.rs` is the other
// side. What crosses is strings, so these few lines stand for the glue that wasm-bindgen writes for any interface; the
// ABI is that of the version that Cargo.lock pins.
import { engine as own } from './engine.js';
import { later, Promise, TextDecoder, TextEncoder, Uint8Array, Uint32Array } from './primitives.js';
import { resolveUrl } from './url.js';

let engine = own, bytes, module, aside, make, memory, refusal, count = 0, settled = 0;

/** Bytes that an instance may use up beyond twice its first page: some hundred readings of an ordinary one. */
const SLACK = 4 << 20;

/** Milliseconds that another thread may take; then the page's own compiles. */
const PATIENCE = 1000;

/** Number of the instance: a core of an earlier one must not be used any more. */
export const generation = () => count;

/**
 * A new core: a function that takes the name of a method of `Core` and its arguments. Throws what the engine throws; where
 * the page forbids WebAssembly, with `refused`.
 */
export function newCore(optionsJson) {
  compile();
  make ??= instance();
  return make(optionsJson);
}

/** Unpacks the core, if that has not been done. Throws as `newCore`. */
export function unpack() {
  vet(() => module || (bytes ??= engine.bytes()));
}

/** Lets another thread compile what was unpacked, where the engine can. Never rejects: `compile` meets what fails again. */
export function compileAside() {
  const from = engine;
  return (aside ??= (async () => {
    try {
      const made = module || (from.compileAside && (await new Promise((done, failed) => {
        later(done, PATIENCE);
        from.compileAside(bytes).then(done, failed);
      })));
      // Pages may have a `compile` of their own: whose module has no imports is none.
      if (engine === from && from.imports(made)) module ??= made;
    } catch {}
  })());
}

/** Compiles the core, if that has not been done. Throws as `newCore`. */
function compile() {
  unpack();
  vet(() => (module ??= engine.compile(bytes)));
  bytes = undefined;
}

// A refused compilation is not tried again: every attempt is a report to the site's security team.
function vet(work) {
  if (refusal) throw refusal;
  try {
    work();
  } catch {
    throw (refusal = { refused: true });
  }
}

/** Goes on with another engine, of the same version, after a refusal. Tells whether it does. */
export function adopt(other) {
  if (other?.version !== own.version) return false;
  engine = other;
  refusal = aside = undefined;
  return true;
}

/** An instance, as a function that makes cores. */
function instance() {
  const imports = {};
  // Apart from our own import there is what wasm-bindgen calls when its caller makes a mistake.
  for (const { module: from, name } of engine.imports(module)) {
    (imports[from] ??= {})[name] = /resolveUrl/.test(name) ? resolve : () => never(name);
  }
  const exports = engine.instantiate(module, imports), encoder = new TextEncoder();
  let decoder;
  memory = exports.memory;

  function never(name) {
    throw new Error(name);
  }
  function resolve(result, url, urlLength, base, baseLength) {
    const found = give(resolveUrl(take([url, urlLength]), take([base, baseLength])));
    new Uint32Array(exports.memory.buffer, result, 2).set(found);
  }
  /** Writes a string into the memory: its address and length. The core frees what it is given, or keeps it. */
  function give(text) {
    const bytes = encoder.encode(text), at = exports.__wbindgen_malloc(bytes.length, 1) >>> 0;
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    return [at, bytes.length];
  }
  function take([at, length]) {
    return decoder.decode(new Uint8Array(exports.memory.buffer, at >>> 0, length));
  }
  return (optionsJson) => {
    const core = exports.core_new(...give(optionsJson));
    return (method, ...values) => {
      // One for each call: Safari's stop working after two gigabytes.
      decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      const given = [];
      for (const value of values) {
        if (typeof value === 'string') given.push(...give(value));
        else given.push(value);
      }
      return take(exports[`core_${method}`](core, ...given));
    };
  };
}

/** Throws the instance away: after a trap its memory is in no known state. */
export function discard() {
  count++;
  make = memory = undefined;
  settled = 0;
}

const size = () => memory?.buffer.byteLength ?? 0;

/** Notes what the first page that an instance reads takes. */
export const settle = () => void (settled ||= size());

/**
 * Whether the instance has used up far more memory than the page it read needs. The core frees nothing
 * (src/host/runtime.rs): what calls and earlier states of the page took is given back with the instance.
 */
export const spent = () => size() > 2 * settled + SLACK;
