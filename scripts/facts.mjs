// npm run facts [-- --rival BUNDLE] [--misses]: which of a page's facts the tools' answers hold.
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { parseArgs } from 'node:util';
import { bundleOnPages, readPages } from './measure/browser.mjs';
import { factsOf, heard } from './measure/facts.mjs';
import { items } from './measure/markup.mjs';
import { defaults, ours } from './measure/ours.mjs';
import { pages } from './measure/pages.mjs';
import { asMarkdown, asText, grouped, percent, sum } from './measure/table.mjs';
import { main, say } from './setup/command.mjs';

const tokens = (text) => encode(text, { disallowedSpecial: new Set() }).length;

await main(async () => {
  const { values } = parseArgs({ options: { rival: { type: 'string' }, misses: { type: 'boolean' } } });
  const list = pages();
  const read = await readPages(list);
  const said = { ours: await ours(list), ...(values.rival && { rival: await bundleOnPages(values.rival, list) }) };
  const facts = [];
  for (const [i, page] of list.entries()) facts.push(factsOf(await items(read[i], page.url), page.url));

  for (const [who, answers] of Object.entries(said)) {
    const rows = list.map(({ name, group }, i) => {
      const first = defaults(answers[i]);
      const [start, everything] = [heard(first, read[i].plain), heard(answers[i].calls.map(({ text }) => text), read[i].plain)];
      const { headline, all } = facts[i];
      return {
        name, group, headline: headline.length, all: all.length, tokens: sum(first.map(tokens)),
        missed: headline.filter((fact) => !start.has(fact, true)),
        lost: all.filter((fact) => !everything.has(fact)),
      };
    });
    const table = [['group', 'pages', 'headline facts', 'in default answers', 'facts', 'in all parts', 'headline facts per 1,000 tokens']];
    for (const [name, group] of grouped(rows)) {
      const of = group.filter((row) => row.all);
      const [headline, all] = [sum(of.map((row) => row.headline)), sum(of.map((row) => row.all))];
      const told = headline - sum(of.map((row) => row.missed.length));
      const cost = sum(of.map((row) => row.tokens));
      table.push([name, of.length, headline, percent(told, headline), all, percent(all - sum(of.map((row) => row.lost.length)), all), cost ? ((1000 * told) / cost).toFixed(1) : '–']);
    }
    say(`\n${who}: facts of the markup that answers hold\n\n${asText(table)}\n\n${asMarkdown(table)}`);
    if (!values.misses && who !== 'ours') continue;
    for (const [what, key] of [['Not in default answers', 'missed'], ['In no answer', 'lost']]) {
      const lines = rows.flatMap((row) => row[key].map(({ fact, value, of = '' }) => `  ${row.name}  ${of} ${fact}: ${value.replace(/\s+/g, ' ').slice(0, 90)}`));
      if (lines.length) say(`\n${who}: ${what} (${lines.length})\n${lines.slice(0, values.misses ? lines.length : 20).join('\n')}`);
    }
  }
});
