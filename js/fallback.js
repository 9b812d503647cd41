import { defineProperty, Promise, URL } from './primitives.js';

/** Where a page that forbids WebAssembly finds the same core without it: beside this file. */
const FILE = 'agenticschema.nowasm.js';
/** Under this the other file finds who asked for its engine, while it loads. */
export const ENGINE = Symbol.for('agenticschema.engine');

/**
 * Resolves with the engine of the file without WebAssembly, or with undefined where it cannot be had.
 *
 * It is imported, because a script element's address is forbidden where Trusted Types are enforced, while an import
 * is under the same policy as the tag: a nonce goes with it. A tag with a hash (SRI) vouches for nothing but itself.
 */
export function fallback(tag) {
  if (!/^https?:/.test(tag?.src) || tag.integrity) return Promise.resolve();
  return new Promise((done) => {
    defineProperty(globalThis, ENGINE, { value: done, configurable: true });
    const over = () => {
      delete globalThis[ENGINE];
      done();
    };
    import(new URL(FILE, tag.src).href).then(over, over);
  });
}
