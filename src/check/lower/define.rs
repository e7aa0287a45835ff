//! Defines with their clauses, and hooks.

use super::{Compiler, Val, errors};
use crate::layer::Layer;
use crate::table::Clause;
use omerta_core::rules::{HookId, Kind, Op, Reg};
use omerta_syntax::tree::{ClauseMode, Expr, Name, Query};

impl Compiler<'_> {
    /// Works a define out where it is read.
    pub(super) fn inline_define(
        &mut self,
        define: usize,
        of: Option<&Expr>,
        query: &Query,
        want: Option<Kind>,
    ) -> Val {
        let entry = &self.defines.list[define];
        let argument = match (&entry.param, of) {
            (Some(kind), Some(of)) => Some(self.wanted_val(of, *kind)),
            (None, None) => None,
            (Some(_), None) => {
                return self.stand_in(errors::needs_of(&query.name), want.unwrap_or(Kind::Players));
            }
            (None, Some(of)) => {
                return self.stand_in(
                    errors::no_of_here(&query.name, of.span),
                    want.unwrap_or(Kind::Players),
                );
            }
        };
        self.expand(define, argument, &query.name)
    }

    pub(super) fn expand(&mut self, define: usize, argument: Option<Val>, name: &Name) -> Val {
        if self.define_stack.contains(&define) {
            let declared = &self.defines.list[define];
            let kind = match declared.clauses.first() {
                Some((mode, _)) if mode.of_numbers() => Kind::Number,
                _ => Kind::Players,
            };
            return self.stand_in(errors::define_needs_itself(name, declared.span), kind);
        }
        if !self.may_write_out(name.span) {
            return Val::Const(0, Kind::Players);
        }
        let before = self.diagnostics.len();
        self.define_stack.push(define);
        let layer = self.layer;
        let scope = std::mem::take(&mut self.scope);
        let val = self.expand_clauses(define, argument);
        self.scope = scope;
        self.layer = layer;
        self.define_stack.pop();
        if self.diagnostics.len() > before {
            self.poison.push(name.span);
        }
        val
    }

    /// Looks over the defines that nobody reads, for their mistakes only.
    pub(crate) fn unread_defines(&mut self) {
        for index in 0..self.defines.list.len() {
            let define = &self.defines.list[index];
            if self.symbols.read.contains(&define.name) {
                continue;
            }
            let name = Name::new(define.name.clone(), define.span);
            let param = define.param;
            let arguments = [("", param.unwrap_or(Kind::Players))];
            self.free_thunk(&arguments, |c| {
                let argument = param.map(|kind| Val::Reg(Reg(0), kind));
                c.expand(index, argument, &name)
            });
        }
    }

    fn expand_clauses(&mut self, define: usize, argument: Option<Val>) -> Val {
        let entry = self.defines.list[define].clone();
        let special: Vec<&Clause> = entry.bases.iter().filter(|c| c.only_for.is_some()).collect();
        let general = entry.bases.iter().find(|c| c.only_for.is_none());
        if let (Some(Val::Const(titles, Kind::Titles)), false) = (argument, special.is_empty()) {
            let exact = special.iter().find(|c| c.only_for == Some(titles));
            let base = exact.copied().or(general);
            let val = base.map_or(Val::Const(0, Kind::Players), |c| self.clause(c, argument));
            return self.add_clauses(&entry, argument, val);
        }
        let Some(general) = general else {
            // Only special cases: nobody for everything else.
            return self.choose_case(&special, None, argument, &entry);
        };
        if special.is_empty() {
            let val = self.clause(general, argument);
            return self.add_clauses(&entry, argument, val);
        }
        self.choose_case(&special, Some(general), argument, &entry)
    }

    /// `define circle of Guards = …` beside `define circle of role c = …`, for a role that is known
    /// only at play.
    fn choose_case(
        &mut self,
        special: &[&Clause],
        general: Option<&Clause>,
        argument: Option<Val>,
        entry: &crate::table::Define,
    ) -> Val {
        let to = self.temp();
        let mut exits = Vec::new();
        let mut made = None;
        for clause in special {
            let next = self.next;
            let test = self.case_test(clause, argument);
            let over = self.jump_unless(test);
            self.clause_like(clause, argument, to, &mut made);
            exits.push(self.jump());
            self.land(over);
            self.next = next;
        }
        match general {
            Some(general) => self.clause_like(general, argument, to, &mut made),
            None => self.load_const(to, 0),
        }
        self.land_all(exits);
        let val = match made {
            Some(Val::Word(_, words)) => Val::Word(to, words),
            made => Val::Reg(to, made.map_or(Kind::Players, Val::kind)),
        };
        self.add_clauses(entry, argument, val)
    }

    /// Whether the argument is the role or team the clause is only for.
    fn case_test(&mut self, clause: &Clause, argument: Option<Val>) -> Reg {
        let a = argument.map_or(Val::Const(0, Kind::Titles), |v| v);
        let a = self.reg(a);
        let b = self.temp();
        self.load_const(b, clause.only_for.unwrap_or(0));
        self.fresh(|to| Op::Equal { to, a, b })
    }

    /// Reads a clause as it was written where it was, with its own name for the argument; how many names there were before.
    fn begin_clause(&mut self, clause: &Clause, argument: Option<Val>) -> usize {
        self.layer = clause.layer;
        let names = self.scope.locals.len();
        if let (Some(name), Some(argument)) = (&clause.param, argument) {
            self.bind(name, super::Local::Value(argument));
        }
        names
    }

    /// One clause's value.
    fn clause(&mut self, clause: &Clause, argument: Option<Val>) -> Val {
        let names = self.begin_clause(clause, argument);
        let val = self.value(&clause.value, clause.want);
        self.unbind(names);
        val
    }

    /// The same, of the kind of those before it.
    fn clause_like(&mut self, clause: &Clause, argument: Option<Val>, to: Reg, made: &mut Option<Val>) {
        let names = self.begin_clause(clause, argument);
        self.one_case(&clause.value, to, made, clause.want);
        self.unbind(names);
    }

    /// What was added and so on, whoever wrote it.
    fn add_clauses(&mut self, entry: &crate::table::Define, argument: Option<Val>, base: Val) -> Val {
        if entry.clauses.is_empty() {
            return base;
        }
        let kind = base.kind();
        let to = self.temp();
        self.put_into(to, base);
        let is_set = matches!(kind, Kind::Players | Kind::Cards | Kind::Titles);
        for (mode, clause) in &entry.clauses {
            match mode.of_numbers() {
                true if kind == Kind::Number => self.extra(*mode, clause, argument, kind, to),
                false if is_set => self.extra(*mode, clause, argument, kind, to),
                of_numbers => self.report(errors::clause_of_other_kind(
                    &entry.name,
                    clause.value.span,
                    kind,
                    of_numbers,
                )),
            }
        }
        Val::Reg(to, kind)
    }

    fn extra(&mut self, mode: ClauseMode, clause: &Clause, argument: Option<Val>, kind: Kind, to: Reg) {
        let next = self.next;
        let mut skips = Vec::new();
        if let Some(only) = clause.only_for {
            match argument {
                Some(Val::Const(titles, _)) if titles != only => return,
                Some(Val::Const(..)) => {}
                _ => {
                    let test = self.case_test(clause, argument);
                    skips.push(self.jump_unless(test));
                }
            }
        }
        let names = self.begin_clause(clause, argument);
        if let Some(when) = &clause.when {
            let test = self.truth(when);
            let test = self.reg(test);
            skips.push(self.jump_unless(test));
        }
        let b = self.wanted(&clause.value, kind);
        let beyond = match mode {
            ClauseMode::Raise => Some((to, b)),
            ClauseMode::Lower => Some((b, to)),
            _ => None,
        };
        if let Some((a, b)) = beyond {
            let beyond = self.fresh(|to| Op::Less { to, a, b });
            skips.push(self.jump_unless(beyond));
        }
        self.emit(match mode {
            ClauseMode::Add => Op::Plus { to, a: to, b },
            ClauseMode::Raise | ClauseMode::Lower => Op::Copy { to, from: b },
            ClauseMode::Include => Op::Or { to, a: to, b },
            ClauseMode::Exclude => Op::Without { to, a: to, b },
        });
        self.unbind(names);
        self.land_all(skips);
        self.next = next;
        self.layer = Layer::Base;
    }

    pub(super) fn ask_hook(&mut self, hook: HookId, of: Option<&Expr>, query: &Query) -> Val {
        let (param, gives) = {
            let h = &self.out.hooks[hook.index()];
            (h.param.clone(), h.gives)
        };
        let base = self.temps(2);
        match (param, of) {
            (Some((_, kind)), Some(of)) => {
                let val = self.wanted_val(of, kind);
                self.put_into(base, val);
            }
            (None, None) => self.load_const(base, 0),
            (Some(_), None) => self.report(errors::needs_of(&query.name)),
            (None, Some(of)) => self.report(errors::no_of_here(&query.name, of.span)),
        }
        self.emit(Op::Hook { hook, base });
        Val::Reg(Reg(base.0 + 1), gives)
    }
}
