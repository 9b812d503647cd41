import { element } from './element.js';
import { estimate } from './tokens.js';

/** A tool as an agent sees it, and a form of its schema to run it. `ran` is told each call and its answer. */
export function toolCard(tool, ran = () => {}) {
  const { name, title, description, inputSchema, annotations } = tool;
  const required = new Set(inputSchema.required);
  const fields = Object.entries(inputSchema.properties ?? {}).map(([key, schema]) => field(name, key, schema, required.has(key)));
  const answer = element('pre', { hidden: true, tabIndex: 0, 'aria-label': `Answer of ${name}`, 'aria-live': 'polite' });
  const form = element('form', { noValidate: true }, ...fields.map(({ label }) => label), element('button', { type: 'submit' }, 'Run'));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const input = Object.fromEntries(fields.map(({ key, value }) => [key, value()]).filter(([, value]) => value !== undefined));
    answer.hidden = false;
    answer.textContent = 'Running';
    const result = await tool.call(input);
    const text = JSON.stringify(result);
    answer.textContent = `${JSON.stringify(result, null, 2)}\n\n${text.length.toLocaleString('en')} characters, about ${estimate(text).toLocaleString('en')} tokens`;
    ran(input, result);
  });
  const hints = Object.keys(annotations ?? {}).filter((hint) => annotations[hint]);
  return element(
    'article',
    { class: 'tool' },
    element('h3', {}, name, element('small', {}, title ?? '')),
    element('p', {}, description),
    form,
    answer,
    element('details', {}, element('summary', {}, `Schema${hints.length ? ` and hints (${hints.join(', ')})` : ''}`), element('pre', { tabIndex: 0 }, JSON.stringify(inputSchema, null, 2))),
  );
}

/** A field for one parameter; its `value()` is undefined where it was left empty. */
function field(tool, key, schema, required) {
  const input = schema.enum ? choice(schema, required) : schema.type === 'boolean' ? element('input', { type: 'checkbox' }) : text(schema);
  input.required = required;
  input.name = key;
  const label = element('label', {}, element('b', {}, `${key}${required ? '' : ' (optional)'}`), ...(schema.description ? [element('span', {}, schema.description)] : []), input);
  const value = () => {
    if (schema.type === 'boolean') return input.checked || undefined;
    if (input.value === '') return undefined;
    return schema.type === 'integer' || schema.type === 'number' ? Number(input.value) : input.value;
  };
  return { key, label, value };
}

function choice(schema, required) {
  return element('select', {}, ...(required ? [] : ['']).concat(schema.enum).map((value) => element('option', { value }, value || 'key facts')));
}

function text(schema) {
  const number = schema.type === 'integer' || schema.type === 'number';
  const input = element('input', { type: number ? 'number' : 'text', autocomplete: 'off' });
  if (number && schema.minimum !== undefined) input.min = schema.minimum;
  if (schema.maxLength !== undefined) input.maxLength = schema.maxLength;
  return input;
}
