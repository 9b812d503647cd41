import { fileURLToPath } from 'node:url';

// The packages are those of the folder above: without a root, Next would guess one from the lock files around.
// With cache components React keeps the routes that were left in the document, hidden.
const kept = process.env.KEEP_ROUTES === 'yes';
export default { distDir: kept ? 'kept' : 'built', cacheComponents: kept, partialPrefetching: kept, turbopack: { root: fileURLToPath(new URL('..', import.meta.url)) } };
