import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Ends the command with a message for people: what cannot be done, and what to do about it. */
export class Stop extends Error {}

/** One line about what is going on. */
export function say(line) {
  process.stdout.write(`${line}\n`);
}

/** The path of a program on PATH, or undefined. */
export function which(name, path = process.env.PATH ?? '') {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    try {
      accessSync(file, constants.X_OK);
      if (statSync(file).isFile()) return file;
    } catch {}
  }
}

/** What a command prints, trimmed; undefined where it cannot be run or fails. */
export function ask(command, args, options) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], ...options });
  return status === 0 ? stdout.trim() : undefined;
}

/** Runs a command without a word; where it fails, its output is shown and `advice` says what to do. */
export async function quietly(command, args, { advice, ...options } = {}) {
  const { code, output } = await finished(spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...options }));
  if (code === 0) return output;
  process.stderr.write(output);
  throw new Stop(`${line(command, args)} failed${advice ? `. ${advice}` : ' (its output is above).'}`);
}

/** Runs a command with its output shown. Resolves with whether it succeeded. */
export async function openly(command, args, options) {
  say(`\n$ ${line(command, args)}`);
  const { code, output } = await finished(spawn(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], ...options }));
  if (output) process.stderr.write(output);
  return code === 0;
}

/** Runs a script's work: a `Stop` ends it with its message, anything else with its stack. */
export async function main(work) {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`\n${error instanceof Stop ? error.message : error.stack}\n`);
    process.exitCode = 1;
  }
}

const line = (command, args) => [command, ...args].join(' ').slice(0, 300);

function finished(child) {
  let output = '';
  child.stdout?.on('data', (text) => (output += text));
  child.stderr?.on('data', (text) => (output += text));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: -1, output: `${output}${error.message}\n` }));
    child.on('close', (code) => resolve({ code, output }));
  });
}
