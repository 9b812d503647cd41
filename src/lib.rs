//! AgenticSchema reads the Schema.org markup of a page (JSON-LD, microdata, RDFa) and turns it into a few
//! WebMCP tools that an agent can call.
//!
//! The modules stand in the order of the path that the data takes:
//!
//! ```text
//! dom      live DOM or HTML text  → Snapshot   the annotated elements, owned
//! extract  Snapshot               → statements (JSON-LD, microdata, RDFa)
//! graph    statements             → Graph      entities with properties
//! profiles what is known of each type
//! select   Graph                  → Selection  what the page is about
//! tools    Selection              → drafts of tools, and their answers
//! guard    drafts                 → Tool       nothing becomes a tool without passing it
//! page     the whole path, and calls
//! offer    several pages, as a server lists them (feature `html`)
//! host     the edge: WebAssembly
//! ```
#![no_std]
#![deny(missing_docs)]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(any(not(target_arch = "wasm32"), feature = "html"))]
extern crate std;

pub mod diagnostic;
pub mod dom;
pub mod extract;
pub mod graph;
pub mod guard;
pub mod host;
pub mod json;
pub mod limits;
#[cfg(feature = "html")]
pub mod offer;
pub mod options;
pub mod order;
pub mod page;
pub mod profiles;
pub mod select;
pub mod text;
pub mod tools;

pub use diagnostic::{Code, Diagnostic, Level};

pub use options::Options;
pub use page::Page;
