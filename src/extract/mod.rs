//! Snapshot → statements, one reader per syntax.

pub mod jsonld;
pub mod microdata;
pub mod rdfa;
pub mod repair;
