//! The whole path: snapshot → statements → graph → selection → tools, and the calls. Reads top to bottom.

use crate::{
    diagnostic::{Code, Diagnostics, Level},
    dom::{Attr, Snapshot, resolve},
    extract,
    graph::{Builder, EntityIndex, Graph},
    guard::{self, Draft, Parameter, ParameterKind, Tool, rules::Rule, url::Destinations},
    json::{self, Json, Writer},
    limits,
    options::Options,
    select::{self, Selection},
    text,
    tools::{
        action::{self, Action},
        digest::{self, Response},
        error::CallError,
        form, found,
        read::{self, Context, Source},
        render::Renderer,
        words,
    },
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// A page that was read: its tools, what they answer, and what there is to know about it.
///
/// ```
/// use agenticschema::{Options, Page};
/// let html = r#"<script type="application/ld+json">
///   {"@context": "https://schema.org", "@type": "Product", "name": "Desk Lamp", "sku": "L-1"}</script>"#;
/// let page = Page::from_html(html, "https://shop.example/p/1", &Options::default());
/// assert_eq!(page.tools().next().unwrap().name(), "get_product");
/// ```
#[derive(Debug, Default)]
pub struct Page {
    graph: Graph,
    selection: Selection,
    language: String,
    url: String,
    /// What it says of itself outside the markup, by property.
    itself: Vec<(&'static str, String)>,
    /// Whether it has a text of its own.
    speaks: bool,
    /// That text, as a snapshot in text mode, where the host had it at hand.
    words: Option<String>,
    options: Options,
    tools: Vec<(Tool, Does)>,
    diagnostics: Diagnostics,
}

/// What a tool does when it is called.
#[derive(Clone, Debug)]
enum Does {
    Read(Source),
    Act(Action),
}

/// What a call comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The answer, one JSON object.
    Answer(String),
    /// A request that the host carries out, as JSON; its response goes to [`finish`].
    Plan(String),
    /// The page's text is wanted: [`Page::call_with_text`] answers.
    Text,
}

impl Page {
    /// Reads HTML text, as a browser would that ran none of its scripts. `url` is the page's absolute address: links are
    /// resolved against it, and searches may ask its origin. Never fails: what cannot be read is in [`Page::diagnostics`].
    ///
    /// ```
    /// use agenticschema::{Options, Page, page::Outcome};
    /// let html = r#"<div itemscope itemtype="https://schema.org/Product"><b itemprop="name">Desk Lamp</b></div>
    ///   <div itemscope itemtype="https://schema.org/WebSite"><meta itemprop="name" content="Shop">
    ///     <form itemprop="potentialAction" itemscope itemtype="https://schema.org/SearchAction" action="/search">
    ///       <meta itemprop="target" content="/search?q={q}"><input itemprop="query-input" name="q" required></form></div>"#;
    /// let options = Options { max_tools: 5, ..Options::default() };
    /// let page = Page::from_html(html, "https://shop.example/p/1", &options);
    /// let names: Vec<_> = page.tools().map(|tool| tool.name()).collect();
    /// assert_eq!(names[..2], ["get_product", "search_web_site"]);
    ///
    /// // A reader answers at once …
    /// assert_eq!(page.call("get_product", "{}"), Outcome::Answer(r#"{"type":"Product","name":"Desk Lamp"}"#.into()));
    /// // … a search gives the plan of a request, for the host to carry out.
    /// let Outcome::Plan(plan) = page.call("search_web_site", r#"{"q":"oak"}"#) else { panic!() };
    /// assert!(plan.starts_with(r#"{"url":"https://shop.example/search?q=oak""#));
    /// ```
    #[cfg(any(not(target_arch = "wasm32"), feature = "html"))]
    pub fn from_html(html: &str, url: &str, options: &Options) -> Page {
        let (markup, words) = crate::dom::html::wires(html, url);
        let mut page = Page::read(&Snapshot::decode(markup), options);
        page.words = Some(words).filter(|_| page.speaks);
        page
    }

    /// Reads a snapshot.
    pub fn read(snapshot: &Snapshot, options: &Options) -> Page {
        let mut page = Page::understand(snapshot, options);
        page.build(snapshot);
        page
    }

    /// Snapshot → graph → selection.
    pub(crate) fn understand(snapshot: &Snapshot, options: &Options) -> Page {
        let mut diagnostics = Diagnostics::default();
        let mut graph = Builder::new(snapshot.base());
        extract::jsonld::read(snapshot, &mut graph, &mut diagnostics);
        extract::microdata::read(snapshot, &mut graph, &mut diagnostics);
        extract::rdfa::read_schema_org(snapshot, &mut graph, &mut diagnostics);
        if snapshot.cut {
            diagnostics.report(Code::DepthLimit, "The page has more annotated elements than are read", "");
        }
        let graph = graph.finish(&mut diagnostics);
        let selection = select::select(&graph, snapshot.url(), &canonical(snapshot));
        let language = snapshot.elements().next().map_or("", |root| snapshot.language(root)).to_string();
        Page {
            graph,
            selection,
            language,
            url: snapshot.url().to_string(),
            itself: words::of_itself(snapshot),
            speaks: snapshot.speaks(),
            words: None,
            options: options.clone(),
            tools: Vec::new(),
            diagnostics,
        }
    }

    fn context(&self) -> Context<'_> {
        Context {
            graph: &self.graph,
            selection: &self.selection,
            language: &self.language,
            url: &self.url,
            itself: &self.itself,
            speaks: self.speaks,
            options: &self.options,
        }
    }

    /// Drafts → tools, through the guard, within the limit: the subject's reader, the actions, the other readers.
    pub(crate) fn build(&mut self, snapshot: &Snapshot) {
        let readers = read::drafts(self.context());
        let to = Destinations { page: snapshot.url(), base: snapshot.base(), allowed_hosts: &self.options.allow_hosts };
        let actions = if self.options.actions {
            action::drafts(&self.graph, self.options.forms.then_some(snapshot), &to, &mut self.diagnostics)
        } else {
            Vec::new()
        };
        let (mut drafts, mut late): (Vec<(Draft, Does)>, _) = (Vec::new(), Vec::new());
        for (draft, source) in readers {
            let first = drafts.is_empty() && self.selection.subject.is_some();
            (if first { &mut drafts } else { &mut late }).push((draft, Does::Read(source)));
        }
        for (draft, action) in actions {
            drafts.push((draft, Does::Act(action)));
        }
        drafts.append(&mut late);
        let most = self.options.max_tools as usize;
        if drafts.len() <= most && select::kinds_exceed(&self.graph, &self.selection, most) {
            let n = text::number(most);
            let what =
                "The page describes more kinds of things than the limit of tools: kinds of one family share a tool";
            self.diagnostics.report_at(Code::ToolLimit, Level::Info, what, &n);
        }
        if drafts.len() > most {
            let n = text::number(drafts.len());
            self.diagnostics.report(Code::ToolLimit, Rule::Tools.reason(), &n);
            drafts.truncate(most);
        }
        for (draft, does) in drafts {
            match guard::admit(draft) {
                Ok(tool) => {
                    let tool = unique(tool, &self.tools);
                    self.tools.push((tool, does));
                }
                Err(reason) => self.diagnostics.report(Code::ToolLimit, reason, ""),
            }
        }
        if self.tools.is_empty() {
            self.diagnostics.report(Code::NoStructuredData, "The page has no Schema.org entity to describe", "");
        }
    }

    /// The tools, most useful first.
    pub fn tools(&self) -> impl Iterator<Item = &Tool> {
        self.tools.iter().map(|(tool, _)| tool)
    }

    /// What there is to know about the page.
    pub fn diagnostics(&self) -> &Diagnostics {
        &self.diagnostics
    }

    /// The entities of the page.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The entities that say something, for hosts that offer each: its index, the word that names it, and its title.
    /// Both are ours, never the page's.
    pub fn entities(&self) -> impl Iterator<Item = (EntityIndex, String, &'static str)> {
        let some = self.graph.entities.iter().enumerate().filter(|(_, entity)| !entity.properties.is_empty());
        some.map(|(i, entity)| (i, read::slug(entity), entity.profile.map_or("Other content", |p| p.title())))
    }

    /// An entity and what belongs to it as one JSON object: what an answer would say of it without a budget. Beyond
    /// `max_payload_bytes` its key facts only, and `truncated`. `None` if there is no such entity.
    pub fn entity(&self, index: EntityIndex) -> Option<String> {
        self.graph.entities.get(index)?;
        let cx = self.context();
        let renderer = || Renderer::new(cx.graph, &cx.selection.own, cx.language, false);
        let most = self.options.max_payload_bytes as usize;
        let text = Json::Object(renderer().members(index)).to_text();
        if text.len() <= most {
            return Some(text);
        }
        let Json::Object(mut members) = renderer().item(index) else { return None };
        members.push(("truncated".to_string(), Json::Bool(true)));
        Some(Json::Object(members).to_text()).filter(|text| text.len() <= most)
    }

    /// Tools and diagnostics as one JSON object, for hosts.
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.key("tools");
            out.array(|out| self.tools().for_each(|tool| tool.write(out)));
            out.key("diagnostics");
            self.diagnostics.write(out);
        });
        out.finish()
    }

    /// Calls a tool. `arguments` is a JSON object; empty text counts as `{}`. Never fails: an error is an answer
    /// `{error, code, path, retryable, suggestion}`.
    pub fn call(&self, name: &str, arguments: &str) -> Outcome {
        self.call_with_text(name, arguments, self.words.as_deref())
    }

    /// Calls a tool with the page's text at hand: a snapshot in text mode, in its wire form.
    pub fn call_with_text(&self, name: &str, arguments: &str, words: Option<&str>) -> Outcome {
        match self.try_call(name, arguments, words) {
            Ok(outcome) => outcome,
            Err(error) => Outcome::Answer(error.to_json()),
        }
    }

    fn try_call(&self, name: &str, arguments: &str, words: Option<&str>) -> Result<Outcome, CallError> {
        let Some((tool, does)) = self.tools.iter().find(|(tool, _)| tool.name() == name) else {
            return Err(CallError::new("unknown-tool", "This page no longer has the tool", "List the tools again."));
        };
        let arguments = if text::trim(arguments).is_empty() { "{}" } else { arguments };
        let arguments = json::parse_strict(arguments).unwrap_or(Json::Null);
        validate(tool.parameters(), &arguments)?;
        match does {
            Does::Read(source) => {
                let answer = |words| read::answer(self.context(), source, &arguments, words);
                let mut found = answer(None)?;
                // The page's text is long, and few calls ask for it.
                if let (None, Some(wire)) = (&found, words) {
                    found = answer(Some(&words::readable(&Snapshot::decode(wire.to_string()))))?;
                }
                match found {
                    Some(answer) => Ok(Outcome::Answer(capped(answer, self.options.max_payload_bytes as usize)?)),
                    None => Ok(Outcome::Text),
                }
            }
            Does::Act(action) => {
                Ok(Outcome::Plan(action.plan(tool.parameters(), &arguments, self.options.timeout_ms as usize)?))
            }
        }
    }
}

/// What comes of a request: `plan` is what [`Page::call`] gave. The answer, or once the plan of a further request: the
/// first may only have described it. Never fails: an error is an answer. The page that the plan comes from may be gone
/// by now.
pub fn finish(plan: &str, response: &Response, options: &Options) -> Outcome {
    let plan = json::parse_strict(plan).unwrap_or(Json::Null);
    try_finish(&plan, response, options).unwrap_or_else(|error| Outcome::Answer(error.to_json()))
}

fn try_finish(plan: &Json, response: &Response, options: &Options) -> Result<Outcome, CallError> {
    digest::arrived(plan, response)?;
    if let Some(words) = plan.get("search").and_then(Json::as_str) {
        let to = Destinations { page: response.url, base: response.url, allowed_hosts: &options.allow_hosts };
        let url = form::described(Snapshot::decode(response.body.to_string()), words, &to)
            .map_err(|why| CallError::new("blocked-address", why, "Use the search of the site itself."))?;
        let page = digest::page_number(plan);
        return Ok(Outcome::Plan(action::plan(&url, options.timeout_ms as usize / 2, page, "")));
    }
    let entities = |snapshot: &Snapshot| found::items(Page::understand(snapshot, options).context());
    digest::answer(plan, response, options.answer_budget as usize, &entities).map(Outcome::Answer)
}

/// The answer as text, unless it is beyond the hard ceiling.
fn capped(answer: Json, most: usize) -> Result<String, CallError> {
    let text = answer.to_text();
    if text.len() > most {
        let why = "The answer is larger than maxPayloadBytes allows";
        return Err(CallError::new("too-large", why, "Ask for a section or a page of it."));
    }
    Ok(text)
}

/// The page's own name for its address.
pub fn canonical(snapshot: &Snapshot) -> String {
    let is_canonical = |&e: &usize| {
        snapshot.name(e) == "link"
            && snapshot
                .attr(e, Attr::Rel)
                .is_some_and(|rel| text::tokens(rel).any(|t| text::same_ignoring_case(t, "canonical")))
    };
    let href = snapshot.elements().find(is_canonical).and_then(|e| snapshot.attr(e, Attr::Href));
    href.filter(|href| !href.is_empty()).and_then(|href| resolve(href, snapshot.base())).unwrap_or_default()
}

/// The tool under a name that none before it has.
fn unique(mut tool: Tool, before: &[(Tool, Does)]) -> Tool {
    let mut number = 2;
    while before.iter().any(|(t, _)| t.name() == tool.name()) {
        tool.rename(number);
        number += 1;
    }
    tool
}

/// Checks arguments against the parameters. What a model writes is taken loosely where the meaning is clear: a number
/// as text, a name that is no parameter.
fn validate(parameters: &[Parameter], arguments: &Json) -> Result<(), CallError> {
    let advice = "Send what the tool's inputSchema describes.";
    if !matches!(arguments, Json::Object(_)) {
        return Err(CallError::argument("", "The arguments are no JSON object", advice));
    }
    for parameter in parameters {
        let fits = match (arguments.get(&parameter.name), &parameter.kind) {
            (None | Some(Json::Null), _) => !parameter.required,
            (Some(Json::Text(s)), ParameterKind::Choice(words)) => words.contains(&s.as_str()),
            (Some(Json::Number(s) | Json::Text(s)), ParameterKind::Page) => {
                text::whole_number(s).is_some_and(|n| n > 0)
            }
            (Some(Json::Number(s) | Json::Text(s)), ParameterKind::Text { min, max }) => {
                let n = text::characters(text::trim(s));
                n >= *min as usize && n <= if *max > 0 { *max as usize } else { limits::ARGUMENT }
            }
            _ => false,
        };
        if !fits {
            return Err(CallError::argument(&parameter.name, Rule::Argument.reason(), advice));
        }
    }
    Ok(())
}
