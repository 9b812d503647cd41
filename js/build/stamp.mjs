import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Does `work` unless it has been done for the same inputs and its outputs still stand as it left them.
 *
 * @param stamp file that remembers the last time
 * @param inputs files, folders, and `=text` for anything else that the outputs depend on
 * @param outputs files that `work` writes
 * @returns whether there was anything to do
 */
export async function unlessDone({ stamp, root, inputs, outputs }, work) {
  const now = () => digest(root, [...inputs, ...outputs]);
  if (outputs.every((file) => existsSync(join(root, file))) && existsSync(stamp) && readFileSync(stamp, 'utf8') === now()) return false;
  await work();
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, now());
  return true;
}

function digest(root, names) {
  const hash = createHash('sha256');
  for (const name of names) {
    if (name.startsWith('=')) hash.update(`${name}\0`);
    else for (const file of filesIn(root, name)) hash.update(`${file}\0`).update(readFileSync(join(root, file))).update('\0');
  }
  return hash.digest('hex');
}

function filesIn(root, name) {
  const path = join(root, name);
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [name];
  return readdirSync(path).sort().flatMap((entry) => filesIn(root, `${name}/${entry}`));
}
