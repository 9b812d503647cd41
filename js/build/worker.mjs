import { join } from 'node:path';
import { quietly, root } from '../../scripts/setup/command.mjs';
import { FEATURES } from './wasm.mjs';

const FOLDER = 'target/worker';

/** The module of js/worker.js. */
export const WORKER = `${FOLDER}/agenticschema_bg.wasm`;

/** What the glue of wasm-bindgen would use, and ours (`js/worker/core.js`) does not. */
const UNUSED = ['__wbg_site_free', '__wbindgen_realloc', '__wbindgen_start', '__wbindgen_externrefs'].map((name) => `--remove-exports=${name}`);

/** Compiles the crate with the reader of HTML text inside. It is read from a disk or deployed, so speed counts, not bytes. */
export async function buildWorker({ env, cargoArgs }) {
  const pack = ['build', 'wasm', '--target', 'bundler', '--profile', 'worker', '--mode', 'force', '--no-pack', '--no-typescript'];
  // html5ever wants the standard library, which Debian's compiler builds with the crate.
  const args = cargoArgs.map((arg) => (arg === 'build-std=core,alloc' ? 'build-std=std,panic_abort' : arg));
  const wasmEnv = { ...env, CARGO_TARGET_DIR: join(root, FOLDER, 'cargo') };
  await quietly('wasm-pack', [...pack, '--out-dir', `../${FOLDER}`, '--out-name', 'agenticschema', '--', '--features', 'html', '--locked', ...args], { env: wasmEnv });
  const features = FEATURES.map((name) => `--enable-${name}`);
  await quietly(process.execPath, ['node_modules/binaryen/bin/wasm-opt', WORKER, ...features, ...UNUSED, '--remove-unused-module-elements', '-O2', '--strip-debug', '--strip-producers', '--strip-target-features', '-o', WORKER]);
}
