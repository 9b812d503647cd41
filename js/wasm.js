// The WebAssembly core: compiled once, instantiated at first use and again after a trap.
import { decode } from 'agenticschema:wasm';
import * as glue from '../pkg/agenticschema_bg.js';

let module, exports, refusal, count = 0, settled = 0;

/** Number of the instance: a Core of an earlier one must not be used any more. */
export const generation = () => count;

/** A new core. Throws what the engine throws; where the page forbids WebAssembly, with the remedy in `remedy`. */
export function newCore(optionsJson) {
  // A refused compilation is not tried again: every attempt is a report to the site's security team.
  if (refusal) throw refusal;
  if (!exports) {
    try {
      module ??= new WebAssembly.Module(decode());
    } catch (error) {
      error.remedy = `WebAssembly is refused here (${error.name}), so the page cannot be read and no tool is registered: add 'wasm-unsafe-eval' to script-src in the Content-Security-Policy.`;
      throw (refusal = error);
    }
    exports = new WebAssembly.Instance(module, { './agenticschema_bg.js': glue }).exports;
    glue.__wbg_set_wasm(exports);
    exports.__wbindgen_start?.();
  }
  return new glue.Core(optionsJson);
}

/** Throws the instance away: after a trap its memory is in no known state. */
export function discard() {
  count++;
  // Growing by nothing detaches the buffer, so that the glue drops its views of the old memory.
  exports?.memory.grow(0);
  exports = undefined;
}

const bytes = () => exports?.memory.buffer.byteLength ?? 0;

/** Notes what a page that was just read takes. */
export const settle = () => void (settled = bytes());

/**
 * Whether the instance has used up far more memory than the page it read needs. The core frees nothing
 * (src/host/runtime.rs): what calls and earlier states of the page took is given back with the instance.
 */
export const spent = () => bytes() > 2 * settled + (16 << 20);
