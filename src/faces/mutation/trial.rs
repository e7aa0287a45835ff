//! Scenarios as a test of changes: run once as things are, then on each change until one notices.

use super::{
    Target,
    lab::{Before, Instead, Lab, Laid},
};
use crate::{
    diagnostic::Diagnostic,
    faces::{bundle::Shelf, workbench::is_wrong},
    play::{
        mutate::Change,
        scenario::{Test, run, tests_of},
    },
    source::Sources,
    syntax::parse_play,
};
use std::{
    collections::BTreeSet,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// How many answers a changed game may take: so many times what it took before, and then some.
const TIMES_AS_LONG: usize = 4;
const AND_THEN: usize = 100;

/// The scenarios that use a text, all of which hold.
pub struct Scenarios {
    sources: Sources,
    groups: Vec<Group>,
    tests: Vec<Tested>,
}

/// Scenarios of one folder.
struct Group {
    shelf: Shelf,
    before: Before,
}

struct Tested {
    test: Test,
    group: usize,
    /// How many answers it took.
    answers: usize,
    /// The lines of the text it came to.
    lines: BTreeSet<usize>,
}

/// What came of a change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// A scenario no longer holds.
    Noticed,
    /// All scenarios hold all the same.
    Unnoticed,
    /// The rules no longer compile.
    Uncompilable,
    /// The compiled rules are what they were.
    Same,
    /// The program itself stumbled: a mistake of ours that the change brought to light.
    Stumbled,
}

/// Why changes cannot be tried.
pub enum Obstacle {
    /// A file of scenarios is no such.
    Unreadable(Sources, Vec<Diagnostic>),
    /// Scenarios that fail before anything is changed, by name.
    Failing(Vec<String>),
}

/// Runs all scenarios as things are, and keeps those that use the text. `wants` is asked with the
/// name of the file and of the scenario.
pub fn baseline(
    target: &Target,
    files: &[(Shelf, String, String)],
    wants: impl Fn(&str, &str) -> bool,
) -> Result<Scenarios, Obstacle> {
    let mut sources = Sources::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut found = Vec::new();
    for (shelf, name, text) in files {
        let id = sources.add(name, text);
        let (tree, problems) = parse_play(id, text);
        if is_wrong(&problems) {
            return Err(Obstacle::Unreadable(sources, problems));
        }
        let known = groups.iter().position(|group| group.shelf.folder == shelf.folder);
        let group = known.unwrap_or_else(|| {
            groups.push(Group {
                shelf: shelf.clone(),
                before: Before::new(),
            });
            groups.len() - 1
        });
        let wanted = tests_of(&tree).into_iter().filter(|test| wants(name, &test.name));
        found.extend(wanted.map(|test| (test, group)));
    }
    let as_is = Instead {
        text: &target.text,
        changed: &target.text,
    };
    let (mut tests, mut failing) = (Vec::new(), Vec::new());
    for (index, group) in groups.iter_mut().enumerate() {
        let lab = Lab::new(&group.shelf, sources.clone(), as_is, None);
        for (test, _) in found.iter().filter(|(_, of)| *of == index) {
            let report = run(test, &lab);
            let Some((wanted, laid)) = lab.last() else {
                continue;
            };
            let Laid::Ready(bench, _) = laid else { continue };
            group.before.insert(wanted, bench.rules);
            match report.passed() {
                true => tests.push(Tested {
                    test: test.clone(),
                    group: index,
                    answers: report.session.as_ref().map_or(0, |session| session.cursor()),
                    lines: report
                        .session
                        .as_ref()
                        .map_or_else(BTreeSet::new, |session| lab.lines_of(session)),
                }),
                false => failing.push(report.name),
            }
        }
    }
    match failing.is_empty() {
        true => Ok(Scenarios {
            sources,
            groups,
            tests,
        }),
        false => Err(Obstacle::Failing(failing)),
    }
}

impl Scenarios {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.tests.len()
    }

    /// The order in which to run them at first: short ones before long ones.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.tests.len()).collect();
        order.sort_by_key(|&index| self.tests[index].answers);
        order
    }

    /// Runs the scenarios on a changed text until one no longer holds: first those that came to the
    /// place, each in the order given. The one that notices is moved to the front of it: what notices
    /// one change often notices the next.
    pub fn attempt(&self, target: &Target, change: &Change, order: &mut Vec<usize>) -> Verdict {
        let changed = change.apply(&target.text);
        let instead = Instead {
            text: &target.text,
            changed: &changed,
        };
        let lines = change.line_numbers(&target.text);
        let (near, far): (Vec<usize>, Vec<usize>) = order
            .iter()
            .partition(|&&index| self.tests[index].lines.range(lines.clone()).next().is_some());
        let mut labs: Vec<Option<Lab<'_>>> = self.groups.iter().map(|_| None).collect();
        let (mut ran, mut same) = (false, false);
        for index in near.into_iter().chain(far) {
            let tested = &self.tests[index];
            let group = &self.groups[tested.group];
            let lab = labs[tested.group].get_or_insert_with(|| {
                Lab::new(&group.shelf, self.sources.clone(), instead, Some(&group.before))
            });
            lab.bound(tested.answers * TIMES_AS_LONG + AND_THEN);
            let Ok(report) = catch_unwind(AssertUnwindSafe(|| run(&tested.test, &*lab))) else {
                return Verdict::Stumbled;
            };
            match lab.last() {
                Some((_, Laid::Broken { at_home: true })) => return Verdict::Uncompilable,
                Some((_, Laid::Broken { .. } | Laid::Foreign)) => {}
                Some((_, Laid::Same)) => same = true,
                Some((_, Laid::Ready(..))) | None => {
                    ran = true;
                    if !report.passed() {
                        order.retain(|other| *other != index);
                        order.insert(0, index);
                        return Verdict::Noticed;
                    }
                }
            }
        }
        match (ran, same) {
            (true, _) => Verdict::Unnoticed,
            (false, true) => Verdict::Same,
            (false, false) => Verdict::Uncompilable,
        }
    }
}
