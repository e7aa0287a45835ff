//! Who plays: how many, by what names, and with which cards.

use crate::{ReadyRules, Workbench, is_wrong};
use anyhow::{Error, Result, anyhow, bail};
use omerta_check::Meaning;
use omerta_core::{
    diagnostic::Diagnostic,
    plural::so_many,
    rules::{PlannedCast, Ruleset},
    source::Span,
    written::{MOST_LETTERS, cleaned},
};
use omerta_engine::StartError;
use omerta_play::{
    casting,
    chance::Chance,
    deal,
    names::is_taken,
    scenario::{cast_of, no_start as why_no_start, tests_of},
};
use omerta_syntax::{composed, parse_play, play_tree::LineKind};

/// Who plays.
#[derive(Clone, Debug, Default)]
pub struct People {
    /// How many play.
    pub players: Option<u8>,
    /// Who plays, in the order of the seats; a space in a name becomes a hyphen.
    pub names: Vec<String>,
    /// The cards: a cast of the ruleset by name, or roles as `Healer, Smuggler 2, Baker rest`.
    pub cast: Option<String>,
    /// Roles to put into the cast, each in place of a card that it may replace.
    pub put_in: Vec<String>,
    /// How all this was said, for messages that show it.
    pub said: Said,
}

/// What stands before the words when a message shows them.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// Where they were said.
    pub place: &'static str,
    /// Before the cast.
    pub cast: &'static str,
    /// Before what is put in.
    pub put_in: &'static str,
}

impl Default for Said {
    fn default() -> Self {
        Said {
            place: "table",
            cast: "cast",
            put_in: "put in",
        }
    }
}

/// Who sits there when nobody says so.
const NAMES: &[&str] = &[
    "Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jan", "Kim", "Lee", "Max", "Nan", "Oda",
    "Pia", "Quin", "Rob", "Sue", "Tom", "Ugo", "Val", "Wim", "Xia", "Yan", "Zoe",
];

impl People {
    /// Those named, or so many as are wanted, or as many as is usual and possible.
    pub fn names(&self, laid: &ReadyRules, usual: u8) -> Result<Vec<String>> {
        let rules = &*laid.bench.rules;
        if !self.names.is_empty() {
            // A name is one word wherever it is typed.
            let joined = |name: &String| composed(&name.split_whitespace().collect::<Vec<_>>().join("-"));
            let names: Vec<String> = self.names.iter().map(joined).collect();
            check_names(&names, laid)?;
            return Ok(names);
        }
        let players = self
            .players
            .or_else(|| self.players_of_cast(rules))
            .unwrap_or_else(|| usual_number(rules, usual));
        Ok(some_names(players))
    }

    /// A cast by name is often for one number of players alone.
    fn players_of_cast(&self, rules: &Ruleset) -> Option<u8> {
        let name = self.cast.as_deref()?;
        let cast = rules
            .casts
            .iter()
            .find(|cast| cast.name.as_deref() == Some(name))?;
        cast.columns.first().map(|column| column.from)
    }

    /// The cards for so many, those left to chance by a seed, with what is to be warned of, or what speaks against them.
    pub fn check_cast(
        &self,
        bench: &Workbench,
        laid: &ReadyRules,
        (players, seed): (usize, u64),
    ) -> Result<(PlannedCast, Vec<Diagnostic>), Vec<Diagnostic>> {
        let rules = &*laid.bench.rules;
        let (cast, place) = self.open_cast(bench, laid, players)?;
        // Not the game's own chance: what is in the game tells nothing of who has it.
        let mut chance = Chance::of_game(seed, 1);
        let cast = casting::drawn(rules, &laid.bench.hooks, cast, players, &mut chance);
        let problems = deal::check(rules, &laid.bench.hooks, &cast, players, place);
        if is_wrong(&problems) {
            Err(problems)
        } else {
            Ok((cast, problems))
        }
    }

    /// The cards for so many, with those that are left to chance still open, and the place where they are asked for.
    pub fn open_cast(
        &self,
        bench: &Workbench,
        laid: &ReadyRules,
        players: usize,
    ) -> Result<(PlannedCast, Span), Vec<Diagnostic>> {
        let rules = &*laid.bench.rules;
        let words = so_many(players, "player");
        let place = Span::new(bench.add(self.said.place, &words), 0, words.len());
        let cast = match &self.cast {
            None => deal::from_table(rules, None, players, place).map_err(|problem| vec![problem])?,
            Some(text) => self.asked_for(bench, rules, (self.said.cast, text), players)?,
        };
        Ok((self.with_put_in(bench, rules, cast)?, place))
    }

    fn with_put_in(
        &self,
        bench: &Workbench,
        rules: &Ruleset,
        cast: PlannedCast,
    ) -> Result<PlannedCast, Vec<Diagnostic>> {
        if self.put_in.is_empty() {
            return Ok(cast);
        }
        let others = self.asked_for(bench, rules, (self.said.put_in, &self.put_in.join(", ")), 0)?;
        let words = format!("{} {}", self.said.put_in, self.put_in.join(","));
        let place = Span::new(bench.add(self.said.place, &words), 0, words.len());
        deal::put_in(rules, &cast, &others.cards, place).map_err(|problem| vec![problem])
    }

    /// Reads the words behind an option as the cards of a scenario; what is wrong with them is shown in
    /// the words that were typed.
    fn asked_for(
        &self,
        bench: &Workbench,
        rules: &Ruleset,
        (option, text): (&str, &str),
        players: usize,
    ) -> Result<PlannedCast, Vec<Diagnostic>> {
        let typed = format!("{option} {text}");
        let id = bench.add(self.said.place, &typed);
        let at_its_place = |mut problem: Diagnostic| {
            let moved = |at: u32| {
                (at as usize + option.len() + 1)
                    .saturating_sub(BEFORE.len())
                    .min(typed.len())
            };
            for label in problem.labels.iter_mut().filter(|label| label.span.source == id) {
                label.span = Span::new(id, moved(label.span.start), moved(label.span.end));
            }
            problem
        };
        let line = format!("{BEFORE}{text}\n");
        let (tree, problems) = parse_play(id, &line);
        if is_wrong(&problems) {
            return Err(problems.into_iter().map(at_its_place).collect());
        }
        let place = Span::new(id, BEFORE.len(), line.len() - 1);
        let tests = tests_of(&tree);
        let lines = tests.iter().flat_map(|test| &test.lines);
        let mut entries = lines.filter_map(|line| match &line.kind {
            LineKind::Cast(entries) => Some(entries),
            _ => None,
        });
        let entries = entries.next_back().map_or(&[][..], |entries| &entries[..]);
        cast_of(rules, entries, players, place).map_err(|problem| vec![at_its_place(problem)])
    }
}

/// What stands before the cards in the lines they are read as.
const BEFORE: &str = "play \"cast\"\ncast ";

/// As many as is usual, or the next number that the rules allow and have a cast for.
pub fn usual_number(rules: &Ruleset, usual: u8) -> u8 {
    let (from, to) = (rules.seats.0.max(1), rules.seats.1.max(rules.seats.0).max(1));
    let usual = usual.clamp(from, to);
    let has_cast = |players: &u8| {
        let mut columns = rules.casts.iter().flat_map(|cast| &cast.columns);
        columns.any(|column| (column.from..=column.to).contains(players))
    };
    let mut near = (0..=to - from).flat_map(|by| [usual.saturating_add(by), usual.saturating_sub(by)]);
    let near = near.find(|players| (from..=to).contains(players) && has_cast(players));
    near.unwrap_or(usual)
}

/// Names for so many.
pub fn some_names(players: u8) -> Vec<String> {
    let name = |seat: usize| match NAMES.get(seat) {
        Some(name) => (*name).to_owned(),
        None => format!("Player{}", seat + 1),
    };
    (0..usize::from(players)).map(name).collect()
}

/// What stands between names, or around words, where answers are typed.
const SIGNS: &[&str] = &["->", "\"", "`", ",", ";", ":", "(", ")", "[", "]", "{", "}"];

/// Whether a name that means this stands for somebody or something where answers are typed.
fn is_value(meaning: Meaning) -> bool {
    matches!(
        meaning,
        Meaning::Group(_)
            | Meaning::Fact(_)
            | Meaning::Back(_)
            | Meaning::Zone(_)
            | Meaning::Define(_)
            | Meaning::Hook(_)
    )
}

fn check_names(names: &[String], laid: &ReadyRules) -> Result<()> {
    let symbols = &laid.names.symbols;
    if names.len() > 64 {
        bail!(
            "{} names are more than the 64 seats a table may have",
            names.len()
        );
    }
    for (index, name) in names.iter().enumerate() {
        let same = |other: &String| other.to_lowercase() == name.to_lowercase();
        if cleaned(name, MOST_LETTERS) != Ok(name) {
            bail!(
                "`{}` cannot be a name: write names with commas between",
                name.escape_debug()
            );
        }
        let means = |known: &&str| known.to_lowercase() == name.to_lowercase();
        let declared = { symbols.names().filter(means) }.filter_map(|known| symbols.get(known));
        let mut declared = declared.map(|known| known.meaning);
        if let Some(sign) = SIGNS.iter().find(|sign| name.contains(**sign)) {
            bail!("`{name}` cannot be a name: `{sign}` means something else where answers are typed");
        }
        if is_taken(&name.to_lowercase()) {
            bail!("`{name}` cannot be a name: the word means something else at every table");
        }
        if declared.any(is_value) {
            bail!("`{name}` cannot be a name: it would be taken for the `{name}` of the rules");
        }
        if name.starts_with(|c: char| c.is_numeric()) {
            bail!("`{name}` cannot be a name: it would be taken for the number of an option");
        }
        if names[..index].iter().any(same) {
            bail!("two are called `{name}`; give one of them another name");
        }
    }
    Ok(())
}

/// Why a game cannot begin, for whoever says at a command line how many play.
pub fn no_start(error: &StartError) -> Error {
    let say = if matches!(error, StartError::Seats { .. }) {
        "; say `--players N`"
    } else {
        ""
    };
    anyhow!("{}{say}", why_no_start(error, "the game"))
}
