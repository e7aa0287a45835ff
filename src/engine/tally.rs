//! The scratch pad on which votes are counted. It lives outside of the state: no pause stands
//! between the instructions that use it.

use crate::facts::seats_in;
use omerta_core::rules::{Slot, TallyVerdict};

/// One number a seat, and what could have been cast in all.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    sums: [i64; 64],
    total: i64,
    /// The numbers of a few ballots, four bits each, in the place of `sums`.
    few: Option<u64>,
    /// Those level at the top, as long as that is known.
    leaders: Option<u64>,
    filled: Filled,
    /// All that was asked of it, where somebody wants to know that.
    watched: Option<Vec<Count>>,
}

/// With what a tally is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Filled {
    /// With nothing yet.
    Nothing,
    /// With the ballots of a row, each counting one, and nothing else.
    Row(Slot),
    /// With something else, or more.
    Other,
}

/// What is asked of a tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    Top(u64, TallyVerdict),
    SumOf(u64),
}

/// Something that was asked of a tally.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Count {
    /// What the tally was filled with.
    pub filled: Filled,
    /// What it said.
    pub answer: u64,
    wanted: Wanted,
    total: i64,
}

impl Count {
    /// What it would have said had so many ballots named each.
    pub fn with(&self, named: &[i64]) -> u64 {
        let sum = |seat: usize| named.get(seat).copied().unwrap_or(0);
        self.wanted.of(self.total, None, sum)
    }
}

impl Wanted {
    /// What a tally says of whose leaders perhaps more is known than the sums.
    #[inline(always)]
    fn of(self, total: i64, leaders: Option<u64>, sum: impl Fn(usize) -> i64) -> u64 {
        let (among, verdict) = match self {
            Wanted::Top(among, verdict) => (among, verdict),
            Wanted::SumOf(seats) => {
                return seats_in(seats).map(sum).fold(0, i64::saturating_add) as u64;
            }
        };
        let known = leaders.filter(|leaders| leaders & !among == 0);
        let top = known.unwrap_or_else(|| top(among, &sum));
        // All of them have as many.
        let most = || seats_in(top).next().map_or(0, &sum);
        let enough = match verdict {
            TallyVerdict::Most => true,
            TallyVerdict::Majority => most().saturating_mul(2) > total,
            TallyVerdict::Common => most() == total,
        };
        if enough { top } else { 0 }
    }
}

/// Those level at the top; nobody where no vote was counted.
fn top(among: u64, sum: impl Fn(usize) -> i64) -> u64 {
    let (mut best, mut top) = (0, 0);
    for seat in seats_in(among) {
        let sum = sum(seat);
        if sum > best {
            (best, top) = (sum, 0);
        }
        if sum == best && sum > 0 {
            top |= 1 << seat;
        }
    }
    top
}

/// Where a tally is, or comes to be once somebody counts: most code that only works a value out never does.
pub(super) trait Pad {
    fn tally(&mut self) -> &mut Tally;
}

impl Pad for Tally {
    #[inline(always)]
    fn tally(&mut self) -> &mut Tally {
        self
    }
}

impl Pad for Option<Tally> {
    #[inline(always)]
    fn tally(&mut self) -> &mut Tally {
        self.get_or_insert_with(Tally::new)
    }
}

impl Tally {
    #[inline(never)]
    pub(super) fn new() -> Self {
        Tally {
            sums: [0; 64],
            total: 0,
            few: None,
            leaders: None,
            filled: Filled::Nothing,
            watched: None,
        }
    }

    #[inline(never)]
    pub(super) fn clear(&mut self) {
        (self.total, self.few, self.leaders) = (0, Some(0), Some(0));
        self.filled = Filled::Nothing;
    }

    /// From now on it is kept what is asked, or not; what was before is forgotten.
    pub(super) fn watch(&mut self, watch: bool) {
        match watch {
            true => self.watched.get_or_insert_default().clear(),
            false => self.watched = None,
        }
    }

    /// What was asked since.
    pub(super) fn watched(&self) -> &[Count] {
        self.watched.as_deref().unwrap_or_default()
    }

    /// A ballot: each seat of `votes` gets the weight, and the weight could have been cast.
    #[inline(never)]
    pub(super) fn add(&mut self, votes: u64, weight: i64) {
        (self.leaders, self.filled) = (None, Filled::Other);
        match self.few {
            None => {}
            Some(0) => self.sums.fill(0),
            Some(_) => self.sums = std::array::from_fn(|seat| self.sum(seat)),
        }
        self.few = None;
        for seat in seats_in(votes) {
            self.sums[seat] = self.sums[seat].wrapping_add(weight);
        }
        self.total = self.total.wrapping_add(weight);
    }

    /// Adds the ballots of a row that some have cast, each counting one.
    pub(super) fn add_row(&mut self, row: Slot, votes: &[u64], voters: u64) {
        let alone = self.filled == Filled::Nothing;
        seats_in(voters).for_each(|voter| self.add(votes[voter], 1));
        self.filled = if alone { Filled::Row(row) } else { Filled::Other };
    }

    /// Counts ballots anew: those of some voters in a row, each counting one.
    #[inline(never)]
    pub(super) fn ballots(&mut self, row: Slot, votes: &[u64], voters: u64) {
        (self.total, self.filled) = (i64::from(voters.count_ones()), Filled::Row(row));
        if votes.len() < 16 {
            return self.few_ballots(votes, voters);
        }
        self.few = None;
        self.sums[..votes.len()].fill(0);
        let (mut most, mut leaders) = (0, 0);
        for voter in seats_in(voters) {
            for seat in seats_in(votes[voter]) {
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

    /// The same at a small table: all sums in one word, four bits each, which nobody's ballots overflow.
    fn few_ballots(&mut self, votes: &[u64], voters: u64) {
        const ONE_EACH: u64 = 0x1111_1111_1111_1111;
        let mut sums: u64 = 0;
        for voter in seats_in(voters) {
            let vote = votes[voter];
            if vote == 0 {
                continue;
            }
            sums += 1 << (4 * vote.trailing_zeros());
            let rest = vote & (vote - 1);
            if rest != 0 {
                sums = seats_in(rest).fold(sums, |sums, seat| sums + (1 << (4 * seat)));
            }
        }
        // Who has the most, all at once: from the highest bit of a sum down, those who have it stay, if
        // anybody does.
        let mut most = ONE_EACH;
        for bit in [3, 2, 1, 0] {
            let with = most & sums >> bit;
            most = if with != 0 { with } else { most };
        }
        let mut leaders = 0;
        while sums != 0 && most != 0 {
            leaders |= 1 << (most.trailing_zeros() / 4);
            most &= most - 1;
        }
        (self.few, self.leaders) = (Some(sums), Some(leaders));
    }

    fn sum(&self, seat: usize) -> i64 {
        match self.few {
            Some(sums) => sums.checked_shr(4 * seat as u32).unwrap_or(0) as i64 & 15,
            None => self.sums[seat],
        }
    }

    #[inline(never)]
    pub(super) fn read(&mut self, among: u64, verdict: TallyVerdict) -> u64 {
        self.asked(Wanted::Top(among, verdict))
    }

    pub(super) fn of(&mut self, seats: u64) -> i64 {
        self.asked(Wanted::SumOf(seats)) as i64
    }

    #[inline]
    fn asked(&mut self, wanted: Wanted) -> u64 {
        let answer = wanted.of(self.total, self.leaders, |seat| self.sum(seat));
        if let Some(watched) = &mut self.watched {
            watched.push(Count {
                filled: self.filled,
                answer,
                wanted,
                total: self.total,
            });
        }
        answer
    }
}
