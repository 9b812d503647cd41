//! Strings, numbers and words.

use super::{Json, Reader};
use crate::{extract::repair::Repair, text};
use alloc::string::{String, ToString};

impl<'s> Reader<'s, '_> {
    /// A string up to its closing quote. A block that ends inside it has no such string.
    pub(super) fn string(&mut self, quote: u8) -> Option<String> {
        self.at += 1;
        let mut out = String::new();
        let mut from = self.at;
        loop {
            let Some(b) = self.peek() else {
                self.stop(Repair::Truncated);
                return None;
            };
            if b == quote {
                out.push_str(&self.source[from..self.at]);
                self.at += 1;
                return Some(out);
            }
            if b == b'\\' {
                out.push_str(&self.source[from..self.at]);
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
        let simple = match self.bytes.get(self.at + 1) {
            Some(&b @ (b'"' | b'\\' | b'/')) => b,
            Some(b'b') => 8,
            Some(b'f') => 12,
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'u') => return self.unicode_escape(out),
            Some(b'x') => match self.hex(self.at + 2, 2) {
                Some(code) => {
                    self.note(Repair::HexEscape);
                    out.push(code as u8 as char);
                    self.at += 4;
                    return;
                }
                None => return self.bad_escape(out),
            },
            // JavaScript's line continuation.
            Some(b'\n') => {
                self.note(Repair::BadEscape);
                self.at += 2;
                return;
            }
            Some(b'\'') => {
                self.note(Repair::BadEscape);
                b'\''
            }
            _ => {
                self.note(Repair::BadEscape);
                self.at += 1;
                return;
            }
        };
        out.push(simple as char);
        self.at += 2;
    }

    fn unicode_escape(&mut self, out: &mut String) {
        let Some(unit) = self.hex(self.at + 2, 4) else { return self.bad_escape(out) };
        let mut code = unit;
        let mut length = 6;
        if unit & 0xfc00 == 0xd800 && self.bytes.get(self.at + 6..self.at + 8) == Some(b"\\u") {
            if let Some(low) = self.hex(self.at + 8, 4).filter(|low| low & 0xfc00 == 0xdc00) {
                code = 0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff);
                length = 12;
            }
        }
        out.push(char::from_u32(code).unwrap_or_else(|| {
            self.note(Repair::LoneSurrogate);
            char::REPLACEMENT_CHARACTER
        }));
        self.at += length;
    }

    /// `\u` or `\x` without its digits stays as it is written.
    fn bad_escape(&mut self, out: &mut String) {
        self.note(Repair::BadEscape);
        out.push('\\');
        self.at += 1;
    }

    fn hex(&self, at: usize, digits: usize) -> Option<u32> {
        let mut code = 0;
        for &b in self.bytes.get(at..at + digits)? {
            code = code << 4 | (b as char).to_digit(16)?;
        }
        Some(code)
    }

    /// A number, `true`, `false`, `null`, or what stands in their place.
    pub(super) fn word(&mut self) -> Option<Json> {
        let start = self.at;
        let word = self.word_here();
        self.at += word.len();
        // At the end of the block nothing says that the word is whole.
        if self.at == self.bytes.len() && self.arrays + self.objects > 0 {
            self.stop(Repair::Truncated);
            return None;
        }
        let bytes = word.as_bytes();
        let digits = bytes.strip_prefix(b"-").unwrap_or(bytes);
        let (repair, value) = match word {
            "" => {
                self.stop(Repair::Unreadable);
                return None;
            }
            "true" => return Some(Json::Bool(true)),
            "false" => return Some(Json::Bool(false)),
            "null" => return Some(Json::Null),
            _ if is_number(bytes) => return Some(Json::Number(word.to_string())),
            _ if digits.len() > 1 && digits[0] == b'0' && digits[1].is_ascii_digit() => {
                (Repair::LeadingZero, Some(Json::Text(word.to_string())))
            }
            _ if text::same_ignoring_case(word, "true") => (Repair::WordCase, Some(Json::Bool(true))),
            _ if text::same_ignoring_case(word, "false") => (Repair::WordCase, Some(Json::Bool(false))),
            "None" | "NULL" | "Null" => (Repair::WordCase, Some(Json::Null)),
            // A bare date or an amount is data; a bare identifier names a variable that is not there.
            _ if digits.iter().any(u8::is_ascii_digit) && !digits[0].is_ascii_alphabetic() => {
                (Repair::BareText, Some(Json::Text(word.to_string())))
            }
            _ => (Repair::NotAValue, None),
        };
        self.repairs.note(repair, start);
        value
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
        &self.source[self.at..end]
    }
}

/// Whether the text is a number of RFC 8259, section 6.
fn is_number(word: &[u8]) -> bool {
    let mut rest = word.strip_prefix(b"-").unwrap_or(word);
    let take = |rest: &mut &[u8]| {
        let n = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        *rest = &rest[n..];
        n
    };
    let zero = rest.first() == Some(&b'0');
    let whole = take(&mut rest);
    if whole == 0 || (zero && whole > 1) {
        return false;
    }
    if let [b'.', fraction @ ..] = rest {
        rest = fraction;
        if take(&mut rest) == 0 {
            return false;
        }
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        rest = exponent;
        if let [b'+' | b'-', unsigned @ ..] = rest {
            rest = unsigned;
        }
        if take(&mut rest) == 0 {
            return false;
        }
    }
    rest.is_empty()
}
