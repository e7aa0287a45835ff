//! What a viewer can know, as lines.
#![expect(
    clippy::disallowed_types,
    clippy::disallowed_methods,
    reason = "how long somebody waits is his own affair"
)]

use omerta_core::gather;
use omerta_core::{plural::so_many, rules::GroupKind};
use omerta_engine::{Game, Viewer};
use omerta_play::{
    chances::Players,
    session::Session,
    words::{Words, listed, members},
    worlds::{Far, NoWorlds, Recall, Stop, World, Worlds},
};
use std::{
    thread,
    time::{Duration, Instant},
};

/// So many parts of the time are for all worlds, of so many; the rest is for a few that are drawn.
const FOR_ALL: (u32, u32) = (3, 4);
/// So few are drawn where time is short.
const FEW: usize = 400;

/// Who asks what somebody can know, and how much it is worth.
pub struct Asked<'a> {
    /// How those choose whom the viewer does not see.
    pub players: &'a Players,
    /// So many worlds are kept at a time.
    pub most: usize,
    /// For no longer than this.
    pub time: Option<Duration>,
    /// Hears how far it is; says whether nobody wants to know any more.
    pub stop: Stop<'a>,
    /// What was found of other games that were asked about in the same way.
    pub recall: Option<&'a Recall>,
}

impl Asked<'_> {
    /// What a viewer can know. When most of the time is over, a few worlds are drawn in the rest of it.
    pub fn worlds(&self, session: &Session, viewer: Viewer) -> Result<Worlds, NoWorlds> {
        let began = Instant::now();
        let within = |(most, recall): (usize, Option<&Recall>), time: Option<Duration>| {
            let stop = |far: Far| (self.stop)(far) || time.is_some_and(|time| began.elapsed() > time);
            let threads = thread::available_parallelism().map_or(1, usize::from);
            omerta_exact::worlds(session, viewer, self.players, (most, threads), (&stop, recall))
        };
        let nobody = Far {
            heard: 0,
            of: 0,
            worlds: 0,
        };
        let most_of_it = self.time.map(|time| time * FOR_ALL.0 / FOR_ALL.1);
        match within((self.most, self.recall), most_of_it) {
            Err(NoWorlds::Stopped) if self.most > FEW && !(self.stop)(nobody) => {
                within((FEW, None), self.time)
            }
            found => found,
        }
    }
}

/// A chance, so many of so many, in words: of what is never and of what is always so nothing else is said.
pub fn share((some, all): (u128, u128)) -> String {
    let thousandths = (some.saturating_mul(1000) + all / 2) / all.max(1);
    match thousandths {
        _ if some == 0 => "never".to_owned(),
        _ if some == all => "surely".to_owned(),
        0 => "under 0.1 %".to_owned(),
        1000 => "over 99.9 %".to_owned(),
        _ => format!("{}.{} %", thousandths / 10, thousandths % 10),
    }
}

/// Of a seat with nothing in its hand.
const NO_CARD: &str = "no card";

/// All that is to be said of what a viewer can know.
pub fn told(worlds: &Worlds, words: &Words<'_>, viewer: Viewer) -> Vec<String> {
    let whose = match viewer {
        Viewer::Seat(seat) => words.seat(seat),
        Viewer::Public | Viewer::Host => "everybody".to_owned(),
    };
    let many = worlds.worlds.len();
    let fit = match (many, worlds.sampled) {
        (1, true) => "one game that fits was found by chance: the shares are a guess".to_owned(),
        (_, true) => format!(
            "{many} games that fit, drawn by chance: a share may be {} off",
            // What is counted in whole points is rounded down.
            so_many(worlds.within() + 1, "point")
        ),
        (1, false) => "one game fits".to_owned(),
        (_, false) => format!("{many} games fit, each by its chance when all choose at random"),
    };
    let mut lines = vec![format!("  What {whose} can know ({fit}):")];
    let seats = words.names.len() as u8;
    let mut alike: Vec<(String, Vec<String>)> = Vec::new();
    // His own card is told of where he cannot be sure of it.
    let is_told = |seat: &u8| {
        let roles = |world: &World| world.game.look().roles_of(1 << *seat);
        let mut pairs = worlds.worlds.windows(2);
        viewer != Viewer::Seat(*seat) || pairs.any(|pair| roles(&pair[0]) != roles(&pair[1]))
    };
    for seat in (0..seats).filter(is_told) {
        let (name, card) = (words.seat(seat), card(worlds, words, seat));
        gather::under(&mut alike, card).push(name);
    }
    let alone = alike.iter().filter(|(_, names)| names.len() == 1);
    let wide = alone
        .map(|(_, names)| names[0].chars().count())
        .max()
        .unwrap_or(0);
    for (card, names) in alike {
        lines.push(match &names[..] {
            [name] => format!("    {name:wide$}  {card}"),
            _ if card == NO_CARD => format!("    {}: {card}", listed(names, "and")),
            _ => format!("    {}: each {card}", listed(names, "and")),
        });
    }
    lines.extend(ruled_out(worlds, words, viewer));
    lines
}

/// What card lies at a seat, by its chances, and what team that is.
fn card(worlds: &Worlds, words: &Words<'_>, seat: u8) -> String {
    let of = |kind: GroupKind, held: fn(&Game, u8) -> u64| {
        let groups = 0..words.rules.groups.len().min(64) as u8;
        let mut shares: Vec<(u128, String)> = groups
            .filter(|group| words.rules.groups[usize::from(*group)].kind == kind)
            .filter_map(|group| {
                let chance = worlds.share(|game| held(game, seat) >> group & 1 == 1);
                let title = words.titles(1 << group);
                let told = match share(chance) {
                    _ if chance.0 == chance.1 && worlds.sampled => match worlds.worlds.len() {
                        1 => format!("perhaps {title}"),
                        _ => format!("{title} in all of them"),
                    },
                    surely if chance.0 == chance.1 => format!("{surely} {title}"),
                    part => format!("{title} {part}"),
                };
                (chance.0 > 0).then_some((chance.0, told))
            })
            .collect();
        shares.sort_by(|(one, _), (other, _)| other.cmp(one));
        shares.into_iter().map(|(_, told)| told).collect::<Vec<_>>()
    };
    let roles = of(GroupKind::Role, |game, seat| game.look().roles_of(1 << seat));
    let teams = of(GroupKind::Team, |game, seat| game.look().teams_of(1 << seat));
    match (roles.len(), teams.len()) {
        (0, _) => NO_CARD.to_owned(),
        (1, _) | (_, 0) => roles.join(", "),
        _ => format!("{}; {}", roles.join(", "), teams.join(", ")),
    }
}

/// What was ruled out, and by what.
fn ruled_out(worlds: &Worlds, words: &Words<'_>, viewer: Viewer) -> Vec<String> {
    let others = worlds
        .ruled_out
        .iter()
        .filter(|out| viewer != Viewer::Seat(out.seat));
    let mut by: Vec<(&[String], Vec<String>)> = Vec::new();
    for out in others {
        let titles = members(out.roles).map(|role| words.titles(1 << role)).collect();
        let told = format!("{} is not {}", words.seat(out.seat), listed(titles, "or"));
        match by.last_mut().filter(|(last, _)| *last == out.by) {
            Some((_, all)) => all.push(told),
            None => by.push((&out.by, vec![told])),
        }
    }
    let line = |(by, told): (&[String], Vec<String>)| {
        let by: Vec<String> = by.iter().map(|words| format!("“{}”", words.trim())).collect();
        let by = match by.is_empty() {
            true => "what was asked, or was not".to_owned(),
            false => by.join(", "),
        };
        format!("    {}, because of {by}", told.join("; "))
    };
    let mut lines: Vec<String> = by.into_iter().map(line).collect();
    if !lines.is_empty() {
        lines.insert(0, "  What it follows from:".to_owned());
    }
    lines
}
