import { element } from './element.js';

/** Notes of the paging, which are no facts. */
const NOTES = new Set(['truncated', 'total', 'next', 'page', 'sections']);

/** What the readers say, as a tree. */
export function tree(readers) {
  return readers.map(({ title, name, answer, sections }) => {
    const label = typeof answer.name === 'string' ? answer.name : typeof answer.headline === 'string' ? answer.headline : name;
    const parts = Object.entries(sections).map(([section, pages]) => branch(section, pages.length === 1 ? pages[0] : pages, false));
    return element('details', { open: true }, element('summary', {}, `${title}: ${label}`), ...facts(answer), ...parts);
  });
}

function branch(label, value, open) {
  return element('details', { open }, element('summary', {}, label), ...(Array.isArray(value) ? items(value) : facts(value)));
}

function facts(object) {
  const entries = Object.entries(object).filter(([name]) => !NOTES.has(name));
  const plain = entries.filter(([, value]) => !deep(value));
  const nested = entries.filter(([, value]) => deep(value));
  const list = plain.length ? [element('dl', {}, ...plain.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, said(value))]))] : [];
  return [...list, ...nested.map(([name, value]) => branch(name, value, false))];
}

function items(list) {
  return list.flatMap((item, i) => (deep(item) ? [branch(typeof item.name === 'string' ? item.name : `${i + 1}`, item, false)] : [element('dl', {}, element('dt', {}, `${i + 1}`), element('dd', {}, said(item)))]));
}

const deep = (value) => value !== null && typeof value === 'object' && !(Array.isArray(value) && value.every((item) => item === null || typeof item !== 'object'));
const said = (value) => (Array.isArray(value) ? value.join('\n') : String(value));
