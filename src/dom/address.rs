//! Addresses as they are serialised. Most of a page's are written so already and need no parser to be resolved: in the
//! browser a parse leaves the module and comes back, which takes longer than reading the node that has the address.

use crate::text;
use alloc::string::String;

/// The origin (`https://host:port`) of a serialised http or https address.
#[inline(never)]
pub fn origin(address: &str) -> Option<&str> {
    let start = scheme(address)?;
    let rest = text::part(address, start, address.len());
    Some(text::part(address, 0, start + text::until(rest, b"/?#"))).filter(|o| o.len() > start)
}

/// Whether an address is serialised http or https: the only ones that answers and requests may carry.
pub fn is_web(address: &str) -> bool {
    origin(address).is_some()
}

/// Bytes of `https://` or `http://`.
pub fn scheme(address: &str) -> Option<usize> {
    ["https://", "http://"].iter().find(|s| address.starts_with(**s)).map(|s| s.len())
}

/// `url` resolved against a serialised `base` (WHATWG URL), or `None` where that is a parser's work or not possible.
#[inline(never)]
pub(super) fn plain(url: &str, base: &str) -> Option<String> {
    let own = origin(match url.as_bytes() {
        [b'/', b'/', ..] => return None,
        [b'/' | b'#', ..] => base,
        _ => url,
    })?;
    let (before, path) = match url.as_bytes()[0] {
        b'/' => (own, url),
        b'#' => (text::part(base, 0, text::until(base, b"#")), url),
        _ if is_plain_host(text::rest(own, scheme(own)?)) => ("", text::rest(url, own.len())),
        _ => return None,
    };
    ((!before.is_empty() || path.starts_with('/')) && is_serialised(path)).then(|| text::joined(before, url))
}

/// Whether a host is in lower case, no number, not in Punycode, and has no port.
fn is_plain_host(host: &str) -> bool {
    let (mut last, mut letter) = (b'.', false);
    for byte in host.bytes() {
        match byte {
            b'.' | b'-' if last == byte => return false,
            b'.' | b'-' | b'0'..=b'9' | b'a'..=b'z' => {}
            _ => return false,
        }
        if last == b'.' {
            letter = byte >= b'a';
        }
        last = byte;
    }
    letter && last != b'.'
}

/// Whether a path with its query and fragment stays as it is: ASCII that is nowhere escaped, and no segment that begins
/// with a dot.
fn is_serialised(path: &str) -> bool {
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
