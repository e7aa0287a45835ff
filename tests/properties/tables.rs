//! Every table a game can be played at: all rulesets of the folders and the pages, as they are and
//! with random options and overlays, and random casts for them.

use crate::{
    docs::{Page, all_pages},
    tables::READ,
};
use omerta_check::{Names, Request, check_one_of_many};
use omerta_core::{
    diagnostic::Severity,
    rules::{PlannedCast, Ruleset},
    source::{Loader, SourceId, Sources},
};
use omerta_engine::{Choice, Game, Hooks, Listener, NoHooks};
use omerta_hooks::Scripts;
use omerta_play::{
    casting,
    chance::Chance,
    ways::{answers, offers},
};
use omerta_syntax::{parse_file, tree::ItemKind};
use omerta_workbench::{RulesetRequest, SharedLoader, bundle::Shelf, files};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

/// Rules ready to play.
pub struct Table {
    /// What was laid: the base, the overlays, the options.
    pub name: String,
    pub rules: Arc<Ruleset>,
    pub hooks: Arc<dyn Hooks>,
    pub names: Names,
    /// How it can be laid again, and from where, if from files or pages.
    pub wanted: RulesetRequest,
    pub loader: Option<SharedLoader>,
}

/// What may be laid: a base, and the overlays that stand in one folder.
struct Family {
    base: String,
    overlays: Vec<String>,
    /// Whether its options are tried: pages about mistakes have some that are mistakes.
    varied: bool,
    loader: SharedLoader,
}

/// How many ways with options and overlays are tried of each family, beside the plain one.
const WAYS: u64 = 2;
/// At most so many overlays at once.
const MOST_OVERLAYS: usize = 3;

/// All tables, found and checked once.
pub fn tables() -> &'static [Table] {
    static TABLES: OnceLock<Vec<Table>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut families = in_files();
        families.extend(in_pages());
        let mut tables: Vec<Table> = families.iter().flat_map(Family::tables).collect();
        // Pages show one game more than once.
        let mut known = BTreeSet::new();
        tables.retain(|table| known.insert(table.rules.identity));
        tables
    })
}

/// Lays rules; nothing when they are wrong.
pub fn lay(
    loader: &dyn Loader,
    base: &str,
    overlays: &[String],
    options: &[(String, String)],
) -> Option<Table> {
    let mut sources = Sources::default();
    let request = Request {
        root: base,
        overlays,
        options,
    };
    let checked = READ.with(|read| check_one_of_many((&mut sources, read), loader, &request));
    if checked.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    let rules = Arc::new(checked.rules?);
    let hooks: Arc<dyn Hooks> = if rules.hooks.is_empty() {
        Arc::new(NoHooks)
    } else {
        Arc::new(Scripts::compile(&rules).ok()?)
    };
    let set = options.iter().map(|(name, value)| format!(" {name}={value}"));
    let name = format!("{base} {}{}", overlays.join(" "), set.collect::<String>());
    Some(Table {
        name,
        rules,
        hooks,
        names: checked.names,
        wanted: RulesetRequest {
            base: base.to_owned(),
            overlays: overlays.to_vec(),
            options: options.to_vec(),
        },
        loader: None,
    })
}

impl Family {
    fn lay(&self, overlays: &[String], options: &[(String, String)]) -> Option<Table> {
        let table = lay(&*self.loader, &self.base, overlays, options)?;
        Some(Table {
            loader: Some(self.loader.clone()),
            ..table
        })
    }

    fn tables(&self) -> Vec<Table> {
        let Some(plain) = self.lay(&[], &[]) else {
            // What the pages show as wrong, and bases that are never played by themselves.
            return Vec::new();
        };
        let mut chance = Chance::of_seed(plain.rules.identity);
        let ways: Vec<Table> = (0..WAYS).filter_map(|_| self.way(&plain, &mut chance)).collect();
        // The plain game of a base belongs to the base's own family.
        let plain = self.overlays.is_empty().then_some(plain);
        plain.into_iter().chain(ways).collect()
    }

    /// Random options and overlays; some overlays refuse each other, so more than one try is made.
    fn way(&self, plain: &Table, chance: &mut Chance) -> Option<Table> {
        if !self.varied || self.overlays.is_empty() && plain.rules.options.is_empty() {
            return None;
        }
        (0..8).find_map(|_| {
            let mut options = Vec::new();
            for option in &plain.rules.options {
                if self.overlays.is_empty() && chance.below(2) == 0 {
                    options.push((option.name.clone(), value(&option.values, chance)));
                }
            }
            let mut overlays = self.overlays.clone();
            chance.shuffle(&mut overlays);
            overlays.truncate(chance.below(MOST_OVERLAYS as u64) as usize + 1);
            self.lay(&overlays, &options)
        })
    }
}

/// One of an option's values; a range stands as `1..5`.
fn value(values: &[String], chance: &mut Chance) -> String {
    let chosen = &values[chance.below(values.len() as u64) as usize];
    let range = chosen.split_once("..").and_then(|(from, to)| {
        let (from, to): (i64, i64) = (from.parse().ok()?, to.parse().ok()?);
        Some(from + chance.below((to - from) as u64 + 1) as i64)
    });
    range.map_or_else(|| chosen.clone(), |number| number.to_string())
}

/// The rulesets in the folders, and the overlays of each folder by the base they are laid on.
fn in_files() -> Vec<Family> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut families = Vec::new();
    let mut overlays: BTreeMap<(PathBuf, String), Vec<String>> = BTreeMap::new();
    for path in ["rulesets", "tests/lang"]
        .map(|folder| files::below(&root.join(folder), "mafia"))
        .concat()
    {
        let shelf = Shelf::beside(&path);
        for item in parse_file(SourceId(0), &files::read(&path).unwrap()).0.items {
            let stem = || path.file_stem().unwrap().to_string_lossy().into_owned();
            match &item.kind {
                ItemKind::Ruleset { .. } => families.push(Family {
                    base: stem(),
                    overlays: Vec::new(),
                    varied: true,
                    loader: Arc::new(shelf.clone()),
                }),
                ItemKind::Overlay { bases, .. } => {
                    for base in bases {
                        let laid = overlays.entry((path.clone(), base.text.clone())).or_default();
                        laid.push(stem());
                    }
                }
                _ => {}
            }
        }
    }
    let mut by_folder: BTreeMap<(PathBuf, String), Vec<String>> = BTreeMap::new();
    for ((path, base), mut names) in overlays {
        names.dedup();
        let folder = path.parent().unwrap().to_path_buf();
        by_folder.entry((folder, base)).or_default().extend(names);
    }
    families.extend(by_folder.into_iter().map(|((folder, base), overlays)| Family {
        base,
        overlays,
        varied: true,
        loader: Arc::new(Shelf {
            folder: Some(folder),
            ..Shelf::default()
        }),
    }));
    families
}

/// The whole rulesets on the pages.
fn in_pages() -> Vec<Family> {
    let mut families = Vec::new();
    for (path, blocks) in all_pages() {
        let whole = blocks
            .iter()
            .filter(|block| block.is("mafia") && block.base().is_none() && block.is_whole());
        families.extend(whole.filter_map(|block| {
            Some(Family {
                base: block.name()?.to_owned(),
                overlays: Vec::new(),
                varied: !path.components().any(|part| part.as_os_str() == "errors"),
                loader: Arc::new(Page::of(&blocks)),
            })
        }));
    }
    families
}

// ---- casts

/// Seats and cards by chance.
pub fn cast(table: &Table, seed: u64) -> Option<(u8, PlannedCast)> {
    casting::random(&table.rules, &table.hooks, &mut Chance::of_seed(seed))
}

/// Begins a game.
pub fn start(table: &Table, (seats, cards): &(u8, PlannedCast), listener: &mut impl Listener) -> Game {
    Game::start(table.rules.clone(), table.hooks.clone(), *seats, cards, listener)
        .expect("a cast that nothing speaks against can begin")
}

// ---- what may be answered

/// The answer that a number stands for: now and then an offer, where one stands open.
pub fn chosen(game: &Game, number: u32) -> Option<Choice> {
    let pick = |ways: Vec<Choice>| {
        let index = (number / 8) as usize % ways.len().max(1);
        ways.get(index).copied()
    };
    let offered = (number.is_multiple_of(8) && game.has_offers()).then(|| offers(game));
    offered.and_then(pick).or_else(|| pick(answers(game)))
}
