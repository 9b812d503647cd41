//! Containers: language, index, id and type maps, and graphs.

use super::{
    super::{
        context::{ContextId, TermId, container},
        iri,
    },
    Expander, Members, Place, add, each_text, find, value,
};
use crate::{graph::Object, json::Json, limits};
use alloc::{string::ToString, vec::Vec};

impl<'d> Expander<'d, '_> {
    /// A language, index, id or type map: what its keys say is said of the values.
    pub(super) fn map(&mut self, context: ContextId, term: TermId, map: &'d Members, out: &mut Vec<Object>) {
        let (containers, index) = (self.contexts.terms[term].container, self.contexts.terms[term].index);
        let has = |bits: u8| containers & bits != 0;
        let mut inside = context;
        if has(container::ID | container::TYPE) {
            inside = self.contexts.previous(context).unwrap_or(inside);
        }
        for (key, value) in map {
            let none = self.contexts.expand_key(context, key).as_deref() == Some("@none");
            if has(container::LANGUAGE) {
                let language = if none { "" } else { key.as_str() };
                each_text(value, &mut |s| out.push(value::text(s, language, "")));
                continue;
            }
            // A key is said of every value under it.
            if key.len() > limits::IRI {
                continue;
            }
            let first = out.len();
            let id = if has(container::ID) && !none { self.contexts.expand(context, key, true, false) } else { None };
            let place = Place { from_map: true, id: id.as_deref(), ..Place::BELOW };
            if has(container::GRAPH) {
                for value in value.items() {
                    self.graph(inside, term, value, place.id, out);
                }
            } else if has(container::TYPE) {
                let scoped = self.below(inside, self.contexts.find(inside, key));
                for value in value.items() {
                    match value {
                        Json::Text(id) => {
                            let vocab = self.contexts.terms[term].coercion == "@vocab";
                            let id = self.contexts.expand(context, id, true, vocab);
                            add(id.and_then(|id| self.reference(id)), out);
                        }
                        value => self.values(scoped, Some(term), value, place, out),
                    }
                }
            } else {
                self.values(inside, Some(term), value, place, out);
            }
            let typed = has(container::TYPE) && !has(container::GRAPH) && !none;
            let index = index.filter(|_| has(container::INDEX) && !none);
            if typed || index.is_some() {
                for object in &mut out[first..] {
                    let Some(node) = self.subject(object) else { continue };
                    *object = Object::Node(node);
                    if typed {
                        self.type_of(node, context, key);
                    }
                    // The key of a property-valued index.
                    let Some(index) = index else { continue };
                    let predicate = self.contexts.expand_key(context, index).filter(|p| iri::is_iri(p));
                    let value = self.string(context, self.contexts.find(context, index), key);
                    if let (Some(predicate), Some(value)) = (predicate, value) {
                        self.sink.statement(node, &predicate, value);
                    }
                }
            }
        }
    }

    /// A value of a graph container: a node that stands for the graph, and what is in the graph.
    pub(super) fn graph(
        &mut self,
        context: ContextId,
        term: TermId,
        value: &'d Json,
        id: Option<&str>,
        out: &mut Vec<Object>,
    ) {
        let Json::Object(members) = value else { return };
        let keys = self.expand_keys(context, members);
        if find(members, &keys, "@graph").is_some() && self.has(Some(term), container::ID | container::INDEX) {
            return self.object(context, Some(term), members, Place { from_map: true, id, ..Place::BELOW }, out);
        }
        let name = id.and_then(|id| self.reference(id.to_string()));
        out.push(name.unwrap_or_else(|| Object::Node(self.sink.node(None))));
        self.object(context, Some(term), members, Place::TOP, &mut Vec::new());
    }
}
