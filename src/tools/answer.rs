//! Entities as answers: the graph around an entity as one JSON tree, laid out in a default answer and sections, and
//! cut into pages that keep a budget.

use crate::{
    graph::{Entity, EntityIndex, Graph, Value, vocabulary},
    guard::data,
    json::Json,
    order,
    profiles::ProfileKind,
    select::kind,
    text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Entities inside entities inside … an answer; deeper ones are named only.
const DEPTH: usize = 8;
/// Characters of a long text that the default answer quotes.
const QUOTE: usize = 280;
/// Texts longer than this are quoted in the default answer and whole in a section.
const LONG: usize = 400;
/// Up to this size a default answer takes in everything, not only the headline.
const LIGHT: usize = 700;
/// Characters that the words around an answer's data take (`page`, `total`, `next`, `truncated`).
const FRAME: usize = 90;

/// Properties that say how the page is built, not what the thing is.
const MACHINERY: [&str; 9] = [
    "potentialAction",
    "mainEntityOfPage",
    "isPartOf",
    "breadcrumb",
    "primaryImageOfPage",
    "speakable",
    "additionalType",
    "query-input",
    "subjectOf",
];

/// A property's name and its value as JSON.
pub type Member = (String, Json);

/// Turns entities into JSON trees.
pub struct Renderer<'a> {
    graph: &'a Graph,
    /// Entities that have a tool of their own: mentioned by name only.
    own: &'a [bool],
    /// The page's language.
    language: &'a str,
    /// Entities already written out in this answer: a second mention is by name, which also ends circles.
    seen: Vec<bool>,
}

impl<'a> Renderer<'a> {
    /// A renderer for one answer.
    pub fn new(graph: &'a Graph, own: &'a [bool], language: &'a str) -> Self {
        let mut seen = Vec::new();
        seen.resize(graph.entities.len(), false);
        Renderer { graph, own, language, seen }
    }

    /// The entity's members: type first, then the headline's properties, then the others in source order.
    pub fn members(&mut self, index: EntityIndex) -> Vec<Member> {
        self.seen[index] = true;
        let entity = &self.graph.entities[index];
        let mut members = Vec::new();
        if let Some(name) = type_name(entity) {
            members.push(("type".to_string(), Json::Text(name)));
        }
        self.properties(entity, 0, &mut members);
        members
    }

    /// Only these properties of the entity, as a list gives them.
    pub fn item(&mut self, index: EntityIndex) -> Json {
        let entity = &self.graph.entities[index];
        self.seen[index] = true;
        let mut members = Vec::new();
        if let Some(profile) = entity.profile {
            for name in profile.item().iter() {
                self.property(entity, name, 1, &mut members);
            }
        }
        if members.is_empty() {
            self.properties(entity, 1, &mut members);
        }
        self.address(entity, &mut members);
        shorten(Json::Object(members))
    }

    /// The values at the end of a path of properties (`isVariantOf.offers`), whole.
    pub fn path(&mut self, index: EntityIndex, path: &str) -> Vec<Json> {
        let mut from = alloc::vec![index];
        let mut path = path;
        while let Some((step, rest)) = text::split_once(path, b'.') {
            let mut to = Vec::new();
            for i in from {
                for value in self.graph.entities[i].values(step) {
                    if let Value::Entity(at) = value {
                        to.push(*at);
                    }
                }
            }
            (from, path) = (to, rest);
        }
        let mut out = Vec::new();
        for i in from {
            for value in self.graph.entities[i].values(path) {
                out.extend(self.value(path, value, 0));
            }
        }
        out
    }

    fn properties(&mut self, entity: &Entity, depth: usize, members: &mut Vec<Member>) {
        if let Some(profile) = entity.profile {
            for name in profile.headline().iter() {
                self.property(entity, name, depth, members);
            }
        }
        for property in &entity.properties {
            if !entity.profile.is_some_and(|p| p.headline().contains(&property.name)) {
                self.property(entity, &property.name, depth, members);
            }
        }
    }

    /// Adds the property's values: one as it is, several as an array, none not at all.
    fn property(&mut self, entity: &Entity, name: &str, depth: usize, members: &mut Vec<Member>) {
        if MACHINERY.contains(&name) || !is_identifier(name) {
            return;
        }
        let values = entity.values(name);
        let spoken = spoken_here(values, self.language);
        let mut out: Vec<Json> = Vec::new();
        for value in values {
            if let (Value::Text(_, language), Some(spoken)) = (value, spoken) {
                if !language.is_empty() && !same_language(language, spoken) {
                    continue;
                }
            }
            if let Some(json) = self.value(name, value, depth) {
                // Repeated texts (hydration, two plugins) are said once; the check looks back a bounded way.
                if !out.iter().rev().take(32).any(|o| *o == json) || matches!(json, Json::Object(_)) {
                    out.push(json);
                }
            }
        }
        if name == "itemListElement" || name == "recipeInstructions" || name == "step" {
            in_order(&mut out);
        }
        match out.len() {
            0 => {}
            1 => members.push((name.to_string(), out.swap_remove(0))),
            _ => members.push((name.to_string(), Json::Array(out))),
        }
    }

    pub(super) fn value(&mut self, property: &str, value: &Value, depth: usize) -> Option<Json> {
        match value {
            Value::Text(s, _) => {
                let word = vocabulary::is_enumeration_like(s).filter(|_| vocabulary::links(property));
                match word {
                    Some(word) => Some(Json::Text(word.to_string())),
                    None => data::value(s).map(Json::Text),
                }
            }
            Value::Iri(iri) => match vocabulary::is_enumeration_like(iri).filter(|_| vocabulary::links(property)) {
                Some(word) => Some(Json::Text(word.to_string())),
                None => data::address(iri).filter(|s| !s.is_empty()).map(Json::Text),
            },
            Value::Number(n) if is_json_number(n) => Some(Json::Number(n.clone())),
            Value::Number(n) => data::value(n).map(Json::Text),
            Value::Boolean(b) => Some(Json::Bool(*b)),
            Value::Entity(to) => self.entity(*to, depth + 1),
        }
    }

    /// Another entity inside the answer.
    fn entity(&mut self, index: EntityIndex, depth: usize) -> Option<Json> {
        let entity = &self.graph.entities[index];
        let whole = match kind(entity) {
            ProfileKind::Machinery | ProfileKind::Furniture => return None,
            ProfileKind::Page => false,
            _ => depth < DEPTH && !self.seen[index] && !self.own[index],
        };
        if !whole {
            return self.mention(entity);
        }
        self.seen[index] = true;
        let mut members = Vec::new();
        if entity.is("ListItem") {
            return self.list_item(entity, depth);
        }
        if entity.is("ImageObject") {
            if let Some(url) = ["contentUrl", "url"].iter().find_map(|p| entity.values(p).first()) {
                return self.value("url", url, depth);
            }
        }
        let plain = entity.profile.is_some_and(|p| p.kind() == ProfileKind::Part || p.brief().iter().count() == 1);
        if !plain {
            if let Some(name) = type_name(entity) {
                members.push(("type".to_string(), Json::Text(name)));
            }
        }
        let typed = members.len();
        self.properties(entity, depth, &mut members);
        if members.len() == typed {
            return self.id(entity);
        }
        if members.len() == 1 && matches!(members[0].0.as_str(), "name" | "text" | "url" | "value") {
            return members.pop().map(|(_, json)| json);
        }
        Some(Json::Object(members))
    }

    /// A `ListItem` gives way to its `item`; what it says itself stays where the item does not say it.
    fn list_item(&mut self, entity: &Entity, depth: usize) -> Option<Json> {
        let mut members = Vec::new();
        self.property(entity, "position", depth, &mut members);
        if let Some(value) = entity.values("item").first() {
            let json = self.value("item", value, depth);
            match (value, json) {
                (Value::Entity(_), Some(Json::Object(item))) => members.extend(item),
                (Value::Entity(_), Some(name)) => members.push(("name".to_string(), name)),
                (_, Some(url)) => members.push(("url".to_string(), url)),
                _ => {}
            }
            if let Value::Entity(to) = value {
                self.address(&self.graph.entities[*to], &mut members);
            }
        }
        for property in &entity.properties {
            let name = property.name.as_str();
            if name != "item" && !members.iter().any(|(n, _)| n == name) {
                self.property(entity, name, depth, &mut members);
            }
        }
        (!members.is_empty()).then_some(Json::Object(members))
    }

    /// Where an entity has no `url`, its absolute id is its address.
    fn address(&self, entity: &Entity, members: &mut Vec<Member>) {
        if !members.iter().any(|(n, _)| n == "url") {
            if let Some(id) = self.id(entity) {
                members.push(("url".to_string(), id));
            }
        }
    }

    fn id(&self, entity: &Entity) -> Option<Json> {
        let http = text::strip_prefix_ignoring_case(&entity.id, "http").is_some();
        if http { data::address(&entity.id).map(Json::Text) } else { None }
    }

    /// An entity by name (and address), not written out.
    fn mention(&mut self, entity: &Entity) -> Option<Json> {
        let mut members = Vec::new();
        for name in ["name", "headline", "url"] {
            if let Some(value) = entity.values(name).iter().find(|v| v.as_text().is_some()) {
                if let Some(json) = self.value(name, value, DEPTH) {
                    members.push((name.to_string(), json));
                }
            }
        }
        match members.len() {
            0 => self.id(entity),
            1 => members.pop().map(|(_, json)| json),
            _ => Some(Json::Object(members)),
        }
    }
}

/// The type as it is said in answers: the first that is a plain word.
fn type_name(entity: &Entity) -> Option<String> {
    entity.types.iter().find(|t| is_identifier(t)).map(|t| t.to_string())
}

/// Property and type names that answers carry: vocabulary terms are short identifiers, everything else stays out.
pub fn is_identifier(name: &str) -> bool {
    name.len() <= 50
        && name.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
}

/// The language to keep where a property is given in several: the page's if one has it, else the first one's.
fn spoken_here<'a>(values: &'a [Value], page: &'a str) -> Option<&'a str> {
    let mut first: Option<&str> = None;
    let mut several = false;
    for value in values {
        if let Value::Text(_, language) = value {
            if !language.is_empty() {
                if same_language(language, page) && !page.is_empty() {
                    several |= first.is_some_and(|f| !same_language(f, language));
                    first = first.filter(|f| same_language(f, page)).or(Some(language));
                    continue;
                }
                several |= first.is_some_and(|f| !same_language(f, language));
                first = first.or(Some(language));
            }
        }
    }
    first.filter(|_| several)
}

/// Whether two tags name one language, whatever the region: `de` and `de-AT`.
fn same_language(a: &str, b: &str) -> bool {
    let primary = |s: &'_ str| s.bytes().take_while(|b| b.is_ascii_alphanumeric()).count();
    text::same_ignoring_case(text::part(a, 0, primary(a)), text::part(b, 0, primary(b)))
}

/// Digits that a JavaScript number keeps; longer ones (identifiers, mostly) stay text so that no digit is lost.
const DIGITS: usize = 15;

/// JSON's number grammar; `00123`, `1.` and `NaN` are text.
fn is_json_number(s: &str) -> bool {
    let b = s.strip_prefix('-').unwrap_or(s).as_bytes();
    let digits = |b: &[u8]| b.iter().take_while(|b| b.is_ascii_digit()).count();
    let whole = digits(b);
    if whole == 0 || (whole > 1 && b[0] == b'0') || b.iter().filter(|b| b.is_ascii_digit()).count() > DIGITS {
        return false;
    }
    let mut rest = &b[whole..];
    if let [b'.', tail @ ..] = rest {
        let n = digits(tail);
        if n == 0 {
            return false;
        }
        rest = &tail[n..];
    }
    if let [b'e' | b'E', tail @ ..] = rest {
        let tail = tail.strip_prefix(b"+").or_else(|| tail.strip_prefix(b"-")).unwrap_or(tail);
        let n = digits(tail);
        // Past this a JavaScript number is infinite or zero: what was written stays text.
        return (1..=2).contains(&n) && n == tail.len();
    }
    rest.is_empty()
}

/// Items that say their `position` come in its order; the position itself is then left out.
fn in_order(items: &mut [Json]) {
    let position = |item: &Json| match item.get("position") {
        Some(Json::Number(n) | Json::Text(n)) => text::whole_number(n),
        _ => None,
    };
    if items.len() < 2 || !items.iter().all(|item| position(item).is_some()) {
        return;
    }
    let order = order::sorted(items.len(), &|a, b| position(&items[a]).cmp(&position(&items[b])));
    let mut taken: Vec<Json> = items.iter_mut().map(|item| core::mem::replace(item, Json::Null)).collect();
    for (item, from) in items.iter_mut().zip(order) {
        *item = core::mem::replace(&mut taken[from], Json::Null);
    }
    for item in items {
        if let Json::Object(members) = item {
            members.retain(|(name, _)| name != "position");
        }
    }
}

/// Characters a value takes as compact JSON (escapes aside).
pub fn size(json: &Json) -> usize {
    match json {
        Json::Null => 4,
        Json::Bool(_) => 5,
        Json::Number(n) => n.len(),
        Json::Text(s) => text::characters(s) + 2,
        Json::Array(items) => 2 + items.iter().map(|i| size(i) + 1).sum::<usize>(),
        Json::Object(members) => 2 + members.iter().map(|(k, v)| k.len() + 4 + size(v)).sum::<usize>(),
    }
}

/// Bytes of the first `chars` characters, ended at a word where one ends in the second half of them.
fn word_end(s: &str, chars: usize) -> usize {
    let (mut left, mut word) = (chars, 0);
    for (at, c) in s.char_indices() {
        if left == 0 {
            return if word * 2 > at { word } else { at };
        }
        left -= 1;
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

/// Long texts inside a list's item are quoted.
fn shorten(json: Json) -> Json {
    match json {
        // An address with its end cut off leads nowhere.
        Json::Text(s) if s.len() > LONG || !crate::guard::url::is_web(&s) => Json::Text(quote(&s, QUOTE / 2)),
        Json::Object(members) => Json::Object(members.into_iter().map(|(k, v)| (k, shorten(v))).collect()),
        Json::Array(items) => Json::Array(items.into_iter().map(shorten).collect()),
        other => other,
    }
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

/// Lays out: headline facts first and always, the rest while the answer is light, everything else in sections.
pub fn layout(entity: &Entity, members: Vec<Member>, budget: usize) -> Layout {
    let mut out = Layout::default();
    let budget = budget.saturating_sub(FRAME);
    let mut used = 2;
    for (name, value) in members {
        let headline = name == "type" || entity.profile.is_some_and(|p| p.headline().contains(&name));
        let n = size(&value) + name.len() + 4;
        let room = if headline { budget } else { LIGHT.min(budget) };
        let long = matches!(&value, Json::Text(s) if s.len() > LONG);
        if used + n <= room && !long {
            used += n;
            out.default.push((name, value));
            continue;
        }
        if headline {
            if let Some(preview) = preview(&value, QUOTE.min(budget.saturating_sub(used + name.len() + 4))) {
                used += size(&preview) + name.len() + 4;
                out.cut = true;
                out.default.push((name.clone(), preview));
            }
        }
        let section = section_of(entity, &name);
        match out.sections.iter_mut().find(|(s, _)| *s == section) {
            Some((_, members)) => members.push((name, value)),
            None => out.sections.push((section, alloc::vec![(name, value)])),
        }
    }
    out
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
        let n = size(&piece.value) + if on_page > 0 && last == piece.name { 1 } else { piece.name.len() + 7 };
        last.clone_from(&piece.name);
        // Two chunks of one text never share a page: each is as long as fits.
        let again = !piece.many && out.iter().any(|(name, _)| *name == piece.name) && at == number;
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
        out.push(("page".to_string(), count(number)));
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
