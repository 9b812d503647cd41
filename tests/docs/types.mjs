// Modules in the documentation: they compile against js/index.d.ts, and name only what is there.
import { join } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';

/** What snippets import besides this package, as far as they use it. */
const FRAMEWORKS = `
declare module 'next/script' {
  export default function Script(props: { src: string; id?: string; strategy?: 'beforeInteractive' | 'afterInteractive' | 'lazyOnload'; [data: \`data-\${string}\`]: string }): any;
}
declare module 'react' {
  export function useEffect(effect: () => void | (() => void), dependencies?: unknown[]): void;
  export type ReactNode = any;
}
declare module 'react/jsx-runtime' { export const jsx: any, jsxs: any, Fragment: any; }
declare namespace JSX { interface IntrinsicElements { [name: string]: any } }
interface Window { agenticschema: { ready: Promise<import('agenticschema').Handle>; start: typeof import('agenticschema').start; version: string } }
declare const agenticschema: Window['agenticschema'];
`;

/** What TypeScript and esbuild say against modules: `[{ name, text }]` gives lines that begin with the name. */
export async function complaints(modules) {
  const { default: ts } = await import('typescript');
  const { transform } = await import('esbuild');
  const texts = new Map([['frameworks.d.ts', FRAMEWORKS], ...modules.map(({ name, text }) => [name, `${text}\nexport {};\n`])].map(([name, text]) => [join(root, 'tests/docs', name), text]));
  const options = {
    allowJs: true, checkJs: true, strict: true, noImplicitAny: false, noEmit: true, skipLibCheck: true, types: [],
    target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX, lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    baseUrl: root, paths: { agenticschema: ['js/index.d.ts'], 'agenticschema/nowasm': ['js/index.d.ts'], 'agenticschema/worker': ['js/worker.d.ts'], 'agenticschema/worker.wasm': ['js/worker.wasm.d.ts'] },
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (path) => texts.has(path) || fileExists(path);
  host.readFile = (path) => texts.get(path) ?? readFile(path);
  host.getSourceFile = (path, target, ...rest) => (texts.has(path) ? ts.createSourceFile(path, texts.get(path), target) : getSourceFile(path, target, ...rest));
  const program = ts.createProgram([...texts.keys()], options, host);
  const said = ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const at = file ? `${file.fileName.split('/').pop()} line ${file.getLineAndCharacterOfPosition(start).line + 1}` : '';
    return `${at}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  for (const { name, text } of modules) await transform(text, { loader: name.split('.').pop(), jsx: 'automatic' }).catch((error) => said.push(`${name}: ${error.message}`));
  return said;
}
