// The entry of the script tag.
import { version } from '../package.json';
import { tagOptions } from './options.js';
import { defineProperty, listen, Promise } from './primitives.js';
import { start } from './start.js';
import { ownTag } from './tag.js';

/** Under this a running copy takes word of another one. */
const COPY = Symbol.for('agenticschema');

const tag = ownTag();
const running = Object.getOwnPropertyDescriptor(window, 'agenticschema')?.value?.[COPY];

if (running) running();
else {
  let twice;
  const ready = new Promise((resolve) => {
    const go = () => resolve(start(tagOptions(tag)));
    if (document.readyState === 'loading') listen(document, 'DOMContentLoaded', go, { once: true });
    else go();
  });
  const api = { ready, start, version };
  defineProperty(api, COPY, {
    value: () => {
      if (!twice) ready.then((handle) => handle[COPY]('info', 'duplicate-tag', 'The AgenticSchema tag is on this page twice: the second, duplicate copy does nothing and its options are ignored. Remove one of the tags.'));
      twice = true;
    },
  });
  try {
    defineProperty(window, 'agenticschema', { value: api, configurable: true, writable: true });
  } catch {} // the page holds the name: the tools come all the same
}
