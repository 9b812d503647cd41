import { element } from './element.js';
import { place } from './places.js';
import { read } from './reader.js';
import { sample, SAMPLES } from './samples.js';
import { readFrom, written } from './share.js';
import { fileName, integrity, snippet } from './snippet.js';
import { estimate } from './tokens.js';
import { toolCard } from './tool-card.js';
import { tree } from './tree.js';
import { breath, walk } from './walk.js';

/** Milliseconds of quiet after a keystroke before the text is read. */
const QUIET = 200;

const at = (id) => document.getElementById(id);
const source = at('source'), picker = at('sample'), form = at('options');
let chosen = '', timer, turn = 0, current, hash;

picker.append(element('option', { value: '' }, 'your own'), ...SAMPLES.map(([value, label]) => element('option', { value }, label)));

/** The options that differ from the defaults, as the tag's attributes say them. */
function options() {
  const { actions, forms, watch, split, maxTools, allowHosts } = form.elements;
  const set = {};
  if (!actions.checked) set.actions = 'off';
  if (!forms.checked) set.forms = 'off';
  if (!watch.checked) set.watch = 'off';
  if (split.checked) set.toolset = 'split';
  if (maxTools.value && maxTools.value !== '24') set.maxTools = maxTools.value;
  if (allowHosts.value.trim()) set.allowHosts = allowHosts.value.trim();
  return set;
}

function showOptions({ actions, forms, watch, toolset, maxTools, allowHosts }) {
  const controls = form.elements;
  controls.actions.checked = actions !== 'off';
  controls.forms.checked = forms !== 'off';
  controls.watch.checked = watch !== 'off';
  controls.split.checked = toolset === 'split';
  controls.maxTools.value = /^\d+$/.test(maxTools) ? maxTools : '24';
  controls.allowHosts.value = allowHosts ?? '';
}

/** Reads the text and shows what comes of it. A later call wins over one that still runs. */
async function run() {
  const mine = ++turn, text = source.value;
  const set = options();
  const page = await read(text, set);
  if (mine !== turn) return page.stop();
  current?.stop();
  current = page;

  at('tools').replaceChildren(...page.tools.map((tool) => toolCard(tool)));
  at('status').textContent = page.tools.length === 1 ? '1 tool' : `${page.tools.length} tools`;
  at('notes').replaceChildren(...(page.diagnostics.length ? page.diagnostics.map((note) => noteItem(text, note)) : [element('li', { class: 'soft' }, 'None: nothing was refused, repaired or left out.')]));

  const readers = await walk(page.tools);
  await breath();
  if (mine !== turn) return;
  at('tree').replaceChildren(...(readers.length ? tree(readers) : [element('p', { class: 'soft' }, 'Nothing.')]));
  await breath();
  if (mine !== turn) return;
  meter(text, page, readers);
  hash ??= integrity();
  hash.then((known) => mine === turn && (at('snippet').textContent = snippet(window.agenticschema.version, known, set)));
  document.documentElement.dataset.read = mine;
}

function noteItem(text, { level, code, message }) {
  const where = place(text, message);
  const item = element('li', { class: level }, element('code', {}, code), element('span', {}, message));
  if (where) {
    const go = element('button', { type: 'button', class: 'quiet' }, 'Show the place');
    go.addEventListener('click', () => {
      source.focus();
      source.setSelectionRange(where.start, where.end);
      const line = text.slice(0, where.start).split('\n').length;
      source.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(source).lineHeight));
    });
    item.append(go);
  }
  return item;
}

function meter(text, { tools, text: words }, readers) {
  const list = JSON.stringify(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })));
  const rows = [
    ['The page as it is', estimate(text)],
    ['Its visible text', estimate(words)],
    ['The list of tools', tools.length ? estimate(list) : 0],
    ['Their answers', readers.reduce((sum, { answer }) => sum + estimate(JSON.stringify(answer)), 0)],
  ];
  const most = Math.max(1, ...rows.map(([, tokens]) => tokens));
  const bars = rows.map(([label, tokens]) => {
    const bar = element('i', { 'aria-hidden': 'true' });
    bar.style.setProperty('--share', String((100 * tokens) / most));
    return element('div', {}, element('span', { class: 'soft' }, label), element('b', {}, tokens.toLocaleString('en')), bar);
  });
  at('meter').replaceChildren(...bars, element('p', { class: 'soft' }, 'Tokens, estimated: what each takes of an agent’s context.'));
}

async function remember() {
  history.replaceState(null, '', `#${await written({ sample: chosen, text: source.value, options: options() })}`);
}

async function pick(name) {
  try {
    const text = await sample(name);
    source.value = text;
    source.scrollTop = 0;
    picker.value = chosen = name;
  } catch (error) {
    at('status').textContent = error.message;
    document.documentElement.dataset.read = turn;
    return;
  }
  await run();
}

function changed(own) {
  if (own) picker.value = chosen = '';
  clearTimeout(timer);
  timer = setTimeout(async () => {
    await run();
    await remember();
  }, QUIET);
}

async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    at('copied').textContent = `${what} is copied.`;
  } catch {
    at('copied').textContent = 'Copying is not allowed here: mark the text and copy it by hand.';
  }
}

source.addEventListener('input', () => changed(true));
form.addEventListener('input', () => changed(false));
form.addEventListener('submit', (event) => event.preventDefault());
picker.addEventListener('change', async () => {
  if (!picker.value) return source.focus();
  await pick(picker.value);
  await remember();
});
for (const type of ['dragenter', 'dragover']) {
  source.addEventListener(type, (event) => {
    event.preventDefault();
    source.classList.add('over');
  });
}
for (const type of ['dragleave', 'drop']) source.addEventListener(type, () => source.classList.remove('over'));
source.addEventListener('drop', async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  source.value = await file.text();
  changed(true);
});
at('copy').addEventListener('click', () => copy(at('snippet').textContent, 'The tag'));
at('share').addEventListener('click', async () => {
  await remember();
  await copy(location.href, 'The link');
});
at('file').download = fileName(window.agenticschema.version);
addEventListener('hashchange', load);

async function load() {
  if (location.hash === '#tag') return;
  const state = await readFrom(location.hash);
  showOptions(state.options);
  if (state.text !== undefined) {
    source.value = state.text;
    picker.value = chosen = '';
    await run();
  } else await pick(SAMPLES.some(([name]) => name === state.sample) ? state.sample : SAMPLES[0][0]);
}
load();
