//! All that can come of a round of ballots in which it is all one whose ballot is whose: how many each is named by, in
//! how many cases. Those who cannot be told apart stand in the order of their ballots, for all orders at once.

/// So many vote at the most: what is counted on the way has to fit into a word.
pub const MOST_VOTERS: usize = 20;
/// With so many outcomes a round is not closed in one go.
const MOST_OUTCOMES: u64 = 1 << 17;

/// Those whom a round may name.
#[derive(Clone, Debug, Default)]
pub struct Ballots {
    /// How many vote.
    pub voters: usize,
    /// Whom they may name, those who cannot be told apart beside each other: the seat, of which sort it is, and whether
    /// it votes and may name everybody but itself.
    pub named: Vec<(u8, u32, bool)>,
    /// Whether they may name nobody.
    pub pass: bool,
}

/// What came of a round.
pub struct Outcome<'a> {
    /// How many name each of those who may be named, in their order; the others name nobody.
    pub counts: &'a [u8],
    /// In how many cases.
    pub cases: u64,
}

/// How an outcome is put together, one of those who may be named after the other.
struct Search<'a> {
    ballots: &'a Ballots,
    counts: Vec<u8>,
    /// By how many of those who cannot name themselves were chosen among so far: in how many ways a voter each can be
    /// chosen who is named by himself, were that allowed.
    selves: Vec<[i64; MOST_VOTERS + 1]>,
    total: u64,
    see: &'a mut dyn FnMut(&Outcome<'_>) -> bool,
}

impl Ballots {
    /// Shows every outcome, until one is answered with `false`. Says of how many cases they are in all; nothing where
    /// that is too many.
    pub fn each(&self, see: &mut dyn FnMut(&Outcome<'_>) -> bool) -> Option<()> {
        let total = self.cases()?;
        let mut first = [0; MOST_VOTERS + 1];
        first[0] = 1;
        let mut search = Search {
            ballots: self,
            counts: vec![0; self.named.len()],
            selves: vec![first; self.named.len() + 1],
            total: 0,
            see,
        };
        let whole = search.from(0, self.voters);
        debug_assert!(
            !whole || search.total == total,
            "{self:?}: {} of {total}",
            search.total
        );
        Some(())
    }

    /// In how many ways all can vote; nothing where they or what can come of them are too many.
    pub fn cases(&self) -> Option<u64> {
        if self.voters > MOST_VOTERS || self.outcomes() > MOST_OUTCOMES {
            return None;
        }
        let all = self.named.len() as u64 + u64::from(self.pass);
        let selves = self.named.iter().filter(|(_, _, own)| *own).count();
        let ways = |less: u64, times: usize| all.checked_sub(less)?.checked_pow(times as u32);
        ways(1, selves)?.checked_mul(ways(0, self.voters.checked_sub(selves)?)?)
    }

    /// How many outcomes there can be.
    fn outcomes(&self) -> u64 {
        // By how many ballots are left: in how many ways the others were shared out.
        let mut ways = vec![0_u64; self.voters + 1];
        ways[self.voters] = 1;
        for sort in self.named.chunk_by(|one, next| one.1 == next.1) {
            // Parts in falling order are as many as numbers of parts of each size.
            for size in 1..=sort.len() {
                for left in (0..=self.voters).rev() {
                    if let Some(next) = left.checked_sub(size) {
                        ways[next] = ways[next].saturating_add(ways[left]);
                    }
                }
            }
        }
        match self.pass {
            true => ways.iter().fold(0, |sum, more| sum.saturating_add(*more)),
            false => ways[0],
        }
    }
}

impl Search<'_> {
    /// Shares out what is left to those from a place on. `false` where nobody wants to see more.
    fn from(&mut self, place: usize, left: usize) -> bool {
        let named = &self.ballots.named;
        if left == 0 || place == named.len() {
            return left > 0 && !self.ballots.pass || self.show(place, left);
        }
        let (_, sort, own) = named[place];
        let like_before = place > 0 && named[place - 1].1 == sort;
        let most = match like_before {
            true => left.min(usize::from(self.counts[place - 1])),
            false => left,
        };
        let like = named[place..].iter().take_while(|other| other.1 == sort).count();
        if most == 0 {
            for skipped in place..place + like {
                self.counts[skipped] = 0;
                self.selves[skipped + 1] = self.selves[skipped];
            }
            return self.from(place + like, left);
        }
        let least = match self.ballots.pass || place + like < named.len() {
            true => 0,
            false => left.div_ceil(like),
        };
        for count in (least..=most).rev() {
            self.counts[place] = count as u8;
            let (before, behind) = self.selves.split_at_mut(place + 1);
            let (before, behind) = (&before[place], &mut behind[0]);
            let own = if own { count as i64 } else { 0 };
            behind[0] = before[0];
            for chosen in 1..=self.ballots.voters {
                behind[chosen] = before[chosen] + before[chosen - 1] * own;
            }
            if !self.from(place + 1, left - count) {
                return false;
            }
        }
        true
    }

    fn show(&mut self, place: usize, nobody: usize) -> bool {
        self.counts[place..].fill(0);
        let selves = &self.selves[place];
        // All ways in which so many name these, less those in which somebody names himself, and so on.
        let mut sum = 0_i64;
        for (chosen, ways) in selves.iter().enumerate().take(self.ballots.voters + 1) {
            let rest = FACTORIALS[self.ballots.voters - chosen] as i64;
            sum += if chosen % 2 == 0 {
                rest * ways
            } else {
                -(rest * ways)
            };
        }
        if sum == 0 {
            return true;
        }
        let same = |count: &u8| FACTORIALS[usize::from(*count)];
        let same = FACTORIALS[nobody] * self.counts.iter().map(same).product::<u64>();
        let mut cases = sum as u64 / same;
        // Those of one sort can have these ballots in every order.
        let (mut from, named) = (0, &self.ballots.named);
        while from < named.len() {
            let like = |to: &usize| named[*to].1 == named[from].1;
            let mut left = (from..named.len()).take_while(like).count();
            let to = from + left;
            while from < to {
                let equal = |to: &usize| self.counts[*to] == self.counts[from];
                let run = (from..to).take_while(equal).count();
                cases *= CHOICES[left][run];
                (from, left) = (from + run, left - run);
            }
        }
        self.total += cases;
        (self.see)(&Outcome {
            counts: &self.counts,
            cases,
        })
    }
}

const FACTORIALS: [u64; MOST_VOTERS + 1] = {
    let mut table = [1; MOST_VOTERS + 1];
    let mut number = 1;
    while number <= MOST_VOTERS {
        table[number] = table[number - 1] * number as u64;
        number += 1;
    }
    table
};

/// In how many ways some of so many can be chosen.
static CHOICES: [[u64; 65]; 65] = {
    let mut table = [[0; 65]; 65];
    let mut of = 0;
    while of <= 64 {
        table[of][0] = 1;
        let mut some = 1;
        while some <= of {
            table[of][some] = table[of - 1][some - 1] + table[of - 1][some];
            some += 1;
        }
        of += 1;
    }
    table
};
