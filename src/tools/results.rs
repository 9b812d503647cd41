//! What a response offers: the result links and the readable text of a page, the list of a JSON document.

use crate::{
    dom::{Attr, Kind, NodeIndex, Snapshot, resolve},
    guard::url::{is_web, origin},
    json::Json,
    limits, order, text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// The result links: those that are or hold headings, else those of list items and articles, else all.
pub fn links(snapshot: &Snapshot, page: &str) -> Vec<Json> {
    let mut all = collect(snapshot, page);
    // One link per address: the best ranked, which is the title rather than the picture or "read more".
    let mut by_url: Vec<usize> = (0..all.len()).collect();
    order::sort(&mut by_url, &|a, b| all[a].url.cmp(&all[b].url).then(all[a].rank.cmp(&all[b].rank)));
    by_url.dedup_by(|a, b| all[*a].url == all[*b].url);
    order::sort(&mut by_url, &|a, b| a.cmp(&b));
    // Sorting, paging and filters lead to the page's own path: no results, unless there is nothing else.
    let own_path = without_query(page);
    let elsewhere: Vec<usize> = by_url.iter().copied().filter(|&i| without_query(&all[i].url) != own_path).collect();
    let mut chosen = if elsewhere.is_empty() { by_url } else { elsewhere };
    for most in [0, 1] {
        let enough = if most == 0 { 2 } else { 1 };
        if chosen.iter().filter(|&&i| all[i].rank <= most).count() >= enough {
            chosen.retain(|&i| all[i].rank <= most);
            break;
        }
    }
    // Where a result starts, for the snippet of the one before to end there.
    let starts: Vec<NodeIndex> = chosen.iter().map(|&i| all[i].node).collect();
    let own_origin = origin(page);
    let (own, foreign): (Vec<usize>, Vec<usize>) =
        (0..chosen.len()).partition(|&i| origin(&all[chosen[i]].url) == own_origin);
    let mut out = Vec::new();
    for i in own.into_iter().chain(foreign).take(limits::DIGEST_RESULTS) {
        let link = &mut all[chosen[i]];
        let snippet = snippet(snapshot, link, starts.get(i + 1).copied());
        let mut members = Vec::with_capacity(3);
        members.push(("title".to_string(), Json::Text(core::mem::take(&mut link.title))));
        members.push(("url".to_string(), Json::Text(core::mem::take(&mut link.url))));
        if !snippet.is_empty() {
            members.push(("text".to_string(), Json::Text(snippet)));
        }
        out.push(Json::Object(members));
    }
    out
}

/// A link of a result page.
struct Link {
    /// The `a`, and one past the last node of its title.
    node: NodeIndex,
    end: NodeIndex,
    url: String,
    title: String,
    /// 0: a heading; 1: in a list item or article; 2: anything else.
    rank: u8,
}

/// The links with text, in tree order; those of `main` only, if the page has one with links in it.
fn collect(snapshot: &Snapshot, page: &str) -> Vec<Link> {
    let mut out: Vec<Link> = Vec::new();
    let mut in_main = 0;
    // The innermost open heading, list item or article, main and furniture, each as the node where it ends.
    let (mut heading, mut entry, mut main, mut furniture) = ((0, 0), 0, 0, 0);
    for node in 0..snapshot.len() {
        if snapshot.kind(node) != Kind::Element {
            continue;
        }
        let end = snapshot.end(node);
        match snapshot.name(node) {
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => heading = (end, node),
            "li" | "article" => entry = entry.max(end),
            "main" => main = main.max(end),
            "nav" | "aside" | "footer" | "script" => furniture = furniture.max(end),
            "a" if node >= furniture && out.len() < limits::DIGEST_RESULTS * 5 => {
                let title = text::plain_line(&snapshot.plain_text(node), limits::DIGEST_TITLE);
                let href = snapshot.attr(node, Attr::Href).unwrap_or("");
                let inner =
                    (node + 1..end).any(|n| matches!(snapshot.name(n), "h1" | "h2" | "h3" | "h4" | "h5" | "h6"));
                let Some(mut url) = resolve(href, snapshot.base()) else { continue };
                url.truncate(url.bytes().position(|b| b == b'#').unwrap_or(url.len()));
                if title.len() < 3 || url.len() > limits::DIGEST / 3 || !is_web(&url) || url == page {
                    continue;
                }
                let in_heading = node < heading.0;
                let rank = if in_heading || inner { 0 } else { 2 - u8::from(node < entry) };
                if node < main {
                    in_main += 1;
                }
                out.push(Link {
                    node: if in_heading { heading.1 } else { node },
                    end: end.max(heading.0 * usize::from(in_heading)),
                    url,
                    title,
                    rank,
                });
                if in_main == 1 && node < main {
                    // From the first link of `main` on, what stood before it is the page's furniture.
                    out.drain(..out.len() - 1);
                }
                if in_main > 0 && node >= main {
                    out.pop();
                }
            }
            _ => {}
        }
    }
    out
}

/// The text behind a result's title, up to the next result or the end of its list item.
fn snippet(snapshot: &Snapshot, link: &Link, next: Option<NodeIndex>) -> String {
    let mut end = next.unwrap_or(snapshot.len());
    let mut at = link.node;
    for _ in 0..limits::DEPTH {
        if matches!(snapshot.name(at), "li" | "article" | "main" | "body") || at == snapshot.parent(at) {
            end = end.min(snapshot.end(at));
            break;
        }
        at = snapshot.parent(at);
    }
    let mut out = String::new();
    gather(snapshot, link.end, end, limits::DIGEST_SNIPPET * 6, &mut out);
    text::plain_line(&out, limits::DIGEST_SNIPPET)
}

/// The readable text of a page: of its `main`, if it has one.
pub fn readable(snapshot: &Snapshot) -> String {
    let from = (0..snapshot.len()).find(|&n| snapshot.name(n) == "main").unwrap_or(0);
    let mut out = String::new();
    if !snapshot.is_empty() {
        gather(snapshot, from + 1, snapshot.end(from), limits::STRING, &mut out);
    }
    lines(&out)
}

/// Visible characters, lines kept.
pub fn lines(s: &str) -> String {
    let mut out = String::new();
    for part in text::cut(s, limits::STRING).split('\n') {
        let part = text::plain_line(part, limits::STRING);
        if !part.is_empty() {
            if !out.is_empty() {
                out.push('\n');
            }
            out.push_str(&part);
        }
    }
    out
}

/// The text runs of `from..to` but those of scripts, lines kept, until `bytes` are there.
fn gather(snapshot: &Snapshot, from: NodeIndex, to: NodeIndex, bytes: usize, out: &mut String) {
    let mut node = from;
    while node < to && out.len() < bytes {
        match snapshot.kind(node) {
            Kind::Break => out.push('\n'),
            Kind::Text => out.push_str(text::cut(snapshot.run(node), bytes)),
            Kind::Element if snapshot.name(node) == "script" => {
                node = snapshot.end(node);
                continue;
            }
            Kind::Element => {}
        }
        node += 1;
    }
}

fn without_query(url: &str) -> &str {
    &url[..url.bytes().position(|b| b == b'?' || b == b'#').unwrap_or(url.len())]
}

/// The items of a JSON response: its longest list, else the value itself.
pub fn of_json(value: Json) -> Vec<Json> {
    let mut best: (usize, Option<&[Json]>) = (1, None);
    longest(&value, 0, &mut best);
    match best.1 {
        Some(items) => items.iter().take(limits::DIGEST_RESULTS).filter_map(|item| compact(item, 0)).collect(),
        None => compact(&value, 0).into_iter().collect(),
    }
}

fn longest<'a>(value: &'a Json, depth: usize, best: &mut (usize, Option<&'a [Json]>)) {
    if depth >= limits::DIGEST_DEPTH {
        return;
    }
    match value {
        Json::Array(items) => {
            // A list of objects is worth more than one of words, a list of lists nothing.
            let worth = |item: &Json| match item {
                Json::Object(_) => 100,
                Json::Array(_) | Json::Null => 0,
                _ => 1,
            };
            let worth: usize = items.iter().map(worth).sum();
            if worth > best.0 {
                *best = (worth, Some(items));
            }
            items.iter().for_each(|item| longest(item, depth + 1, best));
        }
        Json::Object(members) => members.iter().for_each(|(_, v)| longest(v, depth + 1, best)),
        _ => {}
    }
}

/// A value without what an answer must not carry: odd member names, invisible characters, addresses of other schemes,
/// deep or long parts.
fn compact(value: &Json, depth: usize) -> Option<Json> {
    match value {
        Json::Null => None,
        Json::Text(s) => {
            let s = text::plain_line(s, limits::DIGEST_SNIPPET);
            let scheme = s.bytes().position(|b| b == b':').map_or("", |at| &s[..at]);
            let runs =
                ["javascript", "data", "vbscript", "blob", "file"].iter().any(|x| text::same_ignoring_case(x, scheme));
            (!s.is_empty() && !runs).then_some(Json::Text(s))
        }
        Json::Array(_) | Json::Object(_) if depth >= limits::DIGEST_DEPTH => None,
        Json::Array(items) => {
            let items: Vec<Json> =
                items.iter().take(limits::ACTION_VALUES).filter_map(|i| compact(i, depth + 1)).collect();
            (!items.is_empty()).then_some(Json::Array(items))
        }
        Json::Object(members) => {
            let named = members.iter().filter(|(name, _)| {
                name.len() <= 30
                    && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'@' | b'$'))
            });
            let members: Vec<(String, Json)> = named
                .take(limits::ACTION_VALUES * 2)
                .filter_map(|(name, v)| Some((name.clone(), compact(v, depth + 1)?)))
                .collect();
            (!members.is_empty()).then_some(Json::Object(members))
        }
        other => Some(other.clone()),
    }
}
