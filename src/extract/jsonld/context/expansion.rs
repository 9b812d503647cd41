//! IRI expansion (JSON-LD 1.1 API, section 5.2).

use super::{super::iri, Context, SCHEMA_ORG, term::Term};
use alloc::string::{String, ToString};

/// IRI Expansion.
pub(super) fn expand<'t, 'd: 't>(
    value: &str,
    relative: bool,
    vocab: bool,
    context: &Context<'d>,
    term: &dyn Fn(&str) -> Option<&'t Term<'d>>,
) -> Option<String> {
    if is_keyword_form(value) {
        return is_keyword(value).then(|| value.to_string());
    }
    match term(value) {
        Some(t) => match &t.iri {
            Some(iri) if vocab || iri.starts_with('@') => return Some(iri.clone()),
            None if vocab => return None,
            _ => {}
        },
        None if vocab && context.schema_org && value == "type" => return Some("@type".to_string()),
        None if vocab && context.schema_org && value == "id" => return Some("@id".to_string()),
        None => {}
    }
    if let Some((prefix, suffix)) = compact(value) {
        if prefix == "_" || suffix.starts_with("//") {
            return Some(value.to_string());
        }
        match term(prefix) {
            Some(t) => {
                if let Some(iri) = t.iri.as_deref().filter(|_| t.prefix) {
                    return Some(joined(iri, suffix));
                }
            }
            None if context.schema_org && prefix == "schema" => return Some(joined(SCHEMA_ORG, suffix)),
            None if context.schema_org && prefix == "xsd" => return Some(joined(iri::XSD, suffix)),
            None => {}
        }
        if iri::has_scheme(value) {
            return Some(value.to_string());
        }
    }
    if let Some(namespace) = context.vocab.as_deref().filter(|_| vocab) {
        if let Some(used) = &context.assumed {
            used.set(true);
        }
        return Some(joined(namespace, value));
    }
    if let Some(base) = context.base.as_deref().filter(|_| relative) {
        return Some(iri::resolve(value, base).unwrap_or_else(|| value.to_string()));
    }
    Some(value.to_string())
}

/// The two sides of a compact IRI: of the first colon that is not the first character.
pub(super) fn compact(value: &str) -> Option<(&str, &str)> {
    let colon = value.bytes().skip(1).position(|b| b == b':')? + 1;
    Some((&value[..colon], &value[colon + 1..]))
}

pub(super) fn joined(a: &str, b: &str) -> String {
    let mut out = String::with_capacity(a.len() + b.len());
    out.push_str(a);
    out.push_str(b);
    out
}

/// Whether a string looks like a keyword: `@` and ASCII letters. Those that are none have no meaning.
pub(super) fn is_keyword_form(s: &str) -> bool {
    s.len() > 1 && s.starts_with('@') && s.bytes().skip(1).all(|b| b.is_ascii_alphabetic())
}

pub(super) fn is_keyword(s: &str) -> bool {
    KEYWORDS.contains(&s)
}

/// The keywords of JSON-LD 1.1.
pub(super) const KEYWORDS: [&str; 23] = [
    "@base",
    "@container",
    "@context",
    "@direction",
    "@graph",
    "@id",
    "@import",
    "@included",
    "@index",
    "@json",
    "@language",
    "@list",
    "@nest",
    "@none",
    "@prefix",
    "@propagate",
    "@protected",
    "@reverse",
    "@set",
    "@type",
    "@value",
    "@version",
    "@vocab",
];
