import type { Handle, StartOptions } from './index.js';

/** What the script tag leaves on the window. */
export interface AgenticSchema {
  /** Resolves once the first registrations have settled; never rejects. */
  readonly ready: Promise<Handle>;
  /** Starts again with other options: the run before ends. */
  start(options?: StartOptions): Promise<Handle>;
  readonly version: string;
}

declare global {
  interface Window {
    /** Absent where the tag has not run. */
    agenticschema?: AgenticSchema;
  }
}
