//! What a piece of the rules reads and does, and what two of them may fight over.

use omerta_core::rules::{EventId, FactId, SceneId};
use std::collections::{BTreeMap, BTreeSet};

/// Something a rule can read or write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Touch {
    /// A mark, flag, count or link.
    Fact(FactId),
    /// Cards and tokens, and so roles.
    Cards,
    /// Who sits where.
    Seats,
    /// The plans for an event.
    Plans(EventId),
    /// What is said.
    Words,
    /// What comes next.
    Flow,
}

/// How a fact is written. What writes it in the same manner commutes, unless somebody reads it meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Manner {
    /// A flag or count is set to just this.
    Becomes(u64),
    /// A mark of any number is put on.
    Gains,
    /// It is taken off.
    Loses,
    /// A count goes up by something.
    Adds,
    /// It is emptied.
    Clears,
    /// In a way of its own, or in several.
    Otherwise,
}

/// What a piece of the rules reads and does.
#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// What it reads.
    pub reads: BTreeSet<Touch>,
    /// What it writes.
    pub writes: BTreeSet<Touch>,
    /// How it writes the facts among them.
    pub manners: BTreeMap<FactId, Manner>,
    /// The events it makes happen.
    pub does: BTreeSet<EventId>,
    /// The scenes it plays.
    pub plays: BTreeSet<SceneId>,
    /// Whether it asks somebody something, or draws.
    pub asks: bool,
    /// Whether it can end the game.
    pub judges: bool,
}

impl Effects {
    /// Notes a read.
    pub fn read(&mut self, touch: Touch) {
        self.reads.insert(touch);
    }

    /// Notes a write.
    pub fn write(&mut self, touch: Touch) {
        match touch {
            Touch::Fact(fact) => self.write_fact(fact, Manner::Otherwise),
            touch => drop(self.writes.insert(touch)),
        }
    }

    /// Notes in which manner a fact is written.
    pub fn write_fact(&mut self, fact: FactId, manner: Manner) {
        self.writes.insert(Touch::Fact(fact));
        let known = self.manners.entry(fact).or_insert(manner);
        if *known != manner {
            *known = Manner::Otherwise;
        }
    }

    /// Whether two write something in one manner, so that it is all the same who does so first.
    fn writes_alike(&self, other: &Effects, touch: Touch) -> bool {
        let manner = self.manner(touch);
        manner.is_some() && manner == other.manner(touch)
    }

    /// In which manner something is written that others may write in the same.
    pub fn manner(&self, touch: Touch) -> Option<Manner> {
        let Touch::Fact(fact) = touch else { return None };
        let manner = self.manners.get(&fact).copied();
        manner.filter(|manner| *manner != Manner::Otherwise)
    }

    /// Takes in what another piece does.
    pub fn join(&mut self, other: &Effects) {
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        for (fact, manner) in &other.manners {
            self.write_fact(*fact, *manner);
        }
        self.does.extend(&other.does);
        self.plays.extend(&other.plays);
        self.asks |= other.asks;
        self.judges |= other.judges;
    }

    /// What the two fight over, if they do not commute.
    pub fn quarrel(&self, other: &Effects) -> Option<Quarrel> {
        let clash = |a: &Effects, b: &Effects| {
            a.writes
                .iter()
                .find(|t| {
                    let both_write = b.writes.contains(t) && !a.writes_alike(b, **t);
                    **t != Touch::Words && (b.reads.contains(t) || both_write)
                })
                .copied()
        };
        if let Some(touch) = clash(self, other).or_else(|| clash(other, self)) {
            return Some(Quarrel::Over(touch));
        }
        if self.asks && other.asks {
            return Some(Quarrel::BothAsk);
        }
        (self.judges && !other.writes.is_empty() || other.judges && !self.writes.is_empty())
            .then_some(Quarrel::OneMayEnd)
    }
}

/// Why two rules do not commute.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quarrel {
    /// One writes what the other reads or writes.
    Over(Touch),
    /// Both ask, and the order of questions can be seen.
    BothAsk,
    /// One may end the game before the other has come in.
    OneMayEnd,
    /// Both take the place of the same thing, in different ways.
    BothReplace,
}
