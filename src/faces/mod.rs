//! What people and programs see. The only room that prints, reads files and knows a terminal.

pub mod book;
pub mod bundle;
pub mod catalogue;
pub mod command_line;
pub mod console;
pub mod coverage;
pub mod deep;
pub mod diff;
pub mod events;
pub mod explain;
pub mod files;
pub mod graph;
pub mod mutation;
pub mod recording;
pub mod render;
pub mod runner;
pub mod sim;
pub mod starter;
pub mod workbench;
pub mod written;

mod commands;
mod markup;
mod options;
mod policies;
mod repl;
