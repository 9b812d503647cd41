// Markup in, tools out: by the bundle, on a document that is never shown, so that nothing in it runs or loads.

/** Characters of input that are read. */
export const MOST_CHARACTERS = 2_000_000;

/** Whether a text is JSON-LD rather than HTML. */
export const isJson = (text) => /^[\s\uFEFF]*[{[]/.test(text);

/** A document of the text; JSON-LD as its one block. */
export function documentOf(text) {
  if (!isJson(text)) return new DOMParser().parseFromString(text.slice(0, MOST_CHARACTERS), 'text/html');
  const doc = document.implementation.createHTMLDocument('');
  const block = doc.createElement('script');
  block.type = 'application/ld+json';
  block.textContent = text.slice(0, MOST_CHARACTERS);
  doc.head.append(block);
  return doc;
}

/**
 * Reads a text.
 *
 * @param options options of the tag by name
 * @returns the `tools`, each with `call(input)`; the `diagnostics`; what the page says without its markup, as `text`;
 *   and `stop`
 */
export async function read(text, options) {
  const doc = documentOf(text);
  const registered = new Map();
  const modelContext = { registerTool: (tool) => void registered.set(tool.name, tool) };
  const handle = await window.agenticschema.start({ ...options, document: doc, modelContext, watch: false });
  const tools = handle.tools().map((tool) => ({ ...tool, call: (input) => registered.get(tool.name).execute(input) }));
  return { tools, diagnostics: handle.diagnostics(), text: words(doc), stop: () => handle.stop() };
}

function words(doc) {
  const body = doc.body.cloneNode(true);
  for (const element of body.querySelectorAll('script, style, template, noscript')) element.remove();
  return body.textContent.replace(/\s+/g, ' ').trim();
}
