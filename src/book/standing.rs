//! Rules, offers and definitions in words: what holds without being played.

use crate::{
    english::sentence,
    nouns::{either_of, side_by_side},
    page::{Inline, Line, Page},
    phrases::{BEHIND_IT, THAT_CARD, THAT_ONE, THE_ONE, Teller, plain, words},
    subject::{Sort, Subject, spoken},
};
use omerta_core::rules::Kind;
use omerta_core::source::Span;
use omerta_play::words::{listed, with_a_capital};
use omerta_syntax::tree::{
    Allow, BinaryOp, Block, Clause, ClauseMode, Ending, Expr, ExprKind, Happening, ItemKind, Kept, MarkShape,
    Moment, Name, Param, Pattern, Rule, StatementKind,
};
use omerta_syntax::walk::{for_each_statement, holds};
use std::iter;

impl Teller<'_> {
    /// `Instead of kill of treated: …`; nothing where it can never come in.
    pub fn rule(&self, rule: &Rule, span: Span) -> Option<Line> {
        let (teller, happening) = self.happening(&rule.happening);
        let when = teller.when(rule.when.as_ref())?;
        let moment = match rule.moment {
            Moment::Before => "Before ",
            Moment::Instead if rule.each => "Instead of each ",
            Moment::Instead => "Instead of ",
            Moment::After => "After ",
        };
        let is_event = |name: &Name| {
            let mut events = self.subject.rules.events.iter();
            events.any(|event| event.name == name.text)
        };
        let the = rule.happening.names.first().is_some_and(is_event) && !rule.each;
        let the = if the { "the " } else { "" };
        let head = words![
            Inline::Strong(format!("{moment}{the}{}", self.happening_names(&rule.happening))),
            happening,
            when,
            ":"
        ];
        let mut inner = teller.remarked_block(span, &rule.body);
        let does_it = |kind: &StatementKind| match kind {
            StatementKind::Play { scene, .. } => rule.waits_for(&scene.text),
            kind => {
                { rule.happening.names.iter() }.any(|name| makes(kind, &name.text) || makes(kind, "same"))
            }
        };
        if rule.moment == Moment::Instead && holds(&rule.body, &does_it) {
            inner.push(Line::plain(
                "For what is done here, this line does not come in again.",
            ));
        }
        Some(Line::of(head).with(inner))
    }

    /// Whether anything that the options in force leave in makes an event happen.
    fn may_happen(&self, event: &str) -> bool {
        let in_force = |kind: &ItemKind| match kind {
            ItemKind::Rule(rule) => self.comes_in(rule),
            _ => true,
        };
        let mut kinds = self.subject.kinds().filter(|(kind, _)| in_force(kind));
        kinds.any(|(kind, _)| holds(kind, &|kind| makes(kind, event)))
    }

    /// Whether something always comes instead of a scene, so that it is never played itself.
    pub fn is_replaced(&self, scene: &str) -> bool {
        let plays_it = |kind: &StatementKind| matches!(kind, StatementKind::Play { scene: other, .. } if other.text == scene);
        let is_scene = self.subject.scene(scene).is_some();
        is_scene
            && self.subject.rules_all().any(|(rule, _)| {
                rule.moment == Moment::Instead
                    && rule.waits_for(scene)
                    && self.is_always(rule)
                    && !holds(&rule.body, &plays_it)
            })
    }

    /// Whether a rule comes in whoever it happens to, and whatever holds.
    pub fn is_always(&self, rule: &Rule) -> bool {
        let Happening { of, by, .. } = &rule.happening;
        of.is_empty() && by.is_none() && self.when(rule.when.as_ref()).is_some_and(|when| when.is_empty())
    }

    /// What is written above a declaration, behind a line.
    pub fn remarked(&self, span: Span) -> String {
        match self.subject.remark(span) {
            remark if remark.is_empty() => String::new(),
            remark => format!(" ({})", remark.trim_end_matches('.')),
        }
    }

    /// What is done, below what is written above it.
    pub fn remarked_block(&self, span: Span, body: &Block) -> Vec<Line> {
        let above = self.sentence_above(span).into_iter();
        above.chain(self.block(body)).collect()
    }

    /// What is written above a declaration, as a line.
    pub fn sentence_above(&self, span: Span) -> Option<Line> {
        let remark = Some(self.subject.remark(span)).filter(|remark| !remark.is_empty());
        remark.map(|remark| Line::plain(sentence(&remark)))
    }

    fn happening_names(&self, happening: &Happening) -> String {
        let name = |name: &Name| match name.text.as_str() {
            "ability" => "what a card does when called".to_owned(),
            "choice" => "a choice".to_owned(),
            "end" => "the end of the game".to_owned(),
            other if self.subject.rules.words.iter().any(|word| word == other) => {
                let words = self.words_named(other).unwrap_or_else(|| spoken(other));
                format!("the words “{words}”")
            }
            other if self.subject.scene(other).is_none() && self.words_named(other).is_some() => {
                format!("the wait “{}”", self.words_named(other).unwrap_or_default())
            }
            other => {
                let is_it = |ending: &&Ending| ending.name.as_ref().is_some_and(|name| name.text == other);
                let ending = self.subject.endings().find(is_it);
                match ending.and_then(|ending| ending.title.as_ref()) {
                    Some(title) => format!("the ending “{}”", self.text(title).trim_end_matches('.')),
                    None => self.subject.spoken(other),
                }
            }
        };
        let names: Vec<String> = happening.names.iter().map(name).collect();
        listed(names, "or")
    }

    /// All that is said, or waited for, under a name; nothing where nothing is.
    fn words_named(&self, wanted: &str) -> Option<String> {
        let mut said: Vec<String> = Vec::new();
        for (kind, _) in self.subject.kinds() {
            let teller = match kind {
                ItemKind::Scene { params, .. } => self.handed_to(" of ", params).0,
                ItemKind::Event { of, .. } => self.handed_to(" of ", of).0,
                _ => self.clone(),
            };
            for_each_statement(kind, &mut |statement| match &statement.kind {
                StatementKind::Say {
                    text,
                    name: Some(name),
                }
                | StatementKind::Tell {
                    text,
                    name: Some(name),
                    ..
                }
                | StatementKind::Wait {
                    text: Some(text),
                    name: Some(name),
                    ..
                } if name.text == wanted => said.push(teller.text(text)),
                _ => {}
            });
        }
        said.sort();
        said.dedup();
        (!said.is_empty()).then(|| said.join(" / "))
    }

    /// Whom it is about, and how they are spoken of.
    fn happening(&self, happening: &Happening) -> (Self, Vec<Inline>) {
        let scene = happening
            .names
            .first()
            .and_then(|name| self.subject.scene(&name.text));
        let of_cards =
            scene.is_some_and(|(params, ..)| params.first().is_some_and(|param| param.kind == Kind::Titles));
        let mut teller = self.clone();
        let mut pattern = |(word, whom, Pattern { set, name }): (&str, &str, &Pattern)| {
            let noun = self.noun(set);
            let only = noun.as_ref().filter(|noun| noun.is_the_only());
            let whom = only.map_or_else(|| whom.to_owned(), |noun| plain(&noun.alone().all()));
            let label = match name {
                Some(name) if (noun.is_some() || self.subject.sort(set) == Sort::Set) && !of_cards => {
                    let (named, label) = teller.naming(name, &whom);
                    teller = named;
                    label
                }
                Some(name) => format!(" ({})", spoken(&name.text)),
                None => String::new(),
            };
            let is_anybody = noun.as_ref().is_some_and(|noun| plain(&noun.any()) == "anybody");
            let sides = either_of(set);
            match noun {
                _ if sides.len() > 1 && !of_cards => words![word, self.any_of_sides(&sides, word), label],
                // What a scene is handed is called as there.
                Some(_) if scene.is_some() && is_anybody && !label.is_empty() => {
                    let handed = name.as_ref().map(|name| spoken(&name.text));
                    words![word, "the ", handed.unwrap_or_default()]
                }
                // A scene that is handed a role or a team: that is meant, and nobody who is of it.
                Some(_) if of_cards => words![word, self.expr(set), label],
                _ => words![word, self.any_of(set), label],
            }
        };
        let words = [" of "].into_iter().chain(iter::repeat(" and "));
        let of = words.zip(&happening.of);
        let of = of.map(|(word, of)| (word, THE_ONE, of));
        let by = happening.by.iter().map(|by| (" by ", BEHIND_IT, by));
        let told = of.chain(by).flat_map(&mut pattern).collect();
        (teller, told)
    }

    /// Whoever it is of those meant.
    fn any_of(&self, set: &Expr) -> Vec<Inline> {
        match (self.noun(set), &*set.inside().kind) {
            (Some(noun), _) => noun.any(),
            // `the captain or the healer (if not dying)`
            (None, ExprKind::Binary(BinaryOp::Without, left, right)) if either_of(left).len() > 1 => {
                let not = either_of(right).into_iter();
                let not = not.map(|side| plain(&self.said_of(side)));
                let not = listed(not.collect(), "or");
                words![self.any_of_sides(&either_of(left), ""), " (if not ", not, ")"]
            }
            _ => self.expr(set.inside()),
        }
    }

    /// `anybody except the guild, or of the healer`: of several sides any, each behind the word where it would be taken for
    /// a part of the one before.
    fn any_of_sides(&self, sides: &[&Expr], word: &str) -> Vec<Inline> {
        let is_open = sides.iter().any(|side| self.is_open(side));
        let or = if is_open {
            format!(", or{}", if word.is_empty() { " " } else { word })
        } else {
            " or ".to_owned()
        };
        side_by_side(sides.iter().map(|side| self.any_of(side)), &or)
    }

    /// `living players may, during the discussion: …`
    pub fn offer(&self, allow: &Allow, span: Span) -> Option<Line> {
        let (teller, picked) = self.with("me", "whoever does it").picked(allow.pick.as_ref());
        let when = teller.when(allow.when.as_ref())?;
        let head = words![
            self.offered(allow),
            when,
            picked,
            if allow.pick.is_some() { "." } else { ":" },
        ];
        Some(Line::of(head).with(teller.remarked_block(span, &allow.body)))
    }

    /// What is offered, to whom and when: `Vote of no confidence — for living players, during the discussion`
    pub fn offered(&self, allow: &Allow) -> Vec<Inline> {
        let title = match &allow.title {
            Some(title) => self.text(title),
            None => with_a_capital(&spoken(&allow.name.text)),
        };
        let during = match allow.during.is_empty() {
            true => words![" at any time"],
            false => words![" during ", self.either(&allow.during)],
        };
        words![
            Inline::Strong(title),
            " — for ",
            self.expr(&allow.who),
            ",",
            during
        ]
    }

    /// `Counts as guilty: …`: a clause that adds to a definition.
    pub fn clause(&self, kind: &ItemKind, span: Span) -> Option<Line> {
        let ItemKind::Clause(clause) = kind else {
            return None;
        };
        let (head, joint) = match clause.mode {
            ClauseMode::Include => ("Also counted as ", ": "),
            ClauseMode::Exclude => ("Not counted as ", ": "),
            ClauseMode::Add => return self.added(clause, span),
            ClauseMode::Raise => ("The ", " is at least "),
            ClauseMode::Lower => ("The ", " is at most "),
        };
        let (teller, of) = self.of_group_or(clause.param.as_ref());
        let when = teller.when(clause.when.as_ref())?;
        Some(Line::of(words![
            head,
            self.name(&clause.name),
            of,
            joint,
            teller.expr(&clause.value),
            when,
            ".",
            self.remarked(span)
        ]))
    }

    /// `Add 1 to the weight of p, when p is the judge.`
    fn added(&self, clause: &Clause, span: Span) -> Option<Line> {
        let (teller, of) = self.of_group_or(clause.param.as_ref());
        let when = teller.when(clause.when.as_ref())?;
        let (value, name) = (teller.expr(&clause.value), self.name(&clause.name));
        let remark = self.remarked(span);
        Some(Line::of(words![
            "Add ", value, " to the ", name, of, when, ".", remark
        ]))
    }

    /// The same below what it is added to: `Plus 1 for p, when p is the judge.`
    fn plus(&self, clause: &Clause, span: Span) -> Option<Line> {
        let (teller, whom) = self.of_group_or(clause.param.as_ref());
        let when = teller.when(clause.when.as_ref())?;
        let whom = whom.replacen(" of ", " for ", 1);
        let value = teller.expr(&clause.value);
        Some(Line::of(words![
            "Plus ",
            value,
            whom,
            when,
            ".",
            self.remarked(span)
        ]))
    }

    /// ` of the mafia` where what is handed over is one role or team, else by its name.
    fn of_group_or(&self, param: Option<&Param>) -> (Self, String) {
        let title = param.and_then(|param| self.subject.title_of(&param.name.text));
        match (param, title) {
            (_, Some(title)) => (self.clone(), format!(" of {title}")),
            (Some(param), None) if param.kind == Kind::Players => match self.naming(&param.name, THAT_ONE) {
                (teller, label) if label.is_empty() => (teller, " of a player".to_owned()),
                (teller, _) => (teller, of(Some(param))),
            },
            (param, None) => (self.clone(), of(param)),
        }
    }

    /// What a name is defined to mean: a test as when it holds, all else by its words.
    fn meaning(&self, value: &Expr) -> Vec<Inline> {
        if self.subject.sort(value) != Sort::Test {
            return self.expr(value);
        }
        match self.test(value) {
            Ok(test) => words!["when ", test],
            Err(known) => words![if known { "always" } else { "never" }],
        }
    }
}

fn of(param: Option<&Param>) -> String {
    handed(" of ", param)
}

/// Whether a statement makes an event happen.
fn makes(kind: &StatementKind, event: &str) -> bool {
    match kind {
        StatementKind::Settle(events) => events.iter().any(|name| name.text == event),
        kind => { kind.brings_about() }.is_some_and(|happen| happen.event.text == event),
    }
}

impl Teller<'_> {
    /// What is handed over, behind a word, and how it is spoken of: a player by a letter as a player.
    pub fn handed_to<'p>(&self, word: &str, params: impl IntoIterator<Item = &'p Param>) -> (Self, String) {
        let params: Vec<&Param> = params.into_iter().collect();
        let (whom, a) = match params[..] {
            [param] if param.kind == Kind::Players => (THE_ONE, "a player"),
            [param] if param.kind == Kind::Titles => (THAT_CARD, "a card"),
            _ => return (self.clone(), handed(word, params)),
        };
        match self.naming(&params[0].name, whom) {
            (teller, label) if label.is_empty() => (teller, format!("{word}{a}")),
            _ => (self.clone(), handed(word, params)),
        }
    }
}

/// The names of what is handed over, behind a word.
pub fn handed<'a>(word: &str, params: impl IntoIterator<Item = &'a Param>) -> String {
    let words = [word].into_iter().chain(iter::repeat(" and "));
    let names = words.zip(params);
    names
        .map(|(word, param)| format!("{word}{}", spoken(&param.name.text)))
        .collect()
}

/// Adds what somebody may do of his own accord.
pub fn add_offers(page: &mut Page, teller: &Teller<'_>) {
    let offers = teller.subject.kinds().filter_map(|(kind, span)| match kind {
        ItemKind::Allow(allow) => teller.offer(allow, span),
        _ => None,
    });
    let lines: Vec<Line> = offers.collect();
    page.section("What may be done in between", "offers", false, lines);
}

impl Teller<'_> {
    /// Whether there is an event in whose place more than one rule may come.
    fn several_instead(&self) -> bool {
        let mut events = self.subject.rules.events.iter();
        events.any(|event| {
            let rules = self.subject.rules_at(&event.name, Moment::Instead);
            rules.filter(|(rule, _)| self.comes_in(rule)).nth(1).is_some()
        })
    }
}

/// Adds what happens to people, with the rules that get in the way.
pub fn add_events(page: &mut Page, teller: &Teller<'_>) {
    let events: Vec<_> = teller.subject.kinds().collect();
    let mut begun = false;
    for (kind, span) in events {
        let ItemKind::Event {
            name,
            of: to,
            by,
            with,
            body,
        } = kind
        else {
            continue;
        };
        if teller.subject.is_of_a_library(span) && !teller.may_happen(&name.text) {
            continue;
        }
        if !begun {
            page.heading(2, "What happens to people", "events");
            if teller.several_instead() {
                page.paragraph(words![
                    "Where several lines begin with ",
                    Inline::Strong("Instead of".to_owned()),
                    ", the first that fits comes in, and the others do not."
                ]);
            }
            begun = true;
        }
        let base = teller;
        let (teller, of) = teller.handed_to(" of ", to);
        let (teller, by) = match by {
            Some(by) => match teller.naming(by, BEHIND_IT) {
                (teller, label) if label.is_empty() => (teller, " by somebody".to_owned()),
                (teller, _) => (teller, format!(" by {}", spoken(&by.text))),
            },
            None => (teller, String::new()),
        };
        let title = format!("{}{of}{by}{}", spoken(&name.text), handed(" with ", with));
        page.heading(3, &title, &format!("event-{}", name.text));
        page.plain(&teller.subject.remark(span));
        page.list(false, around(base, &name.text, teller.block(body)));
    }
}

/// What happens, with the rules before it, instead of it and after it.
pub fn around(teller: &Teller<'_>, name: &str, body: Vec<Line>) -> Vec<Line> {
    let rules = |moment| -> Vec<Line> {
        let rules = teller.subject.rules_at(name, moment);
        rules.filter_map(|(rule, span)| teller.rule(rule, span)).collect()
    };
    let (before, instead, after) = (
        rules(Moment::Before),
        rules(Moment::Instead),
        rules(Moment::After),
    );
    let body = if teller.is_replaced(name) {
        Vec::new()
    } else {
        body
    };
    before
        .into_iter()
        .chain(instead)
        .chain(body)
        .chain(after)
        .collect()
}

/// Adds the rules that hang on neither a scene nor an event.
pub fn add_rules(page: &mut Page, teller: &Teller<'_>) {
    let subject = teller.subject;
    let told = |name: &Name| {
        let is_event = subject.rules.events.iter().any(|event| event.name == name.text);
        is_event || subject.rules.scenes.iter().any(|scene| scene.name == name.text)
    };
    let rules = subject
        .rules_all()
        .filter(|(rule, _)| !rule.happening.names.iter().any(told));
    let lines: Vec<Line> = rules.filter_map(|(rule, span)| teller.rule(rule, span)).collect();
    page.section("Rules that hold throughout", "rules", false, lines);
}

/// Adds the words the rules use: what is remembered, and what is defined.
pub fn add_words(page: &mut Page, teller: &Teller<'_>) {
    let of_kind = |(kind, span)| {
        let lines = teller.word_of(kind, span);
        let is_extra = teller.subject.is_of_a_library(span) && !teller.is_added_to(kind)
            || teller.is_plumbing(kind, span);
        lines.into_iter().map(move |line| (is_extra, line))
    };
    let lines: Vec<(bool, Line)> = teller.subject.kinds().flat_map(of_kind).collect();
    page.section("Words of these rules", "words", false, that_are_used(page, lines));
    for (kind, span) in teller.subject.kinds() {
        if let ItemKind::Define { name, param, value } = kind
            && let Some((head, rows)) = table_of(teller.subject, value)
        {
            let title = format!("{}{}", spoken(&name.text), of(param.as_ref()));
            page.heading(3, &title, &format!("word-{}", name.text));
            page.plain(&teller.subject.remark(span));
            let param = param
                .as_ref()
                .map_or_else(String::new, |param| spoken(&param.name.text));
            let head: Vec<&str> = [param.as_str()]
                .into_iter()
                .chain(head.iter().map(String::as_str))
                .collect();
            page.table(&head, rows);
        }
    }
}

/// Adds of the words that the rules define those of which the page speaks.
pub fn add_words_used(page: &mut Page, teller: &Teller<'_>) {
    let own = { teller.subject.kinds() }.filter(|(kind, span)| {
        matches!(kind, ItemKind::Define { .. }) && !teller.subject.is_of_a_library(*span)
    });
    let lines = own.flat_map(|(kind, span)| teller.word_of(kind, span));
    let lines = lines.map(|line| (true, line)).collect();
    page.section("Words of these rules", "words", false, that_are_used(page, lines));
}

/// Without what a library brings along, or says nothing by itself, where nothing on the page speaks of it.
fn that_are_used(page: &Page, mut lines: Vec<(bool, Line)>) -> Vec<Line> {
    loop {
        let mut used = page.terms();
        lines.iter().for_each(|(_, line)| line.add_terms(&mut used));
        let before = lines.len();
        lines.retain(|(is_extra, line)| {
            !is_extra || line.anchor.as_ref().is_none_or(|anchor| used.contains(anchor))
        });
        if lines.len() == before {
            return lines.into_iter().map(|(_, line)| line).collect();
        }
    }
}

/// A value that was written as a table: the heads of its columns, and its rows with their own heads first.
fn table_of(subject: Subject<'_>, value: &Expr) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let text = subject.sources.slice(value.span).strip_prefix('{')?;
    let text = text.trim_end().trim_end_matches('}').replace(';', "\n");
    let cells = |line: &str| -> Vec<String> {
        let line = line.split("//").next().unwrap_or("");
        line.replace(" ..", "..")
            .replace(".. ", "..")
            .split_whitespace()
            .map(|cell| {
                let title = subject.title_of(cell).or_else(|| subject.word(cell));
                title.map_or_else(|| spoken(cell), str::to_owned)
            })
            .collect()
    };
    let mut rows = text.lines().map(cells).filter(|row| !row.is_empty());
    let mut head = rows.next()?;
    let of_columns = head.remove(0);
    let range = |cell: &String| cell.replace("..", "–");
    let columns = head
        .iter()
        .map(|column| format!("{} {of_columns}", range(column)))
        .collect();
    let row = |row: Vec<String>| match row.as_slice() {
        // One value for all columns.
        [own, value] => [own]
            .into_iter()
            .chain([value].repeat(head.len()))
            .map(range)
            .collect(),
        _ => row.iter().map(range).collect(),
    };
    Some((columns, rows.map(row).collect()))
}

impl Teller<'_> {
    /// Whether a definition is there for others to add to, and nobody does: `define hidden-cards = 0`, without a remark.
    fn is_plumbing(&self, kind: &ItemKind, span: Span) -> bool {
        let ItemKind::Define { name, .. } = kind else {
            return false;
        };
        self.subject.constant(&name.text).is_some() && self.subject.remark(span).is_empty()
    }

    /// Whether the game itself, or an overlay, adds to what a library defines.
    fn is_added_to(&self, kind: &ItemKind) -> bool {
        let ItemKind::Define { name, .. } = kind else {
            return false;
        };
        let mut kinds = self.subject.kinds();
        kinds.any(|(kind, span)| clause_of(kind) == Some(&name.text) && !self.subject.is_of_a_library(span))
    }

    /// The lines about the names that a declaration makes.
    fn word_of(&self, kind: &ItemKind, span: Span) -> Vec<Line> {
        match kind {
            // Tables stand by themselves below.
            ItemKind::Define { value, .. } if table_of(self.subject, value).is_some() => Vec::new(),
            ItemKind::Define { name, param, value } => {
                let (teller, of) = self.handed_to(" of ", param);
                let of = if self.joint_of(name) == " " {
                    of.trim_start_matches(" of")
                } else {
                    &of
                };
                let head = Inline::Strong(format!("{}{of}", spoken(&name.text)));
                let (meaning, parts) = match parts_of(value) {
                    Some(parts) => (words!["all of these together", self.remarked(span), ":"], parts),
                    None => (
                        words![teller.meaning(value), ".", self.remarked(span)],
                        Vec::new(),
                    ),
                };
                let line = Line::of(words![head, ": ", meaning]);
                let parts = parts
                    .into_iter()
                    .map(|part| Line::of(words![teller.expr(part), "."]));
                let kinds = self.subject.kinds();
                let mut clauses: Vec<(&ItemKind, Span)> = kinds
                    .filter(|(kind, _)| clause_of(kind) == Some(&name.text))
                    .collect();
                clauses.sort_by_key(|(kind, _)| clause_mode(kind));
                // What is in it anyway is not also in it.
                let said_already = |clause: &Clause| {
                    clause.mode == ClauseMode::Include
                        && plain(&self.expr(&clause.value)) == plain(&teller.meaning(value))
                };
                let clauses = { clauses.into_iter() }.filter_map(|(kind, span)| match kind {
                    ItemKind::Clause(clause) if said_already(clause) => None,
                    ItemKind::Clause(clause) if clause.mode == ClauseMode::Add => self.plus(clause, span),
                    _ => self.clause(kind, span),
                });
                let clauses = parts.chain(clauses).collect();
                vec![line.with(clauses).at(format!("word-{}", name.text))]
            }
            ItemKind::Mark { names, shape, kept } => {
                let shape = match shape {
                    MarkShape::Many => "a mark that players have",
                    MarkShape::One => "a mark that one player has at the most",
                    MarkShape::InOrder => "a mark that players have, in the order in which they got it",
                };
                self.remembered((names, span), shape, kept)
            }
            ItemKind::Flag { names, kept } => {
                self.remembered((names, span), "yes or no; no at the beginning", kept)
            }
            ItemKind::Count {
                names,
                of_each,
                words,
                start_word,
                kept,
                ..
            } if !words.is_empty() => {
                let titled = |word: &Name| {
                    let title = self.subject.word(&word.text);
                    title.map_or_else(|| spoken(&word.text), str::to_owned)
                };
                let first = words.first().map(|word| &word.name);
                let first = start_word.as_ref().or(first).map_or_else(String::new, titled);
                let words = words.iter().map(|word| titled(&word.name)).collect();
                let each = if *of_each { "for each player " } else { "" };
                let shape = format!("{each}one of {}; {first} at the beginning", listed(words, "and"));
                self.remembered((names, span), &shape, kept)
            }
            ItemKind::Count {
                names,
                of_each,
                text,
                start,
                kept,
                ..
            } => {
                let what = if *text { "a text" } else { "a number" };
                let each = if *of_each { " of each player" } else { "" };
                let start = start
                    .as_ref()
                    .map(|start| format!(", {} at the beginning", start.value));
                let shape = format!("{what}{each}{}", start.unwrap_or_default());
                self.remembered((names, span), &shape, kept)
            }
            ItemKind::Link {
                names,
                one,
                back,
                to,
                kept,
            } => {
                let shape = match (to, one) {
                    (Kind::Titles, true) => "one role at the most, for each player",
                    (Kind::Titles, false) => "roles that go with a player",
                    (Kind::Cards, true) => "one card at the most, for each player",
                    (Kind::Cards, false) => "cards, for each player",
                    (_, true) => "one player at the most, for each player",
                    (_, false) => "players, for each player",
                };
                let mut lines = self.remembered((names, span), shape, kept);
                if let (Some(back), [name, ..]) = (back, &names[..]) {
                    let line = words![
                        Inline::Strong(spoken(&back.text)),
                        ": the other way round of ",
                        self.name(name),
                        "."
                    ];
                    lines.push(Line::of(line).at(format!("word-{}", back.text)));
                }
                lines
            }
            ItemKind::Zone {
                name,
                title,
                of_each,
                seen_by,
                backs,
                ..
            } => {
                let title = title.as_ref().map(|title| self.shown(title));
                let plain = spoken(&name.text);
                let title = title.filter(|title| title.strip_prefix("the ").unwrap_or(title) != plain);
                let line = words![
                    Inline::Strong(plain),
                    title.map_or_else(String::new, |title| format!(" ({title})")),
                    if *of_each {
                        ": cards of each player"
                    } else {
                        ": cards"
                    },
                    self.cards_seen_by(seen_by.as_ref(), backs.as_ref()),
                    ".",
                    self.remarked(span)
                ];
                vec![Line::of(line).at(format!("word-{}", name.text))]
            }
            _ => Vec::new(),
        }
    }

    /// Who sees which cards lie at a place, and how many.
    fn cards_seen_by(&self, which: Option<&Expr>, backs: Option<&Expr>) -> Vec<Inline> {
        let who = |who: Option<&Expr>| {
            let who = who?;
            match who.bare_name().map(|name| name.text.as_str()) {
                Some("nobody") => None,
                Some("players") => Some(words!["everybody sees"]),
                Some("owner") => Some(words!["their owner sees"]),
                _ => Some(words![
                    self.expr(who),
                    if self.noun(who).is_some_and(|noun| noun.is_many()) {
                        " see"
                    } else {
                        " sees"
                    }
                ]),
            }
        };
        match (who(which), who(backs)) {
            (None, None) => words!["; nobody sees which they are"],
            (Some(which), None) => words!["; ", which, " which they are"],
            (None, Some(backs)) => words!["; ", backs, " how many there are, and nobody which"],
            (Some(which), Some(backs)) => {
                words!["; ", which, " which they are, ", backs, " how many there are"]
            }
        }
    }

    /// Who sees it, where the host is not alone.
    fn seen_by(&self, who: Option<&Expr>) -> Vec<Inline> {
        match who.map(|who| (who, who.bare_name().map(|name| name.text.as_str()))) {
            None | Some((_, Some("nobody"))) => Vec::new(),
            Some((_, Some("players"))) => words!["; everybody sees it"],
            Some((_, Some("owner"))) => words!["; whoever it is about sees it"],
            Some((who, _)) => words!["; seen by ", self.expr(who)],
        }
    }

    fn remembered(&self, (names, span): (&[Name], Span), shape: &str, kept: &Kept) -> Vec<Line> {
        let title = kept.title.as_ref().map(|title| self.shown(title));
        let life = kept
            .life
            .as_ref()
            .map_or_else(Vec::new, |life| match life.to_end {
                true => words![", until the end of ", self.name(&life.name)],
                false => words![", until ", self.name(&life.name), " begins"],
            });
        let seen = self.seen_by(kept.seen_by.as_ref());
        let line = |name: &Name| {
            let head = Inline::Strong(spoken(&name.text));
            let title = title.as_ref().filter(|title| **title != spoken(&name.text));
            let title = title.map_or_else(String::new, |title| format!(" ({title})"));
            // What is written above several names is about all of them.
            let remark = match names.first() {
                Some(first) if first.text == name.text => self.remarked(span),
                _ => String::new(),
            };
            let line = Line::of(words![
                head,
                title,
                ": ",
                shape,
                life.clone(),
                seen.clone(),
                ".",
                remark
            ]);
            line.at(format!("word-{}", name.text))
        };
        names.iter().map(line).collect()
    }
}

/// The parts of a set that is put together of several that hang on conditions: more than one sentence holds.
fn parts_of(value: &Expr) -> Option<Vec<&Expr>> {
    fn add<'e>(value: &'e Expr, parts: &mut Vec<&'e Expr>) {
        match &*value.inside().kind {
            ExprKind::Binary(BinaryOp::Plus, left, right) => {
                add(left, parts);
                add(right, parts);
            }
            _ => parts.push(value.inside()),
        }
    }
    let mut parts = Vec::new();
    add(value, &mut parts);
    let is_conditional = |part: &&Expr| matches!(*part.kind, ExprKind::Where { .. } | ExprKind::Cases { .. });
    (parts.len() > 2 && parts.iter().any(is_conditional)).then_some(parts)
}

/// When a clause comes among those of its definition.
fn clause_mode(kind: &ItemKind) -> Option<ClauseMode> {
    match kind {
        ItemKind::Clause(clause) => Some(clause.mode),
        _ => None,
    }
}

/// The definition a clause adds to.
fn clause_of(kind: &ItemKind) -> Option<&String> {
    match kind {
        ItemKind::Clause(clause) => Some(&clause.name.text),
        _ => None,
    }
}
