//! Prints what a page offers: its tools, every answer, its diagnostics, as JSON lines or for people.
//!
//! `cargo run --example map -- PAGE.html URL [--json]`; several pages: `--json PAGE URL PAGE URL …`

use agenticschema::{
    Options, Page,
    json::{self, Json},
    page::Outcome,
};

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let as_json = arguments.iter().any(|a| a == "--json");
    arguments.retain(|a| a != "--json");
    for pair in arguments.chunks(2) {
        let [file, url] = pair else { continue };
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => {
                eprintln!("{file}: {error}");
                continue;
            }
        };
        let page = Page::from_html(&String::from_utf8_lossy(&bytes), url, &Options::default());
        let answers = walk(&page);
        if as_json {
            let answers: Vec<String> = answers.iter().map(|(call, answer)| format!("{call:?}:{answer}")).collect();
            println!("{{\"page\":{},\"answers\":{{{}}}}}", page.to_json(), answers.join(","));
        } else {
            println!("# {file}\n{}", page.to_json());
            for (call, answer) in answers {
                println!("\n{call} ({} characters)\n{answer}", answer.chars().count());
            }
        }
    }
}

/// Every answer of every reader: the default one, each section, each page.
fn walk(page: &Page) -> Vec<(String, String)> {
    let mut out = Vec::new();
    for tool in page.tools().filter(|t| t.name().starts_with("get_") || t.name().starts_with("list_")) {
        let mut calls = vec![String::from("{}")];
        for parameter in tool.parameters() {
            if let agenticschema::guard::ParameterKind::Choice(words) = &parameter.kind {
                calls.extend(words.iter().map(|word| format!("{{\"section\":\"{word}\"}}")));
            }
        }
        for call in calls {
            let mut arguments = call.clone();
            for _ in 0..200 {
                let Outcome::Answer(answer) = page.call(tool.name(), &arguments) else { break };
                let next = json::parse_strict(&answer).and_then(|a| a.get("next").cloned());
                out.push((format!("{} {arguments}", tool.name()), answer));
                let Some(Json::Number(next)) = next else { break };
                let comma = if call == "{}" { "" } else { "," };
                arguments = format!("{}{comma}\"page\":{next}}}", &call[..call.len() - 1]);
            }
        }
    }
    out
}
