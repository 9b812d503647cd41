//! Terms, CURIEs and IRIs (RDFa Core 1.1 section 7.4): what attribute values stand for.

use crate::{dom, graph::vocabulary, limits, text};
use alloc::{borrow::Cow, string::String, vec::Vec};
use core::cmp::Ordering;

/// The empty namespace: of absolute IRIs; as a default vocabulary: none.
pub(super) const NO_NAMESPACE: u32 = 0;
const BASE: u32 = 1;
const SCHEMA_ORG: &str = "https://schema.org/";
const XHV: &str = "http://www.w3.org/1999/xhtml/vocab#";

/// The RDFa initial context (<https://www.w3.org/2011/rdfa-context/rdfa-1.1>), prefixes and IRIs in turn.
const INITIAL_CONTEXT: &str = "as https://www.w3.org/ns/activitystreams# cc http://creativecommons.org/ns# \
csvw http://www.w3.org/ns/csvw# ctag http://commontag.org/ns# dc http://purl.org/dc/terms/ \
dc11 http://purl.org/dc/elements/1.1/ dcat http://www.w3.org/ns/dcat# dcterms http://purl.org/dc/terms/ \
dqv http://www.w3.org/ns/dqv# duv https://www.w3.org/ns/duv# foaf http://xmlns.com/foaf/0.1/ \
gr http://purl.org/goodrelations/v1# grddl http://www.w3.org/2003/g/data-view# \
ical http://www.w3.org/2002/12/cal/icaltzd# jsonld http://www.w3.org/ns/json-ld# ldp http://www.w3.org/ns/ldp# \
ma http://www.w3.org/ns/ma-ont# oa http://www.w3.org/ns/oa# odrl http://www.w3.org/ns/odrl/2/ og http://ogp.me/ns# \
org http://www.w3.org/ns/org# owl http://www.w3.org/2002/07/owl# prov http://www.w3.org/ns/prov# \
qb http://purl.org/linked-data/cube# rdf http://www.w3.org/1999/02/22-rdf-syntax-ns# rdfa http://www.w3.org/ns/rdfa# \
rdfs http://www.w3.org/2000/01/rdf-schema# rev http://purl.org/stuff/rev# rif http://www.w3.org/2007/rif# \
rr http://www.w3.org/ns/r2rml# schema http://schema.org/ sd http://www.w3.org/ns/sparql-service-description# \
sioc http://rdfs.org/sioc/ns# skos http://www.w3.org/2004/02/skos/core# skosxl http://www.w3.org/2008/05/skos-xl# \
sosa http://www.w3.org/ns/sosa/ ssn http://www.w3.org/ns/ssn/ time http://www.w3.org/2006/time# \
v http://rdf.data-vocabulary.org/# vcard http://www.w3.org/2006/vcard/ns# void http://rdfs.org/ns/void# \
wdr http://www.w3.org/2007/05/powder# wdrs http://www.w3.org/2007/05/powder-s# \
xhv http://www.w3.org/1999/xhtml/vocab# xml http://www.w3.org/XML/1998/namespace xsd http://www.w3.org/2001/XMLSchema#";

/// Terms of the initial context.
const TERMS: [(&str, &str); 3] = [
    ("describedby", "http://www.w3.org/2007/05/powder-s#describedby"),
    ("license", "http://www.w3.org/1999/xhtml/vocab#license"),
    ("role", "http://www.w3.org/1999/xhtml/vocab#role"),
];

/// An IRI in two parts: a namespace known to the [`Context`] and what follows it in the page. A page repeats its
/// vocabulary with every property; so none of that is copied.
#[derive(Clone, Copy)]
pub(super) struct Iri<'a> {
    namespace: u32,
    reference: &'a str,
}

impl<'a> Iri<'a> {
    pub(super) fn absolute(iri: &'a str) -> Self {
        Iri { namespace: NO_NAMESPACE, reference: iri }
    }

    pub(super) fn of_namespace(namespace: u32) -> Self {
        Iri { namespace, reference: "" }
    }
}

/// A subject, or an object that is no literal.
#[derive(Clone, Copy)]
pub(super) enum Resource<'a> {
    /// A blank node of the processing rules.
    Blank(u32),
    /// A blank node with a name of the page: `_:name`.
    Named(&'a str),
    Iri(Iri<'a>),
}

impl<'a> Resource<'a> {
    pub(super) fn iri(self) -> Option<Iri<'a>> {
        match self {
            Resource::Iri(iri) => Some(iri),
            _ => None,
        }
    }
}

/// Namespaces and the prefixes in scope.
pub(super) struct Context<'a> {
    base: &'a str,
    namespaces: Vec<Cow<'a, str>>,
    /// The innermost declaration last.
    prefixes: Vec<(&'a str, u32)>,
    /// Bytes of resolved IRIs: a long base times many short references must not fill the memory.
    resolved: usize,
}

impl<'a> Context<'a> {
    pub(super) fn new(base: &'a str) -> Self {
        let without_fragment = base.split('#').next().unwrap_or("");
        let mut context = Context {
            base,
            namespaces: [Cow::Borrowed(""), Cow::Borrowed(without_fragment)].into(),
            prefixes: Vec::new(),
            resolved: 0,
        };
        let mut words = text::tokens(INITIAL_CONTEXT);
        while let (Some(prefix), Some(iri)) = (words.next(), words.next()) {
            context.map(prefix, Cow::Borrowed(iri));
        }
        context.map("", Cow::Borrowed(XHV));
        context
    }

    /// The page itself: its base IRI without fragment.
    pub(super) fn page(&self) -> Resource<'a> {
        Resource::Iri(Iri::of_namespace(BASE))
    }

    /// How many prefixes are in scope; [`Context::release`] ends the scope of those declared since.
    pub(super) fn mark(&self) -> usize {
        self.prefixes.len()
    }

    pub(super) fn release(&mut self, mark: usize) {
        self.prefixes.truncate(mark);
    }

    /// `prefix="a: https://a.test/ b: https://b.test/"`, also without the space after the colon.
    pub(super) fn declare(&mut self, value: &'a str) {
        let mut words = text::tokens(value);
        while let Some(word) = words.next() {
            let Some((prefix, mut iri)) = word.split_once(':') else { continue };
            if iri.is_empty() {
                let Some(next) = words.next() else { return };
                iri = next;
            }
            self.declare_one(prefix, iri);
        }
    }

    /// `prefix=IRI`, as a snapshot keeps `xmlns:prefix`.
    pub(super) fn declare_xmlns(&mut self, declaration: &'a str) {
        if let Some((prefix, iri)) = declaration.split_once('=') {
            self.declare_one(prefix, text::trim(iri));
        }
    }

    fn declare_one(&mut self, prefix: &'a str, iri: &'a str) {
        // The empty prefix and `_` have fixed meanings.
        if !matches!(prefix, "" | "_") && iri.len() <= limits::NAMESPACE && self.prefixes.len() < limits::PREFIXES {
            self.map(prefix, Cow::Borrowed(completed(iri).unwrap_or(iri)));
        }
    }

    fn map(&mut self, prefix: &'a str, iri: Cow<'a, str>) {
        self.namespaces.push(iri);
        self.prefixes.push((prefix, self.namespaces.len() as u32 - 1));
    }

    /// The namespace of a `vocab` attribute; [`NO_NAMESPACE`] if it is empty.
    pub(super) fn vocabulary(&mut self, value: &'a str) -> u32 {
        let value = text::trim(value);
        if value.is_empty() || value.len() > limits::NAMESPACE {
            return NO_NAMESPACE;
        }
        let iri = match completed(value) {
            Some(iri) => iri,
            None if has_scheme(value) => value,
            None => return self.resolve(value).map_or(NO_NAMESPACE, |iri| iri.namespace),
        };
        self.namespaces.push(Cow::Borrowed(iri));
        self.namespaces.len() as u32 - 1
    }

    /// `TERMorCURIEorAbsIRI`: `typeof`, `property`, `rel`, `rev`, `datatype`.
    pub(super) fn term(&self, token: &'a str, vocabulary: u32) -> Option<Resource<'a>> {
        if token.is_empty() {
            return None;
        }
        if token.contains(':') {
            return self.curie(token).or_else(|| has_scheme(token).then(|| Resource::Iri(Iri::absolute(token))));
        }
        if vocabulary != NO_NAMESPACE {
            return Some(Resource::Iri(Iri { namespace: vocabulary, reference: token }));
        }
        let known = TERMS.iter().find(|(term, _)| text::same_ignoring_case(term, token));
        known.map(|(_, iri)| Resource::Iri(Iri::absolute(iri)))
    }

    /// `SafeCURIEorCURIEorIRI`: `about`, `resource`. A safe CURIE that means nothing makes the attribute void.
    pub(super) fn resource(&mut self, value: &'a str) -> Option<Resource<'a>> {
        let value = text::trim(value);
        if let Some(safe) = value.strip_prefix('[') {
            return safe.strip_suffix(']').and_then(|curie| self.curie(curie));
        }
        self.curie(value).or_else(|| self.link(value))
    }

    /// `href`, `src`: an IRI, resolved against the base. Absolute ones stay as they are written.
    pub(super) fn link(&mut self, value: &'a str) -> Option<Resource<'a>> {
        let value = text::trim(value);
        let iri = match value.as_bytes().first() {
            None | Some(b'#') => Iri { namespace: BASE, reference: value },
            _ if has_scheme(value) => Iri::absolute(value),
            _ => self.resolve(value)?,
        };
        Some(Resource::Iri(iri))
    }

    fn resolve(&mut self, value: &str) -> Option<Iri<'a>> {
        if self.resolved > limits::TEXT_TOTAL || value.len() > limits::STRING {
            return None;
        }
        let iri = dom::resolve(value, self.base)?;
        self.resolved += iri.len();
        self.namespaces.push(Cow::Owned(iri));
        Some(Iri::of_namespace(self.namespaces.len() as u32 - 1))
    }

    fn curie(&self, curie: &'a str) -> Option<Resource<'a>> {
        let (prefix, reference) = curie.split_once(':')?;
        if prefix == "_" {
            return Some(Resource::Named(reference));
        }
        // `http://…` is an IRI even where someone declares a prefix `http`.
        if reference.starts_with("//") {
            return None;
        }
        let (_, namespace) = self.prefixes.iter().rev().find(|(p, _)| text::same_ignoring_case(p, prefix))?;
        Some(Resource::Iri(Iri { namespace: *namespace, reference }))
    }

    fn namespace(&self, iri: Iri<'a>) -> &str {
        &self.namespaces[iri.namespace as usize]
    }

    /// Appends the IRI to `out`.
    pub(super) fn write(&self, iri: Iri<'a>, out: &mut String) {
        out.push_str(self.namespace(iri));
        out.push_str(iri.reference);
    }

    /// Whether the IRI is this one.
    pub(super) fn is(&self, iri: Iri<'a>, text: &str) -> bool {
        text.strip_prefix(self.namespace(iri)) == Some(iri.reference)
    }

    /// A total order in which equal resources are equal, however their IRIs are cut in two.
    pub(super) fn compare(&self, a: Resource<'a>, b: Resource<'a>) -> Ordering {
        match (a, b) {
            (Resource::Blank(a), Resource::Blank(b)) => a.cmp(&b),
            (Resource::Named(a), Resource::Named(b)) => a.cmp(b),
            (Resource::Iri(a), Resource::Iri(b)) if a.namespace == b.namespace => a.reference.cmp(b.reference),
            (Resource::Iri(a), Resource::Iri(b)) => {
                let whole = |iri| self.namespace(iri).bytes().chain(iri.reference.bytes());
                whole(a).cmp(whole(b))
            }
            (Resource::Blank(_), _) | (Resource::Named(_), Resource::Iri(_)) => Ordering::Less,
            _ => Ordering::Greater,
        }
    }

    /// Whether two resources are one.
    pub(super) fn same(&self, a: Resource<'a>, b: Resource<'a>) -> bool {
        self.compare(a, b) == Ordering::Equal
    }

    /// Whether a default vocabulary is Schema.org's.
    pub(super) fn is_schema_org(&self, vocabulary: u32) -> bool {
        matches!(after_schema_org(&self.namespaces[vocabulary as usize]), Some("/" | "/#"))
    }

    /// Whether a class names a part of the page that is furniture.
    pub(super) fn is_furniture(&self, class: Resource<'a>) -> bool {
        let Resource::Iri(iri) = class else { return false };
        let mut whole = String::new();
        if iri.reference.ends_with("Element") || iri.reference.contains("WP") {
            self.write(iri, &mut whole);
        }
        matches!(
            vocabulary::local_name(&whole),
            Some("WPSideBar" | "WPFooter" | "WPHeader" | "WPAdBlock" | "SiteNavigationElement")
        )
    }
}

/// What follows Schema.org's host name in an IRI, which may lack its scheme.
fn after_schema_org(iri: &str) -> Option<&str> {
    let rest = text::strip_prefix_ignoring_case(iri, "http").unwrap_or(iri);
    let rest = rest.strip_prefix(['s', 'S']).filter(|r| r.starts_with(':')).unwrap_or(rest);
    let rest = rest.strip_prefix(':').unwrap_or(rest);
    let rest = rest.strip_prefix("//").unwrap_or(rest);
    let rest = text::strip_prefix_ignoring_case(rest, "www.").unwrap_or(rest);
    text::strip_prefix_ignoring_case(rest, "schema.org")
}

/// Schema.org's namespace where a page means it but leaves out the final slash or the scheme. Without this, names
/// would run into the host name: `http://schema.orgProduct`.
fn completed(iri: &str) -> Option<&'static str> {
    let rest = after_schema_org(iri)?;
    (matches!(rest, "" | "#") || rest == "/" && !has_scheme(iri)).then_some(SCHEMA_ORG)
}

/// Whether a reference begins with a scheme (RFC 3986 section 3.1).
fn has_scheme(iri: &str) -> bool {
    let bytes = iri.as_bytes();
    let mut i = 0;
    while i < bytes.len() && (bytes[i].is_ascii_alphanumeric() || matches!(bytes[i], b'+' | b'-' | b'.')) {
        i += 1;
    }
    i > 0 && bytes[0].is_ascii_alphabetic() && bytes.get(i) == Some(&b':')
}
