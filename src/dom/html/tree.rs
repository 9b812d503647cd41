//! The document that html5ever builds: an arena of nodes with links by index, so that neither walking nor dropping
//! a deeply nested page uses the stack.

use crate::{limits, text};
use alloc::{borrow::Cow, rc::Rc, vec::Vec};
use core::cell::{Cell, RefCell};
use html5ever::interface::{ElementFlags, ExpandedName, NodeOrText, QuirksMode, TreeSink};
use html5ever::tendril::{StrTendril, TendrilSink};
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{Attribute, LocalName, ParseOpts, QualName, ns, parse_document};

/// Index of a node; [`NONE`] where there is none.
pub type Id = u32;
pub const NONE: Id = Id::MAX;
/// The document node.
pub const DOCUMENT: Id = 0;
/// Bytes that are parsed between two looks at the limit of steps.
const CHUNK: usize = 4_096;

pub enum Data {
    Element(Element),
    Text(StrTendril),
    /// The document, a template's content, a comment, or a processing instruction: never part of what is read.
    Other,
}

pub struct Element {
    pub name: Rc<QualName>,
    pub attrs: Vec<Attribute>,
    content: Id,
    annotation_xml: bool,
}

pub struct Node {
    pub data: Data,
    pub parent: Id,
    pub first: Id,
    pub next: Id,
    last: Id,
    previous: Id,
    /// How many elements stood open around and at this one when it was put into the tree.
    open: u32,
}

/// A parsed document. `tree[DOCUMENT]` is the document node; the contents of templates are not below it.
pub struct Tree {
    nodes: Vec<Node>,
    /// The page was not parsed to its end ([`limits::PAGE`], [`limits::PAGE_STEPS`]).
    pub cut: bool,
}

impl Tree {
    /// Parses a document as a browser does that runs scripts (`scripting`), or as `DOMParser` does.
    pub fn parse(html: &str, scripting: bool) -> Tree {
        Tree::parse_within(limits::PAGE_STEPS, html, scripting)
    }

    fn parse_within(steps: usize, html: &str, scripting: bool) -> Tree {
        let tree_builder = TreeBuilderOpts { scripting_enabled: scripting, ..Default::default() };
        let mut parser = parse_document(Sink::new(), ParseOpts { tree_builder, ..Default::default() });
        let mut rest = text::cut(html, limits::PAGE);
        let mut cut = rest.len() < html.len();
        while !rest.is_empty() {
            if parser.tokenizer.sink.sink.steps.get() > steps {
                cut = true;
                break;
            }
            let part = text::cut(rest, CHUNK);
            parser.process(StrTendril::from_slice(part));
            rest = &rest[part.len()..];
        }
        Tree { cut, ..parser.finish() }
    }

    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn element(&self, id: Id) -> Option<&Element> {
        match &self.node(id).data {
            Data::Element(element) => Some(element),
            _ => None,
        }
    }

    /// The node that follows `id` in tree order below `top`, and, before it, every element that ends between the two.
    /// `descend` says whether the children of `id` are visited.
    pub fn following(&self, id: Id, top: Id, descend: bool, mut leave: impl FnMut(Id)) -> Option<Id> {
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
    pub fn is_html(&self) -> bool {
        self.name.ns == ns!(html)
    }

    /// The value of an attribute in no namespace.
    pub fn attr(&self, name: &str) -> Option<&str> {
        self.attrs.iter().find(|a| a.name.ns == ns!() && &*a.name.local == name).map(|a| &*a.value)
    }
}

/// What the tree builder holds of a node: its index, and its name, which it asks for all the time.
#[derive(Clone)]
struct Handle {
    id: Id,
    name: Rc<QualName>,
}

/// The tree builder's side of the arena.
struct Sink {
    nodes: RefCell<Vec<Node>>,
    /// The name of what has no name.
    anonymous: Rc<QualName>,
    /// How often the tree builder has looked at one of its open elements: the cost of parsing beyond the linear.
    steps: Cell<usize>,
}

impl Sink {
    fn new() -> Sink {
        let anonymous = Rc::new(QualName::new(None, ns!(), LocalName::from("")));
        let sink = Sink { nodes: RefCell::new(Vec::new()), anonymous, steps: Cell::new(0) };
        sink.add(Data::Other);
        sink
    }

    fn add(&self, data: Data) -> Handle {
        let name = match &data {
            Data::Element(element) => element.name.clone(),
            _ => self.anonymous.clone(),
        };
        let mut nodes = self.nodes.borrow_mut();
        nodes.push(Node { data, parent: NONE, first: NONE, next: NONE, last: NONE, previous: NONE, open: 0 });
        Handle { id: (nodes.len() - 1) as Id, name }
    }

    /// Puts a node or text into `parent`, before `before` ([`NONE`]: at the end). Text joins a text node that it
    /// would stand behind, as the HTML standard's "insert a character" has it.
    fn insert(&self, parent: Id, before: Id, child: NodeOrText<Handle>) {
        let place = |nodes: &[Node]| match before {
            NONE => nodes[parent as usize].last,
            _ => nodes[before as usize].previous,
        };
        let id = match child {
            NodeOrText::AppendNode(node) => {
                self.detach(node.id);
                node.id
            }
            NodeOrText::AppendText(text) => {
                let nodes = &mut *self.nodes.borrow_mut();
                let previous = place(nodes);
                if previous != NONE
                    && let Data::Text(run) = &mut nodes[previous as usize].data
                {
                    run.push_tendril(&text);
                    return;
                }
                nodes.push(Node {
                    data: Data::Text(text),
                    parent: NONE,
                    first: NONE,
                    next: NONE,
                    last: NONE,
                    previous: NONE,
                    open: 0,
                });
                (nodes.len() - 1) as Id
            }
        };
        let nodes = &mut *self.nodes.borrow_mut();
        let previous = place(nodes);
        let node = &mut nodes[id as usize];
        (node.parent, node.previous, node.next) = (parent, previous, before);
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

    /// Reads what an element has, if it is one.
    fn of<T>(&self, id: Id, read: impl FnOnce(&Element) -> T) -> Option<T> {
        match &self.nodes.borrow()[id as usize].data {
            Data::Element(element) => Some(read(element)),
            _ => None,
        }
    }

    fn parent(&self, id: Id) -> Id {
        self.nodes.borrow()[id as usize].parent
    }

    fn step(&self) {
        self.steps.set(self.steps.get() + 1);
    }
}

impl TreeSink for Sink {
    type Handle = Handle;
    type Output = Tree;
    type ElemName<'a> = ExpandedName<'a>;

    fn finish(self) -> Tree {
        Tree { nodes: self.nodes.into_inner(), cut: false }
    }

    fn parse_error(&self, _: Cow<'static, str>) {}

    fn get_document(&self) -> Handle {
        Handle { id: DOCUMENT, name: self.anonymous.clone() }
    }

    fn elem_name<'a>(&'a self, target: &'a Handle) -> ExpandedName<'a> {
        self.step();
        target.name.expanded()
    }

    fn create_element(&self, name: QualName, attrs: Vec<Attribute>, flags: ElementFlags) -> Handle {
        let content = if flags.template { self.add(Data::Other).id } else { NONE };
        let annotation_xml = flags.mathml_annotation_xml_integration_point;
        self.add(Data::Element(Element { name: Rc::new(name), attrs, content, annotation_xml }))
    }

    fn create_comment(&self, _: StrTendril) -> Handle {
        self.add(Data::Other)
    }

    fn create_pi(&self, _: StrTendril, _: StrTendril) -> Handle {
        self.add(Data::Other)
    }

    /// Browsers keep the tree shallow: what is put into the [`limits::PAGE_DEPTH`]th open element and those inside it
    /// goes beside it.
    fn append(&self, parent: &Handle, child: NodeOrText<Handle>) {
        let mut place = parent.id;
        if let NodeOrText::AppendNode(node) = &child {
            let nodes = &mut *self.nodes.borrow_mut();
            let Node { parent: above, open, .. } = nodes[place as usize];
            nodes[node.id as usize].open = open + 1;
            if open > limits::PAGE_DEPTH && above != NONE {
                place = above;
            }
        }
        self.insert(place, NONE, child);
    }

    fn append_based_on_parent_node(&self, element: &Handle, previous: &Handle, child: NodeOrText<Handle>) {
        match self.parent(element.id) {
            NONE => self.append(previous, child),
            _ => self.append_before_sibling(element, child),
        }
    }

    fn append_doctype_to_document(&self, _: StrTendril, _: StrTendril, _: StrTendril) {}

    fn get_template_contents(&self, target: &Handle) -> Handle {
        match self.of(target.id, |e| e.content) {
            Some(id) if id != NONE => Handle { id, name: self.anonymous.clone() },
            _ => target.clone(),
        }
    }

    fn same_node(&self, a: &Handle, b: &Handle) -> bool {
        self.step();
        a.id == b.id
    }

    fn set_quirks_mode(&self, _: QuirksMode) {}

    fn append_before_sibling(&self, sibling: &Handle, child: NodeOrText<Handle>) {
        let parent = self.parent(sibling.id);
        if parent == NONE {
            return;
        }
        if let NodeOrText::AppendNode(node) = &child {
            let nodes = &mut *self.nodes.borrow_mut();
            nodes[node.id as usize].open = nodes[sibling.id as usize].open + 1;
        }
        self.insert(parent, sibling.id, child);
    }

    fn add_attrs_if_missing(&self, target: &Handle, attrs: Vec<Attribute>) {
        if let Data::Element(element) = &mut self.nodes.borrow_mut()[target.id as usize].data {
            for attr in attrs {
                if !element.attrs.iter().any(|a| a.name == attr.name) {
                    element.attrs.push(attr);
                }
            }
        }
    }

    fn remove_from_parent(&self, target: &Handle) {
        self.detach(target.id);
    }

    fn reparent_children(&self, node: &Handle, new_parent: &Handle) {
        loop {
            let id = self.nodes.borrow()[node.id as usize].first;
            if id == NONE {
                return;
            }
            self.step();
            self.insert(new_parent.id, NONE, NodeOrText::AppendNode(Handle { id, name: self.anonymous.clone() }));
        }
    }

    fn is_mathml_annotation_xml_integration_point(&self, target: &Handle) -> bool {
        self.of(target.id, |e| e.annotation_xml).unwrap_or(false)
    }

    /// A template with `shadowrootmode` stays a template: its content is no part of the document tree either way.
    fn allow_declarative_shadow_roots(&self, _: &Handle) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

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
    fn deep_pages_become_flat_as_in_browsers() {
        let depth = limits::PAGE_DEPTH as usize;
        let out = outline(&["<div>".repeat(2 * depth), "</div>".repeat(2 * depth - 1), "<i>".into()].concat());
        let mut deepest = 0;
        let mut now = 0usize;
        for c in out.chars() {
            match c {
                '<' => now += 1,
                '>' => now -= 1,
                _ => {}
            }
            deepest = deepest.max(now);
        }
        assert_eq!(deepest, depth + 1);
        assert!(out.ends_with("<i>>>>"), "{out}");
    }

    #[test]
    fn hostile_nesting_ends() {
        let html = ["<div>".repeat(1_000), "</li>".repeat(10_000)].concat();
        assert!(Tree::parse_within(1_000_000, &html, true).cut);
    }
}
