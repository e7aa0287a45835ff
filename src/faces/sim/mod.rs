//! Many games and what they came to: who won how often, how long it took, and how sure one may be.
//!
//! Game number i of a seed is the same game on every machine and however a run is split, and a tally
//! holds sums alone: so threads, shards and resumed runs all come to the same numbers.

mod bot;
mod counted;
mod data;
mod field;
mod file;
mod page;
mod run;
mod share;
mod tally;
mod text;

pub use bot::Wanted as BotWanted;
pub use counted::{Counted, Group, Kind, Place, counted, groups, seats_by_chance};
pub use data::{csv, json};
pub use field::{Field, Limits};
pub use file::{Cell, Head, Labels, MergeError, RunFile, Shard, cells, merge};
pub use page::{Study, page};
pub use run::{End, Goal, Orders, Run, is_sure, run};
pub use share::{Interval, by_chance, difference, mean, of_seats, wilson};
pub use tally::{Record, Seen, Shape, Tally, Together};
pub use text::{Look, compared, grouped, name_of, sheet};
