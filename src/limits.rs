//! Every bound on page data, in one place. A loop or recursion over page data names one of these.
//! Each has a diagnostic when it is hit (`depth-limit`, `field-truncated`, `tool-limit`).

/// Elements and text runs that a [`crate::dom::Snapshot`] holds.
pub const SNAPSHOT_NODES: usize = 200_000;
/// UTF-16 units of attribute values and text that a [`crate::dom::Snapshot`] holds; the value that passes it is whole.
pub const SNAPSHOT_TEXT: usize = 32 << 20;
/// Bytes of HTML that the native reader parses.
pub const PAGE: usize = 64 << 20;
/// Elements open at once in HTML, from which on the native reader puts new ones beside the innermost, as browsers do.
pub const PAGE_DEPTH: u32 = 512;
/// How often the HTML parser may look at an open element: each tag looks at those around it, so that nesting costs
/// the square of its depth.
pub const PAGE_STEPS: usize = 100_000_000;
/// Nesting of elements in a snapshot, of JSON values in a block and of nodes in a JSON-LD document.
pub const DEPTH: usize = 128;
/// Statements (subject, predicate, object) read from one page.
pub const STATEMENTS: usize = 400_000;
/// Nodes of the graph, all syntaxes together.
pub const NODES: usize = 60_000;
/// Distinct property names of one entity: lookups are linear in this.
pub const PROPERTIES: usize = 256;
/// Values of one property.
pub const VALUES: usize = 2_000;
/// Types of one entity.
pub const TYPES: usize = 16;
/// Bytes of one string value; longer text is cut at a character boundary.
pub const STRING: usize = 65_536;
/// Bytes of text that microdata and RDFa values copy out of one page: nested properties repeat their text.
pub const TEXT_TOTAL: usize = 8 << 20;
/// Elements and text runs that all `itemref`s of a page bring to items: many items may share one big element.
pub const ITEMREF: usize = 200_000;
/// Types or names read from one attribute (`itemtype`, `itemprop`): each repeats the value.
pub const TOKENS: usize = 16;
/// Prefixes in scope at one element, those of the RDFa initial context among them: lookups are linear in this.
pub const PREFIXES: usize = 512;
/// Bytes of the IRI of a vocabulary or prefix; longer ones are ignored.
pub const NAMESPACE: usize = 2_048;
/// Applications of an entailment rule to the statements of a page, also those that say nothing new.
pub const ENTAILMENTS: usize = 4_000_000;
/// Bytes of one JSON-LD block.
pub const BLOCK: usize = 16 << 20;
/// Members of contexts processed for the JSON-LD blocks of one page: scoped contexts are processed again and again.
pub const TERMS: usize = 400_000;
/// Contexts with terms in force at one place of a JSON-LD block: lookups are linear in this.
pub const CONTEXTS: usize = 160;
/// Bytes of an IRI, vocabulary or language that a JSON-LD context gives: they are copied for every name and value.
pub const IRI: usize = 2_048;
/// Bytes of a language tag: BCP 47, section 4.4.1, needs 35 and allows more.
pub const LANGUAGE_TAG: usize = 64;
/// Bytes of the title and of a `meta` value that stand in where the markup is silent.
pub const META: usize = 1_000;
/// Visible characters, white space aside, from which on a page has a text of its own: a short sentence.
pub const TEXT_ENOUGH: usize = 30;
/// Nodes looked at for them: a page that is larger has text.
pub const TEXT_STEPS: usize = 2_000;
/// Diagnostics kept for one page.
pub const DIAGNOSTICS: usize = 50;
/// Characters of page text that a diagnostic quotes.
pub const DIAGNOSTIC_ARGUMENT: usize = 120;
/// Bytes of a URL template.
pub const TEMPLATE: usize = 2_000;
/// Parameters of a URL template: more would flood the schema.
pub const TEMPLATE_PARAMETERS: usize = 8;
/// Bytes of a hidden field of a search form: longer ones are state, not settings.
pub const FIELD: usize = 64;
/// Bytes of an expanded URL: longer ones fail on servers in any case.
pub const ADDRESS: usize = 8_000;
/// Characters of one argument of a call.
pub const ARGUMENT: usize = 1_000;
/// Entities and characters that a list's filter goes through; beyond it, what entries share is searched with the first
/// that tells it.
pub const QUERY_STEPS: usize = 8 << 20;
/// Tools from actions of one page, and actions looked at for them.
pub const ACTIONS: usize = 8;
/// See [`ACTIONS`].
pub const ACTIONS_SEEN: usize = 200;
/// Targets of one action, and values of one of its properties, that are looked at.
pub const ACTION_VALUES: usize = 16;
/// Bytes of a response that the host hands over.
pub const RESPONSE: usize = 2 << 20;
/// Characters of the answer made from a response.
pub const DIGEST: usize = 1_500;
/// Results listed from one response; and links of it that are looked at.
pub const DIGEST_RESULTS: usize = 200;
/// Characters of a title or snippet in a digest.
pub const DIGEST_TITLE: usize = 120;
/// See [`DIGEST_TITLE`].
pub const DIGEST_SNIPPET: usize = 160;
/// Nesting that the digest of a JSON response keeps.
pub const DIGEST_DEPTH: usize = 4;
