//! When a line is looked at: the one table of it, and the part of the game that is seen from there.

use omerta_engine::Game;
use omerta_syntax::play_tree::{AskedFact, Audience, Denial, Fact};

/// When an expectation is looked at, and how far it sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Moment {
    /// How things stand where the line stands: at the question of the next answer below it; behind the last
    /// one when the scene ends.
    Here,
    /// Whether an offer stands open: the same, where somebody is asked.
    Offered,
    /// What must not have been up to where the line stands.
    SoFar,
    /// What must be at some time, up to the next answer below the line; behind the last one up to the end of the scene.
    InTime,
    /// What must not be in all of the scene: it is known when the scene is over. Outside of scenes, in the game so far.
    WhenOver,
    /// What is known where the game rests next: whether it is over, and who has won.
    AtRest,
    /// What is looked at before the game begins.
    Before,
}

/// The moment of each sort of fact.
pub(super) fn moment(fact: &Fact) -> Moment {
    let denial = match fact.of_one_game() {
        Fact::Holds(_) | Fact::Tally { .. } | Fact::CardsIn { .. } => return Moment::Here,
        Fact::Open { .. } => return Moment::Offered,
        Fact::Winners(_)
        | Fact::Losers(_)
        | Fact::NobodyWins
        | Fact::Draw
        | Fact::EndedBy(_)
        | Fact::GoesOn
        | Fact::Knows { .. }
        | Fact::Fault(_) => return Moment::AtRest,
        Fact::Setup { .. } => return Moment::Before,
        Fact::InCases { .. } | Fact::Alike { .. } => return Moment::InTime,
        Fact::Told {
            who: Audience::Nobody(_) | Audience::Only(_),
            denial: None,
            ..
        } => return Moment::WhenOver,
        Fact::Said { denial, .. }
        | Fact::Told { denial, .. }
        | Fact::Asked(AskedFact { denial, .. })
        | Fact::Drawn { denial, .. }
        | Fact::Happened { denial, .. }
        | Fact::Applied { denial, .. } => *denial,
    };
    match denial {
        None => Moment::InTime,
        Some(Denial::NotYet) => Moment::SoFar,
        Some(Denial::Not | Denial::Never | Denial::Only | Denial::Times(_)) => Moment::WhenOver,
    }
}

/// Whether a fact is about all of the game so far, and not only about the scene.
pub(super) fn sees_all(fact: &Fact) -> bool {
    matches!(
        fact.of_one_game(),
        Fact::Said { denial, .. }
        | Fact::Told { denial, .. }
        | Fact::Asked(AskedFact { denial, .. })
        | Fact::Drawn { denial, .. }
        | Fact::Happened { denial, .. }
        | Fact::Applied { denial, .. } if *denial == Some(Denial::Never)
    )
}

impl Moment {
    /// From where a line of this moment looks, while the game stands there.
    pub(super) fn from(self, stand: Stand) -> Stand {
        match (self, stand) {
            (Moment::Here, _) => stand,
            (Moment::Offered | Moment::SoFar | Moment::InTime | Moment::WhenOver, Stand::Ends(_)) => stand,
            _ => Stand::AtRest,
        }
    }
}

/// Where the game stands for whoever looks at it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stand {
    /// At a question, a draw, or its end.
    AtRest,
    /// Where a scene begins, before that event of the log.
    Begins(usize),
    /// Where the section's scene ends, with that event.
    Ends(usize),
}

impl Stand {
    /// How far the log has come there; `None` for all of it.
    pub(super) fn heard(self) -> Option<usize> {
        match self {
            Stand::AtRest => None,
            Stand::Begins(at) => Some(at),
            Stand::Ends(at) => Some(at + 1),
        }
    }
}

/// What is seen of the game: a part of the log, and how things stand.
#[derive(Default)]
pub(super) struct View {
    /// Where the section's scene began.
    pub(super) start: usize,
    /// The end of what is seen of the log; `None` where the game rests, with the question that waits.
    pub(super) end: Option<usize>,
    /// The game between two pauses, before that event; where there is none, as it rests.
    pub(super) still: Option<(usize, Game)>,
}
