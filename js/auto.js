// The entry of the script tag.
import { version } from '../package.json';
import { engine } from './engine.js';
import { ENGINE, fallback } from './fallback.js';
import { tagOptions } from './options.js';
import { defineProperty, later, listen, Promise, unlisten } from './primitives.js';
import { expect } from './page.js';
import { start } from './start.js';
import { ownTag } from './tag.js';

/** Under this a running copy takes word of another one. */
const COPY = Symbol.for('agenticschema');

/** Set while a copy that may not use WebAssembly loads this file for its engine. */
const asked = NOWASM && window[ENGINE];

const tag = ownTag();
const running = Object.getOwnPropertyDescriptor(window, 'agenticschema')?.value?.[COPY];

if (asked) asked(engine);
else if (running) running();
else {
  let twice, rescued;
  // While the document loads, in a pause of its parser, so that less is left to do between its end and the tools. Looks
  // for markup again and again, each time after twice as long.
  const prepare = (pause) => later(() => document.readyState !== 'loading' || expect(document) || prepare(2 * pause), pause);
  const rescue = NOWASM ? undefined : () => (rescued ??= fallback(tag));
  const ready = new Promise((resolve) => {
    const go = () => {
      unlisten(document, 'DOMContentLoaded', go); // scripts that delay others send it once more
      resolve(start(tagOptions(tag), rescue));
    };
    if (document.readyState !== 'loading') return go();
    listen(document, 'DOMContentLoaded', go);
    prepare(2);
  });
  const api = { ready, start: (options) => start(options, rescue), version };
  defineProperty(api, COPY, {
    value: () => {
      if (!twice) ready.then((handle) => handle[COPY]('info', 'duplicate-tag', 'The AgenticSchema tag is on this page twice: the second does nothing and its options are ignored. Remove one of the tags.'));
      twice = true;
    },
  });
  try {
    defineProperty(window, 'agenticschema', { value: api, configurable: true, writable: true });
  } catch {} // the page holds the name: the tools come all the same
}
