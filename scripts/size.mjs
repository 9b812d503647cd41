// npm run size: what the bundle weighs, part by part. With --embedding also in the other form of embedding.
import { readFileSync } from 'node:fs';
import { main, say } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  const { build, lastSizes } = await import('../js/build.mjs');
  const { table, sizes } = await import('../js/build/size.mjs');
  await build(rust);
  say(table(lastSizes()));
  if (process.argv.includes('--embedding')) {
    const { bundle } = await import('../js/build/bundle.mjs');
    const module = readFileSync(new URL('../pkg/agenticschema_bg.wasm', import.meta.url));
    for (const form of ['map', 'deflate']) say(`\nembedded as ${form}\n${table(sizes(await bundle(form), module))}`);
  }
});
