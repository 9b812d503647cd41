//! Destinations: which addresses a call may request, whatever a page declares.

use super::rules::Rule;
use crate::{
    dom::address::{origin, scheme},
    text,
};
use alloc::string::String;

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

/// Where the authority of what stands before the first parameter ends; 0 for a reference without one. Refuses a
/// parameter that comes before that end, and forms that URL parsers read differently (`https:host`, `///host`).
/// `form` says that the parameter starts or continues a query.
pub(super) fn authority_end(head: &str, form: bool) -> Result<usize, Rule> {
    let bytes = head.as_bytes();
    let at = text::until(head, b":/?#");
    let start = if bytes.get(at) == Some(&b':') {
        if !["https", "http"].iter().any(|s| text::same_ignoring_case(text::part(head, 0, at), s)) {
            return Err(Rule::Scheme);
        }
        if !text::part(head, at, head.len()).starts_with("://") {
            return Err(if at + 1 == head.len() { Rule::Authority } else { Rule::Address });
        }
        at + 3
    } else if head.starts_with("//") {
        2
    } else if at == head.len() && !form {
        // `{x}…` or `a{x}…` could still become a scheme.
        return Err(Rule::Authority);
    } else {
        return Ok(0);
    };
    let authority = text::part(head, start, head.len());
    let length = text::until(authority, b"/?#");
    if length == authority.len() && !form {
        return Err(Rule::Authority);
    }
    if length == 0 {
        return Err(Rule::Address);
    }
    if text::until(authority, b"@") < length {
        return Err(Rule::Userinfo);
    }
    Ok(start + length)
}

/// Checks scheme and origin of a serialised prefix.
pub(super) fn destination(prefix: String, to: &Destinations) -> Result<String, Rule> {
    let (Some(start), Some(target)) = (scheme(&prefix), origin(&prefix)) else { return Err(Rule::Scheme) };
    let host = text::part(target, start, target.len());
    let own = origin(to.page).unwrap_or("");
    if own == target {
        return Ok(prefix);
    }
    if own.starts_with("https") && start == 7 {
        // The page's own host written with http, as old plugins do, is the page's origin once it is upgraded.
        if text::part(own, 8, own.len()) != host {
            return Err(Rule::Insecure);
        }
        let mut upgraded = String::from("https");
        upgraded.push_str(text::part(&prefix, 4, prefix.len()));
        return Ok(upgraded);
    }
    if to.allowed_hosts.iter().any(|allowed| text::same_ignoring_case(allowed, host)) {
        return Ok(prefix);
    }
    Err(Rule::Origin)
}

/// Words of an address that acts, alone or as two in a row. A search never has them; markup in a comment might.
const ACTS: &str = " logout logoff signout signoff delete remove unsubscribe addtocart buynow checkout uninstall \
deactivate revoke log-out sign-out cart-add add-cart to-cart ";

/// Whether a path or query names something that acts.
pub(super) fn effect(part: &str) -> bool {
    let mut pair = String::from(" ");
    let mut word = String::from(" ");
    for i in 0..=part.len() {
        let b = part.as_bytes().get(i).copied().unwrap_or(b'/');
        if b.is_ascii_alphanumeric() {
            word.push(b as char);
            pair.push(b as char);
        } else if word.len() > 1 {
            word.push(' ');
            pair.push(' ');
            if text::contains(ACTS, &word) || text::contains(ACTS, &pair) {
                return true;
            }
            word.truncate(word.len() - 1);
            pair.clone_from(&word);
            pair.push('-');
            word.truncate(1);
        }
    }
    false
}
