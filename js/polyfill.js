import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill';
import { defaultView, defineProperty, later, now } from './primitives.js';
import { testingShim } from './testing-shim.js';

/** Milliseconds between two looks for form tools, and while the page goes on changing; a look may take one part in so many of that time. */
const PAUSE = 200, LONGEST = 1600, SHARE = 100;

/** The document's model context: its own, else the polyfill's, else undefined. */
export function surface(doc) {
  const find = (owner) => (typeof owner.modelContext?.registerTool === 'function' ? owner.modelContext : undefined);
  try {
    // Chromium crashes where a document without a window is asked.
    const native = (defaultView(doc) && find(doc)) ?? find(navigator);
    if (native || doc !== document || globalThis.isSecureContext === false) {
      if (doc === document && native?.getTools && !navigator.modelContextTesting) testingShim(native);
      return native;
    }
    withCheapObserver(() => initializeWebMCPPolyfill({ installTestingShim: true }));
    const context = find(document);
    if (context) {
      quietAlias(context);
      cheapShadowRoots();
      testingShim(context);
    }
    return context;
  } catch {}
}

/** The polyfill's deprecated alias, without its line on the console when a relay looks for it. */
function quietAlias(context) {
  defineProperty(navigator, 'modelContext', { get: () => context, configurable: true, enumerable: true });
}

/** Later shadow roots get the cheap observer as well. */
function cheapShadowRoots() {
  const { prototype } = Element;
  const { attachShadow } = prototype;
  defineProperty(prototype, 'attachShadow', {
    value(init) {
      return withCheapObserver(() => attachShadow.call(this, init));
    },
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

const roots = new Set();
let Cheap;

/**
 * Runs `work` while MutationObserver is one that looks for form tools now and then, and passes nothing on without any.
 * Between two looks it does not listen, so that a page that goes on changing makes no records for it.
 */
function withCheapObserver(work) {
  const Native = window.MutationObserver;
  Cheap ??= class extends Native {
    constructor(callback) {
      let seen = false, woken = -PAUSE, cost = 0;
      const look = () => {
        const from = now();
        let found = false;
        try {
          for (const root of roots) found ||= !!root.querySelector('form[toolname]');
          if (found || seen) withCheapObserver(callback);
        } catch {} // an image of this name: <img name="querySelector">
        seen = found;
        cost = now() - from;
      };
      super(() => {
        // Just looked: the page goes on changing.
        const again = now() - woken < PAUSE;
        super.disconnect();
        if (!again) look();
        later(() => {
          if (!roots.has(this.root)) return;
          super.observe(this.root, this.options);
          woken = now();
          look();
        }, Math.max(again ? LONGEST : PAUSE, SHARE * cost));
      });
    }
    observe(root, options) {
      roots.add((this.root = root));
      super.observe(root, (this.options = options));
    }
    disconnect() {
      roots.delete(this.root);
      super.disconnect();
    }
  };
  window.MutationObserver = Cheap;
  try {
    return work();
  } finally {
    window.MutationObserver = Native;
  }
}
