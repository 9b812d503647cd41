//! Prints the answers of a search that was answered with an HTML file, page by page, as a browser's host would get
//! them: lines `URL file` in, for each a line with a JSON array of answers out.

use agenticschema::{
    Options,
    dom::html::{Mode, wire_in},
    page::{Outcome, finish},
    tools::digest::Response,
};
use std::io::{BufRead, Write, stdin, stdout};

/// Pages of one answer that are asked for.
const PAGES: usize = 40;

fn main() -> std::io::Result<()> {
    let mut out = stdout().lock();
    for line in stdin().lock().lines() {
        let line = line?;
        let (url, file) = line.split_once(' ').unwrap_or((&line, ""));
        let html = std::fs::read(file)?;
        let body = wire_in(&String::from_utf8_lossy(&html), url, Mode::Page, false);
        let response = Response { url, status: 200, content_type: "text/html", body: &body };
        let mut answers = Vec::new();
        for page in 1..=PAGES {
            let plan = serde_json::json!({ "url": url, "page": page }).to_string();
            let Outcome::Answer(answer) = finish(&plan, &response, &Options::default()) else { break };
            let more = serde_json::from_str(&answer).is_ok_and(|a: serde_json::Value| a.get("next").is_some());
            answers.push(answer);
            if !more {
                break;
            }
        }
        writeln!(out, "[{}]", answers.join(","))?;
    }
    Ok(())
}
