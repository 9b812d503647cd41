// One element: what of it goes into the snapshot.
import { getAttribute, getAttributeNames, indexOf, localName, lower, namespaceURI, slice, unit } from './dom.js';
import { isSpace } from './rules.js';
import { clean, FIELD } from './writer.js';

const HTML = 'http://www.w3.org/1999/xhtml';

// Attribute names and their codes: ATTRIBUTES of src/dom/mod.rs without xmlns:*, which is code x.
const CODES = pairs(
  'itemscope S itemprop p itemtype t itemid i itemref r itemprop-reverse w vocab v prefix f typeof y property P about a resource R inlist l datatype d rel e rev V id I content c href h src s data D value u datetime T lang L xml:lang M type k name n alt A action q method m required Q toolname o template U',
);

// What its attributes say about an element: bits, by attribute.
export const CONTEXT = 1; // it matters to what stands in the element
const CONTENT = 2;
const PROPERTY = 4;
const ITEMPROP = 8;
const ITEMSCOPE = 16;
const TYPEOF = 32;
const UNTYPED = 64; // typeof does not make the element the value of its own property
const DATETIME = 128;
const VALUE = 256;
export const HREF = 512;
const BITS = pairs(
  'href 513 src 1 rel 1 rev 1 lang 1 xml:lang 1 prefix 1 typeof 32 about 64 datatype 64 content 2 property 4 itemprop 8 itemscope 16 datetime 128 value 256',
);

// An element's name and attributes, ready to be written.
export function read(element) {
  const it = { name: '', html: true, fields: '', units: 0, bits: 0, id: '', itemref: '', json: false };
  try {
    const name = (it.name = localName(element));
    it.html = namespaceURI(element) === HTML;
    it.units = name.length;
    const names = getAttributeNames(element);
    for (let i = 0; i < names.length; i++) {
      const attribute = names[i];
      let code = CODES[attribute];
      const xmlns = !code && attribute.length > 6 && !indexOf(attribute, 'xmlns:');
      if (!code && !xmlns) continue;
      let value = getAttribute(element, attribute) || '';
      it.bits |= xmlns ? CONTEXT : BITS[attribute];
      if (xmlns) {
        const prefix = slice(attribute, 6);
        it.units += prefix.length;
        code = 'x' + clean(prefix) + '=';
      } else if (attribute === 'id') it.id = value;
      else if (attribute === 'itemref') it.itemref = value;
      else if (attribute === 'type') it.json = name === 'script' && it.html && isJsonLd(value);
      it.units += value.length;
      it.fields += FIELD + code + clean(value);
    }
  } catch {
    // An element that cannot be read has no attributes.
  }
  return it;
}

// A MIME type whose essence is application/ld+json.
function isJsonLd(type) {
  let end = indexOf(type, ';');
  if (end < 0) end = type.length;
  let start = 0;
  while (start < end && isSpace(unit(type, start))) start++;
  while (end > start && isSpace(unit(type, end - 1))) end--;
  return lower(slice(type, start, end)) === 'application/ld+json';
}

// Whether an element's value may be its text.
export function needsText({ name, bits }) {
  if (bits & CONTENT) return false;
  const own = name === 'time' ? DATETIME : name === 'data' || name === 'meter' ? VALUE : 0;
  return (
    (bits & ITEMPROP && !(bits & (ITEMSCOPE | own))) ||
    (bits & PROPERTY && !(bits & DATETIME) && (!(bits & TYPEOF) || bits & UNTYPED))
  );
}

function pairs(list) {
  const table = { __proto__: null };
  const all = list.split(' ');
  for (let i = 0; i < all.length; i += 2) table[all[i]] = all[i + 1];
  return table;
}
