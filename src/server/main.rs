//! `agenticschema`: reads pages and serves what they say as an MCP server, or prints it (`map`).
//!
//! The modules stand in the order of the path that a page takes:
//!
//! ```text
//! arguments  the command line
//! source     what is a page: an address, a file, standard input
//! fetch      requests
//! site       all pages together, read again when they are old
//! catalogue  their tools and resources, in the SDK's words
//! call       a tool's answer, with its request where it is an action
//! handler    the protocol's methods; stdio and http carry it (hints: what the SDK has no word for)
//! map        the same for people (outline, paint); report says on standard error what was read
//! ```
//!
//! Nothing here is in the library, and the library knows nothing of it. What needs no requests (names, listings, charsets,
//! who may be asked) is in `agenticschema::offer`, for the server in `js/worker.js` too.
#![deny(unsafe_code)]

mod arguments;
mod call;
mod catalogue;
mod fetch;
mod handler;
mod hints;
mod http;
mod map;
mod outline;
mod paint;
mod report;
mod site;
mod source;
mod stdio;

use crate::{
    arguments::{Arguments, Doing},
    site::Site,
};
use std::{process::ExitCode, sync::Arc};
use tokio::runtime::{Builder, Runtime};

/// A page could not be read, or the port is taken.
const FAILED: u8 = 1;
/// The command line says something that cannot be done.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let (doing, site) = match Arguments::read().map(|(doing, plan)| (doing, Arc::new(Site::new(plan)))) {
        Ok(both) => both,
        Err(message) => {
            eprintln!("agenticschema: {message}\nTry agenticschema --help.");
            return ExitCode::from(USAGE);
        }
    };
    let runtime = match runtime(&doing) {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("agenticschema: no threads or sockets to be had: {error}");
            return ExitCode::from(FAILED);
        }
    };
    let good = runtime.block_on(async {
        match doing {
            Doing::Map { json } => map::print(&site, json).await,
            Doing::Stdio => stdio::serve(site).await,
            Doing::Http { port } => http::serve(site, port).await,
        }
    });
    // A read of standard input that nobody will answer must not keep the process.
    runtime.shutdown_background();
    if good { ExitCode::SUCCESS } else { ExitCode::from(FAILED) }
}

/// One client needs one thread; many are served by all cores.
fn runtime(doing: &Doing) -> std::io::Result<Runtime> {
    match doing {
        Doing::Http { .. } => Builder::new_multi_thread(),
        _ => Builder::new_current_thread(),
    }
    .enable_all()
    .build()
}
