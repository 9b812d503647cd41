//! Statements → sink: one node per subject, strings put together.

use super::{
    context::{Context, Resource},
    datetime,
    order::{Keyed, find},
    statement::{Literal, Statement, Text, Value},
};
use crate::{
    dom::Snapshot,
    graph::{NodeId, Object, Sink, Syntax, vocabulary},
    limits, text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Speaks the statements. A subject becomes one node, opened at its first statement; so does a blank node that is
/// only an object. An IRI that is an object stays an IRI: whether it is also a node is for the graph to find out.
/// Returns whether the budget of text was enough.
pub(super) fn emit<'a>(
    context: &Context<'a>,
    snapshot: &Snapshot,
    statements: &[Statement<'a>],
    lists: &[Vec<Value<'a>>],
    sink: &mut dyn Sink,
) -> bool {
    let nodes = nodes(context, statements, lists);
    let mut emitter = Emitter { context, snapshot, lists, nodes, sink, budget: limits::TEXT_TOTAL };
    let mut predicate = String::new();
    for statement in statements {
        let Some(subject) = emitter.open(statement.subject) else { continue };
        predicate.clear();
        context.write(statement.predicate, &mut predicate);
        let readable = vocabulary::local_name(&predicate).is_some();
        if let Some(object) = emitter.object(statement.object, readable) {
            emitter.sink.statement(subject, &predicate, object);
        }
    }
    emitter.budget > 0
}

#[derive(Clone, Copy)]
struct Node {
    /// Whether everything that is said of it is said in page furniture.
    aside: bool,
    id: Option<NodeId>,
}

/// The subjects and blank nodes of the statements, each once, sorted.
fn nodes<'a>(context: &Context<'a>, statements: &[Statement<'a>], lists: &[Vec<Value<'a>>]) -> Vec<Keyed<'a, Node>> {
    let mut nodes: Vec<Keyed<'a, Node>> = Vec::new();
    // An element's statements share its subject: most repetitions are neighbours.
    let mut add = |resource, aside| match nodes.last_mut() {
        Some(last) if context.same(last.resource, resource) => last.value.aside &= aside,
        _ => nodes.push(Keyed { resource, value: Node { aside, id: None } }),
    };
    let blank = |value: Value<'a>| match value {
        Value::Resource(resource) => Some(resource).filter(|r| r.iri().is_none()),
        _ => None,
    };
    for statement in statements {
        add(statement.subject, statement.aside);
        if let Some(resource) = blank(statement.object) {
            add(resource, statement.aside);
        }
    }
    for resource in lists.iter().flatten().filter_map(|v| blank(*v)) {
        add(resource, true);
    }
    let mut nodes = crate::order::arranged(&nodes, &|a, b| context.compare(a.resource, b.resource));
    nodes.dedup_by(|from, into| {
        let same = context.same(from.resource, into.resource);
        into.value.aside &= from.value.aside || !same;
        same
    });
    nodes
}

struct Emitter<'e, 'a> {
    context: &'e Context<'a>,
    snapshot: &'e Snapshot,
    lists: &'e [Vec<Value<'a>>],
    nodes: Vec<Keyed<'a, Node>>,
    sink: &'e mut dyn Sink,
    /// Bytes of objects that may still be copied out of the page, and nodes that may be looked at for them.
    budget: usize,
}

impl<'a> Emitter<'_, 'a> {
    fn open(&mut self, resource: Resource<'a>) -> Option<NodeId> {
        let at = find(self.context, &self.nodes, resource)?;
        let node = &mut self.nodes[at].value;
        if node.id.is_none() {
            self.sink.origin(Syntax::Rdfa, node.aside);
            node.id = Some(match resource {
                Resource::Iri(iri) => {
                    let mut whole = String::new();
                    self.context.write(iri, &mut whole);
                    self.sink.node(Some(&whole))
                }
                _ => self.sink.node(None),
            });
        }
        node.id
    }

    /// `None` when the budget is used up: properties nested in each other repeat their text.
    fn object(&mut self, value: Value<'a>, readable: bool) -> Option<Object> {
        match value {
            Value::Resource(Resource::Iri(iri)) => {
                let mut whole = String::new();
                self.context.write(iri, &mut whole);
                self.spend(whole.len())?;
                Some(Object::Iri(whole))
            }
            Value::Resource(resource) => self.open(resource).map(Object::Node),
            Value::Literal(literal) => self.literal(literal, readable),
            Value::List(list) => {
                let items = self.lists.get(list)?;
                // Lists hold no lists: this goes one deep.
                Some(Object::List(items.iter().filter_map(|item| self.object(*item, readable)).collect()))
            }
        }
    }

    fn literal(&mut self, literal: Literal<'a>, readable: bool) -> Option<Object> {
        if self.budget == 0 {
            return None;
        }
        if let Text::Content(node) = literal.text {
            // Looking for text takes time even where there is none.
            self.spend(self.snapshot.end(node) - node)?;
        }
        let value = match literal.text {
            Text::Attribute(value) => text::cut(value, limits::STRING).to_string(),
            Text::Content(node) if readable => self.snapshot.plain_text(node),
            Text::Content(node) => self.snapshot.raw_text(node),
        };
        self.spend(value.len())?;
        let mut datatype = String::new();
        match literal.datatype {
            Some(iri) => self.context.write(iri, &mut datatype),
            None if literal.dated => datatype.push_str(datetime::datatype(&value)),
            None => {}
        }
        let language = if datatype.is_empty() { literal.language } else { "" };
        Some(Object::Literal { value, language: language.to_string(), datatype })
    }

    fn spend(&mut self, bytes: usize) -> Option<()> {
        let enough = bytes <= self.budget;
        self.budget = if enough { self.budget - bytes } else { 0 };
        enough.then_some(())
    }
}
