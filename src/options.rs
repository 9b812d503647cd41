//! The options, one row each: how they are named in the JavaScript API and on the tag, what they default to and how
//! they are read. The README's table is checked against [`ROWS`].

use crate::{
    diagnostic::{Code, Diagnostics},
    json::{self, Json},
    text,
};
use alloc::{string::String, vec::Vec};

/// Where an option is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// By the core, in every host.
    Core,
    /// By the browser host, which asks for it with [`Options::host_json`].
    Browser,
}

/// How an option's value is read.
#[derive(Clone, Copy, Debug)]
pub enum Reader {
    /// `off`, `false`, `0`, `no` or `on`, `true`, `1`, `yes` or nothing at all.
    Switch(fn(&mut Options) -> &mut bool),
    /// A whole number above zero.
    Count(fn(&mut Options) -> &mut u32),
    /// Host names, as an array or separated by commas or spaces.
    Hosts,
    /// One of two words: the first is the default.
    Toolset,
}

/// One option.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name in the JavaScript API.
    pub name: &'static str,
    /// Attribute of the script tag, or empty.
    pub attribute: &'static str,
    /// Default, as written in the README.
    pub default: &'static str,
    /// Who uses it.
    pub scope: Scope,
    /// How it is read.
    pub reader: Reader,
    /// What it does, as written in the README.
    pub doc: &'static str,
}

/// Every option.
pub const ROWS: &[Row] = &[
    Row {
        name: "actions",
        attribute: "data-actions",
        default: "on",
        scope: Scope::Core,
        reader: Reader::Switch(|o| &mut o.actions),
        doc: "`off` registers readers only, no search.",
    },
    Row {
        name: "maxTools",
        attribute: "data-max-tools",
        default: "24",
        scope: Scope::Core,
        reader: Reader::Count(|o| &mut o.max_tools),
        doc: "Most tools registered, readers and actions together, most useful first.",
    },
    Row {
        name: "watch",
        attribute: "data-watch",
        default: "on",
        scope: Scope::Browser,
        reader: Reader::Switch(|o| &mut o.watch),
        doc: "`off` reads the page once and does not follow its changes.",
    },
    Row {
        name: "allowHosts",
        attribute: "data-allow-hosts",
        default: "",
        scope: Scope::Core,
        reader: Reader::Hosts,
        doc: "Hosts besides the page's own that a search may ask, separated by commas.",
    },
    Row {
        name: "toolset",
        attribute: "data-toolset",
        default: "compact",
        scope: Scope::Core,
        reader: Reader::Toolset,
        doc: "`split` adds finer readers such as `get_product_rating`.",
    },
    Row {
        name: "answerBudget",
        attribute: "",
        default: "1500",
        scope: Scope::Core,
        reader: Reader::Count(|o| &mut o.answer_budget),
        doc: "Characters that one answer aims to stay below; what does not fit is on the next page.",
    },
    Row {
        name: "maxPayloadBytes",
        attribute: "",
        default: "32000",
        scope: Scope::Core,
        reader: Reader::Count(|o| &mut o.max_payload_bytes),
        doc: "Bytes that no answer exceeds.",
    },
    Row {
        name: "timeoutMs",
        attribute: "",
        default: "10000",
        scope: Scope::Core,
        reader: Reader::Count(|o| &mut o.timeout_ms),
        doc: "Milliseconds that a search may take.",
    },
    Row {
        name: "debounceMs",
        attribute: "",
        default: "250",
        scope: Scope::Browser,
        reader: Reader::Count(|o| &mut o.debounce_ms),
        doc: "Milliseconds of quiet after a change before the page is read again.",
    },
];

/// What a site owner decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether actions (search) become tools.
    pub actions: bool,
    /// Most tools on a page.
    pub max_tools: u32,
    /// Whether the browser host follows changes.
    pub watch: bool,
    /// Hosts besides the page's own that actions may ask, in lower case.
    pub allow_hosts: Vec<String>,
    /// Whether the finer readers are registered too.
    pub split: bool,
    /// Characters an answer aims to stay below.
    pub answer_budget: u32,
    /// Bytes no answer exceeds.
    pub max_payload_bytes: u32,
    /// Milliseconds an action's request may take.
    pub timeout_ms: u32,
    /// Milliseconds of quiet before a changed page is read again.
    pub debounce_ms: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            actions: true,
            max_tools: 24,
            watch: true,
            allow_hosts: Vec::new(),
            split: false,
            answer_budget: 1_500,
            max_payload_bytes: 32_000,
            timeout_ms: 10_000,
            debounce_ms: 250,
        }
    }
}

impl Options {
    /// Reads a JSON object of option name → value (string, number, boolean or array). A value that cannot be used
    /// leaves the default and a diagnostic; names that are no options are left alone.
    pub fn from_json(source: &str, diagnostics: &mut Diagnostics) -> Options {
        let mut options = Options::default();
        let Some(Json::Object(members)) = json::parse_strict(source) else { return options };
        for (name, value) in &members {
            if let Some(row) = ROWS.iter().find(|row| row.name == name) {
                if !options.set(row, value) {
                    diagnostics.report(Code::OptionInvalid, "An option has a value that cannot be used", name);
                }
            }
        }
        options
    }

    /// The options that the browser host acts on, as JSON, with the diagnostics of reading them.
    pub fn host_json(&self, diagnostics: &Diagnostics) -> String {
        let mut out = json::Writer::default();
        out.object(|out| {
            out.key("watch");
            out.raw(if self.watch { "true" } else { "false" });
            out.key("debounceMs");
            out.number(self.debounce_ms as usize);
            out.key("diagnostics");
            diagnostics.write(out);
        });
        out.finish()
    }

    fn set(&mut self, row: &Row, value: &Json) -> bool {
        match row.reader {
            Reader::Switch(field) => match switch(value) {
                Some(on) => *field(self) = on,
                None => return false,
            },
            Reader::Count(field) => match count(value) {
                Some(n) => *field(self) = n,
                None => return false,
            },
            Reader::Hosts => return hosts(value, &mut self.allow_hosts),
            Reader::Toolset => match value.as_str() {
                Some("split") => self.split = true,
                Some("compact") => self.split = false,
                _ => return false,
            },
        }
        true
    }
}

fn switch(value: &Json) -> Option<bool> {
    let word = match value {
        Json::Bool(b) => return Some(*b),
        Json::Text(s) | Json::Number(s) => text::trim(s),
        _ => return None,
    };
    let is = |words: &[&str]| words.iter().any(|w| text::same_ignoring_case(w, word));
    if is(&["off", "false", "0", "no"]) {
        Some(false)
    } else if is(&["", "on", "true", "1", "yes"]) {
        Some(true)
    } else {
        None
    }
}

fn count(value: &Json) -> Option<u32> {
    let (Json::Text(s) | Json::Number(s)) = value else { return None };
    text::whole_number(text::trim(s)).filter(|&n| n > 0)
}

/// Host names only: no scheme, port, path or wildcard. One bad name does not lose the others.
fn hosts(value: &Json, into: &mut Vec<String>) -> bool {
    let mut good = true;
    let mut add = |name: &str| {
        let host = name.to_ascii_lowercase();
        let plain = host.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'.' | b'-'));
        if plain && host.len() <= 253 { into.push(host) } else { good = false }
    };
    match value {
        Json::Text(s) => {
            s.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|h| !h.is_empty()).for_each(&mut add);
        }
        Json::Array(items) => items.iter().for_each(|item| match item.as_str() {
            Some(s) => add(text::trim(s)),
            None => add("*"),
        }),
        _ => return false,
    }
    good
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    fn read(source: &str) -> (Options, usize) {
        let mut d = Diagnostics::default();
        (Options::from_json(source, &mut d), d.iter().count())
    }

    #[test]
    fn values_as_attributes_and_as_javascript() {
        let (o, bad) = read(
            r#"{"actions":"off","maxTools":"12","watch":false,"allowHosts":"a.example, B.example","toolset":"split"}"#,
        );
        assert_eq!(bad, 0);
        assert!(!o.actions && !o.watch && o.split);
        assert_eq!(o.max_tools, 12);
        assert_eq!(o.allow_hosts, ["a.example".to_string(), "b.example".to_string()]);
        let (o, bad) = read(r#"{"maxTools":3,"allowHosts":["x.example"],"cfBeacon":"y"}"#);
        assert_eq!((o.max_tools, o.allow_hosts.len(), bad), (3, 1, 0));
    }

    #[test]
    fn unusable_values_are_reported_and_leave_the_default() {
        let (o, bad) = read(
            r#"{"actions":"maybe","maxTools":"-1","watch":null,"allowHosts":"https://x.example/","toolset":"all"}"#,
        );
        assert_eq!(bad, 5);
        assert_eq!(o, Options::default());
    }

    #[test]
    fn defaults_are_what_the_rows_say() {
        for row in ROWS {
            let mut o = Options::default();
            if !row.default.is_empty() {
                assert!(o.set(row, &Json::Text(row.default.to_string())), "{}", row.name);
            }
            assert_eq!(o, Options::default(), "{}", row.name);
        }
    }
}
