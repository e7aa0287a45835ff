//! Answers that are ready before they are asked for: where there is one, the game does not pause.

use super::look::Look;
use crate::rules::{AskId, DrawId, SceneId};

/// Gives answers at once, and may look on while the game goes from one pause to the next. Only questions and draws of one out of a set, where nobody may pass, are put to
/// it; what it gives and is not in the set counts as no answer.
pub trait Reflex {
    /// Whether there are any; `false` lets the engine skip all work for them.
    const ANSWERS: bool;

    /// Whether it wants to know of scenes.
    const WATCHES: bool = false;

    /// A scene has just begun.
    fn begun(&mut self, _scene: SceneId, _look: Look<'_>) {}

    /// The number of the seat, card or title that is named; `None` lets the game pause.
    fn answer(&mut self, site: AskId, among: u64, look: Look<'_>) -> Option<u32>;

    /// The number of the seat or card that comes out; `None` lets the game pause.
    fn outcome(&mut self, site: DrawId, among: u64, look: Look<'_>) -> Option<u32>;
}

/// No answer is ready.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pauses;

impl Reflex for Pauses {
    const ANSWERS: bool = false;

    #[inline]
    fn answer(&mut self, _: AskId, _: u64, _: Look<'_>) -> Option<u32> {
        None
    }

    #[inline]
    fn outcome(&mut self, _: DrawId, _: u64, _: Look<'_>) -> Option<u32> {
        None
    }
}

/// The answer to a question of one out of a set, where it is ready.
#[inline]
pub(super) fn ready_answer(reflex: &mut impl Reflex, site: AskId, among: u64, look: Look<'_>) -> Option<u64> {
    reflex
        .answer(site, among, look)
        .and_then(|number| member(number, among))
}

/// The outcome of a draw of one out of a set, where it is ready.
#[inline]
pub(super) fn ready_outcome(
    reflex: &mut impl Reflex,
    site: DrawId,
    among: u64,
    look: Look<'_>,
) -> Option<u64> {
    reflex
        .outcome(site, among, look)
        .and_then(|number| member(number, among))
}

/// The set of one, if it lies within the other.
#[inline]
fn member(number: u32, among: u64) -> Option<u64> {
    let one = 1u64.checked_shl(number)?;
    (among & one != 0).then_some(one)
}
