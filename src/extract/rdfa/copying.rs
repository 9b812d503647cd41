//! Property copying (HTML+RDFa 1.1 section 3.5.1): `rdfa:copy` of an `rdfa:Pattern`.

use super::{
    context::{Context, Resource},
    order::{Keyed, find},
    statement::{Statement, Value},
};
use crate::{graph::RDF_TYPE, limits};
use alloc::vec::Vec;

const COPY: &str = "http://www.w3.org/ns/rdfa#copy";
const PATTERN: &str = "http://www.w3.org/ns/rdfa#Pattern";

/// Puts the statements of a pattern in the place of each `rdfa:copy` of it, and takes patterns that were copied
/// away. Patterns may copy patterns, also in a circle.
pub(super) fn copy_properties<'a>(context: &Context<'a>, statements: &mut Vec<Statement<'a>>) {
    if !statements.iter().any(|s| context.is(s.predicate, COPY)) {
        return;
    }
    let by_subject: Vec<Keyed<'a, usize>> =
        statements.iter().enumerate().map(|(i, s)| Keyed { resource: s.subject, value: i }).collect();
    let by_subject = crate::order::arranged(&by_subject, &|a, b| context.compare(a.resource, b.resource));

    // For each group of statements, named by the index of its first in `by_subject`: whether it is a pattern.
    let mut patterns = Patterns { context, statements, by_subject, state: Vec::new() };
    patterns.state.resize(patterns.by_subject.len(), State::default());
    for statement in statements.iter().filter(|s| is_pattern_type(context, s)) {
        if let Some(group) = patterns.group(statement.subject) {
            patterns.state[group].pattern = true;
        }
    }
    for statement in statements.iter() {
        if let Some(group) = patterns.copied(statement) {
            patterns.state[group].copied = true;
        }
    }

    let mut out = Vec::with_capacity(statements.len());
    let mut steps = 0;
    for (n, statement) in statements.iter().enumerate() {
        if patterns.group(statement.subject).is_some_and(|group| patterns.state[group].copied) {
            continue;
        }
        let Some(group) = patterns.copied(statement) else {
            out.push(*statement);
            continue;
        };
        let mut pending = Vec::from([group]);
        while let Some(group) = pending.pop() {
            let last_visit = core::mem::replace(&mut patterns.state[group].visit, n + 1);
            if last_visit == n + 1 {
                continue;
            }
            for key in &patterns.by_subject[group..] {
                // Patterns of patterns multiply: the work is bounded, not only what comes of it.
                steps += 1;
                if steps > limits::STATEMENTS || !context.same(key.resource, patterns.by_subject[group].resource) {
                    break;
                }
                let inner = patterns.statements[key.value];
                match patterns.copied(&inner) {
                    Some(other) => pending.push(other),
                    None if is_pattern_type(context, &inner) => {}
                    None => out.push(Statement { subject: statement.subject, aside: statement.aside, ..inner }),
                }
            }
        }
    }
    *statements = out;
}

fn is_pattern_type(context: &Context<'_>, statement: &Statement<'_>) -> bool {
    context.is(statement.predicate, RDF_TYPE)
        && matches!(statement.object, Value::Resource(Resource::Iri(class)) if context.is(class, PATTERN))
}

#[derive(Clone, Default)]
struct State {
    pattern: bool,
    copied: bool,
    /// One more than the index of the statement that last visited it.
    visit: usize,
}

struct Patterns<'p, 'a> {
    context: &'p Context<'a>,
    statements: &'p [Statement<'a>],
    by_subject: Vec<Keyed<'a, usize>>,
    state: Vec<State>,
}

impl<'a> Patterns<'_, 'a> {
    fn group(&self, subject: Resource<'a>) -> Option<usize> {
        find(self.context, &self.by_subject, subject)
    }

    /// The pattern that the statement copies.
    fn copied(&self, statement: &Statement<'a>) -> Option<usize> {
        if !self.context.is(statement.predicate, COPY) {
            return None;
        }
        let Value::Resource(target) = statement.object else { return None };
        self.group(target).filter(|group| self.state[*group].pattern)
    }
}
