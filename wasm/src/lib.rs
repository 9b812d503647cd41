//! Links the crate into one WebAssembly module; everything that is in it is in `agenticschema::host`.
//!
//! A package of its own because Cargo optimises across crates (`lto`) only where a library has no other form than the
//! linked one, and the tests need the other form. It is worth 40 % of the module.
#![no_std]

extern crate agenticschema as _;
