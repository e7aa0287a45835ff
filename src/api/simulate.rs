//! Many games: how often who wins, with progress and a flag that stops them.
#![expect(clippy::disallowed_types, reason = "an estimate is no part of a game")]

use super::{
    game::{GameError, Table},
    load::Rules,
    mistakes::mistakes,
};
use omerta_core::rules::{GroupKind, Ruleset};
use omerta_engine::Game;
use omerta_measure::sim::{
    self, Careful, End, Goal, Invited, Limits, MergeError, NotReady, Orders, Ready, RunFile, Setup, Shard,
};
use omerta_workbench::{bundle::usually_present, policies::CAREFUL};
use std::sync::{Arc, atomic::AtomicBool};

/// So many games a careful player plays on for an answer, where nobody says how many.
const USUAL_THOUGHT: u32 = 200;

/// What is played, how often, and by whom.
#[derive(Clone, Debug)]
pub struct Simulation {
    table: Table,
    games: u64,
    threads: usize,
    policies: Vec<String>,
    careful: Vec<(String, u32)>,
    limits: Limits,
    shard: Shard,
}

/// What many games came to.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Numbers {
    /// How many games were played.
    pub games: u64,
    /// How many went wrong: their rules broke, or they did not end.
    pub wrong: u64,
    /// How many questions were answered in all.
    pub answers: u64,
    /// Everything that was counted.
    pub counts: Vec<Counts>,
    /// The run as `omerta sim` keeps it.
    pub run: String,
}

/// Something that was counted.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Counts {
    /// What sort of thing: `team`, `nobody`, `role`, `seat`, `ending`.
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// In how many cases it was there.
    pub held: u64,
    /// In how many of them it won, or came true.
    pub won: u64,
    /// The share, and between what it lies in 95 of 100 runs.
    pub share: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Simulation {
    /// So many games at a table, whose seed is that of the run; players answer at random.
    pub fn new(table: Table, games: u64) -> Simulation {
        Simulation {
            table,
            games,
            threads: 0,
            policies: Vec::new(),
            careful: Vec::new(),
            limits: Limits::USUAL,
            shard: Shard::WHOLE,
        }
    }

    /// Plays a part of the games only: of every `of` games the one with this number, from 1. [`Numbers::merge`] puts
    /// the parts together. A number that there is not stands for the last part.
    pub fn shard(mut self, number: u64, of: u64) -> Simulation {
        let of = of.max(1);
        let index = number.clamp(1, of) - 1;
        self.shard = Shard { index, of };
        self
    }

    /// On so many threads, 256 at the most, instead of one for each core; the numbers are the same.
    pub fn threads(mut self, threads: usize) -> Simulation {
        self.threads = threads;
        self
    }

    /// Lets players follow a policy of the rules; `careful`, where these have none of that name, is
    /// [`Simulation::careful`] for all.
    pub fn policy(mut self, name: impl Into<String>) -> Simulation {
        self.policies.push(name.into());
        self
    }

    /// Lets those of a role or a team, or `all`, be careful: they answer by what they can know, and by looking ahead in
    /// so many games at most for each answer. They do not talk.
    pub fn careful(mut self, who: impl Into<String>, thought: u32) -> Simulation {
        self.careful.push((who.into(), thought.max(1)));
        self
    }

    /// Who is careful, and the policies of the rules that the others follow.
    fn players(&self, rules: &Ruleset) -> (Vec<(String, u32)>, Vec<String>) {
        let own = rules.policy_named(CAREFUL).is_some();
        let (all, policies): (Vec<String>, Vec<String>) =
            { self.policies.iter().cloned() }.partition(|policy| policy == CAREFUL && !own);
        let all = all.first().map(|_| ("all".to_owned(), USUAL_THOUGHT));
        (self.careful.iter().cloned().chain(all).collect(), policies)
    }

    /// Lets careful players sit down.
    fn seat(&self, careful: &[(String, u32)], mut ready: Ready) -> Result<Ready, GameError> {
        let rules = ready.simulator.rules();
        let players = ready.simulator.players();
        let (mut invited, mut bots): (Vec<Arc<dyn Invited>>, _) = (Vec::new(), Vec::new());
        for (who, thought) in careful {
            let is_somebody = |kind| matches!(kind, GroupKind::Role | GroupKind::Team);
            let group = rules.group_named(who);
            let group = group.filter(|group| is_somebody(rules.groups[group.index()].kind));
            let seats: Arc<dyn Fn(&Game) -> u64 + Send + Sync> = match (group, who.as_str()) {
                (Some(group), _) => Arc::new(move |game| game.look().group(group)),
                (None, "all") => Arc::new(|_| u64::MAX),
                _ => {
                    let words = format!("`{who}` is no role or team of these rules, and not `all`");
                    return Err(GameError::Table(words));
                }
            };
            invited.push(Arc::new(Careful {
                seats,
                names: ready.names.clone(),
                players: players.clone(),
                thought: *thought,
                seed: self.table.seed,
                stop: Arc::default(),
            }));
            bots.push(format!("{who}={CAREFUL} {thought}"));
        }
        if !invited.is_empty() {
            ready.head.names.clone_from(&ready.names);
            ready.head.bots = bots;
            ready.simulator = ready.simulator.inviting(invited);
        }
        Ok(ready)
    }

    /// Plays the games. `played` hears from any thread how many more were played; once `stop` is set no
    /// further game is begun, and the numbers are those of the games there were.
    pub fn run(
        &self,
        rules: &Rules,
        played: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Numbers, GameError> {
        let (careful, policies) = self.players(&rules.laid.bench.rules);
        let setup = Setup {
            wanted: rules.wanted.clone(),
            people: self.table.people.clone(),
            usual: 8,
            policies,
            seed: self.table.seed,
            limits: self.limits,
            present: usually_present().to_owned(),
        };
        let ready = setup
            .lay(&rules.bench, &rules.laid)
            .map_err(|error| match error {
                NotReady::Cast(problems) => GameError::Cast(mistakes(&rules.bench, &problems)),
                NotReady::Words(error) => GameError::Table(error.to_string()),
            })?;
        let ready = self.seat(&careful, ready)?;
        let orders = Orders {
            goal: Goal {
                games: self.games,
                within: None,
            },
            shard: self.shard,
            threads: self.threads,
            stop,
            played,
            batch: &mut |_| true,
        };
        let empty = ready.simulator.shape().empty();
        let run = sim::run(&ready.simulator, empty, orders);
        if let End::Failed(error) = run.end {
            return Err(GameError::Table(error.to_string()));
        }
        let run = RunFile::new(ready.head, ready.labels, self.shard, run.tally);
        Ok(numbers(&run))
    }
}

impl Numbers {
    /// Reads a run as `omerta sim --out` keeps it.
    pub fn read(run: &str) -> Result<Numbers, GameError> {
        Ok(numbers(&kept(run)?))
    }

    /// Puts the runs of all parts together: what one machine would have come to, byte for byte.
    pub fn merge<R: AsRef<str>>(runs: impl IntoIterator<Item = R>) -> Result<Numbers, GameError> {
        let parts = runs.into_iter().map(|run| kept(run.as_ref()));
        let parts = parts.collect::<Result<Vec<RunFile>, GameError>>()?;
        let merged = sim::merge(&parts).map_err(|error| GameError::Save(unfit(&error)))?;
        Ok(numbers(&merged))
    }
}

fn kept(run: &str) -> Result<RunFile, GameError> {
    RunFile::from_text(run).map_err(|why| GameError::Save(format!("this is no run that was kept: {why}")))
}

fn unfit(error: &MergeError) -> String {
    match error {
        MergeError::Nothing => "there is nothing to put together".to_owned(),
        MergeError::Unlike { which, what } => {
            format!(
                "runs 1 and {} are not parts of one run: they differ in {what}",
                which + 1
            )
        }
        MergeError::Twice { shard, which } => {
            format!("part {shard} is there twice: run {} has it again", which + 1)
        }
        MergeError::Missing { shard } => format!("part {shard} is missing"),
        MergeError::Uneven { which, has, wanted } => {
            format!(
                "run {} has {has} games, and {wanted} were asked for: it was stopped",
                which + 1
            )
        }
    }
}

fn numbers(run: &RunFile) -> Numbers {
    let count = |counted: sim::Counted| Counts {
        kind: counted.kind.word(),
        name: counted.name,
        held: counted.record.held,
        won: counted.record.won,
        share: counted.share.share,
        low: counted.share.low,
        high: counted.share.high,
    };
    Numbers {
        games: run.tally.games,
        wrong: run.tally.broken + run.tally.endless,
        answers: run.tally.answers,
        counts: sim::counted(run).into_iter().map(count).collect(),
        run: run.to_text(),
    }
}
