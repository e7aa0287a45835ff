//! What is known of the game beyond what happened: how it stands, and what somebody can know of it.
use super::{
    desk::{Desk, Done},
    halt::halted,
};
use crate::faces::{
    exact::{percent, whole_percent},
    worlds,
};
use omerta_engine::{Game, Pending, Silence, Viewer};
use omerta_exact::{Odds, Players, Value, odds as chances};
use omerta_play::{options::Answer, policy::Policy};
use std::time::Duration;

/// So long a host waits for worlds that are too many.
const PATIENCE: Duration = Duration::from_secs(10);
/// No more positions than so many are walked from one moment of a game, and so many games are played on where they are
/// too many.
const AT_LENGTH: (usize, u64) = (20_000, 400);
/// The same beside something else that is shown, where nobody waits.
const IN_PASSING: (usize, u64) = (50, 100);
/// So many worlds are kept.
const WORLDS: usize = 5_000;
/// How often somebody takes up an offer, out of a thousand pauses.
const OFTEN: u32 = 500;

impl Desk {
    /// How those choose of whom nobody knows anything: as they would if they were left to themselves.
    fn players(&self) -> Result<Players, String> {
        Ok(Players {
            policy: Policy {
                offers_per_thousand: OFTEN,
                calls_per_thousand: 0,
            },
            strategy: self.strategy()?,
        })
    }

    /// The chances from a game on, so hard as it is worth. The same whenever it is asked, so no clock has a say.
    fn odds_of(&self, game: &Game, worth: (usize, u64)) -> Result<Option<Odds>, String> {
        let seed = self.hosted.session.cursor() as u64;
        let odds = chances(game, &self.players()?, worth, seed, &halted);
        match halted() {
            true => Err("stopped".to_owned()),
            false => Ok(odds),
        }
    }

    /// Who wins from here, and who would have from another game, a line each; nothing where no game can be played on.
    pub fn odds_since(&self, before: &Game) -> Option<[String; 2]> {
        let line = |game: &Game| {
            let odds = self.odds_of(game, IN_PASSING).ok().flatten();
            odds.map(|odds| format!("{}{}", self.odds_line(&odds), about(&odds)))
        };
        let (now, before) = (line(self.game())?, line(before)?);
        Some([
            format!("  who wins then: {now}"),
            format!("  and before: {before}"),
        ])
    }

    /// Who wins how often, in a line.
    fn odds_line(&self, odds: &Odds) -> String {
        let words = self.words();
        // Some hundred games tell no hundredths; halves go to even numbers, so that two shares make a hundred.
        let share = |value: &Value| match odds.played {
            Some(_) => whole_percent(value),
            None => percent(value, 2),
        };
        let mut parts: Vec<String> = Vec::new();
        let titles =
            { words.rules.groups.iter() }.filter(|group| group.kind == omerta_core::rules::GroupKind::Team);
        for (team, record) in titles.zip(&odds.answers.teams) {
            parts.push(format!("{} {}", team.title, share(&record.won)));
        }
        if parts.is_empty() {
            for (seat, record) in odds.answers.seats.iter().enumerate() {
                parts.push(format!("{} {}", words.seat(seat as u8), share(&record.won)));
            }
        }
        if odds.answers.nobody.between.middle() > 0.0 {
            parts.push(format!("nobody {}", share(&odds.answers.nobody)));
        }
        if odds.answers.endless.between.middle() > 0.0 {
            parts.push(format!("never ends {}", share(&odds.answers.endless)));
        }
        parts.join(", ")
    }
}

/// `, about (by 400 games played on)`; nothing of what is certain.
fn about(odds: &Odds) -> String {
    let games = odds.played;
    games.map_or_else(String::new, |games| {
        format!(", about (by {games} games played on)")
    })
}

/// `odds`
pub fn odds(desk: &mut Desk, _: &str) -> Done {
    match desk.game().pending() {
        Pending::Over(_) => return Err("the game is over: nothing is left to chance".to_owned()),
        Pending::Broken(_) => return Err("the rules went wrong: nothing is left to chance".to_owned()),
        Pending::Ask(_) | Pending::Chance(_) => {}
    }
    let answers = desk.answers();
    let Some(now) = desk.odds_of(desk.game(), AT_LENGTH)? else {
        return Err("no game can be played on from here".to_owned());
    };
    let head = about(&now);
    let mut lines = vec![format!(
        "  Who wins from here{head}, when all choose by `rest`: {}",
        desk.odds_line(&now)
    )];
    let labels = desk.labels(&answers);
    // Of cards that are alike one stands for all.
    let labels = labels.iter().zip(&answers);
    let told: Vec<(&String, &Answer)> = labels
        .filter_map(|(label, answer)| Some((label.as_ref()?, answer)))
        .collect();
    let wide = told.iter().map(|(label, _)| label.chars().count()).max();
    let wide = wide.unwrap_or(0);
    // Where nothing else can be done, what comes of it is what comes from here.
    let alone = answers.len() == 1 && desk.game().offers().is_empty();
    for (label, answer) in told {
        if alone {
            lines.push(format!("    {label:wide$}  {}", desk.odds_line(&now)));
            break;
        }
        let mut tried = desk.game().clone();
        if tried.apply(answer.choice, &mut Silence).is_err() {
            continue;
        }
        if let Some(then) = desk.odds_of(&tried, AT_LENGTH)? {
            let how = Some(about(&then)).filter(|how| *how != head);
            let how = match &then.played {
                None if how.is_some() => ", for certain".to_owned(),
                _ => how.unwrap_or_default(),
            };
            lines.push(format!("    {label:wide$}  {}{how}", desk.odds_line(&then)));
        }
    }
    if now.played.is_none() {
        lines.push("  These are certain: every position from here on was walked.".to_owned());
    }
    desk.list(&lines, "");
    Ok(())
}

/// `worlds Ann`, `worlds public`
pub fn worlds(desk: &mut Desk, given: &str) -> Done {
    let viewer = match given {
        "" => {
            return Err(
                "whose? `worlds` and a seat, or `worlds public` for what everybody can know".to_owned(),
            );
        }
        "public" => Viewer::Public,
        seat => Viewer::Seat(desk.seat(seat)?),
    };
    let mut players = desk.players()?;
    // A call that the host made must be one he can make.
    players.policy.calls_per_thousand = OFTEN;
    let asked = worlds::Asked {
        players: &players,
        most: WORLDS,
        time: Some(PATIENCE),
        stop: &|_| halted(),
        recall: None,
    };
    let found = asked.worlds(&desk.hosted.session, viewer);
    let found = found.map_err(|why| match halted() {
        true => "stopped".to_owned(),
        false => why.to_string(),
    })?;
    let lines = worlds::told(&found, &desk.words(), viewer);
    desk.list(&lines, "");
    Ok(())
}
