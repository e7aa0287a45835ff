//! The scratch pad on which votes are counted. It lives outside of the state: no pause stands
//! between the instructions that use it.

use super::facts::seats_in;
use crate::rules::TallyVerdict;

/// One number a seat, and what could have been cast in all.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    sums: [i64; 64],
    total: i64,
    /// Those level at the top, as long as that is known.
    leaders: Option<u64>,
}

impl Tally {
    pub(super) fn new() -> Self {
        Tally {
            sums: [0; 64],
            total: 0,
            leaders: None,
        }
    }

    #[inline(never)]
    pub(super) fn clear(&mut self) {
        *self = Tally::new();
    }

    /// A ballot: each seat of `votes` gets the weight, and the weight could have been cast.
    #[inline(never)]
    pub(super) fn add(&mut self, votes: u64, weight: i64) {
        self.leaders = None;
        for seat in seats_in(votes) {
            self.sums[seat] = self.sums[seat].wrapping_add(weight);
        }
        self.total = self.total.wrapping_add(weight);
    }

    /// Counts ballots anew: a row of them, each seat's own counting one.
    #[inline(never)]
    pub(super) fn ballots(&mut self, votes: &[u64]) {
        self.sums[..votes.len()].fill(0);
        self.total = votes.len() as i64;
        let (mut most, mut leaders) = (0, 0);
        for &vote in votes {
            for seat in seats_in(vote) {
                self.sums[seat] += 1;
                let sum = self.sums[seat];
                // Who comes level has the most with others, who goes beyond has it alone.
                if sum > most {
                    (most, leaders) = (sum, 0);
                }
                if sum == most {
                    leaders |= 1 << seat;
                }
            }
        }
        self.leaders = Some(leaders);
    }

    #[inline(never)]
    pub(super) fn read(&self, among: u64, verdict: TallyVerdict) -> u64 {
        match verdict {
            TallyVerdict::Most => self.top(among),
            TallyVerdict::Majority => self.keep(self.top(among), |sum| sum.saturating_mul(2) > self.total),
            TallyVerdict::Common => self.keep(self.top(among), |sum| sum == self.total),
        }
    }

    pub(super) fn of(&self, seats: u64) -> i64 {
        if seats == 0 {
            0
        } else {
            self.sums[seats.trailing_zeros() as usize]
        }
    }

    /// Those level at the top; nobody where no vote was counted.
    fn top(&self, among: u64) -> u64 {
        if let Some(leaders) = self.leaders.filter(|leaders| leaders & !among == 0) {
            return leaders;
        }
        let (mut best, mut top) = (0, 0);
        for seat in seats_in(among) {
            let sum = self.sums[seat];
            if sum > best {
                (best, top) = (sum, 0);
            }
            if sum == best && sum > 0 {
                top |= 1 << seat;
            }
        }
        top
    }

    fn keep(&self, seats: u64, test: impl Fn(i64) -> bool) -> u64 {
        seats_in(seats)
            .filter(|&seat| test(self.sums[seat]))
            .fold(0, |set, seat| set | 1 << seat)
    }
}
