// npm test: every test there is. Goes on after a failure, so that one run tells everything.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ask, main, openly, root, say, Stop } from './setup/command.mjs';
import { setUpBrowser, setUpBuild } from './setup/index.mjs';
import { nativeCargo } from './setup/toolchain.mjs';

await main(async () => {
  const rust = await setUpBuild();
  await setUpBrowser();
  const failures = [];
  const check = async (what, work) => {
    if (!(await work())) failures.push(what);
  };

  const cargo = nativeCargo();
  await check('native tests', () => openly(cargo, ['test', '--locked', '--quiet', '--features', 'html']));
  // The server's crates are many: with them everything is compiled once more.
  await check('native tests of the server', () => openly(cargo, ['test', '--locked', '--quiet', '--features', 'server', '--bin', 'agenticschema']));
  await check('server', () => openly(cargo, ['build', '--locked', '--quiet', '--features', 'server', '--bin', 'agenticschema']));
  // They are workspaces of their own: the crates they need are none of the tests'.
  for (const apart of ['fuzz', 'benches']) {
    await check(`${apart} compiles`, () => openly(cargo, ['check', '--locked', '--quiet', '--all-targets', '--manifest-path', `${apart}/Cargo.toml`, '--target-dir', 'target']));
  }
  // Not every installation of Rust has these two.
  if (ask(cargo, ['fmt', '--version'])) await check('formatting', () => openly(cargo, ['fmt', '--all', '--check']));
  if (ask(cargo, ['clippy', '--version'])) await check('clippy', () => openly(cargo, ['clippy', '--locked', '--quiet', '--all-targets', '--features', 'server', '--', '-D', 'warnings']));

  const { build, lastSizes } = await import('../js/build.mjs');
  const { table } = await import('../js/build/size.mjs');
  await check('bundle', async () => {
    try {
      await build(rust);
      say(`\n${table(lastSizes())}`);
      return true;
    } catch (error) {
      say(error instanceof Stop ? error.message : error.stack);
      return false;
    }
  });
  await check('tests of bundle, browser and server', () => openly(process.execPath, ['--test', '--test-reporter=spec', ...testFiles('tests')]));

  if (failures.length) throw new Stop(`Failed: ${failures.join(', ')}.`);
  say('\nAll tests passed.');
});

/** Node 20 does not expand patterns itself. */
function testFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testFiles(path);
    return entry.name.endsWith('.test.mjs') ? [path] : [];
  });
}
