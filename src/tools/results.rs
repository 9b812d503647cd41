//! What a response offers: the result links and the readable text of a page, what is fit to be said of JSON.

use super::answer;
use crate::{
    dom::{Attr, Kind, NodeIndex, Snapshot, address::is_web, resolve},
    guard::data,
    json::Json,
    limits, text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// A link of a result page.
struct Link {
    /// Where its title starts, and one past the last node of it.
    node: NodeIndex,
    end: NodeIndex,
    /// Where its list item or article ends.
    stop: NodeIndex,
    url: String,
    title: String,
    /// 0: is or holds a heading; 1: in a list item or article; 2: elsewhere; 3: leads to the page's own path, as
    /// sorting, paging and filters do.
    rank: u8,
}

/// The result links: those of the best rank that two have. `worst` is the last one that is looked at.
pub fn links(snapshot: &Snapshot, page: &str, worst: u8) -> Vec<Json> {
    let mut all = collect(snapshot, page);
    let mut most = 0;
    while most < worst && all.iter().filter(|link| link.rank <= most).count() < 2 {
        most += 1;
    }
    all.retain(|link| link.rank <= most);
    let mut out = Vec::new();
    for (i, link) in all.iter().enumerate().take(limits::DIGEST_RESULTS) {
        let stop = all.get(i + 1).map_or(link.stop, |next| next.node.min(link.stop));
        let behind = gather(snapshot, link.end, stop, limits::DIGEST_SNIPPET * 6);
        let mut members = Vec::new();
        for (name, words) in [
            ("title", link.title.clone()),
            ("url", link.url.clone()),
            ("text", text::plain_line(&behind, limits::DIGEST_SNIPPET)),
        ] {
            if !words.is_empty() {
                members.push((name.to_string(), Json::Text(words)));
            }
        }
        out.push(Json::Object(members));
    }
    out
}

/// Makes the addresses of items absolute, and finds one for an item without: that of the link with its name in front.
pub fn address(items: &mut [Json], snapshot: &Snapshot, page: &str) {
    let mut links = None;
    for item in items {
        let name = ["name", "headline", "title"].iter().find_map(|name| item.get(name).and_then(Json::as_str));
        let title = text::plain_line(name.unwrap_or(""), limits::DIGEST_TITLE);
        let Json::Object(members) = item else { continue };
        if let Some((_, url)) = members.iter_mut().find(|(name, _)| name == "url") {
            if let Some(absolute) = url.as_str().and_then(|url| resolve(url, snapshot.base())).filter(|url| is_web(url))
            {
                *url = Json::Text(absolute);
            }
            continue;
        }
        let links = links.get_or_insert_with(|| collect(snapshot, page));
        // A card is one link with more than the name in it; a short name may be the start of another.
        let named = |link: &&Link| link.title == title || (title.len() > 11 && link.title.starts_with(&title));
        if let Some(link) = links.iter().find(named) {
            members.push(("url".to_string(), Json::Text(link.url.clone())));
        }
    }
}

/// The links with text, in tree order, one per address: the best ranked, which is the title rather than "read more".
fn collect(snapshot: &Snapshot, page: &str) -> Vec<Link> {
    let mut out: Vec<Link> = Vec::new();
    let (from, to) = main(snapshot);
    // The last heading, and where the outermost open list item or article ends.
    let (mut heading, mut entry) = ((0, 0), 0);
    for node in from..to {
        let end = snapshot.end(node);
        let name = snapshot.name(node);
        if name == "li" || name == "article" {
            entry = entry.max(end);
        }
        if is_heading(name) {
            heading = (node, end);
        }
        if name != "a" || out.len() >= limits::DIGEST_RESULTS * 5 {
            continue;
        }
        let title = line(snapshot, node);
        let href = snapshot.attr(node, Attr::Href).unwrap_or("");
        let Some(mut url) = resolve(href, snapshot.base()) else { continue };
        url.truncate(text::until(&url, b"#"));
        if title.len() < 3 || url.len() > limits::DIGEST / 3 || !is_web(&url) {
            continue;
        }
        let (start, end) = if node < heading.1 { heading } else { (node, end) };
        let rank = if without_query(&url) == without_query(page) {
            3
        } else if (start..end).any(|n| is_heading(snapshot.name(n))) {
            0
        } else {
            2 - u8::from(node < entry)
        };
        let stop = if node < entry { entry } else { to };
        let link = Link { node: start, end, stop, url, title, rank };
        match out.iter_mut().find(|other| other.url == link.url) {
            Some(other) if other.rank <= link.rank => {}
            Some(other) => *other = link,
            None => out.push(link),
        }
    }
    out
}

fn is_heading(name: &str) -> bool {
    matches!(name.as_bytes(), [b'h', b'1'..=b'6'])
}

fn without_query(url: &str) -> &str {
    text::part(url, 0, text::until(url, b"?#"))
}

/// The nodes of `main`, if the page has one, else all.
fn main(snapshot: &Snapshot) -> (NodeIndex, NodeIndex) {
    let main = (0..snapshot.len()).find(|&n| snapshot.name(n) == "main");
    main.map_or((0, snapshot.len()), |n| (n + 1, snapshot.end(n)))
}

/// The text of an element on one line.
pub fn line(snapshot: &Snapshot, node: NodeIndex) -> String {
    text::plain_line(&snapshot.plain_text(node), limits::DIGEST_TITLE)
}

/// The readable text of a page: of its `main`, if it has one.
pub fn readable(snapshot: &Snapshot) -> String {
    let (from, to) = main(snapshot);
    data::plain(&gather(snapshot, from, to, limits::STRING))
}

/// The text runs of `from..to` but those of scripts, lines kept, until `bytes` are there.
pub(super) fn gather(snapshot: &Snapshot, from: NodeIndex, to: NodeIndex, bytes: usize) -> String {
    let mut out = String::new();
    let mut node = from;
    while node < to && out.len() < bytes {
        match snapshot.kind(node) {
            Kind::Break => out.push('\n'),
            Kind::Text => out.push_str(text::cut(snapshot.run(node), bytes)),
            Kind::Element if snapshot.name(node) == "script" => node = snapshot.end(node) - 1,
            Kind::Element => {}
        }
        node += 1;
    }
    out
}

/// A value without what an answer must not carry: odd member names, invisible characters, addresses of other schemes,
/// deep or long parts.
pub fn compact(value: &Json, depth: usize) -> Option<Json> {
    match value {
        Json::Null => None,
        Json::Text(s) => data::value(&answer::quote(s, limits::DIGEST_SNIPPET)).map(Json::Text),
        Json::Array(_) | Json::Object(_) if depth >= limits::DIGEST_DEPTH => None,
        Json::Array(items) => {
            let mut kept = Vec::new();
            for item in items.iter().take(limits::DIGEST_RESULTS) {
                kept.extend(compact(item, depth + 1));
            }
            (!kept.is_empty()).then_some(Json::Array(kept))
        }
        Json::Object(members) => {
            let mut kept = Vec::new();
            for (name, value) in members.iter().take(limits::ACTION_VALUES * 2) {
                if let Some(value) = compact(value, depth + 1).filter(|_| answer::is_identifier(name)) {
                    kept.push((name.clone(), value));
                }
            }
            (!kept.is_empty()).then_some(Json::Object(kept))
        }
        other => Some(other.clone()),
    }
}
