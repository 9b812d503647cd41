// npm run lighthouse: Lighthouse on the playground and the demo shop, in a browser with WebMCP of its own. Its category
// for agents must pass whole on the shop, the others reach LEAST; performance is a time, so it is only printed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apart } from './setup/apart.mjs';
import { main, quietly, say, Stop } from './setup/command.mjs';
import { setUpBrowser, setUpBuild } from './setup/index.mjs';

/** Of 100, for each category but performance. */
const LEAST = 95;

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
    for (const page of ['demo.html', 'index.html']) {
      const { runtimeError, lighthouseVersion, categories, audits } = await report(url + page);
      if (runtimeError) throw new Stop(runtimeError.message);
      say(`\n${page}, Lighthouse ${lighthouseVersion}:`);
      failures.push(...scores(page, categories, audits));
      if (page === 'demo.html') failures.push(...agentic(categories['agentic-browsing'], audits));
    }
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
      join(modules, 'lighthouse/cli/index.js'), address, '--output=json', `--output-path=${file}`, '--quiet', `--chrome-flags=${flags}`,
    ], { env: { ...process.env, CHROME_PATH: chrome } });
    return JSON.parse(readFileSync(file, 'utf8'));
  }
});

/** Prints the score of each category, and of those below LEAST what it was taken for; returns what is below. */
function scores(page, categories, audits) {
  const failures = [];
  for (const { id, title, score, auditRefs } of Object.values(categories)) {
    say(`  ${String(Math.round(100 * score)).padStart(3)} ${title}`);
    if (score * 100 >= LEAST || id === 'agentic-browsing') continue;
    for (const { id: audit, weight } of auditRefs) if (weight && audits[audit].score < 1) say(`      ${audit}: ${audits[audit].title} ${audits[audit].displayValue ?? ''}`);
    if (id !== 'performance') failures.push(`${page}: ${title} scores ${Math.round(100 * score)}`);
  }
  const shift = audits['cumulative-layout-shift']?.numericValue;
  if (shift !== 0) failures.push(`${page}: the layout shifts by ${shift}`);
  return failures;
}

/** Prints the audits of the category for agents; returns those that fail. */
function agentic(category, audits) {
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
  return failures;
}
