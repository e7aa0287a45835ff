//! What a script may read: a copy of the table, made for one call, and the names in it.

use omerta_core::rules::{FactId, FactShape, GroupId, GroupKind, Ruleset, SceneId};
use omerta_engine::{Look, seats_in};
use std::sync::Arc;

/// The names of a ruleset, by their ids.
#[derive(Default)]
pub(super) struct Names {
    /// Roles, teams, classes, tokens and faces.
    pub(super) groups: Vec<(String, GroupKind)>,
    /// Marks, flags, counts and links; those of the compiler have no name.
    pub(super) facts: Vec<(Option<String>, FactShape)>,
    /// What people wrote, by its name: which fact it is, and whether of each.
    pub(super) texts: Vec<(String, usize, bool)>,
    /// Scenes.
    pub(super) scenes: Vec<String>,
}

impl Names {
    pub(super) fn of(rules: &Ruleset) -> Self {
        Names {
            groups: rules.groups.iter().map(|g| (g.name.clone(), g.kind)).collect(),
            facts: rules
                .facts
                .iter()
                .map(|f| ((!f.hidden && !f.text).then(|| f.name.clone()), f.shape))
                .collect(),
            texts: { rules.facts.iter().enumerate() }
                .filter(|(_, fact)| fact.text && !fact.hidden)
                .map(|(at, fact)| (fact.name.clone(), at, fact.shape == FactShape::CountOfEach))
                .collect(),
            scenes: rules.scenes.iter().map(|s| s.name.clone()).collect(),
        }
    }

    /// Which of the texts it is, and whether of each.
    pub(super) fn text(&self, name: &str) -> Option<(usize, bool)> {
        let at = self.texts.iter().position(|(known, ..)| known == name)?;
        Some((at, self.texts[at].2))
    }

    pub(super) fn group(&self, name: &str) -> Option<usize> {
        self.groups.iter().position(|(known, _)| known == name)
    }

    pub(super) fn fact(&self, name: &str) -> Option<(usize, FactShape)> {
        let at = self
            .facts
            .iter()
            .position(|(known, _)| known.as_deref() == Some(name))?;
        Some((at, self.facts[at].1))
    }

    pub(super) fn scene(&self, name: &str) -> Option<usize> {
        self.scenes.iter().position(|known| known == name)
    }
}

/// A scene in a snapshot.
#[derive(Clone, Copy, Default)]
pub(super) struct SceneState {
    /// How often it has begun.
    pub(super) times: u64,
    /// Whether it is running.
    pub(super) during: bool,
}

/// The table at one moment. Rows have one word a seat.
pub(super) struct Snapshot {
    pub(super) names: Arc<Names>,
    pub(super) seats: u8,
    /// The seats of each group.
    pub(super) groups: Vec<u64>,
    /// The word of each mark, flag and count of the game.
    pub(super) words: Vec<u64>,
    /// The words of each fact that has one a seat; of a mark in order the seats in that order.
    pub(super) rows: Vec<Vec<u64>>,
    /// What was written: of the game one, else one for each seat.
    pub(super) texts: Vec<Vec<String>>,
    /// The role and the team of each seat, as titles.
    pub(super) roles: Vec<u64>,
    pub(super) teams: Vec<u64>,
    pub(super) scenes: Vec<SceneState>,
    /// What each card shows.
    pub(super) cards: Vec<GroupId>,
}

impl Snapshot {
    /// Copies what stands where.
    pub(super) fn of(look: &Look<'_>, names: &Arc<Names>) -> Self {
        let seats = look.seats();
        let fact = |at: usize| FactId(at as u16);
        let scene = |at: usize| SceneId(at as u16);
        Snapshot {
            names: names.clone(),
            seats,
            groups: (0..names.groups.len())
                .map(|at| look.group(GroupId(at as u16)))
                .collect(),
            words: (0..names.facts.len()).map(|at| look.fact(fact(at))).collect(),
            rows: names
                .facts
                .iter()
                .enumerate()
                .map(|(at, (_, shape))| row(look, fact(at), *shape))
                .collect(),
            texts: { names.texts.iter() }
                .map(|(_, at, each)| match each {
                    true => (0..seats).map(|seat| look.fact_of(fact(*at), seat)).collect(),
                    false => vec![look.fact(fact(*at))],
                })
                .map(|words: Vec<u64>| words.into_iter().map(|word| look.text(word).to_owned()).collect())
                .collect(),
            roles: (0..seats).map(|seat| look.roles_of(1 << seat)).collect(),
            teams: (0..seats).map(|seat| look.teams_of(1 << seat)).collect(),
            scenes: (0..names.scenes.len())
                .map(|at| SceneState {
                    times: look.times(scene(at)),
                    during: look.during(scene(at)),
                })
                .collect(),
            cards: look.things().iter().map(|thing| thing.shown()).collect(),
        }
    }

    /// A table nobody has played at: the roles go round, every fact is as at the start.
    pub(super) fn rehearsal(rules: &Ruleset, names: &Arc<Names>) -> Self {
        let seats = rules.seats.0.clamp(1, 64);
        let dealt: Vec<usize> = (0..usize::from(seats))
            .filter_map(|seat| seat.checked_rem(rules.roles.len()))
            .collect();
        let mut groups = vec![0; names.groups.len()];
        for (seat, role) in dealt.iter().enumerate() {
            for group in &rules.roles[*role].groups {
                groups[group.index()] |= 1 << seat;
            }
        }
        let title = |group: usize| 1_u64.checked_shl(group as u32).unwrap_or(0);
        let team = |role: &usize| rules.roles[*role].team.map_or(0, |team| title(team.index()));
        let start = |shape: FactShape, start: i64| match shape {
            FactShape::Flag | FactShape::Count | FactShape::CountOfEach => start as u64,
            _ => 0,
        };
        let starts: Vec<u64> = rules
            .facts
            .iter()
            .map(|fact| start(fact.shape, fact.start))
            .collect();
        Snapshot {
            names: names.clone(),
            seats,
            groups,
            rows: starts
                .iter()
                .map(|start| vec![*start; usize::from(seats)])
                .collect(),
            words: starts,
            texts: vec![vec![String::new(); usize::from(seats)]; names.texts.len()],
            roles: dealt.iter().map(|role| title(*role)).collect(),
            teams: dealt.iter().map(team).collect(),
            scenes: vec![SceneState::default(); names.scenes.len()],
            cards: dealt.iter().map(|role| GroupId(*role as u16)).collect(),
        }
    }

    /// The name of the lowest of some titles.
    pub(super) fn title(&self, titles: u64) -> Option<&str> {
        self.titles(titles).next()
    }

    /// The names of some titles.
    pub(super) fn titles(&self, titles: u64) -> impl Iterator<Item = &str> {
        seats_in(titles)
            .filter_map(|at| self.names.groups.get(at))
            .map(|(name, _)| name.as_str())
    }
}

/// The words of a fact for each seat; nothing for what the game has one word for.
fn row(look: &Look<'_>, fact: FactId, shape: FactShape) -> Vec<u64> {
    match shape {
        FactShape::Mark | FactShape::MarkOne | FactShape::Flag | FactShape::Count => Vec::new(),
        FactShape::MarkInOrder { .. } => look.in_order(fact).into_iter().map(u64::from).collect(),
        FactShape::CountOfEach | FactShape::Link { .. } => {
            (0..look.seats()).map(|seat| look.fact_of(fact, seat)).collect()
        }
    }
}
