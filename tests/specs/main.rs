//! Conformance: every rule of the specifications that the readers follow, from tests of our own and, where
//! `../shared/suites` is present, from the W3C suites.

mod jsonld;
mod jsonld_rules;
mod microdata;
mod microdata_pages;
mod microdata_rules;
mod rdfa;
mod rdfa_expansion;
mod rdfa_pages;
mod rdfa_role;
mod same;
mod support;
