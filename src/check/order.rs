//! What rules read and write, and whether two of them may come in any order.

use crate::bits::BitSet;
use crate::effects::{Effects, Manner, Quarrel, Touch};
use crate::table::{RuleTable, Target};
use crate::{errors, layer::Layer};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{EventId, SceneId};
use omerta_syntax::tree::{Moment, Rule, Statement, StatementKind};
use std::collections::{BTreeMap, BTreeSet};

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
    /// Of all rules, in their order.
    pub fn of_rules(&self) -> Vec<Effects> {
        (0..self.table.list.len())
            .map(|rule| self.of_rule(rule))
            .collect()
    }

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

    /// What a rule reads itself, and the events and scenes that it sets off, the rules on them left aside.
    fn read_on_the_way(&self, index: usize, whole: &Effects) -> BTreeSet<Touch> {
        let own = self.rules.get(&index).into_iter();
        let events = whole.does.iter().filter_map(|event| self.events.get(event));
        let scenes = whole.plays.iter().filter_map(|scene| self.scenes.get(scene));
        let all = own.chain(events).chain(scenes);
        all.flat_map(|effects| effects.reads.iter().copied()).collect()
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

/// The rules that find everything they read as it was however often they come in: nothing they lead to writes
/// it, asks, draws, plays a scene or ends the game. What other rules read on the way holds nothing up.
pub fn steady(reach: &Reach<'_>, effects: &[Effects]) -> BTreeSet<String> {
    let matters = |touch: &&Touch| !matches!(touch, Touch::Words | Touch::Flow);
    let is_steady = |rule: usize, of: &Effects| {
        let read = reach.read_on_the_way(rule, of);
        let mut written = of.writes.iter().filter(matters);
        !of.asks && !of.judges && of.plays.is_empty() && !written.any(|touch| read.contains(touch))
    };
    let rules = reach.table.list.iter().zip(effects).enumerate();
    let steady = rules.filter(|(at, (_, effects))| is_steady(*at, effects));
    steady
        .map(|(_, (entry, _))| entry.rule.name.text.clone())
        .collect()
}

/// What the check of the order asks about rules, besides what they do.
pub struct OfRules<'a> {
    /// What people call what two may fight over.
    pub name_of: &'a dyn Fn(Touch) -> String,
    /// For each rule the roles whose players alone it waits for, where each player has one; `None`: it may be for anybody.
    pub roles: Vec<Option<BTreeSet<usize>>>,
    /// Whether two rules never come in in one game, whatever happens in it.
    pub exclude: &'a dyn Fn(usize, usize) -> bool,
    /// The rules of which a remark in the file says that their order does not matter.
    pub allowed: BitSet,
}

impl OfRules<'_> {
    /// Whether nobody is there for whom both come in: what happens to several happens to one after the other, and all
    /// rules come in for him first.
    fn never_for_one(&self, a: usize, b: usize) -> bool {
        let [one, other] = [a, b].map(|rule| self.roles[rule].as_ref());
        one.zip(other).is_some_and(|(one, other)| one.is_disjoint(other))
    }
}

/// So many pairs of rules on one happening are told one by one; whoever has more has one cause for all.
const PAIRS: usize = 10;

/// Reports rules on one happening that do not commute and that no `before` or `after` puts in order:
/// an error between overlays, a warning inside one layer.
pub fn check_order(
    reach: &Reach<'_>,
    effects: &[Effects],
    of_rules: &OfRules<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let table = reach.table;
    let mut told = BTreeSet::new();
    for (_, moment, rules) in table.groups().filter(|(.., rules)| rules.len() > 1) {
        let mut layers: BTreeMap<Layer, BitSet> = BTreeMap::new();
        for &rule in rules {
            layers.entry(table.list[rule].layer).or_default().insert(rule);
        }
        let nearby = match moment {
            Moment::Instead => Nearby::instead(table, effects, rules, &of_rules.roles),
            _ => Nearby::beside(effects, rules),
        };
        let mut left: BitSet = rules.iter().copied().collect();
        let base = layers.get(&Layer::Base).cloned().unwrap_or_default();
        // The pairs of the base, which whoever checks an overlay is not told; others that are warned of; and errors.
        let mut pairs = [Vec::new(), Vec::new(), Vec::new()];
        for &a in rules {
            left.remove(a);
            let mut near = nearby.of(a, effects).and(&left);
            if let Some(behind) = table.behind(a) {
                near = near.without(behind);
            }
            let layer = table.list[a].layer;
            let others = layers
                .iter()
                .filter(|(other, _)| layer != Layer::Base && **other != Layer::Base && **other != layer);
            let mut clashing = BitSet::default();
            for (_, rules) in others {
                clashing.join(rules);
            }
            let warned = match of_rules.allowed.has(a) {
                true => BitSet::default(),
                false => near.clone().without(&clashing).without(&of_rules.allowed),
            };
            let in_base = match layer {
                Layer::Base => warned.clone().and(&base),
                Layer::Overlay(_) => BitSet::default(),
            };
            let found = [in_base.clone(), warned.without(&in_base), near.and(&clashing)];
            for (found, pairs) in found.iter().zip(&mut pairs) {
                let new = found
                    .iter()
                    .filter(|b| !table.is_ordered(a, *b) && !told.contains(&(a.min(*b), a.max(*b))))
                    .filter(|b| !of_rules.never_for_one(a, *b) && !(of_rules.exclude)(a, *b));
                // One more than is told says that there are more.
                pairs.extend(new.take(PAIRS + 1 - pairs.len()).map(|b| (a, b)));
            }
        }
        for (pairs, are_overlays) in pairs.iter().zip([false, false, true]) {
            for (at, &(a, b)) in pairs.iter().take(PAIRS).enumerate() {
                told.insert((a.min(b), a.max(b)));
                let Some(quarrel) = quarrel(effects, a, b, moment) else {
                    continue;
                };
                let over = match quarrel {
                    Quarrel::Over(touch) => Some((of_rules.name_of)(touch)),
                    _ => None,
                };
                let (one, two) = (&table.list[a].rule, &table.list[b].rule);
                let mistake = errors::rules_in_no_order(one, two, quarrel, over.as_deref(), are_overlays);
                let more = at + 1 == PAIRS && pairs.len() > PAIRS;
                diagnostics.push(if more {
                    errors::and_more_in_no_order(mistake)
                } else {
                    mistake
                });
            }
        }
    }
}

/// Which rules of one group those are that one of them quarrels with. What many share is a set that all look at, so that
/// a thousand rules need not be compared in pairs.
#[derive(Default)]
struct Nearby {
    shared: BTreeMap<Touch, Users>,
    asking: BitSet,
    judging: BitSet,
    writing: BitSet,
    /// Of rules in the place of something: which stand against which, by the roles they are for, or anybody's.
    instead: Option<Instead>,
}

#[derive(Default)]
struct Users {
    readers: BitSet,
    writers: BitSet,
    /// Those of the writers that write in one manner, where these are several.
    alike: BTreeMap<Manner, BitSet>,
}

struct Instead {
    all: BitSet,
    busy: BitSet,
    anybody: BitSet,
    of_role: BTreeMap<usize, BitSet>,
    roles: BTreeMap<usize, BTreeSet<usize>>,
}

impl Nearby {
    fn beside(effects: &[Effects], rules: &[usize]) -> Nearby {
        // How many rules touch a thing, how many write it, and how many in which manner.
        let mut many: BTreeMap<Touch, [usize; 2]> = BTreeMap::new();
        let mut alike: BTreeMap<(Touch, Manner), usize> = BTreeMap::new();
        for of in rules.iter().map(|rule| &effects[*rule]) {
            for touch in of.writes.union(&of.reads) {
                many.entry(*touch).or_default()[0] += 1;
            }
            for touch in &of.writes {
                many.entry(*touch).or_default()[1] += 1;
                if let Some(manner) = of.manner(*touch) {
                    *alike.entry((*touch, manner)).or_default() += 1;
                }
            }
        }
        many.retain(|touch, [users, writers]| *touch != Touch::Words && *users > 1 && *writers > 0);
        let mut out = Nearby::default();
        for &rule in rules {
            let of = &effects[rule];
            for touch in of.reads.iter().filter(|touch| many.contains_key(touch)) {
                out.shared.entry(*touch).or_default().readers.insert(rule);
            }
            for touch in of.writes.iter().filter(|touch| many.contains_key(touch)) {
                let users = out.shared.entry(*touch).or_default();
                users.writers.insert(rule);
                let manner = of.manner(*touch);
                if let Some(manner) = manner.filter(|manner| alike[&(*touch, *manner)] > 1) {
                    users.alike.entry(manner).or_default().insert(rule);
                }
            }
            for (set, is_in) in [
                (&mut out.asking, of.asks),
                (&mut out.judging, of.judges),
                (&mut out.writing, !of.writes.is_empty()),
            ] {
                if is_in {
                    set.insert(rule);
                }
            }
        }
        out
    }

    fn instead(
        table: &RuleTable,
        effects: &[Effects],
        rules: &[usize],
        roles: &[Option<BTreeSet<usize>>],
    ) -> Nearby {
        let mut of_role: BTreeMap<usize, BitSet> = BTreeMap::new();
        let of_some = |rule: &usize| Some((*rule, roles[*rule].clone()?));
        let roles: BTreeMap<usize, BTreeSet<usize>> = rules.iter().filter_map(of_some).collect();
        for (rule, roles) in &roles {
            for role in roles {
                of_role.entry(*role).or_default().insert(*rule);
            }
        }
        let all = || rules.iter().copied();
        let instead = Instead {
            all: all().collect(),
            busy: all()
                .filter(|rule| !is_idle(&effects[*rule], &table.list[*rule].rule))
                .collect(),
            anybody: all().filter(|rule| !roles.contains_key(rule)).collect(),
            of_role,
            roles,
        };
        Nearby {
            instead: Some(instead),
            ..Nearby::default()
        }
    }

    fn of(&self, rule: usize, effects: &[Effects]) -> BitSet {
        if let Some(instead) = &self.instead {
            let mut out = instead.anybody.clone();
            match instead.roles.get(&rule) {
                None => out.clone_from(&instead.all),
                Some(roles) => {
                    for role in roles {
                        out.join(&instead.of_role[role]);
                    }
                }
            }
            return match instead.busy.has(rule) {
                true => out,
                false => out.and(&instead.busy),
            };
        }
        let of = &effects[rule];
        let mut out = BitSet::default();
        for users in of.reads.iter().filter_map(|touch| self.shared.get(touch)) {
            out.join(&users.writers);
        }
        for (touch, users) in of
            .writes
            .iter()
            .filter_map(|touch| Some((*touch, self.shared.get(touch)?)))
        {
            out.join(&users.readers);
            match of.manner(touch).and_then(|manner| users.alike.get(&manner)) {
                Some(alike) => out.join(&users.writers.clone().without(alike)),
                None => out.join(&users.writers),
            };
        }
        for (set, matters) in [
            (&self.asking, of.asks),
            (&self.writing, of.judges),
            (&self.judging, !of.writes.is_empty()),
        ] {
            if matters {
                out.join(set);
            }
        }
        out
    }
}

fn quarrel(effects: &[Effects], a: usize, b: usize, moment: Moment) -> Option<Quarrel> {
    match moment {
        Moment::Instead => Some(Quarrel::BothReplace),
        _ => effects[a].quarrel(&effects[b]),
    }
}

/// The tests are part of what a rule reads; only the bodies decide whether the order of two shows.
fn is_idle(of: &Effects, rule: &Rule) -> bool {
    let nothing = |s: &Statement| s.kind == StatementKind::Nothing;
    let does_nothing = of.writes.is_empty() && of.does.is_empty() && of.plays.is_empty() && !of.asks;
    does_nothing && rule.body.statements.iter().all(nothing)
}
