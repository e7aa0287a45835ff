//! Every table a game can be played at: all rulesets of the folders and the pages, as they are and
//! with random options and overlays, and random casts for them.

use crate::docs::{Page, all_pages};
use omerta::{
    check::{Names, Request, check_ruleset},
    diagnostic::Severity,
    engine::{Choice, Domain, Game, Hooks, Listener, NoHooks, OpenBranch, OpenOffer, Pending, Target},
    faces::{bundle::Shelf, files},
    hooks::Scripts,
    play::{chance::Chance, deal},
    rules::{GroupId, PlannedCast, Ruleset},
    source::{Loader, SourceId, Sources, Span},
    syntax::{parse_file, tree::ItemKind},
};
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
}

/// What may be laid: a base, and the overlays that stand in one folder.
struct Family {
    base: String,
    overlays: Vec<String>,
    /// Whether its options are tried: pages about mistakes have some that are mistakes.
    varied: bool,
    loader: Box<dyn Loader>,
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
    let checked = check_ruleset(&mut sources, loader, &request);
    if checked.diagnostics.iter().any(|d| d.severity == Severity::Error) {
        return None;
    }
    let rules = Arc::new(checked.rules?);
    let hooks: Arc<dyn Hooks> = if rules.hooks.is_empty() {
        Arc::new(NoHooks)
    } else {
        Arc::new(Scripts::compile(&rules).ok()?)
    };
    let options = options.iter().map(|(name, value)| format!(" {name}={value}"));
    let name = format!("{base} {}{}", overlays.join(" "), options.collect::<String>());
    Some(Table {
        name,
        rules,
        hooks,
        names: checked.names,
    })
}

impl Family {
    fn tables(&self) -> Vec<Table> {
        let Some(plain) = lay(&*self.loader, &self.base, &[], &[]) else {
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
            lay(&*self.loader, &self.base, &overlays, &options)
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
            match item.kind {
                ItemKind::Ruleset { .. } => families.push(Family {
                    base: stem(),
                    overlays: Vec::new(),
                    varied: true,
                    loader: Box::new(shelf.clone()),
                }),
                ItemKind::Overlay { bases, .. } => {
                    for base in bases {
                        let laid = overlays.entry((path.clone(), base.text)).or_default();
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
        loader: Box::new(Shelf { folder: Some(folder) }),
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
                loader: Box::new(Page::of(&blocks)),
            })
        }));
    }
    families
}

// ---- casts

/// Seats and cards: what a table of the rules gives, or that with cards put in that may stand in for
/// others, as long as the rules have nothing against it.
pub fn cast(table: &Table, seed: u64) -> Option<(u8, PlannedCast)> {
    let mut chance = Chance::of_seed(seed);
    (0..100).find_map(|_| random_cast(table, &mut chance))
}

fn random_cast(table: &Table, chance: &mut Chance) -> Option<(u8, PlannedCast)> {
    let rules = &table.rules;
    let pick = |count: usize, chance: &mut Chance| chance.below(count.max(1) as u64) as usize;
    let named = rules.casts.get(pick(rules.casts.len(), chance))?;
    let column = named.columns.get(pick(named.columns.len(), chance))?;
    let (from, to) = (column.from.max(rules.seats.0), column.to.min(rules.seats.1));
    let seats = from + chance.below(u64::from(to.checked_sub(from)?) + 1) as u8;
    let named = &named.name;
    let place = Span::default();
    let mut cards = deal::from_table(rules, named.as_deref(), usize::from(seats), place).ok()?;
    if chance.below(2) == 0 {
        let joker = |role: &usize| !rules.roles[*role].replaces.is_empty();
        let mut others: Vec<usize> = (0..rules.roles.len()).filter(joker).collect();
        chance.shuffle(&mut others);
        others.truncate(chance.below(others.len() as u64 + 1) as usize);
        for role in others {
            // One that finds no place stays out.
            let put = deal::put_in(rules, &cards, &[GroupId(role as u16)], place);
            cards = put.unwrap_or(cards);
        }
    }
    let wrong = deal::check(rules, &table.hooks, &cards, usize::from(seats), place)
        .iter()
        .any(|d| d.severity == Severity::Error);
    (!wrong).then_some((seats, cards))
}

/// Begins a game.
pub fn start(table: &Table, (seats, cards): &(u8, PlannedCast), listener: &mut impl Listener) -> Game {
    Game::start(table.rules.clone(), table.hooks.clone(), *seats, cards, listener)
        .expect("a cast that nothing speaks against can begin")
}

// ---- what may be answered

/// Every answer to what is pending; of a long row of numbers the ends and the middle.
pub fn answers(game: &Game) -> Vec<Choice> {
    match game.pending() {
        Pending::Ask(asked) => within(game, asked.domain),
        Pending::Chance(drawn) => within(game, drawn.domain),
        Pending::Over(_) | Pending::Broken(_) => Vec::new(),
    }
}

/// Every way to take up an offer that stands open.
pub fn offers(game: &Game) -> Vec<Choice> {
    let taken = |OpenOffer { offer, by, among }: OpenOffer| {
        targets(among)
            .into_iter()
            .map(move |target| Choice::Offer { offer, by, target })
    };
    game.offers().into_iter().flat_map(taken).collect()
}

fn bits(set: u64) -> impl Iterator<Item = u8> {
    (0..64).filter(move |bit| set >> bit & 1 == 1)
}

fn within(game: &Game, domain: Domain) -> Vec<Choice> {
    let (mut all, pass): (Vec<Choice>, bool) = match domain {
        Domain::Seats { among, pass } => (bits(among).map(Choice::Seat).collect(), pass),
        Domain::Cards { among, pass, .. } => (bits(among).map(Choice::Card).collect(), pass),
        Domain::Titles { among, pass } => (bits(among).map(|n| Choice::Title(u16::from(n))).collect(), pass),
        Domain::Numbers { low, high, pass } if low > high => (Vec::new(), pass),
        Domain::Numbers { low, high, pass } if high - low < 32 => {
            ((low..=high).map(Choice::Number).collect(), pass)
        }
        Domain::Numbers { low, high, pass } => (
            [low, low + (high - low) / 2, high].map(Choice::Number).to_vec(),
            pass,
        ),
        Domain::YesNo => (vec![Choice::Yes, Choice::No], false),
        Domain::Go => (vec![Choice::Go], false),
        Domain::Words { .. } => {
            let words = game.weights().iter().enumerate();
            let possible = words.filter(|(_, (_, weight))| *weight > 0);
            (possible.map(|(n, _)| Choice::Word(n as u16)).collect(), false)
        }
        Domain::Menu => {
            let taken = |open: OpenBranch| {
                let branch = open.branch;
                let ways = targets(open.among).into_iter();
                ways.map(move |target| Choice::Branch { branch, target })
            };
            (game.branches().flat_map(taken).collect(), false)
        }
    };
    all.extend(pass.then_some(Choice::Pass));
    all
}

fn targets(among: Option<Domain>) -> Vec<Target> {
    match among {
        None => vec![Target::Nothing],
        Some(Domain::Seats { among, .. }) => bits(among).map(Target::Seat).collect(),
        Some(Domain::Cards { among, .. }) => bits(among).map(Target::Card).collect(),
        Some(Domain::Titles { among, .. }) => bits(among).map(|n| Target::Title(u16::from(n))).collect(),
        Some(_) => Vec::new(),
    }
}

/// The answer that a number stands for: now and then an offer, where one stands open.
pub fn chosen(game: &Game, number: u32) -> Option<Choice> {
    let pick = |ways: Vec<Choice>| {
        let index = (number / 8) as usize % ways.len().max(1);
        ways.get(index).copied()
    };
    let offered = (number.is_multiple_of(8) && game.has_offers()).then(|| offers(game));
    offered.and_then(pick).or_else(|| pick(answers(game)))
}
