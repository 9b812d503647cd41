//! Hostile pages, a directory per attack: `<rule>-<case>/page.html` and `expected.json`. A rule of the guard without
//! a case fails here, and so does a case that its rule does not stop.
//!
//! `expected.json`: `tools` (the names of those that request something, exactly), `calls` (`tool`, else the first; `arguments`; then `url` or the
//! `error` code), and where they differ from the usual `page` (address), `allowHosts` and `maxTools`. Where the call asks for an
//! OpenSearch description, `description` is what the site answers; `response` (of `type`, `from` an address) is its
//! answer to the search. `present` and `absent` are texts of all answers of the page together.

use agenticschema::{
    Options, Page,
    dom::html::{Mode, wire_in},
    guard::{ParameterKind, rules::Rule},
    json,
    page::{Outcome, finish},
    text,
    tools::digest::Response,
};
use serde_json::Value;
use std::{collections::HashSet, fs, path::Path};

fn cases() -> Vec<(String, String, Value)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/attacks");
    let mut out = Vec::new();
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let page = fs::read_to_string(path.join("page.html")).unwrap();
            let expected = serde_json::from_str(&fs::read_to_string(path.join("expected.json")).unwrap()).unwrap();
            out.push((name, page, expected));
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0));
    out
}

fn read(html: &str, expected: &Value) -> Page {
    let mut options = serde_json::Map::new();
    for name in ["allowHosts", "maxTools"] {
        options.extend(expected.get(name).map(|value| (name.into(), value.clone())));
    }
    let options = Options::from_json(&Value::Object(options).to_string(), &mut Default::default());
    Page::from_html(html, expected["page"].as_str().unwrap_or("https://shop.example.test/p/1"), &options)
}

#[test]
fn every_rule_has_a_case() {
    let names: Vec<String> = cases().into_iter().map(|c| c.0).collect();
    for rule in Rule::ALL {
        assert!(names.iter().any(|name| name.starts_with(&format!("{}-", rule.id()))), "no attack for {}", rule.id());
    }
    let ids: HashSet<&str> = Rule::ALL.iter().map(|r| r.id()).collect();
    assert_eq!(ids.len(), Rule::ALL.len());
    for name in names {
        assert!(ids.iter().any(|id| name.starts_with(&format!("{id}-"))), "{name} belongs to no rule");
    }
}

/// `SECURITY.md` says of each rule what it refuses, and of no other.
#[test]
fn the_rules_are_in_the_document() {
    let document = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("SECURITY.md")).unwrap();
    let rows: Vec<&str> = document.lines().filter(|line| line.starts_with("| `")).collect();
    let want: Vec<String> = Rule::ALL.iter().map(|r| format!("| `{}` | {} |", r.id(), r.refused())).collect();
    assert_eq!(rows, want);
}

#[test]
fn attacks_are_stopped() {
    let mut failures = Vec::new();
    for (name, html, expected) in cases() {
        let page = read(&html, &expected);
        let reads = |name: &&str| name.starts_with("get_") || name.starts_with("list_");
        let tools: Vec<&str> = page.tools().map(|t| t.name()).filter(|name| !reads(name)).collect();
        let want: Vec<&str> = expected["tools"].as_array().unwrap().iter().map(|v| v.as_str().unwrap()).collect();
        if tools != want {
            failures.push(format!("{name}: tools {tools:?}, want {want:?}"));
        }
        let mut answers = everything(&page);
        let mut said: Vec<String> = page.diagnostics().iter().map(|d| d.what.to_string()).collect();
        for call in expected["calls"].as_array().into_iter().flatten() {
            let Some(tool) = call["tool"].as_str().or(tools.first().copied()) else { continue };
            let mut outcome = page.call(tool, &call["arguments"].to_string());
            // What the site answers, until it is no further request.
            for reply in [&call["description"], &call["response"]] {
                let (Outcome::Plan(plan), Some(body)) = (&outcome, reply.as_str()) else { continue };
                let asked = field(plan, "url");
                let url = call["from"].as_str().unwrap_or(&asked);
                let content_type = call["type"].as_str().unwrap_or("text/html");
                let wire = wire_in(body, url, Mode::Page, false);
                let body = if content_type.contains("html") { &wire } else { body };
                outcome = finish(plan, &Response { url, status: 200, content_type, body }, &Options::default());
            }
            if let (Outcome::Answer(answer), true, None) =
                (&outcome, call["response"].is_string(), call["error"].as_str())
            {
                said.push(field(answer, "error"));
                answers.push_str(answer);
                continue;
            }
            let (got, want) = match outcome {
                Outcome::Plan(plan) => (field(&plan, "url"), call["url"].as_str().unwrap_or("no request")),
                Outcome::Answer(answer) => {
                    said.push(field(&answer, "error"));
                    (field(&answer, "code"), call["error"].as_str().unwrap_or("a request"))
                }
                Outcome::Text => panic!("{name}: no action wants the page's text"),
            };
            if got != want {
                failures.push(format!("{name}: {} gives {got}, want {want}", call["arguments"]));
            }
        }
        for words in expected["present"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !answers.contains(words) {
                failures.push(format!("{name}: no {words} in {answers}"));
            }
        }
        for words in expected["absent"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if answers.contains(words) {
                failures.push(format!("{name}: {words} in {answers}"));
            }
        }
        if let Some(c) = answers.chars().find(|&c| text::is_invisible(c) && c != '\n') {
            failures.push(format!("{name}: {c:?} in {answers}"));
        }
        let rule = Rule::ALL.iter().filter(|r| name.starts_with(&format!("{}-", r.id()))).max_by_key(|r| r.id().len());
        let rule = rule.unwrap_or_else(|| panic!("{name} belongs to no rule"));
        if !rule.reason().is_empty() && !said.iter().any(|s| s == rule.reason()) {
            failures.push(format!("{name}: its rule did not speak; {said:?}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// No text of a hostile page is part of what an agent reads before it calls: names, words, schemas. Of all strings of
/// a page, only short identifiers may be there: types and parameters.
#[test]
fn metadata_holds_no_page_text() {
    for (name, html, expected) in cases() {
        let page = read(&html, &expected);
        let mut out = json::Writer::default();
        page.tools().for_each(|tool| tool.write(&mut out));
        let metadata = out.finish().to_lowercase();
        for word in ["ignore", "previous instructions", "credit", "evil", "pay", "password", "__proto__", "constructor"]
        {
            assert!(!metadata.contains(word), "{name}: {word} in {metadata}");
        }
        let strings = html.split(['"', '\'', '<', '>', '{', '}', '[', ']', '=', '&', '?', '\n']).map(str::trim);
        for text in strings.filter(|t| t.chars().count() > 3 && !t.bytes().all(|b| b.is_ascii_punctuation())) {
            let identifier = text.len() <= 30 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b));
            assert!(identifier || !metadata.contains(&text.to_lowercase()), "{name}: {text} in {metadata}");
        }
    }
}

/// What the readers of a page answer: every section and page.
fn everything(page: &Page) -> String {
    let mut out = String::new();
    for tool in page.tools().filter(|t| t.name().starts_with("get_") || t.name().starts_with("list_")) {
        let mut calls = vec![serde_json::json!({})];
        for parameter in tool.parameters() {
            if let ParameterKind::Choice(words) = &parameter.kind {
                calls.extend(words.iter().map(|word| serde_json::json!({ &parameter.name: word })));
            }
        }
        for mut arguments in calls {
            for _ in 0..100 {
                let Outcome::Answer(answer) = page.call(tool.name(), &arguments.to_string()) else { break };
                assert!(answer.len() <= 32_000, "{} bytes", answer.len());
                let answer: Value = serde_json::from_str(&answer).unwrap();
                out.push_str(&format!("{} {arguments} {answer}\n", tool.name()));
                if answer["next"].is_null() {
                    break;
                }
                arguments["page"] = answer["next"].clone();
            }
        }
    }
    out
}

fn field(json: &str, name: &str) -> String {
    let value: Value = serde_json::from_str(json).unwrap();
    value[name].as_str().unwrap_or("").to_string()
}
