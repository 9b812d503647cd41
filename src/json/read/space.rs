//! White space, and what pages put in its place: odd spaces, comments, wrappers.

use super::Reader;
use crate::{extract::repair::Repair, text};

impl Reader<'_, '_> {
    /// White space, and what pages put in its place: odd spaces, comments, wrappers.
    pub(super) fn space(&mut self) {
        while let Some(b) = self.peek() {
            match b {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                0..0x20 => {
                    self.note(Repair::OddSpace);
                    self.at += 1;
                }
                b'/' if !self.comment() => return,
                b'<' if !self.opening() => return,
                b'/' | b'<' => {}
                b']' | b'-' if !self.closing() => return,
                b']' | b'-' => {}
                0x80.. => match self.source[self.at..].chars().next() {
                    Some(c) if is_odd_space(c) => {
                        self.note(Repair::OddSpace);
                        self.at += c.len_utf8();
                    }
                    _ => return,
                },
                _ => return,
            }
        }
    }

    /// `//` and `/* */`. A line comment that holds a wrapper (`//<![CDATA[`) ends with it: the data may follow on
    /// the same line.
    fn comment(&mut self) -> bool {
        let end = match self.bytes.get(self.at + 1) {
            Some(b'*') => self.find(self.at + 2, b"*/").map(|end| end + 2),
            Some(b'/') => {
                let start = self.at;
                self.at += 2;
                while matches!(self.peek(), Some(b' ' | b'\t')) {
                    self.at += 1;
                }
                let outside = self.arrays + self.objects == 0;
                if outside && (self.take(b"<![CDATA[", Repair::Cdata) || self.closing()) {
                    return true;
                }
                if outside && self.take(b"<!--", Repair::HtmlComment) {
                    return true;
                }
                self.at = start;
                self.bytes[start..].iter().position(|&b| b == b'\n' || b == b'\r').map(|n| start + n)
            }
            _ => return false,
        };
        self.note(Repair::Comment);
        self.at = end.unwrap_or(self.bytes.len());
        true
    }

    /// `<![CDATA[`, and `<!--`: a wrapper when data follows it, else a comment up to `-->`.
    fn opening(&mut self) -> bool {
        if self.take(b"<![CDATA[", Repair::Cdata) {
            return true;
        }
        let start = self.at;
        if !self.take(b"<!--", Repair::HtmlComment) {
            return false;
        }
        let mut inside = self.at;
        while self.bytes.get(inside).is_some_and(|&b| text::is_space(b)) {
            inside += 1;
        }
        let wraps = self.arrays + self.objects == 0 && matches!(self.bytes.get(inside), Some(b'{' | b'['));
        if !wraps && !self.no_comment_end {
            match self.find(start + 4, b"-->") {
                Some(end) => self.at = end + 3,
                None => self.no_comment_end = true,
            }
        }
        true
    }

    /// `]]>` and `-->` outside the data.
    fn closing(&mut self) -> bool {
        self.arrays + self.objects == 0 && (self.take(b"]]>", Repair::Cdata) || self.take(b"-->", Repair::HtmlComment))
    }

    fn take(&mut self, token: &[u8], repair: Repair) -> bool {
        let here = self.bytes[self.at..].starts_with(token);
        if here {
            self.note(repair);
            self.at += token.len();
        }
        here
    }

    fn find(&self, from: usize, token: &[u8]) -> Option<usize> {
        self.bytes.get(from..)?.windows(token.len()).position(|w| w == token).map(|n| from + n)
    }
}

fn is_odd_space(c: char) -> bool {
    matches!(
        c,
        '\u{a0}' | '\u{85}' | '\u{1680}' | '\u{2000}'
            ..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{202f}' | '\u{205f}' | '\u{2060}' | '\u{3000}' | '\u{feff}'
    )
}
