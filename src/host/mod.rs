//! The edge of the module: WebAssembly, in the browser or (feature `html`) in a worker. The native edge is a program of its
//! own, in `src/server/`.

#[cfg(all(target_arch = "wasm32", not(feature = "html")))]
mod runtime;
#[cfg(all(target_arch = "wasm32", not(feature = "html")))]
mod wasm;
#[cfg(all(target_arch = "wasm32", feature = "html"))]
mod worker;
