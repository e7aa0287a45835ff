//! What a game waits for, and what may be answered.

use crate::facts::{how_many_in, seats_in};
use omerta_core::rules::{
    AskId, DrawId, EndingId, EventId, FactId, GroupId, HookId, Offer, OfferId, OfferTimes, ProcRole,
};
use omerta_core::written::Unwritable;
use serde::{Deserialize, Serialize};

/// What a game waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Pending {
    /// Somebody has to choose.
    Ask(Asked),
    /// Chance has to decide.
    Chance(Drawn),
    /// The game is over.
    Over(Outcome),
    /// The rules went wrong; nothing can be answered any more.
    Broken(Fault),
}

/// What a game waits for, as far as whoever answers at random must know it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Open {
    /// Somebody has to choose.
    Ask(Domain),
    /// Chance has to decide.
    Chance(Domain),
    /// Nothing can be answered any more.
    Nothing,
}

/// A question that is open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Asked {
    /// Which question.
    pub site: AskId,
    /// Who is asked: one seat, or several who answer as one; nobody when it is the host.
    pub who: u64,
    /// Whether the host is asked.
    pub host: bool,
    /// What may be answered.
    pub domain: Domain,
    /// Which of how many picks: `(0, 1)` for the usual one.
    pub pick: (u8, u8),
    /// How many seconds there are to answer, where there is a limit.
    pub limit: Option<u32>,
}

/// What may be answered or drawn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Domain {
    /// A seat; or nobody, where `pass`.
    Seats { among: u64, pass: bool },
    /// A card; or none, where `pass`. Whoever chooses sees what they are, or, where `unseen`, only where
    /// they lie.
    Cards { among: u64, pass: bool, unseen: bool },
    /// A title; or none, where `pass`.
    Titles { among: u64, pass: bool },
    /// A number.
    Numbers { low: i64, high: i64, pass: bool },
    /// What somebody writes, of so many letters at the most; or nothing, where `pass`.
    Text { most: u32, pass: bool },
    /// Yes or no.
    YesNo,
    /// To go on.
    Go,
    /// A branch of the menu: [`super::Game::branches`] lists those that stand open.
    Menu,
    /// One of so many words, by weight: [`super::Game::weights`] lists them.
    Words { count: u16 },
}

impl Domain {
    /// The seats, cards or titles among which it is.
    #[inline]
    pub fn set(self) -> Option<u64> {
        match self {
            Domain::Seats { among, .. } | Domain::Cards { among, .. } | Domain::Titles { among, .. } => {
                Some(among)
            }
            Domain::Numbers { .. }
            | Domain::Text { .. }
            | Domain::YesNo
            | Domain::Go
            | Domain::Menu
            | Domain::Words { .. } => None,
        }
    }

    /// Whether nobody may be the answer, where one could.
    pub fn pass(self) -> Option<bool> {
        match self {
            Domain::Seats { pass, .. }
            | Domain::Cards { pass, .. }
            | Domain::Titles { pass, .. }
            | Domain::Numbers { pass, .. }
            | Domain::Text { pass, .. } => Some(pass),
            Domain::YesNo | Domain::Go | Domain::Menu | Domain::Words { .. } => None,
        }
    }

    /// One of its set as what picks it.
    #[inline]
    pub fn target(self, number: u32) -> Target {
        match self {
            Domain::Seats { .. } => Target::Seat(number as u8),
            Domain::Cards { .. } => Target::Card(number as u8),
            Domain::Titles { .. } => Target::Title(number as u16),
            _ => Target::Nothing,
        }
    }
}

impl Choice {
    /// The answer to a question for a text, before it is written.
    pub const TO_WRITE: Choice = Choice::Text(0);

    /// The number of the text in it, where there is one.
    pub fn text(mut self) -> Option<u32> {
        self.text_mut().copied()
    }

    /// The same with another text in it.
    #[must_use]
    pub fn with_text(mut self, number: u32) -> Choice {
        if let Some(text) = self.text_mut() {
            *text = number;
        }
        self
    }

    fn text_mut(&mut self) -> Option<&mut u32> {
        match self {
            Choice::Text(number)
            | Choice::Branch {
                target: Target::Text(number),
                ..
            }
            | Choice::Offer {
                target: Target::Text(number),
                ..
            }
            | Choice::ByHand(Deed::Write { text: number, .. }) => Some(number),
            _ => None,
        }
    }
}

impl Target {
    /// The same as an answer by itself.
    pub fn choice(self) -> Choice {
        match self {
            Target::Nothing => Choice::Pass,
            Target::Seat(seat) => Choice::Seat(seat),
            Target::Card(card) => Choice::Card(card),
            Target::Title(title) => Choice::Title(title),
            Target::Number(number) => Choice::Number(number.into()),
            Target::Text(number) => Choice::Text(number),
        }
    }
}

impl Choice {
    /// What it is behind a branch or an offer.
    pub fn target(self) -> Target {
        match self {
            Choice::Seat(seat) => Target::Seat(seat),
            Choice::Card(card) => Target::Card(card),
            Choice::Title(title) => Target::Title(title),
            Choice::Text(number) => Target::Text(number),
            Choice::Number(number) => i32::try_from(number).map_or(Target::Nothing, Target::Number),
            _ => Target::Nothing,
        }
    }
}

/// Chance that is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// Which draw.
    pub site: DrawId,
    /// What may come out. All of equal weight, but for `Words`.
    pub domain: Domain,
    /// For a card dealt to somebody: the seat.
    pub seat: Option<u8>,
}

/// An answer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice {
    /// Nobody, or none.
    Pass,
    /// A seat, from 0.
    Seat(u8),
    /// A card, by its number in the game.
    Card(u8),
    /// A title, by its group number.
    Title(u16),
    /// A number.
    Number(i64),
    /// What somebody writes, by its number among the texts of the game: see [`super::Game::write`].
    Text(u32),
    /// Yes.
    Yes,
    /// No.
    No,
    /// The host goes on.
    Go,
    /// The time to answer is up.
    TimeUp,
    /// A branch of a menu and what it picks.
    Branch { branch: u8, target: Target },
    /// A word drawn by weight.
    Word(u16),
    /// A standing offer, taken up by a seat or (`None`) by the host.
    Offer {
        offer: OfferId,
        by: Option<u8>,
        target: Target,
    },
    /// Something the host does by hand, which no rule made.
    ByHand(Deed),
}

/// What is said at a pause.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// Nothing: the game pauses.
    Nothing,
    /// An answer or an outcome as the word that the rules make of it: a seat, a card or a title as a set, nobody as the
    /// empty one; a number; 1 for yes and to go on, 0 for no.
    Word(u64),
    /// A branch of a menu, and what is picked with it as a set.
    Branch(u8, u64),
    /// Any answer.
    Choice(Choice),
}

/// What a host may do by hand at any question. A seat stands by its number, from 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Deed {
    /// The card in front of a seat becomes another role.
    Turn { seat: u8, role: GroupId },
    /// A seat comes under a mark.
    Mark { fact: FactId, seat: u8 },
    /// A seat goes from under a mark.
    Unmark { fact: FactId, seat: u8 },
    /// A seat is linked to another, or to nobody.
    Link { fact: FactId, from: u8, to: Option<u8> },
    /// A flag or a count is set: the game's, or a seat's.
    Count {
        fact: FactId,
        seat: Option<u8>,
        value: i32,
    },
    /// What somebody wrote is written anew: the game's, or a seat's.
    Write {
        fact: FactId,
        seat: Option<u8>,
        text: u32,
    },
    /// An event happens, with all rules that wait for it.
    Happen {
        event: EventId,
        of: Option<u8>,
        by: Option<u8>,
    },
}

/// What a branch or an offer picks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// It picks nothing.
    Nothing,
    /// A seat.
    Seat(u8),
    /// A card.
    Card(u8),
    /// A title.
    Title(u16),
    /// A number.
    Number(i32),
    /// What somebody writes, as in [`Choice::Text`].
    Text(u32),
}

/// A branch that stands open.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OpenBranch {
    /// Its number.
    pub branch: u8,
    /// Among what it picks; `None` when it picks nothing.
    pub among: Option<Domain>,
}

/// An offer that somebody may take up now.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenOffer {
    /// Which offer.
    pub offer: OfferId,
    /// Who may: a seat, or the host.
    pub by: Option<u8>,
    /// Among what it picks; `None` when it picks nothing.
    pub among: Option<Domain>,
}

/// An offer that some may take up now, each with the same to pick among.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenTo {
    /// Which offer.
    pub offer: OfferId,
    /// Who may: seats, or the host.
    pub by: Option<u64>,
    /// Among what it picks; `None` when it picks nothing.
    pub among: Option<Domain>,
}

impl OpenTo {
    /// How many may.
    #[inline]
    pub fn count(&self) -> u32 {
        self.by.map_or(1, |seats| how_many_in(seats) as u32)
    }

    /// The offer to the host, or to one of the seats, by its place among them.
    #[inline]
    pub fn nth(self, place: u32) -> OpenOffer {
        let OpenTo { offer, by, among } = self;
        let seat = |seats: u64| {
            (0..place)
                .fold(seats, |left, _| left & left.wrapping_sub(1))
                .trailing_zeros()
        };
        let by = by.map(|seats| seat(seats) as u8);
        OpenOffer { offer, by, among }
    }

    /// The offer to the host, or to each seat, the lowest first.
    pub fn each(self) -> impl Iterator<Item = OpenOffer> {
        let OpenTo { offer, by, among } = self;
        let host = by.is_none().then_some(None);
        let seats = seats_in(by.unwrap_or(0)).map(|seat| Some(seat as u8));
        host.into_iter()
            .chain(seats)
            .map(move |by| OpenOffer { offer, by, among })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Outcome {
    /// The ending that came true; none when the script simply ran out or said `end`.
    pub ending: Option<EndingId>,
    /// Who won.
    pub winners: u64,
    /// Who lost by a word of the rules (others may just not have won).
    pub losers: u64,
}

/// Why an answer was refused; the game is unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Illegal {
    /// The game is over.
    Over,
    /// The answer is of another kind than was asked for.
    WrongKind { wanted: Domain },
    /// It is not among what may be answered.
    NotAmong { wanted: Domain },
    /// Nobody may write that.
    Unwritable(Unwritable),
    /// The branch does not stand open.
    Closed { branch: u8 },
    /// The offer does not stand open to whoever took it up.
    NoOffer { offer: OfferId },
    /// What was to be done by hand names something that there is not, or nobody is asked now.
    NoDeed,
    /// So much has happened that whoever keeps the game takes nothing more in; the engine itself has no such bound.
    Full,
}

/// What went wrong while the rules ran.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// The instruction it happened at.
    pub at: u32,
}

/// The ways in which rules go wrong at play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum FaultKind {
    /// Too many steps without a pause.
    Endless,
    /// Scenes or events inside one another beyond all measure: those that came round, the innermost last.
    TooDeep(Vec<ProcRole>),
    /// A number beyond what can be counted.
    TooLarge,
    /// A number was divided by 0.
    DividedByNothing,
    /// More plans than can be kept.
    TooManyPlans,
    /// A script failed: which, in what way, its message, and the line and column in it where they
    /// are known.
    Hook {
        hook: HookId,
        cause: HookFault,
        message: String,
        line: Option<u32>,
        column: Option<u32>,
    },
}

/// The ways in which a script fails.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum HookFault {
    /// There are no scripts at hand.
    Absent,
    /// It cannot be read.
    Unreadable,
    /// Something in it went wrong while it ran.
    Failed,
    /// It gave something that its hook does not give.
    WrongKind,
    /// It was stopped: too many steps, too deep, too large.
    Stopped,
}

/// Why a game cannot begin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartError {
    /// The number of seats is outside what the ruleset or the engine allows.
    Seats { given: usize, from: u8, to: u8 },
    /// More cards and tokens than 64.
    TooManyCards { given: usize },
    /// A card of the cast is no role.
    NoRole { card: GroupId },
}

/// Who may come for a standing offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comers {
    /// Whether players do.
    pub players: bool,
    /// Whether the host does.
    pub host: bool,
}

impl Comers {
    /// Anybody.
    pub const ALL: Comers = Comers {
        players: true,
        host: true,
    };

    /// Whether the offer is made to any of them.
    #[inline]
    pub(super) fn are_meant(self, offer: &Offer) -> bool {
        match offer.who {
            Some(_) => self.players,
            None => self.host,
        }
    }

    /// The offers that are made to any of them.
    #[inline]
    pub(super) fn offers(self, times: &OfferTimes) -> u64 {
        let to = |comes: bool, offers: u64| if comes { offers } else { 0 };
        to(self.players, times.to_players) | to(self.host, !times.to_players)
    }
}

/// The offers that may stand open to some of those who come, before it is asked for whom of them and of what.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    pub(super) comers: Comers,
    /// One bit each, where the times of all offers are known at once.
    pub(super) known: Option<u64>,
}

impl Due {
    /// Whether there is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self.known == Some(0)
    }
}
