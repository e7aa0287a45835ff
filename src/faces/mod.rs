//! What people and programs see. The only room that prints, reads files and knows a terminal.

pub mod bundle;
pub mod command_line;
pub mod console;
pub mod explain;
pub mod files;
pub mod render;
pub mod runner;
pub mod workbench;

mod commands;
