// npm start: sets up, builds, serves the demo page, and lists the tools that an agent finds on it.
import { main, say } from './setup/command.mjs';
import { setUpBrowser, setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  await setUpBrowser();
  const { build } = await import('../js/build.mjs');
  await build(rust, true);

  const { serve } = await import('./serve.mjs');
  const { url, close } = await serve();
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      close();
      process.exit(0);
    });
  }
  say(`\nThe playground is at ${url}, the demo shop at ${url}demo.html (Ctrl-C ends it).`);

  const { look } = await import('./look.mjs');
  try {
    const { tools, diagnostics } = await look(`${url}demo.html`);
    say(`\n${tools.length} tools on the demo page, as an agent sees them:\n`);
    for (const { name, description } of tools) say(`  ${name.padEnd(24)} ${description}`);
    for (const { level, code, message } of diagnostics) say(`\n  ${level} ${code}: ${message}`);
  } catch (error) {
    say(`\nThe tools could not be listed here: ${error.message.split('\n')[0]}`);
  }
});
