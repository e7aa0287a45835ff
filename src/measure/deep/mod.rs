//! Plays a ruleset to find what no look at its text finds: games that do not end or break, what never
//! comes into effect, endings that hold together, questions that betray a secret, casts that are
//! decided before they begin.
//!
//! Game number i of a seed is the same game on every machine and any number of threads, and what games
//! show is put together without regard to their order: so the same games give the same findings.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "a time limit is the host's, no part of a game"
)]

mod errors;
mod exhibit;
mod findings;
mod game;
mod known;
mod mishap;
mod people;
mod plan;
mod shrink;
mod sight;
mod things;
mod together;

pub use errors::broken;
pub use exhibit::Exhibit;
pub use findings::Finding;

use omerta_check::drop_allowed;
use omerta_core::diagnostic::Diagnostic;
use omerta_workbench::{RulesetRequest, Workbench, runner::parallel_map};
use plan::Plan;
use sight::{Sight, look, look_at};
use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// So many games are played between two looks at the clock.
const BATCH: u64 = 64;
/// Rules that broke so often are to be mended before anything else can be said of them.
const BROKEN_ENOUGH: u64 = 3;
/// For each thing that was not seen so many games are played with its card, at the most.
const SECOND_LOOK: u64 = 400;

/// What is wished for.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// How many games.
    pub games: u64,
    /// What chance and answers hang on.
    pub seed: u64,
    /// How many threads.
    pub threads: usize,
    /// After how long it is enough, wherever that is.
    pub time: Option<Duration>,
}

/// What is checked.
pub struct Target<'a> {
    /// The rules.
    pub wanted: &'a RulesetRequest,
    /// Whether a text is asked about, by its name.
    pub own: &'a dyn Fn(&str) -> bool,
    /// Whether somebody has stopped it by hand.
    pub stop: Arc<AtomicBool>,
}

/// Why not all games were played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stopped {
    /// The time was up.
    Late,
    /// Somebody has stopped it.
    ByHand,
    /// The rules broke again and again.
    Broken,
}

/// What came of it.
pub struct Report {
    /// What was found, in the order of the texts.
    pub findings: Vec<Finding>,
    /// How many games were played, of those wished for.
    pub games: u64,
    /// Why not all were.
    pub stopped: Option<Stopped>,
    /// The fewest and the most players; nothing where no cards could be dealt.
    pub players: Option<(usize, usize)>,
    /// In how many ways the rules were laid, how many they refused, and how many were not tried.
    pub ways: (usize, usize, usize),
}

/// Plays; or says what is wrong with the rules. `played` hears how many games more have been.
pub fn examine(
    bench: &Workbench,
    target: &Target<'_>,
    wish: Wish,
    played: &(dyn Fn(u64) + Sync),
) -> Result<Report, Vec<Diagnostic>> {
    let late = wish.time.and_then(|time| Instant::now().checked_add(time));
    let mut plan = Plan::make(bench, target.wanted, (wish.seed, wish.games), target.own)?;
    let stop = target.stop.clone();
    plan.late =
        Box::new(move || stop.load(Ordering::Relaxed) || late.is_some_and(|late| Instant::now() >= late));
    let is_late = || plan.is_late();
    let mut sight = Sight::default();
    let mut next = 0;
    while next < wish.games && !is_late() && sight.broken < BROKEN_ENOUGH {
        let batch = BATCH.min(wish.games - next) as usize;
        let shown = parallel_map(batch, wish.threads, |index| look(&plan, next + index as u64));
        if is_late() {
            next += shown.iter().flatten().count() as u64;
        } else {
            next += batch as u64;
        }
        bench.with_sources(|sources| {
            shown
                .into_iter()
                .flatten()
                .for_each(|shown| sight.add(&plan, sources, shown))
        });
        played(batch as u64);
    }
    let breaks = sight.broken >= BROKEN_ENOUGH;
    if !breaks && !is_late() {
        second_look(bench, &plan, &mut sight, wish);
    }
    let mut findings = findings::mishaps(&plan, &sight);
    if !breaks {
        findings.extend(findings::unseen(&plan, &sight));
        findings.extend(findings::of_casts(&plan, &sight));
    }
    if sight.players.is_empty() && next >= wish.games {
        findings.extend(findings::undealt(bench, &plan));
    }
    drop_what_is_allowed(bench, &mut findings);
    Ok(Report {
        findings,
        games: next,
        stopped: match next < wish.games {
            true if breaks => Some(Stopped::Broken),
            true if target.stop.load(Ordering::Relaxed) => Some(Stopped::ByHand),
            true => Some(Stopped::Late),
            false => None,
        },
        players: sight.players.first().copied().zip(sight.players.last().copied()),
        ways: (plan.ways.len(), plan.refused, plan.left_out),
    })
}

/// Games with the cards of what was not seen yet, by as many players as there are cards for and in all
/// ways that have it.
fn second_look(bench: &Workbench, plan: &Plan, sight: &mut Sight, wish: Wish) {
    let unseen: Vec<_> = sight
        .things
        .iter()
        .filter(|(_, tally)| tally.came == 0)
        .map(|(key, _)| key.clone())
        .collect();
    let each = (wish.games / (unseen.len().max(1) as u64)).clamp(20, SECOND_LOOK);
    for (place, key) in unseen.iter().enumerate() {
        if plan.is_late() || sight.things.get(key).is_none_or(|tally| tally.came > 0) {
            continue;
        }
        let has_it = |way: &usize| plan.ways[*way].things.iter().any(|thing| thing.key == *key);
        let mut ways: Vec<usize> = (0..plan.ways.len()).filter(has_it).collect();
        // Other overlays have little to do with it, and options may have.
        let overlays = |way: &usize| plan.ways[*way].wanted.overlays.len();
        let fewest = ways.iter().map(overlays).min();
        ways.retain(|way| Some(overlays(way)) == fewest);
        let from = wish.games + place as u64 * SECOND_LOOK;
        let shown = parallel_map(each as usize, wish.threads, |index| {
            let number_of_way = *ways.get(index % ways.len().max(1))?;
            let way = &plan.ways[number_of_way];
            let thing = way.things.iter().find(|thing| thing.key == *key)?;
            let players = *way.players.get(index % way.players.len().max(1))?;
            let number = from + index as u64;
            let seated = plan.seat(way, players, thing.role(way.rules()), number)?;
            look_at(plan, (number_of_way, thing.aim()), seated, number)
        });
        bench.with_sources(|sources| {
            shown
                .into_iter()
                .flatten()
                .for_each(|shown| sight.add(plan, sources, shown))
        });
    }
}

/// `// allow NAME` beside a place silences a finding as it silences a warning; puts the rest in order.
fn drop_what_is_allowed(bench: &Workbench, findings: &mut Vec<Finding>) {
    bench.with_sources(|sources| {
        findings.retain(|finding| {
            let mut one = vec![finding.diagnostic.clone()];
            drop_allowed(sources, &mut one);
            !one.is_empty()
        });
        findings.sort_by_key(|finding| {
            let span = finding.diagnostic.span();
            (
                sources.get(span.source).name.clone(),
                span.start,
                finding.diagnostic.code,
            )
        });
    });
}
