//! A few games by chance, for a first impression while rules are written.

use super::{
    counted::{Counted, Kind, counted},
    file::{RunFile, Shard},
    run::{End, Goal, Orders, run},
    setup::{NotReady, Setup},
    simulator::Limits,
};
use omerta_workbench::{
    ReadyRules, RulesetRequest, Workbench,
    bundle::{default_game, usually_present},
    people::People,
};
use std::sync::atomic::AtomicBool;

/// What came of a few games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quick {
    /// Who won how often.
    pub won: Vec<Won>,
    /// How many games did not come to an end, or broke.
    pub unended: u64,
}

/// How often somebody of a team won, or of a role where there are no teams, in hundredths of the games that ended, and how much it may be off.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Won {
    /// The title of the team or role; or that nobody did.
    pub who: String,
    /// In so many of a hundred games.
    pub of_hundred: u32,
    /// More or less.
    pub within: u32,
}

/// Plays so many games with the usual people and cards on one thread; nothing where it is stopped before.
pub fn quick(
    (bench, laid): (&Workbench, &ReadyRules),
    wanted: &RulesetRequest,
    games: u64,
    stop: &AtomicBool,
) -> Result<Option<Quick>, String> {
    let setup = Setup {
        wanted: wanted.clone(),
        people: People::default(),
        usual: default_game().1,
        policies: Vec::new(),
        seed: 1,
        limits: Limits::USUAL,
        present: usually_present().to_owned(),
    };
    let ready = setup.lay(bench, laid).map_err(|why| match why {
        NotReady::Cast(problems) => problems
            .first()
            .map_or_else(String::new, |problem| problem.message.clone()),
        NotReady::Words(error) => error.to_string(),
    })?;
    let shard = Shard::WHOLE;
    let orders = Orders {
        goal: Goal { games, within: None },
        shard,
        threads: 1,
        stop,
        played: &|_| {},
        batch: &mut |_| true,
    };
    let run = run(&ready.simulator, ready.simulator.shape().empty(), orders);
    match run.end {
        End::Stopped => return Ok(None),
        End::Failed(error) => return Err(error.to_string()),
        End::Done => {}
    }
    let (unended, ended) = (run.tally.lost(), run.tally.ended().max(1));
    let all = counted(&RunFile::new(ready.head, ready.labels, shard, run.tally));
    let sides = match all.iter().any(|one| one.kind == Kind::Team) {
        true => Kind::Team,
        false => Kind::Role,
    };
    let is_shown = |kind: Kind| kind == sides || kind == Kind::Nobody;
    let shown = all.iter().filter(|one| is_shown(one.kind) && one.record.won > 0);
    // Several may hold a role, of whom each wins or does not.
    let of = |one: &Counted| match one.kind {
        Kind::Role => one.record.held.max(1),
        _ => ended,
    };
    let won = shown.map(|one| Won {
        who: one.name.clone(),
        of_hundred: ((200 * one.record.won + of(one)) / (2 * of(one))) as u32,
        within: one.share.hundredths(),
    });
    let won = won.collect();
    Ok(Some(Quick { won, unended }))
}
