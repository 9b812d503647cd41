//! Microdata: the W3C suite of Microdata to RDF, and extruct's samples.

use crate::support::{Collector, Report, Term, Triples, cases, map_terms, parse_nt, same_graph};
use agenticschema::{
    diagnostic::{Code, Diagnostics},
    dom,
    extract::microdata,
    graph::{NodeId, Object, RDF_TYPE, Sink},
};
use serde_json::{Map, Value as Json};

fn read(html: &str, base: &str) -> (Triples, Diagnostics) {
    let (mut collector, mut diagnostics) = (Collector::default(), Diagnostics::default());
    microdata::read(&dom::html::snapshot(html, base), &mut collector, &mut diagnostics);
    (collector.triples, diagnostics)
}

#[test]
fn microdata_rdf() {
    let mut report = Report::new("microdata-rdf");
    for case in cases("microdata-rdf") {
        let (mut got, diagnostics) = read(&case.file("input").unwrap(), case.text("base"));
        expand(&mut got);
        let result = match case.file("expect_nt") {
            Some(want) => parse_nt(&want).and_then(|want| same_graph(&canonical(&got), &canonical(&want))),
            // The one negative case: an item that contains itself.
            None if diagnostics.has(Code::DepthLimit) => Ok(()),
            None => Err("no diagnostic".into()),
        };
        report.case(case.id(), result);
    }
    report.finish();
}

/// Vocabulary expansion (Microdata to RDF, section 4.2) with the suite's registry. It belongs to the serialization
/// as RDF: the pipeline reads `additionalType` in the graph, for all syntaxes.
fn expand(triples: &mut Triples) {
    const TYPE_PROPERTIES: [&str; 3] =
        ["http://schema.org/additionalType", "http://expansion/subPropertyOf", "http://expansion/equivalentProperty"];
    let types: Vec<_> = triples
        .iter()
        .filter(|[_, p, _]| matches!(p, Term::Iri(p) if TYPE_PROPERTIES.contains(&p.as_str())))
        .map(|[s, _, o]| [s.clone(), Term::Iri(RDF_TYPE.into()), o.clone()])
        .collect();
    triples.extend(types);
}

/// What is not compared:
///
/// * white space, since text is read with a line per block;
/// * datatypes, which Microdata to RDF derives from the lexical form and the graph has no use for, and with them
///   the lexical forms that the expectations' N-Triples have in a canonical form (`Z`, durations);
/// * the serialization of URLs (`http://a.test` is `http://a.test/`);
/// * the scheme of the suite's own site: one expectation has it absolute, from before the suite moved to https.
fn canonical(triples: &Triples) -> Triples {
    map_terms(triples, |term| match term {
        Term::Iri(iri) => {
            let iri = iri.replace("http://w3c.github.io/", "https://w3c.github.io/");
            Term::Iri(dom::resolve(&iri, &iri).unwrap_or(iri))
        }
        Term::Literal { value, .. } => Term::plain(&canonical_lexical(&squeeze(&value))),
        blank => blank,
    })
}

fn canonical_lexical(value: &str) -> String {
    if let Some(local) = value.strip_suffix("+00:00") {
        return format!("{local}Z");
    }
    let Some(parts) = value.strip_prefix('P').filter(|p| p.starts_with(|c: char| c.is_ascii_digit())) else {
        return value.into();
    };
    let mut out = String::from("P");
    let mut number = String::new();
    for c in parts.chars() {
        if c.is_ascii_digit() {
            number.push(c);
        } else {
            let n = number.trim_start_matches('0');
            if c == 'T' || !n.is_empty() {
                out.push_str(n);
                out.push(c);
            }
            number.clear();
        }
    }
    out.trim_end_matches('T').into()
}

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect()
}

/// extruct's samples whose expectation is microdata as JSON. Compared by property and value; names without their
/// vocabulary, since extruct has none. Two samples were made at addresses of their own.
#[test]
fn extruct() {
    let mut report = Report::new("extruct");
    for case in cases("extruct") {
        let folder = case.id().split('/').next().unwrap();
        if case.text("kind") != "json" || !["schema.org", "w3c", "websites", "songkick"].contains(&folder) {
            continue;
        }
        let want: Json = serde_json::from_str(&case.file("expect").unwrap()).unwrap();
        let want = want.get("microdata").unwrap_or(&want);
        let base = match case.id() {
            "w3c/microdata.7.1.json" => "http://blog.example.com/progress-report",
            "w3c/microdata.object.json" => "http://www.example.com/microdata/test.html",
            _ => case.text("base"),
        };
        let mut got = Items::default();
        let snapshot = dom::html::snapshot(&case.file("input").unwrap(), base);
        microdata::read(&snapshot, &mut got, &mut Diagnostics::default());
        let (got, want) = (got.to_json(), uniform(want));
        let same = alike(&got, &want, base);
        report.case(case.id(), if same { Ok(()) } else { Err(format!("\ngot  {got}\nwant {want}")) });
    }
    report.finish();
}

/// Equal, or the expectation is the address before it is resolved: extruct's samples have both.
fn alike(got: &Json, want: &Json, base: &str) -> bool {
    match (got, want) {
        (Json::Array(a), Json::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| alike(a, b, base)),
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, a), (l, b))| k == l && alike(a, b, base))
        }
        (Json::String(a), Json::String(b)) => a == b || dom::resolve(b, base).is_some_and(|b| *a == b),
        _ => false,
    }
}

/// Items as the specification's JSON conversion has them.
#[derive(Default)]
struct Items {
    items: Vec<Map<String, Json>>,
    nested: Vec<usize>,
}

impl Sink for Items {
    fn node(&mut self, iri: Option<&str>) -> NodeId {
        let mut item = Map::new();
        if let Some(iri) = iri {
            item.insert("id".into(), iri.into());
        }
        self.items.push(item);
        NodeId(self.items.len() as u32 - 1)
    }

    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object) {
        let value = match object {
            Object::Node(node) => {
                self.nested.push(node.0 as usize);
                Json::from(node.0)
            }
            Object::Iri(iri) => iri.into(),
            Object::Literal { value, .. } => squeeze(&value).into(),
            Object::List(_) => unreachable!("microdata has no lists"),
        };
        let name = if predicate == RDF_TYPE { "@type" } else { last_segment(predicate) };
        let member = self.items[subject.0 as usize].entry(name).or_insert_with(|| Json::Array(Vec::new()));
        member.as_array_mut().unwrap().push(value);
    }
}

impl Items {
    fn to_json(&self) -> Json {
        (0..self.items.len()).filter(|i| !self.nested.contains(i)).map(|i| self.item(i)).collect()
    }

    fn item(&self, i: usize) -> Json {
        let value = |v: &Json| v.as_u64().map_or_else(|| v.clone(), |node| self.item(node as usize));
        let member = |(k, v): (&String, &Json)| {
            (k.clone(), v.as_array().map_or_else(|| v.clone(), |values| values.iter().map(value).collect()))
        };
        let mut members: Vec<_> = self.items[i].iter().map(member).collect();
        members.sort_by(|a, b| a.0.cmp(&b.0));
        Json::Object(members.into_iter().collect())
    }
}

fn last_segment(name: &str) -> &str {
    name.rsplit(['/', '#']).next().unwrap()
}

/// An expectation in the form of [`Items`]: every value in an array, types under `@type`, no empty values.
fn uniform(json: &Json) -> Json {
    match json {
        Json::Array(items) => items.iter().map(|i| uniform(i)).filter(|v| v != "").collect(),
        Json::Object(item) => {
            let array = |v: &Json| match v {
                Json::Array(_) => uniform(v),
                v => uniform(&Json::Array(vec![v.clone()])),
            };
            let mut members: Vec<(String, Json)> = Vec::new();
            for (key, value) in item {
                match key.as_str() {
                    "type" => members.push(("@type".into(), array(value))),
                    "id" => members.push((key.clone(), value.clone())),
                    "properties" => members.extend(
                        value.as_object().unwrap().iter().map(|(k, v)| (last_segment(k).to_string(), array(v))),
                    ),
                    // extruct adds the text of whole items.
                    _ => {}
                }
            }
            members.retain(|(_, v)| *v != Json::Array(Vec::new()));
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Json::Object(members.into_iter().collect())
        }
        Json::String(s) => squeeze(s).into(),
        other => other.clone(),
    }
}
