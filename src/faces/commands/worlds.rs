//! `omerta worlds`: what somebody can know of a game that was kept, or of one that a scenario plays.

use super::{
    ruleset::{Changes, lay, wanted},
    sim::{INTERRUPTED, number, stopped_by_hand},
};
use crate::faces::{
    console::Console,
    render::Renders,
    sim::grouped,
    worlds::{Asked, told},
};
use anyhow::{Result, anyhow, bail};
use indicatif::{ProgressBar, ProgressStyle};
use omerta_engine::Viewer;
use omerta_measure::sim::Limits;
use omerta_play::{
    chances::Players,
    names::seat_in,
    policy::Policy,
    save::Save,
    session::Session,
    strategy::Strategy,
    worlds::{NoWorlds, Recall, Worlds},
};
use omerta_workbench::{
    bundle::Shelf,
    files,
    runner::{contains, holds_scenarios, nothing_like, run_text},
};
use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
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
  omerta worlds doctor.play --seat Ann --filter save --seconds 10
                                           of some scenarios, in ten seconds each

Exit: 0 done, 1 nothing can be said, 2 the file cannot be read, or nobody there is called so, 130 when it was interrupted.")]
pub struct Words {
    /// A game that `save` kept, or a file of scenarios
    #[arg(value_name = "GAME")]
    game: PathBuf,
    /// Who would know: a name, or the number of a seat; `public` is what everybody knows
    #[arg(long, value_name = "SEAT")]
    seat: String,
    /// Keep no more worlds than so many at a time
    #[arg(long, value_name = "N", default_value_t = 20_000, allow_negative_numbers = true, value_parser = super::whole::<usize>(1, 1_000_000))]
    most: usize,
    /// Only scenarios with this text in their name or in that of their file
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,
    /// Look for no longer than this many seconds at each game; when they are nearly over, a few games are drawn
    #[arg(long, value_name = "N", default_value = "30", value_parser = number, allow_hyphen_values = true)]
    seconds: u64,
}

/// Runs the command.
pub fn worlds(words: &Words, console: Console) -> Result<ExitCode> {
    let text = files::read(&words.game)?;
    holds_scenarios(&words.game)?;
    let games = match words.game.extension().is_some_and(|ending| ending == "play") {
        true => of_scenarios(words, &text, console)?,
        false if !words.filter.is_empty() => bail!("`--filter` picks scenarios, and this is one game"),
        false => vec![(None, kept(&words.game, &text, console)?)],
    };
    let viewers: Vec<Result<Viewer, String>> = games.iter().map(|(_, game)| words.viewer(game)).collect();
    if let (Some(why), false) = (
        viewers.iter().find_map(|one| one.as_ref().err()),
        viewers.iter().any(Result::is_ok),
    ) {
        bail!("{why}");
    }
    let (mut well, stop, many) = (true, stopped_by_hand(), games.len());
    let recall = Recall::default();
    for (number, ((title, session), viewer)) in games.iter().zip(viewers).enumerate() {
        let head = title
            .as_ref()
            .map_or_else(String::new, |title| format!("{title}\n"));
        let bar = bar(title.as_deref().unwrap_or_default(), (number + 1, many));
        let found = viewer.map(|viewer| (viewer, words.found(session, viewer, (&stop, &bar, &recall))));
        bar.finish_and_clear();
        if stop.load(Ordering::Relaxed) {
            console.complain("stopped before all games were looked at");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        console.say(&head)?;
        match found {
            Ok((viewer, Ok(found))) => {
                let lines = told(&found, &session.table().words(), viewer).join("\n");
                console.say(&format!("{lines}\n"))?;
            }
            Ok((_, Err(why))) => {
                console.complain(&why);
                well = false;
            }
            // In another scenario sits whoever is meant.
            Err(why) => console.say(&format!("  {why}\n"))?,
        }
    }
    Ok(ExitCode::from(u8::from(!well)))
}

/// The game that was kept, as it was left.
fn kept(path: &Path, text: &str, console: Console) -> Result<Session> {
    let file = path.display();
    let save = Save::from_text(text).map_err(|error| anyhow!("`{file}` {error}"))?;
    let beside = |rules: &String| files::or_beside(path, rules);
    let changes = Changes {
        with: save.overlays.iter().map(beside).collect(),
        set: save.options.clone(),
    };
    let (bench, wanted) = wanted(&beside(&save.ruleset), &changes)?;
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

/// The games of scenarios that are wanted, each as far as it comes.
fn of_scenarios(words: &Words, text: &str, console: Console) -> Result<Vec<(Option<String>, Session)>> {
    let (path, filter) = (&words.game, &words.filter);
    let name = path.display().to_string();
    let in_file = contains(&name, filter);
    let ran = run_text(Shelf::beside(path), &name, text, |title| {
        in_file || contains(title, filter)
    });
    let problems = ran
        .problems
        .iter()
        .chain(ran.reports.iter().flat_map(|report| &report.diagnostics));
    let problems: Vec<_> = problems.cloned().collect();
    console.talk(
        &ran.bench
            .render(&problems, crate::faces::render::Format::Human, console.err),
    );
    if ran.reports.is_empty() && !filter.is_empty() {
        bail!("{}", nothing_like(filter));
    }
    let played = ran.reports.into_iter();
    let played: Vec<_> = { played }
        .filter_map(|report| Some((Some(report.name), report.session?)))
        .collect();
    match played.is_empty() {
        true => bail!("no scenario of `{name}` can be played"),
        false => Ok(played),
    }
}

impl Words {
    /// Who would know.
    fn viewer(&self, session: &Session) -> Result<Viewer, String> {
        match self.seat.as_str() {
            "public" => Ok(Viewer::Public),
            seat => seat_in(&session.table().names, seat).map(Viewer::Seat),
        }
    }

    /// What is known; why nothing can be said.
    fn found(
        &self,
        session: &Session,
        viewer: Viewer,
        (stop, bar, recall): (&AtomicBool, &ProgressBar, &Recall),
    ) -> Result<Worlds, String> {
        let players = Players {
            policy: Policy {
                offers_per_thousand: Limits::USUAL.offers_per_thousand,
                // A call that the host made must be one he can make.
                calls_per_thousand: Limits::USUAL.offers_per_thousand,
            },
            strategy: Strategy::NONE,
        };
        let asked = Asked {
            players: &players,
            most: self.most,
            time: Some(Duration::from_secs(self.seconds)),
            stop: &|far| {
                if !bar.is_hidden() {
                    bar.set_length(far.of as u64);
                    bar.set_position(far.heard as u64);
                    bar.set_message(format!("{} games", grouped(far.worlds as u64)));
                }
                stop.load(Ordering::Relaxed)
            },
            recall: Some(recall),
        };
        asked.worlds(session, viewer).map_err(|why| match why {
            NoWorlds::Stopped => format!("{why}: `--seconds` gives more, `--most` looks at fewer"),
            why => why.to_string(),
        })
    }
}

/// How far it is, on the stream of the talk; nothing where nobody looks.
fn bar(title: &str, (number, many): (usize, usize)) -> ProgressBar {
    let bar = ProgressBar::new(0);
    let which = match many {
        1 => String::new(),
        many => format!("{number} of {many}: {title} "),
    };
    // What stands in braces is a field of the line.
    let which = which.replace('{', "{{").replace('}', "}}");
    let line = format!("{which}{{wide_bar}} {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&line) {
        bar.set_style(style);
    }
    bar
}
