//! The parts of a chain within which one comes from everywhere to everywhere, in the order in which a game
//! goes through them; and for each the places at which its circles close.

use crate::chain::{Chain, Row, Step, To};
use std::collections::BTreeMap;

/// A part: its positions in an order in which only steps to hubs lead back.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a> {
    /// The positions.
    pub positions: &'a [u32],
    /// Those to which steps lead back, by their places among the positions.
    pub hubs: &'a [usize],
}

/// All parts. Most are of one position: they lie in one list, the last ones first.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    positions: Vec<u32>,
    ends: Vec<u32>,
    hubs: BTreeMap<u32, Vec<usize>>,
}

impl Parts {
    /// The parts, the first ones first.
    pub fn in_order(&self) -> impl Iterator<Item = Part<'_>> {
        (0..self.ends.len()).rev().map(|part| Part {
            positions: &self.positions[self.range(part)],
            hubs: self.hubs.get(&(part as u32)).map_or(&[], Vec::as_slice),
        })
    }

    fn range(&self, part: usize) -> std::ops::Range<usize> {
        let from = part.checked_sub(1).map_or(0, |before| self.ends[before]);
        from as usize..self.ends[part] as usize
    }
}

/// After so many positions it is asked whether to go on.
const SOON: usize = 1 << 12;

/// The parts of what was looked at of a chain; nothing where it shall not go on.
pub fn parts(chain: &Chain, go_on: &dyn Fn() -> bool) -> Option<Parts> {
    let mut parts = strong(chain, go_on)?;
    let mut number = vec![0_u32; chain.walked];
    for part in 0..parts.ends.len() {
        for position in &parts.positions[parts.range(part)] {
            number[*position as usize] = part as u32;
        }
    }
    let mut place = vec![u32::MAX; chain.walked];
    for part in 0..parts.ends.len() {
        if part.is_multiple_of(SOON) {
            go_on().then_some(())?;
        }
        let range = parts.range(part);
        let hubs = match parts.positions[range.clone()] {
            [only] => {
                let back = |step: Step| step.to == To::Position(only);
                Vec::from_iter(chain.of(only as usize).any(back).then_some(0))
            }
            ref positions => {
                let within = |other: u32| number.get(other as usize) == Some(&(part as u32));
                let (order, hubs) = arranged(chain, positions, &mut place, &within);
                parts.positions[range].copy_from_slice(&order);
                hubs
            }
        };
        if !hubs.is_empty() {
            parts.hubs.insert(part as u32, hubs);
        }
    }
    Some(parts)
}

/// By Tarjan, without recursion: each part is complete when its first position is left; the last ones come
/// first.
fn strong(chain: &Chain, go_on: &dyn Fn() -> bool) -> Option<Parts> {
    const NEW: u32 = u32::MAX;
    let count = chain.walked;
    let (mut index, mut low) = (vec![NEW; count], vec![0_u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut path, mut found) = (Vec::new(), Vec::<(u32, Row<'_>)>::new(), Parts::default());
    let mut next = 0;
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        path.push((root, chain.of(root as usize)));
        while let Some((position, row)) = path.last_mut() {
            let at = *position as usize;
            if index[at] == NEW {
                (index[at], low[at]) = (next, next);
                next += 1;
                if (next as usize).is_multiple_of(SOON) {
                    go_on().then_some(())?;
                }
                stack.push(*position);
                on_stack[at] = true;
            }
            if let Some(taken) = row.next() {
                let To::Position(to) = taken.to else { continue };
                if chain.is_open(to as usize) {
                    continue;
                }
                if index[to as usize] == NEW {
                    path.push((to, chain.of(to as usize)));
                } else if on_stack[to as usize] {
                    low[at] = low[at].min(index[to as usize]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above as usize] = low[*above as usize].min(low[at]);
            }
            if low[at] == index[at] {
                let from = stack.iter().rposition(|other| *other as usize == at).unwrap_or(0);
                let part = stack.drain(from..);
                found
                    .positions
                    .extend(part.inspect(|position| on_stack[*position as usize] = false));
                found.ends.push(found.positions.len() as u32);
            }
        }
    }
    Some(found)
}

/// The positions of a part in the order of a search that goes into depth, the last left first, and its hubs.
fn arranged(
    chain: &Chain,
    positions: &[u32],
    place: &mut [u32],
    within: &dyn Fn(u32) -> bool,
) -> (Vec<u32>, Vec<usize>) {
    let root = positions.iter().copied().min().unwrap_or(0);
    let mut order = Vec::with_capacity(positions.len());
    let mut path = vec![(root, chain.of(root as usize))];
    place[root as usize] = 0;
    while let Some((position, row)) = path.last_mut() {
        match row.next() {
            Some(taken) => {
                if let To::Position(to) = taken.to
                    && within(to)
                    && place[to as usize] == u32::MAX
                {
                    place[to as usize] = 0;
                    path.push((to, chain.of(to as usize)));
                }
            }
            None => {
                order.push(*position);
                path.pop();
            }
        }
    }
    order.reverse();
    for (number, position) in order.iter().enumerate() {
        place[*position as usize] = number as u32;
    }
    let mut is_hub = vec![false; order.len()];
    for (number, position) in order.iter().enumerate() {
        for step in chain.of(*position as usize) {
            if let To::Position(to) = step.to
                && within(to)
                && place[to as usize] as usize <= number
            {
                is_hub[place[to as usize] as usize] = true;
            }
        }
    }
    let hubs = (0..order.len()).filter(|number| is_hub[*number]).collect();
    (order, hubs)
}
