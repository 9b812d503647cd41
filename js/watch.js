import {
  MutationObserver, closest, defaultView, findIn, firstElementChild, idle, later, listen, matches, never, nodeType, now, parentElement, unlisten,
} from './primitives.js';
import { SELECTS, shelved } from './snapshot/select.js';

/** Attributes that make markup: a change of one always counts. */
const MARKUP = [...SELECTS, ...'itemtype itemid itemref prefix inlist datatype'.split(' ')];
/** Attributes that hold values: a change counts on annotated elements and above them. */
const VALUES = 'content href src data value datetime rel rev id lang type name alt action method toolname'.split(' ');
const WATCHED = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: [...MARKUP, ...VALUES] };
/** Elements that, added or removed, change what the page says. */
const ANNOTATED = `[${MARKUP.join('],[')}],:is([vocab],[prefix],[typeof]) [rel],script[type*="ld+json" i],link[rel=canonical],link[rel=search],meta[name=description],base,form[toolname],[role~=search],search,input[type=search]`;
/** Elements whose text is a value. */
const TEXTUAL = 'script[type*="ld+json" i],title,[itemprop]:not([itemscope]),[property]:not([typeof]),[property][about]';
/** A steady stream of relevant changes is read after this many times `debounceMs`. */
const BOUND = 4;
/** Changes looked at between two readings. More is a flood: nothing is listened to but for moments, until the page is read. */
const LOOKS = 12;
/** A flood that goes on and has changed nothing is read after this many times `debounceMs`, or once it is over. */
const FLOOD = 16;
/** Changes in a moment of listening that show that it goes on; what part of `debounceMs` the first moment is. */
const DROPS = 2, BURST = 5;
/** A reading may take one part in this many of the time between two. */
const SHARE = 20;
/** Milliseconds in which navigations are taken together: some routers replace the address at every scroll event. */
const NAVIGATIONS = 50;

/**
 * Follows a document: calls `changed` (which tells whether it was) when what the page says may be different, debounced,
 * in idle time and while the page is visible; calls `moved` when the route changes, and `noticed` at once when there is
 * something to read.
 */
export function watch(doc, debounceMs, changed, moved, noticed) {
  const view = defaultView(doc) ?? globalThis;
  const { navigation } = view;
  // When the first change came that is known to count, and when the page is to be read.
  let first = 0, due = 0, looks = 0, timer = 0, checking = 0, pause = debounceMs, dirty = false, stopped = false, address = view.location.href;
  // A flood: when it is read at the latest, and after how long; while it is not listened to, when it is again, and for how long.
  let until = 0, flood = FLOOD * pause, deaf = Infinity, moment = 0;

  /** When the page is to be read, where the last change of those known to count came at `time`. */
  const debounced = (time) => Math.min(time + pause, first + BOUND * pause);
  const mark = () => {
    const time = now();
    dirty = true;
    first ||= time;
    due = debounced(time);
    arm(pause);
  };
  const arm = (ms) => {
    if (!timer && !stopped && !hidden(doc)) timer = later(tick, ms);
  };
  const tick = () => {
    timer = 0;
    if (!dirty) return;
    const time = now(), wait = due - time;
    if (wait <= 4) {
      timer = -1; // an idle callback is pending: its handle is no timer's
      idle(read, pause);
    } else if (deaf - time <= 4) {
      observe();
      looks = LOOKS - DROPS;
      due = time + moment;
      arm(moment);
    } else arm(Math.min(wait, deaf - time));
  };
  const read = () => {
    timer = 0;
    if (stopped || hidden(doc) || !pending()) return;
    const from = now(), news = changed();
    pause = Math.max(debounceMs, (now() - from) * SHARE);
    flood = news ? pause : FLOOD * pause;
  };

  const scan = (records) => {
    if (!navigation) navigated();
    for (let i = 0; i < records.length; i++) {
      const record = records[i];
      if (record.target === doc) attach(); // document.open() dropped every listener
      if (++looks > LOOKS) {
        // Most are bursts, and over soon. A call reads at once.
        const time = now();
        observer.disconnect();
        moment = until ? pause : pause / BURST;
        deaf = time + (until ? BOUND * pause : pause);
        until ||= time + flood;
        dirty = true;
        due = first ? debounced(time) : until;
        if (timer < 0) return; // it is about to be read
        never(timer);
        timer = 0;
        return arm(Math.min(due, deaf) - time);
      }
      if (relevant(record)) {
        noticed();
        return mark();
      }
    }
  };
  const observer = new MutationObserver(scan);
  const pending = () => (navigated(), scan(observer.takeRecords()), dirty);

  const navigated = () => {
    const { href } = view.location;
    if (href === address) return;
    const same = route(href) === route(address);
    address = href;
    if (same) return;
    moved();
    mark();
  };
  const navigating = () => {
    checking ||= later(() => {
      checking = 0;
      if (!stopped) navigated();
    }, NAVIGATIONS);
  };
  const shown = (event) => {
    if (event.persisted) mark();
    else if (dirty) arm(0);
  };
  const listeners = [
    [view, 'popstate', navigating], [view, 'hashchange', navigating], [view, 'pageshow', shown], [doc, 'visibilitychange', shown],
  ];
  if (navigation) listeners.push([navigation, 'currententrychange', navigating]);
  const unwrap = navigation ? () => {} : wrapHistory(view.history, navigating);

  function observe() {
    deaf = Infinity;
    observer.observe(doc, WATCHED);
  }
  function attach() {
    observe();
    for (const [target, type, listener] of listeners) listen(target, type, listener);
  }
  attach();

  return {
    /** Whether something changed that was not read yet, up to this moment. */
    pending,
    /** To be called before the page is read. */
    clear() {
      if (deaf < Infinity) observe();
      // React brings these back by their style alone.
      for (const element of shelved(doc)) observer.observe(element, { attributeFilter: ['style'] });
      observer.takeRecords();
      dirty = false;
      first = looks = until = 0;
    },
    stop() {
      stopped = true;
      if (timer > 0) never(timer);
      observer.disconnect();
      for (const [target, type, listener] of listeners) unlisten(target, type, listener);
      unwrap();
    },
  };
}

/** Whether a change may alter what the page says. This runs for everything that happens on the page: keep it cheap. */
function relevant(record) {
  const { type, target } = record;
  if (type === 'attributes') {
    const name = record.attributeName;
    return name === 'style' || MARKUP.includes(name) || (name === 'type' && matches(target, 'script')) || annotated(target);
  }
  const element = nodeType(target) === 1 ? target : parentElement(target);
  return (element && closest(element, TEXTUAL)) || (type === 'childList' && (anyAnnotated(record.addedNodes) || anyAnnotated(record.removedNodes)));
}

function anyAnnotated(nodes) {
  for (let i = 0; i < nodes.length; i++) if (nodeType(nodes[i]) === 1 && annotated(nodes[i])) return true;
  return false;
}

const annotated = (element) => matches(element, ANNOTATED) || (firstElementChild(element) && findIn(element, ANNOTATED));

/** A clobbered `document.visibilityState` is an element, not this word. */
const hidden = (doc) => doc.visibilityState === 'hidden';

/** The address without a plain fragment: `#/…` and `#!…` are routes. */
const route = (href) => href.replace(/#(?![!/]).*/, '');

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
