//! From a file to tests: what is shared is written out, and every case becomes a test of its own.

use super::{
    blame,
    substitute::{Cells, MOST_GROWN, left_over},
};
use omerta_core::{diagnostic::Diagnostic, source::Span};
use omerta_syntax::{
    play_tree::{Case, Cases, Cell, Fact, Line, LineKind, Play, PlayFile, Quoted, Seat, Section, Wording},
    settled,
    tree::{Expr, ExprKind, Int, Name},
    walk::holds_expr,
};

/// How many lines a scenario may have when everything is written out.
const LINE_LIMIT: usize = 10_000;
/// How many tests one scenario may make.
const CASE_LIMIT: usize = 1_000;
/// And all of them together so many lines.
const CASE_LINE_LIMIT: usize = 200_000;

/// One scenario, or one case of it, with nothing left to look up in its file.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The rules it covers.
    pub covers: Vec<String>,
    /// Its lines.
    pub lines: Vec<Line>,
    /// Those of its lines that hold whatever the game does, with what its case puts into them.
    pub settled: Vec<Span>,
    /// Those of its lines that name words that all words have, `containing ""`, as they are written.
    pub wordless: Vec<Span>,
    /// Those of its lines that expect the card which `seats` deals, `Ann is Healer`, as they are written.
    pub dealt: Vec<Span>,
    /// The columns of its tables, and what its `common` lines are given.
    pub columns: Vec<Name>,
    /// The cases of a scenario of which this test compares what came of each; its lines are those that do.
    pub cases: Vec<Test>,
    /// What could not be written out; such a test fails with this.
    pub problems: Vec<Diagnostic>,
}

/// The tests of a file, in order.
pub fn tests_of(file: &PlayFile) -> Vec<Test> {
    file.plays
        .iter()
        .flat_map(|play| tests_of_play(file, play))
        .collect()
}

fn tests_of_play(file: &PlayFile, play: &Play) -> Vec<Test> {
    let mut expander = Expander {
        file,
        path: Vec::new(),
        written: 0,
        left: MOST_GROWN,
        is_cut: false,
        problems: Vec::new(),
        columns: Vec::new(),
    };
    let mut lines = Vec::new();
    expander.add(&file.preamble, &mut lines);
    expander.add(&play.lines, &mut lines);
    let (problems, mut columns) = (expander.problems, expander.columns);
    let tables: Vec<Cases> = tables_of(&lines).map(with_ranges).collect();
    columns.extend(tables.iter().flat_map(|table| table.names.iter().cloned()));
    let whole = Test {
        name: play.title.text.clone(),
        span: play.title.span,
        covers: covered(&lines),
        settled: settled(&lines),
        wordless: wordless(&lines),
        dealt: dealt(&lines),
        columns,
        lines,
        cases: Vec::new(),
        problems,
    };
    let mut problems = whole.problems.clone();
    problems.extend(tables_of(&whole.lines).filter_map(no_number));
    problems.extend(tables.iter().filter_map(row_twice));
    problems.extend(column_twice(&tables));
    if problems.len() > whole.problems.len() {
        return vec![Test { problems, ..whole }];
    }
    // Several tables multiply: each row of the one with each row of the other.
    let count = tables
        .iter()
        .try_fold(1_usize, |count, cases| count.checked_mul(cases.rows.len()));
    if let Some(table) = tables
        .last()
        .filter(|_| count.is_none_or(|count| count > CASE_LIMIT))
    {
        let place = table.names.first().map_or(play.title.span, |name| name.span);
        // A table that has too many by itself was not written out to its end.
        let count = count.filter(|_| tables.iter().all(|cases| cases.rows.len() <= CASE_LIMIT));
        let problems = vec![blame::too_many_cases(count, CASE_LIMIT, place)];
        return vec![Test { problems, ..whole }];
    }
    let lines = how_many(&whole.lines);
    if count.is_some_and(|count| count * lines > CASE_LINE_LIMIT) {
        let place = tables.last().and_then(|table| table.names.first());
        let place = place.map_or(play.title.span, |name| name.span);
        let problems = vec![blame::too_long(CASE_LINE_LIMIT, place)];
        return vec![Test { problems, ..whole }];
    }
    let mut tests = vec![whole];
    for cases in &tables {
        let pairs = tests
            .iter()
            .flat_map(|test| cases.rows.iter().map(move |row| (test, row)));
        // Where no line uses a column, no row does: it is enough to say so once.
        tests = pairs
            .enumerate()
            .map(|(number, (test, row))| one_case(test, cases, row, number == 0))
            .collect();
    }
    let names = tables.iter().flat_map(|cases| &cases.names);
    let names: Vec<&str> = names.map(|name| name.text.as_str()).collect();
    for test in &mut tests {
        let mut name = Quoted {
            text: test.name.clone(),
            span: play.title.span,
        };
        test.problems
            .extend(left_over(&mut test.lines, &mut name, &names));
        test.settled = settled(&test.lines);
    }
    tests.extend(across(&tests, &play.title));
    tests
}

/// How many lines there are, those of sections included.
fn how_many(lines: &[Line]) -> usize {
    let within = |line: &Line| match &line.kind {
        LineKind::Section(section) => how_many(&section.lines),
        _ => 0,
    };
    lines.iter().map(|line| 1 + within(line)).sum()
}

fn tables_of(lines: &[Line]) -> impl Iterator<Item = &Cases> {
    lines.iter().filter_map(|line| match &line.kind {
        LineKind::Cases(cases) => Some(cases),
        _ => None,
    })
}

/// `3..2`, in which no number lies.
fn no_number(cases: &Cases) -> Option<Diagnostic> {
    let mut cells = cases.rows.iter().flat_map(|row| &row.cells);
    cells.find_map(|cell| match cell {
        Cell::Range { from, to } if from.value > to.value => Some(blame::empty_range(from.span.to(to.span))),
        _ => None,
    })
}

/// The same case a second time.
fn row_twice(cases: &Cases) -> Option<Diagnostic> {
    let is_same = |one: &Cell, other: &Cell| match (one, other) {
        (Cell::Expr(one), Cell::Expr(other)) => settled::is_alike(one, other),
        (Cell::Text(one), Cell::Text(other)) => one.text == other.text,
        _ => false,
    };
    let is_alike = |one: &Case, other: &Case| {
        one.cells.len() == other.cells.len() && one.cells.iter().zip(&other.cells).all(|(a, b)| is_same(a, b))
    };
    let rows = cases.rows.iter().take(CASE_LIMIT).enumerate();
    let mut again = rows.filter(|(number, row)| cases.rows[..*number].iter().any(|one| is_alike(one, row)));
    again.next().map(|(_, row)| blame::row_twice(row.span))
}

/// A column of one table or another that has the name of one before it.
fn column_twice(tables: &[Cases]) -> Option<Diagnostic> {
    let names: Vec<&Name> = tables.iter().flat_map(|table| &table.names).collect();
    let first = |at: usize| names[..at].iter().find(|known| known.text == names[at].text);
    let twice = (0..names.len()).find_map(|at| Some((names[at], first(at)?)));
    twice.map(|(name, first)| blame::column_twice(name, first.span))
}

/// The test that compares the cases of a scenario, where one of its lines does.
fn across(tests: &[Test], title: &Quoted) -> Option<Test> {
    let first = tests.first()?;
    let lines = first.all_claims().into_iter();
    let lines = lines.filter(|line| matches!(&line.kind, LineKind::Expect(fact) if fact.is_across()));
    let lines: Vec<Line> = lines.cloned().collect();
    let place = lines.first()?.span;
    let alike = tests
        .iter()
        .all(|test| seats_in(&test.lines) == seats_in(&first.lines));
    let problems = match tests {
        [only] if only.problems.is_empty() => vec![blame::one_case(place)],
        // What is wrong with a case is told there.
        _ => Vec::new(),
    };
    let is_settled = |line: &&Span| tests.iter().all(|test| test.settled.contains(line));
    let settled = first.settled.iter().filter(is_settled);
    Some(Test {
        name: format!("{} (its cases together)", title.text),
        span: title.span,
        covers: first.covers.clone(),
        settled: settled.copied().collect(),
        wordless: Vec::new(),
        dealt: if alike { first.dealt.clone() } else { Vec::new() },
        columns: Vec::new(),
        lines,
        cases: tests.to_vec(),
        problems,
    })
}

/// A table with a row for each number of its ranges; one row more than there may be is enough of them.
fn with_ranges(cases: &Cases) -> Cases {
    let mut rows = Vec::new();
    for row in &cases.rows {
        let mut written = vec![row.clone()];
        while let Some(at) = { written.first() }.and_then(|row: &Case| row.cells.iter().position(is_range)) {
            let each = |row: Case| {
                let numbers = match row.cells[at] {
                    Cell::Range { from, to } => (from.value..=to.value, from.span),
                    _ => (0..=0, row.span),
                };
                let (numbers, span) = numbers;
                numbers.take(CASE_LIMIT + 1).map(move |value| {
                    let mut row = row.clone();
                    let kind = Box::new(ExprKind::Int(value));
                    row.cells[at] = Cell::Expr(Expr { kind, span });
                    row
                })
            };
            written = written.into_iter().flat_map(each).take(CASE_LIMIT + 1).collect();
        }
        rows.extend(written);
    }
    Cases {
        names: cases.names.clone(),
        rows,
    }
}

fn is_range(cell: &Cell) -> bool {
    matches!(cell, Cell::Range { .. })
}

fn one_case(whole: &Test, cases: &Cases, row: &Case, first: bool) -> Test {
    let mut test = whole.clone();
    if row.cells.len() != cases.names.len() {
        test.problems
            .push(blame::cells(row.cells.len(), cases.names.len(), row.span));
    }
    let (cells, in_title) = (Cells::new(&cases.names, row), Cells::new(&cases.names, row));
    let mut title = Quoted {
        text: test.name.clone(),
        span: test.span,
    };
    in_title.quoted(&mut title);
    test.name = match title.text == test.name {
        true => format!("{} ({})", test.name, cells.title()),
        false => title.text,
    };
    cells.lines(&mut test.lines);
    let (mut unused, problems) = cells.finish();
    let (untitled, of_title) = in_title.finish();
    // Beside others a column may be there to call the rows by.
    if unused.len() < cases.names.len() {
        unused.retain(|name| untitled.contains(name));
    }
    test.problems.extend(of_title.into_iter().chain(problems));
    if first && row.cells.len() == cases.names.len() {
        let unused = unused
            .iter()
            .map(|name| blame::unused_case(&name.text, name.span));
        test.problems.extend(unused);
    }
    test
}

/// Which of some lines, and of those in sections, say what must come of it.
pub(super) fn claims(lines: &[Line]) -> Vec<&Line> {
    let mut found = Vec::new();
    for line in lines {
        match &line.kind {
            LineKind::Expect(_) | LineKind::Refused { .. } => found.push(line),
            LineKind::Section(section) => found.extend(claims(&section.lines)),
            _ => {}
        }
    }
    found
}

/// The lines that expect what is so in every game.
fn settled(lines: &[Line]) -> Vec<Span> {
    let seats = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Seats(seats) | LineKind::SeatsByLot(seats) => Some(seats),
        _ => None,
    });
    let names: Vec<&str> = { seats.flatten() }
        .filter_map(|seat| Some(seat.name.as_ref()?.text.as_str()))
        .collect();
    let always = |fact: &Fact| match fact.of_one_game() {
        Fact::Holds(test) => {
            settled::outcome(test, &|name| names.contains(&name)) == Some(!fact.is_in_no_case())
        }
        _ => false,
    };
    let is_settled = |line: &Line| matches!(&line.kind, LineKind::Expect(fact) if always(fact));
    // One that is included several times must be so each time.
    let (all, open): (Vec<&Line>, Vec<&Line>) = claims(lines).into_iter().partition(|line| is_settled(line));
    let spans = all.into_iter().map(|line| line.span);
    spans
        .filter(|span| !open.iter().any(|line| line.span == *span))
        .collect()
}

/// The lines that look for no words within others: `said containing ""`.
fn wordless(lines: &[Line]) -> Vec<Span> {
    let is_empty = |wording: &Wording| match wording {
        Wording::Containing(text) => text.text.is_empty(),
        Wording::Named { containing, .. } => containing.as_ref().is_some_and(|text| text.text.is_empty()),
        Wording::Exactly(_) | Wording::Anything(_) => false,
    };
    let any = |fact: &Fact| match fact {
        Fact::Said { wordings, .. } | Fact::Told { wordings, .. } | Fact::Setup { wordings, .. } => {
            wordings.iter().any(is_empty)
        }
        Fact::Asked(asked) => asked.words.as_ref().is_some_and(is_empty),
        _ => false,
    };
    let claims = claims(lines).into_iter().filter(|line| match &line.kind {
        LineKind::Expect(fact) => any(fact.of_one_game()),
        LineKind::Refused { reason, .. } => reason.as_ref().is_some_and(|text| text.text.is_empty()),
        _ => false,
    });
    claims.map(|line| line.span).collect()
}

/// The lines that say something of the game where `seats` deals everybody his card. What a column names is looked at in each
/// of its cases.
fn dealt(lines: &[Line]) -> Vec<Span> {
    let has_all = |seats: &[Seat]| !seats.is_empty() && seats.iter().all(|seat| !seat.cards.is_empty());
    if !seats_in(lines).is_some_and(has_all) {
        return Vec::new();
    }
    let columns: Vec<&Name> = tables_of(lines).flat_map(|cases| &cases.names).collect();
    let is_column = |expr: &Expr| columns.iter().any(|column| expr.is_name(&column.text));
    let claims = claims(lines).into_iter().filter(|line| match &line.kind {
        LineKind::Expect(fact) => match fact.of_one_game() {
            Fact::Holds(test) => !holds_expr(test, &is_column),
            _ => false,
        },
        _ => false,
    });
    claims.map(|line| line.span).collect()
}

/// Who sits where, unless chance says so.
fn seats_in(lines: &[Line]) -> Option<&[Seat]> {
    lines.iter().rev().find_map(|line| match &line.kind {
        LineKind::Seats(seats) => Some(seats.as_slice()),
        LineKind::SeatsByLot(_) => Some(&[]),
        _ => None,
    })
}

fn covered(lines: &[Line]) -> Vec<String> {
    let codes = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Covers(codes) => Some(codes),
        _ => None,
    });
    let mut covered: Vec<String> = Vec::new();
    for code in codes.flatten() {
        if !covered.contains(&code.text) {
            covered.push(code.text.clone());
        }
    }
    covered
}

/// Writes out what is included.
struct Expander<'a> {
    file: &'a PlayFile,
    /// The names being included, the outermost first.
    path: Vec<String>,
    /// How many lines were written out.
    written: usize,
    /// How much more may come of what is handed on.
    left: usize,
    /// Whether it was said that this is too often.
    is_cut: bool,
    problems: Vec<Diagnostic>,
    /// What the lines that are included are given.
    columns: Vec<Name>,
}

impl Expander<'_> {
    fn add(&mut self, lines: &[Line], into: &mut Vec<Line>) {
        for line in lines {
            self.written += 1;
            match &line.kind {
                LineKind::Include { name, given } => self.include(name, given, into),
                LineKind::Repeat { times, lines } => self.repeat(times, lines, into),
                LineKind::Section(section) => {
                    let mut steps = Vec::new();
                    self.add(&section.lines, &mut steps);
                    self.check_steps(&steps);
                    let section = Section {
                        lines: steps,
                        ..section.clone()
                    };
                    into.push(Line {
                        kind: LineKind::Section(section),
                        span: line.span,
                    });
                }
                _ => into.push(line.clone()),
            }
        }
    }

    fn include(&mut self, name: &Name, given: &Case, into: &mut Vec<Line>) {
        let (file, span) = (self.file, name.span);
        let Some(common) = file.commons.iter().find(|common| common.name.text == name.text) else {
            let known = file.commons.iter().map(|common| common.name.text.as_str());
            self.problems
                .push(blame::unknown("`common`", &name.text, span, known));
            return;
        };
        if self.path.contains(&name.text) {
            self.problems.push(blame::include_ring(&name.text, span));
            return;
        }
        if self.is_too_long(span) {
            return;
        }
        if given.cells.len() != common.params.len() || given.cells.iter().any(is_range) {
            let (given, wanted) = (given.cells.len(), &common.params);
            self.problems.push(blame::given(&name.text, given, wanted, span));
            return;
        }
        self.columns.extend_from_slice(&common.params);
        let mut lines = common.lines.clone();
        let cells = Cells::new(&common.params, given).within(self.left);
        cells.lines(&mut lines);
        self.left = cells.left();
        let (unused, problems) = cells.finish();
        let unused = unused
            .iter()
            .map(|name| blame::unused_param(&name.text, name.span));
        self.problems.extend(problems.into_iter().chain(unused));
        self.path.push(name.text.clone());
        self.add(&lines, into);
        self.path.pop();
    }

    fn repeat(&mut self, times: &Int, lines: &[Line], into: &mut Vec<Line>) {
        if times.value == 0 {
            self.problems.push(blame::no_times(times.span));
        }
        for _ in 0..times.value {
            if self.is_too_long(times.span) {
                return;
            }
            self.add(lines, into);
        }
    }

    /// Whether there are too many lines; a block counts for one, so that an empty one ends.
    fn is_too_long(&mut self, place: Span) -> bool {
        self.written += 1;
        let is_too_long = self.written > LINE_LIMIT;
        if is_too_long && !self.is_cut {
            self.is_cut = true;
            self.problems.push(blame::too_long(LINE_LIMIT, place));
        }
        is_too_long
    }

    /// In a scene only steps may stand.
    fn check_steps(&mut self, lines: &[Line]) {
        let is_late = |line: &&Line| is_setup(&line.kind) || is_of_setup(&line.kind);
        let late = lines.iter().filter(is_late);
        self.problems
            .extend(late.map(|line| blame::late_setup(line.span)));
    }
}

/// Whether a line says what is found wrong with the table.
pub(super) fn is_of_setup(line: &LineKind) -> bool {
    matches!(line, LineKind::Expect(fact) if matches!(fact.of_one_game(), Fact::Setup { .. }))
}

pub(super) fn is_setup(line: &LineKind) -> bool {
    matches!(
        line,
        LineKind::Ruleset { .. }
            | LineKind::Set { .. }
            | LineKind::Covers(_)
            | LineKind::Seats(_)
            | LineKind::SeatsByLot(_)
            | LineKind::Cast(_)
            | LineKind::Aside(_)
            | LineKind::Pile { .. }
            | LineKind::Otherwise(_)
            | LineKind::Standing { .. }
            | LineKind::Cases(_)
    )
}
