//! Tools from `potentialAction` (<https://schema.org/docs/actions.html>): a GET request to an address that the page
//! declares, with the agent's words filled in. Side effects stay with the site's own forms and tools.

use super::{
    error::CallError,
    parameter::{self, Parameter},
};
use crate::{
    diagnostic::{Code, Diagnostics, Level},
    graph::{Entity, Graph, Value},
    guard::{
        self, Draft,
        rules::{self, Rule},
        url::{Destinations, Refusal, Template},
    },
    json::{Json, Writer},
    limits, text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// One row per action that becomes a tool.
struct Verb {
    class: &'static str,
    /// First word of the tool's name.
    word: &'static str,
    title: &'static str,
    /// The description around the owner's noun.
    description: [&'static str; 2],
    /// Description of the first parameter.
    parameter: &'static str,
    /// Whether a target without a parameter is a mistake: a ReadAction usually names the page itself.
    wants_parameter: bool,
}

const VERBS: &[Verb] = &[
    Verb {
        class: "SearchAction",
        word: "search",
        title: "Search this ",
        description: [
            "Searches this ",
            " and lists what it finds with title and address. Use it for what is not on this page.",
        ],
        parameter: "Text to search for",
        wants_parameter: true,
    },
    Verb {
        class: "FindAction",
        word: "find",
        title: "Find in this ",
        description: [
            "Finds entries of this ",
            " and lists them with title and address. Use it for what is not on this page.",
        ],
        parameter: "What to find",
        wants_parameter: true,
    },
    Verb {
        class: "ReadAction",
        word: "read",
        title: "Read from this ",
        description: [
            "Reads one entry of this ",
            " and returns its content. Use it when the entry is not on this page.",
        ],
        parameter: "Which entry to read",
        wants_parameter: false,
    },
    Verb {
        class: "ViewAction",
        word: "view",
        title: "View from this ",
        description: [
            "Fetches one entry of this ",
            " and returns its content. Use it when the entry is not on this page.",
        ],
        parameter: "Which entry to view",
        wants_parameter: false,
    },
];

/// An action on its way to become a tool. Name and words hold no page text but vetted type and parameter names.
#[derive(Clone, Debug)]
pub struct ActionDraft {
    /// Tool name, at most 30 characters.
    pub name: String,
    /// Short title, in parts.
    pub title: Vec<&'static str>,
    /// What it does and when to use it, in parts.
    pub description: Vec<&'static str>,
    /// One per variable of the template, in its order.
    pub parameters: Vec<Parameter>,
    word: &'static str,
    about: &'static str,
    template: Template,
}

/// A request that the host makes (GET), and what the answer needs to know about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The vetted address.
    pub url: String,
    /// Its origin: redirects stay inside.
    pub origin: String,
    /// Milliseconds until the request is given up.
    pub timeout_ms: usize,
    /// Bytes of the body that are read at most.
    pub max_bytes: usize,
    /// Which page of the digest is wanted, from 1.
    pub page: usize,
    /// The argument that asks for another page of the digest.
    pub paging: &'static str,
}

/// Words for the second, third, … of several alike; there are at most [`limits::ACTIONS`].
const ORDINALS: [&str; limits::ACTIONS] =
    ["", " second", " third", " fourth", " fifth", " sixth", " seventh", " eighth"];

/// The tools that the actions of a page give, in source order; what gives none is reported.
pub fn drafts(graph: &Graph, to: &Destinations, diagnostics: &mut Diagnostics) -> Vec<ActionDraft> {
    let mut out: Vec<ActionDraft> = Vec::new();
    let mut seen = Vec::new();
    for owner in &graph.entities {
        for value in owner.values("potentialAction") {
            let Value::Entity(at) = value else { continue };
            if seen.len() >= limits::ACTIONS_SEEN {
                return out;
            }
            seen.push(*at);
            if let Some(action) = graph.entities.get(*at) {
                draft(graph, action, Some(owner), to, diagnostics, &mut out);
            }
        }
    }
    // An action that nothing refers to still says what the site offers.
    for (at, action) in graph.entities.iter().enumerate() {
        if action.references == 0 && verb(action).is_some() && !seen.contains(&at) {
            if seen.len() >= limits::ACTIONS_SEEN {
                break;
            }
            seen.push(at);
            draft(graph, action, None, to, diagnostics, &mut out);
        }
    }
    out
}

impl ActionDraft {
    /// What the guard is asked to admit.
    pub fn draft(&self) -> Draft {
        let mut parameters: Vec<guard::Parameter> = Vec::new();
        for (i, parameter) in self.parameters.iter().enumerate() {
            parameters.push(guard::Parameter {
                name: parameter.name.clone(),
                description: if i == 0 { self.about } else { "Further detail of the request" },
                kind: guard::ParameterKind::Text { min: parameter.min as u32, max: parameter.max as u32 },
                required: parameter.required,
            });
        }
        parameters.push(guard::Parameter {
            name: self.paging().to_string(),
            description: "Page of a long answer, from 1.",
            kind: guard::ParameterKind::Page,
            required: false,
        });
        Draft {
            name: self.name.clone(),
            title: self.title.clone(),
            description: self.description.clone(),
            parameters,
            read_only: true,
        }
    }

    /// The request for `arguments` (an object, or `null` for none). `timeout_ms` is the option of that name.
    pub fn plan(&self, arguments: &Json, timeout_ms: usize) -> Result<Plan, CallError> {
        if !matches!(arguments, Json::Object(_) | Json::Null) {
            return Err(CallError::argument("", "The arguments are not an object", "Send one JSON object"));
        }
        let mut values: Vec<Option<String>> = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            values.push(parameter.value(arguments.get(&parameter.name))?);
        }
        let page = page_argument(self.paging(), arguments.get(self.paging()))?;
        let given: Vec<Option<&str>> = values.iter().map(|v| v.as_deref()).collect();
        let url = self.template.expand(&given).map_err(|rule| self.blocked(rule))?;
        Ok(Plan {
            url,
            origin: self.template.origin().to_string(),
            timeout_ms,
            max_bytes: limits::RESPONSE,
            page,
            paging: self.paging(),
        })
    }

    /// `page`, unless the site's own address has a parameter of that name.
    fn paging(&self) -> &'static str {
        if self.parameters.iter().any(|p| p.name == "page") { "part" } else { "page" }
    }

    fn blocked(&self, rule: &'static Rule) -> CallError {
        let path = self.template.variables.iter().position(|v| v.in_path).and_then(|at| self.parameters.get(at));
        CallError {
            path: path.map_or(String::new(), |p| p.name.clone()),
            ..CallError::new(
                "blocked-address",
                rule.reason,
                "Use plain, shorter words without path segments such as ..",
            )
        }
    }
}

impl Plan {
    /// The plan as the host gets it: `{"url","origin","timeoutMs","maxBytes","page","paging"}`.
    pub fn to_json(&self) -> String {
        let mut out = Writer::default();
        out.object(|out| {
            out.field("url", &self.url);
            out.field("origin", &self.origin);
            out.key("timeoutMs");
            out.number(self.timeout_ms);
            out.key("maxBytes");
            out.number(self.max_bytes);
            out.key("page");
            out.number(self.page);
            out.field("paging", self.paging);
        });
        out.finish()
    }
}

fn verb(action: &Entity) -> Option<&'static Verb> {
    VERBS.iter().find(|v| action.is(v.class))
}

/// Vets one action and adds its tool.
fn draft(
    graph: &Graph,
    action: &Entity,
    owner: Option<&Entity>,
    to: &Destinations,
    diagnostics: &mut Diagnostics,
    out: &mut Vec<ActionDraft>,
) {
    let Some(verb) = verb(action) else {
        let class = action.types.first().map_or("", String::as_str);
        return diagnostics.report_at(Code::ActionSkipped, Level::Info, rules::EFFECT.reason, class);
    };
    let template = match target(graph, action, to) {
        Ok(template) => template,
        Err(refusal) => {
            let usual =
                !verb.wants_parameter && (refusal.rule == &rules::NO_PARAMETER || refusal.rule == &rules::TARGET);
            if !usual {
                diagnostics.report(Code::ActionSkipped, refusal.rule.reason, &refusal.argument);
            }
            return;
        }
    };
    if out.iter().any(|d| d.word == verb.word && d.template == template) {
        return;
    }
    if out.len() >= limits::ACTIONS {
        return diagnostics.report(Code::ToolLimit, "The page declares more actions than become tools", "");
    }
    let parameters = parameter::parameters(graph, action, &template, diagnostics);
    let noun = noun(owner);
    let mut name = String::from(verb.word);
    name.push('_');
    name.push_str(&noun);
    // The words about the owner are its profile's: a type's name is good for a tool's name only.
    let words = owner.and_then(|o| o.profile).map_or("site", |p| p.title);
    let mut title = alloc::vec![verb.title, words];
    let mut description = alloc::vec![verb.description[0], words, verb.description[1]];
    let same = out.iter().filter(|d| d.name == name || (d.word == verb.word && d.title[..2] == title[..])).count();
    if same > 0 {
        let n = text::number(same + 1);
        name.push('_');
        name.push_str(&n);
        let ordinal = ORDINALS[same.min(ORDINALS.len() - 1)];
        title.push(ordinal);
        description.extend([
            " The page declares several such tools, for different parts or purposes; this is the",
            ordinal,
            ".",
        ]);
    }
    out.push(ActionDraft { name, title, description, parameters, word: verb.word, about: verb.parameter, template });
}

/// The first target that may be requested; else why the most telling one may not.
fn target(graph: &Graph, action: &Entity, to: &Destinations) -> Result<Template, Refusal> {
    let mut worst: Option<Refusal> = None;
    let mut refused = |refusal: Refusal| {
        // Beside a refused web address, an app's link tells nothing.
        if worst.as_ref().is_none_or(|w| w.rule == &rules::SCHEME) {
            worst = Some(refusal);
        }
    };
    let mut targets = action.values("target");
    if targets.is_empty() {
        targets = action.values("urlTemplate");
    }
    for target in targets.iter().take(limits::ACTION_VALUES) {
        let entry = match target {
            Value::Entity(at) => graph.entities.get(*at),
            _ => None,
        };
        if let Some(refusal) = [Some(action), entry].into_iter().flatten().find_map(method) {
            refused(refusal);
            continue;
        }
        let templates = match (entry, target.as_text()) {
            (Some(entry), _) if entry.has("urlTemplate") => texts(entry.values("urlTemplate")),
            (Some(entry), _) if entry.has("url") => texts(entry.values("url")),
            (Some(entry), _) => [entry.id.as_str()].into_iter().filter(|id| !id.is_empty()).collect(),
            (None, text) => text.into_iter().collect(),
        };
        for template in templates {
            match Template::vet(template, to) {
                Ok(template) => return Ok(template),
                Err(refusal) => refused(refusal),
            }
        }
    }
    Err(worst.unwrap_or(Refusal { rule: &rules::TARGET, argument: String::new() }))
}

/// Refuses what names another method than GET.
fn method(entity: &Entity) -> Option<Refusal> {
    let other =
        texts(entity.values("httpMethod")).into_iter().find(|m| !text::same_ignoring_case(text::trim(m), "GET"))?;
    Some(Refusal { rule: &rules::METHOD, argument: other.to_string() })
}

fn texts(values: &[Value]) -> Vec<&str> {
    values.iter().take(limits::ACTION_VALUES).filter_map(Value::as_text).collect()
}

/// The owner's type as a slug, if it is one that a name may carry; else the site.
fn noun(owner: Option<&Entity>) -> String {
    let mut types = owner.map_or(&[][..], |owner| &owner.types).iter();
    types.find(|t| is_type_name(t)).map_or("web_site".to_string(), |t| text::slug(t))
}

/// One capitalised word of few parts: what a class of Schema.org looks like, and no sentence does.
fn is_type_name(name: &str) -> bool {
    let slug = text::slug(name);
    slug.len() <= 21
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| b.is_ascii_alphanumeric())
        && slug.bytes().filter(|&b| b == b'_').count() < 4
}

fn page_argument(name: &str, argument: Option<&Json>) -> Result<usize, CallError> {
    let digits = match argument {
        None | Some(Json::Null) => return Ok(1),
        Some(Json::Number(n) | Json::Text(n)) => n.as_str(),
        Some(_) => "",
    };
    match parameter::number(digits) {
        Some(page) if page > 0 => Ok(page),
        _ => Err(CallError::argument(name, "The page is not a number from 1", "Send the page that next names")),
    }
}
