//! Which elements of a page are in its snapshot.

use super::Mode;
use super::rules::{CLOSED, LANDMARKS, Uses, has, is_hanging, is_search, is_selected, names_resource};
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
    /// Nothing is selected.
    pub fn none(tree: &Tree) -> Marks {
        Marks { of: vec![0; tree.len()], ids: Vec::new() }
    }

    pub fn new(tree: &Tree, mode: Mode) -> Marks {
        let mut marks = Marks { of: vec![0; tree.len()], ids: Vec::new() };
        marks.select(tree, uses(tree), mode);
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

    /// Marks what is selected, and where RDFa is used what matters only there: `rel`, `rev`, and below one that
    /// hangs `href` and `src`.
    fn select(&mut self, tree: &Tree, uses: Uses, mode: Mode) {
        let holds_search = holds_search(tree);
        let searches = |id: Id| {
            let of = |e: &Element| is_search(e) || &*e.name.local == "form" && holds_search[id as usize];
            tree.element(id).is_some_and(of)
        };
        let (mut hanging, mut searching) = (0, 0);
        let mut at = Some(DOCUMENT);
        while let Some(id) = at {
            let mut descend = true;
            if let Some(e) = tree.element(id) {
                let any = |names: [&str; 2]| names.iter().any(|name| e.attr(name).is_some());
                let link = uses.rdfa && (any(["rel", "rev"]) || hanging > 0 && any(["href", "src"]));
                let field = match &*e.name.local {
                    "input" => searching > 0,
                    "url" => mode == Mode::Page && e.attr("template").is_some(),
                    _ => false,
                };
                let role = mode == Mode::Roles && e.attr("role").is_some();
                if link || field || role || is_selected(e, uses) {
                    self.of[id as usize] = SELECTED;
                    self.ids.extend(text::tokens(e.attr("itemref").unwrap_or("")).map(ToString::to_string));
                }
                descend = !has(CLOSED, &e.name.local);
                hanging += is_hanging(e) as usize;
                searching += searches(id) as usize;
            }
            at = tree.following(id, DOCUMENT, descend, |left| {
                hanging -= tree.element(left).is_some_and(is_hanging) as usize;
                searching -= searches(left) as usize;
            });
        }
    }

    pub fn gives_context(&self, e: &Element) -> bool {
        e.is_html() && has(LANDMARKS, &e.name.local)
            || e.attrs.iter().any(|a| match code(&qualified(a)) {
                Some(
                    Attr::Href
                    | Attr::Src
                    | Attr::Rel
                    | Attr::Rev
                    | Attr::Lang
                    | Attr::XmlLang
                    | Attr::Xmlns
                    | Attr::Prefix,
                ) => true,
                Some(Attr::Id) => self.ids.binary_search_by(|id| id.as_str().cmp(&a.value)).is_ok(),
                _ => false,
            })
    }
}

/// Which nodes have a `[type=search]` below them.
fn holds_search(tree: &Tree) -> Vec<bool> {
    let mut holds = vec![false; tree.len()];
    let mut at = Some(DOCUMENT);
    while let Some(id) = at {
        let typed = |e: &Element| e.attr("type").is_some_and(|v| text::same_ignoring_case(v, "search"));
        if tree.element(id).is_some_and(typed) {
            let mut above = tree.node(id).parent;
            while above != NONE && !holds[above as usize] {
                holds[above as usize] = true;
                above = tree.node(above).parent;
            }
        }
        at = tree.following(id, DOCUMENT, true, |_| {});
    }
    holds
}

fn uses(tree: &Tree) -> Uses {
    let mut uses = Uses::default();
    let mut named = false;
    let mut at = Some(DOCUMENT);
    while let Some(id) = at {
        if let Some(e) = tree.element(id) {
            uses.add(e);
            named |= names_resource(e);
        }
        at = tree.following(id, DOCUMENT, true, |_| {});
    }
    uses.rdfa |= uses.triples && named;
    uses
}
