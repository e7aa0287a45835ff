//! Two endings that hold at the same moment. The first of them ends the game, so that nobody sees the
//! other: the last step of the game is taken once more by rules that do not know the first.

use super::game::{End, Run};
use omerta_core::rules::{EndingId, Op, ProcRole, Ruleset};
use omerta_engine::{Game, Log, Outcome, Pending, What};
use omerta_play::session::Table;
use std::sync::Arc;

/// The rules without one of their endings; `None` where its test stands nowhere.
pub fn without(rules: &Ruleset, ending: EndingId) -> Option<Arc<Ruleset>> {
    let judgement = rules.procs.iter().find(|proc| proc.role == ProcRole::Judgement)?;
    // Each test ends with its verdict, and the next begins behind it.
    let ends = |wanted: &dyn Fn(EndingId) -> bool| {
        let is_end = |op: &Op| matches!(op, Op::End { ending } if wanted(*ending));
        let code = rules
            .code
            .get(judgement.entry as usize..judgement.exit as usize)?;
        code.iter()
            .rposition(is_end)
            .map(|at| at + judgement.entry as usize)
    };
    let is_known = |other: EndingId| other.index() < rules.endings.len();
    let last = ends(&|other| other == ending)?;
    let before = ends(&|other| is_known(other) && other.index() + 1 == ending.index());
    let first = before.map_or(judgement.entry as usize, |before| before + 1);
    let mut rules = rules.clone();
    rules.code[first] = Op::Jump { at: last as u32 + 1 };
    Some(Arc::new(rules))
}

/// The ending that held beside the one by which a game ended, where both say that somebody wins, and
/// not the same.
pub fn second(table: &Table, run: &Run, without: &Arc<Ruleset>) -> Option<EndingId> {
    let End::Over(outcome) = run.end() else {
        return None;
    };
    let (before, last) = (run.before.as_ref()?, *run.all.last()?);
    let step = |rules: &Arc<Ruleset>| {
        let mut game = Game::restore(rules.clone(), table.hooks.clone(), before.state().clone());
        let mut log = Log::default();
        game.apply(last, &mut log).ok()?;
        Some((game, before_the_end(&log)))
    };
    let (_, there) = step(&table.rules)?;
    let (other, here) = step(without)?;
    let Pending::Over(second) = other.pending() else {
        return None;
    };
    let differs = (second.winners, second.losers) != (outcome.winners, outcome.losers);
    let somebody = wins(&outcome) && wins(&second);
    second.ending.filter(|_| differs && somebody && here == there)
}

fn wins(outcome: &Outcome) -> bool {
    outcome.winners != 0
}

/// What happened on the way to the end: the same moment is one with nothing in between, not even a mark that is set.
fn before_the_end(log: &Log) -> Vec<What> {
    let events = log.events.iter().map(|happened| &happened.what);
    let on_the_way = events.filter(|what| !matches!(what, What::Ended { .. }));
    on_the_way.cloned().collect()
}

/// Whether the rules say in words which of two endings comes first.
pub fn is_declared(rules: &Ruleset, pair: [EndingId; 2]) -> bool {
    pair.iter().any(|ending| rules.ending(*ending).placed)
}

/// The ending by which a game ended, once something had been answered.
pub fn ending_of(run: &Run) -> Option<EndingId> {
    match run.end() {
        End::Over(outcome) => outcome.ending.filter(|_| run.before.is_some()),
        _ => None,
    }
}
