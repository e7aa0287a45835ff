//! A run as it is kept: what was played, and what the games came to. Enough to go on with it, to put
//! it together with other parts, and to open any of its games.

use super::tally::{Shape, Tally, pairs_of};
use omerta_core::{
    rules::{GroupId, Ruleset},
    written::harmless,
};
use omerta_play::{seal, words::with_a_capital};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

/// The version of the form.
const FORMAT: u32 = 2;

/// What was played. Two runs with the same head are parts of one.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Head {
    /// The name or the path of the base.
    pub ruleset: String,
    /// The digest of the rules, in hexadecimal digits.
    pub identity: String,
    /// The overlays.
    pub overlays: Vec<String>,
    /// All options with their values.
    pub options: Vec<(String, String)>,
    /// How many play.
    pub players: u8,
    /// The cards by the names of their roles, in order.
    pub cast: Vec<String>,
    /// What chance hangs on.
    pub seed: u64,
    /// In how many of a thousand pauses a player takes up an offer.
    pub offers_per_thousand: u32,
    /// In how many of a thousand pauses the host makes a call of his own.
    pub calls_per_thousand: u32,
    /// After how many answers a game counts as one that does not end.
    pub limit: u64,
    /// The programs that played seats, as they were named.
    pub bots: Vec<String>,
    /// The policies that players followed, each with the digest of its text.
    pub policies: Vec<(String, String)>,
    /// Whether programs were told which cards are in the game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cast_told: bool,
    /// The names of the players where they were said, or where programs played, which hear them.
    pub names: Vec<String>,
    /// Who counts as still in the game, in the words of the rules.
    pub present: String,
}

/// What stands behind the places of a tally, as people see it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Labels {
    /// The title of the game.
    pub title: String,
    /// The teams.
    pub teams: Vec<String>,
    /// The roles.
    pub roles: Vec<String>,
    /// The team of each role, as a place among the teams.
    pub team_of: Vec<Option<usize>>,
    /// The endings; the place behind them is for games that ended without one.
    pub endings: Vec<String>,
    /// The scenes.
    pub scenes: Vec<String>,
}

impl Labels {
    /// The labels for tallies of some rules.
    pub fn of(rules: &Ruleset) -> Labels {
        let shape = Shape::of(rules, 0);
        let title = |group: &GroupId| capital(&rules.groups[group.index()].title);
        let role = |index: usize| title(&GroupId(index as u16));
        Labels {
            title: rules.title.clone(),
            teams: shape.teams.iter().map(title).collect(),
            roles: (0..rules.roles.len()).map(role).collect(),
            team_of: shape.team_of,
            endings: rules.endings.iter().map(|ending| ending.name.clone()).collect(),
            scenes: rules.scenes.iter().map(|scene| scene.name.clone()).collect(),
        }
    }
}

/// A title at the head of a line.
pub fn capital(title: &str) -> String {
    let articles = ["the ", "a ", "an "];
    let plain = articles.iter().find_map(|article| title.strip_prefix(article));
    with_a_capital(plain.unwrap_or(title))
}

/// A part of a run: of every `of` games the one with number `index`, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Which part.
    pub index: u64,
    /// Of how many.
    pub of: u64,
}

impl Shard {
    /// All games.
    pub const WHOLE: Shard = Shard { index: 0, of: 1 };

    /// How many of so many games are in this part.
    pub fn share_of(self, games: u64) -> u64 {
        games / self.of + u64::from(games % self.of > self.index)
    }

    /// The number of the game at a place of this part.
    pub fn number(self, place: u64) -> u64 {
        place * self.of + self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    /// `2/5`: the second of five.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || "write it as K/N, such as 2/5 for the second of five parts".to_owned();
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let index: u64 = index.trim().parse().map_err(|_| wrong())?;
        let of: u64 = of.trim().parse().map_err(|_| wrong())?;
        if index == 0 || index > of {
            return Err(format!(
                "there is no part {index} of {of}; parts are counted from 1"
            ));
        }
        Ok(Shard { index: index - 1, of })
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.of)
    }
}

/// The version of a file, whatever else stands in it.
#[derive(Deserialize)]
struct Form {
    omerta_sim: u32,
}

/// A run, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// The version of this form.
    pub omerta_sim: u32,
    /// What was played.
    pub head: Head,
    /// Which part of it.
    pub shard: Shard,
    /// What stands behind the places of the tally.
    pub labels: Labels,
    /// What the games came to. The first so many of the part were played.
    pub tally: Tally,
    /// The seal of a text that is being read; looked at there and nowhere else.
    #[serde(default, skip_serializing)]
    pub digest: String,
}

impl RunFile {
    /// A run as it is kept.
    pub fn new(head: Head, labels: Labels, shard: Shard, tally: Tally) -> RunFile {
        RunFile {
            omerta_sim: FORMAT,
            head,
            shard,
            labels,
            tally,
            digest: String::new(),
        }
    }

    /// The text of a file.
    pub fn to_text(&self) -> String {
        let text = serde_json::to_string(self).expect("plain data with text keys can always be written");
        seal::sealed(&text)
    }

    /// Reads the text of a file; says in words why it cannot be read.
    pub fn from_text(text: &str) -> Result<RunFile, String> {
        let no_run = |error: serde_json::Error| match text.trim_start().starts_with('{') {
            true => format!("it is no run of `omerta sim`: {}", harmless(&error.to_string())),
            // What is something else altogether is not told where it went wrong.
            false => "it is no run of `omerta sim`".to_owned(),
        };
        let form: Form = serde_json::from_str(text).map_err(no_run)?;
        match form.omerta_sim {
            FORMAT => {}
            1 => {
                return Err(
                    "an earlier omerta kept it, without what is needed to know how sure its numbers are: \
                     play it again"
                        .to_owned(),
                );
            }
            form => {
                return Err(format!(
                    "it is of form {form}, and this omerta knows form {FORMAT}"
                ));
            }
        }
        let run: RunFile = serde_json::from_str(text).map_err(no_run)?;
        if seal::is_broken(text) {
            return Err(
                "it was changed since it was kept: its digest is that of other numbers, and they are not to be relied on"
                    .to_owned(),
            );
        }
        let is_sealed = !run.digest.is_empty();
        let run = RunFile {
            digest: String::new(),
            ..run
        };
        if run.shard.of == 0 || run.shard.index >= run.shard.of {
            return Err("the part it names does not exist".to_owned());
        }
        if !run.is_whole() {
            return Err("its tally and its names do not fit each other".to_owned());
        }
        if !is_sealed {
            return Err(
                "its digest is missing, so nothing says that its numbers are those that were counted"
                    .to_owned(),
            );
        }
        if seal::holds_unseen(text) {
            return Err("a name in it holds a sign that nobody sees, and no run is kept so".to_owned());
        }
        Ok(run)
    }
}

impl RunFile {
    /// A run of no games: no cast of the rules is for what was asked.
    pub fn none() -> RunFile {
        RunFile::new(Head::default(), Labels::default(), Shard::WHOLE, Tally::default())
    }

    /// Whether it is the run of no games.
    pub fn is_none(&self) -> bool {
        self.head.identity.is_empty()
    }

    /// Whether the game with that number was played in it.
    pub fn has(&self, number: u64) -> bool {
        number % self.shard.of == self.shard.index && number / self.shard.of < self.tally.games
    }

    /// Which games it has, in words.
    pub fn numbers(&self) -> String {
        let last = self.tally.games.checked_sub(1);
        let last = last.map(|place| self.shard.number(place));
        match (last, self.shard.of) {
            (None, _) => "no games".to_owned(),
            (Some(last), 1) => format!("games 0 to {last}"),
            (Some(last), _) => format!(
                "games {}, {} and so on up to {last}, being part {}",
                self.shard.number(0),
                self.shard.number(1),
                self.shard
            ),
        }
    }

    /// Whether every place of the tally has a name, so that reading it cannot go astray.
    fn is_whole(&self) -> bool {
        let Labels {
            teams,
            roles,
            team_of,
            endings,
            scenes,
            ..
        } = &self.labels;
        let tally = &self.tally;
        let fits = |moment: &super::tally::Moment| {
            moment.by_role.len() == roles.len() && moment.held.len() == roles.len()
        };
        let sums = tally
            .broken
            .checked_add(tally.endless)
            .is_some_and(|wrong| wrong <= tally.games);
        sums && tally.teams.len() == teams.len()
            && tally.roles.len() == roles.len()
            && tally.together.len() == roles.len()
            && tally.pairs.len() == pairs_of(tally.seats.len())
            && tally.seats.len() == usize::from(self.head.players)
            && team_of.len() == roles.len()
            && team_of.iter().flatten().all(|team| *team < teams.len())
            && tally.endings.len() == endings.len() + 1
            && tally.lengths.len() == scenes.len()
            && tally.moments.len() == scenes.len()
            && tally.moments.iter().flatten().all(fits)
    }
}

/// A place in a sweep: for each axis its name and the value taken.
pub type Cell = Vec<(String, String)>;

/// Every combination of the values of some axes, the last axis running fastest.
pub fn cells(axes: &[(String, Vec<String>)]) -> Vec<Cell> {
    axes.iter().fold(vec![Vec::new()], |cells, (name, values)| {
        let longer = |cell: Cell| {
            let step = move |value: &String| {
                let last = (name.clone(), value.clone());
                cell.iter().cloned().chain([last]).collect::<Cell>()
            };
            values.iter().map(step).collect::<Vec<_>>()
        };
        cells.into_iter().flat_map(longer).collect()
    })
}

/// Why parts cannot be put together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MergeError {
    /// There are none.
    Nothing,
    /// Two that were not played alike: which, and in what they differ.
    Unlike { which: usize, what: &'static str },
    /// One part is there twice.
    Twice { shard: Shard, which: usize },
    /// A part is not there.
    Missing { shard: Shard },
    /// A part holds fewer games than another of them asks for, so many: it was stopped, or the parts
    /// were asked for different numbers of games.
    Uneven { which: usize, has: u64, wanted: u64 },
}

/// Puts the parts of a run together: exactly what one machine would have come to.
pub fn merge(parts: &[RunFile]) -> Result<RunFile, MergeError> {
    let first = parts.first().ok_or(MergeError::Nothing)?;
    let mut seen = vec![None; usize::try_from(first.shard.of).unwrap_or(usize::MAX).min(1 << 20)];
    for (which, part) in parts.iter().enumerate() {
        if let Some(what) = unlike(first, part) {
            return Err(MergeError::Unlike { which, what });
        }
        let place = usize::try_from(part.shard.index)
            .ok()
            .and_then(|index| seen.get_mut(index));
        let Some(place @ None) = place else {
            let shard = part.shard;
            return Err(MergeError::Twice { shard, which });
        };
        *place = Some(which);
    }
    if let Some(index) = seen.iter().position(Option::is_none) {
        let (index, of) = (index as u64, first.shard.of);
        return Err(MergeError::Missing {
            shard: Shard { index, of },
        });
    }
    // The fewest games of all parts together with which each would hold what it holds, or fewer.
    let asked_for = |part: &RunFile| match part.tally.games.checked_sub(1) {
        None => 0,
        Some(last) => part.shard.number(last) + 1,
    };
    let games = parts.iter().map(asked_for).max().unwrap_or(0);
    for (which, part) in parts.iter().enumerate() {
        let (has, wanted) = (part.tally.games, part.shard.share_of(games));
        if has != wanted {
            return Err(MergeError::Uneven { which, has, wanted });
        }
    }
    let mut tally = first.tally.clone();
    parts[1..].iter().for_each(|part| tally.merge(&part.tally));
    Ok(RunFile::new(
        first.head.clone(),
        first.labels.clone(),
        Shard::WHOLE,
        tally,
    ))
}

/// In what two parts differ that must not.
fn unlike(first: &RunFile, other: &RunFile) -> Option<&'static str> {
    let (a, b) = (&first.head, &other.head);
    let same = [
        (a.ruleset == b.ruleset, "the ruleset"),
        (a.overlays == b.overlays, "the overlays"),
        (a.options == b.options, "the options"),
        (a.identity == b.identity, "the text of the rules"),
        (a.players == b.players && a.cast == b.cast, "the cast"),
        (a.seed == b.seed, "the seed"),
        (a.present == b.present, "who counts as still in the game"),
        (a.names == b.names, "the names of the players"),
        (a == b, "how the players behave"),
        (first.labels == other.labels, "the names"),
        (first.shard.of == other.shard.of, "the number of parts"),
    ];
    same.into_iter().find(|(same, _)| !same).map(|(_, what)| what)
}
