//! Names for several pages in one server. They are made of what the operator wrote, never of what a page says.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use url::Url;

/// Characters of a page's name in resource addresses.
const PAGE: usize = 40;
/// Characters that tell a tool of one page from that of another: with a tool's own 30 a name stays below the 64 that
/// clients take.
const TAG: usize = 24;

/// Where a page is: what its names are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the operator wrote, as descriptions quote it.
    pub written: String,
    /// The host with its port; empty where there is none.
    pub host: String,
    /// What tells it from others of the host.
    pub path: String,
}

impl Place {
    /// Of a page on the web.
    pub fn of(url: &Url) -> Place {
        let host = url.host_str().unwrap_or_default();
        let host = host.strip_prefix("www.").unwrap_or(host);
        let host = url.port().map_or(host.to_string(), |port| format!("{host}-{port}"));
        Place { written: url.to_string(), host, path: format!("{}-{}", url.path(), url.query().unwrap_or_default()) }
    }
}

/// A name for each page, all different: `shop-example-p-1`.
pub fn pages(places: &[Place]) -> Vec<String> {
    distinct(places.iter().map(|Place { host, path, .. }| {
        slug(&format!("{host}-{path}"), '-', PAGE).unwrap_or_else(|| "page".to_string())
    }))
}

/// What is added to a tool's name where several pages have one of that name, all different: the hosts where these
/// differ, else the paths.
pub fn tags(places: &[Place]) -> Vec<String> {
    distinct(places.iter().map(|Place { host, path, .. }| {
        let alone = places.iter().filter(|other| other.host == *host).count() == 1;
        let words = if alone && !host.is_empty() { host } else { path };
        slug(words, '_', TAG).unwrap_or_else(|| "home".to_string())
    }))
}

/// ASCII letters and digits in lower case, with one `between` for all else. Of too long ones the end is kept: that is
/// where addresses differ.
fn slug(words: &str, between: char, most: usize) -> Option<String> {
    let mut out = String::new();
    for c in words.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with(between) {
            out.push(between);
        }
    }
    let start = out.trim_end_matches(between).len().saturating_sub(most);
    let out = out[start..].trim_matches(between);
    Some(out.to_string()).filter(|out| !out.is_empty())
}

/// The names, with a number where one is there already.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for name in names {
        let between = if name.contains('_') { '_' } else { '-' };
        let mut candidate = name.clone();
        let mut number = 2;
        while out.contains(&candidate) {
            candidate = format!("{name}{between}{number}");
            number += 1;
        }
        out.push(candidate);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(words: &[&str]) -> Vec<Place> {
        let place = |word: &&str| match Url::parse(word) {
            Ok(url) => Place::of(&url),
            Err(_) => Place { written: word.to_string(), host: String::new(), path: word.to_string() },
        };
        words.iter().map(place).collect()
    }

    #[test]
    fn of_pages() {
        let words =
            ["https://www.shop.example/p/1", "https://shop.example/p/1", "http://[::1]:80/?q=Ä b", "Lamp", "stdin"];
        assert_eq!(
            pages(&places(&words)),
            ["shop-example-p-1", "shop-example-p-1-2", "1-q-c3-84-20b", "lamp", "stdin"]
        );
        let long = format!("https://a.example/{}/end", "x".repeat(100));
        assert_eq!(pages(&places(&[&long]))[0].len(), PAGE);
    }

    #[test]
    fn of_tools() {
        for (words, want) in [
            (["https://a.example/p", "https://b.example/p"], ["a_example", "b_example"]),
            (["https://a.example/p/1", "https://a.example/"], ["p_1", "home"]),
            (["http://127.0.0.1:1/", "http://127.0.0.1:2/"], ["127_0_0_1_1", "127_0_0_1_2"]),
            (["a", "a"], ["a", "a-2"]),
        ] {
            assert_eq!(tags(&places(&words)), want);
        }
    }
}
