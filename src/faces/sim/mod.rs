//! Many games and what they came to: who won how often, how long it took, and how sure one may be.
//!
//! Game number i of a seed is the same game on every machine and however a run is split, and a tally
//! holds sums alone: so threads, shards and resumed runs all come to the same numbers.

mod bot;
mod data;
mod field;
mod file;
mod page;
mod run;
mod share;
mod tally;
mod text;

pub use bot::Wanted as BotWanted;
pub use data::{csv, json};
pub use field::{Field, Limits};
pub use file::{Cell, Head, Labels, MergeError, RunFile, Shard, cells, merge};
pub use page::{Study, page};
pub use run::{Goal, Orders, run};
pub use share::{Interval, difference, wilson};
pub use tally::{Record, Seen, Shape, Tally};
pub use text::{compared, heat, sheet};
