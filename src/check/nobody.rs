//! What holds, or is used up, where nobody was named as well.

use crate::course::remembered;
use crate::in_vain::changed_by;
use crate::look::{Look, gives_mark, names, read_in};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::FactShape;
use omerta_core::source::Span;
use omerta_syntax::settled::{by_range, is_alike, number};
use omerta_syntax::tree::{
    Block, CompareOp, Expr, ExprKind, ItemKind, Moment, Name, Of, OrNobody, Question, Statement,
    StatementKind, Text, TextPiece,
};
use omerta_syntax::walk::{self, for_each_statement, holds, holds_expr};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Look<'a> {
    /// What may be done once, or so many times, and is used up also where nobody is named.
    pub fn check_spent(&self, diagnostics: &mut Vec<Diagnostic>) {
        self.each_statement(&mut |statement| {
            if let StatementKind::If(test, then, otherwise) = &statement.kind {
                diagnostics.extend(self.spent_by_nobody(test, then, otherwise.is_some()));
            }
        });
        for kind in self.kinds() {
            walk::Part::Item(kind).each(&mut |part| {
                if let walk::Part::Block(block) = part {
                    diagnostics.extend(self.forced_when_spent(block));
                }
                !matches!(part, walk::Part::Expr(_))
            });
        }
    }

    /// `or nobody when me is not spent`, with him marked as spent behind it: from then on he must name somebody.
    fn forced_when_spent(&self, block: &Block) -> Option<Diagnostic> {
        block.statements.iter().enumerate().find_map(|(at, statement)| {
            let StatementKind::Ask(ask) = &statement.kind else {
                return None;
            };
            let Question::For {
                name,
                or_nobody: OrNobody::When(test),
                ..
            } = &ask.question
            else {
                return None;
            };
            let below = block.statements[at + 1..].iter();
            let mut changed = below.flat_map(|below| used_up(&below.kind));
            let read = read_in(test);
            let spent = changed.find(|changed| read.contains(changed.text.as_str()))?;
            (self.is_ours(test.span)).then(|| forced_when_spent(spent, name, test.span))
        })
    }

    /// Where something else is done when it is used up, it may say which of two comes, and only what follows on the deed is
    /// told.
    fn spent_by_nobody<'t>(&self, test: &Expr, then: &'t Block, says_which: bool) -> Option<Diagnostic> {
        let mut asked: Option<(&'t Name, bool)> = None;
        let mut spent: Option<(&'t Name, Span)> = None;
        for (at, statement) in then.statements.iter().enumerate() {
            match &statement.kind {
                StatementKind::Ask(ask) => {
                    let Question::For {
                        name,
                        amount: None,
                        or_nobody: OrNobody::Always,
                        ..
                    } = &ask.question
                    else {
                        return None;
                    };
                    if asked.replace((name, false)).is_some() {
                        return None;
                    }
                }
                kind if let (Some(whom), Some((name, done))) = (done_to(kind), &mut asked)
                    && whom.is_name(&name.text) =>
                {
                    *done = true;
                }
                // Whoever looks whether somebody was named knows.
                kind if asked.is_some_and(|(name, _)| looks_at(kind, name)) => return None,
                StatementKind::If(..) | StatementKind::Leave(_) | StatementKind::Stop => return None,
                kind => {
                    // What is changed further down may be given back.
                    let below = then.statements[at + 1..].iter().map(walk::Part::Statement);
                    let mut given_back = BTreeSet::new();
                    below.for_each(|part| {
                        for_each_statement(part, &mut |below| given_back.extend(changed_by(&below.kind)))
                    });
                    let mut changed = used_up(kind).iter().filter(|name| names(test, &name.text));
                    let changed = changed.find(|name| !given_back.contains(name.text.as_str()));
                    // What is changed before the question is so whoever is named: it may count the nights.
                    let changed = changed.filter(|_| asked.is_some_and(|(_, done)| done || !says_which));
                    spent = spent.or(changed.map(|changed| (changed, statement.span)));
                }
            }
        }
        let ((spent, at), (whom, true)) = (spent?, asked?) else {
            return None;
        };
        self.is_ours(at).then(|| spent_by_nobody(spent, whom, at))
    }

    // ---- Not so, of nobody

    /// Something is said or done where one who may be nobody is not of a kind, and nothing looks whether there is one.
    pub fn check_so_of_nobody(&self, diagnostics: &mut Vec<Diagnostic>) {
        let found_by = self.found_by();
        for kind in self.kinds() {
            // Behind a scene a rule finds what the scene has found.
            let (body, found) = match kind {
                ItemKind::Rule(rule) if rule.moment == Moment::After => {
                    let scenes = rule.happening.names.iter();
                    let scenes = scenes.filter_map(|name| found_by.get(name.text.as_str()));
                    let found: BTreeSet<&str> = scenes.flatten().copied().collect();
                    let told =
                        { rule.when.iter() }.find_map(|when| so_of_nobody_in(when, &rule.body, None, &found));
                    self.tell_of_nobody(told, diagnostics);
                    let looks = |name: &str| rule.when.as_ref().is_some_and(|when| looks_whether(when, name));
                    let found = found.into_iter().filter(|name| !looks(name));
                    (Some(&rule.body), found.collect())
                }
                _ => (None, BTreeSet::new()),
            };
            walk::Part::Item(kind).each(&mut |part| {
                if let walk::Part::Block(block) = part {
                    let is_body = body.is_some_and(|body| std::ptr::eq(body, block));
                    let maybe = if is_body { found.clone() } else { BTreeSet::new() };
                    self.so_of_nobody(block, &found_by, maybe, diagnostics);
                }
                !matches!(part, walk::Part::Expr(_))
            });
        }
    }

    /// The scenes that begin with nobody in a mark of one, and may end so: they clear it, or it lasts until they come again.
    fn found_by(&self) -> BTreeMap<&'a str, Vec<&'a str>> {
        let is_one = |name: &str| {
            let fact = self.rules.fact_named(name);
            fact.is_some_and(|fact| fact.shape == FactShape::MarkOne)
        };
        let remembered = self.kinds().filter_map(remembered);
        let until = remembered.filter_map(|(names, life)| Some((names, &life?.name)));
        let until: Vec<_> = until.collect();
        let mut found_by = BTreeMap::new();
        for kind in self.kinds() {
            let ItemKind::Scene { name, body, .. } = kind else {
                continue;
            };
            let scene = &name.text;
            let ended = until.iter().filter(|(_, ends)| ends.text == *scene);
            let ended = ended.flat_map(|(names, _)| *names);
            let mut cleared: Vec<&str> = ended.map(|name| name.text.as_str()).collect();
            for_each_statement(body, &mut |statement| {
                if let StatementKind::Clear(names) = &statement.kind {
                    cleared.extend(names.iter().map(|name| name.text.as_str()));
                }
            });
            cleared.retain(|name| is_one(name) && holds(body, &|kind| gives_mark(kind, name)));
            found_by.insert(scene.as_str(), cleared);
        }
        found_by
    }

    fn tell_of_nobody(&self, found: Option<OfNobody<'_>>, told: &mut Vec<Diagnostic>) {
        let is_of_each = |test: &Expr| {
            let (name, _) = test.inside().comparison()?.0.inside().read_of()?;
            Some(self.rules.fact_named(&name.text)?.shape == FactShape::CountOfEach)
        };
        let found = found.filter(|(_, test, _)| {
            self.is_ours(test.span) && (number_of(test).is_none() || is_of_each(test) == Some(true))
        });
        told.extend(
            found.map(|(whom, test, denied)| match (denied, number_of(test).is_some()) {
                (true, true) => nought_of_nobody(whom, test.span),
                (false, true) => otherwise_nought_of_nobody(whom, test.span),
                (true, false) => so_of_nobody(whom, test.span),
                (false, false) => otherwise_of_nobody(whom, test.span),
            }),
        );
    }

    fn so_of_nobody(
        &self,
        block: &'a Block,
        found_by: &BTreeMap<&str, Vec<&'a str>>,
        mut maybe: BTreeSet<&'a str>,
        told: &mut Vec<Diagnostic>,
    ) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Ask(ask) => {
                    if let Question::For {
                        name,
                        amount: None,
                        or_nobody,
                        ..
                    } = &ask.question
                        // Who is too late has named nobody.
                        && (*or_nobody == OrNobody::Always || ask.limit.is_some() && ask.late.is_none())
                    {
                        maybe.insert(&name.text);
                    }
                }
                StatementKind::Play { scene, .. } => {
                    maybe.extend(found_by.get(scene.text.as_str()).into_iter().flatten());
                }
                StatementKind::If(test, then, otherwise) => {
                    told.extend(
                        done_to_nobody(test, then, otherwise.as_ref())
                            .filter(|told| self.is_ours(told.span())),
                    );
                    let found = so_of_nobody_in(test, then, otherwise.as_ref(), &maybe);
                    self.tell_of_nobody(found, told);
                }
                StatementKind::Let { name, value } => {
                    let again = value
                        .bare_name()
                        .is_some_and(|of| maybe.contains(of.text.as_str()));
                    match again || is_majority(value) {
                        true => maybe.insert(&name.text),
                        false => maybe.remove(name.text.as_str()),
                    };
                    continue;
                }
                _ => {}
            }
            maybe.retain(|name| !looks_further(statement, name));
        }
    }
}

/// Who may be nobody and is asked about as if he were not, in which test, and whether that denies what he is.
type OfNobody<'t> = (&'t Name, &'t Expr, bool);

fn so_of_nobody_in<'t>(
    test: &'t Expr,
    then: &'t Block,
    otherwise: Option<&'t Block>,
    maybe: &BTreeSet<&str>,
) -> Option<OfNobody<'t>> {
    let (whom, denied) = not_of(test)?;
    let block = if denied { then } else { otherwise? };
    if !maybe.contains(whom.text.as_str()) || looks_whether(test, &whom.text) {
        return None;
    }
    match &block.statements[..] {
        [
            Statement {
                kind: StatementKind::If(test, then, otherwise),
                ..
            },
        ] => so_of_nobody_in(test, then, otherwise.as_ref(), maybe),
        _ => goes_on(block, whom).then_some((whom, test, denied)),
    }
}

/// Who is said not to be of a kind where a test holds (`seen is not Guild`), or where it fails (`seen is Guild`).
fn not_of(test: &Expr) -> Option<(&Name, bool)> {
    let all = |parts: &'_ [Expr], wanted: bool| {
        let mut parts = parts.iter().map(not_of);
        let first = parts.next()??;
        let is_it = |part: Option<(&Name, bool)>| {
            part.is_some_and(|(whom, denied)| whom.text == first.0.text && denied == wanted)
        };
        (first.1 == wanted && parts.all(is_it)).then_some(())
    };
    match &*test.inside().kind {
        ExprKind::Not(inner) => not_of(inner).map(|(whom, denied)| (whom, !denied)),
        ExprKind::And(parts) => all(parts, true).and_then(|()| not_of(&parts[0])),
        ExprKind::Or(parts) => all(parts, false).and_then(|()| not_of(&parts[0])),
        ExprKind::Compare(..) if let Some(found) = number_of(test) => Some(found),
        ExprKind::Compare(left, op @ (CompareOp::Is | CompareOp::IsNot), Of::All, _) => {
            let whom = match left.inside().read_of() {
                Some((name, of)) if matches!(name.text.as_str(), "role" | "team") => of,
                _ => left,
            };
            Some((whom.bare_name()?, *op == CompareOp::IsNot))
        }
        _ => None,
    }
}

/// Whose number is compared (`lives of hit is at most 0`), and whether that holds for the number of nobody.
fn number_of(test: &Expr) -> Option<(&Name, bool)> {
    let (left, _, right) = test.inside().comparison()?;
    let (_, of) = left.inside().read_of()?;
    number(right)?;
    Some((of.bare_name()?, by_range(test.inside(), (Some(0), Some(0)))?))
}

/// `majority of vote`, which may be nobody.
fn is_majority(value: &Expr) -> bool {
    value
        .inside()
        .read_of()
        .is_some_and(|(name, _)| name.text == "majority")
}

/// What is done to those of whom a test has just said that there are none.
fn done_to_nobody(test: &Expr, then: &Block, otherwise: Option<&Block>) -> Option<Diagnostic> {
    let (set, is_nobody) = match &*test.inside().kind {
        ExprKind::No(set) => (set, true),
        ExprKind::Some(set) => (set, false),
        ExprKind::Compare(set, op @ (CompareOp::Is | CompareOp::IsNot), Of::All, right)
            if right.is_nobody() =>
        {
            (set, *op == CompareOp::Is)
        }
        _ => return None,
    };
    let block = if is_nobody { Some(then) } else { otherwise };
    let says = |kind: &StatementKind| matches!(kind, StatementKind::Say { .. });
    let first = block?
        .statements
        .iter()
        .find(|statement| !says(&statement.kind))?;
    let whom = match &first.kind {
        StatementKind::Tell { who, .. } | StatementKind::Show { who, .. } => who,
        kind => done_to(kind)?,
    };
    is_alike(whom, set).then(|| to_nobody(whom.span, test.span))
}

/// Whether a test asks whether there is somebody.
fn looks_whether(test: &Expr, name: &str) -> bool {
    holds_expr(test, &|expr| match &*expr.kind {
        ExprKind::Some(of) | ExprKind::No(of) | ExprKind::NumberOf(of) => names(of, name),
        ExprKind::Compare(left, _, _, right) => names(left, name) && right.is_nobody(),
        _ => false,
    })
}

/// Whether something behind a question leaves no more doubt about whom it names: a look at whether there is somebody,
/// another who gets the name.
fn looks_further(statement: &Statement, name: &str) -> bool {
    match &statement.kind {
        StatementKind::Draw { name: given, .. } => given.text == name,
        kind @ StatementKind::Mark { .. } => gives_mark(kind, name),
        StatementKind::If(test, ..) => {
            let gives = |kind: &StatementKind| gives_mark(kind, name);
            looks_whether(test, name) || holds(walk::Part::Statement(statement), &gives)
        }
        _ => false,
    }
}

/// Whether a block says or does something that is not about this one; what is counted and noted may be meant of nobody.
fn goes_on(block: &Block, whom: &Name) -> bool {
    use StatementKind::{Do, Plan, Say, Show, Tell, Turn};
    block.statements.iter().any(|statement| {
        let about = match &statement.kind {
            Say { text, .. } => knows_of_nobody(text, whom),
            Tell { text, who, .. } => names(who, &whom.text) || knows_of_nobody(text, whom),
            _ => read_in(walk::Part::Statement(statement)).contains(whom.text.as_str()),
        };
        matches!(
            statement.kind,
            Say { .. } | Tell { .. } | Show { .. } | Do(_) | Plan(_) | Turn { .. }
        ) && !about
    })
}

/// Whether a text has words for the case that this is nobody.
fn knows_of_nobody(text: &Text, whom: &Name) -> bool {
    let is_of =
        |piece: &TextPiece| matches!(piece, TextPiece::Choice { value, .. } if names(value, &whom.text));
    text.pieces.iter().any(is_of)
}

/// Whether a statement that gives a name or a number goes by whom an answer names, or gives that name anew.
fn looks_at(kind: &StatementKind, answer: &Name) -> bool {
    match kind {
        StatementKind::Let { name, value } => name.text == answer.text || names(value, &answer.text),
        StatementKind::Set { value, .. } | StatementKind::Add { value, .. } => names(value, &answer.text),
        _ => false,
    }
}

/// What a statement uses up of what somebody may do: a mark of his own, a count, a flag.
fn used_up(kind: &StatementKind) -> &[Name] {
    match kind {
        StatementKind::Set { name, .. } | StatementKind::Add { name, .. } => std::slice::from_ref(name),
        StatementKind::Mark { names, set } if set.is_name("me") => names,
        _ => &[],
    }
}

/// To whom a statement does something.
fn done_to(kind: &StatementKind) -> Option<&Expr> {
    match kind {
        StatementKind::Mark { set: whom, .. } | StatementKind::Link { to: whom, .. } => Some(whom),
        kind => kind.brings_about()?.of.as_ref(),
    }
}

mistakes! {
    fn spent_by_nobody(spent: &Name, whom: &Name, span: Span) = warning "spent-by-nobody" ("M0760", span):
        format!("`{}` is changed also where nobody is named for `{}`", spent.text, whom.text), "used up by a pass",
        help format!("put what is done to `{}`, and this, into `if some {} {{ … }}`", whom.text, whom.text);

    fn forced_when_spent(spent: &Name, whom: &Name, test: Span) = warning "spent-by-nobody" ("M0760", test):
        format!("where this does not hold somebody must be named for `{}`, and `{}` is changed behind it", whom.text, spent.text),
        "says when nobody may be named",
        help "what may be done only so often stands in a test around the question: `if … { ask … or nobody … }`";

    fn so_of_nobody(whom: &Name, test: Span) = warning "so-of-nobody" ("M0761", test):
        format!("where `{}` is nobody, this goes the way of those who are not", whom.text), "nobody is not one of them, either",
        help format!("put it into `if some {} {{ … }}`; if nobody is meant as well, say so: `if no {0} … {{ … }}`", whom.text);

    fn to_nobody(whom: Span, test: Span) = warning "never-holds" ("M0744", whom):
        "this is done to nobody, so nothing is done", "nobody, where this comes",
        also test, "there is nobody here",
        help "turn the test about: `some …` for `no …`, or what stands behind `else` with what stands before it";

    fn nought_of_nobody(whom: &Name, test: Span) = warning "so-of-nobody" ("M0761", test):
        format!("where `{}` is nobody, the number is 0, and this holds", whom.text), "nobody is not one of them, either",
        help format!("put it into `if some {} {{ … }}`; if nobody is meant as well, say so: `if no {0} … {{ … }}`", whom.text);

    fn otherwise_nought_of_nobody(whom: &Name, test: Span) = warning "so-of-nobody" ("M0761", test):
        format!("where `{}` is nobody, the number is 0, and this does not hold", whom.text), "what stands behind `else` comes then, too",
        help format!("write `else if some {} {{ … }}`; if nobody is meant as well, ask for `some {0} …` here", whom.text);

    fn otherwise_of_nobody(whom: &Name, test: Span) = warning "so-of-nobody" ("M0761", test):
        format!("where `{}` is nobody, this goes the way of those who are not", whom.text), "what stands behind `else` comes then, too",
        help format!("write `else if some {} {{ … }}`; if nobody is meant as well, ask for `some {0} …` here", whom.text);
}
