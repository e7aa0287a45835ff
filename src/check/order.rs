//! What rules read and write, and whether two of them may come in any order.

use crate::effects::{Effects, Quarrel, Touch};
use crate::table::{RuleTable, Target};
use crate::{errors, layer::Layer};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::{EventId, SceneId};
use omerta_syntax::tree::{Moment, Rule};
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
/// it, asks, draws, plays a scene or ends the game.
pub fn steady(reach: &Reach<'_>, effects: &[Effects]) -> BTreeSet<String> {
    let matters = |touch: &&Touch| !matches!(touch, Touch::Words | Touch::Flow);
    let is_steady = |of: &Effects| {
        let mut written = of.writes.iter().filter(matters);
        !of.asks && !of.judges && of.plays.is_empty() && !written.any(|touch| of.reads.contains(touch))
    };
    let rules = reach.table.list.iter().zip(effects);
    let steady = rules.filter(|(_, effects)| is_steady(effects));
    steady.map(|(entry, _)| entry.rule.name.text.clone()).collect()
}

/// Reports rules on one happening that do not commute and that no `before` or `after` puts in order:
/// an error between overlays, a warning inside one layer.
///
/// `apart` says of two rules that nobody can be of both sets they wait for.
pub fn check_order(
    reach: &Reach<'_>,
    effects: &[Effects],
    name_of: &dyn Fn(Touch) -> String,
    apart: &dyn Fn(&Rule, &Rule) -> bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut told = BTreeSet::new();
    for (_, moment, rules) in reach.table.groups() {
        for (i, &a) in rules.iter().enumerate() {
            for &b in &rules[i + 1..] {
                let pair = (a.min(b), a.max(b));
                if reach.table.is_ordered(a, b) || !told.insert(pair) {
                    continue;
                }
                let Some(quarrel) = quarrel(reach.table, effects, a, b, moment) else {
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
