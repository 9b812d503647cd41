// Engines that compile no WebAssembly at run time get the module by import.
import module from './worker.wasm';

export default () => module;
