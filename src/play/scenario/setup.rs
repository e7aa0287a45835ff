//! Lays the table of a scenario: the rules, the seats, the cards and who shall get which.

use super::{
    blame,
    expand::Test,
    notes::fits,
    rules::{RulesSource, RulesWithScripts},
};
use crate::{
    casting,
    chance::Chance,
    deal::{self, Wanted},
    names::is_taken,
    session::{Session, Table},
};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    rules::{Draw, GroupId, GroupKind, MOST_CARDS, PlannedCast, Ruleset, Shuffle, ZoneId},
    source::Span,
};
use omerta_engine::{Hooks, StartError};
use omerta_syntax::{
    play_tree::{CastCount, CastEntry, LineKind, Otherwise, Person, Seat, SetupVerdict, Wording},
    tree::{Expr, Name},
};
use std::{collections::VecDeque, sync::Arc};

/// A game that has begun, and what its deal and its chance shall be.
pub(super) struct Begun<'t> {
    pub(super) session: Session,
    /// Which cards each seat shall still be dealt, with where that is written.
    pub(super) hands: Vec<VecDeque<(GroupId, Span)>>,
    /// Which cards a shuffle lets come to the top, first the topmost.
    pub(super) piles: Vec<(ZoneId, VecDeque<(GroupId, Span)>)>,
    /// Which cards nobody shall be dealt.
    pub(super) aside: Vec<(GroupId, Span)>,
    pub(super) otherwise: Option<Otherwise>,
    pub(super) standing: Vec<Standing<'t>>,
    pub(super) warnings: Vec<Diagnostic>,
}

/// What the lines before the first scene say; of each sort the last one.
#[derive(Default)]
struct Lines<'t> {
    ruleset: Option<(&'t Name, &'t [Name])>,
    options: Vec<(Name, Name)>,
    seats: Option<(&'t [Seat], Span)>,
    /// Whether chance decides who sits where.
    by_lot: bool,
    cast: Option<(&'t [CastEntry], Span)>,
    aside: Vec<&'t Name>,
    piles: Vec<(&'t Name, &'t [Name])>,
    otherwise: Option<Otherwise>,
    standing: Vec<Standing<'t>>,
}

/// `otherwise host [mood] -> calm`: who is asked, if not anybody, which question, the answer.
pub(super) type Standing<'t> = (&'t [Person], &'t Name, &'t Expr);

/// Begins the game of a scenario, or says why it cannot begin.
pub(super) fn begin<'t>(test: &'t Test, source: &dyn RulesSource) -> Result<Begun<'t>, Vec<Diagnostic>> {
    let lines = gather(test);
    let one = |diagnostic| vec![diagnostic];
    let (base, overlays) = lines
        .ruleset
        .ok_or_else(|| one(blame::missing("ruleset", "ruleset city", test.span)))?;
    let (seats, place) = lines.seats.ok_or_else(|| {
        one(blame::missing(
            "seats",
            "seats Ann: Healer, Bob: Smuggler, Cid",
            test.span,
        ))
    })?;
    each_name_once(seats).map_err(one)?;
    let bench = source.rules(base, overlays, &lines.options)?;
    let rules = &*bench.rules;
    for (_, choice, _) in &lines.standing {
        let known = rules.asks.iter().map(|ask| ask.name.as_str());
        if !known.clone().any(|known| known == choice.text) {
            return Err(one(blame::unknown("choice", &choice.text, choice.span, known)));
        }
    }
    names_of_rules(source, rules, seats).map_err(one)?;
    columns_of_players(test, seats).map_err(one)?;
    let seats = &seated(rules, &lines, seats, place).map_err(one)?[..];
    let hands = seats
        .iter()
        .map(|seat| cards(rules, &seat.cards))
        .collect::<Result<Vec<_>, _>>()
        .map_err(one)?;
    let piles = piles(rules, &lines.piles).map_err(one)?;
    let aside: Vec<_> = { lines.aside.iter() }
        .map(|name| Ok((role(rules, name)?, name.span)))
        .collect::<Result<_, _>>()
        .map_err(one)?;
    let cast = cast(
        rules,
        &lines,
        &Named {
            hands: &hands,
            piles: &piles,
            aside: &aside,
        },
        place,
    )
    .map_err(one)?;
    let cast = match seed(&lines) {
        Some(seed) => casting::drawn(
            rules,
            &bench.hooks,
            cast,
            seats.len(),
            &mut Chance::of_game(seed, 1),
        ),
        None => cast,
    };
    check_aside(rules, &cast, &hands, &aside).map_err(one)?;
    check_piles(rules, &cast, &piles).map_err(one)?;
    let (warnings, errors): (Vec<_>, Vec<_>) = deal::check(rules, &bench.hooks, &cast, seats.len(), place)
        .into_iter()
        .partition(|problem| problem.severity == Severity::Warning);
    if !errors.is_empty() {
        return Err(errors);
    }
    let session = start(bench, names(seats), cast, &lines, place).map_err(one)?;
    Ok(Begun {
        session,
        hands,
        piles,
        aside,
        otherwise: lines.otherwise,
        standing: lines.standing,
        warnings,
    })
}

/// What the same text comes to without its overlays, and with each other value of an option.
pub(super) fn other_rules(test: &Test, source: &dyn RulesSource, rules: &Ruleset) -> Vec<RulesWithScripts> {
    let lines = gather(test);
    let Some((base, overlays)) = lines.ruleset else {
        return Vec::new();
    };
    let without = source.rules(base, &[], &[]).ok().filter(|_| !overlays.is_empty());
    let named = |text: &String| Name::new(text.clone(), base.span);
    let values = rules.options.iter().flat_map(|option| {
        let others = option
            .values
            .iter()
            .filter(|value| **value != option.value && !value.contains(".."));
        others.map(|value| (named(&option.name), named(value)))
    });
    let changed = values.filter_map(|(option, value)| {
        let mut options = lines.options.clone();
        options.retain(|(known, _)| known.text != option.text);
        options.push((option, value));
        source.rules(base, overlays, &options).ok()
    });
    without.into_iter().chain(changed).collect()
}

fn gather(test: &Test) -> Lines<'_> {
    let mut lines = Lines::default();
    for line in &test.lines {
        match &line.kind {
            LineKind::Ruleset { base, overlays } => lines.ruleset = Some((base, overlays)),
            LineKind::Set { option, value } => {
                lines.options.retain(|(known, _)| known.text != option.text);
                lines.options.push((option.clone(), value.clone()));
            }
            LineKind::Seats(seats) => (lines.seats, lines.by_lot) = (Some((&seats[..], line.span)), false),
            LineKind::SeatsByLot(seats) => {
                (lines.seats, lines.by_lot) = (Some((&seats[..], line.span)), true)
            }
            LineKind::Cast(cast) => lines.cast = Some((cast, line.span)),
            LineKind::Aside(cards) => {
                // `aside nobody` takes back what the head of the file lays aside.
                let is_none = matches!(&cards[..], [card] if card.text == "nobody");
                lines.aside = cards.iter().filter(|_| !is_none).collect();
            }
            LineKind::Pile { zone, cards } => {
                lines.piles.retain(|(known, _)| known.text != zone.text);
                lines.piles.push((zone, cards));
            }
            LineKind::Standing { who, choice, answer } => {
                lines.standing.push((who, choice, answer));
            }
            LineKind::Otherwise(otherwise) => lines.otherwise = Some(otherwise.clone()),
            _ => {}
        }
    }
    lines
}

/// Two of one name could not be told apart.
fn each_name_once(seats: &[Seat]) -> Result<(), Diagnostic> {
    let names: Vec<&Name> = seats.iter().filter_map(|seat| seat.name.as_ref()).collect();
    let twice = names.iter().enumerate().find_map(|(at, name)| {
        let before = names[..at].iter().find(|known| known.text == name.text);
        before.map(|before| (*before, *name))
    });
    match twice {
        Some((first, again)) => Err(blame::same_name(&again.text, first.span, again.span)),
        None => Ok(()),
    }
}

/// Whoever is called as a role or something else of the rules is could not be told from that.
fn names_of_rules(source: &dyn RulesSource, rules: &Ruleset, seats: &[Seat]) -> Result<(), Diagnostic> {
    let is_known = |name: &Name| {
        let text = &name.text;
        let facts = rules.facts.iter().filter(|fact| !fact.hidden);
        let mut others = { facts.map(|fact| &fact.name) }.chain(rules.zones.iter().map(|zone| &zone.name));
        let is_small = text.starts_with(char::is_lowercase);
        is_taken(text)
            || rules.group_named(text).is_some()
            || others.any(|known| known == text)
            || is_small && source.compile(rules, &Expr::named(name.clone()), &[]).is_ok()
    };
    let mut named = seats.iter().filter_map(|seat| seat.name.as_ref());
    let taken = named.find(|name| is_known(name));
    taken.map_or(Ok(()), |name| Err(blame::name_of_rules(&name.text, name.span)))
}

/// A column that is called as somebody at the table would stand for another in every line below it.
fn columns_of_players(test: &Test, seats: &[Seat]) -> Result<(), Diagnostic> {
    let names: Vec<&str> = { seats.iter().flat_map(|seat| &seat.name) }
        .map(|name| name.text.as_str())
        .collect();
    let mut columns = test.columns.iter();
    let taken = columns.find(|name| names.contains(&name.text.as_str()));
    taken.map_or(Ok(()), |name| Err(blame::column_of_player(&name.text, name.span)))
}

/// The seats in their order; where chance decides it, in that of its seed.
fn seated(rules: &Ruleset, lines: &Lines<'_>, seats: &[Seat], place: Span) -> Result<Vec<Seat>, Diagnostic> {
    if !lines.by_lot {
        return Ok(seats.to_vec());
    }
    if !rules.by_lot {
        return Err(blame::not_by_lot(&rules.name, place));
    }
    let Some(Otherwise::Random(seed)) = lines.otherwise else {
        return Err(blame::undecided("who sits where", place));
    };
    let mut drawn = names(seats);
    deal::seat_by_lot(&mut drawn, seed.value as u64);
    let of = |name: String| {
        seats
            .iter()
            .find(|seat| seat.name.as_ref().is_some_and(|n| n.text == name))
    };
    Ok(drawn.into_iter().filter_map(of).cloned().collect())
}

/// The names of the seats; a seat without one goes by its number.
fn names(seats: &[Seat]) -> Vec<String> {
    let name = |(index, seat): (usize, &Seat)| match &seat.name {
        Some(name) => name.text.clone(),
        None => (index + 1).to_string(),
    };
    seats.iter().enumerate().map(name).collect()
}

fn cards(rules: &Ruleset, names: &[Name]) -> Result<VecDeque<(GroupId, Span)>, Diagnostic> {
    names
        .iter()
        .map(|name| Ok((card(rules, name)?, name.span)))
        .collect()
}

/// A role; or a token or what lies on one, which may be dealt, too.
fn card(rules: &Ruleset, name: &Name) -> Result<GroupId, Diagnostic> {
    let is_token = |group: &GroupId| {
        let kind = rules.groups[group.index()].kind;
        matches!(kind, GroupKind::Token | GroupKind::Face)
    };
    match rules.group_named(&name.text).filter(is_token) {
        Some(token) => Ok(token),
        None => role(rules, name),
    }
}

fn role(rules: &Ruleset, name: &Name) -> Result<GroupId, Diagnostic> {
    let found = rules.role_named(&name.text);
    let known = || {
        rules
            .groups
            .iter()
            .take(rules.roles.len())
            .map(|group| group.name.as_str())
    };
    found.ok_or_else(|| blame::unknown("role", &name.text, name.span, known()))
}

type Piles = Vec<(ZoneId, VecDeque<(GroupId, Span)>)>;

fn piles(rules: &Ruleset, lines: &[(&Name, &[Name])]) -> Result<Piles, Diagnostic> {
    let pile = |(zone, names): &(&Name, &[Name])| {
        let found = rules.zones.iter().position(|known| known.name == zone.text);
        let known = || rules.zones.iter().map(|zone| zone.name.as_str());
        let found = found.ok_or_else(|| blame::unknown("zone", &zone.text, zone.span, known()))?;
        let lies_by_chance = |draw: &Draw| match draw.shuffle {
            Some(Shuffle::Pile(zone) | Shuffle::Deal(zone)) => zone.index() == found,
            _ => false,
        };
        if !rules.draws.iter().any(lies_by_chance) {
            return Err(blame::never_shuffled(&zone.text, zone.span));
        }
        // Tokens may be shuffled, too: any group will do here.
        let card = |name: &Name| {
            let group = rules.group_named(&name.text);
            let known = || rules.groups.iter().map(|group| group.name.as_str());
            Ok((
                group.ok_or_else(|| blame::unknown("card", &name.text, name.span, known()))?,
                name.span,
            ))
        };
        Ok((
            ZoneId(found as u8),
            names.iter().map(card).collect::<Result<_, _>>()?,
        ))
    };
    lines.iter().map(pile).collect()
}

/// The cards that the lines name.
struct Named<'t> {
    hands: &'t [VecDeque<(GroupId, Span)>],
    piles: &'t Piles,
    aside: &'t [(GroupId, Span)],
}

/// What lies aside must be in the game, beside what the seats are dealt.
fn check_aside(
    rules: &Ruleset,
    cast: &PlannedCast,
    hands: &[VecDeque<(GroupId, Span)>],
    aside: &[(GroupId, Span)],
) -> Result<(), Diagnostic> {
    let mut left = cast.cards.clone();
    for (role, _) in hands.iter().flatten() {
        if let Some(at) = left.iter().position(|card| card == role) {
            left.remove(at);
        }
    }
    match first_missing(rules, left, aside) {
        Some((role, span)) => Err(blame::not_to_lie_aside(&rules.groups[role.index()].name, span)),
        None => Ok(()),
    }
}

/// What piles are said to hold must be in the game.
fn check_piles(rules: &Ruleset, cast: &PlannedCast, piles: &Piles) -> Result<(), Diagnostic> {
    for (zone, pile) in piles {
        let roles = { pile.iter() }.filter(|(card, _)| is_role(rules, *card));
        if let Some((role, span)) = first_missing(rules, cast.cards.clone(), roles) {
            let zone = &rules.zones[zone.index()].name;
            let has = cast.cards.iter().filter(|card| **card == role).count();
            return Err(blame::not_to_lie_there(
                &rules.groups[role.index()].name,
                zone,
                has,
                span,
            ));
        }
    }
    Ok(())
}

/// The first of some cards that is not among others, each taken once.
fn first_missing<'a>(
    rules: &Ruleset,
    mut among: Vec<GroupId>,
    cards: impl IntoIterator<Item = &'a (GroupId, Span)>,
) -> Option<(GroupId, Span)> {
    let mut cards = cards.into_iter();
    let missing = cards.find(|(card, _)| {
        // A row that is for several roles may be any of them.
        let own = among.iter().position(|other| other == card);
        let fits = own.or_else(|| among.iter().position(|other| rules.is_of(*card, *other)));
        fits.map(|at| among.swap_remove(at)).is_none()
    });
    missing.copied()
}

fn is_role(rules: &Ruleset, group: GroupId) -> bool {
    group.index() < rules.roles.len()
}

/// The cards of the game: those of `cast`; or those named, where each seat names its own; or the
/// ruleset's table, with the named ones put in the stead of what they may replace.
fn cast(
    rules: &Ruleset,
    lines: &Lines<'_>,
    Named { hands, piles, aside }: &Named<'_>,
    place: Span,
) -> Result<PlannedCast, Diagnostic> {
    if let Some((entries, place)) = lines.cast {
        return explicit(rules, entries, hands.len(), place);
    }
    let is_role = |group: &GroupId| is_role(rules, *group);
    let dealt = hands.iter().flatten().map(|(role, _)| *role).filter(is_role);
    let set_aside = aside.iter().map(|(role, _)| *role);
    let mut named: Vec<GroupId> = dealt.chain(set_aside).collect();
    let piled: Vec<GroupId> = piles
        .iter()
        .flat_map(|(_, pile)| pile)
        .map(|(group, _)| *group)
        .filter(is_role)
        .collect();
    // Where no hand is named, the cards of the piles are the cards of the game.
    let only_piles = hands.iter().all(VecDeque::is_empty);
    if only_piles {
        named.extend(piled);
    }
    // How many are left over the table knows.
    if let (true, Ok(deck)) = (
        rules.spare_rest,
        deal::from_table(rules, None, hands.len(), place),
    ) {
        let names = hands.iter().flatten().chain(*aside);
        let names = names.filter(|(card, _)| is_role(card));
        let missing = first_missing(rules, deck.cards.clone(), names);
        let has = |role| deck.cards.iter().filter(|known| **known == role).count();
        let told = missing.map(|(role, span)| (&rules.groups[role.index()].name, has(role), span));
        return with_named(rules, deck, named, place).map_err(|problem| match told {
            Some((role, has, span)) => blame::not_in_the_deck(role, has, span),
            None => problem,
        });
    }
    let are_all = match only_piles {
        true => named.len() >= rules.cards_for(hands.len()),
        false => hands
            .iter()
            .all(|hand| hand.iter().any(|(card, _)| is_role(card))),
    };
    if are_all {
        return Ok(PlannedCast { cards: named });
    }
    let table = deal::from_table(rules, None, hands.len(), place)?;
    with_named(rules, table, named, place)
}

/// A cast with cards put in that it does not have; those named that it has stay.
fn with_named(
    rules: &Ruleset,
    mut table: PlannedCast,
    named: Vec<GroupId>,
    place: Span,
) -> Result<PlannedCast, Diagnostic> {
    let mut stays = vec![false; table.cards.len()];
    let mut others = Vec::new();
    for card in named {
        let left = |at: &usize| !stays[*at] && rules.is_of(card, table.cards[*at]);
        // Its own row before one that is for several roles.
        let open = |at: &usize| rules.is_open(table.cards[*at]);
        let own = (0..stays.len()).rfind(|at| left(at) && !open(at));
        match own.or_else(|| (0..stays.len()).rfind(left)) {
            Some(at) => (stays[at], table.cards[at]) = (true, card),
            None => others.push(card),
        }
    }
    let left = table.cards.iter().zip(&stays).filter(|(_, stays)| !**stays);
    let left = PlannedCast {
        cards: left.map(|(card, _)| *card).collect(),
    };
    let put = deal::put_in(rules, &left, &others, place)?;
    let mut put = put.cards.into_iter();
    let card = |(card, stays): (&GroupId, &bool)| if *stays { Some(*card) } else { put.next() };
    Ok(PlannedCast {
        cards: table.cards.iter().zip(&stays).filter_map(card).collect(),
    })
}

/// The cast that a `cast` line asks for: one of the rules by name, or role by role.
pub fn explicit(
    rules: &Ruleset,
    entries: &[CastEntry],
    players: usize,
    place: Span,
) -> Result<PlannedCast, Diagnostic> {
    let is_cast = |name: &Name| {
        rules
            .casts
            .iter()
            .any(|cast| cast.name.as_ref() == Some(&name.text))
    };
    match entries {
        [CastEntry { name, count: None }] if is_cast(name) => {
            return deal::from_table(rules, Some(&name.text), players, place);
        }
        _ => {}
    }
    let mut wanted = Wanted::default();
    for entry in entries {
        let card = role(rules, &entry.name)?;
        match entry.count {
            Some(CastCount::Rest(_)) if wanted.rest.is_some() => return Err(deal::two_rests(&entry.name)),
            Some(CastCount::Rest(_)) => wanted.rest = Some(card),
            Some(CastCount::Cards(int)) => {
                let cards = u8::try_from(int.value)
                    .ok()
                    .filter(|cards| usize::from(*cards) <= MOST_CARDS);
                wanted
                    .cards
                    .push((card, cards.ok_or_else(|| deal::more_than_any_game(int))?));
            }
            None => wanted.cards.push((card, 1)),
        }
    }
    Ok(deal::explicit(&wanted, rules.cards_for(players)))
}

/// What chance goes by where a scenario says nothing of it.
fn seed(lines: &Lines<'_>) -> Option<u64> {
    match lines.otherwise {
        Some(Otherwise::Random(seed)) => Some(seed.value as u64),
        _ => None,
    }
}

fn start(
    RulesWithScripts { rules, hooks }: RulesWithScripts,
    names: Vec<String>,
    cast: PlannedCast,
    lines: &Lines<'_>,
    place: Span,
) -> Result<Session, Diagnostic> {
    let seed = seed(lines);
    let hooks: Arc<dyn Hooks> = hooks;
    let table = Table {
        rules,
        hooks,
        names,
        cast,
        seed,
    };
    Session::start(table).map_err(|error| blame::cannot_start(&no_start(&error, "it"), place))
}

/// Why `what` cannot begin, in the words of whoever speaks of it.
pub fn no_start(error: &StartError, what: &str) -> String {
    match error {
        StartError::Seats { given, from, to } => format!("{given} play, and {what} is for {from} to {to}"),
        StartError::TooManyCards { given } => {
            format!("{given} cards and tokens are more than the {MOST_CARDS} there may be")
        }
        StartError::NoRole { card } => format!("card {} is no role", card.index()),
    }
}

/// The expectations about the setup that are not met by what was found wrong with it.
pub(super) fn not_met(
    wanted: &[(Span, SetupVerdict, &[Wording], bool)],
    found: &[Diagnostic],
) -> Vec<Diagnostic> {
    let messages: Vec<_> = found.iter().map(|problem| problem.message.clone()).collect();
    let begins = found.iter().all(|problem| problem.severity != Severity::Error);
    let is_met = |verdict: SetupVerdict, wordings: &[Wording], only: bool| {
        let severity = match verdict {
            SetupVerdict::Error => Severity::Error,
            SetupVerdict::Warning | SetupVerdict::NoWarning => Severity::Warning,
        };
        let mut such = found.iter().filter(|problem| problem.severity == severity);
        let says = |wording: &Wording, problem: &Diagnostic| fits(wording, &problem.message, None, &[]);
        if only {
            let all = wordings.iter().map(Some).chain([None]);
            return { all }.all(|wording| match (wording, such.next()) {
                (Some(wording), Some(problem)) => says(wording, problem),
                (None, None) => true,
                _ => false,
            });
        }
        let any = such.any(|problem| wordings.iter().all(|wording| says(wording, problem)));
        any == (verdict != SetupVerdict::NoWarning)
    };
    let unmet = wanted
        .iter()
        .filter(|(_, verdict, wordings, only)| !is_met(*verdict, wordings, *only));
    unmet
        .map(|(span, verdict, ..)| blame::setup_holds(*verdict, begins, &messages, *span))
        .collect()
}
