//! The browser's side of the seam. The live DOM itself is read by `js/snapshot.js` (see docs/ARCHITECTURE.md for
//! the measurements behind that); what is left to import is the page's own URL parser.

use alloc::string::String;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(raw_module = "../js/url.js")]
extern "C" {
    #[wasm_bindgen(js_name = resolveUrl)]
    fn resolve_url(url: &str, base: &str) -> String;
}

/// For [`super::resolve`]: `url` resolved against `base` and serialised (WHATWG URL), or `None` if it does not parse.
pub fn parse(url: &str, base: &str) -> Option<String> {
    Some(resolve_url(url, base)).filter(|u| !u.is_empty())
}
