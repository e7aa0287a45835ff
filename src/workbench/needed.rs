//! How many it takes: what the rules compare those with who have voted or have raised a hand.

use crate::ReadyRules;
use omerta_core::{
    rules::{Kind, Ruleset},
    source::{Sources, Span},
};
use omerta_syntax::{
    runs,
    tree::{CompareOp, Expr, ExprKind, ItemKind, Name, Of, Query, StatementKind},
    walk,
};

/// A name that stands for another that is looked for is gone after so often.
const DEPTH: usize = 4;

/// What a number of voices has to come up to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bar {
    /// Of whom or of what, as an expression of the language.
    pub of: String,
    /// Whether it is half of that.
    pub half: bool,
    /// Whether it has to be more than that.
    pub over: bool,
    /// The scene it is said in, with the names of what that is handed.
    pub scene: Option<(String, Vec<String>)>,
}

impl Bar {
    /// How many that are, where there are so many of whom it speaks.
    pub fn voices(&self, of: u64) -> u64 {
        match (self.half, self.over) {
            (true, true) => of / 2 + 1,
            (true, false) => of.div_ceil(2),
            (false, over) => of + u64::from(over),
        }
    }
}

/// All that the rules compare the votes of a name with: where the name is that of an answer, and nothing that was declared, in
/// the declaration that asks for it.
pub fn bars(laid: &ReadyRules, sources: &Sources, name: &str, asked: Option<Span>) -> Vec<Bar> {
    let back = laid.items.iter().find_map(|declared| match &declared.item.kind {
        ItemKind::Link { names, back, .. } if names.iter().any(|link| link.text == name) => {
            back.as_ref().map(|back| back.text.as_str())
        }
        _ => None,
    });
    let names: Vec<&str> = [Some(name), back].into_iter().flatten().collect();
    let mut found: Vec<Bar> = Vec::new();
    for declared in laid.items.iter() {
        let (kind, span) = (&declared.item.kind, declared.item.span);
        if asked.is_some_and(|asked| !is_around(asked, span)) {
            continue;
        }
        let body = Body {
            rules: &laid.bench.rules,
            sources,
            kind,
        };
        walk::for_each_expr(kind, &mut |expr| {
            let bar = body.compared(expr, &names).or_else(|| body.voted(expr, name));
            // What hangs on the votes themselves is not known before the last of them.
            let is_known = |bar: &Bar| !names.iter().any(|name| reads(&bar.of, name));
            found.extend(bar.filter(|bar| is_known(bar) && !found.contains(bar)));
        });
    }
    found
}

fn reads(text: &str, name: &str) -> bool {
    runs(text)
        .into_iter()
        .any(|(run, _)| text[run].trim_matches('`') == name)
}

fn is_around(span: Span, within: Span) -> bool {
    within.source == span.source && within.start <= span.start && span.end <= within.end
}

/// A declaration.
struct Body<'a> {
    rules: &'a Ruleset,
    sources: &'a Sources,
    kind: &'a ItemKind,
}

impl<'a> Body<'a> {
    fn bar(&self, of: Vec<String>, half: bool, over: bool) -> Bar {
        let scene = match self.kind {
            ItemKind::Scene { name, params, .. } => Some((
                name.text.clone(),
                params.iter().map(|param| param.name.text.clone()).collect(),
            )),
            _ => None,
        };
        Bar {
            of: of.concat(),
            half,
            over,
            scene,
        }
    }

    /// `guilty is at least half of living`, `number of voters of p is 3`
    fn compared(&self, expr: &Expr, names: &[&str]) -> Option<Bar> {
        let counts = |expr: &Expr| names.iter().any(|name| is_count_of(expr, name));
        match &*expr.kind {
            ExprKind::Compare(left, op, of, right) if counts(left) => {
                let over = match op {
                    CompareOp::AtLeast | CompareOp::LessThan | CompareOp::Exactly => false,
                    CompareOp::MoreThan | CompareOp::AtMost => true,
                    CompareOp::Is | CompareOp::IsNot => return None,
                };
                Some(self.bar(vec![self.spelt(right, DEPTH)], *of == Of::Half, over))
            }
            // All of them.
            ExprKind::Every {
                set,
                negated: false,
                is,
            } if counts(is) => Some(self.bar(vec![self.spelt(set, DEPTH)], false, false)),
            _ => None,
        }
    }

    /// `majority of vote of living`, `common of vote of living`
    fn voted(&self, expr: &Expr, name: &str) -> Option<Bar> {
        let ExprKind::Query(Query {
            name: counts,
            of: Some(votes),
            ..
        }) = &*expr.kind
        else {
            return None;
        };
        let ExprKind::Query(votes) = &*votes.inside().kind else {
            return None;
        };
        let is_majority = match counts.text.as_str() {
            "majority" => true,
            "common" => false,
            _ => return None,
        };
        if votes.name.text != name {
            return None;
        }
        let voters = votes.of.as_ref();
        let of = voters.map_or_else(|| "players".to_owned(), |of| self.spelt(of, DEPTH));
        Some(self.bar(vec![of], is_majority, is_majority))
    }

    /// An expression as it is written, with what its names stand for that are known in this declaration alone.
    fn spelt(&self, expr: &Expr, depth: usize) -> String {
        let mut text = self.sources.slice(expr.span).to_owned();
        let mut names: Vec<(Span, String)> = Vec::new();
        walk::for_each_expr(expr, &mut |inner| {
            if let Some(name) = inner.bare_name()
                && depth > 0
                && let Some(stands) = self.stands_for(name, depth)
            {
                names.push((name.span, stands));
            }
        });
        names.sort_by_key(|(span, _)| std::cmp::Reverse(span.start));
        for (span, stands) in names {
            let from = (span.start - expr.span.start) as usize;
            let to = (span.end - expr.span.start) as usize;
            text.replace_range(from..to, &format!("({stands})"));
        }
        text
    }

    /// What a name stands for: what it was last given, or whose call it is.
    fn stands_for(&self, name: &Name, depth: usize) -> Option<String> {
        if let ItemKind::Define {
            param: Some(param), ..
        } = self.kind
            && param.kind == Kind::Titles
            && param.name.text == name.text
        {
            return Some("called".to_owned());
        }
        Some(self.spelt(self.last_given(&name.text)?, depth - 1))
    }

    /// The last value that a name is given, where the options say which way is gone.
    fn last_given(&self, name: &str) -> Option<&'a Expr> {
        let mut left_out: Vec<Span> = Vec::new();
        let mut given = None;
        walk::for_each_statement(self.kind, &mut |statement| match &statement.kind {
            StatementKind::If(test, then, otherwise) => match self.settled(test) {
                Some(false) => left_out.push(then.span),
                Some(true) => left_out.extend(otherwise.as_ref().map(|block| block.span)),
                None => {}
            },
            StatementKind::Let { name: own, value } if own.text == name => {
                let is_out = left_out.iter().any(|block| is_around(statement.span, *block));
                given = if is_out { given } else { Some(value) };
            }
            _ => {}
        });
        given
    }

    /// Whether a test of an option holds.
    fn settled(&self, test: &Expr) -> Option<bool> {
        let Some((left, op @ (CompareOp::Is | CompareOp::IsNot), right)) = test.inside().comparison() else {
            return None;
        };
        let asked = left.bare_name()?;
        let option = self
            .rules
            .options
            .iter()
            .find(|option| option.name == asked.text)?;
        let same = self.sources.slice(right.span).trim_matches('`') == option.value;
        Some(same == (op == CompareOp::Is))
    }
}

/// Whether an expression is the set of a name, or how many of it there are: `guilty`, `number of voters of p`, `tally of vote
/// among (p)`.
fn is_count_of(expr: &Expr, name: &str) -> bool {
    match &*expr.inside().kind {
        ExprKind::NumberOf(set) => is_count_of(set, name),
        ExprKind::Query(query) if query.name.text == "tally" => {
            query.of.as_ref().is_some_and(|of| is_count_of(of, name))
        }
        ExprKind::Query(query) => query.name.text == name,
        _ => false,
    }
}
