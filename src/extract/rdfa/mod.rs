//! RDFa 1.1 (RDFa Core 1.1 section 7.5, HTML+RDFa 1.1 section 3).
//!
//! Every statement of the page is read, of whatever vocabulary; the graph keeps Schema.org's. The evaluation walks
//! the snapshot once with a stack of evaluation contexts, gathers the statements, copies properties from patterns,
//! and only then speaks to the sink: pattern statements must be gone by then. What a processor may do beyond that stands
//! apart and is for native callers: [`expansion`], [`role`].
//!
//! Where real pages and the specification part:
//!
//! - `vocab` and prefixes that mean Schema.org without its final slash (`http://schema.org`) are completed.
//! - Text under a Schema.org property is read as a person reads it ([`Snapshot::plain_text`]), under any other
//!   property exactly as the specification says.
//! - `data` and `meter` elements give their `value`, which is what HTML has them for.
//! - The snapshot keeps no markup, so an `rdf:XMLLiteral` or `rdf:HTML` literal is the text of its element.
//! - `rel` is full of words for browsers (`nofollow`): a default vocabulary that is Schema.org's gives them no meaning.

mod copying;
mod datetime;
mod emit;
pub mod expansion;
pub mod role;
mod terms;

use self::terms::{Id, Kind, NO_NAMESPACE, Term, Terms};
use crate::{
    diagnostic::{Code, Diagnostics},
    dom::{self, Attr, NodeIndex, Snapshot},
    graph::{RDF_TYPE, Sink},
    limits, text,
};
use alloc::vec::Vec;

const USES_VOCABULARY: &str = "http://www.w3.org/ns/rdfa#usesVocabulary";

/// Reads every statement of the page (<https://www.w3.org/TR/rdfa-core/#s_sequence>,
/// <https://www.w3.org/TR/html-rdfa/#additional-rdfa-processing-rules>). Reported: a type without a vocabulary to
/// give it a meaning, the commonest slip of authors; and hit limits.
pub fn read(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    read_in(terms::INITIAL_CONTEXT, snapshot, sink, diagnostics);
}

/// As [`read`], but no more than Schema.org's statements are wanted: other prefixes of the initial context need not be
/// known, and a page that cannot have any is passed over.
pub fn read_schema_org(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    if matters(snapshot) {
        read_in(terms::SCHEMA_ORG_CONTEXT, snapshot, sink, diagnostics);
    }
}

// Engines compile a function when it is first called: most pages never get there.
#[inline(never)]
fn read_in(context: &'static str, snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    let mut evaluation = Evaluation::new(snapshot, context);
    for node in 0..snapshot.len() {
        while evaluation.contexts.last().is_some_and(|c| c.end <= node) {
            evaluation.leave();
        }
        if snapshot.kind(node) == dom::Kind::Element {
            evaluation.enter(node);
        }
    }
    while !evaluation.contexts.is_empty() {
        evaluation.leave();
    }
    let Evaluation { terms, mut statements, mut lists, meaningless, .. } = evaluation;
    if statements.len() >= limits::STATEMENTS {
        diagnostics.report(Code::DepthLimit, "The page holds more RDFa than is read", "");
    }
    copying::unify(&terms, &mut statements, &mut lists);
    copying::copy_properties(&terms, &mut statements);
    if !emit::emit(&terms, snapshot, &statements, &lists, sink) {
        diagnostics.report(Code::FieldTruncated, "RDFa values repeat more text of the page than is read", "");
    }
    if let Some(term) = meaningless {
        diagnostics.report(Code::UnknownContext, "An RDFa type has no vocabulary", term);
    }
}

/// Whether Schema.org statements may come of the page's RDFa. Most pages have nothing but Open Graph's `meta property`.
fn matters(snapshot: &Snapshot) -> bool {
    snapshot.any(|attr, value| {
        let names = |words: &[&str]| words.iter().any(|word| text::contains(value, word));
        match attr {
            Attr::Vocab | Attr::Typeof | Attr::About | Attr::Resource => true,
            Attr::Prefix | Attr::Xmlns => names(&["schema", "data-vocabulary"]),
            // By a prefix of the initial context, or an IRI.
            Attr::Property | Attr::Rel | Attr::Rev => names(&["schema:", "rdf:", "://"]),
            _ => false,
        }
    })
}

/// Subject, predicate, object.
#[derive(Clone, Copy)]
struct Statement {
    subject: Id,
    predicate: Id,
    object: Id,
    aside: bool,
}

/// A predicate that waits for a subject that can be its object (or, of `rev`, its subject), or a list that waits for
/// its next item.
#[derive(Clone, Copy)]
struct Incomplete {
    what: Id,
    forward: bool,
}

/// The list mapping of one subject; ends with the element that brought the subject up.
struct ListMapping {
    subject: Id,
    /// Predicates and their lists, at most [`limits::PROPERTIES`]: lookups are linear.
    lists: Vec<(Id, Id)>,
}

/// The evaluation context of an element's children.
#[derive(Clone, Copy)]
struct EvaluationContext<'a> {
    /// One past the element's last descendant.
    end: NodeIndex,
    parent_subject: Id,
    parent_object: Id,
    /// Range in [`Evaluation::incomplete`].
    incomplete: (usize, usize),
    language: &'a str,
    vocabulary: u32,
    /// Of `parent_object`: its list mapping.
    mapping: usize,
    aside: bool,
    /// How long the stacks were before the element.
    before: (usize, usize, usize),
}

struct Evaluation<'a> {
    snapshot: &'a Snapshot,
    terms: Terms<'a>,
    contexts: Vec<EvaluationContext<'a>>,
    incomplete: Vec<Incomplete>,
    /// The list mappings in scope.
    mappings: Vec<ListMapping>,
    lists: Vec<Vec<Id>>,
    /// Items of all lists, at most [`limits::STATEMENTS`].
    listed: usize,
    statements: Vec<Statement>,
    aside: bool,
    /// The first type that has no vocabulary.
    meaningless: Option<&'a str>,
}

impl<'a> Evaluation<'a> {
    fn new(snapshot: &'a Snapshot, context: &'static str) -> Self {
        let terms = Terms::new(snapshot.base(), context);
        let initial = EvaluationContext {
            end: usize::MAX,
            parent_subject: Id::PAGE,
            parent_object: Id::PAGE,
            incomplete: (0, 0),
            language: "",
            vocabulary: NO_NAMESPACE,
            mapping: 0,
            aside: false,
            before: (0, terms.prefixes.len(), 0),
        };
        Evaluation {
            snapshot,
            terms,
            contexts: [initial].into(),
            incomplete: Vec::new(),
            mappings: [ListMapping { subject: Id::PAGE, lists: Vec::new() }].into(),
            lists: Vec::new(),
            listed: 0,
            statements: Vec::new(),
            aside: false,
            meaningless: None,
        }
    }

    /// Steps 1 to 13. Step numbers and names are those of RDFa Core; what is HTML's says so.
    fn enter(&mut self, node: NodeIndex) {
        let Some(&parent) = self.contexts.last() else { return };
        let snapshot = self.snapshot;
        let attr = |attr| snapshot.attr(node, attr);
        let name = snapshot.name(node);
        let before = (self.incomplete.len(), self.terms.prefixes.len(), self.mappings.len());
        self.aside = parent.aside || text::listed("aside nav footer", name);

        // Step 2: the default vocabulary.
        let mut vocabulary = parent.vocabulary;
        if let Some(value) = attr(Attr::Vocab) {
            vocabulary = self.terms.vocabulary(value);
            if vocabulary != NO_NAMESPACE {
                let used = self.terms.iri(vocabulary, "");
                self.state_known(Id::PAGE, USES_VOCABULARY, used);
            }
        }

        // Step 3: prefixes; `prefix` goes before `xmlns`.
        for (name, declaration) in snapshot.attrs(node) {
            if let Some((prefix, iri)) = text::split_once(declaration, b'=').filter(|_| name == Attr::Xmlns) {
                self.terms.declare_one(prefix, text::trim(iri));
            }
        }
        if let Some(value) = attr(Attr::Prefix) {
            self.terms.declare(value);
        }

        // Step 4: the current language.
        let language = attr(Attr::XmlLang).or(attr(Attr::Lang)).map_or(parent.language, text::trim);

        // HTML: beside `property`, words of `rel` and `rev` are not for RDFa.
        let property = attr(Attr::Property);
        let relation = |name| attr(name).filter(|v| property.is_none() || text::has(v, b':'));
        let (rel, rev) = (relation(Attr::Rel), relation(Attr::Rev));
        let related = rel.is_some() || rev.is_some();

        let about = attr(Attr::About).and_then(|v| self.terms.resource(v));
        let mut linked = attr(Attr::Resource).and_then(|v| self.terms.resource(v));
        for name in [Attr::Href, Attr::Src] {
            linked = linked.or_else(|| self.terms.link(attr(name)?));
        }
        let types = attr(Attr::Typeof);
        let content = attr(Attr::Content);
        let datatype = attr(Attr::Datatype);
        let about_or_root = about.or((node == 0).then_some(Id::PAGE));

        // Steps 5 and 6: new subject, current object resource, typed resource.
        let mut new_subject = about_or_root.unwrap_or(parent.parent_object);
        let mut current_object = None;
        let mut typed = None;
        let mut skip = false;
        if related {
            current_object = linked;
            if types.is_some() {
                if about_or_root.is_some() {
                    typed = about_or_root;
                } else {
                    current_object = linked.or_else(|| Some(self.terms.blank()));
                    typed = current_object;
                }
            }
        } else if property.is_some() && content.is_none() && datatype.is_none() {
            if types.is_some() {
                typed = about_or_root.or(linked).or_else(|| Some(self.terms.blank()));
                current_object = typed;
            }
        } else {
            match about.or(linked).or(about_or_root) {
                Some(subject) => new_subject = subject,
                // HTML: `head` and `body` speak of what the root element speaks of.
                None if text::listed("head body", name) => {}
                None if types.is_some() => new_subject = self.terms.blank(),
                None => skip = property.is_none(),
            }
            typed = types.map(|_| new_subject);
        }

        // Step 7: types.
        if let (Some(types), Some(typed)) = (types, typed) {
            let first = self.statements.len();
            for token in text::tokens(types) {
                match self.terms.name(token, vocabulary) {
                    Some(class) => {
                        self.aside |= self.terms.is_furniture(class);
                        self.state_known(typed, RDF_TYPE, class);
                    }
                    None => {
                        self.meaningless.get_or_insert(token);
                    }
                }
            }
            for statement in &mut self.statements[first..] {
                statement.aside = self.aside;
            }
        }

        // Step 8: another subject has list mappings of its own.
        let mapping = self.map_lists(new_subject, parent.parent_object, parent.mapping);

        // Steps 9 and 10: statements of `rel` and `rev`, or their being left incomplete.
        let inlist = attr(Attr::Inlist).is_some();
        let first = self.incomplete.len();
        for (tokens, forward) in [(rel, true), (rev, false)] {
            // Each of these is tried with each subject below: what waits is bounded.
            for token in text::tokens(tokens.unwrap_or("")).take(limits::PROPERTIES) {
                let for_browsers = property.is_some() || self.terms.is_schema_org(vocabulary) && is_link_type(token);
                if for_browsers && !text::has(token, b':') {
                    continue;
                }
                let Some(mut what) = self.terms.predicate(token, vocabulary) else { continue };
                if forward && inlist {
                    let Some(list) = self.list_of(mapping, what) else { continue };
                    what = list;
                }
                let incomplete = Incomplete { what, forward };
                match current_object {
                    Some(object) => self.complete(incomplete, new_subject, object),
                    None => self.incomplete.push(incomplete),
                }
            }
        }
        let incomplete = (first, self.incomplete.len());
        if incomplete.0 != incomplete.1 {
            current_object = Some(self.terms.blank());
        }

        // Step 11: the current property value.
        if let Some(property) = property {
            let dated = content.is_none() && (name == "time" || attr(Attr::Datetime).is_some());
            let mut given = content.or_else(|| attr(Attr::Datetime));
            if given.is_none() && text::listed("data meter", name) {
                given = attr(Attr::Value);
            }
            let mut value = None;
            if datatype.is_none() && given.is_none() && !dated {
                value =
                    if !related && linked.is_some() { linked } else { typed.filter(|_| attr(Attr::About).is_none()) };
            }
            let value = value.unwrap_or_else(|| {
                let dated = dated && datatype.is_none();
                let datatype = datatype.and_then(|d| self.terms.predicate(text::trim(d), vocabulary));
                let language = if datatype.is_some() { "" } else { language };
                let (kind, text) = given.map_or((Kind::Content, ""), |text| (Kind::Attribute, text));
                self.terms.add(Term { kind, space: node as u32, text, language, datatype, dated })
            });
            for token in text::tokens(property) {
                let Some(mut what) = self.terms.predicate(token, vocabulary) else { continue };
                if inlist {
                    let Some(list) = self.list_of(mapping, what) else { continue };
                    what = list;
                }
                self.complete(Incomplete { what, forward: true }, new_subject, value);
            }
        }

        // Step 12: what waited for this subject.
        if !skip {
            for i in parent.incomplete.0..parent.incomplete.1 {
                self.complete(self.incomplete[i], parent.parent_subject, new_subject);
            }
        }

        // Step 13: the evaluation context of the children.
        let mut inner = EvaluationContext { end: snapshot.end(node), language, vocabulary, before, ..parent };
        inner.aside = self.aside;
        if !skip {
            inner.parent_subject = new_subject;
            inner.parent_object = current_object.unwrap_or(new_subject);
            inner.incomplete = incomplete;
            inner.mapping = self.map_lists(inner.parent_object, new_subject, mapping);
        }
        self.contexts.push(inner);
    }

    /// Step 14: the lists that began on the element; then its scope ends.
    fn leave(&mut self) {
        let Some(context) = self.contexts.pop() else { return };
        self.aside = context.aside;
        while self.mappings.len() > context.before.2 {
            let Some(mapping) = self.mappings.pop() else { return };
            for (predicate, list) in mapping.lists {
                self.state(mapping.subject, predicate, list);
            }
        }
        self.incomplete.truncate(context.before.0);
        self.terms.prefixes.truncate(context.before.1);
    }

    /// The list mapping of `subject`: `mapping` if that is the one of `known` and they are the same, else a new one.
    #[inline(never)]
    fn map_lists(&mut self, subject: Id, known: Id, mapping: usize) -> usize {
        if self.terms.same(subject, known) {
            return mapping;
        }
        self.mappings.push(ListMapping { subject, lists: Vec::new() });
        self.mappings.len() - 1
    }

    /// The list of a predicate, new if there is none yet; `None` when there are too many.
    #[inline(never)]
    fn list_of(&mut self, mapping: usize, predicate: Id) -> Option<Id> {
        let lists = &mut self.mappings[mapping].lists;
        for (known, list) in lists.iter() {
            if self.terms.same(*known, predicate) {
                return Some(*list);
            }
        }
        if lists.len() >= limits::PROPERTIES {
            return None;
        }
        let list = self.terms.simple(Kind::List, self.lists.len() as u32, "");
        lists.push((predicate, list));
        self.lists.push(Vec::new());
        Some(list)
    }

    /// States what waited, or adds to the list that waited.
    #[inline(never)]
    fn complete(&mut self, Incomplete { what, forward }: Incomplete, subject: Id, object: Id) {
        let Term { kind, space, .. } = *self.terms.term(what);
        if kind == Kind::List {
            if self.listed < limits::STATEMENTS {
                self.listed += 1;
                self.lists[space as usize].push(object);
            }
        } else if forward {
            self.state(subject, what, object);
        } else {
            self.state(object, what, subject);
        }
    }

    fn state_known(&mut self, subject: Id, predicate: &'static str, object: Id) {
        let predicate = self.terms.iri(NO_NAMESPACE, predicate);
        self.state(subject, predicate, object);
    }

    #[inline(never)]
    fn state(&mut self, subject: Id, predicate: Id, object: Id) {
        if self.statements.len() < limits::STATEMENTS {
            self.statements.push(Statement { subject, predicate, object, aside: self.aside });
        }
    }
}

/// Words of `rel` that speak to browsers and search engines. Under a default vocabulary they would be terms of it;
/// Schema.org has none of these, nor any with a hyphen, and no author meant one.
const LINK_TYPES: &str = "alternate bookmark canonical external help icon manifest me next nofollow noopener \
                          noreferrer opener preconnect prefetch preload prev search shortcut shortlink sponsored \
                          stylesheet tag ugc";

fn is_link_type(token: &str) -> bool {
    text::has(token, b'-') || text::listed(LINK_TYPES, token)
}
