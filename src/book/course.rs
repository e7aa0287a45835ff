//! The course of the game: the script as an outline, each scene with what is said and done, and whom the
//! night calls in which order.

use crate::{
    page::{Inline, Line, Page},
    phrases::{Teller, plain, words},
    standing::around,
    subject::{Subject, of_card, spoken},
};
use omerta_core::{rules::GroupId, source::Span};
use omerta_play::words::{listed, with_a_capital};
use omerta_syntax::tree::{
    Block, Clause, CompareOp, Expr, ExprKind, ItemKind, Moment, Name, Part, Rule, Statement, StatementKind,
    Verdict,
};
use omerta_syntax::walk::blocks_in;

/// A call, and in which scene.
pub struct Called<'a> {
    /// The scene it stands in.
    pub scene: &'a str,
    /// The role or team.
    pub card: &'a Name,
    /// What for.
    pub purpose: Option<&'a Name>,
    /// Under which tests of that scene, each with whether it must hold.
    pub when: Vec<(&'a Expr, bool)>,
}

/// The scenes and the calls in the order in which the script comes to them.
#[derive(Default)]
struct Walk<'a> {
    scenes: Vec<&'a str>,
    calls: Vec<Called<'a>>,
    /// What was called for what, and told already.
    parts: Vec<(&'a str, Option<&'a str>)>,
    /// The rules on words that were gone into.
    rules: Vec<Span>,
    /// The tests that are open in the scene that is gone through.
    when: Vec<(&'a Expr, bool)>,
    /// The scenes that are running where it stands.
    running: Vec<&'a str>,
}

impl<'a> Walk<'a> {
    /// From the script on; then the scenes that what may come in at any time plays. What the options in force
    /// leave out is not gone into.
    fn of(subject: Subject<'a>) -> Walk<'a> {
        let mut walk = Walk::default();
        if let Some(script) = subject.script() {
            walk.follow(subject, script, "");
        }
        let calls = walk.calls.len();
        for (kind, _) in subject.kinds() {
            match kind {
                ItemKind::Rule(rule) if Teller::of(subject).comes_in(rule) => {
                    walk.follow(subject, &rule.body, "")
                }
                ItemKind::Allow(allow) => walk.follow(subject, &allow.body, ""),
                ItemKind::Event { body, .. } => walk.follow(subject, body, ""),
                ItemKind::Role(role) => walk.parts(subject, &role.parts),
                ItemKind::Team { parts, .. } => walk.parts(subject, parts),
                ItemKind::Ending(ending) => {
                    if let Verdict::Judged(body) = &ending.verdict {
                        walk.follow(subject, body, "");
                    }
                }
                _ => {}
            }
        }
        // Only what the script leads to has its place in the order of the calls.
        walk.calls.truncate(calls);
        walk
    }

    fn parts(&mut self, subject: Subject<'a>, parts: &'a [Part]) {
        parts.iter().for_each(|part| self.follow(subject, &part.body, ""));
    }

    /// A scene with the rules that hang on it; each scene once.
    fn enter(&mut self, subject: Subject<'a>, name: &'a str) {
        let Some((_, body, _)) = subject.scene(name) else {
            return;
        };
        if self.scenes.contains(&name) {
            return;
        }
        self.scenes.push(name);
        self.running.push(name);
        let outer = std::mem::take(&mut self.when);
        let rules = |moment| {
            subject.rules_at(name, moment).filter(move |(rule, _)| {
                Teller::of(subject).comes_in(rule)
                    && (Some(name) != subject.calling() || of_card(rule).is_none())
            })
        };
        for (rule, _) in rules(Moment::Before) {
            self.rule(subject, rule, name);
        }
        if !Teller::of(subject).is_replaced(name) {
            self.follow(subject, body, name);
        }
        for (rule, _) in rules(Moment::Instead).chain(rules(Moment::After)) {
            self.rule(subject, rule, name);
        }
        self.when = outer;
        self.running.pop();
    }

    /// The rules that hang on the call of one card, each where it first may come in.
    fn around_call(&mut self, subject: Subject<'a>, moments: &[Moment], card: &'a str, scene: &'a str) {
        for moment in moments {
            let rules =
                { subject.calling().into_iter() }.flat_map(|calling| subject.rules_at(calling, *moment));
            for (rule, span) in rules.filter(|(rule, _)| of_card(rule) == Some(card)) {
                let is_open = rule.when.iter().all(|test| self.holds_here(test) != Some(false));
                if is_open && Teller::of(subject).comes_in(rule) && !self.rules.contains(&span) {
                    self.rules.push(span);
                    self.rule(subject, rule, scene);
                }
            }
        }
    }

    /// Whether a test that asks for scenes alone holds where the walk stands; nothing where it asks for more.
    fn holds_here(&self, test: &Expr) -> Option<bool> {
        match &*test.kind {
            ExprKind::Group(inner) => self.holds_here(inner),
            ExprKind::During(scene) => Some(self.running.contains(&scene.text.as_str())),
            ExprKind::Not(inner) => Some(!self.holds_here(inner)?),
            ExprKind::And(all) => {
                let all: Vec<Option<bool>> = all.iter().map(|one| self.holds_here(one)).collect();
                match all.contains(&Some(false)) {
                    true => Some(false),
                    false => all.into_iter().collect::<Option<Vec<bool>>>().map(|_| true),
                }
            }
            _ => None,
        }
    }

    fn rule(&mut self, subject: Subject<'a>, rule: &'a Rule, scene: &'a str) {
        let tests = rule
            .when
            .iter()
            .filter(|test| self.holds_here(test) != Some(true));
        let tests = tests.map(|test| (test, true)).collect();
        self.under(tests, |walk| walk.follow(subject, &rule.body, scene));
    }

    /// Goes on under some tests more.
    fn under(&mut self, tests: Vec<(&'a Expr, bool)>, go: impl FnOnce(&mut Self)) {
        let before = self.when.len();
        self.when.extend(tests);
        go(self);
        self.when.truncate(before);
    }

    fn follow(&mut self, subject: Subject<'a>, block: &'a Block, scene: &'a str) {
        for statement in &block.statements {
            match &statement.kind {
                StatementKind::Play { scene, .. } => self.enter(subject, &scene.text),
                StatementKind::Call { card, purpose } => {
                    let is_card = |card: &&Name| subject.title_of(&card.text).is_some();
                    let Some(card) = card.bare_name().filter(is_card) else {
                        if let Some(calling) = subject.calling() {
                            self.enter(subject, calling);
                        }
                        continue;
                    };
                    let purpose = purpose.as_ref();
                    let when = self.when.clone();
                    self.around_call(subject, &[Moment::Before], &card.text, scene);
                    self.calls.push(Called {
                        scene,
                        card,
                        purpose,
                        when,
                    });
                    if let Some(calling) = subject.calling() {
                        self.enter(subject, calling);
                    }
                    // A part may call what calls it.
                    let known = (card.text.as_str(), purpose.map(|purpose| purpose.text.as_str()));
                    if !self.parts.contains(&known) {
                        self.parts.push(known);
                        for part in subject.parts(&card.text, purpose) {
                            self.follow(subject, &part.body, scene);
                        }
                    }
                    self.around_call(subject, &[Moment::Instead, Moment::After], &card.text, scene);
                }
                StatementKind::If(test, then, otherwise) => {
                    let known = Teller::of(subject).test(test).err();
                    let then = Some(then).filter(|_| known != Some(false));
                    let otherwise = otherwise.as_ref().filter(|_| known != Some(true));
                    let open = [(then, true), (otherwise, false)];
                    for (block, holds) in open
                        .into_iter()
                        .filter_map(|(block, holds)| Some((block?, holds)))
                    {
                        let tests = known.is_none().then_some((test, holds)).into_iter().collect();
                        self.under(tests, |walk| walk.follow(subject, block, scene));
                    }
                }
                StatementKind::Say { name: Some(name), .. }
                | StatementKind::Wait { name: Some(name), .. } => {
                    self.words(subject, &name.text, scene);
                }
                _ => blocks_in(statement)
                    .into_iter()
                    .for_each(|block| self.follow(subject, block, scene)),
            }
        }
    }

    /// The rules that hang on words, each once.
    fn words(&mut self, subject: Subject<'a>, name: &'a str, scene: &'a str) {
        for moment in [Moment::Before, Moment::Instead, Moment::After] {
            for (rule, span) in subject.rules_at(name, moment) {
                if Teller::of(subject).comes_in(rule) && !self.rules.contains(&span) {
                    self.rules.push(span);
                    self.rule(subject, rule, scene);
                }
            }
        }
    }
}

impl<'a> Subject<'a> {
    /// The scenes in the order in which the script comes to them, each once. The one that makes every
    /// call is told with each call.
    pub fn scenes_in_order(self) -> Vec<&'a str> {
        // What makes the calls is told with each; by itself what is written above it, and what gets in its way.
        let caller = { self.calling().zip(self.caller()) }
            .filter(|(name, _)| !self.is_changed(name) && !self.is_explained(name))
            .map(|(_, (_, body))| body.span);
        let is_caller = |name: &&str| {
            self.scene(name)
                .is_some_and(|(_, body, _)| Some(body.span) == caller)
        };
        let scenes = self.scenes_played().into_iter();
        scenes.filter(|name| !is_caller(name)).collect()
    }

    /// All scenes to which the script or anything else may come, in that order.
    pub fn scenes_played(self) -> Vec<&'a str> {
        Walk::of(self).scenes
    }

    /// Whether rules in force hang on the scene that makes the calls, but for those that are told with the one call.
    fn is_changed(self, scene: &'a str) -> bool {
        let moments = [Moment::Before, Moment::Instead, Moment::After];
        let mut rules = moments
            .into_iter()
            .flat_map(|moment| self.rules_at(scene, moment));
        let calls = self.calls();
        let is_told =
            |rule: &Rule| of_card(rule).is_some_and(|card| calls.iter().any(|call| call.card.text == card));
        rules.any(|(rule, _)| Teller::of(self).comes_in(rule) && !is_told(rule))
    }

    /// Whether the game has words of its own above a scene.
    fn is_explained(self, scene: &str) -> bool {
        let scene = self.scene(scene);
        scene.is_some_and(|(.., span)| !self.is_of_a_library(span) && !self.remark(span).is_empty())
    }

    /// The calls in a scene and in those that it plays, in their order.
    pub fn calls_in(self, scene: &'a str) -> Vec<Called<'a>> {
        let mut walk = Walk::default();
        walk.enter(self, scene);
        walk.calls
    }

    /// All calls, in the order of the script; those that hang on a scene by a rule stand at that scene.
    pub fn calls(self) -> Vec<Called<'a>> {
        Walk::of(self).calls
    }
}

/// Adds the script as an outline.
pub fn add_outline(page: &mut Page, teller: &Teller<'_>) {
    if let Some(script) = teller.subject.script() {
        page.heading(2, "The course of the game", "course");
        page.list(true, teller.block(script));
    }
}

/// Adds whom the host calls, in order.
pub fn add_calls(page: &mut Page, teller: &Teller<'_>) {
    let subject = teller.subject;
    let row = |(number, called): (usize, Called<'_>)| {
        let title = subject.called(&called.card.text);
        let to = called
            .purpose
            .map_or_else(String::new, |to| format!(", to {}", spoken(&to.text)));
        vec![
            (number + 1).to_string(),
            with_a_capital(&subject.spoken(called.scene)),
            format!("{}{to}", with_a_capital(&title)),
            with_a_capital(&called.condition(teller)),
            questions(teller, &called).join(" "),
        ]
    };
    let mut rows: Vec<Vec<String>> = subject.calls().into_iter().enumerate().map(row).collect();
    let mut head = vec!["No.", "In", "Called", "When", "Asked"];
    if rows.iter().all(|row| row[3].is_empty()) {
        head.remove(3);
        rows.iter_mut().for_each(|row| drop(row.remove(3)));
    }
    if !rows.is_empty() {
        page.heading(2, "Who is called, in order", "calls");
        page.table(&head, rows);
    }
}

impl Called<'_> {
    /// When the call is made, of those times that its scene comes to it; nothing where it always is.
    pub fn condition(&self, teller: &Teller<'_>) -> String {
        let teller = teller.spelling();
        let tests = self.when.iter().filter_map(|(test, holds)| match holds {
            true => teller.test(test).ok(),
            false => Some(teller.untruth(test)),
        });
        let tests: Vec<String> = tests.map(|words| plain(&words)).collect();
        match tests.is_empty() {
            true => String::new(),
            false => format!("if {}", listed(tests, "and")),
        }
    }
}

/// The calls of a role, for one of which nothing else is told.
pub fn calls_of(teller: &Teller<'_>, role: &str) -> Vec<Line> {
    let subject = teller.subject;
    let calls = subject.calls().into_iter();
    let theirs = calls.filter(|called| called.card.text == role && called.purpose.is_none());
    theirs
        .map(|called| {
            let condition = called.condition(teller);
            let comma = if condition.is_empty() { "" } else { ", " };
            Line::of(words![
                "Is called in ",
                Inline::Term(
                    with_a_capital(&subject.spoken(called.scene)),
                    format!("scene-{}", called.scene)
                ),
                comma,
                condition,
                "."
            ])
        })
        .collect()
}

/// What somebody who is called is asked, also in the scenes that this plays.
pub fn questions(teller: &Teller<'_>, called: &Called<'_>) -> Vec<String> {
    let subject = teller.subject;
    let mut found = Vec::new();
    asked_in(&teller.parts_of(called.card, called.purpose), &mut found);
    let title = subject.called(&called.card.text);
    for part in subject.parts(&called.card.text, called.purpose) {
        for statement in &part.body.statements {
            let StatementKind::Play { scene, .. } = &statement.kind else {
                continue;
            };
            if let Some((params, body, _)) = subject.scene(&scene.text) {
                let param = params.first();
                let teller = param.map_or_else(
                    || teller.clone(),
                    |param| teller.with_card(&param.name.text, &title, None),
                );
                asked_in(&teller.block(body), &mut found);
            }
        }
    }
    found
}

impl Teller<'_> {
    /// What is done in a call, without the tests by which it is left out: by an option, which is told in a place of its own,
    /// and where the card is not in the game; and without a pause that these leave no room for.
    pub fn call_without_guards(&self, body: &Block) -> Vec<Line> {
        let mut body = body.clone();
        let last = { body.statements.iter() }.position(|statement| self.surely_leaves(statement));
        body.statements.truncate(last.map_or(usize::MAX, |last| last + 1));
        let mut left_out: Vec<Expr> = Vec::new();
        body.statements.retain(|statement| {
            let StatementKind::If(test, ..) = &statement.kind else {
                return true;
            };
            let leads_to = |ways_out: fn(&StatementKind) -> bool| only_leads_to(statement, ways_out);
            if leads_to(|kind| matches!(kind, StatementKind::Wait { .. })) {
                return !left_out.iter().any(|known| self.are_alike(known, test));
            }
            let is_told = self.goes_by_an_option(test) || is_of_no_card(test);
            let is_guard = is_told && leads_to(|kind| matches!(kind, StatementKind::Leave(_)));
            if is_guard {
                let parts = match &*test.kind {
                    ExprKind::And(parts) => parts.iter().collect(),
                    _ => vec![test],
                };
                let open: Vec<&Expr> = parts
                    .into_iter()
                    .filter(|part| self.test(part) != Err(true))
                    .collect();
                left_out.extend(<[&Expr; 1]>::try_from(open).ok().map(|[only]| only.clone()));
            }
            !is_guard
        });
        with_something_below(self.block(&body))
    }

    /// Whether nothing behind a statement is come to, as far as it is known which card is called.
    fn surely_leaves(&self, statement: &Statement) -> bool {
        let leaves = |block: &Block| block.statements.iter().any(|inner| self.surely_leaves(inner));
        match &statement.kind {
            StatementKind::Leave(_) => true,
            StatementKind::If(test, then, otherwise) => match self.test(test) {
                Err(true) => leaves(then),
                Err(false) => otherwise.as_ref().is_some_and(leaves),
                Ok(_) => false,
            },
            _ => false,
        }
    }

    /// Whether in the calls of a card each does by himself what it says.
    pub fn act_one_by_one(&self, card: &str) -> bool {
        let Some((param, body)) = self.subject.caller() else {
            return false;
        };
        let which = self.subject.rules.group_named(card);
        let teller = self.elsewhere().with_card(&param.text, card, which);
        let mut found = Vec::new();
        teller.find_who_performs(body, &param.text, &mut found);
        !found.is_empty() && found.into_iter().all(|by_himself| by_himself)
    }

    /// For each place where a call may come to what the card says, whether somebody by himself does it there.
    fn find_who_performs(&self, block: &Block, param: &str, found: &mut Vec<bool>) {
        for statement in &block.statements {
            let settled = match &statement.kind {
                StatementKind::Perform { card, by, .. } if card.is_name(param) => {
                    found.push(by.is_some());
                    None
                }
                StatementKind::If(test, ..) => self.test(test).err(),
                _ => None,
            };
            let blocks = blocks_in(statement).into_iter().enumerate();
            let open = blocks.filter(|(at, _)| settled.is_none_or(|holds| (*at == 0) == holds));
            open.for_each(|(_, block)| self.find_who_performs(block, param, found));
        }
    }

    fn goes_by_an_option(&self, test: &Expr) -> bool {
        let mut options = self.subject.rules.options.iter();
        options.any(|option| self.subject.names_it(test.span, &option.name))
    }

    /// Whether two tests find nobody in the same set: `no awaited of c`, where that is the circle of c.
    fn are_alike(&self, one: &Expr, other: &Expr) -> bool {
        let whom = |test: &Expr| match &*test.kind {
            ExprKind::No(set) => Some(self.by_another_name(set)),
            _ => None,
        };
        whom(one).is_some_and(|set| whom(other) == Some(set))
    }

    /// A set in its words, or in those of another that it is defined to be, if nothing adds to it for the called card.
    fn by_another_name(&self, set: &Expr) -> String {
        let plain = |set: &Expr| self.subject.sources.slice(set.span).to_owned();
        let meant = set.inside().read_of().and_then(|(name, of)| {
            let concerns = |clause: &Clause| {
                let of = clause.param.as_ref();
                let of = of.and_then(|of| self.subject.rules.group_named(&of.name.text));
                clause.name.text == name.text && of.is_none_or(|group| self.may_be_called(group))
            };
            let mut kinds = self.subject.kinds();
            let is_more = kinds.any(|(kind, _)| matches!(kind, ItemKind::Clause(clause) if concerns(clause)));
            let (meant, _) = self.subject.defined(&name.text).filter(|_| !is_more)?.read_of()?;
            Some(format!("{} of {}", meant.text, plain(of)))
        });
        meant.unwrap_or_else(|| plain(set))
    }

    /// Whether the call that is told is, or may be, that of a card.
    fn may_be_called(&self, group: GroupId) -> bool {
        let card = self.made.as_ref().and_then(|made| made.card.as_ref());
        let card = card.and_then(|card| self.subject.rules.group_named(&card.text));
        card.is_none_or(|card| card == group)
    }
}

/// Without the lines that only say when something is done, or by whom, where nothing is.
fn with_something_below(lines: Vec<Line>) -> Vec<Line> {
    let below = |line: Line| {
        let leads_on = matches!(line.words.last(), Some(Inline::Words(words)) if words.ends_with(':'));
        let inner = with_something_below(line.inner);
        (!leads_on || !inner.is_empty()).then_some(Line { inner, ..line })
    };
    lines.into_iter().filter_map(below).collect()
}

/// `copies of c is 0`
fn is_of_no_card(test: &Expr) -> bool {
    let ExprKind::Compare(left, CompareOp::Is, _, right) = &*test.kind else {
        return false;
    };
    let counts = matches!(&*left.kind, ExprKind::Query(query) if query.name.text == "copies");
    counts && matches!(*right.kind, ExprKind::Int(0))
}

/// Whether a statement is a test that can lead to nothing else.
fn only_leads_to(statement: &Statement, ways_out: fn(&StatementKind) -> bool) -> bool {
    let inside = blocks_in(statement);
    let mut inside = inside.iter().flat_map(|block| &block.statements);
    matches!(statement.kind, StatementKind::If(..))
        && inside.all(|statement| ways_out(&statement.kind) || only_leads_to(statement, ways_out))
}

fn asked_in(lines: &[Line], found: &mut Vec<String>) {
    for line in lines {
        found.extend(line.asks.clone().filter(|words| !found.contains(words)));
        asked_in(&line.inner, found);
    }
}

/// Adds every scene with what is said and done in it.
pub fn add_script(page: &mut Page, teller: &Teller<'_>) {
    let subject = teller.subject;
    let scenes = subject.scenes_in_order();
    if scenes.is_empty() {
        return;
    }
    page.heading(2, "The host's script", "script");
    page.paragraph(words![
        "Read aloud what stands in quotation marks; what stands between ‹ and › is filled in. The scenes stand in the order in which the game first comes to them."
    ]);
    for name in scenes {
        let Some((params, body, span)) = subject.scene(name) else {
            continue;
        };
        let base = teller;
        let (teller, of) = teller.handed_to(" of ", params);
        page.heading(
            3,
            &format!("{}{of}", with_a_capital(&subject.spoken(name))),
            &format!("scene-{name}"),
        );
        page.plain(&subject.remark(span));
        let lines = match subject.calling() == Some(name) {
            true => teller.call_without_guards(body),
            false => teller.block(body),
        };
        page.list(true, around(base, name, lines));
    }
}
