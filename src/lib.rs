//! Omerta: a language, an interpreter and a workbench for hidden-role party games.

/// What people and programs see: command line, REPL, test runner.
pub mod faces;
