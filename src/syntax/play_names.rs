//! Every name of a file of scenarios, with what it is there.
//!
//! Players and shared lines are known in their whole file, by their letters: who is called `Ann` in one scenario may be
//! somebody else in the next, and goes by one name all the same. A column of cases is known in its scenario and in the
//! lines that this includes, what shared lines are given in those alone; in texts they stand as `{name}`.

use crate::names::{NameUse, Role};
use crate::play_tree::{
    AskedFact, Audience, Case, Cell, Deed, Fact, Goal, Line, LineKind, Otherwise, Person, PlayFile, Quoted,
    Seat, Section, Wording,
};
use crate::tree::{Expr, Name};
use crate::walk::{Part, Space};
use omerta_core::source::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The names of a file of scenarios, and its texts in quotes, which may speak of its players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayNames {
    /// The names, from front to back.
    pub uses: Vec<NameUse>,
    /// The places of the texts that the game may say, with who may sit at the table there.
    pub texts: Vec<(Span, BTreeSet<u32>)>,
}

/// What is known in a file by its letters.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// A player.
    Player(String),
    /// Shared lines.
    Common(String),
    /// A column, or what shared lines are given; by the first part of the file that knows it.
    Column(usize, String),
}

/// What a part of the file makes known: what stands before all scenarios, shared lines, a scenario.
#[derive(Default)]
struct Scope<'f> {
    params: BTreeSet<&'f str>,
    columns: BTreeSet<&'f str>,
    players: BTreeSet<&'f str>,
    includes: BTreeSet<&'f str>,
    /// Its lines as they are written.
    written: Vec<&'f str>,
}

impl<'f> Scope<'f> {
    fn of(lines: &'f [Line], text: &'f str) -> Scope<'f> {
        let mut scope = Scope::default();
        scope.gather(lines);
        let of_line = |line: &Line| text.get(line.span.start as usize..line.span.end as usize);
        scope.written.extend(lines.iter().filter_map(of_line));
        scope
    }

    /// Whether a name may be read here for a column of whatever this is played with.
    fn speaks_of(&self, column: &str) -> bool {
        let is_apart = |letter: Option<char>| {
            !letter.is_some_and(|letter| letter.is_alphanumeric() || "-_".contains(letter))
        };
        let stands = |line: &&str| {
            let mut all = line.match_indices(column);
            all.any(|(at, _)| {
                is_apart(line[..at].chars().next_back()) && is_apart(line[at + column.len()..].chars().next())
            })
        };
        let is_here = self.columns.contains(column) || self.written.iter().any(stands);
        is_here && !self.params.contains(column)
    }

    fn gather(&mut self, lines: &'f [Line]) {
        for line in lines {
            match &line.kind {
                LineKind::Cases(cases) => self.columns.extend(cases.names.iter().map(letters)),
                LineKind::Seats(seats) | LineKind::SeatsByLot(seats) => {
                    self.players
                        .extend(seats.iter().filter_map(|seat| seat.name.as_ref()).map(letters));
                }
                LineKind::Include { name, .. } => {
                    self.includes.insert(&name.text);
                }
                LineKind::Section(Section { lines, .. }) | LineKind::Repeat { lines, .. } => {
                    self.gather(lines)
                }
                _ => {}
            }
        }
    }
}

fn letters(name: &Name) -> &str {
    &name.text
}

/// What the names of one part of the file stand for.
#[derive(Clone, Default)]
struct Reach {
    /// The part that a column is counted to.
    columns: BTreeMap<String, usize>,
    players: BTreeSet<String>,
}

/// What is known in each part of a file: before all scenarios, in the shared lines, in the scenarios.
fn reaches(file: &PlayFile, text: &str) -> Vec<Reach> {
    let commons = file.commons.iter().map(|common| Scope {
        params: common.params.iter().map(letters).collect(),
        ..Scope::of(&common.lines, text)
    });
    let scopes: Vec<Scope<'_>> = [Scope::of(&file.preamble, text)]
        .into_iter()
        .chain(commons)
        .chain(file.plays.iter().map(|play| Scope {
            written: Vec::from_iter(text.get(play.span.start as usize..play.span.end as usize)),
            ..Scope::of(&play.lines, text)
        }))
        .collect();
    let mut reaches = vec![Reach::default(); scopes.len()];
    for from in 0..scopes.len() {
        let is_common = (1..=file.commons.len()).contains(&from);
        let mut parts = if is_common { vec![from] } else { vec![0, from] };
        let mut at = 0;
        while let Some(part) = parts.get(at).copied() {
            let named = |common: &usize| {
                scopes[part]
                    .includes
                    .contains(file.commons[common - 1].name.text.as_str())
            };
            let more: Vec<usize> = (1..=file.commons.len())
                .filter(named)
                .filter(|common| !parts.contains(common))
                .collect();
            parts.extend(more);
            at += 1;
        }
        join(&scopes, &parts, &mut reaches);
    }
    for (at, scope) in scopes.iter().enumerate() {
        reaches[at]
            .columns
            .extend(scope.params.iter().map(|param| ((*param).to_owned(), at)));
    }
    reaches
}

/// What some parts that are played together make known is known in all of them.
fn join(scopes: &[Scope<'_>], parts: &[usize], reaches: &mut [Reach]) {
    for column in parts.iter().flat_map(|part| &scopes[*part].columns) {
        let free = parts
            .iter()
            .copied()
            .filter(|part| scopes[*part].speaks_of(column));
        let free: Vec<usize> = free.collect();
        let homes = free
            .iter()
            .filter_map(|part| reaches[*part].columns.get(*column).copied());
        let homes: BTreeSet<usize> = homes.chain(free.iter().copied()).collect();
        let Some(home) = homes.first().copied() else {
            continue;
        };
        for part in free {
            reaches[part].columns.insert((*column).to_owned(), home);
        }
        for reach in reaches.iter_mut() {
            if let Some(one) = reach.columns.get_mut(*column)
                && homes.contains(one)
            {
                *one = home;
            }
        }
    }
    let players: Vec<&str> = parts
        .iter()
        .flat_map(|part| scopes[*part].players.iter().copied())
        .collect();
    for part in parts {
        reaches[*part]
            .players
            .extend(players.iter().map(|name| (*name).to_owned()));
    }
}

/// All names of a file, with its text.
pub fn names_of_play(file: &PlayFile, text: &str) -> PlayNames {
    let mut reader = Reader {
        found: PlayNames::default(),
        text,
        reaches: reaches(file, text),
        part: 0,
        known: BTreeMap::new(),
        binds: true,
    };
    reader.file(file);
    reader.binds = false;
    reader.file(file);
    let mut found = reader.found;
    found.uses.sort_by_key(|used| used.name.span.start);
    found
}

struct Reader<'t> {
    found: PlayNames,
    text: &'t str,
    reaches: Vec<Reach>,
    /// Which part of the file is read.
    part: usize,
    known: BTreeMap<Known, u32>,
    /// Whether it is found out first what is known; all the rest comes in a second walk.
    binds: bool,
}

impl Reader<'_> {
    fn file(&mut self, file: &PlayFile) {
        self.part = 0;
        self.lines(&file.preamble);
        for common in &file.commons {
            self.part += 1;
            self.bind(&common.name, Some(Known::Common(common.name.text.clone())));
            common
                .params
                .iter()
                .for_each(|param| self.bind(param, self.column(param)));
            self.lines(&common.lines);
        }
        for play in &file.plays {
            self.part += 1;
            self.slots(&play.title);
            self.lines(&play.lines);
        }
    }

    /// The column that a name stands for here.
    fn column(&self, name: &Name) -> Option<Known> {
        let home = self.reaches[self.part].columns.get(&name.text)?;
        Some(Known::Column(*home, name.text.clone()))
    }

    /// The column or the player that a name stands for here: a column goes first.
    fn one(&self, name: &Name) -> Option<Known> {
        let sits = || self.reaches[self.part].players.contains(&name.text);
        self.column(name)
            .or_else(|| sits().then(|| Known::Player(name.text.clone())))
    }

    fn bind(&mut self, name: &Name, known: Option<Known>) {
        if let (true, Some(known)) = (self.binds, known) {
            let next = self.known.len() as u32;
            let local = *self.known.entry(known).or_insert(next);
            self.add(name, Role::Binds { asked: false }, Some(local));
        }
    }

    fn add(&mut self, name: &Name, role: Role, local: Option<u32>) {
        self.found.uses.push(NameUse {
            name: name.clone(),
            role,
            local,
        });
    }

    fn read(&mut self, name: &Name, known: Option<Known>, role: Role) {
        if !self.binds {
            let local = known.and_then(|known| self.known.get(&known).copied());
            self.add(name, role, local);
        }
    }

    /// A name of the rules in whose place a column may stand.
    fn name(&mut self, name: &Name, space: Space) {
        self.read(name, self.column(name), Role::Uses(space));
    }

    /// A name of the rules, whatever else goes by it here.
    fn fixed<'n>(&mut self, names: impl IntoIterator<Item = &'n Name>, space: Space) {
        names
            .into_iter()
            .for_each(|name| self.read(name, None, Role::Uses(space)));
    }

    fn names<'n>(&mut self, names: impl IntoIterator<Item = &'n Name>, space: Space) {
        names.into_iter().for_each(|name| self.name(name, space));
    }

    fn expr(&mut self, expr: &Expr) {
        let mut names = Vec::new();
        Part::Expr(expr).each(&mut |part| {
            match part {
                Part::Reads(name) => names.push((name, Role::Reads)),
                Part::Names(name) => names.push((name, Role::Names)),
                _ => {}
            }
            true
        });
        names
            .into_iter()
            .for_each(|(name, role)| self.read(name, self.one(name), role));
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    /// A text that the game may say.
    fn quoted(&mut self, quoted: &Quoted) {
        self.slots(quoted);
        if !self.binds {
            let players = self.reaches[self.part].players.iter();
            let players = players.filter_map(|name| self.known.get(&Known::Player(name.clone())).copied());
            self.found.texts.push((quoted.span, players.collect()));
        }
    }

    /// The columns in a text: `{victim}`, or its whole cell, without quotes.
    fn slots(&mut self, quoted: &Quoted) {
        let (start, end) = (quoted.span.start as usize, quoted.span.end as usize);
        let letters = self.text.get(start..end).unwrap_or_default();
        let is_bare = !letters.starts_with('"');
        let opened = letters.match_indices('{').map(|(at, _)| at + 1);
        let opened: Vec<usize> = opened.chain(is_bare.then_some(0)).collect();
        for from in opened {
            let rest = &letters[from..];
            let to = rest.find('}').unwrap_or(if is_bare { rest.len() } else { 0 });
            let from = start + from;
            let name = Name::new(
                crate::token::composed(rest[..to].trim_matches('`')),
                Span::new(quoted.span.source, from, from + to),
            );
            if let Some(column) = self.column(&name) {
                self.read(&name, Some(column), Role::Reads);
            }
        }
    }

    fn lines(&mut self, lines: &[Line]) {
        lines.iter().for_each(|line| self.line(&line.kind));
    }

    fn line(&mut self, line: &LineKind) {
        match line {
            LineKind::Ruleset { base, overlays } => {
                self.name(base, Space::Base);
                self.names(overlays, Space::Overlay);
            }
            LineKind::Set { option, value } => {
                self.fixed([option], Space::Thing);
                self.name(value, Space::Word);
            }
            LineKind::Covers(_) | LineKind::Snapshot(None) => {}
            LineKind::Seats(seats) | LineKind::SeatsByLot(seats) => self.seats(seats),
            LineKind::Cast(cast) => self.names(cast.iter().map(|entry| &entry.name), Space::Anything),
            LineKind::Aside(cards) => self.names(cards, Space::Thing),
            LineKind::Pile { zone, cards } => {
                self.fixed([zone], Space::Thing);
                self.names(cards, Space::Thing);
            }
            LineKind::Otherwise(Otherwise::RandomOf(name)) => self.read(name, self.column(name), Role::Reads),
            LineKind::Otherwise(Otherwise::Pass | Otherwise::Random(_)) => {}
            LineKind::Standing { who, choice, answer } => {
                self.people(who);
                self.name(choice, Space::Question);
                self.expr(answer);
            }
            LineKind::Cases(cases) => {
                cases
                    .names
                    .iter()
                    .for_each(|name| self.bind(name, self.column(name)));
                cases.rows.iter().for_each(|row| self.row(row));
            }
            LineKind::Section(Section { scene, lines, .. }) => {
                self.name(scene, Space::Thing);
                self.lines(lines);
            }
            LineKind::Include { name, given } => {
                self.read(name, Some(Known::Common(name.text.clone())), Role::Reads);
                self.row(given);
            }
            LineKind::Repeat { lines, .. } => self.lines(lines),
            LineKind::RunTo(Goal::Scene { scene, .. }) => self.name(scene, Space::Thing),
            LineKind::RunTo(Goal::End | Goal::Wait(_)) => {}
            LineKind::Snapshot(Some(text)) => self.slots(text),
            LineKind::Deed(deed) => self.deed(deed),
            LineKind::Refused { deed, reason } => {
                self.deed(deed);
                reason.iter().for_each(|reason| self.quoted(reason));
            }
            LineKind::Expect(fact) => self.fact(fact),
        }
    }

    fn seats(&mut self, seats: &[Seat]) {
        for seat in seats {
            if let Some(name) = &seat.name {
                match self.column(name) {
                    // `seats many`: as many as the cell says.
                    Some(column) if seats.len() == 1 && seat.cards.is_empty() => {
                        self.read(name, Some(column), Role::Reads)
                    }
                    _ => self.bind(name, Some(Known::Player(name.text.clone()))),
                }
            }
            self.names(&seat.cards, Space::Thing);
        }
    }

    fn row(&mut self, row: &Case) {
        for cell in &row.cells {
            match cell {
                Cell::Text(text) => self.quoted(text),
                Cell::Expr(expr) => self.expr(expr),
                Cell::Range { .. } => {}
            }
        }
    }

    fn people(&mut self, people: &[Person]) {
        for person in people {
            if let Person::Seats(expr) = person {
                self.expr(expr);
            }
        }
    }

    fn deed(&mut self, deed: &Deed) {
        match deed {
            Deed::Answer {
                who,
                choice,
                answers,
                more: _,
            } => {
                self.people(who);
                self.fixed(choice, Space::Question);
                self.exprs(answers);
            }
            Deed::Draw { name, outcomes } => {
                self.fixed([name], Space::Question);
                self.exprs(outcomes);
            }
            Deed::Offer { by, offer, target } => {
                self.people(std::slice::from_ref(by));
                self.name(offer, Space::Question);
                self.exprs(target);
            }
            Deed::ByHand { words } => {
                words
                    .iter()
                    .for_each(|word| self.read(word, self.one(word), Role::Reads));
            }
        }
    }

    fn wordings<'w>(&mut self, wordings: impl IntoIterator<Item = &'w Wording>) {
        for wording in wordings {
            match wording {
                Wording::Exactly(text) | Wording::Containing(text) => self.quoted(text),
                Wording::Named { name, containing } => {
                    self.name(name, Space::Happening);
                    containing.iter().for_each(|text| self.quoted(text));
                }
                Wording::Anything(_) => {}
            }
        }
    }

    fn fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Holds(expr) => self.expr(expr),
            Fact::Said { wordings, .. } | Fact::Setup { wordings, .. } => self.wordings(wordings),
            Fact::Told { who, wordings, .. } => {
                if let Audience::Each(people) | Audience::Only(people) = who {
                    self.people(people);
                }
                self.wordings(wordings);
            }
            Fact::Asked(asked) => self.asked(asked),
            Fact::Open { offer, by, .. } => {
                self.name(offer, Space::Question);
                self.people(by.as_slice());
            }
            Fact::Tally { link, rows } => {
                self.fixed([link], Space::Thing);
                self.exprs(rows.iter().map(|(_, of)| of));
            }
            Fact::CardsIn { zone, of, cards } => {
                self.name(zone, Space::Thing);
                of.iter().for_each(|of| self.read(of, self.one(of), Role::Reads));
                self.exprs(cards);
            }
            Fact::InCases { fact, .. } => self.fact(fact),
            Fact::Alike { who, .. } => self.people(who),
            Fact::Knows { who, what, .. } => {
                self.people(who);
                self.expr(what);
            }
            Fact::Drawn { name, rows, .. } => {
                self.name(name, Space::Question);
                self.exprs(rows.iter().map(|(_, outcome)| outcome));
            }
            Fact::Happened { event, of, by, .. } => {
                self.name(event, Space::Happening);
                self.exprs(of.iter().chain(by));
            }
            Fact::Applied { rule, .. } => self.name(rule, Space::Rule),
            Fact::Winners(exprs) | Fact::Losers(exprs) => self.exprs(exprs),
            Fact::EndedBy(ending) => self.ending(ending),
            Fact::NobodyWins | Fact::Draw | Fact::GoesOn | Fact::Fault(_) => {}
        }
    }

    fn asked(&mut self, asked: &AskedFact) {
        self.people(&asked.who);
        self.fixed(&asked.choice, Space::Question);
        self.wordings(&asked.words);
        self.exprs(&asked.among);
    }

    /// `ended by last-mafioso`; in quotes it is what people are told.
    fn ending(&mut self, ending: &Quoted) {
        let length = (ending.span.end - ending.span.start) as usize;
        match length == ending.text.len() {
            true => self.name(&Name::new(ending.text.clone(), ending.span), Space::Ending),
            false => self.quoted(ending),
        }
    }
}
