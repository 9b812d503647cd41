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
    context::{Context, Contexts, Term, container},
    iri,
};
use crate::{
    graph::{NodeId, Object, RDF_TYPE, Sink},
    json::Json,
};
use alloc::{
    rc::Rc,
    string::{String, ToString},
    vec::Vec,
};
use value::{json_literal, language_map};

type Members = [(String, Json)];

/// Expands the values of one block into a sink.
pub struct Expander<'d, 's> {
    /// The contexts of the block.
    pub contexts: Contexts<'d>,
    /// An `@id` was a placeholder such as `undefined` and was ignored.
    pub placeholder: Option<&'d str>,
    sink: &'s mut dyn Sink,
    /// The blank node labels of the block, sorted, and the node of each that was opened.
    labels: Vec<&'d str>,
    nodes: Vec<Option<NodeId>>,
    /// Several nodes have an empty `@id`: a template's missing value, not the document.
    empty_ids: usize,
}

/// Where an element stands.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    /// At the root, in `@graph` or in `@included`: values state nothing there.
    top: bool,
    /// A value of an id, type or index map: an unpropagated context still holds.
    from_map: bool,
    /// The key of an id map.
    id: Option<&'a str>,
}

impl<'d, 's> Expander<'d, 's> {
    /// For a block with these values.
    pub fn new(contexts: Contexts<'d>, sink: &'s mut dyn Sink, roots: &'d [Json]) -> Self {
        let mut labels = Vec::new();
        let mut empty_ids = 0;
        roots.iter().for_each(|root| gather(root, &mut labels, &mut empty_ids));
        let mut labels = crate::order::arranged(&labels, &|a: &&str, b: &&str| a.cmp(b));
        labels.dedup();
        let mut nodes = Vec::new();
        nodes.resize(labels.len(), None);
        Expander { contexts, placeholder: None, sink, labels, nodes, empty_ids }
    }

    /// Reads a value at the root of the block.
    pub fn root(&mut self, value: &'d Json) {
        match value {
            Json::Array(items) => items.iter().for_each(|item| self.root(item)),
            Json::Object(members) => {
                let said = value.get("@context").is_some_and(|c| c.as_str() != Some(""));
                let context = if said { self.contexts.initial() } else { self.contexts.assumed() };
                let place = Place { top: true, ..Place::default() };
                self.object(&Rc::new(context), None, members, place, &mut Vec::new());
            }
            _ => {}
        }
    }

    /// Expands an element below the property of `term` and adds what it is to `out`.
    fn values(
        &mut self,
        context: &Rc<Context<'d>>,
        term: Option<&Term<'d>>,
        value: &'d Json,
        place: Place,
        out: &mut Vec<Object>,
    ) {
        match value {
            Json::Null => {}
            Json::Array(items) => {
                let lists = term.is_some_and(|t| t.container & container::LIST != 0);
                for item in items {
                    if lists && matches!(item, Json::Array(_)) {
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
            _ => match term.and_then(|t| t.context) {
                Some(local) => {
                    let context = self.contexts.scoped(context, local, true);
                    out.extend(self.scalar(&context, term, value));
                }
                None => out.extend(self.scalar(context, term, value)),
            },
        }
    }

    /// A value object, list, set or node object.
    fn object(
        &mut self,
        context: &Rc<Context<'d>>,
        term: Option<&Term<'d>>,
        members: &'d Members,
        place: Place,
        out: &mut Vec<Object>,
    ) {
        let (active, type_scoped, keys) = self.contexts_of(context, term, members, place.from_map);
        let find = |keyword: &str| keys.iter().position(|k| k.as_deref() == Some(keyword)).map(|at| &members[at].1);
        if let Some(value) = find("@value") {
            if !place.top {
                self.value_object(&active, value, find("@type"), find("@language"), out);
            }
            return;
        }
        if let Some(value) = find("@list") {
            if !place.top {
                let mut items = Vec::new();
                self.values(&active, term, value, Place::default(), &mut items);
                out.push(Object::List(items));
            }
            return;
        }
        if let Some(value) = find("@set") {
            return self.values(&active, term, value, Place { id: None, ..place }, out);
        }
        let states =
            keys.iter().flatten().any(|k| !k.starts_with('@') || matches!(k.as_str(), "@type" | "@reverse" | "@nest"));
        let named = id_of(&active, members, &keys);
        let id = match (named, place.id) {
            (Some(id), _) => self.id(&active, id, states),
            (None, id) => id.map(str::to_string),
        };
        if !states {
            // Only a reference, or a graph: neither says anything of its own.
            match id {
                _ if place.top => {}
                Some(id) => out.extend(self.reference(id)),
                None if named.is_some() || find("@language").is_some() => {}
                None => out.push(Object::Node(self.sink.node(None))),
            }
            for (key, (_, value)) in keys.iter().zip(members) {
                if matches!(key.as_deref(), Some("@graph" | "@included")) {
                    self.top(&active, value);
                }
            }
            return;
        }
        let node = self.open(id);
        if !place.top {
            out.push(Object::Node(node));
        }
        self.members(node, &active, &type_scoped, members, &keys);
    }

    /// The context inside an object, the one its types are read in, and its keys expanded.
    #[allow(clippy::type_complexity)]
    fn contexts_of(
        &mut self,
        context: &Rc<Context<'d>>,
        term: Option<&Term<'d>>,
        members: &'d Members,
        from_map: bool,
    ) -> (Rc<Context<'d>>, Rc<Context<'d>>, Vec<Option<String>>) {
        let mut active = context.clone();
        let mut keys = expand_keys(&active, members);
        let mut changed = false;
        if let Some(previous) = context.previous.as_ref().filter(|_| !from_map) {
            let is = |keyword: &str| keys.iter().any(|k| k.as_deref() == Some(keyword));
            if !is("@value") && !(members.len() == 1 && is("@id")) {
                active = previous.clone();
                changed = true;
            }
        }
        if let Some(local) = term.and_then(|t| t.context) {
            active = self.contexts.scoped(&active, local, true);
            changed = true;
        }
        for (key, value) in members {
            if key == "@context" {
                active = self.contexts.process(&active, value, true);
                changed = true;
            }
        }
        if changed {
            keys = expand_keys(&active, members);
        }
        let type_scoped = active.clone();
        let mut types: Vec<&str> = Vec::new();
        for (key, (_, value)) in keys.iter().zip(members) {
            if key.as_deref() == Some("@type") {
                types.extend(value.items().iter().filter_map(Json::as_str));
            }
        }
        for name in crate::order::arranged(&types, &|a, b| a.cmp(b)) {
            if let Some(local) = type_scoped.term(name).and_then(|t| t.context) {
                active = self.contexts.scoped(&active, local, false);
            }
        }
        if !Rc::ptr_eq(&active, &type_scoped) {
            keys = expand_keys(&active, members);
        }
        (active, type_scoped, keys)
    }

    /// States what the members of a node object (or of an object nested in it) say about the node.
    fn members(
        &mut self,
        node: NodeId,
        active: &Rc<Context<'d>>,
        type_scoped: &Rc<Context<'d>>,
        members: &'d Members,
        keys: &[Option<String>],
    ) {
        for (key, (name, value)) in keys.iter().zip(members) {
            let Some(key) = key else { continue };
            match key.as_str() {
                "@type" => {
                    for name in value.items().iter().filter_map(Json::as_str) {
                        self.type_of(node, type_scoped, name);
                    }
                }
                "@graph" | "@included" => self.top(active, value),
                "@reverse" => {
                    if let Json::Object(reverse) = value {
                        for (name, value) in reverse {
                            if let Some(predicate) = active.expand_vocab(name, false) {
                                self.property(node, active, &predicate, active.term(name), value, true);
                            }
                        }
                    }
                }
                "@nest" => {
                    let context = match active.term(name).and_then(|t| t.context) {
                        Some(local) => self.contexts.scoped(active, local, true),
                        None => active.clone(),
                    };
                    for nested in value.items() {
                        if let Json::Object(nested) = nested {
                            let keys = expand_keys(&context, nested);
                            self.members(node, &context, type_scoped, nested, &keys);
                        }
                    }
                }
                keyword if keyword.starts_with('@') => {}
                predicate => self.property(node, active, predicate, active.term(name), value, false),
            }
        }
    }

    fn type_of(&mut self, node: NodeId, context: &Context<'d>, name: &str) {
        // `schema.org/Product` is meant as an address, although it has no scheme.
        let name = match iri::schema_org(name) {
            Some(local) if !local.is_empty() && !iri::has_scheme(name) => local,
            _ => name,
        };
        if let Some(class) = context.expand_vocab(name, true) {
            if let Some(class) = self.reference(class).filter(|c| !matches!(c, Object::Iri(iri) if !iri::is_iri(iri))) {
                self.sink.statement(node, RDF_TYPE, class);
            }
        }
    }

    /// Nodes that stand for themselves.
    fn top(&mut self, context: &Rc<Context<'d>>, value: &'d Json) {
        self.values(context, None, value, Place { top: true, ..Place::default() }, &mut Vec::new());
    }

    /// States a property. `reversed`: it stands in an `@reverse` map.
    fn property(
        &mut self,
        node: NodeId,
        context: &Rc<Context<'d>>,
        predicate: &str,
        term: Option<&Term<'d>>,
        value: &'d Json,
        reversed: bool,
    ) {
        if !iri::is_iri(predicate) {
            return;
        }
        let mut out = Vec::new();
        match (term, value) {
            (Some(t), _) if t.coercion == "@json" => out.push(json_literal(value)),
            (Some(t), Json::Object(map)) if t.container & container::LANGUAGE != 0 => {
                language_map(context, map, &mut out)
            }
            (Some(t), Json::Object(map)) if t.container & (container::INDEX | container::ID | container::TYPE) != 0 => {
                self.map(context, t, map, &mut out)
            }
            (Some(t), _) if t.container & container::GRAPH != 0 => {
                value.items().iter().for_each(|value| self.graph(context, t, value, None, &mut out))
            }
            _ => self.values(context, term, value, Place::default(), &mut out),
        }
        if term.is_some_and(|t| t.container & container::LIST != 0) && !matches!(value, Json::Null | Json::Object(_)) {
            out = [Object::List(out)].into();
        }
        let reversed = reversed != term.is_some_and(|t| t.reverse);
        for object in out {
            if !reversed {
                self.sink.statement(node, predicate, object);
            } else if let Some(subject) = self.subject(&object) {
                self.sink.statement(subject, predicate, Object::Node(node));
            }
        }
    }

    /// The IRI of an `@id`; `None` if it names nothing.
    fn id(&mut self, context: &Context<'d>, id: &'d str, states: bool) -> Option<String> {
        if iri::is_placeholder(id) || (states && self.empty_ids > 1 && matches!(id, "" | "#")) {
            self.placeholder = Some(id);
            return None;
        }
        let id = context.expand_id(id).filter(|id| !id.starts_with('@'))?;
        // A space in an address is an error, but no reason to lose the node.
        if iri::has_scheme(&id) && !iri::is_iri(&id) {
            Some(crate::dom::resolve(&id, &id).unwrap_or(id))
        } else {
            Some(id)
        }
    }

    /// What refers to the node of an IRI or blank node label. A relative IRI that nothing resolves refers to nothing.
    fn reference(&mut self, id: String) -> Option<Object> {
        if id.starts_with("_:") {
            Some(Object::Node(self.open(Some(id))))
        } else {
            iri::has_scheme(&id).then_some(Object::Iri(id))
        }
    }

    fn subject(&mut self, object: &Object) -> Option<NodeId> {
        match object {
            Object::Node(node) => Some(*node),
            Object::Iri(iri) => Some(self.sink.node(Some(iri))),
            _ => None,
        }
    }

    fn open(&mut self, id: Option<String>) -> NodeId {
        match id {
            None => self.sink.node(None),
            Some(id) if id.starts_with("_:") => match self.labels.binary_search(&id.as_str()) {
                Ok(at) => *self.nodes[at].get_or_insert_with(|| self.sink.node(None)),
                Err(_) => self.sink.node(None),
            },
            Some(id) => self.sink.node(Some(id.as_str()).filter(|id| iri::has_scheme(id))),
        }
    }
}

/// Collects what may be a blank node label, and counts the node objects whose `@id` is empty.
fn gather<'d>(value: &'d Json, labels: &mut Vec<&'d str>, empty_ids: &mut usize) {
    match value {
        Json::Text(s) if s.starts_with("_:") => labels.push(s),
        Json::Array(items) => items.iter().for_each(|item| gather(item, labels, empty_ids)),
        Json::Object(members) => {
            for (key, value) in members {
                if key.starts_with("_:") {
                    labels.push(key);
                }
                let empty = matches!(key.as_str(), "@id" | "id") && matches!(value.as_str(), Some("" | "#"));
                *empty_ids += usize::from(empty && members.len() > 1);
                gather(value, labels, empty_ids);
            }
        }
        _ => {}
    }
}

/// The `@id` of an object, its own or one nested in it (`@nest`).
fn id_of<'d>(context: &Context, members: &'d Members, keys: &[Option<String>]) -> Option<&'d str> {
    let mut id = None;
    for (key, (_, value)) in keys.iter().zip(members) {
        match key.as_deref() {
            Some("@id") => return value.as_str(),
            Some("@nest") if id.is_none() => {
                id = value.items().iter().find_map(|nested| match nested {
                    Json::Object(nested) => id_of(context, nested, &expand_keys(context, nested)),
                    _ => None,
                });
            }
            _ => {}
        }
    }
    id
}

/// Each key of an object expanded; `None` for those that mean nothing.
fn expand_keys(context: &Context, members: &Members) -> Vec<Option<String>> {
    let expand = |key: &str| context.expand_vocab(key, false).filter(|k| k.starts_with('@') || k.contains(':'));
    members.iter().map(|(key, _)| expand(key)).collect()
}
