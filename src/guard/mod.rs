//! The guard: nothing becomes a tool except through [`admit`], and page data is cleaned by [`data`].
//!
//! The words of a tool (title, descriptions) are `&'static str` by type, so page text cannot reach them; its name and
//! its parameters' names are built from vetted parts and checked here once more.

pub mod data;
pub mod rules;
pub mod template;
pub mod url;

use crate::{json::Writer, text};
use alloc::{string::String, vec::Vec};

/// Characters of a tool's name.
pub const NAME: usize = 30;
/// Characters of a tool's description.
pub const DESCRIPTION: usize = 500;

/// What a parameter takes. Only keywords of WebMCP's coming schema subset are ever written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// One of our own words.
    Choice(Vec<&'static str>),
    /// A whole number from 1.
    Page,
    /// Text with least and greatest length in characters; 0 means no such limit.
    Text {
        /// `minLength`
        min: u32,
        /// `maxLength`
        max: u32,
    },
}

/// A parameter of a tool. It has no description: the tool's says what its few parameters are, on every turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Name, as the agent writes it.
    pub name: String,
    /// What it takes.
    pub kind: ParameterKind,
    /// Whether a call without it is refused.
    pub required: bool,
}

/// A tool that asks to be admitted.
#[derive(Clone, Debug)]
pub struct Draft {
    /// `get_…`, `list_…`, `search_…`
    pub name: String,
    /// Our words; the parts are joined.
    pub title: Vec<&'static str>,
    /// Our words; the parts are joined.
    pub description: Vec<&'static str>,
    /// Parameters in the order of the schema.
    pub parameters: Vec<Parameter>,
    /// Whether a call only reads.
    pub read_only: bool,
}

/// An admitted tool. Its fields are private: there is no other way to make one.
#[derive(Clone, Debug)]
pub struct Tool {
    draft: Draft,
}

/// Admits a draft, or says which rule refuses it.
pub fn admit(draft: Draft) -> Result<Tool, &'static str> {
    let name = |s: &str, dash: bool| {
        s.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || dash && b == b'-')
            && s.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && s.len() <= NAME
    };
    if !name(&draft.name, false) {
        return Err("The tool's name is no short identifier");
    }
    let length: usize = draft.description.iter().map(|part| part.len()).sum();
    if length == 0 || length > DESCRIPTION || draft.title.is_empty() {
        return Err("The tool's description is empty or too long");
    }
    for (i, parameter) in draft.parameters.iter().enumerate() {
        if !name(&parameter.name, true) || draft.parameters[..i].iter().any(|p| p.name == parameter.name) {
            return Err("A parameter's name is no short identifier, or is there twice");
        }
    }
    Ok(Tool { draft })
}

impl Tool {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Its title.
    pub fn title(&self) -> String {
        text::all(&self.draft.title)
    }

    /// Its description.
    pub fn description(&self) -> String {
        text::all(&self.draft.description)
    }

    /// Its parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.draft.parameters
    }

    /// Another name for the same tool, where its own is taken.
    pub(crate) fn rename(&mut self, number: usize) {
        let suffix = text::number(number);
        let stem = text::cut(&self.draft.name, NAME - 1 - suffix.len());
        let mut name = String::from(stem);
        name.push('_');
        name.push_str(&suffix);
        self.draft.name = name;
    }

    /// Writes `{name, title, description, inputSchema, annotations}`. Hints are written only where they are true.
    pub fn write(&self, out: &mut Writer) {
        out.object(|out| {
            out.field("name", self.name());
            out.field("title", &self.title());
            out.field("description", &self.description());
            out.key("inputSchema");
            self.write_schema(out);
            out.key("annotations");
            out.object(|out| {
                if self.draft.read_only {
                    out.key("readOnlyHint");
                    out.raw("true");
                }
                out.key("untrustedContentHint");
                out.raw("true");
            });
        });
    }

    fn write_schema(&self, out: &mut Writer) {
        out.object(|out| {
            out.field("type", "object");
            out.key("properties");
            out.object(|out| {
                for parameter in self.parameters() {
                    out.key(&parameter.name);
                    parameter.write(out);
                }
            });
            if self.parameters().iter().any(|p| p.required) {
                out.key("required");
                out.array(|out| {
                    for parameter in self.parameters().iter().filter(|p| p.required) {
                        out.item();
                        out.string(&parameter.name);
                    }
                });
            }
        });
    }
}

impl Parameter {
    /// A parameter that a call may leave out.
    pub fn optional(name: String, kind: ParameterKind) -> Parameter {
        Parameter { name, kind, required: false }
    }

    fn write(&self, out: &mut Writer) {
        out.object(|out| {
            match &self.kind {
                ParameterKind::Choice(words) => {
                    out.field("type", "string");
                    out.key("enum");
                    out.array(|out| {
                        for word in words {
                            out.item();
                            out.string(word);
                        }
                    });
                }
                ParameterKind::Page => out.field("type", "integer"),
                ParameterKind::Text { min, max } => {
                    out.field("type", "string");
                    for (key, n) in [("minLength", *min), ("maxLength", *max)] {
                        // That a text is not empty goes without saying; the call's check says it where it is.
                        if n > 1 {
                            out.key(key);
                            out.number(n as usize);
                        }
                    }
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::{string::ToString, vec};

    fn draft(name: &str) -> Draft {
        let page = Parameter::optional("page".to_string(), ParameterKind::Page);
        Draft {
            name: name.to_string(),
            title: vec!["T"],
            description: vec!["D"],
            parameters: vec![page],
            read_only: true,
        }
    }

    #[test]
    fn admits_short_identifiers_only() {
        assert!(admit(draft("get_product")).is_ok());
        for bad in ["", "get product", "9x", "get_a_name_that_is_longer_than_thirty", "get-x", "gét"] {
            assert!(admit(draft(bad)).is_err(), "{bad}");
        }
        let mut twice = draft("get_product");
        twice.parameters.push(twice.parameters[0].clone());
        assert!(admit(twice).is_err());
    }

    #[test]
    fn writes_only_allowed_schema_keywords() {
        let mut out = Writer::default();
        admit(draft("get_product")).unwrap().write(&mut out);
        assert_eq!(
            out.finish(),
            r#"{"name":"get_product","title":"T","description":"D","inputSchema":{"type":"object","properties":{"page":{"type":"integer"}}},"annotations":{"readOnlyHint":true,"untrustedContentHint":true}}"#
        );
    }

    #[test]
    fn renamed_tools_stay_short() {
        let mut tool = admit(draft("get_abcdefghijklmnopqrstuvwxyz")).unwrap();
        tool.rename(12);
        assert_eq!(tool.name().len(), NAME);
    }
}
