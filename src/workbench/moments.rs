//! A game of a scenario as it stands at a line: the lines before it are played, and no more.

use crate::{
    ReadyRules, RulesetRequest, Workbench,
    asked::Asked,
    bundle::{Shelf, default_game},
    hints::at_both_ends,
    people::{People, usual_number},
    project::Project,
    written::{Tail, Written, lines_that_answer},
};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{FactShape, Kind, Program, Ruleset},
    source::{Sources, Span},
};
use omerta_engine::{Pending, What};
use omerta_play::{
    hosted::Hosted,
    scenario::{Report, RulesSource, RulesWithScripts, run_open, tests_of},
    session::{Session, Table},
    strategy::Strategy,
    words::members,
};
use omerta_syntax::{
    Sort, parse_play, runs,
    tree::{Expr, Name},
};
use std::{cell::RefCell, collections::BTreeSet, path::Path, sync::Arc};

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
    let (before, open) = closed(text, offset)?;
    let id = Sources::default().add(path.display().to_string(), &*before);
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
    let rules = KnownRules {
        project,
        shelf: project.shelf_of(path),
        used: RefCell::default(),
    };
    let Report { session, .. } = run_open(&test, open, &rules);
    Some(Moment {
        title,
        session: session?,
    })
}

/// The rules of a project, for a game of which nothing is told but how it stands.
struct KnownRules<'p> {
    project: &'p Project,
    shelf: Shelf,
    used: RefCell<Vec<(RulesetRequest, Arc<Workbench>)>>,
}

impl RulesSource for KnownRules<'_> {
    fn rules(
        &self,
        base: &Name,
        overlays: &[Name],
        options: &[(Name, Name)],
    ) -> Result<RulesWithScripts, Vec<Diagnostic>> {
        let wanted = RulesetRequest::of(base, overlays, options);
        let bench = self.project.laid_for(&self.shelf, &wanted);
        let laid = bench.lay(&wanted)?;
        self.used.borrow_mut().push((wanted, bench));
        Ok(laid.bench)
    }

    fn compile(
        &self,
        rules: &Ruleset,
        expr: &Expr,
        params: &[(String, Kind)],
    ) -> Result<Program, Diagnostic> {
        let used = self.used.borrow();
        let is_its = |(wanted, bench): &&(RulesetRequest, Arc<Workbench>)| {
            let laid = bench.lay(wanted);
            laid.is_ok_and(|laid| std::ptr::eq(&*laid.bench.rules, rules))
        };
        let (_, bench) = { used.iter() }
            .find(is_its)
            .expect("a game is played by rules that were asked for");
        RulesSource::compile(&**bench, rules, expr, params)
    }
}

/// The scenario around a byte up to there, what is open in it closed again, and how much that was: behind what stands before
/// all scenarios and the lines that it may include, wherever those stand, and without any other scenario.
fn closed(text: &str, offset: usize) -> Option<(String, usize)> {
    let before = text.get(..offset)?;
    let begins = |line: &str, word: &str| {
        line.strip_prefix(word)
            .is_some_and(|rest| rest.starts_with([' ', '"']))
    };
    let heads =
        line_starts(text).filter(|at| ["play", "common"].iter().any(|word| begins(&text[*at..], word)));
    let heads: Vec<usize> = heads.collect();
    let last = line_starts(before)
        .filter(|at| begins(&before[*at..], "play"))
        .last()?;
    let mut kept = text[..heads[0]].to_owned();
    let mut scenario = "";
    for (at, start) in heads.iter().enumerate() {
        let part = *start..heads.get(at + 1).copied().unwrap_or(text.len());
        if *start == last {
            scenario = &text[last..part.end.min(offset)];
        } else if begins(&text[*start..], "common") && !part.contains(&offset) {
            kept.push_str(&text[part]);
            kept.push('\n');
        }
    }
    kept.push_str(scenario);
    let signs = runs(&kept).into_iter().filter(|(_, sort)| *sort == Sort::Sign);
    let depth = signs.fold(0_usize, |depth, (range, _)| match &kept[range] {
        "{" => depth + 1,
        "}" => depth.saturating_sub(1),
        _ => depth,
    });
    kept.push('\n');
    kept.extend(std::iter::repeat_n("}\n", depth));
    Some((kept, depth))
}

fn line_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let behind = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind)
}

/// Something of the rules: the text that declares it, the word with which it begins there, its name.
pub type Thing = (String, &'static str, String);

/// What of the rules the game of a scenario came to: rules that came in, scenes that began, events that happened, roles
/// that somebody had at the end.
pub fn came_to(sources: &Sources, report: &Report) -> BTreeSet<Thing> {
    let Some(session) = &report.session else {
        return BTreeSet::new();
    };
    let rules = &*session.table().rules;
    let thing = |origin: Span, word: &'static str, name: &str| {
        (sources.get(origin.source).name.clone(), word, name.to_owned())
    };
    let happened = session
        .log()
        .events
        .iter()
        .filter_map(|happened| match happened.what {
            What::RuleApplied { rule } => {
                let (name, origin) = &rules.rules[rule.index()];
                Some(thing(*origin, "rule", name))
            }
            What::SceneBegan { scene, .. } => {
                let scene = &rules.scenes[scene.index()];
                Some(thing(scene.origin, "scene", &scene.name))
            }
            What::Occurred { event, .. } => {
                let event = &rules.events[event.index()];
                Some(thing(event.origin, "event", &event.name))
            }
            _ => None,
        });
    let look = session.game().look();
    let held = members(look.roles_of(look.players())).map(|role| {
        let role = &rules.groups[usize::from(role)];
        thing(role.origin, "role", &role.name)
    });
    happened.chain(held).collect()
}

/// How many games are begun in search of one that comes to a scene.
const MOST_GAMES: u64 = 20;
/// How many answers are given in one.
const MOST_ANSWERS: usize = 2_000;

/// Games that chance plays until something has happened in them, those that come to it.
fn games_to<'g>(
    bench: &'g Workbench,
    laid: &'g ReadyRules,
    comes: impl Fn(&What) -> bool + 'g,
) -> impl Iterator<Item = Hosted> + 'g {
    let rules = &laid.bench.rules;
    let people = People::default();
    let names = people.names(laid, usual_number(rules, default_game().1));
    let names = names.unwrap_or_default();
    (0..MOST_GAMES).filter_map(move |seed| {
        let (cast, _) = people.check_cast(bench, laid, (names.len(), seed)).ok()?;
        let table = Table {
            rules: rules.clone(),
            hooks: laid.bench.hooks.clone(),
            names: names.clone(),
            cast,
            seed: Some(seed),
        };
        let mut hosted = Hosted::start(table).ok()?;
        let has_come = |hosted: &Hosted| {
            let mut events = hosted.session.log().events.iter();
            events.any(|happened| comes(&happened.what))
        };
        let mut left = MOST_ANSWERS;
        while !has_come(&hosted) {
            left = left.checked_sub(1)?;
            let answer = hosted.by_themselves(&Strategy::NONE)?;
            hosted.give(answer).ok()?;
        }
        Some(hosted)
    })
}

/// A game that chance plays to its first question in a scene, and so many answers further; nothing where none comes
/// there, or it is over before.
pub fn moment_in(bench: &Workbench, laid: &ReadyRules, scene: &str, further: usize) -> Option<Moment> {
    let rules = &laid.bench.rules;
    let begins = |what: &What| matches!(what, What::SceneBegan { scene: at, .. } if rules.scenes[at.index()].name == scene);
    games_to(bench, laid, begins).find_map(|mut hosted| {
        for _ in 0..further {
            let answer = hosted.by_themselves(&Strategy::NONE)?;
            hosted.give(answer).ok()?;
        }
        Some(Moment {
            title: scene.to_owned(),
            session: hosted.session,
        })
    })
}

/// A scenario in which a rule comes in, of a game that chance plays; or why there is none.
pub fn scenario_for(
    project: &Project,
    path: &Path,
    (asked, bench): (&Asked, &Workbench),
    rule: &str,
) -> Result<String, String> {
    let laid = bench
        .lay(&asked.wanted)
        .map_err(|_| "mend the mistakes first".to_owned())?;
    let rules = &laid.bench.rules;
    let comes_in =
        |what: &What| matches!(what, What::RuleApplied { rule: at } if rules.rules[at.index()].0 == rule);
    // As a scenario beside it names it: a file by its name, an overlay by its own.
    let called = |named: &String| {
        let last = named.rsplit(['/', '\\']).next().unwrap_or(named);
        let last = last.rsplit(':').next().unwrap_or(last);
        last.trim_end_matches(".mafia").to_owned()
    };
    let wanted = RulesetRequest {
        base: called(&asked.wanted.base),
        overlays: asked.wanted.overlays.iter().map(called).collect(),
        options: asked.wanted.options.clone(),
    };
    let mut why = format!("chance plays no game in which `{rule}` comes in");
    for hosted in games_to(bench, &laid, comes_in) {
        let written = Written {
            session: &hosted.session,
            wanted: &wanted,
            title: &format!("{rule} comes in"),
            table: "",
            tail: Tail::Lines(&format!("expect applied {rule}\n")),
        };
        match written.text_on((&project.shelf_of(path), project.readings())) {
            Ok(text) => return Ok(text),
            Err(problem) => why = format!("a game in which `{rule}` comes in cannot be written: {problem}"),
        }
    }
    Err(why)
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

    /// What may be done besides answering, by name.
    pub fn offers(&self) -> impl Iterator<Item = &str> {
        let rules = &self.session.table().rules;
        let open = self.session.game().offers().into_iter();
        open.map(|open| rules.offers[open.offer.index()].name.as_str())
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
        at_both_ends(
            new.filter_map(|happened| words.event(happened, omerta_engine::Viewer::Host))
                .collect(),
        )
    }
}
