//! What a result page found: the entries of its list, as items of an answer.

use super::{read::Context, render::Renderer};
use crate::{
    graph::{EntityIndex, Value},
    json::Json,
    limits,
    profiles::ProfileKind,
    select::{WEAK, kind},
};
use alloc::{string::ToString, vec::Vec};

/// The longest `ItemList`, else the most frequent kind of entity that stands for itself, else the subject: a search
/// with one hit often leads straight to it. Empty where the page describes only itself and its site.
pub fn items(cx: Context) -> Vec<Json> {
    let mut renderer = Renderer::new(cx.graph, &cx.selection.own, cx.language, true);
    let mut elements: &[Value] = &[];
    for list in cx.graph.entities.iter().filter(|e| e.is("ItemList") && !e.aside) {
        let values = list.values("itemListElement");
        if values.len() > elements.len() {
            elements = values;
        }
    }
    let mut out = Vec::new();
    for element in elements.iter().take(limits::DIGEST_RESULTS) {
        if let Value::Entity(at) = element {
            out.extend(entry(cx, &mut renderer, *at));
        }
    }
    if !out.is_empty() {
        return out;
    }
    let subject = cx.selection.subject.filter(|&subject| says_something(cx, subject));
    let mut best: Vec<EntityIndex> = subject.into_iter().collect();
    for group in cx.selection.groups.iter().filter(|group| says_something(cx, group[0])) {
        // Of several entities of one kind the selection may have made one the subject.
        let mut all: Vec<EntityIndex> = subject.into_iter().collect();
        all.retain(|&subject| cx.graph.entities[subject].profile == cx.graph.entities[group[0]].profile);
        all.extend_from_slice(group);
        if all.len() > best.len().max(1) {
            best = all;
        }
    }
    best.truncate(limits::DIGEST_RESULTS);
    out.extend(best.into_iter().map(|i| renderer.item(i)));
    out
}

/// Whether an entity is of a kind that pages are about, not the page itself or the site behind it.
fn says_something(cx: Context, index: EntityIndex) -> bool {
    let entity = &cx.graph.entities[index];
    kind(entity) == ProfileKind::Subject && entity.profile.is_some_and(|p| p.rank() < WEAK)
}

/// One element of a list: the entity it is or leads to, with the list's own name and address where that has none.
fn entry(cx: Context, renderer: &mut Renderer, at: EntityIndex) -> Option<Json> {
    let own = &cx.graph.entities[at];
    let item = own.values("item").first();
    let to = match item {
        Some(Value::Entity(to)) => *to,
        _ => at,
    };
    if cx.graph.entities[to].is("SiteNavigationElement") {
        return None;
    }
    let Json::Object(mut members) = renderer.item(to) else { return None };
    members.retain(|(name, _)| name != "position" && name != "item");
    for name in ["name", "url"] {
        if !members.iter().any(|(n, _)| n == name || (n == "headline" && name == "name")) {
            let value = own.values(name).first().or(item.filter(|v| name == "url" && v.as_text().is_some()));
            if let Some(value) = value.and_then(|value| renderer.value(name, value, 0)) {
                members.push((name.to_string(), value));
            }
        }
    }
    (!members.is_empty()).then_some(Json::Object(members))
}
