//! Many games and what they came to: who won how often, how long it took, and how sure one may be.
//!
//! Game number i of a seed is the same game on every machine and however a run is split, and a tally
//! holds sums alone: so threads, shards and resumed runs all come to the same numbers.

mod careful;
mod counted;
mod data;
mod file;
mod guest;
mod quick;
mod run;
mod setup;
mod share;
mod simulator;
mod tally;

pub use careful::Careful;
pub use counted::{Counted, Group, Kind, Place, answers, counted, groups, seats_by_chance};
pub use data::{csv, json, quoted};
pub use file::{Cell, Head, Labels, MergeError, RunFile, Shard, capital, cells, merge};
pub use guest::{Guest, Invited};
pub use quick::{Quick, Won, quick};
pub use run::{End, Goal, MOST_THREADS, Orders, Run, is_sure, run};
pub use setup::{NotReady, Ready, Setup};
pub use share::{Interval, by_chance, difference, mean, of_seats, wilson};
pub use simulator::{Limits, Simulator};
pub use tally::{Held, MOST_MOMENTS, Moment, Record, Seen, Shape, Tally, Together};
