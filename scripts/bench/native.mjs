// The native benches (benches/): criterion's figures as a table.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/command.mjs';

const FIGURES = join(root, 'target/criterion');
/** What the other rows are compared with: html5ever's parser, on the same pages. */
const REFERENCE = 'snapshot';

/** Runs `cargo bench` and reads what it wrote: how long each set of pages takes, and how much that is of parsing its HTML. */
export async function native() {
  rmSync(FIGURES, { recursive: true, force: true });
  const args = ['bench', '--manifest-path', 'benches/Cargo.toml', '--target-dir', 'target', '--bench', 'read', '--', '--quick'];
  execFileSync('cargo', args, { cwd: root, stdio: 'ignore', env: { ...process.env, CRITERION_HOME: FIGURES } });
  const rows = [['', 'MB/s', 'ms', 'parsing the HTML']];
  for (const set of folders(FIGURES)) {
    const figure = (name, file) => JSON.parse(readFileSync(join(FIGURES, set, name, 'new', file)));
    const ms = (name) => figure(name, 'estimates.json').median.point_estimate / 1e6;
    for (const name of folders(join(FIGURES, set))) {
      const [bytes] = Object.values(figure(name, 'benchmark.json').throughput);
      rows.push([`${set}: ${name}`, (bytes / ms(name) / 1000).toFixed(1), ms(name).toFixed(1), `× ${(ms(name) / ms(REFERENCE)).toFixed(2)}`]);
    }
  }
  return { title: 'The core, natively', rows };
}

const folders = (folder) => readdirSync(folder).filter((name) => name !== 'report');
