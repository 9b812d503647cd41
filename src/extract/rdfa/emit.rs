//! Statements → sink: one node per subject, strings put together.

use super::{
    Statement, datetime,
    terms::{Id, Kind, Terms},
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
// The module has one call of it, in which it is smallest.
#[inline(always)]
pub(super) fn emit<'a>(
    terms: &Terms<'a>,
    snapshot: &Snapshot,
    statements: &[Statement],
    lists: &[Vec<Id>],
    sink: &mut dyn Sink,
) -> bool {
    let mut nodes = Vec::new();
    nodes.resize(terms.list.len(), Node { aside: true, id: None });
    for statement in statements {
        nodes[statement.subject.index()].aside &= statement.aside;
        if terms.term(statement.object).kind == Kind::Blank {
            nodes[statement.object.index()].aside &= statement.aside;
        }
    }
    let mut emitter = Emitter { terms, snapshot, lists, nodes, sink, budget: limits::TEXT_TOTAL };
    for statement in statements {
        let subject = emitter.open(statement.subject);
        let predicate = terms.whole(statement.predicate);
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

struct Emitter<'e, 'a> {
    terms: &'e Terms<'a>,
    snapshot: &'e Snapshot,
    lists: &'e [Vec<Id>],
    /// The node of each term, once it was opened.
    nodes: Vec<Node>,
    sink: &'e mut dyn Sink,
    /// Bytes of objects that may still be copied out of the page, and nodes that may be looked at for them.
    budget: usize,
}

impl Emitter<'_, '_> {
    fn open(&mut self, id: Id) -> NodeId {
        let node = &mut self.nodes[id.index()];
        if let Some(open) = node.id {
            return open;
        }
        self.sink.origin(Syntax::Rdfa, node.aside);
        let whole = self.terms.whole(id);
        let open = self.sink.node(Some(whole.as_str()).filter(|_| self.terms.term(id).kind == Kind::Iri));
        node.id = Some(open);
        open
    }

    /// `None` when the budget is used up: properties nested in each other repeat their text.
    fn object(&mut self, id: Id, readable: bool) -> Option<Object> {
        let term = self.terms.term(id);
        let value = match term.kind {
            Kind::Blank => return Some(Object::Node(self.open(id))),
            Kind::List => {
                let mut items = Vec::new();
                // Lists hold no lists: this goes one deep.
                for item in &self.lists[term.space as usize] {
                    items.extend(self.object(*item, readable));
                }
                return Some(Object::List(items));
            }
            _ if self.budget == 0 => return None,
            Kind::Iri => self.terms.whole(id),
            Kind::Attribute => text::cut(term.text, limits::STRING).to_string(),
            Kind::Content => {
                let element = term.space as usize;
                // Looking for text takes time even where there is none.
                self.spend(self.snapshot.end(element) - element)?;
                if readable { self.snapshot.plain_text(element) } else { self.snapshot.raw_text(element) }
            }
        };
        self.spend(value.len())?;
        if term.kind == Kind::Iri {
            return Some(Object::Iri(value));
        }
        let datatype = match term.datatype {
            Some(datatype) => self.terms.whole(datatype),
            None if term.dated => datetime::datatype(&value),
            None => String::new(),
        };
        let language = if datatype.is_empty() { term.language } else { "" }.to_string();
        Some(Object::Literal { value, language, datatype })
    }

    #[inline(never)]
    fn spend(&mut self, bytes: usize) -> Option<()> {
        let enough = bytes <= self.budget;
        self.budget = if enough { self.budget - bytes } else { 0 };
        enough.then_some(())
    }
}
