import { snapshot } from './snapshot.js';

const RECORD = '\x1e', FIELD = '\x1f';
const { Document, DOMParser } = globalThis;

/**
 * The snapshot of an HTML text from `url`, without running or loading anything of it; undefined where the browser
 * cannot parse text here.
 *
 * `Document.parseHTML` comes first, because it is no Trusted Types sink: DOMParser would throw, and log, on pages
 * that enforce them. It drops scripts, data blocks too, so the JSON-LD blocks are taken from the text.
 */
export function readHtml(html, url) {
  try {
    if (!Document.parseHTML) return snapshot(new DOMParser().parseFromString(html, 'text/html'), 'page', url);
    const wire = snapshot(Document.parseHTML(html, { sanitizer: {} }), 'page', url);
    // The first record is the head, the second opens the root element.
    const inside = wire.indexOf(RECORD, wire.indexOf(RECORD) + 1) + 1;
    return wire.slice(0, inside) + jsonLd(html) + wire.slice(inside);
  } catch {}
}

/** The JSON-LD blocks of an HTML text as records of the wire form. One pass: each search goes on where the last ended. */
function jsonLd(html) {
  // Spelled so that this file stays harmless inside an inline script.
  const opener = /<(?:!--|script\b([^>]{0,2000})>)/gi, comment = /-->/g, script = /<\/script/gi;
  let out = '';
  for (let open; (open = opener.exec(html)); ) {
    const closer = open[1] === undefined ? comment : script;
    closer.lastIndex = opener.lastIndex;
    const close = closer.exec(html);
    if (!close) break;
    if (/ld\+json/i.test(open[1])) out += `Escript${FIELD}kapplication/ld+json${RECORD}T${html.slice(opener.lastIndex, close.index).replace(/[\x1e\x1f]/g, ' ')}${RECORD}X${RECORD}`;
    opener.lastIndex = closer.lastIndex;
  }
  return out;
}
