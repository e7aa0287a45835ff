//! Every way in which a pause may be answered, each with its chance: by the very code that answers in a
//! simulation, with dice that fall in every way one after the other.

use crate::{chance::Dice, policy::Policy, strategy::Strategy};
use omerta_engine::{Choice, Domain, Game, Open, seats_in};
use std::collections::BTreeMap;

/// How those answer whom nobody plays.
#[derive(Clone, Debug)]
pub struct Players {
    /// Whether offers are taken up.
    pub policy: Policy,
    /// The policies of the rules that they follow.
    pub strategy: Strategy,
}

/// A chance: so many of so many.
pub type Share = (u128, u128);

/// An answer with its chance.
pub type Way = (Choice, Share);

/// More answers than this to one question nobody looks at one by one.
const MOST_WAYS: usize = 100_000;

/// So many are looked up rather than looked through.
const MANY: usize = 64;

/// There are more answers to a question than may be looked at.
#[derive(Clone, Copy, Debug)]
pub struct TooMany;

/// Dice that fall in every way.
#[derive(Debug, Default)]
pub(crate) struct EveryWay {
    /// What came out, of how many; with what chance, where not each is alike.
    thrown: Vec<(u64, u64, Option<u64>)>,
    at: usize,
}

impl EveryWay {
    fn throw(&mut self, sides: u64, first: Option<u64>) -> u64 {
        if self.at == self.thrown.len() {
            self.thrown.push((0, sides.max(1), first));
        }
        self.at += 1;
        self.thrown[self.at - 1].0
    }

    /// The next way to fall; `false` where all have been.
    pub fn next(&mut self) -> bool {
        self.thrown.truncate(self.at);
        self.at = 0;
        while let Some((side, sides, _)) = self.thrown.last_mut() {
            *side += 1;
            if *side < *sides {
                return true;
            }
            self.thrown.pop();
        }
        false
    }

    /// The chance that they fell as they did.
    pub fn share(&self) -> Share {
        let thrown = self.thrown[..self.at].iter();
        thrown.fold((1, 1), |share, &(side, sides, first)| match first {
            None => times(share, (1, u128::from(sides))),
            Some(of_thousand) if side == 0 => times(share, (u128::from(of_thousand), 1000)),
            Some(of_thousand) => times(share, (1000 - u128::from(of_thousand), 1000)),
        })
    }
}

impl Dice for EveryWay {
    fn below(&mut self, n: u64) -> u64 {
        self.throw(n, None)
    }

    fn pick_bit(&mut self, mask: u64) -> u32 {
        let nth = self.throw(u64::from(mask.count_ones()), None);
        let left = (0..nth).fold(mask, |left, _| left & left.wrapping_sub(1));
        left.trailing_zeros()
    }

    fn comes(&mut self, per_thousand: u32) -> bool {
        match per_thousand {
            0 => false,
            1000.. => true,
            some => self.throw(2, Some(u64::from(some))) == 0,
        }
    }
}

/// One chance in case of another.
pub fn times((a, b): Share, (c, d): Share) -> Share {
    let (over, under) = (gcd(a, d), gcd(c, b));
    ((a / over) * (c / under), (b / under) * (d / over))
}

/// One chance or another.
pub fn plus((a, b): Share, (c, d): Share) -> Share {
    let common = b / gcd(b, d) * d;
    times((a * (common / b) + c * (common / d), 1), (1, common))
}

/// The greatest common divisor; 1 where there is none.
pub fn gcd(mut a: u128, mut b: u128) -> u128 {
    // Nearly all are small, and a division of long words takes ten times as long.
    if let (Ok(mut a), Ok(mut b)) = (u64::try_from(a), u64::try_from(b)) {
        while b != 0 {
            (a, b) = (b, a % b);
        }
        return a.max(1).into();
    }
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl Players {
    /// Every answer to what is pending, with its chance; none where the game is over.
    pub fn ways(&self, game: &Game, ways: &mut Vec<Way>) -> Result<(), TooMany> {
        ways.clear();
        let mut places = BTreeMap::new();
        match (game.open(), self.thoughtless(game)) {
            (Open::Nothing, _) => {}
            (Open::Chance(Domain::Words { .. }), _) => words(game, ways),
            (_, Some((among, pass, domain))) => {
                let share = (1, u128::from(among.count_ones()) + u128::from(pass));
                let all = seats_in(among);
                ways.extend(all.map(|one| (domain.target(one as u32).choice(), share)));
                ways.extend(pass.then_some((Choice::Pass, share)));
            }
            _ => self.every(game, |choice, share| {
                // The dice may fall in several ways for one answer.
                let known = match places.is_empty() {
                    true => ways.iter().position(|(known, _)| *known == choice),
                    false => places.get(&choice).copied(),
                };
                match known {
                    Some(place) => ways[place].1 = plus(ways[place].1, share()),
                    None => {
                        ways.push((choice, share()));
                        if ways.len() == MANY {
                            places.extend(ways.iter().enumerate().map(|(place, (known, _))| (*known, place)));
                        } else if ways.len() > MANY {
                            places.insert(choice, ways.len() - 1);
                        }
                    }
                }
                ways.len() <= MOST_WAYS
            }),
        }
        match ways.len() <= MOST_WAYS {
            true => Ok(()),
            false => Err(TooMany),
        }
    }

    /// The answer to what is pending, where there is just one.
    pub fn forced(&self, game: &Game) -> Option<Choice> {
        match (game.open(), self.thoughtless(game)) {
            (Open::Nothing, _) => None,
            (Open::Chance(Domain::Words { .. }), _) => {
                let mut ways = Vec::new();
                words(game, &mut ways);
                (ways.len() == 1).then(|| ways[0].0)
            }
            (_, Some((among, pass, domain))) => match (among.count_ones(), pass) {
                (1, false) => Some(domain.target(among.trailing_zeros()).choice()),
                (0, true) => Some(Choice::Pass),
                _ => None,
            },
            _ => {
                let mut first = None;
                let mut just_one = true;
                self.every(game, |choice, _| {
                    just_one = *first.get_or_insert(choice) == choice;
                    just_one
                });
                first.filter(|_| just_one)
            }
        }
    }

    /// Whom one may name, and whether nobody, where each answer is as likely as the other and nothing else may be done.
    fn thoughtless(&self, game: &Game) -> Option<(u64, bool, Domain)> {
        let domain = match game.open() {
            Open::Nothing => return None,
            Open::Chance(domain) => domain,
            Open::Ask(domain) => self.answers_at_once(game).then_some(domain)?,
        };
        match domain {
            Domain::Seats { among, pass } | Domain::Cards { among, pass, .. } => {
                (among != 0 || pass).then_some((among, pass, domain))
            }
            _ => None,
        }
    }

    fn answers_at_once(&self, game: &Game) -> bool {
        let takes = self.policy.offers_per_thousand + self.policy.calls_per_thousand > 0;
        !(takes && game.has_offers()) && self.strategy.is_silent()
    }

    /// Shows every answer to which the dice may fall, as often as they fall to it, until one is answered with `false`.
    fn every(&self, game: &Game, mut see: impl FnMut(Choice, &dyn Fn() -> Share) -> bool) {
        let mut dice = EveryWay::default();
        loop {
            let choice = self.policy.choose_by(&self.strategy, game, &mut dice);
            let on = choice.is_none_or(|choice| see(choice, &|| dice.share()));
            if !on || !dice.next() {
                return;
            }
        }
    }
}

fn words(game: &Game, ways: &mut Vec<Way>) {
    let weights = game.weights();
    let total = weights
        .iter()
        .map(|(_, weight)| u128::from(*weight))
        .sum::<u128>()
        .max(1);
    let drawn = weights.iter().enumerate().filter(|(_, (_, weight))| *weight > 0);
    ways.extend(drawn.map(|(word, (_, weight))| (Choice::Word(word as u16), (u128::from(*weight), total))));
}
