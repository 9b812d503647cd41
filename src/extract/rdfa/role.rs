//! Roles as statements (Role Attribute 1.0 section 4, "Using @role in conjunction with RDFa").
//!
//! `<div id="top" role="banner">` states `<#top> xhv:role xhv:banner`. That is nothing about what a page is about, so the
//! pipeline does not ask for it; and `vocab`, `about`, `typeof` and the rest of RDFa have no part in it.

use super::{
    Statement, emit,
    terms::{INITIAL_CONTEXT, NO_NAMESPACE, Terms, XHV},
};
use crate::{
    diagnostic::{Code, Diagnostics},
    dom::{Attr, NodeIndex, Snapshot},
    graph::Sink,
    limits, text,
};
use alloc::vec::Vec;

const ROLE: &str = "http://www.w3.org/1999/xhtml/vocab#role";

/// States the roles of elements (<https://www.w3.org/TR/role-attribute/#using-role-in-conjunction-with-rdfa>). The
/// snapshot must be one that has them ([`Mode::Roles`](crate::dom::html::Mode::Roles)), else there are none.
///
/// The subject is the element's `id` as a fragment of the base, or a blank node of its own. A role without a colon is a
/// term of the XHTML vocabulary; any other is a CURIE or an absolute IRI, with the prefixes in scope at the element.
/// Reported: hit limits.
pub fn read(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    let base = snapshot.base();
    let page = text::split_once(base, b'#').map_or(base, |(page, _)| page);
    let mut terms = Terms::new(base, INITIAL_CONTEXT);
    let (fragments, roles) = (terms.namespace(&text::joined(page, "#")), terms.namespace(XHV));
    let predicate = terms.iri(NO_NAMESPACE, ROLE);
    let mut statements: Vec<Statement> = Vec::new();
    // The elements around, by their ends, and how many prefixes were in scope before each.
    let mut open: Vec<(NodeIndex, usize)> = Vec::new();
    for element in snapshot.elements() {
        while let Some((_, before)) = open.pop_if(|(end, _)| *end <= element) {
            terms.prefixes.truncate(before);
        }
        open.push((snapshot.end(element), terms.prefixes.len()));
        let attr = |attr| snapshot.attr(element, attr);
        // As in RDFa's evaluation, step 3, which stands there in its place for the sake of the module's bytes.
        for (name, value) in snapshot.attrs(element) {
            if let Some((prefix, iri)) = text::split_once(value, b'=').filter(|_| name == Attr::Xmlns) {
                terms.declare_one(prefix, text::trim(iri));
            }
        }
        terms.declare(attr(Attr::Prefix).unwrap_or(""));
        let Some(value) = attr(Attr::Role) else { continue };
        let subject = match text::trim(attr(Attr::Id).unwrap_or("")) {
            "" => terms.blank(),
            id => terms.iri(fragments, id),
        };
        for token in text::tokens(value) {
            if statements.len() >= limits::STATEMENTS {
                break;
            }
            if let Some(object) = terms.predicate(token, roles) {
                statements.push(Statement { subject, predicate, object, aside: false });
            }
        }
    }
    let enough = emit::emit(&terms, snapshot, &statements, &[], sink);
    if !enough || statements.len() >= limits::STATEMENTS {
        diagnostics.report(Code::DepthLimit, "The page has more roles than are read", "");
    }
}
