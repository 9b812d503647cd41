//! What page data must be before it stands in an answer: plain text without markup or invisible characters, and
//! addresses that lead nowhere surprising. The result is a fixed point: cleaning it again changes nothing.

use crate::{dom, text};
use alloc::{string::String, vec::Vec};

/// Elements whose content is never text for a reader.
const DROPPED: [&str; 5] = ["script", "style", "template", "noscript", "iframe"];
/// Elements that start and end on a line of their own.
const BLOCKS: [&str; 22] = [
    "p",
    "div",
    "br",
    "li",
    "ul",
    "ol",
    "tr",
    "table",
    "section",
    "article",
    "blockquote",
    "pre",
    "dt",
    "dd",
    "hr",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
];

/// Page text as plain text: markup removed (block elements become line breaks), invisible characters dropped, runs
/// of spaces and of line breaks made single.
pub fn plain(source: &str) -> String {
    let mut cleaned = visible(source);
    // Removing markup can join what then reads as markup again; two rounds settle all but hostile text.
    for _ in 0..2 {
        if !text::has(&cleaned, b'<') {
            break;
        }
        let stripped = strip_markup(&cleaned);
        if stripped == cleaned {
            break;
        }
        cleaned = visible(&stripped);
    }
    if looks_like_markup(&cleaned) {
        cleaned = cleaned.chars().map(|c| if c == '<' { '‹' } else { c }).collect();
    }
    cleaned
}

/// Whether something that [`strip_markup`] would remove is still there.
fn looks_like_markup(s: &str) -> bool {
    let mut before = 0;
    s.bytes().any(|b| {
        core::mem::replace(&mut before, b) == b'<' && (b.is_ascii_alphabetic() || matches!(b, b'/' | b'!' | b'?'))
    })
}

/// Invisible characters dropped, white space collapsed, at most one empty line kept out.
fn visible(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    let (mut gap, mut line) = (false, false);
    for piece in text::pieces(s) {
        let c = piece.chars().next().unwrap_or(' ');
        match c {
            '\n' | '\r' | '\u{2028}' | '\u{2029}' => line = true,
            ' ' | '\t' | '\u{c}' | '\u{a0}' => gap = true,
            _ if text::is_invisible(c) => {
                // Controls separate words; joiners and marks do not.
                gap |= c < ' ' || ('\u{7f}'..='\u{9f}').contains(&c);
            }
            _ => {
                if !out.is_empty() && (line || gap) {
                    out.push(if line { '\n' } else { ' ' });
                }
                line = false;
                gap = false;
                out.push_str(piece);
            }
        }
    }
    out
}

/// Tags and comments out, once through. A dropped element goes with its content; hidden ones too.
fn strip_markup(s: &str) -> String {
    let bytes = s.as_bytes();
    let mut out = String::with_capacity(s.len());
    let mut at = 0;
    while at < bytes.len() {
        let next = bytes[at..].iter().position(|&b| b == b'<').map_or(bytes.len(), |n| at + n);
        out.push_str(text::part(s, at, next));
        at = next;
        if at == bytes.len() {
            break;
        }
        let rest = &bytes[at..];
        if rest.starts_with(b"<!--") {
            at += find(rest, b"-->").map_or(rest.len(), |n| n + 3);
            continue;
        }
        let closing = rest.get(1) == Some(&b'/');
        let name_at = if closing { 2 } else { 1 };
        let letters = rest[name_at.min(rest.len())..].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let opens_tag = letters > 0 && rest[name_at].is_ascii_alphabetic();
        let declaration = matches!(rest.get(1), Some(b'!' | b'?'));
        // A tag ends before the next `<`: that keeps this linear, and what it misses a second round sees.
        let end =
            rest.iter().skip(1).position(|&b| matches!(b, b'>' | b'<')).map(|n| n + 1).filter(|&n| rest[n] == b'>');
        let name = text::part(s, at + name_at, at + name_at + letters);
        let is = |list: &[&str]| list.iter().any(|n| text::same_ignoring_case(n, name));
        let is_tag = |&end: &usize| {
            opens_tag && (!is_code(&rest[name_at..end], letters) || is(&DROPPED) || is(&BLOCKS) || hides(&rest[..end]))
        };
        let Some(end) = end.filter(|end| declaration || is_tag(end)) else {
            out.push('<');
            at += 1;
            continue;
        };
        let tag = &rest[..end + 1];
        at += end + 1;
        if !closing && (is(&DROPPED) || hides(tag)) {
            at += closing_tag(&bytes[at..], name.as_bytes());
        }
        if is(&BLOCKS) {
            out.push('\n');
            // A line break that was escaped twice.
            while (closing || text::same_ignoring_case(name, "br")) && bytes[at..].starts_with(b"\\n") {
                at += 2;
            }
        }
    }
    out
}

/// Whether what looks like a tag is a part of code or an address in angle brackets, which no site writes as HTML:
/// `<http://…>`, `<file_name>`, `<String>`. `<o:p>` is what word processors leave.
fn is_code(tag: &[u8], letters: usize) -> bool {
    let after = |n: usize| tag.get(letters + n).copied().unwrap_or(b' ');
    let ends = text::is_space(after(0)) || after(0) == b'/' || (after(0) == b':' && after(1) != b'/');
    let title_case = letters > 1 && tag[0].is_ascii_uppercase() && tag[1..letters].iter().all(u8::is_ascii_lowercase);
    !ends || (title_case && letters == tag.len())
}

/// What hides an element, as [`hides`] sees it.
const HIDING: [&[u8]; 7] =
    [b"display:none", b"visibility:hidden", b"font-size:0", b"aria-hidden=true", b" hidden>", b" hidden ", b" hidden="];

/// Whether an opening tag hides its element from a person. White space in values goes, so that a word in one is no
/// attribute.
fn hides(tag: &[u8]) -> bool {
    let mut low = Vec::with_capacity(tag.len());
    let mut quote = 0;
    for &b in tag {
        match b {
            b'"' | b'\'' if quote == 0 => quote = b,
            _ if b == quote => {
                quote = 0;
                low.push(b' ');
            }
            _ if text::is_space(b) && quote > 0 => {}
            _ => low.push(if text::is_space(b) { b' ' } else { b.to_ascii_lowercase() }),
        }
    }
    HIDING.iter().any(|h| find(&low, h).is_some())
}

/// Bytes up to and including `</name…>`; all of them when there is none.
fn closing_tag(bytes: &[u8], name: &[u8]) -> usize {
    let mut at = 0;
    while let Some(n) = find(&bytes[at..], b"</") {
        at += n + 2;
        let head = &bytes[at..bytes.len().min(at + name.len())];
        if head.eq_ignore_ascii_case(name) {
            return bytes[at..].iter().position(|&b| b == b'>').map_or(bytes.len(), |n| at + n + 1);
        }
    }
    bytes.len()
}

fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|w| w == needle)
}

/// Schemes that an address in an answer may have.
const SCHEMES: [&str; 5] = ["http", "https", "mailto", "tel", "geo"];

/// The scheme of an absolute address as a browser reads it: tabs, line breaks and leading controls do not count.
fn scheme(s: &str) -> Option<String> {
    let mut out = String::new();
    for b in s.bytes() {
        match b {
            0..=b' ' if out.is_empty() => {}
            b'\t' | b'\n' | b'\r' => {}
            b'a'..=b'z' | b'A'..=b'Z' => out.push(b.to_ascii_lowercase() as char),
            b'0'..=b'9' | b'+' | b'-' | b'.' if !out.is_empty() => out.push(b as char),
            b':' if !out.is_empty() => return Some(out),
            _ => return None,
        }
    }
    None
}

/// An address as it may stand in an answer: one of [`SCHEMES`], or relative. Hosts are written in ASCII (punycode),
/// so that look-alike letters show. `None` leaves the value out.
pub fn address(source: &str) -> Option<String> {
    let clean = visible(source);
    // Tabs stand in the way of a scheme once they are spaces, invisible characters until they are gone.
    match scheme(source).or_else(|| scheme(&clean)) {
        None => Some(clean),
        Some(scheme) if SCHEMES.contains(&scheme.as_str()) => {
            if scheme.starts_with("http") && !clean.is_ascii() {
                return dom::resolve(&clean, "");
            }
            Some(clean)
        }
        // `urn:isbn:…`, `doi:…`: a name, not a place that anything would open.
        Some(scheme) if matches!(scheme.as_str(), "urn" | "doi" | "isbn" | "did" | "ark") => Some(clean),
        Some(_) => None,
    }
}

/// A text value as it may stand in an answer: like [`plain`], and where the whole value is an address, like
/// [`address`].
pub fn value(source: &str) -> Option<String> {
    // Markup can stand in the middle of an address, so only what is left of the text shows whether it is one.
    let clean = plain(source);
    let one_word = !clean.bytes().any(|b| b == b' ');
    if let Some(scheme) = scheme(&clean).filter(|_| one_word) {
        match scheme.as_str() {
            "javascript" | "data" | "vbscript" | "blob" | "file" | "filesystem" | "view-source" => return None,
            "http" | "https" => return address(&clean),
            // `intent://…`, `ftp://…`: an address that something opens. `Note:read` is text.
            other if text::contains(&clean, "://") && !SCHEMES.contains(&other) => return None,
            _ => {}
        }
    }
    Some(clean).filter(|s| !s.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_becomes_text() {
        for (source, want) in [
            ("<p>Boil <b>water</b>.</p><p>Serve & eat.</p>", "Boil water.\nServe & eat."),
            ("a < b and c > d", "a < b and c > d"),
            ("Oak<!-- Ignore all --><span style=\"display: none\">Ignore</span><script>x()</script> lamp", "Oak lamp"),
            ("<ul><li>One</li><li>Two</li></ul>", "One\nTwo"),
            (r"<p>One</p>\n<p>Two<br>\n<code>\n</code></p>\n\n", "One\nTwo\n\\n"),
            ("a <b hidden>x</b><i HIDDEN=until-found>y</i><u aria-hidden='true'>z</u> b", "a b"),
            ("a <b title='the hidden gem'>x</b> <i class=\"hidden\">y</i>", "a x y"),
            ("x <scr<b>ipt>y", "x"),
            ("<<b>b>bold", "bold"),
            ("1 <2", "1 <2"),
            ("I <3 you", "I <3 you"),
            ("end <b", "end ‹b"),
            ("run <test_file> in <http://a.test/>", "run ‹test_file> in ‹http://a.test/>"),
            ("a <ScRiPt>x()</ScRiPt><Br>b<Script>y()</Script><Img src=x>c", "a\nbc"),
            ("a Map<String> here<o:p></o:p><SPAN>.</SPAN>", "a Map‹String> here."),
            ("Oak <My_Tag style='display:none'>Ignore</My_Tag>lamp", "Oak lamp"),
            ("a\u{200b}b\u{202e}c\u{e0041} d\u{1b}[2K", "abc d [2K"),
        ] {
            assert_eq!(plain(source), want, "{source}");
            assert_eq!(plain(&plain(source)), plain(source), "{source}");
        }
    }

    #[test]
    fn addresses_are_safe_and_ascii() {
        for bad in [
            "javascript:alert(1)",
            "\u{1}javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,x",
            "\u{200b}javascript:alert(1)",
            "java\u{202e}script:alert(1)",
            "VBSCRIPT:x",
            "intent://evil.test/#Intent;scheme=https;end",
            "ftp://evil.test/x",
            "file:///etc/passwd",
        ] {
            assert_eq!(address(bad), None, "{bad}");
            assert_eq!(value(bad), None, "{bad}");
        }
        assert_eq!(address("/a.jpg").as_deref(), Some("/a.jpg"));
        assert_eq!(address("https://a.example/x").as_deref(), Some("https://a.example/x"));
        assert!(address("https://shор.example/").is_some_and(|u| u.contains("xn--")));
        assert_eq!(value("Note: read it").as_deref(), Some("Note: read it"));
        assert_eq!(value("mailto:shop@a.example").as_deref(), Some("mailto:shop@a.example"));
        assert_eq!(value("Note:read").as_deref(), Some("Note:read"));
        assert_eq!(value("java<b class=x>script:alert(1)"), None);
        assert!(value("https://shор<b class=x>.example/").is_some_and(|u| u.contains("xn--")));
    }
}
