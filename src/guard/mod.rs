//! guard

pub mod rules;
pub mod url;
