//! What came of scenarios, for people and for other programs, and the review of snapshots.

pub mod human;
pub mod machine;
pub mod review;
