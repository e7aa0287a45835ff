//! What is tried of a ruleset: in how many ways it is laid, and who sits down to which game.
//!
//! The plain rules are every other game. The rest goes in turn to every other value of every option,
//! every overlay alone, what options such an overlay brings, and overlays two by two.

use super::{game::Seated, things::Things, together};
use crate::coverage::values_of;
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{EndingId, GroupId, Ruleset},
};
use omerta_play::{casting, chance::Chance, session::Table, strategy::Strategy};
use omerta_workbench::{
    ReadyRules, RulesetRequest, Workbench, bundle,
    catalogue::{self, Sort},
    files,
    people::some_names,
};
use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

/// More ways than this are not laid.
const MOST_WAYS: usize = 400;

/// One way to lay the rules.
pub struct Way {
    /// The overlays and options.
    pub wanted: RulesetRequest,
    /// The rules.
    pub laid: ReadyRules,
    /// Everything in them that should come into effect one day.
    pub things: Things,
    /// For how many players there are cards.
    pub players: Vec<u8>,
    /// Whom its policies are about.
    pub advice: Strategy,
    /// The same rules without one ending, for each.
    without: Vec<OnceLock<Option<Arc<Ruleset>>>>,
}

/// All that is tried.
pub struct Plan {
    /// The ways; the first is the plain one.
    pub ways: Vec<Way>,
    /// How many the rules refuse.
    pub refused: usize,
    /// How many there would be besides.
    pub left_out: usize,
    /// Says when it is enough.
    pub late: Box<dyn Fn() -> bool + Send + Sync>,
    seed: u64,
}

impl Way {
    /// The rules of this way.
    pub fn rules(&self) -> &Ruleset {
        &self.laid.bench.rules
    }

    /// The rules without one of their endings.
    pub fn without(&self, ending: EndingId) -> Option<&Arc<Ruleset>> {
        let cell = self.without.get(ending.index())?;
        cell.get_or_init(|| together::without(self.rules(), ending))
            .as_ref()
    }
}

impl Plan {
    /// Whether the time is up.
    pub fn is_late(&self) -> bool {
        (self.late)()
    }

    /// Lays the rules in as many ways as so many games have use for; or what is wrong with the plain ones.
    /// `own` says which texts are asked about.
    pub fn make(
        bench: &Workbench,
        plain: &RulesetRequest,
        (seed, games): (u64, u64),
        own: &dyn Fn(&str) -> bool,
    ) -> Result<Plan, Vec<Diagnostic>> {
        let first = bench.lay(plain)?;
        let all = others(bench, plain, &first);
        let most = usize::try_from(games / 2).unwrap_or(usize::MAX).min(MOST_WAYS);
        let mut plan = Plan {
            ways: Vec::new(),
            refused: 0,
            left_out: all.len().saturating_sub(most),
            late: Box::new(|| false),
            seed,
        };
        plan.add(bench, plain.clone(), first, own);
        for wanted in all.into_iter().take(most) {
            match bench.lay(&wanted) {
                Ok(laid) => plan.add(bench, wanted, laid, own),
                // Overlays may refuse one another, and options be for some of them alone.
                Err(_) => plan.refused += 1,
            }
        }
        Ok(plan)
    }

    fn add(
        &mut self,
        bench: &Workbench,
        wanted: RulesetRequest,
        laid: ReadyRules,
        own: &dyn Fn(&str) -> bool,
    ) {
        let things = bench.with_sources(|sources| Things::of(&laid.bench.rules, sources, own));
        let players = casting::player_counts(&laid.bench.rules);
        let without = laid.bench.rules.endings.iter().map(|_| OnceLock::new()).collect();
        self.ways.push(Way {
            advice: Strategy::of_all(&laid.bench.rules),
            wanted,
            laid,
            things,
            players,
            without,
        });
    }

    /// Whether the options are those that the rules, or whoever asked, chose.
    pub fn is_as_chosen(&self, way: &Way) -> bool {
        way.wanted.options.len() == self.ways[0].wanted.options.len()
    }

    /// In which way a game is played.
    pub fn way_of(&self, number: u64) -> usize {
        let others = self.ways.len() as u64 - 1;
        match number.is_multiple_of(2) || others == 0 {
            true => 0,
            false => 1 + (number / 2 % others) as usize,
        }
    }

    /// Who sits down to a game, with which cards; `None` where the tables give none that may be played.
    pub fn seated(&self, number: u64) -> Option<Seated> {
        let way = &self.ways[self.way_of(number)];
        let mut chance = self.dealer(number);
        let players = *way
            .players
            .get(chance.below(way.players.len().max(1) as u64) as usize)?;
        self.seat(way, players, None, number)
    }

    /// The same in a way of one's own choice, by so many, and with a card that must be in the game.
    pub fn seat(&self, way: &Way, players: u8, role: Option<GroupId>, number: u64) -> Option<Seated> {
        let bench = &way.laid.bench;
        let mut chance = self.dealer(!number);
        let cast = match role {
            Some(role) => casting::random_with(&bench.rules, &bench.hooks, players, role, &mut chance)?,
            None if chance.below(3) == 0 => {
                casting::mixed_for(&bench.rules, &bench.hooks, players, &mut chance)?
            }
            None => casting::random_for(&bench.rules, &bench.hooks, players, &mut chance)?,
        };
        Some(Seated {
            wanted: way.wanted.clone(),
            table: Table {
                rules: bench.rules.clone(),
                hooks: bench.hooks.clone(),
                names: some_names(players),
                cast,
                seed: Some(self.seed_of(number)),
            },
        })
    }

    /// The seed of a game's chance; short, for it may stand in a scenario.
    fn seed_of(&self, number: u64) -> u64 {
        (self.seed.wrapping_mul(1_000_000).wrapping_add(number)) % 1_000_000_000
    }

    /// What decides who sits down to a game. The game's own chance is another.
    fn dealer(&self, number: u64) -> Chance {
        Chance::of_game(!self.seed, number)
    }

    /// What random people's answers hang on.
    pub fn seed(&self) -> u64 {
        self.seed
    }
}

// ---- The ways

/// Every way but the plain one.
fn others(bench: &Workbench, plain: &RulesetRequest, first: &ReadyRules) -> Vec<RulesetRequest> {
    let mut ways = with_options(plain, &first.bench.rules, &[]);
    let names = overlays_for(&plain.base, &first.bench.rules.name);
    let is_laid = |name: &String| {
        plain
            .overlays
            .iter()
            .any(|laid| laid.rsplit(':').next() == Some(name))
    };
    let free: Vec<&String> = names.iter().filter(|name| !is_laid(name)).collect();
    let with = |added: &[&String]| RulesetRequest {
        overlays: plain
            .overlays
            .iter()
            .chain(added.iter().copied())
            .cloned()
            .collect(),
        ..plain.clone()
    };
    let known: Vec<&str> = first
        .bench
        .rules
        .options
        .iter()
        .map(|option| option.name.as_str())
        .collect();
    for name in &free {
        let alone = with(&[name]);
        if let Ok(laid) = bench.lay(&alone) {
            ways.extend(with_options(&alone, &laid.bench.rules, &known));
        }
        ways.push(alone);
    }
    // With an overlay that is checked itself, each of them makes a pair already.
    for (at, one) in free.iter().enumerate().filter(|_| plain.overlays.is_empty()) {
        ways.extend(free[at + 1..].iter().map(|other| with(&[one, other])));
    }
    ways
}

/// Each other value of each option that is not among those `known`.
fn with_options(wanted: &RulesetRequest, rules: &Ruleset, known: &[&str]) -> Vec<RulesetRequest> {
    let news = rules
        .options
        .iter()
        .filter(|option| !known.contains(&option.name.as_str()));
    let values = news.flat_map(|option| {
        let others = values_of(option)
            .into_iter()
            .filter(|value| *value != option.value);
        others.map(|value| (option.name.clone(), value))
    });
    let with = |(name, value): (String, String)| {
        let mut options: Vec<_> = wanted
            .options
            .iter()
            .filter(|(known, _)| *known != name)
            .cloned()
            .collect();
        options.push((name, value));
        RulesetRequest {
            options,
            ..wanted.clone()
        }
    };
    values.map(with).collect()
}

/// The overlays for a base that lie beside it.
fn overlays_for(base: &str, name: &str) -> Vec<String> {
    let path = Path::new(base);
    let entries = if files::is_there(path) {
        let folder = path.parent().unwrap_or(Path::new(""));
        let texts = files::texts_in(
            if folder.as_os_str().is_empty() {
                Path::new(".")
            } else {
                folder
            },
            ".mafia",
        );
        texts
            .iter()
            .flat_map(|(file, text)| catalogue::entries(file, text))
            .collect()
    } else if bundle::bundled(base).is_some() {
        catalogue::bundled()
    } else {
        Vec::new()
    };
    let fits = |entry: &catalogue::Entry| matches!(&entry.sort, Sort::Overlay { bases } if bases.iter().any(|base| base == name));
    entries.into_iter().filter(fits).map(|entry| entry.name).collect()
}
