import { fileURLToPath } from 'node:url';

// The packages are those of the folder above: without a root, Next would guess one from the lock files around.
export default { turbopack: { root: fileURLToPath(new URL('..', import.meta.url)) } };
