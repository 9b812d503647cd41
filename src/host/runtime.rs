//! What a `no_std` crate owes the WebAssembly machine: memory and an end for panics.

use core::{
    alloc::{GlobalAlloc, Layout},
    cell::Cell,
};

/// Memory that is never given back: an instance reads one page, answers for it, and is dropped whole when the page is
/// read anew (`js/wasm.js`). Freeing nothing makes the code that frees (a fifth of the module) disappear.
struct Arena {
    next: Cell<usize>,
    end: Cell<usize>,
}

/// Bytes of one WebAssembly page.
const PAGE: usize = 65_536;

#[global_allocator]
static ARENA: Arena = Arena { next: Cell::new(0), end: Cell::new(0) };

// SAFETY: wasm32 without threads has one thread, and no interrupts that allocate.
#[allow(unsafe_code)]
unsafe impl Sync for Arena {}

// SAFETY: `alloc` hands out memory past `next` that lies inside what `memory.grow` returned, aligned as asked, and
// never hands it out twice; `realloc` extends a block only where it is the last one. Sizes that overflow, or memory
// that cannot grow, give null.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = (self.next.get() + layout.align() - 1) & !(layout.align() - 1);
        self.take(start, layout.size())
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // The block that grows is most often the last one, and can grow where it is.
        if block as usize + layout.size() == self.next.get() {
            return self.take(block as usize, size);
        }
        let copy = unsafe { self.alloc(Layout::from_size_align_unchecked(size, layout.align())) };
        if !copy.is_null() {
            unsafe { core::ptr::copy_nonoverlapping(block, copy, layout.size().min(size)) };
        }
        copy
    }
}

impl Arena {
    /// `start..start + size`, growing memory as needed.
    fn take(&self, start: usize, size: usize) -> *mut u8 {
        let Some(next) = start.checked_add(size) else { return core::ptr::null_mut() };
        if next > self.end.get() {
            let missing = next - self.end.get();
            let pages = core::arch::wasm32::memory_grow(0, missing.div_ceil(PAGE));
            if pages == usize::MAX {
                return core::ptr::null_mut();
            }
            let from = pages * PAGE;
            if self.end.get() == 0 {
                // The first growth: what lies before is the module's own data and stack.
                self.end.set(from + missing.div_ceil(PAGE) * PAGE);
                return self.take_first(from, size);
            }
            self.end.set(from + missing.div_ceil(PAGE) * PAGE);
        }
        self.next.set(next);
        start as *mut u8
    }

    fn take_first(&self, from: usize, size: usize) -> *mut u8 {
        self.next.set(from + size);
        from as *mut u8
    }
}

/// Traps. The message is dropped unread, so neither the texts nor their formatting reach the bundle; the host sees a
/// `WebAssembly.RuntimeError` and stops using this instance.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}
