//! Writes the records of the wire form.

use super::rules::{BLOCKS, has};
use super::tree::Element;
use crate::dom::{ATTRIBUTES, Attr, FIELD, RECORD_END};
use crate::{limits, text};
use alloc::string::String;

/// Writes records, and counts what has a limit.
#[derive(Default)]
pub struct Writer {
    pub out: String,
    /// Whether `role` is one of the attributes that are written.
    pub roles: bool,
    /// Text that has been read but not yet written: neighbouring text nodes are one run.
    run: String,
    /// The run is part of a value: white space counts.
    exact: bool,
    /// A line boundary stands before the run.
    pub line: bool,
    nodes: usize,
    units: usize,
    /// A limit has been hit: nothing more is written but the ends of open elements.
    pub cut: bool,
}

impl Writer {
    pub fn element(&mut self, e: &Element) {
        self.flush();
        if !self.admit() {
            return;
        }
        self.out.push('E');
        if !e.is_html() {
            self.out.push('*');
        }
        self.push(&e.name.local.to_lowercase());
        for attr in &e.attrs {
            let name = qualified(attr);
            if let Some(code) = code(&name).filter(|code| self.roles || *code != Attr::Role) {
                self.out.push(FIELD);
                self.out.push(code as u8 as char);
                if code == Attr::Xmlns {
                    self.push(&name["xmlns:".len()..]);
                    self.out.push('=');
                }
                self.push(&attr.value);
            }
        }
        self.out.push(RECORD_END);
    }

    pub fn close(&mut self) {
        self.flush();
        self.out.push('X');
        self.out.push(RECORD_END);
    }

    /// The text of a JSON-LD script, whole.
    pub fn script(&mut self, block: &str) {
        if !block.is_empty() && self.admit() {
            self.out.push('T');
            self.push(block);
            self.out.push(RECORD_END);
        }
    }

    pub fn text(&mut self, run: &str, exact: bool) {
        self.run.push_str(run);
        self.exact |= exact;
    }

    /// An element begins or ends whose text may stand on lines of its own.
    pub fn boundary(&mut self, name: &str) {
        if has(BLOCKS, name) {
            self.flush();
            self.line = true;
        }
    }

    /// Writes the run. White space at the start of a line says nothing unless it is part of a value.
    fn flush(&mut self) {
        let blank = !self.exact && self.line && self.run.bytes().all(text::is_space);
        if !self.run.is_empty() && !blank && (!self.line || self.record("B")) && self.admit() {
            self.line = false;
            self.out.push('T');
            let run = core::mem::take(&mut self.run);
            self.push(&run);
            self.out.push(RECORD_END);
        }
        self.run.clear();
        self.exact = false;
    }

    fn record(&mut self, record: &str) -> bool {
        let admitted = self.admit();
        if admitted {
            self.out.push_str(record);
            self.out.push(RECORD_END);
        }
        admitted
    }

    /// Whether one more node may be written. Says `C` once when it may not.
    fn admit(&mut self) -> bool {
        if !self.cut && (self.nodes >= limits::SNAPSHOT_NODES || self.units >= limits::SNAPSHOT_TEXT) {
            self.cut = true;
            self.out.push('C');
            self.out.push(RECORD_END);
        }
        self.nodes += 1;
        !self.cut
    }

    /// Appends a value without the two characters that delimit. Lengths are counted in UTF-16 units, as in JavaScript.
    pub fn push(&mut self, value: &str) {
        for c in value.chars() {
            self.units += c.len_utf16();
            self.out.push(if matches!(c, FIELD | RECORD_END) { ' ' } else { c });
        }
    }
}

pub fn qualified(attr: &html5ever::Attribute) -> String {
    let mut out = String::new();
    if let Some(prefix) = &attr.name.prefix {
        out.push_str(prefix);
        out.push(':');
    }
    out.push_str(&attr.name.local);
    out
}

pub fn code(name: &str) -> Option<Attr> {
    if name.len() > 6 && name.starts_with("xmlns:") {
        return Some(Attr::Xmlns);
    }
    ATTRIBUTES.iter().find(|(attr, n, _)| *n == name && *attr != Attr::Xmlns).map(|(attr, ..)| *attr)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_once_that_it_stopped() {
        for (nodes, units) in [(limits::SNAPSHOT_NODES - 1, 0), (0, limits::SNAPSHOT_TEXT - 1)] {
            let mut writer = Writer { nodes, units, ..Default::default() };
            for block in ["a", "b", "c"] {
                writer.script(block);
            }
            assert_eq!(writer.out, "Ta\u{1e}C\u{1e}");
        }
    }
}
