// Lists the tools that are registered on this page, runs them, and notes what changes. Part of the demo, not of the tag.
import { element } from './playground/element.js';
import { toolCard } from './playground/tool-card.js';

/** Milliseconds after a change of the page at which the readers are asked again: longer than the tag's own pause. */
const SETTLED = 600;
/** Lines that the log keeps. */
const LINES = 12;

const panel = document.getElementById('inspector');
const status = element('p', { class: 'soft', role: 'status' }, 'Waiting for the tag');
const cards = element('div', { class: 'cards' });
const notes = element('ul', { class: 'notes' });
const log = element('ol', { class: 'log' });
panel.append(status, cards, element('h3', {}, 'Diagnostics'), notes, element('h3', {}, 'What happened'), log);

const handle = await (await until(() => window.agenticschema)).ready;
const context = document.modelContext ?? navigator.modelContext;
let shown = '', last = '', changes = 0;

/** The tools as the browser lists them; `call` runs one in whichever form the surface wants its input. */
async function registered() {
  if (!context?.getTools) return handle.tools().map((tool) => ({ ...tool, call: async () => ({ error: 'This surface cannot run tools from a page' }) }));
  const tools = await context.getTools();
  return tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: typeof tool.inputSchema === 'string' ? JSON.parse(tool.inputSchema) : (tool.inputSchema ?? { type: 'object' }),
    annotations: tool.annotations,
    call: async (input) => JSON.parse(await context.executeTool(tool, context.__isWebMCPPolyfill ? JSON.stringify(input) : input)),
  }));
}

function note(text) {
  log.prepend(element('li', {}, element('time', {}, new Date().toLocaleTimeString('en-GB')), ` ${text}`));
  while (log.children.length > LINES) log.lastChild.remove();
}

/** Shows the tools where they differ from what is shown, and notes the first reader's answer where that differs. */
async function look(reason) {
  const tools = await registered();
  const surface = JSON.stringify(tools.map(({ name, description, inputSchema }) => [name, description, inputSchema]));
  if (surface !== shown) {
    shown = surface;
    cards.replaceChildren(...tools.map((tool) => toolCard(tool)));
  }
  const count = tools.length === 1 ? '1 tool' : `${tools.length} tools`;
  status.textContent = `${count} registered, ${context?.__isWebMCPPolyfill ? 'with the polyfill' : 'in native WebMCP'}; toolchange came ${changes} times`;
  const diagnostics = handle.diagnostics();
  notes.replaceChildren(...(diagnostics.length ? diagnostics.map(({ level, code, message }) => element('li', { class: level }, element('code', {}, code), element('span', {}, message))) : [element('li', { class: 'soft' }, 'None')]));
  const [reader] = tools.filter(({ inputSchema }) => !inputSchema.required?.length);
  const answer = reader ? JSON.stringify(await reader.call({})) : '';
  if (answer !== last && last) note(`${reason}: ${reader?.name} now answers ${answer.slice(0, 240)}${answer.length > 240 ? ' …' : ''}`);
  else if (last) note(`${reason}: nothing that an agent would notice`);
  last = answer;
  document.body.dataset.ready = Number(document.body.dataset.ready ?? 0) + 1;
}

context?.addEventListener?.('toolchange', () => {
  changes++;
  note('toolchange');
});
document.addEventListener('scenario', ({ detail }) => setTimeout(look, SETTLED, detail));
for (const link of document.querySelectorAll('#products a')) link.addEventListener('click', () => setTimeout(look, SETTLED, `Went to ${link.textContent}`));
await look('Start');

async function until(find) {
  for (;;) {
    const found = find();
    if (found) return found;
    await new Promise((done) => setTimeout(done, 50));
  }
}
