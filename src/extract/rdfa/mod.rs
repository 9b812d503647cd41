//! RDFa 1.1 (RDFa Core 1.1 section 7.5, HTML+RDFa 1.1 section 3).
//!
//! Every statement of the page is read, of whatever vocabulary; the graph keeps Schema.org's. The evaluation walks
//! the snapshot once with a stack of evaluation contexts, gathers the statements, copies properties from patterns,
//! and only then speaks to the sink: pattern statements must be gone by then.
//!
//! Where real pages and the specification part:
//!
//! - `vocab` and prefixes that mean Schema.org without its final slash (`http://schema.org`) are completed.
//! - Text under a Schema.org property is read as a person reads it ([`Snapshot::plain_text`]), under any other
//!   property exactly as the specification says.
//! - `data` and `meter` elements give their `value`, which is what HTML has them for.
//! - The snapshot keeps no markup, so an `rdf:XMLLiteral` or `rdf:HTML` literal is the text of its element.
//! - `rel` is full of words for browsers (`nofollow`): a default vocabulary that is Schema.org's gives them no meaning.

mod context;
mod copying;
mod datetime;
mod emit;
mod lists;
mod order;
mod statement;

use self::{
    context::{Context, Iri, NO_NAMESPACE, Resource},
    lists::Lists,
    statement::{Literal, Statement, Text, Value},
};
use crate::{
    diagnostic::{Code, Diagnostics},
    dom::{Attr, Kind, NodeIndex, Snapshot},
    graph::{RDF_TYPE, Sink},
    limits, text,
};
use alloc::vec::Vec;

const USES_VOCABULARY: &str = "http://www.w3.org/ns/rdfa#usesVocabulary";

/// Reads every statement of the page (<https://www.w3.org/TR/rdfa-core/#s_sequence>,
/// <https://www.w3.org/TR/html-rdfa/#additional-rdfa-processing-rules>). Reported: a type without a vocabulary to
/// give it a meaning, the commonest slip of authors; and hit limits.
pub fn read(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    let mut evaluation = Evaluation::new(snapshot);
    for node in 0..snapshot.len() {
        while evaluation.contexts.last().is_some_and(|c| c.end <= node) {
            evaluation.leave();
        }
        if snapshot.kind(node) == Kind::Element {
            evaluation.enter(node);
        }
    }
    while !evaluation.contexts.is_empty() {
        evaluation.leave();
    }
    let Evaluation { context, mut statements, lists, meaningless, .. } = evaluation;
    if statements.len() >= limits::STATEMENTS {
        diagnostics.report(Code::DepthLimit, "The page holds more RDFa than is read", "");
    }
    copying::copy_properties(&context, &mut statements);
    if !emit::emit(&context, snapshot, &statements, &lists.items, sink) {
        diagnostics.report(Code::FieldTruncated, "RDFa values repeat more text of the page than is read", "");
    }
    if let Some(term) = meaningless {
        diagnostics.report(Code::UnknownContext, "An RDFa type has no vocabulary", term);
    }
}

/// Pending the discovery of a subject that can be its object (or, reversed, its subject).
#[derive(Clone, Copy)]
enum Incomplete<'a> {
    Forward(Iri<'a>),
    Reverse(Iri<'a>),
    List(usize),
}

/// The evaluation context of an element's children.
#[derive(Clone, Copy)]
struct EvaluationContext<'a> {
    /// One past the element's last descendant.
    end: NodeIndex,
    parent_subject: Resource<'a>,
    parent_object: Resource<'a>,
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
    context: Context<'a>,
    contexts: Vec<EvaluationContext<'a>>,
    incomplete: Vec<Incomplete<'a>>,
    lists: Lists<'a>,
    statements: Vec<Statement<'a>>,
    blanks: u32,
    aside: bool,
    /// The first type that has no vocabulary.
    meaningless: Option<&'a str>,
}

impl<'a> Evaluation<'a> {
    fn new(snapshot: &'a Snapshot) -> Self {
        let context = Context::new(snapshot.base());
        let page = context.page();
        let initial = EvaluationContext {
            end: usize::MAX,
            parent_subject: page,
            parent_object: page,
            incomplete: (0, 0),
            language: "",
            vocabulary: NO_NAMESPACE,
            mapping: 0,
            aside: false,
            before: (0, context.mark(), 0),
        };
        Evaluation {
            snapshot,
            context,
            contexts: [initial].into(),
            incomplete: Vec::new(),
            lists: Lists::new(page),
            statements: Vec::new(),
            blanks: 0,
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
        let before = (self.incomplete.len(), self.context.mark(), self.lists.mark());
        self.aside = parent.aside || matches!(name, "aside" | "nav" | "footer");

        // Step 2: the default vocabulary.
        let mut vocabulary = parent.vocabulary;
        if let Some(value) = attr(Attr::Vocab) {
            vocabulary = self.context.vocabulary(value);
            if vocabulary != NO_NAMESPACE {
                let used = Value::Resource(Resource::Iri(Iri::of_namespace(vocabulary)));
                self.state(self.context.page(), Iri::absolute(USES_VOCABULARY), used);
            }
        }

        // Step 3: prefixes; `prefix` goes before `xmlns`.
        for (_, declaration) in snapshot.attrs(node).filter(|(a, _)| *a == Attr::Xmlns) {
            self.context.declare_xmlns(declaration);
        }
        if let Some(value) = attr(Attr::Prefix) {
            self.context.declare(value);
        }

        // Step 4: the current language.
        let language = attr(Attr::XmlLang).or(attr(Attr::Lang)).map_or(parent.language, text::trim);

        // HTML: beside `property`, words of `rel` and `rev` are not for RDFa.
        let property = attr(Attr::Property);
        let meant = |token: &str| property.is_none() || token.contains(':');
        let relation = |name| attr(name).filter(|v| property.is_none() || text::tokens(v).any(meant));
        let (rel, rev) = (relation(Attr::Rel), relation(Attr::Rev));
        let related = rel.is_some() || rev.is_some();

        let about = attr(Attr::About).and_then(|v| self.context.resource(v));
        let linked = attr(Attr::Resource)
            .and_then(|v| self.context.resource(v))
            .or_else(|| self.context.link(attr(Attr::Href)?))
            .or_else(|| self.context.link(attr(Attr::Src)?));
        let types = attr(Attr::Typeof);
        let content = attr(Attr::Content);
        let datatype = attr(Attr::Datatype);
        let root = (node == 0).then(|| self.context.page());

        // Steps 5 and 6: new subject, current object resource, typed resource.
        let mut new_subject = about.or(root).unwrap_or(parent.parent_object);
        let mut current_object = None;
        let mut typed = None;
        let mut skip = false;
        if related {
            current_object = linked;
            if types.is_some() {
                if about.or(root).is_some() {
                    typed = Some(new_subject);
                } else {
                    current_object = linked.or_else(|| Some(self.blank()));
                    typed = current_object;
                }
            }
        } else if property.is_some() && content.is_none() && datatype.is_none() {
            if types.is_some() {
                typed = about.or(root).or(linked).or_else(|| Some(self.blank()));
                current_object = typed;
            }
        } else {
            match about.or(linked).or(root) {
                Some(subject) => new_subject = subject,
                // HTML: `head` and `body` speak of what the root element speaks of.
                None if matches!(name, "head" | "body") => {}
                None if types.is_some() => new_subject = self.blank(),
                None => skip = property.is_none(),
            }
            typed = types.map(|_| new_subject);
        }

        // Step 7: types.
        if let (Some(types), Some(typed)) = (types, typed) {
            let first = self.statements.len();
            for token in text::tokens(types) {
                match self.context.term(token, vocabulary) {
                    Some(class) => {
                        self.aside |= self.context.is_furniture(class);
                        self.state(typed, Iri::absolute(RDF_TYPE), Value::Resource(class));
                    }
                    None => {
                        self.meaningless.get_or_insert(token);
                    }
                }
            }
            let aside = self.aside;
            self.statements[first..].iter_mut().for_each(|s| s.aside = aside);
        }

        // Step 8: another subject has list mappings of its own.
        let mapping = self.lists.enter(&self.context, new_subject, parent.parent_object, parent.mapping);

        // Steps 9 and 10: statements of `rel` and `rev`, or their being left incomplete.
        let inlist = attr(Attr::Inlist).is_some();
        let first = self.incomplete.len();
        for (tokens, forward) in [(rel, true), (rev, false)] {
            // Each of these is tried with each subject below: what waits is bounded.
            for token in text::tokens(tokens.unwrap_or("")).filter(|t| meant(t)).take(limits::PROPERTIES) {
                let Some(predicate) = self.relation(token, vocabulary) else { continue };
                match current_object {
                    Some(object) if forward && inlist => {
                        let list = self.lists.of(&self.context, mapping, predicate);
                        self.lists.append(list, Value::Resource(object));
                    }
                    Some(object) if forward => self.state(new_subject, predicate, Value::Resource(object)),
                    Some(object) => self.state(object, predicate, Value::Resource(new_subject)),
                    None if forward && inlist => {
                        if let Some(list) = self.lists.of(&self.context, mapping, predicate) {
                            self.incomplete.push(Incomplete::List(list));
                        }
                    }
                    None if forward => self.incomplete.push(Incomplete::Forward(predicate)),
                    None => self.incomplete.push(Incomplete::Reverse(predicate)),
                }
            }
        }
        let incomplete = (first, self.incomplete.len());
        if incomplete.0 != incomplete.1 {
            current_object = Some(self.blank());
        }

        // Step 11: the current property value.
        if let Some(property) = property {
            let given = content
                .or_else(|| attr(Attr::Datetime))
                .or_else(|| matches!(name, "data" | "meter").then(|| attr(Attr::Value))?);
            let dated = content.is_none() && (name == "time" || attr(Attr::Datetime).is_some());
            let value = match (datatype, typed) {
                (None, _) if given.is_none() && !dated && !related && linked.is_some() => linked.map(Value::Resource),
                (None, Some(typed)) if given.is_none() && !dated && attr(Attr::About).is_none() => {
                    Some(Value::Resource(typed))
                }
                _ => None,
            };
            let value = value.unwrap_or_else(|| {
                let datatype =
                    datatype.and_then(|d| self.context.term(text::trim(d), vocabulary)).and_then(Resource::iri);
                let dated = dated && attr(Attr::Datatype).is_none();
                let language = if datatype.is_some() { "" } else { language };
                let text = given.map_or(Text::Content(node), Text::Attribute);
                Value::Literal(Literal { text, language, datatype, dated })
            });
            for token in text::tokens(property) {
                let Some(predicate) = self.context.term(token, vocabulary).and_then(Resource::iri) else { continue };
                if inlist {
                    let list = self.lists.of(&self.context, mapping, predicate);
                    self.lists.append(list, value);
                } else {
                    self.state(new_subject, predicate, value);
                }
            }
        }

        // Step 12: what waited for this subject.
        if !skip {
            for i in parent.incomplete.0..parent.incomplete.1 {
                match self.incomplete[i] {
                    Incomplete::Forward(p) => self.state(parent.parent_subject, p, Value::Resource(new_subject)),
                    Incomplete::Reverse(p) => self.state(new_subject, p, Value::Resource(parent.parent_subject)),
                    Incomplete::List(list) => self.lists.append(Some(list), Value::Resource(new_subject)),
                }
            }
        }

        // Step 13: the evaluation context of the children.
        let mut inner = EvaluationContext { end: snapshot.end(node), language, vocabulary, before, ..parent };
        inner.aside = self.aside;
        if !skip {
            inner.parent_subject = new_subject;
            inner.parent_object = current_object.unwrap_or(new_subject);
            inner.incomplete = incomplete;
            inner.mapping = self.lists.enter(&self.context, inner.parent_object, new_subject, mapping);
        }
        self.contexts.push(inner);
    }

    /// Step 14: the lists that began on the element; then its scope ends.
    fn leave(&mut self) {
        let Some(context) = self.contexts.pop() else { return };
        self.aside = context.aside;
        while let Some(mapping) = self.lists.leave(context.before.2) {
            for (predicate, list) in mapping.lists {
                self.state(mapping.subject, predicate, Value::List(list));
            }
        }
        self.incomplete.truncate(context.before.0);
        self.context.release(context.before.1);
    }

    fn blank(&mut self) -> Resource<'a> {
        self.blanks += 1;
        Resource::Blank(self.blanks)
    }

    fn state(&mut self, subject: Resource<'a>, predicate: Iri<'a>, object: Value<'a>) {
        if self.statements.len() < limits::STATEMENTS {
            self.statements.push(Statement { subject, predicate, object, aside: self.aside });
        }
    }

    /// The predicate that a token of `rel` or `rev` stands for.
    fn relation(&self, token: &'a str, vocabulary: u32) -> Option<Iri<'a>> {
        if !token.contains(':') && self.context.is_schema_org(vocabulary) && is_link_type(token) {
            return None;
        }
        self.context.term(token, vocabulary).and_then(Resource::iri)
    }
}

/// Words of `rel` that speak to browsers and search engines. Under a default vocabulary they would be terms of it;
/// Schema.org has none of these, nor any with a hyphen, and no author meant one.
const LINK_TYPES: &str = "alternate bookmark canonical external help icon manifest me next nofollow noopener \
                          noreferrer opener preconnect prefetch preload prev search shortcut shortlink sponsored \
                          stylesheet tag ugc";

fn is_link_type(token: &str) -> bool {
    token.contains('-') || text::tokens(LINK_TYPES).any(|word| text::same_ignoring_case(word, token))
}
