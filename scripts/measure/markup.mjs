// What a page's markup says, read by other programs than this one: JSON.parse and jsonrepair, rdfa-streaming-parser, and
// the DOM walk of in-page.js. Items are `{ types, id, properties: Map(name → values) }`, values are texts or items.
import { jsonrepair } from 'jsonrepair';
import { RdfaParser } from 'rdfa-streaming-parser';

const SCHEMA = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i;
const local = (name) => name.replace(SCHEMA, '');
/** JSON-LD nested deeper is left out. */
const DEPTH = 40;

/** The items of a page as `readPages` read it, those in others among them; without a type only these. */
export async function items({ jsonld, microdata, html }, url) {
  const all = [...jsonldItems(jsonld), ...microdata.flatMap((item) => microdataItems(item)), ...(html ? await rdfaItems(html, url) : [])];
  const typed = new Set(all.filter((item) => item.types.length && !item.types.every((type) => type.includes(':'))));
  // A set's loop reaches what is added during it.
  for (const item of typed) for (const value of [...item.properties.values()].flat()) if (typeof value === 'object') typed.add(value);
  return all.filter((item) => typed.has(item) && item.properties.size);
}

const add = (item, name, values) => item.properties.set(name, [...(item.properties.get(name) ?? []), ...values]);
const empty = (types, id) => ({ types, id, properties: new Map() });

function parsed(block) {
  try {
    return JSON.parse(block);
  } catch {}
  try {
    return JSON.parse(jsonrepair(block.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[)|(?:-->|\/\/\]\]>)\s*$/g, '')));
  } catch {}
}

/** Plain JSON-LD as sites write it: nodes, `@graph`, and references by `@id`; no contexts but Schema.org's. */
function jsonldItems(blocks) {
  const byId = new Map();
  const all = [];
  const node = (data, depth) => {
    const id = typeof data['@id'] === 'string' ? data['@id'] : '';
    let item = id && byId.get(id);
    if (!item) all.push((item = empty([], id)));
    if (id) byId.set(id, item);
    item.types.push(...[data['@type'] ?? []].flat().filter((t) => typeof t === 'string').map(local).filter((t) => !item.types.includes(t)));
    for (const [key, value] of Object.entries(data)) {
      if (key.startsWith('@') && key !== '@graph' && key !== '@reverse') continue;
      const values = [value].flat(3).flatMap((v) => literal(v, depth + 1));
      if (!key.startsWith('@')) add(item, local(key), values);
    }
    return item;
  };
  const literal = (value, depth) => {
    if (value === null || value === undefined || depth > DEPTH) return [];
    if (typeof value !== 'object') return [String(value)];
    if ('@value' in value) return literal(value['@value'], depth + 1);
    if ('@list' in value || '@set' in value) return [value['@list'] ?? value['@set']].flat().flatMap((v) => literal(v, depth + 1));
    return [node(value, depth)];
  };
  for (const block of blocks) [parsed(block)].flat(3).forEach((value) => value && typeof value === 'object' && node(value, 0));
  return all;
}

function microdataItems(data) {
  const all = [];
  const make = ({ types, id, properties }) => {
    const item = empty(types.filter((t) => SCHEMA.test(t)).map(local), id);
    if (item.types.length || !types.length) all.push(item);
    for (const [name, value] of properties) add(item, local(name), [typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : make(value)]);
    return item;
  };
  make(data);
  return all;
}

async function rdfaItems(html, url) {
  const quads = await new Promise((done) => {
    const found = [];
    const parser = new RdfaParser({ baseIRI: url, contentType: 'text/html' });
    parser.on('data', (quad) => found.push(quad)).on('error', () => done(found)).on('end', () => done(found));
    parser.end(html);
  });
  const bySubject = new Map();
  const subject = ({ value }) => bySubject.get(value) ?? bySubject.set(value, empty([], /^https?:/.test(value) ? value : '')).get(value);
  const rest = (name) => `http://www.w3.org/1999/02/22-rdf-syntax-ns#${name}`;
  for (const quad of quads) {
    if (quad.predicate.value === rest('type') && SCHEMA.test(quad.object.value)) subject(quad.subject).types.push(local(quad.object.value));
  }
  // What is described here is no fact itself where it is referred to.
  for (const quad of quads) if (SCHEMA.test(quad.predicate.value)) subject(quad.subject);
  for (const quad of quads) {
    if (!SCHEMA.test(quad.predicate.value)) continue;
    const { termType, value } = quad.object;
    const item = termType !== 'Literal' && bySubject.get(value);
    if (item || (termType !== 'BlankNode' && !value.startsWith(`${url}#`))) add(subject(quad.subject), local(quad.predicate.value), [item || value]);
  }
  return [...bySubject.values()];
}
