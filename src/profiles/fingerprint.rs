// Included by build.rs and by the crate, so that both compute the same numbers.

/// Twenty bits of the FNV-1a hash of a class name, started from `seed`. Case makes no difference: pages write
/// `product` and `Website`, and no two classes differ in case only.
fn fingerprint(seed: u32, class: &str) -> u32 {
    let mut hash = seed;
    for &byte in class.as_bytes() {
        hash = (hash ^ byte.to_ascii_lowercase() as u32).wrapping_mul(0x0100_0193);
    }
    (hash ^ (hash >> 20)) & 0xf_ffff
}

/// The root of the classes whose names tell it; the class itself otherwise. Keeps a hundred actions out of the table.
fn root_by_name(class: &str) -> &str {
    if class.ends_with("Action") { "Action" } else { class }
}
