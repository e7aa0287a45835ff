//! Answers that nobody gives: random ones for simulations and for what a scenario leaves open, and
//! the ones that do as little as they can.
//!
//! Knows what may be answered only from the engine, and allocates nothing but for standing offers.

use crate::{
    chance::{Chance, Dice},
    strategy::{Strategy, Taken},
    ways,
};
use omerta_core::rules::{AskId, DrawId};
use omerta_engine::{
    Asked, Choice, Comers, Domain, Drawn, Due, Game, Listener, Look, NOBODY, Open, OpenBranch, OpenOffer,
    Pause, Reflex, Reply, Round, Site, Target, how_many_in,
};

/// How random players behave.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Policy {
    /// In how many of a thousand pauses a player takes up an offer, if one stands open.
    pub offers_per_thousand: u32,
    /// In how many of a thousand pauses the host takes up one of his.
    pub calls_per_thousand: u32,
}

impl Policy {
    /// A random legal answer to whatever is pending; `None` when nothing is.
    #[inline]
    pub fn choose(&self, game: &Game, chance: &mut impl Dice) -> Option<Choice> {
        self.choose_by(&NONE, game, chance)
    }

    /// The same, where a strategy answers before chance does.
    pub fn choose_by(&self, strategy: &Strategy, game: &Game, chance: &mut impl Dice) -> Option<Choice> {
        let pause = game.pause()?;
        if let Site::Ask(_) = pause.site() {
            let taken = self.offer(&pause, chance, |open, chance| strategy.taken(game, open, chance));
            if let Some(wished) = taken.or_else(|| strategy.answer(game, chance)) {
                return Some(wished);
            }
        }
        Some(one_of(&pause, chance))
    }

    /// The answers of players who need not think: where no strategy has a say, and nobody writes. They are the ones
    /// that [`Policy::choose_by`] would give. After so many, players fall silent.
    pub fn reflexes<'a>(
        &self,
        strategy: &'a Strategy,
        lets_write: bool,
        chance: &'a mut Chance,
        most: u64,
    ) -> Reflexes<'a> {
        Reflexes {
            policy: *self,
            strategy,
            chance,
            at_once: !strategy.speaks_of_offers() && !lets_write,
            left: most,
        }
    }

    /// Plays a game on to its end, or until so many answers were given. Says how many were given, what
    /// chance gave not counted.
    pub fn play(&self, game: &mut Game, chance: &mut Chance, listener: &mut dyn Listener, most: u64) -> u64 {
        self.play_by(&NONE, game, chance, listener, most)
    }

    /// The same, where a strategy answers before chance does.
    pub fn play_by(
        &self,
        strategy: &Strategy,
        game: &mut Game,
        chance: &mut Chance,
        listener: &mut dyn Listener,
        most: u64,
    ) -> u64 {
        let lets_write = game.rules().lets_write();
        let mut left = most;
        while left > 0 {
            let mut reflexes = self.reflexes(strategy, lets_write, chance, left);
            game.react(&mut reflexes, listener);
            left = reflexes.left();
            let asked = matches!(game.open(), Open::Ask(_));
            let choice = if left > 0 {
                self.choose_by(strategy, game, chance)
            } else {
                None
            };
            match choice.map(|choice| game.apply(choice, listener)) {
                Some(Ok(())) => left -= u64::from(asked),
                Some(Err(_)) | None => break,
            }
        }
        most - left
    }

    /// Whether a player comes to take up an offer, and whether the host does.
    #[inline]
    fn come(&self, chance: &mut impl Dice) -> Comers {
        let players = chance.comes(self.offers_per_thousand);
        let host = chance.comes(self.calls_per_thousand);
        Comers { players, host }
    }

    /// An offer that is taken up instead of an answer.
    #[inline(always)]
    fn offer<D: Dice>(
        &self,
        pause: &Pause<'_>,
        chance: &mut D,
        taken: impl FnOnce(&OpenOffer, &mut D) -> Taken,
    ) -> Option<Choice> {
        if pause.look().rules().offers.is_empty() {
            return None;
        }
        match self.come(chance) {
            Comers {
                players: false,
                host: false,
            } => None,
            coming => match pause.due(coming) {
                due if due.is_none() => None,
                due => one_of_the_offers(pause, due, chance, taken),
            },
        }
    }
}

/// Players who follow nothing, made once.
static NONE: Strategy = Strategy::NONE;

/// One of the offers of those that stand open.
#[inline(never)]
fn one_of_the_offers<D: Dice>(
    pause: &Pause<'_>,
    due: Due,
    chance: &mut D,
    taken: impl FnOnce(&OpenOffer, &mut D) -> Taken,
) -> Option<Choice> {
    let open = pause.one_offer(due, |count| chance.below(count))?;
    let OpenOffer { offer, by, among } = open;
    let with = |target| Choice::Offer { offer, by, target };
    match taken(&open, chance) {
        Taken::Free => Some(target(pause, among, with, chance)),
        Taken::With(target) => Some(with(target)),
        Taken::Not => None,
    }
}

/// What random players answer without a pause.
#[derive(Debug)]
pub struct Reflexes<'a> {
    policy: Policy,
    strategy: &'a Strategy,
    chance: &'a mut Chance,
    at_once: bool,
    left: u64,
}

impl Reflexes<'_> {
    /// How many answers may still be given.
    pub fn left(&self) -> u64 {
        self.left
    }

    #[inline(always)]
    fn is_silent(&self, site: AskId) -> bool {
        self.left == 0 || !self.at_once || self.strategy.speaks_of(site)
    }
}

impl Reflex for Reflexes<'_> {
    fn comers(&self) -> Comers {
        Comers {
            players: self.policy.offers_per_thousand > 0,
            host: self.policy.calls_per_thousand > 0,
        }
    }

    #[inline(always)]
    fn answer(&mut self, pause: &Pause<'_>) -> Reply {
        match pause.site() {
            Site::Draw(_) if self.left == 0 => return Reply::Nothing,
            Site::Draw(_) => {}
            Site::Ask(site) if self.is_silent(site) => return Reply::Nothing,
            Site::Ask(_) => {
                self.left -= 1;
                if let Some(taken) = self.policy.offer(pause, self.chance, |_, _| Taken::Free) {
                    return Reply::Choice(taken);
                }
            }
        }
        reply(pause, self.chance)
    }

    #[inline]
    fn answer_round(&mut self, round: Round<'_>, answers: &mut [u8]) -> usize {
        if self.is_silent(round.site) {
            return 0;
        }
        let room = self.left.min(answers.len() as u64);
        let answers = &mut answers[..room as usize];
        let comes = self.policy != Policy::default() && !round.look.rules().offers.is_empty();
        let count = match round.among {
            Some(among) if !round.pass && !comes => {
                self.chance.pick_round(round.asked, among, round.others, answers)
            }
            _ => self.one_by_one(round, comes, answers),
        };
        self.left -= count as u64;
        count
    }

    #[inline]
    fn outcome_round(&mut self, _: DrawId, among: u64, _: Look<'_>, outcomes: &mut [u8]) -> usize {
        if self.left == 0 {
            return 0;
        }
        self.chance.pick_each(among, outcomes);
        outcomes.len()
    }
}

impl Reflexes<'_> {
    /// Answers a round; before each, somebody may come for an offer, and finds none.
    fn one_by_one(&mut self, round: Round<'_>, comes: bool, answers: &mut [u8]) -> usize {
        let mut chance = self.chance.clone();
        let mut waiting = round.asked;
        let mut count = 0;
        for answer in answers {
            if waiting == 0 {
                break;
            }
            let seat = waiting & waiting.wrapping_neg();
            waiting &= !seat;
            if comes {
                self.policy.come(&mut chance);
            }
            *answer = match round.among {
                None => chance.below(2) as u8,
                Some(_) => {
                    let named = member(round.among(seat), round.pass, &mut chance);
                    named.map_or(NOBODY, |named| named as u8)
                }
            };
            count += 1;
        }
        *self.chance = chance;
        count
    }
}

/// A random legal answer, each as likely as any other; of a menu first the branch, then its pick.
pub fn answer(game: &Game, _: &Asked, chance: &mut impl Dice) -> Choice {
    game.pause().map_or(Choice::Pass, |pause| one_of(&pause, chance))
}

/// A random outcome, each as likely as its weight says.
pub fn outcome(game: &Game, _: &Drawn, chance: &mut impl Dice) -> Choice {
    game.pause().map_or(Choice::Pass, |pause| one_of(&pause, chance))
}

#[inline(never)]
fn one_of(pause: &Pause<'_>, chance: &mut impl Dice) -> Choice {
    let said = reply(pause, chance);
    pause.choice(said).unwrap_or(Choice::Pass)
}

/// What is answered at random. What most games ask most of the time is small enough to stand here.
#[inline(always)]
fn reply(pause: &Pause<'_>, chance: &mut impl Dice) -> Reply {
    match pause.domain() {
        Domain::Seats { among, pass }
        | Domain::Cards { among, pass, .. }
        | Domain::Titles { among, pass } => {
            Reply::Word(member(among, pass, chance).map_or(0, |member| 1 << member))
        }
        Domain::YesNo => Reply::Word(chance.below(2)),
        Domain::Go => Reply::Word(1),
        Domain::Menu => branch(pause, chance),
        Domain::Numbers { low, high, pass } => match number(low, high, pass, chance) {
            Some(number) => Reply::Word(number as u64),
            None => Reply::Choice(Choice::Pass),
        },
        Domain::Words { .. } => Reply::Choice(Choice::Word(word(pause, chance))),
        Domain::Text { most, pass } => {
            Reply::Choice(text(pause.look(), (Choice::TO_WRITE, most, pass), chance))
        }
    }
}

/// A member of a set, or nothing where that may be answered and comes out.
#[inline(always)]
fn member(among: u64, pass: bool, chance: &mut impl Dice) -> Option<u32> {
    let count = how_many_in(among);
    if among == 0 || pass && chance.below(count + 1) == count {
        return None;
    }
    Some(chance.pick_bit(among))
}

fn number(low: i64, high: i64, pass: bool, chance: &mut impl Dice) -> Option<i64> {
    let count = high.wrapping_sub(low).wrapping_add(1).max(0) as u64;
    let ways = count.saturating_add(u64::from(pass));
    let drawn = chance.below(ways.max(1));
    (drawn < count).then(|| low.wrapping_add(drawn as i64))
}

/// An answer with one of the texts that the rules know, or nothing where that may be answered.
fn text(look: Look<'_>, (answer, most, pass): (Choice, u32, bool), chance: &mut impl Dice) -> Choice {
    let texts = ways::texts(look.rules(), most, answer);
    let drawn = chance.below((texts.len() + usize::from(pass)).max(1) as u64);
    texts.get(drawn as usize).copied().unwrap_or(Choice::Pass)
}

fn word(pause: &Pause<'_>, chance: &mut impl Dice) -> u16 {
    let weights = pause.weights();
    let total = weights.iter().map(|(_, weight)| u64::from(*weight)).sum::<u64>();
    let mut rest = chance.below(total.max(1));
    for (index, (_, weight)) in weights.iter().enumerate() {
        match rest.checked_sub(u64::from(*weight)) {
            Some(left) => rest = left,
            None => return index as u16,
        }
    }
    0
}

/// A branch of those that stand open, and what it picks.
#[inline(never)]
fn branch(pause: &Pause<'_>, chance: &mut impl Dice) -> Reply {
    let wanted = chance.below(pause.count_branches().max(1) as u64);
    let Some(OpenBranch { branch, among }) = pause.branch(wanted as usize) else {
        return Reply::Nothing;
    };
    match among.map(Domain::set) {
        None => Reply::Branch(branch, 0),
        Some(Some(set)) if set != 0 => Reply::Branch(branch, 1 << chance.pick_bit(set)),
        Some(_) => Reply::Choice(target(
            pause,
            among,
            |target| Choice::Branch { branch, target },
            chance,
        )),
    }
}

/// A branch or an offer with something that may be picked.
fn target(
    pause: &Pause<'_>,
    among: Option<Domain>,
    with: impl Fn(Target) -> Choice,
    chance: &mut impl Dice,
) -> Choice {
    match among {
        Some(Domain::Numbers { low, high, .. }) => {
            let number = number(low, high, false, chance).map(Choice::Number);
            with(number.map_or(Target::Nothing, Choice::target))
        }
        Some(Domain::Text { most, .. }) => text(pause.look(), (with(Target::Text(0)), most, false), chance),
        Some(domain) if domain.set().is_some_and(|set| set != 0) => {
            with(domain.target(chance.pick_bit(domain.set().unwrap_or(0))))
        }
        _ => with(Target::Nothing),
    }
}

/// The answer that does the least: nobody, no, the least number, to go on, the branch called `pass`
/// or else the last one that picks nothing. `None` where somebody must be named.
pub fn least(game: &Game, asked: &Asked) -> Option<Choice> {
    match asked.domain {
        domain if domain.pass() == Some(true) => Some(Choice::Pass),
        Domain::Numbers { low, .. } => Some(Choice::Number(low)),
        Domain::YesNo => Some(Choice::No),
        Domain::Go => Some(Choice::Go),
        Domain::Menu => least_branch(game, asked),
        Domain::Seats { .. }
        | Domain::Cards { .. }
        | Domain::Titles { .. }
        | Domain::Words { .. }
        | Domain::Text { .. } => None,
    }
}

fn least_branch(game: &Game, asked: &Asked) -> Option<Choice> {
    let branches = game.rules().ask(asked.site).kind.branches();
    let is_pass = |open: &OpenBranch| branches[usize::from(open.branch)].name == "pass";
    let idle = || game.branches().filter(|open| open.among.is_none());
    let branch = idle().find(is_pass).or_else(|| idle().last())?;
    Some(Choice::Branch {
        branch: branch.branch,
        target: Target::Nothing,
    })
}
