// The module from the file beside this script.
export default async () => {
  const url = new URL('./worker.wasm', import.meta.url);
  if (url.protocol !== 'file:') return WebAssembly.compileStreaming(fetch(url));
  const { readFile } = await import('node:fs/promises');
  return WebAssembly.compile(await readFile(url));
};
