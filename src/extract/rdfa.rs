//! RDFa 1.1 (RDFa Core 1.1 section 7.5, HTML+RDFa 1.1).

use crate::{dom::Snapshot, graph::Sink};

/// Reads every statement of the page.
pub fn read(_snapshot: &Snapshot, _sink: &mut dyn Sink) {}
