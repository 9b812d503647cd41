import { initializeWebMCPPolyfill } from '@mcp-b/webmcp-polyfill';
import { defaultView, defineProperty, later, now } from './primitives.js';
import { testingShim } from './testing-shim.js';

/** Milliseconds between two looks for form tools, at most while the page goes on changing; a look may take one part in so many of that time. */
const PAUSE = 200, LONGEST = 8 * PAUSE, SHARE = 100;

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

/** Runs `work` while MutationObserver is one that looks for form tools now and then, and passes nothing on without any. */
function withCheapObserver(work) {
  const Native = window.MutationObserver;
  Cheap ??= class extends Native {
    constructor(callback) {
      let seen = false, pause = PAUSE, resting, again;
      const look = () => {
        if ((again = resting)) return;
        resting = true;
        const from = now();
        let found = false;
        try {
          for (const root of roots) found ||= !!root.querySelector('form[toolname]');
          if (found || seen) withCheapObserver(callback);
        } catch {} // an image of this name: <img name="querySelector">
        seen = found;
        later(() => {
          resting = false;
          pause = again ? Math.min(2 * pause, LONGEST) : PAUSE;
          if (again) look();
        }, Math.max(pause, SHARE * (now() - from)));
      };
      super(look);
    }
    observe(root, options) {
      roots.add(root);
      super.observe(root, options);
      this.root = root;
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
