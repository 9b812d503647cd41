//! A call: the core's answer, or its plan of a request, carried out.

use crate::{
    fetch::{Asked, Failure},
    site::{Read, Site},
};
use agenticschema::{
    page::{self, Outcome},
    tools::{digest::Response, error::CallError},
};
use serde_json::Value;
use std::time::Duration;

/// Requests of one call: the first may only describe the second.
const REQUESTS: usize = 2;

/// The answer of a tool of this page, always one JSON object.
pub async fn answer(site: &Site, read: &Read, tool: &str, arguments: &str) -> String {
    let mut outcome = read.page.call(tool, arguments);
    for _ in 0..REQUESTS {
        match outcome {
            Outcome::Answer(answer) => return answer,
            Outcome::Plan(plan) => outcome = act(site, read, &plan).await,
            // A page read from HTML has its text.
            Outcome::Text => break,
        }
    }
    match outcome {
        Outcome::Answer(answer) => answer,
        Outcome::Plan(_) | Outcome::Text => error("internal", "The call could not be carried out"),
    }
}

/// Whether an answer is the core's word for a failure. No page can say so: its properties come after `type`, and none
/// of Schema.org's is called `retryable`.
pub fn is_error(answer: &Value) -> bool {
    ["error", "code", "suggestion"].iter().all(|key| answer.get(key).is_some_and(Value::is_string))
        && answer.get("retryable").is_some_and(Value::is_boolean)
}

async fn act(site: &Site, read: &Read, plan: &str) -> Outcome {
    let request: Value = serde_json::from_str(plan).unwrap_or_default();
    let number = |key: &str| request[key].as_u64().unwrap_or_default();
    let asked = Asked {
        url: request["url"].as_str().unwrap_or_default(),
        timeout: Duration::from_millis(number("timeoutMs")),
        limit: usize::try_from(number("maxBytes")).unwrap_or_default(),
        markup: request.get("search").is_some(),
    };
    let finish = |response: &Response| page::finish(plan, response, &site.options);
    match site.fetcher.action(asked, &read.url, finish).await {
        Ok(outcome) => outcome,
        Err(Failure::Blocked) => {
            Outcome::Answer(error("blocked-address", "The search leads into a private network, which is not asked"))
        }
        Err(_) => Outcome::Answer(error("internal", "The search could not be carried out")),
    }
}

fn error(code: &'static str, what: &'static str) -> String {
    CallError::new(code, what, "Use what the other tools say.").to_json()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_from_answers() {
        let error = CallError::argument("q", "It is missing", "Give it").to_json();
        assert!(is_error(&serde_json::from_str(&error).unwrap()));
        for answer in [r#"{"error":"no"}"#, r#"{"type":"Action","error":"e","code":"c","suggestion":"s"}"#, "{}"] {
            assert!(!is_error(&serde_json::from_str(answer).unwrap()), "{answer}");
        }
    }
}
