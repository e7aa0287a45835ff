//! The table as the host sees it: a drawing with the seats around it where there is room for one, a
//! list elsewhere; what lies on it, what is counted, and which offers stand open.

use super::desk::Desk;
use omerta_core::gather;
use omerta_core::rules::{Fact, FactId, FactShape, GroupId, Ruleset, SeenBy, ZoneId};
use omerta_engine::{Domain, Game, Log, Pending, Value, Viewer, What};
use omerta_play::{
    options,
    words::{Words, face_down, listed},
};

/// No cell of the drawing is narrower than this.
const NARROWEST: usize = 12;
/// Nor wider.
const WIDEST: usize = 24;
/// The drawing is no wider than this, however wide the screen.
const LONGEST: usize = 110;

impl Desk {
    /// Who sits where, as the screen allows: drawn or listed.
    pub fn table_text(&self) -> String {
        let (words, game) = (self.words(), self.game());
        let cells = places(game)
            .map(|(place, seat)| cell(game, &words, (place, seat)))
            .collect();
        let drawn = self.drawing(cells, &self.counts_text(&words, Viewer::Host));
        drawn.map_or_else(|| self.seats_text(), |drawn| drawn + &self.zones_text(&words)[..])
    }

    /// The same as one seat has seen it: the cards and tokens that were shown to it, where they lay
    /// then. Nothing else is known of a table but what was told.
    pub fn table_seen(&self, viewer: Viewer) -> String {
        let words = self.words();
        let seen = seen(self.log(), viewer, words.rules);
        let lies_in = |wanted: Place| -> Vec<String> {
            let there = seen.iter().filter(|card| card.place == wanted);
            let mut there: Vec<String> = there.map(|card| words.group(card.group)).collect();
            let more = backs(self.game(), words.rules, wanted, viewer).saturating_sub(there.len());
            there.extend((more > 0).then(|| face_down(more)));
            there
        };
        let hand = |seat: u8| {
            words
                .rules
                .role_zone
                .map_or_else(Vec::new, |zone| lies_in((zone, Some(seat))))
        };
        let known = |(place, seat): (usize, u8)| {
            let head = format!("{place} {}", words.seat(seat));
            (head, hand(seat), facts_of(self.game(), &words, seat, viewer))
        };
        let known: Vec<(String, Vec<String>, Vec<String>)> = places(self.game()).map(known).collect();
        let cells = { known.iter() }.map(|(head, hand, facts)| {
            let facts = below(facts.clone());
            [vec![head.clone()], hand.clone(), facts].concat()
        });
        let zones: String = self
            .other_zones()
            .map(|place| zone_line(&words, place, like_together(lies_in(place))))
            .collect();
        let counts = self.counts_text(&words, viewer);
        let seats = self.drawing(cells.collect(), &counts).unwrap_or_else(|| {
            let lines = known
                .iter()
                .map(|(head, hand, facts)| match hand.is_empty() && facts.is_empty() {
                    true => String::new(),
                    false => format!("  {head}  {}\n", [&hand[..], facts].concat().join(", ")),
                });
            lines.collect::<String>() + &counts[..]
        });
        seats + &zones[..]
    }

    /// Every place where cards may lie but for the zone of roles.
    fn other_zones(&self) -> impl Iterator<Item = Place> {
        let rules = self.rules().clone();
        let seats = self.game().look().seats();
        let places = move |index: usize| -> Vec<Place> {
            let id = ZoneId(index as u8);
            match rules.zones[index].of_each {
                true if rules.role_zone == Some(id) => Vec::new(),
                true => (0..seats).map(|seat| (id, Some(seat))).collect(),
                false => vec![(id, None)],
            }
        };
        (0..self.rules().zones.len()).flat_map(places)
    }

    /// Who sits where with which card and which marks; what lies on the table; what is counted.
    pub fn seats_text(&self) -> String {
        let words = self.words();
        let rows = self.rows_of(self.game());
        let rows: String = rows.iter().map(|row| format!("  {row}\n")).collect();
        let counts = self.counts_text(&words, Viewer::Host);
        format!("{rows}{}{counts}", self.zones_text(&words))
    }

    /// A line for each seat: its number, who sits there, the card, the marks.
    pub fn rows_of(&self, game: &Game) -> Vec<String> {
        let words = self.words();
        let seats = 0..game.look().seats();
        let names = seats.clone().map(|seat| words.seat(seat).chars().count());
        let wide = names.max().unwrap_or(0);
        let roles: Vec<String> = seats.map(|seat| role_of(game, &words, seat)).collect();
        let role_wide = roles.iter().map(|role| role.chars().count()).max().unwrap_or(0);
        let row = |(place, seat): (usize, u8)| {
            let facts = facts_of(game, &words, seat, Viewer::Host);
            let line = format!(
                "{place:2} {:wide$}  {:role_wide$}  {}",
                words.seat(seat),
                roles[usize::from(seat)],
                facts.join(", ")
            );
            line.trim_end().to_owned()
        };
        places(game).map(row).collect()
    }

    /// The seats around a table, the first half above it, the others below it and back again, so that
    /// who sits beside whom is seen; nothing where there is no room.
    fn drawing(&self, cells: Vec<Vec<String>>, inside: &str) -> Option<String> {
        let seats = cells.len();
        let above = seats.div_ceil(2);
        let room = self.manners.width.min(LONGEST).checked_sub(6)? / above.max(1);
        if !self.manners.drawn || seats < 2 || room < NARROWEST {
            return None;
        }
        let longest = cells.iter().flatten().map(|line| line.chars().count()).max()?;
        // A mark of which nobody sees the end is better listed.
        if longest >= room.min(WIDEST) {
            return None;
        }
        let wide = (longest + 2).clamp(NARROWEST, room.min(WIDEST));
        let row = |seats: Vec<usize>| {
            let tall = seats.iter().map(|seat| cells[*seat].len()).max().unwrap_or(0);
            let line = |line: usize| {
                let part = |seat: &usize| {
                    let text = cells[*seat].get(line).map_or("", String::as_str);
                    format!("{text:wide$}")
                };
                let parts: String = seats.iter().map(part).collect();
                format!("    {}\n", parts.trim_end())
            };
            (0..tall).map(line).collect::<String>()
        };
        let edge = "─".repeat(wide * above);
        let inside: String = match inside.is_empty() {
            true => String::new(),
            false => inside
                .lines()
                .map(|line| format!("  │{:long$}│\n", cut(line, wide * above), long = wide * above))
                .collect(),
        };
        let (top, bottom) = ((0..above).collect(), (above..seats).rev().collect());
        Some(format!(
            "{}  ╭{edge}╮\n{inside}  ╰{edge}╯\n{}",
            row(top),
            row(bottom)
        ))
    }

    /// The zones of the table that hold anything, and those of seats but for the one of roles.
    fn zones_text(&self, words: &Words<'_>) -> String {
        let look = self.game().look();
        let things = look.things();
        let line = |(zone, seat): Place| {
            let pile = look.pile(zone, seat);
            let shown = pile
                .iter()
                .map(|card| words.group(things[usize::from(*card)].shown()));
            zone_line(words, (zone, seat), neighbours_together(shown.collect()))
        };
        self.other_zones().map(line).collect()
    }

    /// Flags that are up and counts of the game, as far as the viewer sees them.
    fn counts_text(&self, words: &Words<'_>, viewer: Viewer) -> String {
        let look = self.game().look();
        let line = |(index, fact): (usize, &Fact)| {
            let word = look.fact(FactId(index as u16));
            match fact.shape {
                _ if fact.hidden || (word == 0 && fact.words.is_empty()) => None,
                _ if !sees(viewer, fact, None) => None,
                FactShape::Flag => Some(format!("  {}\n", fact.shown())),
                FactShape::Count => Some(format!(
                    "  {}: {}\n",
                    fact.shown(),
                    words.held(self.game(), fact, word)
                )),
                _ => None,
            }
        };
        words.rules.facts.iter().enumerate().filter_map(line).collect()
    }

    /// Who may take up which offer now, and for whom or what.
    pub fn offers_text(&self) -> String {
        let (words, game) = (self.words(), self.game());
        let open = game.offers();
        let mut alike: Vec<(String, String, String)> = Vec::new();
        for of_one in open.chunk_by(|a, b| a.offer == b.offer) {
            let offer = &words.rules.offers[of_one[0].offer.index()];
            let title = offer.title.as_ref().map(|title| format!(": {title}"));
            let head = format!("  {}{}\n", offer.name, title.unwrap_or_default());
            let mut body = String::new();
            let mut lines: Vec<(String, Vec<String>)> = Vec::new();
            let mut example = None;
            for open in of_one {
                let who = open
                    .by
                    .map_or_else(|| "the host".to_owned(), |seat| words.seat(seat));
                let all = options::offered(game, &words, open);
                let targets = all
                    .iter()
                    .filter_map(|answer| answer.words.splitn(4, ' ').nth(3).map(str::to_owned));
                let among = match open.among {
                    Some(Domain::Numbers { low, high, .. }) => format!("{low} to {high}"),
                    _ => listed(targets.collect(), "or"),
                };
                example = example.or_else(|| all.first().map(|answer| answer.words.clone()));
                gather::under(&mut lines, among).push(who);
            }
            for (among, people) in lines {
                let people = listed(people, "or");
                body.push_str(&match among.as_str() {
                    "" => format!("    {people}\n"),
                    same if same == people => format!("    {people}: any of these\n"),
                    among => format!("    {people}: {among}\n"),
                });
            }
            let example = example.map(|example| format!("    for instance `{example}`\n"));
            // What is open to the same for the same is told of once.
            match alike.iter_mut().find(|(_, known, _)| *known == body) {
                Some((heads, ..)) => heads.push_str(&head),
                None => alike.push((head, body, example.unwrap_or_default())),
            }
        }
        match alike.is_empty() {
            true => match self.game().pending() {
                Pending::Over(_) => "  nothing is open any more: the game is over\n".to_owned(),
                Pending::Broken(_) => "  nothing is open any more: the rules went wrong\n".to_owned(),
                _ => "  nothing else is open besides the question\n".to_owned(),
            },
            false => { alike.into_iter() }
                .map(|(heads, body, example)| format!("{heads}{body}{example}"))
                .collect(),
        }
    }
}

/// The zone, and in a zone of each the seat.
type Place = (ZoneId, Option<u8>);
/// What a viewer was shown of a card, and where it lay then.
struct Seen {
    /// Which it is, as long as he can tell it from others that are alike: until it has lain where he does not look.
    card: Option<u8>,
    group: GroupId,
    place: Place,
}

/// The cards that a viewer was shown, each with the role or face it had then and where it lay.
fn seen(log: &Log, viewer: Viewer, rules: &Ruleset) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::new();
    for happened in &log.events {
        let is_shown = happened.audience.includes(viewer);
        let shown: Vec<(u8, GroupId)> = match &happened.what {
            What::Moved {
                cards, zone, seat, ..
            } => {
                for (card, group) in cards {
                    move_seen(
                        &mut seen,
                        (*card, *group),
                        is_shown.then_some((*zone, *seat)),
                        (viewer, rules),
                    );
                }
                continue;
            }
            _ if !is_shown => continue,
            // One of those that lay there went on, and nobody told him which.
            What::Backs {
                left: Some(left),
                shown,
                ..
            } if left.seen_by.includes(viewer) && !shown.includes(viewer) => {
                let from = (left.zone, left.seat);
                seen.retain(|card| card.place != from);
                continue;
            }
            What::Turned { seat, role } => {
                let place = rules.role_zone.map(|zone| (zone, Some(*seat)));
                for card in seen.iter_mut().filter(|card| Some(card.place) == place) {
                    card.group = *role;
                }
                continue;
            }
            What::Flipped { card, face } => vec![(*card, *face)],
            What::Looked { cards } => cards.clone(),
            What::Said { values, .. } => values.iter().flat_map(cards_in).collect(),
            _ => continue,
        };
        for (card, group) in shown {
            if let Some(known) = seen.iter_mut().find(|known| known.card == Some(card)) {
                known.group = group;
            }
        }
    }
    seen.sort_by_key(|card| card.group);
    seen
}

/// A card comes to a place that is shown, or goes where the viewer learns nothing of it. Whence it comes he knows where he
/// saw it lie; else it may be any of those that look alike and that he has lost sight of.
fn move_seen(
    seen: &mut Vec<Seen>,
    (card, group): (u8, GroupId),
    shown: Option<Place>,
    (viewer, rules): (Viewer, &Ruleset),
) {
    let known = seen.iter().position(|known| known.card == Some(card));
    let Some(place) = shown else {
        if let Some(known) = known {
            seen[known].card = None;
        }
        return;
    };
    let lost = || {
        seen.iter()
            .position(|known| known.card.is_none() && known.group == group)
    };
    if let Some(old) = known.or_else(lost) {
        seen.remove(old);
    }
    let (zone, owner) = place;
    let looks = looks_on(rules.zones[zone.index()].seen_by, owner, viewer).unwrap_or(true);
    seen.push(Seen {
        card: looks.then_some(card),
        group,
        place,
    });
}

/// How many cards lie in a place of which the viewer sees the backs; of others none.
fn backs(game: &Game, rules: &Ruleset, (zone, seat): Place, viewer: Viewer) -> usize {
    let seen_by = rules.zones[zone.index()].backs;
    let looks = looks_on(seen_by, seat, viewer).unwrap_or_else(|| match (seen_by, viewer) {
        (SeenBy::Seats(thunk), Viewer::Seat(viewer)) => {
            let owner = seat.map_or(0, |seat| 1 << seat);
            game.value(thunk, &[owner]) >> viewer & 1 == 1
        }
        _ => false,
    });
    match looks {
        true => game.look().pile(zone, seat).len(),
        false => 0,
    }
}

fn cards_in(value: &Value) -> Vec<(u8, GroupId)> {
    match value {
        Value::Cards(cards) => cards.clone(),
        _ => Vec::new(),
    }
}

/// `the pile: a decree ×3, a reform`; nothing where nothing lies.
fn zone_line(words: &Words<'_>, (zone, seat): Place, cards: Vec<(String, usize)>) -> String {
    if cards.is_empty() {
        return String::new();
    }
    let cards = cards.into_iter().map(|(name, count)| words.counted(&name, count));
    let cards: Vec<String> = cards.collect();
    format!("  {}: {}\n", words.zone(zone, seat), cards.join(", "))
}

/// Cards as they lie, like ones beside one another counted.
fn neighbours_together(cards: Vec<String>) -> Vec<(String, usize)> {
    let runs = cards.chunk_by(|a, b| a == b);
    runs.map(|run| (run[0].clone(), run.len())).collect()
}

/// Cards of which nobody knows how they lie, like ones counted.
fn like_together(cards: Vec<String>) -> Vec<(String, usize)> {
    let mut counted: Vec<(String, usize)> = Vec::new();
    for card in cards {
        *gather::under(&mut counted, card) += 1;
    }
    counted
}

/// Who sits where, by the number of the place.
fn places(game: &Game) -> impl Iterator<Item = (usize, u8)> {
    (1..).zip(game.look().by_place())
}

/// What is remembered, as it stands below a name and a card.
fn below(facts: Vec<String>) -> Vec<String> {
    facts.into_iter().map(|fact| format!("· {fact}")).collect()
}

/// What stands at a seat: the name, the card, and each mark.
fn cell(game: &Game, words: &Words<'_>, (place, seat): (usize, u8)) -> Vec<String> {
    let head = format!("{place} {}", words.seat(seat));
    let marks = below(facts_of(game, words, seat, Viewer::Host));
    [vec![head, role_of(game, words, seat)], marks].concat()
}

fn role_of(game: &Game, words: &Words<'_>, seat: u8) -> String {
    let look = game.look();
    let cards = words.rules.role_zone.map(|zone| look.pile(zone, Some(seat)));
    let roles = look.roles_of(1 << seat);
    match cards.filter(|cards| cards.len() > roles.count_ones() as usize) {
        Some(cards) => {
            let card = |card: &u8| words.group(look.things()[usize::from(*card)].shown());
            let counted = like_together(cards.iter().map(card).collect()).into_iter();
            listed(
                counted.map(|(name, count)| words.counted(&name, count)).collect(),
                "and",
            )
        }
        None if roles == 0 => "-".to_owned(),
        None => words.titles(roles),
    }
}

/// A title that tells who is meant, beside the name of one of them: `who set it off`, `those who are asleep`.
fn beside_a_name(title: &str) -> &str {
    let heads = ["those who are ", "those who ", "who is ", "who "];
    let mut without = heads.iter().filter_map(|head| title.strip_prefix(head));
    without.next().unwrap_or(title)
}

/// Whether a viewer sees what is remembered of a seat or of the game. Whom a set gives only hears of changes.
fn sees(viewer: Viewer, fact: &Fact, of: Option<u8>) -> bool {
    looks_on(fact.seen_by, of, viewer).unwrap_or(false)
}

/// Whether a viewer sees what is somebody's, or nobody's; nothing where a set says so.
fn looks_on(seen_by: SeenBy, owner: Option<u8>, viewer: Viewer) -> Option<bool> {
    match (seen_by, viewer) {
        (_, Viewer::Host) | (SeenBy::Everybody, _) => Some(true),
        (SeenBy::Owner, Viewer::Seat(seat)) => Some(owner == Some(seat)),
        (SeenBy::Owner | SeenBy::Nobody, _) => Some(false),
        (SeenBy::Seats(_), _) => None,
    }
}

/// What is remembered of a seat, as far as a viewer sees it.
fn facts_of(game: &Game, words: &Words<'_>, seat: u8, viewer: Viewer) -> Vec<String> {
    let look = game.look();
    let fact = |(index, fact): (usize, &Fact)| {
        let word = look.fact_of(FactId(index as u16), seat);
        let title = fact.shown();
        match fact.shape {
            _ if fact.hidden || (word == 0 && fact.words.is_empty()) => None,
            _ if !sees(viewer, fact, Some(seat)) => None,
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => {
                Some(beside_a_name(&title).to_owned())
            }
            FactShape::CountOfEach => Some(format!("{title} {}", words.held(game, fact, word))),
            FactShape::Link { to, .. } => Some(format!("{title} {}", words.linked(game, to, word, viewer))),
            FactShape::Flag | FactShape::Count => None,
        }
    };
    let facts = words.rules.facts.iter().enumerate().filter_map(fact);
    let over = matches!(game.pending(), Pending::Over(_));
    let won =
        (viewer == Viewer::Host && !over && look.winners() >> seat & 1 == 1).then(|| "has won".to_owned());
    facts.chain(won).collect()
}

/// A text that fits into so many columns.
fn cut(text: &str, wide: usize) -> String {
    match text.chars().count() > wide {
        true => text.chars().take(wide.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
