//! Rules that begin what they wait for: each time round they come in again.
//!
//! Speaks only of rules that nothing can hold up: what else goes round is found when it is played.

use crate::errors;
use crate::load::Declared;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::Ruleset;
use omerta_syntax::tree::{Expr, ExprKind, ItemKind, Moment, Rule, StatementKind};
use omerta_syntax::walk;

/// Looks through all rules.
pub(super) fn lint(rules: &Ruleset, items: &[Declared], diagnostics: &mut Vec<Diagnostic>) {
    for declared in items {
        if let ItemKind::Rule(rule) = &declared.item.kind
            && goes_round(rules, rule)
        {
            diagnostics.push(errors::rule_begins_itself(&rule.name));
        }
    }
}

/// Whether a rule on the beginning or the end of something begins it itself, whatever has become of the
/// game in between.
fn goes_round(rules: &Ruleset, rule: &Rule) -> bool {
    let happening = &rule.happening;
    let waits_for = |name: &str| happening.names.iter().any(|own| own.text == name);
    let begins = |kind: &StatementKind| match kind {
        StatementKind::Play { scene, .. } => waits_for(&scene.text),
        StatementKind::Do(happen) => waits_for(&happen.event.text) && happen.of.is_none(),
        _ => false,
    };
    let holds_again = |when: &Expr| {
        let mut changes = false;
        walk::for_each_expr(when, &mut |part| changes |= may_change(rules, part, &waits_for));
        !changes
    };
    rule.moment != Moment::Instead
        && happening.of.is_none()
        && happening.by.is_none()
        && rule.when.as_ref().is_none_or(holds_again)
        && rule
            .body
            .statements
            .iter()
            .any(|statement| begins(&statement.kind))
}

/// Whether what is read here may be another thing the next time round.
fn may_change(rules: &Ruleset, part: &Expr, waits_for: &dyn Fn(&str) -> bool) -> bool {
    match &*part.kind {
        ExprKind::Times(scene) => waits_for(&scene.text),
        ExprKind::Query(query) => {
            let name = &query.name.text;
            !rules
                .options
                .iter()
                .any(|option| option.name == *name || option.values.iter().any(|value| value == name))
        }
        ExprKind::Planned(_) => true,
        _ => false,
    }
}
