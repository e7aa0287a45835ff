//! Rules that changed while the game was under way: the same answers under the new ones, and the
//! first place where the game is another.
//!
//! Answers are found again by their words, so that a role or an offer more moves nobody's answer.

use super::command::keep;
use super::desk::{Desk, Done, Stamps};
use super::halt::{STOPPED, halted};
use crate::faces::render::{Format, Renders, Style};
use omerta_core::plural::so_many;
use omerta_core::rules::PlannedCast;
use omerta_engine::{Choice, Game, Pending, Viewer};
use omerta_play::{
    by_hand,
    options::{self, Answer},
    session::{Session, Table, written},
    words::Words,
};
use omerta_workbench::files;
use std::{cell::Cell, path::PathBuf};

/// What a replay under other rules came to.
struct Replayed {
    session: Session,
    /// The first place where the game is another: what was, and what is now.
    difference: Option<Difference>,
    /// The first answer that could not be given again, and why.
    stopped: Option<(usize, String)>,
}

/// A place where two games part.
struct Difference {
    place: usize,
    was: String,
    now: String,
}

/// `reload`
pub fn reload(desk: &mut Desk, _: &str) -> Done {
    let laid = desk.bench.check_anew(&desk.wanted).map_err(|problems| {
        let style = Style {
            colour: desk.manners.colour,
            ..Style::PLAIN
        };
        let problems = desk.bench.render(&problems, Format::Human, style);
        format!("the rules cannot be used, and the game stays as it was:\n{problems}")
    })?;
    let table = table_under(desk.hosted.session.table(), &laid.bench)?;
    let before = keep::of_worth(desk);
    let is_whole = Cell::new(true);
    let again = |session: &Session| {
        let replayed = replay(session, &table)?;
        is_whole.set(is_whole.get() && replayed.stopped.is_none());
        Ok::<_, String>(replayed)
    };
    let place = desk.hosted.session.cursor();
    let mut replayed = again(&desk.hosted.session)?;
    let given = replayed.session.answers().len();
    replayed.session.go_to(place.min(given));
    let mut branches = desk.branches.clone();
    branches.renew(|session| again(session).ok().map(|replayed| replayed.session));
    if halted() {
        return Err(STOPPED.to_owned());
    }
    desk.bench.keep(&desk.wanted, laid);
    desk.branches = branches;
    desk.take_up(replayed.session);
    let lost = desk.renew_stops();
    match (&replayed.stopped, given) {
        (None, given) => desk.line(format!("  reloaded: {} given again", so_many(given, "answer"))),
        (Some((at, why)), _) => desk.line(format!(
            "  reloaded: {} given again; then {why}",
            so_many(at, "answer")
        )),
    }
    match replayed.difference {
        None => desk.line("  nothing in the game has changed"),
        Some(Difference { place, was, now }) => {
            desk.line(format!(
                "  the first difference, after {}:",
                so_many(place, "answer")
            ));
            desk.line(format!("    was: {was}"));
            desk.line(format!("    now: {now}"));
        }
    }
    for lost in lost {
        desk.line(format!("  `{lost}` means nothing any more"));
    }
    // What does not fit now may fit again, when the rules are what they were.
    keep::lay_aside(desk, before.filter(|_| !is_whole.get()));
    Ok(())
}

/// The same people and cards under other rules.
fn table_under(old: &Table, bench: &omerta_play::scenario::RulesWithScripts) -> Result<Table, String> {
    let card = |group: &omerta_core::rules::GroupId| {
        let name = &old.rules.groups[group.index()].name;
        let found = bench.rules.role_named(name);
        found.ok_or_else(|| format!("the game stays as it was: there is no role `{name}` any more"))
    };
    Ok(Table {
        rules: bench.rules.clone(),
        hooks: bench.hooks.clone(),
        names: old.names.clone(),
        cast: PlannedCast {
            cards: old.cast.cards.iter().map(card).collect::<Result<_, _>>()?,
        },
        seed: old.seed,
    })
}

/// Gives all answers of a game again under other rules, as far as they fit.
fn replay(old: &Session, table: &Table) -> Result<Replayed, String> {
    let cannot = |_| "the game stays as it was: its table does not fit these rules".to_owned();
    let mut was = Session::start(old.table().clone()).map_err(cannot)?;
    let mut now = Session::start(table.clone()).map_err(cannot)?;
    let answers = [old.answers(), old.undone()].concat();
    let mut difference = differ(&was, &now, 0);
    for (place, answer) in answers.iter().enumerate() {
        if halted() {
            return Err(STOPPED.to_owned());
        }
        let (words, found) = found_again(&was, &now, *answer);
        let again = found.and_then(|choice| now.write(choice, written(choice, was.texts())).ok());
        let given = again.and_then(|choice| now.apply(choice).ok());
        if given.is_none() {
            let stopped = Some((place, format!("`{words}` may not be answered any more")));
            return Ok(Replayed {
                session: now,
                difference,
                stopped,
            });
        }
        was.apply(*answer).expect("a replay gives the same game");
        difference = difference.or_else(|| differ(&was, &now, place + 1));
    }
    Ok(Replayed {
        session: now,
        difference,
        stopped: None,
    })
}

fn all_answers(session: &Session) -> Vec<Answer> {
    let (game, words) = (session.game(), session.table().words());
    let mut all = options::answers(game, &words);
    all.extend(
        game.offers()
            .iter()
            .flat_map(|open| options::offered(game, &words, open)),
    );
    all
}

/// An answer of one game in another, by its words.
fn found_again(was: &Session, now: &Session, answer: Choice) -> (String, Option<Choice>) {
    if let Choice::ByHand(deed) = answer {
        let words = was.table().words().deed(deed, written(answer, was.texts()));
        let found = by_hand::deed(now.table(), &words).ok();
        let again = |(deed, _)| Choice::ByHand(deed).with_text(answer.text().unwrap_or(0));
        return (words.clone(), found.map(again));
    }
    let known = { all_answers(was).into_iter() }.find(|known| known.choice == answer.with_text(0));
    let Some(known) = known else {
        // A number beyond those that are listed is itself everywhere.
        return (was.table().words().choice(was.game(), None, answer), Some(answer));
    };
    let found = all_answers(now)
        .into_iter()
        .find(|other| other.words == known.words);
    let with_text = |other: Answer| other.choice.with_text(answer.text().unwrap_or(0));
    (known.words, found.map(with_text))
}

/// What is another after the same answers: the first event, or the question.
fn differ(was: &Session, now: &Session, place: usize) -> Option<Difference> {
    let told = |session: &Session| -> Vec<String> {
        let words = session.table().words();
        let mut told: Vec<String> = session.log().events[session.events_of(place)]
            .iter()
            .filter_map(|happened| words.event(happened, Viewer::Host))
            .filter(|text| !text.is_empty())
            .collect();
        told.push(waits_for(session.game(), &words));
        told
    };
    let (before, after) = (told(was), told(now));
    let at = (0..before.len().max(after.len())).find(|at| before.get(*at) != after.get(*at))?;
    let line = |list: &[String]| list.get(at).cloned().unwrap_or_else(|| "nothing".to_owned());
    Some(Difference {
        place,
        was: line(&before),
        now: line(&after),
    })
}

fn waits_for(game: &Game, words: &Words<'_>) -> String {
    match game.pending() {
        Pending::Ask(asked) => words.question(game, &asked),
        Pending::Chance(drawn) => words.chance(game, &drawn),
        Pending::Over(_) => "the game is over".to_owned(),
        Pending::Broken(fault) => words.fault(&fault),
    }
}

// ---- Watching files
impl Desk {
    /// The files that the rules were read from.
    pub fn stamps(&self) -> Stamps {
        let names: Vec<PathBuf> = self.bench.with_sources(|sources| {
            sources
                .iter()
                .map(|(_, source)| PathBuf::from(&source.name))
                .collect()
        });
        let mut stamps = Stamps::new();
        for path in names {
            if files::is_there(&path) && !stamps.iter().any(|(known, _)| *known == path) {
                let stamp = files::stamp(&path);
                stamps.push((path, stamp));
            }
        }
        stamps
    }

    /// Reloads when a file was written since; whether it did.
    pub fn follow(&mut self) -> bool {
        let Some(seen) = &self.following else {
            return false;
        };
        let now = self.stamps();
        // A file that is being written anew is gone for a moment.
        if *seen == now || now.len() < seen.len() {
            return false;
        }
        self.following = Some(now);
        self.line("  the rules were written again");
        if let Err(why) = reload(self, "") {
            self.line(format!("  {why}"));
        }
        true
    }
}

/// `watch file`, `watch file off`
pub fn watch_file(desk: &mut Desk, given: &str) -> Done {
    desk.following = match given {
        "off" => None,
        "" => Some(desk.stamps()),
        _ => {
            return Err(
                "the files that the rules were read from are watched; `watch file off` ends it".to_owned(),
            );
        }
    };
    let names: Vec<String> = desk
        .following
        .iter()
        .flatten()
        .map(|(path, _)| format!("`{}`", path.display()))
        .collect();
    match (&desk.following, names.is_empty()) {
        (None, _) => desk.line("  no file is watched"),
        (Some(_), true) => {
            desk.following = None;
            return Err("these rules came with the program: there is no file to watch".to_owned());
        }
        (Some(_), false) => desk.line(format!(
            "  watching {}: the game reloads when one is written",
            names.join(", ")
        )),
    }
    Ok(())
}
