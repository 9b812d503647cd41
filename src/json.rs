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
    pub fn item(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'[' | b'{' | b':' | b',')) {
            self.out.push(',');
        }
    }

    /// A member's name and the colon.
    pub fn key(&mut self, key: &str) {
        self.item();
        self.string(key);
        self.out.push(':');
    }

    /// A member with a string value.
    pub fn field(&mut self, key: &str, value: &str) {
        self.key(key);
        self.string(value);
    }

    /// An object; `body` writes its members.
    pub fn object(&mut self, body: impl FnOnce(&mut Self)) {
        self.item();
        self.out.push('{');
        body(self);
        self.out.push('}');
    }

    /// An array; `body` writes its elements.
    pub fn array(&mut self, body: impl FnOnce(&mut Self)) {
        self.item();
        self.out.push('[');
        body(self);
        self.out.push(']');
    }

    /// Text that is JSON already.
    pub fn raw(&mut self, json: &str) {
        self.out.push_str(json);
    }

    /// A string, escaped as JSON requires (quotes, backslash, controls).
    pub fn string(&mut self, s: &str) {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        self.out.push('"');
        let mut from = 0;
        for (i, b) in s.bytes().enumerate() {
            if b >= 0x20 && b != b'"' && b != b'\\' {
                continue;
            }
            self.out.push_str(&s[from..i]);
            from = i + 1;
            self.out.push('\\');
            match b {
                b'"' | b'\\' => self.out.push(b as char),
                b'\n' => self.out.push('n'),
                b'\r' => self.out.push('r'),
                b'\t' => self.out.push('t'),
                _ => {
                    self.out.push_str("u00");
                    self.out.push(HEX[(b >> 4) as usize] as char);
                    self.out.push(HEX[(b & 15) as usize] as char);
                }
            }
        }
        self.out.push_str(&s[from..]);
        self.out.push('"');
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
