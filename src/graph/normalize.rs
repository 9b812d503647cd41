//! The same thing said twice: pages publish one entity in two syntaxes, and scripts publish one block twice. Without
//! an `@id` only what they say can show it.

use super::{Entity, EntityIndex, Value};
use crate::{limits, order, profiles::ProfileKind, text};
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
            join(&mut entities[target[i]], from, Some(&mut gone));
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
    let mut keyed: Vec<(String, EntityIndex)> = Vec::new();
    for (i, e) in entities.iter().enumerate() {
        let Some(profile) = e.profile.filter(|p| e.references == 0 && p.kind() == ProfileKind::Subject) else {
            continue;
        };
        for name in NAMES {
            if let Some(name) = e.values(name).first().and_then(Value::as_text) {
                let kind = text::joined(profile.slug(), "\n");
                keyed.push((text::joined(&kind, &text::collapse(name)), i));
                break;
            }
        }
    }
    let mut first: Option<usize> = None;
    for at in order::sorted(keyed.len(), &|a, b| keyed[a].0.cmp(&keyed[b].0)) {
        match first {
            Some(f) if keyed[f].0 == keyed[at].0 => {
                if agree(&entities[keyed[f].1], &entities[keyed[at].1]) {
                    target[keyed[at].1] = keyed[f].1;
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

/// Takes over what another mention says beyond the first: types and properties that are new, and of known properties
/// the values that are new. With `spare` the two only look alike, and spell their values as they like: the longer list
/// is kept, and `spare` gets what is no longer referred to.
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
            if values.len() < property.values.len() {
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
            join_repeated(&mut entities);
            assert_eq!(entities[1].types.is_empty(), joined, "{b:?}");
        }
    }
}
