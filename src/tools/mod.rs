//! Selection → drafts of tools, and their answers.

pub mod action;
pub mod answer;
pub mod digest;
pub mod error;
pub mod form;
pub mod found;
pub mod parameter;
mod range;
pub mod read;
pub mod render;
pub mod results;
pub mod words;
