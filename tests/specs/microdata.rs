//! Microdata.
