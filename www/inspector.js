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
const log = element('ol', { class: 'log' }, element('li', { class: 'soft' }, 'Nothing yet: press a button, or go to another product.'));
panel.append(status, cards, element('h3', {}, 'Diagnostics'), notes, element('h3', {}, 'What happened'), log);

const handle = await (await until(() => window.agenticschema)).ready;
const context = document.modelContext ?? navigator.modelContext;
let shown = '', answers, changes = 0;

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
  log.querySelector('.soft')?.remove();
  log.prepend(element('li', {}, element('time', {}, new Date().toLocaleTimeString('en-GB')), ` ${text}`));
  while (log.children.length > LINES) log.lastChild.remove();
}

/** Where an answer first differs from the one before, with some of what stands around it. */
function difference(before, after) {
  let at = 0;
  while (at < after.length && before[at] === after[at]) at++;
  const from = before ? Math.max(0, at - 30) : 0;
  return `${from ? '… ' : ''}${after.slice(from, from + 140)}${after.length > from + 140 ? ' …' : ''}`;
}

/** Shows the tools where they differ from what is shown, and notes which readers answer otherwise than before. */
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
  const now = new Map();
  for (const tool of tools.filter(({ inputSchema }) => !inputSchema.required?.length)) now.set(tool.name, JSON.stringify(await tool.call({})));
  if (answers) {
    const changed = [...now].filter(([name, answer]) => answers.get(name) !== answer);
    for (const [name, answer] of changed) note(`${reason}: ${name} answers ${difference(answers.get(name) ?? '', answer)}`);
    for (const name of answers.keys()) if (!now.has(name)) note(`${reason}: ${name} is gone`);
    if (!changed.length && now.size === answers.size) note(`${reason}: nothing that an agent would notice`);
  }
  answers = now;
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
