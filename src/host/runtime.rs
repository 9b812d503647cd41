//! What a `no_std` crate owes the WebAssembly machine: memory and an end for panics.

use talc::wasm::{WasmDynamicTalc, new_wasm_dynamic_allocator};

/// Memory is asked of the page as it is needed. Chosen by weight: std's allocator costs 1.5 KB more, compressed.
#[global_allocator]
static ALLOCATOR: WasmDynamicTalc = new_wasm_dynamic_allocator();

/// Traps. The message is dropped unread, so neither the texts nor their formatting reach the bundle; the host sees a
/// `WebAssembly.RuntimeError` and stops using this instance.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
