//! The numbers of a run for people, at a terminal.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::careful;
use crate::faces::{console::paint, render::Colour, terminal::wrapped};
use omerta_core::gather;
use omerta_core::plural::so_many;
use omerta_measure::sim::{
    Cell, Counted, Group, Interval, Kind, MOST_MOMENTS, Moment, Place, RunFile, Tally, answers, counted,
    groups, seats_by_chance,
};
use omerta_play::words::listed;
use omerta_workbench::bundle::usually_present;

/// Names longer than this are cut.
const NAME: usize = 28;
/// What stands beside the name and the bar of a line.
const NUMBERS: usize = 33;
/// A bar has so many cells at least and at most.
const BAR: std::ops::RangeInclusive<usize> = 8..=60;
/// Counts of a scene that come in fewer games than this, of a thousand, are put together at the end.
const RARE: u64 = 5;

/// How the numbers look.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Whether there are colours.
    pub colour: Colour,
    /// How many columns there are.
    pub width: usize,
}

/// Everything about a run.
pub fn sheet(run: &RunFile, look: Look) -> String {
    let all = counted(run);
    let page = Page { run, look, all };
    let mut out = page.title();
    out.push_str(&page.wrong());
    if run.tally.ended() > 0 {
        out.push_str(&page.teams());
        out.push_str(&page.endings());
        out.push_str(&page.roles());
        out.push_str(&page.seats());
        out.push_str(&page.length());
        out.push_str(&page.survival());
    }
    wrapped(&out, look.width)
}

/// What was played, as one would say it: beside the title, and below it.
pub fn facts(run: &RunFile) -> (String, Vec<String>) {
    let head = &run.head;
    let with = match head.overlays.is_empty() {
        true => String::new(),
        false => format!(" with {}", listed(head.overlays.clone(), "and")),
    };
    let part = match run.shard.of {
        1 => String::new(),
        _ => format!(", part {}", run.shard),
    };
    let first = format!(
        "{with}, {}, {}, seed {}{part}",
        so_many(head.players, "player"),
        games(run.tally.games),
        head.seed
    );
    let mut more = vec![format!("cards: {}", cards(&head.cast))];
    let mut add = |what: &str, values: Vec<String>| {
        if !values.is_empty() {
            more.push(format!("{what}: {}", values.join(", ")));
        }
    };
    let option = |(name, value): &(String, String)| format!("{name} {value}");
    add("options", head.options.iter().map(option).collect());
    add(
        "policies",
        head.policies.iter().map(|(name, _)| name.clone()).collect(),
    );
    let seats = |bot: &String| careful(bot).map(|(seats, games)| format!("{seats}, {games} games an answer"));
    add("careful", head.bots.iter().filter_map(seats).collect());
    let programs = head.bots.iter().filter(|bot| careful(bot).is_none());
    add("programs", programs.cloned().collect());
    let mut chance = Vec::new();
    if head.offers_per_thousand != 500 {
        chance.push(format!("offers {}", head.offers_per_thousand));
    }
    if head.calls_per_thousand != 0 {
        chance.push(format!("calls {}", head.calls_per_thousand));
    }
    add("in 1,000 pauses", chance);
    if head.present != usually_present() {
        add("still in the game", vec![head.present.clone()]);
    }
    (first, more)
}

/// `ROLE 2, ROLE 5`
pub fn cards(cast: &[String]) -> String {
    let mut counts: Vec<(&String, usize)> = Vec::new();
    for card in cast {
        *gather::under(&mut counts, card) += 1;
    }
    let word = |(card, count): (&String, usize)| match count {
        1 => card.clone(),
        _ => format!("{card} {count}"),
    };
    counts.into_iter().map(word).collect::<Vec<_>>().join(", ")
}

/// `1 game`, `2 games`
pub fn games(count: u64) -> String {
    so_many(grouped(count), "game")
}

struct Page<'a> {
    run: &'a RunFile,
    look: Look,
    all: Vec<Counted>,
}

impl Page<'_> {
    fn tally(&self) -> &Tally {
        &self.run.tally
    }

    fn head(&self, words: &str) -> String {
        format!("\n{}\n", paint(self.look.colour, "1", words))
    }

    fn title(&self) -> String {
        let (first, more) = facts(self.run);
        let title = paint(self.look.colour, "1", &self.run.labels.title);
        let more: String = more.iter().map(|line| format!("  {line}\n")).collect();
        format!("{title}{first}\n{}", paint(self.look.colour, "2", &more))
    }

    fn wrong(&self) -> String {
        let tally = self.tally();
        let numbers: Vec<String> = tally.wrong.iter().map(u64::to_string).collect();
        let which = listed(numbers, "and");
        let mut out = String::new();
        let mut add = |count: u64, what: &str| {
            if count > 0 {
                let line = format!("{} {what}", games(count));
                out.push_str(&format!("{}\n", paint(self.look.colour, "1;31", &line)));
            }
        };
        add(tally.broken, "broke the rules' own bounds");
        add(
            tally.endless,
            &format!(
                "did not end within {}",
                so_many(grouped(self.run.head.limit), "answer")
            ),
        );
        if !out.is_empty() {
            out.push_str(&format!("  the first of them: {which}\n"));
        }
        out
    }

    fn of(&self, kind: Kind) -> impl Iterator<Item = &Counted> {
        self.all.iter().filter(move |one| one.kind == kind)
    }

    /// A line with a share, its interval and a bar.
    fn line(&self, one: &Counted, note: &str) -> String {
        let bar = bar(one.share, self.look, NAME + NUMBERS + note.chars().count());
        let line = format!("  {}  {}  {bar}{note}", padded(&one.name), percent(one.share));
        format!("{}\n", line.trim_end())
    }

    fn teams(&self) -> String {
        let (there, absent): (Vec<&Counted>, Vec<&Counted>) =
            self.of(Kind::Team).partition(|team| team.record.held > 0);
        let mut out = String::new();
        for team in there {
            out.push_str(&self.line(team, ""));
        }
        for nobody in self.of(Kind::Nobody).filter(|nobody| nobody.record.won > 0) {
            out.push_str(&self.line(nobody, ""));
        }
        if !absent.is_empty() {
            let names = absent.iter().map(|team| team.name.clone()).collect();
            out.push_str(&format!("  not in this game: {}\n", listed(names, "and")));
        }
        match out.is_empty() {
            true => out,
            false => self.head("Who wins") + &out[..],
        }
    }

    fn endings(&self) -> String {
        let mut out = self.head("How it ends");
        for ending in self.of(Kind::Ending) {
            if ending.record.won > 0 || ending.name != "no ending" {
                out.push_str(&self.line(ending, ""));
            }
        }
        out
    }

    fn roles(&self) -> String {
        let mut out = self.head("Wins by role at the end");
        for role in self.of(Kind::Role) {
            let lost = match role.record.lost {
                0 => String::new(),
                lost => format!("  lost {}", short(lost as f64 / role.record.held as f64)),
            };
            out.push_str(&self.line(role, &lost));
        }
        out
    }

    fn seats(&self) -> String {
        uneven_seats(self.run).map_or_else(String::new, |words| format!("{}  {words}\n", self.head("Seats")))
    }

    fn length(&self) -> String {
        let tally = self.tally();
        let mut out = self.head("How long it takes");
        out.push_str(&format!(
            "  answers: {} on average, from {} to {}\n",
            about(answers(self.run)),
            tally.fewest,
            tally.most
        ));
        for (scene, name) in self.run.labels.scenes.iter().enumerate() {
            let lengths = &tally.lengths[scene];
            if tally.moments[scene].is_empty() || lengths.len() <= 2 {
                continue;
            }
            let begun: u64 = lengths.iter().zip(0..).map(|(games, times)| games * times).sum();
            out.push_str(&format!(
                "  {name}: {:.2} times; {}\n",
                begun as f64 / tally.ended() as f64,
                spread(lengths, tally.ended())
            ));
        }
        out
    }

    fn survival(&self) -> String {
        let tally = self.tally();
        let Some(scene) = tally
            .longest_scene()
            .filter(|scene| tally.moments[*scene].len() > 1)
        else {
            return String::new();
        };
        let moments = &tally.moments[scene];
        let room = self.look.width.saturating_sub(NAME + 2) / 7;
        let shown = moments.len().min(room.clamp(1, 12));
        let mut out = self.head(&format!(
            "Still in the game when {} begins, in the games that come so far",
            self.run.labels.scenes[scene]
        ));
        let numbers: String = (1..=shown).map(|nth| format!("{nth:>7}")).collect();
        out.push_str(&format!("  {}{numbers}\n", padded("")));
        let games: String = moments[..shown]
            .iter()
            .map(|moment| format!("{:>7}", short(moment.games as f64 / tally.ended() as f64)))
            .collect();
        out.push_str(&format!("  {}{games}\n", padded("games that come so far")));
        for (role, name) in self.run.labels.roles.iter().enumerate() {
            if tally.roles[role].held == 0 {
                continue;
            }
            let share = |moment: &Moment| match moment.held[role] {
                0 => "-".to_owned(),
                held => short(moment.by_role[role] as f64 / held as f64),
            };
            let curve: String = moments[..shown]
                .iter()
                .map(|moment| format!("{:>7}", share(moment)))
                .collect();
            out.push_str(&format!("  {}{curve}\n", padded(name)));
        }
        out
    }
}

/// Which seat wins least and which most, and whether chance explains it.
pub fn uneven_seats(run: &RunFile) -> Option<String> {
    let all = counted(run);
    let seats = || all.iter().filter(|one| one.kind == Kind::Seat);
    let by_share = |a: &&Counted, b: &&Counted| a.share.share.total_cmp(&b.share.share);
    let (least, most) = (seats().min_by(by_share)?, seats().max_by(by_share)?);
    Some(format!(
        "seat {} wins least, {}; seat {} most, {}: {}",
        least.name,
        short(least.share.share),
        most.name,
        short(most.share.share),
        how_alike(run)
    ))
}

/// Whether chance explains how unlike the seats win.
pub fn how_alike(run: &RunFile) -> String {
    let chance = seats_by_chance(run);
    match chance {
        0.05.. => format!(
            "within chance, which does as much in {:.0} of 100 runs",
            chance * 100.0
        ),
        0.001.. => format!("chance does as much in {:.0} of 1,000 runs only", chance * 1000.0),
        _ => "chance does as much in fewer than 1 of 1,000 runs".to_owned(),
    }
}

/// `0: 12 %, 1: 80 %, 2 and more: 0.4 %`
fn spread(lengths: &[u64], ended: u64) -> String {
    let rare = |from: usize| lengths[from..].iter().sum::<u64>() * 1000 < RARE * ended;
    let tail = (0..lengths.len())
        .find(|from| rare(*from))
        .unwrap_or(lengths.len());
    // A tail of one is itself; the last place of all stands for everything behind it as well.
    let cut = tail.min(MOST_MOMENTS);
    let part = |games: u64| short(games as f64 / ended as f64);
    let mut parts: Vec<String> = lengths[..cut.min(lengths.len())]
        .iter()
        .enumerate()
        .filter(|(_, games)| **games > 0)
        .map(|(times, games)| format!("{times}: {}", part(*games)))
        .collect();
    let behind: u64 = lengths.iter().skip(cut).sum();
    if behind > 0 {
        let more = match cut + 1 == lengths.len() && cut < MOST_MOMENTS {
            true => "",
            false => " and more",
        };
        parts.push(format!("{cut}{more}: {}", part(behind)));
    }
    parts.join(", ")
}

/// Runs of a sweep side by side: everything they are compared in, and how far each is from the first.
pub fn compared(study: &[(Cell, RunFile)], look: Look) -> String {
    let Some((_, first)) = study.iter().find(|(_, run)| !run.is_none()) else {
        return String::new();
    };
    let names: Vec<String> = study.iter().map(|(cell, _)| name_of(cell)).collect();
    let mut out = format!(
        "{}{}\n",
        paint(look.colour, "1", &first.labels.title),
        in_common(study)
    );
    for group in groups(study) {
        out.push_str(&group_of(&group, &names, look));
        if let Some(Kind::Team | Kind::Role) = group.kind {
            out.push_str(&heat(study, &group, look.colour));
        }
    }
    out.push_str(&format!("\n{}\n", paint(look.colour, "1", "Seats")));
    for (name, (_, run)) in names
        .iter()
        .zip(study)
        .filter(|(_, (_, run))| run.tally.ended() > 0)
    {
        if let Some(words) = uneven_seats(run) {
            out.push_str(&format!("  {name}: {words}\n"));
        }
    }
    wrapped(&out, look.width)
}

/// What all runs have in common of what their cells do not say.
fn in_common(study: &[(Cell, RunFile)]) -> String {
    let all = |of: &dyn Fn(&RunFile) -> String| {
        let mut played = study.iter().map(|(_, run)| run).filter(|run| !run.is_none());
        let first = played.next().map(of).unwrap_or_default();
        let same = played.all(|run| of(run) == first);
        if same { first } else { String::new() }
    };
    [
        all(&|run| format!(", {}", so_many(run.head.players, "player"))),
        all(&|run| format!(", {} each", games(run.tally.games))),
        all(&|run| format!(", seed {}", run.head.seed)),
    ]
    .concat()
}

/// `players=7, with=none`
pub fn name_of(cell: &Cell) -> String {
    let words: Vec<String> = cell
        .iter()
        .map(|(axis, value)| format!("{axis}={value}"))
        .collect();
    words.join(", ")
}

/// What a group is called at the head of its lines.
pub fn title_of(group: &Group) -> String {
    match group.kind {
        Some(Kind::Nobody) => "Nobody wins".to_owned(),
        Some(Kind::Ending) => format!("Ends with {}", group.name),
        Some(_) => format!("Wins: {}", group.name),
        None => "Answers in a game".to_owned(),
    }
}

fn group_of(group: &Group, names: &[String], look: Look) -> String {
    let mut out = format!("\n{}\n", paint(look.colour, "1", &title_of(group)));
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    // Where the lines are narrow the name stands above its numbers.
    let above = longest + 2 * NUMBERS > look.width;
    let width = if above { 0 } else { longest };
    for (name, place) in names.iter().zip(&group.places) {
        let name = match above {
            true => format!("  {name}\n  "),
            false => format!("  {name:width$}"),
        };
        let Place {
            is: Some(is), change, ..
        } = *place
        else {
            out.push_str(&format!("{name}  {}\n", place.why_not()));
            continue;
        };
        let line = match group.kind {
            None => {
                let change = change.map(|by| changed(by, 1.0, look.colour));
                format!("{name}  {:28}  {}", about(is), change.unwrap_or_default())
            }
            Some(_) => {
                let change = change.map(|by| changed(by, 100.0, look.colour));
                let bar = bar(is, look, width + 2 * NUMBERS - 4);
                format!("{name}  {}  {bar}  {}", percent(is), change.unwrap_or_default())
            }
        };
        out.push_str(&format!("{}\n", line.trim_end()));
    }
    out
}

/// Two axes laid out as a field: the first down, the second across, in each place a share.
fn heat(study: &[(Cell, RunFile)], group: &Group, colour: Colour) -> String {
    let Some((first, _)) = study.first().filter(|(cell, _)| cell.len() == 2) else {
        return String::new();
    };
    let (down, across) = (values(study, 0), values(study, 1));
    let longest = |words: &[&str]| words.iter().map(|word| word.chars().count()).max().unwrap_or(0);
    let wide = longest(&across).max(7) + 1;
    let long = longest(&down).max(first[0].0.len());
    let heads: String = across.iter().map(|value| format!("{value:>wide$}")).collect();
    let mut out = format!(
        "\n  {} down, {} across\n  {:long$}{heads}\n",
        first[0].0, first[1].0, ""
    );
    for row in down {
        let place = |column: &&str| {
            let found = study
                .iter()
                .position(|(cell, _)| cell[0].1 == row && cell[1].1 == **column);
            let share = found.and_then(|place| group.places[place].is);
            share.map_or_else(
                || format!("{:>wide$}", "-"),
                |share| shaded(share.share, wide, colour),
            )
        };
        let line: String = across.iter().map(place).collect();
        out.push_str(&format!("  {row:long$}{line}\n"));
    }
    out
}

/// The values of an axis, in the order of the cells.
pub fn values(study: &[(Cell, RunFile)], axis: usize) -> Vec<&str> {
    let mut values: Vec<&str> = Vec::new();
    for (cell, _) in study {
        if let Some((_, value)) = cell
            .get(axis)
            .filter(|(_, value)| !values.contains(&value.as_str()))
        {
            values.push(value);
        }
    }
    values
}

/// A share on the colour that says how large it is: blue for none, white for half, red for all.
fn shaded(share: f64, wide: usize, colour: Colour) -> String {
    const SHADES: [u8; 9] = [27, 69, 111, 153, 255, 223, 216, 209, 196];
    let shade = SHADES[((share * 9.0) as usize).min(8)];
    let words = format!("{:>wide$}", format!("{:.1} %", share * 100.0));
    paint(colour, &format!("30;48;5;{shade}"), &words)
}

/// How far something is from another; bold where chance does not explain it.
fn changed(by: Interval, times: f64, colour: Colour) -> String {
    let words = change_in_words(by, times);
    match by.holds(0.0) {
        true => words,
        false => paint(colour, "1", &words),
    }
}

/// Of what a single game tells of the mean of all.
const NO_BOUNDS: &str = "of one game";

/// `+9.47 (+7.15 to +11.77)`
pub fn change_in_words(by: Interval, times: f64) -> String {
    if !by.half_width().is_finite() {
        return format!("{:+.2} ({NO_BOUNDS})", by.share * times);
    }
    format!(
        "{:+.2} ({:+.2} to {:+.2})",
        by.share * times,
        by.low * times,
        by.high * times
    )
}

/// `31.20 (31.02 to 31.38)`
pub fn about(mean: Interval) -> String {
    if !mean.half_width().is_finite() {
        return format!("{:.2} ({NO_BOUNDS})", mean.share);
    }
    format!("{:.2} ({:.2} to {:.2})", mean.share, mean.low, mean.high)
}

/// ` 47.21 % (46.90 to 47.52)`
fn percent(interval: Interval) -> String {
    format!(
        "{:6.2} % ({:5.2} to {:5.2})",
        interval.share * 100.0,
        interval.low * 100.0,
        interval.high * 100.0
    )
}

/// `47 %`, `4.7 %`
fn short(share: f64) -> String {
    let percent = share * 100.0;
    if percent >= 9.95 || percent == 0.0 {
        format!("{percent:.0} %")
    } else {
        format!("{percent:.1} %")
    }
}

/// A bar in what a line has left.
fn bar(interval: Interval, look: Look, taken: usize) -> String {
    let cells = look.width.saturating_sub(taken).clamp(*BAR.start(), *BAR.end());
    let full = ((interval.share * cells as f64).round() as usize).min(cells);
    format!(
        "{}{}",
        paint(look.colour, "36", &"█".repeat(full)),
        paint(look.colour, "2", &"·".repeat(cells - full))
    )
}

fn padded(name: &str) -> String {
    let mut name = name.to_owned();
    if name.chars().count() > NAME {
        name = name.chars().take(NAME - 1).chain(['…']).collect();
    }
    format!("{name:NAME$}")
}

/// `1,000,000`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
