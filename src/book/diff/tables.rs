//! What the compiled tables say, as things that can differ: players, teams, roles, casts, endings, options
//! and the order of the calls.

use super::meaning::Thing;
use crate::{roles::conditions, subject::Subject};
use omerta_core::plural::so_many;
use omerta_core::rules::{CastColumn, GroupId, Ruleset};
use omerta_play::words::listed;

/// Everything the tables say, but for what has an order.
pub fn things(subject: Subject<'_>) -> Vec<Thing> {
    let rules = subject.rules;
    let mut all = table(rules);
    all.extend(teams(subject));
    all.extend(roles(subject));
    all.extend(casts(subject));
    all.extend(options(rules));
    all
}

fn thing(sort: &'static str, name: impl Into<String>, words: Vec<String>) -> Thing {
    let name = name.into();
    Thing {
        sort,
        label: format!("{name}: {}", words.join(", ")),
        name,
        words,
        joint: ", ",
    }
}

fn one(words: impl Into<String>) -> Vec<String> {
    vec![words.into()]
}

fn table(rules: &Ruleset) -> Vec<Thing> {
    let (from, to) = rules.seats;
    let players = match from == to {
        true => from.to_string(),
        false => format!("{from} to {to}"),
    };
    let lot = if rules.by_lot { "by lot" } else { "as they sit" };
    vec![
        thing("Table", "title", one(&rules.title)),
        thing("Table", "players", one(players)),
        thing("Table", "seats", one(lot)),
        thing("Table", "cards more than players", one(spare(rules))),
    ]
}

fn teams(subject: Subject<'_>) -> Vec<Thing> {
    let team =
        |(_, team): (GroupId, &omerta_core::rules::Group)| thing("Teams", &team.name, one(&team.title));
    subject.teams().map(team).collect()
}

fn roles(subject: Subject<'_>) -> Vec<Thing> {
    let role = |told: crate::roles::Told<'_>| {
        let team = told.role.team.map(|team| format!("of {}", subject.name(team)));
        let mut classes = subject.classes_of(told.role);
        classes.sort();
        let classes = (!classes.is_empty()).then(|| format!("among {}", listed(classes, "and")));
        let conditions = conditions(subject, &told);
        let conditions = conditions.split(", ").filter(|words| !words.is_empty());
        let parts = [Some(told.group.title.clone()), team, classes]
            .into_iter()
            .flatten();
        let words = parts.chain(conditions.map(str::to_owned)).collect();
        thing("Roles", &told.group.name, words)
    };
    subject.roles().map(role).collect()
}

fn casts(subject: Subject<'_>) -> Vec<Thing> {
    let mut all = Vec::new();
    for cast in &subject.rules.casts {
        let name = cast
            .name
            .as_ref()
            .map_or_else(String::new, |name| format!(" of {name}"));
        if cast.only {
            all.push(thing("Casts", format!("the only cast{name}"), one("yes")));
        }
        for column in &cast.columns {
            // Two columns that say the same are the same as one for both.
            for players in column.from..=column.to {
                all.push(thing(
                    "Casts",
                    format!("{}{name}", so_many(players, "player")),
                    cards(subject, column),
                ));
            }
        }
    }
    all
}

fn cards(subject: Subject<'_>, column: &CastColumn) -> Vec<String> {
    let counted = column.cards.iter().filter(|(_, count)| *count > 0);
    let mut cards: Vec<String> = counted
        .map(|(role, count)| format!("{} {count}", subject.name(*role)))
        .collect();
    cards.sort();
    cards.extend(
        column
            .rest
            .map(|rest| format!("{} for the rest", subject.name(rest))),
    );
    cards
}

fn options(rules: &Ruleset) -> Vec<Thing> {
    let option = |option: &omerta_core::rules::OptionSetting| {
        let mut others: Vec<&str> = option.values.iter().map(String::as_str).collect();
        others.sort_unstable();
        let words = vec![
            option.value.clone(),
            format!("of {}", others.join(" | ")),
            option.sentence.clone(),
        ];
        thing("Options", &option.name, words)
    };
    rules.options.iter().map(option).collect()
}

/// The calls in their order, each with the scene it stands in.
pub fn calls(subject: Subject<'_>) -> Vec<String> {
    let call = |called: crate::Called<'_>| {
        let to = called.purpose;
        let to = to.map_or_else(String::new, |to| format!(", to {}", to.text));
        format!("{}{to} ({})", called.card.text, called.scene)
    };
    subject.calls().into_iter().map(call).collect()
}

/// The endings in the order of their tests.
pub fn endings(subject: Subject<'_>) -> Vec<String> {
    let ending = |ending: &omerta_syntax::tree::Ending| {
        let verdict = subject.sources.slice(ending.when.span);
        let name = ending.name.as_ref();
        let name = name.map_or_else(|| format!("when {verdict}"), |name| name.text.clone());
        name.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    subject.endings().map(ending).collect()
}

/// How many cards there are more than players.
fn spare(rules: &Ruleset) -> String {
    match rules.spare_rest {
        true => "any number".to_owned(),
        false => rules.spare.to_string(),
    }
}
