//! What many games show: simulation, deep checks, coverage, mutation, recordings.
//!
//! Everything comes out as data. Draws no table and no bar, starts no program, ends no process.

pub mod coverage;
pub mod deep;
pub mod mutation;
pub mod recording;
pub mod sim;
