//! Reads the tables that `build.rs` writes: the profiles as one string, the property names as another, and the classes
//! by fingerprint.

use super::Names;
use crate::text;

#[allow(clippy::octal_escapes)]
mod generated {
    include!(concat!(env!("OUT_DIR"), "/profiles.rs"));
}

include!("fingerprint.rs");

/// The string of all profiles.
pub fn profiles() -> Cursor {
    Cursor(generated::PROFILES)
}

/// Which profile a class belongs to. Looks through a sixteenth of the classes.
pub fn profile_index(class: &str) -> Option<usize> {
    let wanted = fingerprint(generated::SEED, root_by_name(class));
    let upper = (wanted >> 16) as usize;
    let from: usize = generated::CLASS_COUNTS[..upper].iter().map(|&n| n as usize).sum();
    let to = from + generated::CLASS_COUNTS[upper] as usize;
    let low = (wanted as u16).to_le_bytes();
    let at = from + generated::CLASS_LOWS[2 * from..2 * to].chunks_exact(2).position(|l| l == low)?;
    Some(generated::CLASS_PROFILES[at] as usize)
}

/// Reads the generated string from the front. At its end numbers are 0 and texts empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor(pub(super) &'static str);

impl Cursor {
    pub fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Six bits a character, the lowest first; the seventh is set on all but the last.
    pub fn number(&mut self) -> u32 {
        let mut n = 0;
        let mut shift = 0;
        while let Some(&byte) = self.0.as_bytes().first() {
            self.0 = text::rest(self.0, 1);
            n |= u32::from(byte & 0x3f) << shift;
            if byte < 0x40 {
                break;
            }
            shift += 6;
        }
        n
    }

    pub fn text(&mut self) -> &'static str {
        let n = self.number() as usize;
        let (text, rest) = self.0.split_at_checked(n).unwrap_or_default();
        self.0 = rest;
        text
    }

    pub fn names(&mut self) -> Names {
        Names(Cursor(self.text()))
    }
}

/// The property name with this index.
pub fn name(at: usize) -> &'static str {
    let (before, rest) = generated::NAME_LENGTHS.split_at(at);
    let from: usize = before.iter().map(|&n| n as usize).sum();
    text::part(generated::NAMES, from, from + rest[0] as usize)
}
