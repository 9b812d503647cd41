//! tools

pub mod action;
pub mod digest;
pub mod error;
pub mod parameter;
