//! Term definitions (JSON-LD 1.1 API, section 4.2 "Create Term Definition").

use super::{
    super::iri,
    ContextId, Contexts, NOTHING, TermId,
    expansion::{KEYWORD_COUNT, compact, is_keyword, is_keyword_form},
    short,
};
use crate::{graph::vocabulary::SCHEMA_ORG, json::Json, limits, text};
use alloc::string::{String, ToString};

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
    /// Their names, in the order of the bits.
    pub const NAMES: &str = "@list @language @index @id @type @graph";
}

/// A term definition.
pub struct Term<'d> {
    pub(super) name: &'d str,
    definition: &'d Json,
    begun: bool,
    /// Whether the definition came to something.
    pub(super) defined: bool,
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

impl<'d> Contexts<'d> {
    /// Defines the terms of a context. One may build on another one of the same context, so each is defined when it is
    /// first asked for.
    pub(super) fn define_all(&mut self, layer: ContextId, members: &'d [(String, Json)]) {
        let first = self.terms.len();
        for (name, definition) in members {
            if !is_keyword_form(name) {
                self.terms.push(Term::new(name, definition));
            }
        }
        let new = first..self.terms.len();
        self.add_terms(layer, new.clone());
        for term in new {
            self.define(layer, term, 0);
        }
    }

    /// Create Term Definition. `depth` counts terms that build on one another; a circle ends at `begun`.
    fn define(&mut self, layer: ContextId, term: TermId, depth: usize) {
        let Term { name, definition, begun, .. } = self.terms[term];
        if begun || depth > limits::DEPTH {
            return;
        }
        self.terms[term].begun = true;
        if let Some(made) = self.make(layer, name, definition, depth + 1) {
            self.terms[term] = made;
        }
    }

    fn make(&mut self, layer: ContextId, name: &'d str, value: &'d Json, depth: usize) -> Option<Term<'d>> {
        if matches!(value, Json::Object(members) if members.len() > KEYWORD_COUNT) {
            return None;
        }
        let mut term = Term::new(name, value);
        (term.begun, term.defined) = (true, true);
        let simple = matches!(value, Json::Text(_));
        let id = match (value.get("@reverse"), if simple { Some(value) } else { value.get("@id") }) {
            _ if matches!(value, Json::Null) => return Some(term),
            (Some(Json::Text(reverse)), _) => {
                term.reverse = true;
                Some(reverse.as_str())
            }
            (_, Some(Json::Null)) => return Some(term),
            (_, Some(Json::Text(id))) => Some(id.as_str()).filter(|id| *id != name),
            _ if matches!(value, Json::Object(_)) => None,
            _ => return None,
        };
        let iri = match id {
            Some(id) if is_keyword_form(id) && (term.reverse || !is_keyword(id)) => return None,
            Some(id) => {
                let iri = self.expand_defined(layer, id, depth)?;
                if !(text::has(&iri, b':') || !term.reverse && is_keyword(&iri)) {
                    return None;
                }
                iri
            }
            None => self.own_iri(layer, name, depth)?,
        };
        let end = iri.as_bytes().last().copied().unwrap_or(0);
        if let Some(Json::Bool(said)) = value.get("@prefix") {
            term.prefix = *said;
        } else if simple && !text::has(name, b':') && !text::has(name, b'/') {
            term.prefix = text::has(":/?#[]@", end) || iri.starts_with("_:");
        }
        term.iri = Some(iri);
        // A Schema.org prefix without its slash, as in `@vocab`.
        if simple && !matches!(end, b'/' | b'#') && term.iri.as_deref().and_then(iri::schema_org) == Some("") {
            (term.iri, term.prefix) = (Some(SCHEMA_ORG.to_string()), true);
        }
        self.details(layer, &mut term, depth);
        Some(term).filter(|t| t.iri.as_deref().and_then(short).is_some())
    }

    /// What an expanded term definition says besides the IRI.
    fn details(&mut self, layer: ContextId, term: &mut Term<'d>, depth: usize) {
        let value = term.definition;
        if let Some(Json::Text(coercion)) = value.get("@type") {
            let coercion = self.expand_defined(layer, coercion, depth).unwrap_or_default();
            if short(&coercion).is_some() && (iri::is_iri(&coercion) || is_keyword(&coercion)) {
                term.coercion = coercion;
            }
        }
        for name in value.get("@container").map(Json::items).unwrap_or_default().iter().take(KEYWORD_COUNT) {
            for (bit, known) in text::tokens(container::NAMES).enumerate() {
                // `@set` says only how compaction writes the values.
                term.container |= u8::from(name.as_str() == Some(known)) << bit;
            }
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
    fn own_iri(&mut self, layer: ContextId, name: &str, depth: usize) -> Option<String> {
        if let Some((prefix, suffix)) = compact(name) {
            self.define_named(layer, prefix, depth);
            let namespace = self.find(layer, prefix).and_then(|t| self.terms[t].iri.as_deref());
            return Some(namespace.map_or_else(|| name.to_string(), |iri| text::joined(iri, suffix)));
        }
        if text::has(name, b'/') {
            return self.expand(layer, name, true, true).filter(|iri| text::has(iri, b':'));
        }
        let vocab = self.list[layer].vocab;
        (vocab != NOTHING).then(|| text::joined(&self.texts[vocab], name))
    }

    /// IRI expansion relative to the vocabulary, with the terms of this context defined first where it needs them.
    fn expand_defined(&mut self, layer: ContextId, value: &str, depth: usize) -> Option<String> {
        self.define_named(layer, value, depth);
        if let Some((prefix, _)) = compact(value) {
            self.define_named(layer, prefix, depth);
        }
        self.expand_key(layer, value)
    }

    #[inline(never)]
    fn define_named(&mut self, layer: ContextId, name: &str, depth: usize) {
        if let Some(term) = self.own(layer, name) {
            self.define(layer, term, depth);
        }
    }
}

impl<'d> Term<'d> {
    fn new(name: &'d str, definition: &'d Json) -> Self {
        Term {
            name,
            definition,
            begun: false,
            defined: false,
            iri: None,
            prefix: false,
            reverse: false,
            coercion: String::new(),
            language: None,
            container: 0,
            index: None,
            context: None,
        }
    }
}
