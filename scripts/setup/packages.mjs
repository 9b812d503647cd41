import { readFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly, root, say } from './command.mjs';

/** The npm packages of package-lock.json, installed again only when the lock has changed. */
export async function packages() {
  const lock = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const installed = join(root, 'node_modules', '.agenticschema-lock.json');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === lock) return;
  say('Installing the npm packages (about 10 s)');
  await quietly('npm', ['ci', '--loglevel=error'], { advice: 'Run it by hand once the npm registry can be reached: npm ci' });
  writeFileSync(installed, lock);
}
