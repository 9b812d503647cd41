//! The protocol's methods. What carries them is in `stdio` and `http`.

use crate::{call, hints::Listing, site::Site};
use agenticschema::offer::{self, INSTRUCTIONS};
use axum::http::request::Parts;
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
        ListResourcesResult, ListToolsResult, PaginatedRequestParams, ReadResourceRequestParams, ReadResourceResponse,
        ReadResourceResult, ResourceContents, ServerCapabilities, ServerConfig, Tool,
    },
    service::RequestContext,
};
use serde_json::Value;
use std::sync::Arc;

/// Milliseconds that a listing stays good for, told to clients that keep one.
const LISTING_TTL: u64 = offer::LISTING_TTL as u64;

/// One client's view of a site; all views are alike.
#[derive(Clone)]
pub struct Handler {
    site: Arc<Site>,
}

impl Handler {
    /// A view of this site.
    pub fn new(site: Arc<Site>) -> Handler {
        Handler { site }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_resources().build())
            .with_server_info(
                Implementation::new("agenticschema", env!("CARGO_PKG_VERSION")).with_title("AgenticSchema"),
            )
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(listing) = context.extensions.get::<Parts>().and_then(|parts| parts.extensions.get::<Listing>()) {
            listing.note();
        }
        // All of them at once, so there is no place to go on from.
        if cursor(request)? > 0 {
            return Err(no_such_cursor());
        }
        let catalogue = self.site.current().await;
        Ok(ListToolsResult::with_all_items(catalogue.tools.clone())
            .with_ttl_ms(LISTING_TTL)
            .with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        self.site.last()?.tools.iter().find(|tool| tool.name == name).cloned()
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let catalogue = self.site.current().await;
        let Some((read, tool)) = catalogue.tool(&request.name) else {
            return Err(ErrorData::invalid_params("There is no tool of this name: list the tools again", None));
        };
        let arguments = request.arguments.map_or_else(String::new, |arguments| Value::Object(arguments).to_string());
        let answer = tokio::select! {
            answer = call::answer(&self.site, read, tool, &arguments) => answer,
            // Nobody waits for it any more.
            () = context.ct.cancelled() => return Err(ErrorData::internal_error("The call was given up", None)),
        };
        let structured: Value = serde_json::from_str(&answer).unwrap_or_default();
        let failed = offer::is_error(&answer);
        let content = vec![ContentBlock::text(answer)];
        let mut result = if failed { CallToolResult::error(content) } else { CallToolResult::success(content) };
        result.structured_content = Some(structured);
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let from = cursor(request)?;
        let catalogue = self.site.current().await;
        let (resources, next) = catalogue.resources(from).ok_or_else(no_such_cursor)?;
        let mut result = ListResourcesResult::with_all_items(resources)
            .with_ttl_ms(LISTING_TTL)
            .with_cache_scope(CacheScope::Public);
        result.next_cursor = next.map(|next| next.to_string());
        Ok(result)
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let catalogue = self.site.current().await;
        let text = catalogue.resource(&request.uri).and_then(|(read, entity)| read.page.entity(entity));
        let text = text.ok_or_else(|| {
            ErrorData::resource_not_found("There is no resource at this address: list them again", None)
        })?;
        let contents = ResourceContents::text(text, request.uri).with_mime_type("application/json");
        let ttl = u64::try_from(self.site.ttl.as_millis()).unwrap_or(u64::MAX);
        Ok(ReadResourceResult::new(vec![contents])
            .with_ttl_ms(ttl.min(LISTING_TTL))
            .with_cache_scope(CacheScope::Private)
            .into())
    }
}

/// The place in a listing that a client goes on from.
fn cursor(request: Option<PaginatedRequestParams>) -> Result<usize, ErrorData> {
    match request.and_then(|request| request.cursor) {
        Some(cursor) => cursor.parse().map_err(|_| no_such_cursor()),
        None => Ok(0),
    }
}

fn no_such_cursor() -> ErrorData {
    ErrorData::invalid_params("The cursor is none that this server gave: list from the start", None)
}
