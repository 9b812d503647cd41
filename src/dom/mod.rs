//! The snapshot: what the extractors see of a page. Only annotated elements, those around them that give them
//! context, and their text are in it, so it is small, owned, and the same from a live DOM and from HTML text.
//!
//! # The wire form
//!
//! Both readers (`js/snapshot.js` in the browser, `dom/html.rs` natively) produce one string, which is decoded
//! here without copying. It is a list of records, each ended by U+001E; inside a record, fields are separated by
//! U+001F. Readers replace these two characters by a space where page text has them.
//!
//! | record | fields | meaning |
//! |---|---|---|
//! | `H` | document URL, base URL, title; `1` if the page has a text of its own | first record, once |
//! | `E` | name, then one field per attribute: its code and its value | an element opens |
//! | `X` | – | the innermost open element closes |
//! | `T` | text | a run of text in document order |
//! | `B` | – | the text before and after stands on different lines (block element or `br`) |
//! | `C` | – | the reader stopped here: the page is larger than the limits allow |
//!
//! An element's name is its local name in lower case; elements outside the HTML namespace have a `*` in front.
//! Attribute codes are the first column of [`ATTRIBUTES`]; `xmlns:x` has code `x` and the value `x=IRI`.
//!
//! # What is in it
//!
//! An attribute here is one in no namespace (`xml:lang` and `xmlns:*` by their qualified names). The word lists are in
//! `dom/html/rules.rs` and again in `js/snapshot/`; a test compares them.
//!
//! 1. The root element, always.
//! 2. *Selected* elements: those with an attribute that [`ATTRIBUTES`] marks as selecting; every HTML `script` whose
//!    type is `application/ld+json` as browsers compare MIME types; `link[rel=canonical]`, `link[rel=search]`,
//!    `meta[name=description]`; every `input` of a search form: below `[role~=search]`, `search`, or a `form` that has a
//!    `[type=search]`; in page mode `url[template]`, which an OpenSearch description read as HTML has. Of `rel` and
//!    `rev`: those with a CURIE, an IRI (a colon) or a term of the RDFa initial context. But `itemprop` and
//!    `itemprop-reverse` select only on a page that has an `itemscope`, and `about` and `resource` where something can
//!    say a thing of them: `vocab`, `typeof`, `property`, or such a `rel` or `rev` (browsers walk the whole page for
//!    each attribute that is asked for). On pages that use RDFa beyond `meta property` all of them, and every `href` and `src` below one that
//!    hangs (has no `href`, `src` or `resource` itself). A page uses RDFa if it has `vocab`, `typeof`, a
//!    selected `about` or `resource`, a `property` outside `meta`, or a `rel` or `rev` with a colon (in `link`: one of
//!    Schema.org).
//! 3. Ancestors of selected elements that give context: with `href`, `src`, `rel`, `rev`, `prefix`, `lang`, `xml:lang`,
//!    `xmlns:*`, an `id` that the `itemref` of a selected element names, or one of `main aside nav header footer article
//!    form head body`.
//! 4. Text: of JSON-LD scripts whole and raw; of selected elements whose value may be their text, every run below.
//!    These have no `content` and either `itemprop` without `itemscope` (and without `time[datetime]`, `data[value]`,
//!    `meter[value]`; links count, their text names what they point to), or `property` without `datetime`, and
//!    without `typeof` unless there is `about` or `datatype`.
//!
//! Nothing is read below `script style template noscript iframe noembed noframes`, nor in shadow trees. Neighbouring
//! text nodes are one run; comments are not there at all. A `B` is written only before text. Text of datatype
//! `rdf:XMLLiteral` and `rdf:HTML` is read as text: inner markup is not kept.
//!
//! # Page mode
//!
//! For the `text` of a page and for the results of its search, the readers also write what the page says: every
//! visible text run, and as elements `a[href] article body h1…h6 li main p`. White space at the start of a line is
//! left out. Not visible are `aside nav`, controls, figures and fallback content (`FURNITURE`), a `header` or `footer`
//! outside `article main section`, and elements with `hidden`, `aria-hidden=true` or an inline `display:none`; what is
//! selected inside them is written as always.
//!
//! # Roles mode
//!
//! As in markup mode, and every element with a `role` is selected and has it as an attribute. Only the native reader
//! knows this mode: roles say nothing about data, so the pipeline does not ask for them.
//!
//! # Text mode
//!
//! The visible text only, for the answer that gives the page's own words: as in page mode, but nothing is selected.
//! Elements of `itemprop=articleBody` are written as those of page mode are.
//!
//! A page has a text of its own if so many characters are visible ([`limits::TEXT_ENOUGH`]) within the first
//! [`limits::TEXT_STEPS`] nodes, those of values among them: what is shown beside them may come and go, and the tools would
//! with it. Only markup mode says so.

pub mod address;
#[cfg(any(not(target_arch = "wasm32"), feature = "html"))]
pub mod html;
#[cfg(all(target_arch = "wasm32", not(feature = "html")))]
mod live;

#[cfg(any(not(target_arch = "wasm32"), feature = "html"))]
use html::parse;
#[cfg(all(target_arch = "wasm32", not(feature = "html")))]
use live::parse;

use crate::{limits, text};
use alloc::{borrow::Cow, string::String, vec::Vec};

/// `url` resolved against `base` and serialised (WHATWG URL), or `None` if it does not parse.
#[inline(never)]
pub fn resolve(url: &str, base: &str) -> Option<String> {
    address::plain(url, base).or_else(|| parse(url, base))
}

/// Ends a record of the wire form.
pub const RECORD_END: char = '\u{1e}';
/// Separates the fields of a record.
pub const FIELD: char = '\u{1f}';

macro_rules! attributes {
    ($($variant:ident $code:literal $name:literal $selects:literal;)+) => {
        /// An attribute that a snapshot keeps.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Attr { $(#[doc = $name] $variant = $code,)+ }

        /// Code, attribute name, and whether it alone puts an element into the snapshot.
        pub const ATTRIBUTES: &[(Attr, &str, bool)] = &[$((Attr::$variant, $name, $selects),)+];

        impl Attr {
            fn of(code: u8) -> Option<Attr> {
                match code { $($code => Some(Attr::$variant),)+ _ => None }
            }
        }
    };
}

attributes! {
    Itemscope b'S' "itemscope" true;
    Itemprop b'p' "itemprop" true;
    Itemtype b't' "itemtype" false;
    Itemid b'i' "itemid" false;
    Itemref b'r' "itemref" false;
    ItempropReverse b'w' "itemprop-reverse" true;
    Vocab b'v' "vocab" true;
    Prefix b'f' "prefix" false;
    Typeof b'y' "typeof" true;
    Property b'P' "property" true;
    About b'a' "about" true;
    Resource b'R' "resource" true;
    Inlist b'l' "inlist" false;
    Datatype b'd' "datatype" false;
    Rel b'e' "rel" false;
    Rev b'V' "rev" false;
    Id b'I' "id" false;
    Content b'c' "content" false;
    Href b'h' "href" false;
    Src b's' "src" false;
    Data b'D' "data" false;
    Value b'u' "value" false;
    Datetime b'T' "datetime" false;
    Lang b'L' "lang" false;
    XmlLang b'M' "xml:lang" false;
    Xmlns b'x' "xmlns" false;
    Type b'k' "type" false;
    Name b'n' "name" false;
    Alt b'A' "alt" false;
    Action b'q' "action" false;
    Method b'm' "method" false;
    Required b'Q' "required" false;
    Toolname b'o' "toolname" false;
    Template b'U' "template" false;
    Role b'O' "role" false;
}

/// Index of a node in a snapshot.
pub type NodeIndex = usize;

#[derive(Clone, Copy, Debug)]
struct Span {
    start: u32,
    end: u32,
}

/// What a node of a snapshot is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An element.
    Element,
    /// A run of text.
    Text,
    /// A line boundary inside text.
    Break,
}

#[derive(Clone, Debug)]
struct Node {
    kind: Kind,
    parent: u32,
    /// One past the last descendant, in tree order.
    end: u32,
    /// Element: its name. Text: the text.
    span: Span,
    /// Element: the range of `attrs` that are its own.
    attrs: Span,
}

/// The annotated part of a page. Nodes stand in tree order; node 0 is the root element.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    wire: String,
    nodes: Vec<Node>,
    attrs: Vec<(Attr, Span)>,
    url: String,
    base: String,
    title: String,
    speaks: bool,
    /// Whether [`limits::SNAPSHOT_NODES`] or [`limits::DEPTH`] cut the page.
    pub cut: bool,
}

impl Snapshot {
    /// Decodes the wire form. Unknown records and attribute codes are passed over, so a shim and a core of
    /// neighbouring versions still understand each other.
    pub fn decode(wire: String) -> Snapshot {
        let mut s = Snapshot::default();
        let mut open: Vec<usize> = Vec::new();
        let bytes = wire.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            let start = at;
            while at < bytes.len() && bytes[at] != RECORD_END as u8 {
                at += 1;
            }
            let (from, to) = (start, at);
            at += 1;
            if from == to {
                continue;
            }
            if s.nodes.len() >= limits::SNAPSHOT_NODES {
                s.cut = true;
                break;
            }
            let parent = open.last().copied().unwrap_or(0) as u32;
            match bytes[from] {
                b'H' => {
                    let mut rest = text::part(&wire, from + 1, to);
                    for field in [&mut s.url, &mut s.base, &mut s.title] {
                        let end = text::until(rest, &[FIELD as u8]);
                        field.push_str(text::part(rest, 0, end));
                        rest = text::rest(rest, end + 1);
                    }
                    s.speaks = rest == "1";
                }
                b'E' => {
                    let first = s.attrs.len() as u32;
                    let mut name = Span { start: from as u32 + 1, end: to as u32 };
                    let mut field = from + 1;
                    let mut i = from + 1;
                    loop {
                        if i == to || bytes[i] == FIELD as u8 {
                            if field == from + 1 {
                                name.end = i as u32;
                            } else if let Some(attr) =
                                bytes.get(field).copied().filter(|_| field < i).and_then(Attr::of)
                            {
                                s.attrs.push((attr, Span { start: field as u32 + 1, end: i as u32 }));
                            }
                            if i == to {
                                break;
                            }
                            field = i + 1;
                        }
                        i += 1;
                    }
                    let attrs = Span { start: first, end: s.attrs.len() as u32 };
                    open.push(s.nodes.len());
                    s.nodes.push(Node { kind: Kind::Element, parent, end: 0, span: name, attrs });
                }
                b'X' => {
                    if let Some(node) = open.pop() {
                        s.nodes[node].end = s.nodes.len() as u32;
                    }
                }
                kind @ (b'T' | b'B') if !open.is_empty() => {
                    let kind = if kind == b'T' { Kind::Text } else { Kind::Break };
                    let end = s.nodes.len() as u32 + 1;
                    let span = Span { start: from as u32 + 1, end: to as u32 };
                    s.nodes.push(Node { kind, parent, end, span, attrs: Span { start: 0, end: 0 } });
                }
                b'C' => s.cut = true,
                _ => {}
            }
        }
        while let Some(node) = open.pop() {
            s.nodes[node].end = s.nodes.len() as u32;
        }
        s.wire = wire;
        s
    }

    /// The document's URL.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The document's base URL (`<base href>` applied).
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The document's title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Whether the page has a text of its own, beside its markup.
    pub fn speaks(&self) -> bool {
        self.speaks
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether the page had nothing to read at all.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// What the node is.
    pub fn kind(&self, node: NodeIndex) -> Kind {
        self.nodes[node].kind
    }

    /// The nearest ancestor in the snapshot; the root element is its own parent.
    pub fn parent(&self, node: NodeIndex) -> NodeIndex {
        self.nodes[node].parent as usize
    }

    /// One past the last descendant: `node + 1..end(node)` is the subtree below `node`, in tree order.
    pub fn end(&self, node: NodeIndex) -> NodeIndex {
        self.nodes[node].end as usize
    }

    /// An element's local name, with `*` in front outside the HTML namespace. Empty for text.
    pub fn name(&self, node: NodeIndex) -> &str {
        if self.nodes[node].kind == Kind::Element { self.slice(self.nodes[node].span) } else { "" }
    }

    /// The attribute's value, if the element has it (empty for a boolean attribute).
    pub fn attr(&self, node: NodeIndex, attr: Attr) -> Option<&str> {
        self.attrs(node).find(|(a, _)| *a == attr).map(|(_, v)| v)
    }

    /// The element's attributes in source order. `Xmlns` values have the form `prefix=IRI`.
    pub fn attrs(&self, node: NodeIndex) -> impl Iterator<Item = (Attr, &str)> {
        let Span { start, end } = self.nodes[node].attrs;
        self.attrs[start as usize..end as usize].iter().map(|(a, span)| (*a, self.slice(*span)))
    }

    /// Whether some element has an attribute that fits. Said at once, unlike what a walk over the elements finds.
    pub fn any(&self, fits: impl Fn(Attr, &str) -> bool) -> bool {
        self.attrs.iter().any(|(attr, span)| fits(*attr, self.slice(*span)))
    }

    /// The raw text of a text node.
    pub fn run(&self, node: NodeIndex) -> &str {
        if self.nodes[node].kind == Kind::Text { self.slice(self.nodes[node].span) } else { "" }
    }

    /// The text runs and line boundaries below a node, in tree order. A JSON-LD script has its own text only: inside
    /// the text of an element around it, it is skipped.
    pub fn text_below(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> {
        let (mut at, end) = (node + 1, self.end(node));
        core::iter::from_fn(move || {
            while at < end {
                let here = at;
                at += 1;
                if self.kind(here) != Kind::Element {
                    return Some(here);
                }
                if self.name(here) == "script" {
                    at = self.end(here);
                }
            }
            None
        })
    }

    /// The text below an element, runs concatenated as `textContent` would (line boundaries ignored).
    pub fn raw_text(&self, node: NodeIndex) -> String {
        let mut out = String::new();
        for i in self.text_below(node) {
            out.push_str(self.run(i));
            if out.len() > limits::STRING {
                break;
            }
        }
        out
    }

    /// The text below an element whatever its length, borrowed where it is one run: for script elements.
    pub fn whole_text(&self, node: NodeIndex) -> Cow<'_, str> {
        let mut out = Cow::Borrowed("");
        for i in node + 1..self.end(node) {
            out += self.run(i);
        }
        out
    }

    /// The text below an element as a person reads it: white space collapsed, one line per block.
    pub fn plain_text(&self, node: NodeIndex) -> String {
        let mut out = String::new();
        let (mut gap, mut line) = (false, false);
        for i in self.text_below(node) {
            if self.kind(i) == Kind::Break {
                line = true;
                continue;
            }
            for piece in text::pieces(self.run(i)) {
                if text::is_space(piece.as_bytes()[0]) {
                    gap = true;
                    continue;
                }
                if !out.is_empty() && (gap || line) {
                    out.push(if line { '\n' } else { ' ' });
                }
                gap = false;
                line = false;
                out.push_str(piece);
            }
            if out.len() > limits::STRING {
                break;
            }
        }
        out
    }

    /// The language in force at a node: the nearest `lang` (or `xml:lang`), else empty.
    pub fn language(&self, node: NodeIndex) -> &str {
        let mut at = node;
        loop {
            if let Some(lang) = self.attr(at, Attr::Lang).or_else(|| self.attr(at, Attr::XmlLang)) {
                return lang;
            }
            if at == self.parent(at) {
                return "";
            }
            at = self.parent(at);
        }
    }

    /// The elements, in tree order.
    pub fn elements(&self) -> impl Iterator<Item = NodeIndex> {
        (0..self.nodes.len()).filter(|&n| self.nodes[n].kind == Kind::Element)
    }

    fn slice(&self, span: Span) -> &str {
        text::part(&self.wire, span.start as usize, span.end as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn decodes_a_tree() {
        let wire = "Hhttps://a.test/p\u{1f}https://a.test/\u{1f}T\u{1e}Ehtml\u{1f}Lde\u{1e}Ediv\u{1f}S\u{1f}tX\u{1e}Eb\u{1f}pname\u{1e}T A \u{1e}B\u{1e}T\nB\u{1e}X\u{1e}X\u{1e}Ep\u{1e}X\u{1e}X\u{1e}";
        let s = Snapshot::decode(wire.to_string());
        assert_eq!((s.url(), s.base(), s.title()), ("https://a.test/p", "https://a.test/", "T"));
        assert_eq!(s.elements().map(|e| s.name(e)).collect::<Vec<_>>(), ["html", "div", "b", "p"]);
        assert_eq!(s.attr(1, Attr::Itemscope), Some(""));
        assert_eq!(s.attr(1, Attr::Itemtype), Some("X"));
        assert_eq!(s.parent(2), 1);
        assert_eq!(s.end(1), 6);
        assert_eq!(s.plain_text(2), "A\nB");
        assert_eq!(s.raw_text(2), " A \nB");
        assert_eq!(s.language(2), "de");
    }

    #[test]
    fn text_has_no_scripts() {
        let wire = "Ediv\u{1e}Ta\u{1e}Escript\u{1e}T{}\u{1e}X\u{1e}Tb\u{1e}X\u{1e}";
        let s = Snapshot::decode(wire.to_string());
        assert_eq!((s.raw_text(0).as_str(), s.plain_text(0).as_str(), s.raw_text(2).as_str()), ("ab", "ab", "{}"));
    }
}
