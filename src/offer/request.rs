//! Where a request may go, and which redirects it follows.
//!
//! The operator named some addresses; those may lie anywhere, also on the same machine. Whatever a page points at
//! (redirects, searches) may lie on the public internet only.

use super::address;
use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};
use core::net::IpAddr;
use url::{Host, Origin, Url};

/// Redirects that are followed.
pub const REDIRECTS: usize = 10;
/// Types of a page.
const PAGES: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// How far redirects are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follow {
    /// To any address that may be asked.
    Anywhere,
    /// Inside the origin.
    SameOrigin,
    /// Not at all.
    Never,
}

/// What the operator named.
#[derive(Clone, Debug, Default)]
pub struct Trusted {
    /// Origins of the pages.
    pub origins: Vec<Origin>,
    /// Hosts for searches, with the port where it is not the scheme's own.
    pub hosts: Vec<String>,
}

impl Trusted {
    /// Whether an address may lie anywhere, because the operator named its origin or host.
    pub fn has(&self, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let host = url.port().map_or(host.to_string(), |port| format!("{host}:{port}"));
        self.origins.contains(&url.origin()) || self.hosts.contains(&host)
    }

    /// The address that a redirect from `from` leads to.
    ///
    /// # Errors
    /// Why it is not followed, in words.
    pub fn redirected(&self, from: &Url, location: &str, follow: Follow) -> Result<Url, &'static str> {
        let mut next = from.join(location).map_err(|_| "it redirects to what is no address")?;
        if !matches!(next.scheme(), "http" | "https") {
            return Err("it redirects to what is no web address");
        }
        if follow == Follow::Never || follow == Follow::SameOrigin && next.origin() != from.origin() {
            return Err("it redirects to another origin");
        }
        // On the way there anybody could change the page, and https was asked for.
        if from.scheme() == "https" && next.scheme() == "http" && !self.origins.contains(&next.origin()) {
            return Err(
                "it redirects from https to http, where it could be changed on its way: name that address itself",
            );
        }
        if next.fragment().is_none() {
            next.set_fragment(from.fragment());
        }
        Ok(next)
    }
}

/// Redirects of a search: as in a browser, inside the page's own origin only.
pub fn follow_from(page: &str, asked: &Url) -> Follow {
    let is_own = Url::parse(page).is_ok_and(|page| page.origin() == asked.origin());
    if is_own { Follow::SameOrigin } else { Follow::Never }
}

/// Whether an address says itself that it is none of the public internet. Where a name leads is for the host to see.
pub fn is_private(url: &Url) -> bool {
    let literal = match url.host() {
        Some(Host::Ipv4(address)) => IpAddr::V4(address),
        Some(Host::Ipv6(address)) => IpAddr::V6(address),
        _ => return false,
    };
    !address::is_public(literal)
}

/// Checks a response that is to be a page.
///
/// # Errors
/// Why it is none, in words.
pub fn page(url: &str, status: u16, content_type: &str) -> Result<(), String> {
    if !(200..300).contains(&status) {
        return Err(format!("{url} answered with status {status}"));
    }
    let essence = content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    if !essence.is_empty() && !PAGES.contains(&essence.as_str()) {
        let what: String = essence.chars().filter(|c| c.is_ascii_graphic()).take(100).collect();
        return Err(format!("{url} is no page but {what}"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn named_addresses() {
        let trusted = Trusted {
            origins: ["http://127.0.0.1:8/p", "https://a.example/"].map(|text| url(text).origin()).to_vec(),
            hosts: ["127.0.0.1:9".to_string(), "b.example".to_string()].to_vec(),
        };
        for yes in ["http://127.0.0.1:8/x", "https://a.example/", "http://127.0.0.1:9/", "https://b.example/x"] {
            assert!(trusted.has(&url(yes)), "{yes}");
        }
        for no in ["https://127.0.0.1:8/", "http://a.example/", "https://a.example:444/", "https://b.example:9/"] {
            assert!(!trusted.has(&url(no)), "{no}");
        }
    }

    #[test]
    fn private_addresses() {
        for private in [
            "http://127.0.0.1/",
            "http://127.1:80/",
            "http://2130706433/",
            "http://[::1]:8/",
            "http://[::ffff:7f00:1]/",
            "http://169.254.169.254/",
        ] {
            assert!(is_private(&url(private)), "{private}");
        }
        assert!(!is_private(&url("http://1.1.1.1/")) && !is_private(&url("http://localhost/")));
    }

    #[test]
    fn redirects() {
        let trusted = Trusted { origins: [url("http://c.example/").origin()].to_vec(), hosts: Vec::new() };
        let go = |from: &str, to: &str, follow| trusted.redirected(&url(from), to, follow).map(|url| url.to_string());
        let from = "https://a.example/p#f";
        assert_eq!(go(from, "../q", Follow::SameOrigin).as_deref(), Ok("https://a.example/q#f"));
        assert_eq!(go(from, "//b.example/#g", Follow::Anywhere).as_deref(), Ok("https://b.example/#g"));
        assert_eq!(
            go("http://b.example/", "https://b.example/", Follow::Anywhere).as_deref(),
            Ok("https://b.example/")
        );
        assert_eq!(go("http://b.example/", "http://d.example/", Follow::Anywhere).as_deref(), Ok("http://d.example/"));
        // To http only where that was asked for.
        assert!(go(from, "http://a.example/p", Follow::Anywhere).is_err());
        assert_eq!(go(from, "http://c.example/", Follow::Anywhere).as_deref(), Ok("http://c.example/#f"));
        for (to, follow) in [
            ("https://[", Follow::Anywhere),
            ("file:///etc/passwd", Follow::Anywhere),
            ("javascript:x", Follow::Anywhere),
            ("//b.example/", Follow::SameOrigin),
            ("https://a.example:444/", Follow::SameOrigin),
            ("/q", Follow::Never),
        ] {
            assert!(go(from, to, follow).is_err(), "{to}");
        }
        assert_eq!(follow_from("https://a.example/p", &url("https://a.example/s")), Follow::SameOrigin);
        assert_eq!(follow_from("https://a.example/p", &url("https://b.example/s")), Follow::Never);
        assert_eq!(follow_from("about:blank", &url("https://b.example/s")), Follow::Never);
    }

    #[test]
    fn pages() {
        for (status, kind, good) in [
            (200, "text/html; charset=x", true),
            (200, "", true),
            (203, "Application/XHTML+xml", true),
            (404, "text/html", false),
            (200, "image/png", false),
        ] {
            assert_eq!(page("https://a.example/", status, kind).is_ok(), good, "{status} {kind}");
        }
    }
}
