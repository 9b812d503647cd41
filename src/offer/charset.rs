//! Bytes → text, as browsers decode: byte order mark, then the `Content-Type`, then a `<meta>`, then what fits.

use crate::limits;
use alloc::{format, string::String, vec::Vec};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

/// Bytes that are searched for a `<meta>` in any case; further ones while the head goes on.
const PRESCAN: usize = 1_024;
/// Bytes that are searched at most.
const PRESCAN_MOST: usize = 65_536;
/// Elements of a head: the first other one ends the search.
const HEAD: [&str; 9] = ["html", "head", "title", "meta", "link", "base", "script", "style", "noscript"];

/// The text of a page. Without any word about it, text that is UTF-8 is taken for that, and other text for the Web's
/// old default.
pub fn page(bytes: &[u8], content_type: &str) -> String {
    let declared = label(content_type).and_then(Encoding::for_label).or_else(|| meta(bytes));
    let encoding = declared.unwrap_or_else(|| if is_utf8(bytes) { UTF_8 } else { WINDOWS_1252 });
    // `decode` lets a byte order mark overrule.
    encoding.decode(bytes).0.into_owned()
}

/// The text of an action's response: the same, but UTF-8 in the end, as `fetch` has it.
pub fn response(bytes: &[u8], content_type: &str) -> String {
    let html = || if content_type.to_ascii_lowercase().contains("html") { meta(bytes) } else { None };
    let declared = label(content_type).and_then(Encoding::for_label).or_else(html);
    declared.unwrap_or(UTF_8).decode(bytes).0.into_owned()
}

/// The label after `charset=`.
fn label(text: &str) -> Option<&[u8]> {
    let lower = text.to_ascii_lowercase();
    for (at, word) in lower.match_indices("charset") {
        let rest = &text[at + word.len()..];
        if let Some(rest) = rest.trim_start().strip_prefix('=') {
            let rest = rest.trim_start().trim_start_matches(['"', '\'']);
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || "_:.-".contains(c))).unwrap_or(rest.len());
            return Some(&rest.as_bytes()[..end]);
        }
    }
    None
}

/// Whether all of it is UTF-8. The limit of a page may have cut its last character in two.
fn is_utf8(bytes: &[u8]) -> bool {
    let cut = bytes.len() >= limits::PAGE;
    core::str::from_utf8(bytes).map_or_else(|error| cut && error.error_len().is_none(), |_| true)
}

/// What a `<meta>` near the start declares
/// ([prescan](https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding)).
fn meta(bytes: &[u8]) -> Option<&'static Encoding> {
    let bytes = &bytes[..bytes.len().min(PRESCAN_MOST)];
    let mut at = 0;
    while let Some(open) = find(bytes, at, b"<") {
        let rest = &bytes[open + 1..];
        if rest.starts_with(b"!--") {
            at = find(bytes, open + 2, b"-->")? + 3;
            continue;
        }
        let name: String = rest
            .iter()
            .take_while(|b| b.is_ascii_alphanumeric())
            .take(16)
            .map(|b| b.to_ascii_lowercase() as char)
            .collect();
        let (attributes, end) = attributes(bytes, open + 1 + name.len());
        if name == "meta" {
            if let Some(encoding) = declared(&attributes) {
                return Some(encoding);
            }
        }
        if open > PRESCAN && !name.is_empty() && !HEAD.contains(&name.as_str()) {
            return None;
        }
        at = end.max(open + 1);
        if matches!(name.as_str(), "script" | "style" | "title" | "noscript") {
            // What these hold is text.
            let close = format!("</{name}");
            at = find_ignoring_case(bytes, at, close.as_bytes()).unwrap_or(bytes.len());
        }
    }
    None
}

fn declared(attributes: &[(String, String)]) -> Option<&'static Encoding> {
    let value = |name: &str| attributes.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str());
    let content = || {
        let refers = value("http-equiv").is_some_and(|v| v.eq_ignore_ascii_case("content-type"));
        if refers { label(value("content")?) } else { None }
    };
    let encoding = Encoding::for_label(value("charset").map(str::as_bytes).or_else(content)?)?;
    Some(match encoding {
        // It was read as ASCII, so it is neither of these.
        e if e == UTF_16BE || e == UTF_16LE => UTF_8,
        e if e == X_USER_DEFINED => WINDOWS_1252,
        e => e,
    })
}

/// The attributes of a tag whose name ends at `at`, names in lower case, and where the tag ends.
fn attributes(bytes: &[u8], mut at: usize) -> (Vec<(String, String)>, usize) {
    let text = |range: core::ops::Range<usize>| bytes[range].iter().map(|b| *b as char).collect::<String>();
    let skip = |mut at: usize, of: &[u8]| {
        while bytes.get(at).is_some_and(|b| b.is_ascii_whitespace() || of.contains(b)) {
            at += 1;
        }
        at
    };
    let until = |mut at: usize, of: &[u8]| {
        while bytes.get(at).is_some_and(|b| !of.contains(b)) {
            at += 1;
        }
        at
    };
    let mut out = Vec::new();
    loop {
        at = skip(at, b"/");
        match bytes.get(at) {
            // A tag that the end cuts off declares nothing.
            None => return (Vec::new(), bytes.len()),
            Some(b'>') => return (out, at + 1),
            // A tag that was never closed.
            Some(b'<') => return (out, at),
            _ => {}
        }
        let end = until(at, b" \t\n\x0c\r=/>").max(at + 1);
        let name = text(at..end.min(bytes.len())).to_ascii_lowercase();
        at = skip(end, b"");
        let mut value = String::new();
        if bytes.get(at) == Some(&b'=') {
            at = skip(at + 1, b"");
            let quote = bytes.get(at).copied().filter(|b| matches!(b, b'"' | b'\''));
            let from = at + usize::from(quote.is_some());
            let end = quote.map_or_else(|| until(from, b" \t\n\x0c\r>"), |quote| until(from, &[quote]));
            value = text(from.min(end)..end);
            at = end + usize::from(quote.is_some());
        }
        out.push((name, value));
    }
}

fn find(bytes: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(word.len()).position(|w| w == word).map(|at| from + at)
}

fn find_ignoring_case(bytes: &[u8], from: usize, word: &[u8]) -> Option<usize> {
    bytes.get(from..)?.windows(word.len()).position(|w| w.eq_ignore_ascii_case(word)).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages() {
        for (bytes, content_type, want) in [
            (&b"caf\xc3\xa9"[..], "", "café"),
            (b"caf\xe9", "", "café"),
            (b"caf\xe9", "text/html; charset=ISO-8859-1", "café"),
            (b"caf\xe9", "text/html;Charset = 'latin1'", "café"),
            (b"\x82\xb1", "text/html; charset=shift_jis", "こ"),
            (b"\xef\xbb\xbfcaf\xc3\xa9", "text/html; charset=shift_jis", "café"),
            (b"\xff\xfea\x00", "", "a"),
            (b"\xfe\xff\x00a", "", "a"),
            (b"\xa4\xa2", "text/html; charset=nonsense", "¤¢"),
        ] {
            assert_eq!(page(bytes, content_type), want, "{content_type}");
        }
    }

    #[test]
    fn declared_in_the_page() {
        for (start, charset) in [
            ("<meta charset=shift_jis>", "Shift_JIS"),
            ("<META CHARSET = 'Shift_JIS' />", "Shift_JIS"),
            (
                "<!doctype html><html lang=ja><head><title>a<b</title><meta name=x content='charset=koi8-r'><meta http-equiv=Content-Type content='text/html; charset=euc-jp'>",
                "EUC-JP",
            ),
            ("<!-- <meta charset=koi8-r> --><meta charset=gbk>", "GBK"),
            ("<script>'<meta charset=koi8-r>'</script><meta charset=big5>", "Big5"),
            ("<meta charset=utf-16>", "UTF-8"),
            ("<meta charset=x-user-defined>", "windows-1252"),
            ("<meta charset=nonsense><meta charset=koi8-r>", "KOI8-R"),
            ("<meta content='charset=koi8-r'><meta", ""),
            ("<meta charset='koi8-r", ""),
        ] {
            assert_eq!(meta(start.as_bytes()).map_or("", |e| e.name()), charset, "{start}");
        }
        let far = format!("<head>{}<meta charset=gbk>", "<link rel=preload href=x>".repeat(80));
        assert_eq!(meta(far.as_bytes()).map(Encoding::name), Some("GBK"));
        let body = format!("<body><p>{}<p><meta charset=gbk>", "x".repeat(1100));
        assert_eq!(meta(body.as_bytes()), None);
    }

    #[test]
    fn responses() {
        assert_eq!(response(b"caf\xc3\xa9", "application/json"), "café");
        assert_eq!(response(b"caf\xe9", "text/html; charset=latin1"), "café");
        assert_eq!(response(b"<meta charset=latin1>\xe9", "text/html"), "<meta charset=latin1>é");
        assert_eq!(response(b"<meta charset=latin1>\xe9", "text/plain"), "<meta charset=latin1>\u{fffd}");
    }
}
