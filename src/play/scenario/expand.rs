//! From a file to tests: what is shared is written out, and every case becomes a test of its own.

use super::{
    blame,
    substitute::{Cells, left_over},
};
use omerta_core::{diagnostic::Diagnostic, source::Span};
use omerta_syntax::play_tree::{Case, Cases, Line, LineKind, Play, PlayFile, Quoted, Section};

/// How many lines a scenario may have when everything is written out.
const LINE_LIMIT: usize = 10_000;
/// How many tests one scenario may make.
const CASE_LIMIT: usize = 1_000;

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
        problems: Vec::new(),
    };
    let mut lines = Vec::new();
    expander.add(&file.preamble, &mut lines);
    expander.add(&play.lines, &mut lines);
    let problems = expander.problems;
    let tables: Vec<Cases> = lines
        .iter()
        .filter_map(|line| match &line.kind {
            LineKind::Cases(cases) => Some(cases.clone()),
            _ => None,
        })
        .collect();
    let whole = Test {
        name: play.title.text.clone(),
        span: play.title.span,
        covers: covered(&lines),
        lines,
        problems,
    };
    // Several tables multiply: each row of the one with each row of the other.
    let count = tables
        .iter()
        .try_fold(1_usize, |count, cases| count.checked_mul(cases.rows.len()));
    if let Some(table) = tables
        .last()
        .filter(|_| count.is_none_or(|count| count > CASE_LIMIT))
    {
        let place = table.names.first().map_or(play.title.span, |name| name.span);
        let problems = vec![blame::too_many_cases(count, CASE_LIMIT, place)];
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
    let names: Vec<&str> = tables
        .iter()
        .flat_map(|cases| &cases.names)
        .map(|name| name.text.as_str())
        .collect();
    for test in &mut tests {
        test.problems.extend(left_over(&mut test.lines, &names));
    }
    tests
}

fn one_case(whole: &Test, cases: &Cases, row: &Case, first: bool) -> Test {
    let mut test = whole.clone();
    if row.cells.len() != cases.names.len() {
        test.problems
            .push(blame::cells(row.cells.len(), cases.names.len(), row.span));
    }
    let cells = Cells::new(&cases.names, row);
    let mut title = Quoted {
        text: test.name.clone(),
        span: test.span,
    };
    cells.quoted(&mut title);
    test.name = if title.text == test.name {
        format!("{} ({})", test.name, cells.title())
    } else {
        title.text
    };
    cells.lines(&mut test.lines);
    let (unused, problems) = cells.finish();
    test.problems.extend(problems);
    if first && row.cells.len() == cases.names.len() {
        let unused = unused
            .iter()
            .map(|name| blame::unused_case(&name.text, name.span));
        test.problems.extend(unused);
    }
    test
}

fn covered(lines: &[Line]) -> Vec<String> {
    let codes = lines.iter().filter_map(|line| match &line.kind {
        LineKind::Covers(codes) => Some(codes),
        _ => None,
    });
    codes.flatten().map(|code| code.text.clone()).collect()
}

/// Writes out what is included.
struct Expander<'a> {
    file: &'a PlayFile,
    /// The names being included, the outermost first.
    path: Vec<String>,
    problems: Vec<Diagnostic>,
}

impl Expander<'_> {
    fn add(&mut self, lines: &[Line], into: &mut Vec<Line>) {
        for line in lines {
            match &line.kind {
                LineKind::Include(name) => self.include(&name.text, name.span, into),
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

    fn include(&mut self, name: &str, span: Span, into: &mut Vec<Line>) {
        let file = self.file;
        let Some(common) = file.commons.iter().find(|common| common.name.text == name) else {
            let known = file.commons.iter().map(|common| common.name.text.as_str());
            self.problems.push(blame::unknown("`common`", name, span, known));
            return;
        };
        if self.path.iter().any(|outer| outer == name) {
            self.problems.push(blame::include_ring(name, span));
            return;
        }
        if into.len() > LINE_LIMIT {
            self.problems.push(blame::too_long(LINE_LIMIT, span));
            return;
        }
        self.path.push(name.to_string());
        self.add(&common.lines, into);
        self.path.pop();
    }

    /// In a scene only steps may stand.
    fn check_steps(&mut self, lines: &[Line]) {
        let late = lines.iter().filter(|line| is_setup(&line.kind));
        self.problems
            .extend(late.map(|line| blame::late_setup(line.span)));
    }
}

fn is_setup(line: &LineKind) -> bool {
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
