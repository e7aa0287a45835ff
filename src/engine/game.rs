//! A game: rules, scripts and a state, stepped by answers.

use crate::ask::{ask_domain, asked, check_text, drawn};
use crate::cards::Cards;
use crate::choice::{
    Asked, Choice, Deed, Domain, FaultKind, Illegal, Open, OpenBranch, OpenOffer, Pending, StartError,
};
use crate::compute::PureEval;
use crate::event::{Heard, Listener, Silence, Value};
use crate::facts::Facts;
use crate::hand::check_deed;
use crate::look::{Hooks, Look};
use crate::machine::Machine;
use crate::offers::open_offers;
use crate::pause::{Fixed, Legal, Pause, Site};
use crate::reflex::{Pauses, Reflex};
use crate::state::{Frame, State, Still, Waiting};
use crate::tally::{Count, Tally};
use crate::words::phrase_values;
use omerta_core::rules::{DeckId, Phrase, PlannedCast, ProcRole, Program, Ruleset, SceneId, Thunk};
use omerta_core::written::{LONGEST, MOST_TEXTS, Unwritable, word};
use std::sync::Arc;

/// The most seats a table may have: a set of seats is one word.
const MOST_SEATS: u8 = 64;

/// A game under way.
pub struct Game {
    rules: Arc<Ruleset>,
    hooks: Arc<dyn Hooks>,
    /// Whose program it goes by while nobody listens: that of the cards it began with, as long as no others can come in.
    deck: Option<DeckId>,
    state: State,
    tally: Tally,
}

impl Game {
    /// Begins a game and runs it to its first pause.
    pub fn start(
        rules: Arc<Ruleset>,
        hooks: Arc<dyn Hooks>,
        seats: u8,
        cast: &PlannedCast,
        listener: &mut dyn Listener,
    ) -> Result<Game, StartError> {
        Self::start_with(rules, hooks, seats, cast, (listener, &mut Pauses))
    }

    /// The same, where answers may be ready or somebody looks on.
    pub fn start_with(
        rules: Arc<Ruleset>,
        hooks: Arc<dyn Hooks>,
        seats: u8,
        cast: &PlannedCast,
        (listener, reflex): (&mut dyn Listener, &mut dyn Reflex),
    ) -> Result<Game, StartError> {
        let (from, to) = (rules.seats.0.max(1), rules.seats.1.min(MOST_SEATS));
        if seats < from || seats > to {
            return Err(StartError::Seats {
                given: usize::from(seats),
                from,
                to,
            });
        }
        let cards = Cards::new(&rules, seats, cast)?;
        let state = State::new(&rules, Facts::new(&rules, seats), cards);
        let mut game = Game {
            deck: rules.deck(cast),
            rules,
            hooks,
            state,
            tally: Tally::new(),
        };
        let entry = game.rules.procs[game.rules.start.index()].entry;
        match listener.listens() {
            true => game.machine(&mut Heard::by(listener), reflex).run(entry),
            false => game.machine(&mut Silence, reflex).run(entry),
        }
        Ok(game)
    }

    /// Goes on with a state that was kept.
    pub fn restore(rules: Arc<Ruleset>, hooks: Arc<dyn Hooks>, mut state: State) -> Game {
        state.make_room();
        Game {
            rules,
            hooks,
            deck: None,
            state,
            tally: Tally::new(),
        }
    }

    /// A game as it stood, to be looked at: it waits for nothing.
    pub fn still(&self, still: Still) -> Game {
        Game {
            rules: self.rules.clone(),
            hooks: self.hooks.clone(),
            deck: None,
            state: State::of(still.0),
            tally: Tally::new(),
        }
    }

    /// From now on it is kept what the rules ask of counted ballots, or not; what was before is forgotten. What is only
    /// worked out aside, by conditions of offers and the like, is no part of it.
    pub fn watch_counts(&mut self, watch: bool) {
        self.tally.watch(watch);
    }

    /// What was asked of counted ballots since.
    pub fn counts(&self) -> &[Count] {
        self.tally.watched()
    }

    fn machine<'a, L: Listener, R: Reflex + ?Sized>(
        &'a mut self,
        listener: &'a mut L,
        reflex: &'a mut R,
    ) -> Machine<'a, L, R> {
        self.state.stack.make_room();
        Machine::new(
            (&self.rules, self.deck),
            &*self.hooks,
            &mut self.state,
            &mut self.tally,
            (listener, reflex),
        )
    }

    /// What the game waits for.
    pub fn pending(&self) -> Pending {
        match &self.state.waiting {
            Waiting::Ask { site, at } => Pending::Ask(asked(&self.rules, *site, self.operands(*at))),
            Waiting::Draw { site, at } => Pending::Chance(drawn(&self.rules, *site, self.operands(*at))),
            Waiting::Over(outcome) => Pending::Over(*outcome),
            Waiting::Broken(fault) => Pending::Broken((**fault).clone()),
        }
    }

    /// What somebody is asked now, where anybody is.
    pub fn asked(&self) -> Option<Asked> {
        match self.pending() {
            Pending::Ask(asked) => Some(asked),
            _ => None,
        }
    }

    /// What the game waits for, in few words: all that a random answer hangs on.
    #[inline]
    pub fn open(&self) -> Open {
        let domain = |pause: Pause<'_>| match pause.site() {
            Site::Ask(_) => Open::Ask(pause.domain()),
            Site::Draw(_) => Open::Chance(pause.domain()),
        };
        self.pause().map_or(Open::Nothing, domain)
    }

    #[inline]
    fn operands(&self, at: u32) -> &[u64] {
        self.state.stack.from(at as usize)
    }

    /// A copy without the room that is only wanted for going on, to be kept beside many others. A copy of it, or it itself as
    /// soon as it is answered, has the room again.
    #[must_use]
    pub fn folded(&self) -> Game {
        Game {
            rules: self.rules.clone(),
            hooks: self.hooks.clone(),
            deck: self.deck,
            state: self.state.folded(),
            tally: Tally::new(),
        }
    }

    /// Answers what is pending and runs to the next pause. An illegal answer changes nothing.
    pub fn apply(&mut self, choice: Choice, listener: &mut dyn Listener) -> Result<(), Illegal> {
        match listener.listens() {
            true => self.apply_heard(choice, &mut Pauses, listener),
            false => self.step(choice, &mut Pauses, &mut Silence),
        }
    }

    /// The same, and lets answers that are ready be given to whatever comes. There is one machine for
    /// whoever listens, and one for each sort of ready answers where nobody does.
    pub fn apply_with<R: Reflex>(
        &mut self,
        choice: Choice,
        reflex: &mut R,
        listener: &mut dyn Listener,
    ) -> Result<(), Illegal> {
        match listener.listens() {
            true => self.apply_heard(choice, reflex, listener),
            false => self.step(choice, reflex, &mut Silence),
        }
    }

    fn apply_heard(
        &mut self,
        choice: Choice,
        reflex: &mut dyn Reflex,
        listener: &mut dyn Listener,
    ) -> Result<(), Illegal> {
        self.step(choice, reflex, &mut Heard::by(listener))
    }

    /// Lets answers that are ready be given to what is pending and to whatever comes, up to the first
    /// question that has none.
    #[inline]
    pub fn react<R: Reflex>(&mut self, reflex: &mut R, listener: &mut dyn Listener) {
        match listener.listens() {
            true => self.react_heard(reflex, listener),
            false => self.ready(reflex, &mut Silence),
        }
    }

    fn react_heard(&mut self, reflex: &mut dyn Reflex, listener: &mut dyn Listener) {
        self.ready(reflex, &mut Heard::by(listener));
    }

    #[inline]
    fn ready<L: Listener, R: Reflex + ?Sized>(&mut self, reflex: &mut R, listener: &mut L) {
        match self.state.waiting {
            Waiting::Ask { site, at } => self.machine(listener, reflex).react_to(site, at),
            Waiting::Draw { site, at } => self.machine(listener, reflex).react_to_draw(site, at),
            Waiting::Over(_) | Waiting::Broken(_) => {}
        }
    }

    fn step<L: Listener, R: Reflex + ?Sized>(
        &mut self,
        choice: Choice,
        reflex: &mut R,
        listener: &mut L,
    ) -> Result<(), Illegal> {
        if let Choice::ByHand(deed) = choice {
            self.may(choice)?;
            if let Deed::Turn { .. } = deed {
                self.deck = None;
            }
            self.machine(listener, reflex).take_deed(deed);
            return Ok(());
        }
        let legal = self.pause().ok_or(Illegal::Over)?.legal(choice)?;
        let mut machine = self.machine(listener, reflex);
        match (legal, &machine.state.waiting) {
            (Legal::Offer(offer, by, picked), _) => machine.take_offer(offer, by, picked),
            (Legal::Answer(answer), &Waiting::Ask { site, at }) => machine.take_answer(site, at, answer),
            (Legal::Outcome(outcome), &Waiting::Draw { site, at }) => machine.take_outcome(site, at, outcome),
            _ => return Err(Illegal::Over),
        }
        Ok(())
    }

    /// Whether an answer may be given to what is pending, or why not.
    pub fn may(&self, choice: Choice) -> Result<(), Illegal> {
        match (&self.state.waiting, choice) {
            (Waiting::Ask { .. }, Choice::ByHand(deed)) => check_deed(self.look(), deed),
            _ => self.pause().ok_or(Illegal::Over)?.may(choice),
        }
    }

    /// What has to be answered now; nothing where the game is over.
    #[inline]
    pub fn pause(&self) -> Option<Pause<'_>> {
        let (site, at) = match self.state.waiting {
            Waiting::Ask { site, at } => (Site::Ask(site), at),
            Waiting::Draw { site, at } => (Site::Draw(site), at),
            Waiting::Over(_) | Waiting::Broken(_) => return None,
        };
        let fixed = Fixed {
            rules: &self.rules,
            hooks: &*self.hooks,
            times: None,
        };
        Some(Pause::new(site, &fixed, &self.state.board, self.operands(at)))
    }

    /// Whether that may be written in an answer, or why not: [`Choice::TO_WRITE`], or a branch, an offer or a deed
    /// with a text in it.
    pub fn may_write(&self, answer: Choice, text: &str) -> Result<(), Illegal> {
        let Waiting::Ask { site, at } = self.state.waiting else {
            return Err(match self.pending() {
                Pending::Chance(drawn) => Illegal::WrongKind { wanted: drawn.domain },
                _ => Illegal::Over,
            });
        };
        let wanted = match answer {
            Choice::Branch { branch, .. } => {
                let open = self.branches().find(|open| open.branch == branch);
                open.ok_or(Illegal::Closed { branch })?
                    .among
                    .unwrap_or(Domain::Menu)
            }
            Choice::Offer { offer, by, .. } => {
                let made = self.offers().into_iter();
                let open = made.into_iter().find(|open| (open.offer, open.by) == (offer, by));
                open.ok_or(Illegal::NoOffer { offer })?
                    .among
                    .unwrap_or(Domain::Menu)
            }
            Choice::ByHand(_) => Domain::Text {
                most: LONGEST,
                pass: false,
            },
            _ => ask_domain(self.rules.ask(site), self.operands(at)),
        };
        check_text(wanted, text)?;
        match self.number_of(text).is_none() && self.state.board.texts.len() >= MOST_TEXTS {
            true => Err(Illegal::Unwritable(Unwritable::TooMany)),
            false => Ok(()),
        }
    }

    /// An answer with what is written in it, where something is. The game keeps it, and is the same otherwise.
    pub fn write(&mut self, answer: Choice, text: Option<&str>) -> Result<Choice, Illegal> {
        let Some(text) = text else { return Ok(answer) };
        self.may_write(answer, text)?;
        Ok(answer.with_text(self.keep_text(text.trim())))
    }

    /// Keeps a text, unless the game has it; gives its number.
    pub fn keep_text(&mut self, text: &str) -> u32 {
        self.number_of(text).unwrap_or_else(|| {
            self.state.board.texts.push(text.to_owned());
            self.state.board.texts.len() as u32
        })
    }

    /// The number of a text that somebody wrote.
    pub fn number_of(&self, text: &str) -> Option<u32> {
        let at = { self.texts().iter() }.position(|known| known == text.trim())?;
        Some(at as u32 + 1)
    }

    /// What people wrote, in the order of its first use.
    pub fn texts(&self) -> &[String] {
        &self.state.board.texts
    }

    /// The branches of the pending menu that stand open.
    pub fn branches(&self) -> impl Iterator<Item = OpenBranch> + '_ {
        self.pause().into_iter().flat_map(|pause| pause.branches())
    }

    /// The words of the pending draw with their weights.
    pub fn weights(&self) -> &[(String, u32)] {
        self.pause().map_or(&[], |pause| pause.weights())
    }

    /// Those of the words that may come out, by their numbers.
    pub fn possible_words(&self) -> impl Iterator<Item = (u16, &str, u32)> {
        let words = self.weights().iter().enumerate();
        words
            .filter(|(_, (_, weight))| *weight > 0)
            .map(|(number, (word, weight))| (number as u16, word.as_str(), *weight))
    }

    /// Whether the rules have standing offers at all.
    pub fn has_offers(&self) -> bool {
        !self.rules.offers.is_empty()
    }

    /// The standing offers that somebody may take up now: none while chance decides.
    pub fn offers(&self) -> Vec<OpenOffer> {
        match self.state.waiting {
            Waiting::Ask { .. } => self.made_offers(),
            _ => Vec::new(),
        }
    }

    /// The standing offers that somebody might take up if anybody were asked as things stand.
    pub fn made_offers(&self) -> Vec<OpenOffer> {
        open_offers(self.eval()).unwrap_or_default()
    }

    /// Whether an offer is dealt with and no scene is played for it: then none stands open, for whatever scene it is made.
    pub fn deals_with_an_offer(&self) -> bool {
        self.state.board.deals_with_an_offer(&self.rules)
    }

    fn eval(&self) -> PureEval<'_> {
        PureEval::of_rules(&self.rules, &*self.hooks, &self.state.board)
    }

    /// The value of an expression that was compiled by itself; 0 where a script fails.
    pub fn evaluate(&self, program: &Program, args: &[u64]) -> u64 {
        self.try_evaluate(program, args).unwrap_or(0)
    }

    /// The same, with the mistake of a script that fails.
    pub fn try_evaluate(&self, program: &Program, args: &[u64]) -> Result<u64, FaultKind> {
        let known;
        let program = match program.texts.is_empty() {
            true => program,
            false => {
                known = self.with_texts(program);
                &known
            }
        };
        self.eval().evaluate(program, args).map_err(|error| *error)
    }

    /// The same program where the texts in it are those of this game.
    fn with_texts(&self, program: &Program) -> Program {
        let mut known = program.clone();
        for (stands, text) in &program.texts {
            let same = self.look().same_text(text).unwrap_or(u32::MAX);
            let places = known.constants.iter_mut().filter(|constant| *constant == stands);
            places.for_each(|constant| *constant = word(same, same));
        }
        known
    }

    /// The value of code of the rules that reads its arguments and the state; 0 where a script fails.
    pub fn value(&self, thunk: Thunk, args: &[u64]) -> u64 {
        self.eval().value(thunk, args).unwrap_or(0)
    }

    /// The values of a phrase's slots, read in the frame that waits.
    pub fn phrase_values(&self, phrase: &Phrase) -> Vec<Value> {
        let base = self.state.board.frames.last().map_or(0, |frame| frame.base);
        phrase_values(self.eval(), self.operands(base), phrase).unwrap_or_default()
    }

    /// The state.
    pub fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The scripts.
    pub fn hooks(&self) -> &Arc<dyn Hooks> {
        &self.hooks
    }

    /// What a scene that is running was handed, where that are so many things.
    pub fn handed(&self, scene: SceneId, many: usize) -> Option<Vec<u64>> {
        let is_it = |frame: &&Frame| frame.role(&self.rules) == Some(ProcRole::Scene(scene));
        let frame = self.state.board.frames.iter().rfind(is_it)?;
        let from = frame.base as usize;
        Some(
            (from..from + many)
                .map(|place| self.state.stack.at(place))
                .collect(),
        )
    }

    /// What stands where: read access by id.
    pub fn look(&self) -> Look<'_> {
        Look::of(&self.rules, &self.state.board)
    }
}

impl Clone for Game {
    fn clone(&self) -> Self {
        let state = self.state.clone();
        Game {
            rules: self.rules.clone(),
            hooks: self.hooks.clone(),
            deck: self.deck,
            state,
            tally: Tally::new(),
        }
    }

    fn clone_from(&mut self, other: &Self) {
        // A copy of the same game is the usual case, and counting shared references costs as much as
        // all the rest of a small state.
        if !Arc::ptr_eq(&self.rules, &other.rules) {
            self.rules.clone_from(&other.rules);
        }
        if !Arc::ptr_eq(&self.hooks, &other.hooks) {
            self.hooks.clone_from(&other.hooks);
        }
        self.deck = other.deck;
        self.state.clone_from(&other.state);
    }
}

impl std::fmt::Debug for Game {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.state.fmt(f)
    }
}
