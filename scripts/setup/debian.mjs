import { ask, quietly, say, Stop, which } from './command.mjs';

/** Whether this system installs packages as Debian does. */
export const isDebian = () => Boolean(which('apt-get') && which('dpkg-query'));

/** Those of `names` that are not installed. */
export function missing(names) {
  const list = ask('dpkg-query', ['-W', '-f=${Package} ${db:Status-Status}\n']) ?? '';
  const installed = new Set(list.split('\n').filter((line) => line.endsWith(' installed')).map((line) => line.split(' ')[0]));
  return names.filter((name) => !installed.has(name));
}

/** Installs Debian packages, `seconds` being how long that takes, roughly. Asks nothing: without root it says what to run. */
export async function install(names, seconds) {
  const wanted = missing(names);
  if (!wanted.length) return;
  const command = `apt-get update && apt-get install -y --no-install-recommends ${wanted.join(' ')}`;
  const asRoot = process.getuid?.() === 0 ? [] : which('sudo') && ask('sudo', ['-n', 'true']) !== undefined ? ['sudo', '-n'] : undefined;
  if (!asRoot) throw new Stop(`Debian packages are missing, and installing them needs root. Run this, then start again:\n\n    sudo sh -c '${command}'\n`);
  say(`Installing ${wanted.join(', ')} (Debian packages, about ${seconds} s)`);
  const [sudo, ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive'];
  const apt = (...args) => quietly(sudo, [...rest, 'apt-get', ...args], { advice: `If these packages are not to be had here, run by hand what fits this system:\n\n    ${command}\n` });
  await apt('-qq', 'update');
  await apt('-qq', 'install', '-y', '--no-install-recommends', ...wanted);
}
