//! `omerta show`: what a ruleset is made of.

use super::{
    inside::Inside,
    ruleset::{Changes, lay, wanted},
};
use crate::faces::{
    commands::list,
    console::{Console, paint},
    render::Colour,
};
use anyhow::Result;
use omerta_check::Names;
use omerta_core::rules::{
    Cast, CastColumn, GroupId, GroupKind, NO_CALL, Op, Policy, ProcId, ProcRole, Ruleset, SceneId,
};
use omerta_play::words::{listed, members};
use omerta_workbench::{
    bundle,
    catalogue::{Entry, Sort, bundled, entries},
    files,
};
use std::{path::Path, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  omerta show                       what comes with omerta, as `omerta list` shows it
  omerta show RULESET               its roles, calls, options, casts and overlays,
                                    and what an overlay may use: scenes, events, marks, words
  omerta show ./mine.mafia          your own
  omerta show RULESET --with NAME   with an overlay laid on")]
pub struct Words {
    /// A bundled ruleset, or the path of one
    ruleset: Option<String>,
    #[command(flatten)]
    changes: Changes,
}

/// Runs the command.
pub fn show(words: &Words, console: Console) -> Result<ExitCode> {
    let Some(name) = &words.ruleset else {
        return list::list(&list::Words::default(), console);
    };
    if let Some(code) = show_other(name, console)? {
        return Ok(code);
    }
    let (bench, wanted) = wanted(name, &words.changes)?;
    let Some(laid) = lay(&bench, &wanted, console) else {
        return Ok(ExitCode::from(1));
    };
    let page = Page {
        rules: &laid.bench.rules,
        names: &laid.names,
        colour: console.out.colour,
    };
    console.say(&page.text(name))?;
    Ok(ExitCode::SUCCESS)
}

/// Overlays and libraries are no games: they are shown as they are written.
fn show_other(name: &str, console: Console) -> Result<Option<ExitCode>> {
    let text = match bundle::bundled(name) {
        Some(loaded) => loaded.text,
        None => match files::read(Path::new(name)) {
            Ok(text) => text,
            // Whether there is such a ruleset the check will say.
            Err(_) => return Ok(None),
        },
    };
    let heads = entries(name, &text);
    if heads.is_empty() || heads.iter().any(|head| matches!(head.sort, Sort::Ruleset { .. })) {
        return Ok(None);
    }
    console.say(&text)?;
    Ok(Some(ExitCode::SUCCESS))
}

/// The page about a ruleset.
struct Page<'a> {
    rules: &'a Ruleset,
    names: &'a Names,
    colour: Colour,
}

impl Page<'_> {
    fn text(&self, asked: &str) -> String {
        let rules = self.rules;
        let with = match rules.overlays.is_empty() {
            true => String::new(),
            false => format!(", with {}", listed(rules.overlays.clone(), "and")),
        };
        let head = format!("{} ({}{with})", rules.title, rules.name);
        let players = match rules.seats {
            (from, to) if from == to => format!("{from} players"),
            (from, to) => format!("{from} to {to} players"),
        };
        let parts = [
            self.part("Roles", self.roles()),
            self.part("Calls", calls(rules)),
            self.part(
                "Casts",
                rules.casts.iter().flat_map(|cast| self.cast(cast)).collect(),
            ),
            self.part("Options (--set NAME=VALUE)", self.options()),
            self.part("Offers", self.offers()),
            self.part("Endings, in the order of their tests", self.endings()),
            self.part("Policies (omerta sim --policy NAME)", self.policies()),
            self.part(
                &format!("Overlays (--with NAME; now: omerta show {asked})"),
                self.overlays(),
            ),
        ];
        format!(
            "{}\n{players}\n{}{}",
            paint(self.colour, "1", &head),
            parts.concat(),
            self.inside()
        )
    }

    /// What overlays may use.
    fn inside(&self) -> String {
        let inside = Inside {
            rules: self.rules,
            names: self.names,
        };
        let parts = inside.parts().into_iter();
        let parts: String = parts.map(|(head, rows)| self.part(head, columns(rows))).collect();
        match parts.contains('*') {
            true => format!("{parts}\nWhat has a * is published: overlays may use and change it.\n"),
            false => parts,
        }
    }

    fn part(&self, head: &str, lines: Vec<String>) -> String {
        match lines.is_empty() {
            true => String::new(),
            false => {
                let lines: String = lines.iter().map(|line| format!("  {line}\n")).collect();
                format!("\n{}\n{lines}", paint(self.colour, "1", head))
            }
        }
    }

    fn name(&self, group: GroupId) -> &str {
        &self.rules.groups[group.index()].name
    }

    fn names(&self, groups: &[GroupId]) -> String {
        listed(
            groups.iter().map(|group| self.name(*group).to_owned()).collect(),
            "and",
        )
    }

    fn roles(&self) -> Vec<String> {
        let groups = self
            .rules
            .groups
            .iter()
            .filter(|group| group.kind == GroupKind::Role);
        let row = |(group, role): (&omerta_core::rules::Group, &omerta_core::rules::Role)| {
            let team = role
                .team
                .map_or_else(String::new, |team| self.name(team).to_owned());
            let notes = [
                role.limit.map(|limit| format!("at most {limit}")),
                (!role.needs.is_empty()).then(|| format!("needs {}", self.names(&role.needs))),
                (!role.refuses.is_empty()).then(|| format!("refuses {}", self.names(&role.refuses))),
                (!role.replaces.is_empty()).then(|| {
                    let lists: Vec<String> = role.replaces.iter().map(|list| self.names(list)).collect();
                    format!("replaces {}", lists.join(" then "))
                }),
            ];
            let notes: Vec<String> = notes.into_iter().flatten().collect();
            vec![group.name.clone(), team, group.title.clone(), notes.join(", ")]
        };
        columns(groups.zip(&self.rules.roles).map(row).collect())
    }

    fn cast(&self, cast: &Cast) -> Vec<String> {
        let head = cast
            .name
            .as_ref()
            .map(|name| match cast.title.is_empty() || cast.title == *name {
                true => format!("{name}:"),
                false => format!("{name}: {}", cast.title),
            });
        let rows = columns(cast.columns.iter().map(|column| self.column(column)).collect());
        let only = cast
            .only
            .then(|| "No other cast is played but this with cards put in for what they replace.".to_owned());
        head.into_iter().chain(rows).chain(only).collect()
    }

    fn column(&self, column: &CastColumn) -> Vec<String> {
        let players = match (column.from, column.to) {
            (from, to) if from == to => format!("{from} players"),
            (from, to) => format!("{from} to {to} players"),
        };
        let cards = column.cards.iter().filter(|(_, count)| *count > 0);
        let mut cards: Vec<String> = cards
            .map(|(role, count)| match self.rules.is_open(*role) {
                true => format!("{count} of {}", self.name(*role)),
                false => format!("{count} {}", self.name(*role)),
            })
            .collect();
        cards.extend(column.rest.map(|rest| format!("the rest {}", self.name(rest))));
        vec![players, cards.join(", ")]
    }

    fn options(&self) -> Vec<String> {
        let row = |option: &omerta_core::rules::OptionSetting| {
            let values = option.values.iter().map(|value| match *value == option.value {
                true => format!("[{value}]"),
                false => value.clone(),
            });
            let values: Vec<String> = values.collect();
            let chosen = match option.values.contains(&option.value) {
                true => String::new(),
                false => format!(" [{}]", option.value),
            };
            vec![
                option.name.clone(),
                format!("{}{chosen}", values.join(" | ")),
                option.sentence.clone(),
            ]
        };
        columns(self.rules.options.iter().map(row).collect())
    }

    fn policies(&self) -> Vec<String> {
        let policies = self.rules.policies.iter();
        let row = |policy: &Policy| {
            let title = policy.title.clone().unwrap_or_default();
            vec![policy.name.clone(), title]
        };
        columns(policies.map(row).collect())
    }

    fn offers(&self) -> Vec<String> {
        let row = |offer: &omerta_core::rules::Offer| {
            let who = if offer.who.is_none() {
                "the host"
            } else {
                "players"
            };
            let during: Vec<String> = offer
                .during
                .iter()
                .map(|scene| self.rules.scenes[scene.index()].title.clone())
                .collect();
            let during = match during.is_empty() {
                true => "at any time".to_owned(),
                false => format!("during {}", listed(during, "and")),
            };
            vec![
                offer.name.clone(),
                who.to_owned(),
                during,
                offer.title.clone().unwrap_or_default(),
            ]
        };
        columns(self.rules.offers.iter().map(row).collect())
    }

    fn endings(&self) -> Vec<String> {
        let row = |ending: &omerta_core::rules::Ending| {
            vec![ending.name.clone(), ending.title.clone().unwrap_or_default()]
        };
        columns(self.rules.endings.iter().map(row).collect())
    }

    /// The bundled overlays that name this ruleset as a base.
    fn overlays(&self) -> Vec<String> {
        let fits = |entry: &Entry| match &entry.sort {
            Sort::Overlay { bases } => bases.contains(&self.rules.name),
            _ => false,
        };
        let row = |entry: Entry| vec![entry.name, entry.title];
        columns(bundled().into_iter().filter(fits).map(row).collect())
    }
}

/// Rows as lines, each cell as wide as the widest of its column.
fn columns(rows: Vec<Vec<String>>) -> Vec<String> {
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
            .unwrap_or(0)
    };
    let cells = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..cells).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).filter(|(_, width)| **width > 0);
        let padded: Vec<String> = cells.map(|(cell, width)| format!("{cell:width$}")).collect();
        padded.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

/// Whom each scene calls, in the order in which the script comes to them.
fn calls(rules: &Ruleset) -> Vec<String> {
    let row = |scene: &SceneId| {
        let scene = &rules.scenes[scene.index()];
        let called = called_in(rules, rules.procs[scene.proc.index()].entry as usize);
        (!called.is_empty()).then(|| vec![scene.name.clone(), called.join(", ")])
    };
    columns(in_order(rules).iter().filter_map(row).collect())
}

/// The scenes as the script comes to them, one inside the other; last those that it does not come to.
fn in_order(rules: &Ruleset) -> Vec<SceneId> {
    let mut order = Vec::new();
    let mut entered = vec![false; rules.procs.len()];
    let is_script = |proc: &omerta_core::rules::Proc| proc.role == ProcRole::Script;
    let script = rules.procs.iter().position(is_script);
    let mut ahead: Vec<ProcId> = script.map(|script| ProcId(script as u16)).into_iter().collect();
    while let Some(proc) = ahead.pop() {
        if std::mem::replace(&mut entered[proc.index()], true) {
            continue;
        }
        let of_scene = rules.scenes.iter().position(|scene| scene.proc == proc);
        order.extend(of_scene.map(|scene| SceneId(scene as u16)));
        let code = rules.code[rules.procs[proc.index()].entry as usize..].iter();
        let inside = code
            .take_while(|op| !matches!(op, Op::Return))
            .filter_map(|op| match op {
                Op::Enter { proc, .. } => Some(*proc),
                _ => None,
            });
        let first = ahead.len();
        ahead.extend(inside);
        ahead[first..].reverse();
    }
    let all = (0..rules.scenes.len()).map(|scene| SceneId(scene as u16));
    let others: Vec<SceneId> = all.filter(|scene| !order.contains(scene)).collect();
    order.extend(others);
    order
}

/// The calls between an entry and the return: a call names its title in the constant before it.
fn called_in(rules: &Ruleset, entry: usize) -> Vec<String> {
    let mut called = Vec::new();
    let mut constant: Option<(omerta_core::rules::Reg, u64)> = None;
    for op in rules.code[entry..]
        .iter()
        .take_while(|op| !matches!(op, Op::Return))
    {
        match *op {
            Op::Small { to, value } => constant = Some((to, value as u64)),
            Op::Const { to, index } => constant = Some((to, rules.constants[usize::from(index)])),
            Op::Call { title, purpose } if purpose != NO_CALL => {
                let titles = constant
                    .filter(|(reg, _)| *reg == title)
                    .map_or(0, |(_, set)| set);
                let to = Some(&rules.purposes[usize::from(purpose)]).filter(|purpose| !purpose.is_empty());
                let to = to.map_or_else(String::new, |purpose| format!(" to {purpose}"));
                called.extend(
                    members(titles).map(|title| format!("{}{to}", rules.groups[usize::from(title)].name)),
                );
            }
            _ => {}
        }
    }
    called
}
