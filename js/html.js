import { snapshot } from './snapshot.js';
import { resolveUrl } from './url.js';

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
  let doc, blocks = '';
  try {
    if (Document.parseHTML) {
      doc = Document.parseHTML(html, { sanitizer: {} });
      blocks = jsonLd(html);
    } else doc = new DOMParser().parseFromString(html, 'text/html');
    const wire = snapshot(doc, 'page');
    // The document believes that it has the address of this page, or none: give it its own.
    const base = resolveUrl(doc.querySelector('base[href]')?.getAttribute('href') ?? '', url);
    const title = wire.indexOf(FIELD, wire.indexOf(FIELD) + 1);
    const root = wire.indexOf(RECORD, wire.indexOf(RECORD) + 1) + 1;
    return `H${url}${FIELD}${base}${wire.slice(title, root)}${blocks}${wire.slice(root)}`;
  } catch {}
}

/** The JSON-LD blocks of an HTML text as records of the wire form. One pass: each search goes on where the last ended. */
function jsonLd(html) {
  const opener = /<!--|<script\b([^>]{0,2000})>/gi, comment = /-->/g, script = /<\/script/gi;
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
