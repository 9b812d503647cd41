//! HTML text → tools → answers.

use crate::URL;
use agenticschema::{
    Options, Page,
    guard::{ParameterKind, Tool},
    page::Outcome,
};
use std::{collections::HashSet, fs, path::Path, sync::OnceLock};

/// Bytes of an answer, `maxPayloadBytes`.
const ANSWER: usize = 32_000;
/// Letters that read as a word of the page.
const RUN: usize = 12;
/// Letters of a short identifier: a page may name its types and parameters with them.
const IDENTIFIER: usize = 24;

/// Whatever the page, its tools speak our words, its answers are objects of bounded size, and all is repeatable.
pub fn check(data: &[u8]) {
    let html = String::from_utf8_lossy(data);
    let read = || Page::from_html(&html, URL, &Options::default());
    let page = read();
    let answers = answers(&page);
    for (call, answer) in &answers {
        assert!(answer.len() <= ANSWER, "{call}: {} bytes", answer.len());
        assert_object(call, answer);
    }
    assert_object("tools", &page.to_json());
    page.tools().for_each(assert_metadata);
    let again = read();
    assert_eq!(page.to_json(), again.to_json());
    assert_eq!(answers, self::answers(&again));
}

/// What every tool says by itself, for each section, and beyond its first page.
fn answers(page: &Page) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for tool in page.tools() {
        let mut calls = vec!["{}".to_string(), r#"{"page":2}"#.to_string(), r#"{"query":"a"}"#.to_string()];
        for parameter in tool.parameters() {
            if let ParameterKind::Choice(words) = &parameter.kind {
                for word in words {
                    calls.push(format!(r#"{{"section":"{word}"}}"#));
                    calls.push(format!(r#"{{"section":"{word}","page":2}}"#));
                }
            }
        }
        for arguments in calls {
            let answer = match page.call(tool.name(), &arguments) {
                Outcome::Answer(text) | Outcome::Plan(text) => text,
                // The page was read with its text.
                Outcome::Text => continue,
            };
            out.push((format!("{} {arguments}", tool.name()), answer));
        }
    }
    out
}

pub fn assert_object(what: &str, text: &str) {
    match serde_json::from_str(text) {
        Ok(serde_json::Value::Object(_)) => {}
        other => panic!("{what}: no object ({other:?}): {text}"),
    }
}

/// Titles and descriptions hold no word but ours; names are short identifiers.
fn assert_metadata(tool: &Tool) {
    let mut sentences = vec![tool.title(), tool.description()];
    for name in tool.parameters().iter().map(|p| p.name.as_str()).chain([tool.name()]) {
        assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)), "{name:?}");
        assert!(name.split(|c: char| !c.is_ascii_alphabetic()).all(|run| run.len() <= IDENTIFIER), "{name:?}");
    }
    for parameter in tool.parameters() {
        if let ParameterKind::Choice(words) = &parameter.kind {
            sentences.extend(words.iter().map(|w| w.to_string()));
        }
    }
    for sentence in sentences {
        for run in runs(&sentence) {
            assert!(ours().contains(&run), "{run:?} is no word of ours: {sentence:?}");
        }
    }
}

/// Every stretch of [`RUN`] letters, in lower case.
fn runs(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphabetic()).flat_map(|word| {
        word.to_lowercase().chars().collect::<Vec<_>>().windows(RUN).map(String::from_iter).collect::<Vec<_>>()
    })
}

/// The stretches of letters in our sources, where all words for tools are.
fn ours() -> &'static HashSet<String> {
    static OURS: OnceLock<HashSet<String>> = OnceLock::new();
    OURS.get_or_init(|| {
        let mut out = HashSet::new();
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../src")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("the sources of this build").flatten() {
                if entry.path().is_dir() {
                    folders.push(entry.path());
                } else if let Ok(text) = fs::read_to_string(entry.path()) {
                    out.extend(runs(&text));
                }
            }
        }
        out
    })
}
