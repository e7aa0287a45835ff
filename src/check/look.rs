//! What the looks at a ruleset go by: its declarations, and which of them stand in the file that is checked.

use crate::happening::performs;
use crate::load::Declared;
use omerta_core::{
    rules::{GroupId, Ruleset},
    source::{SourceId, Span},
};
use omerta_syntax::{
    tree::{Block, Expr, ExprKind, ItemKind, Rule, StatementKind},
    walk::{Part, for_each_expr, for_each_statement},
};
use std::collections::{BTreeMap, BTreeSet};

/// What is looked at, and the files that are checked: the base's own and those of the overlays.
pub(super) struct Look<'a> {
    pub rules: &'a Ruleset,
    pub items: &'a [Declared],
    pub own: &'a BTreeSet<SourceId>,
    /// What a `repeat` of the script goes through again and again.
    pub rounds: Vec<&'a Block>,
    /// The marks that somebody is given once, and keeps when he has left.
    pub offices: BTreeSet<&'a str>,
}

impl<'a> Look<'a> {
    pub fn new(rules: &'a Ruleset, items: &'a [Declared], own: &'a BTreeSet<SourceId>) -> Look<'a> {
        Look {
            rules,
            items,
            own,
            rounds: rounds(items),
            offices: BTreeSet::new(),
        }
    }

    pub fn kinds(&self) -> impl Iterator<Item = &'a ItemKind> {
        self.items.iter().map(|declared| &declared.item.kind)
    }

    pub fn is_own(&self, span: Span) -> bool {
        self.own.contains(&span.source)
    }

    /// The roles, teams and classes that a set is narrowed to: `living Guild`.
    pub fn groups_in(&self, set: &Expr) -> Vec<GroupId> {
        let parts = match &*set.inside().kind {
            ExprKind::Narrow(parts) => &parts[..],
            _ => std::slice::from_ref(set.inside()),
        };
        let names = parts.iter().filter_map(Expr::bare_name);
        names
            .filter_map(|name| self.rules.group_named(&name.text))
            .collect()
    }

    pub fn rule_list(&self) -> impl Iterator<Item = &'a Rule> {
        self.kinds().filter_map(|kind| match kind {
            ItemKind::Rule(rule) => Some(&**rule),
            _ => None,
        })
    }
}

/// The scenes that are played, by whatever is no scene, by the one that calls, and by those that these play.
pub(super) fn played(items: &[Declared]) -> BTreeSet<&str> {
    let (mut played, mut scenes, mut next) = (BTreeSet::new(), BTreeMap::new(), Vec::new());
    for declared in items {
        match &declared.item.kind {
            ItemKind::Scene { name, body, .. } if !performs(body) => {
                scenes.insert(name.text.as_str(), body);
            }
            kind => next.push(Part::Item(kind)),
        }
    }
    while let Some(part) = next.pop() {
        for_each_statement(part, &mut |statement| {
            if let StatementKind::Play { scene, .. } = &statement.kind {
                played.insert(scene.text.as_str());
                next.extend(scenes.remove(scene.text.as_str()).map(Part::Block));
            }
        });
    }
    played
}

/// What a `repeat` of the script goes through again and again: its own statements, and the scenes they play.
fn rounds(items: &[Declared]) -> Vec<&Block> {
    let (mut rounds, mut scenes) = (Vec::new(), BTreeMap::new());
    for declared in items {
        match &declared.item.kind {
            ItemKind::Script(body) => for_each_statement(body, &mut |statement| {
                if let StatementKind::Repeat(body) = &statement.kind {
                    rounds.push(body);
                }
            }),
            ItemKind::Scene { name, body, .. } => drop(scenes.insert(name.text.as_str(), body)),
            _ => {}
        }
    }
    let mut next = 0;
    while let Some(block) = rounds.get(next).copied() {
        next += 1;
        for_each_statement(block, &mut |statement| {
            if let StatementKind::Play { scene, .. } = &statement.kind {
                rounds.extend(scenes.remove(scene.text.as_str()));
            }
        });
    }
    rounds
}

/// Whether an expression is this name and nothing more.
pub(super) fn is_named(expr: &Expr, name: &str) -> bool {
    expr.bare_name().is_some_and(|own| own.text == name)
}

/// Whether a name stands somewhere in an expression.
pub(super) fn names(expr: &Expr, name: &str) -> bool {
    let mut stands = false;
    for_each_expr(Part::Expr(expr), &mut |part| stands |= is_named(part, name));
    stands
}

/// Whether a statement gives somebody a mark.
pub(super) fn gives_mark(kind: &StatementKind, mark: &str) -> bool {
    matches!(kind, StatementKind::Mark { names, .. } if names.iter().any(|name| name.text == mark))
}

/// What a declaration, a block or a statement reads.
pub(super) fn read_in<'a>(part: impl Into<Part<'a>>) -> BTreeSet<&'a str> {
    let mut read = BTreeSet::new();
    part.into().each(&mut |part| {
        if let Part::Reads(name) = part {
            read.insert(name.text.as_str());
        }
        true
    });
    read
}

/// Whether a rule waits for one of these.
pub(super) fn waits_for(rule: &Rule, events: &BTreeSet<String>) -> bool {
    rule.happening
        .names
        .iter()
        .any(|name| events.contains(&name.text))
}

/// What says whether a rule comes in: whom it waits for, and its condition.
pub(super) fn tests_of(rule: &Rule) -> impl Iterator<Item = &Expr> {
    let happening = &rule.happening;
    let patterns = happening.of.iter().chain(&happening.by);
    patterns.map(|pattern| &pattern.set).chain(&rule.when)
}

/// Whether a set is `present`, or narrowed to it.
pub(super) fn is_among(set: &Expr, present: &str) -> bool {
    match &*set.inside().kind {
        ExprKind::Narrow(parts) => parts.iter().any(|part| is_named(part, present)),
        _ => is_named(set.inside(), present),
    }
}
