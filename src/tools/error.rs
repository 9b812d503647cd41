//! Why a call failed, in a form that an agent can act on. A tool never throws: browsers replace the reason of a
//! rejection by a generic text, so a failure is an answer like any other.

use crate::json::Writer;
use alloc::string::{String, ToString};

/// A call that failed. The words are ours: page text cannot speak through an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallError {
    /// The stable code: `invalid-argument`, `blocked-address`, `http-status`, `timeout`, …
    pub code: &'static str,
    /// What happened.
    pub message: &'static str,
    /// The argument it is about, or empty.
    pub path: String,
    /// Whether the same call may succeed later.
    pub retryable: bool,
    /// What to do instead.
    pub suggestion: &'static str,
    /// The HTTP status for `http-status`, else 0.
    pub status: u16,
}

impl CallError {
    /// A failure that the same call would meet again.
    pub fn new(code: &'static str, message: &'static str, suggestion: &'static str) -> CallError {
        CallError { code, message, path: String::new(), retryable: false, suggestion, status: 0 }
    }

    /// An argument that cannot be used; `path` is its (vetted) name.
    pub fn argument(path: &str, message: &'static str, suggestion: &'static str) -> CallError {
        CallError { path: path.to_string(), ..CallError::new("invalid-argument", message, suggestion) }
    }

    /// The same failure, marked as one that may pass.
    pub fn retryable(self) -> CallError {
        CallError { retryable: true, ..self }
    }

    /// The answer: `{"error","code","path"?,"status"?,"retryable","suggestion"}`.
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.field("error", self.message);
            out.field("code", self.code);
            if !self.path.is_empty() {
                out.field("path", &self.path);
            }
            if self.status != 0 {
                out.key("status");
                out.number(self.status as usize);
            }
            out.key("retryable");
            out.raw(if self.retryable { "true" } else { "false" });
            out.field("suggestion", self.suggestion);
        });
        out.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_an_answer() {
        let e = CallError::argument("q", "It is missing", "Give it");
        assert_eq!(
            e.to_json(),
            r#"{"error":"It is missing","code":"invalid-argument","path":"q","retryable":false,"suggestion":"Give it"}"#
        );
        let e = CallError { status: 503, ..CallError::new("http-status", "a", "b").retryable() };
        assert_eq!(e.to_json(), r#"{"error":"a","code":"http-status","status":503,"retryable":true,"suggestion":"b"}"#);
    }
}
