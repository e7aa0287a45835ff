//! A game of a scenario as it stands at a line: the lines before it are played, and no more.

use crate::{Workbench, project::Project, written::lines_that_answer};
use omerta_core::rules::FactShape;
use omerta_engine::Pending;
use omerta_play::{
    scenario::{Report, run, tests_of},
    session::Session,
    words::members,
};
use omerta_syntax::{Sort, parse_play, runs};
use std::{path::Path, sync::Arc};

/// A game at a line.
pub struct Moment {
    /// The title of the scenario.
    pub title: String,
    /// The game.
    pub session: Session,
}

/// The game of the scenario around a byte, with all lines before it played; nothing where there is none, or where
/// those do not hold.
pub fn moment_at(project: &Project, path: &Path, text: &str, offset: usize) -> Option<Moment> {
    let before = closed(text, offset)?;
    let bench = Workbench::new(project.shelf_of(path));
    let id = bench.add(&path.display().to_string(), &before);
    let (tree, problems) = parse_play(id, &before);
    let last = tree.plays.last()?;
    if problems
        .iter()
        .any(|problem| problem.span().start >= last.span.start)
    {
        return None;
    }
    let title = last.title.text.clone();
    let at = last.title.span;
    let test = tests_of(&tree).into_iter().find(|test| test.span == at)?;
    let Report { session, .. } = run(&test, &bench);
    Some(Moment {
        title,
        session: session?,
    })
}

/// The text up to a byte, what is open in it closed again: without the scenarios before the one that it is in.
fn closed(text: &str, offset: usize) -> Option<String> {
    let before = text.get(..offset)?;
    let begins = |line: &str| line.starts_with("play ") || line.starts_with("play\"");
    let starts = line_starts(before).filter(|at| begins(&before[*at..]));
    let starts: Vec<usize> = starts.collect();
    let (first, last) = (*starts.first()?, *starts.last()?);
    let mut kept = before[..first].to_owned();
    // What lies between keeps its lines, so that places stay what they are.
    kept.extend(
        before[first..last]
            .chars()
            .map(|letter| if letter == '\n' { '\n' } else { ' ' }),
    );
    kept.push_str(&before[last..]);
    let signs = runs(&kept).into_iter().filter(|(_, sort)| *sort == Sort::Sign);
    let depth = signs.fold(0_usize, |depth, (range, _)| match &kept[range] {
        "{" => depth + 1,
        "}" => depth.saturating_sub(1),
        _ => depth,
    });
    kept.push('\n');
    kept.extend(std::iter::repeat_n("}\n", depth));
    Some(kept)
}

fn line_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let behind = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind)
}

impl Moment {
    /// The lines that could come next: the answers to what is asked, or what may be drawn.
    pub fn answers(&self) -> Vec<String> {
        lines_that_answer(self.session.game(), &self.session.table().words())
    }

    /// The same without who answers.
    pub fn things(&self) -> Vec<String> {
        let answers = self.answers();
        let things = answers.iter().filter_map(|line| line.split_once("-> "));
        things.map(|(_, thing)| thing.to_owned()).collect()
    }

    /// What the game waits for, in words.
    pub fn waits_for(&self) -> String {
        let (game, words) = (self.session.game(), self.session.table().words());
        match game.pending() {
            Pending::Ask(asked) => words.question(game, &asked),
            Pending::Chance(drawn) => format!("chance decides: {}", words.chance(game, &drawn)),
            Pending::Over(outcome) => {
                let rules = &self.session.table().rules;
                let ending = outcome
                    .ending
                    .and_then(|ending| rules.ending(ending).title.clone());
                words.over(ending, outcome.winners, outcome.losers)
            }
            Pending::Broken(fault) => words.fault(&fault),
        }
    }

    /// Who sits there with which role, and what is remembered, a line each.
    pub fn standing(&self) -> Vec<String> {
        let (game, words) = (self.session.game(), self.session.table().words());
        let look = game.look();
        let mut lines: Vec<String> = members(look.players())
            .map(|seat| {
                let roles = look.roles_of(1 << seat);
                match roles {
                    0 => words.seat(seat),
                    roles => format!("{}: {}", words.seat(seat), words.titles(roles)),
                }
            })
            .collect();
        let rules: &Arc<_> = &self.session.table().rules;
        for (at, fact) in rules.facts.iter().enumerate() {
            let shown = matches!(fact.shape, FactShape::Mark) && !fact.name.starts_with('\u{0}');
            let held = look.fact(omerta_core::rules::FactId(at as u16));
            if shown && held != 0 && omerta_syntax::is_name(&fact.name) {
                lines.push(format!("{}: {}", fact.name, words.seats(held)));
            }
        }
        lines
    }

    /// What has happened last, as the host sees it.
    pub fn latest(&self) -> Vec<String> {
        let words = self.session.table().words();
        let new = self.session.latest().iter();
        new.filter_map(|happened| words.event(happened, omerta_engine::Viewer::Host))
            .collect()
    }
}
