// What runs the core: WebAssembly. The build of agenticschema.nowasm.js puts the same core as JavaScript in this place.
import { decode } from 'agenticschema:wasm';
import { version } from '../package.json';
import { WebAssembly } from './primitives.js';

const { Module, Instance, compile } = WebAssembly ?? {};

export const engine = {
  version,
  bytes: decode,
  compile: (bytes) => new Module(bytes),
  compileAside: (bytes) => compile(bytes),
  imports: (module) => Module.imports(module),
  instantiate: (module, imports) => new Instance(module, imports).exports,
};
