//! A JSON object as an outline for people: a line for each value, indented.

use crate::paint::{Paint, plain};
use serde_json::Value;

/// Columns between a key and its value, at least.
const GAP: usize = 2;
/// Keys up to this length are lined up.
const COLUMN: usize = 20;

/// The lines of a JSON object or list, each behind `indent` spaces.
pub fn lines(value: &Value, indent: usize, paint: Paint) -> Vec<String> {
    let mut out = Vec::new();
    match value {
        Value::Object(members) => {
            let width = members.keys().map(|key| key.chars().count()).filter(|n| *n <= COLUMN).max().unwrap_or(0) + GAP;
            for (key, value) in members {
                let key = plain(key);
                match value {
                    Value::Object(inner) if !inner.is_empty() => {
                        out.push(line(indent, &paint.key(&key)));
                        out.extend(lines(value, indent + 2, paint));
                    }
                    Value::Array(items) if items.iter().any(|item| item.is_object() || item.is_array()) => {
                        out.push(line(indent, &paint.key(&key)));
                        out.extend(lines(value, indent + 2, paint));
                    }
                    _ => {
                        let gap = " ".repeat(width.saturating_sub(key.chars().count()).max(GAP));
                        out.push(line(indent, &format!("{}{gap}{}", paint.key(&key), scalar(value))));
                    }
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                let inner = lines(item, indent + 2, paint);
                // The dash stands where the indentation of the first line is.
                for (n, text) in inner.into_iter().enumerate() {
                    out.push(if n == 0 {
                        format!("{}{} {}", " ".repeat(indent), paint.faint("-"), text.trim_start())
                    } else {
                        text
                    });
                }
            }
        }
        _ => out.push(line(indent, &scalar(value))),
    }
    out
}

fn line(indent: usize, words: &str) -> String {
    format!("{}{words}", " ".repeat(indent))
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(words) => plain(words),
        Value::Array(items) => items.iter().map(scalar).collect::<Vec<_>>().join(", "),
        Value::Object(_) => String::new(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines() {
        let value = serde_json::json!({"name": "Oak\x1b Lamp", "price": 19.9, "colours": ["red", "blue"], "offers": [{"seller": "A", "at": {"city": "Ulm"}}, "x"], "none": {}});
        let want = "  name     Oak  Lamp\n  price    19.9\n  colours  red, blue\n  offers\n    - seller  A\n      at\n        city  Ulm\n    - x\n  none     ";
        assert_eq!(lines(&value, 2, Paint::none()).join("\n"), want);
    }
}
