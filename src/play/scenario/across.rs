//! What is said of all cases of a scenario together: in how many of them something is so, and whether somebody can
//! tell them apart.

use super::{
    blame,
    drive::Driver,
    expand::Test,
    notes::{Seen, Sight},
    report::Report,
};
use crate::{
    session::Session,
    words::{members, terms},
};
use omerta_core::{diagnostic::Diagnostic, source::Span};
use omerta_engine::Viewer;
use omerta_syntax::play_tree::{CaseCount, Fact, Line, LineKind, Person};
use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash, Hasher},
};

/// Of the games of all cases no more than is told of them together: the first, the longest, and whether all are one.
#[derive(Default)]
pub(super) struct Games {
    first: Option<Session>,
    longest: Option<Session>,
    differ: bool,
}

impl Games {
    pub fn add(&mut self, game: Session) {
        let Some(first) = &self.first else {
            self.first = Some(game);
            return;
        };
        self.differ |= !is_same(first, &game);
        if game.cursor() >= self.longest.as_ref().unwrap_or(first).cursor() {
            self.longest = Some(game);
        }
    }

    /// Whether the same happens in all cases, down to what only the host knows.
    pub fn are_one(&self) -> bool {
        self.first.is_some() && !self.differ
    }

    pub fn longest(self) -> Option<Session> {
        self.longest.or(self.first)
    }
}

fn is_same(one: &Session, other: &Session) -> bool {
    one.table().rules.identity == other.table().rules.identity
        && one.table().names == other.table().names
        && one.log().events == other.log().events
}

/// Says what does not hold for all cases of a scenario together, of which these are the reports, and whether all were
/// one game.
pub(super) fn together(test: &Test, (reports, are_one): (&[Report], bool), mut report: Report) -> Report {
    let mut so_far = BTreeMap::new();
    for (number, line) in test.lines.iter().enumerate() {
        let LineKind::Expect(fact) = &line.kind else {
            continue;
        };
        // One that is repeated, or included twice, looks each time at something else.
        let above = test.lines[..number].iter();
        let time = above.filter(|above| above.span == line.span).count();
        let in_case = |report: &Report| -> Option<Seen> {
            let mut here = report.across.iter().filter(|(at, ..)| *at == line.span);
            here.nth(time).map(|(.., seen)| seen.clone())
        };
        let cases = test.cases.iter().zip(reports);
        let cases: Vec<(&str, Option<Seen>)> = cases
            .map(|(case, report)| (case.name.as_str(), in_case(report)))
            .collect();
        // Where one of them did not come to look, what stopped it is the matter here, too.
        let nobody_looked = cases.iter().all(|(_, seen)| seen.is_none());
        let stopped = reports
            .iter()
            .zip(&cases)
            .find(|(report, (_, seen))| !report.passed() && seen.is_none());
        if stopped.is_some() || nobody_looked {
            let why = stopped.map_or(&[][..], |(report, _)| &report.diagnostics);
            report.diagnostics = why.to_vec();
            break;
        }
        let instead = match fact {
            Fact::InCases { count, .. } => counted(*count, &cases),
            Fact::Alike { differs, .. } => compared(*differs, &cases),
            _ => None,
        };
        let is_alike = matches!(fact, Fact::Alike { differs: false, .. });
        let is_one = is_alike && instead.is_none() && are_one_game_so_far(&cases);
        { so_far.entry(line.span) }
            .and_modify(|all| *all &= is_one)
            .or_insert(is_one);
        match instead {
            Some(instead) => report.diagnostics.push(blame::not_so(&instead, None, line.span)),
            None if is_alike && are_one => {
                report.diagnostics.push(blame::one_game(line.span));
            }
            None => {}
        }
    }
    // Where a difference is looked for besides, this shows that it comes no sooner.
    let seeks = |line: &Line| matches!(line.kind, LineKind::Expect(Fact::Alike { differs: true, .. }));
    let seeks = test.lines.iter().any(seeks);
    let so_far = so_far.into_iter().filter(|(_, is_one)| *is_one && !seeks);
    report
        .hollow
        .extend(so_far.map(|(line, _)| blame::one_game_so_far(line)));
    // What fails can.
    let failed = |told: &Diagnostic| {
        report
            .diagnostics
            .iter()
            .any(|failed| failed.span() == told.span())
    };
    report.hollow.retain(|told| !failed(told));
    report
}

/// Whether all cases have come to a line by the same answers and draws at the same table.
fn are_one_game_so_far(cases: &[(&str, Option<Seen>)]) -> bool {
    let mut ways = cases.iter().map(|(_, seen)| match seen {
        Some(Seen::Sights(_, way)) => Some(way),
        _ => None,
    });
    let first = ways.next().flatten();
    first.is_some() && ways.all(|way| way == first)
}

/// What is there instead of so many cases.
fn counted(count: CaseCount, cases: &[(&str, Option<Seen>)]) -> Option<String> {
    let is_so = |seen: &Option<Seen>| matches!(seen, Some(Seen::So(true)));
    let so: Vec<&str> = { cases.iter() }
        .filter(|(_, seen)| is_so(seen))
        .map(|(name, _)| *name)
        .collect();
    let holds = match count {
        CaseCount::Some => !so.is_empty(),
        CaseCount::No => so.is_empty(),
        CaseCount::Exactly(wanted) => i64::try_from(so.len()) == Ok(wanted.value),
    };
    let instead = || match so.as_slice() {
        [] => format!("it is so in none of {} cases", cases.len()),
        [first, ..] => format!(
            "it is so in {} of {} cases, first in `{first}`",
            so.len(),
            cases.len()
        ),
    };
    (!holds).then(instead)
}

/// What is there instead of cases that look alike, or differ from here on, to each of these.
fn compared(differs: bool, cases: &[(&str, Option<Seen>)]) -> Option<String> {
    let cases = cases.iter().filter_map(|(name, seen)| match seen {
        Some(Seen::Sights(sights, _)) => Some((*name, sights)),
        _ => None,
    });
    let cases: Vec<(&str, &Vec<Sight>)> = cases.collect();
    let (first, first_sights) = cases.first()?;
    for (at, sight) in first_sights.iter().enumerate() {
        let others = { cases[1..].iter() }.filter_map(|(name, sights)| Some((*name, sights.get(at)?)));
        let apart = |lines: &dyn Fn(&Sight) -> &[String]| {
            let mut others = others.clone();
            others.find_map(|(name, other)| Some((name, first_apart(lines(sight), lines(other))?)))
        };
        let (before, now) = (apart(&|sight| sight.before()), apart(&|sight| &sight.lines));
        let told = |(other, [one, two]): (&str, [String; 2])| {
            format!(
                "{} tells `{first}` from `{other}`: {one} in the one, {two} in the other",
                sight.who
            )
        };
        let instead = match (differs, before, now) {
            (false, _, Some(apart)) => told(apart),
            (true, Some(apart), _) => format!("they differ before: {}", told(apart)),
            (true, None, None) => format!("{} has seen the same in all of them", sight.who),
            _ => continue,
        };
        return Some(instead);
    }
    None
}

/// The first lines that differ.
fn first_apart(one: &[String], other: &[String]) -> Option<[String; 2]> {
    let at = (0..one.len().max(other.len())).find(|at| one.get(*at) != other.get(*at))?;
    let line = |lines: &[String]| {
        lines
            .get(at)
            .map_or("nothing more".to_owned(), |line| format!("`{line}`"))
    };
    Some([line(one), line(other)])
}

impl Driver<'_> {
    /// What a line about all cases sees in this one; a mistake where it can be said of none.
    pub(super) fn seen(&self, fact: &Fact, line: Span) -> Result<Seen, Diagnostic> {
        match fact {
            Fact::Alike { who, .. } => {
                { self.sights(who, line) }.map(|sights| Seen::Sights(sights, self.way()))
            }
            // What is a mistake of a line is one in each case, and not only not so.
            fact => { self.verdict(fact.of_one_game(), line) }.map(|instead| Seen::So(instead.is_none())),
        }
    }

    /// The table, and all answers and draws up to here, as a number.
    fn way(&self) -> u64 {
        let (session, mut digest) = (&self.session, DefaultHasher::new());
        let table = session.table();
        let answers = &session.answers()[..session.cursor()];
        let game = (
            &table.rules.identity,
            &table.names,
            &table.cast.cards,
            session.texts(),
        );
        format!("{game:?} {answers:?}").hash(&mut digest);
        digest.finish()
    }

    fn sights(&self, people: &[Person], line: Span) -> Result<Vec<Sight>, Diagnostic> {
        let seats = self.people(people)?;
        if seats == 0 {
            return Err(blame::seen_by_nobody(line));
        }
        Ok(members(seats).map(|seat| self.sight(seat)).collect())
    }

    /// What a seat has seen and been asked, up to where a line looks.
    fn sight(&self, seat: u8) -> Sight {
        let mut lines: Vec<String> = Vec::new();
        let mut before = 0;
        let mut offers = String::new();
        let (start, end) = (self.view.start, self.range(true).end);
        let mut prompts = self.prompts_in(true).peekable();
        for at in 0..=end {
            while let Some(prompt) = prompts.next_if(|prompt| prompt.at <= at || at == end) {
                let open = prompt.open_to(seat);
                if open != offers {
                    lines.push(format!("open: {open}"));
                    offers = open;
                }
                let is_put = prompt.asked.who >> seat & 1 == 1;
                lines.extend(is_put.then(|| format!("{}{}", prompt.text, terms(&prompt.asked))));
            }
            if at == start {
                before = lines.len();
            }
            let happened = self.session.log().events.get(at).filter(|_| at < end);
            let seen = happened.filter(|happened| happened.audience.includes(Viewer::Seat(seat)));
            lines.extend(seen.and_then(|seen| self.words().event(seen, Viewer::Seat(seat))));
        }
        Sight {
            who: self.words().seat(seat),
            before,
            lines,
        }
    }
}
