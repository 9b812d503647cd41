//! The edges of the program: WebAssembly in the browser, MCP natively.

#[cfg(target_arch = "wasm32")]
mod runtime;
#[cfg(target_arch = "wasm32")]
mod wasm;
