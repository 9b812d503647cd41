//! What is said on standard error about the pages that were read.

use crate::{catalogue::Catalogue, fetch::Failure, paint::plain, site::Read, source::Source};
use agenticschema::Level;

/// Says what was read first, and later what is new about failures.
pub fn changes(sources: &[Source], now: &Catalogue, before: Option<&Catalogue>) {
    if before.is_none() {
        for (source, read) in sources.iter().zip(&now.pages) {
            if let Some(read) = read {
                page(source, read);
            }
        }
        if sources.len() > 1 {
            eprintln!("agenticschema: {} tools in all:", now.tools.len());
            now.tools.iter().for_each(|tool| eprintln!("  {}", tool.name));
        }
    }
    for (at, failure) in &now.failures {
        if !before.is_some_and(|before| before.failures.contains(&(*at, failure.clone()))) {
            failed(&sources[*at], failure);
        }
    }
}

/// Says why a page could not be read.
pub fn failed(source: &Source, failure: &Failure) {
    eprintln!("agenticschema: {}: {}.", plain(&source.to_string()), plain(&failure.to_string()));
}

fn page(source: &Source, read: &Read) {
    let count = read.page.tools().count();
    eprintln!("agenticschema: {}: {count} tool{}", plain(&source.to_string()), if count == 1 { "" } else { "s" });
    for tool in read.page.tools() {
        eprintln!("  {:<24} {}", tool.name(), tool.title());
    }
    for diagnostic in read.page.diagnostics().iter().filter(|d| d.level != Level::Info || count == 0) {
        eprintln!("  {} {}: {}", diagnostic.level.as_str(), diagnostic.code.as_str(), plain(&diagnostic.message()));
    }
    if read.cut {
        eprintln!("  warn page-cut: The page is longer than what is read of one.");
    }
}
