//! WebMCP's `untrustedContentHint`: what a tool answers is quoted from a page. MCP's list of hints does not have it, nor
//! has the SDK's type for them, so it is added to a listing on its way out. It holds for every tool there is.

use rmcp::{
    RoleServer,
    model::{CustomResult, JsonRpcMessage, ServerResult},
    service::{RxJsonRpcMessage, TxJsonRpcMessage},
    transport::Transport,
};
use serde_json::Value;
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

/// Adds the hint to the tools of a `tools/list` result.
pub fn add(result: &mut Value) {
    let tools = result.get_mut("tools").and_then(Value::as_array_mut);
    for tool in tools.into_iter().flatten() {
        if let Some(annotations) = tool.get_mut("annotations").and_then(Value::as_object_mut) {
            annotations.insert("untrustedContentHint".to_string(), Value::Bool(true));
        }
    }
}

/// A transport that adds the hint to what it sends.
pub struct Hinting<T>(pub T);

impl<T: Transport<RoleServer>> Transport<RoleServer> for Hinting<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        mut item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        if let JsonRpcMessage::Response(response) = &mut item {
            if let ServerResult::ListToolsResult(listing) = &response.result {
                if let Ok(mut result) = serde_json::to_value(listing) {
                    add(&mut result);
                    response.result = ServerResult::CustomResult(CustomResult(result));
                }
            }
        }
        self.0.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.0.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.0.close()
    }
}

/// Goes along with an HTTP request: whether it was for the list of tools.
#[derive(Clone, Default)]
pub struct Listing(Arc<AtomicBool>);

impl Listing {
    /// Says that it was.
    pub fn note(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was.
    pub fn is_noted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
