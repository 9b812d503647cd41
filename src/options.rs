//! The options, one row each.
