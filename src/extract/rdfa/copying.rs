//! Equal resources under one number, and property copying (HTML+RDFa 1.1 section 3.5.1): `rdfa:copy` of an
//! `rdfa:Pattern`.

use super::{
    Statement,
    terms::{Id, Kind, Terms},
};
use crate::{graph::RDF_TYPE, limits, order};
use alloc::vec::Vec;
use core::cmp::Ordering;

const COPY: &str = "http://www.w3.org/ns/rdfa#copy";
const PATTERN: &str = "http://www.w3.org/ns/rdfa#Pattern";

/// Gives equal subjects, and the blank nodes and patterns that are objects, one number each. Sorted, since a hash
/// table needs a secret to stay fast on hostile input.
pub(super) fn unify(terms: &Terms, statements: &mut [Statement], lists: &mut [Vec<Id>]) {
    let mut used: Vec<usize> = Vec::new();
    // An element's statements share its subject: most repetitions are neighbours.
    let mut note = |id: Id| {
        if used.last() != Some(&id.index()) {
            used.push(id.index());
        }
    };
    for statement in statements.iter() {
        note(statement.subject);
        if terms.term(statement.object).kind == Kind::Blank || terms.is(statement.predicate, COPY) {
            note(statement.object);
        }
    }
    for list in lists.iter() {
        list.iter().for_each(|id| note(*id));
    }
    order::sort(&mut used, &|a, b| terms.compare(a, b));
    let mut first: Vec<usize> = (0..terms.list.len()).collect();
    for pair in 1..used.len() {
        if terms.compare(used[pair - 1], used[pair]) == Ordering::Equal {
            first[used[pair]] = first[used[pair - 1]];
        }
    }
    let replace = |id: &mut Id| *id = Id::of(first[id.index()]);
    for statement in statements {
        replace(&mut statement.subject);
        replace(&mut statement.object);
    }
    for list in lists {
        list.iter_mut().for_each(replace);
    }
}

#[derive(Clone, Copy)]
struct Pattern {
    /// Whether it is a pattern, and was copied.
    is: bool,
    copied: bool,
    /// One more than the index of the statement that last visited it.
    visit: usize,
}

/// Puts the statements of a pattern in the place of each `rdfa:copy` of it, and takes patterns that were copied
/// away. Patterns may copy patterns, also in a circle.
pub(super) fn copy_properties(terms: &Terms, statements: &mut Vec<Statement>) {
    let copies = |s: &Statement| terms.is(s.predicate, COPY);
    let is_pattern_type = |s: &Statement| terms.is(s.predicate, RDF_TYPE) && terms.is(s.object, PATTERN);
    if !statements.iter().any(copies) {
        return;
    }
    let by_subject = order::sorted(statements.len(), &|a, b| statements[a].subject.cmp(&statements[b].subject));
    let mut patterns = Vec::new();
    patterns.resize(terms.list.len(), Pattern { is: false, copied: false, visit: 0 });
    for s in statements.iter().filter(|s| is_pattern_type(s)) {
        patterns[s.subject.index()].is = true;
    }
    for s in statements.iter().filter(|s| copies(s)) {
        let target = &mut patterns[s.object.index()];
        target.copied = target.is;
    }

    let mut out = Vec::with_capacity(statements.len());
    let mut steps = 0;
    let mut pending = Vec::new();
    for (n, statement) in statements.iter().enumerate() {
        if patterns[statement.subject.index()].copied {
            continue;
        }
        if !(copies(statement) && patterns[statement.object.index()].is) {
            out.push(*statement);
            continue;
        }
        pending.push(statement.object);
        while let Some(group) = pending.pop() {
            if core::mem::replace(&mut patterns[group.index()].visit, n + 1) == n + 1 {
                continue;
            }
            let mut at = order::first_not_less(&by_subject, &|i| statements[i].subject.cmp(&group));
            // Patterns of patterns multiply: the work is bounded, not only what comes of it.
            while at < by_subject.len() && steps < limits::STATEMENTS {
                let inner = statements[by_subject[at]];
                if inner.subject != group {
                    break;
                }
                if copies(&inner) && patterns[inner.object.index()].is {
                    pending.push(inner.object);
                } else if !is_pattern_type(&inner) {
                    out.push(Statement { subject: statement.subject, aside: statement.aside, ..inner });
                }
                steps += 1;
                at += 1;
            }
        }
    }
    *statements = out;
}
