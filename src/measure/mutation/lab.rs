//! Rules compiled from a text that is not quite what its file says.

use crate::coverage::retrace;
use omerta_check::{Names, Readings, Request, check_to_play, compile_expr};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{Kind, Op, Program, Ruleset},
    source::{Loaded, Loader, Source, SourceId, Sources},
};
use omerta_play::{
    scenario::{ANSWER_LIMIT, RulesSource, RulesWithScripts},
    session::Session,
};
use omerta_syntax::tree::{Expr, Name};
use omerta_workbench::{RulesetRequest, scripts};
use serde_json::Value;
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The text that is changed.
pub struct Target {
    /// What messages call it.
    pub name: String,
    /// Its letters.
    pub text: String,
    /// Where only one overlay of it is meant, that one.
    pub overlay: Option<String>,
}

/// A text and what stands in its place. A text is known by its letters: a file may go by several names.
#[derive(Clone, Copy)]
pub struct Instead<'a> {
    pub text: &'a str,
    pub changed: &'a str,
}

/// What came of compiling rules for a scenario.
#[derive(Clone)]
pub enum Relaid {
    /// They do not use the text that is changed.
    Foreign,
    /// They do not compile.
    Broken,
    /// They are what they were before the change.
    Same,
    /// Rules that can be played.
    Ready(RulesWithScripts, Arc<Laid>),
}

/// What rules were compiled from: their names, and the texts behind their places.
pub struct Laid {
    names: Names,
    sources: Sources,
}

/// The rules before any change, by what asks for them.
pub type Before = BTreeMap<RulesetRequest, Arc<Ruleset>>;

/// Compiles what scenarios of one folder ask for.
pub struct Lab<'a> {
    loader: &'a (dyn Loader + Send + Sync),
    instead: Instead<'a>,
    /// `None` while nothing is changed.
    before: Option<&'a Before>,
    answers: usize,
    /// The texts of the scenarios alone: what else was read is known for each ruleset by itself.
    sources: Sources,
    readings: Readings,
    laid: RefCell<BTreeMap<RulesetRequest, Relaid>>,
    last: Cell<Option<RulesetRequest>>,
}

impl<'a> Lab<'a> {
    /// A lab; `sources` are the texts of the scenarios.
    pub fn new(
        loader: &'a (dyn Loader + Send + Sync),
        (sources, readings): (Sources, &Readings),
        instead: Instead<'a>,
        before: Option<&'a Before>,
    ) -> Self {
        Lab {
            loader,
            instead,
            before,
            answers: ANSWER_LIMIT,
            sources,
            readings: readings.clone(),
            laid: RefCell::default(),
            last: Cell::default(),
        }
    }

    /// How many answers a game may take from now on.
    pub fn bound(&mut self, answers: usize) {
        self.answers = answers;
    }

    /// What was asked for last, and what came of it.
    pub fn last(&self) -> Option<(RulesetRequest, Relaid)> {
        let wanted = self.last.take()?;
        let laid = self.laid.borrow().get(&wanted).cloned()?;
        Some((wanted, laid))
    }

    /// The lines of the text that a game came to.
    pub fn lines_of(&self, session: &Session) -> BTreeSet<usize> {
        let rules = &session.table().rules;
        let trace = retrace(session);
        let Some(laid) = self.behind(rules) else {
            return BTreeSet::new();
        };
        let sources = &laid.sources;
        let texts: BTreeSet<SourceId> = rules.origins.iter().map(|origin| origin.source).collect();
        let homes: BTreeSet<SourceId> = texts
            .into_iter()
            .filter(|id| sources.get(*id).text == self.instead.changed)
            .collect();
        let came_to = rules
            .origins
            .iter()
            .enumerate()
            .filter(|(at, _)| trace.came_to(*at));
        let here = came_to.filter(|(_, origin)| homes.contains(&origin.source));
        let places: BTreeSet<_> = here.map(|(_, origin)| (origin.source, origin.start)).collect();
        let line = |(id, start): (SourceId, u32)| sources.get(id).place(start as usize).line;
        places.into_iter().map(line).collect()
    }

    /// What rules of this lab were compiled from.
    fn behind(&self, rules: &Ruleset) -> Option<Arc<Laid>> {
        let laid = self.laid.borrow();
        laid.values().find_map(|laid| match laid {
            Relaid::Ready(bench, laid) if std::ptr::eq(&*bench.rules, rules) => Some(laid.clone()),
            _ => None,
        })
    }

    fn lay(&self, wanted: &RulesetRequest) -> Relaid {
        let request = Request {
            root: &wanted.base,
            overlays: &wanted.overlays,
            options: &wanted.options,
        };
        let mut sources = self.sources.clone();
        let known = sources.count();
        let checked = check_to_play((&mut sources, &self.readings), self, &request);
        let is_it = |(_, source): (_, &Source)| source.text == self.instead.changed;
        if !sources.iter().skip(known).any(is_it) {
            return Relaid::Foreign;
        }
        let Some(rules) = checked.rules else {
            return Relaid::Broken;
        };
        if let Some(before) = self.before.and_then(|before| before.get(wanted))
            && are_same(before, &rules)
        {
            return Relaid::Same;
        }
        match scripts(&rules) {
            Ok(hooks) => Relaid::Ready(
                RulesWithScripts {
                    rules: Arc::new(rules),
                    hooks,
                },
                Arc::new(Laid {
                    names: checked.names,
                    sources,
                }),
            ),
            Err(_) => Relaid::Broken,
        }
    }
}

impl Lab<'_> {
    fn change(&self, mut loaded: Loaded) -> Loaded {
        if loaded.text == self.instead.text {
            self.instead.changed.clone_into(&mut loaded.text);
        }
        loaded
    }
}

impl Loader for Lab<'_> {
    fn load(&self, path: &str) -> Option<Loaded> {
        self.loader.load(path).map(|loaded| self.change(loaded))
    }

    fn load_used(&self, path: &str, from: &str) -> Option<Loaded> {
        let found = self.loader.load_used(path, from);
        found.map(|loaded| self.change(loaded))
    }

    fn load_overlay(&self, wanted: &str, base: &str) -> Vec<Loaded> {
        let found = self.loader.load_overlay(wanted, base).into_iter();
        found.map(|loaded| self.change(loaded)).collect()
    }

    fn names(&self) -> Vec<String> {
        self.loader.names()
    }
}

impl RulesSource for Lab<'_> {
    fn rules(
        &self,
        base: &Name,
        overlays: &[Name],
        options: &[(Name, Name)],
    ) -> Result<RulesWithScripts, Vec<Diagnostic>> {
        let wanted = RulesetRequest::of(base, overlays, options);
        let known = self.laid.borrow().get(&wanted).cloned();
        let laid = known.unwrap_or_else(|| {
            let laid = self.lay(&wanted);
            self.laid.borrow_mut().insert(wanted.clone(), laid.clone());
            laid
        });
        self.last.set(Some(wanted));
        match laid {
            Relaid::Ready(bench, _) => Ok(bench),
            Relaid::Foreign | Relaid::Broken | Relaid::Same => Err(Vec::new()),
        }
    }

    fn compile(
        &self,
        rules: &Ruleset,
        expr: &Expr,
        params: &[(String, Kind)],
    ) -> Result<Program, Diagnostic> {
        let laid = self.behind(rules);
        let laid = laid.expect("expressions are compiled against rules of this lab");
        compile_expr(rules, &laid.names, &laid.sources, expr, params)
            .map_err(|mut problems| problems.swap_remove(0))
    }

    fn answer_limit(&self) -> usize {
        self.answers
    }

    fn looks_on(&self) -> bool {
        self.before.is_some()
    }
}

/// Whether a game cannot tell two compiled rulesets apart: they differ in places at most.
fn are_same(a: &Ruleset, b: &Ruleset) -> bool {
    a.code == b.code && a.constants == b.constants && tables(a) == tables(b)
}

/// The tables without the program, and without where things stand.
fn tables(rules: &Ruleset) -> Option<Value> {
    let bare = Ruleset {
        code: Vec::<Op>::new(),
        origins: Vec::new(),
        identity: 0,
        ..rules.clone()
    };
    let mut value = serde_json::to_value(bare).ok()?;
    forget_places(&mut value);
    Some(value)
}

fn forget_places(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            // A rule stands as its name and its place; all others name the field.
            fields.remove("origin");
            fields.values_mut().for_each(forget_places);
            if fields.len() == 3
                && ["source", "start", "end"]
                    .iter()
                    .all(|key| fields.contains_key(*key))
            {
                *value = Value::Null;
            }
        }
        Value::Array(list) => list.iter_mut().for_each(forget_places),
        _ => {}
    }
}
