//! What is certain: every position that a game can come to, equal ones merged, and from them exact chances.
//!
//! A game is walked on the engine itself, level by level. Positions from which it goes on alike are one; what is
//! left is a chain of chances, which is solved in fractions, or between floats that surely hold the value.

mod alike;
pub mod asked;
mod ballots;
mod bytes;
mod calls;
mod caps;
pub mod chain;
mod exactly;
pub mod export;
mod fraction;
mod gate;
mod key;
mod kinds;
mod live;
mod number;
mod odds;
mod parts;
mod rounds;
mod solve;
mod table;
mod walk;

pub use alike::worlds;
pub use asked::{Answers, Effort, Record, Value, answers};
pub use calls::{Calls, Company};
pub use exactly::{Bounds, Certain, exactly};
pub use fraction::Fraction;
pub use gate::Hang;
pub use key::Keys;
pub use number::Between;
pub use odds::{Odds, odds};
pub use omerta_play::chances::Players;
pub use walk::{Failure, Ground, Hears, Progress, Walk, outermost};
