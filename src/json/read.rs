//! The lenient JSON reader: RFC 8259, plus the damage of real pages, each repair named by a [`Repair`].
//!
//! It reads bytes from left to right once, so it is linear, and calls itself at most [`limits::DEPTH`] deep.

mod space;
mod token;

use super::Json;
use crate::{
    extract::repair::{Repair, Repairs},
    limits, text,
};
use alloc::{string::String, vec::Vec};

/// The JSON values of a block, repaired as far as that needs no guessing. An empty block has none.
pub fn parse(source: &str, repairs: &mut Repairs) -> Vec<Json> {
    let mut out = Vec::new();
    if let Some(at) = entity_quotes(source) {
        repairs.note(Repair::EntityBlock, at);
        parse_text(&text::decode_entities(source), repairs, &mut out, false);
    } else {
        parse_text(source, repairs, &mut out, false);
    }
    out
}

/// One JSON value exactly as RFC 8259 has it, or `None`. For the arguments of calls.
pub fn parse_strict(source: &str) -> Option<Json> {
    let mut repairs = Repairs::default();
    let mut roots = Reader::new(source, &mut repairs).roots();
    if repairs.is_empty() && roots.len() == 1 { roots.pop() } else { None }
}

/// Where the block's first quote stands as an entity. Such a block can be no JSON as it is.
fn entity_quotes(source: &str) -> Option<usize> {
    let bytes = source.as_bytes();
    let at = bytes.iter().position(|&b| !matches!(b, b'{' | b'[') && !text::is_space(b))?;
    let (decoded, _) = text::entity(source.get(at..)?)?;
    matches!(decoded, '"' | '\'' | '{' | '[').then_some(at)
}

/// Reads the roots; a root that is a string holding JSON is read in its turn, once (`inner`).
fn parse_text(source: &str, repairs: &mut Repairs, out: &mut Vec<Json>, inner: bool) {
    for root in Reader::new(source, repairs).roots() {
        match root {
            Json::Text(text) if !inner && matches!(text::trim(&text).as_bytes().first(), Some(b'{' | b'[')) => {
                repairs.note(Repair::DoubleEncoded, 0);
                parse_text(&text, repairs, out, true);
            }
            root if is_container(&root) => out.push(root),
            Json::Null => {}
            _ if inner => {}
            _ => repairs.note(Repair::NoObject, 0),
        }
    }
}

fn is_container(value: &Json) -> bool {
    matches!(value, Json::Array(_) | Json::Object(_))
}

fn starts_value(byte: u8) -> bool {
    matches!(byte, b'{' | b'[' | b'"' | b'\'' | b'-' | b'0'..=b'9')
}

struct Reader<'s, 'r> {
    source: &'s str,
    bytes: &'s [u8],
    at: usize,
    repairs: &'r mut Repairs,
    /// Open arrays and objects: they tell a missing bracket from a stray one.
    open: [usize; 2],
    /// Reading has stopped: the block ended too early or cannot be understood.
    stopped: bool,
    /// No `-->` follows: asked once, so that many `<!--` stay linear.
    no_comment_end: bool,
}

impl<'s, 'r> Reader<'s, 'r> {
    fn new(source: &'s str, repairs: &'r mut Repairs) -> Self {
        let bytes = source.as_bytes();
        Reader { source, bytes, at: 0, repairs, open: [0; 2], stopped: false, no_comment_end: false }
    }

    /// Every value of the block, one after the other.
    fn roots(&mut self) -> Vec<Json> {
        let mut roots = Vec::new();
        let mut several = false;
        loop {
            self.space();
            let Some(b) = self.peek() else { break };
            if starts_value(b) || text::listed("true false null", self.word_here()) {
                if several {
                    self.note(Repair::SeveralRoots);
                }
                several = true;
                roots.extend(self.value());
                if self.stopped {
                    break;
                }
            } else if !several {
                self.stop(Repair::Unreadable);
                break;
            } else {
                self.note(if b == b',' { Repair::SeveralRoots } else { Repair::AfterRoot });
                if !matches!(b, b'}' | b']' | b',' | b';' | b')') {
                    break;
                }
                self.at += 1;
            }
        }
        roots
    }

    /// The value that starts here; `None` if there is none to keep.
    fn value(&mut self) -> Option<Json> {
        let b = self.peek()?;
        match b {
            b'{' | b'[' if self.depth() >= limits::DEPTH => {
                self.note(Repair::Deep);
                self.skip();
                None
            }
            b'{' | b'[' => self.container(b == b'{'),
            b'"' | b'\'' => self.string(b).map(Json::Text),
            _ => self.word(),
        }
    }

    /// An array or object; the items of an array are members without a name.
    fn container(&mut self, object: bool) -> Option<Json> {
        let mut members: Vec<(String, Json)> = Vec::new();
        self.at += 1;
        self.open[usize::from(object)] += 1;
        // `None` after a value, else where the last comma stood (or the bracket, for the first member).
        let mut separator = Some(self.at);
        let mut first = true;
        while !self.stopped {
            let before = self.at;
            self.space();
            let start = self.at;
            match self.peek() {
                None => self.stop(Repair::Truncated),
                Some(b @ (b'}' | b']')) => {
                    if object != (b == b'}') {
                        if self.open[usize::from(!object)] > 0 {
                            self.note(Repair::MissingBracket);
                            break;
                        }
                        self.note(Repair::StrayBracket);
                        self.at += 1;
                        continue;
                    }
                    if let (Some(comma), false) = (separator, first) {
                        self.repairs.note(Repair::TrailingComma, comma);
                    }
                    self.at += 1;
                    break;
                }
                Some(b',') => {
                    if separator.is_some() {
                        self.note(Repair::DoubledComma);
                    }
                    separator = Some(start);
                    self.at += 1;
                }
                Some(b) => {
                    // After a string or word that no separator follows: it may have ended at a quote that belongs to
                    // its text; as `1` in `1,299.00` at a comma.
                    let doubtful = (separator.is_none() || object && b.is_ascii_digit())
                        && members.last().is_some_and(|(_, v)| !is_container(v));
                    let fits = if object { matches!(b, b'"' | b'\'') } else { starts_value(b) };
                    let apart = object || start > before || !doubtful;
                    let key = if separator.is_none() && !(fits && apart) {
                        None
                    } else if object {
                        self.key()
                    } else {
                        Some(String::new())
                    };
                    let Some(key) = key else {
                        if doubtful {
                            members.pop();
                        }
                        if !self.stopped {
                            self.stop(Repair::Unreadable);
                        }
                        break;
                    };
                    if separator.is_none() {
                        self.repairs.note(Repair::MissingComma, start);
                    }
                    first = false;
                    separator = None;
                    if object {
                        self.space();
                        if matches!(self.peek(), Some(b',' | b'}')) {
                            self.note(Repair::EmptyValue);
                            continue;
                        }
                    }
                    if let Some(value) = self.value() {
                        members.push((key, value));
                    }
                }
            }
        }
        self.open[usize::from(object)] -= 1;
        // What the end of the block cut short before its first member says nothing.
        if self.stopped && members.is_empty() {
            return None;
        }
        if object {
            return Some(Json::Object(members));
        }
        let mut items = Vec::with_capacity(members.len());
        for (_, item) in members {
            items.push(item);
        }
        Some(Json::Array(items))
    }

    /// A property name and its colon. `None` if there is none here.
    fn key(&mut self) -> Option<String> {
        let start = self.at;
        let b = self.peek()?;
        let quoted = matches!(b, b'"' | b'\'');
        let key = if quoted {
            self.string(b)?
        } else {
            while self.peek().is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'@' | b'-')) {
                self.at += 1;
            }
            if self.at == start || !(b.is_ascii_alphabetic() || matches!(b, b'_' | b'$' | b'@')) {
                return None;
            }
            String::from(text::part(self.source, start, self.at))
        };
        self.space();
        match self.peek() {
            Some(b':') => self.at += 1,
            None => {
                self.stop(Repair::Truncated);
                return None;
            }
            _ => return None,
        }
        if !quoted {
            self.repairs.note(Repair::UnquotedKey, start);
        }
        Some(key)
    }

    /// Passes over an array or object without recursion, brackets counted.
    fn skip(&mut self) {
        let mut open = 0usize;
        let mut quoted = false;
        while let Some(b) = self.peek() {
            self.at += 1;
            match b {
                b'"' => quoted = !quoted,
                b'\\' if quoted => self.at += 1,
                b'{' | b'[' if !quoted => open += 1,
                b'}' | b']' if !quoted => {
                    open -= 1;
                    if open == 0 {
                        return;
                    }
                }
                _ => {}
            }
        }
        self.at = self.bytes.len();
        self.stop(Repair::Truncated);
    }

    fn depth(&self) -> usize {
        self.open[0] + self.open[1]
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    #[inline(never)]
    fn note(&mut self, repair: Repair) {
        self.repairs.note(repair, self.at);
    }

    fn stop(&mut self, why: Repair) {
        self.note(why);
        self.stopped = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use std::time::Instant;

    /// A small deterministic generator (xorshift), so that a failure repeats.
    struct Random(u64);

    impl Random {
        fn below(&mut self, n: usize) -> usize {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 11) as usize % n
        }
    }

    fn generate(random: &mut Random, depth: usize, out: &mut String) {
        const WORDS: &[&str] = &["null", "true", "false", "0", "-0", "19.90", "1e+5", "-2e-3", "12345678901234567891"];
        const STRINGS: &[&str] =
            &["", "a", "é", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\"", "\\\\", "\\/", "&amp;", "//", "]]>"];
        let space = ["", " ", "\n\t"][random.below(3)];
        out.push_str(space);
        match random.below(if depth == 0 { 2 } else { 4 }) {
            0 => out.push_str(WORDS[random.below(WORDS.len())]),
            1 => {
                out.push('"');
                for _ in 0..random.below(4) {
                    out.push_str(STRINGS[random.below(STRINGS.len())]);
                }
                out.push('"');
            }
            kind => {
                let brackets = if kind == 2 { ['[', ']'] } else { ['{', '}'] };
                out.push(brackets[0]);
                for n in 0..random.below(4) {
                    if n > 0 {
                        out.push(',');
                    }
                    if kind == 3 {
                        out.push_str(&std::format!("\"k{n}\"{space}:"));
                    }
                    generate(random, depth - 1, out);
                }
                out.push_str(space);
                out.push(brackets[1]);
            }
        }
        out.push_str(space);
    }

    /// The reader and serde_json agree on what is JSON and what it says; what the writer writes reads back the same.
    #[test]
    fn agrees_with_serde_json() {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut read = 0;
        for round in 0..6000 {
            let mut text = String::new();
            generate(&mut random, 5, &mut text);
            // Every other text is damaged at one place.
            if round % 2 == 1 {
                let mut chars: Vec<char> = text.chars().collect();
                let at = random.below(chars.len());
                match random.below(3) {
                    0 => drop(chars.remove(at)),
                    1 => chars.insert(at, ['"', ',', '}', '\\', '0', '\u{1}', 'e', '\''][random.below(8)]),
                    _ => chars.truncate(at),
                }
                text = chars.into_iter().collect();
            }
            let ours = parse_strict(&text);
            let theirs = serde_json::from_str::<serde_json::Value>(&text).ok();
            assert_eq!(ours.is_some(), theirs.is_some(), "{text}");
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                read += 1;
                // serde_json writes exponents in a form of its own.
                let exponents = |s: String| s.replace('E', "e").replace("e+", "e");
                assert_eq!(exponents(ours.to_text()), exponents(theirs.to_string()), "{text}");
                assert_eq!(parse_strict(&ours.to_text()).as_ref(), Some(&ours), "{text}");
            }
            // Whatever the damage, reading ends and what is read can be written as JSON.
            for value in parse(&text, &mut Repairs::default()) {
                assert!(serde_json::from_str::<serde_json::Value>(&value.to_text()).is_ok(), "{text}");
            }
        }
        assert!(read > 3000, "{read}");
    }

    #[test]
    fn nesting_is_cut_and_the_rest_kept() {
        for open in ["[", "{\"a\":"] {
            let mut text = String::from("{\"name\":\"x\",\"deep\":");
            let n = 100_000;
            text.push_str(&open.repeat(n));
            text.push_str("1");
            text.push_str(&(if open == "[" { "]" } else { "}" }).repeat(n));
            text.push_str(",\"sku\":\"y\"}");
            let mut repairs = Repairs::default();
            let roots = parse(&text, &mut repairs);
            assert_eq!(repairs.kinds().collect::<Vec<_>>(), [Repair::Deep]);
            assert_eq!(roots[0].get("sku").and_then(Json::as_str), Some("y"));
            assert!(parse_strict(&text).is_none());
        }
    }

    /// Text that makes a careless reader search to the end again and again.
    #[test]
    fn hostile_text_is_read_in_linear_time() {
        let started = Instant::now();
        for piece in [
            "<!--", "<!-- x", "/*", "//", "{", "[", "\"", "'", "\\u", "{\"a\":", "[1,", ",", "{a", "]]>", "&", "-",
            "\u{a0}",
        ] {
            for prefix in ["", "{\"a\":1}", "[", "{\"a\":"] {
                let mut text = String::from(prefix);
                text.push_str(&piece.repeat(200_000 / piece.len()));
                parse(&text, &mut Repairs::default());
            }
        }
        assert!(started.elapsed().as_secs() < 60, "{:?}", started.elapsed());
    }
}
