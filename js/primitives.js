// What the host takes from the page's built-ins, once, when the script loads: pages replace them later, and form
// controls or images in user content hide methods of `document` and of forms behind their own names.
// Nothing here may throw where there is no DOM: the module entry is imported on servers too.
const G = globalThis;
const proto = (owner) => G[owner]?.prototype ?? {};

const method = (owner, name) => {
  const f = proto(owner)[name];
  return (object, a, b, c) => f.call(object, a, b, c);
};

const getter = (owner, name) => {
  const f = Object.getOwnPropertyDescriptor(proto(owner), name)?.get;
  return (object) => (f ? f.call(object) : object[name]);
};

export const { Promise, AbortController, Date, MutationObserver, TextDecoder, TextEncoder, Uint8Array, Uint32Array, URL, WebAssembly } = G;
export const { parse: parseJson, stringify: quoteJson } = JSON;
export const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
export const { isArray } = Array;
/** Old libraries put a class of their own in its place; the polyfill gets this one too (js/build/bundle.mjs). */
export const Event = G.document && G.Document ? getPrototypeOf(G.Document.prototype.createEvent.call(G.document, 'Event')).constructor : G.Event;

// Timers and the clock want the window as `this`; a plain call gives it to them.
const { setTimeout: timeout, clearTimeout: untimeout, requestIdleCallback: whenIdle, scheduler } = G;
export const later = (work, ms) => timeout(work, ms);
export const never = (timer) => untimeout(timer);
export const idle = (work, ms) => (whenIdle ? whenIdle(work, { timeout: ms }) : timeout(work, 1));
/** Calls a function in a task of its own, in turn with those of the page. */
export const soon = (work) => void (scheduler?.postTask ? scheduler.postTask(work) : timeout(work, 0));
export const now = () => G.performance.now();

export const matches = method('Element', 'matches');
export const closest = method('Element', 'closest');
export const findIn = method('Element', 'querySelector');
export const findAll = method('Document', 'querySelectorAll');
export const attribute = method('Element', 'getAttribute');
export const listen = method('EventTarget', 'addEventListener');
export const unlisten = method('EventTarget', 'removeEventListener');
export const currentScript = getter('Document', 'currentScript');
export const defaultView = getter('Document', 'defaultView');
export const nodeType = getter('Node', 'nodeType');
export const parentElement = getter('Node', 'parentElement');
export const firstElementChild = getter('Element', 'firstElementChild');
