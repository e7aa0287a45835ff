//! The game on the host's desk: a session, the chance that rolls for it, and what was typed so far.
//!
//! Chance hangs on the seed and the answers alone: whoever takes an answer back and gives it again
//! sees the same roll.

use crate::{
    engine::{Choice, Illegal, Pending, StartError},
    faces::{
        render::Colour,
        workbench::{Wanted, Workbench},
    },
    play::{
        chance::{Chance, ChanceState},
        policy::{self, Policy},
        session::{Session, Table},
        words::Words,
    },
};

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
    /// Whether words may be coloured.
    pub colour: Colour,
    /// What is to be printed.
    pub out: String,
    /// How many events the host has been shown.
    pub shown: usize,
    /// A scene that has begun and of which nothing was told yet.
    pub header: Option<String>,
    /// Set when the host has had enough.
    pub done: bool,
    chance: Chance,
    /// The chance as it was before each answer.
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
        colour: Colour,
    ) -> Result<Desk, StartError> {
        let mut desk = Desk {
            bench,
            wanted,
            session: Session::start(table)?,
            rolling: Rolling::BySeed,
            colour,
            out: String::new(),
            shown: 0,
            header: None,
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

    /// Goes on with another game; its rolls are found again from its seed.
    pub fn replace(&mut self, session: Session, wanted: Wanted) {
        self.session = session;
        self.wanted = wanted;
        self.replay_chance();
        self.shown = self.session.log().events.len();
        self.settle();
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

    /// Adds a line to what is to be printed.
    pub fn line(&mut self, line: impl AsRef<str>) {
        self.out.push_str(line.as_ref());
        self.out.push('\n');
    }
}
