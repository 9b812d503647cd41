import {
  MutationObserver, closest, findIn, firstElementChild, idle, later, listen, matches, never, nodeType, now, parentElement, unlisten,
} from './primitives.js';

/** Attributes that make markup: a change of one always counts. */
const MARKUP = 'itemscope itemprop itemtype itemid itemref vocab prefix typeof property about resource inlist datatype'.split(' ');
/** Attributes that hold values: a change counts on annotated elements and above them. */
const VALUES = 'content href src data value datetime rel rev id lang type name alt action method toolname'.split(' ');
/** Elements that, added or removed, change what the page says. */
const ANNOTATED = `[${MARKUP.join('],[')}],:is([vocab],[prefix],[typeof]) [rel],script[type*="ld+json" i],link[rel=canonical],link[rel=search],meta[name=description],base,form[toolname],form[role=search],input[type=search]`;
/** Elements whose text is a value. */
const TEXTUAL = 'script[type*="ld+json" i],title,[itemprop]:not([itemscope]),[property]:not([typeof]),[property][about]';
/** Under constant change the page is read after this many times `debounceMs`. */
const BOUND = 4;
/** A reading may take one part in this many of the time between two. */
const SHARE = 20;

/**
 * Follows a document: calls `changed` when what the page says may be different, debounced, in idle time and while
 * the page is visible; calls `moved` at once when the route changes.
 */
export function watch(doc, debounceMs, changed, moved) {
  const view = doc.defaultView ?? globalThis;
  let first = 0, last = 0, timer = 0, pause = debounceMs, dirty = false, address = route(view);

  const mark = () => {
    dirty = true;
    last = now();
    first ||= last;
    arm(pause);
  };
  const arm = (ms) => {
    if (!timer && !hidden(doc)) timer = later(tick, ms);
  };
  const tick = () => {
    const wait = Math.min(last + pause, first + BOUND * pause) - now();
    timer = 0;
    if (!dirty) return;
    if (wait > 4) arm(wait);
    else timer = idle(read, pause);
  };
  const read = () => {
    timer = 0;
    if (!pending() || hidden(doc)) return;
    const from = now();
    changed();
    pause = Math.max(debounceMs, (now() - from) * SHARE);
  };

  const scan = (records) => {
    navigated();
    for (const record of records) {
      if (record.target === doc) attach(); // document.open() dropped every listener
      if (relevant(record)) return mark();
    }
  };
  const observer = new MutationObserver(scan);
  const pending = () => (scan(observer.takeRecords()), dirty);

  const navigated = () => {
    const there = route(view);
    if (there === address) return;
    address = there;
    moved();
    mark();
  };
  const shown = (event) => {
    if (event.persisted) mark();
    else if (dirty) arm(0);
  };
  const listeners = [
    [view, 'popstate', navigated], [view, 'hashchange', navigated], [view, 'pageshow', shown], [doc, 'visibilitychange', shown],
  ];
  const { navigation } = view;
  if (navigation) listeners.push([navigation, 'currententrychange', navigated]);
  const unwrap = navigation ? () => {} : wrapHistory(view.history, navigated);

  function attach() {
    observer.observe(doc, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: [...MARKUP, ...VALUES] });
    for (const [target, type, listener] of listeners) listen(target, type, listener);
  }
  attach();

  return {
    /** Whether something changed that was not read yet, up to this moment. */
    pending,
    /** To be called when the page is read. */
    clear() {
      observer.takeRecords();
      dirty = false;
      first = 0;
    },
    stop() {
      never(timer);
      dirty = false;
      observer.disconnect();
      for (const [target, type, listener] of listeners) unlisten(target, type, listener);
      unwrap();
    },
  };
}

/** Whether a change may alter what the page says. This runs for everything that happens on the page: keep it cheap. */
function relevant({ type, target, attributeName, addedNodes, removedNodes }) {
  if (type === 'attributes') return MARKUP.includes(attributeName) || attributeName === 'type' && matches(target, 'script') || annotated(target);
  const element = nodeType(target) === 1 ? target : parentElement(target);
  return (element && closest(element, TEXTUAL)) || anyAnnotated(addedNodes) || anyAnnotated(removedNodes);
}

function anyAnnotated(nodes) {
  for (let i = 0; i < nodes.length; i++) if (nodeType(nodes[i]) === 1 && annotated(nodes[i])) return true;
  return false;
}

const annotated = (element) => matches(element, ANNOTATED) || (firstElementChild(element) && findIn(element, ANNOTATED));

/** A clobbered `document.visibilityState` is an element, not this word. */
const hidden = (doc) => doc.visibilityState === 'hidden';

/** The address without a plain fragment: `#/…` and `#!…` are routes. */
const route = (view) => view.location.href.replace(/#(?![!/]).*/, '');

/** For browsers without the Navigation API: tells of same-document navigations, and can be taken back. */
function wrapHistory(history, hook) {
  const undo = [];
  for (const name of ['pushState', 'replaceState']) {
    try {
      const own = Object.getOwnPropertyDescriptor(history, name);
      const original = history[name];
      const wrapped = function () {
        const result = original.apply(this, arguments);
        hook();
        return result;
      };
      history[name] = wrapped;
      undo.push(() => {
        if (history[name] !== wrapped) return; // somebody wrapped it since: theirs stays
        if (own) history[name] = original;
        else delete history[name];
      });
    } catch {} // frozen by the page: the other signs of a navigation have to do
  }
  return () => undo.forEach((f) => f());
}
