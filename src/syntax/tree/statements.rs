//! Statements: what a body does, in order.

use super::expressions::Expr;
use super::names::{Int, Name};
use super::texts::Text;
use omerta_core::source::Span;

/// `p from living`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pick {
    /// The name of what was picked.
    pub name: Name,
    /// Among what.
    pub domain: Domain,
}

impl Domain {
    /// The set that may be chosen from.
    pub fn set(&self) -> Option<&Expr> {
        match self {
            Domain::Set(set) => Some(set),
            Domain::Unseen(_) | Domain::Numbers(..) | Domain::Written { .. } | Domain::Weighted(_) => None,
        }
    }
}

/// Among what one may choose or draw.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Players or cards.
    Set(Expr),
    /// `centre unseen`: cards by their backs.
    Unseen(Expr),
    /// `1..6`
    Numbers(Expr, Expr),
    /// `up to 80 letters`: whatever somebody writes; only behind `to write`.
    Written { most: Int },
    /// `4 holds, 2 fails`; only for `draw`.
    Weighted(Vec<(Int, Name)>),
}

impl Domain {
    /// Whether it is one of cards that show their backs.
    pub fn is_unseen(&self) -> bool {
        matches!(self, Domain::Unseen(_))
    }
}

/// Statements in braces.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The statements in order.
    pub statements: Vec<Statement>,
    /// Braces included.
    pub span: Span,
}

/// A statement with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// All of it.
    pub span: Span,
}

/// The statements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StatementKind {
    /// `say "Dusk falls." as nightfall`
    Say { text: Text, name: Option<Name> },
    /// `tell coma "You are in a coma." as coma-note`
    Tell {
        who: Expr,
        text: Text,
        name: Option<Name>,
    },
    /// `show card of p to me`
    Show {
        what: Shown,
        who: Expr,
        name: Option<Name>,
    },
    /// `wait "Everybody discusses." as debate`, `wait 60 seconds "Speech"`
    Wait {
        limit: Option<Limit>,
        text: Option<Text>,
        name: Option<Name>,
    },
    /// `ask me for victim from living`
    Ask(Box<Ask>),
    /// `draw n from 1..6 openly`, `draw 2 pair from living`
    Draw {
        name: Name,
        count: Option<Expr>,
        domain: Domain,
        openly: bool,
    },
    /// `if … { … } else { … }`; an `else if` is a block of one `If`.
    If(Expr, Block, Option<Block>),
    /// `for each p of level in order of up { … }`, `for each p of living from opener { … }`; `repeat 3 times { … }`
    /// is for each of `1..3` without a name.
    ForEach {
        name: Option<Name>,
        among: Domain,
        order: Option<InOrder>,
        from: Option<Expr>,
        body: Block,
    },
    /// `repeat { … }`
    Repeat(Block),
    /// `stop`
    Stop,
    /// `leave Poll`
    Leave(Option<Name>),
    /// `play Count of level`
    Play { scene: Name, of: Vec<Expr> },
    /// `call Guild to meet`
    Call { card: Expr, purpose: Option<Name> },
    /// `perform c`, `perform role of p to kill by me`
    Perform {
        card: Expr,
        purpose: Option<Name>,
        by: Option<Expr>,
    },
    /// `do kill of victim by me`
    Do(Happen),
    /// `plan kill of victim by me`
    Plan(Happen),
    /// `settle treat, kill`
    Settle(Vec<Name>),
    /// `cancel kill of p by me`
    Cancel {
        events: Vec<Name>,
        of: Option<Expr>,
        by: Option<Expr>,
    },
    /// `judge`
    Judgement,
    /// `win d when right of d is winner`
    Win { set: Expr, when: Option<Expr> },
    /// `lose shooters of Baker`
    Lose { set: Expr, when: Option<Expr> },
    /// `end`
    End,
    /// `mark p as up, named`
    Mark { set: Expr, names: Vec<Name> },
    /// `unmark p as up`
    Unmark { set: Expr, names: Vec<Name> },
    /// `link p to c as vote`
    Link { from: Expr, to: Expr, name: Name },
    /// `unlink p as vote`, `unlink p to c as vote`
    Unlink {
        from: Expr,
        to: Option<Expr>,
        name: Name,
    },
    /// `clear vote, jailed`
    Clear(Vec<Name>),
    /// `let top = most of vote`
    Let { name: Name, value: Expr },
    /// `set fouls of p to 0`
    Set {
        name: Name,
        of: Option<Expr>,
        value: Expr,
    },
    /// `add 1 to fouls of p`, `subtract 1 from fouls of p`
    Add {
        value: Expr,
        name: Name,
        of: Option<Expr>,
        less: bool,
    },
    /// `turn addict into Smuggler`, `turn amnesiac into role of victim`
    Turn { set: Expr, role: Expr },
    /// `deal deck to hand of players`
    Deal { from: Place, to: Place },
    /// `shuffle deck`
    Shuffle(Place),
    /// `put cast in deck`
    PutCast { place: Place },
    /// `put Verdict in purse`
    Put { token: Name, place: Place },
    /// `swap hand of me and centre`
    Swap { a: Place, b: Place },
    /// Seats that move.
    Seats(Reseat),
    /// `move 2 from deck to hand of p`, `move (copies of Smuggler) from box to deck`
    Move {
        count: Option<Expr>,
        what: Expr,
        to: Place,
        under: bool,
    },
    /// `flip Bet to red`
    Flip { what: Expr, face: Name },
    /// `nothing`
    Nothing,
}

impl StatementKind {
    /// `do …`, `plan …`: what is brought about.
    pub fn brings_about(&self) -> Option<&Happen> {
        match self {
            StatementKind::Do(happen) | StatementKind::Plan(happen) => Some(happen),
            _ => None,
        }
    }

    /// The name of what is said or waited for.
    pub fn words(&self) -> Option<&Name> {
        match self {
            StatementKind::Say { name, .. }
            | StatementKind::Tell { name, .. }
            | StatementKind::Wait { name, .. } => name.as_ref(),
            _ => None,
        }
    }

    /// `perform c`: whoever is called does what his card says.
    pub fn performs(&self) -> bool {
        matches!(self, StatementKind::Perform { by: None, .. })
    }
}

/// In which order a `for each` goes through its set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InOrder {
    /// `in order of suspect`: as they were marked.
    Of(Name),
    /// `in random order`
    Random,
}

/// `60 seconds`, `2 minutes`: how long there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// How many.
    pub count: Expr,
    /// Minutes, or else seconds.
    pub minutes: bool,
}

/// How seats move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reseat {
    /// `swap seats of me and target`
    Swap { a: Expr, b: Expr },
    /// `shuffle seats`, `shuffle seats of living`
    Shuffle(Option<Expr>),
    /// `seat guest to left of me`, `seat guest to right of me`
    Beside { who: Expr, right: bool, of: Expr },
    /// `seat arrived in order`: as they were marked
    InOrder(Expr),
}

/// What is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Shown {
    /// `show "a raised hand" to p`
    Text(Text),
    /// `show card of p to me`
    Value(Expr),
}

/// `kill of victim by me with 3`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happen {
    /// The event.
    pub event: Name,
    /// `of victim`
    pub of: Option<Expr>,
    /// `by me`
    pub by: Option<Expr>,
    /// `with 3 and first of aside`
    pub with: Vec<Expr>,
}

/// `hand of p`, `deck`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// The zone.
    pub zone: Name,
    /// `of p`
    pub of: Option<Expr>,
    /// All of it.
    pub span: Span,
}

/// `ask each living in order from opener for vote from up or nobody openly "Whom?"`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ask {
    /// Who is asked.
    pub who: Expr,
    /// One by one, or as one.
    pub mode: AskMode,
    /// What is asked.
    pub question: Question,
    /// Whether others see the answer.
    pub openly: bool,
    /// Who sees it, where that is not everybody.
    pub open_to: Option<Expr>,
    /// How it is put to them.
    pub text: Option<Text>,
    /// How long they have.
    pub limit: Option<Limit>,
    /// What happens when the time is up.
    pub late: Option<Block>,
}

impl Ask {
    /// What the answer is called and among what it is, where it is one for something.
    pub fn asked_for(&self) -> Option<(&Name, &Domain)> {
        match &self.question {
            Question::For { name, domain, .. } => Some((name, domain)),
            Question::Whether(_) | Question::Menu(..) => None,
        }
    }

    /// The same, where it is one of a set.
    pub fn asked_from(&self) -> Option<(&Name, &Expr)> {
        let (name, domain) = self.asked_for()?;
        Some((name, domain.set()?))
    }

    /// Among what somebody chooses, whichever way he answers.
    pub fn domains(&self) -> Vec<&Domain> {
        match &self.question {
            Question::For { domain, .. } => vec![domain],
            Question::Whether(_) => Vec::new(),
            Question::Menu(..) => self.picks().map(|pick| &pick.domain).collect(),
        }
    }

    /// What is picked with the answers of a menu.
    pub fn picks(&self) -> impl Iterator<Item = &Pick> {
        let branches = match &self.question {
            Question::Menu(_, branches) => &branches[..],
            Question::For { .. } | Question::Whether(_) => &[],
        };
        branches.iter().filter_map(|branch| branch.pick.as_ref())
    }
}

/// How several people answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AskMode {
    /// One person; several only by mistake.
    One,
    /// `together`: one answer on which they agree among themselves.
    Together,
    /// `each`: everybody for himself, nobody seeing another's answer before all have given theirs.
    Each,
    /// `each … in order from p`: one after the other.
    InOrder(Option<Expr>),
}

/// What is asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Question {
    /// `for 2 targets from living or nobody`
    For {
        name: Name,
        amount: Option<Amount>,
        domain: Domain,
        or_nobody: OrNobody,
    },
    /// `whether both`
    Whether(Name),
    /// `for deed { shoot t from living { … } pass { } }`
    Menu(Option<Name>, Vec<Branch>),
}

/// Whether nobody is an answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OrNobody {
    /// Nothing said: it is none.
    Never,
    /// `or nobody`
    Always,
    /// `or nobody when spared`
    When(Expr),
}

/// `2`, `up to 2`, `(number of Guard)`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Amount {
    /// The number.
    pub count: Expr,
    /// Whether fewer will do.
    pub up_to: bool,
}

/// `shoot "Shoot somebody" t from living when … { … }`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    /// Its name, which is the answer.
    pub name: Name,
    /// How it is put to people.
    pub title: Option<Text>,
    /// `t from living`
    pub pick: Option<Pick>,
    /// `when …`
    pub when: Option<Expr>,
    /// What it leads to.
    pub body: Block,
    /// All of it.
    pub span: Span,
}
