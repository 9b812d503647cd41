//! The command line. A flag is a field: its comment is its help.

use crate::{fetch::Manners, source::Source};
use agenticschema::{Options, offer::request::Trusted};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::time::Duration;

/// Serves what pages say in Schema.org markup as an MCP server.
///
/// Standard output carries the protocol; the list of tools, and what could not be read, go to standard error.
#[derive(Debug, Parser)]
#[command(name = "agenticschema", version, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
#[command(disable_help_subcommand = true)]
#[command(after_help = "Exit codes: 0; 1 no page could be read, or the port is taken; 2 usage.")]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    reading: Reading,
    /// Serves Streamable HTTP on 127.0.0.1 instead of standard input and output
    #[arg(long)]
    http: bool,
    /// Port for --http; 0 takes a free one
    #[arg(long, default_value_t = 3111, value_name = "PORT")]
    port: u16,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Prints tools, answers and diagnostics of pages, and ends
    Map {
        #[command(flatten)]
        reading: Reading,
        /// Prints a JSON object per page, one a line
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args, Debug)]
struct Reading {
    /// Pages: an address (https://…, http://…), a file, or - for standard input
    #[arg(required = true, value_name = "URL|FILE|-")]
    pages: Vec<String>,
    /// Most tools of a page, the most useful first
    #[arg(long, default_value_t = Options::default().max_tools, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    max_tools: u32,
    /// Readers only, no search
    #[arg(long)]
    no_actions: bool,
    /// Host besides the page's own that a search may ask, such as api.example.com or localhost:8080 (repeatable)
    #[arg(long, value_name = "HOST", value_parser = host)]
    allow_host: Vec<String>,
    /// `split` adds finer readers such as get_product_rating
    #[arg(long, default_value = "compact", value_name = "SET")]
    toolset: Toolset,
    /// Says nothing on standard error while all is well
    #[arg(long)]
    quiet: bool,
    /// Milliseconds that a page is good for before it is read again; 0 reads it for every request
    #[arg(long, default_value_t = 300_000, value_name = "MS")]
    cache_ttl: u64,
    /// Milliseconds that a page, or a search, may take
    #[arg(long, default_value_t = Options::default().timeout_ms, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..))]
    timeout: u32,
    /// How requests name this program
    #[arg(long, default_value = concat!("AgenticSchema/", env!("CARGO_PKG_VERSION")), value_name = "TEXT", value_parser = header)]
    user_agent: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Toolset {
    Compact,
    Split,
}

/// What to do with the pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Print them.
    Map {
        /// As JSON lines.
        json: bool,
    },
    /// Serve them to the client at the other end of standard input and output.
    Stdio,
    /// Serve them to any client on this machine.
    Http {
        /// Port of 127.0.0.1.
        port: u16,
    },
}

/// Which pages to read, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The pages, in the order they were named.
    pub sources: Vec<Source>,
    /// The pipeline's options.
    pub options: Options,
    /// How requests are made.
    pub manners: Manners,
    /// How long a page is good for.
    pub ttl: Duration,
    /// Whether to keep silent on standard error.
    pub quiet: bool,
}

impl Arguments {
    /// The command line of this process. clap answers `--help`, `--version` and most mistakes itself, and exits.
    ///
    /// # Errors
    /// A page that can be none, in words.
    pub fn read() -> Result<(Doing, Plan), String> {
        Arguments::parse().plan()
    }

    fn plan(self) -> Result<(Doing, Plan), String> {
        let (doing, reading) = match self.command {
            Some(Command::Map { reading, json }) => (Doing::Map { json }, reading),
            None if self.http => (Doing::Http { port: self.port }, self.reading),
            None => (Doing::Stdio, self.reading),
        };
        let sources = reading.pages.iter().map(|page| Source::parse(page)).collect::<Result<Vec<_>, _>>()?;
        match sources.iter().filter(|source| **source == Source::Stdin).count() {
            0 => {}
            1 if doing != Doing::Stdio => {}
            1 => {
                return Err(
                    "standard input carries the protocol, so no page can come from it: add --http, or name a file."
                        .into(),
                );
            }
            _ => return Err("standard input is one page; - can be named once.".into()),
        }
        let options = Options {
            actions: !reading.no_actions,
            max_tools: reading.max_tools,
            allow_hosts: reading.allow_host.clone(),
            split: reading.toolset == Toolset::Split,
            timeout_ms: reading.timeout,
            ..Options::default()
        };
        let manners = Manners {
            user_agent: reading.user_agent,
            timeout: Duration::from_millis(reading.timeout.into()),
            trusted: Trusted {
                origins: sources.iter().filter_map(Source::origin).collect(),
                hosts: reading.allow_host,
            },
        };
        let ttl = Duration::from_millis(reading.cache_ttl);
        // What there is to say about the pages is what `map` prints.
        let quiet = reading.quiet || matches!(doing, Doing::Map { .. });
        Ok((doing, Plan { sources, options, manners, ttl, quiet }))
    }
}

/// A host name or address with or without a port: what a URL has between `//` and `/`.
fn host(text: &str) -> Result<String, String> {
    let url = url::Url::parse(&format!("https://{text}/"));
    let plain = url.as_ref().is_ok_and(|url| {
        url.path() == "/"
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none()
    });
    match url {
        Ok(url) if plain && !text.ends_with(['/', ':']) && !text.contains(['/', '\\', '*']) => {
            let host = url.host_str().unwrap_or_default();
            Ok(url.port().map_or(host.to_string(), |port| format!("{host}:{port}")))
        }
        _ => Err("a host is named without scheme, path or wildcard, such as api.example.com or localhost:8080".into()),
    }
}

/// Text that a header may carry.
fn header(text: &str) -> Result<String, String> {
    if !text.is_empty() && text.bytes().all(|b| (b' '..=b'~').contains(&b)) {
        Ok(text.to_string())
    } else {
        Err("printable ASCII only".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn parse(line: &str) -> Result<(Doing, Plan), String> {
        let words = std::iter::once("agenticschema").chain(line.split_whitespace());
        Arguments::try_parse_from(words).map_err(|e| e.to_string())?.plan()
    }

    #[test]
    fn flags() {
        Arguments::command().debug_assert();
        let (doing, plan) = parse(
            "https://a.example/ b.html --max-tools 3 --no-actions --allow-host API.example --allow-host localhost:8080 \
             --toolset split --http --port 0 --quiet --cache-ttl 0 --timeout 50 --user-agent x",
        )
        .unwrap();
        assert_eq!(doing, Doing::Http { port: 0 });
        assert_eq!(plan.sources.len(), 2);
        assert_eq!(plan.options.allow_hosts, ["api.example", "localhost:8080"]);
        assert!(!plan.options.actions && plan.options.split && plan.quiet);
        assert_eq!((plan.options.max_tools, plan.options.timeout_ms, plan.ttl), (3, 50, Duration::ZERO));
        let (doing, plan) = parse("https://a.example/").unwrap();
        assert_eq!((doing, plan.options, plan.ttl.as_millis()), (Doing::Stdio, Options::default(), 300_000));
        assert_eq!(parse("map - --json").unwrap().0, Doing::Map { json: true });
    }

    #[test]
    fn mistakes() {
        for line in [
            "",
            "map",
            "--http",
            "-",
            "map - -",
            "ftp://a.example/",
            "https://",
            "https://u:p@a.example/",
            "x --max-tools 0",
            "x --max-tools -1",
            "x --port 70000",
            "x --timeout 0",
            "x --toolset all",
            "x --allow-host https://a.example/",
            "x --allow-host *.example",
            "x --allow-host a/b",
            "x --nope",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
