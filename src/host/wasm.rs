//! The whole wasm boundary: a handle and strings. `js/wasm.js` is the other side.

use crate::{
    diagnostic::Diagnostics,
    dom::Snapshot,
    options::Options,
    page::{self, Outcome, Page},
    text,
    tools::digest::Response,
};
use alloc::string::String;
use wasm_bindgen::prelude::*;

/// A page as the browser host holds it: read again and again, called in between.
#[wasm_bindgen]
pub struct Core {
    options: Options,
    diagnostics: Diagnostics,
    page: Page,
    /// Of the page, between `read` and `tools`.
    snapshot: Snapshot,
}

#[wasm_bindgen]
impl Core {
    /// `options` is a JSON object of option name → value, as the tag or the API gave it.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> Core {
        let mut diagnostics = Diagnostics::default();
        let options = Options::from_json(options, &mut diagnostics);
        Core { options, diagnostics, page: Page::default(), snapshot: Snapshot::default() }
    }

    /// `{"watch", "debounceMs", "diagnostics"}`
    pub fn options(&self) -> String {
        self.options.host_json(&self.diagnostics)
    }

    /// Reads the page anew, but for its tools; returns nothing. In two calls, since each blocks the page.
    pub fn read(&mut self, wire: String) -> String {
        self.snapshot = Snapshot::decode(wire);
        self.page = Page::understand(&self.snapshot, &self.options);
        String::new()
    }

    /// Makes the tools of the page that was read: `{"tools", "diagnostics"}`.
    pub fn tools(&mut self) -> String {
        self.page.build(&self.snapshot);
        self.snapshot = Snapshot::default();
        self.page.to_json()
    }

    /// Calls a tool: `=` and the answer, `>` and the plan of a request, or `?` if the page's text is wanted. Then the
    /// same call is made again with `words`, the wire form of the document in text mode; until then they are empty.
    pub fn call(&self, name: &str, arguments: &str, words: &str) -> String {
        marked(self.page.call_with_text(name, arguments, Some(words).filter(|words| !words.is_empty())))
    }

    /// What comes of a request that was carried out, marked likewise: `plan` as it was given, `url` the address after
    /// redirects, `body` the text or, for HTML, the wire form of the parsed document in page mode. Without a response
    /// `url` is empty, `status` 0 and `body` the reason in one word.
    pub fn finish(&self, plan: &str, url: &str, status: u16, content_type: &str, body: &str) -> String {
        marked(page::finish(plan, &Response { url, status, content_type, body }, &self.options))
    }
}

fn marked(outcome: Outcome) -> String {
    let (mark, text) = match &outcome {
        Outcome::Answer(text) => ("=", text.as_str()),
        Outcome::Plan(text) => (">", text.as_str()),
        Outcome::Text => ("?", ""),
    };
    text::joined(mark, text)
}
