//! What can be said of a sound ruleset before it is played, for whoever reads or writes it: when each rule's turn
//! comes among those on the same happening, and how many a set is at most.
//!
//! Says nothing where the words alone do not settle it.

use crate::load::Declared;
use crate::symbol::{Meaning, Symbols};
use crate::table::{DefineTable, RuleTable, Target};
use omerta_core::rules::{FactShape, GroupId, GroupKind, Ruleset};
use omerta_core::source::Span;
use omerta_syntax::tree::{
    BinaryOp, ClauseMode, Domain, Expr, ExprKind, ItemKind, Moment, Query, Statement, StatementKind,
};
use omerta_syntax::walk;
use std::collections::BTreeSet;

/// How many definitions are looked through.
const DEPTH: usize = 16;

/// Rules that wait for the same, in the order in which they come in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turns {
    /// What they wait for.
    pub happening: String,
    /// When they come in.
    pub moment: Moment,
    /// Their names.
    pub rules: Vec<String>,
}

/// The order of the rules, wherever several wait for the same.
pub fn turns(table: &RuleTable, rules: &Ruleset) -> Vec<Turns> {
    let several = table.groups().filter(|(_, _, all)| all.len() > 1);
    let turns = several.map(|(target, moment, all)| Turns {
        happening: name_of(target, rules),
        moment,
        rules: { all.iter() }
            .map(|&rule| table.list[rule].rule.name.text.clone())
            .collect(),
    });
    turns.collect()
}

fn name_of(target: &Target, rules: &Ruleset) -> String {
    match target {
        Target::Event(event) => rules.events[event.index()].name.clone(),
        Target::Scene(scene) => rules.scenes[scene.index()].name.clone(),
        Target::Word(name) | Target::Ending(name) => name.clone(),
        Target::Ability => "ability".to_owned(),
        Target::Choice => "choice".to_owned(),
        Target::End => "end".to_owned(),
    }
}

/// A set in the rules with how many are in it at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AtMost {
    /// Where it stands.
    pub span: Span,
    /// How many.
    pub count: u32,
}

/// What sets are counted by.
pub struct Counter<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The names.
    pub symbols: &'a Symbols,
    /// The definitions.
    pub defines: &'a DefineTable,
    /// The declarations.
    pub items: &'a [Declared],
}

impl Counter<'_> {
    /// The sets from which somebody chooses, through which rules go, and that are defined.
    pub fn sets(&self) -> Vec<AtMost> {
        let made = self.made();
        let mut found = Vec::new();
        for declared in self.items {
            let bound = walk::bound_in(&declared.item.kind).into_iter();
            let bound: BTreeSet<&str> = bound.map(|name| name.text.as_str()).collect();
            let count = Count {
                of: self,
                bound: &bound,
                made: made.as_ref(),
            };
            let mut note = |set: &Expr| {
                let (most, span) = (count.most(set, DEPTH), set.span);
                found.extend(most.map(|count| AtMost { span, count }));
            };
            if let ItemKind::Define { value, param, .. } = &declared.item.kind
                && param.is_none()
            {
                note(value);
            }
            walk::for_each_statement(&declared.item.kind, &mut |statement| {
                chosen_from(statement).into_iter().for_each(&mut note);
            });
        }
        found
    }

    /// The roles into which cards are turned while a game goes on; nothing where that cannot be told.
    fn made(&self) -> Option<BTreeSet<GroupId>> {
        let mut made = Some(BTreeSet::new());
        for declared in self.items {
            walk::for_each_statement(&declared.item.kind, &mut |statement| {
                if let StatementKind::Turn { role, .. } = &statement.kind {
                    let named = role
                        .bare_name()
                        .and_then(|name| self.rules.group_named(&name.text));
                    match (named, &mut made) {
                        (Some(role), Some(made)) => drop(made.insert(role)),
                        _ => made = None,
                    }
                }
            });
        }
        made
    }
}

/// The sets among which a statement lets somebody choose, or through which it goes.
fn chosen_from(statement: &Statement) -> Vec<&Expr> {
    let domains: Vec<&Domain> = match &statement.kind {
        StatementKind::ForEach { among, .. } => vec![among],
        StatementKind::Draw { domain, .. } => vec![domain],
        StatementKind::Ask(ask) => ask.domains(),
        _ => Vec::new(),
    };
    domains.into_iter().filter_map(Domain::set).collect()
}

/// Counts inside of one declaration.
struct Count<'a> {
    of: &'a Counter<'a>,
    /// What answers, loops and parameters are called there.
    bound: &'a BTreeSet<&'a str>,
    made: Option<&'a BTreeSet<GroupId>>,
}

impl Count<'_> {
    fn most(&self, set: &Expr, depth: usize) -> Option<u32> {
        match &*set.kind {
            ExprKind::Query(query) => self.query(query, depth),
            ExprKind::Group(inner) | ExprKind::Where { set: inner, .. } => self.most(inner, depth),
            ExprKind::Narrow(words) => words.iter().filter_map(|word| self.most(word, depth)).min(),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = (self.most(left, depth), self.most(right, depth));
                match op {
                    BinaryOp::Plus => left?.checked_add(right?),
                    BinaryOp::Else => Some(left?.max(right?)),
                    BinaryOp::Without => left,
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn query(&self, query: &Query, depth: usize) -> Option<u32> {
        let name = query.name.text.as_str();
        if self.bound.contains(name) {
            return None;
        }
        let symbol = self.of.symbols.get(name)?;
        match symbol.meaning {
            Meaning::Group(group) if query.of.is_none() => self.group(group),
            Meaning::Fact(fact) if query.of.is_none() => {
                (self.of.rules.facts[fact.index()].shape == FactShape::MarkOne).then_some(1)
            }
            Meaning::Define(define) if query.of.is_none() => self.defined(define, depth.checked_sub(1)?),
            _ => None,
        }
    }

    /// A role that says how many there may be, and into which no card is turned; of a team or a class all of them.
    fn group(&self, group: GroupId) -> Option<u32> {
        let rules = self.of.rules;
        let role = |id: GroupId| {
            let limit = rules.roles.get(id.index())?.limit?;
            (!self.made?.contains(&id)).then_some(u32::from(limit))
        };
        match rules.groups[group.index()].kind {
            GroupKind::Role => role(group),
            GroupKind::Team | GroupKind::Class => {
                let mut of_it = rules.roles_of(group);
                let first = role(of_it.next()?)?;
                of_it.try_fold(first, |sum, id| sum.checked_add(role(id)?))
            }
            _ => None,
        }
    }

    /// What a definition is worth, with what is included in it.
    fn defined(&self, define: usize, depth: usize) -> Option<u32> {
        let define = &self.of.defines.list[define];
        let included = define
            .clauses
            .iter()
            .filter(|(mode, _)| *mode == ClauseMode::Include);
        let clauses = define.bases.iter().chain(included.map(|(_, clause)| clause));
        let mut clauses = clauses.map(|clause| self.most(&clause.value, depth));
        let first = clauses.next()??;
        clauses.try_fold(first, |sum, most| sum.checked_add(most?))
    }
}
