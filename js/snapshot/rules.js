// The rules by which elements are read. The twin of src/dom/html/rules.rs, which describes the lists.
import { getAttribute, indexOf, lower, slice, unit } from './dom.js';

export const BLOCKS = words(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul',
);
export const CLOSED = words('script style template noscript iframe noembed noframes');
export const SECTIONS = words('article main section');
export const LANDMARKS = words('main aside nav header footer article form head body');
export const PAGE = words('a article body h1 h2 h3 h4 h5 h6 li main p');
export const FURNITURE = words(
  'aside audio button canvas datalist dialog head math nav object select svg textarea title video',
);

// Whether an element is no part of what the page says. `sectioned`: it stands in a section, where `header` and `footer`
// are not the page's own.
export function isFurniture(name, sectioned) {
  return FURNITURE[name] || ((name === 'header' || name === 'footer') && !sectioned);
}

// Whether its text is marked as the body of an article.
export function isArticleBody(element) {
  const names = { __proto__: null };
  tokens(getAttribute(element, 'itemprop') || '', names);
  return names.articleBody;
}

// Whether the page hides the element by its own attributes.
export function isHidden(element) {
  if (getAttribute(element, 'hidden') !== null || lower(getAttribute(element, 'aria-hidden') || '') === 'true') return true;
  const style = getAttribute(element, 'style');
  if (!style) return false;
  let squeezed = '';
  for (let i = 0; i < style.length; i++) if (!isSpace(unit(style, i))) squeezed += style[i];
  return indexOf(lower(squeezed), 'display:none') >= 0;
}

export function isBlank(run) {
  for (let i = 0; i < run.length; i++) if (!isSpace(unit(run, i))) return false;
  return true;
}

// ASCII white space as HTML defines it.
export function isSpace(code) {
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13;
}

// Adds the space-separated tokens of `value` to `set`.
export function tokens(value, set) {
  let start = 0;
  for (let i = 0; i <= value.length; i++) {
    if (i === value.length || isSpace(unit(value, i))) {
      if (i > start) set[slice(value, start, i)] = true;
      start = i + 1;
    }
  }
}

function words(list) {
  const table = { __proto__: null };
  for (const word of list.split(' ')) table[word] = true;
  return table;
}
