//! The whole path.
/// A page.
pub struct Page;
