//! What people and programs see. The only room that prints, reads arguments and knows a terminal.

pub mod command_line;
pub mod console;
pub mod exact;
pub mod render;
pub mod repl;
pub mod runner;
pub mod sim;
pub mod starter;

mod commands;
mod measured;
mod seed;
mod terminal;
mod worlds;

pub use commands::play::open_line;
