//! Contexts: what the names in a block mean (JSON-LD 1.1 API, section 4.1 "Context Processing Algorithm"). No context
//! is ever fetched; Schema.org's own is built in as rules.
//!
//! A context is a layer that holds the terms of its own and points to the layer below, so nothing is copied when a
//! node brings another. All contexts and terms of a block lie in two lists and are named by their index. A lookup goes
//! through few layers, each by binary search.

mod expansion;
mod term;

pub use term::{Term, container};

use super::iri;
use crate::{dom, graph::vocabulary::SCHEMA_ORG, json::Json, limits, order};
use alloc::{string::String, vec::Vec};
use core::{cell::Cell, cmp::Ordering};

/// Contexts kept after processing: scoped contexts come again with every value of their term.
const CACHE: usize = 32;

/// Index of a context in [`Contexts`].
pub type ContextId = usize;
/// Index of a term in [`Contexts::terms`].
pub type TermId = usize;

/// The context that a block starts with.
pub const INITIAL: ContextId = 0;
/// The context for a node at the root that brings none: read as Schema.org's, and said so if that mattered.
pub const ASSUMED: ContextId = 1;

/// Indices of [`Contexts::texts`]: nothing, Schema.org's namespace, the base URL of the document.
const NOTHING: usize = 0;
const SCHEMA: usize = 1;
const DOCUMENT: usize = 2;

/// An active context.
struct Context<'d> {
    /// What relative IRIs are resolved against; nothing after `"@base": null`.
    base: usize,
    vocab: usize,
    /// The default language, or empty.
    language: &'d str,
    /// Schema.org's context or vocabulary is in force: its aliases and prefixes hold.
    schema_org: bool,
    /// Schema.org was assumed for a block without context.
    assumed: bool,
    /// Sorted by name.
    terms: Vec<TermId>,
    /// The next layer below that has terms.
    below: Option<ContextId>,
    layers: usize,
    /// The context to go back to in the next node object (a context that is not propagated).
    previous: Option<ContextId>,
}

/// The contexts of one block, within the bounds of the page.
pub struct Contexts<'d> {
    list: Vec<Context<'d>>,
    /// Every term that was defined.
    pub terms: Vec<Term<'d>>,
    texts: Vec<String>,
    cache: Vec<Processed<'d>>,
    next: usize,
    /// Members of contexts that may still be processed ([`limits::TERMS`] for a page).
    pub budget: usize,
    /// A bound was hit.
    pub cut: bool,
    /// A context or vocabulary that is not Schema.org's: its address.
    pub unknown: Option<&'d str>,
    /// Whether a term was read as Schema.org's for lack of a context.
    pub assumption_used: Cell<bool>,
}

#[derive(Clone, Copy)]
struct Processed<'d> {
    active: ContextId,
    local: &'d Json,
    propagate: bool,
    result: ContextId,
}

impl<'d> Contexts<'d> {
    /// For a block of a document with this base URL.
    pub fn new(base: &str, budget: usize) -> Self {
        let mut contexts = Contexts {
            list: Vec::new(),
            terms: Vec::new(),
            texts: Vec::new(),
            cache: Vec::new(),
            next: 0,
            budget,
            cut: false,
            unknown: None,
            assumption_used: Cell::new(false),
        };
        for text in ["", SCHEMA_ORG, base] {
            contexts.keep(text);
        }
        for (vocab, assumed) in [(NOTHING, false), (SCHEMA, true)] {
            contexts.list.push(Context {
                base: DOCUMENT,
                vocab,
                language: "",
                schema_org: assumed,
                assumed,
                terms: Vec::new(),
                below: None,
                layers: 0,
                previous: None,
            });
        }
        contexts
    }

    /// The default language of a context, or empty.
    pub fn language(&self, context: ContextId) -> &'d str {
        self.list[context].language
    }

    /// The context to go back to in the next node object.
    pub fn previous(&self, context: ContextId) -> Option<ContextId> {
        self.list[context].previous
    }

    /// The definition of a term.
    #[inline(never)]
    pub fn find(&self, context: ContextId, name: &str) -> Option<TermId> {
        let mut layer = context;
        loop {
            if let Some(term) = self.own(layer, name).filter(|t| self.terms[*t].defined) {
                return Some(term);
            }
            layer = self.list[layer].below?;
        }
    }

    /// The term of this layer alone, defined or not.
    fn own(&self, layer: ContextId, name: &str) -> Option<TermId> {
        let terms = &self.list[layer].terms;
        let at = order::first_not_less(terms, &|t| self.terms[t].name.cmp(name));
        terms.get(at).copied().filter(|t| self.terms[*t].name == name)
    }

    /// The context scoped to a term.
    pub fn scope(&self, term: Option<TermId>) -> Option<&'d Json> {
        self.terms[term?].context
    }

    /// [`Contexts::process`] for a scoped context, remembered.
    #[inline(never)]
    pub fn scoped(&mut self, active: ContextId, local: &'d Json, propagate: bool) -> ContextId {
        for p in &self.cache {
            if p.active == active && core::ptr::eq(p.local, local) && p.propagate == propagate {
                return p.result;
            }
        }
        let result = self.process(active, local, propagate);
        let processed = Processed { active, local, propagate, result };
        if self.cache.len() < CACHE {
            self.cache.push(processed);
        } else {
            self.cache[self.next % CACHE] = processed;
            self.next += 1;
        }
        result
    }

    /// Context processing: `active` with `local` (an array, object, string or null) applied.
    #[inline(never)]
    pub fn process(&mut self, active: ContextId, local: &'d Json, propagate: bool) -> ContextId {
        if !self.afford(local.items().len()) {
            return active;
        }
        let propagate = match local.get("@propagate") {
            Some(Json::Bool(said)) => *said,
            _ => propagate,
        };
        // Nobody else holds the layers from here on.
        let first = self.list.len();
        let mut result = active;
        for context in local.items() {
            match context {
                Json::Null => result = INITIAL,
                Json::Text(address) if iri::schema_org(address).is_some() => {
                    let Context { schema_org, assumed, vocab, .. } = self.list[result];
                    if !schema_org || assumed || self.texts[vocab] != SCHEMA_ORG {
                        result = self.layer(result, first);
                        self.vocabulary(result, SCHEMA);
                    }
                }
                // No other is known.
                Json::Text(address) if !address.is_empty() => self.unknown = Some(address),
                Json::Object(members) => {
                    let joined = if result >= first { self.list[result].terms.len() / 16 } else { 0 };
                    if self.list[result].layers < limits::CONTEXTS && self.afford(members.len() + joined) {
                        result = self.layer(result, first);
                        self.layered(result, members);
                    } else {
                        self.cut = true;
                    }
                }
                _ => {}
            }
        }
        if !propagate && self.list[result].previous.is_none() {
            result = self.layer(result, first);
            self.list[result].previous = Some(active);
        }
        result
    }

    /// Takes the cost of processing so many members from the budget, so that hostile contexts end.
    fn afford(&mut self, members: usize) -> bool {
        let enough = members < self.budget;
        if enough {
            self.budget -= members + 1;
        } else {
            self.cut = true;
        }
        enough
    }

    /// A layer over this context with everything but the terms inherited; the context itself if it is new.
    fn layer(&mut self, context: ContextId, first: ContextId) -> ContextId {
        if context >= first {
            return context;
        }
        let here = &self.list[context];
        let empty = here.terms.is_empty();
        let layer = Context {
            terms: Vec::new(),
            below: if empty { here.below } else { Some(context) },
            layers: here.layers + usize::from(!empty),
            ..*here
        };
        self.list.push(layer);
        self.list.len() - 1
    }

    fn layered(&mut self, layer: ContextId, members: &'d [(String, Json)]) {
        for (key, value) in members {
            match (key.as_str(), value) {
                ("@base", Json::Null) => self.list[layer].base = NOTHING,
                ("@base", Json::Text(base)) => {
                    let outer = &self.texts[self.list[layer].base];
                    let resolved = match outer.as_str() {
                        _ if iri::has_scheme(base) => dom::resolve(base, "").or_else(|| Some(base.clone())),
                        "" => None,
                        outer => iri::resolve(base, outer),
                    };
                    if let Some(base) = resolved.as_deref().and_then(short) {
                        self.list[layer].base = self.keep(base);
                    }
                }
                ("@language", Json::Null) => self.list[layer].language = "",
                ("@language", Json::Text(language)) => self.list[layer].language = short(language).unwrap_or(""),
                ("@import", Json::Text(address)) => self.unknown = Some(address),
                _ => {}
            }
        }
        // After the base: a relative vocabulary may depend on it.
        for (key, value) in members {
            if key == "@vocab" {
                self.vocab(layer, value.as_str());
            }
        }
        self.define_all(layer, members);
    }

    fn vocab(&mut self, layer: ContextId, vocab: Option<&'d str>) {
        let Some(vocab) = vocab else { return self.vocabulary(layer, NOTHING) };
        // `http://schema.org` without its slash would make `http://schema.orgProduct`.
        if iri::schema_org(vocab) == Some("") {
            let spelled = matches!(vocab.as_bytes().last(), Some(b'/' | b'#')) && iri::has_scheme(vocab);
            let text = if spelled { self.keep(vocab) } else { SCHEMA };
            return self.vocabulary(layer, text);
        }
        self.unknown = Some(vocab);
        let text = match self.expand(layer, vocab, true, true).as_deref().and_then(short) {
            Some(vocab) => self.keep(vocab),
            None => NOTHING,
        };
        self.vocabulary(layer, text);
        self.list[layer].schema_org = false;
    }

    fn vocabulary(&mut self, layer: ContextId, text: usize) {
        let layer = &mut self.list[layer];
        layer.vocab = text;
        layer.schema_org = text != NOTHING;
        layer.assumed = false;
    }

    #[inline(never)]
    fn keep(&mut self, text: &str) -> usize {
        self.texts.push(String::from(text));
        self.texts.len() - 1
    }

    /// Adds terms to a layer; where it has the name already, the newer one holds.
    fn add_terms(&mut self, layer: ContextId, new: core::ops::Range<TermId>) {
        let terms = &self.terms;
        let ids = &mut self.list[layer].terms;
        ids.extend(new);
        order::sort(ids, &|a, b| match terms[a].name.cmp(terms[b].name) {
            Ordering::Equal => b.cmp(&a),
            order => order,
        });
        let mut kept: usize = 0;
        for at in 0..ids.len() {
            if kept == 0 || terms[ids[kept - 1]].name != terms[ids[at]].name {
                ids[kept] = ids[at];
                kept += 1;
            }
        }
        ids.truncate(kept);
    }
}

/// A string that may be copied for every use of a term.
fn short(s: &str) -> Option<&str> {
    (s.len() <= limits::IRI).then_some(s)
}
