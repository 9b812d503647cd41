import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root, say, Stop } from '../scripts/setup/command.mjs';
import { bundle, OTHERS, TAG, WORKERS } from './build/bundle.mjs';
import { buildNowasm, ENGINE } from './build/nowasm.mjs';
import { brotli, BUDGET, gzip, sizes, table } from './build/size.mjs';
import { unlessDone } from './build/stamp.mjs';
import { buildWasm, MODULES, PKG, RAW } from './build/wasm.mjs';
import { buildWorker, WORKER } from './build/worker.mjs';

const SIZES = 'dist/sizes.json', INTEGRITY = 'dist/integrity.json', TYPES = ['index.d.ts', 'tag.d.ts', 'worker.d.ts', 'worker.wasm.d.ts'], WORKER_FILE = 'dist/worker.wasm', MODULE = `${PKG}/agenticschema_bg.wasm`;
const stamp = (name) => join(root, 'target/stamps', name);

/**
 * Builds dist/: wasm-pack, wasm-opt, embedding, minifying; then the same core as JavaScript, and the npm package. Steps
 * whose inputs have not changed are left out.
 *
 * @param rust the toolchain of scripts/setup
 * @param tagOnly makes dist/agenticschema.js only
 */
export async function build(rust, tagOnly = false) {
  const compiled = {
    stamp: stamp('wasm'),
    root,
    inputs: ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'wasm', 'vocabulary', 'js/build/wasm.mjs', 'js/build/modules.mjs', 'js/build/sections.mjs', 'package-lock.json', `=${rust.name} ${rust.version}`],
    outputs: [MODULE, MODULES, `${PKG}/agenticschema_bg.js`, RAW],
  };
  await unlessDone(compiled, () => {
    say(`Compiling the core to WebAssembly with ${rust.version} (${rust.name}; about a minute the first time)`);
    return buildWasm(rust);
  });
  const bundled = {
    stamp: stamp('bundle'),
    root,
    inputs: ['js', PKG, 'package.json', 'package-lock.json'],
    outputs: [TAG.file, SIZES],
  };
  await unlessDone(bundled, async () => {
    const made = await bundle(TAG);
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(join(root, TAG.file), made.code);
    const rows = sizes(made, readFileSync(join(root, MODULE)));
    writeFileSync(join(root, SIZES), `${JSON.stringify(rows, null, 1)}\n`);
    say(`\n${TAG.file}\n${table(rows)}\n`);
  });
  if (tagOnly) return;

  const translated = {
    stamp: stamp('nowasm'),
    root,
    inputs: [RAW, 'js/build/nowasm.mjs', 'package-lock.json', 'Cargo.lock'],
    outputs: [ENGINE],
  };
  await unlessDone(translated, () => {
    say('Translating the core to JavaScript (about 20 s)');
    return buildNowasm(rust);
  });
  const withReader = {
    stamp: stamp('worker'),
    root,
    inputs: ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'wasm', 'vocabulary', 'js/build/worker.mjs', 'package-lock.json', `=${rust.name} ${rust.version}`],
    outputs: [WORKER],
  };
  await unlessDone(withReader, () => {
    say('Compiling the core with the reader of HTML text, for dist/worker.js (about two minutes the first time)');
    return buildWorker(rust);
  });
  const others = {
    stamp: stamp('others'),
    root,
    inputs: ['js', PKG, ENGINE, WORKER, 'package.json', 'package-lock.json'],
    outputs: [...[...OTHERS, ...WORKERS].map(({ file }) => file), WORKER_FILE, ...TYPES.map((name) => `dist/${name}`), INTEGRITY],
  };
  await unlessDone(others, async () => {
    const write = (file, bytes) => {
      writeFileSync(join(root, file), bytes);
      const number = (n) => n.toLocaleString('en').padStart(9);
      say(`${file.padEnd(30)}${number(bytes.length)} bytes,${number(gzip(bytes))} after gzip,${number(brotli(bytes))} after brotli`);
    };
    for (const other of [...OTHERS, ...WORKERS]) write(other.file, (await bundle(other)).code);
    write(WORKER_FILE, readFileSync(join(root, WORKER)));
    for (const name of TYPES) copyFileSync(join(root, 'js', name), join(root, 'dist', name));
    const hashes = Object.fromEntries([TAG, OTHERS[0]].map(({ file }) => [basename(file), hash(readFileSync(join(root, file)))]));
    writeFileSync(join(root, INTEGRITY), `${JSON.stringify(hashes, null, 1)}\n`);
    say(`\nFor the tag's integrity attribute:\n${Object.entries(hashes).map(([file, hash]) => `${file.padEnd(30)}${hash}`).join('\n')}\n`);
  });
}

/** A file's hash as SRI wants it. */
const hash = (bytes) => `sha384-${createHash('sha384').update(bytes).digest('base64')}`;

/** The sizes of the last build. */
export function lastSizes() {
  return JSON.parse(readFileSync(join(root, SIZES), 'utf8'));
}

/** Where the bytes of the last build's module come from: `[Rust module, bytes, functions]`. */
export function lastModules() {
  return JSON.parse(readFileSync(join(root, MODULES), 'utf8'));
}

/** Fails where the last build is above the budget. */
export function checkBudget() {
  const { gzip } = lastSizes().at(-1);
  if (gzip > BUDGET) throw new Stop(`${TAG.file} is ${gzip} bytes after gzip, ${gzip - BUDGET} more than the budget (js/build/size.mjs).`);
}
