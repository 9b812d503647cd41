//! Vocabulary expansion (RDFa Core 1.1 section 10): what follows from a page's statements by the vocabularies that it
//! uses. Optional for a processor, and no part of the pipeline: an agent is told what the page says.
//!
//! Nothing is fetched here. The caller hands in the documents of vocabularies, and is told which are missing.

use crate::{
    diagnostic::{Code, Diagnostics},
    dom::Snapshot,
    graph::{NodeId, Object, RDF_TYPE, Sink, Syntax},
    limits,
};
use alloc::{collections::BTreeSet, string::String, vec::Vec};

const RDFA: &str = "http://www.w3.org/ns/rdfa#";

/// The RDFa Vocabulary Entailment (section 10.1.1) in the rules of OWL 2 RL: how one IRI stands to another, whether the
/// two are classes (else properties), and whether what holds of the first holds of the second only or also the other
/// way round.
const RULES: &[(&str, bool, bool)] = &[
    // prp-spo1
    ("http://www.w3.org/2000/01/rdf-schema#subPropertyOf", false, false),
    // prp-eqp1, prp-eqp2
    ("http://www.w3.org/2002/07/owl#equivalentProperty", false, true),
    // cax-sco
    ("http://www.w3.org/2000/01/rdf-schema#subClassOf", true, false),
    // cax-eqc1, cax-eqc2
    ("http://www.w3.org/2002/07/owl#equivalentClass", true, true),
];

/// A vocabulary that pages may use.
#[derive(Clone, Copy)]
pub struct Vocabulary<'a> {
    /// Its IRI, as `vocab` gives it.
    pub iri: &'a str,
    /// The document found there: HTML with RDFa.
    pub document: &'a Snapshot,
}

/// Reads every statement of the page as [`super::read`] does, and states what follows from them by the vocabularies
/// that the page names with `rdfa:usesVocabulary`, each once (<https://www.w3.org/TR/rdfa-core/#s_vocab_expansion>).
/// Returns the vocabularies that the page names and the caller did not hand in; what would follow from those is missing.
///
/// The statements of a vocabulary are not the page's, and are not stated. Classes and properties without an IRI are
/// passed over, and so is what follows about classes and properties themselves: the entailment is about individuals.
/// Reported: what [`super::read`] reports of the page, and when more follows than is stated.
pub fn read(
    snapshot: &Snapshot,
    vocabularies: &[Vocabulary<'_>],
    sink: &mut dyn Sink,
    diagnostics: &mut Diagnostics,
) -> Vec<String> {
    let mut page = Listener::new(sink);
    super::read(snapshot, &mut page, diagnostics);
    let mut schema = page.schema();
    let mut missing = Vec::new();
    for iri in page.vocabularies() {
        let Some(known) = vocabularies.iter().find(|known| known.iri == iri) else {
            missing.push(iri);
            continue;
        };
        let mut nowhere = Nowhere(0);
        let mut listener = Listener::new(&mut nowhere);
        // What is wrong with a vocabulary is nothing that the page could mend.
        super::read(known.document, &mut listener, &mut Diagnostics::default());
        schema.append(&mut listener.schema());
    }
    if !page.expand(&schema) {
        diagnostics.report(
            Code::DepthLimit,
            "More follows from the vocabularies of the page's RDFa than is stated",
            "",
        );
    }
    missing
}

/// What holds of one IRI holds of another, of properties or of classes.
struct Implication {
    classes: bool,
    from: String,
    to: String,
}

struct Said {
    subject: NodeId,
    predicate: String,
    object: Object,
}

/// Passes on what it hears, and remembers it.
struct Listener<'s> {
    sink: &'s mut dyn Sink,
    iris: Vec<(NodeId, String)>,
    said: Vec<Said>,
}

impl Sink for Listener<'_> {
    fn origin(&mut self, syntax: Syntax, aside: bool) {
        self.sink.origin(syntax, aside);
    }

    fn node(&mut self, iri: Option<&str>) -> NodeId {
        let node = self.sink.node(iri);
        self.iris.extend(iri.map(|iri| (node, iri.into())));
        node
    }

    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object) {
        self.said.push(Said { subject, predicate: predicate.into(), object: object.clone() });
        self.sink.statement(subject, predicate, object);
    }
}

impl<'s> Listener<'s> {
    fn new(sink: &'s mut dyn Sink) -> Self {
        Listener { sink, iris: Vec::new(), said: Vec::new() }
    }

    /// The vocabularies that were named, each once.
    fn vocabularies(&self) -> Vec<String> {
        let mut named: Vec<String> = Vec::new();
        for said in self.said.iter().filter(|said| said.predicate.strip_prefix(RDFA) == Some("usesVocabulary")) {
            named.extend(iri(&said.object).cloned());
        }
        named.sort_unstable();
        named.dedup();
        named
    }

    /// What was said about how classes and properties stand to each other.
    fn schema(&mut self) -> Vec<Implication> {
        self.iris.sort_unstable();
        let mut schema = Vec::new();
        for Said { subject, predicate, object } in &self.said {
            let Some(&(_, classes, both)) = RULES.iter().find(|(rule, ..)| rule == predicate) else { continue };
            let at = self.iris.partition_point(|(node, _)| node < subject);
            let Some((_, from)) = self.iris.get(at).filter(|(node, _)| node == subject) else { continue };
            let Some(to) = iri(object) else { continue };
            schema.push(Implication { classes, from: from.clone(), to: to.clone() });
            if both {
                schema.push(Implication { classes, from: to.clone(), to: from.clone() });
            }
        }
        schema
    }

    /// Says what follows from what was said. Returns whether that was all.
    fn expand(&mut self, schema: &[Implication]) -> bool {
        let names = Names::new(&self.said, schema);
        let of = |classes| {
            let rows = schema.iter().filter(|row| row.classes == classes);
            let mut steps: Vec<(usize, usize)> = rows.map(|row| (names.of(&row.from), names.of(&row.to))).collect();
            steps.sort_unstable();
            steps.dedup();
            steps
        };
        let (properties, classes) = (of(false), of(true));
        let rdf_type = names.of(RDF_TYPE);
        // An object that is no IRI has a number too, behind those of the names.
        let number = |at: usize, object: &Object| iri(object).map_or(names.0.len() + at, |iri| names.of(iri));
        let numbers = |(at, said): (usize, &Said)| (said.subject, names.of(&said.predicate), number(at, &said.object));
        let mut statements: Vec<(NodeId, usize, usize)> = self.said.iter().enumerate().map(numbers).collect();
        let mut known: BTreeSet<_> = statements.iter().copied().collect();

        let (mut applied, mut bytes, mut at) = (0, 0, 0);
        while let Some(&(subject, predicate, object)) = statements.get(at) {
            at += 1;
            let wider = following(&properties, predicate).map(|property| (property, object));
            let types = following(&classes, object).filter(|_| predicate == rdf_type);
            for (predicate, object) in wider.chain(types.map(|class| (rdf_type, class))) {
                applied += 1;
                if applied > limits::ENTAILMENTS || known.len() >= limits::STATEMENTS || bytes > limits::TEXT_TOTAL {
                    return false;
                }
                if !known.insert((subject, predicate, object)) {
                    continue;
                }
                let value = match names.0.get(object) {
                    Some(iri) => Object::Iri((*iri).into()),
                    None => self.said[object - names.0.len()].object.clone(),
                };
                bytes += size(&value);
                self.sink.statement(subject, names.0[predicate], value);
                statements.push((subject, predicate, object));
            }
        }
        true
    }
}

/// Every IRI that is a predicate, an object or in the schema, once and in order; its number is its place.
struct Names<'a>(Vec<&'a str>);

impl<'a> Names<'a> {
    fn new(said: &'a [Said], schema: &'a [Implication]) -> Self {
        let mut names = Vec::from([RDF_TYPE]);
        for Said { predicate, object, .. } in said {
            names.push(predicate);
            names.extend(iri(object).map(String::as_str));
        }
        for Implication { from, to, .. } in schema {
            names.extend([from.as_str(), to.as_str()]);
        }
        names.sort_unstable();
        names.dedup();
        Names(names)
    }

    fn of(&self, iri: &str) -> usize {
        self.0.partition_point(|name| *name < iri)
    }
}

/// The second numbers of the pairs, which are in order, that begin with `from`.
fn following(pairs: &[(usize, usize)], from: usize) -> impl Iterator<Item = usize> {
    let first = pairs.partition_point(|pair| pair.0 < from);
    pairs[first..].iter().take_while(move |pair| pair.0 == from).map(|pair| pair.1)
}

fn iri(object: &Object) -> Option<&String> {
    match object {
        Object::Iri(iri) => Some(iri),
        _ => None,
    }
}

/// Bytes of an object's text.
fn size(object: &Object) -> usize {
    match object {
        Object::Node(_) => 0,
        Object::Iri(iri) => iri.len(),
        Object::Literal { value, .. } => value.len(),
        // Lists hold no lists in RDFa: this goes one deep.
        Object::List(items) => items.iter().map(size).sum(),
    }
}

/// Numbers nodes, and forgets what is said of them.
struct Nowhere(u32);

impl Sink for Nowhere {
    fn node(&mut self, _: Option<&str>) -> NodeId {
        self.0 += 1;
        NodeId(self.0)
    }

    fn statement(&mut self, _: NodeId, _: &str, _: Object) {}
}
