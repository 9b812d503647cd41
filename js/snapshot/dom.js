// What the reader asks of documents and strings. The page is not trusted and may be odd: forms and the document answer to
// the names of their controls and images (`<input name="getAttribute">`), scripts patch Array, JSON and RegExp. So every
// operation is taken from its prototype when this module loads and is never looked up on an object of the page.

import { getter, method, uncurry } from '../natives.js';

export const indexOf = uncurry(''.indexOf);
export const slice = uncurry(''.slice);
export const lower = uncurry(''.toLowerCase);
export const unit = uncurry(''.charCodeAt);
export const Table = Map?.groupBy ? Map : WeakMap; // pages have a `Map` of their own
export const lookUp = uncurry(Table.prototype.get);
export const store = uncurry(Table.prototype.set);

export const querySelector = method('Document', 'querySelector');
export const querySelectorAll = method('Document', 'querySelectorAll');
export const matches = method('Element', 'matches');
export const getAttribute = method('Element', 'getAttribute');
export const getAttributeNames = method('Element', 'getAttributeNames');
export const documentElement = getter('Document', 'documentElement');
export const documentURL = getter('Document', 'URL');
export const documentTitle = getter('Document', 'title');
export const baseURI = getter('Node', 'baseURI');
export const nodeType = getter('Node', 'nodeType');
export const position = method('Node', 'compareDocumentPosition');
export const FOLLOWING = 4;
export const parentNode = getter('Node', 'parentNode');
export const firstChild = getter('Node', 'firstChild');
export const nextSibling = getter('Node', 'nextSibling');
export const textContent = getter('Node', 'textContent');
export const localName = getter('Element', 'localName');
export const namespaceURI = getter('Element', 'namespaceURI');
export const firstElementChild = getter('Element', 'firstElementChild');
export const data = getter('CharacterData', 'data');
export const length = getter('NodeList', 'length');
export const { keys } = Object;
