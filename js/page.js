import { carryOut } from './fetch.js';
import { readJson, writeJson } from './json.js';
import { failure, reason } from './notes.js';
import { inPieces } from './pieces.js';
import { findAll } from './primitives.js';
import { snapshot } from './snapshot.js';
import { compileAside, discard, generation, newCore, settle, spent, unpack } from './wasm.js';

const NOTHING = { tools: [], diagnostics: [] };
/** A page without an entity never costs the compilation of the core. */
const UNMARKED = { tools: [], diagnostics: [{ level: 'info', code: 'no-structured-data', message: 'The page has no Schema.org entity to describe. Add JSON-LD, microdata or RDFa with Schema.org types.' }] };
/** What shows in a document that there is something to read. */
const MARKUP = 'script[type*="ld+json" i],[itemscope],[typeof]';
/** What a snapshot with an entity holds: a JSON-LD block, `itemscope`, `typeof` (by their codes) or a type as a property. */
const MARKED = /\x1eEscript|\x1f[Sy]|rdf:type|ns#type/;

/**
 * One document behind the core: reads it, answers calls. A trap in the WebAssembly costs one diagnostic: the
 * instance is thrown away, and a new one continues from the last state that could be read. `refused` is called when
 * the page forbids WebAssembly.
 */
export function openPage(doc, options, add, refused = () => refusal(add), read = () => snapshot(doc)) {
  const optionsJson = writeJson(options);
  let core, mine, good, wire, json, settings, closed, page = NOTHING;
  const over = () => closed;

  const drop = () => {
    core = undefined;
    discard();
  };

  const attempt = (work, alone) => {
    try {
      if (!alone && core && spent()) drop();
      if (!alone && (!core || mine !== generation())) {
        core = newCore(optionsJson);
        mine = generation();
        const state = good;
        good = undefined; // if this one traps now, it is not tried again
        if (state !== undefined) {
          core('read', state);
          core('tools');
          settle();
        }
        good = state;
      }
      return work();
    } catch (error) {
      drop();
      if (error.refused) refused();
      else add('error', 'remap-failed', `The page could not be read (${reason(error)}): its tools are missing or describe the page as it was last read. Reload the page, and please report this message.`);
    }
  };

  // What takes long is in pieces: at each `yield` others may have the thread. Tells whether there is a core.
  function* starting() {
    if (core) return true;
    yield;
    if (!attempt(() => !unpack(), true)) return false;
    yield compileAside();
    return attempt(() => true);
  }

  function* opening() {
    if (settings) return;
    const some = optionsJson !== '{}';
    settings = { watch: !some };
    if (!some || !(yield* starting())) return;
    settings = readJson(attempt(() => core('options')) ?? '{}');
    let wrong = '';
    for (const { level, code, message } of settings.diagnostics ?? []) {
      add(level, code, message);
      if (level !== 'info') wrong += ` ${message}`;
    }
    // The one line we ever write: whoever mistyped an option looks here first.
    if (wrong) console.warn(`[agenticschema]${wrong}`);
  }

  function* reading() {
    yield* opening();
    const next = attempt(read, true);
    if (next === undefined || next === wire) return;
    wire = next;
    if (!core && !MARKED.test(next)) {
      good = json = undefined;
      page = UNMARKED;
      return;
    }
    if (!(yield* starting())) return;
    yield;
    // Where the page was read meanwhile, that is what counts.
    if (wire !== next || !attempt(() => !core('read', next))) return;
    yield;
    const result = wire === next && attempt(() => core('tools'), true);
    if (!result) return;
    good = next;
    settle();
    if (result !== json) page = readJson((json = result));
  }

  function* first() {
    if (!core && expect(doc)) yield;
    yield* reading();
  }

  return {
    /** `watch` and `debounceMs`, checked and with their defaults. */
    async open() {
      await inPieces(opening(), over);
      return { watch: settings.watch, debounceMs: settings.debounceMs ?? 250 };
    },

    /** The tools and diagnostics of the document as it is now. */
    read() {
      const steps = reading();
      while (!steps.next().done);
      return page;
    },

    /** The same, in pieces. */
    async readInPieces() {
      await inPieces(first(), over);
      return page;
    },

    /** Calls a tool; resolves with a plain object. `signals` (some undefined) end its request. */
    async call(name, input, signals) {
      const broken = () => failure('internal', 'The page could not be read.', 'Try again after the page has changed.');
      const ask = (words) => attempt(() => core('call', name, typeof input === 'string' ? input : writeJson(input ?? {}), words));
      let answer = ask('');
      // The page's text is not kept: it is read when it is wanted.
      if (answer === '?') answer = ask(snapshot(doc, 'text'));
      while (answer?.[0] === '>') {
        const plan = answer.slice(1);
        const { url, status, type, body } = await carryOut(readJson(plan), signals);
        answer = attempt(() => core('finish', plan, url, status, type, body));
      }
      return answer ? readJson(answer.slice(1)) : broken();
    },

    close() {
      closed = true;
      core = undefined;
    },
  };
}

/** Where the document has markup, another thread compiles the core from now on. Tells whether it has. */
export function expect(doc) {
  try {
    if (!findAll(doc, MARKUP)[0]) return false;
    unpack();
    compileAside();
  } catch {} // it is met again, and said, when the page is read
  return true;
}

/** Notes that the core cannot run. */
export function refusal(add) {
  add('error', 'wasm-refused', "WebAssembly is refused here, so the page cannot be read and no tool is registered: add 'wasm-unsafe-eval' to script-src in the Content-Security-Policy, or use agenticschema.nowasm.js.");
}
