import { reader, section, sections } from './sections.mjs';

/** Rust paths are told apart so deep. */
const DEPTH = 2;
/** The functions of `src/host/wasm.rs`. */
const EXPORT = /^core_/;
/** A path of ours, up to the type or function in its module. */
const OURS = /agenticschema(?:\[[0-9a-f]+\])?((?:::[a-z_0-9]+)*)::\w/;

/**
 * Bytes of the code section by the Rust module that a function comes from, largest first: `[name, bytes, functions]`. The
 * module needs its name section. What is compiled into another function counts as that one's, so `host::wasm`, the
 * exports, holds what only they call. A function that has no path of ours (of `core` or `alloc`, or the allocator) is one
 * of the libraries', also where it was made for a type of ours.
 */
export function byModule(module) {
  const names = functionNames(module), imported = importedFunctions(module), at = reader(module, section(module, 10).start);
  const found = new Map();
  for (let i = 0, functions = at.number(); i < functions; i++) {
    const bytes = at.number(), [, path] = OURS.exec(owner(names.get(imported + i) ?? '')) ?? [];
    at.skip(bytes);
    const name = EXPORT.test(names.get(imported + i)) ? 'host::wasm' : path === undefined ? 'libraries' : path.split('::').slice(1, 1 + DEPTH).join('::') || 'lib';
    const [, sum = 0, count = 0] = found.get(name) ?? [];
    found.set(name, [name, sum + bytes, count + 1]);
  }
  return [...found.values()].sort((a, b) => b[1] - a[1]);
}

/** What a function belongs to: `<Type as Trait>::f` to the type, `Vec<Type>::f` and `f::<Type>` to `Vec` and `f`. */
const owner = (name) => name.replace(/^<+/, '').replace(/ as .*|<.*/, '');

/** The first list of the name section: functions by number. */
function functionNames(module) {
  const names = new Map();
  for (const { id, start, end } of sections(module)) {
    if (id !== 0) continue;
    const at = reader(module, start);
    if (at.text() !== 'name') continue;
    while (at.place() < end) {
      const list = at.number(), length = at.number();
      if (list !== 1) at.skip(length);
      else for (let n = at.number(); n--; ) names.set(at.number(), at.text());
    }
  }
  return names;
}

/** How many functions come before the module's own. All that the core imports are functions. */
function importedFunctions(module) {
  const { start, end } = section(module, 2);
  return end ? reader(module, start).number() : 0;
}
