//! Microdata (WHATWG HTML, section 5: <https://html.spec.whatwg.org/multipage/microdata.html>).
//!
//! An item is an element with `itemscope`; its properties are found by the specification's crawl. What the
//! specification leaves to consumers:
//!
//! * A name becomes an IRI as in Microdata to RDF (<https://www.w3.org/TR/microdata-rdf/>): an absolute URL as it
//!   is, any other name in the vocabulary of the item's first type. An item without type takes the vocabulary of
//!   the item that it is a property of, since pages leave `itemtype` off `brand` and `offers`; on its own, its names
//!   are the document's (`https://site.test/page#name`), which no Schema.org term can be mistaken for.
//! * `content` is a value on every element that has no other value attribute, as Schema.org documents it.
//! * `a`, `data` and `meter` without their attribute have their text, and `input` has its `value`, where the letter
//!   says empty: a value on the page beats none.
//! * Empty values are no values. Text is what a person reads: white space collapsed.
//! * An item with `itemprop` outside any item is an item of its own.

use crate::{
    diagnostic::{Code, Diagnostics},
    dom::{self, Attr, NodeIndex, Snapshot},
    graph::{
        NodeId, Object, RDF_TYPE, Sink, Syntax,
        vocabulary::{self, SCHEMA_ORG},
    },
    limits, order,
    text::{self, has_scheme},
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Reads every item of the page, Schema.org's or not. Reported: items that refer to themselves, and hit limits.
pub fn read(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    if snapshot.any(|attr, _| attr == Attr::Itemscope) {
        read_items(snapshot, sink, diagnostics);
    }
}

// Engines compile a function when it is first called: a page without items never gets there.
#[inline(never)]
fn read_items(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    let mut reader = Reader::new(snapshot);
    reader.crawl_items();
    reader.relate_items();
    reader.open_items(sink);
    reader.state_properties(sink);
    if let Some(item) = reader.looping {
        diagnostics.report(
            Code::DepthLimit,
            "A microdata item refers to itself through itemref, the loop was cut",
            snapshot.attr(item, Attr::Itemref).unwrap_or(""),
        );
    }
    if reader.references_left == 0 {
        diagnostics.report(Code::DepthLimit, "Microdata items share more through itemref than is read", "");
    }
    if reader.text_left == 0 {
        diagnostics.report(Code::FieldTruncated, "Microdata values repeat more text of the page than is read", "");
    }
}

struct Reader<'a> {
    page: &'a Snapshot,
    /// In tree order.
    items: Vec<Item<'a>>,
    /// The elements of the items.
    roots: Vec<NodeIndex>,
    /// The elements that are properties of all items; each item has a range.
    properties: Vec<NodeIndex>,
    /// Of each property: the value is an item that contains this one.
    cycles: Vec<bool>,
    /// Elements with an `id`, in tree order, and the order that sorts them by it.
    ids: Vec<(&'a str, NodeIndex)>,
    by_id: Vec<usize>,
    /// An item that `itemref` leads back to.
    looping: Option<NodeIndex>,
    /// What is left of [`limits::ITEMREF`].
    references_left: usize,
    /// What is left of [`limits::TEXT_TOTAL`].
    text_left: usize,
}

struct Item<'a> {
    element: NodeIndex,
    /// Its properties: a range of [`Reader::properties`].
    from: usize,
    to: usize,
    /// What its names are completed with; empty if nothing says.
    vocabulary: &'a str,
    visit: Visit,
    node: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    Open,
    Done,
}

impl<'a> Reader<'a> {
    fn new(page: &'a Snapshot) -> Self {
        let mut items = Vec::new();
        let mut roots = Vec::new();
        let mut ids: Vec<(&str, NodeIndex)> = Vec::new();
        let mut references = false;
        for element in page.elements() {
            if let Some(id) = page.attr(element, Attr::Id) {
                ids.push((id, element));
            }
            if page.attr(element, Attr::Itemscope).is_some() {
                references |= page.attr(element, Attr::Itemref).is_some();
                roots.push(element);
                items.push(Item {
                    element,
                    from: 0,
                    to: 0,
                    vocabulary: own_vocabulary(page.attr(element, Attr::Itemtype).unwrap_or("")),
                    visit: Visit::New,
                    node: NodeId(0),
                });
            }
        }
        let n = if references { ids.len() } else { 0 };
        let by_id = order::sorted(n, &|a, b| ids[a].0.cmp(ids[b].0));
        Reader {
            page,
            items,
            roots,
            properties: Vec::new(),
            cycles: Vec::new(),
            ids,
            by_id,
            looping: None,
            references_left: limits::ITEMREF,
            text_left: limits::TEXT_TOTAL,
        }
    }

    /// "The properties of an item", for each item. A subtree belongs to one item only, so the crawls together visit
    /// the page once; what `itemref` adds to that is counted.
    fn crawl_items(&mut self) {
        let mut memory: Vec<u32> = Vec::new();
        memory.resize(self.page.len(), u32::MAX);
        for i in 0..self.items.len() {
            let root = self.items[i].element;
            self.items[i].from = self.properties.len();
            memory[root] = i as u32;
            // The root's own subtree takes no budget: it lends one node more than it can visit.
            let mut budget = self.page.len() + 1;
            self.crawl(root + 1, self.page.end(root), i as u32, &mut memory, &mut budget);
            if let Some(references) = self.page.attr(root, Attr::Itemref) {
                let mut budget = self.references_left;
                for id in text::tokens(references) {
                    budget = budget.saturating_sub(1);
                    if let Some(element) = self.element_with_id(id) {
                        self.crawl(element, self.page.end(element), i as u32, &mut memory, &mut budget);
                    }
                    if budget == 0 {
                        break;
                    }
                }
                self.references_left = budget;
                order::sort(&mut self.properties[self.items[i].from..], &|a, b| a.cmp(&b));
            }
            self.items[i].to = self.properties.len();
        }
        self.cycles.resize(self.properties.len(), false);
    }

    /// Elements with a property name among `at..end` and its descendants; not those inside other items, and none
    /// that is in `memory` (a microdata error: what refers to itself ends here).
    fn crawl(&mut self, mut at: NodeIndex, end: NodeIndex, item: u32, memory: &mut [u32], budget: &mut usize) {
        while at < end && *budget > 0 {
            *budget -= 1;
            if memory[at] == item {
                if at == self.items[item as usize].element {
                    self.looping = Some(at);
                }
                at = self.page.end(at);
                continue;
            }
            memory[at] = item;
            if self.is_property(at) {
                self.properties.push(at);
            }
            at = if self.page.attr(at, Attr::Itemscope).is_some() { self.page.end(at) } else { at + 1 };
        }
    }

    #[inline(never)]
    fn is_property(&self, element: NodeIndex) -> bool {
        self.page.attr(element, Attr::Itemprop).or(self.page.attr(element, Attr::ItempropReverse)).is_some()
    }

    fn element_with_id(&self, id: &str) -> Option<NodeIndex> {
        let at = order::first_not_less(&self.by_id, &|i| self.ids[i].0.cmp(id));
        let (found, element) = self.ids[*self.by_id.get(at)?];
        (found == id).then_some(element)
    }

    #[inline(never)]
    fn item_of(&self, element: NodeIndex) -> Option<usize> {
        let at = order::first_not_less(&self.roots, &|root| root.cmp(&element));
        (self.roots.get(at) == Some(&element)).then_some(at)
    }

    /// Hands vocabularies down and finds the properties whose value contains their own item: first from the
    /// top-level items, then from what these do not reach. The path is a list, so depth costs no stack.
    fn relate_items(&mut self) {
        let mut path: Vec<(usize, usize)> = Vec::new();
        for top_level in [true, false] {
            for root in 0..self.items.len() {
                let named = self.is_property(self.items[root].element);
                if self.items[root].visit != Visit::New || (top_level && named) {
                    continue;
                }
                self.items[root].visit = Visit::Open;
                path.push((root, self.items[root].from));
                while let Some((item, next)) = path.last_mut() {
                    let (item, at) = (*item, *next);
                    *next += 1;
                    if at == self.items[item].to {
                        self.items[item].visit = Visit::Done;
                        path.pop();
                        continue;
                    }
                    let Some(value) = self.item_of(self.properties[at]) else { continue };
                    match self.items[value].visit {
                        Visit::New => {
                            self.items[value].visit = Visit::Open;
                            if self.items[value].vocabulary.is_empty() {
                                self.items[value].vocabulary = self.items[item].vocabulary;
                            }
                            path.push((value, self.items[value].from));
                        }
                        Visit::Open => {
                            self.cycles[at] = true;
                            self.looping = Some(self.items[item].element);
                        }
                        Visit::Done => {}
                    }
                }
            }
        }
    }

    /// Opens a node per item, in tree order, with its types.
    fn open_items(&mut self, sink: &mut dyn Sink) {
        let mut aside_until = 0;
        let mut before = 0;
        for item in &mut self.items {
            for element in before..=item.element {
                if text::listed("aside nav footer", self.page.name(element)) {
                    aside_until = aside_until.max(self.page.end(element));
                }
            }
            before = item.element + 1;
            sink.origin(Syntax::Microdata, item.element < aside_until);
            let iri = self.page.attr(item.element, Attr::Itemid).and_then(|id| resolved(self.page, id));
            item.node = sink.node(iri.as_deref());
            let types = self.page.attr(item.element, Attr::Itemtype).unwrap_or("");
            for token in unique_tokens(types) {
                if let Some(iri) = type_iri(token) {
                    sink.statement(item.node, RDF_TYPE, Object::Iri(iri));
                }
            }
        }
    }

    fn state_properties(&mut self, sink: &mut dyn Sink) {
        let mut predicate = String::new();
        for i in 0..self.items.len() {
            let Item { from, to, vocabulary, node, .. } = self.items[i];
            for at in from..to {
                if self.cycles[at] {
                    continue;
                }
                let element = self.properties[at];
                for attr in [Attr::Itemprop, Attr::ItempropReverse] {
                    for name in unique_tokens(self.page.attr(element, attr).unwrap_or("")) {
                        let value = self.value(element).or_else(|| self.input(element, name));
                        self.complete(name, vocabulary, &mut predicate);
                        match value {
                            None => {}
                            Some(value) if attr == Attr::Itemprop => sink.statement(node, &predicate, value),
                            Some(Object::Node(subject)) => sink.statement(subject, &predicate, Object::Node(node)),
                            Some(Object::Iri(iri)) => {
                                let subject = sink.node(Some(&iri));
                                sink.statement(subject, &predicate, Object::Node(node));
                            }
                            _ => {}
                        }
                    }
                }
            }
        }
    }

    /// A property name as an IRI.
    fn complete(&self, name: &str, vocabulary: &str, out: &mut String) {
        out.clear();
        if !has_scheme(name) {
            out.push_str(vocabulary);
            if vocabulary.is_empty() {
                out.push_str(text::split_once(self.page.url(), b'#').map_or(self.page.url(), |(page, _)| page));
                out.push('#');
            }
        }
        out.push_str(name);
    }

    /// "The value of a property"; `None` if it is empty.
    fn value(&mut self, element: NodeIndex) -> Option<Object> {
        if let Some(item) = self.item_of(element) {
            return Some(Object::Node(self.items[item].node));
        }
        let page = self.page;
        let name = page.name(element);
        let kind = text::lookup(VALUES, name).unwrap_or("content");
        let (attr, url) = match kind {
            "src" => (Attr::Src, true),
            "href" => (Attr::Href, true),
            "data" => (Attr::Data, true),
            "value" => (Attr::Value, false),
            "datetime" => (Attr::Datetime, false),
            _ => (Attr::Content, false),
        };
        // Whether an element that lacks the attribute has its text for a value.
        let text = if url { name == "a" } else { name != "meta" };
        if let Some(value) = page.attr(element, attr) {
            return if url {
                resolved(page, value).map(Object::Iri)
            } else {
                self.literal(element, text::trim(value), attr == Attr::Content)
            };
        }
        if let Some(content) = page.attr(element, Attr::Content) {
            return self.literal(element, text::trim(content), true);
        }
        if !text {
            return None;
        }
        let nodes = page.end(element) - element;
        if self.text_left < nodes {
            self.text_left = 0;
            return None;
        }
        let value = page.plain_text(element);
        self.text_left = self.text_left.saturating_sub(nodes + value.len());
        self.literal(element, &value, true)
    }

    #[inline(never)]
    fn literal(&self, element: NodeIndex, value: &str, in_language: bool) -> Option<Object> {
        let language = if in_language { self.page.language(element) } else { "" };
        (!value.is_empty()).then(|| Object::Literal {
            value: value.to_string(),
            language: language.to_string(),
            datatype: String::new(),
        })
    }

    /// The value of a form control, which has no text. As a property `…-input` of an action it is the control
    /// itself, in the short form of `PropertyValueSpecification` (<https://schema.org/docs/actions.html>).
    fn input(&self, element: NodeIndex, property: &str) -> Option<Object> {
        let page = self.page;
        match (page.name(element), page.attr(element, Attr::Name)) {
            ("input" | "select" | "textarea", Some(name)) if property.ends_with("-input") => {
                let required = page.attr(element, Attr::Required).is_some();
                let value = text::joined(if required { "required name=" } else { "name=" }, name);
                self.literal(element, &value, false)
            }
            ("input", _) => self.literal(element, text::trim(page.attr(element, Attr::Value)?), false),
            _ => None,
        }
    }
}

/// Elements and the attribute that is their value; of all others it is `content`.
const VALUES: &str = "audio src embed src iframe src img src source src track src video src a href area href link href \
object data data value meter value time datetime";

/// The address resolved against the document base; `None` if it is empty, no URL, or too long to be one.
fn resolved(page: &Snapshot, url: &str) -> Option<String> {
    let url = text::trim(url);
    if url.is_empty() || url.len() > limits::STRING { None } else { dom::resolve(url, page.base()) }
}

/// The tokens of `itemtype` or `itemprop`, "with the order preserved but with duplicates removed".
fn unique_tokens(list: &str) -> Vec<&str> {
    let mut tokens: Vec<&str> = Vec::new();
    for token in text::tokens(list).take(limits::TOKENS) {
        if !tokens.contains(&token) {
            tokens.push(token);
        }
    }
    tokens
}

/// What stands behind `schema.org/` in a type written without scheme (`schema.org/Product`,
/// `//schema.org/Product`), which by the letter is no type and on pages means one.
fn without_scheme(token: &str) -> Option<&str> {
    vocabulary::after_host(token, vocabulary::HOST)?.strip_prefix('/')
}

/// An absolute type without the slash that some pages end it with.
fn trim_type(token: &str) -> &str {
    match token.strip_suffix('/') {
        Some(trimmed) if vocabulary::local_name(trimmed).is_some() => trimmed,
        _ => token,
    }
}

/// A token of `itemtype` as an IRI; `None` if it is relative.
fn type_iri(token: &str) -> Option<String> {
    if has_scheme(token) {
        return Some(trim_type(token).to_string());
    }
    without_scheme(token).map(|name| text::joined(SCHEMA_ORG, name))
}

/// The vocabulary of the first type: all up to its last `#` or `/`. Empty if there is no type.
fn own_vocabulary(types: &str) -> &str {
    for token in text::tokens(types).take(limits::TOKENS) {
        if has_scheme(token) {
            let token = trim_type(token);
            let end = token.bytes().rposition(|b| matches!(b, b'#' | b'/' | b':'));
            return text::part(token, 0, end.map_or(0, |at| at + 1));
        }
        if without_scheme(token).is_some() {
            return SCHEMA_ORG;
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    // The rules over whole pages are in tests/specs/microdata_rules.rs.
    #[test]
    fn types_and_their_vocabularies() {
        for (types, vocabulary, iri) in [
            ("https://schema.org/Product", "https://schema.org/", Some("https://schema.org/Product")),
            ("https://schema.org/Product/", "https://schema.org/", Some("https://schema.org/Product")),
            ("//schema.org/Product", "https://schema.org/", Some("https://schema.org/Product")),
            ("WWW.schema.org/Product", "https://schema.org/", Some("https://schema.org/Product")),
            ("http://a.test/v#T", "http://a.test/v#", Some("http://a.test/v#T")),
            ("urn:v:T", "urn:v:", Some("urn:v:T")),
            ("Product", "", None),
            ("", "", None),
        ] {
            assert_eq!(own_vocabulary(types), vocabulary, "{types}");
            assert_eq!(type_iri(types).as_deref(), iri, "{types}");
        }
        assert_eq!(own_vocabulary("Product http://a.test/T https://schema.org/T"), "http://a.test/");
    }

    #[test]
    fn absolute_is_what_has_a_scheme() {
        for (token, absolute) in [
            ("https://a.test/", true),
            ("dc:title", true),
            (":x", false),
            ("1:2", false),
            ("name", false),
            ("a/b:c", false),
        ] {
            assert_eq!(has_scheme(token), absolute, "{token}");
        }
    }
}
