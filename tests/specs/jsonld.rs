//! JSON-LD: the W3C suites `jsonld-toRdf` and `jsonld-html`.
//!
//! What is not compared: the names of graphs (a page has one graph), the lexical form of numbers (ours is the
//! page's) and of JSON literals, the case of language tags, the
//! serialization of URLs (`http://a.test` is `http://a.test/`: they are resolved as browsers do), and what is read as Schema.org's because a block has no
//! context (the suites expect it dropped).

use crate::support::{Case, Collector, Report, Term, Triples, cases, map_terms, parse_nt, same_graph};
use agenticschema::{
    diagnostic::Diagnostics,
    dom::{self, Snapshot, html},
    extract::jsonld,
};
use serde_json::Value as Json;

#[test]
fn to_rdf() {
    let mut report = Report::new("jsonld-toRdf");
    for case in cases("jsonld-toRdf") {
        let got = read_block(&case.file("input").unwrap(), base(&case));
        // A case without an expectation asks only that reading ends.
        let Some(expect) = case.file("expect") else {
            report.case(case.id(), Ok(()));
            continue;
        };
        let want = parse_nt(&expect);
        report.case(case.id(), want.and_then(|want| same_graph(&form(got), &form(want))));
    }
    report.finish();
}

/// Cases of expansion, flattening and compaction expect a JSON-LD document: the graph that it stands for must be the
/// one read from the page. A case that must fail passes if nothing was read or a diagnostic says why.
#[test]
fn html_pages() {
    let mut report = Report::new("jsonld-html");
    for case in cases("jsonld-html") {
        let page = selected_scripts(&case);
        let mut collector = Collector::default();
        let mut diagnostics = Diagnostics::default();
        jsonld::read(&html::snapshot(&page, base(&case)), &mut collector, &mut diagnostics);
        let got = form(without_assumed(collector.triples, &page));
        let result = if case.row["negative"] == true {
            let noticed = got.is_empty() || diagnostics.iter().next().is_some();
            if noticed { Ok(()) } else { Err("the fault was not noticed".to_string()) }
        } else {
            let expect = case.file("expect").unwrap();
            let want = if case.text("expect").ends_with(".nq") {
                parse_nt(&expect)
            } else {
                Ok(read_block(&expect, base(&case)))
            };
            want.and_then(|want| same_graph(&got, &form(want)))
        };
        report.case(case.id(), result);
    }
    report.finish();
}

fn base(case: &Case) -> &str {
    case.row["options"]["base"].as_str().unwrap_or(case.text("base"))
}

/// A document as the only block of a page.
fn read_block(document: &str, base: &str) -> Triples {
    let wire = format!(
        "H{base}\u{1f}{base}\u{1f}\u{1e}Ehtml\u{1e}Escript\u{1f}kapplication/ld+json\u{1e}T{document}\u{1e}X\u{1e}X\u{1e}"
    );
    let mut collector = Collector::default();
    jsonld::read(&Snapshot::decode(wire), &mut collector, &mut Diagnostics::default());
    without_assumed(collector.triples, document)
}

fn without_assumed(mut triples: Triples, source: &str) -> Triples {
    if !source.contains("schema.org") {
        triples.retain(|triple| {
            !triple.iter().any(|t| matches!(t, Term::Iri(iri) if iri.starts_with("https://schema.org/")))
        });
    }
    triples
}

/// The page with the scripts that the case asks for: all, the one with the fragment's `id`, or the first. Our reader
/// reads all of a page.
fn selected_scripts(case: &Case) -> String {
    let page = case.file("input").unwrap();
    let fragment = case.text("fragment");
    let all = case.row["options"]["extractAllScripts"].as_bool().unwrap_or(case.text("kind") == "ToRDFTest");
    if all && fragment.is_empty() {
        return page;
    }
    let (mut out, mut rest, mut kept) = (String::new(), page.as_str(), false);
    while let Some((before, script)) = rest.find("<script").map(|at| rest.split_at(at)) {
        let end = script.find("</script>").map_or(script.len(), |at| at + "</script>".len());
        let tag = &script[..script.find('>').unwrap_or(0)];
        let json_ld = tag.contains("ld+json");
        let wanted = if fragment.is_empty() { json_ld && !kept } else { tag.contains(&format!("id=\"{fragment}\"")) };
        out += before;
        if wanted {
            out += &script[..end];
            kept = true;
        }
        rest = &script[end..];
    }
    out + rest
}

/// Terms in one form, see the head of this file.
fn form(triples: Triples) -> Triples {
    map_terms(&triples, |term| match term {
        Term::Literal { value, language, datatype } => {
            let local = datatype.rsplit('#').next().unwrap_or("").to_string();
            match local.as_str() {
                "JSON" => {
                    let json: Json = serde_json::from_str(&value).unwrap_or(Json::Null);
                    Term::Literal { value: json_form(json).to_string(), language, datatype }
                }
                _ => {
                    let datatype =
                        if matches!(local.as_str(), "integer" | "double") { "number".into() } else { datatype };
                    let number = value.parse::<f64>().ok().filter(|_| !datatype.is_empty());
                    let value = number.map_or(value, |n| format!("{}", n + 0.0));
                    Term::Literal { value, language: language.to_lowercase(), datatype }
                }
            }
        }
        Term::Iri(iri) => Term::Iri(dom::resolve(&iri, &iri).unwrap_or(iri)),
        term => term,
    })
}

fn json_form(value: Json) -> Json {
    match value {
        Json::Number(n) => Json::String(format!("{:e}", n.as_f64().unwrap_or(f64::NAN))),
        Json::Array(items) => items.into_iter().map(json_form).collect(),
        Json::Object(members) => {
            let mut members: Vec<_> = members.into_iter().map(|(k, v)| (k, json_form(v))).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(members.into_iter().collect())
        }
        value => value,
    }
}
