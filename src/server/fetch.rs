//! Requests: GET only, without cookies, one document and nothing that it refers to.
//!
//! Who may be asked is in `offer::request`. It is checked on the address that is connected to, so that a name that
//! resolves to a private one gets nowhere either. Proxies of the environment are not used: behind one that address would
//! not be ours to see.

use crate::source::Document;
use agenticschema::{
    dom::html::{self, Mode},
    limits,
    offer::{
        address, charset,
        request::{self, Follow, REDIRECTS, Trusted},
    },
    tools::digest::Response,
};
use reqwest::{
    Client,
    dns::{Addrs, Name, Resolve, Resolving},
    header::{CONTENT_TYPE, LOCATION},
    redirect,
};
use std::{
    error::Error,
    fmt,
    net::SocketAddr,
    sync::{Arc, OnceLock},
    time::Duration,
};
use url::Url;

/// Milliseconds that a connection may take to come about.
const CONNECT: Duration = Duration::from_secs(10);

/// How requests are made.
#[derive(Clone, Debug)]
pub struct Manners {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// How long a page may take, redirects and body together.
    pub timeout: Duration,
    /// What the operator named.
    pub trusted: Trusted,
}

/// Makes requests.
pub struct Fetcher {
    manners: Manners,
    /// By what it may reach, made at first use.
    anywhere: OnceLock<Client>,
    public: OnceLock<Client>,
}

/// Why there is no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The address is none of the public internet.
    Blocked,
    /// The time is over.
    Timeout,
    /// A redirect that is not followed.
    Redirect(&'static str),
    /// Anything else, in words.
    Other(String),
}

/// What an action asks for.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The address.
    pub url: &'a str,
    /// How long the response may take.
    pub timeout: Duration,
    /// Bytes of the body that are read.
    pub limit: usize,
    /// Whether the body is read as HTML whatever its type.
    pub markup: bool,
}

/// A response, its body read up to a limit.
struct Answer {
    url: Url,
    status: u16,
    content_type: String,
    body: Vec<u8>,
    cut: bool,
}

impl Fetcher {
    /// Makes requests in this manner.
    pub fn new(manners: Manners) -> Fetcher {
        // Ours is the only one; a second call changes nothing.
        let _ = rustls::crypto::ring::default_provider().install_default();
        Fetcher { manners, anywhere: OnceLock::new(), public: OnceLock::new() }
    }

    /// A page that the operator named.
    ///
    /// # Errors
    /// No response, or one that is no page.
    pub async fn page(&self, url: &Url) -> Result<Document, Failure> {
        let answer = self.within(self.manners.timeout, self.get(url, Follow::Anywhere, limits::PAGE)).await?;
        request::page(answer.url.as_str(), answer.status, &answer.content_type).map_err(Failure::Other)?;
        let html = charset::page(&answer.body, &answer.content_type);
        Ok(Document { url: answer.url.into(), html, cut: answer.cut })
    }

    /// Carries out the request of an action and hands the response on; a failure is a response in the core's words.
    /// `own` is the page's address: as in a browser, redirects are followed inside its origin only.
    ///
    /// # Errors
    /// An address that may not be asked.
    pub async fn action<T>(
        &self,
        asked: Asked<'_>,
        own: &str,
        answer: impl FnOnce(&Response) -> T,
    ) -> Result<T, Failure> {
        let failed = |word| Response { url: "", status: 0, content_type: "", body: word };
        let Ok(url) = Url::parse(asked.url) else { return Ok(answer(&failed("network"))) };
        let follow = request::follow_from(own, &url);
        let limit = asked.limit.min(limits::RESPONSE);
        let got = match self.within(asked.timeout, self.get(&url, follow, limit)).await {
            Ok(got) => got,
            Err(Failure::Blocked) => return Err(Failure::Blocked),
            Err(Failure::Timeout) => return Ok(answer(&failed("timeout"))),
            Err(Failure::Redirect(_)) => return Ok(answer(&failed("redirect"))),
            Err(Failure::Other(_)) => return Ok(answer(&failed("network"))),
        };
        let text = charset::response(&got.body, &got.content_type);
        let markup = asked.markup || got.content_type.to_ascii_lowercase().contains("html");
        let body = if markup { html::wire_in(&text, got.url.as_str(), Mode::Page, false) } else { text };
        let url = got.url.as_str();
        Ok(answer(&Response { url, status: got.status, content_type: &got.content_type, body: &body }))
    }

    async fn within<T>(&self, time: Duration, work: impl Future<Output = Result<T, Failure>>) -> Result<T, Failure> {
        tokio::time::timeout(time, work).await.unwrap_or(Err(Failure::Timeout))
    }

    async fn get(&self, url: &Url, follow: Follow, limit: usize) -> Result<Answer, Failure> {
        let mut url = url.clone();
        for _ in 0..=REDIRECTS {
            let request = self
                .client(&url)?
                .get(url.clone())
                .header("accept", "text/html,application/xhtml+xml,application/json;q=0.9,*/*;q=0.8");
            let mut response = request.send().await.map_err(|error| failure(&error))?;
            let header =
                |name| response.headers().get(name).and_then(|v| v.to_str().ok()).unwrap_or_default().to_string();
            let (status, location) = (response.status().as_u16(), header(LOCATION));
            if !matches!(status, 301 | 302 | 303 | 307 | 308) || location.is_empty() {
                let content_type = header(CONTENT_TYPE);
                let (mut body, mut cut) = (Vec::new(), false);
                // The limit counts what comes out of decompression.
                while let Some(chunk) = response.chunk().await.map_err(|error| failure(&error))? {
                    let room = limit - body.len();
                    body.extend_from_slice(&chunk[..chunk.len().min(room)]);
                    cut = chunk.len() > room;
                    if cut {
                        break;
                    }
                }
                return Ok(Answer { url, status, content_type, body, cut });
            }
            url = self.manners.trusted.redirected(&url, &location, follow).map_err(Failure::Redirect)?;
        }
        Err(Failure::Redirect("it redirects again and again"))
    }

    /// The client for this address, if the address may be asked at all.
    fn client(&self, url: &Url) -> Result<&Client, Failure> {
        if self.manners.trusted.has(url) {
            return made(&self.anywhere, || self.build());
        }
        // The resolver is not asked for these.
        if request::is_private(url) {
            return Err(Failure::Blocked);
        }
        made(&self.public, || self.build().dns_resolver(Arc::new(PublicOnly)))
    }

    fn build(&self) -> reqwest::ClientBuilder {
        Client::builder()
            .user_agent(&self.manners.user_agent)
            .redirect(redirect::Policy::none())
            .referer(false)
            .no_proxy()
            .connect_timeout(CONNECT)
    }
}

fn made(cell: &OnceLock<Client>, build: impl FnOnce() -> reqwest::ClientBuilder) -> Result<&Client, Failure> {
    if let Some(client) = cell.get() {
        return Ok(client);
    }
    let client =
        build().build().map_err(|error| Failure::other(format!("no connections can be made: {}", chain(&error))))?;
    Ok(cell.get_or_init(|| client))
}

/// Resolves names to public addresses only.
struct PublicOnly;

impl Resolve for PublicOnly {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            let public: Vec<SocketAddr> = found.into_iter().filter(|a| address::is_public(a.ip())).collect();
            if public.is_empty() {
                return Err(Private.into());
            }
            Ok(Box::new(public.into_iter()) as Addrs)
        })
    }
}

/// A name that resolves to no public address.
#[derive(Debug)]
struct Private;

impl fmt::Display for Private {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("the name resolves to no public address")
    }
}

impl Error for Private {}

impl Failure {
    /// A failure in words.
    pub fn other(words: impl Into<String>) -> Failure {
        Failure::Other(words.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Blocked => f.write_str(
                "it leads into a private network, where only addresses that you name yourself are read: name that one instead",
            ),
            Failure::Timeout => f.write_str("it did not answer in time (--timeout)"),
            Failure::Redirect(words) => f.write_str(words),
            Failure::Other(words) => f.write_str(words),
        }
    }
}

fn failure(error: &reqwest::Error) -> Failure {
    let mut at: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(cause) = at {
        if cause.is::<Private>() {
            return Failure::Blocked;
        }
        at = cause.source();
    }
    if error.is_timeout() { Failure::Timeout } else { Failure::other(format!("no answer: {}", chain(error))) }
}

/// The innermost causes of an error: the outer ones only say that there is one.
fn chain(error: &dyn Error) -> String {
    let (mut at, mut words) = (error.source(), error.to_string());
    while let Some(cause) = at {
        words = cause.to_string();
        at = cause.source();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fetcher(trusted: &[&str]) -> Fetcher {
        Fetcher::new(Manners {
            user_agent: "test".to_string(),
            timeout: Duration::from_secs(5),
            trusted: Trusted {
                origins: trusted.iter().map(|url| Url::parse(url).unwrap().origin()).collect(),
                hosts: vec!["127.0.0.1:9".to_string()],
            },
        })
    }

    #[test]
    fn only_named_origins_may_be_private() {
        let fetcher = fetcher(&["http://127.0.0.1:8/"]);
        let may = |url: &str| fetcher.client(&Url::parse(url).unwrap()).is_ok();
        assert!(may("http://127.0.0.1:8/other") && may("http://127.0.0.1:9/") && may("https://1.1.1.1/"));
        assert!(!may("https://127.0.0.1:8/") && !may("http://127.0.0.1/") && !may("http://169.254.169.254/"));
    }

    #[tokio::test]
    async fn names_are_checked_where_they_lead() {
        let got = fetcher(&[]).get(&Url::parse("http://localhost:8/").unwrap(), Follow::Anywhere, 10).await;
        assert_eq!(got.err(), Some(Failure::Blocked));
    }
}
