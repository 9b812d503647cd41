// The WebAssembly core: compiled once, instantiated at first use and again after a trap.
import { decode } from 'agenticschema:wasm';
import * as glue from '../pkg/agenticschema_bg.js';

let module, exports, refusal, count = 0;

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
