// npm run lighthouse: Lighthouse's category for agents on the demo shop, in a browser with WebMCP of its own.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apart } from './setup/apart.mjs';
import { main, quietly, say, Stop } from './setup/command.mjs';
import { setUpBrowser, setUpBuild } from './setup/index.mjs';

await main(async () => {
  const rust = await setUpBuild();
  const chrome = await setUpBrowser();
  const { build } = await import('../js/build.mjs');
  await build(rust, true);
  const modules = join(await apart('lighthouse'), 'node_modules');

  const { serve } = await import('./serve.mjs');
  const { url, close } = await serve();
  const folder = mkdtempSync(join(tmpdir(), 'agenticschema-lighthouse-'));
  const failures = [];
  try {
    failures.push(...judged(await report(`${url}demo.html`)));
  } finally {
    close();
    rmSync(folder, { recursive: true, force: true });
  }
  if (failures.length) throw new Stop(failures.join('\n'));

  /** Lighthouse's report, as an object. It wants a newer Node than this one may be, so it is run by its own. */
  async function report(address) {
    const file = join(folder, 'report.json');
    const flags = '--headless=new --no-sandbox --disable-gpu --enable-features=WebMCP,WebMCPTesting,DevToolsWebMCPSupport';
    await quietly(join(modules, 'node/bin/node'), [
      join(modules, 'lighthouse/cli/index.js'), address, '--only-categories=agentic-browsing', '--output=json', `--output-path=${file}`, '--quiet', `--chrome-flags=${flags}`,
    ], { env: { ...process.env, CHROME_PATH: chrome } });
    return JSON.parse(readFileSync(file, 'utf8'));
  }
});

/** Prints the audits of a report; returns those that fail. */
function judged({ categories, audits, runtimeError, lighthouseVersion }) {
  if (runtimeError) return [runtimeError.message];
  const category = categories['agentic-browsing'];
  say(`\n${category.title}, Lighthouse ${lighthouseVersion}:`);
  const failures = [];
  for (const { id } of category.auditRefs) {
    const { score, scoreDisplayMode, title, displayValue = '', details } = audits[id];
    say(`  ${scoreDisplayMode === 'notApplicable' ? 'n/a ' : (score ?? '').toString().padEnd(4)} ${id.padEnd(26)} ${title} ${displayValue}`);
    if (scoreDisplayMode !== 'notApplicable' && scoreDisplayMode !== 'informative' && score !== 1) failures.push(`${id} scores ${score}: ${title}`);
    if (id === 'webmcp-registered-tools') {
      const tools = (details?.items ?? []).flatMap(({ value }) => value.items);
      for (const { tool } of tools) say(`         ${tool}`);
      if (!tools.length) failures.push(`Lighthouse lists no tool`);
    }
  }
  const shift = audits['cumulative-layout-shift']?.numericValue;
  if (shift !== 0) failures.push(`the layout shifts by ${shift}`);
  return failures;
}
