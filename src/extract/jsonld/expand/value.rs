//! Values: literals of every kind (JSON-LD 1.1 API, section 5.3 "Value Expansion").

use super::{
    super::{
        context::{ContextId, TermId},
        iri,
    },
    Expander, add,
};
use crate::{graph::Object, json::Json, limits, text};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

impl<'d> Expander<'d, '_> {
    /// Value Expansion.
    pub(super) fn scalar(&mut self, context: ContextId, term: Option<TermId>, value: &'d Json) -> Option<Object> {
        match value {
            Json::Text(s) => self.string(context, term, s),
            _ => native(value, term.map_or("", |t| &self.contexts.terms[t].coercion)),
        }
    }

    #[inline(never)]
    pub(super) fn string(&mut self, context: ContextId, term: Option<TermId>, s: &str) -> Option<Object> {
        let term = term.map(|t| &self.contexts.terms[t]);
        let coercion = term.map_or("", |t| &t.coercion);
        match coercion {
            "@id" | "@vocab" => {
                let id = self.contexts.expand(context, s, true, coercion == "@vocab")?;
                self.reference(id)
            }
            "" | "@none" => Some(text(s, term.and_then(|t| t.language).unwrap_or(self.contexts.language(context)), "")),
            datatype => Some(text(s, "", datatype)),
        }
    }

    pub(super) fn value_object(
        &mut self,
        context: ContextId,
        value: &'d Json,
        datatype: Option<&'d Json>,
        language: Option<&'d Json>,
        out: &mut Vec<Object>,
    ) {
        let mut full = String::new();
        if let Some(Json::Text(datatype)) = datatype {
            full = self.contexts.expand(context, datatype, true, true).unwrap_or_default();
        }
        if full == "@json" {
            out.push(json_literal(value));
            return;
        }
        // A blank or relative datatype says nothing.
        let datatype = if full.len() <= limits::IRI && iri::is_iri(&full) { full.as_str() } else { "" };
        for value in value.items() {
            match value {
                Json::Text(s) => out.push(text(s, language.and_then(Json::as_str).unwrap_or(""), datatype)),
                _ => add(native(value, datatype), out),
            }
        }
    }
}

/// A string literal. A tag that is no language tag is left out, the text kept.
#[inline(never)]
pub(super) fn text(value: &str, language: &str, datatype: &str) -> Object {
    let well_formed = language.len() <= limits::LANGUAGE_TAG
        && language.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    let language = if well_formed { language } else { "" };
    Object::Literal { value: value.to_string(), language: language.to_string(), datatype: datatype.to_string() }
}

/// A number or boolean; its lexical form is kept. A number that no double can hold (`1e999`) is text.
#[inline(never)]
fn native(value: &Json, coercion: &str) -> Option<Object> {
    let (lexical, datatype) = match value {
        Json::Bool(said) => (if *said { "true" } else { "false" }, "boolean"),
        Json::Number(n) => (n.as_str(), number_type(n)),
        _ => return None,
    };
    if iri::is_iri(coercion) {
        return Some(text(lexical, "", coercion));
    }
    Some(text(lexical, "", &if datatype.is_empty() { String::new() } else { text::joined(iri::XSD, datatype) }))
}

/// The datatype of a number that is surely below 1e308, by its digits before the point and its exponent; else empty.
fn number_type(number: &str) -> &'static str {
    let (mut datatype, mut whole, mut exponent, mut small) = ("integer", 0, 0, false);
    let mut in_exponent = false;
    for b in number.bytes() {
        match b {
            b'e' | b'E' => (datatype, in_exponent) = ("double", true),
            b'.' => datatype = "double",
            b'-' => small |= in_exponent,
            b'0'..=b'9' if in_exponent => exponent = (exponent * 10 + usize::from(b - b'0')).min(1000),
            b'0'..=b'9' if datatype == "integer" => whole += 1,
            _ => {}
        }
    }
    if small || whole + exponent <= 308 { datatype } else { "" }
}

#[inline(never)]
pub(super) fn json_literal(value: &Json) -> Object {
    text(&value.to_text(), "", "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON")
}
