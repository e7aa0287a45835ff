//! Omerta: a language, an interpreter and a workbench for hidden-role party games.
//!
//! The modules stand in the order in which a text becomes a game.

/// Trees to compiled rules, with all errors and warnings.
pub mod check;
/// Mistakes as plain data.
pub mod diagnostic;
/// The state of a game and its steps.
pub mod engine;
/// What people and programs see: command line, REPL, test runner.
pub mod faces;
/// Scripts for the odd ability.
pub mod hooks;
/// A game with its answers: replay, undo, save files, scenarios.
pub mod play;
/// Compiled rules: ids, tables, the flat program.
pub mod rules;
/// Texts, spans, lines and columns.
pub mod source;
/// Text to trees, trees to text.
pub mod syntax;
