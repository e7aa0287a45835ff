//! The syntax tree of `.play` files, with a span on everything.
//!
//! Like the tree of rules it promises only the right shape: no name has been looked up, a scenario
//! may lack its ruleset or its seats, a scene may not exist. The runner in `play` does the rest.

use crate::tree::{Expr, Int, Name};
use omerta_core::source::Span;

/// One `.play` file, what had a syntax error left out.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayFile {
    /// The lines before the first scenario; they stand at the head of every one.
    pub preamble: Vec<Line>,
    /// Lines that scenarios include by name.
    pub commons: Vec<Common>,
    /// The scenarios in order.
    pub plays: Vec<Play>,
}

/// `common table { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Common {
    /// Its name.
    pub name: Name,
    /// The names in its lines for which whoever includes it gives something.
    pub params: Vec<Name>,
    /// What stands for it.
    pub lines: Vec<Line>,
    /// All of it.
    pub span: Span,
}

/// `play "the doctor saves a mafioso"` and its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Play {
    /// What it shows; the name of the test.
    pub title: Quoted,
    /// Everything it says, in order.
    pub lines: Vec<Line>,
    /// All of it.
    pub span: Span,
}

/// Words in quotes; `{victim}` in them is a cell of a case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quoted {
    /// The words, escapes resolved.
    pub text: String,
    /// Where they stand, quotes included.
    pub span: Span,
}

/// A line with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// What it says.
    pub kind: LineKind,
    /// All of it.
    pub span: Span,
}

/// The lines. Where one may be said once, the last one holds, so that a scenario can better what it
/// includes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LineKind {
    /// `ruleset city with mayor, blind`
    Ruleset { base: Name, overlays: Vec<Name> },
    /// `set tied-vote = nobody`
    Set { option: Name, value: Name },
    /// `covers CITY-010, CITY-Q07`
    Covers(Vec<Name>),
    /// `seats Ann: Healer, Bob: Smuggler`
    Seats(Vec<Seat>),
    /// `seats by lot Ann, Bob, Cid`
    SeatsByLot(Vec<Seat>),
    /// `cast Smuggler 2, Healer 1, Baker rest`
    Cast(Vec<CastEntry>),
    /// `aside Smuggler`
    Aside(Vec<Name>),
    /// `pile deck: Smuggler, Healer, Baker`
    Pile { zone: Name, cards: Vec<Name> },
    /// `otherwise pass`
    Otherwise(Otherwise),
    /// `otherwise host [mood] -> calm`: what that question is answered with wherever no line answers it.
    Standing {
        who: Vec<Person>,
        choice: Name,
        answer: Expr,
    },
    /// `for each case of victim, ending { … }`
    Cases(Cases),
    /// `Dusk 1 { … }`
    Section(Section),
    /// `include table`, `include ballot of Bob`
    Include { name: Name, given: Case },
    /// `repeat 3 times { … }`
    Repeat { times: Int, lines: Vec<Line> },
    /// `run to Sunrise 2`, `run to end`
    RunTo(Goal),
    /// `snapshot "after the vote"`
    Snapshot(Option<Quoted>),
    /// `Healer -> Bob`, `draw luck -> holds`, `Cid does put-up Bob`
    Deed(Deed),
    /// `refused Healer -> Ann containing "himself"`
    Refused { deed: Deed, reason: Option<Quoted> },
    /// `expect Bob is living`
    Expect(Fact),
}

/// `Ann: Smuggler plus Healer`, `Ann`; without a name in `seats 10`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seat {
    /// Who sits there; by number where it is missing.
    pub name: Option<Name>,
    /// The cards dealt there, in the order in which they are dealt; empty where it does not matter.
    pub cards: Vec<Name>,
}

/// `Smuggler 2`, `Baker rest`, `Healer`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CastEntry {
    /// The role; alone, it may be a cast of the ruleset.
    pub name: Name,
    /// How many.
    pub count: Option<CastCount>,
}

/// How many cards of a role.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastCount {
    /// `2`
    Cards(Int),
    /// `rest`: for everybody who is left.
    Rest(Span),
}

/// What answers where no line does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Otherwise {
    /// `pass`: nobody, no, the least number, the first branch that asks for nothing.
    Pass,
    /// `random with seed 7`
    Random(Int),
    /// `random with seed luck`: the number in that column of a table of cases.
    RandomOf(Name),
}

/// A table of cases: each row makes a test of its own.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cases {
    /// The names that stand for the cells.
    pub names: Vec<Name>,
    /// The rows.
    pub rows: Vec<Case>,
}

/// A row of a table of cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// As many as there are names, or it is a mistake.
    pub cells: Vec<Cell>,
    /// The whole row.
    pub span: Span,
}

/// A cell of a table of cases.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cell {
    /// `"He is saved."`
    Text(Quoted),
    /// `Bob`, `living without Ann`, `pass`, `3`
    Expr(Expr),
    /// `1..200`: a row for each of these numbers.
    Range { from: Int, to: Int },
}

/// `Dusk 1 { … }`: run until that scene begins for that time, then take the steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Section {
    /// The scene.
    pub scene: Name,
    /// For which time it begins; the next time where it is missing.
    pub nth: Option<Int>,
    /// The steps.
    pub lines: Vec<Line>,
}

/// How far to run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// `end`
    End,
    /// `wait`, `wait 2`: where the host waits next, or for the second time from here.
    Wait(Option<Int>),
    /// `Sunrise 2`
    Scene { scene: Name, nth: Option<Int> },
}

/// Something done in the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Deed {
    /// `Ann, Cid [vote] -> Bob`; neighbours on the page may be asked in any order.
    Answer {
        who: Vec<Person>,
        choice: Option<Name>,
        answers: Vec<Expr>,
        /// `Ann -> Bob, ...`: the other picks of that question come further down.
        more: bool,
    },
    /// `draw n -> 4, 2`: that draw, one outcome after the other.
    Draw { name: Name, outcomes: Vec<Expr> },
    /// `Cid does put-up Bob`
    Offer {
        by: Person,
        offer: Name,
        target: Option<Expr>,
    },
    /// `by hand turn Ann into Healer`: the words behind `hand`, numbers too.
    ByHand { words: Vec<Name> },
}

/// Who answers, is asked, or is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Person {
    /// `host`
    Host(Span),
    /// `Healer`, `living without Ann`: every seat in it.
    Seats(Expr),
}

/// What is expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fact {
    /// `Bob is living`
    Holds(Expr),
    /// `said "a" then "b"`
    Said {
        denial: Option<Denial>,
        wordings: Vec<Wording>,
    },
    /// `Ann told "a" then "b"`
    Told {
        who: Audience,
        denial: Option<Denial>,
        how: Way,
        wordings: Vec<Wording>,
    },
    /// `asked Ann for victim among Bob, Cid or pass`
    Asked(AskedFact),
    /// `open foul`, `not open put-up for Ann`
    Open {
        denied: bool,
        offer: Name,
        by: Option<Person>,
    },
    /// `tally of vote is 3 for Bob, 1 for Cid`
    Tally { link: Name, rows: Vec<(Int, Expr)> },
    /// `cards in hand Ann are Healer, Baker`: from the top, these and no others.
    CardsIn {
        zone: Name,
        /// Whose, where everybody has one: a player, or the number of a seat.
        of: Option<Name>,
        cards: Vec<Expr>,
    },
    /// `in some case winners Ann`: over all cases of the scenario.
    InCases { count: CaseCount, fact: Box<Fact> },
    /// `Ann sees the same in every case`, `Ann sees some difference between cases`: up to where the line looks.
    Alike { who: Vec<Person>, differs: bool },
    /// `Ann knows Bob is Smuggler`, `Ann cannot know role of Bob`: whether it is the same in all games that fit what
    /// has reached each of them.
    Knows {
        who: Vec<Person>,
        denied: bool,
        what: Expr,
    },
    /// `drawn luck among 3 holds, 1 breaks`
    Drawn {
        denial: Option<Denial>,
        name: Name,
        rows: Vec<(Option<Int>, Expr)>,
    },
    /// `happened kill of Dee by Smuggler`
    Happened {
        denial: Option<Denial>,
        event: Name,
        of: Option<Expr>,
        by: Option<Expr>,
    },
    /// `applied cure`
    Applied { denial: Option<Denial>, rule: Name },
    /// `winners Ann, Bob`
    Winners(Vec<Expr>),
    /// `losers Cid`
    Losers(Vec<Expr>),
    /// `nobody wins`
    NobodyWins,
    /// `draw`
    Draw,
    /// `ended by last-mafioso`
    EndedBy(Quoted),
    /// `goes on`
    GoesOn,
    /// `setup error "…"`
    Setup {
        verdict: SetupVerdict,
        /// One of them; with `only` all of them, in their order.
        wordings: Vec<Wording>,
        only: bool,
    },
    /// `fault M0910`
    Fault(Option<Name>),
}

/// In how many cases of a scenario something is so.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseCount {
    /// `in some case`
    Some,
    /// `in no case`
    No,
    /// `in 3 cases`
    Exactly(Int),
}

impl Fact {
    /// Whether it is about all cases of a scenario together.
    pub fn is_across(&self) -> bool {
        matches!(self, Fact::InCases { .. } | Fact::Alike { .. })
    }

    /// Whether something must be so in none of the cases.
    pub fn is_in_no_case(&self) -> bool {
        let none =
            |count: &CaseCount| matches!(count, CaseCount::No | CaseCount::Exactly(Int { value: 0, .. }));
        matches!(self, Fact::InCases { count, .. } if none(count))
    }

    /// What must be so in one game: the fact itself, or the one that is counted over the cases.
    pub fn of_one_game(&self) -> &Fact {
        match self {
            Fact::InCases { fact, .. } => fact,
            fact => fact,
        }
    }
}

/// What is expected to be said about the table before the game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupVerdict {
    /// `setup error`
    Error,
    /// `setup warning`
    Warning,
    /// `no setup warning`
    NoWarning,
}

/// What must not have been beside what is named: that at all, or more of it, or anything else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Denial {
    /// `not`: in the scene.
    Not,
    /// `not yet`: in the scene so far.
    NotYet,
    /// `never`: since the game began.
    Never,
    /// `only`: nothing else of its kind in the scene.
    Only,
    /// `2 times`: in the scene, no more and no fewer.
    Times(Int),
}

impl Denial {
    /// Whether what is named must not have been.
    pub fn is_not(self) -> bool {
        match self {
            Denial::Not | Denial::NotYet | Denial::Never => true,
            Denial::Times(times) => times.value == 0,
            Denial::Only => false,
        }
    }
}

/// What was said.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wording {
    /// `"exactly this"`
    Exactly(Quoted),
    /// `containing "this"`
    Containing(Quoted),
    /// `deed`, `deed containing "this"`: words by their name in the rules.
    Named { name: Name, containing: Option<Quoted> },
    /// `anything`
    Anything(Span),
}

/// Who was told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Audience {
    /// `Ann, Bob`: each of them.
    Each(Vec<Person>),
    /// `nobody`
    Nobody(Span),
    /// `nobody but Ann`: she, and nobody else.
    Only(Vec<Person>),
}

/// How something was learnt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// `told`: in words.
    Told,
    /// `shown`: by a sign, a card or a value.
    Shown,
    /// `sees`: as a line of one's view, however it came there.
    Sees,
}

/// `asked Ann for victim among Bob, Cid or pass`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedFact {
    /// `not`, `never`
    pub denial: Option<Denial>,
    /// Each of whom.
    pub who: Vec<Person>,
    /// The choice in the rules.
    pub choice: Option<Name>,
    /// How it is put.
    pub words: Option<Wording>,
    /// How many seconds there are to answer.
    pub within: Option<u32>,
    /// These and no others; not looked at when empty.
    pub among: Vec<Expr>,
    /// `or pass`: whether nobody may be the answer; with `among` and without this it may not.
    pub or_pass: bool,
}
