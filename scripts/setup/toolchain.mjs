import { existsSync } from 'node:fs';
import { ask, say, Stop, which } from './command.mjs';
import { install, isDebian, missing } from './debian.mjs';

const TARGET = 'wasm32-unknown-unknown';
const DEBIAN_PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'lld-19'];

/**
 * The Rust compiler for WebAssembly.
 *
 * @returns `name` (rustup or debian), `version` of its rustc, `env` for the commands of the build, and `cargoArgs`
 * that belong at the end of `cargo build`
 */
export async function toolchain(choice = process.env.WASM_TOOLCHAIN) {
  if (choice && !['rustup', 'debian'].includes(choice)) throw new Stop(`WASM_TOOLCHAIN is "${choice}"; it can be rustup or debian, or left away.`);
  if (choice !== 'debian' && hasTarget()) return rustup();
  // What is installed comes before what would have to be fetched: a later start must not try the network again.
  if (choice === undefined && isDebian() && !missing(DEBIAN_PACKAGES).length) return debian();
  if (choice !== 'debian' && which('rustup')) {
    say(`Adding Rust's ${TARGET} target (rustup, about 10 s)`);
    if (ask('rustup', ['target', 'add', TARGET]) !== undefined && hasTarget()) return rustup();
    if (choice === 'rustup') throw new Stop(`The target could not be added. Run: rustup target add ${TARGET}`);
    say('  not to be had here; Debian has packages of the same compiler');
  }
  if (choice === 'rustup' || !isDebian()) throw new Stop(`No Rust compiler for WebAssembly. Install rustup (https://rustup.rs), then run: rustup target add ${TARGET}`);
  await install(DEBIAN_PACKAGES, 30);
  return debian();
}

/** The cargo that builds what runs on this machine: rustup's, or Debian's where there is no other. */
export function nativeCargo() {
  const cargo = which('cargo');
  if (!cargo) throw new Stop('No cargo on PATH. Install Rust (https://rustup.rs), or on Debian: apt-get install rustc-web cargo-web');
  return cargo;
}

function hasTarget() {
  const folder = which('rustc') && ask('rustc', ['--print', 'target-libdir', '--target', TARGET]);
  return Boolean(folder && existsSync(folder));
}

function rustup() {
  return { name: 'rustup', version: ask('rustc', ['--version']), env: { ...process.env }, cargoArgs: [] };
}

/** Debian ships the compiler and its sources, but no library for this target: it is built with the crate. */
function debian() {
  const env = {
    ...process.env,
    PATH: `/usr/bin:${process.env.PATH}`,
    RUSTC: '/usr/bin/rustc',
    RUSTC_BOOTSTRAP: '1', // -Z build-std is for nightly compilers
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER: 'wasm-ld-19',
  };
  return { name: 'debian', version: ask('/usr/bin/rustc', ['--version']), env, cargoArgs: ['-Z', 'build-std=core,alloc'] };
}
