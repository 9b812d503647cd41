//! The readers: which there are on a page, and what they answer.

use super::{
    answer::{self, Layout, Member},
    error::CallError,
    range,
    render::Renderer,
    words,
};
use crate::{
    graph::{Entity, EntityIndex, Graph},
    guard::{Draft, Parameter, ParameterKind},
    json::Json,
    limits,
    options::Options,
    order,
    profiles::{FinerTool, ProfileKind},
    select::{self, Selection, kind},
    text,
};
use alloc::{
    string::{String, ToString},
    vec::Vec,
};

/// Items on one page of a list.
pub const PAGE: usize = 12;
/// In place of how many entries are shown: all that each of them says.
const WHOLE: usize = usize::MAX;
/// Kinds around the subject that its reader's description names.
const AROUND_NAMED: usize = 3;
/// Letters and words of a type name that may name a tool. Longer ones read as sentences.
const TYPE_LETTERS: usize = 24;
const TYPE_WORDS: usize = 3;

/// The section of what stands around the subject, and that of the page's own words.
const OTHER: &str = "other";
const TEXT: &str = "text";
/// The member that has the page's own words.
const PAGE_TEXT: &str = "pageText";
/// The section of a list in which its entries say everything.
const DETAILS: &str = "details";

/// Where the page's own words stand in for the markup: the property, and those that make it unnecessary.
const GAPS: [(&str, &str); 4] = [
    ("name", "name headline title"),
    ("description", "description abstract text articleBody reviewBody"),
    ("image", "image thumbnailUrl logo photo contentUrl"),
    ("datePublished", "datePublished dateCreated dateModified uploadDate"),
];

/// What a group's variants say, and what is said of the group only.
const OF_OTHERS: &str = "hasVariant.offers isVariantOf.brand isVariantOf.aggregateRating";
/// Characters of several offers above which the default answer has one that stands for them.
const OFFERS: usize = 500;

/// What a reader reads.
#[derive(Clone, Debug)]
pub enum Source {
    /// One entity, in a default answer and sections. The subject, and what stands for it, tells also what is around it.
    Entity(EntityIndex, bool),
    /// What is around, where there is no subject.
    Around,
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
    /// The page's address.
    pub url: &'a str,
    /// The page's language, a BCP 47 tag or empty.
    pub language: &'a str,
    /// What the page says of itself outside the markup, by property.
    pub itself: &'a [(&'static str, String)],
    /// Whether the page has a text of its own.
    pub speaks: bool,
    /// The site owner's choices.
    pub options: &'a Options,
}

/// The readers of a page, most useful first: the subject, its finer readers, then the other kinds.
pub fn drafts(cx: Context) -> Vec<(Draft, Source)> {
    let mut out = Vec::new();
    if let Some(subject) = cx.selection.subject {
        single(cx, subject, true, &mut out);
    }
    for group in &cx.selection.groups {
        match group[..] {
            [only] if !same_kind(cx, only) => single(cx, only, false, &mut out),
            _ => out.push(list(cx, group)),
        }
    }
    // Parts that nothing refers to say nothing alone.
    let own = |&i: &EntityIndex| kind(&cx.graph.entities[i]) != ProfileKind::Part;
    if cx.selection.subject.is_none() && (!out.is_empty() || cx.selection.around.iter().any(own)) {
        around(cx, &mut out);
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

fn single(cx: Context, index: EntityIndex, main: bool, out: &mut Vec<(Draft, Source)>) {
    let entity = &cx.graph.entities[index];
    let (title, about) = entity.profile.map_or(("Other content", ""), |p| (p.title(), p.about()));
    let about = if about.is_empty() { "its facts" } else { about };
    let mut description = alloc::vec!["Get the ", title, ": ", about, "."];
    if main {
        name_around(cx, &mut description);
    }
    let draft = Draft {
        name: joined("get_", &slug(entity), ""),
        title: alloc::vec![title],
        description,
        parameters: parameters(cx, &lay_out(cx, index, main, false, enough(cx))),
        read_only: true,
    };
    out.push((draft, Source::Entity(index, main)));
    let Some(profile) = entity.profile else { return };
    for finer in profile.tools().filter(|t| t.compact || cx.options.split) {
        let values = finer_values(renderer(cx, false).measuring(enough(cx)), index, finer);
        if values.is_empty() {
            continue;
        }
        let members = [("items".to_string(), Json::Array(values))];
        let paged = answer::has_pages(&members, cx.options.answer_budget as usize);
        let draft = Draft {
            name: joined("get_", profile.slug(), finer.name),
            title: alloc::vec![title, " ", finer.name],
            description: alloc::vec!["Get the ", finer.name, " of the ", title, "."],
            parameters: if paged { alloc::vec![page_parameter()] } else { Vec::new() },
            read_only: true,
        };
        out.push((draft, Source::Finer(index, finer)));
    }
}

/// The reader of what is around where the page is about nothing in particular.
fn around(cx: Context, out: &mut Vec<(Draft, Source)>) {
    let members = told_around(cx, &mut renderer(cx, false).measuring(enough(cx)));
    if members.is_empty() {
        return;
    }
    let mut parameters = alloc::vec![section_parameter(alloc::vec![DETAILS])];
    if answer::has_pages(&members, enough(cx)) {
        parameters.push(page_parameter());
    }
    let mut description = alloc::vec!["Get what else this page says."];
    name_around(cx, &mut description);
    let title = alloc::vec!["Web page"];
    let draft = Draft { name: "get_web_page".to_string(), title, description, parameters, read_only: true };
    out.push((draft, Source::Around));
}

/// Says what is around: the kinds, each once.
fn name_around(cx: Context, description: &mut Vec<&'static str>) {
    let from = description.len();
    for &i in &cx.selection.around {
        let profile = cx.graph.entities[i].profile;
        let profile = profile.filter(|p| p.kind() == ProfileKind::Subject && p.rank() < select::FURNITURE);
        if let Some(profile) = profile {
            if !description[from..].contains(&profile.title()) && description.len() < from + 2 * AROUND_NAMED {
                description.push(if description.len() == from { " Also: " } else { ", " });
                description.push(profile.title());
            }
        }
    }
    if description.len() > from {
        description.push(".");
    }
}

/// The parameters that lead to the sections and their pages.
fn parameters(cx: Context, layout: &Layout) -> Vec<Parameter> {
    let mut out = Vec::new();
    if layout.sections.is_empty() {
        return out;
    }
    let name = |i: usize| layout.sections[i].0;
    let order = order::sorted(layout.sections.len(), &|a, b| name(a).cmp(name(b)));
    out.push(section_parameter(order.into_iter().map(name).collect()));
    let budget = cx.options.answer_budget as usize;
    // How long the page's text is, is not known yet.
    let paged =
        |(name, members): &(&str, Vec<Member>)| *name == TEXT && cx.speaks || answer::has_pages(members, budget);
    if layout.sections.iter().any(paged) {
        out.push(page_parameter());
    }
    out
}

fn section_parameter(names: Vec<&'static str>) -> Parameter {
    Parameter::optional("section".to_string(), ParameterKind::Choice(names))
}

fn list(cx: Context, group: &[EntityIndex]) -> (Draft, Source) {
    let entity = &cx.graph.entities[group[0]];
    let title = entity.profile.map_or("Other content", |p| p.title());
    let more = same_kind(cx, group[0]);
    let query = Parameter::optional("query".to_string(), ParameterKind::Text { min: 0, max: 0 });
    let parameters = alloc::vec![section_parameter(alloc::vec![DETAILS]), query, page_parameter()];
    let draft = Draft {
        name: joined("list_", &slug(entity), ""),
        title: alloc::vec![title],
        description: alloc::vec![if more { "List more entries: " } else { "List the entries: " }, title, "."],
        parameters,
        read_only: true,
    };
    (draft, Source::List(group.to_vec()))
}

fn page_parameter() -> Parameter {
    Parameter::optional("page".to_string(), ParameterKind::Page)
}

/// The word that names an entity's tools: its profile's, or its type where that is one plain short word, else `thing`.
pub(crate) fn slug(entity: &Entity) -> String {
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

fn renderer(cx: Context<'_>, brief: bool) -> Renderer<'_> {
    Renderer::new(cx.graph, &cx.selection.own, cx.language, brief)
}

/// Characters of a property that tell that it does not fit into a default answer: what a page costs before anybody asks
/// does not grow with its texts and lists.
fn enough(cx: Context) -> usize {
    cx.options.answer_budget as usize
}

/// `around`: whether what is around is wanted too. `enough`: as of [`Renderer::measuring`].
fn lay_out(cx: Context, index: EntityIndex, main: bool, around: bool, enough: usize) -> Layout {
    let mut whole = renderer(cx, false).measuring(enough);
    let mut members = whole.members(index);
    let filled = if main { fill(cx, &mut whole, index, &mut members) } else { String::new() };
    let light = if main { answer::LIGHT } else { 0 };
    let mut brief = renderer(cx, true).measuring(enough).members(index);
    // Whoever asks knows the page's own address.
    for (name, value) in &mut brief {
        if name == "url" && value.as_str().is_some_and(|url| select::is_page(url, cx.url)) {
            *value = Json::Null;
        }
    }
    let entity = &cx.graph.entities[index];
    for path in text::tokens(OF_OTHERS) {
        let (_, property) = text::split_once(path, b'.').unwrap_or_default();
        if entity.has(property) {
            continue;
        }
        let mut values = renderer(cx, true).path(index, path);
        if let Some(value) = if property == "offers" { range::of(&values) } else { values.pop() } {
            members.insert(members.len().min(2), (property.to_string(), value.clone()));
            brief.push((property.to_string(), value));
        }
    }
    if let Some((_, offers)) = brief.iter_mut().find(|(name, _)| name == "offers") {
        let path = match offers {
            Json::Array(_) if answer::size(offers) > OFFERS => "offers",
            Json::Object(_) if offers.get("lowPrice").is_none() => "offers.offers",
            _ => "",
        };
        if let Some(range) = range::of(&renderer(cx, true).path(index, path)) {
            *offers = range;
        }
    }
    let budget = cx.options.answer_budget as usize;
    let mut layout = answer::layout(entity, members, brief, &filled, budget, light);
    if main {
        if cx.speaks && !layout.sections.iter().any(|(name, _)| *name == TEXT) {
            layout.sections.push((TEXT, Vec::new()));
        }
        if !cx.selection.around.is_empty() {
            layout.sections.push((OTHER, if around { told_around(cx, &mut whole) } else { Vec::new() }));
        }
    }
    layout
}

/// What the markup of the subject is silent about, from the page's own node or from the page itself: the names of
/// these properties, each with a space behind it.
fn fill(cx: Context, renderer: &mut Renderer, index: EntityIndex, members: &mut Vec<Member>) -> String {
    let entity = &cx.graph.entities[index];
    let dated = entity.profile.is_none_or(|p| p.headline().contains("datePublished"));
    let mut filled = String::new();
    for (property, instead) in GAPS {
        let silent = !members.iter().any(|(name, _)| text::listed(instead, name));
        if !silent || (property == "datePublished" && !dated) {
            continue;
        }
        let node = cx.selection.page.map_or(&[][..], |page| cx.graph.entities[page].values(property)).first();
        let said = || cx.itself.iter().find(|(name, _)| *name == property).map(|(_, value)| Json::Text(value.clone()));
        if let Some(value) = node.and_then(|value| renderer.value(property, value, 1)).or_else(said) {
            let at = if property == "name" { members.len().min(1) } else { members.len() };
            members.insert(at, (property.to_string(), value));
            filled.push_str(property);
            filled.push(' ');
        }
    }
    filled
}

/// What is around the subject, by the words of its kinds; with a renderer in brief as lists tell of it.
fn told_around(cx: Context, renderer: &mut Renderer) -> Vec<Member> {
    let mut out: Vec<Member> = Vec::new();
    for &index in &cx.selection.around {
        let entity = &cx.graph.entities[index];
        let Json::Object(mut members) = renderer.told(index) else { continue };
        members.retain(|(name, _)| name != "type" || entity.profile.is_none());
        if members.is_empty() {
            continue;
        }
        let (name, value) = (slug(entity), Json::Object(members));
        match out.iter_mut().find(|(known, _)| *known == name) {
            Some((_, Json::Array(items))) => items.push(value),
            Some((_, one)) => {
                let first = core::mem::replace(one, Json::Null);
                *one = Json::Array(alloc::vec![first, value]);
            }
            None => out.push((name, value)),
        }
    }
    out
}

fn finer_values(mut renderer: Renderer, index: EntityIndex, finer: FinerTool) -> Vec<Json> {
    finer.paths.iter().map(|path| renderer.path(index, path)).find(|values| !values.is_empty()).unwrap_or_default()
}

/// Answers a call whose arguments were validated. `None` if the page's text is wanted for it and is not in `words`.
pub fn answer(cx: Context, source: &Source, arguments: &Json, words: Option<&str>) -> Result<Option<Json>, CallError> {
    let page = match arguments.get("page") {
        Some(Json::Number(n) | Json::Text(n)) => text::whole_number(n).unwrap_or(1) as usize,
        _ => 1,
    };
    let budget = cx.options.answer_budget as usize;
    let section = arguments.get("section").and_then(Json::as_str);
    let mut most = usize::MAX;
    let members = match source {
        Source::Entity(index, main) => {
            let layout = lay_out(cx, *index, *main, section == Some(OTHER), usize::MAX);
            let Some(section) = section else { return key_facts(layout, page).map(Some) };
            let found = layout.sections.into_iter().find(|(name, _)| *name == section);
            let mut members = found.map_or_else(Vec::new, |(_, members)| members);
            if section == TEXT && *main && cx.speaks {
                let Some(words) = words else { return Ok(None) };
                // A copy in the markup is not said again.
                let markup = members.iter().map(|(_, value)| answer::size(value)).sum();
                if members.is_empty() || words::says_more(words, markup) {
                    members.push((PAGE_TEXT.to_string(), Json::Text(words.to_string())));
                }
            }
            members
        }
        Source::Around => told_around(cx, &mut renderer(cx, section.is_none())),
        Source::Finer(index, finer) => {
            let mut values = finer_values(renderer(cx, false), *index, *finer);
            match (values.len(), values.pop()) {
                (1, Some(Json::Object(members))) => members,
                (_, Some(last)) => {
                    values.push(last);
                    alloc::vec![("items".to_string(), Json::Array(values))]
                }
                _ => Vec::new(),
            }
        }
        Source::List(group) => {
            most = PAGE;
            let query = match arguments.get("query") {
                Some(Json::Text(words) | Json::Number(words)) => words,
                _ => "",
            };
            let shown = if section.is_some() { WHOLE } else { page.saturating_mul(PAGE) };
            alloc::vec![("items".to_string(), Json::Array(items(cx, group, query, shown)))]
        }
    };
    answer::page(members, page, most, budget).map(|members| Some(Json::Object(members))).ok_or_else(no_such_page)
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

/// The entries of a list that have the words in what they say (ASCII letters without case): [`WHOLE`], or in short
/// so many of them as can be `shown`, and the others counted.
fn items(cx: Context, group: &[EntityIndex], query: &str, shown: usize) -> Vec<Json> {
    let mut told = renderer(cx, shown != WHOLE);
    let mut items = Vec::new();
    let mut steps = 0;
    let mut all = renderer(cx, false);
    for &index in group {
        let mut has = || {
            // What entries share is told with the first only, and each is found by it.
            if steps < limits::QUERY_STEPS {
                all = renderer(cx, false);
            }
            let item = all.told(index);
            steps += cx.graph.entities.len() + answer::size(&item);
            text::tokens(query).all(|word| contains(&item, word))
        };
        if query.is_empty() || has() {
            items.push(if items.len() < shown { told.told(index) } else { Json::Null });
        }
    }
    items
}

fn contains(json: &Json, query: &str) -> bool {
    match json {
        Json::Text(s) | Json::Number(s) => text::contains(s, query),
        Json::Array(items) => items.iter().any(|i| contains(i, query)),
        Json::Object(members) => members.iter().any(|(_, v)| contains(v, query)),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Options, Page, page::Outcome};
    use alloc::{format, string::String};

    /// What `list_event` has for `arguments` on a page of five events, each called `Talk` and its number.
    fn list(arguments: &str) -> String {
        let events = |n| {
            format!(
                r#",{{"@type":"Event","name":"Talk {n}","description":"In room {n} of Hall B","location":{{"@id":"/hall"}}}}"#
            )
        };
        let html = format!(
            r#"<script type="application/ld+json">{{"@context":"https://schema.org","@graph":[{{"@type":"Person","name":"Ann Example"}},{{"@id":"/hall","@type":"Place","name":"Hall B","address":"Dock Street"}}{}]}}</script>"#,
            (0..5).map(events).collect::<String>()
        );
        let page = Page::from_html(&html, "https://shop.example.test/", &Options::default());
        let Outcome::Answer(answer) = page.call("list_event", arguments) else { panic!() };
        answer
    }

    #[test]
    fn a_filter_looks_at_all_that_entries_say() {
        for (query, found) in [("talk", 5), ("ROOM 3", 1), ("hall room", 5), ("hall desk", 0), ("dock", 5), ("  ", 5)] {
            let answer = list(&format!(r#"{{"query":"{query}"}}"#));
            assert_eq!(answer.matches("Talk").count(), found, "{query}: {answer}");
        }
    }
}
