//! Long ways count as many steps. The engine counts jumps back and calls, and stops what makes too many of them without
//! a question; what is carried out from one to the next is bounded by what is written here.

use omerta_core::rules::{Event, Op, Proc, ProcRole, Ruleset, Thunk};

/// Whatever weighs no more than this from one jump back or call to the next counts as that one step.
const LONG: u64 = 1_024;
/// So much of what is longer is a step.
const STEP: u64 = 256;
/// How long the way gets by a place in a text, and what it weighs, beside what it is worked out by: it is kept with what
/// happened, and names stand for it wherever it is told.
const SLOT: u64 = 16;
const SLOT_IN_WORDS: u64 = 256;
/// To count the ballots of everybody takes as long as so many instructions.
const BALLOTS: u64 = 300;
/// To decide about an event may take so many instructions that are not weighed.
const FREE: u64 = 64;
/// Whatever works one value out weighs no more: it is bounded by itself.
const MOST: u64 = 1 << 24;

/// Whatever offers take no longer than this is not watched at each pause.
const OFFERED: u64 = 100_000;

/// Makes a detour of the way into every long loop and procedure, and counts its steps there.
pub fn tire(rules: &mut Ruleset) {
    let scale = Scale::of(rules);
    let (weights, weighty) = (scale.weights(), scale.offers() > OFFERED);
    rules.weighty_offers = weighty;
    let (lengths, weights): (Vec<u64>, Vec<u64>) = weights.into_iter().unzip();
    let between = |from: u32, to: usize| {
        let from = from as usize;
        (lengths[to] - lengths[from], weights[to] - weights[from])
    };
    for at in 0..rules.code.len() {
        if let Op::Jump { at: to } = rules.code[at]
            && to as usize <= at
        {
            let by = detour(rules, to, between(to, at));
            rules.code[at] = Op::Jump { at: by };
        }
    }
    for index in 0..rules.procs.len() {
        let Proc {
            role, entry, exit, ..
        } = rules.procs[index];
        // Endings are looked through where they stand; whoever judges carries their weight.
        if role != ProcRole::Judgement {
            let end = { rules.code[exit as usize..].iter() }.position(|op| *op == Op::Return);
            let end = exit as usize + end.unwrap_or(0);
            rules.procs[index].entry = detour(rules, entry, between(entry, end));
        }
    }
}

/// Where whoever goes to a place has to go, if it is a long way from there.
fn detour(rules: &mut Ruleset, to: u32, (length, weight): (u64, u64)) -> u32 {
    if length <= LONG {
        return to;
    }
    let (by, origin) = (rules.code.len() as u32, rules.origins[to as usize]);
    let steps = u32::try_from(weight / STEP).unwrap_or(u32::MAX);
    rules.code.extend([Op::Tire { steps }, Op::Jump { at: to }]);
    rules.origins.extend([origin, origin]);
    by
}

/// What instructions weigh.
struct Scale<'r> {
    rules: &'r Ruleset,
    /// So many may be gone through in one loop.
    turns: u64,
    /// What it weighs to decide about each event.
    decided: Vec<u64>,
}

impl<'r> Scale<'r> {
    fn of(rules: &'r Ruleset) -> Scale<'r> {
        let mut scale = Scale {
            rules,
            turns: u64::from(rules.seats.1),
            decided: Vec::new(),
        };
        let decide = |event: &Event| event.decide.map_or(0, |decide| scale.value(decide));
        scale.decided = rules.events.iter().map(decide).collect();
        scale
    }

    /// How long the way to each instruction is from the first, and what it weighs.
    fn weights(&self) -> Vec<(u64, u64)> {
        let (mut length, mut weight) = (0, 0);
        let mut all = vec![(0, 0)];
        all.extend(self.rules.code.iter().map(|op| {
            let (one, other) = self.weight(op);
            (length, weight) = (length + one, weight + other);
            (length, weight)
        }));
        all
    }

    fn weight(&self, op: &Op) -> (u64, u64) {
        let more = match *op {
            Op::Say { site, .. } => {
                let (mut slots, mut values) = (0, 0);
                self.rules.says[site.index()].phrase.each_value(&mut |value| {
                    slots += 1;
                    values += self.value(value);
                });
                return (1 + slots * SLOT + values, 1 + slots * SLOT_IN_WORDS + values);
            }
            // Each of several is decided by itself; what takes no time is not weighed.
            Op::Do { event, .. } => {
                let decided = self.decided[event.index()];
                decided.saturating_sub(FREE) * self.turns
            }
            Op::Enter { proc, .. } => match self.rules.procs[proc.index()] {
                Proc {
                    role: ProcRole::Judgement,
                    entry,
                    exit,
                    ..
                } => u64::from(exit - entry),
                _ => 0,
            },
            Op::TallyRow { .. } => BALLOTS,
            _ => 0,
        };
        (1 + more, 1 + more)
    }

    /// What it weighs to see which offers stand open to whom.
    fn offers(&self) -> u64 {
        let value = |thunk: Option<Thunk>| thunk.map_or(0, |thunk| self.value(thunk));
        let offers = self.rules.offers.iter().map(|offer| {
            let to_each = value(offer.when) + value(offer.target.map(|target| target.among));
            match offer.who {
                Some(who) if !offer.alike => self.value(who) + to_each * self.turns,
                who => value(who) + to_each,
            }
        });
        offers.fold(0, u64::saturating_add)
    }

    /// What a value is worked out by, as often as the loops in it may go round.
    fn value(&self, thunk: Thunk) -> u64 {
        let start = thunk.at as usize;
        let code = self.rules.code[start..].iter();
        let code: Vec<&Op> = code.take_while(|op| **op != Op::Done).collect();
        // How many loops begin and end at each instruction.
        let mut begun = vec![0_u32; code.len() + 1];
        let mut ended = vec![0_u32; code.len() + 1];
        for (at, op) in code.iter().enumerate() {
            if let Op::Jump { at: to } = op
                && let Some(to) = (*to as usize).checked_sub(start).filter(|to| *to <= at)
            {
                begun[to] += 1;
                ended[at + 1] += 1;
            }
        }
        let (mut depth, mut all) = (0, 0_u64);
        for at in 0..code.len() {
            depth = depth + begun[at] - ended[at];
            all = all.saturating_add(self.turns.saturating_pow(depth));
        }
        all.min(MOST)
    }
}
