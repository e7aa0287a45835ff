//! Puts the cells of a case into the lines of a scenario.

use super::blame;
use omerta_core::{diagnostic::Diagnostic, source::Span};
use omerta_syntax::{
    play_tree::{
        AskedFact, Audience, Case, Cell, Deed, Fact, Goal, Line, LineKind, Otherwise, Person, Quoted, Seat,
        Section, Wording,
    },
    tree::{Expr, ExprKind, Int, Name, Query},
    walk::{self, Part},
};
use std::cell::RefCell;

/// So many letters and parts of expressions may come of cells in all lines of a scenario.
pub(super) const MOST_GROWN: usize = 1_000_000;

/// The names of a table of cases with the cells of one row.
pub(super) struct Cells<'a> {
    names: &'a [Name],
    row: &'a Case,
    /// Which of the names something stands for.
    used: RefCell<Vec<bool>>,
    /// What is wrong with the lines.
    problems: RefCell<Vec<Diagnostic>>,
    /// How much more may come of cells that stand for names.
    left: std::cell::Cell<usize>,
    /// The names of all tables, once all cells are in: what still waits for one then is a mistake.
    all: Option<&'a [&'a str]>,
}

/// Slots and seeds for which no table has a column; also in a name, where there are tables.
pub(super) fn left_over(lines: &mut [Line], name: &mut Quoted, all: &[&str]) -> Vec<Diagnostic> {
    let row = Case {
        cells: Vec::new(),
        span: name.span,
    };
    let cells = Cells {
        all: Some(all),
        ..Cells::new(&[], &row)
    };
    cells.lines(lines);
    if !all.is_empty() {
        cells.quoted(name);
    }
    cells.problems.into_inner()
}

impl<'a> Cells<'a> {
    pub(super) fn new(names: &'a [Name], row: &'a Case) -> Self {
        Cells {
            names,
            row,
            used: RefCell::new(vec![false; names.len()]),
            problems: RefCell::default(),
            left: std::cell::Cell::new(MOST_GROWN),
            all: None,
        }
    }

    /// Lines in which no more comes of cells than is left of what all lines of a scenario may come to.
    pub(super) fn within(self, left: usize) -> Self {
        self.left.set(left);
        self
    }

    /// How much more may come of cells.
    pub(super) fn left(&self) -> usize {
        self.left.get()
    }

    /// Whether so much more may stand in the place of a name; where it is too much, that is told once.
    fn may_grow(&self, by: usize, span: Span) -> bool {
        let (left, more) = (self.left.get(), self.left.get().checked_sub(by));
        self.left.set(more.unwrap_or(0));
        if left > 0 && more.is_none() {
            self.problems.borrow_mut().push(blame::grown(span));
        }
        more.is_some()
    }

    fn blame_unknown(&self, name: &str, span: Span) {
        if let Some(all) = self.all {
            let known = all.iter().copied();
            self.problems
                .borrow_mut()
                .push(blame::unknown("case", name, span, known));
        }
    }

    /// The names that no line has used, and what else is wrong.
    pub(super) fn finish(self) -> (Vec<&'a Name>, Vec<Diagnostic>) {
        let used = self.used.into_inner();
        let unused = self.names.iter().zip(used).filter(|(_, used)| !used);
        (unused.map(|(name, _)| name).collect(), self.problems.into_inner())
    }

    fn cell(&self, name: &str) -> Option<&'a Cell> {
        let at = self.names.iter().position(|known| known.text == name)?;
        let cell = self.row.cells.get(at)?;
        self.used.borrow_mut()[at] = true;
        Some(cell)
    }

    /// `Bob, 3`: the row as part of a test's name.
    pub(super) fn title(&self) -> String {
        self.row.cells.iter().map(words).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn lines(&self, lines: &mut [Line]) {
        lines.iter_mut().for_each(|line| self.line(&mut line.kind));
    }

    fn line(&self, line: &mut LineKind) {
        match line {
            LineKind::Ruleset { base, overlays } => {
                self.name(base);
                self.names(overlays);
            }
            LineKind::Set { value, .. } => self.value(value),
            LineKind::Seats(seats) | LineKind::SeatsByLot(seats) => {
                self.seat_count(seats);
                seats.iter_mut().for_each(|seat| self.names(&mut seat.cards));
            }
            LineKind::Cast(cast) => cast.iter_mut().for_each(|entry| self.name(&mut entry.name)),
            LineKind::Aside(cards) | LineKind::Pile { cards, .. } => self.names(cards),
            LineKind::Section(Section { scene, lines, .. }) => {
                self.name(scene);
                self.lines(lines);
            }
            LineKind::Include { given, .. } => given.cells.iter_mut().for_each(|cell| self.filled(cell)),
            LineKind::Repeat { lines, .. } => self.lines(lines),
            LineKind::RunTo(Goal::Scene { scene, .. }) => self.name(scene),
            LineKind::Snapshot(Some(text)) => self.quoted(text),
            LineKind::Deed(deed) => self.deed(deed),
            LineKind::Refused { deed, reason } => {
                self.deed(deed);
                reason.iter_mut().for_each(|reason| self.quoted(reason));
            }
            LineKind::Expect(fact) => self.fact(fact),
            LineKind::Otherwise(otherwise) => self.seed(otherwise),
            LineKind::Standing { who, choice, answer } => {
                who.iter_mut().for_each(|person| self.person(person));
                self.name(choice);
                self.expr(answer);
            }
            LineKind::Covers(_)
            | LineKind::Cases(_)
            | LineKind::RunTo(Goal::End | Goal::Wait(_))
            | LineKind::Snapshot(None) => {}
        }
    }

    /// `random with seed luck`, where `luck` is a number.
    fn seed(&self, otherwise: &mut Otherwise) {
        let Otherwise::RandomOf(name) = &*otherwise else {
            return;
        };
        let span = name.span;
        match self.cell(&name.text) {
            Some(Cell::Expr(expr)) if matches!(&*expr.kind, ExprKind::Int(_)) => {
                if let ExprKind::Int(value) = *expr.kind {
                    *otherwise = Otherwise::Random(Int { value, span });
                }
            }
            Some(_) => self
                .problems
                .borrow_mut()
                .push(blame::not_one("no number", "a number", span)),
            None => self.blame_unknown(&name.text.clone(), span),
        }
    }

    /// `seats many`, where `many` is a number: so many seats.
    fn seat_count(&self, seats: &mut Vec<Seat>) {
        let [
            Seat {
                name: Some(name),
                cards,
            },
        ] = seats.as_slice()
        else {
            return;
        };
        let Some(Cell::Expr(expr)) = self.cell(&name.text) else {
            return;
        };
        if let (ExprKind::Int(count), true) = (&*expr.kind, cards.is_empty()) {
            let count = (*count).clamp(0, 64) as usize;
            *seats = vec![
                Seat {
                    name: None,
                    cards: Vec::new()
                };
                count
            ];
        }
    }

    fn name(&self, name: &mut Name) {
        let Some(Cell::Expr(expr)) = self.cell(&name.text) else {
            return;
        };
        if let Some(plain) = expr.bare_name() {
            name.text.clone_from(&plain.text);
        }
    }

    /// A value of an option, numbers and truths too.
    fn value(&self, name: &mut Name) {
        if let Some(Cell::Expr(expr)) = self.cell(&name.text) {
            name.text = expr_words(expr);
        }
    }

    fn names(&self, names: &mut [Name]) {
        names.iter_mut().for_each(|name| self.name(name));
    }

    /// A cell that is handed on.
    fn filled(&self, cell: &mut Cell) {
        match cell {
            Cell::Text(text) => self.quoted(text),
            Cell::Expr(expr) => match expr.bare_name().and_then(|name| self.cell(&name.text)) {
                Some(found) if self.may_grow(size(found), expr.span) => *cell = found.clone(),
                Some(_) => {}
                None => self.expr(expr),
            },
            Cell::Range { .. } => {}
        }
    }

    /// `{victim}` becomes the words of its cell.
    pub(super) fn quoted(&self, quoted: &mut Quoted) {
        for name in self.names {
            let slot = format!("{{{}}}", name.text);
            let times = quoted.text.matches(&slot).count();
            if times > 0
                && let Some(cell) = self.cell(&name.text)
            {
                let words = words(cell);
                let may_grow = self.may_grow(times * words.len(), quoted.span);
                let words = if may_grow { &words } else { "" };
                quoted.text = quoted.text.replace(&slot, words);
            }
        }
        if let Some(name) = self.all.and_then(|_| slot_in(&quoted.text)) {
            self.blame_unknown(name, quoted.span);
        }
    }

    fn deed(&self, deed: &mut Deed) {
        match deed {
            Deed::Answer { who, answers, .. } => {
                who.iter_mut().for_each(|person| self.person(person));
                self.exprs(answers);
            }
            Deed::Draw { outcomes, .. } => self.exprs(outcomes),
            Deed::Offer { by, offer, target } => {
                self.person(by);
                self.name(offer);
                target.iter_mut().for_each(|target| self.expr(target));
            }
            Deed::ByHand { words } => words.iter_mut().for_each(|word| self.name(word)),
        }
    }

    fn person(&self, person: &mut Person) {
        if let Person::Seats(expr) = person {
            self.expr(expr);
        }
    }

    fn fact(&self, fact: &mut Fact) {
        match fact {
            Fact::Holds(expr) => self.expr(expr),
            Fact::Said { wordings, .. } => wordings.iter_mut().for_each(|wording| self.wording(wording)),
            Fact::Told { who, wordings, .. } => {
                if let Audience::Each(people) | Audience::Only(people) = who {
                    people.iter_mut().for_each(|person| self.person(person));
                }
                wordings.iter_mut().for_each(|wording| self.wording(wording));
            }
            Fact::Asked(AskedFact {
                who, among, words, ..
            }) => {
                who.iter_mut().for_each(|person| self.person(person));
                self.exprs(among);
                words.iter_mut().for_each(|words| self.wording(words));
            }
            Fact::Happened { event, of, by, .. } => {
                self.name(event);
                of.iter_mut().chain(by).for_each(|expr| self.expr(expr));
            }
            Fact::Applied { rule, .. } => self.name(rule),
            Fact::Drawn { name, rows, .. } => {
                self.name(name);
                rows.iter_mut().for_each(|(_, outcome)| self.expr(outcome));
            }
            Fact::Open { offer, by, .. } => {
                self.name(offer);
                by.iter_mut().for_each(|person| self.person(person));
            }
            Fact::Tally { rows, .. } => rows.iter_mut().for_each(|(_, of)| self.expr(of)),
            Fact::Winners(exprs) | Fact::Losers(exprs) => self.exprs(exprs),
            Fact::EndedBy(ending) => self.ending(ending),
            Fact::Setup { wordings, .. } => wordings.iter_mut().for_each(|wording| self.wording(wording)),
            Fact::CardsIn { zone, of, cards } => {
                self.name(zone);
                of.iter_mut().for_each(|of| self.name(of));
                self.exprs(cards);
            }
            Fact::InCases { fact, .. } => self.fact(fact),
            Fact::Alike { who, .. } => who.iter_mut().for_each(|person| self.person(person)),
            Fact::Knows { who, what, .. } => {
                who.iter_mut().for_each(|person| self.person(person));
                self.expr(what);
            }
            Fact::NobodyWins | Fact::Draw | Fact::GoesOn | Fact::Fault(_) => {}
        }
    }

    fn ending(&self, ending: &mut Quoted) {
        match self.cell(&ending.text) {
            Some(cell) => ending.text = words(cell),
            None => self.quoted(ending),
        }
    }

    fn wording(&self, wording: &mut Wording) {
        match wording {
            Wording::Exactly(text) | Wording::Containing(text) => self.quoted(text),
            Wording::Named { name, containing } => {
                if let (Some(Cell::Text(text)), None) = (self.cell(&name.text), containing.as_ref()) {
                    *wording = Wording::Exactly(text.clone());
                    return;
                }
                self.name(name);
                containing.iter_mut().for_each(|text| self.quoted(text));
            }
            Wording::Anything(_) => {}
        }
    }

    fn exprs(&self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|expr| self.expr(expr));
    }

    fn expr(&self, expr: &mut Expr) {
        match expr.bare_name().and_then(|name| self.cell(&name.text)) {
            Some(found @ Cell::Expr(_)) if !self.may_grow(size(found), expr.span) => {}
            Some(Cell::Expr(cell)) => *expr = in_brackets(cell),
            Some(Cell::Text(text)) => *expr.kind = ExprKind::Text(text.text.clone()),
            Some(Cell::Range { .. }) | None => {
                walk::change_parts(expr, &|part| self.expr(part), &|name| self.name(name));
            }
        }
    }
}

/// How many letters or parts a cell has.
fn size(cell: &Cell) -> usize {
    match cell {
        Cell::Text(text) => text.text.len(),
        Cell::Range { .. } => 1,
        Cell::Expr(expr) => {
            let mut parts = 0;
            walk::for_each_expr(expr, &mut |_| parts += 1);
            parts
        }
    }
}

/// `victim`, where a text has `{victim}` in it.
fn slot_in(text: &str) -> Option<&str> {
    let named =
        |part: &&str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
    text.split('{')
        .skip(1)
        .filter_map(|rest| rest.split_once('}'))
        .map(|(name, _)| name)
        .find(named)
}

/// Every name that an expression mentions.
pub(super) fn each_name(expr: &Expr, see: &mut impl FnMut(&Name)) {
    Part::Expr(expr).each(&mut |part| {
        if let Part::Reads(name) | Part::Names(name) = part {
            see(name);
        }
        true
    });
}

/// A cell so that it stays one thing wherever it is put.
fn in_brackets(cell: &Expr) -> Expr {
    match &*cell.kind {
        ExprKind::Query(_) | ExprKind::Int(_) | ExprKind::Truth(_) | ExprKind::Group(_) => cell.clone(),
        _ => Expr {
            kind: Box::new(ExprKind::Group(cell.clone())),
            span: cell.span,
        },
    }
}

/// A cell in words.
fn words(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.text.clone(),
        Cell::Expr(expr) => expr_words(expr),
        Cell::Range { from, to } => format!("{}..{}", from.value, to.value),
    }
}

/// A simple expression in words; what is not simple is left out.
pub(super) fn expr_words(expr: &Expr) -> String {
    match &*expr.kind {
        ExprKind::Int(number) => number.to_string(),
        ExprKind::Truth(true) => "yes".to_string(),
        ExprKind::Truth(false) => "no".to_string(),
        ExprKind::Query(Query { name, number, of, .. }) => {
            let number = number.map_or_else(String::new, |number| format!(" {}", number.value));
            let of = of
                .as_ref()
                .map_or_else(String::new, |of| format!(" of {}", expr_words(of)));
            format!("{}{number}{of}", name.text)
        }
        ExprKind::Narrow(parts) => parts.iter().map(expr_words).collect::<Vec<_>>().join(" "),
        ExprKind::Group(inner) => expr_words(inner),
        ExprKind::Text(text) => format!("\"{text}\""),
        _ => "…".to_string(),
    }
}
