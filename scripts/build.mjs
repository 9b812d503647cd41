// npm run build: dist/agenticschema.js, from whatever this machine has.
import { main } from './setup/command.mjs';
import { setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  const { build, checkBudget } = await import('../js/build.mjs');
  await build(rust);
  checkBudget();
});
