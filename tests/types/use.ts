// What the types let a site write, and what they do not. Compiled by tests/package.test.mjs, never run.
import { start, toTools, version } from 'agenticschema';
import * as nowasm from 'agenticschema/nowasm';
import type {} from 'agenticschema/agenticschema.js';
import { createHttpHandler, type HandlerOptions } from 'agenticschema/worker';
import wasm from 'agenticschema/worker.wasm';
import type { CallableTool, CustomTool, Diagnostic, Handle, Options, StartOptions, Tool } from 'agenticschema';

const order: CustomTool = {
  name: 'track_order',
  description: 'Where an order is.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
  annotations: { readOnlyHint: true },
  async execute({ id }, { signal }) {
    return (await fetch(`/orders/${id}`, { signal })).json();
  },
};
const options: Options = { actions: false, forms: 'off', maxTools: 8, allowHosts: ['a.test'], toolset: 'split', debounceMs: 100 };
const all: StartOptions = { ...options, document, watch: false, custom: [order], modelContext: { registerTool: async (_tool: object) => {} } };

export async function use(): Promise<void> {
  const handle: Handle = await start(all);
  const tools: Tool[] = handle.tools();
  const codes: string[] = handle.diagnostics().map((diagnostic: Diagnostic) => diagnostic.code);
  await handle.refresh();
  handle.stop();
  const { tools: callable } = toTools('<p>text</p>', { url: 'https://a.test/', ...options });
  const first: CallableTool | undefined = callable[0];
  const answer: Record<string, unknown> | undefined = await first?.execute({ page: 2 }, { signal: new AbortController().signal });
  const same: typeof start = nowasm.start;
  console.log(tools[0]?.inputSchema.type, codes, answer, version.length, same, toTools(document).diagnostics);

  const again: Handle | undefined = await window.agenticschema?.start({ watch: 'off' });
  console.log(again, (await window.agenticschema?.ready)?.tools());

  const settings: HandlerOptions = { maxTools: 8, actions: false, allowHosts: 'a.test', cacheTtlMs: Infinity, allowOrigins: ['https://a.test'], module: wasm, log: (line) => console.log(line.length) };
  const worker: { fetch(request: Request): Promise<Response> } = createHttpHandler(['https://a.test/', new URL('https://b.test/')], settings);
  console.log((await worker.fetch(new Request('https://mcp.test/'))).status);

  // @ts-expect-error pages are not followed there
  createHttpHandler('https://a.test/', { watch: true });
  // @ts-expect-error an option that there is not
  await start({ maxTool: 8 });
  // @ts-expect-error of another type
  await start({ watch: 1 });
  // @ts-expect-error a tool without a description
  await start({ custom: [{ name: 'a', execute: () => ({}) }] });
  // @ts-expect-error nothing to read
  toTools();
  // @ts-expect-error a promise
  handle.refresh().length;
}
