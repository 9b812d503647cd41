// npm run tokens [-- --rival BUNDLE]: what a page costs an agent in tokens, as HTML, as text and by the tools.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { parseArgs } from 'node:util';
import { bundleOnPages, readPages } from './measure/browser.mjs';
import { defaults, ours } from './measure/ours.mjs';
import { pages } from './measure/pages.mjs';
import { asMarkdown, asText, grouped, median, p95, percent, sum } from './measure/table.mjs';
import { main, say } from './setup/command.mjs';

/** Above it a page is listed. */
const CEILING = 1200;

const tokens = (text) => encode(text, { disallowedSpecial: new Set() }).length;

await main(async () => {
  const { values: { rival } } = parseArgs({ options: { rival: { type: 'string' } } });
  const list = pages();
  const read = await readPages(list);
  const said = { ours: await ours(list), ...(rival && { rival: await bundleOnPages(rival, list) }) };
  const rows = list.map(({ name, group, body }, i) => ({
    name,
    group,
    html: tokens(body.toString('utf8')),
    text: tokens(read[i].text),
    ...Object.fromEntries(Object.entries(said).map(([who, pages]) => [who, cost(pages[i])])),
  }));

  for (const who of Object.keys(said)) {
    const table = [['group', 'pages', 'HTML', 'text', 'tool list', 'answers', 'both', 'p95', 'most', 'all parts', 'below text', 'of text']];
    for (const [name, group] of grouped(rows)) {
      // A page that offers nothing costs nothing and says nothing: it is no saving.
      const with_ = group.filter((row) => row[who].list);
      const of = (key) => median(with_.map((row) => row[who][key]));
      table.push([
        name, with_.length, median(with_.map((row) => row.html)), median(with_.map((row) => row.text)),
        of('list'), of('answers'), of('both'), p95(with_.map((row) => row[who].both)), Math.max(0, ...with_.map((row) => row[who].both)),
        of('all'), percent(with_.filter((row) => row[who].both < row.text).length, with_.length),
        share(median(with_.map((row) => (row.text ? row[who].both / row.text : undefined)))),
      ]);
    }
    say(`\n${who}: tokens (o200k_base) a page with tools, medians\n\n${asText(table)}\n\n${asMarkdown(table)}`);
    const over = rows.filter((row) => row[who].both > CEILING).sort((a, b) => b[who].both - a[who].both);
    if (over.length) say(`\n${who}: above ${CEILING} on ${over.length} pages: ${over.slice(0, 20).map((row) => `${row.name} (${row[who].both})`).join(', ')}`);
  }
  if (rival) {
    const both = rows.filter((row) => row.ours.list && row.rival.list);
    const total = (who) => sum(both.map((row) => row[who].both));
    const ratio = median(both.map((row) => row.ours.both / row.rival.both));
    say(`\nOn the ${both.length} pages where both have tools: ${total('ours')} tokens against ${total('rival')} (${percent(total('ours'), total('rival'))}), in the median page ${percent(ratio, 1)}.`);
  }
});

function share(part) {
  return part === undefined ? undefined : percent(part, 1);
}

function cost(page) {
  const list = page.tools.length ? tokens(JSON.stringify(page.tools)) : 0;
  const answers = defaults(page).reduce((total, text) => total + tokens(text), 0);
  return { list, answers, both: list + answers, all: page.calls.reduce((total, { text }) => total + tokens(text), 0) };
}
