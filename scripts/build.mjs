// npm run build: dist/, from whatever this machine has. `npm run build -- tag` makes dist/agenticschema.js only.
import { main } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  const { build, checkBudget } = await import('../js/build.mjs');
  await build(rust, process.argv[2] === 'tag');
  checkBudget();
});
