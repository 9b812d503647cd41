// npm run bench [-- --rival bundle.js] [--throttle 4] [--pages 20] [--readme]: what the tag costs the pages that have it, in
// Chromium; then what the readers take natively. Another script that registers WebMCP tools can be measured in the same run.
// Every table has the ratio to work that is the same everywhere, so that it means something on another machine.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { Bench } from './bench/browser.mjs';
import { native } from './bench/native.mjs';
import { pages } from './measure/pages.mjs';
import { asMarkdown, asText } from './measure/table.mjs';
import { main, root, say, Stop } from './setup/command.mjs';
import { setUpBrowser, setUpBuild } from './setup/index.mjs';

await main(async () => {
  const { values } = parseArgs({ options: { rival: { type: 'string' }, throttle: { type: 'string', default: '1' }, pages: { type: 'string', default: '20' }, readme: { type: 'boolean' }, only: { type: 'string', default: 'pages,changes,growth,native' } } });
  const throttle = Number(values.throttle), wanted = Number(values.pages);
  if (!(throttle >= 1)) throw new Stop('--throttle is how many times slower the processor is made: 4');
  if (!(wanted >= 1)) throw new Stop('--pages is a number of pages: 20');
  const rust = await setUpBuild();
  await setUpBrowser();
  const { build } = await import('../js/build.mjs');
  await build(rust, true);
  const scripts = { ours: readFileSync(join(root, 'dist/agenticschema.js')), ...(values.rival && { other: readFileSync(values.rival) }) };
  const browser = await chromium.launch({ executablePath: process.env.CHROME_BIN, args: ['--no-sandbox', '--disable-gpu', '--enable-features=WebMCP'] });
  const made = [];
  try {
    const bench = new Bench(browser, scripts, throttle);
    if (values.only.includes('pages')) made.push(await bench.start(spread(pages(), wanted)));
    if (values.only.includes('changes')) made.push(await bench.changes());
    if (values.only.includes('growth')) made.push(await bench.growth());
  } finally {
    await browser.close();
  }
  if (values.only.includes('native')) made.push(await native());
  for (const { title, rows } of made) say(`\n${title}\n${asText(rows)}`);
  if (values.readme) writeReadme(made);
});

/** So many of the pages, evenly by size. */
function spread(all, wanted) {
  const bySize = [...all].sort((a, b) => a.body.length - b.body.length);
  return bySize.filter((_, i) => Math.floor((i * wanted) / bySize.length) !== Math.floor(((i - 1) * wanted) / bySize.length));
}

/** Puts the tables into README.md, between the marks that name this command. */
function writeReadme(made) {
  const file = join(root, 'README.md'), place = /(<!-- speed: npm run bench -- [^>]*--readme -->\n)[^]*?(<!-- end -->)/;
  const text = readFileSync(file, 'utf8');
  if (!place.test(text)) throw new Stop('README.md has no place for the speed');
  const tables = made.map(({ title, rows }) => `${title}:\n\n${asMarkdown(rows)}\n`).join('\n');
  writeFileSync(file, text.replace(place, (_, before, after) => `${before}${tables}${after}`));
}
