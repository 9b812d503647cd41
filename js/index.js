// The module entry. Importing it does nothing, on a server too.
import { notes } from './notes.js';
import { openPage } from './page.js';
import { readHtml } from './html.js';

export { version } from '../package.json';
export { start } from './start.js';

/**
 * The tools of a document or an HTML text, without registering them.
 * @param source a Document, or HTML text (needs a browser's parser)
 * @param options the pipeline's options, and `url`: the address of an HTML text
 */
export function toTools(source, { url = globalThis.location?.href ?? 'about:blank', ...options } = {}) {
  const { list, add } = notes();
  const page = openPage(source, options, add, undefined, typeof source === 'string' ? () => readHtml(source, url) ?? fail() : undefined);
  const { tools, diagnostics } = page.read();
  return {
    tools: tools.map((tool) => ({ ...tool, execute: (input, call) => page.call(tool.name, input, [call?.signal]) })),
    diagnostics: [...diagnostics, ...list],
  };
}

function fail() {
  throw new Error('HTML text can only be read where there is an HTML parser');
}
