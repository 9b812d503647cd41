//! Term definitions (JSON-LD 1.1 API, section 4.2 "Create Term Definition").

use super::{
    super::iri,
    Context, SCHEMA_ORG,
    expansion::{KEYWORDS, compact, expand, is_keyword, is_keyword_form, joined},
    short,
};
use crate::{json::Json, limits};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Container mappings (a term may have several).
pub mod container {
    /// `@list`
    pub const LIST: u8 = 1;
    /// `@language`
    pub const LANGUAGE: u8 = 2;
    /// `@index`
    pub const INDEX: u8 = 4;
    /// `@id`
    pub const ID: u8 = 8;
    /// `@type`
    pub const TYPE: u8 = 16;
    /// `@graph`
    pub const GRAPH: u8 = 32;
}

/// A term definition.
#[derive(Debug, Default)]
pub struct Term<'d> {
    pub(super) name: &'d str,
    /// The IRI or keyword; `None` for a term that the page switched off (`"term": null`).
    pub(super) iri: Option<String>,
    pub(super) prefix: bool,
    /// Whether the term is a reverse property.
    pub reverse: bool,
    /// `@id`, `@vocab`, `@json`, `@none` or a datatype IRI; empty for none.
    pub coercion: String,
    /// The language of strings; `Some("")` for none, `None` for the context's.
    pub language: Option<&'d str>,
    /// Bits of [`container`].
    pub container: u8,
    /// The property that holds the index of an index map.
    pub index: Option<&'d str>,
    /// The context that holds below the term.
    pub context: Option<&'d Json>,
}

/// An object context while its terms are defined. A term may build on another one of the same object, so each is
/// defined when it is first asked for.
pub(super) struct Local<'d> {
    layer: Context<'d>,
    members: &'d [(String, Json)],
    /// Indices of the members, sorted by name; of a name given twice the last one.
    order: Vec<usize>,
    /// The definition of each entry of `order`, once it was asked for.
    made: Vec<Option<Term<'d>>>,
    begun: Vec<bool>,
}

impl<'d> Local<'d> {
    pub(super) fn new(layer: Context<'d>, members: &'d [(String, Json)]) -> Self {
        let mut order: Vec<usize> = (0..members.len()).filter(|&i| !is_keyword_form(&members[i].0)).collect();
        crate::order::sort(&mut order, &|a, b| members[a].0.cmp(&members[b].0).then(b.cmp(&a)));
        order.dedup_by(|b, a| members[*a].0 == members[*b].0);
        let mut made = Vec::new();
        made.resize_with(order.len(), || None);
        let mut begun = Vec::new();
        begun.resize(order.len(), false);
        Local { layer, members, order, made, begun }
    }

    pub(super) fn define_all(mut self) -> Context<'d> {
        for at in 0..self.order.len() {
            self.define(at, 0);
        }
        self.layer.terms = self.made.into_iter().flatten().collect();
        self.layer
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.order.binary_search_by(|&i| self.members[i].0.as_str().cmp(name)).ok()
    }

    /// Create Term Definition. `depth` counts terms that build on one another; a circle ends at `begun`.
    fn define(&mut self, at: usize, depth: usize) {
        if self.begun[at] || depth > limits::DEPTH {
            return;
        }
        self.begun[at] = true;
        let members = self.members;
        let (name, value) = &members[self.order[at]];
        self.made[at] = self.term(name, value, depth + 1);
    }

    fn term(&mut self, name: &'d str, value: &'d Json, depth: usize) -> Option<Term<'d>> {
        if matches!(value, Json::Object(members) if members.len() > KEYWORDS.len()) {
            return None;
        }
        let mut term = Term { name, ..Term::default() };
        let id = match value {
            Json::Null => return Some(term),
            Json::Text(id) => Some(id.as_str()),
            Json::Object(_) => {
                if let Some(Json::Text(reverse)) = value.get("@reverse") {
                    return self.reverse_term(term, value, reverse, depth);
                }
                match value.get("@id") {
                    Some(Json::Null) => return Some(term),
                    Some(Json::Text(id)) => Some(id.as_str()),
                    _ => None,
                }
            }
            _ => return None,
        };
        term.iri = Some(match id.filter(|id| *id != name) {
            Some(id) if is_keyword_form(id) && !is_keyword(id) => return None,
            Some(id) => self.expand(id, depth).filter(|iri| iri.contains(':') || is_keyword(iri))?,
            None => self.own_iri(name, depth)?,
        });
        let iri = term.iri.as_deref().unwrap_or("");
        let simple = matches!(value, Json::Text(_));
        term.prefix = match value.get("@prefix") {
            Some(Json::Bool(said)) => *said,
            _ => {
                simple
                    && !name.contains([':', '/'])
                    && (iri.ends_with([':', '/', '?', '#', '[', ']', '@']) || iri.starts_with("_:"))
            }
        };
        // A Schema.org prefix without its slash, as in `@vocab`.
        if simple && !iri.ends_with(['/', '#']) && iri::schema_org(iri) == Some("") {
            (term.iri, term.prefix) = (Some(SCHEMA_ORG.to_string()), true);
        }
        self.details(&mut term, value, depth);
        Some(term).filter(|t| t.iri.as_deref().and_then(short).is_some())
    }

    fn reverse_term(&mut self, mut term: Term<'d>, value: &'d Json, reverse: &str, depth: usize) -> Option<Term<'d>> {
        if is_keyword_form(reverse) {
            return None;
        }
        term.iri = Some(self.expand(reverse, depth).filter(|iri| iri.contains(':'))?);
        term.reverse = true;
        self.details(&mut term, value, depth);
        Some(term).filter(|t| t.iri.as_deref().and_then(short).is_some())
    }

    /// What an expanded term definition says besides the IRI.
    fn details(&mut self, term: &mut Term<'d>, value: &'d Json, depth: usize) {
        if let Some(Json::Text(coercion)) = value.get("@type") {
            let coercion = self.expand(coercion, depth).unwrap_or_default();
            if short(&coercion).is_some() && (coercion.contains(':') || is_keyword(&coercion)) {
                term.coercion = coercion;
            }
        }
        for name in value.get("@container").map(Json::items).unwrap_or_default().iter().take(KEYWORDS.len()) {
            term.container |= match name.as_str() {
                Some("@list") => container::LIST,
                Some("@language") => container::LANGUAGE,
                Some("@index") => container::INDEX,
                Some("@id") => container::ID,
                Some("@type") => container::TYPE,
                Some("@graph") => container::GRAPH,
                // `@set` says only how compaction writes the values.
                _ => 0,
            };
        }
        term.language = match value.get("@language") {
            Some(Json::Null) => Some(""),
            Some(Json::Text(language)) if term.coercion.is_empty() => short(language),
            _ => None,
        };
        term.index = value.get("@index").and_then(Json::as_str).and_then(short);
        term.context = value.get("@context");
    }

    /// The IRI of a term that is defined without `@id`.
    fn own_iri(&mut self, name: &str, depth: usize) -> Option<String> {
        if let Some((prefix, suffix)) = compact(name) {
            if let Some(at) = self.find(prefix) {
                self.define(at, depth);
            }
            return Some(match self.known(prefix).and_then(|t| t.iri.as_deref()) {
                Some(iri) => joined(iri, suffix),
                None => name.to_string(),
            });
        }
        if name.contains('/') {
            return expand(name, true, true, &self.layer, &|name| self.layer.term(name))
                .filter(|iri| iri.contains(':'));
        }
        self.layer.vocab.as_deref().map(|vocab| joined(vocab, name))
    }

    /// IRI expansion relative to the vocabulary, with the terms of this object defined first where it needs them.
    fn expand(&mut self, value: &str, depth: usize) -> Option<String> {
        let prefix = compact(value).map_or("", |(prefix, _)| prefix);
        for name in [value, prefix] {
            if let Some(at) = self.find(name) {
                self.define(at, depth);
            }
        }
        expand(value, false, true, &self.layer, &|name| self.known(name))
    }

    fn known(&self, name: &str) -> Option<&Term<'d>> {
        self.find(name).and_then(|at| self.made[at].as_ref()).or_else(|| self.layer.term(name))
    }
}
