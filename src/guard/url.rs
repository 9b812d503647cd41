//! Destinations: which addresses a call may request, whatever a page declares.

use super::rules::{self, Rule};
use crate::text;
use alloc::string::{String, ToString};

/// Where requests may go.
#[derive(Clone, Copy, Debug)]
pub struct Destinations<'a> {
    /// URL of the page: its origin is allowed.
    pub page: &'a str,
    /// Base URL of the page.
    pub base: &'a str,
    /// Further hosts, exact, with the port where it is not the scheme's own (`api.example.com`, `localhost:8080`).
    pub allowed_hosts: &'a [String],
}

/// Why a template is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule it breaks.
    pub rule: &'static Rule,
    /// The part that breaks it: page text, for diagnostics only. May be empty.
    pub argument: String,
}

/// The origin (`https://host:port`) of a serialised http or https address.
pub fn origin(address: &str) -> Option<&str> {
    let (start, end) = authority(address)?;
    (end > start).then(|| &address[..end])
}

/// Whether an address is serialised http or https: the only ones that answers and requests may carry.
pub fn is_web(address: &str) -> bool {
    origin(address).is_some()
}

pub(super) fn refuse<T>(rule: &'static Rule, argument: &str) -> Result<T, Refusal> {
    Err(Refusal { rule, argument: argument.to_string() })
}

/// Where the authority of what stands before the first parameter ends; 0 for a reference without one. Refuses a
/// parameter that comes before that end, and forms that URL parsers read differently (`https:host`, `///host`).
pub(super) fn authority_end(head: &str, first_form: bool, source: &str) -> Result<usize, Refusal> {
    let bytes = head.as_bytes();
    let colon = bytes.iter().position(|b| matches!(b, b':' | b'/' | b'?' | b'#'));
    let start = match colon {
        Some(at) if bytes[at] == b':' => {
            let scheme = &head[..at];
            if !text::same_ignoring_case(scheme, "https") && !text::same_ignoring_case(scheme, "http") {
                return refuse(&rules::SCHEME, scheme);
            }
            if !bytes[at + 1..].starts_with(b"//") {
                return refuse(if at + 1 == bytes.len() { &rules::AUTHORITY } else { &rules::ADDRESS }, source);
            }
            at + 3
        }
        _ if bytes.starts_with(b"//") => 2,
        // `{x}…` or `a{x}…` could still become a scheme.
        None if !first_form => return refuse(&rules::AUTHORITY, head),
        _ => return Ok(0),
    };
    let end = match bytes[start..].iter().position(|b| matches!(b, b'/' | b'?' | b'#')) {
        Some(length) => start + length,
        None if first_form => bytes.len(),
        None => return refuse(&rules::AUTHORITY, head),
    };
    if end == start {
        return refuse(&rules::ADDRESS, source);
    }
    if bytes[start..end].contains(&b'@') {
        return refuse(&rules::USERINFO, source);
    }
    Ok(end)
}

/// Checks scheme, user and origin of a serialised prefix.
pub(super) fn destination(prefix: String, to: &Destinations) -> Result<String, Refusal> {
    let Some((start, end)) = authority(&prefix) else { return refuse(&rules::SCHEME, &prefix) };
    let host = &prefix[start..end];
    if host.bytes().any(|b| b == b'@') {
        return refuse(&rules::USERINFO, &prefix);
    }
    let secure_page = to.page.starts_with("https://");
    if secure_page && prefix.starts_with("http://") {
        // The page's own host written with http, as old plugins do, is the page's origin once it is upgraded.
        if origin(to.page).is_some_and(|own| &own[8..] == host) {
            let mut upgraded = String::from("https");
            upgraded.push_str(&prefix[4..]);
            return Ok(upgraded);
        }
        return refuse(&rules::INSECURE, host);
    }
    let own = origin(to.page).is_some_and(|own| own == &prefix[..end]);
    if own || to.allowed_hosts.iter().any(|allowed| text::same_ignoring_case(allowed, host)) {
        Ok(prefix)
    } else {
        refuse(&rules::ORIGIN, host)
    }
}

/// Where the authority of a serialised http or https address starts and ends.
pub(super) fn authority(address: &str) -> Option<(usize, usize)> {
    let start = if address.starts_with("https://") {
        8
    } else if address.starts_with("http://") {
        7
    } else {
        return None;
    };
    let length = address.bytes().skip(start).position(|b| matches!(b, b'/' | b'?' | b'#'));
    Some((start, length.map_or(address.len(), |n| start + n)))
}

/// Whether a path or query names something that acts. A search never does; markup in a comment might.
pub(super) fn effect(part: &str) -> bool {
    const ACTS: &[&str] = &[
        "logout",
        "logoff",
        "signout",
        "signoff",
        "delete",
        "remove",
        "unsubscribe",
        "addtocart",
        "buynow",
        "checkout",
        "uninstall",
        "deactivate",
        "revoke",
    ];
    const PAIRS: &[(&str, &str)] = &[("log", "out"), ("sign", "out"), ("cart", "add"), ("add", "cart"), ("to", "cart")];
    let mut before = "";
    for word in part.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()) {
        let is = |known: &str| text::same_ignoring_case(word, known);
        if ACTS.iter().any(|act| is(act)) || PAIRS.iter().any(|(a, b)| text::same_ignoring_case(before, a) && is(b)) {
            return true;
        }
        before = word;
    }
    false
}
