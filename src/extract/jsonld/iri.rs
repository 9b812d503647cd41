//! What an IRI looks like, which of them are Schema.org's, and which "ids" are none.

use crate::{dom, text};
pub use crate::{
    graph::{
        XSD,
        vocabulary::{is_placeholder, schema_org},
    },
    text::has_scheme,
};
use alloc::string::String;

/// Whether the text is an absolute IRI: a scheme, and none of the characters that no IRI has (RFC 3987).
pub fn is_iri(s: &str) -> bool {
    has_scheme(s)
        && !s.bytes().any(|b| b <= b' ' || matches!(b, b'<' | b'>' | b'"' | b'{' | b'}' | b'|' | b'\\' | b'^' | b'`'))
}

/// A reference resolved against a base as the page's browser does it; against a base that no browser resolves
/// against (`tag:`, `urn:`), as RFC 3986, section 5.2.3, merges paths.
pub fn resolve(reference: &str, base: &str) -> Option<String> {
    dom::resolve(reference, base).or_else(|| {
        let last = base.bytes().rposition(|b| matches!(b, b'/' | b':')).filter(|_| has_scheme(base))?;
        Some(text::joined(text::part(base, 0, last + 1), reference))
    })
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
