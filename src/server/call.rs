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
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

/// Requests of one call: the first may only describe the second.
const REQUESTS: usize = 2;

/// The answer of a tool of this page, always one JSON object.
pub async fn answer(site: &Site, read: &Read, tool: &str, arguments: &str) -> String {
    let mut outcome = survived(|| read.page.call(tool, arguments));
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

async fn act(site: &Site, read: &Read, plan: &str) -> Outcome {
    let request: Value = serde_json::from_str(plan).unwrap_or_default();
    let number = |key: &str| request[key].as_u64().unwrap_or_default();
    let asked = Asked {
        url: request["url"].as_str().unwrap_or_default(),
        timeout: Duration::from_millis(number("timeoutMs")),
        limit: usize::try_from(number("maxBytes")).unwrap_or_default(),
        markup: request.get("search").is_some(),
    };
    let finish = |response: &Response| survived(|| page::finish(plan, response, &site.options));
    match site.fetcher.action(asked, &read.url, finish).await {
        Ok(outcome) => outcome,
        Err(Failure::Blocked) => {
            Outcome::Answer(error("blocked-address", "The search leads into a private network, which is not asked"))
        }
        Err(_) => Outcome::Answer(error("internal", "The search could not be carried out")),
    }
}

/// A mistake in the core costs this call, and no other client notices: what it works on is only read.
fn survived(work: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| Outcome::Answer(error("internal", "The page could not be read for this call")))
}

fn error(code: &'static str, what: &'static str) -> String {
    CallError::new(code, what, "Use what the other tools say.").to_json()
}

#[cfg(test)]
mod tests {
    use super::*;
    use agenticschema::offer::is_error;

    #[test]
    fn a_panic_is_an_answer() {
        let Outcome::Answer(answer) = survived(|| panic!("a mistake")) else { panic!() };
        assert!(is_error(&answer) && answer.contains(r#""code":"internal""#), "{answer}");
        assert_eq!(survived(|| Outcome::Text), Outcome::Text);
    }
}
