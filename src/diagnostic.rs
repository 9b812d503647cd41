//! What went wrong on a page, in words a site owner can act on. A bad page never raises an error.

use crate::{json::Writer, limits, text};
use alloc::{string::String, vec::Vec};

/// How much a diagnostic matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Worth knowing; nothing is lost.
    Info,
    /// Something on the page could not be used.
    Warn,
    /// The page has no tools because of it.
    Error,
}

impl Level {
    /// The word used in diagnostics: `info`, `warn` or `error`.
    pub fn as_str(self) -> &'static str {
        match self {
            Level::Info => "info",
            Level::Warn => "warn",
            Level::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($variant:ident $code:literal $level:ident $why:literal;)+) => {
        /// What a diagnostic is about. The codes are stable: sites and tests match on them.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Code { $(#[doc = $why] $variant,)+ }

        impl Code {
            /// The stable code, for example `json-parse-error`.
            pub fn as_str(self) -> &'static str { match self { $(Code::$variant => $code,)+ } }
            /// The level that goes with the code unless a reporter says otherwise.
            pub fn level(self) -> Level { match self { $(Code::$variant => Level::$level,)+ } }
            /// Why it matters and what to do: the second half of every message with this code.
            pub fn advice(self) -> &'static str { match self { $(Code::$variant => $why,)+ } }
            /// Every code, in the order of the path of the data.
            pub const ALL: &'static [Code] = &[$(Code::$variant,)+];
        }
    };
}

// The codes of the browser host (`remap-failed`, `no-webmcp-surface`, `register-failed`) are in `js/`.
codes! {
    JsonParseError "json-parse-error" Warn
        "Others may drop the block: let a JSON encoder write it.";
    UnknownContext "unknown-context" Warn
        "Only Schema.org terms become tools: use the context or vocab https://schema.org/.";
    PlaceholderId "placeholder-id" Warn
        "Entities with the same id are taken for one: give each its own, or none.";
    DepthLimit "depth-limit" Warn
        "The rest is left out: flatten the markup.";
    NoStructuredData "no-structured-data" Info
        "Add JSON-LD, microdata or RDFa with Schema.org types.";
    ActionSkipped "action-skipped" Warn
        "It gives no tool: point it at a GET search on the page's own origin, such as /search?q={query}.";
    ActionInput "action-input" Info
        "The URL template decides: name them alike in both.";
    ToolLimit "tool-limit" Warn
        "Raise data-max-tools, or mark up less.";
    FieldTruncated "field-truncated" Info
        "The rest is left out of answers: shorten or split it.";
    OptionInvalid "option-invalid" Warn
        "The default is used: see the options in the README.";
}

/// One thing to know about a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What it is about.
    pub code: Code,
    /// How much it matters.
    pub level: Level,
    /// What happened: our own words.
    pub what: &'static str,
    /// What it happened to: a bounded piece of page text, a number, or empty.
    pub argument: String,
}

/// The diagnostics of one page, at most [`limits::DIAGNOSTICS`]; a repeated one is kept once.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Reports `code` at its usual level. `argument` is cut to [`limits::DIAGNOSTIC_ARGUMENT`] characters and
    /// freed of control characters: it may be page text.
    pub fn report(&mut self, code: Code, what: &'static str, argument: &str) {
        self.report_at(code, code.level(), what, argument);
    }

    /// Reports `code` at another level than its usual one.
    pub fn report_at(&mut self, code: Code, level: Level, what: &'static str, argument: &str) {
        if self.list.len() >= limits::DIAGNOSTICS {
            return;
        }
        let argument = text::plain_line(argument, limits::DIAGNOSTIC_ARGUMENT);
        let new = Diagnostic { code, level, what, argument };
        if !self.list.contains(&new) {
            self.list.push(new);
        }
    }

    /// Whether one with this code was reported.
    pub fn has(&self, code: Code) -> bool {
        self.list.iter().any(|d| d.code == code)
    }

    /// All of them, in the order they were reported.
    pub fn iter(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter()
    }

    /// Writes them as a JSON array of `{level, code, message}`.
    pub fn write(&self, out: &mut Writer) {
        out.array(|out| {
            for d in &self.list {
                out.object(|out| {
                    out.field("level", d.level.as_str());
                    out.field("code", d.code.as_str());
                    out.field("message", &d.message());
                });
            }
        });
    }
}

impl Diagnostic {
    /// The whole message: what happened, to what, why it matters, what to do.
    pub fn message(&self) -> String {
        let mut message = String::from(self.what);
        if !self.argument.is_empty() {
            message.push_str(": ");
            message.push_str(&self.argument);
        }
        message.push_str(". ");
        message.push_str(self.code.advice());
        message
    }
}
