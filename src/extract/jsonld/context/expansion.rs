//! IRI expansion (JSON-LD 1.1 API, section 5.2).

use super::{super::iri, ContextId, Contexts};
use crate::{graph::vocabulary::SCHEMA_ORG, text};
use alloc::string::{String, ToString};

impl Contexts<'_> {
    /// IRI Expansion: terms, compact IRIs, and with `vocab` the vocabulary, at last with `relative` the base. `None`: it
    /// has no meaning. A keyword comes back as itself.
    #[inline(never)]
    pub fn expand(&self, context: ContextId, value: &str, relative: bool, vocab: bool) -> Option<String> {
        if is_keyword_form(value) {
            return is_keyword(value).then(|| value.to_string());
        }
        let here = &self.list[context];
        match self.find(context, value) {
            Some(term) => match &self.terms[term].iri {
                Some(iri) if vocab || is_keyword_form(iri) => return Some(iri.clone()),
                None if vocab => return None,
                _ => {}
            },
            None if vocab && here.schema_org && matches!(value, "type" | "id") => {
                return Some(text::joined("@", value));
            }
            None => {}
        }
        if let Some((prefix, suffix)) = compact(value) {
            if prefix == "_" || suffix.starts_with("//") {
                return Some(value.to_string());
            }
            let namespace = match self.find(context, prefix) {
                Some(term) => self.terms[term].iri.as_deref().filter(|_| self.terms[term].prefix),
                None if here.schema_org && prefix == "schema" => Some(SCHEMA_ORG),
                None if here.schema_org && prefix == "xsd" => Some(iri::XSD),
                None => None,
            };
            if let Some(namespace) = namespace {
                return Some(text::joined(namespace, suffix));
            }
            if iri::has_scheme(value) {
                return Some(value.to_string());
            }
        }
        let (namespace, base) = (&self.texts[here.vocab], &self.texts[here.base]);
        if vocab && !namespace.is_empty() {
            if here.assumed {
                self.assumption_used.set(true);
            }
            return Some(text::joined(namespace, text::trim(value)));
        }
        let resolved = if relative && !base.is_empty() { iri::resolve(value, base) } else { None };
        Some(resolved.unwrap_or_else(|| value.to_string()))
    }

    /// The expansion of a key: relative to the vocabulary only.
    pub fn expand_key(&self, context: ContextId, key: &str) -> Option<String> {
        self.expand(context, key, false, true)
    }
}

/// The two sides of a compact IRI: of the first colon that is not the first character.
pub(super) fn compact(value: &str) -> Option<(&str, &str)> {
    let colon = value.bytes().skip(1).position(|b| b == b':')? + 1;
    Some((text::part(value, 0, colon), text::part(value, colon + 1, value.len())))
}

/// Whether a string looks like a keyword: `@` and ASCII letters. Those that are none have no meaning.
#[inline(never)]
pub(super) fn is_keyword_form(s: &str) -> bool {
    s.len() > 1 && s.bytes().enumerate().all(|(i, b)| if i == 0 { b == b'@' } else { b.is_ascii_alphabetic() })
}

#[inline(never)]
pub(super) fn is_keyword(s: &str) -> bool {
    s.as_bytes().first() == Some(&b'@') && text::tokens(KEYWORDS).any(|keyword| keyword == s)
}

/// The keywords of JSON-LD 1.1, the frequent ones first.
const KEYWORDS: &str = "@type @id @context @graph @value @language @list @set @reverse @base @container @direction \
@import @included @index @json @nest @none @prefix @propagate @protected @version @vocab";
/// How many they are.
pub(super) const KEYWORD_COUNT: usize = 23;
