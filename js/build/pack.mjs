// What each stream holds. Numbers are in LEB128; of one of several bytes, all but the first go to `more`.
const STREAMS = ['op', 'local', 'offset', 'constant', 'call', 'block', 'label', 'long', 'head', 'other', 'more'];

const CODE = 10, FIRST_SECTION = 8;
const BR_TABLE = 0x0e, PREFIX = 0xfc;

/** First and last operation, the stream of its immediates, how many. unpack.wat has the same as code. */
const OPERATIONS = [
  [0x00, 0x01, 'op', 0], // unreachable, nop
  [0x02, 0x04, 'block', 1], // block, loop, if
  [0x05, 0x05, 'op', 0], // else
  [0x0b, 0x0b, 'op', 0], // end
  [0x0c, 0x0d, 'label', 1], // br, br_if
  [BR_TABLE, BR_TABLE, 'label', 1], // and as many more as that says, and the default
  [0x0f, 0x0f, 'op', 0], // return
  [0x10, 0x10, 'call', 1],
  [0x11, 0x11, 'other', 2], // call_indirect
  [0x1a, 0x1b, 'op', 0], // drop, select
  [0x20, 0x22, 'local', 1], // local.get, local.set, local.tee
  [0x23, 0x24, 'other', 1], // global.get, global.set
  [0x28, 0x3e, 'offset', 1], // loads and stores, after their alignment
  [0x3f, 0x40, 'other', 1], // memory.size, memory.grow
  [0x41, 0x41, 'constant', 1], // i32.const
  [0x42, 0x42, 'long', 1], // i64.const
  [0x45, 0xc4, 'op', 0], // arithmetic
  [PREFIX, PREFIX, 'other', 1], // and by the second operation:
];
const SECOND = { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0, 7: 0, 10: 2, 11: 1 }; // saturating truncations, memory.copy, memory.fill

/**
 * A WebAssembly module in an order that gzip and brotli make a tenth smaller: in the code section, numbers of one meaning
 * stand together, such as all operation codes, or all indices of locals (WebAssembly core specification, section 5.4).
 * The other sections are as they were.
 *
 * @returns the bytes as `packed`; where each of the `streams` begins in them, by name; how many bytes of the module come
 *   `before` the size of the code section; where those `after` the code section begin; and the number of `functions`
 * @throws Error on an operation that unpack.wat does not know
 */
export function pack(module) {
  const streams = Object.fromEntries(STREAMS.map((name) => [name, []]));
  let at = FIRST_SECTION;
  const number = () => {
    let value = 0, shift = 0, byte;
    do {
      byte = module[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte & 128);
    return value;
  };
  /** Moves numbers to a stream. Gives the last. */
  const move = (stream, count = 1) => {
    let value;
    while (count-- > 0) {
      const start = at;
      value = number();
      streams[stream].push(module[start]);
      streams.more.push(...module.subarray(start + 1, at));
    }
    return value;
  };
  const refuse = (what) => {
    throw new Error(`Byte ${at} of the WebAssembly module: ${what}. js/build/pack.mjs and unpack.wat have to learn it`);
  };
  // unpack.wat looks at the first byte only.
  const short = (count) => (count < 128 ? count : refuse(`a count of ${count}`));

  while (module[at] !== CODE) {
    if (at >= module.length) refuse('no code section');
    at++;
    at = number() + at;
  }
  const before = ++at, end = number() + at;
  const functions = move('head');
  for (let i = 0; i < functions; i++) {
    const bodyEnd = number() + at;
    move('head', 2 * short(move('head')));
    while (at < bodyEnd) {
      const op = module[at++];
      const [first, , stream, count] = OPERATIONS.find(([first, last]) => op >= first && op <= last) ?? refuse(`operation ${op}`);
      streams.op.push(op);
      if (first === 0x28) number();
      const said = move(stream, count);
      if (op === BR_TABLE) move(stream, short(said) + 1);
      if (op === PREFIX) move(stream, SECOND[said] ?? refuse(`operation ${op} ${said}`));
    }
  }

  const places = {};
  let length = before;
  for (const name of STREAMS) {
    places[name] = length;
    length += streams[name].length;
  }
  const packed = Uint8Array.from([...module.subarray(0, before), ...STREAMS.flatMap((name) => streams[name]), ...module.subarray(end)]);
  return { packed, streams: places, before, after: length, functions };
}
