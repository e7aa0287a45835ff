//! The numbers of a run for people, at a terminal.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::{
    file::{Cell, RunFile},
    share::{Interval, difference, wilson},
    tally::{Moment, Tally},
};
use crate::{
    faces::{console::paint, render::Colour},
    play::words::listed,
};

/// How many cells a bar has.
const BAR: usize = 30;
/// Names longer than this are cut.
const NAME: usize = 28;

/// Everything about a run.
pub fn sheet(run: &RunFile, colour: Colour) -> String {
    let page = Page { run, colour };
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
    out
}

struct Page<'a> {
    run: &'a RunFile,
    colour: Colour,
}

impl Page<'_> {
    fn tally(&self) -> &Tally {
        &self.run.tally
    }

    fn head(&self, words: &str) -> String {
        format!("\n{}\n", paint(self.colour, "1", words))
    }

    fn title(&self) -> String {
        let head = &self.run.head;
        let with = match head.overlays.is_empty() {
            true => String::new(),
            false => format!(" with {}", listed(head.overlays.clone(), "and")),
        };
        let part = match self.run.shard.of {
            1 => String::new(),
            _ => format!(", part {}", self.run.shard),
        };
        format!(
            "{}{with}, {} players, {} games, seed {}{part}\n",
            paint(self.colour, "1", &self.run.labels.title),
            head.players,
            grouped(self.tally().games),
            head.seed,
        )
    }

    fn wrong(&self) -> String {
        let tally = self.tally();
        let numbers: Vec<String> = tally.wrong.iter().map(u64::to_string).collect();
        let which = listed(numbers, "and");
        let mut out = String::new();
        let mut add = |count: u64, what: &str| {
            if count > 0 {
                let line = format!("{} games {what}", grouped(count));
                out.push_str(&format!("{}\n", paint(self.colour, "1;31", &line)));
            }
        };
        add(tally.broken, "broke the rules' own bounds");
        add(
            tally.endless,
            &format!("did not end within {} answers", self.run.head.limit),
        );
        if !out.is_empty() {
            out.push_str(&format!("  the first of them: {which}\n"));
        }
        out
    }

    /// A line with a share, its interval and a bar.
    fn line(&self, name: &str, hits: u64, of: u64, note: &str) -> String {
        let interval = wilson(hits, of);
        let note = if note.is_empty() {
            String::new()
        } else {
            format!("  {note}")
        };
        let line = format!(
            "  {}  {}  {}{note}",
            padded(name),
            percent(interval),
            bar(interval, self.colour)
        );
        format!("{}\n", line.trim_end())
    }

    fn teams(&self) -> String {
        let ended = self.tally().ended();
        let mut out = self.head("Who wins");
        for (name, record) in self.run.labels.teams.iter().zip(&self.tally().teams) {
            out.push_str(&self.line(name, record.won, ended, ""));
        }
        if self.tally().without_winner > 0 {
            out.push_str(&self.line("nobody", self.tally().without_winner, ended, ""));
        }
        out
    }

    fn endings(&self) -> String {
        let names = self
            .run
            .labels
            .endings
            .iter()
            .map(String::as_str)
            .chain(["no ending"]);
        let mut out = self.head("How it ends");
        for (name, &count) in names.zip(&self.tally().endings) {
            if count > 0 || name != "no ending" {
                out.push_str(&self.line(name, count, self.tally().ended(), ""));
            }
        }
        out
    }

    fn roles(&self) -> String {
        let mut out = self.head("Wins by role at the end");
        for (name, record) in self.run.labels.roles.iter().zip(&self.tally().roles) {
            if record.held > 0 {
                let lost = match record.lost {
                    0 => String::new(),
                    lost => format!("lost {}", short(lost as f64 / record.held as f64)),
                };
                out.push_str(&self.line(name, record.won, record.held, &lost));
            }
        }
        out
    }

    fn seats(&self) -> String {
        let seats = &self.tally().seats;
        let shares: Vec<Interval> = seats
            .iter()
            .map(|record| wilson(record.won, record.held))
            .collect();
        let by_share = |a: &Interval, b: &Interval| a.share.total_cmp(&b.share);
        let (Some(least), Some(most)) = (
            shares.iter().copied().min_by(by_share),
            shares.iter().copied().max_by(by_share),
        ) else {
            return String::new();
        };
        let seat = |wanted: Interval| shares.iter().position(|share| *share == wanted).unwrap_or(0) + 1;
        // Of so many seats the luckiest and the unluckiest look unlike even where all are alike.
        let apart = if least.high < most.low {
            "their intervals are apart"
        } else {
            "within chance"
        };
        format!(
            "{}  seat {} wins least, {}; seat {} most, {}: {apart}\n",
            self.head("Seats"),
            seat(least),
            short(least.share),
            seat(most),
            short(most.share)
        )
    }

    fn length(&self) -> String {
        let tally = self.tally();
        let mut out = self.head("How long it takes");
        out.push_str(&format!(
            "  answers: {:.1} on average, from {} to {}\n",
            tally.answers as f64 / tally.ended() as f64,
            tally.fewest,
            tally.most
        ));
        for (scene, name) in self.run.labels.scenes.iter().enumerate() {
            let lengths = &tally.lengths[scene];
            if tally.moments[scene].is_empty() || lengths.len() <= 2 {
                continue;
            }
            let begun: u64 = lengths.iter().zip(0..).map(|(games, times)| games * times).sum();
            let spread: Vec<String> = lengths
                .iter()
                .enumerate()
                .filter(|(_, games)| **games > 0)
                .map(|(times, games)| format!("{times}: {}", short(*games as f64 / tally.ended() as f64)))
                .collect();
            out.push_str(&format!(
                "  {name}: {:.2} times; {}\n",
                begun as f64 / tally.ended() as f64,
                spread.join(", ")
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
        let shown = moments.len().min(8);
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

/// Runs of a sweep side by side: each team's share, and how far it is from that of the first run.
pub fn compared(runs: &[(String, &RunFile)], colour: Colour) -> String {
    let mut out = String::new();
    let Some((_, first)) = runs.first() else {
        return out;
    };
    let width = runs
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(4);
    for (team, title) in first.labels.teams.iter().enumerate() {
        out.push_str(&format!("\n{}\n", paint(colour, "1", &format!("{title} wins"))));
        let mut base = None;
        for (name, run) in runs {
            let of_team = run
                .labels
                .teams
                .iter()
                .position(|other| other == title)
                .unwrap_or(team);
            let Some(record) = run.tally.teams.get(of_team) else {
                continue;
            };
            let interval = wilson(record.won, run.tally.ended());
            let change = match base {
                None => String::new(),
                Some(base) => changed(difference(base, interval), colour),
            };
            base = base.or(Some(interval));
            let line = format!(
                "  {name:width$}  {}  {}  {change}",
                percent(interval),
                bar(interval, colour)
            );
            out.push_str(&format!("{}\n", line.trim_end()));
        }
    }
    out
}

/// Two axes laid out as a field: the first down, the second across, in each place a team's share.
pub fn heat(runs: &[(Cell, RunFile)], team: usize, colour: Colour) -> String {
    let values = |axis: usize| {
        let mut values: Vec<&str> = Vec::new();
        for (cell, _) in runs {
            if let Some((_, value)) = cell
                .get(axis)
                .filter(|(_, value)| !values.contains(&value.as_str()))
            {
                values.push(value);
            }
        }
        values
    };
    let Some((first, run)) = runs.first().filter(|(cell, _)| cell.len() == 2) else {
        return String::new();
    };
    let (down, across) = (values(0), values(1));
    let wide = across
        .iter()
        .map(|value| value.chars().count())
        .max()
        .unwrap_or(0)
        .max(7)
        + 1;
    let long = down
        .iter()
        .map(|value| value.chars().count())
        .max()
        .unwrap_or(0)
        .max(first[0].0.len());
    let title = format!(
        "{} wins, {} down and {} across",
        run.labels.teams[team], first[0].0, first[1].0
    );
    let heads: String = across.iter().map(|value| format!("{value:>wide$}")).collect();
    let mut out = format!("\n{}\n  {:long$}{heads}\n", paint(colour, "1", &title), "");
    for row in down {
        let place = |column: &&str| {
            let found = runs
                .iter()
                .find(|(cell, _)| cell[0].1 == row && cell[1].1 == **column);
            let record = found.and_then(|(_, run)| Some((run.tally.teams.get(team)?.won, run.tally.ended())));
            record.map_or_else(
                || format!("{:>wide$}", "-"),
                |(won, of)| shaded(won as f64 / of.max(1) as f64, wide, colour),
            )
        };
        let line: String = across.iter().map(place).collect();
        out.push_str(&format!("  {row:long$}{line}\n"));
    }
    out
}

/// A share on the colour that says how large it is: blue for none, white for half, red for all.
fn shaded(share: f64, wide: usize, colour: Colour) -> String {
    const SHADES: [u8; 9] = [27, 69, 111, 153, 255, 223, 216, 209, 196];
    let shade = SHADES[((share * 9.0) as usize).min(8)];
    let words = format!("{:>wide$}", format!("{:.1} %", share * 100.0));
    paint(colour, &format!("30;48;5;{shade}"), &words)
}

/// How far a share is from another; bold where chance does not explain it.
fn changed(by: Interval, colour: Colour) -> String {
    let words = format!(
        "{:+.2} ({:+.2} to {:+.2})",
        by.share * 100.0,
        by.low * 100.0,
        by.high * 100.0
    );
    match by.holds(0.0) {
        true => words,
        false => paint(colour, "1", &words),
    }
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

fn bar(interval: Interval, colour: Colour) -> String {
    let cells = (interval.share * BAR as f64).round() as usize;
    let full = "█".repeat(cells.min(BAR));
    let rest = "·".repeat(BAR - cells.min(BAR));
    format!("{}{}", paint(colour, "36", &full), paint(colour, "2", &rest))
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
