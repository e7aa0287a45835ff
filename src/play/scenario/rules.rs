//! What a scenario is run with: rules, and whoever can compile.

use omerta_core::{
    diagnostic::Diagnostic,
    rules::{Kind, Program, Ruleset},
};
use omerta_engine::Hooks;
use omerta_syntax::tree::{Expr, Name};
use std::sync::Arc;

/// How many answers a game of a scenario may take.
pub const ANSWER_LIMIT: usize = 10_000;

/// What a scenario is run with: whoever can compile.
pub trait RulesSource {
    /// The rules of a base with overlays and options.
    fn rules(
        &self,
        base: &Name,
        overlays: &[Name],
        options: &[(Name, Name)],
    ) -> Result<RulesWithScripts, Vec<Diagnostic>>;

    /// An expression over the state of a game, with the names of the program's arguments.
    fn compile(&self, rules: &Ruleset, expr: &Expr, params: &[(String, Kind)])
    -> Result<Program, Diagnostic>;

    /// How many answers a game may take before it counts as endless.
    fn answer_limit(&self) -> usize {
        ANSWER_LIMIT
    }

    /// Whether the lines behind the place where a scenario stops are looked at from there: for who wants to
    /// know which lines can fail, and not what is wrong.
    fn looks_on(&self) -> bool {
        false
    }
}

/// Rules with their scripts.
#[derive(Clone)]
pub struct RulesWithScripts {
    /// The rules.
    pub rules: Arc<Ruleset>,
    /// The scripts.
    pub hooks: Arc<dyn Hooks>,
}
