//! Strings, numbers and words.

use super::{Json, Reader};
use crate::{extract::repair::Repair, text};
use alloc::string::{String, ToString};

impl<'s> Reader<'s, '_> {
    /// A string up to its closing quote. A block that ends inside it has no such string.
    pub(super) fn string(&mut self, quote: u8) -> Option<String> {
        if quote == b'\'' {
            self.note(Repair::SingleQuotes);
        }
        self.at += 1;
        let mut out = String::new();
        let mut from = self.at;
        loop {
            let Some(b) = self.peek() else {
                self.stop(Repair::Truncated);
                return None;
            };
            if b == quote {
                out.push_str(text::part(self.source, from, self.at));
                self.at += 1;
                return Some(out);
            }
            if b == b'\\' {
                out.push_str(text::part(self.source, from, self.at));
                self.escape(&mut out);
                from = self.at;
                continue;
            }
            if b < 0x20 {
                self.note(Repair::RawControl);
            }
            self.at += 1;
        }
    }

    /// The escape at a backslash. Afterwards the reader stands behind it, or on a character to be read as itself.
    fn escape(&mut self, out: &mut String) {
        const ESCAPES: &[u8; 9] = b"\"\\/bfnrt'";
        const MEANT: &[u8; 9] = b"\"\\/\x08\x0c\n\r\t'";
        let kind = self.bytes.get(self.at + 1).copied().unwrap_or(0);
        let digits = match kind {
            b'u' => 4,
            b'x' => 2,
            _ => 0,
        };
        let mut length = 2 + digits;
        let mut code;
        if let Some(n) = ESCAPES.iter().position(|&b| b == kind) {
            if kind == b'\'' {
                self.note(Repair::BadEscape);
            }
            code = u32::from(MEANT[n]);
        } else if let Some(unit) = self.hex(self.at + 2, digits) {
            code = unit;
            if kind == b'x' {
                self.note(Repair::HexEscape);
            } else if unit & 0xfc00 == 0xd800 && self.bytes[self.at + 6..].starts_with(b"\\u") {
                if let Some(low) = self.hex(self.at + 8, 4).filter(|low| low & 0xfc00 == 0xdc00) {
                    code = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
                    length = 12;
                }
            }
        } else {
            self.note(Repair::BadEscape);
            // `\u` or `\x` without its digits stays as it is written.
            if digits > 0 {
                out.push('\\');
            }
            // A line break is JavaScript's line continuation.
            self.at += if kind == b'\n' { 2 } else { 1 };
            return;
        }
        out.push(char::from_u32(code).unwrap_or_else(|| {
            self.note(Repair::LoneSurrogate);
            char::REPLACEMENT_CHARACTER
        }));
        self.at += length;
    }

    /// So many hexadecimal digits, at least one.
    fn hex(&self, at: usize, digits: usize) -> Option<u32> {
        let mut code = 0;
        for &b in self.bytes.get(at..at + digits)? {
            code = code << 4 | (b as char).to_digit(16)?;
        }
        (digits > 0).then_some(code)
    }

    /// A number, `true`, `false`, `null`, or what stands in their place.
    pub(super) fn word(&mut self) -> Option<Json> {
        let start = self.at;
        let word = self.word_here();
        self.at += word.len();
        // At the end of the block nothing says that the word is whole.
        if word.is_empty() || (self.at == self.bytes.len() && self.depth() > 0) {
            self.stop(if word.is_empty() { Repair::Unreadable } else { Repair::Truncated });
            return None;
        }
        for (n, known) in text::tokens("true false null None").enumerate() {
            if text::same_ignoring_case(word, known) {
                if word != known || n == 3 {
                    self.repairs.note(Repair::WordCase, start);
                }
                return Some(if n < 2 { Json::Bool(n == 0) } else { Json::Null });
            }
        }
        if is_number(word.as_bytes()) {
            return Some(Json::Number(word.to_string()));
        }
        // A bare date or an amount is data; a bare identifier names a variable that is not there.
        let (mut signed, mut digits) = (word.as_bytes(), 0);
        if signed[0] == b'-' {
            signed = &signed[1..];
        }
        for b in signed {
            digits += usize::from(b.is_ascii_digit());
        }
        let repair = match signed {
            [b'0', b'0'..=b'9', ..] => Repair::LeadingZero,
            [first, ..] if digits > 0 && !first.is_ascii_alphabetic() => Repair::BareText,
            _ => Repair::NotAValue,
        };
        self.repairs.note(repair, start);
        (repair != Repair::NotAValue).then(|| Json::Text(word.to_string()))
    }

    pub(super) fn word_here(&self) -> &'s str {
        let mut end = self.at;
        while self
            .bytes
            .get(end)
            .is_some_and(|&b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.' | b':' | b'_' | b'$'))
        {
            end += 1;
        }
        text::part(self.source, self.at, end)
    }
}

/// Whether the text is a number of RFC 8259, section 6.
fn is_number(word: &[u8]) -> bool {
    let is = |at: usize, a: u8, b: u8| word.get(at).is_some_and(|&c| c == a || c == b);
    let mut at = usize::from(is(0, b'-', b'-'));
    let zero = is(at, b'0', b'0');
    let whole = digits(word, &mut at);
    let mut fine = whole == 1 || whole > 1 && !zero;
    if is(at, b'.', b'.') {
        at += 1;
        fine &= digits(word, &mut at) > 0;
    }
    if is(at, b'e', b'E') {
        at += 1;
        at += usize::from(is(at, b'+', b'-'));
        fine &= digits(word, &mut at) > 0;
    }
    fine && at == word.len()
}

/// Passes over digits; how many there were.
#[inline(never)]
fn digits(word: &[u8], at: &mut usize) -> usize {
    let from = *at;
    while word.get(*at).is_some_and(u8::is_ascii_digit) {
        *at += 1;
    }
    *at - from
}
