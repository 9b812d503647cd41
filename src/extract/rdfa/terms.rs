//! RDF terms (RDFa Core 1.1 section 7.4): what attribute values stand for. Each is kept once where it is read, as
//! pieces of the page's own text, and named by a number from then on.

use crate::{dom, graph::vocabulary, limits, text};
use alloc::{string::String, vec::Vec};
use core::{cmp::Ordering, num::NonZeroU32};

/// The empty namespace: of absolute IRIs; as a default vocabulary: none.
pub(super) const NO_NAMESPACE: u32 = 0;
const BASE: u32 = 1;

/// The RDFa initial context (<https://www.w3.org/2011/rdfa-context/rdfa-1.1>), prefixes and IRIs in turn; without the
/// vocabularies that came to it after 2015, as no term of theirs reaches the graph.
pub(super) const INITIAL_CONTEXT: &str = "cc http://creativecommons.org/ns# csvw http://www.w3.org/ns/csvw# ctag http://commontag.org/ns# \
dc http://purl.org/dc/terms/ dcat http://www.w3.org/ns/dcat# dcterms http://purl.org/dc/terms/ \
foaf http://xmlns.com/foaf/0.1/ gr http://purl.org/goodrelations/v1# grddl http://www.w3.org/2003/g/data-view# \
ical http://www.w3.org/2002/12/cal/icaltzd# ma http://www.w3.org/ns/ma-ont# og http://ogp.me/ns# \
org http://www.w3.org/ns/org# owl http://www.w3.org/2002/07/owl# prov http://www.w3.org/ns/prov# \
qb http://purl.org/linked-data/cube# rdf http://www.w3.org/1999/02/22-rdf-syntax-ns# \
rdfa http://www.w3.org/ns/rdfa# rdfs http://www.w3.org/2000/01/rdf-schema# rev http://purl.org/stuff/rev# \
rif http://www.w3.org/2007/rif# rr http://www.w3.org/ns/r2rml# schema http://schema.org/ \
sd http://www.w3.org/ns/sparql-service-description# sioc http://rdfs.org/sioc/ns# \
skos http://www.w3.org/2004/02/skos/core# skosxl http://www.w3.org/2008/05/skos-xl# \
v http://rdf.data-vocabulary.org/# vcard http://www.w3.org/2006/vcard/ns# void http://rdfs.org/ns/void# \
wdr http://www.w3.org/2007/05/powder# wdrs http://www.w3.org/2007/05/powder-s# \
xhv http://www.w3.org/1999/xhtml/vocab# xml http://www.w3.org/XML/1998/namespace \
xsd http://www.w3.org/2001/XMLSchema#";
/// What of it can lead to Schema.org's terms, which is all that a page's graph keeps.
pub(super) const SCHEMA_ORG_CONTEXT: &str = "gr http://purl.org/goodrelations/v1# \
rdf http://www.w3.org/1999/02/22-rdf-syntax-ns# rdfa http://www.w3.org/ns/rdfa# schema http://schema.org/ \
v http://rdf.data-vocabulary.org/#";
pub(super) const XHV: &str = "http://www.w3.org/1999/xhtml/vocab#";

/// Terms of the initial context.
const TERMS: &str = "describedby http://www.w3.org/2007/05/powder-s#describedby \
license http://www.w3.org/1999/xhtml/vocab#license role http://www.w3.org/1999/xhtml/vocab#role";

/// Terms kept of one page: a statement has up to three, and neighbours share them.
const MOST: usize = 3 * limits::STATEMENTS;

/// The number of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(NonZeroU32);

impl Id {
    /// The page itself: its base IRI without fragment.
    pub(super) const PAGE: Id = Id(NonZeroU32::MIN);

    pub(super) fn of(index: usize) -> Id {
        NonZeroU32::new(index as u32).map_or(Id::PAGE, Id)
    }

    pub(super) fn index(self) -> usize {
        self.0.get() as usize
    }
}

/// What a term is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// `space` is the namespace, `text` what follows it in the page. A page repeats its vocabulary with every property;
    /// so none of that is copied.
    Iri,
    /// `text` is the page's name for it (`_:name`), or `space` a number from 1.
    Blank,
    /// A literal; `text` is its value.
    Attribute,
    /// A literal; `space` is the element whose text is its value.
    Content,
    /// `space` is the index of the list.
    List,
}

/// An RDF term before its text is taken out of the page.
#[derive(Clone, Copy)]
pub(super) struct Term<'a> {
    pub(super) kind: Kind,
    pub(super) space: u32,
    pub(super) text: &'a str,
    /// Literals: the language.
    pub(super) language: &'a str,
    /// Literals: the datatype.
    pub(super) datatype: Option<Id>,
    /// Literals: the datatype follows from the lexical form, as for `datetime`.
    pub(super) dated: bool,
}

/// The terms of a page, its namespaces, and the prefixes in scope.
pub(super) struct Terms<'a> {
    base: &'a str,
    pub(super) list: Vec<Term<'a>>,
    namespaces: Vec<String>,
    /// The innermost declaration last.
    pub(super) prefixes: Vec<(&'a str, u32)>,
    blanks: u32,
    /// Bytes of resolved IRIs: a long base times many short references must not fill the memory.
    resolved: usize,
}

impl<'a> Terms<'a> {
    pub(super) fn new(base: &'a str, context: &'static str) -> Self {
        let page = text::split_once(base, b'#').map_or(base, |(page, _)| page);
        let mut terms =
            Terms { base, list: Vec::new(), namespaces: Vec::new(), prefixes: Vec::new(), blanks: 0, resolved: 0 };
        terms.namespace("");
        terms.namespace(page);
        // Numbers begin with 1, which is the page.
        terms.iri(BASE, "");
        terms.iri(BASE, "");
        let mut words = text::tokens(context);
        while let (Some(prefix), Some(iri)) = (words.next(), words.next()) {
            terms.map(prefix, iri);
        }
        terms.map("", XHV);
        terms
    }

    #[inline(never)]
    pub(super) fn add(&mut self, term: Term<'a>) -> Id {
        if self.list.len() < MOST {
            self.list.push(term);
        }
        Id::of(self.list.len() - 1)
    }

    pub(super) fn simple(&mut self, kind: Kind, space: u32, text: &'a str) -> Id {
        self.add(Term { kind, space, text, language: "", datatype: None, dated: false })
    }

    #[inline(never)]
    pub(super) fn iri(&mut self, namespace: u32, reference: &'a str) -> Id {
        self.simple(Kind::Iri, namespace, reference)
    }

    pub(super) fn blank(&mut self) -> Id {
        self.blanks += 1;
        self.simple(Kind::Blank, self.blanks, "")
    }

    pub(super) fn term(&self, id: Id) -> &Term<'a> {
        &self.list[id.index()]
    }

    /// `prefix="a: https://a.test/ b: https://b.test/"`, also without the space after the colon.
    pub(super) fn declare(&mut self, value: &'a str) {
        let mut words = text::tokens(value);
        while let Some(word) = words.next() {
            let Some((prefix, mut iri)) = text::split_once(word, b':') else { continue };
            if iri.is_empty() {
                iri = words.next().unwrap_or("");
            }
            self.declare_one(prefix, iri);
        }
    }

    /// A prefix and its IRI, of `prefix` or `xmlns:prefix`.
    pub(super) fn declare_one(&mut self, prefix: &'a str, iri: &'a str) {
        // The empty prefix and `_` have fixed meanings.
        if !matches!(prefix, "" | "_") && iri.len() <= limits::NAMESPACE && self.prefixes.len() < limits::PREFIXES {
            self.map(prefix, completed(iri).unwrap_or(iri));
        }
    }

    fn map(&mut self, prefix: &'a str, iri: &str) {
        let namespace = self.namespace(iri);
        self.prefixes.push((prefix, namespace));
    }

    #[inline(never)]
    pub(super) fn namespace(&mut self, iri: &str) -> u32 {
        self.namespaces.push(String::from(iri));
        self.namespaces.len() as u32 - 1
    }

    /// The namespace of a `vocab` attribute; [`NO_NAMESPACE`] if it is empty.
    pub(super) fn vocabulary(&mut self, value: &'a str) -> u32 {
        let value = text::trim(value);
        if value.is_empty() || value.len() > limits::NAMESPACE {
            return NO_NAMESPACE;
        }
        match completed(value) {
            Some(iri) => self.namespace(iri),
            None if text::has_scheme(value) => self.namespace(value),
            None => self.resolve(value).unwrap_or(NO_NAMESPACE),
        }
    }

    /// `TERMorCURIEorAbsIRI`: `typeof`, `property`, `rel`, `rev`, `datatype`.
    #[inline(never)]
    pub(super) fn name(&mut self, token: &'a str, vocabulary: u32) -> Option<Id> {
        if token.is_empty() {
            return None;
        }
        if text::has(token, b':') {
            return self.curie(token).or_else(|| text::has_scheme(token).then(|| self.iri(NO_NAMESPACE, token)));
        }
        if vocabulary != NO_NAMESPACE {
            return Some(self.iri(vocabulary, token));
        }
        let mut words = text::tokens(TERMS);
        while let (Some(word), Some(iri)) = (words.next(), words.next()) {
            if text::same_ignoring_case(word, token) {
                return Some(self.iri(NO_NAMESPACE, iri));
            }
        }
        None
    }

    /// [`Terms::name`] where it is an IRI: a predicate or datatype.
    pub(super) fn predicate(&mut self, token: &'a str, vocabulary: u32) -> Option<Id> {
        self.name(token, vocabulary).filter(|id| self.term(*id).kind == Kind::Iri)
    }

    /// `SafeCURIEorCURIEorIRI`: `about`, `resource`. A safe CURIE that means nothing makes the attribute void.
    #[inline(never)]
    pub(super) fn resource(&mut self, value: &'a str) -> Option<Id> {
        let value = text::trim(value);
        if let Some(safe) = value.strip_prefix('[') {
            return self.curie(safe.strip_suffix(']')?);
        }
        self.curie(value).or_else(|| self.link(value))
    }

    /// `href`, `src`: an IRI, resolved against the base. Absolute ones stay as they are written.
    #[inline(never)]
    pub(super) fn link(&mut self, value: &'a str) -> Option<Id> {
        let value = text::trim(value);
        if matches!(value.as_bytes().first(), None | Some(b'#')) {
            return Some(self.iri(BASE, value));
        }
        if text::has_scheme(value) {
            return Some(self.iri(NO_NAMESPACE, value));
        }
        let namespace = self.resolve(value)?;
        Some(self.iri(namespace, ""))
    }

    /// A relative IRI as a namespace of its own.
    fn resolve(&mut self, value: &str) -> Option<u32> {
        if self.resolved > limits::TEXT_TOTAL || value.len() > limits::STRING {
            return None;
        }
        let iri = dom::resolve(value, self.base)?;
        self.resolved += iri.len();
        Some(self.namespace(&iri))
    }

    fn curie(&mut self, curie: &'a str) -> Option<Id> {
        let (prefix, reference) = text::split_once(curie, b':')?;
        if prefix == "_" {
            return Some(self.simple(Kind::Blank, 0, reference));
        }
        // `http://…` is an IRI even where someone declares a prefix `http`.
        if reference.starts_with("//") {
            return None;
        }
        for at in (0..self.prefixes.len()).rev() {
            let (declared, namespace) = self.prefixes[at];
            if text::same_ignoring_case(declared, prefix) {
                return Some(self.iri(namespace, reference));
            }
        }
        None
    }

    /// The two parts of an IRI; of a blank node its name.
    fn parts(&self, term: &Term<'a>) -> (&str, &'a str) {
        (if term.kind == Kind::Iri { &self.namespaces[term.space as usize] } else { "" }, term.text)
    }

    /// The whole IRI.
    #[inline(never)]
    pub(super) fn whole(&self, id: Id) -> String {
        let (namespace, reference) = self.parts(self.term(id));
        text::joined(namespace, reference)
    }

    /// Whether the term is this IRI.
    #[inline(never)]
    pub(super) fn is(&self, id: Id, iri: &str) -> bool {
        let (namespace, reference) = self.parts(self.term(id));
        self.term(id).kind == Kind::Iri
            && iri.len() == namespace.len() + reference.len()
            && iri.starts_with(namespace)
            && iri.ends_with(reference)
    }

    /// A total order in which equal resources are equal, however their IRIs are cut in two.
    #[inline(never)]
    pub(super) fn compare(&self, a: usize, b: usize) -> Ordering {
        let (x, y) = (&self.list[a], &self.list[b]);
        let space = |term: &Term| if term.kind == Kind::Iri { 0 } else { term.space };
        let ((x1, x2), (y1, y2)) = (self.parts(x), self.parts(y));
        let length = x1.len() + x2.len();
        let rough = (x.kind, space(x), length).cmp(&(y.kind, space(y), y1.len() + y2.len()));
        if rough != Ordering::Equal {
            return rough;
        }
        for i in 0..length {
            let order = byte(x1, x2, i).cmp(&byte(y1, y2, i));
            if order != Ordering::Equal {
                return order;
            }
        }
        Ordering::Equal
    }

    /// Whether two resources are one.
    pub(super) fn same(&self, a: Id, b: Id) -> bool {
        a == b || self.compare(a.index(), b.index()) == Ordering::Equal
    }

    /// Whether a default vocabulary is Schema.org's.
    pub(super) fn is_schema_org(&self, vocabulary: u32) -> bool {
        vocabulary::schema_org(&self.namespaces[vocabulary as usize]) == Some("")
    }

    /// Whether a class names a part of the page that is furniture.
    pub(super) fn is_furniture(&self, class: Id) -> bool {
        const FURNITURE: &str = "WPSideBar WPFooter WPHeader WPAdBlock SiteNavigationElement";
        vocabulary::local_name(&self.whole(class)).is_some_and(|name| text::listed(FURNITURE, name))
    }
}

/// A byte of two texts one after the other.
fn byte(first: &str, second: &str, at: usize) -> u8 {
    if at < first.len() { first.as_bytes()[at] } else { second.as_bytes()[at - first.len()] }
}

/// Schema.org's namespace where a page means it but leaves out the final slash or the scheme. Without this, names
/// would run into the host name: `http://schema.orgProduct`.
fn completed(iri: &str) -> Option<&'static str> {
    let rest = vocabulary::after_host(iri, vocabulary::HOST)?;
    (matches!(rest, "" | "#") || rest == "/" && !text::has_scheme(iri)).then_some(vocabulary::SCHEMA_ORG)
}
