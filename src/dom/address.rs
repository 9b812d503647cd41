//! Addresses that need no parser, because they are written as a URL is serialised already: most of a page's. In the
//! browser a parse leaves the module and comes back, which takes longer than reading the node that has the address.

use crate::text;
use alloc::string::String;

/// `url` resolved against a serialised `base` (WHATWG URL), or `None` where that is a parser's work or not possible.
#[inline(never)]
pub fn plain(url: &str, base: &str) -> Option<String> {
    let (before, path) = match url.as_bytes() {
        [b'/', b'/', ..] => return None,
        [first @ (b'/' | b'#'), ..] => {
            let from = authority(base)?;
            (text::part(base, 0, from + text::until(text::rest(base, from), &[*first])), 0)
        }
        _ => ("", host(url, authority(url)?)?),
    };
    serialised(url, path).then(|| text::joined(before, url))
}

/// Where the authority begins, if the address is one of the web's.
fn authority(url: &str) -> Option<usize> {
    (url.starts_with("http://").then_some(7)).or(url.starts_with("https://").then_some(8))
}

/// Where a host ends that is in lower case, no number and not in Punycode, with nothing else before the path.
fn host(url: &str, from: usize) -> Option<usize> {
    let (mut last, mut letter) = (b'.', false);
    for (at, &byte) in url.as_bytes().iter().enumerate().skip(from) {
        match byte {
            b'/' if letter && last != b'.' => return Some(at),
            b'.' | b'-' if last == byte => return None,
            b'.' | b'-' | b'0'..=b'9' | b'a'..=b'z' => {}
            _ => return None,
        }
        if last == b'.' {
            letter = byte >= b'a';
        }
        last = byte;
    }
    None
}

/// Whether the path, query and fragment from here on stay as they are: ASCII that is nowhere escaped, and no segment that
/// begins with a dot.
fn serialised(url: &str, path: usize) -> bool {
    let path = text::rest(url, path);
    path.bytes().all(|b| b > b' ' && b < 0x7f)
        && text::until(path, b"\"'<>[\\]^`{|}") == path.len()
        && !["/.", "%2e"].iter().any(|dot| text::contains(path, dot))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::html;

    #[test]
    fn plain_addresses_are_what_a_parser_makes_of_them() {
        for (url, base, found) in [
            ("https://a.test/p?q=1#x", "", Some("https://a.test/p?q=1#x")),
            ("https://a.test/%C3%A9%20a", "", Some("https://a.test/%C3%A9%20a")),
            ("/p/1", "https://a.test/q/r?s#t", Some("https://a.test/p/1")),
            ("#x", "http://a.test/q?r#t", Some("http://a.test/q?r#x")),
            ("//b.test/", "https://a.test/", None),
            ("p", "https://a.test/", None),
            ("https://a.test", "", None),
            ("https://A.test/", "", None),
            ("https://a.test/b/../c", "", None),
            ("https://a.test/b/%2E%2e/c", "", None),
            ("https://a.test:443/", "", None),
            ("https://1.2.3/", "", None),
            ("https://a..test/", "", None),
            ("https://xn--a.test/", "", None),
            ("https://u@a.test/", "", None),
            ("https://a.test/é", "", None),
            ("#x", "", None),
            ("/x", "tag:a", None),
        ] {
            assert_eq!(plain(url, base).as_deref(), found, "{url} {base}");
        }
    }

    #[test]
    fn agrees_with_the_parser_on_what_pieces_make() {
        let pieces = [
            "http",
            "https",
            "HTTP",
            ":",
            "/",
            "//",
            "a",
            "B",
            "1",
            "0x1",
            "a.test",
            "example",
            ".",
            "..",
            "%2e",
            "%2E",
            "%",
            "%20",
            "?",
            "#",
            "@",
            "xn--",
            "-",
            "_",
            "é",
            " ",
            "\t",
            "\\",
            "[",
            "'",
            "~!$&()*+,;=",
            "|",
            ":80",
            ":443",
        ];
        let bases = [
            "https://a.test/b/c?d#e",
            "http://a.test/?/#/",
            "tag:a",
            "",
            "https://a.test:8080/",
            "https://1.0.0.2/",
            "https://[::1]/",
        ];
        let mut seed: u64 = 7;
        let mut next = |n: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let (mut taken, mut runs) = (0, 0);
        while taken < 20_000 {
            let start = ["", "https://", "https://a.test/", "/", "#", "http://b.example"][next(6)];
            let url: String = core::iter::once(start).chain((0..next(6)).map(|_| pieces[next(pieces.len())])).collect();
            let base = bases[next(bases.len())];
            if let Some(found) = plain(&url, base) {
                assert_eq!(Some(found), html::parse(&url, base), "{url} against {base}");
                taken += 1;
            }
            runs += 1;
        }
        assert!(runs < 40 * taken, "hardly any is taken: {runs}");
    }
}
