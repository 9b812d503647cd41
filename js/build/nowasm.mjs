import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly, root } from '../../scripts/setup/command.mjs';
import { FEATURES, RAW } from './wasm.mjs';

const FOLDER = 'target/nowasm', MODULE = `${FOLDER}/agenticschema_bg.wasm`;

/** The core as JavaScript: what `engine.js` is replaced by. */
export const ENGINE = `${FOLDER}/engine.js`;

/**
 * Translates the compiled core to JavaScript, for pages that forbid WebAssembly.
 *
 * wasm2js knows neither functions with two results nor a second table. wasm-bindgen makes both where the module says
 * that it may use newer features, so it is run once more on the same module without that word.
 */
export async function buildNowasm({ env }) {
  const tool = (name, ...args) => quietly(process.execPath, [`node_modules/binaryen/bin/${name}`, ...args, ...FEATURES.map((feature) => `--enable-${feature}`)]);
  rmSync(join(root, FOLDER), { recursive: true, force: true });
  mkdirSync(join(root, FOLDER), { recursive: true });

  await tool('wasm-opt', RAW, '-g', '--strip-target-features', '-o', `${FOLDER}/raw.wasm`);
  await quietly('wasm-bindgen', ['--target', 'bundler', '--no-typescript', '--out-dir', FOLDER, '--out-name', 'agenticschema', `${FOLDER}/raw.wasm`], { env });
  // The table of JavaScript values, which the core does not use.
  await tool('wasm-opt', MODULE, '--remove-exports=__wbindgen_externrefs', '--remove-exports=__wbindgen_start', '--remove-unused-module-elements', '-o', MODULE);
  await tool('wasm2js', MODULE, '-Oz', '-o', ENGINE);

  const imports = JSON.stringify(WebAssembly.Module.imports(new WebAssembly.Module(readFileSync(join(root, MODULE)))));
  rewrite(ENGINE, [
    [/^import .*\n/, "import { version } from '../../package.json';\n"],
    // Memory grows page by page, and here every growth is a copy of all of it: it gets twice as large each time instead.
    [/return buffer\.byteLength >> 16;/, 'return pages;'],
    [/if \(\(oldPages < newPages\).*\n.*var newBuffer = .*/, 'pages = newPages;\n  if (pages * 65536 > buffer.byteLength) {\n   var newBuffer = new ArrayBuffer(Math.max(pages * 65536, 2 * buffer.byteLength));'],
    [/var FUNCTION_TABLE =/, 'var pages = buffer.byteLength >> 16;\n var FUNCTION_TABLE ='],
    [/^var retasmFunc = [^]*/m, `
// Two results of a function: it is given a place for them instead.
const pairs = (exports) => {
 const out = { ...exports };
 for (const name of Object.keys(exports).filter((name) => /^core_(?!new)/.test(name))) {
  out[name] = (...values) => {
   const at = exports.__wbindgen_add_to_stack_pointer(-16);
   exports[name](at, ...values);
   exports.__wbindgen_add_to_stack_pointer(16);
   return [...new Int32Array(exports.memory.buffer, at, 2)];
  };
 }
 return out;
};
export const engine = { version, bytes: () => {}, compile: () => asmFunc, imports: () => ${imports}, instantiate: (core, imports) => pairs(core(imports)) };
`],
  ]);
}

/** Replaces each pattern once; a tool that writes otherwise than it did must be noticed. */
function rewrite(file, replacements) {
  let text = readFileSync(join(root, file), 'utf8');
  for (const [pattern, replacement] of replacements) {
    if (!pattern.test(text)) throw new Error(`${file} has no ${pattern}`);
    text = text.replace(pattern, () => replacement);
  }
  writeFileSync(join(root, file), text);
}
