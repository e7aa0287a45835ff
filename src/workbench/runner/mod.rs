//! Finds scenarios, runs them on all cores, and holds their snapshots against those that were kept.
//!
//! What comes of a scenario hangs on its text and its rules alone: neither the order of the files nor
//! the number of threads changes a result. Nothing is written unasked: [`Ran::keep`] does it.

pub mod snapshots;
pub mod watch;

use crate::{
    SharedLoader, Workbench,
    bundle::{self, Shelf},
    files, is_wrong,
};
use anyhow::{Context, Result, bail};
use omerta_check::{Readings, drop_allowed};
use omerta_core::{
    codes::{self, Class},
    diagnostic::{Diagnostic, Repair},
    source::{Sources, Span},
};
use omerta_play::scenario::{Report, Test, run, tests_of};
use omerta_syntax::{meant_in_play, parse_play, parse_scenarios, play_tree::LineKind};
use snapshots::{FOLDER, Held, Kept};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// What a thread may need for rules that lie deep in one another.
const STACK: usize = 16 << 20;

/// A file of scenarios, with all that is needed to run it.
#[derive(Clone)]
pub struct Text {
    /// What messages call it.
    pub name: String,
    /// The whole text.
    pub text: String,
    /// Where its rules are found.
    pub loader: SharedLoader,
    /// The folder it lies in; nothing for a bundled one.
    pub folder: Option<PathBuf>,
    /// The snapshots that lie beside it, by the names of their files.
    pub kept: BTreeMap<String, String>,
}

/// Which scenarios are run, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Only those with this text in their name or in that of their file.
    pub filter: String,
    /// On so many threads.
    pub threads: usize,
    /// Whether somebody wants the games themselves: they take much more room than what came of them.
    pub games: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Plan {
            filter: String::new(),
            threads: thread::available_parallelism().map_or(1, usize::from),
            games: true,
        }
    }
}

/// A file of scenarios that was run.
pub struct Ran {
    /// What messages call it.
    pub name: String,
    /// The texts, for showing diagnostics.
    pub bench: Workbench,
    /// What is wrong with the file itself; then nothing was run.
    pub problems: Vec<Diagnostic>,
    /// What came of each scenario.
    pub reports: Vec<Report>,
    /// The snapshots of the scenarios, in order, beside those that were kept.
    pub held: Vec<Held>,
    /// Files of snapshots that no scenario of this file makes.
    pub orphans: Vec<String>,
    /// The folder it lies in; nothing for a bundled one.
    pub folder: Option<PathBuf>,
}

impl Ran {
    /// The texts that its rules were read from, by their names.
    pub fn texts_of_rules(&self) -> Vec<(String, String)> {
        let sources = self.bench.sources();
        let rules = sources
            .iter()
            .filter(|(_, source)| source.name.ends_with(".mafia"));
        rules
            .map(|(_, source)| (source.name.clone(), source.text.clone()))
            .collect()
    }

    /// Whether everything holds, snapshots aside.
    pub fn passed(&self) -> bool {
        !is_wrong(&self.problems) && self.reports.iter().all(Report::passed)
    }

    /// Whether a scenario holds, with its snapshots.
    pub fn holds(&self, report: usize) -> bool {
        self.reports[report].passed()
            && self
                .held
                .iter()
                .all(|held| held.report != report || held.is_same())
    }

    /// How many scenarios hold, and how many do not.
    pub fn count(&self) -> (usize, usize) {
        let ok = (0..self.reports.len())
            .filter(|report| self.holds(*report))
            .count();
        let broken = usize::from(is_wrong(&self.problems));
        (ok, (self.reports.len() - ok).max(broken))
    }

    /// A snapshot's file with its folder.
    pub fn path_of(&self, file: &str) -> PathBuf {
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => Path::new(&self.name)
                .parent()
                .unwrap_or(Path::new(""))
                .to_path_buf(),
        };
        folder.join(FOLDER).join(file)
    }

    /// Keeps a snapshot, and takes the one away that waited for this.
    pub fn keep(&self, held: &Held) -> Result<()> {
        write(&self.path_of(&held.file), held)?;
        self.forget(held)
    }

    /// Lays a snapshot beside the one that was kept, for a verdict later.
    pub fn lay_beside(&self, held: &Held) -> Result<()> {
        write(&self.waiting(held), held)
    }

    /// Takes away one that waits.
    pub fn forget(&self, held: &Held) -> Result<()> {
        let path = self.waiting(held);
        match files::is_there(&path) {
            true => files::remove(&path),
            false => Ok(()),
        }
    }

    /// Takes a snapshot away that nobody makes.
    pub fn delete(&self, file: &str) -> Result<()> {
        let path = self.path_of(file);
        files::remove(&path).with_context(|| format!("`{}` stays", path.display()))
    }

    fn waiting(&self, held: &Held) -> PathBuf {
        self.path_of(&format!("{}.new", held.file))
    }
}

fn write(path: &Path, held: &Held) -> Result<()> {
    keep_at(path, &held.new)
}

/// Keeps a snapshot in its file.
pub fn keep_at(path: &Path, new: &Kept) -> Result<()> {
    files::make_folder(path.parent().unwrap_or(Path::new("")))?;
    files::write(path, &new.to_text())
}

// ---- Finding

/// The scenarios of files and folders, each file once, in the order of their names. Where none are
/// named, those of the folder one stands in; where that holds none, the bundled ones.
pub fn discover(paths: &[PathBuf]) -> Result<Vec<Text>> {
    discover_each(paths)?.into_iter().collect()
}

/// The same, where one that cannot be read is no reason to leave the others.
pub fn discover_each(paths: &[PathBuf]) -> Result<Vec<Result<Text>>> {
    if paths.is_empty() {
        let here = files::below(Path::new("."), "play");
        if here.is_empty() {
            return Ok(bundled().into_iter().map(Ok).collect());
        }
        return Ok(here.iter().map(|path| read(plain(path))).collect());
    }
    let mut found = BTreeSet::new();
    for path in paths {
        if files::is_folder(path) {
            let inside = files::below(path, "play");
            if inside.is_empty() {
                bail!("`{}` holds no .play file", path.display());
            }
            found.extend(inside.iter().map(|path| plain(path).to_path_buf()));
        } else {
            found.insert(path.clone());
        }
    }
    Ok(found.iter().map(|path| read(path)).collect())
}

/// A path without the point for the folder one stands in.
fn plain(path: &Path) -> &Path {
    path.strip_prefix(".").unwrap_or(path)
}

/// Refuses a file of rules, where scenarios are wanted.
pub fn holds_scenarios(path: &Path) -> Result<()> {
    let file = path.display();
    match path.extension().is_some_and(|ending| ending == "mafia") {
        true => bail!(
            "`{file}` holds rules and no scenarios; `omerta check {file}` looks it over, `omerta play {file}` opens it"
        ),
        false => Ok(()),
    }
}

/// A file of scenarios with the snapshots beside it.
pub fn read(path: &Path) -> Result<Text> {
    holds_scenarios(path)?;
    Ok(lying_at(path, files::read(path)?, Shelf::beside(path)))
}

/// A text of scenarios that lies at a path, or will when it is saved, with the snapshots beside it.
pub fn lying_at(path: &Path, text: String, shelf: Shelf) -> Text {
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let kept = files::texts_in(&folder.join(FOLDER), ".snap");
    Text {
        name: path.display().to_string(),
        text,
        loader: Arc::new(shelf),
        kept: kept.into_iter().collect(),
        folder: Some(folder),
    }
}

/// The bundled scenarios with their snapshots.
pub fn bundled() -> Vec<Text> {
    let text = |file: &include_dir::File<'_>| {
        let folder = file.path().parent().unwrap_or(Path::new(""));
        Text {
            name: file.path().display().to_string(),
            text: file.contents_utf8().unwrap_or_default().to_owned(),
            loader: Arc::new(Shelf::default()),
            kept: bundle::texts_in(&folder.join(FOLDER), ".snap")
                .into_iter()
                .collect(),
            folder: None,
        }
    };
    let mut texts: Vec<Text> = bundle::scenarios().map(text).collect();
    texts.sort_by(|a, b| a.name.cmp(&b.name));
    texts
}

// ---- Running

/// Runs the scenarios of one text whose names `wants` likes, one after the other.
pub fn run_text(shelf: Shelf, name: &str, text: &str, wants: impl Fn(&str) -> bool) -> Ran {
    run_each((shelf, &Readings::default()), (name, text), wants, &mut |_, _| {})
}

/// The same, with what rules were read as; each is handed on as soon as it is done. What can be told of all together
/// only, lines that can never fail, stands in what comes out.
pub fn run_each(
    (shelf, readings): (Shelf, &Readings),
    (name, text): (&str, &str),
    wants: impl Fn(&str) -> bool,
    done: &mut dyn FnMut(&Workbench, &Report),
) -> Ran {
    let text = Text {
        name: name.to_owned(),
        text: text.to_owned(),
        loader: Arc::new(shelf),
        folder: None,
        kept: BTreeMap::new(),
    };
    let mut opened = open(&text, readings);
    opened.tests.retain(|(_, test)| wants(&test.name));
    let mut reports = Vec::new();
    for (_, test) in &opened.tests {
        let report = run_on(test, &opened.bench);
        done(&opened.bench, &report);
        reports.push(report);
    }
    warn_of_hollow(&opened, &mut reports);
    Ran {
        name: text.name,
        bench: opened.bench,
        problems: opened.problems,
        reports,
        held: Vec::new(),
        orphans: Vec::new(),
        folder: None,
    }
}

/// Runs the first so many scenarios of a text, one after the other, for as long as somebody wants to know. What could
/// not be written out the check of the text tells of.
pub fn run_while(
    (text, readings): (&Text, &Readings),
    most: usize,
    is_wanted: &dyn Fn() -> bool,
) -> Option<Ran> {
    let mut opened = open(text, readings);
    opened.tests.truncate(most);
    opened.tests.retain(|(_, test)| test.problems.is_empty());
    let mut reports = Vec::new();
    for (_, test) in &opened.tests {
        if !is_wanted() {
            return None;
        }
        reports.push(run_on(test, &opened.bench));
    }
    Some(hold(text, opened, reports, false))
}

/// Runs the scenarios of many texts, on several threads; the results stand in the order of the texts.
/// Texts of which nothing is wanted are left out.
pub fn run_suite(texts: &[Text], plan: &Plan) -> Vec<Ran> {
    let readings = Readings::default();
    let mut opened: Vec<Opened> = texts.iter().map(|text| open(text, &readings)).collect();
    for (text, opened) in texts.iter().zip(&mut opened) {
        let in_file = contains(&text.name, &plan.filter);
        opened
            .tests
            .retain(|(_, test)| in_file || contains(&test.name, &plan.filter));
    }
    let reports = run_all(&opened, plan);
    let mut rans = Vec::new();
    for ((text, opened), reports) in texts.iter().zip(opened).zip(reports) {
        let wanted = contains(&text.name, &plan.filter) || !reports.is_empty();
        if wanted {
            rans.push(hold(text, opened, reports, plan.filter.is_empty()));
        }
    }
    rans
}

/// What is wrong with a text of scenarios and not with the game that they look at: what is written in them, and lines
/// that can never fail. Its places are in the texts of the workbench.
pub fn mistakes_in(bench: Workbench, name: &str, text: &str) -> Vec<Diagnostic> {
    let opened = [opened_on(bench, name, text)];
    let plan = Plan {
        games: false,
        ..Plan::default()
    };
    let mut reports: Vec<Report> = run_all(&opened, &plan).into_iter().flatten().collect();
    let [mut opened] = opened;
    warn_of_hollow(&opened, &mut reports);
    let mut found = std::mem::take(&mut opened.problems);
    let told = reports.into_iter().flat_map(|report| report.diagnostics);
    found.extend(told.filter(|problem| !problem.code.is(Class::Verdict)));
    found
}

/// The scenarios of a text that are run by a filter, in order.
pub fn tests_in(text: &Text, filter: &str) -> Vec<Test> {
    let mut sources = Sources::default();
    let id = sources.add(&text.name, &text.text);
    let mut tests = tests_of(&parse_play(id, &text.text).0);
    let in_file = contains(&text.name, filter);
    tests.retain(|test| in_file || contains(&test.name, filter));
    tests
}

/// What is said where no scenario is wanted.
pub fn nothing_like(filter: &str) -> String {
    format!("no scenario has `{filter}` in its name or in that of its file")
}

/// Whether a name has these letters in it, large or small.
pub fn contains(name: &str, filter: &str) -> bool {
    name.to_lowercase().contains(&filter.to_lowercase())
}

/// A text that was read.
struct Opened {
    bench: Workbench,
    problems: Vec<Diagnostic>,
    /// The tests with their numbers in the file.
    tests: Vec<(usize, Test)>,
    /// The files of each test's snapshots, wanted or not.
    files: Vec<Vec<String>>,
}

fn open(text: &Text, readings: &Readings) -> Opened {
    let bench = Workbench::to_play(text.loader.clone(), readings);
    opened_on(bench, &text.name, &text.text)
}

fn opened_on(bench: Workbench, name: &str, text: &str) -> Opened {
    let id = bench.add(name, text);
    let (tree, mut problems) = parse_scenarios(id, text);
    drop_allowed(&bench.sources(), &mut problems);
    let tests = match is_wrong(&problems) {
        true => Vec::new(),
        false => tests_of(&tree),
    };
    Opened {
        files: snapshots::files_of(name, &tests),
        bench,
        problems,
        tests: tests.into_iter().enumerate().collect(),
    }
}

/// The reports of all tests, by text and in order.
fn run_all(opened: &[Opened], plan: &Plan) -> Vec<Vec<Report>> {
    let jobs: Vec<(usize, usize)> = opened
        .iter()
        .enumerate()
        .flat_map(|(text, opened)| (0..opened.tests.len()).map(move |test| (text, test)))
        .collect();
    let done = parallel_map(jobs.len(), plan.threads, |job| {
        let (text, test) = jobs[job];
        let mut report = run_on(&opened[text].tests[test].1, &opened[text].bench);
        if !plan.games {
            (report.session, report.lines) = (None, Vec::new());
        }
        report
    });
    let mut reports: Vec<Vec<Report>> = opened.iter().map(|_| Vec::new()).collect();
    for ((text, _), report) in jobs.into_iter().zip(done) {
        reports[text].push(report);
    }
    reports
}

/// Does jobs by their numbers on several threads; what came of them stands in their order.
pub fn parallel_map<T: Send>(jobs: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let take = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|job| *job < jobs);
    let worker = || -> Vec<(usize, T)> { std::iter::from_fn(take).map(|job| (job, work(job))).collect() };
    let mut done = thread::scope(|scope| {
        let start = |_| {
            let builder = thread::Builder::new().stack_size(STACK);
            builder
                .spawn_scoped(scope, worker)
                .expect("the system has room for a thread")
        };
        let workers: Vec<_> = (0..threads.clamp(1, jobs.max(1))).map(start).collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Vec<_>>| {
            worker
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        workers.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    done.sort_by_key(|(job, _)| *job);
    done.into_iter().map(|(_, result)| result).collect()
}

/// Runs a scenario. A line in which a word stands that nothing has is told as it should be written, where that is
/// known.
fn run_on(test: &Test, bench: &Workbench) -> Report {
    let mut report = run(test, bench);
    let is_about_words = |d: &&mut Diagnostic| {
        let others = [
            codes::UNKNOWN_IN_SCENARIO,
            codes::IT_OUTSIDE,
            codes::NO_VALUE,
            codes::MISFIT,
        ];
        d.code.is_about_kinds() || others.contains(&d.code)
    };
    let sources = bench.sources();
    for diagnostic in report.diagnostics.iter_mut().filter(is_about_words) {
        let at = diagnostic.span();
        let text = &sources.get(at.source).text;
        let ends = ['\n', ';', '{', '}'];
        let from = text[..at.start as usize].rfind(ends).map_or(0, |end| end + 1);
        let line = text[from..].split(ends).next().unwrap_or_default();
        let from = from + line.len() - line.trim_start().len();
        let line = line.trim();
        if let Some((written, in_its_place)) = meant_in_play(line) {
            let help = format!("write `{written}`");
            let told = Diagnostic {
                repairs: None,
                ..diagnostic.clone().help(help)
            };
            let instead = |text: String| Repair::instead(Span::new(at.source, from, from + line.len()), text);
            *diagnostic = match in_its_place {
                Some(text) => told.mend(instead(text)),
                None => told,
            };
        }
    }
    drop(sources);
    report
}

/// A line that cannot fail is told once. One that stands in several scenarios must not be able to in any.
fn warn_of_hollow(opened: &Opened, reports: &mut [Report]) {
    if reports.iter().all(|report| report.hollow.is_empty()) {
        return;
    }
    let mut sound = BTreeSet::new();
    for ((_, test), report) in opened.tests.iter().zip(&*reports) {
        let hollow: BTreeSet<Span> = report.hollow.iter().map(Diagnostic::span).collect();
        let stands = |line: &&omerta_syntax::play_tree::Line| matches!(line.kind, LineKind::Standing { .. });
        let claims = test.claims().into_iter().chain(test.lines.iter().filter(stands));
        let claims = claims.map(|claim| claim.span);
        sound.extend(claims.filter(|claim| !hollow.contains(claim)));
    }
    let mut told = BTreeSet::new();
    for report in reports {
        let hollow = std::mem::take(&mut report.hollow).into_iter();
        let untold = hollow.filter(|line| !sound.contains(&line.span()) && told.insert(line.span()));
        let mut untold: Vec<Diagnostic> = untold.collect();
        drop_allowed(&opened.bench.sources(), &mut untold);
        report.diagnostics.append(&mut untold);
    }
}

/// Puts a text's results beside what was kept. Only a whole run can tell what nobody makes any more.
fn hold(text: &Text, opened: Opened, mut reports: Vec<Report>, whole: bool) -> Ran {
    warn_of_hollow(&opened, &mut reports);
    let mut held = Vec::new();
    for (number, ((test, _), report)) in opened.tests.iter().zip(&reports).enumerate() {
        for (file, snapshot) in opened.files[*test].iter().zip(&report.snapshots) {
            held.push(Held {
                report: number,
                file: file.clone(),
                span: snapshot.span,
                new: Kept::of(&text.name, &report.name, snapshot),
                old: text.kept.get(file).map(|old| Kept::read(old)),
            });
        }
    }
    let whole = whole && !is_wrong(&opened.problems);
    let made: BTreeSet<&String> = opened.files.iter().flatten().collect();
    let is_orphan = |(file, text_of): &(&String, &String)| {
        !made.contains(file) && Kept::read(text_of).source == snapshots::file_name(&text.name)
    };
    let orphans = text.kept.iter().filter(|_| whole).filter(is_orphan);
    Ran {
        orphans: orphans.map(|(file, _)| file.clone()).collect(),
        name: text.name.clone(),
        bench: opened.bench,
        problems: opened.problems,
        reports,
        held,
        folder: text.folder.clone(),
    }
}
