import { Promise, soon } from './primitives.js';

/**
 * Does some work in pieces, each in a task of its own, so that the page has its thread in between.
 *
 * @param {Iterator} steps ends a piece with each `yield`; resolves in a further task
 */
export const inPieces = (steps) =>
  new Promise((done, failed) => {
    const next = () => {
      try {
        soon(steps.next().done ? done : next);
      } catch (error) {
        failed(error);
      }
    };
    next();
  });
