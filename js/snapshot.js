// The live DOM → the wire form that src/dom/mod.rs documents. The twin of src/dom/html.rs: same rules, same tables.
import {
  baseURI, data, documentElement, documentTitle, documentURL, firstChild, firstElementChild, getAttribute, indexOf, localName, lookUp,
  nextSibling, nodeType, parentNode, querySelector, store, Table, textContent, unit,
} from './snapshot/dom.js';
import { CONTEXT, HREF, needsText, read } from './snapshot/element.js';
import { BLOCKS, CLOSED, isArticleBody, isFurniture, isHidden, isSpace, LANDMARKS, PAGE, SECTIONS } from './snapshot/rules.js';
import { ANCESTOR, select } from './snapshot/select.js';
import { begin, boundary, closeElement, cut, finish, flush, head, openElement, record, text, value } from './snapshot/writer.js';
import { resolveUrl } from './url.js';

// TEXT_ENOUGH and TEXT_STEPS of src/limits.rs.
const TEXT_ENOUGH = 30;
const TEXT_STEPS = 2000;

// What a walk knows at an element: it was written; its text is a value; its text is visible (page mode); `header` and
// `footer` in it are not the page's own; it begins and ends a line; nothing but text is wanted (text mode).
const WRITTEN = 1;
const IN_VALUE = 2;
const VISIBLE = 4;
const SECTIONED = 8;
const LINES = 16;
const ONLY_TEXT = 32;
const READING = IN_VALUE | VISIBLE;

let reached; // the number of the selected element after the last one written

/**
 * Reads a document into the wire form. Never throws and never changes the page.
 *
 * @param {Document} document live, or inert from DOMParser
 * @param {'page' | 'text'} [mode] also, or only, what the page says: visible text and links
 * @param {string} [url] the document's address where its own is another (DOMParser gives that of the window)
 * @returns {string}
 */
export const snapshot = (document, mode, url) => {
  begin();
  reached = 0;
  try {
    const root = documentElement(document);
    const marks = root && (mode === 'text' ? { of: new Table() } : select(document, mode));
    head(url || documentURL(document), baseOf(document, url), documentTitle(document), marks && !mode && speaks(root));
    if (mode) walk(document, mode === 'text' ? VISIBLE | ONLY_TEXT : VISIBLE, root, marks);
    else if (root) each(root, marks);
  } catch {
    // What has been read so far stands; the decoder closes what is open.
  }
  return finish();
};

// The document's base URL.
function baseOf(document, url) {
  const own = baseURI(document);
  if (!url) return own;
  const element = querySelector(document, 'base[href]');
  const base = (element && resolveUrl(getAttribute(element, 'href'), url)) || url;
  return indexOf(base, 'data:') && indexOf(base, 'javascript:') ? base : url;
}

// Whether enough text is visible.
function speaks(root) {
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
      if (!CLOSED[name] && !isFurniture(name, sections) && !isHidden(node)) {
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
      value();
      if (firstElementChild(element)) walk(element, IN_VALUE, root, marks);
      else text(textContent(element), true);
      flush();
    }
  }
  if (!cut) closeTo(0);
}

// Writes everything below `top` in tree order.
function walk(top, state, root, marks) {
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
      if (inner & VISIBLE && (isFurniture(name, state & SECTIONED) || isHidden(node))) inner &= ~VISIBLE;
      if (SECTIONS[name]) inner |= SECTIONED;
      if (BLOCKS[name]) inner |= LINES;
      if (!(state & READING)) {
        if (inner & IN_VALUE) value();
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

// The text of a JSON-LD script, whole.
function block(element) {
  const whole = textContent(element);
  if (whole) record('T', whole);
}
