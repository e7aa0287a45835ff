//! Everything in some rules that should come into effect one day: endings, what hangs on roles, rules
//! and offers with a name, teams that should win.

use super::{
    game::{End, Run},
    people::Aim,
};
use crate::coverage::Trace;
use omerta_core::{
    rules::{GroupId, GroupKind, OfferId, PlannedCast, Ruleset},
    source::{SourceId, Sources, Span},
};
use omerta_workbench::catalogue::{self, Sort as Head};
use std::collections::BTreeMap;

/// What has a name and should come into effect.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// An ending, by which a game should end.
    Ending,
    /// What a role or team does when it is called, for that purpose.
    Part,
    /// A rule, which should come in.
    Rule,
    /// An offer, which somebody should take up.
    Offer,
    /// A team, which should win.
    Team,
    /// A line of a policy, about whom somebody should ask.
    Line,
}

/// The same thing in every way the rules are laid: by its text, its place in it and its name.
pub type Key = (Sort, String, u32, String);

/// One of them.
#[derive(Clone, Debug)]
pub struct Thing {
    /// What it is, and where.
    pub key: Key,
    /// The place.
    pub origin: Span,
    /// The title whose card must be in the game.
    pub holder: Option<GroupId>,
    /// Its number among those of its sort in the rules; of a line that of its policy.
    index: usize,
    /// The number of a line in its policy.
    line: usize,
}

/// All of them.
pub struct Things(Vec<Thing>);

impl Things {
    /// Those of texts that are asked about; libraries hold what some rules use and others do not.
    pub fn of(rules: &Ruleset, sources: &Sources, own: &dyn Fn(&str) -> bool) -> Things {
        let mut things = Vec::new();
        let mut wanted: BTreeMap<SourceId, bool> = BTreeMap::new();
        let mut add = |sort, (index, line), name: &str, origin: Span, holder| {
            let source = sources.get(origin.source);
            let is_wanted = wanted
                .entry(origin.source)
                .or_insert_with(|| own(&source.name) && !is_library(&source.name, &source.text));
            if *is_wanted {
                things.push(Thing {
                    key: (sort, source.name.clone(), origin.start, name.to_owned()),
                    origin,
                    holder,
                    index,
                    line,
                });
            }
        };
        for (index, ending) in rules.endings.iter().enumerate() {
            add(Sort::Ending, (index, 0), &ending.name, ending.origin, None);
        }
        for (index, part) in rules.parts.iter().enumerate() {
            let title = &rules.groups[part.title.index()];
            let name = match part.purpose {
                0 => title.name.clone(),
                purpose => format!("{} to {}", title.name, rules.purposes[usize::from(purpose)]),
            };
            add(Sort::Part, (index, 0), &name, title.origin, Some(part.title));
        }
        for (index, (name, origin)) in rules.rules.iter().enumerate() {
            add(Sort::Rule, (index, 0), name, *origin, None);
        }
        for (index, offer) in rules.offers.iter().enumerate() {
            add(Sort::Offer, (index, 0), &offer.name, offer.origin, None);
        }
        for (index, group) in rules.groups.iter().enumerate() {
            if group.kind == GroupKind::Team {
                add(
                    Sort::Team,
                    (index, 0),
                    &group.name,
                    group.origin,
                    Some(GroupId(index as u16)),
                );
            }
        }
        for (index, policy) in rules.policies.iter().enumerate() {
            for (number, line) in policy.lines.iter().enumerate() {
                add(Sort::Line, (index, number), &policy.name, line.origin, None);
            }
        }
        Things(things)
    }

    /// All, in their order.
    pub fn iter(&self) -> impl Iterator<Item = &Thing> {
        self.0.iter()
    }
}

fn is_library(name: &str, text: &str) -> bool {
    catalogue::entries(name, text)
        .iter()
        .any(|entry| entry.sort == Head::Library)
}

impl Thing {
    /// Whether its card is in a cast; what needs none always could come into effect.
    pub fn could(&self, rules: &Ruleset, cast: &PlannedCast) -> bool {
        let holds = |title: GroupId| cast.cards.iter().any(|card| rules.is_of(*card, title));
        self.holder.is_none_or(holds)
    }

    /// Whether it came into effect in a game.
    pub fn came(&self, rules: &Ruleset, trace: &Trace, run: &Run) -> bool {
        match self.key.0 {
            Sort::Ending => trace.endings.contains(&self.index),
            Sort::Part => {
                let entry = rules.procs[rules.parts[self.index].proc.index()].entry;
                trace.came_to(entry as usize)
            }
            Sort::Rule => trace.rules.contains(&self.index),
            Sort::Offer => trace.offers.contains(&self.index),
            Sort::Line => trace.lines.contains(&(self.index, self.line)),
            Sort::Team => winners(run).is_some_and(|titles| titles >> self.index & 1 == 1),
        }
    }

    /// What people aim at who want to see it.
    pub fn aim(&self) -> Aim {
        match self.key.0 {
            Sort::Offer => Aim::Offer(OfferId(self.index as u16)),
            Sort::Team => Aim::Team(GroupId(self.index as u16)),
            Sort::Ending | Sort::Rule => Aim::Calls,
            Sort::Part | Sort::Line => Aim::Anything,
        }
    }

    /// A role by whose card it may come into effect.
    pub fn role(&self, rules: &Ruleset) -> Option<GroupId> {
        let holder = self.holder?;
        let roles = rules.role_ids();
        { roles }.find(|role| rules.is_of(*role, holder))
    }
}

/// The teams that won, and the roles of winners that are of none; `None` while the game goes on.
pub fn winners(run: &Run) -> Option<u64> {
    let End::Over(outcome) = run.end() else {
        return None;
    };
    let look = run.game.look();
    let each = (0..look.seats()).filter(|seat| outcome.winners >> seat & 1 == 1);
    let titles = each.map(|seat| match look.teams_of(1 << seat) {
        0 => look.roles_of(1 << seat),
        teams => teams,
    });
    Some(titles.fold(0, |all, titles| all | titles))
}
