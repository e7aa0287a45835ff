//! A game with its answers: forth and back, to any place, and into branches.
//!
//! Kept as the list of answers; the state is their consequence. Copies of it at every few answers
//! make going back quick. Whether an answer is legal the engine says.

use crate::words::Words;
use omerta_core::rules::{PlannedCast, Ruleset};
use omerta_core::written::OF_RULES;
use omerta_engine::{
    Choice, Game, Happened, Hooks, Illegal, Listener, Log, LogMark, Look, Reflex, Silence, StartError, Still,
    What,
};
use omerta_syntax::composed;
use std::{ops::Range, sync::Arc};

/// After how many answers a copy of the game is kept.
const COPY_EVERY: usize = 16;
/// So many of these lie close together around where the game stands. Farther away there are half as many with each
/// doubling of the distance, so that a long game keeps a handful more than a short one.
const COPIES_NEAR: usize = 16;
/// Of how much a game is kept. What the last answer leads to may go beyond; then nothing more is taken in.
pub const MOST_HAPPENED: usize = 1_000_000;

/// What a game begins with.
#[derive(Clone)]
pub struct Table {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// The scripts.
    pub hooks: Arc<dyn Hooks>,
    /// The names of the seats, in order.
    pub names: Vec<String>,
    /// The cards.
    pub cast: PlannedCast,
    /// What the chance of the face was seeded with, if it was; only kept, never used here.
    pub seed: Option<u64>,
}

impl Table {
    /// Begins the game of this table.
    pub fn begin(&self, listener: &mut dyn Listener) -> Result<Game, StartError> {
        let (rules, hooks) = (self.rules.clone(), self.hooks.clone());
        Game::start(rules, hooks, self.seats(), &self.cast, listener)
    }

    fn seats(&self) -> u8 {
        // A table of more than 255 seats is as far beyond the rules as one of 255.
        u8::try_from(self.names.len()).unwrap_or(u8::MAX)
    }

    /// Names for everything.
    pub fn words(&self) -> Words<'_> {
        Words {
            rules: &self.rules,
            names: &self.names,
        }
    }
}

/// A game under way, with everything that was answered.
#[derive(Clone)]
pub struct Session {
    table: Table,
    game: Game,
    log: Log,
    answers: Vec<Choice>,
    cursor: usize,
    /// How long the log was before each answer up to the cursor.
    heard: Vec<usize>,
    copies: Vec<Kept>,
    /// What was written in the answers, those that were taken back included, in the order of its first use.
    texts: Vec<String>,
}

/// The game as it stood before an answer, and how far the log had come.
#[derive(Clone)]
struct Kept {
    at: usize,
    game: Game,
    log: LogMark,
}

/// Whether somebody has had enough of what takes long.
pub type Enough<'a> = &'a dyn Fn() -> bool;

/// For those who wait for as long as it takes.
pub const NEVER: Enough<'static> = &|| false;

/// Why a replay came to a halt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stopped {
    /// The answer that no longer fits, counted from 0; those before it were given.
    pub at: usize,
    /// How many there were.
    pub of: usize,
    /// Why.
    pub why: Illegal,
}

impl Session {
    /// Begins a game.
    pub fn start(table: Table) -> Result<Session, StartError> {
        let mut log = Log::default();
        let game = table.begin(&mut log)?;
        let first = Kept {
            at: 0,
            game: game.clone(),
            log: log.mark(),
        };
        Ok(Session {
            table,
            game,
            log,
            answers: Vec::new(),
            cursor: 0,
            heard: Vec::new(),
            copies: vec![first],
            texts: Vec::new(),
        })
    }

    /// Begins a game and gives answers as far as they fit, with the texts that were written in them.
    pub fn replay(
        table: Table,
        answers: &[Choice],
        texts: &[String],
    ) -> Result<(Session, Option<Stopped>), StartError> {
        let replayed = Session::replay_until(NEVER, table, answers, texts)?;
        Ok(replayed.expect("nobody has had enough"))
    }

    /// The same, or nothing where somebody has had enough before it is done.
    pub fn replay_until(
        enough: Enough<'_>,
        table: Table,
        answers: &[Choice],
        texts: &[String],
    ) -> Result<Option<(Session, Option<Stopped>)>, StartError> {
        let mut session = Session::start(table)?;
        for (at, answer) in answers.iter().enumerate() {
            if enough() {
                return Ok(None);
            }
            let again = session.write(*answer, written(*answer, texts));
            if let Err(why) = again.and_then(|answer| session.apply(answer)) {
                let stopped = Stopped {
                    at,
                    of: answers.len(),
                    why,
                };
                return Ok(Some((session, Some(stopped))));
            }
        }
        Ok(Some((session, None)))
    }

    /// Answers what is pending. What had been undone is forgotten, unless this is the same answer.
    pub fn apply(&mut self, choice: Choice) -> Result<(), Illegal> {
        let heard = self.log.events.len();
        if heard >= MOST_HAPPENED {
            return Err(Illegal::Full);
        }
        let choice = self.as_written(choice)?;
        give(&mut self.game, &self.texts, choice, &mut self.log)?;
        if self.answers.get(self.cursor) != Some(&choice) {
            self.forget_undone();
            self.answers.push(choice);
        }
        self.heard.push(heard);
        self.cursor += 1;
        self.keep_copy();
        Ok(())
    }

    /// An answer with what is written in it, where something is. Where nobody wrote it before, what had been undone
    /// is forgotten.
    pub fn write(&mut self, answer: Choice, text: Option<&str>) -> Result<Choice, Illegal> {
        // Letters are put together as those of rules and scenarios are.
        let Some(text) = text.map(|text| composed(text.trim())) else {
            return Ok(answer);
        };
        let text = text.as_str();
        self.game.may_write(answer, text)?;
        let next = self.game.texts().len();
        let number = self.game.number_of(text).unwrap_or(next as u32 + 1);
        if self.texts.get(number as usize - 1).map(String::as_str) != Some(text) {
            self.forget_undone();
            self.texts.push(text.to_owned());
        }
        Ok(answer.with_text(number))
    }

    /// A text of the rules, as if somebody had written it.
    fn as_written(&mut self, choice: Choice) -> Result<Choice, Illegal> {
        let of_rules = choice.text().filter(|number| *number >= OF_RULES);
        let text = of_rules.and_then(|number| self.game.look().written(number).map(str::to_owned));
        self.write(choice, text.as_deref())
    }

    fn forget_undone(&mut self) {
        self.answers.truncate(self.cursor);
        self.copies.retain(|copy| copy.at <= self.cursor);
        self.texts.truncate(self.game.texts().len());
    }

    /// What was written in the answers, those that were taken back included, in the order of its first use.
    pub fn texts(&self) -> &[String] {
        &self.texts
    }

    /// Gives back the room of the copies for going back: from now on that begins at the first answer.
    pub fn lay_down(&mut self) {
        self.copies.truncate(1);
        self.copies.shrink_to_fit();
    }

    fn keep_copy(&mut self) {
        let due = self.cursor.is_multiple_of(COPY_EVERY);
        if due && self.copies.iter().all(|copy| copy.at != self.cursor) {
            let here = self.cursor;
            self.copies.retain(|copy| is_worth_keeping(copy.at, here));
            self.copies.push(Kept {
                at: here,
                game: self.game.clone(),
                log: self.log.mark(),
            });
        }
    }

    /// Takes the last answer back; `false` at the beginning.
    pub fn undo(&mut self) -> bool {
        self.cursor > 0 && self.go_to(self.cursor - 1)
    }

    /// Gives an answer again that was taken back; `false` when there is none.
    pub fn redo(&mut self) -> bool {
        self.go_to(self.cursor + 1)
    }

    /// Goes to the place before an answer, back or forth; `false` when there are not so many.
    pub fn go_to(&mut self, place: usize) -> bool {
        self.go_to_until(NEVER, place)
    }

    /// The same. Who has had enough on the way stands where it has come to, with all answers at hand: that is `false` as well.
    pub fn go_to_until(&mut self, enough: Enough<'_>, place: usize) -> bool {
        if place > self.answers.len() {
            return false;
        }
        if place < self.cursor {
            let copies = self.copies.iter().filter(|copy| copy.at <= place);
            let copy = copies.max_by_key(|copy| copy.at);
            let copy = copy.expect("the copy of the beginning is always kept");
            self.game = copy.game.clone();
            self.log.back_to(&copy.log);
            self.cursor = copy.at;
        }
        while self.cursor < place && !enough() {
            let again = self.answers[self.cursor];
            self.apply(again).expect("a replay gives the same game");
        }
        self.heard.truncate(self.cursor);
        self.cursor == place
    }

    /// A game of its own that shares everything up to here and nothing after.
    pub fn branch(&self) -> Session {
        let mut branch = self.clone();
        branch.forget_undone();
        branch
    }

    /// The same with texts at hand that nobody need have written.
    pub fn with_texts<'t>(&self, texts: impl Iterator<Item = &'t String>) -> Session {
        let mut session = self.branch();
        for text in texts {
            if !session.texts.contains(text) {
                session.texts.push(text.clone());
            }
        }
        session
    }

    /// The game at its beginning, with all texts at hand that its answers speak of.
    pub fn beginning(&self, listener: &mut dyn Listener) -> Game {
        { self.beginning_with(&self.table.cast, listener) }.expect("a game that began can begin again")
    }

    /// The same with other cards.
    pub fn beginning_with(
        &self,
        cast: &PlannedCast,
        listener: &mut dyn Listener,
    ) -> Result<Game, StartError> {
        let Table { rules, hooks, .. } = &self.table;
        let seats = self.table.seats();
        let mut game = Game::start(rules.clone(), hooks.clone(), seats, cast, listener)?;
        for text in &self.texts {
            game.keep_text(text);
        }
        Ok(game)
    }

    /// Plays the game again from its beginning in silence, and shows it as it stood before each answer, until it is
    /// answered with `false`; so it answers itself then.
    pub fn each_place(&self, mut look: impl FnMut(&Game) -> bool) -> bool {
        let table = self.table.begin(&mut Silence);
        let mut game = table.expect("a game that began can begin again");
        for answer in self.answers() {
            if !look(&game) {
                return false;
            }
            give(&mut game, &self.texts, *answer, &mut Silence).expect("a replay gives the same game");
        }
        true
    }

    /// Plays the game again from its beginning, told to another listener; the game where it stands.
    pub fn retrace(&self, listener: &mut dyn Listener) -> Game {
        self.retrace_with(self.table.hooks.clone(), listener)
    }

    /// The same with scripts that give the same answers.
    pub fn retrace_with(&self, hooks: Arc<dyn Hooks>, listener: &mut dyn Listener) -> Game {
        let table = Table {
            hooks,
            ..self.table.clone()
        };
        let mut game = table.begin(listener).expect("a game that began can begin again");
        for answer in self.answers() {
            give(&mut game, &self.texts, *answer, listener).expect("a replay gives the same game");
        }
        game
    }

    /// What it began with.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The game as it stands.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Everything that happened up to here.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// The answers up to here.
    pub fn answers(&self) -> &[Choice] {
        &self.answers[..self.cursor]
    }

    /// The answers that were taken back and can be given again.
    pub fn undone(&self) -> &[Choice] {
        &self.answers[self.cursor..]
    }

    /// How many answers have been given up to here.
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// What an answer led to, as a range of the log; place 0 is what happened before the first.
    pub fn events_of(&self, place: usize) -> Range<usize> {
        let start = if place == 0 {
            0
        } else {
            self.heard
                .get(place - 1)
                .copied()
                .unwrap_or(self.log.events.len())
        };
        start..self.heard.get(place).copied().unwrap_or(self.log.events.len())
    }

    /// The game as it stood before an event of the log: the edge of a scene, or that a fact was emptied.
    /// The game pauses at none of them, so what led there is played once more.
    pub fn still(&self, event: usize) -> Option<Still> {
        let events = &self.log.events;
        if !events.get(event).is_some_and(|happened| is_edge(&happened.what)) {
            return None;
        }
        let place = self.heard.partition_point(|heard| *heard <= event);
        let start = self.events_of(place).start;
        let edges = events[start..event]
            .iter()
            .filter(|happened| is_edge(&happened.what));
        let mut edge = Edge {
            left: edges.count(),
            still: None,
        };
        let mut log = Log::default();
        match place.checked_sub(1) {
            None => {
                let Table {
                    rules, hooks, cast, ..
                } = &self.table;
                let (rules, hooks) = (rules.clone(), hooks.clone());
                Game::start_with(rules, hooks, self.table.seats(), cast, (&mut log, &mut edge)).ok()?;
            }
            Some(last) => {
                let before = self.copies.iter().filter(|copy| copy.at <= last);
                let copy = before.max_by_key(|copy| copy.at)?;
                let mut game = copy.game.clone();
                for answer in &self.answers[copy.at..last] {
                    give(&mut game, &self.texts, *answer, &mut Silence).ok()?;
                }
                keep(&mut game, &self.texts, self.answers[last]);
                game.apply_with(self.answers[last], &mut edge, &mut log).ok()?;
            }
        }
        edge.still
    }

    /// The game as it stood at the last edge up to an event of the log.
    pub fn still_by(&self, event: usize) -> Option<Still> {
        let events = self.log.events.get(..=event)?;
        self.still(events.iter().rposition(|happened| is_edge(&happened.what))?)
    }

    /// What the last answer led to.
    pub fn latest(&self) -> &[Happened] {
        &self.log.events[self.events_of(self.cursor)]
    }
}

/// Whether the copy at a place is kept, seen from another.
fn is_worth_keeping(at: usize, here: usize) -> bool {
    let doublings = (at.abs_diff(here) / (COPY_EVERY * COPIES_NEAR)).checked_ilog2();
    let every = doublings.map_or(COPY_EVERY, |doublings| COPY_EVERY << (doublings + 1));
    at.is_multiple_of(every)
}

/// The text that is in an answer.
pub fn written(answer: Choice, texts: &[String]) -> Option<&str> {
    let number = answer.text()? as usize;
    texts.get(number.checked_sub(1)?).map(String::as_str)
}

/// The game keeps what is answered now, where nobody has written it before.
fn keep(game: &mut Game, texts: &[String], answer: Choice) {
    let next = Some(game.texts().len() as u32 + 1);
    if let (true, Some(text)) = (answer.text() == next, written(answer, texts))
        && game.may_write(answer, text).is_ok()
    {
        game.keep_text(text);
    }
}

fn give(
    game: &mut Game,
    texts: &[String],
    answer: Choice,
    listener: &mut dyn Listener,
) -> Result<(), Illegal> {
    keep(game, texts, answer);
    game.apply(answer, listener)
}

/// Whether somebody may stand before an event though the game does not pause there.
fn is_edge(what: &What) -> bool {
    matches!(
        what,
        What::SceneNears { .. }
            | What::SceneBegan { .. }
            | What::SceneEnded { .. }
            | What::ScenePassed { .. }
            | What::Cleared { .. }
    )
}

/// Looks on, and keeps the game as it stands at one edge.
struct Edge {
    /// How many edges come before it.
    left: usize,
    still: Option<Still>,
}

impl Reflex for Edge {
    fn answers(&self) -> bool {
        false
    }

    fn stands(&self) -> bool {
        true
    }

    fn edge(&mut self, look: Look<'_>) {
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None if self.still.is_none() => self.still = Some(look.still()),
            None => {}
        }
    }
}
