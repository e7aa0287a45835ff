//! Answers that are ready before they are asked for: where there is one, the game does not pause.

use crate::facts::seats_in;
use crate::look::Look;
use omerta_core::rules::{AskId, DrawId, SceneId};

/// Gives answers at once, and may look on while the game goes from one pause to the next. Only questions and
/// draws of one out of a set, where nobody may pass, are put to it; what it gives and is not in the set counts
/// as no answer.
pub trait Reflex {
    /// Whether there are any; `false` lets the engine skip all work for them.
    fn answers(&self) -> bool {
        true
    }

    /// Whether it wants to know of scenes.
    fn watches(&self) -> bool {
        false
    }

    /// Whether it wants to stand at the edges of scenes, too; then it must be listened to.
    fn stands(&self) -> bool {
        false
    }

    /// The next event to be heard is the edge of a scene, or that a fact is emptied: so the game stands
    /// before it.
    fn edge(&mut self, _look: Look<'_>) {}

    /// A scene has just begun.
    fn begun(&mut self, _scene: SceneId, _look: Look<'_>) {}

    /// The number of the seat, card or title that is named; `None` lets the game pause.
    fn answer(&mut self, _site: AskId, _among: u64, _look: Look<'_>) -> Option<u32> {
        None
    }

    /// Answers a question that goes round: writes down the number that each of those asked names, the lowest
    /// seat first, and says how many of them have answered. The next one lets the game pause.
    fn answer_round(&mut self, round: Round, look: Look<'_>, answers: &mut [u8]) -> usize {
        let given = seats_in(round.asked).zip(answers).map_while(|(seat, answer)| {
            *answer = self.answer(round.site, round.among(1 << seat), look)? as u8;
            Some(())
        });
        given.count()
    }

    /// The number of the seat, card or title that comes out; `None` lets the game pause.
    fn outcome(&mut self, _site: DrawId, _among: u64, _look: Look<'_>) -> Option<u32> {
        None
    }

    /// Draws several one after the other, none twice: writes their numbers down and says how many. The next
    /// one lets the game pause. `look` shows the game as it stood before the first.
    fn outcome_round(&mut self, site: DrawId, among: u64, look: Look<'_>, outcomes: &mut [u8]) -> usize {
        let mut left = among;
        let drawn = outcomes.iter_mut().map_while(|outcome| {
            let number = self.outcome(site, left, look)?;
            left &= !1u64.checked_shl(number)?;
            *outcome = number as u8;
            Some(())
        });
        drawn.count()
    }
}

/// A question that goes round: several are asked for one of the same set, or of what is left of it without
/// themselves. Nobody is left without a choice.
#[derive(Clone, Copy, Debug)]
pub struct Round {
    /// The question.
    pub site: AskId,
    /// Who is asked.
    pub asked: u64,
    /// Among whom.
    pub among: u64,
    /// Whether nobody may name himself.
    pub others: bool,
}

impl Round {
    /// Among whom one of them may choose.
    #[inline]
    pub fn among(&self, seat: u64) -> u64 {
        self.among & !if self.others { seat } else { 0 }
    }
}

/// No answer is ready.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pauses;

impl Reflex for Pauses {
    #[inline(always)]
    fn answers(&self) -> bool {
        false
    }
}

/// The answer to a question of one out of a set, where it is ready.
#[inline]
pub(super) fn ready_answer<R: Reflex + ?Sized>(
    reflex: &mut R,
    site: AskId,
    among: u64,
    look: Look<'_>,
) -> Option<u64> {
    reflex
        .answer(site, among, look)
        .and_then(|number| member(number, among))
}

/// The outcome of a draw of one out of a set, where it is ready.
#[inline]
pub(super) fn ready_outcome<R: Reflex + ?Sized>(
    reflex: &mut R,
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
pub(super) fn member(number: u32, among: u64) -> Option<u64> {
    let one = 1u64.checked_shl(number)?;
    (among & one != 0).then_some(one)
}
