// Runs in the measured page (browser.mjs puts it there): the page's text, its markup by plain DOM walking, and the calls
// of another implementation's tools. Independent of this project's readers on purpose.

/** The page's text as a reader without tools has it, and what its markup says. */
function readPage(Readability, readable) {
  const tidy = (text) => (text ?? '').replace(/[ \t\u00a0]+/g, ' ').replace(/ ?\n ?/g, '\n').replace(/\n{3,}/g, '\n\n').trim();
  let article = null;
  try {
    article = new Readability(document.cloneNode(true)).parse();
  } catch {}
  const text = tidy(article?.textContent);
  const rdfa = document.querySelector('[typeof], [property], [vocab]');
  const jsonld = [...document.querySelectorAll('script')].filter((s) => /^\s*application\/ld\+json/i.test(s.type)).map((s) => s.textContent);
  const microdata = microdataItems();
  return {
    text: text.length < readable ? tidy(document.body?.innerText) : tidy(`${article.title ?? ''}\n\n${text}`),
    jsonld,
    microdata,
    plain: plainTexts([jsonld.map(answered), microdata]),
    html: rdfa ? document.documentElement.outerHTML : '',
  };
}

/** For each text in `data` that has markup in it, what the browser makes of that markup. */
function plainTexts(data) {
  const plain = {};
  const parser = new DOMParser();
  const visit = (value) => {
    if (typeof value === 'string') {
      // Twice: texts that were escaped once too often.
      for (let text = value, n = 0; n < 2 && /<[a-z/!]|&#?\w+;/i.test(text); n++) text = plain[value] = parser.parseFromString(text, 'text/html').documentElement.textContent;
    } else if (value && typeof value === 'object') Object.values(value).forEach(visit);
  };
  visit(data);
  return plain;
}

/** The items of https://html.spec.whatwg.org/multipage/microdata.html: `{ types, id, properties: [[name, value]] }`. */
function microdataItems() {
  const item = (element, above) => {
    const properties = [];
    const visit = (node, inside) => {
      if (inside.has(node)) return;
      const seen = new Set(inside).add(node);
      const names = (node.getAttribute('itemprop') ?? '').split(/\s+/).filter(Boolean);
      if (names.length) {
        const value = node.hasAttribute('itemscope') ? (above.includes(node) ? '' : item(node, [...above, node])) : microdataValue(node);
        for (const name of names) properties.push([name, value]);
      }
      if (!node.hasAttribute('itemscope')) for (const child of node.children) visit(child, seen);
    };
    for (const child of element.children) visit(child, new Set([element]));
    for (const id of (element.getAttribute('itemref') ?? '').split(/\s+/).filter(Boolean)) {
      const other = document.getElementById(id);
      if (other && !above.includes(other)) visit(other, new Set([element]));
    }
    return { types: (element.getAttribute('itemtype') ?? '').split(/\s+/).filter(Boolean), id: element.getAttribute('itemid') ?? '', properties };
  };
  return [...document.querySelectorAll('[itemscope]:not([itemprop])')].map((element) => item(element, [element]));
}

function microdataValue(node) {
  const address = { A: 'href', AREA: 'href', LINK: 'href', AUDIO: 'src', EMBED: 'src', IFRAME: 'src', IMG: 'src', SOURCE: 'src', TRACK: 'src', VIDEO: 'src', OBJECT: 'data' }[node.tagName];
  if (node.hasAttribute('content')) return node.getAttribute('content');
  if (address) {
    try {
      return new URL(node.getAttribute(address) ?? '', document.baseURI).href;
    } catch {
      return '';
    }
  }
  if (node.tagName === 'DATA' || node.tagName === 'METER') return node.getAttribute('value') ?? '';
  if (node.tagName === 'TIME') return node.getAttribute('datetime') ?? node.textContent;
  const copy = node.cloneNode(true);
  for (const hidden of copy.querySelectorAll('script, style, template, noscript')) hidden.remove();
  return copy.textContent;
}

/** Notes what is registered on `document.modelContext`, native or not. */
function catchTools() {
  const caught = (globalThis.__tools = { tools: new Map(), last: 0 });
  const hook = (context) => {
    const owner = Object.hasOwn(context, 'registerTool') ? context : Object.getPrototypeOf(context);
    const register = owner.registerTool;
    if (typeof register !== 'function' || register.caught) return;
    owner.registerTool = function registerTool(tool, options) {
      caught.tools.set(tool.name, tool);
      caught.last = performance.now();
      options?.signal?.addEventListener('abort', () => caught.tools.get(tool.name) === tool && caught.tools.delete(tool.name));
      return register.call(this, tool, options);
    };
    owner.registerTool.caught = true;
  };
  if (document.modelContext) hook(document.modelContext);
  else {
    const define = Object.defineProperty;
    Object.defineProperty = (object, key, descriptor) => {
      const result = define(object, key, descriptor);
      if (key === 'modelContext' && document.modelContext) hook(document.modelContext);
      return result;
    };
  }
}

/** Every answer of every tool that needs no argument: without arguments, and with each word that a parameter offers. */
async function callTools(quiet, patience) {
  const caught = globalThis.__tools;
  const start = performance.now();
  const settled = () => (caught.tools.size ? performance.now() - caught.last > quiet : performance.now() - start > patience);
  while (!settled()) await new Promise((done) => setTimeout(done, 50));
  const calls = [];
  for (const tool of caught.tools.values()) {
    const { properties = {}, required = [] } = tool.inputSchema ?? {};
    if (required.length || tool.annotations?.readOnlyHint === false) continue;
    const words = Object.entries(properties).flatMap(([name, { enum: offered }]) => (offered ?? []).map((word) => ({ [name]: word })));
    for (const start of [{}, ...words]) {
      for (let input = start, n = 0; input && n < 200; n++) {
        const result = await Promise.race([tool.execute(input, {}), new Promise((done) => setTimeout(done, 5000))]).catch(() => null);
        const parts = result?.content?.filter?.((part) => part.type === 'text').map((part) => part.text);
        const text = parts?.join('\n') ?? (typeof result === 'string' ? result : JSON.stringify(result) ?? '');
        calls.push({ tool: tool.name, arguments: input, text });
        const next = answered(text)?.next;
        input = properties.page && Number.isInteger(next) ? { ...start, page: next } : null;
      }
    }
  }
  const listed = ({ name, description, inputSchema }) => ({ name, description, inputSchema });
  return { tools: [...caught.tools.values()].map(listed), calls };
}

function answered(text) {
  try {
    return JSON.parse(text);
  } catch {}
}
