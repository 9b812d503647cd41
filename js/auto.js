// The entry of the script tag.
import { version } from '../package.json';
import { engine } from './engine.js';
import { ENGINE, fallback } from './fallback.js';
import { tagOptions } from './options.js';
import { defineProperty, later, listen, Promise } from './primitives.js';
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
  let twice, rescued, begun, resolve;
  const rescue = NOWASM ? undefined : () => (rescued ??= fallback(tag));
  const ready = new Promise((done) => { resolve = done; });
  const go = () => {
    if (begun) return; // scripts that delay others send the event once more
    begun = true;
    resolve(start(tagOptions(tag), rescue));
  };
  // While the document loads, in a pause of its parser, so that less is left to do between its end and the tools. Looks
  // for markup again and again, each time after twice as long. Last it looks whether the end was kept from us:
  // document.open() takes every listener away.
  const prepare = (pause, found) => later(() => begun || (document.readyState === 'complete' ? go() : prepare(2 * pause, found || expect(document))), pause);
  if (document.readyState !== 'loading') go();
  else {
    listen(document, 'DOMContentLoaded', go);
    prepare(2);
  }
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
