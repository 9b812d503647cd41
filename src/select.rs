//! What the page is about, what is furniture, what is grouped.
//!
//! Every entity of the graph is one of: the **subject** (at most one), the only or one of several **others** of its
//! profile that stand for themselves, **around** it (the page's own node, breadcrumbs, the site, parts that nothing
//! refers to), or a part of one of these. Parts are reached through the entity that refers to them. The choice is a
//! list of rules in [`subject`], strongest first.

use crate::{
    graph::{Entity, EntityIndex, Graph, Property, Value},
    order,
    profiles::ProfileKind,
    text,
};
use alloc::vec::Vec;

/// What stands for itself on a page.
#[derive(Debug, Default)]
pub struct Selection {
    /// What the page is about.
    pub subject: Option<EntityIndex>,
    /// The other entities that stand for themselves, by profile, most useful first. An entity without a profile is a
    /// group of its own with others of its first type.
    pub groups: Vec<Vec<EntityIndex>>,
    /// What says whose page it is and where it stands, in source order: told by the subject's reader.
    pub around: Vec<EntityIndex>,
    /// The node that stands for the page itself.
    pub page: Option<EntityIndex>,
    /// For each entity whether it stands for itself (so that others mention it only by name).
    pub own: Vec<bool>,
}

/// Rank of types without a profile, among the profiles' ranks.
const GENERIC_RANK: u8 = 60;
/// From this rank on (organization, breadcrumbs, web site) an entity says whose page it is, not what it is about: then
/// the page's own node is the subject.
pub const WEAK: u8 = 75;
/// From this rank on (breadcrumbs, web site) an entity is furniture of the page beside any subject.
pub const FURNITURE: u8 = 96;
/// From this rank on (people, organizations), and without a profile, an entity is around a subject that ranks before.
const AROUND: u8 = 70;
/// Parts from this rank on (a list's entry, a measure) say nothing alone.
const LONE: u8 = 90;
/// A page that shows this many of one kind, none of them claimed, is a list of them and about none.
const GRID: usize = 4;

/// How the entity is treated. Types without a profile are subjects: the generic reader serves them.
pub fn kind(entity: &Entity) -> ProfileKind {
    match entity.profile {
        Some(profile) => profile.kind(),
        // An action of any kind is machinery, also one that the vocabulary gained since.
        None if entity.types.iter().any(|t| t.ends_with("Action")) => ProfileKind::Machinery,
        None => ProfileKind::Subject,
    }
}

/// Chooses. `url` is the page's address, `canonical` the one it names itself (or empty).
pub fn select(graph: &Graph, url: &str, canonical: &str) -> Selection {
    let page = Address { url, canonical };
    let roots = roots(graph);
    let subject = subject(graph, &roots, &page);
    let leads = |i: EntityIndex| kind(&graph.entities[i]) == ProfileKind::Subject && rank(&graph.entities[i]) < AROUND;
    let strong = subject.map_or_else(|| roots.iter().any(|&i| leads(i)), leads);
    let mut own = Vec::new();
    own.resize(graph.entities.len(), false);
    let (mut others, mut around, mut node) = (Vec::new(), Vec::new(), None);
    for &i in &roots {
        let entity = &graph.entities[i];
        let kind = kind(entity);
        if kind == ProfileKind::Page && node.is_none() && whereabouts(graph, entity, &page) != Some(false) {
            node = Some(i);
        }
        let silent = |p: &Property| kind == ProfileKind::Page && text::listed(SILENT, &p.name);
        if entity.properties.iter().all(silent) || matches!(kind, ProfileKind::Furniture | ProfileKind::Machinery) {
            continue;
        }
        own[i] = true;
        if Some(i) == subject {
            continue;
        }
        let aside = rank(entity) >= FURNITURE || strong && (rank(entity) >= AROUND || entity.profile.is_none());
        (if kind != ProfileKind::Subject || aside { &mut around } else { &mut others }).push(i);
    }
    if let Some(i) = subject {
        own[i] = true;
    }
    Selection { subject, groups: group(graph, others), around, page: node, own }
}

fn rank(entity: &Entity) -> u8 {
    entity.profile.map_or(GENERIC_RANK, |p| p.rank())
}

/// Whether an address is the page's own, `url`.
pub fn is_page(address: &str, url: &str) -> bool {
    bare(address) == bare(url)
}

/// The page's addresses.
struct Address<'a> {
    url: &'a str,
    canonical: &'a str,
}

impl Address<'_> {
    /// `Some(true)` if the address is this page's, `Some(false)` if it is another page's, `None` if it says nothing.
    /// Scheme, `www.`, fragment and trailing slash do not count; a query that only the page's own address has neither.
    fn is_here(&self, address: &str) -> Option<bool> {
        let there = bare(address);
        if there.is_empty() {
            return None;
        }
        if [self.url, text::part(self.url, 0, text::until(self.url, b"?#")), self.canonical]
            .iter()
            .any(|a| bare(a) == there)
        {
            return Some(true);
        }
        // A relative address was not resolved by every syntax; the path decides.
        if there.starts_with('/') {
            let here = bare(self.url);
            return Some(text::part(here, text::until(here, b"/"), here.len()) == there);
        }
        text::strip_prefix_ignoring_case(address, "http").map(|_| false)
    }
}

/// Without scheme, `www.`, trailing slash and a fragment that is no route (`#/…`, `#!…`).
fn bare(address: &str) -> &str {
    let mut rest = text::part(address, 0, text::until(address, b"#"));
    if let Some(b'/' | b'!') = address.as_bytes().get(rest.len() + 1) {
        rest = address;
    }
    for start in ["http://", "https://", "www."] {
        rest = text::strip_prefix_ignoring_case(rest, start).unwrap_or(rest);
    }
    rest.strip_suffix('/').unwrap_or(rest)
}

/// Properties in which a page node only says what the page is about, and what can be done there.
const SILENT: &str = "mainEntity about breadcrumb potentialAction speakable";
/// Properties that lead from a thing to what it is in or about: what they name by its id is no part of the thing.
const UPWARD: &str = "isPartOf mainEntityOfPage itemReviewed subjectOf";

/// Entities that stand for themselves: typed, and no part of what does or of such a part. Where entities are parts of each
/// other in a circle, the first of them in source order is a root.
fn roots(graph: &Graph) -> Vec<EntityIndex> {
    let n = graph.entities.len();
    // What has no type, and is no part of what has one, is the document itself or nothing that could be told: what it
    // refers to stands for itself.
    let mut told = none(n);
    for i in (0..n).filter(|&i| is_typed(graph, i)) {
        reach(graph, i, &mut told);
    }
    let mut held = none(n);
    for i in (0..n).filter(|&i| told[i]) {
        for to in parts(graph, i) {
            held[to] = true;
        }
    }
    let mut reached = none(n);
    let mut roots = Vec::new();
    for circles in [false, true] {
        for i in (0..n).filter(|&i| is_typed(graph, i)) {
            if !reached[i] && (circles || !held[i]) {
                roots.push(i);
                reach(graph, i, &mut reached);
            }
        }
    }
    order::sort(&mut roots, &|a, b| a.cmp(&b));
    roots
}

fn none(n: usize) -> Vec<bool> {
    let mut all = Vec::new();
    all.resize(n, false);
    all
}

/// Whether an entity has a type of Schema.org.
fn is_typed(graph: &Graph, i: EntityIndex) -> bool {
    graph.entities[i].typed && !graph.entities[i].types.is_empty()
}

/// Marks everything that can be reached from `from`. Each entity is entered once.
fn reach(graph: &Graph, from: EntityIndex, reached: &mut [bool]) {
    let mut todo = Vec::new();
    if !reached[from] {
        reached[from] = true;
        todo.push(from);
    }
    while let Some(i) = todo.pop() {
        for to in parts(graph, i) {
            if !reached[to] {
                reached[to] = true;
                todo.push(to);
            }
        }
    }
}

/// The entities that are parts of an entity. Furniture has none, and of a page only its picture is one. Themes put every
/// post into a blog, so posts stand for themselves.
#[inline(never)]
fn parts(graph: &Graph, i: EntityIndex) -> Vec<EntityIndex> {
    let entity = &graph.entities[i];
    let kind = kind(entity);
    let mut parts = Vec::new();
    if matches!(kind, ProfileKind::Furniture | ProfileKind::Machinery) {
        return parts;
    }
    for property in &entity.properties {
        if kind == ProfileKind::Page && property.name != "image" || property.name == "blogPost" {
            continue;
        }
        for value in &property.values {
            if let Value::Entity(to) = *value
                && to != i
                && (graph.entities[to].id.is_empty() || !text::listed(UPWARD, &property.name))
            {
                parts.push(to);
            }
        }
    }
    parts
}

/// How an entity is judged as the subject: the lesser is better, the first member weighs most.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// 1 for a page node, 2 for a part: they are read where nothing else is.
    fallback: u8,
    /// 0 if the page calls it its `mainEntity`.
    claimed: u8,
    /// 1 if it says it is another page's where something else is this page's.
    away: u8,
    /// Its profile's.
    rank: u8,
    /// 0 and 1 if the page claims it, 2 if it says it is here, 3 if it says nothing, 4 in an aside, [`ELSEWHERE`].
    place: u8,
}

/// The place of what says it is another page's.
const ELSEWHERE: u8 = 5;
/// Up to this rank an entity can be what a page is about before all others; only subjects have one.
const MAIN: u8 = 50;

/// The rules, strongest first; the earlier candidate wins a tie. Where nothing is a subject by kind, the page itself
/// is read, or else a part that stands alone.
fn subject(graph: &Graph, roots: &[EntityIndex], page: &Address) -> Option<EntityIndex> {
    let says_here = |&i: &EntityIndex| {
        let entity = &graph.entities[i];
        rank(entity) < MAIN && whereabouts(graph, entity, page) == Some(true)
    };
    let claimed = claims(graph, page, roots.iter().any(says_here));
    let nested = claimed.iter().map(|(to, _)| *to).filter(|to| roots.binary_search(to).is_err());
    let mut candidates: Vec<(Key, EntityIndex)> = Vec::new();
    for i in roots.iter().copied().chain(nested) {
        let entity = &graph.entities[i];
        let fallback = match kind(entity) {
            ProfileKind::Subject => 0,
            ProfileKind::Page => 1,
            ProfileKind::Part if entity.profile.is_some_and(|p| p.rank() < LONE) => 2,
            _ => continue,
        };
        if entity.properties.is_empty() {
            continue;
        }
        let claim = claimed.iter().filter(|(to, _)| *to == i).map(|(_, strength)| *strength).min();
        let place = match (claim, whereabouts(graph, entity, page)) {
            (Some(strength), _) => strength,
            (_, Some(true)) => 2,
            (_, None) => 3 + u8::from(entity.aside),
            (_, Some(false)) => ELSEWHERE,
        };
        // What kind of thing it is comes before where it says it is: a breadcrumb is not the subject of a page that
        // also has a product. Only the page's own `mainEntity` is stronger.
        candidates.push((Key { fallback, claimed: u8::from(claim != Some(0)), away: 0, rank: rank(entity), place }, i));
    }
    // Where one says that it is this page's, those of other pages are its neighbours, whatever they are.
    let here = candidates.iter().any(|(key, _)| key.rank < MAIN && key.place <= 2);
    let mut best: Option<(Key, EntityIndex)> = None;
    let mut alike = 0;
    for (mut key, i) in candidates {
        key.away = u8::from(here && key.place == ELSEWHERE);
        match &best {
            Some((k, _)) if *k <= key => alike += usize::from(*k == key),
            _ => (best, alike) = (Some((key, i)), 0),
        }
    }
    let (Key { fallback, rank, place, .. }, i) = best?;
    if fallback == 0 && rank >= WEAK && place > 1 {
        let named = |&&i: &&EntityIndex| {
            let entity = &graph.entities[i];
            kind(entity) == ProfileKind::Page && (entity.has("name") || entity.has("description"))
        };
        if let Some(&page) = roots.iter().find(named) {
            return Some(page);
        }
    }
    // What all is other pages' is a list sooner, on a page that says so at once.
    let collection = |&i: &EntityIndex| graph.entities[i].is("CollectionPage") || graph.entities[i].is("Blog");
    let sooner = if place < ELSEWHERE { 0 } else { 1 + usize::from(roots.iter().any(collection)) };
    (place < 3 || alike + 1 + sooner < GRID).then_some(i)
}

/// What page nodes, and what has no type, say that they are about: (entity, 0 for `mainEntity`, 1 for `about`). Only a page node that is
/// this page is believed, and one that does not say where it is if nothing else is this page's (`here`): a comment's
/// `mainEntity` is not.
fn claims(graph: &Graph, page: &Address, here: bool) -> Vec<(EntityIndex, u8)> {
    let mut claims = Vec::new();
    for (i, entity) in graph.entities.iter().enumerate() {
        let is_page = kind(entity) == ProfileKind::Page || !is_typed(graph, i);
        if !is_page || !whereabouts(graph, entity, page).unwrap_or(!here) {
            continue;
        }
        for (property, strength) in [("mainEntity", 0), ("about", 1)] {
            for value in entity.values(property) {
                if let Value::Entity(to) = value {
                    claims.push((*to, strength));
                }
            }
        }
    }
    claims
}

/// Whether the entity says it is this page's (`Some(true)`), another page's (`Some(false)`), or nothing of the kind.
fn whereabouts(graph: &Graph, entity: &Entity, page: &Address) -> Option<bool> {
    let mut elsewhere = None;
    for property in ["mainEntityOfPage", "url", "offers"] {
        let mut look = |address: &str| {
            let here = page.is_here(address);
            // What is sold elsewhere may be this page's.
            if here == Some(false) && property != "offers" {
                elsewhere = here;
            }
            here == Some(true)
        };
        for value in entity.values(property) {
            let found = match value {
                Value::Entity(to) => {
                    let node = &graph.entities[*to];
                    look(&node.id) || node.values("url").iter().filter_map(Value::as_text).any(&mut look)
                }
                other => other.as_text().is_some_and(&mut look),
            };
            if found {
                return Some(true);
            }
        }
    }
    if page.is_here(&entity.id) == Some(true) {
        return Some(true);
    }
    elsewhere
}

/// Whether the entities that stand for themselves beside the subject have more than `most` types.
pub fn kinds_exceed(graph: &Graph, selection: &Selection, most: usize) -> bool {
    let mut types: Vec<&str> = Vec::new();
    for &i in selection.groups.iter().flatten() {
        if let Some(first) = graph.entities[i].types.first() {
            if types.len() <= most && !types.iter().any(|known| known == first) {
                types.push(first);
            }
        }
    }
    types.len() > most
}

/// Groups by profile (or first type), most useful first, in source order within a group.
fn group(graph: &Graph, others: Vec<EntityIndex>) -> Vec<Vec<EntityIndex>> {
    let keyed: Vec<(u8, &str, EntityIndex)> = others
        .into_iter()
        .map(|i| {
            let entity = &graph.entities[i];
            (rank(entity), entity.profile.map_or(entity.types.first().map_or("", |t| t.as_str()), |p| p.slug()), i)
        })
        .collect();
    let mut groups: Vec<Vec<EntityIndex>> = Vec::new();
    let mut last = None;
    for at in order::sorted(keyed.len(), &|a, b| keyed[a].cmp(&keyed[b])) {
        let (rank, key, i) = keyed[at];
        if last == Some((rank, key)) {
            if let Some(group) = groups.last_mut() {
                group.push(i);
            }
        } else {
            groups.push(alloc::vec![i]);
            last = Some((rank, key));
        }
    }
    groups
}
