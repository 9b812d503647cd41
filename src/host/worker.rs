//! The boundary of the worker's module: several pages, read from HTML text. `js/worker/core.js` is the other side, which
//! makes the requests.

use crate::{
    Options, Page,
    diagnostic::{Diagnostics, Level},
    dom::html::{self, Mode},
    json::Writer,
    offer::{
        self,
        catalogue::{self, Listed, Resource},
        charset,
        names::Place,
        request::{self, Trusted},
    },
    page::{self, Outcome},
    text,
    tools::{digest::Response, error::CallError},
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};
use url::Url;
use wasm_bindgen::prelude::*;

/// The pages of one handler.
#[wasm_bindgen]
pub struct Site {
    options: Options,
    diagnostics: Diagnostics,
    trusted: Trusted,
    places: Vec<Place>,
    pages: Vec<Option<(Page, String)>>,
    tools: Vec<Listed>,
    resources: Option<Vec<Resource>>,
}

#[wasm_bindgen]
impl Site {
    /// `options` is a JSON object of option name → value, `urls` the serialised addresses of the pages, one a line.
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str, urls: &str) -> Site {
        let mut diagnostics = Diagnostics::default();
        let options = Options::from_json(options, &mut diagnostics);
        let urls: Vec<Url> = urls.split('\n').filter_map(|url| Url::parse(url).ok()).collect();
        Site {
            trusted: Trusted { origins: urls.iter().map(Url::origin).collect(), hosts: options.allow_hosts.clone() },
            options,
            diagnostics,
            places: urls.iter().map(Place::of).collect(),
            pages: urls.iter().map(|_| None).collect(),
            tools: Vec::new(),
            resources: None,
        }
    }

    /// `{"instructions", "ttlMs", "redirects", "wrong"}`: what clients are told, how many redirects are followed, and what is
    /// wrong with the options, in words.
    pub fn about(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.field("instructions", offer::INSTRUCTIONS);
            out.key("ttlMs");
            out.number(offer::LISTING_TTL as usize);
            out.key("redirects");
            out.number(request::REDIRECTS);
            out.key("wrong");
            said(&self.diagnostics, out);
        });
        out.finish()
    }

    /// Whether an address may be asked: `=`, or `!` if it lies in a private network. What a name resolves to cannot be
    /// seen from here, so names that only exist in such networks count as in one.
    pub fn permits(&self, url: &str) -> String {
        let asks =
            |url: &Url| self.trusted.has(url) || !request::is_private(url) && !is_local(url.host_str().unwrap_or(""));
        let may = Url::parse(url).is_ok_and(|url| asks(&url));
        (if may { "=" } else { "!" }).to_string()
    }

    /// Where a redirect of a page's request leads, after `=`, or after `!` why it is not followed. `tool` is the tool whose
    /// request it is, empty for the page's own; `asked` the address that was asked first.
    pub fn redirected(&self, from: &str, location: &str, tool: &str, asked: &str) -> String {
        let (Ok(from), Ok(asked)) = (Url::parse(from), Url::parse(asked)) else { return "!".to_string() };
        let follow = match self.page_of(tool) {
            Some((_, url, _)) => request::follow_from(url, &asked),
            None if tool.is_empty() => request::Follow::Anywhere,
            None => request::Follow::Never,
        };
        match self.trusted.redirected(&from, location, follow) {
            Ok(url) => text::joined("=", url.as_str()),
            Err(why) => text::joined("!", why),
        }
    }

    /// Reads a page from a response: `=` and what is to be known about it, one a line, or `!` and why it is no page.
    pub fn read(&mut self, at: usize, url: &str, status: u16, content_type: &str, body: &[u8]) -> String {
        if let Err(why) = request::page(url, status, content_type) {
            return text::joined("!", &why);
        }
        let Some(place) = self.pages.get_mut(at) else { return "!".to_string() };
        let page = Page::from_html(&charset::page(body, content_type), url, &self.options);
        let mut out = String::from("=");
        let none = page.tools().next().is_none();
        for diagnostic in page.diagnostics().iter().filter(|d| d.level != Level::Info || none) {
            out.push_str(&diagnostic.message());
            out.push('\n');
        }
        *place = Some((page, url.to_string()));
        let pages: Vec<Option<&Page>> = refer(&self.pages);
        self.tools = catalogue::tools(&self.places, &pages);
        self.resources = None;
        out
    }

    /// The tools as a JSON array.
    pub fn tools(&self) -> String {
        let mut out = Writer::default();
        out.array(|out| {
            for tool in &self.tools {
                out.item();
                out.raw(&tool.json);
            }
        });
        out.finish()
    }

    /// Calls a tool: `=` and the answer, `!` and an answer that is an error, `>` and the plan of a request, or `?` if there is
    /// no such tool.
    pub fn call(&self, name: &str, arguments: &str) -> String {
        match self.page_of(name) {
            Some((page, _, own)) => marked(page.call(own, arguments)),
            None => "?".to_string(),
        }
    }

    /// What comes of a request that was carried out, marked likewise: `plan` as it was given, `url` the address after
    /// redirects. Without a response `url` is empty, `status` 0 and `body` the reason in one word. `markup` says that the
    /// body is HTML whatever its type.
    pub fn finish(&self, plan: &str, url: &str, status: u16, content_type: &str, body: &[u8], markup: bool) -> String {
        let mut body = charset::response(body, content_type);
        if markup || content_type.to_ascii_lowercase().contains("html") {
            body = html::wire_in(&body, url, Mode::Page, false);
        }
        marked(page::finish(plan, &Response { url, status, content_type, body: &body }, &self.options))
    }

    /// An error of a call in the core's form.
    pub fn blocked(&self) -> String {
        let what = "The search leads into a private network, which is not asked";
        CallError::new("blocked-address", what, "Use what the other tools say.").to_json()
    }

    /// `{"resources", "nextCursor"?}` from this place on; empty beyond the end.
    pub fn resources(&mut self, from: u32) -> String {
        let Some((some, next)) = catalogue::part(self.all_resources(), from as usize) else { return String::new() };
        let mut out = Writer::default();
        out.object(|out| {
            out.key("resources");
            out.array(|out| {
                for resource in some {
                    out.item();
                    resource.write(out);
                }
            });
            if let Some(next) = next {
                out.field("nextCursor", &text::number(next));
            }
        });
        out.finish()
    }

    /// The entity at the address of a resource, as JSON; empty if there is none.
    pub fn resource(&mut self, uri: &str) -> String {
        let found = self.all_resources().iter().find(|resource| resource.uri == uri);
        let Some((page, entity)) = found.map(|resource| (resource.page, resource.entity)) else { return String::new() };
        self.pages[page].as_ref().and_then(|(page, _)| page.entity(entity)).unwrap_or_default()
    }
}

impl Site {
    /// The page that has a tool, the page's address, and the tool's name there.
    fn page_of(&self, tool: &str) -> Option<(&Page, &str, &str)> {
        let tool = self.tools.iter().find(|listed| listed.name == tool)?;
        let (page, url) = self.pages[tool.page].as_ref()?;
        Some((page, url, &tool.own))
    }

    fn all_resources(&mut self) -> &[Resource] {
        self.resources.get_or_insert_with(|| catalogue::resources(&self.places, &refer(&self.pages)))
    }
}

fn refer(pages: &[Option<(Page, String)>]) -> Vec<Option<&Page>> {
    pages.iter().map(|page| page.as_ref().map(|(page, _)| page)).collect()
}

/// Names of no public host: without a dot, or of the endings that are kept for networks of one's own (RFC 6761, RFC 6762,
/// `internal`).
fn is_local(host: &str) -> bool {
    let host = host.trim_end_matches('.');
    !host.starts_with('[') && !host.contains('.')
        || [".localhost", ".local", ".internal", ".home.arpa"].iter().any(|ending| host.ends_with(ending))
}

fn said(diagnostics: &Diagnostics, out: &mut Writer) {
    out.array(|out| {
        for diagnostic in diagnostics.iter().filter(|d| d.level != Level::Info) {
            out.item();
            out.string(&diagnostic.message());
        }
    });
}

fn marked(outcome: Outcome) -> String {
    let (mark, text) = match &outcome {
        Outcome::Answer(text) if offer::is_error(text) => ("!", text.as_str()),
        Outcome::Answer(text) => ("=", text.as_str()),
        Outcome::Plan(text) => (">", text.as_str()),
        // A page read from HTML has its text.
        Outcome::Text => ("?", ""),
    };
    text::joined(mark, text)
}
