//! Statements → graph: what is Schema.org's is kept, nodes of one IRI become one entity, references are linked.

use super::{Entity, Graph, NodeId, Object, Property, RDF_TYPE, Sink, Syntax, Value, XSD, normalize, vocabulary};
use crate::{
    diagnostic::{Code, Diagnostics},
    dom, limits, order,
    profiles::{self, ProfileKind},
    text,
};
use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

/// Properties, and the class of what stands there where the page does not say what it is.
const USUAL: &str = "offers Offer aggregateRating Rating address PostalAddress location Place author Person \
baseSalary MonetaryAmount";

/// What an action wants accepted.
const ACCEPTANCE: &str = "expectsAcceptanceOf";

/// The sink of the pipeline.
#[derive(Default)]
pub struct Builder {
    base: String,
    entities: Vec<Entity>,
    statements: usize,
    syntax: Option<Syntax>,
    aside: bool,
    foreign: Option<String>,
    full: bool,
    truncated: bool,
}

impl Builder {
    /// For a page whose relative addresses are resolved against `base`.
    pub fn new(base: &str) -> Self {
        Builder { base: base.to_string(), ..Builder::default() }
    }

    /// Merges and links; what was cut or foreign is reported.
    pub fn finish(mut self, diagnostics: &mut Diagnostics) -> Graph {
        if self.full {
            diagnostics.report(Code::DepthLimit, "The page holds more structured data than is read", "");
        }
        if self.truncated {
            diagnostics.report(Code::FieldTruncated, "An entity has more properties, values or text than is kept", "");
        }
        if let Some(iri) = &self.foreign {
            diagnostics.report_at(
                Code::UnknownContext,
                crate::Level::Info,
                "Terms of another vocabulary were left out",
                iri,
            );
        }
        let mut kept = self.merged();
        for i in 0..kept.len() {
            kept[i].profile = profiles::of(&kept[i].types);
        }
        for i in 0..kept.len() {
            // What a page says it is about is no part of it.
            let holds = u32::from(kept[i].profile.is_none_or(|p| p.kind() != ProfileKind::Page));
            let machinery =
                kept[i].references > 0 && kept[i].profile.is_some_and(|p| p.kind() == ProfileKind::Machinery);
            for p in 0..kept[i].properties.len() {
                for v in 0..kept[i].properties[p].values.len() {
                    if let Value::Entity(to) = kept[i].properties[p].values[v] {
                        kept[to].references += if to == i { 0 } else { holds };
                        // What only an action of something is told of (its result, a region) is machinery as it is.
                        if machinery && kept[to].id.is_empty() && kept[i].properties[p].name != ACCEPTANCE {
                            kept[to].profile = kept[i].profile;
                        }
                        if !kept[to].typed && kept[to].profile.is_none() {
                            let usual = text::lookup(USUAL, &kept[i].properties[p].name);
                            kept[to].profile = usual.and_then(profiles::profile);
                        }
                    }
                }
            }
        }
        for i in 0..kept.len() {
            accept(&mut kept, i, &mut self.truncated);
        }
        normalize::join_repeated(&mut kept, &mut self.truncated);
        Graph { entities: kept }
    }

    /// Nodes of one IRI become one entity, and IRIs that name an entity become links to it. Sorting by IRI keeps this
    /// `n log n` on hostile input.
    fn merged(&mut self) -> Vec<Entity> {
        let entities = &mut self.entities;
        let mut ids: Vec<String> = Vec::with_capacity(entities.len());
        let mut named: Vec<usize> = Vec::new();
        for (i, entity) in entities.iter_mut().enumerate() {
            if !entity.id.is_empty() {
                named.push(i);
            }
            ids.push(core::mem::take(&mut entity.id));
        }
        order::sort(&mut named, &|a, b| ids[a].cmp(&ids[b]));
        // For each node the first node with its IRI, then the place of that among those that are kept.
        let mut target: Vec<usize> = (0..ids.len()).collect();
        for pair in 1..named.len() {
            let (before, here) = (named[pair - 1], named[pair]);
            if ids[before] == ids[here] {
                target[here] = target[before];
            }
        }
        let mut count = 0;
        for i in 0..target.len() {
            target[i] = if target[i] == i {
                count += 1;
                count - 1
            } else {
                target[target[i]]
            };
        }
        let mut kept: Vec<Entity> = Vec::with_capacity(count);
        for (i, mut entity) in core::mem::take(entities).into_iter().enumerate() {
            for property in &mut entity.properties {
                for value in &mut property.values {
                    let node = match value {
                        Value::Entity(node) => *node,
                        Value::Iri(iri) if vocabulary::links(&property.name) => {
                            let at = order::first_not_less(&named, &|i| ids[i].as_str().cmp(iri));
                            match named.get(at) {
                                Some(&node) if ids[node] == *iri => node,
                                _ => continue,
                            }
                        }
                        _ => continue,
                    };
                    *value = Value::Entity(target[node]);
                }
            }
            if target[i] < kept.len() {
                // Said twice (hydration, two plugins) is said once.
                normalize::join(&mut kept[target[i]], entity, None);
            } else {
                kept.push(entity);
            }
        }
        for (i, id) in ids.into_iter().enumerate() {
            kept[target[i]].id = id;
        }
        kept
    }
}

/// What an action of a thing wants accepted (the price of watching a film) is an offer of the thing, if it has none.
fn accept(entities: &mut [Entity], i: usize, truncated: &mut bool) {
    if entities[i].has("offers") {
        return;
    }
    let mut todo = alloc::vec![i];
    let mut offers = Vec::new();
    for _ in 0..limits::ACTIONS_SEEN {
        let Some(at) = todo.pop() else { break };
        for property in &entities[at].properties {
            let parts = match property.name.as_str() {
                "potentialAction" | "actionAccessibilityRequirement" => &mut todo,
                ACCEPTANCE => &mut offers,
                _ => continue,
            };
            normalize::referred(&property.values, parts);
        }
    }
    for offer in offers {
        push(&mut entities[i], "offers", Value::Entity(offer), truncated);
    }
}

impl Sink for Builder {
    fn origin(&mut self, syntax: Syntax, aside: bool) {
        self.syntax = Some(syntax);
        self.aside = aside;
    }

    fn node(&mut self, iri: Option<&str>) -> NodeId {
        if self.entities.len() >= limits::NODES {
            self.full = true;
            return NodeId(u32::MAX);
        }
        self.entities.push(Entity {
            id: iri.unwrap_or("").to_string(),
            syntax: self.syntax,
            aside: self.aside,
            ..Entity::default()
        });
        NodeId(self.entities.len() as u32 - 1)
    }

    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object) {
        self.statements += 1;
        if self.statements > limits::STATEMENTS {
            self.full = true;
            return;
        }
        let Some(entity) = self.entities.get_mut(subject.0 as usize) else { return };
        if predicate == RDF_TYPE {
            entity.typed = true;
            if let Object::Iri(iri) = &object {
                match vocabulary::local_name(iri) {
                    Some(name) if entity.types.len() < limits::TYPES => {
                        if !entity.is(name) {
                            entity.types.push(name.to_string());
                        }
                    }
                    Some(_) => self.truncated = true,
                    None => {
                        self.foreign.get_or_insert_with(|| iri.to_string());
                    }
                }
            }
            return;
        }
        let Some(name) = vocabulary::local_name(predicate) else { return };
        // Site builders write `Offers`.
        let mut name = name.to_string();
        if let Some(first) = name.get_mut(..1) {
            first.make_ascii_lowercase();
        }
        add(entity, &name, object, &self.base, &mut self.truncated);
    }
}

/// Adds the value or, for a list, each of its values in order.
fn add(entity: &mut Entity, name: &str, object: Object, base: &str, truncated: &mut bool) {
    let value = match object {
        Object::List(items) => {
            for item in items {
                add(entity, name, item, base, truncated);
            }
            return;
        }
        Object::Node(NodeId(u32::MAX)) => return,
        Object::Node(node) => Value::Entity(node.0 as usize),
        Object::Iri(iri) => Value::Iri(iri),
        Object::Literal { value, language, datatype } => match datatype.strip_prefix(XSD) {
            Some("boolean") => Value::Boolean(value == "true"),
            Some("integer" | "double" | "decimal") => Value::Number(value),
            _ => {
                match vocabulary::is_relative(name, &value, entity.syntax).then(|| dom::resolve(&value, base)).flatten()
                {
                    Some(address) => Value::Iri(address),
                    None => {
                        // HTML's parser has decoded the values of the other syntaxes.
                        let value = match entity.syntax {
                            Some(Syntax::JsonLd) => text::decode_entities(&value),
                            _ => Cow::Borrowed(value.as_str()),
                        };
                        if value.len() > limits::STRING {
                            *truncated = true;
                        }
                        Value::Text(text::cut(&value, limits::STRING).to_string(), language)
                    }
                }
            }
        },
    };
    push(entity, name, value, truncated);
}

/// Adds one value.
pub(super) fn push(entity: &mut Entity, name: &str, value: Value, truncated: &mut bool) {
    let at = match entity.properties.iter().position(|p| p.name == name) {
        Some(at) => at,
        None if entity.properties.len() < limits::PROPERTIES => {
            entity.properties.push(Property { name: name.to_string(), values: Vec::new() });
            entity.properties.len() - 1
        }
        None => {
            *truncated = true;
            return;
        }
    };
    let values = &mut entity.properties[at].values;
    if values.len() >= limits::VALUES {
        *truncated = true;
    } else {
        values.push(value);
    }
}
