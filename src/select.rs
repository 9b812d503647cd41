//! What the page is about, what is furniture, what is grouped.
//!
//! Every entity of the graph is one of: the **subject** (at most one), the only or one of several **others** of its
//! profile that stand for themselves, or a part of one of these. Parts are reached through the entity that refers to
//! them. The choice is a list of rules in [`subject`], strongest first.

use crate::{
    graph::{Entity, EntityIndex, Graph, Value},
    order,
    profiles::ProfileKind,
    text,
};
use alloc::{string::String, vec::Vec};

/// What stands for itself on a page.
#[derive(Debug, Default)]
pub struct Selection {
    /// What the page is about.
    pub subject: Option<EntityIndex>,
    /// The other entities that stand for themselves, by profile, most useful first. An entity without a profile is a
    /// group of its own with others of its first type.
    pub groups: Vec<Vec<EntityIndex>>,
    /// For each entity whether it stands for itself (so that others mention it only by name).
    pub own: Vec<bool>,
}

/// Rank of types without a profile, among the profiles' ranks.
const GENERIC_RANK: u8 = 60;
/// From this rank on (organization, breadcrumbs, web site) an entity says whose page it is, not what it is about: then
/// the page's own node is the subject.
pub const WEAK: u8 = 75;
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
    let mut own = Vec::new();
    own.resize(graph.entities.len(), false);
    let mut others: Vec<EntityIndex> = Vec::new();
    for &i in &roots {
        if Some(i) != subject
            && kind(&graph.entities[i]) == ProfileKind::Subject
            && !graph.entities[i].properties.is_empty()
        {
            others.push(i);
            own[i] = true;
        }
    }
    if let Some(i) = subject {
        own[i] = true;
    }
    Selection { subject, groups: group(graph, others), own }
}

/// The page's addresses.
struct Address<'a> {
    url: &'a str,
    canonical: &'a str,
}

impl Address<'_> {
    /// `Some(true)` if the address is this page's (fragment and trailing slash aside), `Some(false)` if it is
    /// another page's, `None` if it says nothing.
    fn is_here(&self, address: &str) -> Option<bool> {
        let address = bare(address);
        if address.is_empty() {
            return None;
        }
        if address == bare(self.url) || (!self.canonical.is_empty() && address == bare(self.canonical)) {
            return Some(true);
        }
        // A relative address was not resolved by every syntax; the path decides.
        if address.starts_with('/') {
            return Some(path(self.url) == address);
        }
        text::strip_prefix_ignoring_case(address, "http").map(|_| false)
    }
}

/// Without fragment and trailing slash.
fn bare(address: &str) -> &str {
    let address = text::part(address, 0, text::until(address, b"#"));
    address.strip_suffix('/').unwrap_or(address)
}

fn path(url: &str) -> &str {
    // After the scheme and the two slashes.
    let after = text::rest(url, text::until(url, b":") + 3);
    bare(text::rest(after, text::until(after, b"/")))
}

/// Entities that stand for themselves: typed, and referred to by nothing or only by page furniture. Where entities
/// refer to each other in a circle, the first of them in source order is a root.
fn roots(graph: &Graph) -> Vec<EntityIndex> {
    let n = graph.entities.len();
    let mut held = Vec::new();
    held.resize(n, false);
    for (i, entity) in graph.entities.iter().enumerate() {
        if matches!(kind(entity), ProfileKind::Page | ProfileKind::Furniture | ProfileKind::Machinery) {
            continue;
        }
        for to in links(entity) {
            held[to] |= to != i;
        }
    }
    let mut reached = Vec::new();
    reached.resize(n, false);
    let mut roots: Vec<EntityIndex> = (0..n).filter(|&i| !held[i]).collect();
    for &i in &roots {
        reach(graph, i, &mut reached);
    }
    for i in 0..n {
        if !reached[i] {
            roots.push(i);
            reach(graph, i, &mut reached);
        }
    }
    order::sort(&mut roots, &|a, b| a.cmp(&b));
    roots.retain(|&i| graph.entities[i].typed && !graph.entities[i].types.is_empty());
    roots
}

/// Marks everything that can be reached from `from`. Each entity is entered once.
fn reach(graph: &Graph, from: EntityIndex, reached: &mut [bool]) {
    let mut todo = Vec::new();
    if !reached[from] {
        reached[from] = true;
        todo.push(from);
    }
    while let Some(i) = todo.pop() {
        for to in links(&graph.entities[i]) {
            if !reached[to] {
                reached[to] = true;
                todo.push(to);
            }
        }
    }
}

/// The entities that an entity refers to.
#[inline(never)]
fn links(entity: &Entity) -> Vec<EntityIndex> {
    let mut links = Vec::new();
    for property in &entity.properties {
        for value in &property.values {
            if let Value::Entity(to) = value {
                links.push(*to);
            }
        }
    }
    links
}

/// The rules, strongest first; the earlier candidate wins a tie. Where nothing is a subject by kind, the page itself
/// is read, or else a part that stands alone.
fn subject(graph: &Graph, roots: &[EntityIndex], page: &Address) -> Option<EntityIndex> {
    let claimed = claims(graph, page);
    let nested = claimed.iter().map(|(to, _)| *to).filter(|to| roots.binary_search(to).is_err());
    let mut best: Option<((u8, u8, u8, u8), EntityIndex)> = None;
    let mut alike = 0;
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
            (_, Some(false)) => 5,
        };
        // What kind of thing it is comes before where it says it is: a breadcrumb is not the subject of a page that
        // also has a product. Only the page's own `mainEntity` is stronger.
        let rank = entity.profile.map_or(GENERIC_RANK, |p| p.rank());
        let key = (fallback, u8::from(claim != Some(0)), rank, place);
        match best {
            Some((k, _)) if k <= key => alike += usize::from((k.0, k.1, k.2) == (key.0, key.1, key.2)),
            _ => {
                alike = if best.is_some_and(|(k, _)| k.2 == key.2) { alike + 1 } else { 0 };
                best = Some((key, i));
            }
        }
    }
    let ((fallback, _, rank, place), i) = best?;
    if fallback == 0 && rank >= WEAK && place > 1 {
        let named = |&&i: &&EntityIndex| {
            let entity = &graph.entities[i];
            kind(entity) == ProfileKind::Page && (entity.has("name") || entity.has("description"))
        };
        if let Some(&page) = roots.iter().find(named) {
            return Some(page);
        }
    }
    (place < 3 || alike + 1 < GRID).then_some(i)
}

/// What page nodes say that they are about: (entity, 0 for `mainEntity`, 1 for `about`). Only a page node that is
/// this page, or says nothing of its address, is believed: a comment's `mainEntity` is not.
fn claims(graph: &Graph, page: &Address) -> Vec<(EntityIndex, u8)> {
    let mut claims = Vec::new();
    for entity in &graph.entities {
        if kind(entity) != ProfileKind::Page || whereabouts(graph, entity, page) == Some(false) {
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
    let mut look = |address: &str| {
        let here = page.is_here(address);
        if here == Some(false) {
            elsewhere = Some(false);
        }
        here == Some(true)
    };
    for property in ["mainEntityOfPage", "url"] {
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

/// How many types the entities have that stand for themselves beside the subject.
pub fn kinds(graph: &Graph, selection: &Selection) -> usize {
    let types: Vec<&str> = selection
        .groups
        .iter()
        .flatten()
        .filter_map(|&i| graph.entities[i].types.first())
        .map(String::as_str)
        .collect();
    let mut sorted = order::arranged(&types, &|a, b| a.cmp(b));
    sorted.dedup();
    sorted.len()
}

/// Groups by profile (or first type), most useful first, in source order within a group.
fn group(graph: &Graph, others: Vec<EntityIndex>) -> Vec<Vec<EntityIndex>> {
    let keyed: Vec<(u8, &str, EntityIndex)> = others
        .into_iter()
        .map(|i| {
            let entity = &graph.entities[i];
            match entity.profile {
                Some(p) => (p.rank(), p.slug(), i),
                None => (GENERIC_RANK, entity.types.first().map_or("", |t| t.as_str()), i),
            }
        })
        .collect();
    let keyed = order::arranged(&keyed, &|a, b| a.cmp(b));
    let mut groups: Vec<Vec<EntityIndex>> = Vec::new();
    let mut last = None;
    for (rank, key, i) in keyed {
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
