//! All tests in one binary, one file per feature.
#![allow(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::float_arithmetic,
    clippy::print_stderr,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "the walls stand around src; tests read files, measure and fail loudly"
)]

mod again;
mod api;
mod arena;
mod audiences;
mod authors;
mod book;
mod bounds;
mod chance;
mod command_line;
mod coverage;
mod deep;
mod diff;
mod docs;
mod editors;
mod engine;
mod errors;
mod exact;
mod fuzz;
mod graph;
mod growth;
mod hooks;
mod lsp;
mod mutation;
mod nets;
mod overlays;
mod places;
mod play;
mod program;
mod prompt;
mod properties;
mod recording;
mod render;
mod repl;
mod rulebook;
mod runner;
mod scenario_syntax;
mod scenarios;
mod session_svg;
mod silence;
mod sim;
mod sources;
mod starter;
mod steps;
mod syntax;
mod tables;
mod tells;
mod terminal;
mod tidy;
mod words;
