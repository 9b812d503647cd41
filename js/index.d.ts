/** Options of the pipeline, by the names of the README's table. */
export interface Options {
  /** `false` or `'off'`: readers only, no search. */
  actions?: boolean | 'on' | 'off';
  /** `false` or `'off'`: no search tool from a search form or OpenSearch link where the markup names none. */
  forms?: boolean | 'on' | 'off';
  /** Most tools registered, readers and actions together. Default 24. */
  maxTools?: number;
  /** `false` or `'off'`: read the page once and do not follow its changes. */
  watch?: boolean | 'on' | 'off';
  /** Hosts besides the page's own that a search may ask. */
  allowHosts?: string[] | string;
  /** `'split'` adds finer readers. */
  toolset?: 'compact' | 'split';
  /** Characters that one answer aims to stay below. */
  answerBudget?: number;
  /** Bytes that no answer exceeds. */
  maxPayloadBytes?: number;
  /** Milliseconds that a search may take. */
  timeoutMs?: number;
  /** Milliseconds of quiet after a change before the page is read again. */
  debounceMs?: number;
}

/** Options of {@link start}. */
export interface StartOptions extends Options {
  /** The document to read. Default: the page's. */
  document?: Document;
  /** Tools of the site's own, registered with those of the page; they win over one of the same name. */
  custom?: CustomTool[];
  /** The model context to register with. Default: the page's, else the polyfill's. */
  modelContext?: { registerTool(tool: object, options?: { signal?: AbortSignal }): unknown };
}

/** A tool of the site's own. A declaration that cannot be used is a diagnostic `custom-invalid`. */
export interface CustomTool {
  /** 1 to 64 letters, digits, `_`, `-` and `.`; up to 30 are best. */
  name: string;
  title?: string;
  /** What it does and when to use it; cut after 500 characters. */
  description: string;
  /**
   * JSON Schema of an object. Arguments are checked against `type enum required properties additionalProperties:false
   * items prefixItems minLength maxLength pattern minimum maximum exclusiveMinimum exclusiveMaximum minItems maxItems`;
   * browsers are going to refuse most others.
   */
  inputSchema?: Record<string, unknown>;
  /**
   * Runs with arguments that fit the schema. `signal` is aborted with the caller's and by `stop()`. What it gives is
   * passed on as JSON, at most `maxPayloadBytes` of it; what is no plain object, or has `content`, as `{result}`. What
   * it throws becomes an answer with the code `tool-failed`.
   */
  execute(input: Record<string, any>, options: { signal: AbortSignal }): unknown;
  /** Only `true` counts. Without `readOnlyHint` agents take the tool for one that acts. */
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean; consequentialHint?: boolean };
}

/** Something to know about the page. */
export interface Diagnostic {
  level: 'info' | 'warn' | 'error';
  /** Stable: sites and tests may match on it. */
  code: string;
  /** What happened, why it matters, what to do. */
  message: string;
}

/** A tool as it is registered. */
export interface Tool {
  name: string;
  title?: string;
  description: string;
  inputSchema: Record<string, unknown>;
  annotations?: { readOnlyHint?: boolean; untrustedContentHint?: boolean; consequentialHint?: boolean };
}

/** A tool that can be called. */
export interface CallableTool extends Tool {
  /** Resolves with a plain JSON object; failures are `{error, code, retryable, suggestion}`. */
  execute(input?: object | string, options?: { signal?: AbortSignal }): Promise<Record<string, unknown>>;
}

/** A running reader. */
export interface Handle {
  tools(): Tool[];
  diagnostics(): Diagnostic[];
  /** Reads the page again; resolves when changed registrations have settled. */
  refresh(): Promise<void>;
  /** Takes every tool back and stops following the page. */
  stop(): void;
}

/** Reads the page, registers its tools and follows its changes. Never rejects. */
export function start(options?: StartOptions): Promise<Handle>;

/** The tools of a document or an HTML text, without registering them. */
export function toTools(source: Document | string, options?: Options & { url?: string }): { tools: CallableTool[]; diagnostics: Diagnostic[] };

export const version: string;
