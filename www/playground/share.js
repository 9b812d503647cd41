// The state of the page in its address, after the #, so that nothing of it is sent anywhere.

/** Characters of an address that are read: browsers and chats cut longer ones. */
const LONGEST = 100_000;

/** `{ sample, text, options }` as what follows the #. */
export async function written({ sample, text, options }) {
  const query = new URLSearchParams(options);
  if (sample) query.set('sample', sample);
  else query.set('input', await packed(text));
  return query.toString();
}

/** The state in an address; what cannot be read is left out. */
export async function readFrom(hash) {
  const query = new URLSearchParams(hash.slice(1, LONGEST));
  const state = { options: {} };
  for (const [key, value] of query) {
    if (key === 'sample') state.sample = value;
    else if (key === 'input') state.text = await unpacked(value).catch(() => undefined);
    else state.options[key] = value;
  }
  return state;
}

async function packed(text) {
  const bytes = new Uint8Array(await through(new CompressionStream('deflate-raw'), new TextEncoder().encode(text)));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

async function unpacked(word) {
  const binary = atob(word.replace(/-/g, '+').replace(/_/g, '/'));
  return new TextDecoder().decode(await through(new DecompressionStream('deflate-raw'), Uint8Array.from(binary, (character) => character.charCodeAt(0))));
}

const through = (transform, bytes) => new Response(new Blob([bytes]).stream().pipeThrough(transform)).arrayBuffer();
