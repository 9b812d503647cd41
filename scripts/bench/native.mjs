// The native benches (benches/): criterion's figures as a table.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../setup/command.mjs';
import { execFileSync } from 'node:child_process';

const FIGURES = join(root, 'target/criterion');
/** What the other rows are compared with: html5ever's parser, on the same pages. */
const REFERENCE = 'snapshot';

/** Runs `cargo bench` and reads what it wrote: milliseconds for each set of pages, and their share of parsing the HTML. */
export async function native() {
  rmSync(FIGURES, { recursive: true, force: true });
  const bench = (name, stdio) => execFileSync('cargo', ['bench', '--manifest-path', 'benches/Cargo.toml', '--target-dir', 'target', '--bench', name, '--', '--quick'], { cwd: root, encoding: 'utf8', stdio });
  bench('read', 'ignore');
  const rows = [['', 'pages/s or MB/s', 'ms', 'of parsing the HTML']];
  for (const set of readdirSync(FIGURES).filter((name) => name !== 'report')) {
    const time = (name) => {
      const file = join(FIGURES, set, name, 'new/estimates.json');
      return existsSync(file) ? JSON.parse(readFileSync(file)).median.point_estimate / 1e6 : undefined;
    };
    for (const name of ['read', 'from_snapshot', 'snapshot', 'jsonld', 'microdata', 'rdfa']) {
      const ms = time(name) ?? time(name.replace('_', ' '));
      if (ms === undefined) continue;
      const { throughput } = JSON.parse(readFileSync(join(FIGURES, set, existsSync(join(FIGURES, set, name)) ? name : name.replace('_', ' '), 'new/benchmark.json')));
      const bytes = Object.values(throughput)[0];
      rows.push([`${set}: ${name.replace('_', ' ')}`, `${(bytes / ms / 1000).toFixed(1)} MB/s`, ms.toFixed(1), `× ${(ms / time(REFERENCE)).toFixed(2)}`]);
    }
  }
  return { key: 'native', title: 'The core, natively', rows };
}
