//! Names for several pages in one server. They are made of what the operator wrote, never of what a page says.

use crate::source::Source;

/// Characters of a page's name in resource addresses.
const PAGE: usize = 40;
/// Characters that tell a tool of one page from that of another: with a tool's own 30 a name stays below the 64 that
/// clients take.
const TAG: usize = 24;

/// A name for each page, all different: `shop-example-p-1`.
pub fn pages(sources: &[Source]) -> Vec<String> {
    distinct(sources.iter().map(|source| {
        let (host, path) = parts(source);
        slug(&format!("{host}-{path}"), '-', PAGE).unwrap_or_else(|| "page".to_string())
    }))
}

/// What is added to a tool's name where several pages have one of that name, all different: the hosts where these
/// differ, else the paths.
pub fn tags(sources: &[Source]) -> Vec<String> {
    let parts: Vec<(String, String)> = sources.iter().map(parts).collect();
    distinct(parts.iter().map(|(host, path)| {
        let alone = parts.iter().filter(|(other, _)| other == host).count() == 1;
        let words = if alone && !host.is_empty() { host } else { path };
        slug(words, '_', TAG).unwrap_or_else(|| "home".to_string())
    }))
}

/// Host and path, or nothing and a file's name.
fn parts(source: &Source) -> (String, String) {
    match source {
        Source::Web(url) => {
            let host = url.host_str().unwrap_or_default();
            let host = host.strip_prefix("www.").unwrap_or(host);
            let host = url.port().map_or(host.to_string(), |port| format!("{host}-{port}"));
            let path = format!("{}-{}", url.path(), url.query().unwrap_or_default());
            (host, path)
        }
        Source::File(path) => (String::new(), path.file_stem().unwrap_or_default().to_string_lossy().into_owned()),
        Source::Stdin => (String::new(), "stdin".to_string()),
    }
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

    fn sources(words: &[&str]) -> Vec<Source> {
        words.iter().map(|word| Source::parse(word).unwrap()).collect()
    }

    #[test]
    fn of_pages() {
        let words =
            ["https://www.shop.example/p/1", "https://shop.example/p/1", "http://[::1]:80/?q=Ä b", "a/Lamp.html", "-"];
        assert_eq!(
            pages(&sources(&words)),
            ["shop-example-p-1", "shop-example-p-1-2", "1-q-c3-84-20b", "lamp", "stdin"]
        );
        let long = format!("https://a.example/{}/end", "x".repeat(100));
        assert_eq!(pages(&sources(&[&long]))[0].len(), PAGE);
    }

    #[test]
    fn of_tools() {
        for (words, want) in [
            (["https://a.example/p", "https://b.example/p"], ["a_example", "b_example"]),
            (["https://a.example/p/1", "https://a.example/"], ["p_1", "home"]),
            (["http://127.0.0.1:1/", "http://127.0.0.1:2/"], ["127_0_0_1_1", "127_0_0_1_2"]),
            (["a.html", "b/a.html"], ["a", "a-2"]),
        ] {
            assert_eq!(tags(&sources(&words)), want);
        }
    }
}
