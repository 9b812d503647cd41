import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, say, Stop } from '../scripts/setup/command.mjs';
import { bundle } from './build/bundle.mjs';
import { BUDGET, sizes, table } from './build/size.mjs';
import { unlessDone } from './build/stamp.mjs';
import { buildWasm, PKG } from './build/wasm.mjs';

const BUNDLE = 'dist/agenticschema.js', SIZES = 'dist/sizes.json', MODULE = `${PKG}/agenticschema_bg.wasm`;
const stamp = (name) => join(root, 'target/stamps', name);

/**
 * Builds dist/agenticschema.js: wasm-pack, wasm-opt, embedding, minifying. Steps whose inputs have not changed are
 * left out.
 *
 * @param rust the toolchain of scripts/setup
 */
export async function build(rust) {
  const compiled = {
    stamp: stamp('wasm'),
    root,
    inputs: ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'wasm', 'vocabulary', 'js/build/wasm.mjs', 'package-lock.json', `=${rust.name} ${rust.version}`],
    outputs: [MODULE, `${PKG}/agenticschema_bg.js`],
  };
  await unlessDone(compiled, () => {
    say(`Compiling the core to WebAssembly with ${rust.version} (${rust.name}; about a minute the first time)`);
    return buildWasm(rust);
  });
  const bundled = {
    stamp: stamp('bundle'),
    root,
    inputs: ['js', PKG, 'package.json', 'package-lock.json'],
    outputs: [BUNDLE, SIZES],
  };
  await unlessDone(bundled, async () => {
    const made = await bundle();
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, BUNDLE), made.code);
    const rows = sizes(made, readFileSync(join(root, MODULE)));
    writeFileSync(join(root, SIZES), `${JSON.stringify(rows, null, 1)}\n`);
    say(`\n${BUNDLE}\n${table(rows)}\n`);
  });
}

/** The sizes of the last build. */
export function lastSizes() {
  return JSON.parse(readFileSync(join(root, SIZES), 'utf8'));
}

/** Fails where the last build is above the budget. */
export function checkBudget() {
  const { gzip } = lastSizes().at(-1);
  if (gzip > BUDGET) throw new Stop(`${BUNDLE} is ${gzip} bytes after gzip, ${gzip - BUDGET} more than the budget (js/build/size.mjs).`);
}
