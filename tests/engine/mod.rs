//! The engine on rules written instruction by instruction: no text is read here.

pub mod assembler;
mod batches;
mod cards;
mod faults;
mod pauses;
mod values;
mod views;
