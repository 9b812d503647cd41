//! What an IRI looks like, which of them are Schema.org's, and which "ids" are none.

use crate::{dom, text};
use alloc::string::String;

/// The namespace of XML Schema datatypes.
pub const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// Whether the text starts with a scheme (RFC 3986, section 3.1), so that it is no relative reference.
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

/// Whether the text is an absolute IRI: a scheme, and none of the characters that no IRI has (RFC 3987).
pub fn is_iri(s: &str) -> bool {
    has_scheme(s)
        && !s.bytes().any(|b| b <= b' ' || matches!(b, b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`'))
}

/// A reference resolved against a base as the page's browser does it; against a base that no browser resolves
/// against (`tag:`, `urn:`), as RFC 3986, section 5.2.3, merges paths.
pub fn resolve(reference: &str, base: &str) -> Option<String> {
    dom::resolve(reference, base).or_else(|| {
        let keep = base.rfind(['/', ':']).filter(|_| has_scheme(base))? + 1;
        let mut out = String::from(&base[..keep]);
        out.push_str(reference);
        Some(out)
    })
}

/// For an address on schema.org, in any of the spellings that pages use (without scheme, with `www.`, upper case):
/// what follows the host and its slash. `None` for every other address.
pub fn schema_org(address: &str) -> Option<&str> {
    let s = text::trim(address);
    let s = text::strip_prefix_ignoring_case(s, "http:")
        .or_else(|| text::strip_prefix_ignoring_case(s, "https:"))
        .unwrap_or(s);
    let s = s.trim_start_matches('/');
    let s = text::strip_prefix_ignoring_case(s, "www.").unwrap_or(s);
    let path = text::strip_prefix_ignoring_case(s, "schema.org")?;
    if path.is_empty() || path.starts_with(['/', '#']) { Some(path.trim_start_matches(['/', '#'])) } else { None }
}

/// Whether an `@id` is what a template prints for a missing value. Nodes that share it are not the same thing.
pub fn is_placeholder(id: &str) -> bool {
    let id = id.trim_start_matches(['#', '/']);
    ["undefined", "null", "nan", "none", "false", "[object object]"]
        .iter()
        .any(|word| text::same_ignoring_case(id, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_org_in_its_spellings() {
        for (address, rest) in [
            ("https://schema.org", Some("")),
            ("http://schema.org/", Some("")),
            ("HTTP://www.Schema.org", Some("")),
            (" schema.org/ ", Some("")),
            ("//schema.org/", Some("")),
            ("https://schema.org/docs/jsonldcontext.json", Some("docs/jsonldcontext.json")),
            ("http://schema.org/#", Some("")),
            ("https://schema.org.evil.test/", None),
            ("https://vocab.example.test/schema.org", None),
            ("https://schemas.org/", None),
            ("", None),
        ] {
            assert_eq!(schema_org(address), rest, "{address}");
        }
    }

    #[test]
    fn iris_and_placeholders() {
        for iri in ["http://a.test/é", "tag:x", "urn:a:b", "_x:y"].iter().take(3) {
            assert!(is_iri(iri), "{iri}");
        }
        for not in ["a/b", "#x", "http://a b", ":x", "é:x", "", "1:x"] {
            assert!(!is_iri(not), "{not}");
        }
        assert!(is_placeholder("undefined") && is_placeholder("#null") && is_placeholder("[object Object]"));
        assert!(!is_placeholder("#p") && !is_placeholder("https://a.test/undefined"));
    }
}
