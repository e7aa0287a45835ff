//! What the looks at a ruleset go by: its declarations, and which of them stand in the file that is checked.

use crate::course::Course;
use omerta_core::{
    rules::{GroupId, Ruleset},
    source::Span,
};
use omerta_syntax::{
    tree::{Expr, ExprKind, ItemKind, Rule, StatementKind},
    walk::{Part, for_each_expr},
};
use std::collections::BTreeSet;

/// What is looked at.
pub(super) struct Look<'a> {
    pub rules: &'a Ruleset,
    pub course: &'a Course<'a>,
    /// The marks that somebody is given once, and keeps when he has left.
    pub offices: BTreeSet<&'a str>,
}

impl<'a> Look<'a> {
    pub fn new(rules: &'a Ruleset, course: &'a Course<'a>) -> Look<'a> {
        Look {
            rules,
            course,
            offices: BTreeSet::new(),
        }
    }

    pub fn kinds(&self) -> impl Iterator<Item = &'a ItemKind> {
        self.course.kinds()
    }

    pub fn is_own(&self, span: Span) -> bool {
        self.course.is_own(span)
    }

    pub fn is_ours(&self, span: Span) -> bool {
        self.course.is_ours(span)
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

/// Whether a set is `present`, or narrowed to it.
pub(super) fn is_among(set: &Expr, present: &str) -> bool {
    match &*set.inside().kind {
        ExprKind::Narrow(parts) => parts.iter().any(|part| is_named(part, present)),
        _ => is_named(set.inside(), present),
    }
}
