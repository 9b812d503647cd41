//! What a result page found: the entries of its list, as items of an answer.

use super::{answer::Renderer, read::Context};
use crate::{
    graph::{Entity, EntityIndex, Value},
    json::Json,
    limits,
    profiles::ProfileKind,
    select::{WEAK, kind},
};
use alloc::{string::ToString, vec::Vec};

/// The longest `ItemList`, else the most frequent kind of entity that stands for itself, else the subject: a search
/// with one hit often leads straight to it. Empty where the page describes only itself and its site.
pub fn items(cx: Context) -> Vec<Json> {
    let mut renderer = Renderer::new(cx.graph, &cx.selection.own, cx.language);
    let lists = cx.graph.entities.iter().filter(|e| e.is("ItemList") && !e.aside);
    let elements = lists.map(|list| list.values("itemListElement")).max_by_key(|elements| elements.len());
    let elements = elements.unwrap_or_default().iter().take(limits::DIGEST_RESULTS);
    let listed: Vec<Json> = elements.filter_map(|element| entry(cx, &mut renderer, element)).collect();
    if !listed.is_empty() {
        return listed;
    }
    let subject = cx.selection.subject.filter(|&subject| says_something(cx, subject));
    let mut best: Vec<EntityIndex> = subject.into_iter().collect();
    for group in cx.selection.groups.iter().filter(|group| says_something(cx, group[0])) {
        // Of several entities of one kind the selection may have made one the subject.
        let first = subject.filter(|&subject| slug(cx, subject) == slug(cx, group[0]));
        let all = first.into_iter().chain(group.iter().copied());
        if group.len() + usize::from(first.is_some()) > best.len().max(1) {
            best = all.collect();
        }
    }
    best.into_iter().take(limits::DIGEST_RESULTS).map(|i| renderer.item(i)).collect()
}

fn slug(cx: Context, index: EntityIndex) -> &'static str {
    cx.graph.entities[index].profile.map_or("", |p| p.slug())
}

/// Whether an entity is of a kind that pages are about, not the page itself or the site behind it.
fn says_something(cx: Context, index: EntityIndex) -> bool {
    let entity = &cx.graph.entities[index];
    kind(entity) == ProfileKind::Subject && entity.profile.is_some_and(|p| p.rank() < WEAK)
}

/// One element of a list: the entity it is or leads to, with the list's own name and address where that has none.
fn entry(cx: Context, renderer: &mut Renderer, element: &Value) -> Option<Json> {
    let Value::Entity(at) = element else {
        let address = element.as_text().filter(|s| crate::guard::url::is_web(s))?;
        return Some(Json::Object(Vec::from([("url".to_string(), Json::Text(address.to_string()))])));
    };
    let own = cx.graph.entities.get(*at)?;
    let item = own.values("item").first();
    let to = match item {
        Some(Value::Entity(to)) => *to,
        _ => *at,
    };
    if cx.graph.entities.get(to).is_none_or(is_navigation) {
        return None;
    }
    let Json::Object(mut members) = renderer.item(to) else { return None };
    members.retain(|(name, _)| name != "position" && name != "item");
    let named = |members: &[(alloc::string::String, Json)], name: &str| members.iter().any(|(n, _)| n == name);
    if !named(&members, "name") && !named(&members, "headline") {
        if let Some(name) = own.values("name").first().and_then(Value::as_text).and_then(crate::guard::data::value) {
            members.insert(0, ("name".to_string(), Json::Text(name)));
        }
    }
    if !named(&members, "url") {
        let url = item
            .into_iter()
            .chain(own.values("url"))
            .find_map(|v| v.as_text().filter(|s| crate::guard::url::is_web(s)));
        if let Some(url) = url.and_then(crate::guard::data::address) {
            members.push(("url".to_string(), Json::Text(url)));
        }
    }
    (named(&members, "name") || named(&members, "headline") || named(&members, "url")).then_some(Json::Object(members))
}

fn is_navigation(entity: &Entity) -> bool {
    entity.is("SiteNavigationElement")
}
