//! Answers that nobody gives: random ones for simulations and for what a scenario leaves open, and
//! the ones that do as little as they can.
//!
//! Knows what may be answered only from the engine, and allocates nothing but for standing offers.

use crate::{
    chance::{Chance, Dice},
    strategy::{Strategy, Taken},
    ways,
};
use omerta_core::rules::{AskId, AskKind, DrawId, Ruleset};
use omerta_engine::{
    Asked, Choice, Domain, Drawn, Game, Listener, Look, Open, OpenBranch, OpenOffer, Reflex, Round, Target,
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
        self.choose_by(&Strategy::NONE, game, chance)
    }

    /// The same, where a strategy answers before chance does.
    #[inline]
    pub fn choose_by(&self, strategy: &Strategy, game: &Game, chance: &mut impl Dice) -> Option<Choice> {
        let domain = match game.open() {
            Open::Ask(domain) => {
                if self.offers_per_thousand + self.calls_per_thousand > 0
                    && let Some(taken) = self.offer(strategy, game, chance)
                {
                    return Some(taken);
                }
                if let Some(wished) = strategy.answer(game, chance) {
                    return Some(wished);
                }
                domain
            }
            Open::Chance(domain) => domain,
            Open::Nothing => return None,
        };
        Some(one_of(game, domain, chance))
    }

    /// The answers of players who need not think: where no offer may be taken up before an answer, and no
    /// strategy has a say. They are the ones that [`Policy::choose_by`] would give. After so many, players
    /// fall silent.
    pub fn reflexes<'a>(
        &self,
        strategy: &'a Strategy,
        rules: &Ruleset,
        chance: &'a mut Chance,
        most: u64,
    ) -> Reflexes<'a> {
        let waits_for_offers =
            self.offers_per_thousand + self.calls_per_thousand > 0 && !rules.offers.is_empty();
        Reflexes {
            strategy,
            chance,
            at_once: !waits_for_offers,
            left: most,
        }
    }

    /// Plays a game on to its end, or until so many answers were given. Says how many were given, what
    /// chance gave not counted.
    pub fn play(&self, game: &mut Game, chance: &mut Chance, listener: &mut dyn Listener, most: u64) -> u64 {
        static NOTHING: Strategy = Strategy::NONE;
        let mut left = most;
        while left > 0 {
            let mut reflexes = self.reflexes(&NOTHING, game.rules(), chance, left);
            game.react(&mut reflexes, listener);
            left = reflexes.left();
            let asked = matches!(game.open(), Open::Ask(_));
            let choice = if left > 0 { self.choose(game, chance) } else { None };
            match choice.map(|choice| game.apply(choice, listener)) {
                Some(Ok(())) => left -= u64::from(asked),
                Some(Err(_)) | None => break,
            }
        }
        most - left
    }

    fn offer(&self, strategy: &Strategy, game: &Game, chance: &mut impl Dice) -> Option<Choice> {
        if !game.has_offers() {
            return None;
        }
        let player = chance.comes(self.offers_per_thousand);
        let host = chance.comes(self.calls_per_thousand);
        if !player && !host {
            return None;
        }
        let mut offers = game.offers();
        offers.retain(|offer| if offer.by.is_none() { host } else { player });
        if offers.is_empty() {
            return None;
        }
        let open = &offers[chance.below(offers.len() as u64) as usize];
        let &OpenOffer { offer, by, among } = open;
        let taken = |target| Choice::Offer { offer, by, target };
        match strategy.taken(game, open, chance) {
            Taken::Free => Some(target(game, among, taken, chance)),
            Taken::With(target) => Some(taken(target)),
            Taken::Not => None,
        }
    }
}

/// What random players answer without a pause.
#[derive(Debug)]
pub struct Reflexes<'a> {
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
}

impl Reflex for Reflexes<'_> {
    #[inline(always)]
    fn answer(&mut self, site: AskId, among: u64, _: Look<'_>) -> Option<u32> {
        if self.left == 0 || !self.at_once || self.strategy.speaks_of(site) {
            return None;
        }
        self.left -= 1;
        Some(self.chance.pick_bit(among))
    }

    #[inline]
    fn answer_round(&mut self, round: Round, _: Look<'_>, answers: &mut [u8]) -> usize {
        if !self.at_once || self.strategy.speaks_of(round.site) {
            return 0;
        }
        let room = self.left.min(answers.len() as u64);
        let answers = &mut answers[..room as usize];
        let count = self
            .chance
            .pick_round(round.asked, round.among, round.others, answers);
        self.left -= count as u64;
        count
    }

    #[inline(always)]
    fn outcome(&mut self, _: DrawId, among: u64, _: Look<'_>) -> Option<u32> {
        (self.left > 0).then(|| self.chance.pick_bit(among))
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

/// A random legal answer, each as likely as any other; of a menu first the branch, then its pick.
pub fn answer(game: &Game, asked: &Asked, chance: &mut impl Dice) -> Choice {
    one_of(game, asked.domain, chance)
}

/// A random outcome, each as likely as its weight says.
pub fn outcome(game: &Game, drawn: &Drawn, chance: &mut impl Dice) -> Choice {
    one_of(game, drawn.domain, chance)
}

#[inline]
fn one_of(game: &Game, domain: Domain, chance: &mut impl Dice) -> Choice {
    match domain {
        // What most games ask most of the time stands first and is small enough to be inlined.
        Domain::Seats { among, pass: false } if among != 0 => Choice::Seat(chance.pick_bit(among) as u8),
        Domain::Cards {
            among, pass: false, ..
        } if among != 0 => Choice::Card(chance.pick_bit(among) as u8),
        Domain::Menu => branch(game, chance),
        Domain::Words { .. } => Choice::Word(word(game, chance)),
        Domain::Text { pass, .. } => text(game, (Choice::TO_WRITE, pass), chance),
        domain => plain(domain, chance),
    }
}

#[inline(never)]
fn plain(domain: Domain, chance: &mut impl Dice) -> Choice {
    match domain {
        Domain::Numbers { low, high, pass } => number(low, high, pass, chance),
        Domain::YesNo if chance.below(2) == 1 => Choice::Yes,
        Domain::YesNo => Choice::No,
        Domain::Go | Domain::Menu | Domain::Words { .. } | Domain::Text { .. } => Choice::Go,
        Domain::Seats { among, pass }
        | Domain::Cards { among, pass, .. }
        | Domain::Titles { among, pass } => {
            let member = member(among, pass, chance);
            member.map_or(Choice::Pass, |member| domain.target(member).choice())
        }
    }
}

/// A member of a set, or nothing where that may be answered and comes out.
fn member(among: u64, pass: bool, chance: &mut impl Dice) -> Option<u32> {
    let count = u64::from(among.count_ones());
    if among == 0 || pass && chance.below(count + 1) == count {
        return None;
    }
    Some(chance.pick_bit(among))
}

fn number(low: i64, high: i64, pass: bool, chance: &mut impl Dice) -> Choice {
    let count = high.wrapping_sub(low).wrapping_add(1).max(0) as u64;
    let ways = count.saturating_add(u64::from(pass));
    match chance.below(ways.max(1)) {
        drawn if drawn < count => Choice::Number(low.wrapping_add(drawn as i64)),
        _ => Choice::Pass,
    }
}

/// An answer with one of the texts that the rules know, or nothing where that may be answered.
fn text(game: &Game, (answer, pass): (Choice, bool), chance: &mut impl Dice) -> Choice {
    let texts = ways::texts(game, answer);
    let drawn = chance.below((texts.len() + usize::from(pass)).max(1) as u64);
    texts.get(drawn as usize).copied().unwrap_or(Choice::Pass)
}

fn word(game: &Game, chance: &mut impl Dice) -> u16 {
    let weights = game.weights();
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

fn branch(game: &Game, chance: &mut impl Dice) -> Choice {
    let count = game.branches().filter(can_be_taken).count() as u64;
    let index = chance.below(count.max(1)) as usize;
    match game.branches().filter(can_be_taken).nth(index) {
        Some(OpenBranch { branch, among }) => {
            target(game, among, |target| Choice::Branch { branch, target }, chance)
        }
        None => Choice::Pass,
    }
}

fn can_be_taken(branch: &OpenBranch) -> bool {
    branch.among.is_none_or(|domain| domain.set() != Some(0))
}

/// A branch or an offer with something that may be picked.
fn target(
    game: &Game,
    among: Option<Domain>,
    with: impl Fn(Target) -> Choice,
    chance: &mut impl Dice,
) -> Choice {
    match among {
        Some(Domain::Numbers { low, high, .. }) => with(number(low, high, false, chance).target()),
        Some(Domain::Text { .. }) => text(game, (with(Target::Text(0)), false), chance),
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
    let AskKind::Menu(branches) = &game.rules().ask(asked.site).kind else {
        return None;
    };
    let is_pass = |open: &OpenBranch| branches[usize::from(open.branch)].name == "pass";
    let idle = || game.branches().filter(|open| open.among.is_none());
    let branch = idle().find(is_pass).or_else(|| idle().last())?;
    Some(Choice::Branch {
        branch: branch.branch,
        target: Target::Nothing,
    })
}
