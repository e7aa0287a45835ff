//! How the game ends, and what the options and the overlays in force make of it.

use crate::{
    page::{Inline, Line, Page},
    phrases::{BEHIND_IT, Teller, words},
    remarks,
    subject::{Choice, Subject},
};
use omerta_core::{rules::OptionSetting, source::Span};
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{Block, Ending, Expr, ItemKind, Name, StatementKind, Verdict};
use omerta_syntax::walk::{Part, holds};

impl Teller<'_> {
    /// An ending in words; nothing where it can never hold.
    pub fn ending(&self, ending: &Ending) -> Option<Line> {
        let test = match self.test(&ending.when) {
            Err(false) => return None,
            Err(true) => Vec::new(),
            Ok(words) => words!["when ", words],
        };
        let title = ending.title.as_ref().map(|title| self.text(title));
        let title = title.map_or_else(Vec::new, |title| {
            words![Inline::Strong(format!("{}: ", title.trim_end_matches('.')))]
        });
        let verdict = match &ending.verdict {
            Verdict::Win(who) => words!["victory for ", self.expr(who)],
            Verdict::Lose(who) => words!["defeat for ", self.expr(who)],
            Verdict::Draw => words!["nobody wins"],
            Verdict::Judged(body) => {
                let test = match test.is_empty() {
                    true => words!["these steps decide:"],
                    false => words![test, ", these steps decide:"],
                };
                let line = match title.is_empty() {
                    true => with_a_capital_first(test),
                    false => words![title, test],
                };
                return Some(Line::of(line).with(self.block(body)));
            }
        };
        let joint = if test.is_empty() { "" } else { ", " };
        let verdict = match title.is_empty() {
            true => with_a_capital_first(verdict),
            false => verdict,
        };
        Some(Line::of(words![title, verdict, joint, test, "."]))
    }

    /// The victories and defeats of somebody that hang on no ending, each with what it hangs on where it stands; of
    /// nobody in particular also what ends the game with none.
    pub fn verdicts_elsewhere(&self, concerns: Option<&dyn Fn(&Expr) -> bool>) -> Vec<Line> {
        let subject = self.subject;
        let is_meant = |who: &Expr| concerns.is_none_or(|concerns| concerns(who));
        // `me`, or the name that a rule gives to whom it happens, is whoever it is in what stands around.
        let decides = |kind: &StatementKind, (called, me): (&str, &[String])| match kind {
            StatementKind::Win { set, when } | StatementKind::Lose { set, when } => {
                let is_me = set.bare_name().is_some_and(|name| name.text == called);
                // `win p when p is Guild`
                let is_so = |test: &Expr| test.said_of(set).is_some_and(is_meant);
                let is_called = |text: &String| {
                    let (text, span) = (text.clone(), set.span);
                    is_meant(&Expr::named(Name { text, span }))
                };
                is_meant(set) || is_me && me.iter().any(is_called) || when.as_ref().is_some_and(is_so)
            }
            StatementKind::End => concerns.is_none(),
            _ => false,
        };
        let inside = |teller: &Self, head: Vec<Inline>, body: &Block, me: &[String]| {
            let deciding = body
                .statements
                .iter()
                .filter(|statement| holds(Part::Statement(statement), &|kind| decides(kind, ("me", me))));
            let inner: Vec<Line> = deciding
                .flat_map(|statement| teller.remarked_statement(statement))
                .collect();
            (!inner.is_empty()).then(|| Line::of(words![head, ":"]).with(inner))
        };
        let place = |sort: &str, name: &str| {
            let spoken = with_a_capital(&subject.spoken(name));
            words!["In ", Inline::Term(spoken, format!("{sort}-{name}"))]
        };
        let names_in = |set: &Expr| -> Vec<String> {
            let text = subject.sources.slice(set.span);
            let names = text.split(|sign: char| !sign.is_alphanumeric() && !"-_".contains(sign));
            names.map(str::to_owned).collect()
        };
        let bodies = subject.kinds().filter_map(|(kind, _)| match kind {
            ItemKind::Scene {
                name, params, body, ..
            } if !self.is_replaced(&name.text) => {
                let (teller, _) = self.handed_to(" of ", params);
                inside(&teller, place("scene", &name.text), body, &[])
            }
            ItemKind::Event {
                name, of, by, body, ..
            } => {
                let (teller, _) = self.handed_to(" of ", of);
                let teller = by
                    .as_ref()
                    .map_or(teller.clone(), |by| teller.naming(by, BEHIND_IT).0);
                inside(&teller, place("event", &name.text), body, &[])
            }
            ItemKind::Allow(allow) => {
                let (teller, _) = self.with("me", "whoever does it").picked(allow.pick.as_ref());
                inside(&teller, self.offered(allow), &allow.body, &names_in(&allow.who))
            }
            _ => None,
        });
        // Of the script what decides is told, and not all that is repeated around it.
        let course = subject.script().and_then(|script| {
            let deciding = apart(script, &|kind| decides(kind, ("me", &[])));
            let course = Inline::Term("the course of the game".to_owned(), "course".to_owned());
            inside(self, words!["In ", course], &deciding, &[])
        });
        let calls = subject.roles().flat_map(|told| {
            let head = format!("When {} is called", told.group.title);
            let me = [told.group.name.clone()];
            let teller = self.as_called(&told.group.name);
            let parts = told.parts.iter();
            parts
                .filter_map(|part| inside(&teller, words![head.clone()], &part.body, &me))
                .collect::<Vec<_>>()
        });
        let rules = subject.rules_all().filter(|(rule, _)| {
            let of = rule.happening.of.first();
            let called = of.and_then(|of| of.name.as_ref()).map_or("", |name| &name.text);
            let names = of.map_or_else(Vec::new, |of| names_in(&of.set));
            self.comes_in(rule) && holds(&rule.body, &|kind| decides(kind, (called, &names)))
        });
        let rules = rules.filter_map(|(rule, span)| self.rule(rule, span));
        course
            .into_iter()
            .chain(bodies)
            .chain(calls)
            .chain(rules)
            .collect()
    }
}

/// The statements of a block that lead to something, those that are repeated without what repeats them.
fn apart(block: &Block, leads: &dyn Fn(&StatementKind) -> bool) -> Block {
    let statements = { block.statements.iter() }.flat_map(|statement| match &statement.kind {
        StatementKind::Repeat(body) => apart(body, leads).statements,
        StatementKind::ForEach { name: None, body, .. } => apart(body, leads).statements,
        _ => vec![statement.clone()],
    });
    let leading = statements.filter(|statement| holds(Part::Statement(statement), leads));
    Block {
        statements: leading.collect(),
        ..block.clone()
    }
}

/// Words that begin a line.
fn with_a_capital_first(mut words: Vec<Inline>) -> Vec<Inline> {
    if let Some(Inline::Words(first)) = words.first_mut() {
        *first = with_a_capital(first);
    }
    words
}

impl<'a> Subject<'a> {
    /// The endings in the order in which they are tested.
    pub fn endings(self) -> impl Iterator<Item = &'a Ending> {
        let span = move |origin: Span| {
            self.kinds().find_map(move |(kind, span)| match kind {
                ItemKind::Ending(ending) => {
                    let inside =
                        span.source == origin.source && span.start <= origin.start && origin.end <= span.end;
                    inside.then_some(&**ending)
                }
                _ => None,
            })
        };
        self.rules
            .endings
            .iter()
            .filter_map(move |ending| span(ending.origin))
    }
}

/// Adds the endings.
pub fn add_endings(page: &mut Page, teller: &Teller<'_>) {
    let lines: Vec<Line> = teller
        .subject
        .endings()
        .filter_map(|ending| {
            let span = teller.subject.kinds().find_map(|(kind, span)| match kind {
                ItemKind::Ending(own) if std::ptr::eq(&**own, ending) => Some(span),
                _ => None,
            });
            let line = teller.ending(ending)?;
            // What is written above steps comes before them.
            let remark = span.filter(|_| line.inner.is_empty());
            let remark = remark.map_or_else(String::new, |span| teller.remarked(span));
            let above = span.filter(|_| !line.inner.is_empty());
            let above = above.and_then(|span| teller.sentence_above(span));
            let inner = above.into_iter().chain(line.inner).collect();
            Some(Line::of(words![line.words, remark]).with(inner))
        })
        .collect();
    if !lines.is_empty() {
        page.heading(2, "Victory", "victory");
        page.plain("Whenever the script says to check whether the game is over, go down this list: the first line that holds ends the game.");
        page.list(true, lines);
    }
    let elsewhere = teller.verdicts_elsewhere(None);
    if !elsewhere.is_empty() {
        page.heading(2, "Decided along the way", "verdicts");
        page.plain("No check is waited for here: it is decided where the game comes to it.");
        page.list(false, elsewhere);
    }
}

impl Subject<'_> {
    /// Whether an option decides nothing here: it is a library's, and read in none but scenes that are never played.
    fn is_idle(self, option: &OptionSetting) -> bool {
        let is_it =
            |kind: &ItemKind| matches!(kind, ItemKind::Option { name, .. } if name.text == option.name);
        let is_of_a_library = { self.kinds() }.any(|(kind, span)| is_it(kind) && self.is_of_a_library(span));
        let played = self.scenes_played();
        let reads = |(kind, span): (&ItemKind, Span)| match kind {
            kind if is_it(kind) => false,
            ItemKind::Scene { name, .. } if !played.contains(&name.text.as_str()) => false,
            _ => self.names_it(span, &option.name),
        };
        is_of_a_library && !self.kinds().any(reads)
    }

    /// The numbers of the rulings that an option answers.
    pub fn rulings(self, option: &str) -> Vec<String> {
        let span = self.kinds().find_map(|(kind, span)| match kind {
            ItemKind::Option { name, .. } if name.text == option => Some(span),
            _ => None,
        });
        span.map_or_else(Vec::new, |span| remarks::rulings(self.sources, span))
    }
}

/// Adds the overlays in force.
pub fn add_overlays(page: &mut Page, subject: Subject<'_>) {
    let line = |name: &String| {
        let head = subject.head(name, true)?;
        let remark = match head.remark.is_empty() {
            true => String::new(),
            false => format!(": {}", head.remark),
        };
        let removed = subject.removals(name).map(Line::plain);
        Some(Line::of(words![Inline::Strong(head.title), remark]).with(removed.collect()))
    };
    let lines: Vec<Line> = subject.rules.overlays.iter().filter_map(line).collect();
    page.section("Overlays in force", "overlays", false, lines);
}

/// Adds the options: rulings on open questions first told as sentences, then all others.
pub fn add_options(page: &mut Page, subject: Subject<'_>) {
    let ruled = |option: &OptionSetting| subject.rulings(&option.name);
    let choices: Vec<Choice> = subject.choices().collect();
    let remarks = |option: &OptionSetting| {
        let declared = subject.kinds().find_map(|(kind, span)| match kind {
            ItemKind::Option { name, .. } if name.text == option.name => Some(subject.remark(span)),
            _ => None,
        });
        let is_it = |choice: &&Choice| choice.option == option.name && choice.value == option.value;
        let chosen = { choices.iter() }
            .filter(is_it)
            .map(|choice| choice.remark.clone());
        let told = declared
            .into_iter()
            .chain(chosen)
            .filter(|remark| !remark.is_empty());
        told.map(|remark| format!(" ({})", remark.trim_end_matches('.')))
            .collect::<String>()
    };
    let row = |option: &OptionSetting| {
        let others = option.values.iter().filter(|value| **value != option.value);
        let other = |value: &String| match *value == option.default {
            true => format!("{value} (the default)"),
            false => value.clone(),
        };
        let mut others: Vec<String> = others.map(other).collect();
        // Of a range only its ends are told.
        if option.value != option.default && !option.values.contains(&option.default) {
            others.push(format!("{} (the default)", option.default));
        }
        vec![
            format!("{}{}", with_a_capital(&option.sentence), remarks(option)),
            option.value.clone(),
            others.join(", "),
            option.name.clone(),
        ]
    };
    let (rulings, others): (Vec<&OptionSetting>, Vec<&OptionSetting>) = subject
        .rules
        .options
        .iter()
        .filter(|option| !subject.is_idle(option))
        .partition(|option| !ruled(option).is_empty());
    if !others.is_empty() {
        page.heading(2, "Options", "options");
        page.table(
            &["What it decides", "Here", "Or", "Name"],
            others.into_iter().map(row).collect(),
        );
    }
    if !rulings.is_empty() {
        page.heading(2, "Rulings", "rulings");
        page.plain("Where the rules left a question open, this is how it is played here.");
        let row = |option: &OptionSetting| {
            let mut cells = row(option);
            cells.push(ruled(option).join(", "));
            cells
        };
        page.table(
            &["The question", "Here", "Or", "Name", "No."],
            rulings.into_iter().map(row).collect(),
        );
    }
}
