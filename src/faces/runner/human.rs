//! Results for people: a line a file, then whatever does not hold, with its place and its difference.

use crate::faces::{
    console::{Console, paint},
    render::{Colour, Format, Renders},
};
use anyhow::Result;
use omerta_core::codes;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::plural::so_many;
use omerta_core::source::Span;
use omerta_play::words::listed;
use omerta_workbench::runner::{Ran, snapshots::Held};
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeSet;

/// How many lines stand around a difference.
const AROUND: usize = 3;
/// How many lines of a snapshot that is new are shown.
const GLIMPSE: usize = 12;

/// How many of what there were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Total {
    /// Scenarios that hold.
    pub ok: usize,
    /// Scenarios that do not, and files that cannot be read.
    pub failed: usize,
    /// Snapshots that are not those that were kept.
    pub changed: usize,
    /// Files of snapshots that nobody makes.
    pub orphans: usize,
}

impl Total {
    /// Of a whole run.
    pub fn of(rans: &[Ran]) -> Total {
        rans.iter().fold(Total::default(), |total, ran| {
            let (ok, failed) = ran.count();
            let changed = ran.held.iter().filter(|held| !held.is_same()).count();
            Total {
                ok: total.ok + ok,
                failed: total.failed + failed,
                changed: total.changed + changed,
                orphans: total.orphans + ran.orphans.len(),
            }
        })
    }

    /// `49 scenarios hold, 1 FAILED`
    pub fn words(self) -> String {
        let holds = match self.ok {
            1 => "scenario holds",
            _ => "scenarios hold",
        };
        match self.failed {
            0 => format!("{} {holds}", self.ok),
            failed => format!("{} {holds}, {failed} FAILED", self.ok),
        }
    }
}

/// A file's line, and what of it does not hold; a cause that was told before is counted and not told again.
pub fn show(ran: &Ran, told: &mut BTreeSet<String>, console: Console) -> Result<()> {
    let (ok, failed) = ran.count();
    let words = match failed {
        0 if ok == 0 && ran.problems.is_empty() => "holds no scenario".to_owned(),
        0 => paint(console.out.colour, "32", &format!("{ok} ok")),
        _ => paint(console.out.colour, "1;31", &format!("{ok} ok, {failed} FAILED")),
    };
    console.say(&format!("{} ... {words}\n", ran.name))?;
    console.talk(&ran.bench.render(&ran.problems, Format::Human, console.err));
    let mut again = 0;
    let mut alike: Vec<Alike> = Vec::new();
    for (number, report) in ran.reports.iter().enumerate() {
        let mut tell = |one: &&Diagnostic| {
            let is_new = told.insert(ran.bench.render(
                std::slice::from_ref(*one),
                Format::Human,
                console.err,
            ));
            let same = alike.iter_mut().find(|same| is_new && same.is_of(one));
            match same {
                Some(same) => same.elsewhere.push(one.span()),
                None if is_new => alike.push(Alike::to(one)),
                None => {}
            }
            is_new && alike.iter().all(|same| !same.elsewhere.contains(&one.span()))
        };
        let fresh: Vec<Diagnostic> = report
            .diagnostics
            .iter()
            .filter(|one| tell(one))
            .cloned()
            .collect();
        if ran.holds(number) && fresh.is_empty() {
            continue;
        }
        let is_known = fresh.is_empty() && !report.diagnostics.is_empty();
        let cause = ran.bench.render(&fresh, Format::Human, console.err);
        match is_known && !ran.holds(number) && ran.held.iter().all(|held| held.report != number) {
            true => again += 1,
            false => show_report(ran, (number, &cause), console)?,
        }
    }
    match again {
        0 => {}
        1 => console.talk("1 more FAILED for a cause that is shown above\n\n"),
        again => console.talk(&format!(
            "{again} more FAILED for causes that are shown above\n\n"
        )),
    }
    for same in alike.iter().filter(|same| !same.elsewhere.is_empty()) {
        console.talk(&same.words(ran));
    }
    for orphan in &ran.orphans {
        let path = ran.path_of(orphan);
        console.talk(&format!(
            "{}: no scenario makes this snapshot; `omerta test --delete-orphans` removes it\n",
            path.display()
        ));
    }
    Ok(())
}

/// So many places are listed of a mistake that comes again.
const LISTED: usize = 3;

/// A mistake that was told, and the places at which the game comes to the same one.
struct Alike {
    /// Its code and what is said of it, but for what may be answered there.
    said: (&'static str, String),
    elsewhere: Vec<Span>,
}

impl Alike {
    fn to(one: &Diagnostic) -> Alike {
        Alike {
            said: Alike::said(one),
            elsewhere: Vec::new(),
        }
    }

    fn said(one: &Diagnostic) -> (&'static str, String) {
        let label = one.labels[0].text.split(" (").next().unwrap_or_default();
        (one.code.0, format!("{}: {label}", one.message))
    }

    /// What a question lacks is told once; what is expected is told wherever it does not come.
    fn is_of(&self, one: &Diagnostic) -> bool {
        one.code == codes::UNANSWERED && self.said == Alike::said(one)
    }

    fn words(&self, ran: &Ran) -> String {
        let sources = ran.bench.sources();
        let place = |span: &Span| {
            let source = sources.get(span.source);
            format!("{}:{}", source.name, source.place(span.start as usize).line)
        };
        let mut places: Vec<String> = self.elsewhere.iter().take(LISTED).map(place).collect();
        places.extend(match self.elsewhere.len().saturating_sub(LISTED) {
            0 => None,
            1 => Some("1 more place".to_owned()),
            more => Some(format!("{more} more places")),
        });
        format!("{}, at {} as well\n\n", self.said.1, listed(places, "and"))
    }
}

fn show_report(ran: &Ran, (number, cause): (usize, &str), console: Console) -> Result<()> {
    let report = &ran.reports[number];
    let word = match ran.holds(number) {
        true => paint(console.out.colour, "32", "ok"),
        false => paint(console.out.colour, "1;31", "FAILED"),
    };
    console.say(&format!("{} ... {word}\n", report.name))?;
    console.talk(cause);
    for held in ran
        .held
        .iter()
        .filter(|held| held.report == number && !held.is_same())
    {
        let head = paint(console.err.colour, "1", &headline(ran, held));
        console.talk(&format!("{head}\n{}\n", difference(held, console.err.colour)));
    }
    Ok(())
}

/// `snapshots/city__a-vote.snap is another than the one kept`
pub fn headline(ran: &Ran, held: &Held) -> String {
    format!("{} {}", ran.path_of(&held.file).display(), held.why())
}

/// What is another than it was, line by line; of a new one its beginning.
pub fn difference(held: &Held, colour: Colour) -> String {
    let Some(old) = &held.old else {
        return glimpse(&held.new.body, colour);
    };
    let diff = TextDiff::from_lines(old.body.trim_end(), held.new.body.trim_end());
    let mut text = String::new();
    for (number, group) in diff.grouped_ops(AROUND).iter().enumerate() {
        if number > 0 {
            text += "  ...\n";
        }
        for change in group.iter().flat_map(|op| diff.iter_changes(op)) {
            let line = change.to_string_lossy();
            let line = line.trim_end_matches('\n');
            text += &match change.tag() {
                ChangeTag::Equal => format!("    {line}"),
                ChangeTag::Delete => paint(colour, "31", &format!("  - {line}")),
                ChangeTag::Insert => paint(colour, "32", &format!("  + {line}")),
            };
            text.push('\n');
        }
    }
    text
}

fn glimpse(body: &str, colour: Colour) -> String {
    let lines: Vec<&str> = body.trim_end().lines().collect();
    let mut text = String::new();
    for line in lines.iter().take(GLIMPSE) {
        text += &paint(colour, "32", &format!("  + {line}"));
        text.push('\n');
    }
    if lines.len() > GLIMPSE {
        text += &format!("  ... and {} more\n", so_many(lines.len() - GLIMPSE, "line"));
    }
    text
}
