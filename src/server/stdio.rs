//! The protocol over standard input and output: one client, gone when its end of the pipe is.

use crate::{handler::Handler, hints::Hinting, http::told_to_end, site::Site};
use rmcp::{
    RoleServer,
    service::{RxJsonRpcMessage, TxJsonRpcMessage, serve_server},
    transport::{Transport, async_rw::AsyncRwTransport, stdio_pipes},
};
use std::{sync::Arc, time::Duration};
use tokio_util::sync::CancellationToken;

/// Bytes of one message of a client. Longer lines are dropped without being held.
const MESSAGE: usize = 1 << 20;
/// How long calls under way may take when the server is told to end.
const FAREWELL: Duration = Duration::from_secs(3);

/// Serves until the client is gone or a signal ends it; false if no page can be read.
pub async fn serve(site: Arc<Site>) -> bool {
    let end = CancellationToken::new();
    let (input, output) = stdio_pipes();
    let transport = AsyncRwTransport::new(input, output).with_max_line_length(MESSAGE);
    let transport = Hinting(Ending { transport, end: end.clone() });
    let handler = Handler::new(site.clone());
    let service = async {
        // A client that leaves before it has said hello is no failure.
        if let Ok(service) = serve_server(handler, transport).await {
            let _ = service.waiting().await;
        }
    };
    let mut service = std::pin::pin!(service);
    // Pages are read while the client says hello.
    let mut opened = std::pin::pin!(site.open());
    let mut told = std::pin::pin!(told_to_end());
    let mut good = None;
    loop {
        tokio::select! {
            opened = &mut opened, if good.is_none() => {
                good = Some(opened);
                if !opened {
                    return false;
                }
            }
            () = &mut service => break,
            () = &mut told => {
                end.cancel();
                let _ = tokio::time::timeout(FAREWELL, &mut service).await;
                return true;
            }
        }
    }
    match good {
        Some(good) => good,
        // The client is gone already; whether the pages could be read is still to be said.
        None => opened.await,
    }
}

/// A transport that can be told to take no more: what is under way is answered, as when the client has gone.
struct Ending<T> {
    transport: T,
    end: CancellationToken,
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Ending<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        self.transport.send(item)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        tokio::select! {
            message = self.transport.receive() => message,
            () = self.end.cancelled() => None,
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}
