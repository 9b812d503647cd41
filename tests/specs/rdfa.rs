//! RDFa: own cases for each rule, then the W3C suites. Reference: the suites' expectations as N-Triples.

use crate::support::{Collector, Report, Term, Triples, cases, map_terms, parse_nt, same_graph};
use agenticschema::{
    Code,
    diagnostic::Diagnostics,
    dom::{
        Snapshot,
        html::{Mode, snapshot, wire_in},
    },
    extract::rdfa::{self, expansion, role},
    graph::{NodeId, Object, Sink},
    limits,
};

const BASE: &str = "https://a.test/d/p";
const USES_VOCABULARY: &str = "http://www.w3.org/ns/rdfa#usesVocabulary";

fn read(html: &str, base: &str) -> Triples {
    let mut sink = Collector::default();
    rdfa::read(&snapshot(html, base), &mut sink, &mut Diagnostics::default());
    comparable(&sink.triples)
}

/// Read with all that is optional: roles, and what follows by the suite's vocabulary.
fn read_with_options(html: &str, base: &str) -> Triples {
    let mut sink = Collector::default();
    let page = Snapshot::decode(wire_in(html, base, Mode::Roles, true));
    let vocabulary = snapshot(SUITE_VOCABULARY, SUITE_VOCABULARY_IRI);
    let given = [expansion::Vocabulary { iri: SUITE_VOCABULARY_IRI, document: &vocabulary }];
    expansion::read(&page, &given, &mut sink, &mut Diagnostics::default());
    role::read(&page, &mut sink, &mut Diagnostics::default());
    comparable(&sink.triples)
}

fn comparable(triples: &Triples) -> Triples {
    map_terms(triples, |term| match term {
        Term::Literal { value, language, datatype } => {
            let datatype = if datatype.ends_with("XMLSchema#string") { String::new() } else { datatype };
            Term::Literal { value, language: language.to_lowercase(), datatype }
        }
        term => term,
    })
}

/// Text under Schema.org properties is read as a person reads it; the suites have it raw.
fn collapse(triples: &Triples) -> Triples {
    triples
        .iter()
        .map(|[s, p, o]| match (p, o) {
            (Term::Iri(iri), Term::Literal { value, language, datatype }) if iri.contains("schema.org/") => {
                let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
                [s.clone(), p.clone(), Term::Literal { value, language: language.clone(), datatype: datatype.clone() }]
            }
            _ => [s.clone(), p.clone(), o.clone()],
        })
        .collect()
}

/// What the suite's queries ask for where its N-Triples have nothing, or a literal that their writer canonicalised.
fn asked_for(id: &str) -> Option<&'static str> {
    Some(match id {
        "0274" | "0277" => "<> rdf:value '2012-03-18T00:00:00Z'^^xsd:dateTime",
        "0279" => "<> rdf:value '2012-03-18T00:00:00Z'^^xsd:date",
        "0281" => "<> rdf:value '2012'^^xsd:gYear",
        "0282" => "<> rdf:value '2012-03'^^xsd:gYearMonth",
        _ => return None,
    })
}

/// The vocabulary that the suite's cases of vocabulary expansion use.
const SUITE_VOCABULARY_IRI: &str = "http://rdfa.info/vocabs/rdfa-test#";

/// What its document (github.com/rdfa/rdfa-website, `public/vocabs/rdfa-test.html`) states of classes and properties.
const SUITE_VOCABULARY: &str = "<body prefix='t: http://rdfa.info/vocabs/rdfa-test#'>\
    <a about=t:subProp property=rdfs:subPropertyOf resource=t:baseProp></a>\
    <a about=t:eqProp property=owl:equivalentProperty resource=t:baseProp></a>\
    <a about=t:SubClass property=rdfs:subClassOf resource=t:BaseClass></a>\
    <a about=t:EqClass property=owl:equivalentClass resource=t:BaseClass></a>";

fn suite(name: &'static str) {
    let mut report = Report::new(name);
    for case in cases(name) {
        let base = case.text("base");
        let html = case.file("input").unwrap();
        let (got, more) = (read(&html, base), read_with_options(&html, base));
        let want = match asked_for(case.id()) {
            Some(short) => shorthand(short, base),
            None => parse_nt(&case.file("expect_nt").expect("an expectation")).unwrap(),
        };
        let mut result = same_graph(&collapse(&more), &collapse(&want));
        if result.is_ok()
            && !["vocab_expansion='true'", "role attribute"].iter().any(|o| case.text("desc").starts_with(o))
        {
            result = same_graph(&collapse(&got), &collapse(&want));
        }
        report.case(case.id(), result);
    }
    report.finish();
}

#[test]
fn rdfa_html5() {
    suite("rdfa1.1-html5");
}

#[test]
fn rdfa_lite_html5() {
    suite("rdfa1.1-lite-html5");
}

/// Statements in short: one a line or between `;`, `a` for `rdf:type`, prefixes of the table below, relative IRIs,
/// single quotes, `(a b)` for lists.
pub fn shorthand(text: &str, base: &str) -> Triples {
    const PREFIXES: &[(&str, &str)] = &[
        ("s:", "http://schema.org/"),
        ("foaf:", "http://xmlns.com/foaf/0.1/"),
        ("dc:", "http://purl.org/dc/terms/"),
        ("rdf:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"),
        ("rdfa:", "http://www.w3.org/ns/rdfa#"),
        ("rdfs:", "http://www.w3.org/2000/01/rdf-schema#"),
        ("owl:", "http://www.w3.org/2002/07/owl#"),
        ("xsd:", "http://www.w3.org/2001/XMLSchema#"),
        ("xhv:", "http://www.w3.org/1999/xhtml/vocab#"),
        ("ex:", "http://ex.test/"),
    ];
    let expand = |name: &str| {
        let (_, iri) = PREFIXES.iter().find(|(p, _)| name.starts_with(p)).unwrap_or_else(|| panic!("{name}"));
        format!("<{iri}{}>", name.split_once(':').unwrap().1)
    };
    let mut nt = String::new();
    let mut lists = 0;
    for statement in text.split([';', '\n']).map(str::trim).filter(|s| !s.is_empty()) {
        let mut terms = Vec::new();
        let mut rest = statement;
        while !rest.is_empty() {
            let end = match rest.as_bytes()[0] {
                b'<' => rest.find('>').unwrap() + 1,
                b'\'' => {
                    let close = rest[1..].find('\'').unwrap() + 2;
                    close + rest[close..].find([' ', ')']).unwrap_or(rest.len() - close)
                }
                b'(' | b')' => 1,
                _ => rest.find([' ', ')']).unwrap_or(rest.len()),
            };
            let term = &rest[..end];
            terms.push(match term {
                "a" => expand("rdf:type"),
                "(" | ")" => term.into(),
                _ if term.starts_with('<') => {
                    let reference = &term[1..end - 1];
                    let iri = match reference {
                        "" => base.to_string(),
                        _ => agenticschema::dom::resolve(reference, base).unwrap(),
                    };
                    format!("<{iri}>")
                }
                _ if term.starts_with('\'') => {
                    let (value, suffix) = term[1..].split_once('\'').unwrap();
                    let suffix = suffix.strip_prefix("^^").map_or(suffix.into(), |d| format!("^^{}", expand(d)));
                    format!("\"{value}\"{suffix}")
                }
                _ if term.starts_with("_:") => term.into(),
                _ => expand(term),
            });
            rest = rest[end..].trim_start();
        }
        if terms[2] == "(" {
            let items = terms.split_off(3);
            terms.pop();
            let mut line = format!("{} {}", terms[0], terms[1]);
            for item in items.iter().take_while(|t| *t != ")") {
                lists += 1;
                let cell = format!("_:cell{lists}");
                nt += &format!("{line} {cell} .\n{cell} {} {item} .\n", expand("rdf:first"));
                line = format!("{cell} {}", expand("rdf:rest"));
            }
            nt += &format!("{line} {} .\n", expand("rdf:nil"));
        } else {
            nt += &format!("{} .\n", terms.join(" "));
        }
    }
    parse_nt(&nt).unwrap()
}

/// Each snippet gives exactly these statements. `rdfa:usesVocabulary` has a test of its own.
fn check(cases: &[(&str, &str)]) {
    for (html, want) in cases {
        let mut got = read(html, BASE);
        got.retain(|[_, p, _]| *p != Term::Iri(USES_VOCABULARY.into()));
        if let Err(message) = same_graph(&got, &shorthand(want, BASE)) {
            panic!("{html}\n{message}");
        }
    }
}

/// The snippets are in an element that has Schema.org as its vocabulary.
fn check_in_schema(cases: &[(&str, &str)]) {
    for (html, want) in cases {
        check(&[(&format!("<main vocab='http://schema.org/'>{html}</main>"), want)]);
    }
}

#[test]
fn vocabularies_and_terms() {
    check(&[
        // No vocabulary, no meaning.
        ("<p typeof=Product><b property=name>x", ""),
        ("<p vocab=http://schema.org/ typeof=Product><b property=name>x", "_:a a s:Product; _:a s:name 'x'"),
        // The inner vocabulary wins, an empty one resets.
        ("<p vocab=http://schema.org/ about=#a><b property=name vocab=http://ex.test/>x", "<#a> ex:name 'x'"),
        ("<p vocab=http://schema.org/ about=#a><b property=name vocab=''>x", ""),
        ("<p vocab=http://ex.test/><i vocab=' '><b property=name>x", ""),
        // A relative vocabulary is resolved.
        ("<p vocab=/v# property=n>x", "<> <https://a.test/v#n> 'x'"),
        // Terms of the initial context in any case; the vocabulary goes before them.
        ("<b property=x></b><a rel=LICENSE href=/l></a>", "<> xhv:license </l>"),
        ("<b property=describedby>x", "<> <http://www.w3.org/2007/05/powder-s#describedby> 'x'"),
        ("<b property=Role>x", "<> xhv:role 'x'"),
        ("<b property=role vocab=http://ex.test/>x", "<> ex:role 'x'"),
        // Without its slash, Schema.org is meant all the same.
        ("<p vocab=http://schema.org typeof=Thing>", "_:a a <https://schema.org/Thing>"),
        ("<p vocab=//schema.org typeof=Thing>", "_:a a <https://schema.org/Thing>"),
        ("<p vocab=schema.org/ typeof=Thing>", "_:a a <https://schema.org/Thing>"),
        ("<p vocab=HTTPS://www.Schema.org typeof=Thing>", "_:a a <https://schema.org/Thing>"),
        ("<p prefix='s: http://schema.org' typeof=s:Thing>", "_:a a <https://schema.org/Thing>"),
        ("<p vocab=http://schema.org.ex.test typeof=x:y>", "_:a a <x:y>"),
    ]);
}

#[test]
fn vocabularies_in_use_are_stated() {
    let got =
        read("<base href='https://b.test/#f'><p vocab=http://ex.test/><b vocab=''><i vocab=http://ex.test/>", BASE);
    let want = shorthand("<https://b.test/> rdfa:usesVocabulary <http://ex.test/>", BASE);
    same_graph(&got, &want).unwrap();
}

#[test]
fn prefixes_and_curies() {
    check(&[
        ("<b property='og:title dc:title' content=x>", "<> <http://ogp.me/ns#title> 'x'; <> dc:title 'x'"),
        ("<b property=SCHEMA:name>x", "<> s:name 'x'"),
        // Declared, scoped, redefined; case does not matter.
        (
            "<p prefix='E: http://ex.test/ f: http://f.test/'><b property='e:a F:b'>x",
            "<> ex:a 'x'; <> <http://f.test/b> 'x'",
        ),
        ("<p prefix='e: http://ex.test/'></p><b property=e:a>x", "<> <e:a> 'x'"),
        (
            "<p prefix='schema: http://ex.test/'><b property=schema:a>x</b></p><b property=schema:a>y",
            "<> ex:a 'x'; <> s:a 'y'",
        ),
        ("<p xmlns:e=http://ex.test/ property=e:a>x", "<> ex:a 'x'"),
        ("<p xmlns:e=http://f.test/ prefix='e: http://ex.test/' property=e:a>x", "<> ex:a 'x'"),
        // Common slips: no space, a lone prefix at the end, junk between.
        ("<p prefix='e:http://ex.test/ f:' property=e:a>x", "<> ex:a 'x'"),
        ("<p prefix='junk e: http://ex.test/' property=e:a>x", "<> ex:a 'x'"),
        // `_` and the empty prefix are not for pages to declare.
        ("<p prefix='_: http://ex.test/ : http://ex.test/' property=':a _:b' about=_:c>x", "_:c xhv:a 'x'"),
        // What looks like a scheme is an absolute IRI.
        ("<b property='http://ex.test/a article:author 1a:b'>x", "<> ex:a 'x'; <> <article:author> 'x'"),
        // Subjects: CURIEs, safe CURIEs, IRIs; safe CURIEs that mean nothing do not count.
        ("<b about=foaf:x property=foaf:name>x", "foaf:x foaf:name 'x'"),
        ("<b about=[foaf:x] property=foaf:name>x", "foaf:x foaf:name 'x'"),
        ("<b about=[nope:x] property=foaf:name>x", "<> foaf:name 'x'"),
        ("<b about=[] property=foaf:name>x", "<> foaf:name 'x'"),
        ("<b about='nope:x' property=foaf:name>x", "<nope:x> foaf:name 'x'"),
        ("<p about=foaf:><b property=foaf:name>x", "foaf: foaf:name 'x'"),
        ("<a property=foaf:page resource=[] href=/x>x", "<> foaf:page </x>"),
    ]);
}

#[test]
fn blank_nodes_of_one_name_are_one_node() {
    check(&[
        (
            "<p about=_:a property=foaf:name>x</p><p about=[_:a] property=foaf:nick>y",
            "_:a foaf:name 'x'; _:a foaf:nick 'y'",
        ),
        (
            "<p about=_:a property=foaf:knows resource=_:b></p><p about=_:b property=foaf:name>x",
            "_:a foaf:knows _:b; _:b foaf:name 'x'",
        ),
        (
            "<p about=_: property=foaf:name>x</p><p about=_: property=foaf:nick>y",
            "_:a foaf:name 'x'; _:a foaf:nick 'y'",
        ),
        ("<b property=_:x>x", ""),
    ]);
}

#[test]
fn iris_are_resolved() {
    check(&[
        ("<p about=''><b property=foaf:name>x", "<> foaf:name 'x'"),
        ("<p about=q property=foaf:name>x", "<https://a.test/d/q> foaf:name 'x'"),
        ("<p about=' #me ' property=foaf:name>x", "<#me> foaf:name 'x'"),
        (
            "<base href=https://b.test/c/d#f><p about=#me><b property=foaf:name>x</b><a property=foaf:page href=e></a>",
            "<https://b.test/c/d#me> foaf:name 'x'; <https://b.test/c/d#me> foaf:page <https://b.test/c/e>",
        ),
        ("<p about=//b.test/x property=foaf:name>x", "<https://b.test/x> foaf:name 'x'"),
        // Absolute IRIs are taken as they are.
        ("<a property=foaf:page href='http://ex.test/\u{e9}'></a>", "<> foaf:page ex:\u{e9}"),
    ]);
}

#[test]
fn subjects() {
    check_in_schema(&[
        // `typeof` alone opens a blank node; with a resource it types it.
        ("<p typeof=Thing>", "_:a a s:Thing"),
        ("<p typeof='Thing foaf:Agent unknown:x'>", "_:a a s:Thing; _:a a foaf:Agent; _:a a <unknown:x>"),
        ("<p typeof=Thing about=#a>", "<#a> a s:Thing"),
        ("<p typeof=Thing resource=#a><b property=name>x", "<#a> a s:Thing; <#a> s:name 'x'"),
        ("<a typeof=Thing href=/a><b property=name>x", "</a> a s:Thing; </a> s:name 'x'"),
        ("<img typeof=ImageObject src=/a.png>", "</a.png> a s:ImageObject"),
        ("<p typeof=''><b property=name>x", "_:a s:name 'x'"),
        // about, resource, href, src: the first counts.
        ("<a about=#a resource=#b href=#c src=#d typeof=Thing></a>", "<#a> a s:Thing"),
        ("<a resource=#b href=#c src=#d typeof=Thing></a>", "<#b> a s:Thing"),
        ("<a href=#c src=#d typeof=Thing></a>", "<#c> a s:Thing"),
        // An element without any of it passes the subject on.
        ("<p about=#a><i><u lang=de><b property=name>x", "<#a> s:name 'x'@de"),
        ("<p resource=#a><b property=name>x", "<#a> s:name 'x'"),
        // With `content` or `datatype`, resource attributes are the subject.
        ("<a href=#c property=name content=x></a>", "<#c> s:name 'x'"),
        ("<a href=#c property=name datatype=xsd:string>x</a>", "<#c> s:name 'x'"),
        ("<a about=#a href=#c property=name content=x></a>", "<#a> s:name 'x'"),
        ("<p typeof=Thing property=name content=x>", "_:a a s:Thing; _:a s:name 'x'"),
        // Split over the page.
        (
            "<p typeof=Thing resource=#p><b property=name>x</b></p><p resource=#p><b property=sku>y</b></p><p about=#p property=color>z",
            "<#p> a s:Thing; <#p> s:name 'x'; <#p> s:sku 'y'; <#p> s:color 'z'",
        ),
    ]);
}

#[test]
fn root_head_and_body() {
    check(&[
        ("<html typeof=foaf:Document><head><meta property=dc:title content=x>", "<> a foaf:Document; <> dc:title 'x'"),
        (
            "<html about=#a><head property=dc:title content=x><body property=dc:date content=y>",
            "<#a> dc:title 'x'; <#a> dc:date 'y'",
        ),
        ("<html about=#a><body typeof=foaf:Document><b property=dc:title>x", "<#a> a foaf:Document; <#a> dc:title 'x'"),
        (
            "<html about=#a><head typeof=foaf:Document resource=#h><title property=dc:title>x</title>",
            "<#h> a foaf:Document; <#h> dc:title 'x'",
        ),
        ("<html property=dc:title content=x>", "<> dc:title 'x'"),
        ("<html resource=#r><body><b property=dc:title>x", "<#r> dc:title 'x'"),
        ("<html typeof=foaf:Document property=dc:title><body>", "<> a foaf:Document; <> dc:title <>"),
    ]);
}

#[test]
fn values() {
    check_in_schema(&[
        ("<b property=name content='  x '>no</b>", "<> s:name '  x '"),
        ("<b property='name alternateName dc:title'>x</b>", "<> s:name 'x'; <> s:alternateName 'x'; <> dc:title 'x'"),
        ("<b property=''>x</b>", ""),
        ("<b property=name></b>", "<> s:name ''"),
        // Datatypes; an empty or unknown one means plain.
        ("<b property=weight datatype=xsd:integer>1</b>", "<> s:weight '1'^^xsd:integer"),
        ("<b property=weight datatype=xsd:integer content=2>1</b>", "<> s:weight '2'^^xsd:integer"),
        ("<b property=name datatype='' lang=de>x</b>", "<> s:name 'x'@de"),
        ("<b property=name datatype='[]' lang=de>x</b>", "<> s:name 'x'^^s:[]"),
        ("<b property=name datatype=rdf:XMLLiteral>a<i>b</i></b>", "<> s:name 'ab'^^rdf:XMLLiteral"),
        // Resources.
        ("<a property=url href=/x resource=/y>t</a>", "<> s:url </y>"),
        ("<a property=url href=/x>t</a><img property=image src=/y>", "<> s:url </x>; <> s:image </y>"),
        ("<span property=url href=/x>t</span>", "<> s:url </x>"),
        ("<a property=name about=#a>t</a>", "<#a> s:name 't'"),
        // `typeof` makes the value a node, unless `about` says what has the type.
        (
            "<p typeof=Product><b property=brand typeof=Brand><i property=name>x",
            "_:a a s:Product; _:a s:brand _:b; _:b a s:Brand; _:b s:name 'x'",
        ),
        (
            "<a property=author typeof=Person href=/p><i property=name>x</i></a>",
            "<> s:author </p>; </p> a s:Person; </p> s:name 'x'",
        ),
        ("<p about=#a typeof=Person property=name>x", "<#a> a s:Person; <#a> s:name 'x'"),
        ("<p about=[] typeof=Person property=name>x", "_:a a s:Person; <> s:name 'x'"),
        // Nested properties keep the subject.
        ("<p property=name>a<b property=givenName>b</b></p>", "<> s:name 'ab'; <> s:givenName 'b'"),
    ]);
}

#[test]
fn text_is_raw_for_foreign_and_readable_for_schema_org_properties() {
    let html = "<p property='foaf:name schema:name'> a\n <b>b </b><script>no</script><br>c </p>";
    check(&[(html, "<> foaf:name ' a\\n b c '; <> s:name 'a b\\nc'")]);
}

#[test]
fn languages() {
    check(&[
        (
            "<html lang=en><b property=foaf:name>x</b><b lang=de property=foaf:nick>y",
            "<> foaf:name 'x'@en; <> foaf:nick 'y'@de",
        ),
        ("<html lang=en><p lang=''><b property=foaf:name>x", "<> foaf:name 'x'"),
        ("<html xml:lang=fr><meta property=foaf:name content=x>", "<> foaf:name 'x'@fr"),
        ("<html lang=en><b property=foaf:age datatype=xsd:integer>1", "<> foaf:age '1'^^xsd:integer"),
        ("<html lang=en><a property=foaf:page href=/x>t</a>", "<> foaf:page </x>"),
    ]);
}

#[test]
fn dates_and_machine_values() {
    check(&[
        ("<time property=dc:date datetime=2012-03-18>x</time>", "<> dc:date '2012-03-18'^^xsd:date"),
        ("<time property=dc:date>2012-03-18T00:00:00Z</time>", "<> dc:date '2012-03-18T00:00:00Z'^^xsd:dateTime"),
        ("<html lang=de><time property=dc:date>18. März</time>", "<> dc:date '18. März'@de"),
        ("<ins property=dc:date datetime=2012></ins>", "<> dc:date '2012'^^xsd:gYear"),
        ("<time property=dc:extent datetime=PT1H></time>", "<> dc:extent 'PT1H'^^xsd:duration"),
        ("<time property=dc:date datetime=2012 content=x></time>", "<> dc:date 'x'"),
        ("<time property=dc:date datetime=2012 datatype=xsd:string></time>", "<> dc:date '2012'"),
        ("<time property=dc:date datetime=2012 datatype=''></time>", "<> dc:date '2012'"),
        ("<data property=dc:extent value=19.90>19,90</data>", "<> dc:extent '19.90'"),
        ("<meter property=dc:extent value=4>four</meter>", "<> dc:extent '4'"),
        ("<data property=dc:extent>19,90</data>", "<> dc:extent '19,90'"),
    ]);
}

#[test]
fn relations_and_chaining() {
    check(&[
        ("<p about=#a><a rel=foaf:knows rev=foaf:made href=#b></a>", "<#a> foaf:knows <#b>; <#b> foaf:made <#a>"),
        (
            "<p about=#a rel='foaf:knows foaf:page' resource=#b><b property=foaf:name>x",
            "<#a> foaf:knows <#b>; <#a> foaf:page <#b>; <#b> foaf:name 'x'",
        ),
        ("<img about=#a rel=foaf:img src=/i>", "<#a> foaf:img </i>"),
        ("<p about=#a rel=foaf:page resource=[]><b property=foaf:name>x", "<#a> foaf:page _:b; _:b foaf:name 'x'"),
        // Hanging: completed by each subject below, across elements that say nothing.
        (
            "<p about=#a rel=foaf:knows><i><b about=#b></b><u><a href=#c></a></u>",
            "<#a> foaf:knows <#b>; <#a> foaf:knows <#c>",
        ),
        (
            "<p about=#a rel=foaf:knows><b property=foaf:name>x</b><b property=foaf:nick>y",
            "<#a> foaf:knows _:b; _:b foaf:name 'x'; _:b foaf:nick 'y'",
        ),
        ("<p about=#a rev=foaf:knows><b typeof=foaf:Person>", "_:b foaf:knows <#a>; _:b a foaf:Person"),
        ("<p about=#a rel=foaf:knows>nobody", ""),
        (
            "<p rel=foaf:knows><i rel=foaf:knows><b property=foaf:name>x",
            "<> foaf:knows _:a; _:a foaf:knows _:b; _:b foaf:name 'x'",
        ),
        // `rel` without meaning still has an object.
        ("<p about=#a><i rel=nope resource=#b><b property=foaf:name>x", "<#b> foaf:name 'x'"),
        // `typeof`: of `about`, else of the object.
        (
            "<p about=#a rel=foaf:knows typeof=foaf:Person><b property=foaf:name>x",
            "<#a> a foaf:Person; <#a> foaf:knows _:b; _:b foaf:name 'x'",
        ),
        ("<p rel=foaf:knows resource=#b typeof=foaf:Person>", "<> foaf:knows <#b>; <#b> a foaf:Person"),
        (
            "<p rel=foaf:knows typeof=foaf:Person><b property=foaf:name>x",
            "<> foaf:knows _:b; _:b a foaf:Person; _:b foaf:name 'x'",
        ),
        // `property` beside `rel` does not take its object.
        ("<a about=#a property=foaf:name rel=foaf:page href=#b>x</a>", "<#a> foaf:name 'x'; <#a> foaf:page <#b>"),
    ]);
}

#[test]
fn words_of_rel_for_browsers_mean_nothing() {
    check_in_schema(&[
        // HTML+RDFa: not beside `property`.
        ("<a property=url rel='nofollow author' href=/x>t</a>", "<> s:url </x>"),
        (
            "<a property=name rel='nofollow s:x foaf:page' href=/x>t</a>",
            "<> s:name 't'; <> <s:x> </x>; <> foaf:page </x>",
        ),
        // Ours: nor alone under Schema.org's vocabulary.
        ("<a rel='NoFollow noopener dns-prefetch' href=/x>t</a>", ""),
        ("<a rel='author license' href=/x>t</a>", "<> s:author </x>; <> s:license </x>"),
    ]);
    check(&[("<p vocab=http://ex.test/><a rel=next href=/x>t</a>", "<> ex:next </x>")]);
}

#[test]
fn lists() {
    check_in_schema(&[
        ("<ol about=#a><li inlist property=step>x</li><li inlist property=step>y</li></ol>", "<#a> s:step ('x' 'y')"),
        (
            "<ol typeof=HowTo><li inlist property=step>x</li><li><a inlist rel=step href=/y></a></ol>",
            "_:a a s:HowTo; _:a s:step ('x' </y>)",
        ),
        ("<ol about=#a rel=step inlist><li resource=#b></li><li><a href=#c></a></li></ol>", "<#a> s:step (<#b> <#c>)"),
        ("<p about=#a rel=step inlist></p>", "<#a> s:step ()"),
        ("<p about=#a inlist rev=step resource=#b></p>", "<#b> s:step <#a>"),
        (
            "<ol about=#a><li inlist property=step typeof=HowToStep><b property=name>x</b></li></ol>",
            "<#a> s:step (_:b); _:b a s:HowToStep; _:b s:name 'x'",
        ),
        // Lists belong to their subject.
        (
            "<ol about=#a><li inlist property=step>x</li><li about=#b inlist property=step>y</li><li inlist property=step>z</li></ol>",
            "<#a> s:step ('x' 'z'); <#b> s:step ('y')",
        ),
        (
            "<p about=#a><i property=author typeof=Person><b inlist property=name>x</b><b inlist property=name>y</b></i></p>",
            "<#a> s:author _:b; _:b a s:Person; _:b s:name ('x' 'y')",
        ),
        (
            "<p about=#a><b inlist property='name step'>x</b><b inlist property=name>y</b>",
            "<#a> s:name ('x' 'y'); <#a> s:step ('x')",
        ),
    ]);
}

#[test]
fn property_copying() {
    let pattern = |copier: &str, pattern: &str, want: &str| {
        check_in_schema(&[(&format!("{copier}{pattern}"), want), (&format!("{pattern}{copier}"), want)]);
    };
    pattern(
        "<p about=#a typeof=Person><link property=rdfa:copy href=#p></p>",
        "<p resource=#p typeof='rdfa:Pattern Patient'><b property=name>x</b></p>",
        "<#a> a s:Person; <#a> a s:Patient; <#a> s:name 'x'",
    );
    // Patterns copy patterns; a circle ends.
    pattern(
        "<p about=#a><link property=rdfa:copy href=#p></p><p about=#b><link property=rdfa:copy href=#q></p>",
        "<p resource=#p typeof=rdfa:Pattern><b property=name>x</b><link property=rdfa:copy href=#q></p>\
         <p resource=#q typeof=rdfa:Pattern><b property=sku>y</b><link property=rdfa:copy href=#p></p>",
        "<#a> s:name 'x'; <#a> s:sku 'y'; <#b> s:name 'x'; <#b> s:sku 'y'",
    );
    // Nodes of a pattern are shared, not multiplied.
    pattern(
        "<p about=#a><link property=rdfa:copy resource=_:p></p><p about=#b><link property=rdfa:copy resource=_:p></p>",
        "<p resource=_:p typeof=rdfa:Pattern><i property=brand typeof=''><b property=name>x</b></i></p>",
        "<#a> s:brand _:b; <#b> s:brand _:b; _:b s:name 'x'",
    );
    // Neither pattern without copy nor copy without pattern changes anything.
    pattern(
        "",
        "<p resource=#p typeof=rdfa:Pattern><b property=name>x</b></p>",
        "<#p> a rdfa:Pattern; <#p> s:name 'x'",
    );
    pattern(
        "<p about=#a><link property=rdfa:copy href=#p></p>",
        "<p resource=#p><b property=name>x</b></p>",
        "<#a> rdfa:copy <#p>; <#p> s:name 'x'",
    );
}

#[test]
fn types_without_vocabulary_are_reported() {
    for (html, want) in [
        ("<p typeof='Product x'>", "Product"),
        ("<p vocab=http://schema.org/ typeof=Product>", ""),
        ("<p typeof=schema:Product><b property=name>", ""),
    ] {
        let mut diagnostics = Diagnostics::default();
        rdfa::read(&snapshot(html, BASE), &mut Collector::default(), &mut diagnostics);
        let told = diagnostics.iter().map(|d| (d.code, d.argument.as_str())).collect::<Vec<_>>();
        let want = [(Code::UnknownContext, want)];
        assert_eq!(told, want.into_iter().filter(|w| !w.1.is_empty()).collect::<Vec<_>>(), "{html}");
    }
}

#[test]
fn hostile_pages_stay_bounded() {
    let repeat = |n: usize, s: &str| s.repeat(n);
    let many = |n: usize, f: &dyn Fn(usize) -> String| (0..n).map(f).collect::<String>();
    for (name, html) in [
        ("types", format!("<p vocab=http://schema.org/>{}", repeat(2_000, "<b typeof=Thing property=x></b>"))),
        ("nested", format!("<p vocab=http://schema.org/>{}x", repeat(2_000, "<b typeof=Thing property=x>"))),
        ("text", format!("{}{}", repeat(120, "<b property=foaf:x>"), repeat(20_000, "text "))),
        ("tokens", format!("<b property='{}'>{}", repeat(20_000, "foaf:x "), repeat(10_000, "text "))),
        ("hanging", format!("<p rel='{}'>{}", repeat(500, "foaf:x "), repeat(500, "<b about=#x></b>"))),
        (
            "lists",
            format!(
                "<p inlist rel='{}'>{}",
                many(9_000, &|i| format!("foaf:x{i} ")),
                repeat(2_000, "<b about=#x></b>")
            ),
        ),
        (
            "prefixes",
            format!(
                "<p prefix='{}'>{}",
                many(2_000, &|i| format!("p{i}: http://p{i}.test/ ")),
                repeat(2_000, "<b property=q:x></b>")
            ),
        ),
        (
            "blank nodes",
            many(2_000, &|i| format!("<b about=_:n{i} property=foaf:x resource=_:n{}></b>", i * 7 % 2_000)),
        ),
        (
            "base",
            format!(
                "<base href='https://b.test/{}/'>{}",
                repeat(60_000, "b"),
                many(500, &|i| format!("<a property=foaf:x href=r{i}></a>"))
            ),
        ),
        ("vocab", format!("<p vocab='https://b.test/{}'>{}", repeat(60_000, "b"), repeat(500, "<b property=x></b>"))),
        (
            "copies",
            format!(
                "{}{}",
                many(700, &|i| format!("<p about=#s{i}><link property=rdfa:copy href=#p0></p>")),
                many(700, &|i| format!(
                    "<p resource=#p{i} typeof=rdfa:Pattern><b property=foaf:x>y</b><link property=rdfa:copy href=#p{}></p>",
                    i + 1
                ))
            ),
        ),
    ] {
        let snapshot = snapshot(&html, BASE);
        let mut sink = Counter::default();
        rdfa::read(&snapshot, &mut sink, &mut Diagnostics::default());
        println!("{name}: {} nodes, {} statements, {} bytes", sink.nodes, sink.statements, sink.bytes);
        assert!(sink.bytes <= limits::TEXT_TOTAL && sink.statements <= 2 * limits::STATEMENTS, "{name}");
    }
}

/// Counts, so that what is measured is the reader.
#[derive(Default)]
pub struct Counter {
    nodes: u32,
    pub statements: usize,
    pub bytes: usize,
}

impl Sink for Counter {
    fn node(&mut self, _: Option<&str>) -> NodeId {
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    fn statement(&mut self, _: NodeId, _: &str, object: Object) {
        self.statements += 1;
        self.bytes += match object {
            Object::Iri(iri) => iri.len(),
            Object::Literal { value, .. } => value.len(),
            _ => 0,
        };
    }
}
