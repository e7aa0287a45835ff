//! Omerta: a language, an interpreter and a workbench for hidden-role party games.
//!
//! Rules are texts ([`Load`]); a game of them says who is asked what and which answers are legal ([`Game`]),
//! and shows each seat what it knows and nothing else. This is all it takes to host one:
//!
//! ```
//! use omerta::{Eyes, Load, Simulation, Table};
//! use std::sync::atomic::AtomicBool;
//!
//! let rules = Load::named("city").load()?;
//! let table = Table::new().names(["Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal"]).seed(7);
//!
//! let mut game = rules.begin(&table)?;
//! while let Some(question) = game.asked() {
//!     assert!(!question.words.is_empty());
//!     let answer = game.random_answer().expect("something can always be answered");
//!     game.apply(&answer)?;
//! }
//! assert!(game.outcome().is_some());
//! assert!(game.view(Eyes::Seat(0)).len() <= game.view(Eyes::Host).len());
//!
//! let many = Simulation::new(table, 200).run(&rules, &|_| {}, &AtomicBool::new(false))?;
//! assert_eq!((many.games, many.wrong), (200, 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The program `omerta` is a face on the same library; with `default-features = false` it stays away,
//! and with it everything that knows a terminal.
#![warn(missing_docs)]

mod api;

pub use api::{
    Answer, Arena, Asked, Counts, Event, Eyes, Feature, Game, GameError, Held, Load, LoadError, Mistake,
    Numbers, Outcome, Place, Question, Rules, Scenarios, Setting, Simulation, Table, Title, Tried, Turn,
    Worlds,
};

/// What people and programs see: command line, REPL, test runner. No part of the library's promise.
#[cfg(feature = "program")]
#[doc(hidden)]
#[allow(missing_docs, reason = "public for the program and its tests alone")]
pub mod faces;

/// Runs the program with the words it was called with, its own name first: for packages that bring the command
/// along. It talks to the terminal and takes over how a panic is told.
#[cfg(feature = "program")]
pub fn program(words: &[std::ffi::OsString]) -> std::process::ExitCode {
    faces::command_line::run(words)
}

#[cfg(doctest)]
#[doc = include_str!("../docs/book/embedding.md")]
mod embedding {}
