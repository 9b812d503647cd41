//! Vocabulary expansion: RDFa Core 1.1, section 10.

use crate::{
    rdfa::{Counter, shorthand},
    support::{Collector, Triples, same_graph},
};
use agenticschema::{
    Code,
    diagnostic::Diagnostics,
    dom::html::snapshot,
    extract::rdfa::{self, expansion},
    limits,
};

const BASE: &str = "https://a.test/d/p";

/// The page's statements with what follows, the vocabularies that were missing, the diagnostics.
fn read(html: &str, vocabularies: &[(&str, &str)]) -> (Triples, Vec<String>, Diagnostics) {
    let documents: Vec<_> = vocabularies.iter().map(|(iri, html)| (*iri, snapshot(html, iri))).collect();
    let given: Vec<_> = documents.iter().map(|(iri, document)| expansion::Vocabulary { iri, document }).collect();
    let (mut sink, mut diagnostics) = (Collector::default(), Diagnostics::default());
    let missing = expansion::read(&snapshot(html, BASE), &given, &mut sink, &mut diagnostics);
    (sink.triples, missing, diagnostics)
}

/// The vocabulary `http://ex.test/` as a document, from rows of subject, predicate and object.
fn document(rows: &[(&str, &str, &str)]) -> String {
    let mut html = String::from("<body prefix='ex: http://ex.test/'>");
    for (subject, predicate, object) in rows {
        html += &format!("<a about='{subject}' property='{predicate}' resource='{object}'></a>");
    }
    html
}

const SUB_PROPERTY: &str = "rdfs:subPropertyOf";
const SUB_CLASS: &str = "rdfs:subClassOf";
const SAME_PROPERTY: &str = "owl:equivalentProperty";
const SAME_CLASS: &str = "owl:equivalentClass";

#[test]
fn each_rule() {
    for (rows, said, follows) in [
        // prp-spo1: one way, and on.
        (&[("ex:p", SUB_PROPERTY, "ex:q")][..], "<#a> ex:p 'x'", "<#a> ex:q 'x'"),
        (&[("ex:q", SUB_PROPERTY, "ex:p")], "<#a> ex:p 'x'", ""),
        (
            &[("ex:p", SUB_PROPERTY, "ex:q"), ("ex:q", SUB_PROPERTY, "foaf:r"), ("ex:p", SUB_PROPERTY, "dc:s")],
            "<#a> ex:p 'x'",
            "<#a> ex:q 'x'; <#a> foaf:r 'x'; <#a> dc:s 'x'",
        ),
        // prp-eqp1, prp-eqp2: both ways.
        (&[("ex:p", SAME_PROPERTY, "ex:q")], "<#a> ex:p 'x'", "<#a> ex:q 'x'"),
        (&[("ex:q", SAME_PROPERTY, "ex:p")], "<#a> ex:p 'x'", "<#a> ex:q 'x'"),
        // cax-sco
        (&[("ex:C", SUB_CLASS, "ex:D")], "<#a> a ex:C", "<#a> a ex:D"),
        (&[("ex:D", SUB_CLASS, "ex:C")], "<#a> a ex:C", ""),
        (&[("ex:C", SUB_CLASS, "ex:D"), ("ex:D", SUB_CLASS, "ex:E")], "<#a> a ex:C", "<#a> a ex:D; <#a> a ex:E"),
        // cax-eqc1, cax-eqc2
        (&[("ex:C", SAME_CLASS, "ex:D")], "<#a> a ex:C", "<#a> a ex:D"),
        (&[("ex:D", SAME_CLASS, "ex:C")], "<#a> a ex:C", "<#a> a ex:D"),
        // A circle ends.
        (
            &[("ex:p", SUB_PROPERTY, "ex:q"), ("ex:q", SUB_PROPERTY, "ex:p"), ("ex:q", SAME_PROPERTY, "ex:q")],
            "<#a> ex:p 'x'",
            "<#a> ex:q 'x'",
        ),
        // A class is one as a type only, a property as a predicate only.
        (&[("ex:C", SUB_CLASS, "ex:D")], "<#a> ex:p ex:C; ex:C ex:p 'x'; <#a> ex:C 'x'", ""),
        (&[("ex:C", SUB_PROPERTY, "ex:D")], "<#a> a ex:C", ""),
        // The rules work on what they gave.
        (
            &[("ex:kind", SUB_PROPERTY, "rdf:type"), ("ex:C", SUB_CLASS, "ex:D"), ("rdf:type", SUB_PROPERTY, "ex:is")],
            "<#a> ex:kind ex:C",
            "<#a> a ex:C; <#a> a ex:D; <#a> ex:is ex:C; <#a> ex:is ex:D",
        ),
        // Objects of each kind.
        (&[("ex:p", SUB_PROPERTY, "ex:q")], "<#a> ex:p <#b>; <#a> ex:p _:c", "<#a> ex:q <#b>; <#a> ex:q _:c"),
        (&[("ex:p", SUB_PROPERTY, "ex:q")], "<#a> ex:p '1'^^xsd:integer", "<#a> ex:q '1'^^xsd:integer"),
        // What has no IRI is passed over.
        (&[("ex:C", SUB_CLASS, "_:d"), ("_:d", SUB_CLASS, "ex:E")], "<#a> a ex:C", ""),
    ] {
        let (got, missing, _) = read(&page(said), &[("http://ex.test/", &document(rows))]);
        let want = format!("<> rdfa:usesVocabulary <http://ex.test/>; {said}; {follows}");
        if let Err(message) = same_graph(&got, &shorthand(&want, BASE)) {
            panic!("{rows:?}\n{said}\n{message}");
        }
        assert!(missing.is_empty());
    }
}

/// A page in the vocabulary `http://ex.test/` that states this.
fn page(said: &str) -> String {
    let mut html = String::from("<body vocab='http://ex.test/' prefix='ex: http://ex.test/'>");
    for statement in said.split("; ") {
        let [subject, predicate, object] = statement.splitn(3, ' ').collect::<Vec<_>>()[..] else { panic!("{said}") };
        let predicate = if predicate == "a" { "rdf:type" } else { predicate };
        let bare = |term: &str| term.trim_start_matches('<').trim_end_matches('>').to_string();
        let value = match object.strip_prefix('\'').and_then(|literal| literal.split_once('\'')) {
            Some((text, datatype)) => format!("content='{text}' datatype='{}'", datatype.trim_start_matches("^^")),
            None => format!("resource='{}'", bare(object)),
        };
        html += &format!("<p about='{}' property='{predicate}' {value}></p>", bare(subject));
    }
    html
}

#[test]
fn lists_are_values_too() {
    let html = "<p vocab=http://ex.test/ about=#a><b property=p inlist>x</b><b property=p inlist>y</b></p>";
    let (got, ..) = read(html, &[("http://ex.test/", &document(&[("ex:p", SUB_PROPERTY, "ex:q")]))]);
    let want = "<> rdfa:usesVocabulary <http://ex.test/>; <#a> ex:p ('x' 'y'); <#a> ex:q ('x' 'y')";
    same_graph(&got, &shorthand(want, BASE)).unwrap();
}

#[test]
fn only_vocabularies_that_the_page_names_count() {
    let vocabulary = document(&[("ex:p", SUB_PROPERTY, "foaf:q")]);
    let given = [("http://ex.test/", &vocabulary[..])];
    for (html, want, lacks) in [
        ("<p vocab=http://ex.test/ property=p>x", "<> rdfa:usesVocabulary ex:; <> ex:p 'x'; <> foaf:q 'x'", ""),
        ("<p property=http://ex.test/p>x", "<> ex:p 'x'", ""),
        (
            "<a property=rdfa:usesVocabulary href=http://ex.test/></a><p property=http://ex.test/p>x",
            "<> rdfa:usesVocabulary ex:; <> ex:p 'x'; <> foaf:q 'x'",
            "",
        ),
        // One that was not handed in is told, once.
        (
            "<p vocab=http://f.test/ property=p>x</p><p vocab=http://f.test/ property=q>x",
            "<> rdfa:usesVocabulary <http://f.test/>; <> <http://f.test/p> 'x'; <> <http://f.test/q> 'x'",
            "http://f.test/",
        ),
        // What the page says of properties itself counts beside it.
        (
            "<p about=http://f.test/p property=rdfs:subPropertyOf resource=foaf:r></p><p property=http://f.test/p>x",
            "<http://f.test/p> rdfs:subPropertyOf foaf:r; <> <http://f.test/p> 'x'; <> foaf:r 'x'",
            "",
        ),
    ] {
        let (got, missing, _) = read(html, &given);
        if let Err(message) = same_graph(&got, &shorthand(want, BASE)) {
            panic!("{html}\n{message}");
        }
        assert_eq!(missing.concat(), lacks, "{html}");
    }
}

#[test]
fn a_page_without_vocabularies_is_read_as_ever() {
    let html = "<p typeof=schema:Product><b property='schema:name foaf:name'>x</b><i typeof=Lost>";
    let (got, missing, diagnostics) = read(html, &[]);
    let (mut sink, mut plain) = (Collector::default(), Diagnostics::default());
    rdfa::read(&snapshot(html, BASE), &mut sink, &mut plain);
    same_graph(&got, &sink.triples).unwrap();
    assert!(missing.is_empty());
    assert_eq!(diagnostics.iter().collect::<Vec<_>>(), plain.iter().collect::<Vec<_>>());
    assert!(plain.has(Code::UnknownContext));
}

#[test]
fn expansion_stays_bounded() {
    let number = |n: usize, row: &dyn Fn(usize) -> String| (0..n).map(row).collect::<String>();
    let step = |from: usize, rule: &str, to: usize| {
        format!("<a about=http://ex.test/p{from} property={rule} resource=http://ex.test/p{to}></a>")
    };
    let values = |n: usize| number(n, &|i| format!("<b about=#s{i} property=http://ex.test/p0>x</b>"));
    for (name, html, cut) in [
        ("chain", number(5_000, &|i| step(i, SUB_PROPERTY, i + 1)) + &values(5), false),
        ("long chain", number(5_000, &|i| step(i, SUB_PROPERTY, i + 1)) + &values(100), true),
        ("star", number(5_000, &|i| step(0, SAME_PROPERTY, i + 1)) + &values(100), true),
        ("clique", number(10_000, &|i| step(i / 100, SAME_PROPERTY, i % 100)) + &values(500), true),
        (
            "text",
            number(500, &|i| step(0, SUB_PROPERTY, i + 1))
                + &format!("<b property=http://ex.test/p0>{}</b>", "x".repeat(60_000)),
            true,
        ),
    ] {
        let (mut sink, mut diagnostics) = (Counter::default(), Diagnostics::default());
        expansion::read(&snapshot(&html, BASE), &[], &mut sink, &mut diagnostics);
        println!("{name}: {} statements, {} bytes", sink.statements, sink.bytes);
        assert!(sink.statements <= limits::STATEMENTS && sink.bytes <= 3 * limits::TEXT_TOTAL, "{name}");
        assert_eq!(diagnostics.has(Code::DepthLimit), cut, "{name}");
    }
}
