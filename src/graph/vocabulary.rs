//! What is Schema.org's, and which profile a class belongs to. Tables are generated (`build.rs`), read through
//! functions.

use crate::text;

/// The term of a Schema.org IRI: `https://schema.org/Product` → `Product`. http and https, with and without `www.`,
/// and the retired `data-vocabulary.org`; the host is compared without case. Anything else is `None`.
pub fn local_name(iri: &str) -> Option<&str> {
    let rest = text::strip_prefix_ignoring_case(iri, "http")?;
    let rest = rest.strip_prefix(['s', 'S']).unwrap_or(rest).strip_prefix("://")?;
    let rest = text::strip_prefix_ignoring_case(rest, "www.").unwrap_or(rest);
    let rest = text::strip_prefix_ignoring_case(rest, "schema.org/")
        .or_else(|| text::strip_prefix_ignoring_case(rest, "data-vocabulary.org/"))?;
    let name = rest.trim_start_matches('#');
    (!name.is_empty() && !name.contains(['/', '?', '#'])).then_some(name)
}

/// Whether an IRI under this property may stand for an entity of the page. Addresses of pages and files are
/// addresses, also where an entity happens to have the same IRI.
pub fn links(property: &str) -> bool {
    !matches!(
        property,
        "url" | "sameAs" | "contentUrl" | "embedUrl" | "thumbnailUrl" | "downloadUrl" | "installUrl" | "additionalType"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_org_in_its_spellings() {
        for iri in [
            "https://schema.org/Product",
            "http://www.schema.org/Product",
            "HTTP://SCHEMA.ORG/Product",
            "http://data-vocabulary.org/Product",
        ] {
            assert_eq!(local_name(iri), Some("Product"), "{iri}");
        }
        for iri in [
            "https://schema.org/",
            "https://schema.org.evil.test/Product",
            "https://vocab.example/Product",
            "Product",
            "https://schema.org/a/b",
        ] {
            assert_eq!(local_name(iri), None, "{iri}");
        }
    }
}
