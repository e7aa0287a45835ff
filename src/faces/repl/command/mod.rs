//! The commands of a game under way: one table with their names, their help and what each does.

pub mod keep;
pub mod rows;

mod help;
mod log;
mod time;
