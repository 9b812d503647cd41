/** Where a section of a WebAssembly module lies: from `head` with its number and size, from `start` without. */
export function section(module, id) {
  return [...sections(module)].find((section) => section.id === id) ?? { head: 0, start: 0, end: 0 };
}

/** All sections of a module. */
export function* sections(module) {
  for (const at = reader(module, 8); at.place() < module.length; ) {
    const head = at.place(), id = at.number(), length = at.number(), start = at.place();
    yield { id, head, start, end: at.skip(length) };
  }
}

/** Reads a module from a place on: `number` (LEB128), `text` behind its length, `skip` so many bytes; `place` is where it stands. */
export function reader(module, from) {
  let at = from;
  const place = () => at, skip = (bytes) => (at += bytes);
  const number = () => {
    let value = 0, shift = 0, byte;
    do {
      byte = module[at++];
      value += (byte & 127) * 2 ** shift;
      shift += 7;
    } while (byte & 128);
    return value;
  };
  const text = () => {
    const length = number();
    return Buffer.from(module.subarray(at, skip(length))).toString();
  };
  return { place, skip, number, text };
}
