//! The game on the host's desk: a session, the chance that rolls for it, and what was typed so far.
//!
//! Chance hangs on the seed and the answers alone: whoever takes an answer back and gives it again
//! sees the same roll.

use super::{
    reload::Stamps,
    walk::{Rest, Stop, Watch},
};
use crate::faces::render::{Colour, Style};
use omerta_engine::{Choice, Illegal, Pending, StartError};
use omerta_play::{
    branches::Branches,
    chance::{Chance, ChanceState},
    policy::{self, Policy},
    save::Save,
    session::{Session, Table},
    words::Words,
};
use omerta_workbench::{Wanted, Workbench};

/// After so many answers in a row something is amiss.
const MOST_AT_ONCE: usize = 100_000;

/// Who lets chance decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rolling {
    /// The seed.
    BySeed,
    /// The host, with dice of his own.
    ByHand,
}

/// How the host wants to be shown things.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Manners {
    /// Whether words may be coloured.
    pub colour: Colour,
    /// Columns on the screen.
    pub width: usize,
    /// Whether things may be drawn; a screen reader wants sentences.
    pub drawn: bool,
}

impl Manners {
    /// What suits a stream of this style: drawings where a person looks at it.
    pub fn of(style: Style, drawn: bool) -> Self {
        Manners {
            colour: style.colour,
            width: style.width,
            drawn,
        }
    }
}

/// A game under way in front of a host.
pub struct Desk {
    /// Where rules come from.
    pub bench: Workbench,
    /// Which rules are played.
    pub wanted: Wanted,
    /// The game.
    pub session: Session,
    /// Who rolls.
    pub rolling: Rolling,
    /// How those answer whom the host leaves to themselves.
    pub rest: Rest,
    /// Where a walk stops.
    pub stops: Vec<Stop>,
    /// What is watched.
    pub watches: Vec<Watch>,
    /// The branches that are not being played.
    pub branches: Branches,
    /// Other games that were laid aside for this one.
    pub aside: Vec<Save>,
    /// How the host wants to be shown things.
    pub manners: Manners,
    /// The files of the rules as they were when they were last read, where they are watched.
    pub following: Option<Stamps>,
    /// What is to be printed.
    pub out: String,
    /// How many events the host has been shown.
    pub shown: usize,
    /// A scene that has begun and of which nothing was told yet.
    pub header: Option<String>,
    /// Which event of the log `event` shows next.
    pub traced: usize,
    /// Set when the host has had enough.
    pub done: bool,
    chance: Chance,
    /// The chance as it was before each answer.
    rolls: Vec<ChanceState>,
    /// The coins of players who are left to themselves.
    pub players: Chance,
}

/// The game as it stood, to be put back.
pub struct Kept {
    session: Session,
    chance: Chance,
    rolls: Vec<ChanceState>,
    players: Chance,
}

impl Desk {
    /// Begins a game and deals.
    pub fn start(
        bench: Workbench,
        wanted: Wanted,
        table: Table,
        seed: u64,
        manners: Manners,
    ) -> Result<Desk, StartError> {
        let mut desk = Desk {
            bench,
            wanted,
            session: Session::start(table)?,
            rolling: Rolling::BySeed,
            rest: Rest::Random,
            stops: Vec::new(),
            watches: Vec::new(),
            branches: Branches::default(),
            aside: Vec::new(),
            manners,
            following: None,
            out: String::new(),
            shown: 0,
            header: None,
            traced: 0,
            done: false,
            chance: Chance::of_seed(seed),
            rolls: Vec::new(),
            players: Chance::of_game(seed, 1),
        };
        desk.settle();
        Ok(desk)
    }

    /// Names for everything.
    pub fn words(&self) -> Words<'_> {
        let table = self.session.table();
        Words {
            rules: &table.rules,
            names: &table.names,
        }
    }

    /// Gives an answer, and lets chance decide what follows from it.
    pub fn give(&mut self, choice: Choice) -> Result<(), Illegal> {
        self.apply(choice)?;
        self.settle();
        Ok(())
    }

    fn apply(&mut self, choice: Choice) -> Result<(), Illegal> {
        let before = self.chance.clone();
        let cursor = self.session.cursor();
        if let Pending::Chance(drawn) = self.session.game().pending() {
            // A roll by hand stands in the stead of one by the seed.
            policy::outcome(self.session.game(), &drawn, &mut self.chance);
        }
        if let Err(illegal) = self.session.apply(choice) {
            self.chance = before;
            return Err(illegal);
        }
        self.rolls.truncate(cursor);
        self.rolls.push(before.state());
        Ok(())
    }

    /// Lets chance decide, for as long as it is chance that is asked; unless the host rolls himself.
    fn settle(&mut self) {
        for _ in 0..MOST_AT_ONCE {
            if self.rolling == Rolling::ByHand || !self.roll() {
                return;
            }
        }
    }

    /// Lets chance decide once; `false` when it is not asked.
    pub fn roll(&mut self) -> bool {
        let Pending::Chance(drawn) = self.session.game().pending() else {
            return false;
        };
        let before = self.chance.state();
        let choice = policy::outcome(self.session.game(), &drawn, &mut self.chance);
        let cursor = self.session.cursor();
        self.rolls.truncate(cursor);
        self.rolls.push(before);
        self.session.apply(choice).is_ok()
    }

    /// One answer of players who toss coins; `false` when nothing is asked.
    pub fn random(&mut self) -> bool {
        let choice = Policy::default().choose(self.session.game(), &mut self.players);
        choice.is_some_and(|choice| self.give(choice).is_ok())
    }

    /// Takes back the last answer that somebody gave, with the rolls that followed it.
    pub fn undo(&mut self) -> bool {
        let at = self.session.cursor();
        while self.session.undo() {
            if self.rolling == Rolling::ByHand || self.is_asking() {
                self.restore();
                return true;
            }
        }
        // Before the first question there is only the deal: it stays.
        self.session.go_to(at);
        false
    }

    /// Gives again what was taken back last.
    pub fn redo(&mut self) -> bool {
        let mut moved = false;
        while self.session.redo() {
            moved = true;
            if self.rolling == Rolling::ByHand || self.is_asking() || self.is_over() {
                break;
            }
        }
        if moved {
            self.restore();
        }
        moved
    }

    /// The chance as it was where the game stands now.
    fn restore(&mut self) {
        let cursor = self.session.cursor();
        if let Some(state) = self.rolls.get(cursor) {
            self.chance = Chance::restore(*state);
        } else {
            self.replay_chance();
        }
        self.shown = self.shown.min(self.session.log().events.len());
    }

    /// The game as it stands, to be put back.
    pub fn keep(&self) -> Kept {
        Kept {
            session: self.session.clone(),
            chance: self.chance.clone(),
            rolls: self.rolls.clone(),
            players: self.players.clone(),
        }
    }

    /// Puts the game back as it was kept.
    pub fn put_back(&mut self, kept: Kept) {
        let Kept {
            session,
            chance,
            rolls,
            players,
        } = kept;
        (self.session, self.chance, self.rolls, self.players) = (session, chance, rolls, players);
        self.shown = self.shown.min(self.session.log().events.len());
    }

    /// Goes to the place before an answer, back or forth; what lies between is not told.
    pub fn go_to(&mut self, place: usize) -> bool {
        let there = self.session.go_to(place);
        // What the seed rolls is no place to stand at.
        let stands = |desk: &Desk| desk.rolling == Rolling::ByHand || desk.is_asking() || desk.is_over();
        while there && !stands(self) && self.session.redo() {}
        if there {
            self.restore();
            self.shown = self.session.log().events.len();
        }
        there
    }

    /// Goes on with another branch of the game.
    pub fn take_up(&mut self, session: Session) {
        self.session = session;
        self.replay_chance();
        self.shown = self.session.log().events.len();
        self.settle();
    }

    /// Goes on with another game; its rolls are found again from its seed.
    pub fn replace(&mut self, session: Session, wanted: Wanted) {
        self.wanted = wanted;
        self.branches = Branches::default();
        self.take_up(session);
    }

    /// Draws everything once more that the game has drawn so far, so that what comes next comes as if
    /// nobody had ever left.
    fn replay_chance(&mut self) {
        let seed = self.session.table().seed.unwrap_or_default();
        let mut again = self.session.branch();
        let goal = self.session.cursor();
        again.go_to(0);
        self.chance = Chance::of_seed(seed);
        self.players = Chance::of_game(seed, 1);
        self.rolls.clear();
        for _ in 0..goal {
            self.rolls.push(self.chance.state());
            if let Pending::Chance(drawn) = again.game().pending() {
                policy::outcome(again.game(), &drawn, &mut self.chance);
            }
            again.redo();
        }
    }

    /// Whether somebody has to choose.
    pub fn is_asking(&self) -> bool {
        matches!(self.session.game().pending(), Pending::Ask(_))
    }

    /// Whether nothing can be answered any more.
    pub fn is_over(&self) -> bool {
        matches!(
            self.session.game().pending(),
            Pending::Over(_) | Pending::Broken(_)
        )
    }

    /// Adds lines to what is to be printed, or what there is to say where there are none.
    pub fn list(&mut self, lines: &[String], none: &str) {
        match lines {
            [] => self.line(format!("  {none}")),
            lines => lines.iter().for_each(|line| self.line(line)),
        }
    }

    /// Adds a line to what is to be printed.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.out.push_str(line.as_ref());
        self.out.push('\n');
    }
}
