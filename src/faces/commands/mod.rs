//! What each command does: one file a command, each a function from its words to an exit code.

pub(super) mod book;
pub(super) mod check;
pub(super) mod completions;
mod deep;
pub(super) mod diff;
pub(super) mod exact;
pub(super) mod explain;
pub(super) mod fmt;
pub(super) mod graph;
mod inside;
pub(super) mod list;
pub(super) mod lsp;
pub(super) mod measure;
pub(super) mod mutate;
pub(super) mod new;
pub(super) mod people;
pub(super) mod play;
pub(super) mod record;
pub(super) mod ruleset;
pub(super) mod run;
pub(super) mod show;
pub(super) mod sim;
mod strength;
pub(super) mod test;
pub(super) mod worlds;

use omerta_workbench::files;
use std::path::PathBuf;

/// A number of threads that a machine can be asked for.
fn at_most_threads(least: u64) -> impl Fn(&str) -> Result<usize, String> + Clone {
    whole(least, omerta_measure::sim::MOST_THREADS as u64)
}

/// A file that a command makes, in the place of what it made before: no rules and scenarios that somebody wrote.
fn made(given: &str) -> Result<PathBuf, String> {
    made_again(given, |_| false)
}

/// The same where what is made are scenarios: those that were made before can be told.
fn made_again(given: &str, was_made: fn(&str) -> bool) -> Result<PathBuf, String> {
    let path = PathBuf::from(given);
    let is_source = path
        .extension()
        .is_some_and(|ending| ending == "mafia" || ending == "play");
    let stays = is_source && files::is_there(&path) && !files::read(&path).is_ok_and(|text| was_made(&text));
    match stays {
        true => Err("this file was not made by this command, and would be lost: name another".to_owned()),
        false => Ok(path),
    }
}

/// A whole number within limits: what is none is told what would be.
fn whole<N: TryFrom<u64>>(least: u64, most: u64) -> impl Fn(&str) -> Result<N, String> + Clone {
    move |given| {
        let number = given
            .parse()
            .ok()
            .filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| match most {
            u64::MAX => format!("write a whole number, {least} or more"),
            _ => format!("write a whole number from {least} to {most}"),
        })
    }
}
