//! JSON-LD 1.1 as Schema.org pages use it.

use crate::{diagnostic::Diagnostics, dom::Snapshot, graph::Sink};

/// Reads every JSON-LD block of the page.
pub fn read(_snapshot: &Snapshot, _sink: &mut dyn Sink, _diagnostics: &mut Diagnostics) {}
