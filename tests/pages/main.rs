//! Pages and what must be seen of them, a directory per case: `page.html` and `expected.json`.
//!
//! `expected.json` has `assert`, a list of what must hold, and `url` where the page's address is not the usual one:
//!
//! | member | holds when |
//! |---|---|
//! | `tool`, `noTool` | a tool, no tool has this name |
//! | `toolCount` with `min`, `max` | so many tools have this name |
//! | `out`, `noOut` | the answers of a tool contain this text, those of no tool do |
//! | `obj`, `noObj` | an object in the answers has these members, none has |
//! | `count` with `n` | so many objects in the answers have these members |
//! | `diag`, `noDiag` | a diagnostic, no diagnostic has this code or level |
//! | `metaHas`, `noMeta` | a tool's metadata contains this text, that of no tool does |
//! | `call` with `arguments`, `url` | calling this tool asks for this address |
//! | `required` | the tools named by `in` require these arguments, in this order |
//!
//! The answers are all that the readers give: defaults, sections, pages. `in` limits them to tools of this name. Names
//! and values may have `*` for any text and `?` for one character; a list of names or texts means any of them. A value
//! matches one of several; a list of values matches exactly this list.

use agenticschema::{Options, Page, json, page::Outcome};
use serde_json::Value;
use std::{collections::BTreeSet, fs, path::Path};

mod reach;
#[path = "../../examples/map/walk.rs"]
mod walk;

const ADDRESS: &str = "https://shop.example.test/p/1";

#[test]
fn pages_say_what_is_expected() {
    let mut failures = Vec::new();
    for case in cases() {
        let page = Page::from_html(&case.html, case.url(), &Options::default());
        let seen = Seen::of(&page);
        for assertion in case.expected["assert"].as_array().unwrap() {
            if !seen.holds(assertion) {
                failures.push(format!("{}: {assertion}\n    {}", case.name, seen.summary()));
            }
        }
    }
    assert!(failures.is_empty(), "{} do not hold:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn reading_again_says_the_same() {
    for case in cases() {
        let read = || {
            let page = Page::from_html(&case.html, case.url(), &Options::default());
            (page.to_json(), walk::answers(&page))
        };
        assert_eq!(read(), read(), "{}", case.name);
    }
}

struct Case {
    name: String,
    html: String,
    expected: Value,
}

impl Case {
    fn url(&self) -> &str {
        self.expected["url"].as_str().unwrap_or(ADDRESS)
    }
}

fn cases() -> Vec<Case> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pages");
    let folders: BTreeSet<_> = fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_dir()).collect();
    let case = |folder: &Path| Case {
        name: folder.file_name().unwrap().to_string_lossy().into_owned(),
        html: fs::read_to_string(folder.join("page.html")).unwrap(),
        expected: serde_json::from_str(&fs::read_to_string(folder.join("expected.json")).unwrap()).unwrap(),
    };
    folders.iter().map(|folder| case(folder)).collect()
}

/// What a page offers.
struct Seen<'a> {
    page: &'a Page,
    /// (tool, all its answers)
    answers: Vec<(String, Vec<String>)>,
}

impl<'a> Seen<'a> {
    fn of(page: &'a Page) -> Self {
        let mut answers: Vec<(String, Vec<String>)> =
            page.tools().map(|t| (t.name().to_string(), Vec::new())).collect();
        for (call, answer) in walk::answers(page) {
            let tool = call.split(' ').next().unwrap();
            answers.iter_mut().find(|(name, _)| name == tool).unwrap().1.push(answer);
        }
        Seen { page, answers }
    }

    fn holds(&self, assertion: &Value) -> bool {
        let kind = assertion.as_object().unwrap().keys().next().unwrap();
        let what = &assertion[kind];
        match kind.as_str() {
            "tool" => self.named(what).next().is_some(),
            "noTool" => self.named(what).next().is_none(),
            "toolCount" => {
                let n = self.named(what).count() as u64;
                n >= assertion["min"].as_u64().unwrap_or(0) && n <= assertion["max"].as_u64().unwrap_or(u64::MAX)
            }
            "out" => self.texts(assertion).any(|text| contains(&text, what)),
            "noOut" => !self.texts(assertion).any(|text| contains(&text, what)),
            "obj" => self.objects(assertion, what) > 0,
            "noObj" => self.objects(assertion, what) == 0,
            "count" => self.objects(assertion, what) as u64 == assertion["n"].as_u64().unwrap(),
            "diag" => self.diagnosed(what),
            "noDiag" => !self.diagnosed(what),
            "metaHas" => self.metadata().any(|text| contains(&text, what)),
            "noMeta" => !self.metadata().any(|text| contains(&text, what)),
            "call" => self.named(what).any(|tool| match self.page.call(tool, &assertion["arguments"].to_string()) {
                Outcome::Plan(plan) => parsed(&plan)["url"] == assertion["url"],
                _ => false,
            }),
            "required" => {
                let tools = self.page.tools().filter(|t| any(t.name(), &assertion["in"], glob));
                let required: Vec<Value> = tools.map(|t| written(t)["inputSchema"]["required"].clone()).collect();
                !required.is_empty() && required.iter().all(|r| r == what)
            }
            _ => panic!("unknown assertion {kind}"),
        }
    }

    fn named<'b>(&'b self, names: &'b Value) -> impl Iterator<Item = &'b str> {
        self.page.tools().map(|t| t.name()).filter(move |name| any(name, names, glob))
    }

    fn answers_of<'b>(&'b self, assertion: &'b Value) -> impl Iterator<Item = &'b Vec<String>> {
        let limited = assertion.get("in");
        self.answers.iter().filter(move |(tool, _)| limited.is_none_or(|names| any(tool, names, glob))).map(|(_, a)| a)
    }

    fn texts<'b>(&'b self, assertion: &'b Value) -> impl Iterator<Item = String> + 'b {
        self.answers_of(assertion).map(|answers| answers.join("\n"))
    }

    /// The number of objects, at any depth of the answers, that have these members.
    fn objects(&self, assertion: &Value, members: &Value) -> usize {
        self.answers_of(assertion).flatten().map(|answer| objects(&parsed(answer), members)).sum()
    }

    fn diagnosed(&self, words: &Value) -> bool {
        let said = |word: &str| any(word, words, |text, word| text == word);
        self.page.diagnostics().iter().any(|d| said(d.code.as_str()) || said(d.level.as_str()))
    }

    /// What an agent reads of each tool before it calls one.
    fn metadata(&self) -> impl Iterator<Item = String> {
        self.page.tools().map(|tool| written(tool).to_string())
    }

    /// The beginning of what there is, for the report of a failure.
    fn summary(&self) -> String {
        let mut text: String = self.page.diagnostics().iter().map(|d| format!("({}) ", d.code.as_str())).collect();
        for (tool, answers) in &self.answers {
            text += &format!("{tool} {} ", answers.join(" "));
        }
        text.chars().take(600).collect()
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn written(tool: &agenticschema::guard::Tool) -> Value {
    let mut out = json::Writer::default();
    tool.write(&mut out);
    parsed(&out.finish())
}

fn objects(value: &Value, members: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(|item| objects(item, members)).sum(),
        Value::Object(own) => {
            let fits = members.as_object().unwrap().iter().all(|(k, want)| own.get(k).is_some_and(|v| same(v, want)));
            usize::from(fits) + own.values().map(|v| objects(v, members)).sum::<usize>()
        }
        _ => 0,
    }
}

fn same(value: &Value, want: &Value) -> bool {
    match (value, want) {
        (Value::Array(values), Value::Array(wants)) => {
            values.len() == wants.len() && values.iter().zip(wants).all(|(v, w)| same(v, w))
        }
        (Value::Array(values), _) => values.iter().any(|v| same(v, want)),
        (Value::Object(own), Value::Object(wants)) => wants.iter().all(|(k, w)| own.get(k).is_some_and(|v| same(v, w))),
        (Value::String(text), Value::String(want)) => glob(text, want),
        (Value::Null, _) => false,
        (_, Value::String(want)) => glob(&value.to_string(), want),
        _ => value == want,
    }
}

/// Whether the text fits one of the patterns.
fn any(text: &str, patterns: &Value, fits: impl Fn(&str, &str) -> bool) -> bool {
    match patterns {
        Value::Array(patterns) => patterns.iter().any(|p| fits(text, p.as_str().unwrap())),
        pattern => fits(text, pattern.as_str().unwrap()),
    }
}

fn contains(text: &str, patterns: &Value) -> bool {
    any(text, patterns, |text, pattern| glob(text, &format!("*{pattern}*")))
}

/// `*` is any text, `?` one character.
fn glob(text: &str, pattern: &str) -> bool {
    let (text, pattern): (Vec<char>, Vec<char>) = (text.chars().collect(), pattern.chars().collect());
    let (mut t, mut p) = (0, 0);
    // Where the last star is, and how far it reaches.
    let mut star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                t += 1;
                p += 1;
            }
            _ => {
                let Some((at, reach)) = star else { return false };
                star = Some((at, reach + 1));
                (t, p) = (reach + 1, at + 1);
            }
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[test]
fn patterns() {
    for (text, pattern, fits) in [
        ("get_product", "get_product", true),
        ("get_product_2", "get_product", false),
        ("get_product_2", "get_product_?", true),
        ("list_offer", "*offer*", true),
        ("a b a c", "a*c", true),
        ("a b a c", "a*d", false),
        ("", "*", true),
    ] {
        assert_eq!(glob(text, pattern), fits, "{text} {pattern}");
    }
}
