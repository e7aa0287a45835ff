//! The words that say which rules are meant: a name or a path, overlays, options.

use crate::faces::{
    console::Console,
    render::{Format, Renders},
};
use anyhow::Result;
use omerta_core::rules::{Origin, Ruleset};
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

/// Where something of the rules stands, as `city.mafia:12`.
pub fn place_of(bench: &Workbench, origin: Origin) -> Option<String> {
    (origin != Origin::default()).then(|| {
        bench.with_sources(|sources| {
            let source = sources.get(origin.source);
            let place = source.place(origin.start as usize);
            format!("{}:{}", source.name, place.line)
        })
    })
}

/// Says of rules that compare what is written that players who choose by chance have no words of their own.
pub fn tell_of_texts(bench: &Workbench, rules: &Ruleset, console: Console) {
    if let Some(place) = rules.compares_texts.and_then(|place| place_of(bench, place)) {
        console.talk(&format!(
            "these rules compare what somebody writes ({place}): whoever writes by chance knows no words but those of the rules, so what comes of \
             that comparison is no measure\n"
        ));
    }
}
