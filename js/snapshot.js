// The live DOM → the wire form that src/dom/mod.rs documents. The twin of src/dom/html.rs: same rules, same tables.
//
// The page is not trusted and may be odd: forms and the document answer to the names of their controls and images
// (`<input name="getAttribute">`), scripts patch Array, JSON and RegExp. So every DOM and string operation is taken
// from its prototype when this module loads and is never looked up on an object of the page.

const RECORD_END = '\x1e';
const FIELD = '\x1f';
const HTML = 'http://www.w3.org/1999/xhtml';

// SNAPSHOT_NODES and SNAPSHOT_TEXT of src/limits.rs.
const NODES = 200000;
const UNITS = 33554432;
// TEXT_ENOUGH and TEXT_STEPS of src/limits.rs.
const TEXT_ENOUGH = 40;
const TEXT_STEPS = 2000;

// Attribute names and their codes: ATTRIBUTES of src/dom/mod.rs without xmlns:*, which is code x.
const CODES = pairs(
  'itemscope S itemprop p itemtype t itemid i itemref r itemprop-reverse w vocab v prefix f typeof y property P about a resource R inlist l datatype d rel e rev V id I content c href h src s data D value u datetime T lang L xml:lang M type k name n alt A action q method m required Q toolname o template U',
);
// The word lists of src/dom/html.rs, described there.
const BLOCKS = words(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup option p pre search section summary table tbody td tfoot th thead tr ul',
);
const CLOSED = words('script style template noscript iframe noembed noframes');
const SECTIONS = words('article main section');
const LANDMARKS = words('main aside nav header footer article form head body');
const PAGE = words('a article body h1 h2 h3 h4 h5 h6 li main p');
const FURNITURE = words(
  'aside audio button canvas datalist dialog head math nav object select svg textarea title video',
);

// What puts an element into the snapshot, asked for one by one: browsers answer for a single selector several times
// faster than for a list that has it.
const JSON_LD = 'script[type*="ld+json" i]';
const ALWAYS = [
  JSON_LD,
  'meta[name="description" i]',
  // The fields of search forms, and the templates of an OpenSearch description.
  ':is([role~="search" i],search,form:has([type="search" i])) input',
  'url[template]',
];
/** Attributes that put an element into the snapshot. */
export const SELECTS = 'itemscope itemprop itemprop-reverse vocab typeof property about resource'.split(' ');
for (let i = 0; i < SELECTS.length; i++) ALWAYS[ALWAYS.length] = '[' + SELECTS[i] + ']';
// Asked only where a rel has one of the words.
const LINKS = ['link[rel~="canonical" i]', 'link[rel~="search" i]'];
// A CURIE, an IRI, or a term of RDFa's initial context.
const RDFA_RELS = ['[rel*=":"]', '[rev*=":"]', '[rel~="license" i]', '[rel~="describedby" i]', '[rel~="role" i]'];
// Where RDFa is used beyond `meta property`, all. A hanging rel has its object further down.
const ALL_RELS = ['[rel]', '[rev]', ':is([rel],[rev]):not([href],[src],[resource]) :is([href],[src])'];
// So many elements are put in order here; of more, the browser makes one list.
const FEW = 64;

// What its attributes say about an element: bits, by attribute.
const CONTEXT = 1; // it matters to what stands in the element
const CONTENT = 2;
const PROPERTY = 4;
const ITEMPROP = 8;
const ITEMSCOPE = 16;
const TYPEOF = 32;
const UNTYPED = 64; // typeof does not make the element the value of its own property
const DATETIME = 128;
const VALUE = 256;
const HREF = 512;
const BITS = pairs(
  'href 513 src 1 rel 1 rev 1 lang 1 xml:lang 1 prefix 1 typeof 32 about 64 datatype 64 content 2 property 4 itemprop 8 itemscope 16 datetime 128 value 256',
);

// Marks of elements: inside CLOSED or shelved, around something that is in the snapshot, or the number of a selected element.
const DEAD = -2;
const ANCESTOR = -1;

// What `relations` found: bits.
const OF_LINKS = 1;
const MAYBE_RDFA = 2;
const OF_RDFA = 4;

// What a walk knows at an element: it was written; its text is a value; its text is visible (page mode); `header` and
// `footer` in it are not the page's own; it begins and ends a line; nothing but text is wanted (text mode).
const WRITTEN = 1;
const IN_VALUE = 2;
const VISIBLE = 4;
const SECTIONED = 8;
const LINES = 16;
const ONLY_TEXT = 32;
const READING = IN_VALUE | VISIBLE;

// What is being written. Reading a document is one synchronous run in which no script of the page takes part.
let out; // the records
let held; // text that has been read but not yet written: neighbouring text nodes are one run
let exact; // it is part of a value: white space counts
let line; // a line boundary stands before it
let nodes;
let units;
let cut; // a limit has been hit: nothing more is written
let reached; // the number of the selected element after the last one written

const { bind, call } = Function.prototype;
const uncurry = bind.bind(call);
const indexOf = uncurry(''.indexOf);
const slice = uncurry(''.slice);
const lower = uncurry(''.toLowerCase);
const unit = uncurry(''.charCodeAt);
const Table = Map?.groupBy ? Map : WeakMap; // pages have a `Map` of their own
const lookUp = uncurry(Table.prototype.get);
const store = uncurry(Table.prototype.set);
const Address = globalThis.URL;

const querySelector = method('Document', 'querySelector');
const querySelectorAll = method('Document', 'querySelectorAll');
const matches = method('Element', 'matches');
const getAttribute = method('Element', 'getAttribute');
const getAttributeNames = method('Element', 'getAttributeNames');
const documentElement = getter('Document', 'documentElement');
const documentURL = getter('Document', 'URL');
const documentTitle = getter('Document', 'title');
const baseURI = getter('Node', 'baseURI');
const nodeType = getter('Node', 'nodeType');
const position = method('Node', 'compareDocumentPosition');
const FOLLOWING = 4;
const parentNode = getter('Node', 'parentNode');
const firstChild = getter('Node', 'firstChild');
const nextSibling = getter('Node', 'nextSibling');
const textContent = getter('Node', 'textContent');
const localName = getter('Element', 'localName');
const namespaceURI = getter('Element', 'namespaceURI');
const firstElementChild = getter('Element', 'firstElementChild');
const data = getter('CharacterData', 'data');
const length = getter('NodeList', 'length');
const { keys } = Object;

/**
 * Reads a document into the wire form. Never throws and never changes the page.
 *
 * @param {Document} document live, or inert from DOMParser
 * @param {'page' | 'text'} [mode] also, or only, what the page says: visible text and links
 * @param {string} [url] the document's address where its own is another (DOMParser gives that of the window)
 * @returns {string}
 */
export const snapshot = (document, mode, url) => {
  out = held = '';
  exact = line = cut = false;
  nodes = units = reached = 0;
  try {
    const root = documentElement(document);
    const marks = root && (mode === 'text' ? { of: new Table() } : select(document));
    head(document, url, marks && !mode && speaks(root, marks));
    if (mode) walk(document, mode === 'text' ? VISIBLE | ONLY_TEXT : VISIBLE, root, marks);
    else if (root) each(root, marks);
  } catch {
    // What has been read so far stands; the decoder closes what is open.
  }
  const wire = out;
  out = held = '';
  return wire;
};

// The document's URL, base URL and title, and whether it has a text of its own.
function head(document, url, speaks) {
  let base = baseURI(document);
  if (url) {
    const element = querySelector(document, 'base[href]');
    base = (element && resolve(getAttribute(element, 'href'), url)) || url;
    if (!indexOf(base, 'data:') || !indexOf(base, 'javascript:')) base = url;
  }
  out = 'H' + counted(url || documentURL(document)) + FIELD + counted(base) + FIELD + counted(documentTitle(document)) + (speaks ? FIELD + 1 : '') + RECORD_END;
}

// Whether enough visible text stands outside the elements whose value may be their text.
function speaks(root, marks) {
  let said = 0;
  let steps = 0;
  let sections = 0;
  let node = root;
  for (;;) {
    if (++steps > TEXT_STEPS || said >= TEXT_ENOUGH) return true;
    const type = nodeType(node);
    let child = null;
    if (type === 1) {
      const name = localName(node);
      const mark = lookUp(marks.of, node);
      if (!CLOSED[name] && !isFurniture(name, sections && SECTIONED) && !isHidden(node) && !(mark >= 0 && needsText(marks.read[mark]))) {
        child = firstChild(node);
        if (child && SECTIONS[name]) sections++;
      }
    } else if (type === 3 || type === 4) {
      const run = data(node);
      for (let i = 0; i < run.length && said < TEXT_ENOUGH; i++) if (!isSpace(unit(run, i))) said++;
    }
    while (!child) {
      if (node === root) return said >= TEXT_ENOUGH;
      child = nextSibling(node);
      if (!child) {
        node = parentNode(node);
        if (SECTIONS[localName(node)]) sections--;
      }
    }
    node = child;
  }
}

function resolve(url, base) {
  try {
    return new Address(url, base).href;
  } catch {
    return '';
  }
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

// Which elements are in the snapshot.
function select(document) {
  const { list, end, others } = find(document);
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
function find(document) {
  const all = { sorted: { __proto__: null, length: 0 }, found: 0, others: '', rdfa: false };
  ask(document, ALWAYS, all);
  const rels = relations(document);
  if (rels & OF_LINKS) ask(document, LINKS, all);
  if (all.rdfa || rels & OF_RDFA) ask(document, ALL_RELS, all);
  else if (rels & MAYBE_RDFA) ask(document, RDFA_RELS, all);
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
    if (indexOf('[vocab][typeof][about][resource]', selector) >= 0 || (selector === '[property]' && querySelector(document, '[property]:not(meta)'))) all.rdfa = true;
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
// page uses RDFa. In `link`, CURIEs and IRIs are common for other reasons; only Schema.org's show it.
function relations(document) {
  let found = 0;
  for (let n = 0; n < 2; n++) {
    const name = n ? 'rev' : 'rel';
    const list = querySelectorAll(document, '[' + name + ']');
    const end = length(list);
    for (let i = 0; i < end; i++) {
      const rel = lower(getAttribute(list[i], name));
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

// An element's name and attributes, ready to be written.
function read(element) {
  const it = { name: '', html: true, fields: '', units: 0, bits: 0, id: '', itemref: '', json: false };
  try {
    const name = (it.name = localName(element));
    it.html = namespaceURI(element) === HTML;
    it.units = name.length;
    const names = getAttributeNames(element);
    for (let i = 0; i < names.length; i++) {
      const attribute = names[i];
      let code = CODES[attribute];
      const xmlns = !code && attribute.length > 6 && !indexOf(attribute, 'xmlns:');
      if (!code && !xmlns) continue;
      let value = getAttribute(element, attribute) || '';
      it.bits |= xmlns ? CONTEXT : BITS[attribute];
      if (xmlns) {
        const prefix = slice(attribute, 6);
        it.units += prefix.length;
        code = 'x' + clean(prefix) + '=';
      } else if (attribute === 'id') it.id = value;
      else if (attribute === 'itemref') it.itemref = value;
      else if (attribute === 'type') it.json = name === 'script' && it.html && isJsonLd(value);
      it.units += value.length;
      it.fields += FIELD + code + clean(value);
    }
  } catch {
    // An element that cannot be read has no attributes.
  }
  return it;
}

// A MIME type whose essence is application/ld+json.
function isJsonLd(type) {
  let end = indexOf(type, ';');
  if (end < 0) end = type.length;
  let start = 0;
  while (start < end && isSpace(unit(type, start))) start++;
  while (end > start && isSpace(unit(type, end - 1))) end--;
  return lower(slice(type, start, end)) === 'application/ld+json';
}

// Whether an element's value may be its text.
function needsText({ name, bits }) {
  if (bits & CONTENT) return false;
  const own = name === 'time' ? DATETIME : name === 'data' || name === 'meter' ? VALUE : 0;
  return (
    (bits & ITEMPROP && !(bits & (ITEMSCOPE | own))) ||
    (bits & PROPERTY && !(bits & DATETIME) && (!(bits & TYPEOF) || bits & UNTYPED))
  );
}

// Whether an element around something in the snapshot is in it too.
function givesContext(it, marks) {
  return it.bits & CONTEXT || (it.html && LANDMARKS[it.name]) || (it.id && marks.ids[it.id]);
}

// Markup only: goes from one selected element to the next, and to the ancestors between them.
function each(root, marks) {
  const depths = new Table(); // element → how many elements are open inside it
  let open = 0;
  const enter = (element, it) => {
    if (it) {
      openElement(it);
      open++;
    }
    store(depths, element, open);
  };
  const closeTo = (depth) => {
    for (; open > depth; open--) closeElement();
  };
  if (!(lookUp(marks.of, root) >= 0)) enter(root, read(root));
  for (let i = 0; i < marks.length && !cut; i++) {
    const element = marks.list[i];
    if (i < reached || lookUp(marks.of, element) !== i) continue;
    const path = { __proto__: null };
    let n = 0;
    let node = parentNode(element);
    let depth;
    while (node && nodeType(node) === 1 && (depth = lookUp(depths, node)) === undefined) {
      path[n++] = node;
      node = parentNode(node);
    }
    closeTo(depth || 0);
    while (n-- > 0) {
      const it = read(path[n]);
      enter(path[n], givesContext(it, marks) && it);
    }
    const it = marks.read[i];
    enter(element, it);
    if (it.json) block(element);
    else if (needsText(it) && !CLOSED[it.name]) {
      line = false;
      if (firstElementChild(element)) walk(element, IN_VALUE, root, marks);
      else text(textContent(element), true);
      flush();
    }
  }
  if (!cut) closeTo(0);
}

// Writes everything below `top` in tree order.
function walk(top, state, root, marks) {
  const page = state & VISIBLE;
  const states = { __proto__: null };
  let depth = 0;
  let node = firstChild(top);
  while (node && !cut) {
    const type = nodeType(node);
    if (type === 1) {
      const name = localName(node);
      const mark = lookUp(marks.of, node);
      let it = mark >= 0 ? marks.read[mark] : null;
      let inner = state & (READING | SECTIONED | ONLY_TEXT);
      if (it) {
        reached = mark + 1;
        if (needsText(it)) inner |= IN_VALUE;
      }
      if (inner & VISIBLE && (isFurniture(name, state) || isHidden(node))) inner &= ~VISIBLE;
      if (SECTIONS[name]) inner |= SECTIONED;
      if (BLOCKS[name]) inner |= LINES;
      if (!(state & READING)) {
        if (inner & IN_VALUE) line = false;
      } else if (inner & LINES) boundary();
      const body = state & ONLY_TEXT && isArticleBody(node);
      if (!it && (node === root || mark === ANCESTOR || (inner & VISIBLE && (body || PAGE[name])))) {
        it = read(node);
        const saysText = inner & VISIBLE && it.html && (body || (PAGE[name] && (name !== 'a' || it.bits & HREF)));
        if (node !== root && !saysText && !(mark === ANCESTOR && givesContext(it, marks))) it = null;
      }
      if (it) {
        openElement(it);
        inner |= WRITTEN;
        if (it.json) block(node);
      }
      states[depth++] = state;
      state = inner;
      const child = CLOSED[name] ? null : firstChild(node);
      if (child) {
        node = child;
        continue;
      }
    } else if (state & READING && (type === 3 || type === 4)) {
      text(data(node), state & IN_VALUE);
    }
    for (;;) {
      if (nodeType(node) === 1) {
        if (cut) return;
        const inner = state;
        state = states[--depth];
        if (inner & WRITTEN) closeElement();
        if (inner & LINES && state & READING) boundary();
      }
      const next = nextSibling(node);
      if (next) {
        node = next;
        break;
      }
      node = parentNode(node);
      if (node === top || !node) return;
    }
  }
}

function isFurniture(name, state) {
  return FURNITURE[name] || ((name === 'header' || name === 'footer') && !(state & SECTIONED));
}

// Whether its text is marked as the body of an article.
function isArticleBody(element) {
  const names = { __proto__: null };
  tokens(getAttribute(element, 'itemprop') || '', names);
  return names.articleBody;
}

// Whether the page hides the element by its own attributes.
function isHidden(element) {
  if (getAttribute(element, 'hidden') !== null || lower(getAttribute(element, 'aria-hidden') || '') === 'true') return true;
  const style = getAttribute(element, 'style');
  if (!style) return false;
  let squeezed = '';
  for (let i = 0; i < style.length; i++) if (!isSpace(unit(style, i))) squeezed += style[i];
  return indexOf(lower(squeezed), 'display:none') >= 0;
}

function openElement(it) {
  flush();
  if (!admit()) return;
  units += it.units;
  out += 'E' + (it.html ? '' : '*') + clean(lower(it.name)) + it.fields + RECORD_END;
}

function closeElement() {
  flush();
  if (!cut) out += 'X' + RECORD_END;
}

// The text of a JSON-LD script, whole.
function block(element) {
  const whole = textContent(element);
  if (whole) record('T', whole);
}

// Neighbouring text nodes are one run. White space counts in one that is part of a value.
function text(run, value) {
  held += run;
  if (value) exact = true;
}

// An element begins or ends whose text stands on lines of its own.
function boundary() {
  flush();
  line = true;
}

function flush() {
  const run = held;
  const blank = !exact && line && isBlank(run);
  held = '';
  exact = false;
  if (!run || blank) return;
  if (line) record('B', '');
  line = false;
  record('T', run);
}

// Whether one more node may be written. Says so once when it may not.
function admit() {
  if (!cut && (nodes >= NODES || units >= UNITS)) {
    cut = true;
    out += 'C' + RECORD_END;
  }
  nodes++;
  return !cut;
}

function record(kind, value) {
  if (admit()) out += kind + counted(value) + RECORD_END;
}

function counted(value) {
  units += value.length;
  return clean(value);
}

// A value without the two characters that delimit.
function clean(value) {
  if (indexOf(value, FIELD) < 0 && indexOf(value, RECORD_END) < 0) return value;
  let out = '';
  let start = 0;
  for (let i = 0; i < value.length; i++) {
    const code = unit(value, i);
    if (code === 0x1e || code === 0x1f) {
      out += slice(value, start, i) + ' ';
      start = i + 1;
    }
  }
  return out + slice(value, start);
}

function isBlank(run) {
  for (let i = 0; i < run.length; i++) if (!isSpace(unit(run, i))) return false;
  return true;
}

// ASCII white space as HTML defines it.
function isSpace(code) {
  return code === 32 || code === 9 || code === 10 || code === 12 || code === 13;
}

// Adds the space-separated tokens of `value` to `set`.
function tokens(value, set) {
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

function pairs(list) {
  const table = { __proto__: null };
  const all = list.split(' ');
  for (let i = 0; i < all.length; i += 2) table[all[i]] = all[i + 1];
  return table;
}

function method(owner, name) {
  const own = globalThis[owner]?.prototype[name];
  return own ? uncurry(own) : (self, argument) => self[name](argument);
}

function getter(owner, name) {
  const own = globalThis[owner] && Object.getOwnPropertyDescriptor(globalThis[owner].prototype, name);
  return own?.get ? uncurry(own.get) : (self) => self[name];
}
