//! One game of a run: set up once, played again and again with other chance.

use super::{
    guest::{Guest, Invited},
    tally::{Seen, Shape, Wrong},
};
use anyhow::Result;
use omerta_core::rules::{DrawId, DrawKind, PlannedCast, Program, Ruleset, SceneId};
use omerta_engine::{
    Choice, Comers, Fault, Game, Hooks, Listener, Log, Look, NOBODY, Open, Outcome, Pause, Pending, Reflex,
    Reply, Round, Silence, StartError,
};
use omerta_play::{
    casting,
    chance::Chance,
    chances::Players,
    policy::{Policy, Reflexes},
    strategy::Strategy,
};
use omerta_workbench::people::no_start;
use std::{
    cell::Cell,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

/// What a game may take, and what players do besides answering.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// After so many answers a game counts as one that does not end.
    pub answers: u64,
    /// In how many of a thousand pauses a player takes up a standing offer.
    pub offers_per_thousand: u32,
    /// In how many of a thousand pauses the host makes a call of his own.
    pub calls_per_thousand: u32,
}

impl Limits {
    /// What is usual where nobody says otherwise.
    pub const USUAL: Limits = Limits {
        answers: 20_000,
        offers_per_thousand: 500,
        calls_per_thousand: 0,
    };
}

/// A game that nobody stops.
static NEVER: AtomicBool = AtomicBool::new(false);
/// After so many answers it is looked whether somebody has.
const AT_ONCE: u64 = 64;

/// A table at which the games of a run are played.
pub struct Simulator {
    fresh: Game,
    game: Game,
    /// The cards before those that are left to chance are drawn, for each game anew; nothing where there are none.
    open: Option<PlannedCast>,
    /// What happened before the first pause.
    beginning: Log,
    /// What was noted before the first pause.
    first: Vec<(usize, usize, u64)>,
    chance_of: u64,
    policy: Policy,
    strategy: Strategy,
    limit: u64,
    present: Option<Arc<Program>>,
    /// Whether anybody may write a text of his own.
    lets_write: bool,
    seen: Seen,
    invited: Vec<Arc<dyn Invited>>,
    guests: Vec<Box<dyn Guest>>,
}

impl Simulator {
    /// Sets a table up. `present` says who is still in the game, if the rules have a word for that.
    pub fn new(
        rules: Arc<Ruleset>,
        hooks: Arc<dyn Hooks>,
        seats: u8,
        cast: &PlannedCast,
        seed: u64,
        present: Option<Arc<Program>>,
        limits: Limits,
    ) -> Result<Simulator, StartError> {
        let open = cast.cards.iter().any(|card| rules.is_open(*card));
        let open = open.then(|| cast.clone());
        let drawn = casting::drawn(
            &rules,
            &hooks,
            cast.clone(),
            usize::from(seats),
            &mut Chance::of_seed(seed),
        );
        let (mut beginning, mut first) = (Log::default(), Vec::new());
        let mut watch = Watch {
            present: present.as_deref(),
            hooks: &*hooks,
            moments: &mut first,
        };
        let lets_write = rules.lets_write();
        let fresh = Game::start_with(rules, hooks.clone(), seats, &drawn, (&mut beginning, &mut watch))?;
        Ok(Simulator {
            lets_write,
            first,
            game: fresh.clone(),
            fresh,
            open,
            beginning,
            chance_of: seed,
            policy: Policy {
                offers_per_thousand: limits.offers_per_thousand,
                calls_per_thousand: limits.calls_per_thousand,
            },
            strategy: Strategy::NONE,
            limit: limits.answers,
            present,
            seen: Seen::default(),
            invited: Vec::new(),
            guests: Vec::new(),
        })
    }

    /// Lets guests play some seats.
    pub fn inviting(self, invited: Vec<Arc<dyn Invited>>) -> Simulator {
        Simulator { invited, ..self }
    }

    /// The rules.
    pub fn rules(&self) -> &Ruleset {
        self.fresh.rules()
    }

    /// How those choose for whom no guest plays.
    pub fn players(&self) -> Players {
        Players {
            policy: self.policy,
            strategy: self.strategy.clone(),
        }
    }

    /// Whether guests play at it.
    pub fn has_guests(&self) -> bool {
        !self.invited.is_empty()
    }

    /// Lets players follow a strategy where no guest plays for them.
    pub fn with_strategy(self, strategy: Strategy) -> Simulator {
        Simulator { strategy, ..self }
    }

    /// Another table for the same games.
    pub fn fork(&self) -> Simulator {
        Simulator {
            fresh: self.fresh.clone(),
            game: self.fresh.clone(),
            open: self.open.clone(),
            beginning: self.beginning.clone(),
            first: self.first.clone(),
            chance_of: self.chance_of,
            policy: self.policy,
            strategy: self.strategy.clone(),
            limit: self.limit,
            present: self.present.clone(),
            lets_write: self.lets_write,
            seen: Seen::default(),
            invited: self.invited.clone(),
            guests: Vec::new(),
        }
    }

    /// What tallies of these games are made of.
    pub fn shape(&self) -> Shape {
        Shape::of(self.fresh.rules(), usize::from(self.fresh.look().seats()))
    }

    /// Plays a game, unless it is stopped on its way. Only guests can fail at that.
    pub fn play_until(&mut self, number: u64, stop: &AtomicBool) -> Result<Option<&Seen>> {
        self.play_and(number, (None, stop))?;
        Ok((!stop.load(Ordering::Relaxed)).then_some(&self.seen))
    }

    /// Plays a game. Only guests can fail at that.
    pub fn play(&mut self, number: u64) -> Result<&Seen> {
        self.play_and(number, (None, &NEVER))?;
        Ok(&self.seen)
    }

    /// Plays a game and keeps every answer, chance included.
    pub fn answers(&mut self, number: u64) -> Result<Vec<Choice>> {
        let mut answers = Vec::new();
        self.play_and(number, (Some(&mut |choice| answers.push(choice)), &NEVER))?;
        Ok(answers)
    }

    /// The last game, where it came to.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What was written in the last game, in the order of its first use.
    pub fn texts(&self) -> &[String] {
        self.game.texts()
    }

    /// Plays a game; by what it broke, if it did.
    pub fn fault(&mut self, number: u64) -> Result<Option<Fault>> {
        self.play(number)?;
        Ok(match self.game.pending() {
            Pending::Broken(fault) => Some(fault),
            _ => None,
        })
    }

    fn play_and(&mut self, number: u64, (keep, stop): (Keep<'_>, &AtomicBool)) -> Result<()> {
        let mut chance = Chance::of_game(self.chance_of, number);
        self.draw_cast(&mut chance)?;
        self.game.clone_from(&self.fresh);
        self.seen.number = number;
        self.seen.answers = 0;
        self.seen.moments.clone_from(&self.first);
        match self.invited.is_empty() {
            true => self.play_heard(&mut chance, &mut Silence, |_, _| Ok(None), (keep, stop))?,
            false => self.play_with_guests((number, &mut chance), (keep, stop))?,
        }
        self.note_end();
        Ok(())
    }

    /// The cards of a game, if some of them are left to chance.
    pub fn cast_of(&self, number: u64) -> Option<PlannedCast> {
        self.cast_by(&mut Chance::of_game(self.chance_of, number))
    }

    fn cast_by(&self, chance: &mut Chance) -> Option<PlannedCast> {
        let (rules, hooks) = (self.fresh.rules(), self.fresh.hooks());
        let seats = usize::from(self.fresh.look().seats());
        let open = self.open.clone()?;
        Some(casting::drawn(rules, hooks, open, seats, chance))
    }

    /// Lays the table anew where chance says which cards are in the game.
    fn draw_cast(&mut self, chance: &mut Chance) -> Result<()> {
        let Some(cast) = self.cast_by(chance) else {
            return Ok(());
        };
        let hooks = self.fresh.hooks().clone();
        (self.beginning, self.first) = (Log::default(), Vec::new());
        let mut watch = Watch {
            present: self.present.as_deref(),
            hooks: &*hooks,
            moments: &mut self.first,
        };
        let (rules, seats) = (self.fresh.rules().clone(), self.fresh.look().seats());
        let heard = &mut self.beginning;
        let begun = Game::start_with(rules, hooks.clone(), seats, &cast, (heard, &mut watch));
        self.fresh = begun.map_err(|error| no_start(&error))?;
        Ok(())
    }

    /// Guests hear what happens, from the beginning on.
    fn play_with_guests(
        &mut self,
        (number, chance): (u64, &mut Chance),
        (mut keep, stop): (Keep<'_>, &AtomicBool),
    ) -> Result<()> {
        let mut guests = std::mem::take(&mut self.guests);
        if guests.is_empty() {
            guests = self
                .invited
                .iter()
                .map(|invited| invited.start())
                .collect::<Result<_>>()?;
        }
        let mut log = self.beginning.clone();
        for guest in &mut guests {
            guest.begin(number, (&self.fresh, &self.beginning));
        }
        // What was answered to the last question; and whether its answer is still to come.
        let (answered, asking) = (Cell::new(None), Cell::new(false));
        // A seat is asked for offers once in a pause, and again when somebody else has taken one up.
        let asked_already = Cell::new(0_u64);
        let answer = |simulator: &mut Simulator, log: &Log, guests: &mut [Box<dyn Guest>]| {
            let Pending::Ask(asked) = simulator.game.pending() else {
                return Ok(None);
            };
            let last = answered.take();
            asking.set(true);
            for guest in guests.iter_mut() {
                guest.hear(&simulator.game, log, last);
            }
            let offers = simulator.game.offers();
            for guest in guests.iter_mut() {
                while let Some(seat) = guest.may_take(&offers, &simulator.game, asked_already.get()) {
                    asked_already.update(|seats| seats | 1 << seat);
                    if let Some(taken) = guest.take_up(&mut simulator.game, log, &offers, seat)? {
                        return Ok(Some(taken));
                    }
                }
            }
            for guest in guests {
                if let Some(seat) = guest.plays(&simulator.game, &asked) {
                    return guest.answer(&mut simulator.game, log, &asked, seat).map(Some);
                }
            }
            Ok(None)
        };
        let mut keep = |choice: Choice| {
            if asking.take() {
                answered.set(Some(choice));
            }
            match choice {
                Choice::Offer { by: Some(seat), .. } if asked_already.get() >> seat & 1 == 1 => {}
                _ => asked_already.set(0),
            }
            if let Some(keep) = &mut keep {
                keep(choice);
            }
        };
        self.play_heard(
            chance,
            &mut log,
            |simulator, log| answer(simulator, log, &mut guests),
            (Some(&mut keep), stop),
        )?;
        let outcome = match self.game.pending() {
            Pending::Over(outcome) => Some(outcome),
            _ => None,
        };
        guests
            .iter_mut()
            .try_for_each(|guest| guest.end(&self.game, &log, outcome))?;
        self.guests = guests;
        Ok(())
    }

    /// Plays to the end; `answer` may answer before the policy does.
    fn play_heard<L: Listener>(
        &mut self,
        chance: &mut Chance,
        listener: &mut L,
        mut answer: impl FnMut(&mut Simulator, &L) -> Result<Option<Choice>>,
        (mut keep, stop): (Keep<'_>, &AtomicBool),
    ) -> Result<()> {
        self.go_on(None, chance, listener, &mut keep);
        while self.seen.answers < self.limit && !stop.load(Ordering::Relaxed) {
            let asked = matches!(self.game.open(), Open::Ask(_));
            let choice = match answer(self, listener)? {
                Some(choice) => choice,
                None => match self.by_policy(chance) {
                    Some(choice) => choice,
                    None => break,
                },
            };
            self.seen.answers += u64::from(asked);
            if let Some(keep) = &mut keep {
                keep(choice);
            }
            if !self.go_on(Some(choice), chance, listener, &mut keep) {
                break;
            }
        }
        Ok(())
    }

    /// What those do for whom no guest plays: nobody takes up an offer in the name of a guest's seat.
    fn by_policy(&self, chance: &mut Chance) -> Option<Choice> {
        let choice = self.policy.choose_by(&self.strategy, &self.game, chance)?;
        let is_guest = |seat: u8| {
            let plays = |invited: &Arc<dyn Invited>| invited.seats_in(&self.game) >> seat & 1 == 1;
            self.invited.iter().any(plays)
        };
        match choice {
            Choice::Offer { by: Some(seat), .. } if is_guest(seat) => {
                Policy::default().choose_by(&self.strategy, &self.game, chance)
            }
            choice => Some(choice),
        }
    }

    /// Plays on, with an answer to what is pending if there is one, up to a question that needs thought or
    /// one that a guest may have to answer. Says whether the answer was taken.
    fn go_on<L: Listener>(
        &mut self,
        choice: Option<Choice>,
        chance: &mut Chance,
        listener: &mut L,
        keep: &mut Keep<'_>,
    ) -> bool {
        let left = match self.invited.is_empty() {
            true => (self.limit - self.seen.answers).min(AT_ONCE),
            false => 0,
        };
        let mut quick = Quick {
            reflexes: self
                .policy
                .reflexes(&self.strategy, self.lets_write, chance, left),
            watch: Watch {
                present: self.present.as_deref(),
                hooks: &**self.fresh.hooks(),
                moments: &mut self.seen.moments,
            },
            keep,
        };
        let taken = match choice {
            Some(choice) => self.game.apply_with(choice, &mut quick, listener).is_ok(),
            None => {
                self.game.react(&mut quick, listener);
                true
            }
        };
        self.seen.answers += left - quick.reflexes.left();
        taken
    }

    fn note_end(&mut self) {
        let seen = &mut self.seen;
        let (wrong, outcome) = match self.game.pending() {
            Pending::Over(outcome) => (None, outcome),
            Pending::Broken(_) => (Some(Wrong::Broken), Outcome::default()),
            Pending::Ask(_) | Pending::Chance(_) => (Some(Wrong::Endless), Outcome::default()),
        };
        seen.wrong = wrong;
        (seen.ending, seen.winners, seen.losers) = (outcome.ending, outcome.winners, outcome.losers);
        let look = self.game.look();
        let scenes = (0..look.rules().scenes.len()).map(|scene| look.times(SceneId(scene as u16)) as usize);
        seen.times.clear();
        seen.times.extend(scenes);
        seen.roles.clear();
        look.first_roles().for_each(|(seat, role)| seen.hold(role, seat));
    }
}

/// Notes who is there when an outermost scene begins.
struct Watch<'a> {
    present: Option<&'a Program>,
    hooks: &'a dyn Hooks,
    moments: &'a mut Vec<(usize, usize, u64)>,
}

impl Watch<'_> {
    fn begun(&mut self, scene: SceneId, look: Look<'_>) {
        let present = self
            .present
            .map_or(look.players(), |program| look.evaluate(program, self.hooks));
        let nth = look.times(scene) as usize;
        self.moments.push((scene.index(), nth, present));
    }
}

impl Reflex for Watch<'_> {
    fn answers(&self) -> bool {
        false
    }

    fn watches(&self) -> bool {
        true
    }

    fn begun(&mut self, scene: SceneId, look: Look<'_>) {
        self.begun(scene, look);
    }
}

/// What came out of a draw.
#[inline]
fn drawn(look: Look<'_>, site: DrawId, number: u8) -> Choice {
    match look.rules().draws[site.index()].kind {
        DrawKind::Cards => Choice::Card(number),
        DrawKind::Titles => Choice::Title(u16::from(number)),
        _ => Choice::Seat(number),
    }
}

/// An answer of a round.
#[inline]
fn said(round: Round<'_>, number: u8) -> Choice {
    match (round.among, number) {
        (None, 0) => Choice::No,
        (None, _) => Choice::Yes,
        (Some(_), NOBODY) => Choice::Pass,
        (Some(_), seat) => Choice::Seat(seat),
    }
}

/// What wants to have each answer, chance included.
type Keep<'a> = Option<&'a mut dyn FnMut(Choice)>;

/// Random players who are asked without a pause.
struct Quick<'a, 'k> {
    reflexes: Reflexes<'a>,
    watch: Watch<'a>,
    keep: &'a mut Keep<'k>,
}

impl Quick<'_, '_> {
    #[inline]
    fn keep(&mut self, numbers: &[u8], choice: impl Fn(u8) -> Choice) {
        if let Some(keep) = self.keep {
            numbers.iter().for_each(|&number| keep(choice(number)));
        }
    }
}

impl Reflex for Quick<'_, '_> {
    fn comers(&self) -> Comers {
        self.reflexes.comers()
    }

    #[inline(always)]
    fn watches(&self) -> bool {
        true
    }

    fn begun(&mut self, scene: SceneId, look: Look<'_>) {
        self.watch.begun(scene, look);
    }

    #[inline(always)]
    fn answer(&mut self, pause: &Pause<'_>) -> Reply {
        let reply = self.reflexes.answer(pause);
        if let Some(keep) = self.keep.as_mut() {
            pause.choice(reply).into_iter().for_each(keep);
        }
        reply
    }

    #[inline]
    fn answer_round(&mut self, round: Round<'_>, answers: &mut [u8]) -> usize {
        let count = self.reflexes.answer_round(round, answers);
        self.keep(&answers[..count], |number| said(round, number));
        count
    }

    #[inline]
    fn outcome_round(&mut self, site: DrawId, among: u64, look: Look<'_>, outcomes: &mut [u8]) -> usize {
        let count = self.reflexes.outcome_round(site, among, look, outcomes);
        self.keep(&outcomes[..count], |number| drawn(look, site, number));
        count
    }
}
