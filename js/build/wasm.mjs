import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly, root } from '../../scripts/setup/command.mjs';
import { byModule } from './modules.mjs';
import { sections } from './sections.mjs';

/** Where wasm-pack puts the module and its glue. */
export const PKG = 'pkg';

/** Bytes of its code by Rust module. */
export const MODULES = `${PKG}/modules.json`;

/** The module as the compiler leaves it. */
export const RAW = 'target/wasm/wasm32-unknown-unknown/tag/agenticschema_wasm.wasm';

/** The features that rustc's wasm32 has had by default since 1.82, all in browsers since 2022. */
export const FEATURES = ['bulk-memory', 'multivalue', 'mutable-globals', 'nontrapping-float-to-int', 'reference-types', 'sign-ext'];

/** What wasm-bindgen exports for the glue it writes, and ours (`js/wasm.js`) does not use. */
const UNUSED = ['__wbg_core_free', '__wbindgen_free', '__wbindgen_realloc', '__wbindgen_start', '__wbindgen_externrefs'].map((name) => `--remove-exports=${name}`);

// Tried one by one on the module: -Oz alone is 2 % larger. A large function is not put into its only caller: engines
// compile a function when it is first called, so what a page does not need would be compiled with what it needs.
const PASSES = ['--one-caller-inline-max-function-size=200', '--flatten', '--rereloop', '-Oz', '-Oz', '--reorder-functions'];

/** Compiles the crate with wasm-pack, then shrinks the module with wasm-opt. */
export async function buildWasm({ env, cargoArgs }) {
  // A target folder of its own: the native builds may be of another compiler, and would wait for each other.
  const wasmEnv = { ...env, CARGO_TARGET_DIR: join(root, 'target/wasm') };
  const pack = ['build', 'wasm', '--target', 'bundler', '--profile', 'tag', '--mode', 'force', '--no-pack', '--no-typescript'];
  await quietly('wasm-pack', [...pack, '--out-dir', `../${PKG}`, '--out-name', 'agenticschema', '--', '--locked', ...cargoArgs], { env: wasmEnv });

  const module = `${PKG}/agenticschema_bg.wasm`;
  const features = FEATURES.map((name) => `--enable-${name}`);
  await quietly(process.execPath, ['node_modules/binaryen/bin/wasm-opt', module, ...features, ...UNUSED, '--remove-unused-module-elements', ...PASSES, '-g', '-o', module]);
  const named = readFileSync(join(root, module));
  writeFileSync(join(root, MODULES), JSON.stringify(byModule(named)));
  writeFileSync(join(root, module), stripped(named));
}

/** Without the custom sections: names, producers, features. */
function stripped(module) {
  const kept = [...sections(module)].filter(({ id }) => id !== 0).map(({ head, end }) => module.subarray(head, end));
  return Buffer.concat([module.subarray(0, 8), ...kept]);
}
