//! A game that somebody hosts: a session, the chance that rolls for it, and players who are left to
//! themselves.
//!
//! Chance hangs on the seed and the answers alone: whoever takes an answer back and gives it again
//! sees the same roll.

use crate::{
    chance::{Chance, ChanceState},
    policy::{self, Policy},
    session::{Enough, NEVER, Session, Table},
    strategy::Strategy,
};
use omerta_engine::{Choice, Illegal, Pending, StartError};

/// Who lets chance decide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rolling {
    /// The seed.
    BySeed,
    /// The host, with dice of his own.
    ByHand,
}

/// A game under way with its chance.
#[derive(Clone)]
pub struct Hosted {
    /// The game.
    pub session: Session,
    /// Who rolls.
    pub rolling: Rolling,
    chance: Chance,
    /// The chance as it was before each answer.
    rolls: Vec<ChanceState>,
    /// The coins of players who are left to themselves.
    players: Chance,
}

impl Hosted {
    /// Begins a game and deals; the seed is the table's.
    pub fn start(table: Table) -> Result<Hosted, StartError> {
        Hosted::start_rolling(table, Rolling::BySeed)
    }

    /// Begins a game whose chance somebody else may answer.
    pub fn start_rolling(table: Table, rolling: Rolling) -> Result<Hosted, StartError> {
        let mut hosted = Hosted::of(Session::start(table)?);
        hosted.rolling = rolling;
        hosted.settle();
        Ok(hosted)
    }

    /// A game that was played so far, with its chance found again from its seed.
    pub fn of(session: Session) -> Hosted {
        let mut hosted = Hosted {
            session,
            rolling: Rolling::BySeed,
            chance: Chance::of_seed(0),
            rolls: Vec::new(),
            players: Chance::of_seed(0),
        };
        hosted.replay_chance(NEVER);
        hosted
    }

    /// Goes on with another game or branch; its rolls are found again from its seed.
    pub fn take_up(&mut self, session: Session) {
        *self = { self.with(NEVER, session) }.expect("nobody has had enough");
    }

    /// Another game or branch in the stead of this one; nothing where somebody has had enough before its rolls are found.
    pub fn with(&self, enough: Enough<'_>, session: Session) -> Option<Hosted> {
        let mut hosted = Hosted {
            session,
            rolling: self.rolling,
            chance: Chance::of_seed(0),
            rolls: Vec::new(),
            players: Chance::of_seed(0),
        };
        hosted.replay_chance(enough).then_some(())?;
        hosted.settle();
        Some(hosted)
    }

    /// What somebody writes, as the answer to what is pending.
    pub fn write(&mut self, answer: Choice, text: Option<&str>) -> Result<Choice, Illegal> {
        self.session.write(answer, text)
    }

    /// Gives an answer, and lets chance decide what follows from it.
    pub fn give(&mut self, choice: Choice) -> Result<(), Illegal> {
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
        self.settle();
        Ok(())
    }

    /// Lets chance decide, for as long as it is chance that is asked; unless the host rolls himself.
    fn settle(&mut self) {
        while self.rolling == Rolling::BySeed && self.roll() {}
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

    /// What players answer who are left to themselves: a strategy where it has a say, else coins.
    pub fn by_themselves(&mut self, strategy: &Strategy) -> Option<Choice> {
        Policy::default().choose_by(strategy, self.session.game(), &mut self.players)
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

    /// Goes back to where somebody was asked after so many answers, or before.
    pub fn back_to(&mut self, enough: Enough<'_>, place: usize) {
        let there = self.session.go_to_until(enough, place);
        if !there || self.is_asking() || !self.undo() {
            // Before the first question there is only the deal, and what is rolled by hand is a place of its own.
            self.go_to(self.session.cursor());
        }
    }

    /// Gives again what was taken back last.
    pub fn redo(&mut self) -> bool {
        let mut moved = false;
        while self.session.redo() {
            moved = true;
            if self.stands() {
                break;
            }
        }
        if moved {
            self.restore();
        }
        moved
    }

    /// Goes to the place before an answer, back or forth; what the seed rolls is no place to stand at.
    pub fn go_to(&mut self, place: usize) -> bool {
        self.go_to_until(NEVER, place)
    }

    /// The same; who has had enough on the way stands where somebody is asked next: that is `false` as well.
    pub fn go_to_until(&mut self, enough: Enough<'_>, place: usize) -> bool {
        if place > self.session.answers().len() + self.session.undone().len() {
            return false;
        }
        let there = self.session.go_to_until(enough, place);
        while !self.stands() && self.session.redo() {}
        self.restore();
        there
    }

    /// Whether somebody has to choose.
    pub fn is_asking(&self) -> bool {
        matches!(self.session.game().pending(), Pending::Ask(_))
    }

    /// Whether nothing can be answered any more.
    pub fn is_over(&self) -> bool {
        let pending = self.session.game().pending();
        matches!(pending, Pending::Over(_) | Pending::Broken(_))
    }

    fn stands(&self) -> bool {
        self.rolling == Rolling::ByHand || self.is_asking() || self.is_over()
    }

    /// The chance as it was where the game stands now.
    fn restore(&mut self) {
        match self.rolls.get(self.session.cursor()) {
            Some(state) => self.chance = Chance::restore(*state),
            None => {
                self.replay_chance(NEVER);
            }
        }
    }

    /// Draws everything once more that the game has drawn so far, so that what comes next comes as if
    /// nobody had ever left. `false` where somebody has had enough before that.
    fn replay_chance(&mut self, enough: Enough<'_>) -> bool {
        let seed = self.session.table().seed.unwrap_or_default();
        let (mut chance, mut rolls) = (Chance::of_seed(seed), Vec::new());
        let whole = self.session.each_place(|game| {
            rolls.push(chance.state());
            if let Pending::Chance(drawn) = game.pending() {
                policy::outcome(game, &drawn, &mut chance);
            }
            !enough()
        });
        (self.chance, self.rolls) = (chance, rolls);
        self.players = Chance::of_game(seed, 1);
        whole
    }
}
