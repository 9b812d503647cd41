import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ask, quietly, root, say, which } from './command.mjs';
import { nativeCargo } from './toolchain.mjs';

const WASM_PACK = '0.15.1';

// They run for a second and are compiled once: compile time is what counts.
const QUICK = {
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '0',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_CODEGEN_UNITS: '16',
};

/** The folders of wasm-pack and wasm-bindgen, to be put before PATH: from PATH, from the cache, or compiled into it. */
export async function tools() {
  return [
    await tool('wasm-pack', WASM_PACK, 100, 'wasm-pack', ['install', 'wasm-pack', '--version', WASM_PACK]),
    await tool('wasm-bindgen', lockedVersion('wasm-bindgen'), 40, 'wasm-bindgen-tool', ['install', '--path', 'tools/wasm-bindgen', '--locked']),
  ];
}

/** The version of a crate in Cargo.lock. */
function lockedVersion(crate) {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8');
  return new RegExp(`name = "${crate}"\nversion = "([^"]+)"`).exec(lock)[1];
}

async function tool(name, version, seconds, program, cargoArgs) {
  const isRight = (file) => file && ask(file, ['--version'])?.split(' ')[1] === version;
  const onPath = which(name);
  if (isRight(onPath)) return dirname(onPath);
  // Outside the checkout: a second clone finds it.
  const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'agenticschema', 'tools', `${name}-${version}`);
  const file = join(cache, name);
  if (isRight(file)) return cache;

  say(`Compiling ${name} ${version} (once for this machine, about ${seconds} s)`);
  const scratch = mkdtempSync(join(tmpdir(), `${name}-`));
  try {
    const env = { ...process.env, ...QUICK, CARGO_TARGET_DIR: join(scratch, 'target') };
    await quietly(nativeCargo(), [...cargoArgs, '--root', scratch, '--quiet'], { env, advice: `Or install it by hand: cargo install ${name === 'wasm-bindgen' ? 'wasm-bindgen-cli' : name} --version ${version}` });
    mkdirSync(cache, { recursive: true });
    // Renamed into place, so that two checkouts at once never see half a file.
    const part = `${file}.${process.pid}`;
    copyFileSync(join(scratch, 'bin', program), part);
    renameSync(part, file);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return cache;
}
