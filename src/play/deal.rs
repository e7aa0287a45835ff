//! Which cards are put into a game: from the tables of the rules, by name, with others put in their
//! stead; and what speaks against a cast, each mistake naming the rule that refuses it.
//!
//! Deals nothing: who gets which card is chance, and the engine asks for it.

use crate::{
    chance::Chance,
    words::{Words, listed},
};
use omerta_core::{
    diagnostic::Diagnostic,
    mistakes,
    plural::so_many,
    rules::{
        Cast, CastCheck, CastColumn, GroupId, GroupKind, Kind, MOST_CARDS, Op, PlannedCast, Proc, ProcId,
        ProcRole, Program, Reg, Ruleset, SeenBy, Silent, Thunk, ZoneId,
    },
    source::Span,
};
use omerta_engine::{Fault, Game, Hooks, Silence};
use omerta_syntax::tree::{Int, Name};
use std::sync::Arc;

/// A cast as somebody asks for it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Wanted {
    /// So many cards of each role.
    pub cards: Vec<(GroupId, u8)>,
    /// The role that fills the rest.
    pub rest: Option<GroupId>,
}

/// The cast that a table of the rules gives; `named` is `None` for the usual one.
pub fn from_table(
    rules: &Ruleset,
    named: Option<&str>,
    players: usize,
    place: Span,
) -> Result<PlannedCast, Diagnostic> {
    let cast = find_cast(rules, named, place)?;
    match cast.column(players) {
        Some(column) => Ok(PlannedCast {
            cards: column.cards(rules.cards_for(players)),
        }),
        None => Err(no_column(rules, cast, players, place)),
    }
}

fn find_cast<'r>(rules: &'r Ruleset, named: Option<&str>, place: Span) -> Result<&'r Cast, Diagnostic> {
    rules
        .casts
        .iter()
        .find(|cast| cast.name.as_deref() == named)
        .ok_or_else(|| no_cast(rules, named, place))
}

/// The cast somebody asks for, role by role: the counted cards, then the rest up to so many.
pub fn explicit(wanted: &Wanted, cards: usize) -> PlannedCast {
    let column = CastColumn {
        from: 0,
        to: 0,
        cards: wanted.cards.clone(),
        rest: wanted.rest,
    };
    PlannedCast {
        cards: column.cards(cards),
    }
}

/// Puts other cards into a cast, each for a card that it may stand in for: one for one, so that all
/// of them find a place whenever that is possible at all.
pub fn put_in(
    rules: &Ruleset,
    cast: &PlannedCast,
    others: &[GroupId],
    place: Span,
) -> Result<PlannedCast, Diagnostic> {
    match rules.put_in(&cast.cards, others) {
        Ok(cards) => Ok(PlannedCast { cards }),
        Err(other) => Err(no_place(rules, other, place)),
    }
}

/// Puts the names in the order of their seats where chance decides it, alike for every equal seed.
pub fn seat_by_lot(names: &mut [String], seed: u64) {
    // The game's own chance is `of_seed`: who sits where tells nothing of its cards.
    Chance::of_game(seed, 0).shuffle(names);
}

/// Everything that speaks against a cast, errors and warnings.
pub fn check(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    cast: &PlannedCast,
    players: usize,
    place: Span,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    if !rules.is_enough(cast.cards.len(), players) {
        problems.push(wrong_number(rules, cast.cards.len(), players, place));
    }
    for (role, copies) in counted(cast) {
        problems.extend(check_role(rules, cast, role, copies, place));
    }
    problems.extend(check_table(rules, cast, players, place));
    if problems.is_empty() {
        problems.extend(failed_checks(rules, hooks, cast, place));
    }
    problems
}

/// The tests of the rules that do not hold for a cast.
fn failed_checks(
    rules: &Ruleset,
    hooks: &Arc<dyn Hooks>,
    cast: &PlannedCast,
    place: Span,
) -> Vec<Diagnostic> {
    let Some(zone) = rules.role_zone.filter(|_| !rules.cast_checks.is_empty()) else {
        return Vec::new();
    };
    let laid_out = Arc::new(laying_out(rules, zone, cast.cards.len()));
    let seats = u8::try_from(cast.cards.len()).unwrap_or(u8::MAX);
    // A cast of more cards than a game can hold is refused when the game begins.
    let Ok(game) = Game::start(laid_out, hooks.clone(), seats, cast, &mut Silence) else {
        return Vec::new();
    };
    let words = Words { rules, names: &[] };
    let verdict = |check| match game.try_evaluate(&program_of(rules, check), &[]) {
        Ok(0) => Some(failed_check(check, place)),
        Ok(_) => None,
        Err(kind) => Some(broken_check(check, &words.fault(&Fault { kind, at: 0 }), place)),
    };
    rules.cast_checks.iter().filter_map(verdict).collect()
}

/// The rules with another beginning: card i is laid before seat i, and that is all of the game.
fn laying_out(rules: &Ruleset, zone: ZoneId, cards: usize) -> Ruleset {
    let mut rules = Ruleset {
        seats: (1, 64),
        // One short program is not worth another.
        silent: Silent::default(),
        ..rules.clone()
    };
    // Nobody looks on, so nobody need be told who may.
    let zone_of_roles = &mut rules.zones[zone.index()];
    (zone_of_roles.seen_by, zone_of_roles.backs) = (SeenBy::Nobody, SeenBy::Nobody);
    let entry = rules.code.len() as u32;
    for card in 0..cards.min(64) {
        let index = rules.constants.len() as u16;
        rules.constants.push(1 << card);
        rules.code.push(Op::Const { to: Reg(0), index });
        rules.code.push(Op::Move {
            cards: Reg(0),
            zone,
            seat: Reg(0),
            under: false,
        });
    }
    rules.code.push(Op::Return);
    if let Some(last) = rules.origins.last().copied() {
        rules.origins.resize(rules.code.len(), last);
    }
    rules.start = ProcId(rules.procs.len() as u16);
    rules.procs.push(Proc {
        role: ProcRole::Script,
        entry,
        exit: entry,
        registers: 1,
        clears: Vec::new(),
    });
    rules
}

/// A test as an expression by itself: all of the code, entered where the test begins.
fn program_of(rules: &Ruleset, check: &CastCheck) -> Program {
    let Thunk {
        at,
        result,
        registers,
    } = check.test;
    let mut code = rules.code.clone();
    if at != 0 {
        code[0] = Op::Jump { at };
    }
    Program {
        code,
        constants: rules.constants.clone(),
        result,
        registers,
        kind: Some(Kind::Truth),
        words: Vec::new(),
        texts: Vec::new(),
    }
}

/// Each role of a cast with how many there are, in the order of the rules.
fn counted(cast: &PlannedCast) -> Vec<(GroupId, usize)> {
    let mut roles = cast.cards.clone();
    roles.sort_unstable();
    roles.dedup();
    roles
        .iter()
        .map(|role| (*role, cast.cards.iter().filter(|card| *card == role).count()))
        .collect()
}

fn check_role(
    rules: &Ruleset,
    cast: &PlannedCast,
    id: GroupId,
    copies: usize,
    place: Span,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let Some(role) = rules.roles.get(id.index()) else {
        return vec![match rules.groups.get(id.index()).map(|group| group.kind) {
            Some(GroupKind::Team | GroupKind::Class) => not_drawn(rules, id, place),
            _ => no_role(rules, id, place),
        }];
    };
    if let Some(limit) = role.limit.filter(|limit| copies > usize::from(*limit)) {
        problems.push(too_many(rules, id, copies, limit, place));
    }
    // Another card of the same role neither is what it needs nor what it refuses.
    let is_there = |group: &&GroupId| {
        let others = cast.cards.iter().filter(|card| **card != id);
        { others }.any(|card| rules.is_of(*card, **group))
    };
    let missing = role.needs.iter().filter(|need| !is_there(need));
    problems.extend(missing.map(|need| needs(rules, id, *need, place)));
    let unwanted = role.refuses.iter().filter(is_there);
    problems.extend(unwanted.map(|refused| refuses(rules, id, *refused, place)));
    problems
}

/// Where the table of the rules is said to be all there is: what does not come of it.
fn check_table(rules: &Ruleset, cast: &PlannedCast, players: usize, place: Span) -> Option<Diagnostic> {
    let table = rules.casts.iter().find(|cast| cast.only && cast.name.is_none())?;
    let Some(column) = table.column(players) else {
        return Some(no_column(rules, table, players, place));
    };
    let cards = column.cards(rules.cards_for(players));
    let stray = rules.comes_of(&cards, &cast.cards).err()?;
    Some(not_of_the_table(rules, stray, table, place))
}

// ---- What is wrong with a cast

fn name(rules: &Ruleset, group: GroupId) -> &str {
    rules.groups.get(group.index()).map_or("?", |group| &group.name)
}

fn origin(rules: &Ruleset, group: GroupId) -> Option<Span> {
    rules.groups.get(group.index()).map(|group| group.origin)
}

fn no_cast(rules: &Ruleset, named: Option<&str>, place: Span) -> Diagnostic {
    let known = rules.casts.iter().filter_map(|cast| cast.name.as_ref());
    let known: Vec<_> = known.map(|name| format!("`{name}`")).collect();
    let message = match named {
        Some(named) => format!("`{}` has no cast called `{named}`", rules.name),
        None => format!("`{}` has no table of casts", rules.name),
    };
    let help = match known.is_empty() {
        true if rules.roles.is_empty() => {
            "everybody at a table has a card: declare one that all have, `role Player \"a player\"`, and `cast { Player rest }`"
                .to_owned()
        }
        true => "say which cards are in the game".to_owned(),
        false => format!("there is {}", listed(known, "and")),
    };
    Diagnostic::error("M0910", message, place, "a cast is wanted here").help(help)
}

fn no_column(rules: &Ruleset, cast: &Cast, players: usize, place: Span) -> Diagnostic {
    let (from, to) = (usize::from(rules.seats.0), usize::from(rules.seats.1));
    let so_many = match players {
        ..=MOST_CARDS => so_many(players, "player"),
        _ => format!("more than {}", so_many(MOST_CARDS, "player")),
    };
    let message = format!("the table has no cast for {so_many}");
    let problem = Diagnostic::error("M0911", message, place, "so many play");
    if players < from || players > to {
        return problem.help(format!("the game is for {} players", numbers(&[(from, to)])));
    }
    problem.also(cast.origin, "this table").help(format!(
        "it has one for {} players; give it a column for {players}, or count the cards out in a cast of your own",
        numbers(&runs_of(cast)),
    ))
}

/// The numbers of players that a table has a column for, as runs.
fn runs_of(cast: &Cast) -> Vec<(usize, usize)> {
    let columns = cast.columns.iter();
    let mut columns: Vec<_> = columns
        .map(|column| (usize::from(column.from), usize::from(column.to)))
        .collect();
    columns.sort_unstable();
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (from, to) in columns {
        match runs.last_mut() {
            Some(last) if from <= last.1 + 1 => last.1 = last.1.max(to),
            _ => runs.push((from, to)),
        }
    }
    runs
}

/// `4 to 8 and 10`
fn numbers(runs: &[(usize, usize)]) -> String {
    let words = runs.iter().map(|(from, to)| match from == to {
        true => format!("{from}"),
        false => format!("{from} to {to}"),
    });
    listed(words.collect(), "and")
}

mistakes! {
    pub(crate) fn two_rests(card: &Name) = error("M0408", card.span):
        "only one role can be the rest", "a second `rest`",
        help "give one of them a number";

    pub(crate) fn more_than_any_game(number: Int) = error("M0912", number.span):
        format!("no game has more than {MOST_CARDS} cards"), "so many of one",
        help "count one card for each player, and those the rules lay aside; or let one role be the `rest`";

    fn wrong_number(rules: &Ruleset, given: usize, players: usize, place: Span) = error("M0912", place):
        format!("{} {need} {at_least}{}, and the cast has {given}", so_many(players, "player"), so_many(wanted, "card")),
        so_many(given, "card"),
        help "count one card for each player, and those the rules lay aside; or let one role be the `rest`",
        where wanted = rules.cards_for(players),
        where need = if players == 1 { "needs" } else { "need" },
        where at_least = if rules.spare_rest { "at least " } else { "" };

    fn not_of_the_table(rules: &Ruleset, role: GroupId, table: &Cast, place: Span) = error("M0917", place):
        format!("no card of the table is left that `{}` could replace", name(rules, role)), "this cast",
        also table.origin, "only what comes of this table may be played",
        help stands_for(rules, role);

    fn no_role(rules: &Ruleset, group: GroupId, place: Span) = error("M0913", place):
        format!("`{}` is no role and cannot be dealt", name(rules, group)), "this cast",
        also origin(rules, group), "declared here",
        help "deal a role";

    fn not_drawn(rules: &Ruleset, group: GroupId, place: Span) = error("M0913", place):
        format!("which role of `{}` is in the game is not said", name(rules, group)), "this cast",
        also origin(rules, group), "declared here",
        help "name the card of every seat, or write all of them into a line `cast`; `otherwise random with seed 1` draws them";

    fn too_many(rules: &Ruleset, role: GroupId, copies: usize, limit: u8, place: Span) = error("M0914", place):
        format!("{copies} cards of `{name}` are in the game, and at most {limit} may be"), "this cast",
        also origin(rules, role), "declared here",
        help format!("take some `{name}` out"),
        where name = name(rules, role);

    fn needs(rules: &Ruleset, role: GroupId, need: GroupId, place: Span) = error("M0915", place):
        format!("`{role_name}` needs `{need_name}`, which is not in the game"), "this cast",
        also origin(rules, role), "declared here",
        help format!("add `{need_name}`, or take `{role_name}` out"),
        where (role_name, need_name) = (name(rules, role), name(rules, need));

    fn refuses(rules: &Ruleset, role: GroupId, refused: GroupId, place: Span) = error("M0916", place):
        format!("`{}` refuses `{}`, and both are in the game", name(rules, role), name(rules, refused)), "this cast",
        also origin(rules, role), "declared here",
        help "take one of them out";

    fn no_place(rules: &Ruleset, role: GroupId, place: Span) = error("M0917", place):
        format!("no card is left that `{}` could replace", name(rules, role)), "to be put in",
        also origin(rules, role), "declared here",
        help stands_for(rules, role);
}

/// What a role may be put in for, in words.
fn stands_for(rules: &Ruleset, role: GroupId) -> String {
    let name_of = name(rules, role);
    let lists = rules
        .roles
        .get(role.index())
        .map_or(&[][..], |role| &role.replaces[..]);
    let words = |list: &Vec<GroupId>| {
        let roles = list.iter().map(|group| format!("`{}`", name(rules, *group)));
        listed(roles.collect(), "or")
    };
    let lists: Vec<String> = lists.iter().map(words).collect();
    match lists.as_slice() {
        [] => format!("`{name_of}` replaces nothing; put it into the cast by hand"),
        [list] => format!("it replaces {list}, one card for one"),
        lists => format!("the first card of it replaces {}", lists.join("; the next ")),
    }
}

fn failed_check(check: &CastCheck, place: Span) -> Diagnostic {
    let words = check.message.clone();
    if check.warning {
        Diagnostic::warning("M0919", "cast", words, place, "this cast").also(check.origin, "warned of here")
    } else {
        Diagnostic::error("M0918", words, place, "this cast").also(check.origin, "required here")
    }
}

/// A test that a script of the rules cannot answer.
fn broken_check(check: &CastCheck, why: &str, place: Span) -> Diagnostic {
    let words = format!("it cannot be told whether this cast may be played: {why}");
    Diagnostic::error("M0943", words, place, "this cast").also(check.origin, "required here")
}
