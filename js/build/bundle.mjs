import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';
import { embed } from './embed.mjs';
import { ENGINE } from './nowasm.mjs';
import { PKG } from './wasm.mjs';

/** The file of the script tag. */
export const TAG = { file: 'dist/agenticschema.js', entry: 'js/auto.js', format: 'iife', terse: true };
/** The other files: the tag's for pages that forbid WebAssembly, and the two of the npm package. */
export const OTHERS = [
  { file: 'dist/agenticschema.nowasm.js', entry: 'js/auto.js', format: 'iife', nowasm: true },
  { file: 'dist/index.js', entry: 'js/index.js', format: 'esm' },
  { file: 'dist/nowasm.js', entry: 'js/index.js', format: 'esm', nowasm: true },
];
/** The server for workers: where a module is read from a file, and where it is imported. */
export const WORKERS = [
  { file: 'dist/worker.js', entry: 'js/worker.js', format: 'esm', module: 'js/worker/module.js' },
  { file: 'dist/worker.workerd.js', entry: 'js/worker.js', format: 'esm', module: 'js/worker/module.workerd.js' },
];

/**
 * One script with the core inside, all in ASCII because the pages that load it may be in any encoding. `terse` minifies
 * it twice: terser finds what esbuild leaves, but nothing in a core that is JavaScript.
 *
 * @returns its text as `code`; `mapped` and `map`, the text before the module went to its end, and the source map of that
 */
export async function bundle({ file, entry, format, nowasm = false, terse = false, module }) {
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: file,
    write: false,
    bundle: true,
    format,
    target: module ? 'es2022' : 'es2020',
    external: module ? ['*.wasm', 'node:*'] : [],
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    banner: terse ? {} : { js: module ? '' : banner() },
    sourcemap: terse ? 'external' : false,
    logLevel: 'silent',
    define: { NOWASM: `${nowasm}` },
    inject: module ? [] : ['js/inject.js'],
    plugins: [{ name: 'agenticschema', setup: module ? beside(module) : nowasm ? translated : embedded }],
  });
  const text = (ending) => outputFiles.find((output) => output.path.endsWith(ending)).text;
  if (!terse) {
    // Control characters only come in strings and patterns.
    const code = text('.js').replace(/[\0-\x09\x0b-\x1f\x7f]/g, (c) => `\\x${c.charCodeAt().toString(16).padStart(2, '0')}`);
    return { code: format === 'iife' ? `${quiet(code.trimEnd())}\n` : code };
  }
  const { minify } = await import('terser');
  const { code, map } = await minify(text('.js'), {
    ecma: 2020,
    compress: { passes: 3 },
    mangle: true,
    format: { ascii_only: true, preamble: `${COMPILE_AHEAD}\n${banner()}` },
    sourceMap: { content: text('.map') },
  });
  return { code: `${moduleLast(quiet(code))}\n`, mapped: `${code}\n`, map: JSON.parse(map) };
}

/**
 * Chromium compiles all functions of a script that begins so while it loads, on another thread: half the time that the
 * script would take on the page's own before the first tool. Others take it for a comment.
 */
const COMPILE_AHEAD = '//# allFunctionsCalledOnLoad';

/** What the script calls the module's text: no name that terser gives. */
const NAME = '$m';

/** How a minified script begins and ends. */
const START = '(()=>{', END = '})();';

/** Where a page has broken so much that the script cannot even start (`Object.prototype.get`), it gets no tools, but no error of ours either. */
function quiet(code) {
  if (!code.includes(START) || !code.endsWith(END)) throw new Error('The minified script has another form than js/build/bundle.mjs expects');
  return `${code.replace(START, () => `${START}try{`).slice(0, -END.length)}}catch{}${END}`;
}

/**
 * With the module's text at the end, as the argument of the script's function: gzip chooses its codes anew every so many
 * bytes, and those of the JavaScript are better where no other text is between: 1.7 % of the bundle.
 */
function moduleLast(code) {
  const [text] = /"[^"]{10000,}"/.exec(code), rest = code.replace(text, '');
  if (rest.includes(NAME)) throw new Error(`${NAME} is a name in the script already`);
  return `${code.replace(text, () => NAME).replace(START, () => `(${NAME}=>{`).slice(0, -END.length)}})(${text});`;
}

/** The module `agenticschema:wasm`: the WebAssembly module and its decoder. */
function embedded(build) {
  build.onResolve({ filter: /^agenticschema:wasm$/ }, () => ({ path: 'module', namespace: 'wasm' }));
  build.onLoad({ filter: /.*/, namespace: 'wasm' }, () => ({
    contents: embed(readFileSync(join(root, PKG, 'agenticschema_bg.wasm'))),
    loader: 'js',
  }));
}

/** The core as JavaScript in place of `js/engine.js`. */
function translated(build) {
  build.onResolve({ filter: /^\.\/engine\.js$/ }, () => ({ path: join(root, ENGINE) }));
}

/** The module `agenticschema:module`: what loads the WebAssembly module that is in a file of its own. */
const beside = (module) => (build) => build.onResolve({ filter: /^agenticschema:module$/ }, () => ({ path: join(root, module) }));

function banner() {
  const { name, version, license, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `/*! ${name} ${version} | ${license} | with @mcp-b/webmcp-polyfill ${devDependencies['@mcp-b/webmcp-polyfill']} (MIT) */`;
}
