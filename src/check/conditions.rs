//! What can be seen of tests and sets by themselves: those that never hold, or always, and those that nobody is in.

use crate::look::Look;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::{FactShape, GroupKind, Ruleset};
use omerta_core::source::Span;
use omerta_syntax::settled::{Known, Words, by_range, is_alike, is_within, number};
use omerta_syntax::tree::{
    BinaryOp, Block, CompareOp, Domain, Ending, Expr, ExprKind, ItemKind, Name, Of, OrNobody, Query,
    Question, Role, Statement, StatementKind,
};
use omerta_syntax::walk::{self, for_each_expr, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

/// Through how many definitions a name is followed.
const DEPTH: usize = 8;

/// Looks through the tests of all declarations.
pub(super) fn lint(look: &Look<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let tests = Tests {
        look,
        counted: counted(look),
        set: words_set(look),
        options: options(look.rules),
        turns: look
            .kinds()
            .any(|kind| holds(kind, &|kind| matches!(kind, StatementKind::Turn { .. }))),
        says_how_many: look.course.items.iter().any(|declared| {
            matches!(&declared.item.kind, ItemKind::Players { .. }) && look.is_ours(declared.item.span)
        }),
    };
    tests.go_through(diagnostics);
    tests.check_level(diagnostics);
    tests.check_options(diagnostics);
    tests.check_known(diagnostics);
    tests.check_endings(diagnostics);
    tests.check_jumped(diagnostics);
}

/// What is looked at, and what is known of numbers.
pub(super) struct Tests<'l, 'a> {
    pub look: &'l Look<'a>,
    /// The counts that something is added to or taken from, and those of them that grow.
    counted: BTreeMap<&'a str, Counted>,
    /// The words to which something is set, where nothing but words stands there.
    set: BTreeMap<&'a str, BTreeSet<&'a str>>,
    /// The lowest and the highest value of each option that is a number.
    options: BTreeMap<&'a str, (i64, i64)>,
    /// Whether a card becomes another.
    turns: bool,
    /// Whether the rules at hand say themselves how many play; an overlay may lie on others.
    pub says_how_many: bool,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Counted {
    changed: bool,
    grows: bool,
    shrinks: bool,
    /// The least and the most that is added to it at once, and where that is, if all that is added are numbers.
    steps: Option<(i64, i64)>,
    pub widest: Option<Span>,
    /// The least and the most that it is set to, if all that it is set to are numbers.
    set: Option<(i64, i64)>,
    /// Whether it is set, or more or less is added than the words tell.
    wanders: bool,
}

impl Counted {
    /// Whether a count that only grows, or only shrinks, by steps of more than one size, may pass a number without being it.
    pub fn jumps_over(self, far: i64) -> bool {
        let unlike = |(least, most): (i64, i64)| {
            least < most && (least > 0 && far >= most || most < 0 && far <= least)
        };
        !self.wanders && self.steps.is_some_and(unlike)
    }
}

/// What becomes of each count.
fn counted<'a>(look: &Look<'a>) -> BTreeMap<&'a str, Counted> {
    let mut counted: BTreeMap<&str, Counted> = BTreeMap::new();
    look.each_statement(&mut |statement| match &statement.kind {
        StatementKind::Add {
            value, name, less, ..
        } => {
            let count = counted.entry(&name.text).or_default();
            let by = number(value).map(|by| if *less { by.saturating_neg() } else { by });
            count.changed = true;
            count.grows |= by.is_none_or(|by| by > 0);
            count.shrinks |= by.is_none_or(|by| by < 0);
            count.wanders |= by.is_none();
            let (least, most) = count.steps.unwrap_or((i64::MAX, i64::MIN));
            if let Some(by) = by {
                let is_wider = by.abs() > least.saturating_abs().max(most.saturating_abs());
                count.widest = count.widest.filter(|_| !is_wider).or(Some(statement.span));
                count.steps = Some((least.min(by), most.max(by)));
            }
        }
        StatementKind::Set { name, value, .. } => {
            let count = counted.entry(&name.text).or_default();
            count.wanders = true;
            match number(value) {
                Some(to) => {
                    let (least, most) = count.set.unwrap_or((to, to));
                    count.changed = true;
                    count.set = Some((least.min(to), most.max(to)));
                }
                None => (count.grows, count.shrinks) = (true, true),
            }
        }
        StatementKind::Ask(ask) => {
            if let Some((name, _)) = ask.asked_for() {
                let count = counted.entry(&name.text).or_default();
                (count.grows, count.shrinks, count.wanders) = (true, true, true);
            }
        }
        _ => {}
    });
    counted.retain(|name, _| !look.course.is_in_scripts(name));
    counted
}

/// The words to which each name is set.
fn words_set<'a>(look: &Look<'a>) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut set: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut unknown: BTreeSet<&str> = BTreeSet::new();
    look.each_statement(&mut |statement| match &statement.kind {
        StatementKind::Set { name, value, .. } => match value.bare_name() {
            Some(word) => {
                set.entry(&name.text).or_default().insert(&word.text);
            }
            None => {
                unknown.insert(&name.text);
            }
        },
        StatementKind::Ask(ask) => unknown.extend(ask.asked_for().map(|(name, _)| name.text.as_str())),
        _ => {}
    });
    set.retain(|name, words| {
        let fact = look.rules.fact_named(name);
        let is_word =
            |word: &&str| fact.is_some_and(|fact| fact.words.iter().any(|(known, _)| known == word));
        !unknown.contains(name) && words.iter().all(is_word) && !look.course.is_in_scripts(name)
    });
    set
}

/// The lowest and the highest value of each option that is a number.
fn options(rules: &Ruleset) -> BTreeMap<&str, (i64, i64)> {
    let options = rules.options.iter().filter_map(|option| {
        let ends = option.values.iter().flat_map(|value| value.split(".."));
        let ends: Vec<i64> = ends.map(|end| end.parse().ok()).collect::<Option<_>>()?;
        let lowest = ends.iter().copied().min()?;
        Some((option.name.as_str(), (lowest, ends.iter().copied().max()?)))
    });
    options.collect()
}

impl<'a> Tests<'_, 'a> {
    fn go_through(&self, diagnostics: &mut Vec<Diagnostic>) {
        let seats = self.look.rules.seats;
        for kind in self.look.kinds() {
            let scene = match kind {
                ItemKind::Scene { name, .. } => Some(name.text.as_str()),
                _ => None,
            };
            let scene = Place {
                scene,
                ranges: self.ranges(kind),
                // Of endings that hold at once it is told by the cards.
                players: (self.says_how_many && !matches!(kind, ItemKind::Ending(_)))
                    .then_some((seats.0.into(), seats.1.into())),
            };
            diagnostics.extend(self.gap_in_table(kind));
            let columns = columns_in(kind);
            for_each_expr(kind, &mut |expr| {
                if !self.look.is_ours(expr.span) {
                    return;
                }
                let is_new = |told: &[Diagnostic]| told.iter().all(|told| told.span() != expr.span);
                match &*expr.kind {
                    ExprKind::Compare(left, op, Of::All, right) => {
                        if is_alike(left, right) {
                            diagnostics.push(match self.may_be_nobody(left) {
                                true => whether_there_is_anything(expr.span),
                                false => of_one_and_the_same(expr.span),
                            });
                        } else if let Some(told) = self.of_two_words(kind, left, right, expr.span) {
                            diagnostics.push(told);
                        } else if let Some(told) = self.of_a_word_never_set(left, *op, right) {
                            diagnostics.push(told);
                        } else if self.is_of_two_sorts(left, right) {
                            diagnostics.push(never_alike(right, expr.span));
                        } else if self.never(&scene, expr, (left, *op, right)) {
                            let told = match self.count(left) {
                                Some(_) => beyond_its_changes(expr.span),
                                None => never_holds(expr.span),
                            };
                            diagnostics.extend(is_new(diagnostics).then_some(told));
                        } else if by_range(expr, self.surely(&scene, left)) == Some(true)
                            && !columns.contains(&expr.span)
                        {
                            diagnostics.push(always_holds(expr.span));
                        }
                    }
                    ExprKind::Narrow(parts) => {
                        let names: Vec<&str> = parts
                            .iter()
                            .filter_map(|part| Some(part.bare_name()?.text.as_str()))
                            .collect();
                        let mut pairs = { names.iter().enumerate() }
                            .flat_map(|(at, one)| names[at + 1..].iter().map(move |other| (*one, *other)));
                        let apart = pairs.find(|(one, other)| self.are_apart(one, other));
                        diagnostics.extend(apart.map(|(one, other)| nobody_is_both(one, other, expr.span)));
                    }
                    ExprKind::Binary(BinaryOp::Without, left, right)
                        if (is_same(left, right) || right.is_name("players")) && is_new(diagnostics) =>
                    {
                        diagnostics.push(nobody_is_left(expr.span));
                    }
                    _ => {}
                }
            });
        }
    }

    /// Words of an option that all tests of it take for one; where it is read otherwise, it may tell them apart.
    fn check_options(&self, diagnostics: &mut Vec<Diagnostic>) {
        let options = self.look.rules.options.iter();
        let mut read: BTreeMap<&str, (usize, Vec<&Expr>)> = options
            .map(|option| (option.name.as_str(), Default::default()))
            .collect();
        if read.is_empty() {
            return;
        }
        for kind in self.look.kinds() {
            walk::Part::Item(kind).each(&mut |part| {
                match part {
                    walk::Part::Reads(name) => {
                        read.entry(&name.text).and_modify(|(reads, _)| *reads += 1);
                    }
                    walk::Part::Expr(expr) => {
                        if let Some(name) = expr.comparison().and_then(|(left, ..)| left.bare_name()) {
                            read.entry(&name.text).and_modify(|(_, tests)| tests.push(expr));
                        }
                    }
                    _ => {}
                }
                true
            });
        }
        for kind in self.look.kinds() {
            let ItemKind::Option { name, .. } = kind else {
                continue;
            };
            let mut options = self.look.rules.options.iter();
            let Some(option) = options.find(|option| option.name == name.text) else {
                continue;
            };
            let (reads, tests) = read.remove(name.text.as_str()).unwrap_or_default();
            if reads == 0 || reads != tests.len() || !self.look.is_own(name.span) {
                continue;
            }
            let mut known: BTreeMap<Vec<bool>, &str> = BTreeMap::new();
            for value in &option.values {
                let holds = tests.iter().map(|test| option_is(test, value));
                let Some(holds) = holds.collect() else {
                    break;
                };
                if let Some(first) = known.get(&holds) {
                    diagnostics.push(told_apart_by_nothing(name, first, value));
                    break;
                }
                known.insert(holds, value);
            }
        }
    }

    /// Between which numbers a name is that is asked for, drawn or gone through in a declaration, if all of that name are.
    fn ranges(&self, kind: &'a ItemKind) -> BTreeMap<&'a str, (i64, i64)> {
        let mut bound: BTreeMap<&str, usize> = BTreeMap::new();
        for name in walk::bound_in(kind) {
            *bound.entry(&name.text).or_default() += 1;
        }
        let mut ranges: BTreeMap<&str, Vec<(i64, i64)>> = BTreeMap::new();
        for_each_statement(kind, &mut |statement| {
            if let Some((name, range)) = number_bound(&statement.kind) {
                ranges.entry(&name.text).or_default().push(range);
            }
        });
        ranges.retain(|name, ranges| bound.get(name) == Some(&ranges.len()));
        let mut known = self.options.clone();
        known.retain(|option, _| !bound.contains_key(option));
        for (name, ranges) in ranges {
            let lowest = ranges.iter().map(|range| range.0).min();
            let ends = lowest.zip(ranges.iter().map(|range| range.1).max());
            known.extend(ends.map(|ends| (name, ends)));
        }
        known
    }

    fn never(&self, scene: &Place<'_>, test: &Expr, (left, op, right): (&Expr, CompareOp, &Expr)) -> bool {
        let (least, most) = self.surely(scene, left);
        let beyond = match op {
            CompareOp::MoreThan => is_part(left, right),
            CompareOp::LessThan => is_part(right, left),
            _ => false,
        };
        beyond || by_range(test, (least, most.or_else(|| self.most(left)))) == Some(false)
    }

    /// Whether something may be nobody, or nothing, which is not even that.
    fn may_be_nobody(&self, value: &Expr) -> bool {
        let ExprKind::Query(query) = &*value.inside().kind else {
            return false;
        };
        self.look
            .rules
            .fact_named(&query.name.text)
            .is_some_and(|fact| match fact.shape {
                FactShape::Mark
                | FactShape::MarkInOrder { .. }
                | FactShape::MarkOne
                | FactShape::Link { .. } => true,
                _ => fact.text,
            })
    }

    /// Two of the words that something may be, compared with each other.
    fn of_two_words(&self, kind: &'a ItemKind, left: &Expr, right: &Expr, test: Span) -> Option<Diagnostic> {
        let (one, other) = (left.inside().bare_name()?, right.inside().bare_name()?);
        let rules = self.look.rules;
        let is_taken = |name: &Name| {
            let bound = walk::bound_in(kind);
            let declared = rules.facts.iter().map(|fact| fact.name.as_str());
            let chosen = rules.options.iter().map(|option| option.name.as_str());
            declared.chain(chosen).any(|known| known == name.text)
                || bound.into_iter().any(|known| known.text == name.text)
        };
        let has = |words: &[(String, String)], name: &Name| words.iter().any(|(word, _)| *word == name.text);
        let mut facts = rules.facts.iter();
        let of = facts.find(|fact| has(&fact.words, one) && has(&fact.words, other))?;
        (!is_taken(one) && !is_taken(other)).then(|| two_words(one, other, &of.name, test))
    }

    /// A word that something may be and is never set to.
    fn of_a_word_never_set(&self, left: &Expr, op: CompareOp, right: &Expr) -> Option<Diagnostic> {
        let ExprKind::Query(query) = &*left.inside().kind else {
            return None;
        };
        let (fact, word) = (self.look.rules.fact_named(&query.name.text)?, right.bare_name()?);
        let at = fact.words.iter().position(|(known, _)| *known == word.text)?;
        let set = self.set.get(fact.name.as_str())?;
        let at_first = usize::try_from(fact.start)
            .ok()
            .and_then(|start| fact.words.get(start));
        // That it never is anything else is told where it is declared.
        let changes = set
            .iter()
            .any(|set| at_first.is_none_or(|(first, _)| first != set));
        let is_set = fact.start == at as i64 || set.contains(word.text.as_str());
        (op == CompareOp::Is && changes && !is_set).then(|| never_set_to(&fact.name, word))
    }

    /// A team compared with a role, of which it is never one.
    fn is_of_two_sorts(&self, left: &Expr, right: &Expr) -> bool {
        let rules = self.look.rules;
        let of_team = left
            .inside()
            .read_of()
            .is_some_and(|(name, _)| name.text == "team");
        let role = right.bare_name().and_then(|name| rules.role_named(&name.text));
        of_team && role.is_some()
    }

    /// How many of people there can be at the most: who plays, and of a card as many as may be in the game.
    fn most_in(&self, set: &Expr, depth: usize) -> Option<i64> {
        let rules = self.look.rules;
        if !self.says_how_many {
            return None;
        }
        match &*set.inside().kind {
            ExprKind::Narrow(parts) => parts.iter().filter_map(|part| self.most_in(part, depth)).min(),
            ExprKind::Binary(BinaryOp::Without, left, _) => self.most_in(left, depth),
            // What a link of one goes to: one for each at the most.
            ExprKind::Query(Query {
                name, of: Some(of), ..
            }) if self.look.rules.facts.iter().any(|fact| {
                fact.name == name.text && matches!(fact.shape, FactShape::Link { one: true, .. })
            }) =>
            {
                self.most_in(of, depth)
            }
            _ => {
                let name = set.inside().bare_name()?.text.as_str();
                let all = i64::from(rules.seats.1);
                if ["players", "others"].contains(&name) {
                    return Some(all);
                }
                if let Some(fact) = rules.fact_named(name) {
                    return match fact.shape {
                        FactShape::Mark | FactShape::MarkInOrder { .. } => Some(all),
                        FactShape::MarkOne => Some(1),
                        _ => None,
                    };
                }
                let meant = self.look.kinds().find_map(|kind| match kind {
                    ItemKind::Define {
                        name: known, value, ..
                    } if known.text == name => Some(value),
                    _ => None,
                });
                // Clauses may add to what it means, but nobody who does not play.
                if let Some(meant) = meant {
                    let is_of_people = |depth| self.most_in(meant, depth).map(|_| all);
                    return depth.checked_sub(1).and_then(is_of_people);
                }
                let group = rules.group_named(name)?;
                match rules.groups[group.index()].kind {
                    GroupKind::Role if !self.turns => {
                        Some(rules.roles[group.index()].limit.map_or(all, i64::from).min(all))
                    }
                    GroupKind::Role | GroupKind::Team | GroupKind::Class => Some(all),
                    _ => None,
                }
            }
        }
    }

    /// The most that a count can be which is only ever made less, or a number of people.
    fn most(&self, expr: &Expr) -> Option<i64> {
        if let ExprKind::NumberOf(set) = &*expr.kind {
            return self.most_in(set, DEPTH);
        }
        if let ExprKind::Binary(BinaryOp::Remainder, _, right) = &*expr.kind {
            return number(right).filter(|by| *by > 0).map(|by| by - 1);
        }
        let (start, counted) = self.count(expr)?;
        let most = counted.set.map_or(start, |(_, most)| most.max(start));
        (!counted.grows).then_some(most)
    }

    /// Between which numbers a value is: a count that is only ever made more is never less than at the start.
    fn surely(&self, scene: &Place<'_>, value: &Expr) -> (Option<i64>, Option<i64>) {
        let (least, most) = scene.range(value);
        let start = self.count(value).filter(|(_, counted)| !counted.shrinks);
        let start = start.map(|(start, counted)| counted.set.map_or(start, |(least, _)| least.min(start)));
        (least.or(start), most)
    }

    /// What a count is at the start of a game, and what becomes of it.
    pub fn count(&self, expr: &Expr) -> Option<(i64, Counted)> {
        let ExprKind::Query(query) = &*expr.kind else {
            return None;
        };
        let fact = self.look.rules.fact_named(&query.name.text)?;
        let counted = self
            .counted
            .get(fact.name.as_str())
            .filter(|counted| counted.changed)?;
        let is_count = fact.words.is_empty() && !fact.text;
        // That it never is anything else is told where it is declared.
        let changes = counted.steps.is_some() || counted.set != Some((fact.start, fact.start));
        (is_count && changes).then_some((fact.start, *counted))
    }

    /// Whether a name means those who are left without the others: `define awake = players without asleep`.
    fn leaves_out(&self, name: &str, other: &str) -> bool {
        let is_widened =
            |kind: &ItemKind| matches!(kind, ItemKind::Clause(clause) if clause.name.text == name);
        !self.look.kinds().any(is_widened)
            && self.look.kinds().any(|kind| match kind {
                ItemKind::Define {
                    name: known, value, ..
                } if known.text == name => matches!(
                    &*value.inside().kind,
                    ExprKind::Binary(BinaryOp::Without, _, out) if out.is_name(other)
                ),
                _ => false,
            })
    }

    /// Whether nobody is in both of two.
    fn are_apart(&self, one: &str, other: &str) -> bool {
        self.leaves_out(one, other) || self.leaves_out(other, one) || self.are_of_two_cards(one, other)
    }

    /// Whether one is a role of a team, whatever the options.
    fn is_of_team(&self, role: &str, team: &str) -> bool {
        let is_so = |declared: &Role| {
            let of = self.look.rules.group_named(team);
            let role = self.look.rules.role_named(role);
            let role = role.map(|role| &self.look.rules.roles[role.index()]);
            declared.else_sides.is_empty() && role.is_some_and(|role| of.is_some() && role.team == of)
        };
        self.look.kinds().any(
            |kind| matches!(kind, ItemKind::Role(declared) if declared.name.text == role && is_so(declared)),
        )
    }

    /// Whether two are roles or teams of which nobody can be of both, where everybody has one card.
    fn are_of_two_cards(&self, one: &str, other: &str) -> bool {
        // Without cards to spare a cast has one for each player, and he keeps it alone where none comes to it.
        let spares = self.look.kinds().any(|kind| matches!(kind, ItemKind::Spare(_)));
        if spares || self.look.rules.casts.is_empty() {
            return false;
        }
        let group = |name: &str| {
            let of = |kind| matches!(kind, GroupKind::Role | GroupKind::Team);
            let at = self.look.rules.group_named(name)?;
            of(self.look.rules.groups[at.index()].kind).then_some(at)
        };
        let Some((one, other)) = group(one).zip(group(other)) else {
            return false;
        };
        let in_both = self.look.rules.roles.iter().enumerate().any(|(at, role)| {
            let is = |group: omerta_core::rules::GroupId| {
                group.index() == at || role.team == Some(group) || role.groups.contains(&group)
            };
            is(one) && is(other)
        });
        !in_both && !self.look.cards_come()
    }

    /// Those who are level, or were picked together: the first of them, or what only one can carry given to them.
    fn check_level(&self, diagnostics: &mut Vec<Diagnostic>) {
        let is_one = |name: &&Name| {
            let fact = self.look.rules.fact_named(&name.text);
            fact.is_some_and(|fact| fact.shape.is_of_one())
        };
        for kind in self.look.kinds() {
            let level = Level::of(kind);
            for_each_expr(kind, &mut |expr| {
                if let ExprKind::Query(query) = &*expr.kind
                    && let Some(of) = picked_of(query)
                    && level.are_level(of)
                    && self.look.is_ours(expr.span)
                {
                    diagnostics.push(settled_by_seats(&query.name, expr.span));
                }
            });
            for_each_statement(kind, &mut |statement| {
                let (set, names) = match &statement.kind {
                    StatementKind::Mark { set, names } => (set, &names[..]),
                    StatementKind::Link { to, name, .. } => (to, std::slice::from_ref(name)),
                    _ => return,
                };
                if let Some(one) = names.iter().find(is_one)
                    && (level.are_level(set) || level.are_several(set))
                    && !level.is_tested(set)
                    && self.look.is_ours(set.span)
                {
                    diagnostics.push(settled_by_mark(one, set.span));
                }
            });
        }
    }

    // ---- Tests that others decide

    /// Tests that come out one way wherever they are made, by what was tested just before.
    fn check_known(&self, diagnostics: &mut Vec<Diagnostic>) {
        let told: BTreeSet<Span> = diagnostics.iter().map(Diagnostic::span).collect();
        let mut found: BTreeMap<Span, Diagnostic> = BTreeMap::new();
        for kind in self.look.kinds() {
            let mut branches: BTreeMap<Span, Known> = BTreeMap::new();
            for_each_statement(kind, &mut |statement| {
                let StatementKind::If(test, then, otherwise) = &statement.kind else {
                    return;
                };
                let known = branches.remove(&statement.span).unwrap_or_default();
                self.go_down(test, &known, &mut found);
                let mut next = |block: &Block, holds: bool| {
                    let is_test = |first: &&Statement| matches!(first.kind, StatementKind::If(..));
                    if let Some(first) = block.statements.first().filter(is_test) {
                        let mut known = known.clone();
                        known.take(test, holds);
                        branches.insert(first.span, known);
                    }
                };
                next(then, true);
                otherwise.iter().for_each(|block| next(block, false));
            });
            let (when, handed) = match kind {
                ItemKind::Allow(allow) => (allow.when.as_ref(), Some(("me", &allow.who))),
                _ => {
                    let rule = kind.rule();
                    let of = rule.and_then(|rule| rule.happening.of.first());
                    let named = of.and_then(|of| Some((of.name.as_ref()?.text.as_str(), &of.set)));
                    (rule.and_then(|rule| rule.when.as_ref()), named)
                }
            };
            self.go_behind_questions(kind, &mut found);
            if let Some((test, (who, set))) = when.zip(handed) {
                let mut known = Known::default();
                known.take_member(who, set);
                self.go_down(test, &known, &mut found);
            }
            for_each_expr(kind, &mut |expr| match &*expr.kind {
                ExprKind::And(_) | ExprKind::Or(_) => self.go_down(expr, &Known::default(), &mut found),
                ExprKind::Where { set, test } => {
                    let mut known = Known::default();
                    known.take_member("it", set);
                    self.go_down(test, &known, &mut found);
                }
                ExprKind::Cases { cases, .. } => {
                    let mut known = Known::default();
                    for (_, test) in cases {
                        self.go_down(test, &known, &mut found);
                        known.take(test, false);
                    }
                }
                _ => {}
            });
        }
        let is_new = |at: &Span| self.look.is_ours(*at) && !told.contains(at);
        found.retain(|at, _| is_new(at));
        diagnostics.extend(found.into_values());
    }

    /// Tests of whoever was named by what he was named from, with nothing but words between the question and the test.
    fn go_behind_questions(&self, kind: &'a ItemKind, found: &mut BTreeMap<Span, Diagnostic>) {
        let mut asked: Option<(&Name, Known, bool)> = None;
        for_each_statement(kind, &mut |statement| match &statement.kind {
            StatementKind::Ask(ask) => {
                asked = match &ask.question {
                    Question::For {
                        name,
                        amount: None,
                        domain: Domain::Set(set),
                        or_nobody,
                    } if ask.late.is_none() => {
                        let mut known = Known::default();
                        known.take_member(&name.text, set);
                        let surely = *or_nobody == OrNobody::Never && ask.limit.is_none();
                        Some((name, known, surely))
                    }
                    _ => None,
                };
            }
            StatementKind::If(test, ..) => {
                if let Some((name, known, surely)) = asked.take() {
                    // Nobody is none of them, either.
                    let is_it = matches!(test.inside().comparison(), Some((left, CompareOp::Is, _)) if left.is_name(&name.text));
                    let outcome = self
                        .outcome(test, &known)
                        .filter(|(holds, _)| surely || is_it && !holds);
                    if let Some((holds, by)) = outcome {
                        let told = match holds {
                            true => always_behind(test.span, by),
                            false => never_behind(test.span, by),
                        };
                        found.entry(test.span).or_insert(told);
                    }
                }
            }
            StatementKind::Say { .. } | StatementKind::Tell { .. } | StatementKind::Show { .. } => {}
            _ => asked = None,
        });
    }

    /// Endings that never come, for one before them holds as soon as they do.
    fn check_endings(&self, diagnostics: &mut Vec<Diagnostic>) {
        // Where words say the order, or a rule comes instead of one, another may come after all.
        let is_replaced = |ending: &Ending| {
            let name = ending.name.as_ref().map_or("", |name| name.text.as_str());
            self.look.rule_list().any(|rule| rule.waits_for(name))
        };
        let all = self.look.course.endings.iter().map(|(ending, _)| *ending);
        let all: Vec<&Ending> = all.filter(|ending| ending.order.is_none()).collect();
        for (at, ending) in all.iter().enumerate() {
            if !self.look.is_own(ending.when.span) || ending.is_for_all_else() {
                continue;
            }
            let before: Vec<&Expr> = { all[..at].iter() }
                .filter(|before| before.when.span.source == ending.when.span.source && !is_replaced(before))
                .map(|before| &before.when)
                .collect();
            let first = self.first_that_follows(&ending.when, &before);
            diagnostics.extend(first.map(|first| ended_before(ending.when.span, first.span)));
        }
    }

    /// Of some tests one that holds whenever another does; where that holds in several ways, one for each of them.
    fn first_that_follows<'t>(&self, test: &Expr, before: &[&'t Expr]) -> Option<&'t Expr> {
        if let ExprKind::Or(parts) = &*test.inside().kind {
            let firsts: Option<Vec<_>> = parts
                .iter()
                .map(|part| self.first_that_follows(part, before))
                .collect();
            return firsts?.first().copied();
        }
        let mut known = Known::default();
        known.take(test, true);
        before.iter().copied().find(|before| self.follows(before, &known))
    }

    /// Whether a test holds by what is known.
    fn follows(&self, test: &Expr, known: &Known) -> bool {
        match &*test.inside().kind {
            ExprKind::And(parts) => parts.iter().all(|part| self.follows(part, known)),
            ExprKind::Or(parts) => parts.iter().any(|part| self.follows(part, known)),
            _ => self.outcome(test, known).is_some_and(|(holds, _)| holds),
        }
    }

    fn outcome(&self, test: &Expr, known: &Known) -> Option<(bool, Span)> {
        let words = Words {
            may_be: &|of, word| self.is_word(of, word),
            are_apart: &|one, other| self.are_apart(one, other),
            is_of: &|one, other| self.is_of_team(one, other),
        };
        known.outcome(test, words)
    }

    fn go_down(&self, test: &Expr, known: &Known, found: &mut BTreeMap<Span, Diagnostic>) {
        let (parts, holds) = match &*test.kind {
            ExprKind::Group(inner) => return self.go_down(inner, known, found),
            ExprKind::Not(inner) if matches!(&*inner.inside().kind, ExprKind::And(_) | ExprKind::Or(_)) => {
                return self.go_down(inner, known, found);
            }
            ExprKind::And(parts) => (parts, true),
            ExprKind::Or(parts) => (parts, false),
            _ => {
                if let Some((holds, by)) = self.outcome(test, known) {
                    let told = match holds {
                        true => always_behind(test.span, by),
                        false => never_behind(test.span, by),
                    };
                    found.entry(test.span).or_insert(told);
                }
                return;
            }
        };
        let mut known = known.clone();
        for part in parts {
            self.go_down(part, &known, found);
            known.take(part, holds);
        }
    }

    /// Whether something is one word at a time, of which this is one.
    fn is_word(&self, of: &Expr, word: &str) -> bool {
        let ExprKind::Query(query) = &*of.inside().kind else {
            return false;
        };
        let (rules, name) = (self.look.rules, &query.name.text);
        let fact = rules.fact_named(name);
        let option = rules.options.iter().find(|option| option.name == *name);
        fact.is_some_and(|fact| fact.words.iter().any(|(known, _)| known == word))
            || option.is_some_and(|option| option.values.iter().any(|known| known == word))
    }
}

/// Where a test stands, and what is known there of numbers.
struct Place<'a> {
    scene: Option<&'a str>,
    ranges: BTreeMap<&'a str, (i64, i64)>,
    /// How many play, where these rules say it.
    players: Option<(i64, i64)>,
}

impl Place<'_> {
    /// Between which numbers a value is; in a scene, that scene has been once already.
    fn range(&self, value: &Expr) -> (Option<i64>, Option<i64>) {
        match &*value.kind {
            ExprKind::Times(name) if self.scene == Some(name.text.as_str()) => (Some(1), None),
            ExprKind::NumberOf(set) if set.is_name("players") => self.players.unzip(),
            ExprKind::Times(_) | ExprKind::NumberOf(_) => (Some(0), None),
            _ => {
                let name = value.bare_name().map(|name| name.text.as_str());
                name.and_then(|name| self.ranges.get(name).copied()).unzip()
            }
        }
    }
}

/// A name for a number, and between which it is.
fn number_bound(kind: &StatementKind) -> Option<(&Name, (i64, i64))> {
    let (name, domain, or_none) = match kind {
        StatementKind::Draw {
            name,
            count: None,
            domain,
            ..
        } => (name, domain, false),
        StatementKind::ForEach {
            name: Some(name),
            among,
            ..
        } => (name, among, false),
        StatementKind::Ask(ask) => match &ask.question {
            Question::For {
                name,
                amount: None,
                domain,
                or_nobody,
            } if ask.limit.is_none() => (name, domain, *or_nobody != OrNobody::Never),
            _ => return None,
        },
        _ => return None,
    };
    let Domain::Numbers(low, high) = domain else {
        return None;
    };
    let (low, high) = (number(low)?, number(high)?);
    match or_none {
        true => Some((name, (low.min(0), high.max(0)))),
        false => Some((name, (low, high))),
    }
}

/// `most of vote`: as many as are level. Places are never level.
pub(super) fn is_level(set: &Expr) -> bool {
    match &*set.inside().kind {
        ExprKind::Query(query) if matches!(query.name.text.as_str(), "most" | "highest" | "lowest") => {
            let is_place =
                |of: &Expr| matches!(&*of.inside().kind, ExprKind::Query(by) if by.name.text == "place");
            query.of.as_ref().is_some_and(|of| !is_place(of))
        }
        _ => false,
    }
}

/// `first of most of vote`: of whom the one who sits first is taken.
fn picked_of(query: &Query) -> Option<&Expr> {
    let picks = matches!(query.name.text.as_str(), "first" | "last");
    let of = query.of.as_ref().map(Expr::inside);
    of.filter(|_| picks && query.number.is_none() && query.count.is_none())
}

fn is_first_of(value: &Expr) -> bool {
    matches!(&*value.inside().kind, ExprKind::Query(query) if picked_of(query).is_some())
}

/// What is known in a declaration of those who may be several.
struct Level<'a> {
    /// The names of those who are level, and of those who were picked together.
    level: BTreeMap<&'a str, &'a Expr>,
    several: BTreeSet<&'a str>,
    /// What is asked for behind an `if`: how many they are, too.
    tested: Vec<&'a Expr>,
}

impl<'a> Level<'a> {
    fn of(kind: &'a ItemKind) -> Self {
        let (mut level, mut several, mut tested) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        let when = kind.rule().and_then(|rule| rule.when.as_ref());
        when.into_iter()
            .for_each(|when| for_each_expr(when, &mut |expr| tested.push(expr)));
        for_each_statement(kind, &mut |statement| match &statement.kind {
            StatementKind::If(test, ..) => for_each_expr(test, &mut |expr| tested.push(expr)),
            StatementKind::Let { name, value } if is_level(value) => {
                level.insert(name.text.as_str(), value);
            }
            // How many they are may be kept first, and tested then.
            StatementKind::Let { value, .. } | StatementKind::Set { value, .. } if !is_first_of(value) => {
                for_each_expr(value, &mut |expr| tested.push(expr));
            }
            StatementKind::Draw {
                name,
                count: Some(count),
                ..
            } if number(count) != Some(1) => {
                several.insert(name.text.as_str());
            }
            StatementKind::Ask(ask) => {
                if let Question::Menu(_, branches) = &ask.question {
                    let tests = branches.iter().filter_map(|branch| branch.when.as_ref());
                    tests.for_each(|when| for_each_expr(when, &mut |expr| tested.push(expr)));
                }
                if let Question::For {
                    name,
                    amount: Some(amount),
                    ..
                } = &ask.question
                    && number(&amount.count) != Some(1)
                {
                    several.insert(name.text.as_str());
                }
            }
            _ => {}
        });
        Level {
            level,
            several,
            tested,
        }
    }

    fn are_level(&self, set: &Expr) -> bool {
        let called = set.inside().bare_name().map(|name| name.text.as_str());
        let value = called.and_then(|name| self.level.get(name));
        is_level(set) || value.is_some_and(|value| !self.is_tested(set) && !self.is_tested(value))
    }

    fn are_several(&self, set: &Expr) -> bool {
        let name = set.inside().bare_name();
        name.is_some_and(|name| self.several.contains(name.text.as_str()))
    }

    /// Whether how many they are is asked for.
    fn is_tested(&self, set: &Expr) -> bool {
        self.tested.iter().any(|test| is_alike(test, set))
    }
}

/// Whether one counts only some of those whom the other counts: those who are living wolves, of all who are living.
fn is_part(left: &Expr, right: &Expr) -> bool {
    let set = |expr: &Expr| match &*expr.kind {
        ExprKind::NumberOf(set) => (true, set.inside().clone()),
        _ => (false, expr.inside().clone()),
    };
    let ((counted, some), (also, all)) = (set(left), set(right));
    if counted && also && all.is_name("players") {
        return true;
    }
    // A name by itself may be a number.
    let is_set = counted || matches!(*some.kind, ExprKind::Narrow(_));
    is_set && is_within(&some, &all)
}

/// Whether two sets are written alike: `seat 2` and `seat 2`.
fn is_same(one: &Expr, other: &Expr) -> bool {
    match (&*one.kind, &*other.kind) {
        (ExprKind::Query(one), ExprKind::Query(other)) => {
            let number = |query: &Query| query.number.as_ref().map(|number| number.value);
            let alone = |query: &Query| query.of.is_none() && query.among.is_none();
            let named = one.name.text == other.name.text && number(one) == number(other);
            number(one).is_some() && named && alone(one) && alone(other)
        }
        _ => false,
    }
}

/// Whether a test of an option holds with a word, if that is seen in it.
fn option_is(test: &Expr, value: &str) -> Option<bool> {
    let (_, op, right) = test.comparison()?;
    let named = match &*right.inside().kind {
        ExprKind::Truth(truth) => ["no", "yes"][usize::from(*truth)],
        _ => &right.bare_name()?.text,
    };
    match op {
        CompareOp::Is => Some(named == value),
        CompareOp::IsNot => Some(named != value),
        _ => None,
    }
}

/// The tests that the columns of tables of values make: the last may well go up to the end.
fn columns_in(kind: &ItemKind) -> BTreeSet<Span> {
    let mut columns = BTreeSet::new();
    for_each_expr(kind, &mut |expr| {
        if let ExprKind::Cases { cases, otherwise } = &*expr.kind
            && otherwise.is_none()
        {
            for (_, test) in cases {
                for_each_expr(test, &mut |part| columns.extend([part.span]));
            }
        }
    });
    columns
}

mistakes! {
    fn never_holds(test: Span) = warning "never-holds" ("M0744", test):
        "this can never hold", "always no",
        help "look at the number: inside a scene, that scene has been played once already, and nobody can count more players than there are";

    fn beyond_its_changes(test: Span) = warning "never-holds" ("M0744", test):
        "this can never hold", "always no",
        help "look at what it is at the start and how it changes: nothing sets it so, or adds or takes so much";

    fn always_holds(test: Span) = warning "always-holds" ("M0752", test):
        "this always holds", "always yes",
        help "leave it out, or look at the number: inside a scene, that scene has been played once already";

    fn settled_by_seats(picks: &Name, span: Span) = warning "settled-by-seats" ("M0753", span):
        format!("where several are level, `{}` takes the one by his seat, and nobody is told", picks.text), "by the order of the seats",
        help "say what a level vote leads to, or `draw` one of them";

    fn told_apart_by_nothing(option: &Name, one: &str, other: &str) = warning "option-unread" ("M0706", option.span):
        format!("with `{0} = {one}` and `{0} = {other}` the rules are the same", option.text), "nothing tells these two apart",
        help format!("write `if {} is {other} {{ … }}` where it matters, or leave one of the values out", option.text);

    fn settled_by_mark(mark: &Name, set: Span) = warning "settled-by-seats" ("M0753", set):
        format!("where they are several, one of them is `{}` by his seat, and nobody is told", mark.text), "by the order of the seats",
        help "say what a level vote leads to, or `draw` one of them";

    fn nobody_is_both(one: &str, other: &str, set: Span) = warning "nobody-is-both" ("M0745", set):
        format!("nobody is `{one}` and `{other}` at once"), "always nobody",
        help format!("for those who are either, write `({one} plus {other})`"),
        writes format!("({one} plus {other})");

    fn nobody_is_left(set: Span) = warning "nobody-is-both" ("M0745", set):
        "whoever is named here is taken out again", "always nobody",
        help "behind `without` stands who is not meant: `living without me`";

    fn of_one_and_the_same(test: Span) = warning "always-holds" ("M0752", test):
        "both sides of this are the same", "it comes out one way, whatever is so",
        help "name on the other side what it is to be compared with";

    fn whether_there_is_anything(test: Span) = warning "always-holds" ("M0752", test):
        "both sides of this are the same: all it says is whether there is anything", "yes where there is something",
        help "write `some …`, or name on the other side what it is to be compared with";

    fn never_alike(right: &Expr, test: Span) = warning "never-holds" ("M0744", test):
        "a team is never a role", "it comes out one way, whatever is so",
        help format!("write `role of … is {name}`"),
        where name = right.bare_name().map_or("…", |name| &name.text);

    fn two_words(one: &Name, other: &Name, of: &str, test: Span) = warning "never-holds" ("M0744", test):
        format!("`{}` and `{}` are two of the words that `{of}` may be", one.text, other.text), "it comes out one way, whatever is so",
        help format!("write `{of} is {}`", other.text),
        writes format!("{of} is {}", other.text);

    fn never_set_to(of: &str, word: &Name) = warning "never-holds" ("M0744", word.span):
        format!("`{of}` is never set to `{}`", word.text), "it never is that",
        help format!("write `set {of} to {}` where it comes to that, or leave this out", word.text);

    fn ended_before(test: Span, first: Span) = warning "never-holds" ("M0744", test):
        "where this holds another ending has come already", "never comes",
        also first, "this holds then, too, and is looked at first",
        help "put this ending before the other one, or let the other ask for more";

    fn never_behind(test: Span, by: Span) = warning "never-holds" ("M0744", test):
        "this can never hold here", "always no",
        also by, "settled here already",
        help "one of the two was meant to be something else, or this is not needed";

    fn always_behind(test: Span, by: Span) = warning "always-holds" ("M0752", test):
        "this always holds here", "always yes",
        also by, "settled here already",
        help "one of the two was meant to be something else, or this is not needed";
}
