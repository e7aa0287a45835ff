//! Numbers that are passed without ever being there, and tables of numbers with nothing for some.

use crate::conditions::Tests;
use crate::look::{is_among, names, read_in, waits_for};
use crate::unjudged::judges;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::plural::so_many;
use omerta_core::source::Span;
use omerta_syntax::settled::{by_range, is_alike, number};
use omerta_syntax::tree::{CompareOp, Expr, ExprKind, ItemKind, Name, Of};
use omerta_syntax::walk::{for_each_expr, for_each_statement, holds, holds_expr};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Tests<'_, 'a> {
    /// An ending that wants so many to be there, or two numbers of those who are there to be alike, with none for when that has
    /// been passed; a count that is changed by steps of two sizes and tested for one value.
    pub fn check_jumped(&self, diagnostics: &mut Vec<Diagnostic>) {
        let counted = |of: &'a Expr| match &*of.inside().kind {
            ExprKind::NumberOf(set) => set,
            _ => of,
        };
        let endings = self.look.kinds().filter_map(|kind| match kind {
            ItemKind::Ending(ending) => Some(&ending.when),
            _ => None,
        });
        let endings: Vec<&Expr> = endings.collect();
        let mut beyond = Vec::new();
        for when in &endings {
            for_each_expr(*when, &mut |expr| match &*expr.kind {
                ExprKind::Compare(left, op, of, right)
                    if !matches!(op, CompareOp::Is | CompareOp::IsNot | CompareOp::Exactly) =>
                {
                    beyond.push(counted(left));
                    beyond.extend((*of == Of::All).then(|| counted(right)));
                }
                _ => {}
            });
        }
        let tests: Vec<&Expr> = endings.into_iter().flat_map(ways).collect();
        // Whoever looks for the next number as well has thought of it.
        let is_also = |set: &Expr, wanted: &Expr| {
            tests.iter().any(|test| match &*test.kind {
                ExprKind::Compare(left, _, _, right) => {
                    is_alike(counted(left), set) && number(right).is_some() && !is_alike(right, wanted)
                }
                ExprKind::No(of) => is_alike(of, set) && number(wanted) == Some(1),
                _ => false,
            })
        };
        let present = self.look.present();
        let present = present.filter(|present| self.several_leave_at_once(present));
        for test in &tests {
            let Some((left, CompareOp::Is, right)) = test.comparison() else {
                continue;
            };
            let is_passed = |of: &Expr| beyond.iter().any(|other| is_alike(of, other)) || is_also(of, right);
            let (one, other) = (counted(left), counted(right));
            let is_jumped = present.is_some_and(|present| {
                self.hangs_on_who_leaves(left, present)
                    && (number(right).is_some_and(|wanted| wanted > 0)
                        || self.hangs_on_who_leaves(right, present) && !self.is_part_of_other(one, other))
            });
            if is_jumped && !is_passed(one) && !is_passed(other) && self.look.is_ours(test.span) {
                diagnostics.push(jumped_over(test.span));
            }
        }
        for kind in self.look.kinds() {
            for_each_expr(kind, &mut |expr| {
                if let Some((left, CompareOp::Is, right)) = expr.comparison()
                    && let (Some((start, counted)), Some(wanted)) = (self.count(left), number(right))
                    && counted.jumps_over(wanted - start)
                    && self.look.is_ours(expr.span)
                    && !self.is_tested_otherwise(left, wanted)
                    && let Some(widest) = counted.widest
                {
                    diagnostics.push(stepped_over(expr.span, widest));
                }
            });
        }
    }

    /// Whether a number is one of those who are there, or of those who have left.
    fn hangs_on_who_leaves(&self, number: &Expr, present: &str) -> bool {
        let ExprKind::NumberOf(set) = &*number.inside().kind else {
            return false;
        };
        let read = self.look.read_by(present);
        let is_of_departed = |name: &Name| read.contains(name.text.as_str());
        is_among(set, present) || set.bare_name().is_some_and(is_of_departed)
    }

    /// Whether whoever is counted in one of two sets is in the other as well: then one number is the other's bound.
    fn is_part_of_other(&self, one: &Expr, other: &Expr) -> bool {
        let rules = self.look.rules;
        let (ones, others) = (self.look.groups_in(one), self.look.groups_in(other));
        let is_of = |one, other| rules.is_of(one, other) || rules.is_of(other, one);
        let meets = |one| others.iter().any(|other| is_of(one, *other));
        ones.is_empty() || others.is_empty() || ones.into_iter().any(meets)
    }

    /// Whether more than one may leave before it is judged: two cards bring about one event, or a rule takes somebody along.
    fn several_leave_at_once(&self, present: &str) -> bool {
        let leaving = self.look.leaving(present, false);
        let mut brought_about: BTreeMap<&str, usize> = BTreeMap::new();
        let mut taken_along = false;
        for kind in self.look.kinds() {
            let mut events = BTreeSet::new();
            for_each_statement(kind, &mut |statement| {
                let event = statement
                    .kind
                    .brings_about()
                    .map(|happen| happen.event.text.as_str());
                events.extend(event);
            });
            match kind {
                ItemKind::Role(_) | ItemKind::Team { .. } => {
                    events
                        .into_iter()
                        .for_each(|event| *brought_about.entry(event).or_default() += 1);
                }
                // Where it is judged in between, they leave one after the other.
                ItemKind::Rule(rule) => {
                    let leaves = events.iter().any(|event| leaving.contains(*event));
                    taken_along |= leaves && !holds(&rule.body, &judges);
                }
                _ => {}
            }
        }
        let mut rules = self.look.rule_list();
        let judged = rules.any(|rule| waits_for(rule, &leaving) && holds(&rule.body, &judges));
        taken_along && !judged || brought_about.values().any(|cards| *cards > 1)
    }

    /// Whether a count is tested elsewhere for another value, or otherwise.
    fn is_tested_otherwise(&self, count: &Expr, wanted: i64) -> bool {
        let ExprKind::Query(count) = &*count.kind else {
            return false;
        };
        let tests = |expr: &Expr| match &*expr.kind {
            ExprKind::Compare(left, op, _, right) => {
                let is_it =
                    matches!(&*left.kind, ExprKind::Query(query) if query.name.text == count.name.text);
                is_it && (*op != CompareOp::Is || number(right) != Some(wanted))
            }
            _ => false,
        };
        self.look.kinds().any(|kind| holds_expr(kind, &tests))
    }

    // ---- Tables of numbers

    /// A table of numbers by how many play or by an option, with no column for some of those for whom there is a cast, or for a
    /// value of the option; where nothing else says what it is then, and nobody who reads it looks.
    pub fn gap_in_table(&self, kind: &'a ItemKind) -> Option<Diagnostic> {
        let ItemKind::Define { name, value, .. } = kind else {
            return None;
        };
        let is_number = |(value, _): &(Expr, Expr)| number(value).is_some();
        let mut rows = table_of(value)?.iter().filter_map(|(row, _)| table_of(row));
        let columns = rows.find(|columns| columns.iter().all(is_number))?;
        let (first, last) = (&columns.first()?.1, &columns.last()?.1);
        let (head, values) = self.values_of(headed(first)?)?;
        let is_for = |value: i64| columns.iter().any(|(_, test)| holds_of(test, value));
        let missing: Vec<String> = { values.into_iter() }
            .filter(|value| !is_for(*value))
            .map(|value| value.to_string())
            .collect();
        let looks = |kind: &ItemKind| {
            let read = read_in(kind);
            read.contains(name.text.as_str()) && read.contains(head)
        };
        let says = |other: &&ItemKind| match other {
            ItemKind::Clause(clause) => clause.name.text == name.text,
            ItemKind::Require { test, .. } => names(test, head),
            other => !std::ptr::eq(*other, kind) && (looks(other) || is_compared(other, &name.text)),
        };
        let columns = first.span.to(last.span);
        let is_told =
            !missing.is_empty() && self.look.is_ours(columns) && !self.look.kinds().any(|kind| says(&kind));
        let missing = match head {
            "players" => so_many(missing.join(", "), "player"),
            option => format!("`{option}` {}", missing.join(", ")),
        };
        is_told.then(|| no_column(columns, &missing))
    }

    /// What columns may be headed by, and the values that it can have: how many play, if there is a cast for them, and an option.
    fn values_of<'e>(&self, head: &'e Expr) -> Option<(&'e str, Vec<i64>)> {
        let rules = self.look.rules;
        if let ExprKind::NumberOf(set) = &*head.kind {
            let (least, most) = rules.seats;
            let is_cast = |players: &u8| {
                let mut columns = rules.casts.iter().flat_map(|cast| &cast.columns);
                rules.casts.is_empty() || columns.any(|column| (column.from..=column.to).contains(players))
            };
            let is_meant = set.is_name("players") && self.says_how_many;
            return is_meant.then(|| ("players", (least..=most).filter(is_cast).map(i64::from).collect()));
        }
        let name = head.bare_name()?.text.as_str();
        let option = rules.options.iter().find(|option| option.name == name)?;
        let mut values = Vec::new();
        for value in &option.values {
            let (least, most) = value.split_once("..").unwrap_or((value, value));
            values.extend(least.parse().ok()?..=most.parse::<i64>().ok()?);
        }
        Some((name, values))
    }
}

/// The rows of a table, or the columns of one of its rows, where nothing stands for all others.
fn table_of(value: &Expr) -> Option<&[(Expr, Expr)]> {
    match &*value.kind {
        ExprKind::Cases { cases, otherwise } if otherwise.is_none() => Some(cases),
        _ => None,
    }
}

/// Whether a declaration tests what a definition comes to.
fn is_compared(kind: &ItemKind, name: &str) -> bool {
    let is_it =
        |left: &Expr| matches!(&*left.inside().kind, ExprKind::Query(query) if query.name.text == name);
    holds_expr(
        kind,
        &|expr| matches!(&*expr.kind, ExprKind::Compare(left, ..) if is_it(left)),
    )
}

/// What a column of a table is about: what is compared first.
fn headed(test: &Expr) -> Option<&Expr> {
    match &*test.kind {
        ExprKind::And(parts) => headed(parts.first()?),
        ExprKind::Compare(left, _, Of::All, _) => Some(left),
        _ => None,
    }
}

/// Whether a test of a column holds of a value.
fn holds_of(test: &Expr, value: i64) -> bool {
    match &*test.kind {
        ExprKind::And(parts) => parts.iter().all(|part| holds_of(part, value)),
        _ => by_range(test, (Some(value), Some(value))) == Some(true),
    }
}

/// The tests of which one is enough.
fn ways(test: &Expr) -> Vec<&Expr> {
    match &*test.inside().kind {
        ExprKind::Or(parts) => parts.iter().flat_map(ways).collect(),
        _ => vec![test.inside()],
    }
}

mistakes! {
    fn no_column(columns: Span, missing: &str) = warning "cast-gap" ("M0703", columns):
        format!("the table says nothing about {missing}"), "no column for them: what is read there is 0, no or nobody",
        help "add a column for them";

    fn jumped_over(test: Span) = warning "jumped-over" ("M0762", test):
        "two at once may jump over this", "holds where it comes to just this number",
        help "write `is at least`, or `is at most`, which holds beyond it as well";

    fn stepped_over(test: Span, widest: Span) = warning "jumped-over" ("M0762", test):
        "a step of more than one may jump over this", "holds where it comes to just this number",
        also widest, "the step",
        help "write `is at least`, or `is at most`: that goes on holding, so what shall come once wants a flag beside it";
}
