//! Statements → graph: what is Schema.org's is kept, nodes of one IRI become one entity, references are linked.

use super::{Entity, Graph, NodeId, Object, Property, RDF_TYPE, Sink, Syntax, Value, normalize, vocabulary};
use crate::{
    diagnostic::{Code, Diagnostics},
    limits, order, profiles, text,
};
use alloc::{
    borrow::Cow,
    string::{String, ToString},
    vec::Vec,
};

const XSD: &str = "http://www.w3.org/2001/XMLSchema#";

/// The sink of the pipeline.
#[derive(Default)]
pub struct Builder {
    entities: Vec<Entity>,
    statements: usize,
    syntax: Option<Syntax>,
    aside: bool,
    foreign: Option<String>,
    full: bool,
    truncated: bool,
}

impl Builder {
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
        let target = self.merge_targets();
        let mut kept: Vec<Entity> = Vec::new();
        let mut index: Vec<usize> = Vec::with_capacity(self.entities.len());
        for (i, entity) in core::mem::take(&mut self.entities).into_iter().enumerate() {
            if target[i] == i {
                index.push(kept.len());
                kept.push(entity);
            } else {
                let into = index[target[i]];
                index.push(into);
                merge(&mut kept[into], entity);
            }
        }
        link(&mut kept, &index);
        for entity in &mut kept {
            entity.profile = profiles::of(&entity.types);
        }
        normalize::join_repeated(&mut kept);
        Graph { entities: kept }
    }

    /// For each node the first node with its IRI. Sorting keeps this `n log n` on hostile input.
    fn merge_targets(&self) -> Vec<usize> {
        let mut target: Vec<usize> = (0..self.entities.len()).collect();
        let mut named: Vec<usize> = target.iter().copied().filter(|&i| !self.entities[i].id.is_empty()).collect();
        order::sort(&mut named, &|a, b| self.entities[a].id.cmp(&self.entities[b].id));
        for pair in 1..named.len() {
            let (before, here) = (named[pair - 1], named[pair]);
            if self.entities[before].id == self.entities[here].id {
                target[here] = target[before];
            }
        }
        target
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
        add(entity, name, object, &mut self.truncated);
    }
}

/// Adds the value or, for a list, each of its values in order.
fn add(entity: &mut Entity, name: &str, object: Object, truncated: &mut bool) {
    let value = match object {
        Object::List(items) => {
            for item in items {
                add(entity, name, item, truncated);
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
        },
    };
    push(entity, name, value, truncated);
}

fn push(entity: &mut Entity, name: &str, value: Value, truncated: &mut bool) {
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

/// The same thing said twice about one IRI (hydration, two plugins) is said once.
fn merge(into: &mut Entity, from: Entity) {
    into.typed |= from.typed;
    into.aside &= from.aside;
    for t in from.types {
        if into.types.len() < limits::TYPES && !into.is(&t) {
            into.types.push(t);
        }
    }
    for property in from.properties {
        let known = into.values(&property.name).len();
        for value in property.values {
            let same = into.values(&property.name)[..known].iter().take(limits::TYPES).any(|v| *v == value);
            if !same {
                push(into, &property.name, value, &mut false);
            }
        }
    }
}

/// IRIs that name an entity become links to it; links follow the merge.
fn link(entities: &mut [Entity], index: &[usize]) {
    let ids: Vec<String> = entities.iter().map(|e| e.id.clone()).collect();
    let mut named: Vec<usize> = (0..ids.len()).filter(|&i| !ids[i].is_empty()).collect();
    order::sort(&mut named, &|a, b| ids[a].cmp(&ids[b]));
    let mut references: Vec<u32> = alloc::vec![0; entities.len()];
    for (i, entity) in entities.iter_mut().enumerate() {
        for property in &mut entity.properties {
            for value in &mut property.values {
                let to = match value {
                    Value::Entity(node) => index.get(*node).copied(),
                    Value::Iri(iri) if vocabulary::links(&property.name) => {
                        let at = order::first_not_less(&named, &|i| ids[i].cmp(iri));
                        named.get(at).copied().filter(|&i| ids[i] == *iri)
                    }
                    _ => continue,
                };
                if let Some(to) = to {
                    *value = Value::Entity(to);
                    if to != i {
                        references[to] += 1;
                    }
                }
            }
        }
    }
    for (entity, n) in entities.iter_mut().zip(references) {
        entity.references = n;
    }
}
