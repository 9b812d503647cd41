//! The same thing said twice: pages publish one entity in two syntaxes, and scripts publish one block twice. Without
//! an `@id` only what they say can show it. And what is said of a thing from outside: an offer that names what it offers.

use super::{Entity, EntityIndex, Value, build::push};
use crate::{limits, order, profiles::ProfileKind, text};
use alloc::{string::String, vec::Vec};

/// Where both have one of these and no value is in both, they are two things.
const TELLING: &str = "url sku gtin gtin13 gtin12 gtin14 gtin8 mpn productID startDate identifier isbn";
/// What a thing is called.
const NAMES: [&str; 3] = ["name", "headline", "title"];

/// What a review has that is a page's content, not a part of one.
const PUBLISHED: &str = "publisher mainEntityOfPage claimReviewed";

/// Joins repeated entities into their first mention. What only the repetition referred to goes with it.
///
/// An offer, a rating or a review that nothing refers to becomes part of the thing that it names: of the one that has
/// this `@id`, else of the one that repeats what is told of it there. A page about a review keeps it as it is.
///
/// Only entities that nothing else refers to are compared: what is part of another entity is told apart by that. Sorted
/// by kind and name, so `n log n` on hostile input; among equal names each is compared with the first only.
pub fn join_repeated(entities: &mut [Entity], truncated: &mut bool) {
    for i in 0..entities.len() {
        let Some((to, property)) = hanging(entities, i) else { continue };
        // What was there before is not told of in it: the page turns the property round.
        let named = !entities[to].id.is_empty() || to < i;
        if named || property != REVIEW && key(&entities[to]).is_none() {
            hang(entities, i, to, truncated);
            entities[to].references -= 1;
        }
    }
    // What is compared, and what it came with: itself, or what hangs on it.
    let mut keyed: Vec<(String, EntityIndex, EntityIndex)> = Vec::new();
    for i in 0..entities.len() {
        let mut thing = Some(i).filter(|&i| entities[i].references == 0);
        while let Some(at) = thing {
            if let Some(key) = key(&entities[at]) {
                keyed.push((key, at, i));
            }
            thing = if at == i { hanging(entities, i).map(|(to, _)| to) } else { None };
        }
    }
    let mut gone: Vec<EntityIndex> = Vec::new();
    let mut first = usize::MAX;
    let mut target: Vec<EntityIndex> = (0..entities.len()).collect();
    let hangs = |(_, thing, part): &(String, EntityIndex, EntityIndex)| thing != part;
    let order = order::sorted(keyed.len(), &|a, b| {
        let (a, b) = (&keyed[a], &keyed[b]);
        a.0.cmp(&b.0).then(hangs(a).cmp(&hangs(b)))
    });
    for at in order {
        let (name, i, part) = &keyed[at];
        let known = keyed.get(first).filter(|known| known.0 == *name).map(|known| known.1);
        let onto = known.filter(|&first| agree(entities, first, *i));
        if hangs(&keyed[at]) {
            if onto.is_none() && hanging(entities, *part).is_none_or(|(_, property)| property == REVIEW) {
                continue;
            }
            hang(entities, *part, onto.unwrap_or(*i), truncated);
            entities[*i].references = 0;
        }
        if let Some(onto) = onto {
            target[*i] = onto;
            let from = core::mem::take(&mut entities[*i]);
            join(&mut entities[onto], from, Some(&mut gone));
        } else if known.is_none() {
            first = at;
        }
    }
    // The page's node may be about a repetition.
    for property in entities.iter_mut().flat_map(|entity| &mut entity.properties) {
        for value in &mut property.values {
            if let Value::Entity(to) = value {
                *to = target[*to];
            }
        }
    }
    // Every entity is emptied at most once, so this ends.
    while let Some(i) = gone.pop() {
        entities[i].references = entities[i].references.saturating_sub(1);
        if entities[i].references == 0 {
            let dropped = core::mem::take(&mut entities[i]);
            for property in dropped.properties {
                referred(&property.values, &mut gone);
            }
        }
    }
}

const REVIEW: &str = "review";

/// The end of a type, the property that names what something of it is of, and what it is to that.
const HANGING: [[&str; 3]; 3] = [
    ["Offer", "itemOffered", "offers"],
    ["Rating", "itemReviewed", "aggregateRating"],
    ["Review", "itemReviewed", REVIEW],
];

/// For what nothing refers to, and is of something: that, and which property of that it is.
fn hanging(entities: &[Entity], i: EntityIndex) -> Option<(EntityIndex, &'static str)> {
    let entity = &entities[i];
    let is = |[end, ..]: &&[&str; 3]| entity.references == 0 && entity.types.iter().any(|t| t.ends_with(end));
    let [_, of, property] = *HANGING.iter().find(is)?;
    let [Value::Entity(to)] = entity.values(of)[..] else { return None };
    let published = property == REVIEW && entity.properties.iter().any(|p| text::listed(PUBLISHED, &p.name));
    (entities[to].typed && to != i && !published).then_some((to, property))
}

/// Makes an entity that hangs a property of another one, which it no longer names.
fn hang(entities: &mut [Entity], i: EntityIndex, onto: EntityIndex, truncated: &mut bool) {
    let Some((_, property)) = hanging(entities, i) else { return };
    for property in &mut entities[i].properties {
        if text::listed("itemOffered itemReviewed", &property.name) {
            property.values = Vec::new();
        }
    }
    entities[i].references = 1;
    push(&mut entities[onto], property, Value::Entity(i), truncated);
}

/// What repetitions of a subject have in common: its kind and its name.
fn key(entity: &Entity) -> Option<String> {
    let profile = entity.profile.filter(|p| p.kind() == ProfileKind::Subject)?;
    let name = NAMES.iter().find_map(|name| entity.values(name).first().and_then(Value::as_text))?;
    Some(text::all(&[profile.slug(), "\n", &text::collapse(name)]))
}

/// Adds the entities among the values.
#[inline(never)]
pub(super) fn referred(values: &[Value], to: &mut Vec<EntityIndex>) {
    for value in values {
        if let Value::Entity(entity) = value {
            to.push(*entity);
        }
    }
}

/// Whether nothing tells the two apart.
fn agree(entities: &[Entity], a: EntityIndex, b: EntityIndex) -> bool {
    let (a, b) = (&entities[a], &entities[b]);
    let apart = a.syntax != b.syntax;
    // Two syntaxes spell a place as they like.
    if let (false, Some(x), Some(y)) = (apart, place(entities, a), place(entities, b)) {
        if x != y {
            return false;
        }
    }
    if !a.id.is_empty() && !b.id.is_empty() && !apart {
        return false;
    }
    for name in text::tokens(TELLING) {
        let (x, y) = (a.values(name), b.values(name));
        let mut told = !x.is_empty() && !y.is_empty();
        for v in x.iter().take(8) {
            for w in y.iter().take(8) {
                told &= !same(v, w) && !(name == "startDate" && begin_together(v, w, apart));
            }
        }
        if told {
            return false;
        }
    }
    true
}

fn same(a: &Value, b: &Value) -> bool {
    match (a.as_text(), b.as_text()) {
        (Some(a), Some(b)) => bare(a) == bare(b),
        // Two entities there: what they are is not looked into.
        _ => true,
    }
}

/// Without a slash at the end.
fn bare(s: &str) -> &str {
    s.strip_suffix('/').unwrap_or(s)
}

/// Whether two spellings may be of one moment: they agree to the minute or, `apart` in two syntaxes, to the day where
/// one has no time that can be read.
fn begin_together(a: &Value, b: &Value, apart: bool) -> bool {
    let (Some(a), Some(b)) = (a.as_text(), b.as_text()) else { return false };
    let day = |s| text::cut(s, text::until(s, b"T "));
    text::cut(a, MINUTE) == text::cut(b, MINUTE)
        || apart && day(a) == day(b) && !(text::has(a, b':') && text::has(b, b':'))
}

/// Bytes of `2030-05-01T19:00`.
const MINUTE: usize = 16;

/// Where something takes place, by name.
fn place<'a>(entities: &'a [Entity], of: &'a Entity) -> Option<&'a str> {
    match of.values("location").first()? {
        Value::Entity(to) => entities[*to].values("name").first()?.as_text(),
        place => place.as_text(),
    }
}

/// Takes over what another mention says beyond the first: types and properties that are new, and of known properties
/// the values that are new. With `spare` the two only look alike, and spell their values as they like: the longer list
/// is kept, or the date with a time, and `spare` gets what is no longer referred to.
pub fn join(into: &mut Entity, from: Entity, mut spare: Option<&mut Vec<EntityIndex>>) {
    into.typed |= from.typed;
    into.aside &= from.aside;
    if into.id.is_empty() {
        into.id = from.id;
    }
    for t in from.types {
        if into.types.len() < limits::TYPES && !into.is(&t) {
            into.types.push(t);
        }
    }
    for mut property in from.properties {
        let Some(at) = into.properties.iter().position(|p| p.name == property.name) else {
            if into.properties.len() < limits::PROPERTIES {
                into.properties.push(property);
            }
            continue;
        };
        let values = &mut into.properties[at].values;
        if let Some(spare) = &mut spare {
            let timed = |values: &[Value]| matches!(values, [Value::Text(text, _)] if text::has(text, b':'));
            let clearer = property.name.ends_with("Date") && timed(&property.values) && !timed(values);
            if values.len() < property.values.len() || clearer {
                core::mem::swap(values, &mut property.values);
            }
            referred(&property.values, spare);
            continue;
        }
        let known = values.len().min(limits::TYPES);
        for value in property.values {
            if values.len() < limits::VALUES && !values[..known].contains(&value) {
                values.push(value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{graph::Property, profiles};
    use alloc::{string::ToString, vec};

    fn product(syntax: super::super::Syntax, members: &[(&str, &str)]) -> Entity {
        let types = vec!["Product".to_string()];
        Entity {
            profile: profiles::of(&types),
            types,
            syntax: Some(syntax),
            properties: members
                .iter()
                .map(|(n, v)| Property { name: n.to_string(), values: vec![Value::Text(v.to_string(), String::new())] })
                .collect(),
            ..Entity::default()
        }
    }

    #[test]
    fn joins_what_nothing_tells_apart() {
        use super::super::Syntax::{JsonLd, Microdata};
        for (b, joined) in [
            (&[("name", "Desk  Lamp"), ("color", "red")][..], true),
            (&[("name", "Desk Lamp"), ("sku", "L-1")], true),
            (&[("name", "Desk Lamp"), ("sku", "L-2")], false),
            (&[("name", "Wall Lamp")], false),
        ] {
            let mut entities = vec![product(JsonLd, &[("name", "Desk Lamp"), ("sku", "L-1")]), product(Microdata, b)];
            join_repeated(&mut entities, &mut false);
            assert_eq!(entities[1].types.is_empty(), joined, "{b:?}");
        }
    }
}
