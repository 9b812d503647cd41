//! The only string helpers: white space, invisible characters, budgets, slugs. Byte-wise where it can be, since
//! `char` tables and formatting machinery cost kilobytes in wasm.

use alloc::string::String;

/// ASCII white space as HTML defines it (tab, LF, FF, CR, space).
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0c)
}

/// Without leading and trailing ASCII white space.
pub fn trim(s: &str) -> &str {
    let bytes = s.as_bytes();
    let mut from = 0;
    let mut to = bytes.len();
    while from < to && is_space(bytes[from]) {
        from += 1;
    }
    while to > from && is_space(bytes[to - 1]) {
        to -= 1;
    }
    &s[from..to]
}

/// The tokens of a space-separated attribute value.
pub fn tokens(s: &str) -> impl Iterator<Item = &str> {
    s.split(|c: char| c.is_ascii() && is_space(c as u8)).filter(|t| !t.is_empty())
}

/// `s` cut to at most `bytes` bytes at a character boundary.
pub fn cut(s: &str, bytes: usize) -> &str {
    if s.len() <= bytes {
        return s;
    }
    let mut end = bytes;
    while !s.is_char_boundary(end) {
        end -= 1;
    }
    &s[..end]
}

/// Runs of ASCII white space become one space; none at the ends.
pub fn collapse(s: &str) -> String {
    let mut out = String::with_capacity(s.len());
    for token in tokens(s) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

/// Whether a character shows nothing, or changes how its neighbours are shown: controls, bidirectional controls,
/// zero-width and tag characters, variation selectors beyond emoji's, private use and noncharacters. Page text
/// carrying them can say one thing to a person and another to a model.
pub fn is_invisible(c: char) -> bool {
    matches!(c as u32,
        0..=8 | 0xb | 0xc | 0xe..=0x1f | 0x7f..=0x9f | 0xad | 0x61c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f
        | 0x200b..=0x200f | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0e | 0xfeff | 0xffa0 | 0xfff0..=0xfffb
        | 0xe000..=0xf8ff | 0xfdd0..=0xfdef | 0xe0000..=0xe0fff | 0xf0000..=0x10ffff)
        || (c as u32 & 0xfffe) == 0xfffe
}

/// One line of at most `chars` characters: white space collapsed, invisible characters dropped. For diagnostics.
pub fn plain_line(s: &str, chars: usize) -> String {
    let mut out = String::new();
    let mut n = 0;
    let mut gap = false;
    for c in s.chars() {
        if c == '\u{a0}' || (c.is_ascii() && is_space(c as u8)) {
            gap = !out.is_empty();
            continue;
        }
        if is_invisible(c) {
            continue;
        }
        if n >= chars {
            out.push('…');
            break;
        }
        if gap {
            out.push(' ');
            gap = false;
            n += 1;
        }
        out.push(c);
        n += 1;
    }
    out
}

/// Whether two strings are equal but for the case of ASCII letters.
pub fn same_ignoring_case(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).all(|(x, y)| x.to_ascii_lowercase() == y.to_ascii_lowercase())
}

/// `s` without `prefix`, letters compared without case.
pub fn strip_prefix_ignoring_case<'a>(s: &'a str, prefix: &str) -> Option<&'a str> {
    let head = s.get(..prefix.len())?;
    same_ignoring_case(head, prefix).then(|| &s[prefix.len()..])
}

/// A decimal number as text, without the formatting machinery.
pub fn number(mut n: usize) -> String {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (n % 10) as u8;
        n /= 10;
        if n == 0 {
            break;
        }
    }
    let mut out = String::new();
    for &d in &digits[at..] {
        out.push(d as char);
    }
    out
}

/// A whole number of at most nine digits.
pub fn whole_number(s: &str) -> Option<u32> {
    if s.is_empty() || s.len() > 9 || !s.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    Some(s.bytes().fold(0, |n, b| n * 10 + u32::from(b - b'0')))
}

/// A type name as a tool slug: `NewsArticle` → `news_article`, `TVSeries` → `tv_series`.
pub fn slug(name: &str) -> String {
    let bytes = name.as_bytes();
    let mut out = String::new();
    for (i, &b) in bytes.iter().enumerate() {
        if b.is_ascii_uppercase() && i > 0 {
            let after_lower = !bytes[i - 1].is_ascii_uppercase();
            let before_lower = bytes.get(i + 1).is_some_and(|n| n.is_ascii_lowercase());
            if after_lower || before_lower {
                out.push('_');
            }
        }
        out.push(b.to_ascii_lowercase() as char);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_split_at_words() {
        for (name, want) in [
            ("Product", "product"),
            ("NewsArticle", "news_article"),
            ("TVSeries", "tv_series"),
            ("FAQPage", "faq_page"),
        ] {
            assert_eq!(slug(name), want);
        }
    }

    #[test]
    fn lines_are_bounded_and_visible() {
        assert_eq!(plain_line(" a\n\u{202e}b\u{e0041}  c ", 10), "a b c");
        assert_eq!(plain_line("abcdef", 3), "abc…");
    }

    #[test]
    fn cuts_keep_characters_whole() {
        assert_eq!(cut("aé", 2), "a");
        assert_eq!(number(1024), "1024");
        assert_eq!(collapse("  a \n b\t"), "a b");
    }
}
