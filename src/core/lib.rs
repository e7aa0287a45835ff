//! What all rooms speak of: texts with their places, mistakes as data, compiled rules.
//!
//! Plain data. Opens no file, knows no parser, runs nothing.

pub mod codes;
pub mod diagnostic;
pub mod digest;
pub mod gather;
pub mod plural;
pub mod rules;
pub mod source;
pub mod written;
