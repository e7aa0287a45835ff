//! Rules in which names are spelt out: what a definition, a `let` or what the only play of a scene hands on means stands
//! where the name is read. What is told of a set is told of its names as well, then.

use crate::load::Declared;
use crate::look::read_in;
use omerta_core::codes::Class;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::source::Span;
use omerta_syntax::moved::{Change, Moves};
use omerta_syntax::tree::{BinaryOp, CompareOp, Expr, ExprKind, ItemKind, Of, Query, StatementKind};
use omerta_syntax::walk;
use std::collections::BTreeMap;
use std::sync::Arc;

/// So often names are spelt out in one declaration, at most.
const MOST: usize = 200;

/// Declarations in which names are spelt out.
pub(super) struct SpeltOut {
    pub items: Vec<Declared>,
    /// Where a name stood, and where stands what it means.
    meant: BTreeMap<Span, Span>,
}

impl SpeltOut {
    /// None where nothing has to be spelt out.
    pub fn of(items: &[Declared]) -> Option<SpeltOut> {
        let known = Known::of(items);
        let mut spelt = SpeltOut {
            items: items.to_vec(),
            meant: BTreeMap::new(),
        };
        let mut changed = false;
        for (declared, told) in items.iter().zip(&mut spelt.items) {
            let mut change = Spelling::of(&declared.item.kind, &known);
            if change.is_due(&declared.item.kind) {
                let mut item = (*declared.item).clone();
                item.go(&mut change);
                told.item = Arc::new(item);
                spelt.meant.append(&mut change.meant);
                changed |= change.changed;
            }
        }
        changed.then_some(spelt)
    }

    /// Adds what is told of them besides what was told of the names.
    pub fn add(&self, told: Vec<Diagnostic>, diagnostics: &mut Vec<Diagnostic>) {
        for mut told in told {
            let meant = self.meant.get(&told.span()).copied();
            let is_told = |known: &Diagnostic| {
                let at = known.span();
                let is_there =
                    |place: Span| place.source == at.source && place.start <= at.start && at.end <= place.end;
                known.code == told.code && (at == told.span() || meant.is_some_and(is_there))
            };
            if told.code.is(Class::OfASet) && !diagnostics.iter().any(is_told) {
                // What would be written stands in the meaning, not here.
                told.repairs = told.repairs.filter(|_| meant.is_none());
                diagnostics.push(told.also(meant, "this is what it means"));
            }
        }
    }
}

/// What a name means: an expression, perhaps of something.
#[derive(Clone, Copy)]
struct Meaning<'a> {
    of: Option<&'a str>,
    value: &'a Expr,
}

/// What names mean everywhere, and in one scene.
struct Known<'a> {
    definitions: BTreeMap<&'a str, Meaning<'a>>,
    handed: BTreeMap<&'a str, Vec<Option<&'a [Expr]>>>,
}

impl<'a> Known<'a> {
    fn of(items: &'a [Declared]) -> Known<'a> {
        let mut meanings: BTreeMap<&str, Vec<Option<Meaning<'_>>>> = BTreeMap::new();
        let mut handed: BTreeMap<&str, Vec<_>> = BTreeMap::new();
        for declared in items {
            let kind = &declared.item.kind;
            match kind {
                ItemKind::Define { name, param, value } => {
                    let of = param.as_ref().map(|param| param.name.text.as_str());
                    let all = meanings.entry(&name.text).or_default();
                    all.push(Some(Meaning { of, value }));
                }
                ItemKind::Clause(clause) => meanings.entry(&clause.name.text).or_default().push(None),
                _ => {}
            }
            let bound = walk::bound_in(kind);
            walk::for_each_statement(kind, &mut |statement| {
                if let StatementKind::Play { scene, of } = &statement.kind {
                    let reads_bound = of.iter().any(|one| {
                        reads(one, &|name| {
                            bound.iter().any(|known| known.text == name) || name == "me"
                        })
                    });
                    let all = handed.entry(&scene.text).or_default();
                    all.push((!reads_bound).then_some(&of[..]));
                }
            });
        }
        let only = meanings.into_iter().filter_map(|(name, all)| match all[..] {
            // `living` says more than who that is.
            [Some(meaning)] => (!is_all_but(meaning.value)).then_some((name, meaning)),
            _ => None,
        });
        Known {
            definitions: only.collect(),
            handed,
        }
    }
}

/// Spells names out in one declaration.
struct Spelling<'k, 'a> {
    known: &'k Known<'a>,
    /// How often each name is bound in it.
    bound: BTreeMap<&'a str, usize>,
    /// What its own names mean.
    own: BTreeMap<&'a str, &'a Expr>,
    meant: BTreeMap<Span, Span>,
    changed: bool,
    left: usize,
}

impl<'k, 'a> Spelling<'k, 'a> {
    fn of(kind: &'a ItemKind, known: &'k Known<'a>) -> Self {
        let mut bound = BTreeMap::new();
        for name in walk::bound_in(kind) {
            *bound.entry(name.text.as_str()).or_default() += 1;
        }
        let mut own = BTreeMap::new();
        walk::for_each_statement(kind, &mut |statement| {
            if let StatementKind::Let { name, value } = &statement.kind {
                own.insert(name.text.as_str(), value);
            }
        });
        if let ItemKind::Scene { name, params, .. } = kind
            && let Some([Some(handed)]) = known.handed.get(name.text.as_str()).map(|all| &all[..])
        {
            own.extend(
                { params.iter() }
                    .map(|param| param.name.text.as_str())
                    .zip(*handed),
            );
        }
        // A name that means now this and now that is left as it stands, and so is what speaks of one.
        let is_one = |name: &str| bound.get(name).is_none_or(|times| *times == 1);
        own.retain(|name, value| is_one(name) && !reads(value, &|name| !is_one(name)));
        Spelling {
            known,
            bound,
            own,
            meant: BTreeMap::new(),
            changed: false,
            left: MOST,
        }
    }

    /// Whether there is anything to spell out.
    fn is_due(&self, kind: &ItemKind) -> bool {
        !self.own.is_empty()
            || read_in(kind)
                .iter()
                .any(|name| self.known.definitions.contains_key(name))
            || walk::holds_expr(kind, &|expr| narrowed(expr).is_some())
    }

    /// What an expression means that is a name, and where that stands.
    fn meaning(&self, query: &Query) -> Option<(Expr, Span)> {
        let Query {
            name,
            number: None,
            count: None,
            of,
            among: None,
            weighing: None,
        } = query
        else {
            return None;
        };
        if let (Some(value), None) = (self.own.get(name.text.as_str()), of) {
            return Some(((*value).clone(), value.span));
        }
        let is_bound = |name: &str| self.bound.contains_key(name);
        let meaning = self.known.definitions.get(name.text.as_str());
        let meaning = meaning.filter(|meaning| !is_bound(&name.text) && !reads(meaning.value, &is_bound))?;
        let mut value = meaning.value.clone();
        match (meaning.of, of) {
            (None, None) => {}
            // Whoever `it` is there is another one here.
            (Some(param), Some(of)) if !reads(of, &|name| name == "it") => {
                value.go(&mut Given { param, of });
            }
            _ => return None,
        }
        Some((value, meaning.value.span))
    }
}

impl Change for Spelling<'_, '_> {
    fn expr(&mut self, expr: &mut Expr) {
        if let ExprKind::Query(query) = &*expr.kind
            && self.left > 0
            && let Some((value, stands)) = self.meaning(query)
        {
            self.left -= 1;
            self.changed = true;
            let span = expr.span;
            self.meant.entry(span).or_insert(stands);
            *expr = Expr::new(ExprKind::Group(value.at(span)), span);
        } else if let Some(narrowed) = narrowed(expr) {
            self.changed = true;
            *expr = narrowed;
        }
    }
}

/// Puts something for the name of what a definition is of.
struct Given<'e> {
    param: &'e str,
    of: &'e Expr,
}

impl Change for Given<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        if expr.is_name(self.param) {
            *expr = Expr::new(ExprKind::Group(self.of.clone()), expr.span);
        }
    }
}

/// `players where it is hunted` said shorter, and `living where it is not hunted`.
fn narrowed(expr: &Expr) -> Option<Expr> {
    let ExprKind::Where { set, test } = &*expr.kind else {
        return None;
    };
    let ExprKind::Compare(left, op, Of::All, right) = &*test.inside().kind else {
        return None;
    };
    if !left.is_name("it") || reads(right, &|name| name == "it") {
        return None;
    }
    let kind = match op {
        CompareOp::Is if set.is_name("players") => ExprKind::Group(right.clone()),
        CompareOp::Is => ExprKind::Narrow(vec![set.clone(), right.clone()]),
        CompareOp::IsNot => ExprKind::Binary(BinaryOp::Without, set.clone(), right.clone()),
        _ => return None,
    };
    Some(Expr::new(kind, expr.span))
}

/// `players without out`
fn is_all_but(value: &Expr) -> bool {
    matches!(&*value.inside().kind, ExprKind::Binary(BinaryOp::Without, all, _) if all.is_name("players"))
}

/// Whether an expression reads such a name.
fn reads(expr: &Expr, is_such: &dyn Fn(&str) -> bool) -> bool {
    walk::holds_expr(expr, &|part| match &*part.kind {
        ExprKind::Query(query) => is_such(&query.name.text),
        _ => false,
    })
}
