//! How often a game comes through each position, on average: from the start onward, part by part. From that
//! follows everything else, by adding up.
//!
//! Within a part all is told in terms of its hubs, the positions at which circles close; those are solved by
//! taking one after the other out, which needs no subtraction.

use crate::{
    chain::{Chain, Step, To},
    number::Field,
    parts::{Part, Parts},
};

/// What a chain comes to.
#[derive(Clone, Debug)]
pub struct Masses<N> {
    /// How often each end is come to.
    pub ends: Vec<N>,
    /// How often each toll is counted.
    pub tolls: Vec<N>,
    /// How often a position is come to at which nobody looked further.
    pub open: N,
    /// How often positions are come to from which no game ends.
    pub endless: N,
}

/// A chain with its parts, ready to be solved in numbers of any sort.
pub struct Solver<'a> {
    chain: &'a Chain,
    parts: &'a Parts,
}

impl<'a> Solver<'a> {
    /// Of a chain.
    pub fn new(chain: &'a Chain, parts: &'a Parts) -> Solver<'a> {
        Solver { chain, parts }
    }

    /// Solves it; nothing where a number that has to be divided by is none in this field, or where it shall not go on.
    pub fn solve<F: Field>(&self, field: &F, go_on: &dyn Fn() -> bool) -> Option<Masses<F::Number>> {
        let mut run = Run {
            chain: self.chain,
            field,
            go_on,
            mass: vec![field.zero(); self.chain.walked],
            share: self.shares(field)?,
            place: vec![u32::MAX; self.chain.walked],
            out: Masses {
                ends: vec![field.zero(); self.chain.ends.len()],
                tolls: vec![field.zero(); self.chain.tolls.len()],
                open: field.zero(),
                endless: field.zero(),
            },
        };
        let start = self.chain.start?;
        run.give(start, field.whole(1));
        for (number, part) in self.parts.in_order().enumerate() {
            if number.is_multiple_of(SOON) && !go_on() {
                return None;
            }
            run.part(part)?;
        }
        Some(run.out)
    }

    /// What one case is, by sort of position.
    fn shares<F: Field>(&self, field: &F) -> Option<Vec<F::Number>> {
        let share = |cases: &u64| field.over(field.whole(1), field.whole(*cases));
        self.chain.sorts.iter().map(share).collect()
    }
}

/// After so many parts, or so many steps within one, it is asked whether to go on.
const SOON: usize = 1 << 10;

struct Run<'a, F: Field> {
    chain: &'a Chain,
    field: &'a F,
    go_on: &'a dyn Fn() -> bool,
    /// What comes to each position from those that are done.
    mass: Vec<F::Number>,
    share: Vec<F::Number>,
    /// The place of each position in the part that is being solved.
    place: Vec<u32>,
    out: Masses<F::Number>,
}

impl<F: Field> Run<'_, F> {
    fn give(&mut self, step: Step, amount: F::Number) {
        let to = match step.to {
            To::Position(to) if self.chain.is_open(to as usize) => &mut self.out.open,
            To::Position(to) => &mut self.mass[to as usize],
            To::End(end) => &mut self.out.ends[end as usize],
        };
        *to = self.field.plus(*to, amount);
        let toll = &mut self.out.tolls[step.toll as usize];
        *toll = self.field.plus(*toll, amount);
    }

    /// The place of a position in the part that is being solved.
    fn place_of(&self, position: u32) -> Option<usize> {
        let place = self.place.get(position as usize).copied();
        place
            .filter(|place| *place != u32::MAX)
            .map(|place| place as usize)
    }

    /// Of a step from a position of a sort.
    fn chance(&self, sort: u32, step: Step) -> F::Number {
        let share = self.share[sort as usize];
        match step.cases {
            1 => share,
            cases => self.field.times(share, self.field.whole(cases)),
        }
    }

    fn part(&mut self, part: Part<'_>) -> Option<()> {
        let first = part.positions[0] as usize;
        if part.hubs.is_empty() {
            self.pass_on(first, self.mass[first]);
            return Some(());
        }
        for (place, position) in part.positions.iter().enumerate() {
            self.place[*position as usize] = place as u32;
        }
        if self.is_closed(part) {
            for position in part.positions {
                self.out.endless = self.field.plus(self.out.endless, self.mass[*position as usize]);
            }
        } else {
            self.circles(part)?;
        }
        part.positions
            .iter()
            .for_each(|position| self.place[*position as usize] = u32::MAX);
        Some(())
    }

    fn is_closed(&self, part: Part<'_>) -> bool {
        let stays = |step: Step| matches!(step.to, To::Position(to) if self.place_of(to).is_some());
        let all = |position: &u32| self.chain.of(*position as usize).all(stays);
        part.positions.iter().all(all)
    }

    /// All that comes to a position goes on from it.
    fn pass_on(&mut self, position: usize, mass: F::Number) {
        let row = self.chain.of(position);
        for step in row {
            let amount = self.field.times(mass, self.chance(row.sort, step));
            self.give(step, amount);
        }
    }

    fn circles(&mut self, part: Part<'_>) -> Option<()> {
        let field = self.field;
        let count = part.hubs.len();
        let mut hub_of = vec![usize::MAX; part.positions.len()];
        part.hubs
            .iter()
            .enumerate()
            .for_each(|(hub, place)| hub_of[*place] = hub);
        let mut visits: Vec<F::Number> = vec![field.zero(); part.positions.len()];
        // What comes from outside to each hub, on whatever way through the others.
        for (place, position) in part.positions.iter().enumerate() {
            visits[place] = self.mass[*position as usize];
        }
        let mut inflow: Vec<F::Number> = part.hubs.iter().map(|place| visits[*place]).collect();
        part.hubs.iter().for_each(|place| visits[*place] = field.zero());
        self.flow(part, (&hub_of, 0), &mut visits, &mut inflow);
        // What comes from each hub to the others, and what leaves the part.
        let mut table = Vec::with_capacity(count);
        let mut gone = 0;
        for &place in part.hubs {
            gone += part.positions.len();
            if gone > SOON {
                gone = 0;
                (self.go_on)().then_some(())?;
            }
            let mut row = vec![field.zero(); count];
            visits.fill(field.zero());
            visits[place] = field.whole(1);
            let leaves = self.flow(part, (&hub_of, place), &mut visits, &mut row);
            table.push((row, leaves));
        }
        let at_hubs = through_hubs(field, table, inflow, self.go_on)?;
        // With those known, all others follow.
        for (place, position) in part.positions.iter().enumerate() {
            visits[place] = match hub_of[place] {
                usize::MAX => self.mass[*position as usize],
                hub => at_hubs[hub],
            };
        }
        let mut ignored = vec![field.zero(); count];
        self.flow(part, (&hub_of, 0), &mut visits, &mut ignored);
        for (place, position) in part.positions.iter().enumerate() {
            self.leave(*position as usize, visits[place]);
        }
        Some(())
    }

    /// Lets what is at the positions of a part flow on through it, to its hubs and out. Says how much leaves.
    fn flow(
        &self,
        part: Part<'_>,
        (hub_of, from): (&[usize], usize),
        visits: &mut [F::Number],
        hubs: &mut [F::Number],
    ) -> F::Number {
        let field = self.field;
        let mut leaves = field.zero();
        for place in from..part.positions.len() {
            let (position, mass) = (part.positions[place] as usize, visits[place]);
            let row = self.chain.of(position);
            for step in row {
                let amount = field.times(mass, self.chance(row.sort, step));
                let sum = match step.to {
                    To::Position(to) => match self.place_of(to) {
                        None => &mut leaves,
                        Some(to) => match hub_of[to] {
                            usize::MAX => &mut visits[to],
                            hub => &mut hubs[hub],
                        },
                    },
                    To::End(_) => &mut leaves,
                };
                *sum = field.plus(*sum, amount);
            }
        }
        leaves
    }

    /// What goes from a position of the part to outside of it, and all that is counted on its steps.
    fn leave(&mut self, position: usize, mass: F::Number) {
        let row = self.chain.of(position);
        for step in row {
            let amount = self.field.times(mass, self.chance(row.sort, step));
            let within = matches!(step.to, To::Position(to) if self.place_of(to).is_some());
            match within {
                true => {
                    let toll = &mut self.out.tolls[step.toll as usize];
                    *toll = self.field.plus(*toll, amount);
                }
                false => self.give(step, amount),
            }
        }
    }
}

/// How often one comes through each hub, by what comes in and how one comes from one to another: the last is
/// taken out first, and what went through it goes straight on.
fn through_hubs<F: Field>(
    field: &F,
    mut table: Vec<(Vec<F::Number>, F::Number)>,
    mut inflow: Vec<F::Number>,
    go_on: &dyn Fn() -> bool,
) -> Option<Vec<F::Number>> {
    let count = table.len();
    let mut onward = vec![field.zero(); count];
    let mut done = 0;
    for last in (0..count).rev() {
        done += last * last;
        if done > SOON * SOON / 8 {
            done = 0;
            go_on().then_some(())?;
        }
        let (row, leaves) = (table[last].0.clone(), table[last].1);
        // What does not come straight back.
        onward[last] = row[..last].iter().fold(leaves, |sum, to| field.plus(sum, *to));
        let part = field.over(field.whole(1), onward[last])?;
        for (from_row, from_leaves) in &mut table[..last] {
            let through = field.times(from_row[last], part);
            for (to, more) in from_row[..last].iter_mut().zip(&row[..last]) {
                *to = field.plus(*to, field.times(through, *more));
            }
            *from_leaves = field.plus(*from_leaves, field.times(through, leaves));
        }
        let through = field.times(inflow[last], part);
        for to in 0..last {
            inflow[to] = field.plus(inflow[to], field.times(through, row[to]));
        }
    }
    let mut visits = vec![field.zero(); count];
    for hub in 0..count {
        let back = (0..hub).fold(inflow[hub], |sum, from| {
            field.plus(sum, field.times(visits[from], table[from].0[hub]))
        });
        visits[hub] = field.over(back, onward[hub])?;
    }
    Some(visits)
}
