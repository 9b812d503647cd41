// The records of the wire form. The twin of src/dom/html/writer.rs.
import { indexOf, lower, slice, unit } from './dom.js';
import { isBlank } from './rules.js';

const RECORD_END = '\x1e';
export const FIELD = '\x1f';
// SNAPSHOT_NODES and SNAPSHOT_TEXT of src/limits.rs.
const NODES = 200000;
const UNITS = 33554432;

// What is being written. Reading a document is one synchronous run in which no script of the page takes part.
let out; // the records
let held; // text that has been read but not yet written: neighbouring text nodes are one run
let exact; // it is part of a value: white space counts
let line; // a line boundary stands before it
let nodes;
let units;
export let cut; // a limit has been hit: nothing more is written

export function begin() {
  out = held = '';
  exact = line = cut = false;
  nodes = units = 0;
}

// The records, which are kept no longer.
export function finish() {
  const wire = out;
  out = held = '';
  return wire;
}

// The first record: the document's URL, base URL and title, and whether it has a text of its own.
export function head(url, base, title, speaks) {
  out = 'H' + counted(url) + FIELD + counted(base) + FIELD + counted(title) + (speaks ? FIELD + 1 : '') + RECORD_END;
}

export function openElement(it) {
  flush();
  if (!admit()) return;
  units += it.units;
  out += 'E' + (it.html ? '' : '*') + clean(lower(it.name)) + it.fields + RECORD_END;
}

export function closeElement() {
  flush();
  if (!cut) out += 'X' + RECORD_END;
}

// Neighbouring text nodes are one run. White space counts in one that is part of a value.
export function text(run, value) {
  held += run;
  if (value) exact = true;
}

// A value begins: no line before it.
export function value() {
  line = false;
}

// An element begins or ends whose text stands on lines of its own.
export function boundary() {
  flush();
  line = true;
}

export function flush() {
  const run = held;
  const blank = !exact && line && isBlank(run);
  held = '';
  exact = false;
  if (!run || blank) return;
  if (line) record('B', '');
  line = false;
  record('T', run);
}

// Whether one more node may be written. Says so once when it may not.
function admit() {
  if (!cut && (nodes >= NODES || units >= UNITS)) {
    cut = true;
    out += 'C' + RECORD_END;
  }
  nodes++;
  return !cut;
}

export function record(kind, value) {
  if (admit()) out += kind + counted(value) + RECORD_END;
}

function counted(value) {
  units += value.length;
  return clean(value);
}

// A value without the two characters that delimit.
export function clean(value) {
  if (indexOf(value, FIELD) < 0 && indexOf(value, RECORD_END) < 0) return value;
  let out = '';
  let start = 0;
  for (let i = 0; i < value.length; i++) {
    const code = unit(value, i);
    if (code === 0x1e || code === 0x1f) {
      out += slice(value, start, i) + ' ';
      start = i + 1;
    }
  }
  return out + slice(value, start);
}
