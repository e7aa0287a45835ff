//! What rules read and write, and whether two of them may come in any order.

use crate::table::{RuleTable, Target};
use crate::{errors, load::Layer};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{EventId, FactId, SceneId};
use omerta_syntax::tree::{Moment, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// Something a rule can read or write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Touch {
    /// A mark, flag, count or link.
    Fact(FactId),
    /// Cards and tokens, and so roles.
    Cards,
    /// The plans for an event.
    Plans(EventId),
    /// What is said.
    Words,
    /// What comes next.
    Flow,
}

/// How a fact is written. What writes it in the same manner commutes, unless somebody reads it meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
        let Touch::Fact(fact) = touch else { return false };
        let manner = self
            .manners
            .get(&fact)
            .filter(|manner| **manner != Manner::Otherwise);
        manner.is_some() && manner == other.manners.get(&fact)
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
    fn quarrel(&self, other: &Effects) -> Option<Quarrel> {
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

/// What every rule does, with the events and scenes it sets off followed to their ends.
pub struct Reach<'a> {
    /// The rules' own effects.
    pub rules: &'a BTreeMap<usize, Effects>,
    /// The events'.
    pub events: &'a BTreeMap<EventId, Effects>,
    /// The scenes'.
    pub scenes: &'a BTreeMap<SceneId, Effects>,
    /// The rules on events and scenes.
    pub table: &'a RuleTable,
}

impl Reach<'_> {
    fn of_rule(&self, index: usize) -> Effects {
        let mut out = self.rules.get(&index).cloned().unwrap_or_default();
        let mut events: Vec<EventId> = out.does.iter().copied().collect();
        let mut scenes: Vec<SceneId> = out.plays.iter().copied().collect();
        let (mut seen_events, mut seen_scenes) = (BTreeSet::new(), BTreeSet::new());
        while let Some((target, own)) =
            self.next(&mut events, &mut scenes, &mut seen_events, &mut seen_scenes)
        {
            let mut more = own;
            for rule in self.table.all_for(&target) {
                if let Some(effects) = self.rules.get(&rule) {
                    more.join(effects);
                }
            }
            events.extend(&more.does);
            scenes.extend(&more.plays);
            out.join(&more);
        }
        out
    }

    fn next(
        &self,
        events: &mut Vec<EventId>,
        scenes: &mut Vec<SceneId>,
        seen_events: &mut BTreeSet<EventId>,
        seen_scenes: &mut BTreeSet<SceneId>,
    ) -> Option<(Target, Effects)> {
        while let Some(event) = events.pop() {
            if seen_events.insert(event) {
                return Some((
                    Target::Event(event),
                    self.events.get(&event).cloned().unwrap_or_default(),
                ));
            }
        }
        while let Some(scene) = scenes.pop() {
            if seen_scenes.insert(scene) {
                return Some((
                    Target::Scene(scene),
                    self.scenes.get(&scene).cloned().unwrap_or_default(),
                ));
            }
        }
        None
    }
}

/// Reports rules on one happening that do not commute and that no `before` or `after` puts in order:
/// an error between overlays, a warning inside one layer.
///
/// `apart` says of two rules that nobody can be of both sets they wait for.
pub fn check_order(
    reach: &Reach<'_>,
    name_of: &dyn Fn(Touch) -> String,
    apart: &dyn Fn(&Rule, &Rule) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let effects: Vec<Effects> = (0..reach.table.list.len()).map(|i| reach.of_rule(i)).collect();
    let mut told = BTreeSet::new();
    for (_, moment, rules) in reach.table.groups() {
        for (i, &a) in rules.iter().enumerate() {
            for &b in &rules[i + 1..] {
                let pair = (a.min(b), a.max(b));
                if reach.table.is_ordered(a, b) || !told.insert(pair) {
                    continue;
                }
                let Some(quarrel) = quarrel(reach.table, &effects, a, b, moment) else {
                    continue;
                };
                let (one, two) = (&reach.table.list[a], &reach.table.list[b]);
                // Of two players each has his own rule in the place of what happens to him.
                if quarrel == Quarrel::BothReplace && apart(&one.rule, &two.rule) {
                    continue;
                }
                let over = match quarrel {
                    Quarrel::Over(touch) => Some(name_of(touch)),
                    _ => None,
                };
                let overlays = one.layer != two.layer && one.layer != Layer::Base && two.layer != Layer::Base;
                diagnostics.push(errors::rules_in_no_order(
                    &one.rule,
                    &two.rule,
                    quarrel,
                    over.as_deref(),
                    overlays,
                ));
            }
        }
    }
}

fn quarrel(table: &RuleTable, effects: &[Effects], a: usize, b: usize, moment: Moment) -> Option<Quarrel> {
    let (one, two) = (&table.list[a].rule, &table.list[b].rule);
    if moment == Moment::Instead {
        let idle = |e: &Effects, body: &omerta_syntax::tree::Block| {
            e.writes.is_empty() && e.does.is_empty() && e.plays.is_empty() && !e.asks && is_empty(body)
        };
        // The tests are part of what a rule reads; only the bodies decide whether the order shows.
        let both_idle = idle(&effects[a], &one.body) && idle(&effects[b], &two.body);
        return (!both_idle).then_some(Quarrel::BothReplace);
    }
    effects[a].quarrel(&effects[b])
}

fn is_empty(body: &omerta_syntax::tree::Block) -> bool {
    body.statements
        .iter()
        .all(|s| s.kind == omerta_syntax::tree::StatementKind::Nothing)
}
