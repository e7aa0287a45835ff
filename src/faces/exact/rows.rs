//! Everything that is certain of a game, one row a thing: text, page and data all show these.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an interval is told in floats"
)]

use omerta_exact::{Certain, Record, Value};
use omerta_measure::sim::{self, Cell, Head, Interval, Labels, RunFile};

/// Cases side by side: one, or those of a sweep; nothing where no cards can be dealt.
pub type Study = [(Cell, Option<Case>)];

/// A game with what is certain of it.
pub struct Case {
    /// What is played.
    pub head: Head,
    /// The titles of what is counted.
    pub labels: Labels,
    /// The outermost scenes by number.
    pub scenes: Vec<usize>,
    /// What is certain.
    pub certain: Certain,
    /// What in the rules hangs on who sits where, each with its place.
    pub hangs: Vec<String>,
    /// The same game, simulated.
    pub simulated: Option<RunFile>,
}

/// What sort of thing a row is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One that a simulation counts as well.
    Counted(sim::Kind),
    /// Games in which the rules break.
    Broken,
    /// Games that never end.
    Endless,
    /// Games of which it is not known how they go on.
    Open,
    /// How many answers a game takes.
    Answers,
    /// How often a scene begins.
    Scene,
}

impl Kind {
    /// Its word in JSON and CSV.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Counted(kind) => kind.word(),
            Kind::Broken => "broken",
            Kind::Endless => "endless",
            Kind::Open => "open",
            Kind::Answers => "answers",
            Kind::Scene => "scene",
        }
    }
}

/// A thing with its value.
pub struct Row {
    /// What sort of thing it is.
    pub kind: Kind,
    /// Its name among those of its sort.
    pub name: String,
    /// The value.
    pub value: Value,
    /// How often it is there and loses; only for teams, roles and seats.
    pub record: Option<Record>,
    /// What a simulation says of it.
    pub simulated: Option<Interval>,
}

impl Row {
    /// Whether a simulation is so far off that it can be no chance: further than five times what 19 of 20 are off.
    pub fn disagrees(&self) -> bool {
        self.simulated.is_some_and(|interval| {
            let (low, high) = (self.value.between.low, self.value.between.high);
            let reach = |to: f64| interval.share + 5.0 * (to - interval.share);
            high < reach(interval.low) || low > reach(interval.high)
        })
    }
}

/// All rows of a case.
pub fn rows(case: &Case) -> Vec<Row> {
    let (answers, labels) = (&case.certain.answers, &case.labels);
    let mut all = Vec::new();
    let mut add = |kind, name: &str, value: &Value, record: Option<&Record>| {
        all.push(Row {
            kind,
            name: name.to_owned(),
            value: value.clone(),
            record: record.cloned(),
            simulated: None,
        });
    };
    for (name, team) in labels.teams.iter().zip(&answers.teams) {
        add(Kind::Counted(sim::Kind::Team), name, &team.share, Some(team));
    }
    add(Kind::Counted(sim::Kind::Nobody), "nobody", &answers.nobody, None);
    for (name, role) in labels.roles.iter().zip(&answers.roles) {
        if let Some(role) = role {
            add(Kind::Counted(sim::Kind::Role), name, &role.share, Some(role));
        }
    }
    for (number, seat) in (1..).zip(&answers.seats) {
        add(
            Kind::Counted(sim::Kind::Seat),
            &number.to_string(),
            &seat.share,
            Some(seat),
        );
    }
    let endings = labels.endings.iter().map(String::as_str).chain(["no ending"]);
    for (name, value) in endings.zip(&answers.endings) {
        add(Kind::Counted(sim::Kind::Ending), name, value, None);
    }
    for (kind, value) in [
        (Kind::Broken, &answers.broken),
        (Kind::Endless, &answers.endless),
        (Kind::Open, &answers.open),
    ] {
        if value.between.high > 0.0 {
            add(kind, kind.word(), value, None);
        }
    }
    if let Some(value) = &answers.answers {
        add(Kind::Answers, "answers", value, None);
    }
    for (scene, value) in case.scenes.iter().zip(&answers.scenes) {
        if let Some(value) = value {
            add(Kind::Scene, &labels.scenes[*scene], value, None);
        }
    }
    // A simulation leaves out the games that were lost, and a walk counts them.
    if let Some(run) = case.simulated.as_ref().filter(|run| run.tally.lost() == 0) {
        beside(&mut all, run);
    }
    all
}

/// Puts what a simulation says beside it.
fn beside(all: &mut [Row], run: &RunFile) {
    let counted = sim::counted(run);
    for row in all {
        row.simulated = match row.kind {
            Kind::Counted(kind) => {
                let same = counted
                    .iter()
                    .find(|one| one.kind == kind && one.name == row.name);
                same.map(|one| one.share)
            }
            Kind::Answers => Some(sim::answers(run)),
            Kind::Broken | Kind::Endless | Kind::Open | Kind::Scene => None,
        };
    }
}
