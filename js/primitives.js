// What the host takes from the page's built-ins, once, when the script loads: pages replace them later, and form
// controls or images in user content hide methods of `document` and of forms behind their own names.
// Nothing here may throw where there is no DOM: the module entry is imported on servers too.
import { getter, method } from './natives.js';

export { firstElementChild, getAttribute as attribute, matches, nodeType, querySelectorAll as findAll } from './snapshot/dom.js';

const G = globalThis;

export const { Promise, AbortController, Date, MutationObserver, TextDecoder, TextEncoder, Uint8Array, Uint32Array, URL, WebAssembly } = G;
export const { parse: parseJson, stringify: quoteJson } = JSON;
export const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf, keys } = Object;
export const { isArray } = Array;
/** Old libraries put a class of their own in its place; the polyfill gets this one too (js/build/bundle.mjs). */
export const Event = G.document && G.Document ? getPrototypeOf(G.Document.prototype.createEvent.call(G.document, 'Event')).constructor : G.Event;

// Timers and the clock want the window as `this`; a plain call gives it to them.
const { setTimeout: timeout, clearTimeout: untimeout, requestIdleCallback: whenIdle, scheduler } = G;
const post = scheduler?.postTask?.bind(scheduler);
export const later = (work, ms) => timeout(work, ms);
export const never = (timer) => untimeout(timer);
export const idle = (work, ms) => (whenIdle ? whenIdle(work, { timeout: ms }) : timeout(work, 1));
/** Calls a function in a task of its own, in turn with those of the page. */
export const soon = (work) => void (post ? post(work) : timeout(work, 0));
export const now = () => G.performance.now();

export const closest = method('Element', 'closest');
export const findIn = method('Element', 'querySelector');
export const listen = method('EventTarget', 'addEventListener');
export const unlisten = method('EventTarget', 'removeEventListener');
export const currentScript = getter('Document', 'currentScript');
export const defaultView = getter('Document', 'defaultView');
export const parentElement = getter('Node', 'parentElement');
