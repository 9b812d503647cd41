//! Nodes and values: the expansion algorithm (JSON-LD 1.1 API, section 5.1) and the deserialisation to RDF (section
//! 8) in one pass. Each node is stated as soon as it is read; no expanded document is built.
//!
//! Recursion follows the nesting of the JSON, which the reader has cut at [`crate::limits::DEPTH`].
//!
//! Where the specification raises an error, the value at fault is left out and the rest is read. Named graphs are
//! read into the one graph of the page.

mod map;
mod value;

use super::{
    context::{ASSUMED, ContextId, Contexts, INITIAL, TermId, container},
    iri,
};
use crate::{
    graph::{NodeId, Object, RDF_TYPE, Sink},
    json::Json,
    order, text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use value::json_literal;

type Members = [(String, Json)];
/// The keys of an object expanded; `None` for those that mean nothing.
type Keys = [Option<String>];

/// Expands the values of one block into a sink.
pub struct Expander<'d, 's> {
    /// The contexts of the block.
    pub contexts: Contexts<'d>,
    /// An `@id` was a placeholder such as `undefined` and was ignored.
    pub placeholder: Option<&'d str>,
    sink: &'s mut dyn Sink,
    /// The blank node labels of the block and the order that sorts them; the node of each that was opened.
    labels: Vec<&'d str>,
    order: Vec<usize>,
    nodes: Vec<Option<NodeId>>,
    /// Several nodes have an empty `@id`: a template's missing value, not the document.
    empty_ids: usize,
}

/// Where an element stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    /// At the root, in `@graph` or in `@included`: values state nothing there.
    top: bool,
    /// A value of an id, type or index map: an unpropagated context still holds.
    from_map: bool,
    /// The key of an id map.
    id: Option<&'a str>,
}

impl Place<'_> {
    const TOP: Place<'static> = Place { top: true, from_map: false, id: None };
    const BELOW: Place<'static> = Place { top: false, from_map: false, id: None };
}

impl<'d, 's> Expander<'d, 's> {
    /// For a block with these values.
    pub fn new(contexts: Contexts<'d>, sink: &'s mut dyn Sink, roots: &'d [Json]) -> Self {
        let mut labels = Vec::new();
        let mut empty_ids = 0;
        for root in roots {
            gather(root, &mut labels, &mut empty_ids);
        }
        let order = order::sorted(labels.len(), &|a, b| labels[a].cmp(labels[b]));
        let mut nodes = Vec::new();
        nodes.resize(labels.len(), None);
        Expander { contexts, placeholder: None, sink, labels, order, nodes, empty_ids }
    }

    /// Reads a value at the root of the block.
    pub fn root(&mut self, value: &'d Json) {
        match value {
            Json::Array(items) => {
                for item in items {
                    self.root(item);
                }
            }
            Json::Object(_) => {
                let said = value.get("@context").is_some_and(|c| c.as_str() != Some(""));
                self.top(if said { INITIAL } else { ASSUMED }, value);
            }
            _ => {}
        }
    }

    /// Whether the term has one of these containers.
    fn has(&self, term: Option<TermId>, containers: u8) -> bool {
        term.is_some_and(|t| self.contexts.terms[t].container & containers != 0)
    }

    /// The context for what stands under a term.
    fn below(&mut self, context: ContextId, term: Option<TermId>) -> ContextId {
        match self.contexts.scope(term) {
            Some(local) => self.contexts.scoped(context, local, true),
            None => context,
        }
    }

    /// Expands an element below the property of `term` and adds what it is to `out`.
    fn values(
        &mut self,
        context: ContextId,
        term: Option<TermId>,
        value: &'d Json,
        place: Place,
        out: &mut Vec<Object>,
    ) {
        match value {
            Json::Null => {}
            Json::Array(items) => {
                for item in items {
                    if matches!(item, Json::Array(_)) && self.has(term, container::LIST) {
                        let mut inner = Vec::new();
                        self.values(context, term, item, place, &mut inner);
                        out.push(Object::List(inner));
                    } else {
                        self.values(context, term, item, place, out);
                    }
                }
            }
            Json::Object(members) => self.object(context, term, members, place, out),
            _ if place.top => {}
            _ => {
                let context = self.below(context, term);
                add(self.scalar(context, term, value), out);
            }
        }
    }

    /// A value object, list, set or node object.
    fn object(
        &mut self,
        context: ContextId,
        term: Option<TermId>,
        members: &'d Members,
        place: Place,
        out: &mut Vec<Object>,
    ) {
        let (active, type_scoped, keys) = self.contexts_of(context, term, members, place.from_map);
        if let Some(value) = find(members, &keys, "@value") {
            if !place.top {
                let (datatype, language) = (find(members, &keys, "@type"), find(members, &keys, "@language"));
                self.value_object(active, value, datatype, language, out);
            }
            return;
        }
        if let Some(value) = find(members, &keys, "@list") {
            if !place.top {
                let mut items = Vec::new();
                self.values(active, term, value, Place::BELOW, &mut items);
                out.push(Object::List(items));
            }
            return;
        }
        if let Some(value) = find(members, &keys, "@set") {
            return self.values(active, term, value, Place { id: None, ..place }, out);
        }
        let states = keys
            .iter()
            .any(|k| k.as_deref().is_some_and(|k| !k.starts_with('@') || text::listed("@type @reverse @nest", k)));
        let named = self.id_of(active, members, &keys);
        let id = match named {
            Some(id) => self.id(active, id, states),
            None => place.id.map(str::to_string),
        };
        if !states {
            // Only a reference, or a graph: neither says anything of its own.
            if !place.top {
                match id {
                    Some(id) => add(self.reference(id), out),
                    None if named.is_some() || find(members, &keys, "@language").is_some() => {}
                    None => out.push(Object::Node(self.sink.node(None))),
                }
            }
            for (key, (_, value)) in keys.iter().zip(members) {
                if matches!(key.as_deref(), Some("@graph" | "@included")) {
                    self.top(active, value);
                }
            }
            return;
        }
        let node = self.open(id);
        if !place.top {
            out.push(Object::Node(node));
        }
        self.members(node, active, type_scoped, members, &keys);
    }

    /// The context inside an object, the one its types are read in, and its keys expanded.
    fn contexts_of(
        &mut self,
        context: ContextId,
        term: Option<TermId>,
        members: &'d Members,
        from_map: bool,
    ) -> (ContextId, ContextId, Vec<Option<String>>) {
        let mut active = context;
        let mut keys = self.expand_keys(active, members);
        if let Some(previous) = self.contexts.previous(context).filter(|_| !from_map) {
            let is = |keyword| find(members, &keys, keyword).is_some();
            if !is("@value") && !(members.len() == 1 && is("@id")) {
                active = previous;
            }
        }
        active = self.below(active, term);
        for (key, value) in members {
            if key == "@context" {
                active = self.contexts.process(active, value, true);
            }
        }
        if active != context {
            keys = self.expand_keys(active, members);
        }
        let type_scoped = active;
        let mut types: Vec<&str> = Vec::new();
        for (key, (_, value)) in keys.iter().zip(members) {
            if key.as_deref() == Some("@type") {
                each_text(value, &mut |name| types.push(name));
            }
        }
        for at in order::sorted(types.len(), &|a, b| types[a].cmp(types[b])) {
            let term = self.contexts.find(type_scoped, types[at]);
            if let Some(local) = self.contexts.scope(term) {
                active = self.contexts.scoped(active, local, false);
            }
        }
        if active != type_scoped {
            keys = self.expand_keys(active, members);
        }
        (active, type_scoped, keys)
    }

    /// States what the members of a node object (or of an object nested in it) say about the node.
    fn members(&mut self, node: NodeId, active: ContextId, type_scoped: ContextId, members: &'d Members, keys: &Keys) {
        for (key, (name, value)) in keys.iter().zip(members) {
            let Some(key) = key else { continue };
            match key.as_str() {
                "@type" => each_text(value, &mut |name| self.type_of(node, type_scoped, name)),
                "@graph" | "@included" => self.top(active, value),
                "@reverse" => {
                    if let Json::Object(reverse) = value {
                        for (name, value) in reverse {
                            if let Some(predicate) = self.contexts.expand_key(active, name) {
                                self.property(node, active, &predicate, name, value, true);
                            }
                        }
                    }
                }
                "@nest" => {
                    let context = self.below(active, self.contexts.find(active, name));
                    for nested in value.items() {
                        if let Json::Object(nested) = nested {
                            let keys = self.expand_keys(context, nested);
                            self.members(node, context, type_scoped, nested, &keys);
                        }
                    }
                }
                predicate => self.property(node, active, predicate, name, value, false),
            }
        }
    }

    #[inline(never)]
    fn type_of(&mut self, node: NodeId, context: ContextId, name: &str) {
        // `schema.org/Product` is meant as an address, although it has no scheme.
        let name = match iri::schema_org(name) {
            Some(local) if !local.is_empty() && !iri::has_scheme(name) => local,
            _ => name,
        };
        if let Some(class) = self.contexts.expand(context, name, true, true) {
            if class.starts_with("_:") || iri::is_iri(&class) {
                if let Some(class) = self.reference(class) {
                    self.sink.statement(node, RDF_TYPE, class);
                }
            }
        }
    }

    /// Nodes that stand for themselves.
    #[inline(never)]
    fn top(&mut self, context: ContextId, value: &'d Json) {
        self.values(context, None, value, Place::TOP, &mut Vec::new());
    }

    /// States a property, named so in the block. `reversed`: it stands in an `@reverse` map.
    fn property(
        &mut self,
        node: NodeId,
        context: ContextId,
        predicate: &str,
        name: &str,
        value: &'d Json,
        reversed: bool,
    ) {
        if !iri::is_iri(predicate) {
            return;
        }
        let term = self.contexts.find(context, name);
        let mut out = Vec::new();
        const MAPS: u8 = container::LANGUAGE | container::INDEX | container::ID | container::TYPE;
        match (term, value) {
            (Some(t), _) if self.contexts.terms[t].coercion == "@json" => out.push(json_literal(value)),
            (Some(t), Json::Object(map)) if self.has(term, MAPS) => self.map(context, t, map, &mut out),
            (Some(t), _) if self.has(term, container::GRAPH) => {
                for value in value.items() {
                    self.graph(context, t, value, None, &mut out);
                }
            }
            _ => self.values(context, term, value, Place::BELOW, &mut out),
        }
        if self.has(term, container::LIST) && !matches!(value, Json::Null | Json::Object(_)) {
            out = [Object::List(out)].into();
        }
        let reversed = reversed != term.is_some_and(|t| self.contexts.terms[t].reverse);
        for object in out {
            if !reversed {
                self.sink.statement(node, predicate, object);
            } else if let Some(subject) = self.subject(&object) {
                self.sink.statement(subject, predicate, Object::Node(node));
            }
        }
    }

    /// The IRI of an `@id`; `None` if it names nothing.
    fn id(&mut self, context: ContextId, id: &'d str, states: bool) -> Option<String> {
        if iri::is_placeholder(id) || (states && self.empty_ids > 1 && matches!(id, "" | "#")) {
            self.placeholder = Some(id);
            return None;
        }
        self.contexts.expand(context, id, true, false).filter(|id| !id.starts_with('@')).map(repaired)
    }

    /// What refers to the node of an IRI or blank node label. A relative IRI that nothing resolves refers to nothing.
    #[inline(never)]
    fn reference(&mut self, id: String) -> Option<Object> {
        if id.starts_with("_:") {
            return Some(Object::Node(self.open(Some(id))));
        }
        iri::has_scheme(&id).then(|| Object::Iri(repaired(id)))
    }

    #[inline(never)]
    fn subject(&mut self, object: &Object) -> Option<NodeId> {
        match object {
            Object::Node(node) => Some(*node),
            Object::Iri(iri) => Some(self.sink.node(Some(iri))),
            _ => None,
        }
    }

    #[inline(never)]
    fn open(&mut self, id: Option<String>) -> NodeId {
        let iri = id.as_deref().unwrap_or("");
        if iri.starts_with("_:") {
            let at = order::first_not_less(&self.order, &|i| self.labels[i].cmp(iri));
            if let Some(&label) = self.order.get(at).filter(|i| self.labels[**i] == iri) {
                let node = self.nodes[label].unwrap_or_else(|| self.sink.node(None));
                self.nodes[label] = Some(node);
                return node;
            }
        }
        self.sink.node(Some(iri).filter(|iri| iri::has_scheme(iri)))
    }

    /// The `@id` of an object, its own or one nested in it (`@nest`).
    fn id_of(&self, context: ContextId, members: &'d Members, keys: &Keys) -> Option<&'d str> {
        if let Some(id) = find(members, keys, "@id") {
            return id.as_str();
        }
        for (key, (_, value)) in keys.iter().zip(members) {
            for nested in value.items().iter().filter(|_| key.as_deref() == Some("@nest")) {
                if let Json::Object(nested) = nested {
                    let id = self.id_of(context, nested, &self.expand_keys(context, nested));
                    if id.is_some() {
                        return id;
                    }
                }
            }
        }
        None
    }

    #[inline(never)]
    fn expand_keys(&self, context: ContextId, members: &Members) -> Vec<Option<String>> {
        let mut keys = Vec::with_capacity(members.len());
        for (key, _) in members {
            let key = self.contexts.expand_key(context, key);
            keys.push(key.filter(|k| k.starts_with('@') || text::has(k, b':')));
        }
        keys
    }
}

/// An absolute address as browsers write it. A space in one is an error, but no reason to lose the node.
#[inline(never)]
fn repaired(id: String) -> String {
    let broken = iri::has_scheme(&id) && !iri::is_iri(&id);
    if broken { crate::dom::resolve(&id, "").unwrap_or(id) } else { id }
}

#[inline(never)]
fn add(object: Option<Object>, out: &mut Vec<Object>) {
    if let Some(object) = object {
        out.push(object);
    }
}

/// The value of the first key that expands to `keyword`.
#[inline(never)]
fn find<'d>(members: &'d Members, keys: &Keys, keyword: &str) -> Option<&'d Json> {
    for (key, (_, value)) in keys.iter().zip(members) {
        if key.as_deref() == Some(keyword) {
            return Some(value);
        }
    }
    None
}

#[inline(never)]
fn each_text<'d>(value: &'d Json, each: &mut dyn FnMut(&'d str)) {
    for item in value.items() {
        if let Json::Text(text) = item {
            each(text);
        }
    }
}

/// Collects what may be a blank node label, and counts the node objects whose `@id` is empty.
fn gather<'d>(value: &'d Json, labels: &mut Vec<&'d str>, empty_ids: &mut usize) {
    match value {
        Json::Text(s) => label(s, labels),
        Json::Array(items) => {
            for item in items {
                gather(item, labels, empty_ids);
            }
        }
        Json::Object(members) => {
            for (key, value) in members {
                label(key, labels);
                let empty = matches!(key.as_str(), "@id" | "id") && matches!(value.as_str(), Some("" | "#"));
                *empty_ids += usize::from(empty && members.len() > 1);
                gather(value, labels, empty_ids);
            }
        }
        _ => {}
    }
}

#[inline(never)]
fn label<'d>(s: &'d str, labels: &mut Vec<&'d str>) {
    if s.starts_with("_:") {
        labels.push(s);
    }
}
