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
        doc: "`off` registers readers only, no search.",
    },
    Row {
        name: "forms",
        attribute: "data-forms",
        default: "on",
        scope: Scope::Core,
        doc: "`off` makes no search tool from a search form or OpenSearch link where the markup names none.",
    },
    Row {
        name: "maxTools",
        attribute: "data-max-tools",
        default: "24",
        scope: Scope::Core,
        doc: "Most tools registered, readers and actions together, most useful first.",
    },
    Row {
        name: "watch",
        attribute: "data-watch",
        default: "on",
        scope: Scope::Browser,
        doc: "`off` reads the page once and does not follow its changes.",
    },
    Row {
        name: "allowHosts",
        attribute: "data-allow-hosts",
        default: "",
        scope: Scope::Core,
        doc: "Hosts besides the page's own that a search may ask, separated by commas.",
    },
    Row {
        name: "toolset",
        attribute: "data-toolset",
        default: "compact",
        scope: Scope::Core,
        doc: "`split` adds finer readers such as `get_product_rating`.",
    },
    Row {
        name: "answerBudget",
        attribute: "",
        default: "1500",
        scope: Scope::Core,
        doc: "Characters that one answer aims to stay below; what does not fit is on the next page.",
    },
    Row {
        name: "maxPayloadBytes",
        attribute: "",
        default: "32000",
        scope: Scope::Core,
        doc: "Bytes that no answer exceeds.",
    },
    Row {
        name: "timeoutMs",
        attribute: "",
        default: "10000",
        scope: Scope::Core,
        doc: "Milliseconds that a search may take.",
    },
    Row {
        name: "debounceMs",
        attribute: "",
        default: "250",
        scope: Scope::Browser,
        doc: "Milliseconds of quiet after a change before the page is read again.",
    },
];

/// What a site owner decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether actions (search) become tools.
    pub actions: bool,
    /// Whether a search form or OpenSearch description stands in for a SearchAction.
    pub forms: bool,
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
            forms: true,
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
            if !options.set(name, value) {
                diagnostics.report(Code::OptionInvalid, "An option has a value that cannot be used", name);
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

    fn set(&mut self, name: &str, value: &Json) -> bool {
        match name {
            "actions" => switch(value, &mut self.actions),
            "forms" => switch(value, &mut self.forms),
            "maxTools" => count(value, &mut self.max_tools),
            "watch" => switch(value, &mut self.watch),
            "allowHosts" => hosts(value, &mut self.allow_hosts),
            "toolset" => word(value, ["compact", "split"], &mut self.split),
            "answerBudget" => count(value, &mut self.answer_budget),
            "maxPayloadBytes" => count(value, &mut self.max_payload_bytes),
            "timeoutMs" => count(value, &mut self.timeout_ms),
            "debounceMs" => count(value, &mut self.debounce_ms),
            _ => true,
        }
    }
}

/// `off`, `false`, `0`, `no` or `on`, `true`, `1`, `yes` or nothing at all.
fn switch(value: &Json, into: &mut bool) -> bool {
    if let Json::Bool(b) = value {
        *into = *b;
        return true;
    }
    let words = [["off", "on"], ["false", "true"], ["0", "1"], ["no", "yes"], ["off", ""]];
    words.iter().any(|words| word(value, *words, into))
}

/// The second of two words sets, the first resets.
fn word(value: &Json, words: [&str; 2], into: &mut bool) -> bool {
    let (Json::Text(s) | Json::Number(s)) = value else { return false };
    for (i, word) in words.iter().enumerate() {
        if text::same_ignoring_case(word, text::trim(s)) {
            *into = i == 1;
            return true;
        }
    }
    false
}

/// A whole number above zero.
fn count(value: &Json, into: &mut u32) -> bool {
    let (Json::Text(s) | Json::Number(s)) = value else { return false };
    match text::whole_number(text::trim(s)) {
        Some(n) if n > 0 => {
            *into = n;
            true
        }
        _ => false,
    }
}

/// Host names only, with a port where it is not the scheme's own, as an array or separated by commas or spaces: no scheme, path or wildcard. One bad name does not
/// lose the others.
fn hosts(value: &Json, into: &mut Vec<String>) -> bool {
    let mut good = true;
    for item in value.items() {
        let Json::Text(s) = item else {
            good = false;
            continue;
        };
        let (mut host, mut plain) = (String::new(), true);
        for i in 0..=s.len() {
            let b = s.as_bytes().get(i).copied().unwrap_or(b' ');
            match b.to_ascii_lowercase() {
                b @ (b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-' | b':') => host.push(b as char),
                b',' | b' ' | b'\n' => {
                    if plain && !host.is_empty() {
                        into.push(host);
                    }
                    good &= plain;
                    (host, plain) = (String::new(), true);
                }
                _ => plain = false,
            }
        }
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
        let (o, bad) = read(r#"{"allowHosts":"localhost:8080"}"#);
        assert_eq!((o.allow_hosts[0].as_str(), bad), ("localhost:8080", 0));
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
                assert!(o.set(row.name, &Json::Text(row.default.to_string())), "{}", row.name);
            }
            assert_eq!(o, Options::default(), "{}", row.name);
        }
    }
}
