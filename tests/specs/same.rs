//! Schema.org's examples, each written in microdata, RDFa and JSON-LD: one page in three syntaxes is one graph.

use crate::support::{Report, rows};
use agenticschema::{
    diagnostic::Diagnostics,
    dom,
    extract::{jsonld, microdata, rdfa},
    graph::{Builder, Graph, Value, vocabulary},
};

const URL: &str = "https://site.example.test/page";

/// For each example, the pairs of syntaxes that the file lists as saying the same give equal entities.
#[test]
fn schemaorg_same_in_every_format() {
    let mut report = Report::new("schemaorg_same");
    for row in rows("schemaorg_same_in_every_format.jsonl") {
        let read = |syntax: &str| {
            let (mut graph, mut diagnostics) = (Builder::new(URL), Diagnostics::default());
            let mut html = row[syntax].as_str().unwrap().to_string();
            if syntax == "jsonld" && html.trim_start().starts_with('{') {
                html = format!("<script type=application/ld+json>{html}</script>");
            }
            let page = dom::html::snapshot(&html, URL);
            jsonld::read(&page, &mut graph, &mut diagnostics);
            microdata::read(&page, &mut graph, &mut diagnostics);
            rdfa::read(&page, &mut graph, &mut diagnostics);
            entities(&graph.finish(&mut diagnostics))
        };
        for pair in row["agree"].as_array().unwrap() {
            let pair = pair.as_str().unwrap();
            let (a, b) = pair.split_once('~').unwrap();
            let (a, b) = (read(a), read(b));
            let same = if a == b { Ok(()) } else { Err(format!("\n  {}\n  {}", a.join("\n  "), b.join("\n  "))) };
            report.case(&format!("{}:{pair}", row["id"].as_str().unwrap()), same);
        }
    }
    report.finish();
}

/// The entities that no other refers to, each written out with all that it refers to; sorted. White space, the order
/// of properties, and whether a value is an address, a number or text are not compared: syntaxes differ in them.
fn entities(graph: &Graph) -> Vec<String> {
    let mut roots: Vec<String> = (0..graph.entities.len())
        .filter(|&i| graph.entities[i].references == 0)
        .filter(|&i| !graph.entities[i].types.is_empty() || !graph.entities[i].properties.is_empty())
        .map(|i| entity(graph, i, 0))
        .collect();
    roots.sort();
    roots
}

fn entity(graph: &Graph, i: usize, depth: usize) -> String {
    let of = &graph.entities[i];
    if depth > 8 {
        return "…".into();
    }
    let mut members: Vec<String> = of.types.iter().map(|t| format!("a {t}")).collect();
    for property in &of.properties {
        for value in &property.values {
            let text = match value {
                Value::Entity(to) => entity(graph, *to, depth + 1),
                other => text(other.as_text().unwrap_or_default()),
            };
            members.push(format!("{}: {text}", property.name));
        }
    }
    // An item that is no more than its IRI is a reference to it.
    if members.is_empty() && !of.id.is_empty() {
        return text(&of.id);
    }
    members.sort();
    format!("{{{}}}", members.join(", "))
}

fn text(value: &str) -> String {
    let value = vocabulary::local_name(value).unwrap_or(value);
    let value = dom::resolve(value, "").unwrap_or_else(|| value.into());
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}
