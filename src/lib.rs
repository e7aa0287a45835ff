//! Omerta: a language, an interpreter and a workbench for hidden-role party games.
//!
//! The modules stand in the order in which a text becomes a game.

/// Texts, spans, lines and columns.
pub mod source;
/// Mistakes as plain data.
pub mod diagnostic;
/// Text to trees, trees to text.
pub mod syntax;
/// Compiled rules: ids, tables, the flat program.
pub mod rules;
/// Trees to compiled rules, with all errors and warnings.
pub mod check;
/// The state of a game and its steps.
pub mod engine;
/// Scripts for the odd ability.
pub mod hooks;
/// A game with its answers: replay, undo, save files, scenarios.
pub mod play;
/// What people and programs see: command line, REPL, test runner.
pub mod faces;
