//! What is asked of a chain: the chances of endings, teams, roles and seats, and how long a game takes, each as
//! a sum over ends and tolls; and the values they have.

use crate::{
    chain::Chain,
    fraction::{Builder, Fraction},
    number::{Between, Field, Intervals, Modulo, primes},
    parts::parts,
    solve::{Masses, Solver},
};
use omerta_core::rules::Ruleset;
use std::{cell::Cell, thread};

/// A value: as a fraction where it is one that could be put together, and always the floats between which it
/// surely lies.
#[derive(Clone, Debug)]
pub struct Value {
    /// The fraction.
    pub fraction: Option<Fraction>,
    /// Between what it lies.
    pub between: Between,
}

/// How often something is there, wins and loses.
#[derive(Clone, Debug)]
pub struct Record {
    /// How often it is there.
    pub held: Value,
    /// How often it wins.
    pub won: Value,
    /// How often it loses by a word of the rules.
    pub lost: Value,
    /// Its share of wins: of games for teams and seats, of those who hold it for roles.
    pub share: Value,
}

/// Everything that a chain says.
#[derive(Clone, Debug)]
pub struct Answers {
    /// By ending; the last is for games that end without one.
    pub endings: Vec<Value>,
    /// By team.
    pub teams: Vec<Record>,
    /// By role; nothing for roles that nobody holds.
    pub roles: Vec<Option<Record>>,
    /// By seat. Where players may be renamed all are alike.
    pub seats: Vec<Record>,
    /// That nobody wins.
    pub nobody: Value,
    /// That the rules break.
    pub broken: Value,
    /// That a game never ends.
    pub endless: Value,
    /// What was not looked at.
    pub open: Value,
    /// How many answers a game takes on average; nothing where it may never end.
    pub answers: Option<Value>,
    /// How often each of the outermost scenes begins on average.
    pub scenes: Vec<Option<Value>>,
    /// Whether all are fractions.
    pub exact: bool,
}

/// A number of a chain: a sum over its ends and tolls.
#[derive(Clone, Debug, Default)]
struct Sum {
    ends: Vec<(usize, u64)>,
    tolls: Vec<(usize, u64)>,
    open: bool,
    endless: bool,
    /// For what is no chance: how much it can be at most in what is open; nothing for what has no bound.
    most: Option<u64>,
}

/// How much is put into fractions.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// With no more than so many primes; none asks for intervals alone.
    pub primes: usize,
    /// How many threads.
    pub threads: usize,
}

/// With so many positions whoever waits no longer is told bounds all the same.
const AT_ONCE: usize = 1 << 17;
/// So often it is asked meanwhile whether to go on, and no more: circles may be long.
const PATIENCE: usize = 1 << 11;

/// Whether to go on.
pub type GoesOn<'a> = &'a (dyn Fn() -> bool + Sync);

/// What a chain says, of rules with so many seats. Whether to go on is asked of one while bounds are reckoned, and of the
/// other while fractions are put together. Where bounds are not waited for, those are told that follow from the first
/// positions, which are all that is left of the chain then.
pub fn answers(
    chain: &mut Chain,
    rules: &Ruleset,
    seats: usize,
    effort: Effort,
    (for_bounds, for_fractions): (GoesOn<'_>, GoesOn<'_>),
) -> Answers {
    let shape = Shape::of(chain, rules, seats);
    let reckoned = |chain: &Chain, go_on: &dyn Fn() -> bool| {
        let parts = parts(chain, go_on)?;
        let masses = Solver::new(chain, &parts).solve(&Intervals, go_on)?;
        let between = shape.sums.iter().map(|sum| bounded(sum, &masses));
        Some((between.collect::<Vec<Between>>(), Some(parts)))
    };
    let (between, parts) = reckoned(chain, for_bounds)
        .or_else(|| {
            chain.walked = chain.walked.min(AT_ONCE);
            let asked = Cell::new(0);
            reckoned(chain, &|| asked.replace(asked.get() + 1) < PATIENCE)
        })
        .unwrap_or_else(|| {
            let anything = shape.sums.iter().map(|sum| Between::anything(sum.most));
            (anything.collect(), None)
        });
    let whole = chain.walked == chain.positions() && effort.primes > 0;
    let fractions = parts
        .filter(|_| whole)
        .and_then(|parts| fractions(&Solver::new(chain, &parts), &shape.sums, effort, for_fractions));
    shape.read(&between, fractions.as_deref())
}

fn fractions(solver: &Solver<'_>, sums: &[Sum], effort: Effort, go_on: GoesOn<'_>) -> Option<Vec<Fraction>> {
    let mut builder = Builder::new(sums.len());
    let mut primes = primes().take(effort.primes);
    loop {
        let some: Vec<Modulo> = primes
            .by_ref()
            .take(effort.threads.max(1))
            .map(Modulo::new)
            .collect();
        if some.is_empty() || !go_on() {
            return None;
        }
        let solve = |field: Modulo| {
            let masses = solver.solve(&field, &|| go_on())?;
            let plain = |sum| field.plain(value(&field, sum, &masses));
            Some(sums.iter().map(plain).collect::<Vec<u64>>())
        };
        let solved: Vec<Option<Vec<u64>>> = match some[..] {
            [only] => vec![solve(only)],
            _ => thread::scope(|scope| {
                let solve = &solve;
                let workers: Vec<_> = some
                    .iter()
                    .map(|&field| scope.spawn(move || solve(field)))
                    .collect();
                let join = |worker: thread::ScopedJoinHandle<'_, _>| {
                    worker.join().expect("a thread that reckons does not panic")
                };
                workers.into_iter().map(join).collect()
            }),
        };
        // A prime by which nothing can be divided is left out.
        let told = some
            .iter()
            .zip(solved)
            .filter_map(|(field, rests)| Some((field, rests?)));
        for (field, rests) in told {
            if builder.add(field, &rests, go_on)? {
                return builder.finish();
            }
        }
    }
}

fn value<F: Field>(field: &F, sum: &Sum, masses: &Masses<F::Number>) -> F::Number {
    let of = |(mass, times): (F::Number, u64)| match times {
        1 => mass,
        times => field.times(mass, field.whole(times)),
    };
    let ends = sum.ends.iter().map(|(end, times)| (masses.ends[*end], *times));
    let tolls = sum
        .tolls
        .iter()
        .map(|(toll, times)| (masses.tolls[*toll], *times));
    let open = sum.open.then_some((masses.open, 1));
    let endless = sum.endless.then_some((masses.endless, 1));
    let all = ends.chain(tolls).chain(open).chain(endless);
    all.fold(field.zero(), |total, one| field.plus(total, of(one)))
}

/// What a sum is at least, and at most where all that is open belongs to it.
fn bounded(sum: &Sum, masses: &Masses<Between>) -> Between {
    let known = value(&Intervals, sum, masses);
    let all = Between::anything(sum.most);
    if masses.open.is_nothing() || sum.open {
        return known.at_most(all);
    }
    let more = match sum.most {
        Some(most) => Intervals.times(masses.open, Intervals.whole(most)),
        None => all,
    };
    known.up_to(Intervals.plus(known, more)).at_most(all)
}

/// All sums, in one row.
struct Shape {
    sums: Vec<Sum>,
    endings: usize,
    teams: usize,
    roles: Vec<bool>,
    seats: usize,
    /// Whether seats are told apart; else what is known is how many of them won.
    apart: bool,
    scenes: usize,
}

impl Shape {
    fn of(chain: &Chain, rules: &Ruleset, seats: usize) -> Shape {
        let (teams, team_of) = teams(rules);
        let mut sums = Vec::new();
        let endings = rules.endings.len();
        for ending in (0..endings).map(Some).chain([None]) {
            sums.push(chance(chain, |end| {
                u64::from(!end.broken && end.ending.map(usize::from) == ending)
            }));
        }
        for team in 0..teams {
            let of = |end: &crate::chain::End| end.team(&team_of, team);
            sums.push(chance(chain, |end| u64::from(of(end).0)));
            sums.push(chance(chain, |end| u64::from(of(end).1)));
            sums.push(chance(chain, |end| u64::from(of(end).2)));
        }
        let role = |end: &crate::chain::End, role: usize| end.roles.get(role).copied().unwrap_or_default();
        for number in 0..rules.roles.len() {
            for part in 0..3 {
                let sum = chance(chain, |end| {
                    let (held, won, lost) = role(end, number);
                    u64::from([held, won, lost][part])
                });
                sums.push(Sum {
                    most: Some(seats as u64),
                    ..sum
                });
            }
        }
        let apart = chain.ends.iter().any(|end| end.seats.is_some());
        for seat in 0..seats {
            let bit = |set: u64| set >> seat & 1;
            sums.push(match apart {
                true => chance(chain, |end| bit(end.seats.unwrap_or_default().0)),
                false => chance(chain, |end| u64::from(end.winners)),
            });
            sums.push(match apart {
                true => chance(chain, |end| bit(end.seats.unwrap_or_default().1)),
                false => chance(chain, |end| end.roles.iter().map(|role| u64::from(role.2)).sum()),
            });
            if !apart {
                sums.iter_mut()
                    .rev()
                    .take(2)
                    .for_each(|sum| sum.most = Some(seats as u64));
            }
        }
        sums.push(chance(chain, |end| u64::from(end.winners == 0 && !end.broken)));
        sums.push(chance(chain, |end| u64::from(end.broken)));
        sums.push(Sum {
            endless: true,
            ..chance(chain, |_| 0)
        });
        sums.push(Sum {
            open: true,
            ..chance(chain, |_| 0)
        });
        sums.push(count(chain, |toll| toll.answers));
        let scenes = chain.tolls.first().map_or(0, |toll| toll.begun.len());
        for scene in 0..scenes {
            sums.push(count(chain, |toll| toll.begun.get(scene).copied().unwrap_or(0)));
        }
        let held = |number: usize| chain.ends.iter().any(|end| role(end, number).0 > 0);
        Shape {
            sums,
            endings: endings + 1,
            teams,
            roles: (0..rules.roles.len()).map(held).collect(),
            seats,
            apart,
            scenes,
        }
    }

    fn read(&self, between: &[Between], fractions: Option<&[Fraction]>) -> Answers {
        let mut at = 0;
        let mut next = || {
            at += 1;
            Value {
                fraction: fractions.map(|all| all[at - 1].clone()),
                between: between[at - 1],
            }
        };
        let endings = (0..self.endings).map(|_| next()).collect();
        let record = |by: fn(&Value, &Value) -> Value, next: &mut dyn FnMut() -> Value| {
            let (held, won, lost) = (next(), next(), next());
            let share = by(&won, &held);
            Record {
                held,
                won,
                lost,
                share,
            }
        };
        let teams = (0..self.teams)
            .map(|_| record(|won, _| won.clone(), &mut next))
            .collect();
        let roles: Vec<Record> = self.roles.iter().map(|_| record(quotient, &mut next)).collect();
        let roles = roles
            .into_iter()
            .zip(&self.roles)
            .map(|(role, held)| held.then_some(role))
            .collect();
        let one = Value::whole(1);
        let all = match self.apart {
            true => one.clone(),
            false => Value::whole(self.seats as u64),
        };
        let mut seats: Vec<Record> = Vec::new();
        for _ in 0..self.seats {
            let (won, lost) = (next(), next());
            // Long fractions take long to shorten, and seats that are not told apart have the same.
            let known = seats.first().filter(|_| !self.apart).cloned();
            seats.push(known.unwrap_or_else(|| {
                let won = quotient(&won, &all);
                Record {
                    held: one.clone(),
                    share: won.clone(),
                    won,
                    lost: quotient(&lost, &all),
                }
            }));
        }
        let [nobody, broken, endless, open, answers] = std::array::from_fn(|_| next());
        let ends = endless.between.is_nothing();
        Answers {
            endings,
            teams,
            roles,
            seats,
            nobody,
            broken,
            open,
            answers: ends.then_some(answers),
            scenes: (0..self.scenes).map(|_| Some(next()).filter(|_| ends)).collect(),
            endless,
            exact: fractions.is_some(),
        }
    }
}

impl Value {
    /// A whole number.
    pub fn whole(number: u64) -> Value {
        let near = Intervals.whole(number);
        Value {
            fraction: Some(Fraction::whole(number)),
            between: near,
        }
    }
}

/// One value by another; what is open may belong to both.
fn quotient(won: &Value, held: &Value) -> Value {
    let fraction = match (&won.fraction, &held.fraction) {
        (Some(won), Some(held)) => won.divided(held),
        _ => None,
    };
    let between = Intervals.over(won.between, held.between);
    let all = Between::anything(Some(1));
    Value {
        fraction,
        between: between.map_or(all, |between| between.at_most(all)),
    }
}

/// The teams of some rules, and by role which it is of: in the order of a simulation.
pub fn teams(rules: &Ruleset) -> (usize, Vec<Option<usize>>) {
    let mut teams: Vec<_> = rules.roles.iter().filter_map(|role| role.team).collect();
    teams.sort_by_key(|team| team.index());
    teams.dedup();
    let place = |team| teams.iter().position(|other| *other == team);
    let team_of = rules.roles.iter().map(|role| role.team.and_then(place)).collect();
    (teams.len(), team_of)
}

fn chance(chain: &Chain, of: impl Fn(&crate::chain::End) -> u64) -> Sum {
    let ends = chain
        .ends
        .iter()
        .enumerate()
        .map(|(number, end)| (number, of(end)));
    Sum {
        ends: ends.filter(|(_, times)| *times > 0).collect(),
        most: Some(1),
        ..Sum::default()
    }
}

fn count(chain: &Chain, of: impl Fn(&crate::chain::Toll) -> u32) -> Sum {
    let tolls = chain
        .tolls
        .iter()
        .enumerate()
        .map(|(number, toll)| (number, u64::from(of(toll))));
    Sum {
        tolls: tolls.filter(|(_, times)| *times > 0).collect(),
        ..Sum::default()
    }
}
