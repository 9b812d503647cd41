import { currentScript, findAll } from './primitives.js';

/** Types that a browser executes: a script of another type is content, and content must not configure us. */
const EXECUTABLE = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i;

/** The address of the file that runs, from the stack of an Error: a module has no currentScript, a renamed copy no telling name. */
const ownAddress = () => /[a-z][a-z+.-]*:\/\/\S+?(?=:\d+(?::\d+)?\)?(?:\s|$))/i.exec(`${new Error().stack}`)?.[0];

/** The script element that loaded this file, or undefined. To be asked while the file runs for the first time. */
export function ownTag() {
  const current = currentScript(document);
  if (current?.dataset) return current;
  // Asked only here: the engine reads the whole file once more for the positions in a stack.
  const own = ownAddress();
  const find = (selector, fits = () => true) => {
    for (const script of findAll(document, selector)) if (EXECUTABLE.test(script.type.trim()) && fits(script)) return script;
  };
  return find('script[src]', (script) => script.src === own) ?? find('script[data-agenticschema]') ?? find('script[src*="agenticschema"]');
}
