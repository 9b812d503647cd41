// The core for several pages, in an instance of its own. `src/host/worker.rs` is the other side. What crosses is strings,
// numbers and the bytes of responses; the ABI is that of the version that Cargo.lock pins.

/** What the module threw: its memory is in no known state, and the site must not be used any more. */
export class Trap extends Error {}

/** A new site: a function that takes the name of a method of `Site` and its arguments. Throws a `Trap`. */
export function newSite(module, optionsJson, urls) {
  const imports = {};
  // What wasm-bindgen calls when its caller makes a mistake, and a table of JavaScript values, which nothing is put in.
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = /init_externref/.test(name) ? () => {} : () => never(name);
  }
  const { exports } = new WebAssembly.Instance(module, imports);
  const site = exports.site_new(...give(optionsJson), ...give(urls));

  function never(name) {
    throw new Error(name);
  }
  /** Writes a string or bytes into the memory, for the core to free: address and length. */
  function give(value) {
    const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
    const at = exports.__wbindgen_malloc(bytes.length, 1) >>> 0;
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    return [at, bytes.length];
  }
  function take([at, length]) {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(new Uint8Array(exports.memory.buffer, at >>> 0, length));
    exports.__wbindgen_free(at, length, 1);
    return text;
  }
  return (method, ...values) => {
    try {
      const given = values.flatMap((value) => (typeof value === 'string' || value instanceof Uint8Array ? give(value) : [value]));
      return take(exports[`site_${method}`](site, ...given));
    } catch (error) {
      throw new Trap(`${error}`);
    }
  };
}
