//! What the looks at a ruleset go by: its declarations, and which of them stand in the file that is checked.

use crate::course::Course;
use omerta_core::{
    rules::{GroupId, Ruleset},
    source::Span,
};
use omerta_syntax::{
    tree::{Block, Expr, ItemKind, Rule, Statement, StatementKind},
    walk::{self, Part, for_each_expr, for_each_statement},
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
        let names = set.words().iter().filter_map(Expr::bare_name);
        let groups = names.filter_map(|name| self.rules.group_named(&name.text));
        groups.collect()
    }

    /// Every statement of all declarations.
    pub fn each_statement(&self, visit: &mut dyn FnMut(&'a Statement)) {
        self.kinds().for_each(|kind| for_each_statement(kind, visit));
    }

    /// Every expression of all declarations.
    pub fn each_expr(&self, visit: &mut dyn FnMut(&'a Expr)) {
        self.kinds().for_each(|kind| for_each_expr(kind, visit));
    }

    pub fn rule_list(&self) -> impl Iterator<Item = &'a Rule> {
        self.kinds().filter_map(ItemKind::rule)
    }
}

/// Whether a name stands somewhere in an expression.
pub(super) fn names(expr: &Expr, name: &str) -> bool {
    walk::holds_expr(expr, &|part| part.is_name(name))
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
    let mut names = rule.happening.names.iter();
    names.any(|name| events.contains(&name.text))
}

/// Whether nothing goes on behind a block.
pub(super) fn goes_away(block: &Block) -> bool {
    let last = block.statements.last().map(|last| &last.kind);
    matches!(
        last,
        Some(StatementKind::Leave(_) | StatementKind::End | StatementKind::Stop)
    )
}

/// Whether a set is `present`, or narrowed to it.
pub(super) fn is_among(set: &Expr, present: &str) -> bool {
    set.words().iter().any(|part| part.is_name(present))
}
