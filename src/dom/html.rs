//! HTML text → snapshot, natively, through html5ever.

use alloc::string::{String, ToString};

/// `url` resolved against `base` and serialised (WHATWG URL), or `None` if it does not parse.
pub fn resolve(url: &str, base: &str) -> Option<String> {
    match url::Url::parse(base) {
        Ok(base) => base.join(url).ok(),
        Err(_) => url::Url::parse(url).ok(),
    }
    .map(|u| u.to_string())
}
