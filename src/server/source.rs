//! What is a page: an address, a file, or standard input.

use crate::fetch::{Failure, Fetcher};
use agenticschema::{
    limits,
    offer::{charset, names::Place},
};
use std::{
    fmt,
    io::Read,
    path::{Path, PathBuf},
};
use url::{Origin, Url};

/// Where a page comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// An http or https address.
    Web(Url),
    /// A file.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// A page as it was got.
#[derive(Clone, Debug)]
pub struct Document {
    /// Its address, after redirects.
    pub url: String,
    /// Its text.
    pub html: String,
    /// Whether there was more of it than is read.
    pub cut: bool,
}

impl Source {
    /// What a word on the command line means.
    ///
    /// # Errors
    /// A word that names no page, in words.
    pub fn parse(word: &str) -> Result<Source, String> {
        if word == "-" {
            return Ok(Source::Stdin);
        }
        let scheme = word.split_once("://").map(|(scheme, _)| scheme.to_ascii_lowercase());
        match scheme.as_deref() {
            Some("http" | "https") => {
                let url = Url::parse(word).map_err(|error| format!("{word} is no address: {error}."))?;
                if !url.username().is_empty() || url.password().is_some() {
                    return Err("an address with a name or password in it is not read: agents would see both.".into());
                }
                Ok(Source::Web(url))
            }
            Some("file") => match Url::parse(word).map(|url| url.to_file_path()) {
                Ok(Ok(path)) => Ok(Source::File(path)),
                _ => Err(format!("{word} names no file on this machine.")),
            },
            Some(scheme) if scheme.bytes().all(|b| b.is_ascii_alphanumeric()) => {
                Err(format!("{scheme} is not read: give an http or https address, or a file."))
            }
            _ if word.is_empty() => Err("an empty word names no page.".into()),
            _ => Ok(Source::File(PathBuf::from(word))),
        }
    }

    /// The origin of an address.
    pub fn origin(&self) -> Option<Origin> {
        match self {
            Source::Web(url) => Some(url.origin()),
            _ => None,
        }
    }

    /// What the page's names are made of.
    pub fn place(&self) -> Place {
        let path = match self {
            Source::Web(url) => return Place::of(url),
            Source::File(path) => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            Source::Stdin => "stdin".to_string(),
        };
        Place { written: self.to_string(), host: String::new(), path }
    }

    /// Gets the page.
    ///
    /// # Errors
    /// Why it cannot be had.
    pub async fn get(&self, fetcher: &Fetcher) -> Result<Document, Failure> {
        match self {
            Source::Web(url) => fetcher.page(url).await,
            Source::File(path) => {
                let path = path.clone();
                blocking(move || {
                    let url = std::fs::canonicalize(&path).ok().and_then(|path| Url::from_file_path(path).ok());
                    let file = std::fs::File::open(&path).map_err(|error| missing(&path, &error))?;
                    document(file, url.map_or(String::from("file:///"), |url| url.to_string()))
                })
                .await
            }
            Source::Stdin => blocking(|| document(std::io::stdin().lock(), String::from("about:blank"))).await,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Source::Web(url) => write!(f, "{url}"),
            Source::File(path) => write!(f, "{}", path.display()),
            Source::Stdin => write!(f, "standard input"),
        }
    }
}

async fn blocking(work: impl FnOnce() -> Result<Document, Failure> + Send + 'static) -> Result<Document, Failure> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(Failure::other("reading it was given up")))
}

fn document(from: impl Read, url: String) -> Result<Document, Failure> {
    let mut bytes = Vec::new();
    from.take(limits::PAGE as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| Failure::other(format!("it cannot be read: {error}")))?;
    let cut = bytes.len() > limits::PAGE;
    bytes.truncate(limits::PAGE);
    Ok(Document { url, html: charset::page(&bytes, ""), cut })
}

fn missing(path: &Path, error: &std::io::Error) -> Failure {
    let looks_like_host = !path.exists() && path.to_string_lossy().contains('.');
    let hint = if looks_like_host { " (a page on the web begins with https://)" } else { "" };
    Failure::other(format!("it cannot be opened: {error}{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(Source::parse("-"), Ok(Source::Stdin));
        assert_eq!(Source::parse("HTTPS://Shop.Example").unwrap().to_string(), "https://shop.example/");
        assert_eq!(Source::parse("a/b.html"), Ok(Source::File("a/b.html".into())));
        assert_eq!(Source::parse("file:///a/b%20c.html"), Ok(Source::File("/a/b c.html".into())));
        for bad in ["", "ftp://a.example/", "javascript://x", "https://", "http://[::1", "https://u@a.example/"] {
            assert!(Source::parse(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn places() {
        let path = |word: &str| Source::parse(word).unwrap().place().path;
        assert_eq!((path("-"), path("a/Lamp.html")), ("stdin".to_string(), "Lamp".to_string()));
        assert_eq!(Source::parse("https://www.a.example/p").unwrap().place().host, "a.example");
    }
}
