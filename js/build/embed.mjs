/**
 * A module as the source text of an ES module that exports `decode`.
 *
 * - `map`: every byte is one or two printable characters, and `decode()` returns a Uint8Array at once, so that the
 *   tools are registered before the page's load event.
 * - `deflate`: base64 of the deflated bytes, and `decode()` returns a promise of them. Kept as the measure of what
 *   being synchronous costs: `npm run size -- --embedding`.
 */
export async function embed(bytes, form = 'map') {
  return form === 'map' ? asMap(bytes) : asDeflate(bytes);
}

// The characters from # to ~, 92 of them; space and ! stand in for two that they hold: \ needs an escape in a string,
// and < could close an inline script.
const FIRST = 35, SYMBOLS = 92, BACKSLASH = 92 - FIRST, LESS = 60 - FIRST;
/** So many bytes, the most frequent, are one character; the others take } or ~ before theirs. */
const SINGLES = 90;

function asMap(bytes) {
  const count = new Uint32Array(256);
  for (const byte of bytes) count[byte]++;
  const byFrequency = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b);
  const frequent = new Set(byFrequency.slice(0, SINGLES));
  const mask = Array.from({ length: 64 }, (_, i) => [0, 1, 2, 3].reduce((sum, bit) => sum + (frequent.has(i * 4 + bit) << bit), 0).toString(16)).join('');

  const { one, two } = tables(mask);
  const character = (symbol) => (symbol === BACKSLASH ? ' ' : symbol === LESS ? '!' : String.fromCharCode(symbol + FIRST));
  const said = [];
  one.forEach((byte, i) => (said[byte] = character(i)));
  two.forEach((byte, i) => (said[byte] = character(SINGLES + Math.floor(i / SYMBOLS)) + character(i % SYMBOLS)));
  const text = Array.from(bytes, (byte) => said[byte]).join('');

  return `
const text = ${JSON.stringify(text)}, mask = '${mask}';
${tables}
/** The bytes of the module. */
export function decode() {
  const { one, two } = tables(mask), bytes = new Uint8Array(${bytes.length});
  let at = 0;
  const next = () => {
    const symbol = text.charCodeAt(at++) - ${FIRST};
    return symbol < 0 ? (symbol < -2 ? ${BACKSLASH} : ${LESS}) : symbol;
  };
  for (let i = 0; i < ${bytes.length}; i++) {
    const symbol = next();
    bytes[i] = symbol < ${SINGLES} ? one[symbol] : two[(symbol - ${SINGLES}) * ${SYMBOLS} + next()];
  }
  return bytes;
}`;
}

/**
 * From the set of frequent bytes (a bit each, as hexadecimal digits), the bytes by symbol. A printable one is its own
 * symbol, so that the module's texts compress together with the JavaScript's. This function's text goes into the bundle.
 */
function tables(mask) {
  const one = [], two = [], spare = [];
  for (let byte = 0; byte < 256; byte++) {
    if (!((parseInt(mask[byte >> 2], 16) >> (byte & 3)) & 1)) two.push(byte);
    else if (byte > 34 && byte < 125 && byte !== 60 && byte !== 92) one[byte - 35] = byte;
    else spare.push(byte);
  }
  for (let symbol = 0; symbol < 90; symbol++) one[symbol] = one[symbol] || spare.shift();
  return { one, two };
}

async function asDeflate(bytes) {
  const { deflateAsync } = await import('@gfx/zopfli');
  const deflated = await deflateAsync(bytes, { numiterations: 100, blocksplittingmax: 0 });
  return `
const text = '${Buffer.from(deflated).toString('base64')}';
/** A promise of the bytes of the module. */
export async function decode() {
  const deflated = atob(text), bytes = new Uint8Array(deflated.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = deflated.charCodeAt(i);
  const inflated = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return new Uint8Array(await new Response(inflated).arrayBuffer());
}`;
}
