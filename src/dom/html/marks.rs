//! Which elements of a page are in its snapshot.

use super::rules::{CLOSED, LANDMARKS, RDFA, has, is_hanging, reason};
use super::tree::{DOCUMENT, Element, Id, NONE, Tree};
use super::writer::{code, qualified};
use crate::dom::Attr;
use crate::text;
use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};

/// Which elements are in the snapshot, and why.
pub struct Marks {
    /// One of the constants below for each node.
    pub of: Vec<u8>,
    /// Tokens of all `itemref`s, sorted.
    ids: Vec<String>,
}

/// In the snapshot.
pub const SELECTED: u8 = 1;
/// Contains an element that is, and so is in it too if it gives context.
pub const ANCESTOR: u8 = 2;

impl Marks {
    pub fn new(tree: &Tree) -> Marks {
        let mut marks = Marks { of: vec![0; tree.len()], ids: Vec::new() };
        if marks.select(tree, false) {
            marks.select(tree, true);
        }
        marks.ids.sort_unstable();
        marks.ids.dedup();
        for id in 0..tree.len() {
            if marks.of[id] == SELECTED {
                let mut at = tree.node(id as Id).parent;
                while at != NONE && marks.of[at as usize] == 0 {
                    marks.of[at as usize] = ANCESTOR;
                    at = tree.node(at).parent;
                }
            }
        }
        marks
    }

    /// Marks what is selected; with `links` also what matters only where RDFa is in use. Returns whether it is.
    fn select(&mut self, tree: &Tree, links: bool) -> bool {
        let mut rdfa = false;
        let mut hanging = 0;
        let mut at = Some(DOCUMENT);
        while let Some(id) = at {
            let mut descend = true;
            if let Some(e) = tree.element(id) {
                let why = reason(e);
                let link = links
                    && (e.attr("rel").is_some()
                        || e.attr("rev").is_some()
                        || hanging > 0 && (e.attr("href").is_some() || e.attr("src").is_some()));
                if why != 0 || link {
                    self.of[id as usize] = SELECTED;
                }
                rdfa |= why & RDFA != 0;
                if !links {
                    self.ids.extend(text::tokens(e.attr("itemref").unwrap_or("")).map(ToString::to_string));
                }
                descend = !has(CLOSED, &e.name.local);
                hanging += is_hanging(e) as usize;
            }
            at = tree.following(id, DOCUMENT, descend, |left| {
                hanging -= tree.element(left).is_some_and(is_hanging) as usize;
            });
        }
        rdfa
    }

    pub fn gives_context(&self, e: &Element) -> bool {
        e.is_html() && has(LANDMARKS, &e.name.local)
            || e.attrs.iter().any(|a| match code(&qualified(a)) {
                Some(Attr::Href | Attr::Src | Attr::Rel | Attr::Rev | Attr::Lang | Attr::XmlLang | Attr::Xmlns) => true,
                Some(Attr::Id) => self.ids.binary_search_by(|id| id.as_str().cmp(&a.value)).is_ok(),
                _ => false,
            })
    }
}
