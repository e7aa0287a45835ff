//! Finds for each rule what it waits for, and how events come.

use crate::collect::Collected;
use crate::errors;
use crate::layer::Layer;
use crate::load::Declared;
use crate::symbol::Meaning;
use crate::table::Target;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::source::Span;
use omerta_syntax::tree::{Block, Expr, ExprKind, ItemKind, Moment, Name, Param, Rule, StatementKind};
use omerta_syntax::walk::{for_each_expr, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How events come.
#[derive(Clone, Debug, Default)]
pub struct Batches {
    /// Those that are never planned, and happen to one at a time.
    pub by_ones: BTreeSet<String>,
    /// Those that are planned at one place, for one player, and there once.
    pub once: BTreeSet<String>,
    /// For whom each is planned, at every place where it is.
    pub plans: BTreeMap<String, Vec<Expr>>,
    /// Those of which two that are planned need not come in one batch.
    pub apart: BTreeSet<String>,
}

/// Among whom each name is asked for in a declaration, where it is asked for once.
fn domains(kind: &ItemKind) -> BTreeMap<&str, &Expr> {
    let (mut domains, mut again) = (BTreeMap::new(), BTreeSet::new());
    for_each_statement(kind, &mut |statement| {
        if let StatementKind::Ask(ask) = &statement.kind
            && let Some((name, set)) = ask.asked_from()
            && domains.insert(name.text.as_str(), set).is_some()
        {
            again.insert(name.text.as_str());
        }
    });
    domains.retain(|name, _| !again.contains(name));
    domains
}

/// Looks at every place where an event is planned or made to happen; `several` are the names that may be several.
pub fn batches(items: &[Declared], several: &BTreeSet<&str>) -> Batches {
    let mut batches = Batches::default();
    let mut to_several = BTreeSet::new();
    let is_one = |of: &Expr| {
        of.bare_name()
            .is_some_and(|name| !several.contains(name.text.as_str()))
    };
    let mut settled: BTreeMap<&str, usize> = BTreeMap::new();
    // Where a call does what is on the card for each of several, it does so again and again.
    let is_perform = |kind: &StatementKind| matches!(kind, StatementKind::Perform { .. });
    let again = items.iter().any(|declared| {
        let each = |kind: &StatementKind| matches!(kind, StatementKind::ForEach { body, .. } if holds(body, &is_perform));
        holds(&declared.item.kind, &each)
    });
    for declared in items {
        let mut in_loops = BTreeSet::new();
        for_each_statement(&declared.item.kind, &mut |statement| {
            if let StatementKind::ForEach { body, .. } | StatementKind::Repeat(body) = &statement.kind {
                for_each_statement(body, &mut |inner| in_loops.extend([inner.span]));
            }
        });
        let comes_once = match &declared.item.kind {
            ItemKind::Role(_) | ItemKind::Team { .. } => !again,
            ItemKind::Scene { .. } | ItemKind::Script(_) => true,
            _ => false,
        };
        let domains = domains(&declared.item.kind);
        for_each_expr(&declared.item.kind, &mut |expr| {
            if let ExprKind::Planned(event) = &*expr.kind {
                *settled.entry(&event.text).or_default() += 2;
            }
        });
        for_each_statement(&declared.item.kind, &mut |statement| match &statement.kind {
            StatementKind::Plan(happen) => {
                let plans = batches.plans.entry(happen.event.text.clone()).or_default();
                let of = happen.of.as_ref();
                let one = comes_once && of.is_some_and(is_one) && !in_loops.contains(&statement.span);
                match one && plans.is_empty() {
                    true => drop(batches.once.insert(happen.event.text.clone())),
                    false => drop(batches.once.remove(&happen.event.text)),
                }
                let from = of.and_then(|of| domains.get(of.bare_name()?.text.as_str()).copied());
                plans.extend(from.or(of).cloned());
            }
            kind @ (StatementKind::Settle(events) | StatementKind::Cancel { events, .. }) => {
                let times = if matches!(kind, StatementKind::Settle(_)) {
                    1
                } else {
                    2
                };
                events
                    .iter()
                    .for_each(|event| *settled.entry(&event.text).or_default() += times);
            }
            StatementKind::Do(happen) if !happen.of.as_ref().is_none_or(is_one) => {
                to_several.insert(happen.event.text.clone());
            }
            StatementKind::Do(happen) => drop(batches.by_ones.insert(happen.event.text.clone())),
            _ => {}
        });
    }
    // Where plans are looked at, called off or settled more than once, two need not come together.
    batches.apart = { settled.into_iter() }
        .filter(|(_, times)| *times > 1)
        .map(|(event, _)| event.to_owned())
        .collect();
    let plans = &batches.plans;
    batches
        .by_ones
        .retain(|event| !to_several.contains(event) && !plans.contains_key(event));
    batches.once.retain(|event| !to_several.contains(event));
    batches
}

type Words = BTreeMap<String, (Layer, Span)>;

/// Sorts the rules by what they wait for and by the words that order them.
pub fn place_rules(collected: &mut Collected, items: &[Declared], diagnostics: &mut Vec<Diagnostic>) {
    let words = words_of(items);
    let rules = collected.rule_table.list.iter();
    let rules: Vec<(Rule, Layer)> = rules.map(|entry| (entry.rule.clone(), entry.layer)).collect();
    for (index, (rule, layer)) in rules.iter().enumerate() {
        for name in &rule.happening.names {
            let Some(target) = target(collected, &words, name, *layer, diagnostics) else {
                continue;
            };
            let possible: Option<&[&str]> = match (&target, rule.moment) {
                (Target::Choice, Moment::Before | Moment::Instead) => Some(&["after"]),
                (Target::Ending(_), Moment::After) => Some(&["before", "instead of"]),
                (Target::End, Moment::Instead | Moment::After) => Some(&["before"]),
                _ => None,
            };
            let impossible = |moments| errors::moment_not_possible(name, rule.moment_span, moments);
            diagnostics.extend(possible.map(impossible));
            if rule.each && !matches!(target, Target::Event(_)) {
                diagnostics.push(errors::each_of_no_event(name, rule.moment_span));
            }
            let on_it = collected.rule_table.by_target.entry((target, rule.moment));
            on_it.or_default().push(index);
        }
    }
    for (index, (rule, _)) in rules.iter().enumerate() {
        for order in &rule.order {
            let Some(other) = rules.iter().position(|(r, _)| r.name.text == order.name.text) else {
                let known = rules.iter().map(|(r, _)| r.name.text.as_str());
                let known: Vec<&str> = known.take(errors::guesses(diagnostics.len())).collect();
                diagnostics.push(errors::unknown_rule(&order.name, &known));
                continue;
            };
            collected.rule_table.ordered.insert(if order.before {
                (index, other)
            } else {
                (other, index)
            });
        }
    }
}

/// A rule on a name for several events is one on each of them.
pub fn spread(items: &mut [Declared]) {
    let group = |declared: &Declared| match &declared.item.kind {
        ItemKind::EventGroup { name, events } => Some((name.text.clone(), events.clone())),
        _ => None,
    };
    let groups: BTreeMap<String, Vec<Name>> = items.iter().filter_map(group).collect();
    if groups.is_empty() {
        return;
    }
    for declared in items {
        let is_several = |name: &Name| groups.contains_key(&name.text);
        let waits_for_several = |rule: &Rule| rule.happening.names.iter().any(is_several);
        if !declared.item.kind.rule().is_some_and(waits_for_several) {
            continue;
        }
        let ItemKind::Rule(rule) = &mut Arc::make_mut(&mut declared.item).kind else {
            continue;
        };
        let mut names: Vec<Name> = Vec::new();
        for name in &rule.happening.names {
            let several = groups.get(&name.text).into_iter().flatten();
            let mut each: Vec<Name> = several.map(|event| Name::new(&*event.text, name.span)).collect();
            if !groups.contains_key(&name.text) {
                each.push(name.clone());
            }
            each.retain(|name| names.iter().all(|other| other.text != name.text));
            names.extend(each);
        }
        rule.happening.names = names;
    }
}

fn target(
    collected: &mut Collected,
    words: &Words,
    name: &Name,
    layer: Layer,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Target> {
    match name.text.as_str() {
        "ability" => return Some(Target::Ability),
        "choice" => return Some(Target::Choice),
        "end" => return Some(Target::End),
        _ => {}
    }
    let symbol = collected
        .symbols
        .get(&name.text)
        .map(|s| (s.meaning, s.span, s.layer));
    let ending = collected.endings.iter().find_map(|(ending, layer)| {
        let own = ending.name.as_ref().filter(|own| own.text == name.text)?;
        Some((own.span, *layer))
    });
    let (target, declared, by) = match symbol {
        Some((Meaning::Event(event), span, by)) => (Target::Event(event), span, by),
        Some((Meaning::Scene(scene), span, by)) => (Target::Scene(scene), span, by),
        _ => match (words.get(&name.text), ending) {
            (Some((by, span)), _) => (Target::Word(name.text.clone()), *span, *by),
            (None, Some((span, by))) => (Target::Ending(name.text.clone()), span, by),
            (None, None) => {
                let guesses = errors::guesses(diagnostics.len());
                diagnostics.push(unknown(collected, words, (name, layer), guesses));
                return None;
            }
        },
    };
    if layer != Layer::Base && by == Layer::Base && !collected.symbols.published.contains(&name.text) {
        diagnostics.push(errors::not_published(
            name,
            declared,
            &collected.symbols.published,
            (&collected.symbols.grounds, layer),
        ));
    }
    Some(target)
}

fn unknown(
    collected: &Collected,
    words: &Words,
    (name, layer): (&Name, Layer),
    guesses: usize,
) -> Diagnostic {
    let happens = collected
        .symbols
        .iter()
        .filter(|(_, s)| matches!(s.meaning, Meaning::Event(_) | Meaning::Scene(_)))
        .map(|(n, _)| n);
    let endings = collected
        .endings
        .iter()
        .filter_map(|(e, _)| e.name.as_ref())
        .map(|n| n.text.as_str());
    let known: Vec<&str> = happens
        .chain(words.keys().map(String::as_str))
        .chain(endings)
        .chain(["ability", "choice", "end"])
        .take(guesses)
        .collect();
    let named = |is: fn(Meaning) -> bool| -> Vec<&str> {
        let named = collected.symbols.iter().filter(|(_, symbol)| is(symbol.meaning));
        named.map(|(name, _)| name).collect()
    };
    let scenes = named(|meaning| matches!(meaning, Meaning::Scene(_)));
    let events = named(|meaning| matches!(meaning, Meaning::Event(_)));
    let mut rules = collected.rule_table.list.iter().map(|entry| &entry.rule);
    if let Some(rule) = rules.rfind(|rule| rule.name.text == name.text) {
        return errors::happening_is_a_rule(name, rule);
    }
    let found = errors::unknown_happening(
        name,
        (&known, &events, &scenes),
        (&collected.symbols.grounds, layer),
    );
    match collected.symbols.meaning(&name.text) {
        Some(Meaning::Group(_)) => found.help(format!(
            "a rule waits for what happens: `before ability by {0} as p` for what the card does, `before kill of {0} as p` for what is done to who holds it",
            name.text
        )),
        _ => found,
    }
}

/// Names that are declared without being values: words, endings, rules.
pub fn names_of(collected: &Collected, items: &[Declared]) -> std::collections::BTreeSet<String> {
    let rules = collected.rule_table.list.iter().map(|r| &r.rule.name);
    let endings = collected.endings.iter().filter_map(|(e, _)| e.name.as_ref());
    let offers = collected.offers.iter().map(|(o, _)| &o.name);
    let declared = rules.chain(endings).chain(offers).map(|n| n.text.clone());
    declared.chain(words_of(items).into_keys()).collect()
}

/// The names that words carry, with who said them first.
fn words_of(items: &[Declared]) -> Words {
    let mut words = Words::new();
    for declared in items {
        for_each_statement(&declared.item.kind, &mut |statement| {
            let (StatementKind::Say { name, .. }
            | StatementKind::Tell { name, .. }
            | StatementKind::Show { name, .. }
            | StatementKind::Wait { name, .. }) = &statement.kind
            else {
                return;
            };
            if let Some(name) = name {
                words
                    .entry(name.text.clone())
                    .or_insert((declared.layer, name.span));
            }
        });
    }
    words
}

/// Whether a scene says how a call goes: it performs what hangs on a card, all together, or each for himself what hangs
/// on the card that it is handed.
pub fn performs(card: Option<&str>, block: &Block) -> bool {
    holds(block, &StatementKind::performs) || performs_one_by_one(card, block)
}

/// `for each p of … { perform c by p }`, of the card that a scene is handed.
pub fn performs_one_by_one(card: Option<&str>, block: &Block) -> bool {
    let is = |expr: &Expr, name: Option<&str>| {
        expr.bare_name().map(|name| name.text.as_str()) == name && name.is_some()
    };
    let for_one = |kind: &StatementKind, one: &Name| match kind {
        StatementKind::Perform {
            card: part,
            purpose: None,
            by: Some(by),
        } => is(part, card) && is(by, Some(&one.text)),
        _ => false,
    };
    holds(block, &|kind| match kind {
        StatementKind::ForEach {
            name: Some(one),
            body,
            ..
        } => holds(body, &|kind| for_one(kind, one)),
        _ => false,
    })
}

/// What a scene is handed first.
pub fn handed(params: &[Param]) -> Option<&str> {
    params.first().map(|param| param.name.text.as_str())
}
