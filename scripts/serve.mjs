import { createServer } from 'node:http';
import { readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { root } from './setup/command.mjs';
import { searchPage } from './search.mjs';

const FOLDERS = ['www', 'dist'];
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

const COMPRESSED = /^text|json|svg|wasm/;

/**
 * Serves www/ and dist/ to this machine only, and the demo shop's search.
 *
 * @param port the first port to try
 * @returns the address, and `close`
 */
export async function serve(port = 8080) {
  const server = createServer(answer);
  for (let tries = 0; !(await listening(server, port)); port++) {
    if (++tries > 50) throw new Error('No free port was found.');
  }
  return { url: `http://localhost:${port}/`, close: () => (server.closeAllConnections(), server.close()) };
}

function answer(request, response) {
  const send = (status, type, body) => {
    const headers = { 'content-type': type, 'cache-control': 'no-store' };
    // Compressed, as hosts of static files do it: Lighthouse counts the bytes.
    if (COMPRESSED.test(type) && /\bgzip\b/.test(request.headers['accept-encoding'])) {
      body = gzipSync(body);
      Object.assign(headers, { 'content-encoding': 'gzip', vary: 'accept-encoding' });
    }
    response.writeHead(status, headers);
    response.end(request.method === 'HEAD' ? undefined : body);
  };
  if (!['GET', 'HEAD'].includes(request.method)) return send(405, TYPES['.txt'], 'Only GET and HEAD.\n');
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/search.html') return send(200, TYPES['.html'], searchPage(url.searchParams.get('q') ?? ''));
  const file = find(url.pathname);
  if (!file) return send(404, TYPES['.txt'], 'There is no such page.\n');
  send(200, TYPES[extname(file)] ?? 'application/octet-stream', readFileSync(file));
}

/** The file of an address, or undefined. `normalize` of an absolute path cannot climb out of the folder. */
function find(pathname) {
  let path;
  try {
    path = normalize(decodeURIComponent(pathname));
  } catch {
    return;
  }
  if (path.includes('\0')) return;
  for (const folder of FOLDERS) {
    for (const file of [join(root, folder, path), join(root, folder, path, 'index.html')]) {
      if (statSync(file, { throwIfNoEntry: false })?.isFile()) return file;
    }
  }
}

function listening(server, port) {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)));
    server.listen(port, 'localhost', () => resolve(true));
  });
}
