import { Promise, soon } from './primitives.js';

/**
 * Does some work in pieces, each in a task of its own, so that the page has its thread in between.
 *
 * @param {Iterator} steps ends a piece with each `yield`; may yield a promise to wait for. Resolves in a further task
 */
export const inPieces = (steps) =>
  new Promise((done, failed) => {
    const next = () => {
      try {
        const { done: last, value } = steps.next();
        const go = () => soon(last ? done : next);
        if (value?.then) value.then(go, failed);
        else go();
      } catch (error) {
        failed(error);
      }
    };
    next();
  });
