//! What holds in every game of every ruleset: random play over all rules that can be found, with
//! random casts, options, overlays and answers, host calls and other offers thrown in.
//!
//! No ruleset is named here: they are found by walking the folders and the pages.

pub mod facts;
mod game;
pub mod generated;
mod laws;
mod leaks;
pub mod tables;
