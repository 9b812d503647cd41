//! Values: literals of every kind (JSON-LD 1.1 API, section 5.3 "Value Expansion").

use super::{
    super::{
        context::{Context, Term},
        iri,
    },
    Expander, Members,
};
use crate::{graph::Object, json::Json, limits};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

impl<'d> Expander<'d, '_> {
    /// Value Expansion.
    pub(super) fn scalar(&mut self, context: &Context<'d>, term: Option<&Term<'d>>, value: &'d Json) -> Option<Object> {
        match value {
            Json::Text(s) => self.string(context, term, s),
            _ => native(value, term.map_or("", |t| &t.coercion)),
        }
    }

    pub(super) fn string(&mut self, context: &Context<'d>, term: Option<&Term<'d>>, s: &'d str) -> Option<Object> {
        match term.map_or("", |t| t.coercion.as_str()) {
            "@id" => context.expand_id(s).and_then(|id| self.reference(id)),
            "@vocab" => context.expand_vocab(s, true).and_then(|id| self.reference(id)),
            "" | "@none" => Some(text(s, term.and_then(|t| t.language).unwrap_or(context.language), "")),
            datatype => Some(text(s, "", datatype)),
        }
    }

    pub(super) fn value_object(
        &mut self,
        context: &Context<'d>,
        value: &'d Json,
        datatype: Option<&'d Json>,
        language: Option<&'d Json>,
        out: &mut Vec<Object>,
    ) {
        let datatype = datatype.and_then(Json::as_str).and_then(|t| context.expand_vocab(t, true)).unwrap_or_default();
        if datatype == "@json" {
            out.push(json_literal(value));
            return;
        }
        // A blank or relative datatype says nothing.
        let datatype = if datatype.len() <= limits::IRI && iri::is_iri(&datatype) { datatype.as_str() } else { "" };
        for value in value.items() {
            match value {
                Json::Text(s) => out.push(text(s, language.and_then(Json::as_str).unwrap_or(""), datatype)),
                _ => out.extend(native(value, datatype)),
            }
        }
    }
}

pub(super) fn language_map(context: &Context, map: &Members, out: &mut Vec<Object>) {
    for (key, value) in map {
        let none = context.expand_vocab(key, false).as_deref() == Some("@none");
        let language = if none { "" } else { key.as_str() };
        out.extend(value.items().iter().filter_map(Json::as_str).map(|s| text(s, language, "")));
    }
}

/// A string literal. A tag that is no language tag is left out, the text kept.
fn text(value: &str, language: &str, datatype: &str) -> Object {
    let well_formed = language.len() <= limits::LANGUAGE_TAG
        && language.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    Object::Literal {
        value: value.to_string(),
        language: if well_formed { language.to_string() } else { String::new() },
        datatype: datatype.to_string(),
    }
}

/// A number or boolean; its lexical form is kept. A number that no double can hold (`1e999`) is text.
fn native(value: &Json, coercion: &str) -> Option<Object> {
    let (lexical, datatype) = match value {
        Json::Bool(true) => ("true", "boolean"),
        Json::Bool(false) => ("false", "boolean"),
        Json::Number(n) if !fits_double(n) => (n.as_str(), ""),
        Json::Number(n) if n.contains(['.', 'e', 'E']) => (n.as_str(), "double"),
        Json::Number(n) => (n.as_str(), "integer"),
        _ => return None,
    };
    let mut full = String::new();
    if iri::is_iri(coercion) {
        full.push_str(coercion);
    } else if !datatype.is_empty() {
        full.push_str(iri::XSD);
        full.push_str(datatype);
    }
    Some(Object::Literal { value: lexical.to_string(), language: String::new(), datatype: full })
}

/// Whether a number is surely below 1e308: by its digits before the point and its exponent.
fn fits_double(number: &str) -> bool {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, ""));
    let whole = mantissa.bytes().take_while(|b| *b != b'.').count();
    let mut n = 0usize;
    for b in exponent.bytes().filter(u8::is_ascii_digit) {
        n = (n * 10 + usize::from(b - b'0')).min(1000);
    }
    exponent.starts_with('-') || whole + n <= 308
}

pub(super) fn json_literal(value: &Json) -> Object {
    Object::Literal {
        value: value.to_text(),
        language: String::new(),
        datatype: "http://www.w3.org/1999/02/22-rdf-syntax-ns#JSON".to_string(),
    }
}
