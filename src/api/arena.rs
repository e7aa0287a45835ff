//! A game for programs that learn: answers are numbers, and what a seat knows is a row of small numbers.
//!
//! Nothing in a row came to it but what the rules have shown that seat. Steps allocate next to nothing, so that
//! many such games can be played at once.

use super::{
    game::{Game, GameError, Table},
    load::Rules,
    mistakes::mistakes,
};
use omerta_core::rules::PlannedCast;
use omerta_engine as engine;
use omerta_engine::{Choice, Pending, Reflex, Reply, seats_in};
use omerta_play::{
    casting,
    chance::Chance,
    knowledge::{Knowledge, Layout},
    moves::{Move, Moves},
    policy, session,
};
use std::sync::Arc;

/// After so many answers a game counts as one that does not end.
const MOST_ANSWERS: usize = 20_000;

/// Who answers next in an [`Arena`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// A seat; of several who answer as one, the first.
    Seat(u8),
    /// Chance, where it is answered by hand; what the host decides is chance as well.
    Chance,
    /// Nobody: the game is over, its rules went wrong, or after 20,000 answers no end is in sight.
    Over,
}

/// A part of the row in which an [`Arena`] keeps what a seat knows.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Feature {
    /// What its numbers tell: `me`, `question`, `news`, `said`, `named`, `number`, `lies`, `told`, `answers`, `passed`.
    pub name: &'static str,
    /// Which numbers of the row they are.
    pub numbers: std::ops::Range<usize>,
}

/// A game for programs that learn. A clone is a game of its own.
///
/// ```
/// use omerta::{Load, Table, Turn};
///
/// let rules = Load::named("city").load()?;
/// let mut arena = rules.arena(&Table::new().players(8).seed(7))?;
/// while let Turn::Seat(seat) = arena.turn() {
///     assert_eq!(arena.known(seat).len(), arena.width());
///     let legal = arena.legal();
///     arena.step(legal[legal.len() - 1])?;
/// }
/// assert!(arena.outcome().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Arena {
    rules: Rules,
    table: Table,
    start: Arc<session::Table>,
    /// The cards before those that are left to chance are drawn; nothing where there are none.
    open: Option<PlannedCast>,
    moves: Arc<Moves>,
    /// The game at its first pause, before chance has decided anything, with what is known by then.
    fresh: Arc<(engine::Game, Knowledge)>,
    game: engine::Game,
    /// What can be answered now, from the lowest number.
    legal: Vec<Move>,
    known: Knowledge,
    by_hand: bool,
    offers: bool,
    /// The seats that were asked for their offers since the last answer.
    polled: u64,
    /// What the seed rolls, and what the host and writers make up.
    chance: Chance,
    others: Chance,
    answers: Vec<Choice>,
}

impl Rules {
    /// Begins a game for programs that learn, and deals unless chance is answered by hand.
    pub fn arena(&self, table: &Table) -> Result<Arena, GameError> {
        let start = Arc::new(self.table_of(table)?);
        let seats = start.names.len() as u8;
        let open = table.people.open_cast(&self.bench, &self.laid, start.names.len());
        let (open, _) = open.map_err(|problems| GameError::Cast(mistakes(&self.bench, &problems)))?;
        let is_open = open.cards.iter().any(|card| start.rules.is_open(*card));
        let layout = Arc::new(Layout::new(&start.rules, seats));
        let mut known = Knowledge::new(layout);
        let game = start
            .begin(&mut known)
            .map_err(|error| super::game::no_start(&error))?;
        let mut arena = Arena {
            fresh: Arc::new((game.clone(), known.clone())),
            rules: self.clone(),
            table: table.clone(),
            moves: Arc::new(Moves::new(start.rules.clone(), seats)),
            start,
            open: is_open.then_some(open),
            game,
            legal: Vec::new(),
            known,
            by_hand: table.is_by_hand(),
            offers: false,
            polled: 0,
            chance: Chance::of_seed(0),
            others: Chance::of_seed(0),
            answers: Vec::new(),
        };
        arena.begin_again(table.seed)?;
        Ok(arena)
    }
}

impl Arena {
    /// Lets seats take up standing offers: before each question every seat with open ones is asked once for them, and
    /// may pass. Begins the game anew.
    pub fn with_offers(mut self) -> Result<Arena, GameError> {
        self.offers = true;
        self.begin_again(self.table.seed)?;
        Ok(self)
    }

    /// Begins a new game at the same table with another seed.
    pub fn begin_again(&mut self, seed: u64) -> Result<(), GameError> {
        self.table.seed = seed;
        self.chance = Chance::of_seed(seed);
        self.others = Chance::of_game(seed, 1);
        self.answers.clear();
        self.polled = 0;
        if let Some(open) = &self.open {
            let table = Arc::make_mut(&mut self.start);
            let seats = table.names.len();
            let mut chance = Chance::of_game(seed, 1);
            table.cast = casting::drawn(&table.rules, &table.hooks, open.clone(), seats, &mut chance);
            self.known.clear();
            let begun = self.start.begin(&mut self.known);
            self.game = begun.map_err(|error| super::game::no_start(&error))?;
        } else {
            self.game.clone_from(&self.fresh.0);
            self.known.clone_from(&self.fresh.1);
        }
        self.settle();
        Ok(())
    }

    /// The rules it is played by.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Who sits there, in the order of the seats.
    pub fn names(&self) -> &[String] {
        &self.start.names
    }

    /// The seed of this game.
    pub fn seed(&self) -> u64 {
        self.table.seed
    }

    /// How many numbers answers have; 0 is what whoever is not asked answers.
    pub fn actions(&self) -> usize {
        self.moves.count()
    }

    /// What each of these numbers says.
    pub fn action_words(&self) -> Vec<String> {
        self.moves.words(&self.start.names)
    }

    /// How many numbers there are in what a seat knows.
    pub fn width(&self) -> usize {
        self.known.layout().width()
    }

    /// What they tell, part by part.
    pub fn features(&self) -> Vec<Feature> {
        let blocks = self.known.layout().blocks();
        let feature = |block: &omerta_play::knowledge::Block| Feature {
            name: block.name,
            numbers: block.start..block.start + block.size,
        };
        blocks.iter().map(feature).collect()
    }

    /// Who answers next.
    pub fn turn(&self) -> Turn {
        if self.answers.len() >= MOST_ANSWERS {
            return Turn::Over;
        }
        if let Some(seat) = self.offered() {
            return Turn::Seat(seat);
        }
        match self.game.pending() {
            Pending::Ask(asked) => match seats_in(asked.who).next() {
                Some(seat) if !asked.host => Turn::Seat(seat as u8),
                _ => Turn::Chance,
            },
            Pending::Chance(_) => Turn::Chance,
            Pending::Over(_) | Pending::Broken(_) => Turn::Over,
        }
    }

    /// The numbers of all legal answers, from the lowest.
    pub fn legal(&self) -> Vec<u32> {
        self.legal_numbers().collect()
    }

    /// The same, one after the other.
    pub fn legal_numbers(&self) -> impl Iterator<Item = u32> + '_ {
        self.legal.iter().map(|one| one.number)
    }

    /// Whether the answer with a number is legal.
    pub fn is_legal(&self, number: u32) -> bool {
        self.find(number).is_some()
    }

    fn find(&self, number: u32) -> Option<Choice> {
        let found = self.legal.binary_search_by_key(&number, |one| one.number);
        found.ok().map(|place| self.legal[place].choice)
    }

    /// The legal outcomes where chance is answered by hand, with their weights, from the lowest number.
    pub fn chances(&self) -> Vec<(u32, u32)> {
        self.legal.iter().map(|one| (one.number, one.weight)).collect()
    }

    /// Writes 1 for each legal answer and 0 for all others.
    pub fn mask(&self, mask: &mut [i8]) {
        mask.fill(0);
        for one in &self.legal {
            if let Some(place) = mask.get_mut(one.number as usize) {
                *place = 1;
            }
        }
    }

    /// Goes through what can be answered now, once for each answer that is given.
    fn gather(&mut self) {
        let mut legal = std::mem::take(&mut self.legal);
        legal.clear();
        self.each(|one| legal.push(one));
        legal.sort_by_key(|one| one.number);
        self.legal = legal;
    }

    fn each(&self, mut visit: impl FnMut(Move)) {
        match self.offered() {
            Some(seat) => {
                visit(Moves::PASS);
                self.moves.offers(&self.game, seat, visit);
            }
            None => self.moves.legal(&self.game, visit),
        }
    }

    /// The next seat that is asked for its offers.
    fn offered(&self) -> Option<u8> {
        if !self.offers || !self.game.has_offers() {
            return None;
        }
        let open = self.game.offers().into_iter().filter_map(|open| open.by);
        open.filter(|seat| self.polled >> seat & 1 == 0).min()
    }

    /// What a seat knows, through its eyes alone; nothing of a seat that there is not.
    pub fn known(&self, seat: u8) -> &[i8] {
        self.known.row(seat)
    }

    /// Gives the answer with a number. One that is not legal changes nothing.
    pub fn step(&mut self, number: u32) -> Result<(), GameError> {
        let found = self.find(number);
        let choice = found.ok_or_else(|| GameError::Illegal(self.refusal(number)))?;
        self.take(choice);
        Ok(())
    }

    fn take(&mut self, choice: Choice) {
        match self.offered() {
            Some(seat) => {
                if choice != Choice::Pass {
                    self.give(choice);
                }
                self.polled |= 1 << seat;
            }
            None => self.answer(choice),
        }
        self.settle();
    }

    /// Gives one of the legal answers, each as likely as any other, by a coin of the table's own.
    pub fn step_at_random(&mut self) -> Option<u32> {
        let place = self.others.below(self.legal.len().max(1) as u64);
        let Move { number, choice, .. } = *self.legal.get(place as usize)?;
        self.take(choice);
        Some(number)
    }

    fn refusal(&self, number: u32) -> String {
        let legal = self.legal_numbers().take(20).map(|number| number.to_string());
        let legal: Vec<String> = legal.collect();
        match self.turn() {
            Turn::Over => format!("nobody is asked: the game is over, and {number} answers nothing"),
            _ => format!("{number} is no legal answer; {} are", legal.join(", ")),
        }
    }

    fn give(&mut self, choice: Choice) {
        if self.told(choice) {
            self.answers.push(choice);
        }
    }

    /// Takes a choice into the game; whether it went.
    fn told(&mut self, choice: Choice) -> bool {
        let mut rolls = Rolls {
            chance: &mut self.chance,
            by_hand: self.by_hand,
        };
        { self.game.apply_with(choice, &mut rolls, &mut self.known) }.is_ok()
    }

    /// Answers the question itself; to the next one every seat is asked for its offers anew.
    fn answer(&mut self, choice: Choice) {
        self.give(choice);
        self.polled = 0;
    }

    /// Lets chance and the host decide for as long as no seat is asked for something that it can say.
    fn settle(&mut self) {
        while self.decides() {}
    }

    /// Lets chance or the host decide one thing; where a seat has to, gathers what it can answer.
    fn decides(&mut self) -> bool {
        self.legal.clear();
        if self.answers.len() >= MOST_ANSWERS {
            return false;
        }
        let pending = self.game.pending();
        let is_host = matches!(&pending, Pending::Ask(asked) if asked.host);
        let is_chance = is_host || matches!(pending, Pending::Chance(_));
        if self.by_hand || !is_chance || self.offered().is_some() {
            self.gather();
        }
        let choice = match pending {
            _ if !self.legal.is_empty() => return false,
            Pending::Chance(drawn) if !self.by_hand => {
                let choice = policy::outcome(&self.game, &drawn, &mut self.chance);
                return self.told(choice);
            }
            // Where somebody is to write, nothing else can be answered.
            Pending::Ask(asked) => policy::answer(&self.game, &asked, &mut self.others),
            _ => return false,
        };
        let before = self.answers.len();
        self.answer(choice);
        self.answers.len() > before
    }

    /// How many answers have been given.
    pub fn answered(&self) -> usize {
        self.answers.len()
    }

    /// How it ended; nothing while it goes on.
    pub fn outcome(&self) -> Option<super::game::Outcome> {
        super::game::outcome_of(&self.game)
    }

    /// The same game with words, views and a log: as it stands, with everything that was answered.
    pub fn game(&self) -> Result<Game, GameError> {
        let mut game = self.rules.begin(&self.table)?;
        for answer in &self.answers {
            game.give(*answer)?;
        }
        Ok(game)
    }
}

/// Chance that rolls at once, where it is not answered by hand.
struct Rolls<'a> {
    chance: &'a mut Chance,
    by_hand: bool,
}

impl Reflex for Rolls<'_> {
    fn answer(&mut self, pause: &engine::Pause<'_>) -> Reply {
        match (pause.site(), pause.domain().set()) {
            (engine::Site::Draw(_), Some(among)) if !self.by_hand && among != 0 => {
                Reply::Word(1 << self.chance.pick_bit(among))
            }
            _ => Reply::Nothing,
        }
    }
}

impl std::fmt::Debug for Arena {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = f.debug_struct("Arena");
        out.field("rules", &self.rules).field("names", &self.names());
        out.field("answers", &self.answers.len()).finish_non_exhaustive()
    }
}

impl Arena {
    /// Whether a game stands where this one stands, with the same answers behind it.
    pub fn is_same(&self, other: &Arena) -> bool {
        self.rules.rules().identity == other.rules.rules().identity
            && self.game.state() == other.game.state()
            && (&self.answers, self.polled) == (&other.answers, other.polled)
    }
}
