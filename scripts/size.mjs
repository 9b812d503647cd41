// npm run size: what the bundle weighs, part by part.
import { main, say } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  const { build, lastSizes } = await import('../js/build.mjs');
  const { table } = await import('../js/build/size.mjs');
  await build(rust, true);
  say(table(lastSizes()));
});
