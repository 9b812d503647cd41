//! The edges of the crate: the WebAssembly boundary, and what that machine needs to run at all.

#[cfg(target_arch = "wasm32")]
mod runtime;
