//! The host's script for what comes next: the words that everybody will hear whatever is answered.
//!
//! Found by trying: the game is played on from here in many ways, and only what all of them say to
//! everybody stands in the script. What hangs on an answer, a roll or a secret that the words would
//! give away is left open.

use super::desk::{Desk, Done};
use omerta_core::rules::SayKind;
use omerta_engine::{Audience, Log, Pending, What};
use omerta_play::{
    chance::Chance,
    policy::{self, Policy},
};

/// In how many ways the game is played on.
const WAYS: u64 = 64;
/// Through how many pauses each time.
const PAUSES: usize = 80;
/// In how many of a thousand pauses somebody takes up an offer, in every other way.
const OFFERS: u32 = 400;
/// How many lines of script there are at the most.
const LINES: usize = 40;

/// `narrate`
pub fn narrate(desk: &mut Desk, _: &str) -> Done {
    if desk.hosted.is_over() {
        return Err("nothing comes any more".to_owned());
    }
    let ways: Vec<Vec<String>> = (0..WAYS).map(|way| heard(desk, way)).collect();
    let lines = common(&ways);
    let shown: Vec<String> = lines.iter().map(|line| format!("    {line}")).collect();
    if !shown.is_empty() {
        desk.line("  To be read aloud, whatever is answered:");
    }
    desk.list(
        &shown,
        "nothing to read aloud yet: what is said next depends on an answer",
    );
    let goes_on = ways.iter().any(|way| way.len() > lines.len());
    if !lines.is_empty() && goes_on && lines.len() < LINES {
        desk.line("  What comes after that depends on the answer.");
    }
    Ok(())
}

/// What everybody hears in one way of playing on.
fn heard(desk: &Desk, way: u64) -> Vec<String> {
    let (mut game, words) = (desk.game().clone(), desk.words());
    let (mut log, mut coins) = (Log::default(), Chance::of_game(way, 2));
    // What players do of themselves changes what is said as much as what they answer.
    let policy = Policy {
        offers_per_thousand: OFFERS * (way % 2) as u32,
        calls_per_thousand: 0,
    };
    for _ in 0..PAUSES {
        let asked = match game.pending() {
            Pending::Ask(asked) => Some(asked),
            _ => None,
        };
        // One way is that of people who do as little as they may.
        let least = asked
            .filter(|_| way == 0)
            .and_then(|asked| policy::least(&game, &asked));
        let choice = least.or_else(|| policy.choose(&game, &mut coins));
        let Some(choice) = choice else { break };
        if game.apply(choice, &mut log).is_err() || log.events.len() > PAUSES * LINES {
            break;
        }
    }
    let said = log
        .events
        .iter()
        .filter(|happened| happened.audience == Audience::All);
    let text = |what: &What| match what {
        What::Said { site, values } if words.rules.says[site.index()].kind == SayKind::Say => {
            Some(words.said(*site, values)).filter(|text| !text.trim().is_empty())
        }
        _ => None,
    };
    said.filter_map(|happened| text(&happened.what))
        .take(LINES)
        .collect()
}

/// The lines with which all ways begin.
fn common(ways: &[Vec<String>]) -> Vec<String> {
    let Some((first, others)) = ways.split_first() else {
        return Vec::new();
    };
    let alike = |at: &usize| others.iter().all(|way| way.get(*at) == first.get(*at));
    (0..first.len())
        .take_while(alike)
        .map(|at| first[at].clone())
        .collect()
}
