//! Cost against size: what twice the items of a page cost. Linear is 2.0 from row to row; the best of several runs is
//! taken, since other work on the machine only adds.

use agenticschema::{Options, Page, dom::html::snapshot};
use agenticschema_benches::{SYNTAXES, URL};
use std::{
    hint::black_box,
    time::{Duration, Instant},
};

const ITEMS: [usize; 4] = [1_000, 2_000, 4_000, 8_000];
const RUNS: usize = 7;

fn main() {
    println!(
        "{:<10} {:>6} {:>9}  {:>9} {:>6}  {:>9} {:>6}",
        "syntax", "items", "bytes", "HTML ms", "ratio", "rest ms", "ratio"
    );
    for (syntax, page) in SYNTAXES {
        let mut before: Option<(f64, f64)> = None;
        for items in ITEMS {
            let html = page(items);
            let parsed = snapshot(&html, URL);
            let parse = best(|| drop(black_box(snapshot(&html, URL))));
            let rest = best(|| drop(black_box(Page::read(&parsed, &Options::default()))));
            let ratio = |now: f64, before: Option<f64>| before.map_or("".to_string(), |b| format!("{:.2}", now / b));
            println!(
                "{syntax:<10} {items:>6} {:>9}  {parse:>9.2} {:>6}  {rest:>9.2} {:>6}",
                html.len(),
                ratio(parse, before.map(|b| b.0)),
                ratio(rest, before.map(|b| b.1)),
            );
            before = Some((parse, rest));
        }
    }
}

/// Milliseconds.
fn best(mut run: impl FnMut()) -> f64 {
    let time = |_| {
        let start = Instant::now();
        run();
        start.elapsed()
    };
    (0..RUNS).map(time).min().unwrap_or(Duration::MAX).as_secs_f64() * 1e3
}
