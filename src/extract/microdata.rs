//! Microdata (WHATWG HTML, section 5).

use crate::{dom::Snapshot, graph::Sink};

/// Reads every Schema.org item of the page.
pub fn read(_snapshot: &Snapshot, _sink: &mut dyn Sink) {}
