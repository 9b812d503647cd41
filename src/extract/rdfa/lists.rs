//! List mappings (RDFa Core 1.1 section 7.5, steps 8 to 11 and 14): what `inlist` gathers.

use super::{
    context::{Context, Iri, Resource},
    statement::Value,
};
use crate::limits;
use alloc::vec::Vec;

/// The lists of a page, and a stack of the list mappings in scope.
pub(super) struct Lists<'a> {
    mappings: Vec<ListMapping<'a>>,
    /// Each list's items.
    pub(super) items: Vec<Vec<Value<'a>>>,
    /// Items of all lists, at most [`limits::STATEMENTS`].
    total: usize,
}

/// The list mapping of one subject; ends with the element that brought the subject up.
pub(super) struct ListMapping<'a> {
    pub(super) subject: Resource<'a>,
    /// Predicates and their lists, at most [`limits::PROPERTIES`]: lookups are linear.
    pub(super) lists: Vec<(Iri<'a>, usize)>,
}

impl<'a> Lists<'a> {
    /// With the mapping of the page itself.
    pub(super) fn new(page: Resource<'a>) -> Self {
        Lists { mappings: [ListMapping { subject: page, lists: Vec::new() }].into(), items: Vec::new(), total: 0 }
    }

    /// How many mappings are in scope.
    pub(super) fn mark(&self) -> usize {
        self.mappings.len()
    }

    /// Ends the scope of the innermost mapping that was brought up since `mark`.
    pub(super) fn leave(&mut self, mark: usize) -> Option<ListMapping<'a>> {
        if self.mappings.len() > mark { self.mappings.pop() } else { None }
    }

    /// The mapping of `subject`: `mapping` if that is the one of `known` and they are the same, else a new one.
    pub(super) fn enter(
        &mut self,
        context: &Context<'a>,
        subject: Resource<'a>,
        known: Resource<'a>,
        mapping: usize,
    ) -> usize {
        if context.same(subject, known) {
            return mapping;
        }
        self.mappings.push(ListMapping { subject, lists: Vec::new() });
        self.mappings.len() - 1
    }

    /// The list of a predicate, new if there is none yet; `None` when there are too many.
    pub(super) fn of(&mut self, context: &Context<'a>, mapping: usize, predicate: Iri<'a>) -> Option<usize> {
        let lists = &mut self.mappings[mapping].lists;
        if let Some((_, list)) = lists.iter().find(|(p, _)| context.same(Resource::Iri(*p), Resource::Iri(predicate))) {
            return Some(*list);
        }
        if lists.len() >= limits::PROPERTIES {
            return None;
        }
        lists.push((predicate, self.items.len()));
        self.items.push(Vec::new());
        Some(self.items.len() - 1)
    }

    pub(super) fn append(&mut self, list: Option<usize>, value: Value<'a>) {
        if let Some(list) = list.filter(|_| self.total < limits::STATEMENTS) {
            self.total += 1;
            self.items[list].push(value);
        }
    }
}
