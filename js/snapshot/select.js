// Which elements are in the snapshot.
import {
  FOLLOWING, getAttribute, indexOf, keys, length, localName, lookUp, lower, matches, nodeType, parentNode, position, querySelectorAll,
  store, Table,
} from './dom.js';
import { read } from './element.js';
import { CLOSED, tokens } from './rules.js';

// What puts an element into the snapshot, asked for one by one: browsers answer for a single selector several times
// faster than for a list that has it.
const JSON_LD = 'script[type*="ld+json" i]';
const ALWAYS = [
  JSON_LD,
  'meta[name="description" i]',
  // The fields of search forms.
  ':is([role~="search" i],search,form:has([type="search" i])) input',
  '[itemscope]',
  '[vocab]',
  '[typeof]',
  '[property]',
];
// Asked only where there is an item.
const PROPERTIES = ['[itemprop]', '[itemprop-reverse]'];
// Asked only where something could say a thing of them.
const RESOURCES = ['[about]', '[resource]'];
// Asked only of results: the templates of an OpenSearch description.
const TEMPLATES = ['url[template]'];
/** Attributes that put an element into the snapshot. */
export const SELECTS = 'itemscope itemprop itemprop-reverse vocab typeof property about resource'.split(' ');
// Asked only where a rel has one of the words.
const LINKS = ['link[rel~="canonical" i]', 'link[rel~="search" i]'];
// A CURIE, an IRI, or a term of RDFa's initial context.
const RDFA_RELS = ['[rel*=":"]', '[rev*=":"]', '[rel~="license" i]', '[rel~="describedby" i]', '[rel~="role" i]'];
// Where RDFa is used beyond `meta property`, all that there are. A hanging rel has its object further down.
const ALL_RELS = ['[rel]', '[rev]', ':is([rel],[rev]):not([href],[src],[resource]) :is([href],[src])'];
// So many elements are put in order here; of more, the browser makes one list.
const FEW = 64;

// Marks of elements: inside CLOSED or shelved, around something that is in the snapshot, or the number of a selected element.
const DEAD = -2;
export const ANCESTOR = -1;

// What `relations` found: bits.
const OF_LINKS = 1;
const MAYBE_RDFA = 2;
const OF_RDFA = 4;
const RDFA = MAYBE_RDFA | OF_RDFA;
const ALL = 8; // and what follows: one for each of ALL_RELS

// The marks of a document: its selected elements, in tree order.
export function select(document, mode) {
  const { list, end, others } = find(document, mode);
  const marks = {
    list,
    length: end,
    of: new Table(), // element → DEAD, ANCESTOR, or its number in `list`
    read: { __proto__: null }, // what `read` says of each element of `list`
    ids: { __proto__: null }, // tokens of all itemrefs
  };
  const shelf = shelved(document);
  for (let i = 0; i < shelf.length; i++) store(marks.of, shelf[i], DEAD);
  for (let i = 0; i < marks.length; i++) {
    const element = list[i];
    const it = read(element);
    if (lookUp(marks.of, element) === DEAD || isDead(element, marks.of)) {
      store(marks.of, element, DEAD);
    } else if (it.name !== 'script' || it.json || (others && matches(element, others))) {
      store(marks.of, element, i);
      marks.read[i] = it;
      if (it.itemref) tokens(it.itemref, marks.ids);
    }
  }
  return marks;
}

// The elements, in tree order, `end` of them; and the selectors that found any but JSON_LD, as one.
function find(document, mode) {
  const all = { sorted: { __proto__: null, length: 0 }, found: 0, others: '', rdfa: false };
  ask(document, ALWAYS, all);
  const rels = relations(document);
  if (rels & OF_LINKS) ask(document, LINKS, all);
  if (indexOf(all.others, '[itemscope]') >= 0) ask(document, PROPERTIES, all);
  if (rels & RDFA || all.rdfa || indexOf(all.others, '[property]') >= 0) ask(document, RESOURCES, all);
  if (mode) ask(document, TEMPLATES, all);
  if (all.rdfa || rels & OF_RDFA) {
    for (let n = 0; n < ALL_RELS.length; n++) if (rels & (ALL << n)) ask(document, [ALL_RELS[n]], all);
  } else if (rels & MAYBE_RDFA) ask(document, RDFA_RELS, all);
  const { sorted, others } = all;
  if (all.found <= FEW) return { list: sorted, end: sorted.length, others };
  const list = querySelectorAll(document, JSON_LD + (others && ',' + others));
  return { list, end: length(list), others };
}

// Adds what the selectors find, and whether the page uses RDFa beyond `meta property`.
function ask(document, selectors, all) {
  for (let k = 0; k < selectors.length; k++) {
    const selector = selectors[k];
    const some = querySelectorAll(document, selector);
    const end = length(some);
    if (!end) continue;
    if (selector !== JSON_LD) all.others += (all.others && ',') + selector;
    all.found += end;
    if (all.found <= FEW) for (let i = 0; i < end; i++) place(all.sorted, some[i]);
    if (indexOf('[vocab][typeof][about][resource]', selector) >= 0) all.rdfa = true;
    else if (selector === '[property]') for (let i = 0; i < end && !all.rdfa; i++) all.rdfa = localName(some[i]) !== 'meta';
  }
}

// Puts an element where it stands in the tree, once.
function place(sorted, element) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (position(sorted[middle], element) & FOLLOWING) low = middle + 1;
    else high = middle;
  }
  if (sorted[low] === element) return;
  for (let i = sorted.length++; i > low; i--) sorted[i] = sorted[i - 1];
  sorted[low] = element;
}

// Whether a rel may be one of LINKS; whether a rel or rev may be RDFa's (RDFA_RELS has the exact rule), or shows that the
// page uses RDFa; which of ALL_RELS may find something. In `link`, CURIEs and IRIs are common for other reasons; only
// Schema.org's show it.
function relations(document) {
  let found = 0;
  for (let n = 0; n < 2; n++) {
    const name = n ? 'rev' : 'rel';
    const list = querySelectorAll(document, '[' + name + ']');
    const end = length(list);
    if (end) found |= ALL << n;
    for (let i = 0; i < end; i++) {
      const rel = lower(getAttribute(list[i], name));
      if (getAttribute(list[i], 'href') === null) found |= ALL << 2;
      if (indexOf(rel, 'canonical') >= 0 || indexOf(rel, 'search') >= 0) found |= OF_LINKS;
      if (indexOf(rel, ':') >= 0) found |= localName(list[i]) !== 'link' || indexOf(rel, 'schema:') >= 0 || indexOf(rel, 'schema.org') >= 0 ? OF_RDFA : MAYBE_RDFA;
      else if (indexOf(rel, 'license') >= 0 || indexOf(rel, 'describedby') >= 0 || indexOf(rel, 'role') >= 0) found |= MAYBE_RDFA;
    }
  }
  return found;
}

// Whether the element is inside CLOSED or a shelved one. Marks its ancestors, each once.
function isDead(element, of) {
  const parent = parentNode(element);
  let top = parent;
  let mark = ANCESTOR;
  for (; top && nodeType(top) === 1; top = parentNode(top)) {
    const known = lookUp(of, top);
    if (known === DEAD || CLOSED[localName(top)]) {
      mark = DEAD;
      break;
    }
    if (known !== undefined) break;
  }
  for (let node = parent; node !== top; node = parentNode(node)) store(of, node, mark);
  return mark === DEAD;
}

/**
 * Elements that React keeps and hides (Activity, Suspense): routes that were left, parts that wait. They are not what
 * the page says now. React's own mark tells them from markup that a page hides for good, so a parsed document has none.
 */
export function shelved(document) {
  const found = [];
  const marks = keys(document);
  let react = false;
  for (let i = 0; i < marks.length; i++) react ||= !indexOf(marks[i], '_reactListening');
  if (!react) return found; // the selector is slow
  const list = querySelectorAll(document, '[style*="display: none !important"]');
  const end = length(list);
  let n = 0;
  for (let i = 0; i < end; i++) {
    const own = keys(list[i]);
    for (let k = 0; k < own.length; k++) if (!indexOf(own[k], '__reactFiber')) found[n++] = list[i];
  }
  return found;
}
