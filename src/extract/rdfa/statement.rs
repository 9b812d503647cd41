//! Statements as the evaluation makes them: small, copied freely, their strings still those of the snapshot.

use super::context::{Iri, Resource};
use crate::dom::NodeIndex;

/// Subject, predicate, object.
#[derive(Clone, Copy)]
pub(super) struct Statement<'a> {
    pub(super) subject: Resource<'a>,
    pub(super) predicate: Iri<'a>,
    pub(super) object: Value<'a>,
    pub(super) aside: bool,
}

/// The object of a statement, or an item of a list.
#[derive(Clone, Copy)]
pub(super) enum Value<'a> {
    Resource(Resource<'a>),
    Literal(Literal<'a>),
    /// Index into the lists of the page.
    List(usize),
}

/// A literal before its text is taken out of the page.
#[derive(Clone, Copy)]
pub(super) struct Literal<'a> {
    pub(super) text: Text<'a>,
    pub(super) language: &'a str,
    pub(super) datatype: Option<Iri<'a>>,
    /// The datatype follows from the lexical form, as for `datetime`.
    pub(super) dated: bool,
}

/// Where the text of a literal stands.
#[derive(Clone, Copy)]
pub(super) enum Text<'a> {
    Attribute(&'a str),
    /// The text below an element.
    Content(NodeIndex),
}
