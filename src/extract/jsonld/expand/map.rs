//! Containers: index, id and type maps, and graphs.

use super::{
    super::{
        context::{Context, Term, container},
        iri,
    },
    Expander, Members, Place, expand_keys,
};
use crate::{graph::Object, json::Json, limits};
use alloc::{rc::Rc, string::ToString, vec::Vec};

impl<'d> Expander<'d, '_> {
    /// An index, id or type map: what its keys say is said of the values.
    pub(super) fn map(&mut self, context: &Rc<Context<'d>>, term: &Term<'d>, map: &'d Members, out: &mut Vec<Object>) {
        let has = |bits: u8| term.container & bits != 0;
        let mut inside = context.clone();
        if has(container::ID | container::TYPE) {
            inside = context.previous.clone().unwrap_or(inside);
        }
        for (key, value) in map {
            // A key is said of every value under it.
            if key.len() > limits::IRI {
                continue;
            }
            let first = out.len();
            let none = context.expand_vocab(key, false).as_deref() == Some("@none");
            let id = if has(container::ID) && !none { context.expand_id(key) } else { None };
            let place = Place { top: false, from_map: true, id: id.as_deref() };
            if has(container::GRAPH) {
                value.items().iter().for_each(|value| self.graph(&inside, term, value, place.id, out));
            } else if has(container::TYPE) {
                let scoped = match inside.term(key).and_then(|t| t.context) {
                    Some(local) => self.contexts.scoped(&inside, local, true),
                    None => inside.clone(),
                };
                for value in value.items() {
                    match value {
                        Json::Text(id) => {
                            let id = if term.coercion == "@vocab" {
                                context.expand_vocab(id, true)
                            } else {
                                context.expand_id(id)
                            };
                            out.extend(id.and_then(|id| self.reference(id)));
                        }
                        value => self.values(&scoped, Some(term), value, place, out),
                    }
                }
                for at in first..out.len() {
                    if let Some(node) = self.subject(&out[at]).filter(|_| !none) {
                        out[at] = Object::Node(node);
                        self.type_of(node, context, key);
                    }
                }
            } else {
                self.values(&inside, Some(term), value, place, out);
            }
            if let Some(index) = term.index.filter(|_| has(container::INDEX) && !none) {
                self.index(context, index, key, &mut out[first..]);
            }
        }
    }

    /// The key of a property-valued index, said of each node under it.
    fn index(&mut self, context: &Rc<Context<'d>>, index: &str, key: &'d str, out: &mut [Object]) {
        let Some(predicate) = context.expand_vocab(index, false).filter(|p| iri::is_iri(p)) else { return };
        let Some(value) = self.string(context, context.term(index), key) else { return };
        for object in out {
            if let Some(node) = self.subject(object) {
                *object = Object::Node(node);
                self.sink.statement(node, &predicate, value.clone());
            }
        }
    }

    /// A value of a graph container: a node that stands for the graph, and what is in the graph.
    pub(super) fn graph(
        &mut self,
        context: &Rc<Context<'d>>,
        term: &Term<'d>,
        value: &'d Json,
        id: Option<&str>,
        out: &mut Vec<Object>,
    ) {
        let Json::Object(members) = value else { return };
        let keys = expand_keys(context, members);
        let is_graph = keys.iter().any(|k| k.as_deref() == Some("@graph"));
        if is_graph && term.container & (container::ID | container::INDEX) != 0 {
            return self.object(context, Some(term), members, Place { top: false, from_map: true, id }, out);
        }
        let name = id.and_then(|id| self.reference(id.to_string()));
        out.push(name.unwrap_or_else(|| Object::Node(self.sink.node(None))));
        self.object(context, Some(term), members, Place { top: true, ..Place::default() }, &mut Vec::new());
    }
}
