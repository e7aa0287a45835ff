//! Games as text: what a save file holds, and how it is read again under the same rules or others.
//!
//! Opens no file. A save file is the rules' identity, the table and the answers, nothing else.

use crate::{
    seal,
    session::{Enough, NEVER, Session, Stopped, Table},
};
use omerta_core::rules::{PlannedCast, Ruleset};
use omerta_core::written;
use omerta_engine::{Choice, Hooks, StartError};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The version of the form.
const FORMAT: u32 = 1;
/// How long a save file may be, in bytes.
const LENGTH_LIMIT: usize = 16 << 20;

/// A game as it is kept.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Save {
    /// The version of this form.
    pub omerta_save: u32,
    /// The name or the path of the base.
    pub ruleset: String,
    /// The digest of the rules it was played under, in hexadecimal digits.
    pub identity: String,
    /// The overlays.
    pub overlays: Vec<String>,
    /// The options with their values.
    pub options: Vec<(String, String)>,
    /// The names of the seats, in order.
    pub seats: Vec<String>,
    /// The cards by the names of their roles, in order.
    pub cast: Vec<String>,
    /// The seed of chance, if there was one.
    pub seed: Option<u64>,
    /// Everything that was answered, chance included.
    pub answers: Vec<Choice>,
    /// What was written in the answers and in those behind them, in the order of its first use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<String>,
    /// What was taken back behind them and can be given again, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undone: Vec<Choice>,
    /// The name of the branch these are the answers of; empty where there is but one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub here: String,
    /// All branches in their order, with the answers of the others; none where there is but one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub branches: Vec<(String, Vec<Choice>)>,
    /// What was written in the answers of the other branches, by their names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts_of: Vec<(String, Vec<String>)>,
    /// Other games that were laid aside for this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub aside: Vec<Save>,
    /// The seal of a text that is being read; looked at there and nowhere else.
    #[serde(default, skip_serializing)]
    pub digest: String,
}

/// A game that was read again.
pub struct Loaded {
    /// The game, as far as its answers fit.
    pub session: Session,
    /// Whether the rules are others than those it was played under.
    pub other_rules: bool,
    /// The answer that no longer fits, if one does not.
    pub stopped: Option<Stopped>,
}

/// Why a save file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SaveError {
    /// Longer than any game.
    TooLong { bytes: usize },
    /// Not the form of a save file: the reader's words.
    Malformed { message: String },
    /// Of a version that this program does not know.
    Version { found: u32 },
    /// Not what was kept: its digest is another.
    Changed,
    /// Words in it that no game keeps: with signs that nobody sees, or of nothing.
    Odd { what: &'static str, words: String },
    /// A card of a role that the rules do not have.
    NoSuchRole { name: String },
    /// The game cannot begin.
    Start(StartError),
    /// Somebody has had enough before it was played again.
    Halted,
}

/// What is wrong with a kept game, to stand behind what it is called: `a.game` is no saved game.
impl std::fmt::Display for SaveError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SaveError::TooLong { bytes } => write!(f, "is too long for a saved game ({bytes} bytes)"),
            SaveError::Malformed { message } if message.is_empty() => f.write_str("is no saved game"),
            SaveError::Malformed { message } => write!(f, "is no saved game: {message}"),
            SaveError::Version { found } => {
                write!(
                    f,
                    "was kept by another omerta (form {found}), and this one cannot read it"
                )
            }
            SaveError::Changed => f.write_str(
                "was changed since it was kept, and its digest is that of another; without the line `\"digest\": …` it \
                 is taken as it stands",
            ),
            SaveError::Odd { what, words } => {
                write!(f, "has {what} `{}`, and no game keeps such words", words.escape_debug())
            }
            SaveError::NoSuchRole { name } => {
                write!(f, "has a card `{name}`, and the rules have no such role any more")
            }
            SaveError::Start(_) => f.write_str("has a table that its rules do not allow"),
            SaveError::Halted => f.write_str("was not played to where it stood: you stopped it"),
        }
    }
}

impl Save {
    /// Whether it is the same game, however it went on: of the same rules, at the same table, with the same chance.
    pub fn is_game_of(&self, other: &Save) -> bool {
        (&self.identity, &self.seats, &self.cast, self.seed)
            == (&other.identity, &other.seats, &other.cast, other.seed)
    }

    /// Whether it has all that an earlier one of the same game has.
    pub fn goes_on_from(&self, earlier: &Save) -> bool {
        let ways = |save: &Save| -> Vec<Vec<Choice>> {
            let other = save.branches.iter().map(|(_, answers)| answers.clone());
            other
                .chain([[&save.answers[..], &save.undone].concat()])
                .collect()
        };
        let known = ways(self);
        self.is_game_of(earlier)
            && self.texts.starts_with(&earlier.texts)
            && ways(earlier)
                .iter()
                .all(|way| known.iter().any(|known| known.starts_with(way)))
    }

    /// A session as it is kept, up to where it stands.
    pub fn of(session: &Session) -> Save {
        let Table {
            rules,
            names,
            cast,
            seed,
            ..
        } = session.table();
        let role = |group: &omerta_core::rules::GroupId| rules.groups[group.index()].name.clone();
        Save {
            omerta_save: FORMAT,
            ruleset: rules.name.clone(),
            identity: rules.identity_text(),
            overlays: rules.overlays.clone(),
            options: rules.settings().collect(),
            seats: names.clone(),
            cast: cast.cards.iter().map(role).collect(),
            seed: *seed,
            answers: session.answers().to_vec(),
            texts: session.texts().to_vec(),
            undone: session.undone().to_vec(),
            here: String::new(),
            branches: Vec::new(),
            texts_of: Vec::new(),
            aside: Vec::new(),
            digest: String::new(),
        }
    }

    /// The text of a save file.
    pub fn to_text(&self) -> String {
        let text =
            serde_json::to_string_pretty(self).expect("plain data with text keys can always be written");
        seal::sealed(&text)
    }

    /// Reads the text of a save file.
    pub fn from_text(text: &str) -> Result<Save, SaveError> {
        if text.len() > LENGTH_LIMIT {
            return Err(SaveError::TooLong { bytes: text.len() });
        }
        // What is something else altogether is not told where it went wrong.
        let is_data = text.trim_start().starts_with('{');
        let save: Save = serde_json::from_str(text).map_err(|error| SaveError::Malformed {
            message: if is_data {
                written::harmless(&error.to_string())
            } else {
                String::new()
            },
        })?;
        if save.omerta_save != FORMAT {
            return Err(SaveError::Version {
                found: save.omerta_save,
            });
        }
        if seal::is_broken(text) {
            return Err(SaveError::Changed);
        }
        save.check_words()?;
        Ok(Save {
            digest: String::new(),
            ..save
        })
    }

    /// What is shown of it at a terminal moves nothing there, and everybody at the table has a name of his own.
    fn check_words(&self) -> Result<(), SaveError> {
        let odd = |what: &'static str, words: &str| {
            let words = words.to_owned();
            Err(SaveError::Odd { what, words })
        };
        for (index, name) in self.seats.iter().enumerate() {
            let is_known = self.seats[..index].contains(name);
            if is_known || written::cleaned(name, written::MOST_LETTERS) != Ok(name) {
                return odd(if is_known { "twice a player" } else { "a player" }, name);
            }
        }
        let options = self.options.iter().flat_map(|(name, value)| [name, value]);
        let branches = self.branches.iter().map(|(name, _)| name);
        let written = self
            .texts_of
            .iter()
            .flat_map(|(name, texts)| [name].into_iter().chain(texts));
        let names = [&self.ruleset, &self.identity, &self.here].into_iter();
        let names = names
            .chain(&self.overlays)
            .chain(&self.cast)
            .chain(options)
            .chain(branches);
        let mut all = names.chain(&self.texts).chain(written);
        match all.find(|words| words.chars().any(written::is_unseen)) {
            Some(words) => odd("words", words),
            None => self.aside.iter().try_for_each(Save::check_words),
        }
    }

    /// Plays it again, under the rules it was played under or others.
    pub fn load(&self, rules: Arc<Ruleset>, hooks: Arc<dyn Hooks>) -> Result<Loaded, SaveError> {
        self.load_until(NEVER, rules, hooks)
    }

    /// The same, unless somebody has had enough.
    pub fn load_until(
        &self,
        enough: Enough<'_>,
        rules: Arc<Ruleset>,
        hooks: Arc<dyn Hooks>,
    ) -> Result<Loaded, SaveError> {
        let other_rules = rules.identity_text() != self.identity;
        let cast = self.cast(&rules)?;
        let table = Table {
            rules,
            hooks,
            names: self.seats.clone(),
            cast,
            seed: self.seed,
        };
        let all = [&self.answers[..], &self.undone[..]].concat();
        let replayed = Session::replay_until(enough, table, &all, &self.texts).map_err(SaveError::Start)?;
        let (mut session, stopped) = replayed.ok_or(SaveError::Halted)?;
        let stood = self.answers.len().min(session.answers().len());
        if !session.go_to_until(enough, stood) {
            return Err(SaveError::Halted);
        }
        Ok(Loaded {
            session,
            other_rules,
            stopped,
        })
    }

    fn cast(&self, rules: &Ruleset) -> Result<PlannedCast, SaveError> {
        let role = |name: &String| {
            rules
                .role_named(name)
                .ok_or_else(|| SaveError::NoSuchRole { name: name.clone() })
        };
        Ok(PlannedCast {
            cards: self.cast.iter().map(role).collect::<Result<_, _>>()?,
        })
    }
}
