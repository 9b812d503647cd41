import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/setup/command.mjs';
import { embed } from './embed.mjs';
import { PKG } from './wasm.mjs';

/**
 * One classic script from js/auto.js: the module embedded, minified twice (terser finds what esbuild leaves), all in
 * ASCII because the pages that load it may be in any encoding.
 *
 * @returns its text as `code`, and the source map of it as `map`
 */
export async function bundle() {
  const esbuild = await import('esbuild');
  const { minify } = await import('terser');
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ['js/auto.js'],
    outfile: 'dist/agenticschema.js',
    write: false,
    bundle: true,
    format: 'iife',
    target: 'es2020',
    charset: 'ascii',
    minify: true,
    legalComments: 'none',
    sourcemap: 'external',
    logLevel: 'silent',
    plugins: [{ name: 'agenticschema', setup: embedded }],
  });
  const text = (ending) => outputFiles.find((file) => file.path.endsWith(ending)).text;
  const { code, map } = await minify(text('.js'), {
    ecma: 2020,
    compress: { passes: 3 },
    mangle: true,
    format: { ascii_only: true, preamble: banner() },
    sourceMap: { content: text('.map') },
  });
  return { code: `${code}\n`, map: JSON.parse(map) };
}

/** The module `agenticschema:wasm`: the WebAssembly module and its decoder. */
function embedded(build) {
  build.onResolve({ filter: /^agenticschema:wasm$/ }, () => ({ path: 'module', namespace: 'wasm' }));
  build.onLoad({ filter: /.*/, namespace: 'wasm' }, () => ({
    contents: embed(readFileSync(join(root, PKG, 'agenticschema_bg.wasm'))),
    loader: 'js',
  }));
}

function banner() {
  const { name, version, license, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return `/*! ${name} ${version} | ${license} | with @mcp-b/webmcp-polyfill ${devDependencies['@mcp-b/webmcp-polyfill']} (MIT) */`;
}
