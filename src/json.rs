//! The JSON implementation, and the only one: a lenient reader that keeps numbers as written ([`parse`]; the repairs
//! it makes on the way are named in `extract/repair.rs`), the same reader for exact JSON ([`parse_strict`]), and a
//! writer.

mod read;

pub use read::{parse, parse_strict};

use crate::text;
use alloc::{string::String, vec::Vec};

/// A JSON value. Numbers keep their lexical form (`19.90` stays `19.90`), objects keep order and duplicate keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Json {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as written.
    Number(String),
    /// A string, unescaped.
    Text(String),
    /// An array.
    Array(Vec<Json>),
    /// An object in source order; duplicate keys are kept.
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The first value of `key`, if this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Json> {
        match self {
            Json::Object(members) => members.iter().find(|(k, _)| k == key).map(|(_, v)| v),
            _ => None,
        }
    }

    /// The text of a string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Json::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The elements of an array; anything else is its own only element.
    pub fn items(&self) -> &[Json] {
        match self {
            Json::Array(items) => items,
            value => core::slice::from_ref(value),
        }
    }

    /// Writes the value as compact JSON.
    pub fn write(&self, out: &mut Writer) {
        match self {
            Json::Null => out.raw("null"),
            Json::Bool(true) => out.raw("true"),
            Json::Bool(false) => out.raw("false"),
            Json::Number(n) => out.raw(n),
            Json::Text(s) => out.string(s),
            Json::Array(items) => out.array(|out| {
                for item in items {
                    out.item();
                    item.write(out);
                }
            }),
            Json::Object(members) => out.object(|out| {
                for (k, v) in members {
                    out.key(k);
                    v.write(out);
                }
            }),
        }
    }

    /// The value as compact JSON text.
    pub fn to_text(&self) -> String {
        let mut out = Writer::default();
        self.write(&mut out);
        out.finish()
    }
}

/// Writes compact JSON. Commas are placed by the writer: call [`Writer::key`] before each member's value and
/// [`Writer::item`] before each array element (objects, arrays and [`Writer::field`] inside do the same).
#[derive(Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// The text written so far.
    pub fn finish(self) -> String {
        self.out
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether nothing is written yet.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// A comma unless this is the first element here.
    #[inline(never)]
    pub fn item(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'[' | b'{' | b':' | b',')) {
            self.put(',');
        }
    }

    /// A member's name and the colon.
    #[inline(never)]
    pub fn key(&mut self, key: &str) {
        self.item();
        self.string(key);
        self.put(':');
    }

    /// A member with a string value.
    pub fn field(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    /// An object; `body` writes its members.
    pub fn object(&mut self, body: impl FnOnce(&mut Self)) {
        self.open('{');
        body(self);
        self.put('}');
    }

    /// An array; `body` writes its elements.
    pub fn array(&mut self, body: impl FnOnce(&mut Self)) {
        self.open('[');
        body(self);
        self.put(']');
    }

    fn open(&mut self, bracket: char) {
        self.item();
        self.put(bracket);
    }

    // One copy of these for all who write: callers are many.
    #[inline(never)]
    fn put(&mut self, c: char) {
        self.out.push(c);
    }

    /// Text that is JSON already.
    #[inline(never)]
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// A string, escaped as JSON requires (quotes, backslash, controls).
    pub fn string(&mut self, s: &str) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        const ESCAPED: &[u8; 5] = b"\"\\\n\r\t";
        const LETTERS: &[u8; 5] = b"\"\\nrt";
        self.put('"');
        let mut from = 0;
        for (i, b) in s.bytes().enumerate() {
            let known = ESCAPED.iter().position(|&e| e == b);
            if b >= 0x20 && known.is_none() {
                continue;
            }
            self.raw(text::part(s, from, i));
            from = i + 1;
            self.put('\\');
            match known {
                Some(at) => self.put(LETTERS[at] as char),
                None => {
                    self.raw(if b < 16 { "u000" } else { "u001" });
                    self.put(HEX[(b & 15) as usize] as char);
                }
            }
        }
        self.raw(text::part(s, from, s.len()));
        self.put('"');
    }

    /// A number.
    pub fn number(&mut self, n: usize) {
        self.out.push_str(&text::number(n));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::ToString, vec};

    #[test]
    fn writes_what_serde_json_reads() {
        let value = Json::Object(vec![
            ("a".to_string(), Json::Array(vec![Json::Null, Json::Bool(true), Json::Number("19.90".to_string())])),
            ("b\"\u{1}".to_string(), Json::Object(vec![])),
            ("c".to_string(), Json::Text("x\n\\é".to_string())),
        ]);
        let text = value.to_text();
        assert_eq!(text, "{\"a\":[null,true,19.90],\"b\\\"\\u0001\":{},\"c\":\"x\\n\\\\é\"}");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}
