//! `omerta worlds`: what somebody can know of a game that was kept, or of one that a scenario plays.

use super::{
    ruleset::{Changes, lay, wanted},
    sim::{INTERRUPTED, stopped_by_hand},
};
use crate::faces::{console::Console, render::Renders, worlds::told};
use anyhow::{Result, anyhow, bail};
use omerta_engine::Viewer;
use omerta_measure::sim::Limits;
use omerta_play::{
    chances::Players, names::seat_in, policy::Policy, save::Save, session::Session, strategy::Strategy,
};
use omerta_workbench::{
    bundle::Shelf,
    files,
    runner::{holds_scenarios, run_text},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Every deal and every choice that the player did not make is tried, as likely as it is when all choose \
at random. What would have told him something else, or asked him something else, is left out. Where \
there are too many, some are drawn by chance, and the answer says so.

Examples:
  omerta worlds friday.game --seat Ann     what Ann can know where the game stands
  omerta worlds friday.game --seat public  what everybody can know
  omerta worlds doctor.play --seat Ann     the same at the end of each scenario

Exit: 0 done, 1 nothing can be said, 2 the file cannot be read, or nobody there is called so, 130 when it was interrupted.")]
pub struct Words {
    /// A game that `save` kept, or a file of scenarios
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// Who would know: a name, or the number of a seat; `public` is what everybody knows
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// Keep no more worlds than so many at a time
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = super::whole::<usize>(1, 1_000_000))]
    most: usize,
}

/// Runs the command.
pub fn worlds(words: &Words, console: Console) -> Result<ExitCode> {
    let text = files::read(&words.game)?;
    holds_scenarios(&words.game)?;
    let games = match words.game.extension().is_some_and(|ending| ending == "play") {
        true => of_scenarios(&words.game, &text, console),
        false => vec![(None, kept(&words.game, &text, console)?)],
    };
    if games.is_empty() {
        bail!("no scenario of `{}` can be played", words.game.display());
    }
    let (mut well, stop) = (true, stopped_by_hand());
    for (title, session) in &games {
        if let Some(title) = title {
            console.say(&format!("{title}\n"))?;
        }
        well &= known(words, session, &stop, console)?;
        if stop.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
    }
    Ok(ExitCode::from(u8::from(!well)))
}

/// The game that was kept, as it was left.
fn kept(path: &Path, text: &str, console: Console) -> Result<Session> {
    let file = path.display();
    let save = Save::from_text(text).map_err(|error| anyhow!("`{file}` {error}"))?;
    let changes = Changes {
        with: save.overlays.clone(),
        set: save.options.clone(),
    };
    let (bench, wanted) = wanted(&save.ruleset, &changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        bail!("the rules of `{file}` are wrong");
    };
    let loaded = save.load(laid.bench.rules, laid.bench.hooks);
    let loaded = loaded.map_err(|error| anyhow!("`{file}` {error}"))?;
    match loaded.other_rules || loaded.stopped.is_some() {
        true => bail!("`{file}` was kept under other rules than those of today"),
        false => Ok(loaded.session),
    }
}

/// The games of scenarios, each as far as it comes.
fn of_scenarios(path: &Path, text: &str, console: Console) -> Vec<(Option<String>, Session)> {
    let ran = run_text(Shelf::beside(path), &path.display().to_string(), text, |_| true);
    let problems = ran
        .problems
        .iter()
        .chain(ran.reports.iter().flat_map(|report| &report.diagnostics));
    let problems: Vec<_> = problems.cloned().collect();
    console.talk(
        &ran.bench
            .render(&problems, crate::faces::render::Format::Human, console.err),
    );
    let played = ran
        .reports
        .into_iter()
        .filter_map(|report| Some((Some(report.name), report.session?)));
    played.collect()
}

/// Tells what is known; `false` where nothing can be said.
fn known(words: &Words, session: &Session, stop: &AtomicBool, console: Console) -> Result<bool> {
    let viewer = match words.seat.as_str() {
        "public" => Viewer::Public,
        seat => Viewer::Seat(seat_in(&session.table().names, seat).map_err(|why| anyhow!(why))?),
    };
    let players = Players {
        policy: Policy {
            offers_per_thousand: Limits::USUAL.offers_per_thousand,
            // A call that the host made must be one he can make.
            calls_per_thousand: Limits::USUAL.offers_per_thousand,
        },
        strategy: Strategy::NONE,
    };
    match omerta_exact::worlds(session, viewer, &players, words.most, &|| {
        stop.load(Ordering::Relaxed)
    }) {
        Ok(found) => {
            let lines = told(&found, &session.table().words(), viewer).join("\n");
            console.say(&format!("{lines}\n"))?;
            Ok(true)
        }
        Err(_) if stop.load(Ordering::Relaxed) => {
            console.complain("stopped before all games were looked at");
            Ok(false)
        }
        Err(why) => {
            console.complain(&why.to_string());
            Ok(false)
        }
    }
}
