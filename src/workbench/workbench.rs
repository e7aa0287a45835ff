//! Rules ready to play: finds the texts, has them checked, keeps what was compiled, and compiles
//! expressions against it. Whoever runs a scenario or a game asks here.
//!
//! Keeps every text it has seen, so that whatever is found wrong can be shown in its place.

use crate::{
    asked::{RulesetRequest, overlay_alone},
    bundle::Shelf,
    files,
};
use anyhow::{Result, bail};
use omerta_check::{Declared, Names, Readings, Request, check_one_of_many, check_to_play, compile_expr};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    rules::{Kind, OptionSetting, Program, Ruleset},
    source::{Loader, SourceId, Sources, Span},
};
use omerta_engine::{Hooks, NoHooks};
use omerta_hooks::{Scripts, check_scripts};
use omerta_play::scenario::{self, RulesWithScripts};
use omerta_syntax::tree::{Expr, Item, Name};
use std::path::Path;
use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, OnceLock, RwLock, RwLockReadGuard},
};

/// Where a workbench finds texts by name.
pub type SharedLoader = Arc<dyn Loader + Send + Sync>;

/// Rules by base, overlays and options, each checked once. Threads may share one.
pub struct Workbench {
    loader: SharedLoader,
    sources: Arc<RwLock<Sources>>,
    readings: Readings,
    /// Whether anybody hears what is warned of in the rules.
    warns: bool,
    laid: Mutex<BTreeMap<RulesetRequest, Slot>>,
    /// The options of what was laid, be it sound or not.
    options: Mutex<BTreeMap<RulesetRequest, Vec<OptionSetting>>>,
}

impl Default for Workbench {
    fn default() -> Self {
        Workbench::new(Shelf::default())
    }
}

/// Rules that were checked, with everything that is needed to play them.
#[derive(Clone)]
pub struct ReadyRules {
    /// The rules with their scripts.
    pub bench: RulesWithScripts,
    /// The names, for expressions.
    pub names: Arc<Names>,
    /// The declarations as the overlays have left them.
    pub items: Arc<Vec<Declared>>,
    /// The first lines of the ruleset, its libraries and the overlays, and the options they choose.
    pub heads: Arc<Vec<Item>>,
    /// What the check warned of, where anybody hears it.
    pub warnings: Vec<Diagnostic>,
}

/// Rules, or what is wrong with them.
pub type Outcome = Result<ReadyRules, Vec<Diagnostic>>;

/// Filled by whoever asks first: whoever wants the same rules waits for them, and nobody else does.
type Slot = Arc<OnceLock<Outcome>>;

const UNBROKEN: &str = "nobody panics while the texts or the rules are held";

impl Workbench {
    /// A workbench that looks for texts on a shelf.
    pub fn new(shelf: Shelf) -> Self {
        Workbench::reading(Arc::new(shelf))
    }

    /// A workbench that gets its texts from a loader.
    pub fn reading(loader: SharedLoader) -> Self {
        Workbench {
            loader,
            sources: Arc::default(),
            readings: Readings::default(),
            warns: true,
            laid: Mutex::default(),
            options: Mutex::default(),
        }
    }

    /// The same, which shares with others what texts were read as.
    pub fn one_of_many(loader: SharedLoader, readings: &Readings) -> Self {
        Workbench {
            readings: readings.clone(),
            ..Workbench::reading(loader)
        }
    }

    /// The same, where rules are played and nobody hears what is warned of in them.
    pub fn to_play(loader: SharedLoader, readings: &Readings) -> Self {
        Workbench {
            warns: false,
            ..Workbench::one_of_many(loader, readings)
        }
    }

    /// The workbench for a base that somebody names, and what shall be laid on it: a base that is a file
    /// finds what lies beside it. A file with one overlay and nothing else means the first ruleset that this is on, with it.
    pub fn asked(
        base: &str,
        overlays: &[String],
        options: &[(String, String)],
    ) -> Result<(Self, RulesetRequest)> {
        let is_path = base.contains(['/', '\\']) || base.ends_with(".mafia");
        let is_file = is_path || files::is_file_there(Path::new(base));
        let shelved = || Shelf::default().load(base).is_some();
        if is_file || files::is_folder(Path::new(base)) && !shelved() {
            files::read(Path::new(base))?;
        }
        let shelf = match is_file {
            true => Shelf::beside(Path::new(base)),
            false => Shelf::default(),
        };
        let base = match is_file && !is_path {
            true => format!("./{base}"),
            false => base.to_owned(),
        };
        let mut seen: Vec<&str> = Vec::new();
        for (option, _) in options {
            if seen.contains(&option.as_str()) {
                bail!("the option `{option}` is set twice");
            }
            seen.push(option);
        }
        let mut wanted = is_file.then(|| overlay_alone(&shelf, &base)).flatten();
        let wanted = RulesetRequest {
            overlays: { wanted.iter_mut() }
                .flat_map(|wanted| std::mem::take(&mut wanted.overlays))
                .chain(overlays.iter().cloned())
                .collect(),
            base: wanted.map_or(base, |wanted| wanted.base),
            options: options.to_vec(),
        };
        Ok((Workbench::new(shelf), wanted))
    }

    /// Another workbench, that looks for texts on another shelf and shares those that it knows.
    pub fn with_loader(&self, shelf: Shelf) -> Self {
        Workbench {
            sources: self.sources.clone(),
            readings: self.readings.clone(),
            ..Workbench::new(shelf)
        }
    }

    /// Adds a text that is not loaded by name, such as a scenario.
    pub fn add(&self, name: &str, text: &str) -> SourceId {
        let mut sources = self.sources.write().expect(UNBROKEN);
        sources.add(name, text)
    }

    /// All texts that were read so far.
    pub fn sources(&self) -> RwLockReadGuard<'_, Sources> {
        self.sources.read().expect(UNBROKEN)
    }

    fn laid(&self) -> MutexGuard<'_, BTreeMap<RulesetRequest, Slot>> {
        self.laid.lock().expect(UNBROKEN)
    }

    /// The rules asked for, or what is wrong with them.
    pub fn lay(&self, wanted: &RulesetRequest) -> Outcome {
        let slot = self.laid().entry(wanted.clone()).or_default().clone();
        slot.get_or_init(|| self.check(wanted)).clone()
    }

    /// Whether these rules were looked at.
    pub(crate) fn has_laid(&self, wanted: &RulesetRequest) -> bool {
        self.laid().get(wanted).is_some_and(|slot| slot.get().is_some())
    }

    /// What is wrong with the rules asked for. Options that are there and may have the values chosen for them add
    /// nothing to what is wrong without them, so that rules are looked at once for all of these.
    pub fn problems(&self, wanted: &RulesetRequest) -> Vec<Diagnostic> {
        let plain = wanted.without_options();
        let problems = self.lay(&plain).err().unwrap_or_default();
        let options = self.options.lock().expect(UNBROKEN);
        let known = options.get(&plain).map_or(&[][..], Vec::as_slice);
        let fits = |(name, value): &(String, String)| {
            { known.iter() }.any(|option| option.name == *name && option.values.contains(value))
        };
        let all_fit = wanted.options.iter().all(fits);
        drop(options);
        match all_fit {
            true => problems,
            false => self.lay(wanted).err().unwrap_or_default(),
        }
    }

    fn check(&self, wanted: &RulesetRequest) -> Outcome {
        let request = Request {
            root: &wanted.base,
            overlays: &wanted.overlays,
            options: &wanted.options,
        };
        // Checked beside the texts that are shared, so that nobody has to wait for them. Where others came in
        // between, what is new has to be numbered behind theirs.
        let checked = loop {
            let mut sources = self.sources().clone();
            let before = sources.count();
            let with = (&mut sources, &self.readings);
            let checked = match self.warns {
                true => check_one_of_many(with, &*self.loader, &request),
                false => check_to_play(with, &*self.loader, &request),
            };
            let mut shared = self.sources.write().expect(UNBROKEN);
            if shared.count() == before {
                *shared = sources;
                break checked;
            }
        };
        let mut options = self.options.lock().expect(UNBROKEN);
        options.insert(wanted.clone(), checked.options);
        drop(options);
        let Some(rules) = checked.rules else {
            return Err(checked.diagnostics);
        };
        let hooks = scripts(&rules)?;
        Ok(ReadyRules {
            bench: RulesWithScripts {
                rules: Arc::new(rules),
                hooks,
            },
            names: Arc::new(checked.names),
            items: Arc::new(checked.items),
            heads: Arc::new(checked.heads),
            warnings: checked.diagnostics,
        })
    }

    /// Looks at the texts.
    pub fn with_sources<T>(&self, look: impl FnOnce(&Sources) -> T) -> T {
        look(&self.sources())
    }

    /// Compiles an expression against rules of this workbench; `params` stand for arguments, in order.
    pub fn compile(
        &self,
        rules: &Ruleset,
        expr: &Expr,
        params: &[(String, Kind)],
    ) -> Result<Program, Vec<Diagnostic>> {
        compile_expr(rules, &self.names(rules), &self.sources(), expr, params)
    }

    /// The names that are declared in rules of this workbench.
    pub fn names(&self, rules: &Ruleset) -> Arc<Names> {
        let names = self
            .laid()
            .values()
            .filter_map(|slot| slot.get()?.as_ref().ok())
            .find(|laid| std::ptr::eq(&*laid.bench.rules, rules))
            .map(|laid| laid.names.clone());
        names.expect("names are asked for of rules that this workbench laid")
    }

    /// The rules asked for, read and checked anew; what is known of them stays.
    pub fn check_anew(&self, wanted: &RulesetRequest) -> Outcome {
        self.check(wanted)
    }

    /// Takes rules for those that were asked for, instead of what was known.
    pub fn keep(&self, wanted: &RulesetRequest, laid: ReadyRules) {
        self.laid()
            .insert(wanted.clone(), Arc::new(OnceLock::from(Ok(laid))));
    }

    /// Words of the command line have no place in a file; where a file asked, they stand there.
    fn at_home(&self, diagnostics: Vec<Diagnostic>, asked: &[(String, Span)]) -> Vec<Diagnostic> {
        let sources = self.sources();
        let home = |span: Span| asked_at(&sources, span, asked).unwrap_or(span);
        let mend = |mut diagnostic: Diagnostic| {
            for label in &mut diagnostic.labels {
                label.span = home(label.span);
            }
            diagnostic
        };
        diagnostics.into_iter().map(mend).collect()
    }

    /// The rules that are to be checked because of a file; what is wrong with the asking is shown there.
    pub fn lay_at(&self, wanted: &RulesetRequest, places: &[(String, Span)]) -> Outcome {
        self.lay(wanted)
            .map_err(|problems| self.at_home(problems, places))
    }

    /// The rules that a file asks for; what is wrong with the asking is shown there.
    pub fn lay_for(&self, base: &Name, overlays: &[Name], options: &[(Name, Name)]) -> Outcome {
        let wanted = RulesetRequest::of(base, overlays, options);
        self.lay_at(&wanted, &places_of(base, overlays, options))
    }
}

/// Where a file names rules and options: what it names, and its place.
pub(crate) fn places_of(base: &Name, overlays: &[Name], options: &[(Name, Name)]) -> Vec<(String, Span)> {
    let place = |name: &Name| (name.text.clone(), name.span);
    let names = { options.iter() }.map(|(name, value)| (name.text.clone(), name.span.to(value.span)));
    let rules = [base].into_iter().chain(overlays).map(place);
    rules.chain(names).collect()
}

/// Where a file asked for what a place is about that stands in no file.
pub(crate) fn asked_at(sources: &Sources, span: Span, asked: &[(String, Span)]) -> Option<Span> {
    let source = sources.get(span.source);
    let foreign = matches!(source.name.as_str(), "command line" | "option");
    let name = source.text.split('=').next().unwrap_or_default();
    let place = asked.iter().find(|(asked, _)| foreign && asked == name);
    place.map(|(_, place)| *place)
}

impl scenario::RulesSource for Workbench {
    fn rules(
        &self,
        base: &Name,
        overlays: &[Name],
        options: &[(Name, Name)],
    ) -> Result<RulesWithScripts, Vec<Diagnostic>> {
        self.lay_for(base, overlays, options).map(|laid| laid.bench)
    }

    fn compile(
        &self,
        rules: &Ruleset,
        expr: &Expr,
        params: &[(String, Kind)],
    ) -> Result<Program, Diagnostic> {
        Workbench::compile(self, rules, expr, params).map_err(|mut problems| problems.swap_remove(0))
    }
}

/// The scripts of a ruleset, ready to run; rules without any need none.
pub fn scripts(rules: &Ruleset) -> Result<Arc<dyn Hooks>, Vec<Diagnostic>> {
    if rules.hooks.is_empty() {
        return Ok(Arc::new(NoHooks));
    }
    let problems = check_scripts(rules);
    if is_wrong(&problems) {
        return Err(problems);
    }
    Scripts::compile(rules).map(|scripts| Arc::new(scripts) as Arc<dyn Hooks>)
}

/// Whether anything is wrong beyond a warning.
pub fn is_wrong(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.severity == Severity::Error)
}
