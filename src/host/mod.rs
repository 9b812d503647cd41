//! The edge of the module: WebAssembly in the browser. The native edge is a program of its own, in `src/server/`.

#[cfg(target_arch = "wasm32")]
mod runtime;
#[cfg(target_arch = "wasm32")]
mod wasm;
