//! Queries that count votes and numbers: `most of vote`, `tally of vote`, `highest of gold`.

use super::query::is_built_in;
use super::{Compiler, Local, Meaning, Numbers, Val, errors};
use crate::effects::Touch;
use omerta_core::rules::{FactId, FactShape, Kind, Op, Reg, TallyVerdict};
use omerta_core::source::Span;
use omerta_syntax::tree::{Name, Query};

impl Compiler<'_> {
    /// `highest of gold among (living)`: all who are level at the top, or at the bottom.
    pub(super) fn extreme_of(&mut self, query: &Query, highest: bool) -> Val {
        self.each_number(query, Kind::Players, |c, kept, [best, seat, value], head| {
            let test = c.temp();
            let first = c.jump_unless(kept);
            let (a, b) = if highest { (best, value) } else { (value, best) };
            c.emit(Op::Less { to: test, a, b });
            let better = c.jump_if(test);
            c.emit(Op::Equal {
                to: test,
                a: value,
                b: best,
            });
            c.emit(Op::JumpUnless { test, at: head });
            c.join(kept, seat);
            c.jump_to(head);
            c.land_all(vec![first, better]);
            c.put_into(best, Val::Reg(value, Kind::Number));
            c.put_into(kept, Val::Reg(seat, Kind::Players));
        })
    }

    /// `sum of gold among (living)`: what all of them have together.
    pub(super) fn sum_of(&mut self, query: &Query) -> Val {
        self.each_number(query, Kind::Number, |c, sum, [.., value], _| {
            c.emit(Op::Plus {
                to: sum,
                a: sum,
                b: value,
            });
        })
    }

    /// Goes through the numbers that people have: what is made of them begins with nothing, and so does the second register
    /// that is at hand, beside the seat and its number.
    fn each_number(
        &mut self,
        query: &Query,
        kind: Kind,
        each: impl FnOnce(&mut Self, Reg, [Reg; 3], u32),
    ) -> Val {
        use omerta_syntax::tree::ExprKind;
        let Some(of) = &query.of else {
            return self.lacks_of(query, kind);
        };
        let ExprKind::Query(number) = &*of.kind else {
            let text = self.sources.slice(of.span).to_owned();
            let name = Name { text, span: of.span };
            return self.stand_in(errors::not_a_number_of_each(&name), kind);
        };
        let kept = self.temp();
        self.block_scope(|c| {
            let (rest, best, seat) = (c.temp(), c.temp(), c.temp());
            let among = match (&number.of, &query.among) {
                (Some(of), Some(among)) => {
                    let (a, b) = (c.players(of), c.players(among));
                    c.fresh(|to| Op::And { to, a, b })
                }
                (Some(of), None) => c.players(of),
                (None, _) => c.among(query),
            };
            c.put_into(rest, Val::Reg(among, Kind::Players));
            c.load_const(kept, 0);
            c.load_const(best, 0);
            c.each_in(rest, seat, |c, head| {
                c.pass_over_silent(&number.name, seat, head);
                let value = c.number_of_each(&number.name, seat, errors::not_a_number_of_each);
                let value = c.reg(value);
                each(c, kept, [best, seat, value], head);
            });
        });
        Val::Reg(kept, kind)
    }

    /// Of an `ask each` only those count who named a number: whoever was not asked, passed or was late bid nothing.
    fn pass_over_silent(&mut self, name: &Name, seat: Reg, head: u32) {
        if let Some(&Local::Numbers(Numbers {
            named: Some(named), ..
        })) = self.scope.get(&name.text)
        {
            let row = self.out.facts[named.index()].slot;
            let spoke = self.fresh(|to| Op::CountOf { to, row, of: seat });
            self.emit(Op::JumpUnless {
                test: spoke,
                at: head,
            });
        }
    }

    /// The number that somebody has: by a count of each, by the answers of an `ask each`, by a definition
    /// or a hook.
    fn number_of_each(
        &mut self,
        name: &Name,
        seat: Reg,
        wrong: fn(&Name) -> omerta_core::diagnostic::Diagnostic,
    ) -> Val {
        if let Some(&Local::Numbers(Numbers { row, named: Some(_) })) = self.scope.get(&name.text) {
            let row = self.out.facts[row.index()].slot;
            return self.count_at(row, seat);
        }
        let meaning = match self.scope.get(&name.text) {
            None => self.resolve(name),
            Some(_) => {
                return self.stand_in(wrong(name), Kind::Number);
            }
        };
        self.symbols.read.insert(name.text.clone());
        match meaning {
            Some(Meaning::Fact(fact))
                if self.out.facts[fact.index()].shape == FactShape::CountOfEach
                    && self.out.facts[fact.index()].words.is_empty()
                    && !self.out.facts[fact.index()].text =>
            {
                self.effects.read(Touch::Fact(fact));
                let row = self.out.facts[fact.index()].slot;
                self.count_at(row, seat)
            }
            Some(Meaning::Define(define)) if self.defines.list[define].param == Some(Kind::Players) => {
                let val = self.expand(define, Some(Val::Reg(seat, Kind::Players)), name);
                self.coerce(val, Kind::Number, name.span)
            }
            Some(Meaning::Hook(hook))
                if matches!(self.out.hooks[hook.index()].param, Some((_, Kind::Players)))
                    && self.out.hooks[hook.index()].gives == Kind::Number =>
            {
                let base = self.temps(2);
                self.put_into(base, Val::Reg(seat, Kind::Players));
                self.emit(Op::Hook { hook, base });
                Val::Reg(Reg(base.0 + 1), Kind::Number)
            }
            None if name.text == "place" => self.place_at(seat),
            None if !is_built_in(&name.text) => {
                self.unknown(name);
                Val::Const(0, Kind::Number)
            }
            _ => self.stand_in(wrong(name), Kind::Number),
        }
    }

    fn count_at(&mut self, row: omerta_core::rules::Slot, of: Reg) -> Val {
        self.fresh_val(Kind::Number, |to| Op::CountOf { to, row, of })
    }

    pub(super) fn tally(&mut self, query: &Query, verdict: TallyVerdict) -> Val {
        if !self.fill_tally(query, verdict != TallyVerdict::Most) {
            return Val::Const(0, Kind::Players);
        }
        let among = self.among(query);
        self.fresh_val(Kind::Players, |to| Op::TallyRead { to, among, verdict })
    }

    /// `tally of vote among (p) weighing weight`: how many votes p has.
    pub(super) fn tally_of(&mut self, query: &Query, _: Span) -> Val {
        if !self.fill_tally(query, false) {
            return Val::Const(0, Kind::Number);
        }
        let of = self.among(query);
        self.fresh_val(Kind::Number, |to| Op::TallyOf { to, of })
    }

    /// Counts a link onto the scratch pad: `vote`, or `vote of living` for the votes of some.
    ///
    /// Where silence counts, the voters of a bare link are those who were asked since it was emptied.
    fn fill_tally(&mut self, query: &Query, silence_counts: bool) -> bool {
        use omerta_syntax::tree::ExprKind;
        let Some(of) = &query.of else {
            self.report(errors::needs_of(&query.name));
            return false;
        };
        let link = match &*of.kind {
            ExprKind::Query(q) if q.number.is_none() && q.among.is_none() => {
                self.link_named(&q.name).map(|f| (f, &q.of))
            }
            _ => None,
        };
        let Some((fact, voters)) = link else {
            let number = of.bare_name().filter(|name| self.is_number_of_each(name));
            self.report(match number {
                Some(name) => errors::needs_highest(name),
                None => errors::needs_a_link(of.span),
            });
            return false;
        };
        self.effects.read(Touch::Fact(fact));
        let row = self.out.facts[fact.index()].slot;
        let name = self.out.facts[fact.index()].name.clone();
        let voters = match (voters, self.asked_mark(&name).filter(|_| silence_counts)) {
            (Some(voters), _) => self.players(voters),
            (None, Some(asked)) => {
                let slot = self.out.facts[asked.index()].slot;
                self.fresh(|to| Op::Load { to, slot })
            }
            (None, None) => self.fresh(|to| Op::Players { to }),
        };
        match &query.weighing {
            None => {
                self.emit(Op::TallyClear);
                self.emit(Op::TallyRow { row, voters });
            }
            Some(weight) => self.weighed_tally(row, voters, weight),
        }
        true
    }

    fn weighed_tally(&mut self, row: omerta_core::rules::Slot, voters: Reg, weight: &Name) {
        self.block_scope(|c| {
            let (rest, voter, votes) = (c.temp(), c.temp(), c.temp());
            let from = c.at();
            c.copy(rest, voters);
            c.emit(Op::TallyClear);
            c.each_in(rest, voter, |c, _| {
                let val = c.number_of_each(weight, voter, errors::not_a_weight);
                let weight = c.reg(val);
                c.emit(Op::LinkOf {
                    to: votes,
                    row,
                    of: voter,
                });
                c.emit(Op::TallyAdd { votes, weight });
            });
            // Where every vote weighs one, all count alike.
            if let [_, _, _, _, Op::Small { value: 1, .. }, _, _, _] = c.written_since(from) {
                c.unwrite_since(from);
                c.emit(Op::TallyClear);
                c.emit(Op::TallyRow { row, voters });
            }
        });
    }

    /// The mark that remembers who was asked for a link.
    pub(crate) fn asked_mark(&self, name: &str) -> Option<FactId> {
        let wanted = crate::collect::asked_name(name);
        self.out
            .facts
            .iter()
            .position(|f| f.hidden && f.name == wanted)
            .map(|i| FactId(i as u16))
    }

    /// The link a name stands for: a local one or a declared one.
    fn is_number_of_each(&self, name: &Name) -> bool {
        match (self.scope.get(&name.text), self.symbols.meaning(&name.text)) {
            (Some(local), _) => matches!(local, Local::Numbers(_)),
            (None, Some(Meaning::Fact(fact))) => self.out.facts[fact.index()].shape == FactShape::CountOfEach,
            _ => false,
        }
    }

    fn link_named(&mut self, name: &Name) -> Option<FactId> {
        if let Some(local) = self.scope.get(&name.text) {
            let to_players = |fact: &FactId| {
                let shape = self.out.facts[fact.index()].shape;
                shape.links_to() == Some(Kind::Players)
            };
            return match local {
                Local::Link(fact) => Some(*fact).filter(to_players),
                _ => None,
            };
        }
        let Some(Meaning::Fact(fact)) = self.symbols.meaning(&name.text) else {
            return None;
        };
        let shape = self.out.facts[fact.index()].shape;
        (shape.links_to() == Some(Kind::Players)).then(|| {
            self.resolve(name);
            self.symbols.read.insert(name.text.clone());
            fact
        })
    }
}
