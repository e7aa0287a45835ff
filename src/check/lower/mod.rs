//! From checked names to the flat program: one file for each family of constructs.
//!
//! Kinds are found out while lowering, so that each expression is walked once; a mistake is noted and
//! the walk goes on with a value of the kind that was wanted.

mod ask;
mod builder;
mod cards;
mod compare;
mod counts;
mod define;
mod draws;
mod ending;
mod event;
mod expr;
mod fact;
mod flow;
mod holders;
pub mod in_order;
mod joined;
mod menus;
mod offer;
mod policy;
mod query;
pub mod relocate;
mod rounds;
mod scene;
mod seats;
mod text;
pub mod tire;

use crate::effects::{Effects, Touch};
use crate::happening::Batches;
use crate::layer::Layer;
use crate::lint::Allowed;
use crate::order::{OfRules, Reach, check_order, steady};
use crate::symbol::{Meaning, Symbol, Symbols};
use crate::{
    collect::Seen,
    errors,
    table::{DefineTable, FactUse, RuleEntry, RuleTable},
};
use omerta_core::diagnostic::{Diagnostic, Repair};
use omerta_core::rules::{
    CastCheck, EventId, FactId, GroupId, Kind, MOST_HANDED, Op, ProcId, Reg, Ruleset, SceneId, SeenBy, Slot,
};
use omerta_core::source::{Sources, Span};
use omerta_syntax::tree::{BinaryOp, Expr, ExprKind};
use omerta_syntax::{settled, tree};
use std::collections::{BTreeMap, BTreeSet};

/// Whose it is, in `seen by`.
const OWNER: &str = "owner";
/// How many defines and rules are written out where they are read or come in, in one ruleset.
const MOST_WRITTEN_OUT: usize = 40_000;
/// How many instructions may have come of a ruleset before one more is written out.
const MOST_CODE: usize = 400_000;
/// How deep defines and rules may lie in each other.
const DEEPEST: usize = 48;

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

/// Words one of which a value is, each with what people see of it.
#[derive(Clone, Debug)]
pub struct Words(pub Vec<(String, String)>);

impl Words {
    /// As rules write them.
    pub fn names(&self) -> Vec<String> {
        self.0.iter().map(|(name, _)| name.clone()).collect()
    }

    /// As people see them.
    pub fn titles(&self) -> Vec<String> {
        self.0.iter().map(|(_, title)| title.clone()).collect()
    }
}

/// What a rule finds in the registers when it comes in.
#[derive(Clone, Copy, Default, Debug)]
pub struct Found {
    pub of: Option<(Reg, Kind)>,
    pub by: Option<Reg>,
    /// What an event is given, or a scene besides the first thing.
    pub with: [Option<(Reg, Kind)>; MOST_HANDED],
    /// Which event it is, where it is one.
    pub event: Option<EventId>,
}

/// What a local name stands for.
#[derive(Clone, Debug)]
pub enum Local {
    /// A value in a register.
    Value(Val),
    /// The answers of an `ask each`: a link from who was asked.
    Link(FactId),
    /// The numbers of an `ask each … from 1..6`, or the texts of one.
    Numbers(Numbers),
    /// In a rule: the event that it is about.
    Same(EventId, Found),
}

impl Local {
    /// Where the answers of an `ask each` lie.
    fn row(&self) -> Option<FactId> {
        match self {
            Local::Link(row) | Local::Numbers(Numbers { row, .. }) => Some(*row),
            Local::Value(_) | Local::Same(..) => None,
        }
    }
}

/// What each has answered, and who has: 0 may be an answer, and is what stands where there is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    row: FactId,
    /// Of numbers: 1 for whoever named one.
    named: Option<FactId>,
}

/// The names that can be seen inside a procedure.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    locals: Vec<(String, Local)>,
    /// Which of them are bound to what was not understood.
    unclear: BTreeSet<usize>,
    /// Which of them are answers, draws and `let`s: the same name further in gives these a new value.
    given: BTreeMap<usize, Span>,
    /// The rows in whose order some of them are.
    orders: BTreeMap<usize, Slot>,
    /// How many there were where the innermost block began.
    block: usize,
    /// Answers, draws and `let`s of blocks that are over.
    ended: BTreeMap<String, Span>,
}

impl Scope {
    fn get(&self, name: &str) -> Option<&Local> {
        self.locals.iter().rev().find(|(n, _)| n == name).map(|(_, l)| l)
    }

    /// The name of somebody, of the innermost.
    fn somebody(&self) -> Option<&str> {
        let is_somebody = |local: &Local| matches!(local, Local::Value(val) if val.kind() == Kind::Players);
        let mut names = self.locals.iter().rev();
        let found = names.find(|(name, local)| name != "that" && is_somebody(local));
        found.map(|(name, _)| name.as_str())
    }

    fn order(&self, name: &str) -> Option<Slot> {
        let at = self.locals.iter().rposition(|(n, _)| n == name)?;
        self.orders.get(&at).copied()
    }

    /// A name of a block around that may have another value now is in no order, unless that has the same row.
    fn set_order(&mut self, name: &str, order: Option<Slot>) {
        let Some(at) = self.locals.iter().rposition(|(n, _)| n == name) else {
            return;
        };
        let before = self.orders.remove(&at);
        let holds = at >= self.block || before == order;
        self.orders.extend(order.filter(|_| holds).map(|row| (at, row)));
    }

    fn is_unclear(&self, name: &str) -> bool {
        let at = self.locals.iter().rposition(|(n, _)| n == name);
        at.is_some_and(|at| self.unclear.contains(&at))
    }

    /// The value that a block around has for an answer or the like.
    fn around(&self, name: &str) -> Option<Val> {
        let at = self.locals.iter().rposition(|(n, _)| n == name)?;
        match &self.locals[at].1 {
            Local::Value(val) if at < self.block && self.given.contains_key(&at) => Some(*val),
            _ => None,
        }
    }

    /// Whether a block around has the name for something, and where that is named if an answer or the like is.
    fn hidden(&self, name: &str) -> Option<Option<Span>> {
        let at = self.locals.iter().rposition(|(n, _)| n == name)?;
        (at < self.block).then(|| self.given.get(&at).copied())
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.locals.iter().map(|(n, _)| n.as_str())
    }
}

/// How long the question that is being lowered may take, and where it is written down that the time was up.
#[derive(Clone, Copy, Default)]
pub struct Clock {
    limit: Option<u32>,
    late: Option<Reg>,
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
    /// How long the question that is being lowered may take.
    pub clock: Clock,
    /// The scene that performs calls.
    pub calling: Option<SceneId>,
    /// Places of names that stand for nothing: what is said of their kinds only follows.
    pub poison: Vec<Span>,
    /// The rules that are being written into one another.
    rule_stack: Vec<usize>,
    /// The names of sets whose order matters somewhere.
    pub ordered_names: BTreeSet<String>,
    /// How the events come that come from more than one place, or to more than one.
    pub batches: Batches,
    /// How many defines and rules have been written out.
    written_out: usize,
    /// Whether it was said that there is more than can be written out.
    is_too_much: bool,
    scope: Scope,
    next: u16,
    high: u16,
    aux: Vec<Op>,
    aux_origins: Vec<Span>,
    in_aux: bool,
    /// The last address something jumps to.
    sealed: u32,
    here: Span,
    loops: Vec<Loop>,
    home: Home,
    define_stack: Vec<usize>,
    /// What each scene is handed.
    pub scene_params: Vec<Vec<Kind>>,
    /// The procedure of the endings.
    pub judge_proc: ProcId,
    /// The define that says who acts in a call.
    pub circle_define: Option<usize>,
    calls: Vec<(Option<GroupId>, u16, Span)>,
    planned: BTreeSet<EventId>,
    settled: BTreeSet<EventId>,
    rule_effects: BTreeMap<usize, Effects>,
    event_effects: BTreeMap<EventId, Effects>,
    scene_effects: BTreeMap<SceneId, Effects>,
    in_choice_rule: bool,
    /// Words of options and draws, so that `x is holds` can be read.
    pub alternatives: Vec<Words>,
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
            clock: Clock::default(),
            calling: None,
            poison: Vec::new(),
            rule_stack: Vec::new(),
            ordered_names: BTreeSet::new(),
            batches: Batches::default(),
            written_out: 0,
            is_too_much: false,
            scope: Scope::default(),
            next: 0,
            high: 0,
            aux: Vec::new(),
            aux_origins: Vec::new(),
            in_aux: false,
            sealed: 0,
            here: Span::default(),
            loops: Vec::new(),
            home: Home {
                scene: None,
                exits: Vec::new(),
                can_leave: false,
            },
            define_stack: Vec::new(),
            scene_params: Vec::new(),
            judge_proc: ProcId(0),
            circle_define: None,
            calls: Vec::new(),
            planned: BTreeSet::new(),
            settled: BTreeSet::new(),
            rule_effects: BTreeMap::new(),
            event_effects: BTreeMap::new(),
            scene_effects: BTreeMap::new(),
            in_choice_rule: false,
            alternatives: Vec::new(),
        }
    }

    /// Words that a value is one of, for [`Val::Word`].
    fn add_words(&mut self, words: Words) -> usize {
        self.alternatives.push(words);
        self.alternatives.len() - 1
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports a mistake and gives a value of a kind to go on with.
    fn stand_in(&mut self, diagnostic: Diagnostic, kind: Kind) -> Val {
        self.report(diagnostic);
        Val::Const(0, kind)
    }

    /// How much has gone wrong so far; more of it later means that what was lowered in between has no
    /// kind to speak of.
    fn faults(&self) -> usize {
        self.diagnostics.len() + self.poison.len()
    }

    /// What a declared name stands for; an overlay may touch only what its base publishes.
    fn resolve(&mut self, name: &tree::Name) -> Option<Meaning> {
        let symbol = self.symbols.get(&name.text)?.clone();
        self.check_published(name, &symbol);
        Some(symbol.meaning)
    }

    fn check_published(&mut self, name: &tree::Name, symbol: &Symbol) {
        let open = matches!(
            symbol.meaning,
            Meaning::Group(_) | Meaning::Option(_) | Meaning::Zone(_)
        );
        if self.layer != Layer::Base
            && symbol.layer == Layer::Base
            && !open
            && !self.symbols.published.contains(&name.text)
        {
            let diagnostic = errors::not_published(
                name,
                symbol.span,
                &self.symbols.published,
                (&self.symbols.grounds, self.layer),
            );
            let (name, declared) = (name.text.clone(), symbol.span);
            self.report(diagnostic.mend(Repair::Publish { name, declared }));
        }
    }

    /// `days-1`, where `days` is known: a minus that is taken for a part of a name.
    fn is_difference(&mut self, name: &tree::Name) -> bool {
        let known = |name: &str| self.scope.get(name).is_some() || self.symbols.get(name).is_some();
        let is_value = |part: &str| known(part) || part.bytes().all(|sign| sign.is_ascii_digit());
        let parts = { name.text.match_indices('-') }
            .map(|(at, _)| (&name.text[..at], &name.text[at + 1..]))
            .find(|(left, right)| known(left) && !right.is_empty() && is_value(right));
        let written = parts.map(|(left, right)| format!("{left} - {right}"));
        if let Some(written) = &written {
            let told = errors::glued_minus(name, written);
            self.report(told.writes_in(name.span, written.clone()));
        }
        written.is_some()
    }

    /// A name nobody declared.
    fn unknown(&mut self, name: &tree::Name) {
        if self.is_difference(name) {
            return;
        }
        if let Some(given) = self.scope.ended.get(&name.text) {
            return self.report(errors::ended(name, *given));
        }
        if name.text == OWNER {
            return self.report(errors::owned_by_nobody(name));
        }
        let guesses = errors::guesses(self.diagnostics.len());
        let known = self.scope.names().chain(self.symbols.names()).take(guesses);
        let declare = match name.text.starts_with(char::is_uppercase) {
            true => format!(
                "rules know no player by name: say his role, his seat (`seat 1`) or who was answered; or declare it: `role {} \"…\"`",
                name.text
            ),
            // Nobody calls a mark by one letter, and everybody a player.
            false if name.text.len() == 1 => format!(
                "say who `{0}` is where it comes in: `event … of {0}`, `scene … of {0}`, `rule …: after … of players as {0}`, `rule …: after … by players as {0}` or `for each {0} of …`; behind `where` each of a set is `it`",
                name.text
            ),
            false => format!(
                "declare it, for instance with `mark {0}` or `define {0} = …`",
                name.text
            ),
        };
        let diagnostic = errors::unknown_where(name, known, declare);
        let declared = format!("mark {}", name.text);
        let is_marked = name.text.len() > 1 && !name.text.starts_with(char::is_uppercase);
        self.report(match is_marked {
            true => diagnostic.mend(Repair::Declare(declared)),
            false => diagnostic,
        });
    }

    /// A name nobody declared, where only some meanings will do: those are suggested first, and then the
    /// declarations that would do, with `NAME` where the name goes.
    fn unknown_of(&mut self, name: &tree::Name, is: fn(Meaning) -> bool, declare: &str) {
        let declare: Vec<String> = declare
            .split(" or ")
            .map(|words| format!("`{}`", words.replace("NAME", &name.text)))
            .collect();
        let written = declare.iter().map(|words| words.trim_matches('`').to_owned());
        let repairs: Vec<Repair> = written.map(Repair::Declare).collect();
        let otherwise = format!("declare it: {}", declare.join(" or "));
        let guesses = errors::guesses(self.diagnostics.len());
        let known: Vec<&str> = self.symbols.of_sort(is).take(guesses).collect();
        let close = omerta_core::diagnostic::close_name(&name.text, known.iter().copied()).is_some();
        let known = match close {
            true => known,
            false => {
                let all = self.scope.names().chain(self.symbols.names());
                all.filter(|known| *known != name.text).take(guesses).collect()
            }
        };
        let diagnostic = errors::unknown_where(name, known, otherwise);
        self.report(repairs.into_iter().fold(diagnostic, Diagnostic::mend));
    }

    /// Whether one more define or rule may be written out; reports it once when not.
    fn may_write_out(&mut self, span: Span) -> bool {
        self.written_out += 1;
        let deep = self.define_stack.len() + self.rule_stack.len() > DEEPEST;
        let much = self.written_out >= MOST_WRITTEN_OUT || self.out.code.len() + self.aux.len() >= MOST_CODE;
        if (much || deep) && !self.is_too_much {
            self.report(errors::too_much_to_work_out(span));
        }
        self.is_too_much |= much;
        !much && !deep
    }

    fn group(&self, id: GroupId) -> &omerta_core::rules::Group {
        &self.out.groups[id.index()]
    }

    /// What a host would call what a name stands for.
    fn sort(&self, meaning: Meaning) -> &'static str {
        meaning.sort(&self.out.groups)
    }

    fn proc_count(&self) -> ProcId {
        ProcId(self.out.procs.len() as u16)
    }

    /// Who sees something, where that has to be worked out.
    pub fn seen_by(&mut self, what: Seen, who: &tree::Expr) {
        let is_owned = match what {
            Seen::Zone(zone) | Seen::Backs(zone) => self.out.zones[zone.index()].of_each,
            Seen::Fact(fact) => self.out.facts[fact.index()].shape.is_of_each(),
        };
        let owner = [(OWNER, Kind::Players)];
        let given = if is_owned { &owner[..] } else { &[] };
        let (thunk, _) = self.free_thunk(given, |c| c.wanted_val(who, Kind::Players));
        let seen_by = match what {
            Seen::Zone(zone) => &mut self.out.zones[zone.index()].seen_by,
            Seen::Backs(zone) => &mut self.out.zones[zone.index()].backs,
            Seen::Fact(fact) => &mut self.out.facts[fact.index()].seen_by,
        };
        *seen_by = SeenBy::Seats(thunk);
    }

    /// `require` or `warn`.
    pub fn cast_check(&mut self, item: &tree::Item, layer: Layer) {
        let (name, test, message, warning) = match &item.kind {
            tree::ItemKind::Require { name, test, message } => (name, test, message, false),
            tree::ItemKind::Warn { name, test, message } => (name, test, message, true),
            _ => return,
        };
        self.layer = layer;
        let (thunk, _) = self.free_thunk(&[], |c| c.wanted_val(test, Kind::Truth));
        let message = message.plain();
        self.out.cast_checks.push(CastCheck {
            name: name.text.clone(),
            warning,
            test: thunk,
            message,
            origin: name.span,
        });
    }

    /// An expression by itself: where its value stands, its kind, how many registers it needs.
    pub fn whole_expr(
        &mut self,
        expr: &tree::Expr,
        params: &[(String, Kind)],
    ) -> (Reg, Kind, Vec<String>, u16) {
        let arguments: Vec<(&str, Kind)> = params.iter().map(|(n, k)| (n.as_str(), *k)).collect();
        let saved = self.begin_proc(&arguments, false);
        let val = self.value(expr, None);
        let result = self.reg(val);
        self.emit(Op::Done);
        let registers = self.end_proc(saved);
        let words = match val {
            Val::Word(_, words) => self.alternatives[words].titles(),
            _ => Vec::new(),
        };
        (result, val.kind(), words, registers)
    }

    /// Reports rules whose order decides and that no words put in order; the rules that find all as it was come out.
    pub fn check_order(&mut self) -> BTreeSet<String> {
        let mut found = Vec::new();
        let steady = {
            let reach = Reach {
                rules: &self.rule_effects,
                events: &self.event_effects,
                scenes: &self.scene_effects,
                table: self.rules,
            };
            let name_of = |touch: Touch| match touch {
                Touch::Fact(fact) => format!("`{}`", self.out.facts[fact.index()].name),
                Touch::Cards => "the cards".to_owned(),
                Touch::Seats => "who sits where".to_owned(),
                Touch::Plans(event) => format!("the plans for `{}`", self.out.events[event.index()].name),
                Touch::Words => "what is said".to_owned(),
                Touch::Flow => "what comes next".to_owned(),
            };
            let groups = self.roles_of_groups();
            let roles_of = |entry: &RuleEntry| {
                let of = entry.rule.happening.of.first().filter(|_| self.out.spare == 0)?;
                roles_among(&of.set, &groups)
            };
            let mut allowed = Allowed::new(self.sources);
            let mut is_allowed = |entry: &RuleEntry| allowed.at(entry.rule.name.span, "unordered-rules");
            let rules = self.rules.list.iter().enumerate();
            let option = |of: &tree::Expr| {
                let name = &of.bare_name()?.text;
                self.out.options.iter().find(|option| option.name == *name)
            };
            let fact = |of: &tree::Expr| match self.symbols.get(&of.bare_name()?.text)?.meaning {
                Meaning::Fact(fact) => Some(fact),
                _ => None,
            };
            let is_value = |of: &tree::Expr, word: &str| {
                let is_word = |fact: FactId| {
                    self.out.facts[fact.index()]
                        .words
                        .iter()
                        .any(|(known, _)| known == word)
                };
                option(of).is_some_and(|option| option.values.iter().any(|value| value == word))
                    || fact(of).is_some_and(is_word)
            };
            let effects = reach.of_rules();
            // What is remembered of the game, and changed by neither of two.
            let is_kept = |of: &tree::Expr, rules: [usize; 2]| {
                let is_written = |fact, rule: usize| effects[rule].writes.contains(&Touch::Fact(fact));
                fact(of).is_some_and(|fact| !rules.iter().any(|rule| is_written(fact, *rule)))
            };
            // How often a scene has been stands still while neither of two plays it.
            let is_counted = |of: &tree::Expr, rules: [usize; 2]| {
                let tree::ExprKind::Times(name) = &*of.inside().kind else {
                    return false;
                };
                let Some(Meaning::Scene(scene)) = self.symbols.meaning(&name.text) else {
                    return false;
                };
                !rules.iter().any(|rule| effects[*rule].plays.contains(&scene))
            };
            let exclude = |a: usize, b: usize| match [a, b].map(|rule| &self.rules.list[rule].rule) {
                [
                    one @ tree::Rule { when: Some(test), .. },
                    other @ tree::Rule {
                        when: Some(against), ..
                    },
                ] => {
                    // What is tested by rules in the place of one thing is tested with nothing done in between.
                    let at_once = one.moment == tree::Moment::Instead
                        && (one.moment, one.each) == (other.moment, other.each)
                        && bound(&one.happening).eq(bound(&other.happening));
                    let about = |of: &tree::Expr| {
                        at_once || option(of).is_some() || is_kept(of, [a, b]) || is_counted(of, [a, b])
                    };
                    let words = settled::Words {
                        may_be: &is_value,
                        ..settled::Words::UNKNOWN
                    };
                    settled::exclude(test, against, &about, words)
                }
                _ => false,
            };
            let of_rules = OfRules {
                name_of: &name_of,
                exclude: &exclude,
                roles: self.rules.list.iter().map(roles_of).collect(),
                allowed: rules
                    .filter(|(_, entry)| is_allowed(entry))
                    .map(|(at, _)| at)
                    .collect(),
            };
            check_order(&reach, &effects, &of_rules, &mut found);
            steady(&reach, &effects)
        };
        self.diagnostics.append(&mut found);
        steady
    }

    /// The roles of each role and team that has any.
    fn roles_of_groups(&self) -> BTreeMap<&str, BTreeSet<usize>> {
        let mut out: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (index, role) in self.out.roles.iter().enumerate() {
            for group in &role.groups {
                out.entry(&self.out.groups[group.index()].name)
                    .or_default()
                    .insert(index);
            }
        }
        out
    }

    /// What the lints need to know of calls and plans.
    pub(crate) fn lint_facts(&self) -> FactUse {
        FactUse {
            calls: self.calls.clone(),
            planned: self.planned.clone(),
            settled: self.settled.clone(),
        }
    }

    /// Everything that was written.
    pub fn finish(mut self) -> (Ruleset, Vec<Op>, Vec<Span>, Vec<Diagnostic>) {
        let (aux, origins) = self.take_aux();
        (self.out, aux, origins, self.diagnostics)
    }
}

/// What those are called whom a rule waits for, in order.
fn bound(happening: &tree::Happening) -> impl Iterator<Item = Option<&str>> {
    let patterns = happening.of.iter().chain(&happening.by);
    let named = patterns.map(|pattern| pattern.name.as_ref());
    let given = happening.with.iter().map(Some);
    named.chain(given).map(|name| name.map(|name| name.text.as_str()))
}

/// The roles whose players alone may be in a set, `Guild` as well as `Guild sober`; nothing where it may be anybody.
fn roles_among(set: &Expr, groups: &BTreeMap<&str, BTreeSet<usize>>) -> Option<BTreeSet<usize>> {
    match &*set.kind {
        ExprKind::Query(_) => groups.get(set.bare_name()?.text.as_str()).cloned(),
        ExprKind::Narrow(words) => { words.iter() }
            .filter_map(|word| roles_among(word, groups))
            .reduce(|one, other| one.intersection(&other).copied().collect()),
        ExprKind::Binary(BinaryOp::Plus, left, right) => {
            let (left, right) = (roles_among(left, groups)?, roles_among(right, groups)?);
            Some(left.union(&right).copied().collect())
        }
        ExprKind::Group(set) | ExprKind::Where { set, .. } | ExprKind::Binary(BinaryOp::Without, set, _) => {
            roles_among(set, groups)
        }
        _ => None,
    }
}
