//! What a server offers at one moment: the tools and resources of all its pages, under names of their own.

use crate::{fetch::Failure, names, site::Read, source::Source};
use agenticschema::{graph::EntityIndex, json::Writer};
use rmcp::model::{Resource, Tool};
use std::{
    collections::HashMap,
    sync::{Arc, OnceLock},
};

/// Resources of one page of the listing.
pub const RESOURCES: usize = 100;
/// Scheme and authority marker of resource addresses.
const SCHEME: &str = "agenticschema://";
/// Characters of a page's address that a description quotes.
const ADDRESS: usize = 200;

/// The tools and resources of all pages.
pub struct Catalogue {
    /// The pages, in the order of the sources; `None` where one was never read.
    pub pages: Vec<Option<Arc<Read>>>,
    /// Of which source what went wrong when it was read last.
    pub failures: Vec<(usize, Failure)>,
    /// The tools, page by page.
    pub tools: Vec<Tool>,
    /// Name of a tool → page, and its name there.
    routes: HashMap<String, (usize, String)>,
    names: Vec<String>,
    resources: OnceLock<Resources>,
}

/// Every entity of every page, and where it is by its address.
#[derive(Default)]
struct Resources {
    listed: Vec<Resource>,
    at: HashMap<String, (usize, EntityIndex)>,
}

impl Catalogue {
    /// The catalogue of these pages.
    pub fn new(sources: &[Source], pages: Vec<Option<Arc<Read>>>, failures: Vec<(usize, Failure)>) -> Catalogue {
        let names = names::pages(sources);
        let mut catalogue =
            Catalogue { pages, failures, tools: Vec::new(), routes: HashMap::new(), names, resources: OnceLock::new() };
        catalogue.list_tools(sources);
        catalogue
    }

    fn list_tools(&mut self, sources: &[Source]) {
        let mut count: HashMap<&str, usize> = HashMap::new();
        for name in self.pages.iter().flatten().flat_map(|read| read.page.tools()).map(|tool| tool.name()) {
            *count.entry(name).or_default() += 1;
        }
        let tags = names::tags(sources);
        for (at, read) in self.pages.iter().enumerate() {
            for tool in read.iter().flat_map(|read| read.page.tools()) {
                let own = tool.name();
                let mut name = if count[own] > 1 { format!("{own}_{}", tags[at]) } else { own.to_string() };
                while self.routes.contains_key(&name) {
                    name.push_str("_2");
                }
                let mut out = Writer::default();
                tool.write(&mut out);
                // The core's own JSON is a tool in MCP's words.
                let Ok(mut listed) = serde_json::from_str::<Tool>(&out.finish()) else { continue };
                listed.name = name.clone().into();
                if sources.len() > 1 {
                    let source: String =
                        sources[at].to_string().chars().filter(|c| !c.is_control()).take(ADDRESS).collect();
                    listed.description = Some(format!("{} Page: {source}", tool.description()).into());
                }
                self.tools.push(listed);
                self.routes.insert(name, (at, own.to_string()));
            }
        }
    }

    /// The page that has a tool, and the tool's name there.
    pub fn tool(&self, name: &str) -> Option<(&Arc<Read>, &str)> {
        let (at, own) = self.routes.get(name)?;
        Some((self.pages[*at].as_ref()?, own))
    }

    /// So many resources from this one on, and where the listing goes on; `None` beyond its end.
    pub fn resources(&self, from: usize) -> Option<(Vec<Resource>, Option<usize>)> {
        let all = &self.all_resources().listed;
        let to = from.saturating_add(RESOURCES).min(all.len());
        let part = all.get(from..to)?.to_vec();
        Some((part, Some(to).filter(|to| *to < all.len())))
    }

    /// The entity behind the address of a resource.
    pub fn resource(&self, uri: &str) -> Option<(&Arc<Read>, EntityIndex)> {
        let (at, entity) = self.all_resources().at.get(uri)?;
        Some((self.pages[*at].as_ref()?, *entity))
    }

    /// Made when somebody asks for them: few clients do, and a page may have thousands.
    fn all_resources(&self) -> &Resources {
        self.resources.get_or_init(|| {
            let mut all = Resources::default();
            for (at, read) in self.pages.iter().enumerate() {
                let Some(read) = read else { continue };
                let mut numbers: HashMap<String, usize> = HashMap::new();
                for (entity, word, title) in read.page.entities() {
                    let number = numbers.entry(word.clone()).or_default();
                    *number += 1;
                    let name = if *number == 1 { word } else { format!("{word}-{number}") };
                    let uri = format!("{SCHEME}{}/{name}", self.names[at]);
                    all.at.insert(uri.clone(), (at, entity));
                    all.listed.push(Resource::new(uri, name).with_title(title).with_mime_type("application/json"));
                }
            }
            all
        })
    }
}
