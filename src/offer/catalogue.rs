//! The tools and resources of several pages, under names of their own.

use super::names::{self, Place};
use crate::{
    Page,
    graph::EntityIndex,
    json::{self, Json, Writer},
};
use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

/// Resources of one page of the listing.
const RESOURCES: usize = 100;
/// Scheme and authority marker of resource addresses.
const SCHEME: &str = "agenticschema://";
/// Characters of a page's address that a description quotes.
const ADDRESS: usize = 200;

/// A tool as a server lists it.
#[derive(Clone, Debug)]
pub struct Listed {
    /// Its name there.
    pub name: String,
    /// `{name, title, description, inputSchema, annotations}`, as MCP has it.
    pub json: String,
    /// Which page it is of.
    pub page: usize,
    /// Its name on the page.
    pub own: String,
}

/// An entity as a server lists it.
#[derive(Clone, Debug)]
pub struct Resource {
    /// `agenticschema://<page>/<entity>`
    pub uri: String,
    /// `<entity>`: the kind of thing, and a number where there are several.
    pub name: String,
    /// The kind of thing, for people.
    pub title: &'static str,
    /// Which page it is of.
    pub page: usize,
    /// Which entity of the page.
    pub entity: EntityIndex,
}

/// The tools, page by page; `None` stands for a page that was never read. Where pages have a tool of one name, each gets
/// an ending; where there are several pages, each description has its page's address.
pub fn tools(places: &[Place], pages: &[Option<&Page>]) -> Vec<Listed> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in pages.iter().flatten().flat_map(|page| page.tools()) {
        *count.entry(tool.name()).or_default() += 1;
    }
    let tags = names::tags(places);
    let mut out: Vec<Listed> = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        for tool in page.iter().flat_map(|page| page.tools()) {
            let own = tool.name();
            let mut name = if count[own] > 1 { format!("{own}_{}", tags[at]) } else { own.to_string() };
            while out.iter().any(|other| other.name == name) {
                name.push_str("_2");
            }
            let mut written = Writer::default();
            tool.write(&mut written);
            let mut json = written.finish();
            if let Some(Json::Object(mut members)) = json::parse_strict(&json) {
                for (key, value) in &mut members {
                    match key.as_str() {
                        "name" => *value = Json::Text(name.clone()),
                        "description" if places.len() > 1 => {
                            let written = places[at].written.chars().filter(|c| !c.is_control());
                            let address: String = written.take(ADDRESS).collect();
                            *value = Json::Text(format!("{} Page: {address}", tool.description()));
                        }
                        _ => {}
                    }
                }
                json = Json::Object(members).to_text();
            }
            out.push(Listed { name, json, page: at, own: own.to_string() });
        }
    }
    out
}

/// Every entity of every page.
pub fn resources(places: &[Place], pages: &[Option<&Page>]) -> Vec<Resource> {
    let mut out = Vec::new();
    for ((at, page), place) in pages.iter().enumerate().zip(names::pages(places)) {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        for (entity, word, title) in page.iter().flat_map(|page| page.entities()) {
            let number = numbers.entry(word.clone()).or_default();
            *number += 1;
            let name = if *number == 1 { word } else { format!("{word}-{number}") };
            out.push(Resource { uri: format!("{SCHEME}{place}/{name}"), name, title, page: at, entity });
        }
    }
    out
}

/// One page of a listing from this place on, and where it goes on; `None` beyond its end.
pub fn part<T>(all: &[T], from: usize) -> Option<(&[T], Option<usize>)> {
    let to = from.saturating_add(RESOURCES).min(all.len());
    Some((all.get(from..to)?, Some(to).filter(|to| *to < all.len())))
}

impl Resource {
    /// `{uri, name, title, mimeType}`, as MCP has it.
    pub fn write(&self, out: &mut Writer) {
        out.object(|out| {
            out.field("uri", &self.uri);
            out.field("name", &self.name);
            out.field("title", self.title);
            out.field("mimeType", "application/json");
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;
    use url::Url;

    fn page(names: &[&str]) -> Page {
        let items: Vec<String> = names.iter().map(|n| format!(r#"{{"@type":"Product","name":"{n}"}}"#)).collect();
        let html = format!(
            r#"<script type="application/ld+json">{{"@context":"https://schema.org","@graph":[{}]}}</script>"#,
            items.join(",")
        );
        Page::from_html(&html, "https://a.example/p/1", &Options::default())
    }

    fn places(words: &[&str]) -> Vec<Place> {
        words.iter().map(|word| Place::of(&Url::parse(word).unwrap())).collect()
    }

    #[test]
    fn one_page_keeps_its_words() {
        let page = page(&["Lamp"]);
        let listed = tools(&places(&["https://a.example/p/1"]), &[Some(&page)]);
        let mut written = Writer::default();
        page.tools().next().unwrap().write(&mut written);
        assert_eq!(listed[0].json, written.finish());
    }

    #[test]
    fn several_pages_are_told_apart() {
        let (one, two) = (page(&["Lamp"]), page(&["Desk"]));
        let places = places(&["https://a.example/p/1", "https://a.example/gone", "https://a.example/p/2"]);
        let listed = tools(&places, &[Some(&one), None, Some(&two)]);
        let names: Vec<_> = listed.iter().map(|tool| (tool.name.as_str(), tool.page, tool.own.as_str())).collect();
        assert_eq!(names, [("get_product_p_1", 0, "get_product"), ("get_product_p_2", 2, "get_product")]);
        assert!(listed[1].json.contains(r#"{"name":"get_product_p_2","#), "{}", listed[1].json);
        assert!(listed[1].json.contains(r#" Page: https://a.example/p/2","#), "{}", listed[1].json);
    }

    #[test]
    fn resources_are_numbered_and_paged() {
        let names: Vec<String> = (0..250).map(|n| n.to_string()).collect();
        let page = page(&names.iter().map(String::as_str).collect::<Vec<_>>());
        let all = resources(&places(&["https://a.example/p/1"]), &[Some(&page)]);
        assert!(all.iter().any(|r| r.uri == "agenticschema://a-example-p-1/product"));
        assert!(all.iter().any(|r| r.uri == "agenticschema://a-example-p-1/product-250" && r.title == "Product"));
        let (mut seen, mut from) = (0, Some(0));
        while let Some(at) = from {
            let (some, next) = part(&all, at).unwrap();
            seen += some.len();
            from = next;
        }
        assert_eq!(seen, all.len());
        assert!(part(&all, all.len() + 1).is_none());
    }
}
