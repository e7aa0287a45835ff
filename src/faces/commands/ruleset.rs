//! The words that say which rules are meant: a name or a path, overlays, options.

use crate::faces::{
    console::Console,
    render::{Format, Renders},
};
use anyhow::Result;
use omerta_workbench::{ReadyRules, RulesetRequest, Workbench, is_wrong};

/// Overlays and options.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Changes {
    /// Overlays to lay on the rules: names or paths
    #[arg(long, value_name = "OVERLAY", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Options to choose otherwise; `omerta show RULESET` lists them
    #[arg(long, value_name = "OPTION=VALUE", value_delimiter = ',', value_parser = setting)]
    pub set: Vec<(String, String)>,
}

fn setting(text: &str) -> Result<(String, String), String> {
    let wrong = || "write it as OPTION=VALUE".to_owned();
    let (option, value) = text.split_once('=').ok_or_else(wrong)?;
    let (option, value) = (option.trim(), value.trim());
    if option.is_empty() || value.is_empty() {
        return Err(wrong());
    }
    Ok((option.to_owned(), value.to_owned()))
}

/// The workbench for a base, and what shall be laid on it.
pub fn wanted(base: &str, changes: &Changes) -> Result<(Workbench, RulesetRequest)> {
    Workbench::asked(base, &changes.with, &changes.set)
}

/// The rules, once their mistakes have been shown; `None` when there were errors.
pub fn lay(bench: &Workbench, wanted: &RulesetRequest, console: Console) -> Option<ReadyRules> {
    let (found, laid) = match bench.lay(wanted) {
        Ok(laid) => (laid.warnings.clone(), Some(laid)),
        Err(problems) => (problems, None),
    };
    if is_wrong(&found) {
        console.talk(&bench.render(&found, Format::Human, console.err));
    }
    laid
}
