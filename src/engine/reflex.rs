//! Answers that are ready before they are asked for: where there is one, the game does not pause.

use crate::choice::{Comers, Reply};
use crate::look::Look;
use crate::pause::{Legal, Pause};
use omerta_core::rules::{AskId, DrawId, SceneId};

/// Gives answers at once, and may look on while the game goes from one pause to the next. What it gives and may not
/// be given counts as no answer.
pub trait Reflex {
    /// Whether there are any; `false` lets the engine skip all work for them.
    fn answers(&self) -> bool {
        true
    }

    /// Who may take up an offer instead of an answer. Offers that are made to others keep no question from going round.
    fn comers(&self) -> Comers {
        Comers::ALL
    }

    /// Whether it wants to know of the outermost scenes.
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

    /// A scene has just begun that stands in no other.
    fn begun(&mut self, _scene: SceneId, _look: Look<'_>) {}

    /// Answers a question, takes up an offer instead, or says what comes out of a draw. It may be asked again for what
    /// it did not answer.
    fn answer(&mut self, _pause: &Pause<'_>) -> Reply {
        Reply::Nothing
    }

    /// Answers a question that goes round: writes down what each of those asked says, the lowest seat first, and says
    /// how many of them have answered: the number of a seat, [`NOBODY`], or 1 for yes and 0 for no. The next one is asked
    /// by himself.
    fn answer_round(&mut self, _round: Round<'_>, _answers: &mut [u8]) -> usize {
        0
    }

    /// Draws several one after the other, none twice: writes their numbers down and says how many. The next
    /// one is drawn by itself. `look` shows the game as it stood before the first.
    fn outcome_round(&mut self, _site: DrawId, _among: u64, _look: Look<'_>, _outcomes: &mut [u8]) -> usize {
        0
    }
}

/// A question that goes round while no offer stands open to [`Reflex::comers`]: several are asked for one of the same set, or of what is
/// left of it without themselves, or for a yes or a no. Nobody is left without a choice.
#[derive(Clone, Copy)]
pub struct Round<'a> {
    /// The question.
    pub site: AskId,
    /// Who is asked.
    pub asked: u64,
    /// Among whom; nothing where it is a yes or a no.
    pub among: Option<u64>,
    /// Whether nobody may name himself.
    pub others: bool,
    /// Whether nobody may be the answer.
    pub pass: bool,
    /// The game as it stood before the first.
    pub look: Look<'a>,
}

/// An answer in a round that names nobody.
pub const NOBODY: u8 = u8::MAX;

impl Round<'_> {
    /// Among whom one of them may choose.
    #[inline]
    pub fn among(&self, seat: u64) -> u64 {
        choices_of(self.among, self.others, seat)
    }
}

/// Among whom somebody may choose in a round.
#[inline(always)]
pub(super) fn choices_of(among: Option<u64>, others: bool, seat: u64) -> u64 {
    among.unwrap_or(0) & !if others { seat } else { 0 }
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

/// The answer to what is put, where it is ready and may be given.
#[inline(always)]
pub(super) fn ready<R: Reflex + ?Sized>(reflex: &mut R, pause: &Pause<'_>) -> Option<Legal> {
    if !reflex.answers() {
        return None;
    }
    pause.taken(reflex.answer(pause))
}
