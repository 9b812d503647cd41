//! The same thing said twice: pages publish one entity in two syntaxes, and scripts publish one block twice. Without
//! an `@id` only what they say can show it.

use super::{Entity, EntityIndex, Value};
use crate::{order, profiles::ProfileKind, text};
use alloc::{string::String, vec::Vec};

/// Where both have one of these and no value is in both, they are two things.
const TELLING: &str = "url sku gtin gtin13 gtin12 gtin14 gtin8 mpn productID startDate identifier isbn";
/// What a thing is called.
const NAMES: [&str; 3] = ["name", "headline", "title"];

/// Joins repeated entities into their first mention. What only the repetition referred to goes with it.
pub fn join_repeated(entities: &mut [Entity]) {
    let target = repeated(entities);
    let mut gone: Vec<EntityIndex> = Vec::new();
    for i in 0..entities.len() {
        if target[i] != i {
            let from = core::mem::take(&mut entities[i]);
            absorb(&mut entities[target[i]], from, &mut gone);
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

/// Adds the entities among the values.
#[inline(never)]
fn referred(values: &[Value], to: &mut Vec<EntityIndex>) {
    for value in values {
        if let Value::Entity(entity) = value {
            to.push(*entity);
        }
    }
}

/// Maps each entity to the one it repeats (itself if none). Only entities that nothing refers to are compared: what is
/// part of another entity is told apart by that. Sorted by kind and name, so `n log n` on hostile input; among equal
/// names each is compared with the first only.
fn repeated(entities: &[Entity]) -> Vec<EntityIndex> {
    let mut target: Vec<EntityIndex> = (0..entities.len()).collect();
    let mut keyed: Vec<(&str, String, EntityIndex)> = Vec::new();
    for (i, e) in entities.iter().enumerate() {
        let Some(profile) = e.profile.filter(|p| e.references == 0 && p.kind() == ProfileKind::Subject) else {
            continue;
        };
        for name in NAMES {
            if let Some(name) = e.values(name).first().and_then(Value::as_text) {
                keyed.push((profile.slug(), text::collapse(name), i));
                break;
            }
        }
    }
    let by_name = order::sorted(keyed.len(), &|a, b| keyed[a].0.cmp(keyed[b].0).then(keyed[a].1.cmp(&keyed[b].1)));
    let mut first: Option<usize> = None;
    for at in by_name {
        match first {
            Some(f) if keyed[f].0 == keyed[at].0 && keyed[f].1 == keyed[at].1 => {
                let (a, b) = (&entities[keyed[f].2], &entities[keyed[at].2]);
                if agree(a, b) {
                    target[keyed[at].2] = keyed[f].2;
                }
            }
            _ => first = Some(at),
        }
    }
    target
}

/// Whether nothing tells the two apart.
fn agree(a: &Entity, b: &Entity) -> bool {
    if !a.id.is_empty() && !b.id.is_empty() && a.syntax == b.syntax {
        return false;
    }
    for name in text::tokens(TELLING) {
        let (x, y) = (a.values(name), b.values(name));
        let mut told = !x.is_empty() && !y.is_empty();
        for v in x.iter().take(8) {
            for w in y.iter().take(8) {
                told &= !same(v, w);
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
        (Some(a), Some(b)) => a == b || a.strip_suffix('/') == Some(b) || b.strip_suffix('/') == Some(a),
        // Two entities there: what they are is not looked into.
        _ => true,
    }
}

/// Takes over what the repetition says beyond the first: properties that are new, and longer lists. `spare`
/// gets what is no longer referred to.
fn absorb(into: &mut Entity, from: Entity, spare: &mut Vec<EntityIndex>) {
    into.aside &= from.aside;
    if into.id.is_empty() {
        into.id = from.id;
    }
    for t in from.types {
        if !into.is(&t) {
            into.types.push(t);
        }
    }
    for mut property in from.properties {
        match into.properties.iter_mut().find(|p| p.name == property.name) {
            Some(known) => {
                if known.values.len() < property.values.len() {
                    core::mem::swap(&mut known.values, &mut property.values);
                }
                referred(&property.values, spare);
            }
            None => into.properties.push(property),
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
            join_repeated(&mut entities);
            assert_eq!(entities[1].types.is_empty(), joined, "{b:?}");
        }
    }
}
