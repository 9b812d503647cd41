//! Contexts: what the names in a block mean (JSON-LD 1.1 API, section 4.1 "Context Processing Algorithm"). No context
//! is ever fetched; Schema.org's own is built in as rules.
//!
//! A context is a layer that holds the terms of its own and points to the layer below, so nothing is copied when a
//! node brings another. Layers made by one array of contexts are merged when they grow as large as the one below
//! them: a lookup goes through few layers, each by binary search.

mod expansion;
mod term;

pub use term::{Term, container};

use super::iri;
use crate::{json::Json, limits};
use alloc::{rc::Rc, string::String, vec::Vec};
use core::cell::Cell;
use expansion::expand;
use term::Local;

/// The namespace that Schema.org's context stands for.
const SCHEMA_ORG: &str = "https://schema.org/";
/// Contexts kept after processing: scoped contexts come again with every value of their term.
const CACHE: usize = 32;

/// An active context.
#[derive(Debug)]
pub struct Context<'d> {
    /// What relative IRIs are resolved against; `None` after `"@base": null`.
    pub base: Option<Rc<str>>,
    vocab: Option<Rc<str>>,
    /// The default language, or empty.
    pub language: &'d str,
    /// Schema.org's context or vocabulary is in force: its aliases and prefixes hold.
    schema_org: bool,
    /// Schema.org was assumed for a block without context; set when a term was read so.
    assumed: Option<Rc<Cell<bool>>>,
    /// Sorted by name.
    terms: Vec<Term<'d>>,
    /// The next layer below that has terms.
    below: Option<Rc<Context<'d>>>,
    layers: usize,
    /// The context to go back to in the next node object (a context that is not propagated).
    pub previous: Option<Rc<Context<'d>>>,
}

impl<'d> Context<'d> {
    /// The definition of a term.
    pub fn term(&self, name: &str) -> Option<&Term<'d>> {
        let mut layer = self;
        loop {
            if let Ok(at) = layer.terms.binary_search_by(|t| t.name.cmp(name)) {
                return Some(&layer.terms[at]);
            }
            layer = layer.below.as_deref()?;
        }
    }

    /// IRI expansion of a key or of a type: terms, compact IRIs, the vocabulary, and at last (for types) the base.
    /// `None`: it has no meaning. A keyword comes back as itself.
    pub fn expand_vocab(&self, value: &str, relative: bool) -> Option<String> {
        expand(value, relative, true, self, &|name| self.term(name))
    }

    /// IRI expansion of an `@id`: compact IRIs and the base.
    pub fn expand_id(&self, value: &str) -> Option<String> {
        expand(value, true, false, self, &|name| self.term(name))
    }

    /// A layer over this context with everything but the terms inherited.
    fn layer(self: &Rc<Self>) -> Context<'d> {
        Context {
            base: self.base.clone(),
            vocab: self.vocab.clone(),
            language: self.language,
            schema_org: self.schema_org,
            assumed: self.assumed.clone(),
            terms: Vec::new(),
            below: if self.terms.is_empty() { self.below.clone() } else { Some(self.clone()) },
            layers: self.layers + usize::from(!self.terms.is_empty()),
            previous: self.previous.clone(),
        }
    }

    fn set_schema_org(&mut self) {
        self.vocab = Some(SCHEMA_ORG.into());
        self.schema_org = true;
        self.assumed = None;
    }
}

/// Processes contexts for one block, within the bounds of the page.
pub struct Contexts<'d> {
    base: Rc<str>,
    cache: Vec<Processed<'d>>,
    next: usize,
    /// Members of contexts that may still be processed ([`limits::TERMS`] for a page).
    pub budget: usize,
    /// A bound was hit.
    pub cut: bool,
    /// A context or vocabulary that is not Schema.org's: its address.
    pub unknown: Option<&'d str>,
    assumed: Rc<Cell<bool>>,
}

struct Processed<'d> {
    active: Rc<Context<'d>>,
    local: &'d Json,
    propagate: bool,
    result: Rc<Context<'d>>,
}

impl<'d> Contexts<'d> {
    /// For a block of a document with this base URL.
    pub fn new(base: &str, budget: usize) -> Self {
        let assumed = Rc::new(Cell::new(false));
        Contexts { base: base.into(), cache: Vec::new(), next: 0, budget, cut: false, unknown: None, assumed }
    }

    /// The context that a block starts with.
    pub fn initial(&self) -> Context<'d> {
        Context {
            base: Some(self.base.clone()),
            vocab: None,
            language: "",
            schema_org: false,
            assumed: None,
            terms: Vec::new(),
            below: None,
            layers: 0,
            previous: None,
        }
    }

    /// The context for a node at the root that brings none: read as Schema.org's, and said so if that mattered.
    pub fn assumed(&self) -> Context<'d> {
        let mut context = self.initial();
        context.set_schema_org();
        context.assumed = Some(self.assumed.clone());
        context
    }

    /// Whether a term was read as Schema.org's for lack of a context.
    pub fn assumption_used(&self) -> bool {
        self.assumed.get()
    }

    /// [`Contexts::process`] for a scoped context, remembered.
    pub fn scoped(&mut self, active: &Rc<Context<'d>>, local: &'d Json, propagate: bool) -> Rc<Context<'d>> {
        let known = self
            .cache
            .iter()
            .find(|p| Rc::ptr_eq(&p.active, active) && core::ptr::eq(p.local, local) && p.propagate == propagate);
        if let Some(processed) = known {
            return processed.result.clone();
        }
        let result = self.process(active, local, propagate);
        let processed = Processed { active: active.clone(), local, propagate, result: result.clone() };
        if self.cache.len() < CACHE {
            self.cache.push(processed);
        } else {
            self.cache[self.next] = processed;
            self.next = (self.next + 1) % CACHE;
        }
        result
    }

    /// Context processing: `active` with `local` (an array, object, string or null) applied.
    pub fn process(&mut self, active: &Rc<Context<'d>>, local: &'d Json, propagate: bool) -> Rc<Context<'d>> {
        let size = match local {
            Json::Object(members) => members.len(),
            local => local.items().len(),
        };
        if !self.afford(size) {
            return active.clone();
        }
        let propagate = match local.get("@propagate") {
            Some(Json::Bool(said)) => *said,
            _ => propagate,
        };
        let mut result = active.clone();
        for context in local.items() {
            result = match context {
                Json::Null => Rc::new(self.initial()),
                Json::Text(address) => self.named(result, address),
                Json::Object(members) => self.layered(result, members),
                _ => continue,
            };
        }
        if !propagate && result.previous.is_none() {
            let mut layer = result.layer();
            layer.previous = Some(active.clone());
            result = Rc::new(layer);
        }
        result
    }

    /// Takes the cost of processing so many members from the budget, so that hostile contexts end.
    fn afford(&mut self, members: usize) -> bool {
        match self.budget.checked_sub(members + 1) {
            Some(rest) => {
                self.budget = rest;
                true
            }
            None => {
                self.cut = true;
                false
            }
        }
    }

    /// A context named by its address: Schema.org's is known, no other is.
    fn named(&mut self, result: Rc<Context<'d>>, address: &'d str) -> Rc<Context<'d>> {
        if iri::schema_org(address).is_none() {
            self.unknown = Some(address).filter(|a| !a.is_empty()).or(self.unknown);
            return result;
        }
        if result.schema_org && result.assumed.is_none() && result.vocab.as_deref() == Some(SCHEMA_ORG) {
            return result;
        }
        let mut layer = result.layer();
        layer.set_schema_org();
        Rc::new(layer)
    }

    fn layered(&mut self, result: Rc<Context<'d>>, members: &'d [(String, Json)]) -> Rc<Context<'d>> {
        if result.layers >= limits::CONTEXTS || !self.afford(members.len()) {
            self.cut = true;
            return result;
        }
        let mut layer = result.layer();
        for (key, value) in members {
            match (key.as_str(), value) {
                ("@base", Json::Null) => layer.base = None,
                ("@base", Json::Text(base)) => {
                    let resolved = match &layer.base {
                        _ if iri::has_scheme(base) => Some(base.as_str().into()),
                        Some(outer) => iri::resolve(base, outer).map(Rc::from),
                        None => None,
                    };
                    layer.base = resolved.filter(|base: &Rc<str>| base.len() <= limits::IRI).or(layer.base);
                }
                ("@language", Json::Null) => layer.language = "",
                ("@language", Json::Text(language)) => layer.language = short(language).unwrap_or(""),
                ("@import", Json::Text(address)) => self.unknown = Some(address),
                _ => {}
            }
        }
        // After the base: a relative vocabulary may depend on it.
        for (key, value) in members {
            match (key.as_str(), value) {
                ("@vocab", Json::Null) => (layer.vocab, layer.schema_org) = (None, false),
                ("@vocab", Json::Text(vocab)) => self.vocabulary(&mut layer, vocab),
                _ => {}
            }
        }
        let mut made = Local::new(layer, members).define_all();
        // Layers of one array are merged: nobody else holds the one below, so its terms can be taken.
        drop(result);
        while let Some(below) = made.below.take() {
            if below.terms.len() > made.terms.len() {
                made.below = Some(below);
                break;
            }
            match Rc::try_unwrap(below) {
                Ok(below) => {
                    made.terms = merged(below.terms, made.terms);
                    made.below = below.below;
                    made.layers -= 1;
                }
                Err(shared) => {
                    made.below = Some(shared);
                    break;
                }
            }
        }
        Rc::new(made)
    }

    fn vocabulary(&mut self, layer: &mut Context<'d>, vocab: &'d str) {
        layer.assumed = None;
        // `http://schema.org` without its slash would make `http://schema.orgProduct`.
        if iri::schema_org(vocab) == Some("") {
            let spelled = vocab.ends_with(['/', '#']) && iri::has_scheme(vocab);
            layer.vocab = Some(if spelled { vocab.into() } else { SCHEMA_ORG.into() });
            layer.schema_org = true;
            return;
        }
        self.unknown = Some(vocab);
        layer.vocab = layer.expand_vocab(vocab, true).filter(|v| v.len() <= limits::IRI).map(Rc::from);
        layer.schema_org = false;
    }
}

/// The terms of two layers in one; the upper one's win.
fn merged<'d>(below: Vec<Term<'d>>, above: Vec<Term<'d>>) -> Vec<Term<'d>> {
    let mut out = Vec::with_capacity(below.len() + above.len());
    let mut above = above.into_iter().peekable();
    for term in below {
        let mut replaced = false;
        while let Some(upper) = above.next_if(|upper| upper.name <= term.name) {
            replaced |= upper.name == term.name;
            out.push(upper);
        }
        if !replaced {
            out.push(term);
        }
    }
    out.extend(above);
    out
}

/// A string that may be copied for every use of a term.
fn short(s: &str) -> Option<&str> {
    (s.len() <= limits::IRI).then_some(s)
}
