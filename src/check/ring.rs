//! Rules that begin what they wait for: each time round they come in again.
//!
//! Speaks only of rules that nothing can hold up: what else goes round is found when it is played.

use crate::errors;
use crate::load::Declared;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::rules::Ruleset;
use omerta_syntax::settled::is_alike;
use omerta_syntax::tree::{BinaryOp, Expr, ExprKind, ItemKind, Moment, Name, Pattern, Rule, StatementKind};
use omerta_syntax::walk::{self, Part};
use std::collections::{BTreeMap, BTreeSet};

/// One thing begins another, whatever has become of the game in between.
struct Leads<'a> {
    /// What has begun, or is over.
    from: &'a str,
    /// What then begins.
    to: &'a str,
    /// Whether a rule brings it in.
    by_rule: bool,
    /// Whether that happens to somebody: it does again as long as nothing else is found when it is looked for.
    to_somebody: bool,
    /// Whether nothing else is.
    steady: bool,
}

/// Looks through all rules; `steady` are those that find all they read as it was.
pub(super) fn lint(
    rules: &Ruleset,
    steady: &BTreeSet<String>,
    items: &[Declared],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let kinds = || items.iter().map(|declared| &declared.item.kind);
    let mut all: BTreeMap<&str, Vec<Leads<'_>>> = BTreeMap::new();
    for lead in kinds().flat_map(|kind| leads(rules, kind, items, steady)) {
        all.entry(lead.from).or_default().push(lead);
    }
    let leads_on = all.values().flatten().map(|lead| (lead.from, lead.to)).collect();
    let back = leading_on(leads_on).into_iter().map(|(from, to)| (to, from));
    let rings: BTreeSet<&str> = { leading_on(back.collect()).into_iter() }
        .map(|(to, _)| to)
        .collect();
    all.retain(|from, _| rings.contains(from));
    let mut told = BTreeSet::new();
    for kind in kinds() {
        let (name, is_rule) = match kind {
            ItemKind::Rule(rule) => (&rule.name, true),
            ItemKind::Scene { name, .. } | ItemKind::Event { name, .. } => (name, false),
            _ => continue,
        };
        if !is_rule && told.contains(name.text.as_str()) {
            continue;
        }
        let is_steady = steady.contains(&name.text);
        let counts =
            |lead: &&Leads<'_>| (is_steady && lead.steady || !lead.to_somebody) && (is_rule || !lead.by_rule);
        let own = leads(rules, kind, items, steady);
        let in_ring = |lead: &&Leads<'_>| rings.contains(lead.from) && rings.contains(lead.to);
        let goes_round = own.iter().filter(in_ring).filter(counts).find_map(|own| {
            let mut reached = BTreeSet::from([own.to]);
            let mut next = vec![own.to];
            while let Some(at) = next.pop() {
                let further = all.get(at).into_iter().flatten().filter(counts);
                next.extend(further.map(|lead| lead.to).filter(|to| reached.insert(to)));
            }
            reached.contains(own.from).then_some((reached, own.to_somebody))
        });
        match goes_round {
            Some((_, to_somebody)) if is_rule => {
                diagnostics.push(errors::rule_begins_itself(name, to_somebody));
            }
            // Of those that begin one another one is told.
            Some((reached, _)) if reached.is_disjoint(&told) => {
                diagnostics.push(errors::begins_itself(name));
                told.extend(reached);
            }
            _ => {}
        }
    }
}

/// Those of some steps that a way without an end can take.
fn leading_on<'a>(mut steps: Vec<(&'a str, &'a str)>) -> Vec<(&'a str, &'a str)> {
    let mut further: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (from, to) in &steps {
        *further.entry(from).or_default() += 1;
        further.entry(to).or_default();
        before.entry(to).or_default().push(from);
    }
    let ends = further.iter().filter(|(_, steps)| **steps == 0);
    let mut ends: Vec<&str> = ends.map(|(name, _)| *name).collect();
    while let Some(end) = ends.pop() {
        for from in before.get(end).into_iter().flatten() {
            if let Some(left) = further.get_mut(from) {
                *left -= 1;
                ends.extend((*left == 0).then_some(*from));
            }
        }
    }
    steps.retain(|(_, to)| further[to] > 0);
    steps
}

/// What a scene, an event or a rule on one of them begins for certain.
fn leads<'a>(
    rules: &Ruleset,
    kind: &'a ItemKind,
    items: &[Declared],
    steady: &BTreeSet<String>,
) -> Vec<Leads<'a>> {
    let (froms, body): (Vec<&str>, _) = match kind {
        ItemKind::Scene { name, body, .. } | ItemKind::Event { name, body, .. }
            if !is_replaced(&name.text, items) =>
        {
            (vec![&name.text], body)
        }
        ItemKind::Rule(rule) if comes_in_again(rules, rule) => {
            let names = rule.happening.names.iter();
            (names.map(|name| name.text.as_str()).collect(), &rule.body)
        }
        _ => return Vec::new(),
    };
    let local = walk::parameters(kind).into_iter().chain(walk::bound_in(body));
    // Whoever it may be, it happens to him again.
    let anybody: Vec<&str> = match kind {
        ItemKind::Event { .. } => { walk::parameters(kind).into_iter() }
            .map(|name| name.text.as_str())
            .collect(),
        _ => patterns(kind)
            .filter_map(|of| Some(of.name.as_ref()?.text.as_str()))
            .collect(),
    };
    let local: Vec<&str> = local
        .map(|name| name.text.as_str())
        .filter(|name| !anybody.contains(name))
        .collect();
    let surely = body.statements.iter().take_while(|statement| {
        !walk::holds(Part::Statement(statement), &|kind| {
            matches!(
                kind,
                StatementKind::Stop | StatementKind::Leave(_) | StatementKind::End | StatementKind::Judgement
            )
        })
    });
    let begun = surely.filter_map(|statement| match &statement.kind {
        StatementKind::Play { scene, .. } => Some((&scene.text, false)),
        StatementKind::Do(happen) => {
            let mut is_known = true;
            walk::for_each_expr(Part::Statement(statement), &mut |part| {
                let name = part.bare_name();
                is_known &= name.is_none_or(|name| !local.contains(&name.text.as_str()));
            });
            let is_again = |of: &Pattern| happen.of.as_ref().is_none_or(|whom| is_among(whom, of));
            let is_known = is_known && patterns(kind).all(is_again);
            // There is always somebody to whom an event happens.
            let is_him = |name: &Name| happen.of.as_ref().is_some_and(|of| of.is_name(&name.text));
            let to_him = matches!(kind, ItemKind::Event { of: Some(him), .. } if is_him(&him.name));
            is_known.then_some((&happen.event.text, happen.of.is_some() && !to_him))
        }
        _ => None,
    });
    let lead = |(to, to_somebody): (&'a String, bool)| {
        froms
            .iter()
            .map(move |from| Leads {
                from,
                // `do same`: what the rule waits for.
                to: if to == "same" && kind.rule().is_some() {
                    from
                } else {
                    to
                },
                by_rule: matches!(kind, ItemKind::Rule(_)),
                to_somebody,
                steady: match kind {
                    ItemKind::Rule(rule) => steady.contains(&rule.name.text),
                    _ => true,
                },
            })
            .collect::<Vec<_>>()
    };
    begun.flat_map(lead).collect()
}

/// Whether those to whom it happens next are among those for whom a rule comes in.
fn is_among(whom: &Expr, of: &Pattern) -> bool {
    let is_him = |name: &Name| of.name.as_ref().is_some_and(|him| him.text == name.text);
    // Whom one leads to is another the next time, and may be nobody; somebody always sits beside one.
    let by_him = walk::holds_expr(whom, &|expr| expr.bare_name().is_some_and(is_him));
    match &*whom.inside().kind {
        _ if (!by_him || is_beside(whom.inside()))
            && (of.set.is_name("players") || is_alike(whom.inside(), &of.set)) =>
        {
            true
        }
        ExprKind::Binary(BinaryOp::Without, left, _) => is_among(left, of),
        _ => whom.inside().bare_name().is_some_and(is_him),
    }
}

/// `left of p`, `right of p`
fn is_beside(whom: &Expr) -> bool {
    let ExprKind::Query(query) = &*whom.kind else {
        return false;
    };
    ["left", "right"].contains(&query.name.text.as_str()) && query.among.is_none() && query.number.is_none()
}

/// To whom it must happen that a rule comes in.
fn patterns(kind: &ItemKind) -> impl Iterator<Item = &Pattern> {
    let of = match kind {
        ItemKind::Rule(rule) => &rule.happening.of[..],
        _ => &[],
    };
    of.iter()
}

/// Whether a rule may come in its place.
fn is_replaced(name: &str, items: &[Declared]) -> bool {
    items.iter().any(|declared| match &declared.item.kind {
        ItemKind::Rule(rule) => rule.moment == Moment::Instead && rule.waits_for(name),
        _ => false,
    })
}

/// Whether a rule on the beginning or the end of something comes in each time.
fn comes_in_again(rules: &Ruleset, rule: &Rule) -> bool {
    let happening = &rule.happening;
    // What it begins itself has another number the next time.
    let begins = |name: &str| {
        walk::holds(
            &rule.body,
            &|kind| matches!(kind, StatementKind::Play { scene, .. } if scene.text == name),
        )
    };
    let waits_for = |name: &str| rule.waits_for(name) || begins(name);
    let holds_again = |when: &Expr| !walk::holds_expr(when, &|part| may_change(rules, part, &waits_for));
    rule.moment != Moment::Instead
        && happening.of.iter().all(|of| of.set.bare_name().is_some())
        && happening.by.is_none()
        && rule.when.as_ref().is_none_or(holds_again)
}

/// Whether what is read here may be another thing the next time round.
fn may_change(rules: &Ruleset, part: &Expr, waits_for: &dyn Fn(&str) -> bool) -> bool {
    match &*part.kind {
        ExprKind::Times(scene) | ExprKind::During(scene) => waits_for(&scene.text),
        ExprKind::Query(query) => {
            let name = &query.name.text;
            let mut options = rules.options.iter();
            !options.any(|option| option.name == *name || option.values.contains(name))
        }
        ExprKind::Planned(_) => true,
        _ => false,
    }
}
