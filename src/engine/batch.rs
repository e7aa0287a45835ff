//! Occurrences of events: done at once or planned and settled, always in batches. A batch goes
//! through four phases, each for all its occurrences before the next: before-rules, the decision
//! which rule takes its place, the body or that rule's, after-rules.

use super::state::Board;
use crate::rules::EventId;
use serde::{Deserialize, Serialize};

/// An event that is planned, or on its way.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Occurrence {
    /// What.
    pub event: EventId,
    /// To whom: a set of one, or nobody where the event has none.
    pub of: u64,
    /// By whom.
    pub by: u64,
    /// With what.
    pub with: u64,
    /// 0 for the body, n for the nth rule that may take its place; meaningless for a plan.
    pub(super) decision: u16,
}

/// A run of occurrences that are carried out together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Batch {
    /// The first of them among all that are on their way.
    pub(super) first: u16,
    pub(super) count: u16,
    /// How many of them have begun the phase.
    pub(super) begun: u16,
    pub(super) phase: Phase,
    pub(super) source: Source,
}

/// What is done with all occurrences of a batch before the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Phase {
    Before,
    Body,
    After,
}

/// Where a batch comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Source {
    /// An event that happens at once.
    Done,
    /// Plans of the events of a list; `next` is the event in it that comes after this batch.
    Settled { list: u16, next: u16 },
}

impl Batch {
    /// Whether it is a batch of that event.
    pub(super) fn carries(&self, board: &Board, event: EventId) -> bool {
        self.count > 0 && board.happening[usize::from(self.first)].event == event
    }
}
