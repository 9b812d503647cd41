//! Prints the wire form of HTML files, for comparison with the browser's reader.
//!
//! It reads lines `mode URL file` and writes for each the length in bytes, a line break, and the wire form. Modes:
//! `markup`; `text`; `live` (page mode of a page with scripts); `page` (page mode of what `DOMParser` makes).

use agenticschema::dom::html::{Mode, wire_in};
use std::io::{BufRead, Write, stdin, stdout};

fn main() -> std::io::Result<()> {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line?;
        let mut fields = line.splitn(3, ' ');
        let (mode, url, file) = (fields.next(), fields.next().unwrap_or(""), fields.next().unwrap_or(""));
        let html = std::fs::read(file)?;
        let html = String::from_utf8_lossy(&html);
        let (mode, scripting) = match mode {
            Some("text") => (Mode::Text, true),
            Some("live") => (Mode::Page, true),
            Some("page") => (Mode::Page, false),
            _ => (Mode::Markup, true),
        };
        let wire = wire_in(&html, url, mode, scripting);
        writeln!(out, "{}", wire.len())?;
        out.write_all(wire.as_bytes())?;
    }
    Ok(())
}
