//! Roles as statements: Role Attribute 1.0, section 4.

use crate::{
    rdfa::shorthand,
    support::{Collector, Triples, same_graph},
};
use agenticschema::{
    Code, Options, Page,
    diagnostic::Diagnostics,
    dom::{
        Snapshot,
        html::{Mode, snapshot, wire_in},
    },
    extract::rdfa::{self, role},
    limits,
};

const BASE: &str = "https://a.test/d/p#here";

fn roles(html: &str) -> Snapshot {
    Snapshot::decode(wire_in(html, BASE, Mode::Roles, true))
}

fn read(snapshot: &Snapshot) -> (Triples, Diagnostics) {
    let (mut sink, mut diagnostics) = (Collector::default(), Diagnostics::default());
    role::read(snapshot, &mut sink, &mut diagnostics);
    (sink.triples, diagnostics)
}

#[test]
fn roles_are_stated() {
    for (html, want) in [
        // The subject is the id as a fragment of the base, else a blank node for each element.
        ("<p id=a role=heading>", "<#a> xhv:role xhv:heading"),
        ("<base href=https://b.test/c#d><p id=a role=heading>", "<https://b.test/c#a> xhv:role xhv:heading"),
        ("<p role=heading></p><p role=heading>", "_:a xhv:role xhv:heading; _:b xhv:role xhv:heading"),
        ("<p id='' role=note>", "_:a xhv:role xhv:note"),
        ("<p id=a role=note></p><p id=a role=tip>", "<#a> xhv:role xhv:note; <#a> xhv:role xhv:tip"),
        ("<html id=h role=document><main role=main>", "<#h> xhv:role xhv:document; _:m xhv:role xhv:main"),
        ("<svg id=s role=img>", "<#s> xhv:role xhv:img"),
        // Several roles; none.
        ("<p id=a role=' note\n tip '>", "<#a> xhv:role xhv:note; <#a> xhv:role xhv:tip"),
        ("<p id=a role=''></p><p id=b>", ""),
        // CURIEs and IRIs, with the prefixes in scope.
        ("<p id=a role='foaf:x :y http://ex.test/z'>", "<#a> xhv:role foaf:x; <#a> xhv:role xhv:y; <#a> xhv:role ex:z"),
        ("<p id=a prefix='e: http://ex.test/' role=e:x>", "<#a> xhv:role ex:x"),
        ("<p xmlns:e=http://ex.test/><b id=a role=e:x>", "<#a> xhv:role ex:x"),
        ("<p prefix='e: http://ex.test/'></p><b id=a role=e:x>", "<#a> xhv:role <e:x>"),
        (
            "<p prefix='foaf: http://ex.test/'><i id=a role=foaf:x></i></p><b id=b role=foaf:x>",
            "<#a> xhv:role ex:x; <#b> xhv:role foaf:x",
        ),
        // A blank node is no role.
        ("<p id=a role='_:x note'>", "<#a> xhv:role xhv:note"),
        // RDFa has no part in it.
        ("<p vocab=http://ex.test/ about=#b typeof=x property=y id=a role=note>", "<#a> xhv:role xhv:note"),
        ("<p typeof=foaf:Agent role=note>", "_:a xhv:role xhv:note"),
    ] {
        if let Err(message) = same_graph(&read(&roles(html)).0, &shorthand(want, "https://a.test/d/p")) {
            panic!("{html}\n{message}");
        }
    }
}

#[test]
fn roles_are_read_only_where_they_are_asked_for() {
    let html = "<p id=a role=note>x</p><b id=b role=tip property=foaf:name>x</b>";
    assert!(read(&snapshot(html, BASE)).0.is_empty());
    // Nor do they change what RDFa says.
    let rdfa = |snapshot: &Snapshot| {
        let mut sink = Collector::default();
        rdfa::read(snapshot, &mut sink, &mut Diagnostics::default());
        sink.triples
    };
    assert_eq!(rdfa(&roles(html)), rdfa(&snapshot(html, BASE)));
    let page = Page::from_html("<main id=m role=main>x</main>", BASE, &Options::default());
    assert_eq!(page.tools().count(), 0);
}

#[test]
fn roles_stay_bounded() {
    let many = ["<p id=a role='", &"note ".repeat(limits::STATEMENTS + 1), "'></p><p role=tip>"].concat();
    let long =
        ["<base href='https://b.test/", &"b".repeat(60_000), "'>", &"<p id=a role=note></p>".repeat(500)].concat();
    let prefix =
        ["<p prefix='x: http://x.test/", &"x".repeat(2_000), "/'>", &"<b role=x:y></b>".repeat(5_000)].concat();
    for (html, cut) in [(&many, true), (&long, false), (&prefix, true)] {
        let (triples, diagnostics) = read(&roles(html));
        assert!(!triples.is_empty() && triples.len() <= limits::STATEMENTS);
        assert_eq!(diagnostics.has(Code::DepthLimit), cut, "{}", &html[..40]);
    }
}
