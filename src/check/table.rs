//! Defines with their clauses, rules by what they wait for, events and scenes as declared.

use crate::bits::BitSet;
use crate::layer::Layer;
use omerta_core::rules::{EventId, GroupId, Kind, SceneId};
use omerta_core::source::Span;
use omerta_syntax::tree::{Block, ClauseMode, Expr, Moment, Rule};
use std::collections::{BTreeMap, BTreeSet};

/// All defines.
#[derive(Clone, Debug, Default)]
pub struct DefineTable {
    /// One entry a name.
    pub list: Vec<Define>,
}

/// A define: what it is worth, and what anybody has added to it.
#[derive(Clone, Debug)]
pub struct Define {
    /// Its name.
    pub name: String,
    /// What it is asked about, if anything.
    pub param: Option<Kind>,
    /// `define …`: the general one and those for one role or team.
    pub bases: Vec<Clause>,
    /// `include …`, `add …` and the like, in the order in which they come.
    pub clauses: Vec<(ClauseMode, Clause)>,
    /// Where it was declared.
    pub span: Span,
}

/// One clause of a define.
#[derive(Clone, Debug)]
pub struct Clause {
    /// What the argument is called in it.
    pub param: Option<String>,
    /// The role or team (as a title) it is only for.
    pub only_for: Option<u64>,
    /// What it is worth.
    pub value: Expr,
    /// What kind that must be, where it is known.
    pub want: Option<Kind>,
    /// When it counts.
    pub when: Option<Expr>,
    /// Who wrote it.
    pub layer: Layer,
}

/// What a rule waits for.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// An event.
    Event(EventId),
    /// A scene.
    Scene(SceneId),
    /// Words by their name.
    Word(String),
    /// An ending by its name.
    Ending(String),
    /// Any role's part.
    Ability,
    /// Any answer that is players.
    Choice,
    /// The end of the game, whatever the ending.
    End,
}

/// A rule as declared.
#[derive(Clone, Debug)]
pub struct RuleEntry {
    /// The rule.
    pub rule: Rule,
    /// Who wrote it.
    pub layer: Layer,
}

/// All rules, and in which order they come in.
#[derive(Clone, Debug, Default)]
pub struct RuleTable {
    /// The rules; a rule's place is its id.
    pub list: Vec<RuleEntry>,
    /// For each happening and moment, the rules in the order in which they come in.
    pub by_target: BTreeMap<(Target, Moment), Vec<usize>>,
    /// `(a, b)`: words put a right before b.
    pub ordered: BTreeSet<(usize, usize)>,
    /// What comes behind a rule, also through others, once the table is sorted.
    behind: BTreeMap<usize, BitSet>,
}

impl RuleTable {
    /// The rules on a happening at a moment, in order.
    pub fn for_target(&self, target: &Target, moment: Moment) -> Vec<usize> {
        self.by_target
            .get(&(target.clone(), moment))
            .cloned()
            .unwrap_or_default()
    }

    /// All rules on a happening.
    pub fn all_for(&self, target: &Target) -> Vec<usize> {
        [Moment::Before, Moment::Instead, Moment::After]
            .iter()
            .flat_map(|m| self.for_target(target, *m))
            .collect()
    }

    /// Whether words put the two in order.
    pub fn is_ordered(&self, a: usize, b: usize) -> bool {
        self.is_before(a, b) || self.is_before(b, a)
    }

    fn is_before(&self, a: usize, b: usize) -> bool {
        self.behind(a).is_some_and(|behind| behind.has(b))
    }

    /// The rules that words put behind one, if any.
    pub fn behind(&self, rule: usize) -> Option<&BitSet> {
        self.behind.get(&rule)
    }

    /// All groups of rules on one happening and moment.
    pub fn groups(&self) -> impl Iterator<Item = (&Target, Moment, &Vec<usize>)> {
        self.by_target
            .iter()
            .map(|((target, moment), rules)| (target, *moment, rules))
    }

    /// Sorts every group by the words `before` and `after`; the order of writing decides otherwise.
    /// Gives back the rules that wait for each other in a ring.
    pub fn sort(&mut self) -> Vec<usize> {
        self.close_order();
        let ring = (0..self.list.len()).filter(|&rule| self.is_before(rule, rule));
        let ring: Vec<usize> = ring.collect();
        for rules in self.by_target.values_mut() {
            let mut sorted: Vec<usize> = Vec::new();
            let mut placed = BitSet::default();
            for &rule in rules.iter() {
                let behind = self.behind.get(&rule).filter(|behind| behind.meets(&placed));
                let place = behind.and_then(|behind| sorted.iter().position(|&other| behind.has(other)));
                sorted.insert(place.unwrap_or(sorted.len()), rule);
                placed.insert(rule);
            }
            *rules = sorted;
        }
        ring
    }

    /// Each rule takes in what those right behind it have behind them: these first, and again where there are rings.
    fn close_order(&mut self) {
        let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for &(a, b) in &self.ordered {
            next.entry(a).or_default().push(b);
        }
        let (mut seen, mut sequence) = (BitSet::default(), Vec::new());
        for &start in next.keys() {
            let mut path = Vec::new();
            if seen.insert(start) {
                path.push((start, 0));
            }
            while let Some((rule, at)) = path.pop() {
                match next.get(&rule).and_then(|next| next.get(at)) {
                    Some(&to) => {
                        path.push((rule, at + 1));
                        if seen.insert(to) {
                            path.push((to, 0));
                        }
                    }
                    None => sequence.push(rule),
                }
            }
        }
        let mut grows = true;
        while grows {
            grows = false;
            for &rule in &sequence {
                let Some(next) = next.get(&rule) else { continue };
                let mut behind = self.behind.remove(&rule).unwrap_or_default();
                for to in next {
                    grows |= behind.insert(*to);
                    grows |= self.behind.get(to).is_some_and(|more| behind.join(more));
                }
                self.behind.insert(rule, behind);
            }
        }
    }
}

/// Of all rules some that wait for one thing, in the order in which they come in.
pub fn in_their_order(all: &[&Rule], some: Vec<usize>) -> Vec<usize> {
    if some.len() < 2 {
        return some;
    }
    let place = |name: &str| all.iter().position(|rule| rule.name.text == name);
    let mut ordered = BTreeSet::new();
    for (at, rule) in all.iter().enumerate() {
        for order in &rule.order {
            let other = place(&order.name.text);
            ordered.extend(other.map(|other| if order.before { (at, other) } else { (other, at) }));
        }
    }
    if ordered.is_empty() {
        return some;
    }
    let at = (Target::End, Moment::Before);
    let mut table = RuleTable {
        by_target: BTreeMap::from([(at.clone(), some)]),
        ordered,
        ..RuleTable::default()
    };
    table.sort();
    table.by_target.remove(&at).unwrap_or_default()
}

/// An event as declared.
#[derive(Clone, Debug)]
pub struct EventDecl {
    /// The name of whom it happens to.
    pub of: Option<String>,
    /// The name of who does it.
    pub by: Option<String>,
    /// The names and kinds of what it is handed besides.
    pub with: Vec<(String, Kind)>,
    /// What it does.
    pub body: Block,
    /// Who wrote it.
    pub layer: Layer,
}

/// A scene as declared.
#[derive(Clone, Debug)]
pub struct SceneDecl {
    /// The names and kinds of what it is handed.
    pub params: Vec<(String, Kind)>,
    /// What happens in it.
    pub body: Block,
    /// Who wrote it.
    pub layer: Layer,
}

/// What the lints need to know of what has been written.
#[derive(Clone, Debug, Default)]
pub(crate) struct FactUse {
    /// Calls: the title, the purpose, the place.
    pub calls: Vec<(Option<GroupId>, u16, Span)>,
    /// Events that are planned somewhere.
    pub planned: BTreeSet<EventId>,
    /// Events that are settled somewhere.
    pub settled: BTreeSet<EventId>,
}
