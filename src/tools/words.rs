//! The page's own words: what it says beside its markup. They are read when they are asked for, in a snapshot in text
//! mode; what fills the gaps of the markup is in every snapshot.

use super::results::gather;
use crate::{
    dom::{Attr, NodeIndex, Snapshot, resolve},
    guard::data,
    limits, text,
};
use alloc::{string::String, vec::Vec};

/// `meta` elements by their `property` or `name`, and the properties that they stand for.
const META: &str = "og:title name og:description description description description og:image image \
article:published_time datePublished";
/// A part of the page is its text if it holds at least one in so many characters of the whole.
const SHARE: usize = 4;

/// What the page says of itself, by property: Open Graph, `meta name=description`, the title last.
pub fn of_itself(snapshot: &Snapshot) -> Vec<(&'static str, String)> {
    let mut out = Vec::new();
    for node in snapshot.elements().filter(|&n| snapshot.name(n) == "meta") {
        let key = snapshot.attr(node, Attr::Property).or(snapshot.attr(node, Attr::Name));
        let content = snapshot.attr(node, Attr::Content).unwrap_or("");
        let Some(property) = key.and_then(|key| text::lookup(META, text::trim(key))) else { continue };
        let content = text::cut(content, limits::META);
        let value = if property == "image" {
            resolve(text::trim(content), snapshot.base()).and_then(|url| data::address(&url))
        } else {
            data::value(content)
        };
        out.extend(value.map(|value| (property, value)));
        if out.len() >= limits::ACTION_VALUES {
            break;
        }
    }
    out.extend(data::value(text::cut(snapshot.title(), limits::META)).map(|title| ("name", title)));
    out
}

/// The readable text of a page: of the article's body if it is marked, else of `main`, else of the longest `article`,
/// unless that is only a small part of what the page says.
pub fn readable(snapshot: &Snapshot) -> String {
    let read = |from: NodeIndex, to: NodeIndex| data::plain(&gather(snapshot, from, to, limits::STRING));
    let whole = read(0, snapshot.len());
    let (mut body, mut main, mut article) = (0..0, 0..0, 0..0);
    for node in snapshot.elements() {
        let range = node..snapshot.end(node);
        let marked = snapshot.attr(node, Attr::Itemprop).unwrap_or("");
        let place = match snapshot.name(node) {
            _ if text::tokens(marked).any(|name| name == "articleBody") => &mut body,
            "main" => &mut main,
            "article" => &mut article,
            _ => continue,
        };
        if range.len() > place.len() {
            *place = range;
        }
    }
    for range in [body, main, article] {
        let part = read(range.start, range.end);
        if part.len() * SHARE > whole.len() {
            return part;
        }
    }
    whole
}

/// Whether the page's text says more than a text of the markup: a summary is none of it, a copy is all of it.
pub fn says_more(words: &str, markup: usize) -> bool {
    words.len() > markup + markup / 2
}
