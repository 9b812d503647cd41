//! Nothing that the graph holds is out of reach: the values of every entity stand in some answer, default, section or
//! page, and no answer is longer than the budget.

use crate::{cases, walk};
use agenticschema::{
    Options, Page,
    graph::{Entity, Value, vocabulary},
    guard::data,
    profiles::ProfileKind,
    select, text,
    tools::render,
};
use serde_json::Value as Json;
use std::{
    collections::{HashMap, HashSet},
    fs,
    path::Path,
    process::Command,
};

/// Properties that say how the page is built; searches are tools of their own.
const MACHINERY: [&str; 6] =
    ["potentialAction", "primaryImageOfPage", "speakable", "breadcrumb", "mainEntityOfPage", "query-input"];

#[test]
fn every_fact_of_the_cases_is_reached() {
    let pages = cases().into_iter().map(|case| (case.name.clone(), case.url().to_string(), case.html));
    assert_reached(pages);
}

#[test]
fn every_fact_of_real_pages_is_reached() {
    let pages = real_pages();
    println!("reach: {} real pages read", pages.len());
    assert_reached(pages.into_iter());
}

fn assert_reached(pages: impl Iterator<Item = (String, String, String)>) {
    let options = Options::default();
    let (mut lost, mut long) = (Vec::new(), Vec::new());
    for (name, url, html) in pages {
        let page = Page::from_html(&html, &url, &options);
        let answers = walk::answers(&page);
        // Crumbs alone are no page.
        if page.tools().next().is_none() {
            continue;
        }
        for (call, answer) in &answers {
            let length = answer.chars().count();
            assert!(!answer.contains("\"error\":"), "{name}: {call} {answer}");
            if length > options.answer_budget as usize {
                long.push(format!("{name}: {call} {length}"));
            }
        }
        lost.extend(unreached(&page, &answers).into_iter().map(|what| format!("{name}: {what}")));
    }
    assert!(long.is_empty(), "longer than the budget:\n{}", long.join("\n"));
    assert!(lost.is_empty(), "{} out of reach:\n{}", lost.len(), lost.join("\n"));
}

/// `entity.property = value` for every value that no answer has.
fn unreached(page: &Page, answers: &[(String, String)]) -> Vec<String> {
    let said = Said::of(answers);
    let mut out = Vec::new();
    let mut silent = pixels(page);
    silent.extend(of_actions(page));
    for (index, entity) in page.graph().entities.iter().enumerate() {
        if !counts(entity) || silent.contains(&index) {
            continue;
        }
        for property in entity.properties.iter().filter(|p| !is_form(entity, &p.name)) {
            // Of a text in several languages the page's own is said.
            let languages = property.values.iter().any(|v| matches!(v, Value::Text(_, l) if !l.is_empty()));
            for value in &property.values {
                let Some(text) = spoken(&property.name, value) else { continue };
                let known = said.has(&property.name, &text);
                if !known
                    && !(languages
                        && property
                            .values
                            .iter()
                            .any(|v| spoken(&property.name, v).is_some_and(|t| said.has(&property.name, &t))))
                {
                    let text: String = text.chars().take(80).collect();
                    out.push(format!("{}.{} = {text}", entity.types.join("/"), property.name));
                }
            }
        }
    }
    out
}

/// Whether the value only says how things are written down: the order of entries, the pixels of an image.
fn is_form(entity: &Entity, property: &str) -> bool {
    match property {
        _ if !agenticschema::tools::answer::is_identifier(property) => true,
        "position" => ["ListItem", "HowToStep", "HowToSection"].iter().any(|class| entity.is(class)),
        "width" | "height" | "inLanguage" | "encodingFormat" | "representativeOfPage" => entity.is("ImageObject"),
        _ => MACHINERY.contains(&property),
    }
}

/// The entities that are the pixels of an image.
fn pixels(page: &Page) -> Vec<usize> {
    let images = page.graph().entities.iter().filter(|e| e.is("ImageObject"));
    let sizes = images.flat_map(|image| ["width", "height"].map(|name| image.values(name)));
    sizes.flatten().filter_map(|value| if let Value::Entity(to) = value { Some(*to) } else { None }).collect()
}

/// The entities that only an action of something is told of: its result, the region it is for. Offers are the thing's.
fn of_actions(page: &Page) -> Vec<usize> {
    let entities = &page.graph().entities;
    let mut out: Vec<usize> = Vec::new();
    let mut todo: Vec<usize> =
        (0..entities.len()).filter(|&i| select::kind(&entities[i]) == ProfileKind::Machinery).collect();
    while let Some(i) = todo.pop() {
        let parts = entities[i].properties.iter().filter(|p| p.name != "expectsAcceptanceOf").flat_map(|p| &p.values);
        for value in parts {
            if let Value::Entity(to) = *value
                && entities[to].id.is_empty()
                && !out.contains(&to)
            {
                out.push(to);
                todo.push(to);
            }
        }
    }
    out
}

fn counts(entity: &Entity) -> bool {
    let kind = select::kind(entity);
    !entity.types.is_empty() && kind != ProfileKind::Furniture && kind != ProfileKind::Machinery
}

/// The value as an answer says it; `None` where there is nothing to say.
fn spoken(property: &str, value: &Value) -> Option<String> {
    let word = |s: &str| vocabulary::is_enumeration_like(s).filter(|_| vocabulary::links(property)).map(str::to_string);
    match value {
        Value::Text(s, _) if property == "unitCode" => match text::lookup(render::UNITS, s) {
            Some("-") => None,
            unit => Some(unit.unwrap_or(s).to_string()),
        },
        Value::Text(s, _) => word(s).or_else(|| data::value(s)),
        Value::Iri(s) => word(s).or_else(|| data::address(s)),
        Value::Number(s) => Some(s.clone()),
        Value::Boolean(b) => Some(b.to_string()),
        Value::Entity(_) => None,
    }
    .filter(|s| !s.is_empty())
}

/// All that the answers say: the texts under each name without white space, in a set, and one after the other, since a
/// long one is cut into pages.
#[derive(Default)]
struct Said {
    whole: HashMap<String, HashSet<String>>,
    joined: HashMap<String, String>,
}

impl Said {
    fn of(answers: &[(String, String)]) -> Said {
        let mut said = Said::default();
        for (_, answer) in answers {
            let mut answer: Json = serde_json::from_str(answer).unwrap();
            // The page's own words are not the markup's.
            answer.as_object_mut().unwrap().remove("pageText");
            said.add("", &answer);
        }
        said
    }

    fn add(&mut self, name: &str, json: &Json) {
        match json {
            Json::Array(items) => items.iter().for_each(|item| self.add(name, item)),
            Json::Object(members) => members.iter().for_each(|(name, value)| self.add(name, value)),
            Json::String(s) => {
                self.put(name, s);
                // `12 kg`: a number and its unit.
                if let Some((number, unit)) = s.split_once(' ').filter(|(n, _)| n.parse::<f64>().is_ok()) {
                    self.put("value", number);
                    self.put("unitText", unit);
                }
            }
            other => self.put(name, &other.to_string()),
        }
    }

    fn put(&mut self, name: &str, text: &str) {
        let text = squeezed(text);
        self.joined.entry(name.to_string()).or_default().push_str(&text);
        self.whole.entry(name.to_string()).or_default().insert(text);
    }

    fn has(&self, name: &str, text: &str) -> bool {
        let text = squeezed(text);
        let here =
            |name: &str| self.whole[name].contains(&text) || text.len() > 100 && self.joined[name].contains(&text);
        self.whole.contains_key(name) && here(name) || self.whole.keys().any(|name| here(name))
    }
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// (file, address, HTML) of the real pages, if they are on this machine.
fn real_pages() -> Vec<(String, String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = std::env::var("AGENTICSCHEMA_SHARED").map(Into::into);
    let folders = [shared.unwrap_or_default(), root.join("../shared"), root.join("../../shared")];
    let Some(corpus) = folders.iter().map(|f| f.join("corpus")).find(|f| f.join("pages.tsv").exists()) else {
        return Vec::new();
    };
    let table = fs::read_to_string(corpus.join("pages.tsv")).unwrap();
    let mut rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>());
    let header = rows.next().unwrap();
    let column = |name: &str| header.iter().position(|h| *h == name).unwrap();
    let (file, url) = (column("file"), column("url"));
    let read = |row: Vec<&str>| {
        let html = Command::new("gzip").arg("-dc").arg(corpus.join(row[file])).output().unwrap().stdout;
        let address =
            if row[url].is_empty() { format!("https://example.test/{}", row[file]) } else { row[url].to_string() };
        (row[file].to_string(), address, String::from_utf8_lossy(&html).into_owned())
    };
    rows.map(read).collect()
}
