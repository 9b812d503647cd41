import { Promise, soon } from './primitives.js';

/**
 * Does some work in pieces, each in a task of its own, so that the page has its thread in between.
 *
 * @param {Iterator} steps ends a piece with each `yield`; may yield a promise to wait for. Resolves in a further task
 * @param over whether the rest is not wanted any more
 */
export const inPieces = (steps, over) =>
  new Promise((done, failed) => {
    const next = () => {
      try {
        const { done: last, value } = over() ? { done: true } : steps.next();
        const go = () => soon(last ? done : next);
        if (value?.then) value.then(go).catch(failed);
        else go();
      } catch (error) {
        failed(error);
      }
    };
    next();
  });
