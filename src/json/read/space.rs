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
                _ => match odd_space(&self.bytes[self.at..]) {
                    0 => return,
                    length => {
                        self.note(Repair::OddSpace);
                        self.at += length;
                    }
                },
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
                let outside = self.depth() == 0;
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
        let wraps = self.depth() == 0 && matches!(self.bytes.get(inside), Some(b'{' | b'['));
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
        self.depth() == 0 && (self.take(b"]]>", Repair::Cdata) || self.take(b"-->", Repair::HtmlComment))
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

/// The bytes of the space here that JSON does not know: no-break, typographic and zero-width spaces, line separators,
/// the byte order mark.
fn odd_space(text: &[u8]) -> usize {
    match text {
        [0xc2, 0xa0 | 0x85, ..] => 2,
        [0xe2, 0x80, 0x80..=0x8d | 0xa8 | 0xa9 | 0xaf, ..] | [0xe3, 0x80, 0x80, ..] | [0xef, 0xbb, 0xbf, ..] => 3,
        _ => 0,
    }
}
