//! Every name of a file of scenarios, with what it is there.
//!
//! Players, columns of cases and shared lines are known in their whole file, by their letters: who is called `Ann`
//! in one scenario may be somebody else in the next, and goes by one name all the same.

use crate::names::{NameUse, Role};
use crate::play_tree::{
    AskedFact, Audience, Case, Cell, Deed, Fact, Goal, Line, LineKind, Otherwise, Person, PlayFile, Quoted,
    Seat, Section, Wording,
};
use crate::tree::{Expr, Name};
use crate::walk::{Part, Space};
use omerta_core::source::Span;
use std::collections::BTreeMap;

/// The names of a file of scenarios, and its texts in quotes, which may speak of its players.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayNames {
    /// The names, from front to back.
    pub uses: Vec<NameUse>,
    /// The places of the texts.
    pub texts: Vec<Span>,
}

/// What is known in a file by its letters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Known {
    /// A player, a column or what shared lines are given: whatever an expression may read.
    Person,
    /// Shared lines.
    Common,
}

/// All names of a file.
pub fn names_of_play(file: &PlayFile) -> PlayNames {
    let mut reader = Reader {
        found: PlayNames::default(),
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

struct Reader {
    found: PlayNames,
    known: BTreeMap<(Known, String), u32>,
    /// Whether it is found out first what is known; all the rest comes in a second walk.
    binds: bool,
}

impl Reader {
    fn file(&mut self, file: &PlayFile) {
        self.lines(&file.preamble);
        for common in &file.commons {
            self.bind(&common.name, Known::Common);
            common
                .params
                .iter()
                .for_each(|param| self.bind(param, Known::Person));
            self.lines(&common.lines);
        }
        for play in &file.plays {
            self.quoted(&play.title);
            self.lines(&play.lines);
        }
    }

    fn bind(&mut self, name: &Name, known: Known) {
        if !self.binds {
            return;
        }
        let next = self.known.len() as u32;
        let key = (known, name.text.clone());
        let local = *self.known.entry(key).or_insert(next);
        self.add(name, Role::Binds { asked: false }, Some(local));
    }

    fn add(&mut self, name: &Name, role: Role, local: Option<u32>) {
        self.found.uses.push(NameUse {
            name: name.clone(),
            role,
            local,
        });
    }

    fn read(&mut self, name: &Name, known: Known, role: Role) {
        if !self.binds {
            let local = self.known.get(&(known, name.text.clone())).copied();
            self.add(name, role, local);
        }
    }

    fn name(&mut self, name: &Name, space: Space) {
        self.read(name, Known::Person, Role::Uses(space));
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
            .for_each(|(name, role)| self.read(name, Known::Person, role));
    }

    fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn quoted(&mut self, quoted: &Quoted) {
        if !self.binds {
            self.found.texts.push(quoted.span);
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
                self.name(option, Space::Thing);
                self.name(value, Space::Word);
            }
            LineKind::Covers(_) | LineKind::Snapshot(None) => {}
            LineKind::Seats(seats) | LineKind::SeatsByLot(seats) => self.seats(seats),
            LineKind::Cast(cast) => self.names(cast.iter().map(|entry| &entry.name), Space::Anything),
            LineKind::Aside(cards) => self.names(cards, Space::Thing),
            LineKind::Pile { zone, cards } => self.names([zone].into_iter().chain(cards), Space::Thing),
            LineKind::Otherwise(Otherwise::RandomOf(name)) => self.read(name, Known::Person, Role::Reads),
            LineKind::Otherwise(Otherwise::Pass | Otherwise::Random(_)) => {}
            LineKind::Standing { who, choice, answer } => {
                self.people(who);
                self.name(choice, Space::Question);
                self.expr(answer);
            }
            LineKind::Cases(cases) => {
                cases.names.iter().for_each(|name| self.bind(name, Known::Person));
                cases.rows.iter().for_each(|row| self.row(row));
            }
            LineKind::Section(Section { scene, lines, .. }) => {
                self.name(scene, Space::Thing);
                self.lines(lines);
            }
            LineKind::Include { name, given } => {
                self.read(name, Known::Common, Role::Reads);
                self.row(given);
            }
            LineKind::Repeat { lines, .. } => self.lines(lines),
            LineKind::RunTo(Goal::Scene { scene, .. }) => self.name(scene, Space::Thing),
            LineKind::RunTo(Goal::End | Goal::Wait(_)) => {}
            LineKind::Snapshot(Some(text)) => self.quoted(text),
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
            seat.name.iter().for_each(|name| self.bind(name, Known::Person));
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
                self.names(choice, Space::Question);
                self.exprs(answers);
            }
            Deed::Draw { name, outcomes } => {
                self.name(name, Space::Question);
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
                    .for_each(|word| self.read(word, Known::Person, Role::Reads));
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
                self.name(link, Space::Thing);
                self.exprs(rows.iter().map(|(_, of)| of));
            }
            Fact::CardsIn { zone, of, cards } => {
                self.name(zone, Space::Thing);
                of.iter().for_each(|of| self.read(of, Known::Person, Role::Reads));
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
        self.names(&asked.choice, Space::Question);
        self.wordings(&asked.words);
        self.exprs(&asked.among);
    }

    /// `ended by last-mafioso`; in quotes it is what people are told.
    fn ending(&mut self, ending: &Quoted) {
        let length = (ending.span.end - ending.span.start) as usize;
        match length == ending.text.len() {
            true => self.name(
                &Name {
                    text: ending.text.clone(),
                    span: ending.span,
                },
                Space::Ending,
            ),
            false => self.quoted(ending),
        }
    }
}
