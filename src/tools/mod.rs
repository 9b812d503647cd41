<<<<<<< HEAD
//! tools

pub mod action;
pub mod digest;
pub mod error;
pub mod parameter;
=======
//! Selection → drafts of tools, and their answers.

pub mod answer;
pub mod error;
pub mod read;
>>>>>>> 14afbfd (Select, lay out and answer: the core's path from graph to tools)
