/** The core with the reader of HTML text, for `createHttpHandler`. */
declare const module: WebAssembly.Module;
export default module;
