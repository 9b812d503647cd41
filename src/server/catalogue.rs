//! What the server offers at one moment, in the SDK's words.

use crate::{fetch::Failure, site::Read, source::Source};
use agenticschema::{
    Page,
    graph::EntityIndex,
    offer::{
        catalogue::{self, Listed},
        names::Place,
    },
};
use rmcp::model::{Resource, Tool};
use std::sync::{Arc, OnceLock};

/// The tools and resources of all pages.
pub struct Catalogue {
    /// The pages, in the order of the sources; `None` where one was never read.
    pub pages: Vec<Option<Arc<Read>>>,
    /// Of which source what went wrong when it was read last.
    pub failures: Vec<(usize, Failure)>,
    /// The tools, page by page.
    pub tools: Vec<Tool>,
    /// The same, with where each comes from.
    listed: Vec<Listed>,
    places: Vec<Place>,
    /// Made when somebody asks for them: few clients do, and a page may have thousands.
    resources: OnceLock<Vec<catalogue::Resource>>,
}

impl Catalogue {
    /// The catalogue of these pages.
    pub fn new(sources: &[Source], pages: Vec<Option<Arc<Read>>>, failures: Vec<(usize, Failure)>) -> Catalogue {
        let places: Vec<Place> = sources.iter().map(Source::place).collect();
        let mut listed = catalogue::tools(&places, &refer(&pages));
        // The core's own JSON is a tool in MCP's words.
        let tools = listed.iter().map(|tool| serde_json::from_str(&tool.json)).collect::<Result<_, _>>();
        let tools = tools.unwrap_or_else(|_| {
            listed.clear();
            Vec::new()
        });
        Catalogue { pages, failures, tools, listed, places, resources: OnceLock::new() }
    }

    /// The page that has a tool, and the tool's name there.
    pub fn tool(&self, name: &str) -> Option<(&Arc<Read>, &str)> {
        let tool = self.listed.iter().find(|tool| tool.name == name)?;
        Some((self.pages[tool.page].as_ref()?, &tool.own))
    }

    /// Some resources from this one on, and where the listing goes on; `None` beyond its end.
    pub fn resources(&self, from: usize) -> Option<(Vec<Resource>, Option<usize>)> {
        let (part, next) = catalogue::part(self.all_resources(), from)?;
        let listed = part.iter().map(|resource| {
            Resource::new(&resource.uri, &resource.name).with_title(resource.title).with_mime_type("application/json")
        });
        Some((listed.collect(), next))
    }

    /// The entity behind the address of a resource.
    pub fn resource(&self, uri: &str) -> Option<(&Arc<Read>, EntityIndex)> {
        let resource = self.all_resources().iter().find(|resource| resource.uri == uri)?;
        Some((self.pages[resource.page].as_ref()?, resource.entity))
    }

    fn all_resources(&self) -> &[catalogue::Resource] {
        self.resources.get_or_init(|| catalogue::resources(&self.places, &refer(&self.pages)))
    }
}

fn refer(pages: &[Option<Arc<Read>>]) -> Vec<Option<&Page>> {
    pages.iter().map(|read| read.as_deref().map(|read| &read.page)).collect()
}
