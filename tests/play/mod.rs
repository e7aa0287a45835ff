//! Sessions, save files, words, casts, policies and scenarios, on rules written instruction by
//! instruction.

mod across;
mod deal;
mod hand;
mod moments;
mod rules;
mod scenarios;
mod sessions;
mod words;
