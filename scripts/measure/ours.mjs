import { natively } from '../../tests/corpus.mjs';

/** What this project offers on each page: `{ tools, calls: [{ tool, arguments, text }] }`. */
export async function ours(pages) {
  return (await natively(pages)).map(({ tools, answers }) => ({
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
    calls: Object.entries(answers).map(([call, answer]) => {
      const space = call.indexOf(' ');
      return { tool: call.slice(0, space), arguments: JSON.parse(call.slice(space)), text: JSON.stringify(answer) };
    }),
  }));
}

/** The answers that a first look gives: every reader called once, without arguments. A search is no reader. */
export const defaults = ({ calls }) => calls.filter((call) => !call.tool.startsWith('search') && !Object.keys(call.arguments).length).map(({ text }) => text);
