// npm run size: what the bundle weighs, part by part, and its code by Rust module.
import { asText, sum } from './measure/table.mjs';
import { main, say } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  const { build, lastModules, lastSizes } = await import('../js/build.mjs');
  const { table } = await import('../js/build/size.mjs');
  await build(rust, true);
  say(table(lastSizes()));

  const all = lastModules(), code = sum(all.map(([, bytes]) => bytes)), { gzip } = lastSizes().find(({ name }) => name === 'wasm code');
  const rows = all.map(([name, bytes, functions]) => [name, bytes, Math.round((gzip * bytes) / code), functions]);
  say(`\n${asText([['code of the module', 'raw', 'its share of gzip -9', 'functions'], ...rows, ['all', code, gzip, sum(all.map(([, , functions]) => functions))]])}`);
});
