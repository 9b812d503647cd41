//! A JSON-LD block → statements, and the statements written as JSON-LD → the same statements.

use crate::URL;
use agenticschema::{
    diagnostic::Diagnostics,
    dom::{FIELD, RECORD_END, Snapshot},
    extract::jsonld,
    graph::{NodeId, Object, Sink},
    json::Writer,
};

/// Tells blank nodes apart after the second reading: their labels are not kept.
const MARK: &str = "urn:fuzz:node";
const RDF_TYPE: &str = agenticschema::graph::RDF_TYPE;

/// Whatever the block: reading it twice gives the same, and what was read can be written and read again.
pub fn check(data: &[u8]) {
    let block = String::from_utf8_lossy(data);
    if block.contains(MARK) {
        return;
    }
    let first = read(&block);
    assert_eq!(first, read(&block), "two readings differ");
    let written = write(&first);
    let second = read(&written);
    let (want, got) = (terms(&first, |i| i), terms(&second, |i| second.mark(i)));
    assert!(want == got, "written as {written}\nwant {want:#?}\ngot {got:#?}");
}

#[derive(Debug, Default, PartialEq)]
struct Statements {
    /// The IRI of each node.
    nodes: Vec<Option<String>>,
    statements: Vec<(NodeId, String, Object)>,
}

impl Sink for Statements {
    fn node(&mut self, iri: Option<&str>) -> NodeId {
        self.nodes.push(iri.map(str::to_string));
        NodeId(self.nodes.len() as u32 - 1)
    }

    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object) {
        self.statements.push((subject, predicate.to_string(), object));
    }
}

impl Statements {
    /// The number that the writer gave to a node.
    fn mark(&self, node: u32) -> u32 {
        let mark = self.statements.iter().find_map(|(subject, predicate, object)| match object {
            Object::Literal { value, .. } if subject.0 == node && predicate == MARK => value.parse().ok(),
            _ => None,
        });
        mark.unwrap_or(u32::MAX)
    }
}

fn read(block: &str) -> Statements {
    let block = block.replace([FIELD, RECORD_END], " ");
    let mut wire = String::from("H");
    for field in [URL, URL, ""] {
        wire.push_str(field);
        wire.push(FIELD);
    }
    wire.pop();
    for record in ["", "Escript\u{1f}kapplication/ld+json", "T"] {
        wire.push_str(record);
        if record != "T" {
            wire.push(RECORD_END);
        }
    }
    wire.push_str(&block);
    wire.push(RECORD_END);
    wire.push('X');
    wire.push(RECORD_END);
    let mut out = Statements::default();
    jsonld::read(&Snapshot::decode(wire), &mut out, &mut Diagnostics::default());
    out
}

/// One node object per statement, in expanded form.
fn write(of: &Statements) -> String {
    let mut out = Writer::default();
    let id = |node: NodeId| of.nodes[node.0 as usize].clone().unwrap_or_else(|| format!("_:n{}", node.0));
    out.object(|out| {
        out.key("@context");
        out.object(|_| {});
        out.key("@graph");
        out.array(|out| {
            let blank = |node: &NodeId| of.nodes[node.0 as usize].is_none();
            for node in (0..of.nodes.len() as u32).map(NodeId).filter(blank) {
                out.object(|out| {
                    out.field("@id", &id(node));
                    out.field(MARK, &node.0.to_string());
                });
            }
            for (subject, predicate, object) in &of.statements {
                out.object(|out| {
                    out.field("@id", &id(*subject));
                    match object {
                        Object::Iri(iri) if predicate == RDF_TYPE => out.field("@type", iri),
                        Object::Node(node) if predicate == RDF_TYPE => out.field("@type", &id(*node)),
                        _ => {
                            out.key(predicate);
                            write_object(object, &id, out);
                        }
                    }
                });
            }
        });
    });
    out.finish()
}

fn write_object(object: &Object, id: &dyn Fn(NodeId) -> String, out: &mut Writer) {
    out.object(|out| match object {
        Object::Node(node) => out.field("@id", &id(*node)),
        Object::Iri(iri) => out.field("@id", iri),
        Object::Literal { value, language, datatype } => {
            out.field("@value", value);
            if !language.is_empty() {
                out.field("@language", language);
            } else if !datatype.is_empty() {
                out.field("@type", datatype);
            }
        }
        Object::List(items) => {
            out.key("@list");
            out.array(|out| items.iter().for_each(|item| write_object(item, id, out)));
        }
    });
}

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Term {
    Iri(String),
    Blank(u32),
    Literal(String, String, String),
    List(Vec<Term>),
}

/// The statements without order, with the blank nodes under numbers of the caller's; each once.
fn terms(of: &Statements, number: impl Fn(u32) -> u32) -> Vec<(Term, String, Term)> {
    let numbers: Vec<u32> =
        (0..of.nodes.len() as u32).map(|i| if of.nodes[i as usize].is_none() { number(i) } else { 0 }).collect();
    let node = |id: NodeId| match &of.nodes[id.0 as usize] {
        Some(iri) => Term::Iri(iri.clone()),
        None => Term::Blank(numbers[id.0 as usize]),
    };
    let mut out: Vec<_> = of
        .statements
        .iter()
        .filter(|(_, predicate, _)| predicate != MARK)
        .map(|(subject, predicate, object)| (node(*subject), predicate.clone(), term(object, &node)))
        .collect();
    out.sort();
    out.dedup();
    out
}

fn term(object: &Object, node: &dyn Fn(NodeId) -> Term) -> Term {
    match object {
        Object::Node(id) => node(*id),
        Object::Iri(iri) => Term::Iri(iri.clone()),
        Object::Literal { value, language, datatype } => {
            Term::Literal(value.clone(), language.clone(), datatype.clone())
        }
        Object::List(items) => Term::List(items.iter().map(|item| term(item, node)).collect()),
    }
}
