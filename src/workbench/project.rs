//! The files that somebody writes in an editor: their texts, saved or not, what is wrong with each, where their
//! names are declared, and which of them hang on which.
//!
//! Everything is found out anew when a text has changed that it was read from; the rest is kept.

use crate::{
    RulesetRequest, Workbench,
    asked::{Asked, asked_of},
    bundle::{Shelf, Unsaved, bundled},
    files,
    findings::{At, Finding},
    workbench::{asked_at, places_of},
};
use omerta_check::{
    Reading, Readings, Request, drop_allowed,
    index::{Index, index_of},
};
use omerta_core::{
    diagnostic::Diagnostic,
    source::{Loader, Source, SourceId, Sources, Span},
};
use omerta_play::scenario::{Test, tests_of};
use omerta_syntax::{
    parse_scenarios,
    play_tree::{LineKind, PlayFile},
    senses::Language,
    tree::Name,
};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// How many files of a folder are looked at.
const MOST_FILES: usize = 2_000;

/// What a file holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// Rulesets, overlays, libraries.
    Rules,
    /// Scenarios.
    Play,
}

impl FileKind {
    /// By the ending of a path; nothing for other files.
    pub fn of(path: &Path) -> Option<FileKind> {
        match path.extension()?.to_str()? {
            "mafia" => Some(FileKind::Rules),
            "play" => Some(FileKind::Play),
            _ => None,
        }
    }

    /// The language of a file.
    pub fn language_of(path: &Path) -> Language {
        match FileKind::of(path) {
            Some(FileKind::Play) => Language::Scenarios,
            _ => Language::Rules,
        }
    }
}

/// The files of one or more folders, and those that are open.
#[derive(Default)]
pub struct Project {
    roots: Vec<PathBuf>,
    /// Where the bundled texts lie for who wants to read them.
    pub bundled: Option<PathBuf>,
    open: Unsaved,
    readings: Readings,
    files: Option<Vec<PathBuf>>,
    checks: BTreeMap<PathBuf, Arc<FileCheck>>,
    contexts: BTreeMap<PathBuf, Arc<Vec<Context>>>,
    scenarios: RefCell<BTreeMap<PathBuf, Arc<Scenarios>>>,
    laid: RefCell<Laid>,
}

/// The rules that scenarios in a folder are played by, each read once for all of them, whatever options they choose.
type Laid = BTreeMap<(Option<PathBuf>, RulesetRequest), Arc<Workbench>>;

/// What a file of scenarios was read as.
pub struct Scenarios {
    source: Arc<Source>,
    /// As it is written.
    pub tree: PlayFile,
    /// The scenarios, written out.
    pub tests: Vec<Test>,
    problems: Vec<Diagnostic>,
}

/// What came of checking a file.
#[derive(Default)]
pub struct FileCheck {
    /// What was found, in this file and those that it was read with.
    pub findings: Vec<Finding>,
    /// The texts that it was read from, by name.
    pub reads: BTreeMap<String, Arc<Source>>,
    /// The rules that came of it, where it has a ruleset that is sound.
    pub benches: Vec<(Asked, Arc<Workbench>)>,
}

impl FileCheck {
    /// Whether a text of it has not its right shape.
    pub fn is_misshapen(&self) -> bool {
        self.findings.iter().any(Finding::is_about_shape)
    }

    /// Whether it has an error.
    pub fn is_wrong(&self) -> bool {
        self.findings.iter().any(Finding::is_error)
    }
}

/// The names of a ruleset with what a file lays on it.
pub struct Context {
    /// What was asked for.
    pub asked: Asked,
    /// The texts it was read from.
    pub sources: Sources,
    /// The names.
    pub index: Index,
}

impl Project {
    /// The files of some folders; bundled texts lie in another, for who wants to read them.
    pub fn new(roots: Vec<PathBuf>, bundled: Option<PathBuf>) -> Project {
        Project {
            roots,
            bundled,
            ..Project::default()
        }
    }

    /// Opens a text, or takes another version of it.
    pub fn set(&mut self, path: &Path, text: String) {
        let is_new = !self.open.contains_key(path);
        Arc::make_mut(&mut self.open).insert(path.to_path_buf(), text);
        self.changed(path, is_new);
    }

    /// Closes a text: what the disk holds counts again.
    pub fn close(&mut self, path: &Path) {
        Arc::make_mut(&mut self.open).remove(path);
        self.changed(path, true);
    }

    /// Something about a file is another now; `came` where it may not have been there before.
    pub fn changed(&mut self, path: &Path, came: bool) {
        let name = path.display().to_string();
        // What looked for a text and found none, or took an overlay from a folder, may find this one now.
        let hangs = |check: &FileCheck| came || check.reads.contains_key(&name) || check.is_wrong();
        self.checks.retain(|root, check| root != path && !hangs(check));
        let reads = |context: &Context| context.sources.iter().any(|(_, source)| source.name == name);
        self.contexts
            .retain(|root, all| !came && root != path && !all.iter().any(reads));
        let is_read =
            |bench: &Workbench| bench.with_sources(|all| all.iter().any(|(_, text)| text.name == name));
        // Rules that are wrong may want a text that was not there.
        let holds = |wanted: &RulesetRequest, bench: &Workbench| bench.lay(wanted).is_ok() && !is_read(bench);
        { self.laid.get_mut() }.retain(|(_, wanted), bench| !came && holds(wanted, bench));
        if came {
            self.scenarios.get_mut().clear();
            self.files = None;
        }
    }

    /// The folders that are open.
    pub fn roots(&self) -> &[PathBuf] {
        &self.roots
    }

    /// Other folders are open now.
    pub fn set_roots(&mut self, roots: Vec<PathBuf>) {
        self.roots = roots;
        self.files = None;
    }

    /// Forgets all that was found out about the texts.
    pub fn begin_anew(&mut self) {
        self.readings = Readings::default();
        self.scenarios.get_mut().clear();
        self.laid.get_mut().clear();
        self.checks.clear();
        self.contexts.clear();
        self.files = None;
    }

    /// What the texts were read as.
    pub fn readings(&self) -> &Readings {
        &self.readings
    }

    /// The text of a file as it is now.
    pub fn text(&self, path: &Path) -> Option<String> {
        if let Some(text) = self.open.get(path) {
            return Some(text.clone());
        }
        match self.bundled_name(path) {
            Some(name) => bundled(&name).map(|loaded| loaded.text),
            None => files::read(path).ok(),
        }
    }

    /// The name of a bundled text that lies there for reading.
    pub fn bundled_name(&self, path: &Path) -> Option<String> {
        let inside = path.strip_prefix(self.bundled.as_ref()?).ok()?;
        Some(inside.to_str()?.replace('\\', "/"))
    }

    /// The path of a text by its name; where it is bundled, that under which it can be read.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        let path = Path::new(name);
        if path.is_absolute() {
            return Some(path.to_path_buf());
        }
        bundled(name)
            .and(self.bundled.as_ref())
            .map(|folder| folder.join(name))
    }

    /// All files of the folders that are open, and those that are open themselves.
    pub fn files(&mut self) -> Vec<PathBuf> {
        if self.files.is_none() {
            let below = |root: &PathBuf| [files::below(root, "mafia"), files::below(root, "play")].concat();
            let mut all: BTreeSet<PathBuf> = self.roots.iter().flat_map(below).take(MOST_FILES).collect();
            all.extend(self.open.keys().cloned());
            self.files = Some(all.into_iter().collect());
        }
        self.files.clone().unwrap_or_default()
    }

    fn shelf(&self, path: &Path) -> (Shelf, String) {
        match self.bundled_name(path) {
            Some(name) => (Shelf::default(), name),
            None => (
                Shelf::beside(path).with_unsaved(&self.open),
                path.display().to_string(),
            ),
        }
    }

    /// The shelf beside a file, on which the open texts lie.
    pub fn shelf_of(&self, path: &Path) -> Shelf {
        self.shelf(path).0
    }

    // ---- Checking

    /// What is known to be wrong with a file, if it was checked since anything changed.
    pub fn known(&self, path: &Path) -> Option<Arc<FileCheck>> {
        self.checks.get(path).cloned()
    }

    /// What is wrong with a file.
    pub fn check(&mut self, path: &Path) -> Arc<FileCheck> {
        if let Some(known) = self.checks.get(path) {
            return known.clone();
        }
        let text = self.text(path).unwrap_or_default();
        let (shelf, name) = self.shelf(path);
        let check = Arc::new(self.check_on(shelf, (path, &name), &text, true));
        self.checks.insert(path.to_path_buf(), check.clone());
        check
    }

    /// What would be wrong with a file if texts were others.
    pub fn check_with(&self, path: &Path, texts: &BTreeMap<PathBuf, String>) -> FileCheck {
        let text = texts.get(path).cloned().or_else(|| self.text(path));
        let (mut shelf, name) = self.shelf(path);
        let other = { texts.iter() }.map(|(path, text)| (path.clone(), text.clone()));
        Arc::make_mut(&mut shelf.unsaved).extend(other);
        self.check_on(shelf, (path, &name), &text.unwrap_or_default(), false)
    }

    /// Checks a text; `kept` where the texts around it are those of the project.
    fn check_on(&self, shelf: Shelf, (path, name): (&Path, &str), text: &str, kept: bool) -> FileCheck {
        let mut check = FileCheck::default();
        match FileKind::of(path) {
            Some(FileKind::Play) => self.check_play(&shelf, (path, name, text), kept, &mut check),
            _ => self.check_rules(&shelf, (name, text), &mut check),
        }
        let mut seen = BTreeSet::new();
        check.findings.retain(|finding| {
            let what = (finding.diagnostic.code, finding.diagnostic.message.clone());
            seen.insert((
                finding.at.source.name.clone(),
                finding.at.range.start,
                finding.at.range.end,
                what,
            ))
        });
        check
    }

    fn check_rules(&self, shelf: &Shelf, (name, text): (&str, &str), check: &mut FileCheck) {
        let mut sources = Sources::default();
        let id = sources.add(name, text);
        let reading = self.readings.of(&sources, id);
        for asked in asked_of(shelf, name, &reading.items) {
            let bench = Workbench::one_of_many(Arc::new(shelf.clone()), &self.readings);
            // The places of what is asked for stand in this text, under the number that it has by itself.
            bench.add(name, text);
            let outcome = bench.lay_at(&asked.wanted, &asked.places);
            let sound = outcome.is_ok();
            let found = outcome.map_or_else(|problems| problems, |laid| laid.warnings);
            bench.with_sources(|sources| check.add(sources, &found));
            if sound {
                check.benches.push((asked, Arc::new(bench)));
            }
        }
        // What only follows from another mistake has been left out there.
        let is_told = |finding: &Finding| finding.is_about_shape() && finding.at.source.name == name;
        if !check.findings.iter().any(is_told) {
            check.add(&sources, &reading.problems);
        }
    }

    /// A file of scenarios: its form, what its scenarios include, and whether there are the rules that they name.
    fn check_play(&self, shelf: &Shelf, at: (&Path, &str, &str), kept: bool, check: &mut FileCheck) {
        let read = self.scenarios_of(at);
        let mut sources = Sources::default();
        sources.add(read.source.name.clone(), read.source.text.clone());
        let written = read.tests.iter().flat_map(|test| &test.problems);
        let found: Vec<Diagnostic> = read.problems.iter().chain(written).cloned().collect();
        check.add(&sources, &found);
        let (mut asked, mut tried) = (Vec::<RulesNamed>::new(), Laid::new());
        for wanted in read.tests.iter().filter_map(RulesNamed::of) {
            if asked.contains(&wanted) {
                continue;
            }
            let named = wanted.asked();
            let bench = match kept {
                true => self.laid_for(shelf, &named.wanted),
                false => self.bench_in(&mut tried, shelf, &named.wanted),
            };
            let problems = bench.problems(&named.wanted);
            let places = places_of(&wanted.base, &wanted.overlays, &wanted.options);
            bench.with_sources(|laid| {
                let place = |span| match asked_at(laid, span, &places) {
                    Some(here) => At::of(&sources, here),
                    None => At::of(laid, span),
                };
                check.note(laid);
                let found = { problems.iter() }.map(|problem| Finding::placed(problem, &place));
                check.findings.extend(found);
            });
            check.benches.push((named, bench));
            asked.push(wanted);
        }
    }

    /// What a text of rules is read as, from what it was read as before where that is enough.
    pub fn reading(&self, path: &Path, text: &str) -> Arc<Reading> {
        let mut sources = Sources::default();
        let id = sources.add(self.name_of(path), text);
        self.readings.of(&sources, id)
    }

    /// What a file of scenarios is read as.
    pub fn scenarios_of(&self, (path, name, text): (&Path, &str, &str)) -> Arc<Scenarios> {
        let known = self.scenarios.borrow().get(path).cloned();
        if let Some(known) = known.filter(|known| known.source.text == text && known.source.name == name) {
            return known;
        }
        let mut sources = Sources::default();
        let id = sources.add(name, text);
        let (tree, mut problems) = parse_scenarios(id, text);
        drop_allowed(&sources, &mut problems);
        let read = Arc::new(Scenarios {
            source: sources.shared(id),
            tests: tests_of(&tree),
            tree,
            problems,
        });
        self.scenarios
            .borrow_mut()
            .insert(path.to_path_buf(), read.clone());
        read
    }

    /// The rules that scenarios beside some texts are played by, laid once for all of them.
    pub(crate) fn laid_for(&self, shelf: &Shelf, wanted: &RulesetRequest) -> Arc<Workbench> {
        self.bench_in(&mut self.laid.borrow_mut(), shelf, wanted)
    }

    fn bench_in(&self, laid: &mut Laid, shelf: &Shelf, wanted: &RulesetRequest) -> Arc<Workbench> {
        let key = (shelf.folder.clone(), wanted.without_options());
        let new = || Arc::new(Workbench::one_of_many(Arc::new(shelf.clone()), &self.readings));
        laid.entry(key).or_insert_with(new).clone()
    }

    /// Looks at the rules of one of the scenarios of a file, if any was not looked at: what is left of checking it is
    /// little. Says whether there was one.
    pub fn prepare(&self, path: &Path) -> bool {
        let text = match FileKind::of(path) {
            Some(FileKind::Play) if self.known(path).is_none() => self.text(path),
            _ => None,
        };
        let Some(text) = text else { return false };
        let (shelf, name) = self.shelf(path);
        let read = self.scenarios_of((path, &name, &text));
        let wanted = { read.tests.iter() }.filter_map(|test| Some(RulesNamed::of(test)?.asked().wanted));
        let mut benches = wanted.map(|wanted| (self.laid_for(&shelf, &wanted), wanted));
        let new = benches.find(|(bench, wanted)| !bench.has_laid(&wanted.without_options()));
        if let Some((bench, wanted)) = &new {
            drop(bench.problems(wanted));
        }
        new.is_some()
    }

    // ---- Names

    /// The names of all rulesets that a file takes part in by itself.
    pub fn contexts(&mut self, path: &Path) -> Arc<Vec<Context>> {
        if let Some(known) = self.contexts.get(path) {
            return known.clone();
        }
        let (shelf, name) = self.shelf(path);
        let text = self.text(path).unwrap_or_default();
        let mut sources = Sources::default();
        let id = sources.add(&*name, &*text);
        let asked = match FileKind::of(path) {
            Some(FileKind::Play) => match rules_named(&self.scenarios_of((path, &name, &text)).tests) {
                named if named.is_empty() => first_named(id, &text),
                named => named,
            },
            _ => asked_of(&shelf, &name, &self.readings.of(&sources, id).items),
        };
        let contexts = asked
            .into_iter()
            .map(|asked| self.context(&shelf, asked, sources.clone()));
        let contexts: Arc<Vec<Context>> = Arc::new(contexts.collect());
        self.contexts.insert(path.to_path_buf(), contexts.clone());
        contexts
    }

    /// The names of what a file asks for. It has the first number among the texts, as where it is checked, so that
    /// what they were read as there serves here.
    fn context(&self, shelf: &Shelf, asked: Asked, mut sources: Sources) -> Context {
        let request = Request {
            root: &asked.wanted.base,
            overlays: &asked.wanted.overlays,
            options: &[],
        };
        let index = index_of((&mut sources, &self.readings), shelf as &dyn Loader, &request);
        Context {
            asked,
            sources,
            index,
        }
    }

    /// The files, other than itself, that were read with a file; only of those that were checked.
    pub fn dependants(&self, path: &Path) -> Vec<PathBuf> {
        let name = match self.bundled_name(path) {
            Some(name) => name,
            None => path.display().to_string(),
        };
        let hangs =
            |(root, check): &(&PathBuf, &Arc<FileCheck>)| *root != path && check.reads.contains_key(&name);
        self.checks
            .iter()
            .filter(hangs)
            .map(|(root, _)| root.clone())
            .collect()
    }
}

impl FileCheck {
    fn add(&mut self, sources: &Sources, found: &[Diagnostic]) {
        self.findings
            .extend(found.iter().map(|one| Finding::of(sources, one)));
        self.note(sources);
    }

    /// It was read from some texts.
    fn note(&mut self, sources: &Sources) {
        for (id, source) in sources.iter() {
            self.reads.insert(source.name.clone(), sources.shared(id));
        }
    }
}

/// The rules that a scenario names.
#[derive(Clone)]
struct RulesNamed {
    base: Name,
    overlays: Vec<Name>,
    options: Vec<(Name, Name)>,
}

impl PartialEq for RulesNamed {
    fn eq(&self, other: &Self) -> bool {
        let texts = |named: &RulesNamed| {
            let options = named.options.iter().flat_map(|(name, value)| [name, value]);
            let all = [&named.base].into_iter().chain(&named.overlays).chain(options);
            all.map(|name| name.text.clone()).collect::<Vec<_>>()
        };
        texts(self) == texts(other)
    }
}

impl RulesNamed {
    fn of(test: &Test) -> Option<RulesNamed> {
        let mut found = None;
        let mut options = Vec::new();
        for line in &test.lines {
            match &line.kind {
                LineKind::Ruleset { base, overlays } => found = Some((base.clone(), overlays.clone())),
                LineKind::Set { option, value } => options.push((option.clone(), value.clone())),
                _ => {}
            }
        }
        let (base, overlays) = found?;
        options.sort_by(|a, b| a.0.text.cmp(&b.0.text));
        Some(RulesNamed {
            base,
            overlays,
            options,
        })
    }

    fn asked(&self) -> Asked {
        let named = [&self.base].into_iter().chain(&self.overlays);
        Asked {
            wanted: RulesetRequest::of(&self.base, &self.overlays, &self.options),
            places: named.map(|name| (name.text.clone(), name.span)).collect(),
            elsewhere: true,
            playable: true,
        }
    }
}

/// The rules that the first line names which does, be the rest of the file as it may.
fn first_named(source: SourceId, text: &str) -> Vec<Asked> {
    let line = text.lines().find(|line| line.starts_with("ruleset "));
    let name = |text: &str| Name::new(text.trim().trim_matches(['"', '`']), Span::new(source, 0, 0));
    let named = line.and_then(|line| {
        let (base, overlays) = line["ruleset ".len()..]
            .split_once(" with ")
            .unwrap_or((&line["ruleset ".len()..], ""));
        let overlays = overlays.split(',').filter(|overlay| !overlay.trim().is_empty());
        (!base.trim().is_empty()).then(|| RulesNamed {
            base: name(base),
            overlays: overlays.map(name).collect(),
            options: Vec::new(),
        })
    });
    named.iter().map(RulesNamed::asked).collect()
}

/// The bases with overlays that the scenarios of a file name, each once, without regard to options.
fn rules_named(tests: &[Test]) -> Vec<Asked> {
    let mut found: Vec<RulesNamed> = Vec::new();
    for mut named in tests.iter().filter_map(RulesNamed::of) {
        named.options.clear();
        if !found.contains(&named) {
            found.push(named);
        }
    }
    found.iter().map(RulesNamed::asked).collect()
}
