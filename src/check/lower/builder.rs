//! Registers, labels and procedures: the plain mechanics of writing code.

use super::{Compiler, Home, Local, Loop, Scope, Val, errors, relocate::AUX};
use omerta_core::rules::{Kind, MOST_REGISTERS, Op, Proc, ProcId, ProcRole, Reg, RuleId, Slot, Thunk};
use omerta_core::source::Span;
use omerta_syntax::tree::{Name, Rule};

/// What was set aside while another procedure is written.
pub(super) struct Saved {
    scope: Scope,
    next: u16,
    high: u16,
    loops: Vec<Loop>,
    home: Home,
}

impl Compiler<'_> {
    // ---- instructions

    pub(super) fn emit(&mut self, op: Op) -> usize {
        let here = self.here;
        let (code, origins) = self.code();
        code.push(op);
        origins.push(here);
        code.len() - 1
    }

    /// What is being written: the program, or what stands beside it.
    fn code(&mut self) -> (&mut Vec<Op>, &mut Vec<Span>) {
        match self.in_aux {
            true => (&mut self.aux, &mut self.aux_origins),
            false => (&mut self.out.code, &mut self.out.origins),
        }
    }

    pub(super) fn at(&self) -> u32 {
        match self.in_aux {
            true => self.aux.len() as u32 | AUX,
            false => self.out.code.len() as u32,
        }
    }

    /// An address that something jumps to: what stands before it must stay as it is.
    pub(super) fn label(&mut self) -> u32 {
        let here = self.at();
        self.sealed = here;
        here
    }

    /// The last instruction, unless something jumps to just behind it.
    fn last_op(&mut self) -> Option<&mut Op> {
        match self.at() == self.sealed {
            true => None,
            false => self.code().0.last_mut(),
        }
    }

    fn unwrite(&mut self) {
        let (code, origins) = self.code();
        code.pop();
        origins.pop();
    }

    /// What was written from an address on.
    pub(super) fn written_since(&mut self, from: u32) -> &[Op] {
        &self.code().0[(from & !AUX) as usize..]
    }

    /// Takes back what was written from an address on, where nothing else leads to it.
    pub(super) fn unwrite_since(&mut self, from: u32) {
        let (code, origins) = self.code();
        code.truncate((from & !AUX) as usize);
        origins.truncate((from & !AUX) as usize);
        self.label();
    }

    /// Works a value out and puts it into a register of one's choice: where the value was made for
    /// this by the last instruction, that instruction writes there at once.
    pub(super) fn into(&mut self, to: Reg, make: impl FnOnce(&mut Self) -> Val) -> Kind {
        let floor = self.next;
        let val = make(self);
        let fresh = |from: Reg| from.0 >= floor && from != to;
        if let Val::Reg(from, _) | Val::Word(from, _) = val
            && fresh(from)
            && let Some(written) = self.last_op().and_then(Op::written)
            && *written == from
        {
            *written = to;
            return val.kind();
        }
        self.put_into(to, val);
        val.kind()
    }

    /// `a & !b` into a new register: in one instruction where `a` is everybody.
    pub(super) fn without(&mut self, a: Reg, b: Reg, floor: u16) -> Reg {
        let fresh = |reg: Reg| reg.0 >= floor;
        if let Some(&mut Op::Load { to, slot }) = self.last_op()
            && to == b
            && fresh(a)
            && fresh(b)
            && self.op_before_last() == Some(Op::Players { to: a })
        {
            self.unwrite();
            self.unwrite();
            self.emit(Op::Outside { to: a, slot });
            return a;
        }
        if fresh(a) && self.without_into(a, a, b) {
            return a;
        }
        self.fresh(|to| Op::Without { to, a, b })
    }

    /// `to = a & !b` in one instruction, where `a` was made for this just before, or just before a `b`
    /// that is only looked up; says whether that was so.
    pub(super) fn without_into(&mut self, to: Reg, a: Reg, b: Reg) -> bool {
        let last = self.last_op().copied();
        let (between, slot) = match (self.op_before_last(), last) {
            (_, Some(Op::Outside { to: made, slot })) if made == a && b != a => (None, slot),
            (Some(Op::Outside { to: made, slot }), Some(between @ Op::Group { to: found, .. }))
                if made == a && found == b && b != a =>
            {
                (Some(between), slot)
            }
            _ => return false,
        };
        self.unwrite();
        if let Some(between) = between {
            self.unwrite();
            self.emit(between);
        }
        self.emit(Op::OutsideBut { to, slot, but: b });
        true
    }

    /// `to = a & b`: in one instruction where both were made for this just before.
    pub(super) fn both(&mut self, to: Reg, a: Reg, b: Reg) {
        let fused = match (self.op_before_last(), self.last_op().copied()) {
            _ if a <= to || b <= to => None,
            (Some(Op::Outside { to: left, slot }), Some(Op::Others { to: right, of })) => {
                ((left, right) == (a, b)).then_some(Op::OutsideBut { to, slot, but: of })
            }
            (Some(Op::Outside { to: left, slot }), Some(Op::Group { to: right, group })) => {
                ((left, right) == (a, b)).then_some(Op::GroupOutside { to, group, slot })
            }
            _ => None,
        };
        if let Some(fused) = fused {
            self.unwrite();
            self.unwrite();
            self.emit(fused);
        } else {
            self.emit(Op::And { to, a, b });
        }
    }

    fn op_before_last(&self) -> Option<Op> {
        let code = if self.in_aux { &self.aux } else { &self.out.code };
        let index = code.len().checked_sub(2)?;
        let sealed = (self.sealed & !AUX) as usize;
        (sealed <= index).then(|| code[index])
    }

    pub(super) fn jump(&mut self) -> usize {
        self.emit(Op::Jump { at: u32::MAX })
    }

    pub(super) fn jump_unless(&mut self, test: Reg) -> usize {
        self.emit(Op::JumpUnless { test, at: u32::MAX })
    }

    pub(super) fn jump_if(&mut self, test: Reg) -> usize {
        self.emit(Op::JumpIf { test, at: u32::MAX })
    }

    pub(super) fn jump_to(&mut self, at: u32) {
        self.emit(Op::Jump { at });
    }

    /// Lets a jump written earlier land here.
    pub(super) fn land(&mut self, jump: usize) {
        let here = self.label();
        match &mut self.code().0[jump] {
            Op::Jump { at } | Op::JumpIf { at, .. } | Op::JumpUnless { at, .. } => *at = here,
            _ => unreachable!("only jumps are patched"),
        }
    }

    pub(super) fn land_all(&mut self, jumps: Vec<usize>) {
        for jump in jumps {
            self.land(jump);
        }
    }

    /// Goes through a set, taking one after the other out of it into a register; what is written may jump to
    /// where the next is taken.
    pub(super) fn each_in(&mut self, set: Reg, one: Reg, write: impl FnOnce(&mut Self, u32)) {
        self.each_by(None, set, one, write);
    }

    /// The same with players, by who sits where.
    pub(super) fn each_in_turn(&mut self, set: Reg, one: Reg, write: impl FnOnce(&mut Self, u32)) {
        self.each_by(self.seat_order(Kind::Players), set, one, write);
    }

    pub(super) fn each_by(
        &mut self,
        order: Option<Slot>,
        set: Reg,
        one: Reg,
        write: impl FnOnce(&mut Self, u32),
    ) {
        let head = self.label();
        let out = self.jump_unless(set);
        self.pop(one, set, order, None);
        write(self, head);
        self.jump_to(head);
        self.land(out);
    }

    pub(super) fn copy(&mut self, to: Reg, from: Reg) {
        self.emit(Op::Copy { to, from });
    }

    /// Puts more into a set.
    pub(super) fn join(&mut self, set: Reg, more: Reg) {
        self.emit(Op::Or {
            to: set,
            a: set,
            b: more,
        });
    }

    /// Takes some out of a set.
    pub(super) fn take_out(&mut self, set: Reg, some: Reg) {
        self.emit(Op::Without {
            to: set,
            a: set,
            b: some,
        });
    }

    /// A rule comes into force.
    pub(super) fn apply_rule(&mut self, id: RuleId, rule: &Rule) {
        self.emit(Op::Applied { rule: id });
        self.block(&rule.body);
    }

    /// Code written from now on comes from this place.
    pub(super) fn placed_at<T>(&mut self, span: Span, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.here, span);
        let out = write(self);
        self.here = before;
        out
    }

    // ---- registers

    pub(super) fn temp(&mut self) -> Reg {
        self.temps(1)
    }

    /// A register of its own for what an instruction works out.
    pub(super) fn fresh(&mut self, op: impl FnOnce(Reg) -> Op) -> Reg {
        let to = self.temp();
        self.emit(op(to));
        to
    }

    /// The same as a value of a kind.
    pub(super) fn fresh_val(&mut self, kind: Kind, op: impl FnOnce(Reg) -> Op) -> Val {
        Val::Reg(self.fresh(op), kind)
    }

    pub(super) fn temps(&mut self, count: u16) -> Reg {
        let reg = Reg(self.next);
        let next = self.next.saturating_add(count);
        if self.high <= MOST_REGISTERS && next > MOST_REGISTERS {
            self.report(errors::body_too_large(self.here));
        }
        self.high = self.high.max(next);
        // What is beyond the bound is written all the same and never runs.
        self.next = next.min(MOST_REGISTERS);
        reg
    }

    /// Registers taken inside are free again afterwards.
    pub(super) fn scratch<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.next;
        let out = write(self);
        self.next = before;
        out
    }

    pub(super) fn reg(&mut self, val: Val) -> Reg {
        match val {
            Val::Reg(reg, _) | Val::Word(reg, _) => reg,
            Val::Const(word, _) => {
                let to = self.temp();
                self.load_const(to, word);
                to
            }
        }
    }

    pub(super) fn load_const(&mut self, to: Reg, word: u64) {
        if let Ok(value) = i16::try_from(word as i64) {
            self.emit(Op::Small { to, value });
            return;
        }
        let index = self
            .out
            .constants
            .iter()
            .position(|&c| c == word)
            .unwrap_or_else(|| {
                self.out.constants.push(word);
                self.out.constants.len() - 1
            });
        self.emit(Op::Const {
            to,
            index: index as u16,
        });
    }

    /// Puts a value into a register of one's choice.
    pub(super) fn put_into(&mut self, to: Reg, val: Val) {
        match val {
            Val::Reg(from, _) | Val::Word(from, _) if from == to => {}
            Val::Reg(from, _) | Val::Word(from, _) => self.copy(to, from),
            Val::Const(word, _) => self.load_const(to, word),
        }
    }

    // ---- names

    pub(super) fn bind(&mut self, name: &str, local: Local) {
        self.scope.locals.push((name.to_owned(), local));
    }

    /// Binds what was worked out since there were so many faults: with one more, it is not understood
    /// either.
    pub(super) fn bind_since(&mut self, faults: usize, name: &str, local: Local) {
        if self.faults() > faults {
            self.scope.unclear.insert(self.scope.locals.len());
        }
        self.bind(name, local);
    }

    /// Names an answer, a draw or the like. Where a block around has such a thing of the same kind and name, that
    /// has a new value; anything else of that name would be hidden to the end of the block, and back behind it.
    pub(super) fn bind_given(&mut self, faults: usize, name: &Name, val: Val) {
        match (self.scope.around(&name.text), val) {
            (Some(Val::Reg(to, was)), Val::Reg(_, kind)) if was == kind => self.put_into(to, val),
            (Some(Val::Word(to, was)), Val::Word(_, words))
                if self.alternatives[was].names() == self.alternatives[words].names() =>
            {
                self.put_into(to, val);
            }
            _ => {
                self.check_hides(faults, name);
                self.scope.given.insert(self.scope.locals.len(), name.span);
                self.bind_since(faults, &name.text, Local::Value(val));
            }
        }
    }

    /// What was understood must not take the name of something else that a block around has.
    pub(super) fn check_hides(&mut self, faults: usize, name: &Name) {
        let is_clear = self.faults() == faults && !self.scope.is_unclear(&name.text);
        if let Some(outer) = self.scope.hidden(&name.text).filter(|_| is_clear) {
            self.report(errors::hides(name, outer));
        }
    }

    /// Names bound since there were so many are forgotten.
    pub(super) fn unbind(&mut self, names: usize) {
        let scope = &mut self.scope;
        for (at, given) in scope.given.split_off(&names) {
            let name = scope.locals.get(at).map(|(name, _)| name.clone());
            scope.ended.extend(name.map(|name| (name, given)));
        }
        self.scope.locals.truncate(names);
        self.scope.unclear.split_off(&names);
        self.scope.orders.split_off(&names);
    }

    pub(super) fn bind_value(&mut self, name: &str, reg: Reg, kind: Kind) {
        self.bind(name, Local::Value(Val::Reg(reg, kind)));
    }

    /// Names bound inside are forgotten afterwards, their registers free again.
    pub(super) fn block_scope<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let (names, next) = (self.scope.locals.len(), self.next);
        let around = std::mem::replace(&mut self.scope.block, names);
        let out = write(self);
        self.scope.block = around;
        self.unbind(names);
        self.next = next;
        out
    }

    pub(super) fn local_value(&self, name: &str) -> Option<Val> {
        match self.scope.get(name) {
            Some(Local::Value(val)) => Some(*val),
            _ => None,
        }
    }

    // ---- procedures

    pub(super) fn begin_proc(&mut self, arguments: &[(&str, Kind)], can_leave: bool) -> Saved {
        let saved = Saved {
            scope: std::mem::take(&mut self.scope),
            next: std::mem::replace(&mut self.next, arguments.len() as u16),
            high: std::mem::replace(&mut self.high, arguments.len() as u16),
            loops: std::mem::take(&mut self.loops),
            home: std::mem::replace(
                &mut self.home,
                Home {
                    scene: None,
                    exits: Vec::new(),
                    can_leave,
                },
            ),
        };
        for (i, (name, kind)) in arguments.iter().enumerate() {
            if !name.is_empty() {
                self.bind_value(name, Reg(i as u16), *kind);
            }
        }
        saved
    }

    /// Ends a procedure and goes back to the one before; gives how many registers it used.
    pub(super) fn end_proc(&mut self, saved: Saved) -> u16 {
        let high = std::mem::replace(&mut self.high, saved.high);
        self.scope = saved.scope;
        self.next = saved.next;
        self.loops = saved.loops;
        self.home = saved.home;
        high
    }

    /// Writes a whole procedure that returns at its end.
    pub(super) fn simple_proc(
        &mut self,
        role: ProcRole,
        arguments: &[(&str, Kind)],
        write: impl FnOnce(&mut Self),
    ) -> ProcId {
        let can_leave = matches!(role, ProcRole::Part(_));
        let saved = self.begin_proc(arguments, can_leave);
        let entry = self.label();
        write(self);
        let exits = std::mem::take(&mut self.home.exits);
        self.land_all(exits);
        let exit = self.label();
        self.emit(Op::Return);
        let registers = self.end_proc(saved);
        self.add_proc(Proc {
            role,
            entry,
            exit,
            registers,
            clears: Vec::new(),
        })
    }

    pub(super) fn add_proc(&mut self, proc: Proc) -> ProcId {
        let id = self.proc_count();
        self.out.procs.push(proc);
        id
    }

    // ---- thunks

    /// Writes code that only works a value out, beside the program; it sees the names and registers
    /// of where it stands.
    pub(super) fn thunk(&mut self, write: impl FnOnce(&mut Self) -> Val) -> (Thunk, Kind) {
        let was = std::mem::replace(&mut self.in_aux, true);
        let (next, high) = (self.next, self.high);
        self.high = self.next;
        let sealed = self.sealed;
        let at = self.label();
        let val = write(self);
        let result = self.reg(val);
        self.emit(Op::Done);
        let registers = self.high.max(result.0 + 1);
        self.next = next;
        self.high = high;
        self.in_aux = was;
        self.sealed = sealed;
        (
            Thunk {
                at,
                result,
                registers,
            },
            val.kind(),
        )
    }

    /// A thunk that stands in no procedure and sees only its arguments.
    pub(super) fn free_thunk(
        &mut self,
        arguments: &[(&str, Kind)],
        write: impl FnOnce(&mut Self) -> Val,
    ) -> (Thunk, Kind) {
        let saved = self.begin_proc(arguments, false);
        let out = self.thunk(write);
        self.end_proc(saved);
        out
    }

    /// Takes the side code out, to be appended by [`super::relocate::relocate`].
    pub(super) fn take_aux(&mut self) -> (Vec<Op>, Vec<Span>) {
        (
            std::mem::take(&mut self.aux),
            std::mem::take(&mut self.aux_origins),
        )
    }
}
