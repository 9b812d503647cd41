// What every file of the bundle, the polyfill's too, means by these names.
export { Event } from './primitives.js';
