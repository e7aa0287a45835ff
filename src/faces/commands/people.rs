//! The words that say who plays: how many, by what names, and with which cards.

use crate::faces::{
    console::Console,
    render::{Format, Renders},
};
use omerta_core::rules::PlannedCast;
use omerta_workbench::{
    ReadyRules, Workbench,
    people::{self, Said},
};

/// Who plays.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct People {
    /// How many play
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = super::whole::<u8>(1, 64), conflicts_with = "names")]
    pub players: Option<u8>,
    /// Who plays, in the order of the seats; a space in a name becomes a hyphen
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub names: Vec<String>,
    /// The cards: a cast of the ruleset by name, or roles as `Healer, Smuggler 2, Baker rest`
    #[arg(long, value_name = "CAST")]
    pub cast: Option<String>,
    /// Roles to put into the cast, each in place of a card that it may replace
    #[arg(long, value_name = "ROLE", value_delimiter = ',')]
    pub put_in: Vec<String>,
}

/// How these words look when a message shows them.
const SAID: Said = Said {
    place: "command line",
    cast: "--cast",
    put_in: "--put-in",
};

impl People {
    /// What the words say.
    pub fn said(&self) -> people::People {
        people::People {
            players: self.players,
            names: self.names.clone(),
            cast: self.cast.clone(),
            put_in: self.put_in.clone(),
            said: SAID,
        }
    }

    /// The cards for so many, once everything that speaks against them was shown.
    pub fn cast(
        &self,
        bench: &Workbench,
        laid: &ReadyRules,
        (players, seed): (usize, u64),
        console: Console,
    ) -> Option<PlannedCast> {
        let (cast, problems) = match self.said().check_cast(bench, laid, (players, seed)) {
            Ok((cast, warnings)) => (Some(cast), warnings),
            Err(problems) => (None, problems),
        };
        console.talk(&bench.render(&problems, Format::Human, console.err));
        cast
    }
}
