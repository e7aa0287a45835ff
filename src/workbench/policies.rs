//! Policies by name: what `--policy` means.

use anyhow::Result;
use omerta_core::{diagnostic::close_name, rules::Ruleset};
use omerta_play::{strategy::Strategy, words::listed};

/// No policy of rules, but a player of ours who looks ahead, in many games alone.
pub const CAREFUL: &str = "careful";

/// Players who follow those policies, and the policies as a run is kept with them.
pub fn strategy(rules: &Ruleset, names: &[String]) -> Result<(Strategy, Vec<(String, String)>)> {
    let strategy = Strategy::of(rules, names).map_err(|name| anyhow::anyhow!(no_policy(rules, name)))?;
    let followed = names.iter().filter_map(|name| rules.policy_named(name));
    let followed = followed.map(|policy| (policy.name.clone(), format!("{:016x}", policy.identity)));
    Ok((strategy, followed.collect()))
}

fn no_policy(rules: &Ruleset, name: &str) -> String {
    let known = || rules.policies.iter().map(|policy| policy.name.as_str());
    match close_name(name, known().chain([CAREFUL])) {
        Some(CAREFUL) if name == CAREFUL => {
            "`careful` looks ahead, and plays in `omerta sim` alone".to_owned()
        }
        Some(close) => format!("there is no policy `{name}`; did you mean `{close}`?"),
        None if rules.policies.is_empty() => {
            format!("there is no policy `{name}`: the rules declare none (`policy NAME {{ … }}`)")
        }
        None => format!(
            "there is no policy `{name}`, only {}",
            listed(known().map(str::to_owned).collect(), "and")
        ),
    }
}
