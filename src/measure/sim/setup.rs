//! From what somebody says is to be played to a table at which it is played.

use super::{
    file::{Head, Labels},
    simulator::{Limits, Simulator},
};
use anyhow::{Result, anyhow, bail};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{Kind, PlannedCast, Program},
};
use omerta_syntax::parse_expr;
use omerta_workbench::{
    ReadyRules, RulesetRequest, Workbench,
    bundle::usually_present,
    people::{People, no_start, usual_number},
    policies::strategy,
};
use std::sync::Arc;

/// What is played in a run.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The rules.
    pub wanted: RulesetRequest,
    /// Who plays, with which cards.
    pub people: People,
    /// How many play where nobody says so.
    pub usual: u8,
    /// Policies that players follow, by name.
    pub policies: Vec<String>,
    /// What chance hangs on.
    pub seed: u64,
    /// What a game may take.
    pub limits: Limits,
    /// The words for who is still in the game.
    pub present: String,
}

/// A table that is laid, and everything that says what is played at it.
pub struct Ready {
    /// The table.
    pub simulator: Simulator,
    /// What is played, as a run is kept with it.
    pub head: Head,
    /// The titles of what is counted.
    pub labels: Labels,
    /// Who sits where.
    pub names: Vec<String>,
    /// The cards, those that are left to chance by the class or team that they are of.
    pub cast: PlannedCast,
    /// What is to be warned of.
    pub warnings: Vec<Diagnostic>,
}

/// Why nothing can be played.
pub enum NotReady {
    /// No cards fit what was asked.
    Cast(Vec<Diagnostic>),
    /// The words mean nothing under these rules.
    Words(anyhow::Error),
}

impl From<anyhow::Error> for NotReady {
    fn from(error: anyhow::Error) -> Self {
        NotReady::Words(error)
    }
}

impl Setup {
    /// Lays the table.
    pub fn lay(&self, bench: &Workbench, laid: &ReadyRules) -> Result<Ready, NotReady> {
        let rules = &laid.bench.rules;
        let names = self.people.names(laid, usual_number(rules, self.usual))?;
        let checked = self.people.check_cast(bench, laid, (names.len(), self.seed));
        let (_, warnings) = checked.map_err(NotReady::Cast)?;
        // What is left to chance is drawn for each game by itself.
        let open = self.people.open_cast(bench, laid, names.len());
        let (cast, _) = open.map_err(NotReady::Cast)?;
        let present = self.present(bench, laid)?;
        let (strategy, policies) = strategy(rules, &self.policies)?;
        let seats = u8::try_from(names.len()).unwrap_or(u8::MAX);
        let simulator =
            simulator(laid, seats, &cast, self.seed, present, self.limits)?.with_strategy(strategy);
        let cards = cast.cards.iter();
        let head = Head {
            ruleset: self.wanted.base.clone(),
            identity: rules.identity_text(),
            overlays: rules.overlays.clone(),
            options: rules.settings().collect(),
            players: seats,
            cast: cards
                .map(|role| rules.groups[role.index()].name.clone())
                .collect(),
            seed: self.seed,
            offers_per_thousand: self.limits.offers_per_thousand,
            calls_per_thousand: self.limits.calls_per_thousand,
            limit: self.limits.answers,
            bots: Vec::new(),
            cast_told: false,
            policies,
            names: match self.people.names.is_empty() {
                true => Vec::new(),
                false => names.clone(),
            },
            present: self.present.clone(),
        };
        Ok(Ready {
            simulator,
            head,
            labels: Labels::of(rules),
            names,
            cast,
            warnings,
        })
    }

    /// The words for who is still in the game, compiled. Rules that do not know the usual ones lose
    /// nobody; words of the user's own must mean something.
    fn present(&self, bench: &Workbench, laid: &ReadyRules) -> Result<Option<Arc<Program>>> {
        let words = &self.present;
        let id = bench.add("command line", words);
        let read = parse_expr(id, words, 0).map_err(|problem| vec![problem]);
        let program = read.and_then(|expr| bench.compile(&laid.bench.rules, &expr, &[]));
        match program {
            Ok(program) if program.kind == Some(Kind::Players) => Ok(Some(Arc::new(program))),
            _ if words == usually_present() => Ok(None),
            Ok(_) => bail!("`{words}` does not stand for players"),
            Err(problems) => {
                let first = problems.first().map_or("", |problem| problem.message.as_str());
                bail!("`{words}` means nothing here: {first}")
            }
        }
    }
}

impl Head {
    /// The table at which the games of a run were played, and the cards; the rules must be what they were.
    pub fn table(&self, laid: &ReadyRules) -> Result<(Simulator, PlannedCast)> {
        let rules = &laid.bench.rules;
        if rules.identity_text() != self.identity {
            bail!("the rules of the run have changed since: it must be played again from the start");
        }
        let cards = self.cast.iter().map(|name| rules.group_named(name));
        let cards = cards.collect::<Option<_>>();
        let cards = cards.ok_or_else(|| anyhow!("the run names cards that the rules do not have"))?;
        let cast = PlannedCast { cards };
        let limits = Limits {
            answers: self.limit,
            offers_per_thousand: self.offers_per_thousand,
            calls_per_thousand: self.calls_per_thousand,
        };
        let names: Vec<String> = self.policies.iter().map(|(name, _)| name.clone()).collect();
        let (strategy, policies) = strategy(rules, &names)?;
        if policies != self.policies {
            bail!("the policies of the run have changed since: it must be played again from the start");
        }
        let simulator = simulator(laid, self.players, &cast, self.seed, None, limits)?;
        Ok((simulator.with_strategy(strategy), cast))
    }
}

/// A table for the games of a run.
fn simulator(
    laid: &ReadyRules,
    seats: u8,
    cast: &PlannedCast,
    seed: u64,
    present: Option<Arc<Program>>,
    limits: Limits,
) -> Result<Simulator> {
    let (rules, hooks) = (laid.bench.rules.clone(), laid.bench.hooks.clone());
    let simulator = Simulator::new(rules, hooks, seats, cast, seed, present, limits);
    simulator.map_err(|error| no_start(&error))
}
