//! The stack of the tag's module.

/// Bytes. The default is a megabyte of every page's memory; the deepest markup that `limits::DEPTH` lets in takes 67 KB
/// (tests/browser/host.test.mjs holds it under half).
const STACK: usize = 192 << 10;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // The workers' module has an HTML parser of its own inside, whose needs are not measured.
    if std::env::var_os("CARGO_FEATURE_HTML").is_none() {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size={STACK}");
    }
}
