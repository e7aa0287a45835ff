//! The table as the host sees it: a drawing with the seats around it where there is room for one, a
//! list elsewhere; what lies on it, what is counted, and which offers stand open.

use super::desk::Desk;
use crate::{
    engine::{Game, Log, Value, Viewer, What},
    faces::options,
    play::words::{Words, listed},
    rules::{Fact, FactId, FactShape, GroupId, ZoneId},
};
use std::collections::BTreeMap;

/// No cell of the drawing is narrower than this.
const NARROWEST: usize = 12;
/// Nor wider.
const WIDEST: usize = 24;
/// The drawing is no wider than this, however wide the screen.
const LONGEST: usize = 110;

impl Desk {
    /// Who sits where, as the screen allows: drawn or listed.
    pub fn table_text(&self) -> String {
        let (words, game) = (self.words(), self.session.game());
        let cells = (0..game.look().seats())
            .map(|seat| cell(game, &words, seat))
            .collect();
        let inside = format!("{}{}", self.zones_text(&words), self.counts_text(&words));
        self.drawing(cells, &inside).unwrap_or_else(|| self.seats_text())
    }

    /// The same as one seat has seen it: the cards and tokens that were shown to it, where they lay
    /// then. Nothing else is known of a table but what was told.
    pub fn table_seen(&self, viewer: Viewer) -> String {
        let (words, seats) = (self.words(), self.session.game().look().seats());
        let seen = seen(self.session.log(), viewer, words.rules.role_zone);
        let at = |seat: Option<u8>| -> Vec<String> {
            let lies = seen
                .values()
                .filter(|(_, place)| place.is_some_and(|(_, of)| of == seat));
            lies.map(|(group, place)| {
                let zone = place.map(|(zone, _)| zone);
                let name = words.group(*group);
                match zone.filter(|zone| words.rules.role_zone != Some(*zone)) {
                    Some(zone) => format!("{}: {name}", words.rules.zones[zone.index()].title),
                    None => name,
                }
            })
            .collect()
        };
        let head = |seat: u8| format!("{} {}", seat + 1, words.seat(seat));
        let cell = |seat: u8| -> Vec<String> { [vec![head(seat)], at(Some(seat))].concat() };
        let inside: String = at(None).iter().map(|line| format!("  {line}\n")).collect();
        let cells: Vec<Vec<String>> = (0..seats).map(cell).collect();
        self.drawing(cells.clone(), &inside).unwrap_or_else(|| {
            let known = cells.iter().filter(|cell| cell.len() > 1);
            let line = |cell: &Vec<String>| format!("  {}  {}\n", cell[0], cell[1..].join(", "));
            format!("{}{inside}", known.map(line).collect::<String>())
        })
    }

    /// Who sits where with which card and which marks; what lies on the table; what is counted.
    pub fn seats_text(&self) -> String {
        let words = self.words();
        let rows = self.rows_of(self.session.game());
        let rows: String = rows.iter().map(|row| format!("  {row}\n")).collect();
        format!("{rows}{}{}", self.zones_text(&words), self.counts_text(&words))
    }

    /// A line for each seat: its number, who sits there, the card, the marks.
    pub fn rows_of(&self, game: &Game) -> Vec<String> {
        let words = self.words();
        let seats = 0..game.look().seats();
        let names = seats.clone().map(|seat| words.seat(seat).chars().count());
        let wide = names.max().unwrap_or(0);
        let roles: Vec<String> = seats.clone().map(|seat| role_of(game, &words, seat)).collect();
        let role_wide = roles.iter().map(|role| role.chars().count()).max().unwrap_or(0);
        let row = |seat: u8| {
            let facts = facts_of(game, &words, seat);
            let line = format!(
                "{:2} {:wide$}  {:role_wide$}  {}",
                seat + 1,
                words.seat(seat),
                roles[usize::from(seat)],
                facts.join(", ")
            );
            line.trim_end().to_owned()
        };
        seats.map(row).collect()
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
        let wide = (longest + 2).clamp(NARROWEST, room.min(WIDEST));
        let row = |seats: Vec<usize>, from_below: bool| {
            let tall = seats.iter().map(|seat| cells[*seat].len()).max().unwrap_or(0);
            let line = |line: usize| {
                let part = |seat: &usize| {
                    let cell = &cells[*seat];
                    // Above the table the names stand away from it, so that the row ends at its edge.
                    let line = if from_below {
                        Some(line)
                    } else {
                        (line + cell.len()).checked_sub(tall)
                    };
                    let text = line.and_then(|line| cell.get(line)).map_or("", String::as_str);
                    format!("{:wide$}", cut(text, wide - 1))
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
                .map(|line| format!("  │{}\n", cut(line, wide * above)))
                .collect(),
        };
        let (top, bottom) = ((0..above).collect(), (above..seats).rev().collect());
        Some(format!(
            "{}  ╭{edge}╮\n{inside}  ╰{edge}╯\n{}",
            row(top, false),
            row(bottom, true)
        ))
    }

    /// The zones of the table that hold anything, and those of seats but for the one of roles.
    fn zones_text(&self, words: &Words<'_>) -> String {
        let look = self.session.game().look();
        let things = look.things();
        let mut out = String::new();
        for (index, zone) in words.rules.zones.iter().enumerate() {
            let id = ZoneId(index as u8);
            let seats: Vec<Option<u8>> = match zone.of_each {
                true if words.rules.role_zone == Some(id) => Vec::new(),
                true => (0..look.seats()).map(Some).collect(),
                false => vec![None],
            };
            for seat in seats {
                let shown: Vec<String> = look
                    .pile(id, seat)
                    .iter()
                    .map(|card| words.group(things[usize::from(*card)].shown()))
                    .collect();
                if !shown.is_empty() {
                    let of = seat.map_or_else(String::new, |seat| format!(" of {}", words.seat(seat)));
                    out.push_str(&format!("  {}{of}: {}\n", zone.title, listed(shown, "and")));
                }
            }
        }
        out
    }

    /// Flags that are up and counts of the game.
    fn counts_text(&self, words: &Words<'_>) -> String {
        let look = self.session.game().look();
        let line = |(index, fact): (usize, &Fact)| {
            let word = look.fact(FactId(index as u16));
            match fact.shape {
                _ if fact.hidden || (word == 0 && fact.words.is_empty()) => None,
                FactShape::Flag => Some(format!("  {}\n", fact.title)),
                FactShape::Count => Some(format!("  {}: {}\n", fact.title, fact.number(word as i64))),
                _ => None,
            }
        };
        words.rules.facts.iter().enumerate().filter_map(line).collect()
    }

    /// Who may take up which offer now, and for whom or what.
    pub fn offers_text(&self) -> String {
        let (words, game) = (self.words(), self.session.game());
        let open = game.offers();
        let mut out = String::new();
        for of_one in open.chunk_by(|a, b| a.offer == b.offer) {
            let offer = &words.rules.offers[of_one[0].offer.index()];
            let title = offer.title.as_ref().map(|title| format!(": {title}"));
            out.push_str(&format!("  {}{}\n", offer.name, title.unwrap_or_default()));
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
                let among = listed(targets.collect(), "or");
                example = example.or_else(|| all.first().map(|answer| answer.words.clone()));
                match lines.iter_mut().find(|(known, _)| *known == among) {
                    Some((_, people)) => people.push(who),
                    None => lines.push((among, vec![who])),
                }
            }
            for (among, people) in lines {
                let among = if among.is_empty() {
                    among
                } else {
                    format!(": {among}")
                };
                out.push_str(&format!("    {}{among}\n", listed(people, "or")));
            }
            if let Some(example) = example {
                out.push_str(&format!("    for instance `{example}`\n"));
            }
        }
        match out.is_empty() {
            true => "  nothing stands open besides the question\n".to_owned(),
            false => out,
        }
    }
}

/// The zone, and in a zone of each the seat.
type Place = (ZoneId, Option<u8>);
/// Cards with what they showed and where they lay, if that was seen.
type Seen = BTreeMap<u8, (GroupId, Option<Place>)>;

/// The cards that a viewer was shown, each with the role or face it had then and where it lay.
fn seen(log: &Log, viewer: Viewer, role_zone: Option<ZoneId>) -> Seen {
    let mut seen = Seen::new();
    for (_, happened) in log.view(viewer) {
        let shown: Vec<(u8, GroupId)> = match &happened.what {
            What::Moved { cards, zone, seat } => {
                for (card, group) in cards {
                    seen.insert(*card, (*group, Some((*zone, *seat))));
                }
                continue;
            }
            What::Turned { seat, role } => {
                let card = |place: Option<Place>| {
                    place.is_some_and(|(zone, of)| of == Some(*seat) && Some(zone) == role_zone)
                };
                for (group, _) in seen.values_mut().filter(|(_, place)| card(*place)) {
                    *group = *role;
                }
                continue;
            }
            What::Flipped { card, face } => vec![(*card, *face)],
            What::Looked { cards } => cards.clone(),
            What::Said { values, .. } => values.iter().flat_map(cards_in).collect(),
            _ => continue,
        };
        for (card, group) in shown {
            seen.entry(card).or_insert((group, None)).0 = group;
        }
    }
    seen
}

fn cards_in(value: &Value) -> Vec<(u8, GroupId)> {
    match value {
        Value::Cards(cards) => cards.clone(),
        _ => Vec::new(),
    }
}

/// What stands at a seat: the name, the card, and each mark.
fn cell(game: &Game, words: &Words<'_>, seat: u8) -> Vec<String> {
    let head = format!("{} {}", seat + 1, words.seat(seat));
    let facts = facts_of(game, words, seat);
    let marks = facts.into_iter().map(|fact| format!("· {fact}"));
    [head, role_of(game, words, seat)]
        .into_iter()
        .chain(marks)
        .collect()
}

fn role_of(game: &Game, words: &Words<'_>, seat: u8) -> String {
    match game.look().roles_of(1 << seat) {
        0 => "-".to_owned(),
        roles => words.titles(roles),
    }
}

fn facts_of(game: &Game, words: &Words<'_>, seat: u8) -> Vec<String> {
    let look = game.look();
    let fact = |(index, fact): (usize, &Fact)| {
        let word = look.fact_of(FactId(index as u16), seat);
        let title = &fact.title;
        match fact.shape {
            _ if fact.hidden || (word == 0 && fact.words.is_empty()) => None,
            FactShape::Mark | FactShape::MarkOne | FactShape::MarkInOrder { .. } => Some(title.clone()),
            FactShape::CountOfEach => Some(format!("{title} {}", fact.number(word as i64))),
            FactShape::Link | FactShape::LinkOne => Some(format!("{title} {}", words.seats(word))),
            FactShape::LinkTitles => Some(format!("{title} {}", words.titles(word))),
            FactShape::Flag | FactShape::Count => None,
        }
    };
    words.rules.facts.iter().enumerate().filter_map(fact).collect()
}

/// A text that fits into so many columns.
fn cut(text: &str, wide: usize) -> String {
    match text.chars().count() > wide {
        true => text.chars().take(wide.saturating_sub(1)).chain(['…']).collect(),
        false => text.to_owned(),
    }
}
