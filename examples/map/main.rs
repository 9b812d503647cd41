//! Prints what a page offers: its tools, every answer, its diagnostics, as JSON lines or for people.
//!
//! `cargo run --example map -- PAGE.html URL [--json]`; several pages: `--json PAGE URL PAGE URL …`, a line each.

mod walk;

use agenticschema::{Options, Page};

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
        let answers = walk::answers(&page);
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
