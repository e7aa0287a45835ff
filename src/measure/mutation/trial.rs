//! Scenarios as a test of changes: run once as things are, then on each change until one notices.

use super::lab::{Before, Instead, Lab, Relaid, Target};
use omerta_check::Readings;
use omerta_core::{diagnostic::Diagnostic, source::Sources};
use omerta_play::{
    mutate::Change,
    scenario::{ANSWER_LIMIT, Report, Test, run, tests_of},
};
use omerta_syntax::parse_play;
use omerta_workbench::{
    SharedLoader, is_wrong,
    runner::{Text, contains, snapshots},
};
use std::{
    collections::BTreeSet,
    ops::RangeInclusive,
    panic::{AssertUnwindSafe, catch_unwind},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// How many answers a changed game may take: so many times what it took before, and then some.
const TIMES_AS_LONG: usize = 4;
const AND_THEN: usize = 100;

/// The scenarios that use a text, all of which hold.
pub struct Scenarios {
    sources: Sources,
    readings: Readings,
    groups: Vec<Group>,
    tests: Vec<Tested>,
    /// The order in which they are run: short ones before long ones at first.
    order: Mutex<Vec<usize>>,
}

/// Scenarios of one folder: they find the same rules by the same names.
struct Group {
    folder: Option<PathBuf>,
    loader: SharedLoader,
    before: Before,
}

struct Tested {
    test: Test,
    group: usize,
    /// What its snapshots hold.
    snapshots: Vec<String>,
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

/// What came of one scenario on a changed text.
enum Came {
    Broken,
    Foreign,
    Same,
    Ran(Box<Report>),
}

/// A change and what came of it.
pub struct Tried {
    /// The change.
    pub change: Change,
    /// What came of it.
    pub verdict: Verdict,
}

/// Why changes cannot be tried.
pub enum Obstacle {
    /// A file of scenarios is no such.
    Unreadable(Sources, Vec<Diagnostic>),
    /// Scenarios that fail before anything is changed, by file and name.
    Failing(Vec<String>),
}

/// A scenario that was found, before it is known whether it uses the text.
struct Found {
    test: Test,
    group: usize,
    /// What messages call its file.
    file: String,
    /// What was kept of its snapshots, by their files.
    kept: Vec<Option<String>>,
}

/// Runs all scenarios as things are, and keeps those that use the text; only those with the letters
/// of `filter` in their name or in that of their file.
pub fn baseline(target: &Target, texts: &[Text], filter: &str) -> Result<Scenarios, Obstacle> {
    let mut sources = Sources::default();
    let mut groups: Vec<Group> = Vec::new();
    let mut found = Vec::new();
    for text in texts {
        let id = sources.add(&text.name, &text.text);
        let (tree, problems) = parse_play(id, &text.text);
        if is_wrong(&problems) {
            return Err(Obstacle::Unreadable(sources, problems));
        }
        let group = group_of(text, &mut groups);
        found.extend(found_in(text, tests_of(&tree), group, filter));
    }
    let readings = Readings::default();
    let (mut tests, mut failing) = (Vec::new(), Vec::new());
    for (index, group) in groups.iter_mut().enumerate() {
        let as_is = Instead {
            text: &target.text,
            changed: &target.text,
        };
        let lab = Lab::new(&*group.loader, (sources.clone(), &readings), as_is, None);
        for found in found.iter().filter(|found| found.group == index) {
            let report = run(&found.test, &lab);
            if let Some((wanted, Relaid::Ready(bench, _))) = lab.last() {
                group.before.insert(wanted, bench.rules);
                match found.holds(&report) {
                    true => tests.push(Tested::of(found, &report, &lab)),
                    false => failing.push(format!("{}: {}", found.file, report.name)),
                }
            }
        }
    }
    if !failing.is_empty() {
        return Err(Obstacle::Failing(failing));
    }
    let mut order: Vec<usize> = (0..tests.len()).collect();
    order.sort_by_key(|&index: &usize| tests[index].answers);
    Ok(Scenarios {
        sources,
        readings,
        groups,
        tests,
        order: Mutex::new(order),
    })
}

fn group_of(text: &Text, groups: &mut Vec<Group>) -> usize {
    let known = groups.iter().position(|group| group.folder == text.folder);
    known.unwrap_or_else(|| {
        groups.push(Group {
            folder: text.folder.clone(),
            loader: text.loader.clone(),
            before: Before::new(),
        });
        groups.len() - 1
    })
}

fn found_in(text: &Text, tests: Vec<Test>, group: usize, filter: &str) -> Vec<Found> {
    let files = snapshots::files_of(&text.name, &tests);
    let in_file = contains(&text.name, filter);
    let wanted = tests
        .into_iter()
        .zip(files)
        .filter(|(test, _)| in_file || contains(&test.name, filter));
    let body = |file: &String| Some(snapshots::Kept::read(text.kept.get(file)?).body);
    wanted
        .map(|(test, files)| Found {
            test,
            group,
            file: text.name.clone(),
            kept: files.iter().map(body).collect(),
        })
        .collect()
}

impl Found {
    /// Whether it holds with its snapshots.
    fn holds(&self, report: &Report) -> bool {
        let bodies = report.snapshots.iter().map(|snapshot| snapshot.text.trim_end());
        let kept = self.kept.iter().map(|kept| kept.as_deref().map(str::trim_end));
        report.passed() && kept.eq(bodies.map(Some))
    }
}

impl Tested {
    fn of(found: &Found, report: &Report, lab: &Lab<'_>) -> Self {
        let session = report.session.as_ref();
        Tested {
            test: found.test.clone(),
            group: found.group,
            snapshots: texts_of(report),
            answers: session.map_or(0, |session| session.cursor()),
            lines: session.map_or_else(BTreeSet::new, |session| lab.lines_of(session)),
        }
    }
}

fn texts_of(report: &Report) -> Vec<String> {
    report
        .snapshots
        .iter()
        .map(|snapshot| snapshot.text.clone())
        .collect()
}

impl Scenarios {
    /// How many there are.
    pub fn count(&self) -> usize {
        self.tests.len()
    }

    /// The scenarios, with the texts that they stand in.
    pub(super) fn tests(&self) -> impl Iterator<Item = (&Sources, &Test)> {
        self.tests.iter().map(|tested| (&self.sources, &tested.test))
    }

    /// Those of some scenarios that came to the place of a change, and the others.
    fn by_place(&self, all: Vec<usize>, lines: &RangeInclusive<usize>) -> (Vec<usize>, Vec<usize>) {
        all.into_iter()
            .partition(|&index| self.tests[index].lines.range(lines.clone()).next().is_some())
    }

    /// Runs those scenarios on a changed text that came to its place, or all others; `done` is told of each
    /// that no longer holds. What `wants` does not like is left out.
    pub(super) fn each_failing(
        &self,
        (target, change): (&Target, &Change),
        near: bool,
        wants: impl Fn(usize) -> bool,
        mut done: impl FnMut(usize, &Report),
    ) {
        let changed = change.apply(&target.text);
        let instead = Instead {
            text: &target.text,
            changed: &changed,
        };
        let all = (0..self.tests.len()).collect();
        let (close, far) = self.by_place(all, &change.line_numbers(&target.text));
        let mut labs: Vec<Option<Lab<'_>>> = self.groups.iter().map(|_| None).collect();
        for index in if near { close } else { far } {
            if !wants(index) {
                continue;
            }
            if let Some(Came::Ran(report)) = self.run_on(index, instead, &mut labs)
                && (!report.passed() || texts_of(&report) != self.tests[index].snapshots)
            {
                done(index, &report);
            }
        }
    }

    /// Runs one scenario on a changed text; nothing comes of it where the program stumbles.
    fn run_on<'l>(
        &'l self,
        index: usize,
        instead: Instead<'l>,
        labs: &mut [Option<Lab<'l>>],
    ) -> Option<Came> {
        let tested = &self.tests[index];
        let group = &self.groups[tested.group];
        let lab = labs[tested.group].get_or_insert_with(|| {
            let texts = (self.sources.clone(), &self.readings);
            Lab::new(&*group.loader, texts, instead, Some(&group.before))
        });
        lab.bound((tested.answers * TIMES_AS_LONG + AND_THEN).min(ANSWER_LIMIT));
        let report = catch_unwind(AssertUnwindSafe(|| run(&tested.test, &*lab))).ok()?;
        Some(match lab.last() {
            Some((_, Relaid::Broken)) => Came::Broken,
            Some((_, Relaid::Foreign)) => Came::Foreign,
            Some((_, Relaid::Same)) => Came::Same,
            Some((_, Relaid::Ready(..))) | None => Came::Ran(Box::new(report)),
        })
    }

    /// Runs the scenarios on a changed text until one no longer holds: first those that came to the
    /// place. Which one it is does not change the verdict.
    pub fn attempt(&self, target: &Target, change: &Change) -> Verdict {
        let changed = change.apply(&target.text);
        let instead = Instead {
            text: &target.text,
            changed: &changed,
        };
        let lines = change.line_numbers(&target.text);
        let (near, far) = self.by_place(self.order(), &lines);
        let mut labs: Vec<Option<Lab<'_>>> = self.groups.iter().map(|_| None).collect();
        let (mut ran, mut same, mut broken) = (false, false, false);
        for index in near.into_iter().chain(far) {
            let Some(came) = self.run_on(index, instead, &mut labs) else {
                return Verdict::Stumbled;
            };
            match came {
                Came::Broken => broken = true,
                Came::Foreign => {}
                Came::Same => same = true,
                Came::Ran(report) => {
                    ran = true;
                    if !report.passed() || texts_of(&report) != self.tests[index].snapshots {
                        self.next_time_first(index);
                        return Verdict::Noticed;
                    }
                }
            }
        }
        match (broken, ran, same) {
            (false, true, _) => Verdict::Unnoticed,
            (false, false, true) => Verdict::Same,
            _ => Verdict::Uncompilable,
        }
    }

    fn order(&self) -> Vec<usize> {
        self.order.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// What notices one change often notices the next.
    fn next_time_first(&self, index: usize) {
        let mut order = self.order.lock().unwrap_or_else(PoisonError::into_inner);
        order.retain(|other| *other != index);
        order.insert(0, index);
    }
}
