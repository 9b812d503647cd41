//! The only string helpers: white space, invisible characters, budgets, slugs. Byte-wise where it can be, since
//! `char` tables and formatting machinery cost kilobytes in wasm.

use alloc::{borrow::Cow, string::String};

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
    part(s, from, to)
}

/// A text in pieces: what anybody can read as it stands, visible ASCII with single spaces between, in one, and any other
/// character by itself. Most of most texts can be copied at once and need not be looked at character by character.
pub fn pieces(s: &str) -> impl Iterator<Item = &str> {
    let mut rest = s;
    core::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let piece = part(rest, 0, plain_run(rest).max(first.len_utf8()));
        rest = self::rest(rest, piece.len());
        Some(piece)
    })
}

fn plain_run(s: &str) -> usize {
    let (mut end, mut gap) = (0, true);
    for (at, &b) in s.as_bytes().iter().enumerate() {
        if b > b' ' && b < 0x7f {
            end = at + 1;
            gap = false;
        } else if b != b' ' || core::mem::replace(&mut gap, true) {
            break;
        }
    }
    end
}

/// The tokens of a space-separated attribute value, or of one of our own lists of words.
pub fn tokens(s: &str) -> Tokens<'_> {
    Tokens(s)
}

/// What [`tokens`] gives.
pub struct Tokens<'a>(&'a str);

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    #[inline(never)]
    fn next(&mut self) -> Option<&'a str> {
        let bytes = self.0.as_bytes();
        let mut from = 0;
        while from < bytes.len() && is_space(bytes[from]) {
            from += 1;
        }
        let mut to = from;
        while to < bytes.len() && !is_space(bytes[to]) {
            to += 1;
        }
        let token = part(self.0, from, to);
        self.0 = part(self.0, to, bytes.len());
        (to > from).then_some(token)
    }
}

/// Whether a list of words with single spaces between has this one, in any case of its letters. In one pass, since it is
/// asked about every property.
#[inline(never)]
pub fn listed(list: &str, word: &str) -> bool {
    let word = word.as_bytes();
    // So much of the word was found in the word of the list that is being read; more than it has in one that is another.
    let mut same = 0;
    for b in list.bytes() {
        same = match b {
            b' ' if same > 0 && same == word.len() => return true,
            b' ' => 0,
            _ if same < word.len() && b.eq_ignore_ascii_case(&word[same]) => same + 1,
            _ => word.len() + 1,
        };
    }
    same > 0 && same == word.len()
}

/// The word behind `key` in a list of words that are keys and values in turn.
#[inline(never)]
pub fn lookup(list: &'static str, key: &str) -> Option<&'static str> {
    let mut words = tokens(list);
    while let (Some(word), Some(value)) = (words.next(), words.next()) {
        if word == key {
            return Some(value);
        }
    }
    None
}

/// What stands before and behind the first `byte`, which is ASCII.
#[inline(never)]
pub fn split_once(s: &str, byte: u8) -> Option<(&str, &str)> {
    let at = until(s, &[byte]);
    (at < s.len()).then(|| (part(s, 0, at), part(s, at + 1, s.len())))
}

/// Whether the text has the byte, which is ASCII.
#[inline(never)]
pub fn has(s: &str, byte: u8) -> bool {
    until(s, &[byte]) < s.len()
}

/// All texts in one.
#[inline(never)]
pub fn all(parts: &[&str]) -> String {
    let mut out = String::new();
    for part in parts {
        out.push_str(part);
    }
    out
}

/// Two texts in one.
pub fn joined(a: &str, b: &str) -> String {
    all(&[a, b])
}

/// Whether the text starts with a scheme (RFC 3986, section 3.1), so that it is no relative reference.
#[inline(never)]
pub fn has_scheme(s: &str) -> bool {
    for (i, b) in s.bytes().enumerate() {
        match b {
            b':' => return i > 0,
            b'a'..=b'z' | b'A'..=b'Z' => {}
            b'0'..=b'9' | b'+' | b'-' | b'.' if i > 0 => {}
            _ => return false,
        }
    }
    false
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
    part(s, 0, end)
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

/// Character references decoded, once. Text in JSON-LD strings has them by the habit of templates, although JSON gives
/// them no meaning; in HTML the parser decodes them. So that all syntaxes agree, every text value is decoded exactly
/// once: by the HTML parser there, by this function in JSON-LD.
pub fn decode_entities(s: &str) -> Cow<'_, str> {
    let bytes = s.as_bytes();
    let mut out = String::new();
    let (mut from, mut at) = (0, 0);
    while at < bytes.len() {
        if bytes[at] == b'&' {
            let mut buffer = [0; 4];
            if let Some((c, length)) = entity(rest(s, at)) {
                out.push_str(part(s, from, at));
                out.push_str(c.encode_utf8(&mut buffer));
                at += length;
                from = at;
                continue;
            }
        }
        at += 1;
    }
    if from == 0 {
        return Cow::Borrowed(s);
    }
    out.push_str(rest(s, from));
    Cow::Owned(out)
}

/// The character that a reference at the start of `s` stands for, and the reference's length in bytes. The common
/// names only, and always with the semicolon: `&copy=2` in an address is no reference.
pub fn entity(s: &str) -> Option<(char, usize)> {
    let bytes = s.as_bytes();
    // The longest reference that is known has ten characters.
    let end = bytes.iter().take(12).position(|&b| b == b';')?;
    let name = part(s, 1, end);
    let c = match name.as_bytes() {
        _ if bytes[0] != b'&' => return None,
        [b'#', b'x' | b'X', digits @ ..] => numbered(digits, 16)?,
        [b'#', digits @ ..] => numbered(digits, 10)?,
        _ => lookup(ENTITIES, name)?.chars().next()?,
    };
    Some((c, end + 1))
}

/// The character that a numeric reference stands for.
#[inline(never)]
fn numbered(digits: &[u8], radix: u32) -> Option<char> {
    let mut code = 0u32;
    for &b in digits {
        code = code.saturating_mul(radix).saturating_add((b as char).to_digit(radix)?);
    }
    match code {
        _ if digits.is_empty() => return None,
        0x80..=0x9f => code = u32::from(WINDOWS_1252[code as usize - 0x80]),
        0 => code = u32::MAX,
        _ => {}
    }
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// What numeric references to the C1 controls mean (HTML, numeric character reference end state).
const WINDOWS_1252: [u16; 32] = [
    0x20ac, 0x81, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0x8d, 0x17d,
    0x8f, 0x90, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0x9d,
    0x17e, 0x178,
];

/// Names and their characters in turn.
const ENTITIES: &str = "amp & quot \" lt < gt > apos ' nbsp \u{a0} ndash – mdash — hellip … lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” \
bdquo „ laquo « raquo » bull • middot · euro € pound £ yen ¥ cent ¢ copy © reg ® trade ™ deg ° plusmn ± \
times × micro µ sup2 ² sup3 ³ frac12 ½ frac14 ¼ frac34 ¾ para ¶ sect § shy \u{ad} zwnj \u{200c} zwj \u{200d} \
lbrace { rbrace } auml ä ouml ö uuml ü Auml Ä Ouml Ö Uuml Ü szlig ß agrave à aacute á acirc â atilde ã aring å \
aelig æ ccedil ç egrave è eacute é ecirc ê euml ë igrave ì iacute í icirc î ntilde ñ ograve ò oacute ó ocirc ô \
otilde õ oslash ø ugrave ù uacute ú ucirc û Eacute É oelig œ";

/// Whether two strings are equal but for the case of ASCII letters.
pub fn same_ignoring_case(a: &str, b: &str) -> bool {
    a.eq_ignore_ascii_case(b)
}

/// `s` without `prefix`, letters compared without case.
pub fn strip_prefix_ignoring_case<'a>(s: &'a str, prefix: &str) -> Option<&'a str> {
    let head = s.get(..prefix.len())?;
    same_ignoring_case(head, prefix).then(|| rest(s, prefix.len()))
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

/// The bytes `from..to` of `s` as text; empty where there is no such part. Each slicing of a `str` costs the code of a
/// panic.
#[inline(never)]
pub fn part(s: &str, from: usize, to: usize) -> &str {
    s.get(from..to).unwrap_or("")
}

/// The bytes of `s` from `from` on.
pub fn rest(s: &str, from: usize) -> &str {
    part(s, from, s.len())
}

/// How many characters `s` has.
#[inline(never)]
pub fn characters(s: &str) -> usize {
    s.bytes().filter(|b| b & 0xc0 != 0x80).count()
}

/// Where the first of the bytes `stops` stands in `s`; its length if there is none.
// `contains` brings a search for long lists.
#[allow(clippy::manual_contains)]
#[inline(never)]
pub fn until(s: &str, stops: &[u8]) -> usize {
    s.bytes().position(|b| stops.iter().any(|stop| *stop == b)).unwrap_or(s.len())
}

/// Whether `s` has `word` (not empty) in it, letters compared without case.
#[inline(never)]
pub fn contains(s: &str, word: &str) -> bool {
    s.as_bytes().windows(word.len()).any(|w| w.eq_ignore_ascii_case(word.as_bytes()))
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
