/**
 * A module taken apart into streams of like bytes, because compression finds more in "all instructions", "all
 * locals", "all constants" than in their mixture: an eighth of the module with gzip, a tenth with brotli.
 *
 * What is not of the code section stays as it is. Alignments are hints to the engine, and are dropped. Pairs of
 * instructions that come often are one byte. An operand's stream is chosen by its kind, and for locals and constants
 * by the kind of the instruction that comes next. `unpack.wat` puts the module together again.
 */
import { section } from './sections.mjs';

/**
 * The kind of operand of each instruction, by its code; 0 for none, and so for all codes above.
 * 1 type (opens a block) · 2 label, global or type of an indirect call · 3 function · 4 local that is read ·
 * 5 local that is set · 6 address of a load · 7 address of a store · 8 constant · 9 list of labels
 */
export const KINDS = '0011100000002290320000000000000045522000666666666666667777777770088';
const LABELS = 14, INDIRECT = 17, SIZE = 63, GROW = 64, PREFIX = 252;
/** Instructions with operands of other kinds: exceptions, `select` with types, floats, references, vectors. */
const UNKNOWN = [6, 7, 8, 9, 10, 18, 19, 20, 21, 22, 23, 24, 25, 28, 37, 38, 39, 67, 68];
/** The first code that no instruction has, and how many pairs take one. */
const PAIR = 197, PAIRS = 16;

/** The streams of a module. */
export function split(module) {
  const code = section(module, 10), locals = [], list = [];
  let at = code.start;
  /** Reads a number; its bytes go to `out`. */
  const number = (out) => {
    const from = at;
    while (module[at++] > 127);
    out?.push(...module.subarray(from, at));
    return module.subarray(from, at).reduce((value, byte, i) => value + (byte & 127) * 128 ** i, 0);
  };
  const bare = (...codes) => codes.forEach((op) => list.push({ op, kind: 0, operand: [] }));

  const functions = number();
  for (let f = 0; f < functions; f++) {
    const end = number() + at;
    for (let groups = number(locals); groups--; locals.push(module[at++])) number(locals);
    while (at < end) {
      const op = module[at++], kind = +(KINDS[op] ?? 0), operand = [];
      if (op === PREFIX) {
        const which = number();
        if (which > 11 || which === 8 || which === 9) unknown(op, which);
        // Its number in two bytes: as one it could be taken for the end of a block.
        bare(op, which | 128, 0);
        for (let memories = Math.max(0, 12 - which) % 12 % 5; memories--; at++) bare(0);
        continue;
      }
      if (UNKNOWN.includes(op) || op >= PAIR) unknown(op);
      if (kind === 6 || kind === 7) at++;
      if (op === LABELS) for (let labels = number(operand) + 1; labels--; ) number(operand);
      else if (kind) number(operand);
      list.push({ op, kind, operand });
      if (op === INDIRECT || op === SIZE || op === GROW) bare(module[at++]);
    }
  }

  const operands = [];
  list.forEach(({ kind, operand }, i) => {
    const keyed = kind === 4 || kind === 5 || kind === 8;
    const next = list[i + 1]?.kind ?? 0;
    (operands[10 * kind + (keyed ? next : 0)] ??= []).push(...operand);
  });
  const { rules, coded } = pairs(list.map(({ op }) => op));
  // Sizes of functions take three bytes; so the section's is known.
  const aligned = list.filter(({ kind }) => kind === 6 || kind === 7).length;
  const size = 3 * functions + locals.length + list.length + aligned + operands.flat().length;
  const count = leb(functions);
  const before = [...module.subarray(0, code.head), 10, ...leb(count.length + size), ...count];
  // The two largest are not side by side: gzip chooses its codes anew every so many bytes, wherever that is.
  return [before, [...module.subarray(code.end)], rules, locals, ...Array.from(operands, (stream) => stream ?? []), coded];
}

function unknown(...codes) {
  throw new Error(`js/build/split.mjs does not know the instruction ${codes.join(' ')}`);
}

/** A number as LEB128. */
function leb(n) {
  const out = [];
  for (; n > 127; n >>>= 7) out.push((n & 127) | 128);
  return [...out, n];
}

/** Replaces the pairs that come most often, one after the other; a pair may hold earlier ones. */
function pairs(ops) {
  const rules = [];
  let coded = ops;
  for (let symbol = PAIR; symbol < PAIR + PAIRS; symbol++) {
    const counts = new Map();
    for (let i = 1; i < coded.length; i++) {
      const pair = coded[i - 1] * 256 + coded[i];
      counts.set(pair, (counts.get(pair) ?? 0) + 1);
    }
    const [most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    const first = most >> 8, second = most & 255, out = [];
    for (let i = 0; i < coded.length; i++) {
      const both = coded[i] === first && coded[i + 1] === second;
      out.push(both ? symbol : coded[i]);
      if (both) i++;
    }
    coded = out;
    rules.push(first, second);
  }
  return { rules, coded };
}
