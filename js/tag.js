import { currentScript, findAll } from './primitives.js';

// The address this file was loaded from, read once: a module has no currentScript, a renamed copy no telling name.
const OWN = ((stack) => /[a-z][a-z+.-]*:\/\/\S+?(?=:\d+(?::\d+)?\)?(?:\s|$))/i.exec(`${stack}`)?.[0])(new Error().stack);

/** Types that a browser executes: a script of another type is content, and content must not configure us. */
const EXECUTABLE = /^(|module|(text|application)\/(x-)?(java|ecma)script)$/i;

/** The script element that loaded this file, or undefined. */
export function ownTag() {
  const current = currentScript(document);
  if (current?.dataset) return current;
  const find = (selector, fits = () => true) => {
    for (const script of findAll(document, selector)) if (EXECUTABLE.test(script.type.trim()) && fits(script)) return script;
  };
  return find('script[src]', (script) => script.src === OWN) ?? find('script[data-agenticschema]') ?? find('script[src*="agenticschema"]');
}
