//! The document that html5ever builds: an arena of nodes with links by index, so that neither walking nor dropping
//! a deeply nested page uses the stack.

use alloc::{borrow::Cow, string::String, vec, vec::Vec};
use core::cell::{Ref, RefCell};
use html5ever::interface::{ElemName, ElementFlags, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, Namespace, ParseOpts, QualName, ns, parse_document};

/// Index of a node; [`NONE`] where there is none.
pub(super) type Id = u32;
pub(super) const NONE: Id = Id::MAX;
/// The document node.
pub(super) const DOCUMENT: Id = 0;

pub(super) enum Data {
    Element(Element),
    Text(StrTendril),
    /// The document, a template's content, a comment, or a processing instruction: never part of what is read.
    Other,
}

pub(super) struct Element {
    pub(super) name: QualName,
    pub(super) attrs: Vec<Attribute>,
    content: Id,
    annotation_xml: bool,
}

pub(super) struct Node {
    pub(super) data: Data,
    pub(super) parent: Id,
    pub(super) first: Id,
    pub(super) next: Id,
    last: Id,
    previous: Id,
}

/// A parsed document. `tree[DOCUMENT]` is the document node; the contents of templates are not below it.
pub(super) struct Tree(Vec<Node>);

impl Tree {
    /// Parses a document as a browser does that runs scripts (`scripting`), or as `DOMParser` does.
    pub(super) fn parse(html: &str, scripting: bool) -> Tree {
        let tree_builder = TreeBuilderOpts { scripting_enabled: scripting, ..Default::default() };
        parse_document(Sink::new(), ParseOpts { tree_builder, ..Default::default() }).one(html)
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        &self.0[id as usize]
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn element(&self, id: Id) -> Option<&Element> {
        match &self.node(id).data {
            Data::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The node that follows `id` in tree order below `top`, and, before it, every element that ends between the two.
    /// `descend` says whether the children of `id` are visited.
    pub(super) fn following(&self, id: Id, top: Id, descend: bool, mut leave: impl FnMut(Id)) -> Option<Id> {
        let mut at = id;
        if descend && self.node(at).first != NONE {
            return Some(self.node(at).first);
        }
        loop {
            leave(at);
            if at == top {
                return None;
            }
            if self.node(at).next != NONE {
                return Some(self.node(at).next);
            }
            at = self.node(at).parent;
            if at == NONE {
                return None;
            }
        }
    }
}

impl Element {
    pub(super) fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// The value of an attribute in no namespace.
    pub(super) fn attr(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|a| a.name.ns == ns!() && &*a.name.local == name).map(|a| &*a.value)
    }
}

/// The tree builder's side of the arena.
struct Sink {
    nodes: RefCell<Vec<Node>>,
}

impl Sink {
    fn new() -> Sink {
        let sink = Sink { nodes: RefCell::new(Vec::new()) };
        sink.add(Data::Other);
        sink
    }

    fn add(&self, data: Data) -> Id {
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, parent: NONE, first: NONE, next: NONE, last: NONE, previous: NONE });
        (nodes.len() - 1) as Id
    }

    fn element(&self, id: Id) -> Option<Ref<'_, Element>> {
        Ref::filter_map(self.nodes.borrow(), |nodes| match &nodes[id as usize].data {
            Data::Element(element) => Some(element),
            _ => None,
        })
        .ok()
    }

    /// Puts a node or text into `parent`, before `before` ([`NONE`]: at the end). Text joins a text node that it
    /// would stand behind, as the HTML standard's "insert a character" has it.
    fn insert(&self, parent: Id, before: Id, child: NodeOrText<Id>) {
        let previous = {
            let nodes = self.nodes.borrow();
            if before == NONE { nodes[parent as usize].last } else { nodes[before as usize].previous }
        };
        let id = match child {
            NodeOrText::AppendNode(id) => {
                self.detach(id);
                id
            }
            NodeOrText::AppendText(text) => {
                if previous != NONE
                    && let Data::Text(run) = &mut self.nodes.borrow_mut()[previous as usize].data
                {
                    run.push_tendril(&text);
                    return;
                }
                self.add(Data::Text(text))
            }
        };
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = if before == NONE { nodes[parent as usize].last } else { nodes[before as usize].previous };
        nodes[id as usize].parent = parent;
        nodes[id as usize].previous = previous;
        nodes[id as usize].next = before;
        match previous {
            NONE => nodes[parent as usize].first = id,
            _ => nodes[previous as usize].next = id,
        }
        match before {
            NONE => nodes[parent as usize].last = id,
            _ => nodes[before as usize].previous = id,
        }
    }

    fn detach(&self, id: Id) {
        let nodes = &mut *self.nodes.borrow_mut();
        let Node { parent, previous, next, .. } = nodes[id as usize];
        if parent == NONE {
            return;
        }
        match previous {
            NONE => nodes[parent as usize].first = next,
            _ => nodes[previous as usize].next = next,
        }
        match next {
            NONE => nodes[parent as usize].last = previous,
            _ => nodes[next as usize].previous = previous,
        }
        let node = &mut nodes[id as usize];
        (node.parent, node.previous, node.next) = (NONE, NONE, NONE);
    }
}

/// A copy of an element's name: the arena cannot lend it while the tree builder changes nodes.
#[derive(Debug)]
struct Name(QualName);

impl ElemName for Name {
    fn ns(&self) -> &Namespace {
        &self.0.ns
    }

    fn local_name(&self) -> &LocalName {
        &self.0.local
    }
}

impl TreeSink for Sink {
    type Handle = Id;
    type Output = Tree;
    type ElemName<'a> = Name;

    fn finish(self) -> Tree {
        Tree(self.nodes.into_inner())
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Id {
        DOCUMENT
    }

    fn elem_name<'a>(&'a self, target: &'a Id) -> Name {
        let name = self.element(*target).map(|e| e.name.clone());
        Name(name.unwrap_or_else(|| QualName::new(None, ns!(), LocalName::from(""))))
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Id {
        let content = if flags.template { self.add(Data::Other) } else { NONE };
        let annotation_xml = flags.mathml_annotation_xml_integration_point;
        self.add(Data::Element(Element { name, attrs, content, annotation_xml }))
    }

    fn create_comment(&self, _: StrTendril) -> Id {
        self.add(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Id {
        self.add(Data::Other)
    }

    fn append(&self, parent: &Id, child: NodeOrText<Id>) {
        self.insert(*parent, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &Id, previous: &Id, child: NodeOrText<Id>) {
        let parent = self.nodes.borrow()[*element as usize].parent;
        if parent == NONE { self.append(previous, child) } else { self.append_before_sibling(element, child) }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Id) -> Id {
        self.element(*target).map(|e| e.content).filter(|&id| id != NONE).unwrap_or(*target)
    }

    fn same_node(&self, a: &Id, b: &Id) -> bool {
        a == b
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Id, child: NodeOrText<Id>) {
        let parent = self.nodes.borrow()[*sibling as usize].parent;
        if parent != NONE {
            self.insert(parent, *sibling, child);
        }
    }

    fn add_attrs_if_missing(&self, target: &Id, attrs: Vec<Attribute>) {
        if let Data::Element(element) = &mut self.nodes.borrow_mut()[*target as usize].data {
            for attr in attrs {
                if !element.attrs.iter().any(|a| a.name == attr.name) {
                    element.attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Id) {
        self.detach(*target);
    }

    fn reparent_children(&self, node: &Id, new_parent: &Id) {
        loop {
            let child = self.nodes.borrow()[*node as usize].first;
            if child == NONE {
                return;
            }
            self.insert(*new_parent, NONE, NodeOrText::AppendNode(child));
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Id) -> bool {
        self.element(*target).is_some_and(|e| e.annotation_xml)
    }

    /// A template with `shadowrootmode` stays a template: its content is no part of the document tree either way.
    fn allow_declarative_shadow_roots(&self, _: &Id) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(html: &str) -> String {
        let tree = Tree::parse(html, true);
        let mut out = String::new();
        let mut at = Some(DOCUMENT);
        while let Some(id) = at {
            match &tree.node(id).data {
                Data::Element(e) => {
                    out.push('<');
                    out.push_str(&e.name.local);
                }
                Data::Text(run) => {
                    out.push('"');
                    out.push_str(run);
                }
                Data::Other => {}
            }
            at = tree.following(id, DOCUMENT, true, |left| {
                if tree.element(left).is_some() {
                    out.push('>');
                }
            });
        }
        out
    }

    #[test]
    fn builds_what_the_standard_builds() {
        for (html, want) in [
            ("a<!---->b", "<html<head><body\"a\"b>>"),
            ("<p>a<p>b", "<html<head><body<p\"a><p\"b>>>"),
            ("<table>a<b>x</b>c<tr><td>d</table>", "<html<head><body\"a<b\"x>\"c<table<tbody<tr<td\"d>>>>>>"),
            ("<b>1<p>2</b>3", "<html<head><body<b\"1><p<b\"2>\"3>>>"),
            ("<template><i>t</i></template><u>v", "<html<head<template>><body<u\"v>>>"),
            ("<noscript><b>x</b></noscript>", "<html<head<noscript\"<b>x</b>>><body>>"),
        ] {
            assert_eq!(outline(html), want, "{html}");
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = vec!["<div>"; 1_000].concat();
        assert_eq!(outline(&deep).len(), 1_000 * 5 + 18);
    }
}
