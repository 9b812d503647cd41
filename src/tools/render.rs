//! Entities as JSON: the graph around an entity as one tree, each value as a reader wants it.

use super::answer::{self, ITEM_ADDRESS, ITEM_TEXT, Member, is_identifier, quote};
use crate::{
    graph::{Entity, EntityIndex, Graph, Value, vocabulary},
    guard::data,
    json::Json,
    order,
    profiles::{self, ProfileKind},
    select::kind,
    text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Entities inside entities inside … an answer; deeper ones are named only.
const DEPTH: usize = 8;

/// Properties that say how the page is built, not what the thing is; searches are tools of their own. The last four
/// would read as an answer's own words.
const MACHINERY: &str = "potentialAction primaryImageOfPage speakable query-input error isError structuredContent next";
/// Properties that lead to the page around a thing: what is read by itself is not named again.
const UPWARD: &str = "mainEntityOfPage isPartOf breadcrumb subjectOf itemOffered";
/// The same for the page's own node.
const SUBJECT: &str = "mainEntity about";
/// Properties by which a part names the whole that it is told in.
const BACK: &str = "parentOrganization superEvent partOfSeries partOfSeason isVariantOf containedInPlace inAlbum";
/// Properties whose values are a sequence.
const ORDERED: &str = "itemListElement recipeInstructions step";
/// What an image may have beside its address without being more than that to a reader.
const PIXELS: &str = "url contentUrl width height inLanguage encodingFormat representativeOfPage";
/// Values that say what goes without saying, or nothing: a default of the vocabulary, a class instead of one of it.
const EMPTY: &str = "EventScheduled OfflineEventAttendanceMode Organization Person";
/// Properties that pages fill with what another one says already.
const ECHOES: &str = "endDate dateModified dateCreated creator location address url contentUrl thumbnailUrl";

/// Turns entities into JSON trees.
pub struct Renderer<'a> {
    graph: &'a Graph,
    /// Entities that have a tool of their own: mentioned by name only.
    own: &'a [bool],
    /// The page's language.
    language: &'a str,
    /// Entities inside the answer give only what stands for them ([`crate::profiles::Profile::brief`]), or leads.
    brief: bool,
    /// Entities already written out in this answer: a second mention is by name, which also ends circles.
    seen: Vec<bool>,
    /// Characters of one property after which its other values are passed over: where only sizes are wanted.
    enough: usize,
    /// The `url` of the list's item that is written: that what hangs on it leads there is no news.
    address: &'a str,
}

impl<'a> Renderer<'a> {
    /// A renderer for one answer, in brief or whole.
    pub fn new(graph: &'a Graph, own: &'a [bool], language: &'a str, brief: bool) -> Self {
        let mut seen = Vec::new();
        seen.resize(graph.entities.len(), false);
        Renderer { graph, own, language, brief, seen, enough: usize::MAX, address: "" }
    }

    /// A renderer of answers that are only measured: no property is longer than need be to be more than `enough`.
    pub fn measuring(mut self, enough: usize) -> Self {
        self.enough = enough;
        self
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

    /// The entity as a list gives it: the properties of its profile for that, else all.
    pub fn item(&mut self, index: EntityIndex) -> Json {
        let entity = &self.graph.entities[index];
        self.seen[index] = true;
        self.address = entity.values("url").first().and_then(Value::as_text).unwrap_or("");
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

    /// The entity as it is told beside others: in brief as an item, else whole.
    pub fn told(&mut self, index: EntityIndex) -> Json {
        if self.brief { self.item(index) } else { Json::Object(self.members(index)) }
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
        if let Some(profile) = entity.profile.filter(|_| self.brief && depth > 0) {
            let before = members.len();
            for names in [profile.brief(), profile.headline()] {
                for name in names.iter() {
                    self.property(entity, name, depth, members);
                }
                if members.len() > before {
                    return;
                }
            }
        }
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
        if text::listed(MACHINERY, name) || !is_identifier(name) {
            return;
        }
        let upward = text::listed(UPWARD, name)
            || depth > 0 && text::listed(BACK, name)
            || kind(entity) == ProfileKind::Page && text::listed(SUBJECT, name);
        let ordered = text::listed(ORDERED, name);
        let values = entity.values(name);
        let spoken = spoken_here(values, self.language);
        let mut out: Vec<Json> = Vec::new();
        let mut used = 0;
        for value in values {
            if used > self.enough {
                self.pass(value, depth);
                continue;
            }
            if let (Value::Text(_, language), Some(spoken)) = (value, spoken) {
                if !language.is_empty() && !same_language(language, spoken) {
                    continue;
                }
            }
            let known = match value {
                Value::Entity(to) => self.own[*to],
                Value::Iri(_) => name == "mainEntityOfPage" || name == "breadcrumb",
                _ => name == "mainEntityOfPage",
            };
            if upward && known {
                continue;
            }
            if depth > 1 && name == "url" && value.as_text() == Some(self.address) {
                continue;
            }
            if let Some(json) = self.value(name, value, depth) {
                // A price is often told again with its kind.
                if self.brief
                    && depth > 0
                    && matches!(&json, Json::Object(parts) if parts.iter().all(|part| members.contains(part)))
                {
                    continue;
                }
                // What is repeated (hydration, two plugins) is said once, but a step may come twice; the check looks
                // back a bounded way.
                if ordered || !out.iter().rev().take(32).any(|o| *o == json) {
                    used += if self.enough < usize::MAX { answer::size(&json) } else { 0 };
                    out.push(json);
                }
            }
        }
        if ordered {
            in_order(&mut out);
        }
        let said = |(_, other): &Member| text::listed(ECHOES, name) && *other == out[0];
        let empty = |json: &Json| json.as_str().is_some_and(|text| text::listed(EMPTY, text));
        if self.brief && out.len() == 1 && (empty(&out[0]) || members.iter().any(said)) {
            // Where the whole is told too, it is in a section.
            out.clear();
            if depth == 0 {
                out.push(Json::Null);
            }
        }
        // MCP clients take `content` for their own.
        let name = if name == "content" { "contents" } else { name };
        match out.len() {
            0 => {}
            1 => match out.swap_remove(0) {
                // The range of a sum, or its number and period, stand beside its currency.
                Json::Object(mut parts)
                    if name == "value" && entity.has("currency") && entity.properties.len() == 2 =>
                {
                    members.append(&mut parts);
                }
                one => members.push((name.to_string(), one)),
            },
            _ => members.push((name.to_string(), Json::Array(out))),
        }
    }

    /// Takes note of what a value would have written out.
    fn pass(&mut self, value: &Value, depth: usize) {
        let Value::Entity(to) = *value else { return };
        if depth + 1 < DEPTH && !self.seen[to] && !self.own[to] {
            self.seen[to] = true;
            for property in &self.graph.entities[to].properties {
                for value in &property.values {
                    self.pass(value, depth + 1);
                }
            }
        }
    }

    pub(super) fn value(&mut self, property: &str, value: &Value, depth: usize) -> Option<Json> {
        match value {
            Value::Text(s, _) if property == "unitCode" => match text::lookup(UNITS, s) {
                Some("-") => None,
                unit => self.text(unit.unwrap_or(s)).map(Json::Text),
            },
            Value::Text(s, _) => {
                let word = vocabulary::is_enumeration_like(s).filter(|_| vocabulary::links(property));
                match word {
                    Some(word) => Some(Json::Text(word.to_string())),
                    None => self.text(s).map(Json::Text),
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

    fn text(&self, s: &str) -> Option<String> {
        // The start of a text tells that it is long, unless it is nearly all markup.
        let start = text::cut(s, self.enough.saturating_mul(2));
        let clean = data::value(start).filter(|clean| start.len() == s.len() || clean.len() > self.enough);
        clean.or_else(|| data::value(s))
    }

    /// Another entity inside the answer.
    fn entity(&mut self, index: EntityIndex, depth: usize) -> Option<Json> {
        let entity = &self.graph.entities[index];
        let whole = match kind(entity) {
            // `{"@type": "LikeAction"}`: what is counted.
            ProfileKind::Machinery if entity.properties.is_empty() => return type_name(entity).map(Json::Text),
            ProfileKind::Machinery | ProfileKind::Furniture => return None,
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
            let plain = entity.properties.iter().all(|p| text::listed(PIXELS, &p.name) && p.values.len() == 1);
            let (file, url) = (entity.values("contentUrl").first(), entity.values("url").first());
            let same = file.is_none() || url.is_none() || file == url;
            if let Some(url) = file.or(url).filter(|_| self.brief || plain && same) {
                return self.value("url", url, depth);
            }
        }
        let plain = entity.profile.is_some_and(|p| {
            p.kind() == ProfileKind::Part
                || p.brief().iter().take(2).count() == 1
                || !p.brief().is_empty() && (self.brief || entity.is("Place"))
        });
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
        if let Some(line) = self.line(&members) {
            return Some(Json::Text(line));
        }
        if members.len() == 1 && matches!(members[0].0.as_str(), "name" | "text" | "url" | "value") {
            return members.pop().map(|(_, json)| json);
        }
        Some(amount(&members).unwrap_or(Json::Object(members)))
    }

    /// In brief, an address and a place as they are written on one line. A section has their parts.
    fn line(&self, members: &[Member]) -> Option<String> {
        let mut line = String::new();
        for (name, value) in members {
            let (Json::Text(value) | Json::Number(value)) = value else { return None };
            // What an address has, and a place that is told by it.
            if !self.brief || !(text::contains(name, "address") || text::listed("name postalCode", name)) {
                return None;
            }
            let mut value = value.as_str();
            // Where a place is called by its street, that is said.
            let street = text::until(value, b",");
            if name == "address" && text::contains(&line, text::part(value, 0, street)) {
                value = text::trim(text::rest(value, street + 1));
            }
            if !line.ends_with(value) {
                line.push_str(if line.is_empty() { "" } else { ", " });
                line.push_str(value);
            }
        }
        Some(line)
    }

    /// A `ListItem` gives way to its `item`; what it says itself stays where the item does not say it.
    fn list_item(&mut self, entity: &Entity, depth: usize) -> Option<Json> {
        let mut members = Vec::new();
        self.property(entity, "position", depth, &mut members);
        if let Some(value) = entity.values("item").first() {
            let json = self.value("item", value, depth);
            match (value, json) {
                (Value::Entity(to), Some(Json::Object(item))) => {
                    // That a crumb leads to a page is no news.
                    let page = kind(&self.graph.entities[*to]) == ProfileKind::Page;
                    members.extend(item.into_iter().filter(|(name, _)| !page || name != "type"));
                }
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
                if let Some(json) = self.value(name, value, DEPTH).filter(|_| !self.brief || members.is_empty()) {
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

/// The units that pages give by their codes in UN/CEFACT's Recommendation 20, as people write them. Another code stays. `-`: it
/// counts, and has no unit.
pub const UNITS: &str = "KGM kg GRM g LBR lb ONZ oz MTR m CMT cm MMT mm KMT km INH in FOT ft SMI mi MTK m² FTK ft² LTR l \
MLT ml SEC s MIN min HUR h DAY days WEE weeks MON months ANN years KWT kW KWH kWh C62 -";

/// The `unitText` of salaries.
const PERIODS: &str = "HOUR DAY WEEK MONTH YEAR";

/// A quantity or sum that is one number and its unit, as it is written: `12 kg`, `50 EUR`; the unit may be there as
/// text and as code.
fn amount(members: &[Member]) -> Option<Json> {
    let [(first, value), (second, unit), again @ ..] = members else { return None };
    let amount = first == "value" && again.iter().all(|(_, other)| other == unit);
    // `20 HOUR` would read as a time, where it is what an hour is paid.
    let unit = unit
        .as_str()
        .filter(|unit| amount && !text::listed(PERIODS, unit) && text::listed("unitText unitCode currency", second))?;
    let (Json::Number(number) | Json::Text(number)) = value else { return None };
    number
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'.' || b == b',')
        .then(|| Json::Text(text::all(&[number, " ", unit])))
}

/// The type as it is said in answers: of those that are a plain word the one that the profile is of, else the first.
fn type_name(entity: &Entity) -> Option<String> {
    let mut words = entity.types.iter().filter(|t| is_identifier(t));
    let first = words.clone().next()?;
    Some(words.find(|t| profiles::profile(t) == entity.profile).unwrap_or(first).to_string())
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
    if !items.iter().all(|item| position(item).is_some()) {
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

/// Long texts inside a list's item are quoted.
pub(super) fn shorten(json: Json) -> Json {
    match json {
        Json::Text(s) if s.len() > ITEM_ADDRESS || !crate::dom::address::is_web(&s) => Json::Text(quote(&s, ITEM_TEXT)),
        Json::Object(members) => Json::Object(members.into_iter().map(|(k, v)| (k, shorten(v))).collect()),
        Json::Array(items) => Json::Array(items.into_iter().map(shorten).collect()),
        other => other,
    }
}
