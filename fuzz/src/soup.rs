//! Elements with the attributes of microdata and RDFa in any combination → statements.
//!
//! Bytes choose from the tables below, so that almost every input is a page that means something.

use crate::URL;
use agenticschema::{
    diagnostic::Diagnostics,
    dom::{Snapshot, html::snapshot},
    extract,
    graph::{NodeId, Object, Sink},
    limits,
};

type Reader = fn(&Snapshot, &mut dyn Sink, &mut Diagnostics);

struct Soup {
    reader: Reader,
    attributes: &'static [&'static str],
    values: &'static [&'static str],
}

const ELEMENTS: [&str; 20] = [
    "div", "span", "p", "a", "link", "meta", "img", "time", "data", "meter", "object", "section", "aside", "ul", "li",
    "table", "td", "head", "body", "base",
];

/// Microdata as attribute soup.
pub fn microdata(data: &[u8]) {
    Soup {
        reader: extract::microdata::read,
        attributes: &[
            "itemscope",
            "itemprop",
            "itemtype",
            "itemid",
            "itemref",
            "id",
            "content",
            "href",
            "src",
            "value",
            "datetime",
            "lang",
            "data",
        ],
        values: &[
            "",
            "name",
            "offers",
            "name description",
            "https://schema.org/Product",
            "http://schema.org/Offer",
            "http://data-vocabulary.org/Product",
            "https://x.test/T",
            "a",
            "b",
            "a b c",
            "c",
            "/x",
            "//x.test/",
            "x y",
            "2030-01-01",
            "en",
            "http://[",
            "https://schema.org/Product https://schema.org/Thing",
            "a a a a",
        ],
    }
    .check(data);
}

/// RDFa as attribute soup.
pub fn rdfa(data: &[u8]) {
    Soup {
        reader: extract::rdfa::read,
        attributes: &[
            "vocab", "typeof", "property", "resource", "about", "rel", "rev", "prefix", "content", "datatype", "href",
            "src", "inlist", "lang", "datetime", "xmlns:x", "id",
        ],
        values: &[
            "",
            "name",
            "s:name",
            "schema:offers",
            "https://schema.org/",
            "s: https://schema.org/",
            "Product",
            "schema:Product",
            "_:a",
            "_:b",
            "[s:x]",
            "[_:a]",
            "#a",
            "/x",
            "rdfa:copy",
            "rdfa:Pattern",
            "name description s:x",
            "xsd:date",
            "rdf:HTML",
            "next license",
            "s: https://schema.org/ t: http://x/",
            "en",
            "http://[",
            "x:y",
            "rdf:type",
            "2030-01-01",
            "#a #b",
            "_:",
            "[",
            "s:",
        ],
    }
    .check(data);
}

impl Soup {
    /// Whatever the page: reading it twice gives the same, and no more of it than the page's size warrants.
    fn check(&self, data: &[u8]) {
        let html = self.html(data);
        let page = snapshot(&html, URL);
        let (first, second) = (self.read(&page), self.read(&page));
        assert_eq!(first, second, "two readings differ: {html}");
        // A statement takes a byte at least in the page. A value may be copied for each of an element's names, with an
        // address in front; and the text of nested values is said again for each, up to a total of its own.
        assert!(first.count <= html.len() + 16, "{} statements from {} bytes: {html}", first.count, html.len());
        let most = limits::TOKENS * (html.len() + URL.len()) * 8 + limits::TEXT_TOTAL;
        assert!(first.bytes <= most, "{} bytes from {}: {html}", first.bytes, html.len());
    }

    fn read(&self, page: &Snapshot) -> Count {
        let mut count = Count::default();
        (self.reader)(page, &mut count, &mut Diagnostics::default());
        count
    }

    fn html(&self, data: &[u8]) -> String {
        let mut out = String::new();
        let mut open = Vec::new();
        let mut bytes = data.iter().copied();
        let pick = |list: &[&'static str], byte: u8| list[byte as usize % list.len()];
        while let Some(byte) = bytes.next() {
            match byte % 8 {
                0..=3 => {
                    let name = pick(&ELEMENTS, bytes.next().unwrap_or(0));
                    out.push('<');
                    out.push_str(name);
                    for _ in 0..byte / 8 % 6 {
                        out.push(' ');
                        out.push_str(pick(self.attributes, bytes.next().unwrap_or(0)));
                        out.push_str("=\"");
                        match bytes.next().unwrap_or(0) {
                            // Text of the input itself.
                            length @ 224.. => {
                                let raw: Vec<u8> = bytes.by_ref().take(length as usize - 223).collect();
                                out.push_str(&String::from_utf8_lossy(&raw).replace('"', "'"));
                            }
                            choice => out.push_str(pick(self.values, choice)),
                        }
                        out.push('"');
                    }
                    out.push('>');
                    open.push(name);
                }
                4 | 5 => {
                    if let Some(name) = open.pop() {
                        out.push_str("</");
                        out.push_str(name);
                        out.push('>');
                    }
                }
                _ => {
                    let raw: Vec<u8> = bytes.by_ref().take(byte as usize / 8).collect();
                    out.push_str(&String::from_utf8_lossy(&raw));
                }
            }
        }
        out
    }
}

/// What a reader said, as sizes and as a sum over its words.
#[derive(Debug, Default, PartialEq)]
struct Count {
    nodes: u32,
    count: usize,
    bytes: usize,
    sum: u64,
}

impl Count {
    fn take(&mut self, text: &str) {
        self.bytes += text.len();
        for b in text.bytes().chain([0]) {
            self.sum = (self.sum ^ b as u64).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn take_object(&mut self, object: &Object) {
        match object {
            Object::Node(node) => self.sum = (self.sum ^ node.0 as u64).wrapping_mul(0x0100_0000_01b3),
            Object::Iri(iri) => self.take(iri),
            Object::Literal { value, language, datatype } => {
                [value, language, datatype].into_iter().for_each(|text| self.take(text));
            }
            Object::List(items) => items.iter().for_each(|item| self.take_object(item)),
        }
    }
}

impl Sink for Count {
    fn node(&mut self, iri: Option<&str>) -> NodeId {
        self.take(iri.unwrap_or(""));
        self.nodes += 1;
        NodeId(self.nodes - 1)
    }

    fn statement(&mut self, subject: NodeId, predicate: &str, object: Object) {
        self.count += 1;
        self.take_object(&Object::Node(subject));
        self.take(predicate);
        self.take_object(&object);
    }
}
