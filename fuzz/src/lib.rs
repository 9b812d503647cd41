//! What must hold for every input, one module per target. `cargo fuzz run <target>` looks for inputs for which it does
//! not; `cargo run --bin <target> <file>…` shows one again, and `cargo test` runs the seeds.

pub mod call;
pub mod jsonld;
pub mod page;
pub mod sanitise;
pub mod soup;
pub mod template;

/// The address of every page here.
pub const URL: &str = "https://fuzz.test/d/p";

/// A target by its name. Each takes any bytes, and panics where a property does not hold.
pub const TARGETS: [(&str, fn(&[u8])); 7] = [
    ("page", page::check),
    ("jsonld", jsonld::check),
    ("rdfa", soup::rdfa),
    ("microdata", soup::microdata),
    ("template", template::check),
    ("sanitise", sanitise::check),
    ("call", call::check),
];

/// The target of this name.
pub fn find(name: &str) -> fn(&[u8]) {
    TARGETS.iter().find(|(n, _)| *n == name).expect("a name in TARGETS").1
}

/// The entry point of a target.
#[macro_export]
macro_rules! target {
    ($name:ident) => {
        #[cfg(fuzzing)]
        ::libfuzzer_sys::fuzz_target!(|data: &[u8]| $crate::find(stringify!($name))(data));

        #[cfg(not(fuzzing))]
        fn main() {
            for path in ::std::env::args().skip(1) {
                println!("{path}");
                $crate::find(stringify!($name))(&::std::fs::read(path).expect("a readable file"));
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    /// The seeds, and next to them the inputs that once showed a mistake.
    #[test]
    fn properties_hold_for_the_seeds() {
        for (name, check) in TARGETS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds").join(name);
            let mut seeds: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            seeds.sort();
            assert!(!seeds.is_empty(), "{name} has no seeds");
            for seed in seeds {
                println!("{name}: {}", seed.display());
                check(&fs::read(seed).unwrap());
            }
        }
    }
}
