//! The readers: which there are on a page, and what they answer.

use super::{
    answer::{self, Layout, Member, Renderer},
    error::CallError,
};
use crate::{
    graph::{Entity, EntityIndex, Graph},
    guard::{Draft, Parameter, ParameterKind},
    json::Json,
    options::Options,
    order,
    profiles::FinerTool,
    select::Selection,
    text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Items on one page of a list.
pub const PAGE: usize = 12;
/// Letters and words of a type name that may name a tool. Longer ones read as sentences.
const TYPE_LETTERS: usize = 24;
const TYPE_WORDS: usize = 3;

/// What a reader reads.
#[derive(Clone, Debug)]
pub enum Source {
    /// One entity, in a default answer and sections.
    Entity(EntityIndex),
    /// Several of one kind.
    List(Vec<EntityIndex>),
    /// One property of an entity.
    Finer(EntityIndex, FinerTool),
}

/// What the answers of one page need to know.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    /// The page's entities.
    pub graph: &'a Graph,
    /// What stands for itself.
    pub selection: &'a Selection,
    /// The page's language, a BCP 47 tag or empty.
    pub language: &'a str,
    /// The site owner's choices.
    pub options: &'a Options,
}

/// The readers of a page, most useful first: the subject, its finer readers, then the other kinds.
pub fn drafts(cx: Context) -> Vec<(Draft, Source)> {
    let mut out = Vec::new();
    if let Some(subject) = cx.selection.subject {
        single(cx, subject, &mut out);
    }
    for group in &cx.selection.groups {
        match group[..] {
            [only] if !same_kind(cx, only) => single(cx, only, &mut out),
            _ => out.push(list(cx, group)),
        }
    }
    out
}

/// Whether the entity is of the subject's kind: then its name is taken and it is listed.
fn same_kind(cx: Context, index: EntityIndex) -> bool {
    cx.selection.subject.is_some_and(|s| {
        let (a, b) = (&cx.graph.entities[s], &cx.graph.entities[index]);
        slug(a) == slug(b)
    })
}

fn single(cx: Context, index: EntityIndex, out: &mut Vec<(Draft, Source)>) {
    let entity = &cx.graph.entities[index];
    let layout = lay_out(cx, index);
    let mut parameters = Vec::new();
    if !layout.sections.is_empty() {
        let names: Vec<&'static str> = layout.sections.iter().map(|(name, _)| *name).collect();
        let names = order::arranged(&names, &|a, b| a.cmp(b));
        parameters.push(Parameter {
            name: "section".to_string(),
            description: "Part to read; leave out for the key facts.",
            kind: ParameterKind::Choice(names),
            required: false,
        });
        let budget = cx.options.answer_budget as usize;
        if layout.sections.iter().any(|(_, members)| answer::has_pages(members, budget)) {
            parameters.push(page_parameter());
        }
    }
    let (title, about) = entity.profile.map_or(("Other content", ""), |p| (p.title(), p.about()));
    let description = if about.is_empty() {
        alloc::vec!["Get the facts of one more thing this page describes."]
    } else {
        alloc::vec!["Get facts of the ", title, " on this page: ", about, "."]
    };
    let name = joined("get_", &slug(entity), "");
    out.push((
        Draft { name, title: alloc::vec![title], description, parameters, read_only: true },
        Source::Entity(index),
    ));
    let Some(profile) = entity.profile else { return };
    for finer in profile.tools().filter(|t| t.compact || cx.options.split) {
        let values = finer_values(cx, index, finer);
        if values.is_empty() {
            continue;
        }
        let members = [("items".to_string(), Json::Array(values))];
        let paged = answer::has_pages(&members, cx.options.answer_budget as usize);
        let mut description = alloc::vec!["Get the ", finer.name, " of the ", title, " on this page"];
        if !finer.about.is_empty() {
            description.extend([": ", finer.about]);
        }
        description.push(".");
        let draft = Draft {
            name: joined("get_", profile.slug(), finer.name),
            title: alloc::vec![title, " ", finer.name],
            description,
            parameters: if paged { alloc::vec![page_parameter()] } else { Vec::new() },
            read_only: true,
        };
        out.push((draft, Source::Finer(index, finer)));
    }
}

fn list(cx: Context, group: &[EntityIndex]) -> (Draft, Source) {
    let entity = &cx.graph.entities[group[0]];
    let title = entity.profile.map_or("Other content", |p| p.title());
    let more = same_kind(cx, group[0]);
    let draft = Draft {
        name: joined("list_", &slug(entity), ""),
        title: alloc::vec![title],
        description: alloc::vec![
            if more { "List further entries of type " } else { "List the entries of type " },
            title,
            " on this page, with their key facts."
        ],
        parameters: alloc::vec![
            Parameter {
                name: "query".to_string(),
                description: "Only entries that contain this word.",
                kind: ParameterKind::Text { min: 0, max: 100 },
                required: false,
            },
            page_parameter(),
        ],
        read_only: true,
    };
    (draft, Source::List(group.to_vec()))
}

fn page_parameter() -> Parameter {
    Parameter { name: "page".to_string(), description: "", kind: ParameterKind::Page, required: false }
}

/// The word that names an entity's tools: its profile's, or its type where that is one plain short word, else `thing`.
fn slug(entity: &Entity) -> String {
    if let Some(profile) = entity.profile {
        return profile.slug().to_string();
    }
    let plain = entity.types.iter().find(|t| {
        let words = t.bytes().filter(u8::is_ascii_uppercase).count();
        t.len() <= TYPE_LETTERS
            && (1..=TYPE_WORDS).contains(&words)
            && t.as_bytes()[0].is_ascii_uppercase()
            && t.bytes().all(|b| b.is_ascii_alphanumeric())
    });
    plain.map_or("thing".to_string(), |t| text::slug(t))
}

fn joined(verb: &str, slug: &str, finer: &str) -> String {
    let mut name = verb.to_string();
    name.push_str(slug);
    if !finer.is_empty() {
        name.push('_');
        name.push_str(finer);
    }
    text::cut(&name, crate::guard::NAME).to_string()
}

fn lay_out(cx: Context, index: EntityIndex) -> Layout {
    let mut renderer = Renderer::new(cx.graph, &cx.selection.own, cx.language);
    let members = renderer.members(index);
    answer::layout(&cx.graph.entities[index], members, cx.options.answer_budget as usize)
}

fn finer_values(cx: Context, index: EntityIndex, finer: FinerTool) -> Vec<Json> {
    let mut renderer = Renderer::new(cx.graph, &cx.selection.own, cx.language);
    finer.paths.iter().map(|path| renderer.path(index, path)).find(|values| !values.is_empty()).unwrap_or_default()
}

/// Answers a call whose arguments were validated.
pub fn answer(cx: Context, source: &Source, arguments: &Json) -> Result<Json, CallError> {
    let page = match arguments.get("page") {
        Some(Json::Number(n)) => text::whole_number(n).unwrap_or(1) as usize,
        _ => 1,
    };
    let budget = cx.options.answer_budget as usize;
    let members = match source {
        Source::Entity(index) => {
            let layout = lay_out(cx, *index);
            match arguments.get("section").and_then(Json::as_str) {
                None => return key_facts(layout, page),
                Some(section) => {
                    let members = layout.sections.into_iter().find(|(name, _)| *name == section).map(|(_, m)| m);
                    answer::page(members.unwrap_or_default(), page, usize::MAX, budget)
                }
            }
        }
        Source::Finer(index, finer) => {
            let mut values = finer_values(cx, *index, *finer);
            let members = match (values.len(), values.pop()) {
                (1, Some(Json::Object(members))) => members,
                (_, Some(last)) => {
                    values.push(last);
                    alloc::vec![("items".to_string(), Json::Array(values))]
                }
                _ => Vec::new(),
            };
            answer::page(members, page, usize::MAX, budget)
        }
        Source::List(group) => {
            let query = arguments.get("query").and_then(Json::as_str).unwrap_or("");
            answer::page(items(cx, group, query), page, PAGE, budget)
        }
    };
    members.map(Json::Object).ok_or_else(no_such_page)
}

pub(super) fn no_such_page() -> CallError {
    CallError::argument("page", "There is no such page", "Ask for page 1, then follow next.")
}

fn key_facts(layout: Layout, page: usize) -> Result<Json, CallError> {
    if page > 1 {
        return Err(no_such_page());
    }
    let mut members: Vec<Member> = layout.default;
    if layout.cut {
        members.push(("truncated".to_string(), Json::Bool(true)));
    }
    Ok(Json::Object(members))
}

/// The entries of a list that contain the word (ASCII letters without case), as one `items` member.
fn items(cx: Context, group: &[EntityIndex], query: &str) -> Vec<Member> {
    let mut renderer = Renderer::new(cx.graph, &cx.selection.own, cx.language);
    let mut items: Vec<Json> = group.iter().map(|&i| renderer.item(i)).collect();
    if !query.is_empty() {
        items.retain(|item| contains(item, query));
    }
    alloc::vec![("items".to_string(), Json::Array(items))]
}

fn contains(json: &Json, query: &str) -> bool {
    match json {
        Json::Text(s) | Json::Number(s) => {
            s.as_bytes().windows(query.len()).any(|w| w.eq_ignore_ascii_case(query.as_bytes()))
        }
        Json::Array(items) => items.iter().any(|i| contains(i, query)),
        Json::Object(members) => members.iter().any(|(_, v)| contains(v, query)),
        _ => false,
    }
}
