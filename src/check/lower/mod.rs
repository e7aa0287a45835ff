//! From checked names to the flat program: one file for each family of constructs.
//!
//! Kinds are found out while lowering, so that each expression is walked once; a mistake is noted and
//! the walk goes on with a value of the kind that was wanted.

mod ask;
mod builder;
mod cards;
mod define;
mod ending;
mod event;
mod expr;
mod fact;
mod flow;
mod offer;
mod query;
mod scene;
mod text;

pub use builder::{AUX, relocate};

use super::load::Layer;
use super::order::Effects;
use super::symbol::{Meaning, Symbol, Symbols};
use super::{errors, table::DefineTable, table::RuleTable};
use crate::diagnostic::Diagnostic;
use crate::rules::{FactId, GroupId, Kind, Op, ProcId, Reg, Ruleset, SceneId};
use crate::source::{Sources, Span};
use crate::syntax::tree;
use std::collections::BTreeMap;

/// A value while it is worked out: in a register, or known already.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Val {
    /// In a register.
    Reg(Reg, Kind),
    /// Known at load.
    Const(u64, Kind),
    /// A word of some alternatives; which ones is known by the option or draw.
    Word(Reg, usize),
}

impl Val {
    /// What the word means.
    pub fn kind(self) -> Kind {
        match self {
            Val::Reg(_, kind) | Val::Const(_, kind) => kind,
            Val::Word(..) => Kind::Word,
        }
    }
}

/// What a local name stands for.
#[derive(Clone, Debug)]
pub enum Local {
    /// A value in a register.
    Value(Val),
    /// The answers of an `ask each`: a link from who was asked.
    Link(FactId),
    /// The numbers of an `ask each … from 1..6`.
    Numbers(FactId),
}

/// The names that can be seen inside a procedure.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    locals: Vec<(String, Local)>,
}

impl Scope {
    fn get(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, l)| l)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|(n, _)| n.as_str())
    }
}

/// A loop one may `stop`.
struct Loop {
    exits: Vec<usize>,
}

/// What the procedure being lowered is, for `leave` and `me`.
struct Home {
    scene: Option<SceneId>,
    exits: Vec<usize>,
    /// Whether a bare `leave` makes sense: in a scene or a part.
    can_leave: bool,
}

/// The state of lowering.
pub struct Compiler<'a> {
    /// What comes out.
    pub out: Ruleset,
    /// What went wrong.
    pub diagnostics: Vec<Diagnostic>,
    /// The names.
    pub symbols: &'a mut Symbols,
    /// The texts, for slices of them.
    pub sources: &'a Sources,
    /// The defines with their clauses.
    pub defines: &'a DefineTable,
    /// The rules by what they wait for.
    pub rules: &'a RuleTable,
    /// Scenes with the facts that end when they begin, and when they end.
    pub lives: BTreeMap<SceneId, Lives>,
    /// The layer of the declaration being lowered.
    pub layer: Layer,
    /// What the rule or body being lowered reads and writes.
    pub effects: Effects,
    /// The scene that performs calls.
    pub calling: Option<SceneId>,
    scope: Scope,
    next: u16,
    high: u16,
    aux: Vec<Op>,
    aux_origins: Vec<Span>,
    in_aux: bool,
    here: Span,
    loops: Vec<Loop>,
    home: Home,
    define_stack: Vec<usize>,
    /// Words of options and draws, so that `x is holds` can be read.
    pub alternatives: Vec<Vec<String>>,
}

/// The facts that end with a scene.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    /// Cleared as it begins.
    pub at_start: Vec<FactId>,
    /// Cleared when it is over.
    pub at_end: Vec<FactId>,
}

impl<'a> Compiler<'a> {
    /// A compiler over tables that are already made.
    pub fn new(
        out: Ruleset,
        symbols: &'a mut Symbols,
        sources: &'a Sources,
        defines: &'a DefineTable,
        rules: &'a RuleTable,
    ) -> Self {
        Compiler {
            out,
            diagnostics: Vec::new(),
            symbols,
            sources,
            defines,
            rules,
            lives: BTreeMap::new(),
            layer: Layer::Base,
            effects: Effects::default(),
            calling: None,
            scope: Scope::default(),
            next: 0,
            high: 0,
            aux: Vec::new(),
            aux_origins: Vec::new(),
            in_aux: false,
            here: Span::default(),
            loops: Vec::new(),
            home: Home { scene: None, exits: Vec::new(), can_leave: false },
            define_stack: Vec::new(),
            alternatives: Vec::new(),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// What a declared name stands for; an overlay may touch only what its base publishes.
    fn resolve(&mut self, name: &tree::Name) -> Option<Meaning> {
        let symbol = self.symbols.get(&name.text)?.clone();
        self.check_published(name, &symbol);
        Some(symbol.meaning)
    }

    fn check_published(&mut self, name: &tree::Name, symbol: &Symbol) {
        let open = matches!(symbol.meaning, Meaning::Group(_) | Meaning::Option(_) | Meaning::Zone(_));
        if self.layer != Layer::Base
            && symbol.layer == Layer::Base
            && !open
            && !self.symbols.published.contains(&name.text)
        {
            let published: Vec<&str> = self.symbols.published.iter().map(String::as_str).collect();
            let diagnostic = errors::not_published(name, symbol.span, &published);
            self.report(diagnostic);
        }
    }

    /// A name nobody declared.
    fn unknown(&mut self, name: &tree::Name) {
        let diagnostic = {
            let known = self.scope.names().chain(self.symbols.names());
            errors::unknown_name(name, known)
        };
        self.report(diagnostic);
    }

    fn group(&self, id: GroupId) -> &crate::rules::Group {
        &self.out.groups[id.index()]
    }

    fn proc_count(&self) -> ProcId {
        ProcId(self.out.procs.len() as u16)
    }
}
