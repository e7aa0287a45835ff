//! Back and forth: what `undo`, `redo`, `random` and `roll` do with what stands behind them.

use super::super::desk::{Desk, Done};
use super::super::given::times;
use super::super::halt::halted;
use omerta_core::plural::so_many;
use omerta_engine::Pending;
use omerta_play::hosted::Rolling;

/// How many answers `random` gives at the most.
const MOST_RANDOM: usize = 100_000;

/// Goes so many times one step.
pub fn repeat(desk: &mut Desk, given: &str, one: fn(&mut Desk) -> bool, none: &str) -> Done {
    let times = times(given)?;
    let done = (0..times).take_while(|_| !halted() && one(desk)).count();
    match done {
        0 => Err(none.to_owned()),
        done if done < times && halted() => {
            Err(format!("stopped after {done} of {times}; no answer is lost"))
        }
        _ => Ok(()),
    }
}

/// Players who toss coins answer.
pub fn random(desk: &mut Desk, given: &str) -> Done {
    let times = match given {
        "end" => MOST_RANDOM,
        given => times(given).map_err(|why| format!("{why}; `random end` plays on"))?,
    };
    let mut waiting = desk.waiting();
    for done in 0..times.min(MOST_RANDOM) {
        let from = desk.log().events.len();
        match desk.random() {
            Some(choice) if given == "end" => desk.goes_on_in_vain(&mut waiting, choice, from)?,
            Some(_) => {}
            None if done == 0 => return Err("nothing is asked any more".to_owned()),
            None => break,
        }
        if halted() {
            return Err(format!(
                "stopped after {}; `undo` takes back what was answered",
                so_many(done + 1, "answer")
            ));
        }
    }
    let goes_on = matches!(desk.game().pending(), Pending::Ask(_) | Pending::Chance(_));
    if given == "end" && goes_on {
        return Err(format!(
            "the game still goes on after {MOST_RANDOM} answers, and is left here"
        ));
    }
    Ok(())
}

/// Who rolls from now on, or a roll.
pub fn roll(desk: &mut Desk, given: &str) -> Done {
    match given {
        "by-hand" => {
            desk.hosted.rolling = Rolling::ByHand;
            desk.line("  from now on you say what chance decides; `roll` lets the seed do it once");
            Ok(())
        }
        "by-seed" => {
            desk.hosted.rolling = Rolling::BySeed;
            while desk.hosted.roll() {}
            Ok(())
        }
        "" if desk.hosted.roll() => Ok(()),
        "" => Err("chance is not asked now; by default it decides by itself".to_owned()),
        other => Err(format!(
            "`{other}` is no way to roll; it is `by-hand` or `by-seed`"
        )),
    }
}
