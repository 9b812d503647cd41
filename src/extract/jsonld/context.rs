//! Contexts: what the names in a block mean (JSON-LD 1.1 API, section 4 "Context Processing Algorithm", "Create Term
//! Definition" and "IRI Expansion"). No context is ever fetched; Schema.org's own is built in as rules.
//!
//! A context is a layer that holds the terms of its own and points to the layer below, so nothing is copied when a
//! node brings another. Layers made by one array of contexts are merged when they grow as large as the one below
//! them: a lookup goes through few layers, each by binary search.

use super::iri;
use crate::{json::Json, limits};
use alloc::{
    rc::Rc,
    string::{String, ToString},
    vec::Vec,
};
use core::cell::Cell;

/// The namespace that Schema.org's context stands for.
const SCHEMA_ORG: &str = "https://schema.org/";
/// Contexts kept after processing: scoped contexts come again with every value of their term.
const CACHE: usize = 32;

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
    name: &'d str,
    /// The IRI or keyword; `None` for a term that the page switched off (`"term": null`).
    iri: Option<String>,
    prefix: bool,
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

/// An object context while its terms are defined. A term may build on another one of the same object, so each is
/// defined when it is first asked for.
struct Local<'d> {
    layer: Context<'d>,
    members: &'d [(String, Json)],
    /// Indices of the members, sorted by name; of a name given twice the last one.
    order: Vec<usize>,
    /// The definition of each entry of `order`, once it was asked for.
    made: Vec<Option<Term<'d>>>,
    begun: Vec<bool>,
}

impl<'d> Local<'d> {
    fn new(layer: Context<'d>, members: &'d [(String, Json)]) -> Self {
        let mut order: Vec<usize> = (0..members.len()).filter(|&i| !is_keyword_form(&members[i].0)).collect();
        crate::order::sort(&mut order, &|a, b| members[a].0.cmp(&members[b].0).then(b.cmp(&a)));
        order.dedup_by(|b, a| members[*a].0 == members[*b].0);
        let mut made = Vec::new();
        made.resize_with(order.len(), || None);
        let mut begun = Vec::new();
        begun.resize(order.len(), false);
        Local { layer, members, order, made, begun }
    }

    fn define_all(mut self) -> Context<'d> {
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

/// IRI Expansion.
fn expand<'t, 'd: 't>(
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
fn compact(value: &str) -> Option<(&str, &str)> {
    let colon = value.bytes().skip(1).position(|b| b == b':')? + 1;
    Some((&value[..colon], &value[colon + 1..]))
}

fn joined(a: &str, b: &str) -> String {
    let mut out = String::with_capacity(a.len() + b.len());
    out.push_str(a);
    out.push_str(b);
    out
}

/// Whether a string looks like a keyword: `@` and ASCII letters. Those that are none have no meaning.
fn is_keyword_form(s: &str) -> bool {
    s.len() > 1 && s.starts_with('@') && s.bytes().skip(1).all(|b| b.is_ascii_alphabetic())
}

fn is_keyword(s: &str) -> bool {
    KEYWORDS.contains(&s)
}

const KEYWORDS: [&str; 23] = [
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

/// A string that may be copied for every use of a term.
fn short(s: &str) -> Option<&str> {
    (s.len() <= limits::IRI).then_some(s)
}
