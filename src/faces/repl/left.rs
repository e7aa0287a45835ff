//! The sessions that were left: each keeps itself in a file of its own in the folder for a user's data, which
//! nobody else writes as long as it is played.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "the host sees when a session was left"
)]

use crate::faces::terminal::data_folder;
use anyhow::{Context, Result, anyhow, bail};
use omerta_core::plural::so_many;
use omerta_play::save::{Save, SaveError};
use omerta_workbench::files::{self, Hold};
use std::{
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

/// So many sessions are kept, and the oldest go first.
const KEPT: usize = 50;

/// Where a session keeps itself.
#[derive(Debug)]
pub struct Own {
    /// The file.
    pub place: PathBuf,
    _held: Option<Hold>,
}

/// A session that was left, or is still played somewhere.
pub struct Left {
    place: PathBuf,
    when: SystemTime,
}

impl Own {
    /// A file for a session that begins; the oldest of many is given up for it.
    pub fn begin() -> Result<Own> {
        let folder = folder().context("there is no folder for a user's data")?;
        files::make_folder_of_ones_own(&folder)?;
        let old = all()
            .into_iter()
            .filter(|left| left.read().is_ok())
            .skip(KEPT - 1);
        for left in old.filter(|left| files::hold(&left.place).is_ok()) {
            files::remove(&left.place)?;
        }
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let name = format!("{}-{}.game", now.as_secs(), std::process::id());
        Own::of(folder.join(name))
    }

    fn of(place: PathBuf) -> Result<Own> {
        let held = files::hold(&place)?;
        Ok(Own { place, _held: held })
    }
}

impl Left {
    fn read(&self) -> Result<Save> {
        let text = files::read(&self.place)?;
        let named = self.place.display().to_string();
        Save::from_text(&text).map_err(|error| anyhow!("{}", refusal(&named, &error)))
    }

    /// `2026-11-24 18:30 UTC  city, 8 players, 14 answers`
    fn line(&self) -> String {
        let what = match self.read() {
            Ok(save) => title_of(&save),
            Err(why) => format!("{why:#}"),
        };
        let open = match files::hold(&self.place) {
            Ok(_) => "",
            Err(_) => ", being played",
        };
        format!("{}  {what}{open}", date(self.when))
    }
}

fn folder() -> Option<PathBuf> {
    Some(data_folder()?.join("sessions"))
}

/// All sessions, the last one first; with the one that was left before each had a file of its own.
fn all() -> Vec<Left> {
    let Some(folder) = folder() else {
        return Vec::new();
    };
    let before = folder.with_file_name("last.game");
    let places = files::below(&folder, "game").into_iter().chain([before]);
    let left = |place: PathBuf| {
        let (when, _) = files::stamp(&place)?;
        Some(Left { place, when })
    };
    let mut all: Vec<Left> = places.filter_map(left).collect();
    all.sort_by(|one, other| (other.when, &other.place).cmp(&(one.when, &one.place)));
    all
}

/// `city with mayor, 8 players, 14 answers`
pub fn title_of(game: &Save) -> String {
    let with = match game.overlays.is_empty() {
        true => String::new(),
        false => format!(" with {}", game.overlays.join(", ")),
    };
    let (seats, answers) = (game.seats.len(), game.answers.len());
    format!(
        "{}{with}, {seats} players, {}",
        game.ruleset,
        so_many(answers, "answer")
    )
}

/// What is wrong with a kept game.
pub fn refusal(file: &str, error: &SaveError) -> String {
    format!("`{file}` {error}")
}

/// The sessions as a list, the last one first.
pub fn listed() -> String {
    let line = |(at, left): (usize, Left)| format!("{:>3}  {}\n", at + 1, left.line());
    let lines: String = all().into_iter().enumerate().map(line).collect();
    match lines.is_empty() {
        true => "no session was left; `omerta play` begins one\n".to_owned(),
        false => lines,
    }
}

/// The session with a number in the list, or the last one that nobody plays: what was kept, and its file.
pub fn take(number: Option<usize>) -> Result<(Save, Own)> {
    let mut all = all();
    if all.is_empty() {
        bail!("no session was left; `omerta play` begins one");
    }
    let at = match number {
        None => {
            let free = all.iter().position(|left| files::hold(&left.place).is_ok());
            free.context("all sessions that were left are being played; `omerta play` begins another")?
        }
        Some(number) => number
            .checked_sub(1)
            .filter(|at| *at < all.len())
            .with_context(|| format!("there is no session {number}; `omerta play --sessions` lists them"))?,
    };
    let left = all.swap_remove(at);
    let own = Own::of(left.place.clone())?;
    let others = if all.is_empty() {
        ""
    } else {
        "; `omerta play --sessions` lists the others"
    };
    let save = left.read().map_err(|why| anyhow!("{why:#}{others}"))?;
    Ok((save, own))
}

/// A moment as people write it, where the sun stands highest at noon in Greenwich.
fn date(when: SystemTime) -> String {
    let seconds = when.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (mut day, minute) = (seconds / 86_400, seconds / 60 % 1_440);
    let is_leap =
        |year: u64| year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!(
        "{year}-{month:02}-{:02} {:02}:{:02} UTC",
        day + 1,
        minute / 60,
        minute % 60
    )
}
