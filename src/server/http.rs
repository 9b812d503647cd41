//! The protocol over Streamable HTTP, on 127.0.0.1 only.
//!
//! Any page in a browser on this machine can send requests to the port, under a name that leads here (DNS rebinding).
//! So both `Host` and `Origin` have to be of this machine. There are no sessions: every request stands for itself, as
//! in the protocol's 2026-07-28 form, and a client that went away leaves nothing behind.

use crate::{
    handler::Handler,
    hints::{self, Listing},
    site::Site,
};
use axum::{
    Router,
    body::{Body, to_bytes},
    extract::Request,
    http::{StatusCode, header::CONTENT_TYPE},
    middleware::{self, Next},
    response::{IntoResponse, Response},
};
use rmcp::transport::streamable_http_server::{
    StreamableHttpServerConfig, StreamableHttpService, session::never::NeverSessionManager,
};
use serde_json::{Value, json};
use std::{net::Ipv4Addr, sync::Arc, time::Duration};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// Bytes of one request.
const MESSAGE: usize = 1 << 20;
/// How long requests under way may take when the server is told to end.
const FAREWELL: Duration = Duration::from_secs(3);
/// Names of this machine.
const HOSTS: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Serves until a signal ends it; false if the port is taken or no page can be read.
pub async fn serve(site: Arc<Site>, port: u16) -> bool {
    let listener = match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
        Ok(listener) => listener,
        Err(error) => {
            eprintln!("agenticschema: 127.0.0.1:{port} cannot be served: {error}. Choose another --port.");
            return false;
        }
    };
    let port = listener.local_addr().map_or(port, |address| address.port());
    let (end, cut) = (CancellationToken::new(), CancellationToken::new());
    let server = axum::serve(listener, router(&site, &cut)).with_graceful_shutdown(end.clone().cancelled_owned());
    let server = tokio::spawn(server.into_future());
    let mut told = std::pin::pin!(told_to_end());
    tokio::select! {
        good = site.open() => if !good {
            return false;
        },
        () = &mut told => return true,
    }
    if !site.quiet {
        eprintln!("agenticschema: serving http://127.0.0.1:{port}/mcp");
    }
    told.await;
    end.cancel();
    let _ = tokio::time::timeout(FAREWELL, server).await;
    cut.cancel();
    true
}

/// `cut` ends requests under way.
fn router(site: &Arc<Site>, cut: &CancellationToken) -> Router {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts(HOSTS)
        .with_allowed_origins(HOSTS.iter().flat_map(|host| [format!("http://{host}:*"), format!("https://{host}:*")]))
        .enforce_origin_validation()
        .with_cancellation_token(cut.clone());
    let handler = Handler::new(site.clone());
    let service =
        StreamableHttpService::new(move || Ok(handler.clone()), Arc::new(NeverSessionManager::default()), config);
    Router::new().route_service("/mcp", service.clone()).route_service("/", service).layer(middleware::from_fn(amended))
}

/// Says two things as the SDK does not: a list of tools with all its hints, and what is wrong with a broken message.
async fn amended(request: Request, next: Next) -> Response {
    let is_json = request.headers().get(CONTENT_TYPE).is_some_and(|v| v.as_bytes().starts_with(b"application/json"));
    let (mut parts, body) = request.into_parts();
    let Ok(said) = to_bytes(body, MESSAGE).await else {
        return failure(StatusCode::PAYLOAD_TOO_LARGE, -32600, "The message is larger than 1 MiB");
    };
    let listing = Listing::default();
    parts.extensions.insert(listing.clone());
    let response = next.run(Request::from_parts(parts, Body::from(said.clone()))).await;
    if is_json && response.status() == StatusCode::UNSUPPORTED_MEDIA_TYPE {
        let is_syntax = serde_json::from_slice::<Value>(&said).is_err();
        let (code, what) = if is_syntax { (-32700, "Parse error") } else { (-32600, "Invalid Request") };
        return failure(StatusCode::BAD_REQUEST, code, what);
    }
    if !listing.is_noted() {
        return response;
    }
    let (parts, body) = response.into_parts();
    // It is in memory already, and our own.
    let bytes = to_bytes(body, usize::MAX).await.unwrap_or_default();
    let hinted = serde_json::from_slice(&bytes).ok().and_then(|mut message: Value| {
        hints::add(message.get_mut("result")?);
        serde_json::to_vec(&message).ok()
    });
    Response::from_parts(parts, Body::from(hinted.unwrap_or_else(|| bytes.into())))
}

fn failure(status: StatusCode, code: i32, message: &str) -> Response {
    let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": code, "message": message}});
    (status, [(CONTENT_TYPE, "application/json")], error.to_string()).into_response()
}

/// Resolves when the process is told to end: SIGTERM, SIGINT, or Ctrl-C.
pub async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminate), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        {
            tokio::select! {
                _ = terminate.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
