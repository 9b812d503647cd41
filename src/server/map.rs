//! `agenticschema map`: what pages offer, for people, or as JSON lines for programs.

use crate::{
    outline,
    paint::{Paint, plain},
    report,
    site::{Read, Site},
};
use agenticschema::{Level, guard::ParameterKind};
use serde_json::{Value, json};
use std::{
    io::{self, Write},
    sync::Arc,
};

#[path = "../../examples/map/walk.rs"]
mod walk;

/// Columns of a parameter's name.
const NAME: usize = 10;

/// Prints every page; false if one could not be read.
pub async fn print(site: &Arc<Site>, as_json: bool) -> bool {
    let catalogue = site.current().await;
    let paint = Paint::stdout();
    let mut out = io::stdout().lock();
    let mut written = Ok(());
    for read in catalogue.pages.iter().flatten() {
        let text = if as_json { json_line(read) } else { for_people(read, paint) };
        written = written.and_then(|()| out.write_all(text.as_bytes()));
    }
    let _ = written.and_then(|()| out.flush());
    for (at, failure) in &catalogue.failures {
        report::failed(&site.sources[*at], failure);
    }
    catalogue.failures.is_empty()
}

/// `{"url", "tools", "answers": {"get_product {}": …}, "diagnostics"}` and a line end.
fn json_line(read: &Read) -> String {
    let page = read.page.to_json();
    let answers: Vec<String> =
        walk::answers(&read.page).into_iter().map(|(call, answer)| format!("{}:{answer}", json!(call))).collect();
    // The core writes `{"tools":[…],"diagnostics":[…]}`; its text goes out as it is, digits and all.
    format!("{{\"url\":{},\"answers\":{{{}}},{}\n", json!(read.url), answers.join(","), &page[1..])
}

fn for_people(read: &Read, paint: Paint) -> String {
    let tools: Vec<_> = read.page.tools().collect();
    let mut lines = vec![
        paint.strong(&plain(&read.url)),
        paint.faint(&format!("{} · {}", counted(tools.len(), "tool"), counted(read.page.entities().count(), "entity"))),
        String::new(),
    ];
    let answers = walk::answers(&read.page);
    for tool in tools {
        lines.push(format!("{}  {}", paint.strong(tool.name()), tool.description()));
        for parameter in tool.parameters() {
            let takes = match &parameter.kind {
                ParameterKind::Choice(words) => words.join(" | "),
                ParameterKind::Page => "a whole number from 1".to_string(),
                ParameterKind::Text { .. } => "text".to_string(),
            };
            let must = if parameter.required { ", required" } else { "" };
            lines.push(format!("  {}", paint.faint(&format!("{:<NAME$} {takes}{must}", parameter.name))));
        }
        for (call, answer) in &answers {
            let Some(arguments) = call.strip_prefix(tool.name()).and_then(|rest| rest.strip_prefix(' ')) else {
                continue;
            };
            let answer: Value = serde_json::from_str(answer).unwrap_or_default();
            if arguments != "{}" {
                lines.push(format!("  {}", paint.faint(arguments)));
            }
            lines.extend(outline::lines(&answer, 4, paint));
        }
        lines.push(String::new());
    }
    for diagnostic in read.page.diagnostics().iter() {
        let level = diagnostic.level.as_str();
        let level = match diagnostic.level {
            Level::Info => paint.faint(level),
            Level::Warn => paint.warning(level),
            Level::Error => paint.error(level),
        };
        lines.push(format!("{level} {}  {}", paint.strong(diagnostic.code.as_str()), plain(&diagnostic.message())));
    }
    if read.page.diagnostics().iter().next().is_some() {
        lines.push(String::new());
    }
    lines.join("\n") + "\n"
}

fn counted(n: usize, what: &str) -> String {
    match (n, what.strip_suffix('y')) {
        (1, _) => format!("1 {what}"),
        (_, Some(stem)) => format!("{n} {stem}ies"),
        _ => format!("{n} {what}s"),
    }
}
