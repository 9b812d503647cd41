//! JSON-LD 1.1 as Schema.org pages use it: every block of a page is read, repaired where it is broken
//! ([`super::repair`]), and expanded ([`expand`]) with the contexts it brings ([`context`]).
//!
//! <https://www.w3.org/TR/json-ld11-api/>, <https://www.w3.org/TR/json-ld11/#embedding-json-ld-in-html-documents>

mod context;
mod expand;
mod iri;

use super::repair::{Repair, Repairs};
use crate::{
    diagnostic::{Code, Diagnostics, Level},
    dom::{Attr, Snapshot},
    graph::{Sink, Syntax},
    json, limits, text,
};

/// Reads every JSON-LD block of the page. A block that cannot be read leaves a diagnostic and never costs another
/// block. Blank node labels are those of their block: two plugins may both call a node `_:b0`.
pub fn read(snapshot: &Snapshot, sink: &mut dyn Sink, diagnostics: &mut Diagnostics) {
    sink.origin(Syntax::JsonLd, false);
    let mut terms = limits::TERMS;
    let mut number = 0;
    for script in snapshot.elements() {
        if snapshot.name(script) == "script" && snapshot.attr(script, Attr::Type).is_some_and(is_json_ld) {
            number += 1;
            block(number, &snapshot.whole_text(script), snapshot.base(), &mut terms, sink, diagnostics);
        }
    }
}

/// Whether a `type` attribute names JSON-LD: the essence of the media type, without its parameters.
fn is_json_ld(media_type: &str) -> bool {
    let essence = text::split_once(media_type, b';').map_or(media_type, |(essence, _)| essence);
    text::same_ignoring_case(text::trim(essence), "application/ld+json")
}

// Engines compile a function when it is first called: a page without a block never gets there.
#[inline(never)]
fn block(
    number: usize,
    source: &str,
    base: &str,
    terms: &mut usize,
    sink: &mut dyn Sink,
    diagnostics: &mut Diagnostics,
) {
    let mut repairs = Repairs::default();
    if source.len() > limits::BLOCK {
        repairs.note(Repair::Long, limits::BLOCK);
        return repairs.report(number, diagnostics);
    }
    let roots = json::parse(source, &mut repairs);
    repairs.report(number, diagnostics);
    let name = text::joined("block ", &text::number(number));
    if text::trim(source).is_empty() {
        diagnostics.report_at(Code::JsonParseError, Level::Info, "A JSON-LD block is empty", &name);
    }
    let mut expander = expand::Expander::new(context::Contexts::new(base, *terms), sink, &roots);
    for root in &roots {
        expander.root(root);
    }
    let contexts = &expander.contexts;
    *terms = contexts.budget;
    if contexts.assumption_used.get() {
        diagnostics.report(
            Code::UnknownContext,
            "A JSON-LD block has no @context; its terms were read as Schema.org's",
            &name,
        );
    }
    if let Some(address) = contexts.unknown {
        diagnostics.report(Code::UnknownContext, "A JSON-LD context or vocabulary is not Schema.org's", address);
    }
    if contexts.cut {
        diagnostics.report(Code::DepthLimit, "JSON-LD contexts define more terms than are read", &name);
    }
    if let Some(id) = expander.placeholder {
        diagnostics.report(Code::PlaceholderId, "An @id that is no identifier was ignored", id);
    }
}
