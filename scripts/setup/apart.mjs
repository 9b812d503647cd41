import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly, root, say } from './command.mjs';

/**
 * Packages that only one kind of test needs, in a folder of their own under target/: those that tests/apart/`name` locks.
 * Installed again only when the lock has changed.
 *
 * @returns the folder, which has them in node_modules
 */
export async function apart(name) {
  const from = join(root, 'tests/apart', name), folder = join(root, 'target/apart', name);
  const lock = readFileSync(join(from, 'package-lock.json'), 'utf8');
  const installed = join(folder, 'node_modules/.agenticschema-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return folder;
  say(`Installing the npm packages of tests/apart/${name}`);
  mkdirSync(folder, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(from, file), join(folder, file));
  copyFileSync(join(root, '.npmrc'), join(folder, '.npmrc'));
  // Some want a newer Node than this one, and bring it along.
  await quietly('npm', ['ci', '--loglevel=error', '--engine-strict=false'], { cwd: folder, advice: `Run it by hand in ${folder} once the npm registry can be reached: npm ci` });
  writeFileSync(installed, lock);
  return folder;
}
