// What runs the core: WebAssembly. The build of agenticschema.nowasm.js puts the same core as JavaScript in this place.
import { decode } from 'agenticschema:wasm';
import { version } from '../package.json';
import { WebAssembly } from './primitives.js';

export const engine = {
  version,
  bytes: decode,
  compile: (bytes) => new WebAssembly.Module(bytes),
  compileAside: (bytes) => WebAssembly.compile(bytes),
  imports: (module) => WebAssembly.Module.imports(module),
  instantiate: (module, imports) => new WebAssembly.Instance(module, imports).exports,
};
