// Walks readers as an agent would who wants everything.

/** Calls at most, over all tools. */
const MOST_CALLS = 200;

/** Lets the browser do something else: without it all calls would be one long task. */
export const breath = () => new Promise((done) => setTimeout(done));

/**
 * What the readers say: for each, the answer without arguments and, by section, all pages of it.
 *
 * @returns `{ name, title, answer, sections: { name: [answers] } }` for each reader
 */
export async function walk(tools) {
  let calls = 0;
  const pages = async (tool, input) => {
    const answers = [];
    for (let page = 1; page && calls < MOST_CALLS; ) {
      calls++;
      await breath();
      const answer = await tool.call(page > 1 ? { ...input, page } : input);
      answers.push(answer);
      page = answer.truncated && answer.next > page ? answer.next : 0;
    }
    return answers;
  };
  const found = [];
  for (const tool of tools.filter(({ annotations, inputSchema }) => annotations?.readOnlyHint && !inputSchema.required?.length)) {
    const [answer, ...more] = await pages(tool, {});
    const sections = more.length ? { more } : {};
    for (const section of tool.inputSchema.properties?.section?.enum ?? []) sections[section] = await pages(tool, { section });
    found.push({ name: tool.name, title: tool.title ?? tool.name, answer, sections });
  }
  return found;
}
