//! What people and programs see. The only room that prints, reads files and knows a terminal.

pub mod bundle;
pub mod command_line;
pub mod explain;
pub mod render;
