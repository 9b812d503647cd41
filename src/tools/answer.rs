//! Answers: an entity's members laid out in a default answer and sections, and cut into pages that keep a budget.

use super::render;
use crate::{graph::Entity, json::Json, text};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// The member that names those beside it which stand in for what the markup does not say.
pub(super) const FILLED: &str = "fromPage";
/// Characters of a long text that the default answer quotes.
const QUOTE: usize = 100;
/// Characters of a text in a list's item; of an address more, since with its end cut off it leads nowhere.
pub(super) const ITEM_TEXT: usize = 100;
/// See [`ITEM_TEXT`].
pub(super) const ITEM_ADDRESS: usize = 280;
/// Texts longer than this, with their name, are quoted in the default answer and whole in a section.
const LONG: usize = 160;
/// Up to this size the default answer of the subject is everything, not only the headline. What has no headline is
/// told up to this size.
pub(super) const LIGHT: usize = 300;
/// Characters that the words around an answer's data take (`page`, `total`, `next`, `truncated`).
const FRAME: usize = 90;

/// A property's name and its value as JSON.
pub type Member = (String, Json);

/// Property and type names that answers carry: vocabulary terms are short identifiers, everything else stays out.
pub fn is_identifier(name: &str) -> bool {
    name.len() <= 50
        && name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// Characters that a value takes as compact JSON, and no more where it is part of an array or object.
pub fn size(json: &Json) -> usize {
    match json {
        Json::Null => 4,
        Json::Bool(_) => 5,
        Json::Number(n) => n.len(),
        Json::Text(s) => 2 + s.chars().map(width).sum::<usize>(),
        Json::Array(items) => 2 + items.iter().map(|i| size(i) + 1).sum::<usize>(),
        Json::Object(members) => 2 + members.iter().map(|(k, v)| k.len() + 4 + size(v)).sum::<usize>(),
    }
}

/// Characters that one takes inside a JSON string: some are escaped.
fn width(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

/// Bytes of the text that take at most `chars` characters as JSON, at least one character, ended at a word where one
/// ends in the second half of them.
fn word_end(s: &str, chars: usize) -> usize {
    let (mut used, mut word) = (0, 0);
    for (at, c) in s.char_indices() {
        used += width(c);
        if used > chars && at > 0 {
            return if word * 2 > at { word } else { at };
        }
        if c == ' ' || c == '\n' {
            word = at;
        }
    }
    s.len()
}

/// The first `chars` characters of a text, ended at a word, with `…`.
pub fn quote(s: &str, chars: usize) -> String {
    let end = word_end(s, chars);
    let mut out = text::cut(s, end).to_string();
    if end < s.len() {
        out.push('…');
    }
    out
}

/// An entity's members laid out: what every call gives, and the sections to ask for.
#[derive(Debug, Default)]
pub struct Layout {
    /// The default answer.
    pub default: Vec<Member>,
    /// Whether something in the default answer is cut; a section has it whole.
    pub cut: bool,
    /// Section name and its members.
    pub sections: Vec<(&'static str, Vec<Member>)>,
}

/// Lays out: headline facts first and always, the rest where all is light, everything else in sections. `brief`
/// has the members as the default answer gives them; where that is less than `whole`, a section has it whole. `filled`
/// lists those that are the page's own words.
pub fn layout(
    entity: &Entity,
    whole: Vec<Member>,
    mut brief: Vec<Member>,
    filled: &str,
    budget: usize,
    light: usize,
) -> Layout {
    let mut out = Layout::default();
    let budget = budget.saturating_sub(FRAME);
    let light = if entity.profile.is_some() && has_pages(&whole, light + FRAME) { 0 } else { light };
    let mut used = 2;
    for (name, value) in whole {
        let at = brief.iter().position(|(known, _)| *known == name);
        let mut short = at.map_or_else(|| value.clone(), |at| brief.swap_remove(at).1);
        let mut headline = name == "type" || entity.profile.is_some_and(|p| p.headline().contains(&name));
        // The only review is the judgement where no rating sums up several.
        if name == "review" && short.get("reviewRating").is_some() && !entity.has("aggregateRating") {
            short = render::shorten(short);
            headline = true;
        }
        let n = size(&short) + name.len() + 4;
        let room = if headline { budget } else { light.min(budget) };
        // Of two the first is quoted: a summary often stands before the text.
        let lead = match &short {
            Json::Array(items) if items.len() == 2 => &items[0],
            one => one,
        };
        let long = matches!(lead, Json::Text(_)) && n > LONG;
        if short == Json::Null {
        } else if used + n <= room && !long {
            used += n;
            let all = short == value;
            out.default.push((name.clone(), short));
            if all {
                continue;
            }
        } else if headline {
            out.cut = true;
            if let Some(preview) = preview(lead, QUOTE.min(budget.saturating_sub(used + name.len() + 4))) {
                used += size(&preview) + name.len() + 4;
                out.default.push((name.clone(), preview));
            }
        }
        let section = section_of(entity, &name);
        match out.sections.iter_mut().find(|(s, _)| *s == section) {
            Some((_, members)) => members.push((name, value)),
            None => out.sections.push((section, alloc::vec![(name, value)])),
        }
    }
    mark(&mut out.default, filled);
    for (_, members) in &mut out.sections {
        mark(members, filled);
    }
    out
}

/// Says which of the members are among the page's own words, `filled`.
fn mark(members: &mut Vec<Member>, filled: &str) {
    let mut here = Vec::new();
    for (name, _) in members.iter().filter(|(name, _)| text::listed(filled, name)) {
        here.push(Json::Text(name.clone()));
    }
    if !here.is_empty() {
        members.push((FILLED.to_string(), Json::Array(here)));
    }
}

fn section_of(entity: &Entity, property: &str) -> &'static str {
    let section = entity.profile.and_then(|p| p.sections().find(|s| s.properties.contains(property)));
    section.map_or("details", |s| s.name)
}

/// As much of a value as fits: the start of a text, the first items of a list, the plain members of an object.
fn preview(value: &Json, room: usize) -> Option<Json> {
    let mut kept: Vec<Member> = Vec::new();
    let mut used = 2;
    let mut keep = |name: &str, value: &Json| {
        let n = size(value) + name.len() + 4;
        let fits = used + n <= room;
        if fits {
            used += n;
            kept.push((name.to_string(), value.clone()));
        }
        fits
    };
    let array = match value {
        Json::Text(s) => return (room > 40).then(|| Json::Text(quote(s, room - 3))),
        Json::Array(items) => {
            for item in items {
                if !keep("", item) {
                    break;
                }
            }
            true
        }
        Json::Object(members) => {
            for (name, value) in members {
                if !matches!(value, Json::Array(_) | Json::Object(_)) {
                    keep(name, value);
                }
            }
            false
        }
        other => return (size(other) <= room).then(|| other.clone()),
    };
    (!kept.is_empty()).then(|| container(kept, array))
}

/// One piece of a paged answer: `many` pieces of one name make an array.
struct Piece {
    name: String,
    value: Json,
    many: bool,
}

/// Whether `members` may need more than one page.
pub fn has_pages(members: &[Member], budget: usize) -> bool {
    members.iter().map(|(name, value)| size(value) + name.len() + 5).sum::<usize>() + FRAME > budget
}

/// The page of `members` that was asked for (from 1), with `page`, `total` and `next` where there is more than one.
/// `None` if there is no such page.
pub fn page(members: Vec<Member>, number: usize, most: usize, budget: usize) -> Option<Vec<Member>> {
    let budget = budget.saturating_sub(FRAME).max(200);
    let mut pieces = Vec::new();
    for (name, value) in members {
        match value {
            Json::Array(items) => {
                for item in items {
                    for value in split(item, budget - name.len() - 8) {
                        pieces.push(Piece { name: name.clone(), value, many: true });
                    }
                }
            }
            value => {
                let parts = split(value, budget - name.len() - 8);
                let many = parts.len() > 1 && !matches!(parts[0], Json::Text(_));
                for value in parts {
                    pieces.push(Piece { name: name.clone(), value, many });
                }
            }
        }
    }
    let total = pieces.len();
    let mut out: Vec<Member> = Vec::new();
    let (mut at, mut used, mut on_page, mut more) = (1, 2, 0, false);
    let mut last = String::new();
    for piece in pieces {
        // A name stands once before all its items.
        let same = on_page > 0 && last == piece.name;
        let n = size(&piece.value) + if same { 1 } else { piece.name.len() + 7 };
        // Two chunks of one text never share a page.
        let again = same && !piece.many;
        last.clone_from(&piece.name);
        if on_page > 0 && (used + n > budget || on_page >= most || again) {
            at += 1;
            used = 2;
            on_page = 0;
        }
        used += n;
        on_page += 1;
        if at > number {
            more = true;
            break;
        }
        if at < number {
            continue;
        }
        match out.iter_mut().find(|(name, _)| *name == piece.name) {
            Some((_, Json::Array(items))) if piece.many => items.push(piece.value),
            _ if piece.many => out.push((piece.name, Json::Array(alloc::vec![piece.value]))),
            _ => out.push((piece.name, piece.value)),
        }
    }
    if number > at || (total == 0 && number > 1) {
        return None;
    }
    if more || number > 1 {
        let count = |n: usize| Json::Number(text::number(n));
        out.push(("total".to_string(), count(total)));
        if more {
            out.push(("truncated".to_string(), Json::Bool(true)));
            out.push(("next".to_string(), count(number + 1)));
        }
    }
    Some(out)
}

/// A value in pieces of at most `room` characters: a text at its words, a list and an object at their members.
fn split(value: Json, room: usize) -> Vec<Json> {
    if size(&value) <= room || room < 50 {
        return alloc::vec![value];
    }
    let mut out = Vec::new();
    let (members, array) = match value {
        Json::Text(s) => {
            let mut rest = s.as_str();
            while !rest.is_empty() {
                let end = word_end(rest, room - 2);
                out.push(Json::Text(text::part(rest, 0, end).to_string()));
                rest = text::rest(rest, end).trim_ascii_start();
            }
            return out;
        }
        Json::Array(items) => {
            let mut members: Vec<Member> = Vec::new();
            for item in items {
                members.push((String::new(), item));
            }
            (members, true)
        }
        Json::Object(members) => (members, false),
        other => return alloc::vec![other],
    };
    let mut group: Vec<Member> = Vec::new();
    let mut used = 2;
    for (name, value) in members {
        for part in split(value, room.saturating_sub(name.len() + 6)) {
            let n = size(&part) + name.len() + 4;
            let twice = !array && group.last().is_some_and(|(last, _)| *last == name);
            if !group.is_empty() && (used + n > room || twice) {
                out.push(container(core::mem::take(&mut group), array));
                used = 2;
            }
            used += n;
            group.push((name.clone(), part));
        }
    }
    out.push(container(group, array));
    out
}

/// Members as an object, or their values as an array.
fn container(members: Vec<Member>, array: bool) -> Json {
    if !array {
        return Json::Object(members);
    }
    let mut items = Vec::new();
    for (_, value) in members {
        items.push(value);
    }
    Json::Array(items)
}
