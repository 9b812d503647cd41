import { delimiter } from 'node:path';
import { browser } from './browser.mjs';
import { packages } from './packages.mjs';
import { toolchain } from './toolchain.mjs';
import { tools } from './tools.mjs';

/** Installs what the build needs and this machine lacks. Returns the toolchain, with wasm-pack and wasm-bindgen on its PATH. */
export async function setUpBuild() {
  await packages();
  const rust = await toolchain();
  rust.env.PATH = [...(await tools()), rust.env.PATH].join(delimiter);
  return rust;
}

/** Finds or installs a browser; the commands started from here find it in CHROME_BIN. */
export async function setUpBrowser() {
  await packages();
  return (process.env.CHROME_BIN = await browser());
}
