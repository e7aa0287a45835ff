//! Endings: the tests, in order, and what they say.

use super::{Compiler, errors};
use crate::layer::Layer;
use crate::table::Target;
use omerta_core::rules::{Ending, EndingId, GroupKind, Kind, Op, Proc, ProcRole, VerdictKind};
use omerta_syntax::tree::{self, EndingOrder, Expr, Moment, Text, Verdict};

impl Compiler<'_> {
    /// Lowers all tests into the procedure that `judge` runs.
    pub(crate) fn endings(&mut self, endings: &[(tree::Ending, Layer)]) {
        let ordered = self.ordered_endings(endings);
        let saved = self.begin_proc(&[], false);
        let entry = self.label();
        for (ending, layer) in &ordered {
            self.layer = *layer;
            self.block_scope(|c| c.placed_at(ending.when.span, |c| c.ending(ending)));
        }
        let exit = self.label();
        self.emit(Op::Return);
        let registers = self.end_proc(saved);
        let proc = Proc {
            role: ProcRole::Judgement,
            entry,
            exit,
            registers,
            clears: Vec::new(),
        };
        self.out.procs[self.judge_proc.index()] = proc;
    }

    /// As written, but for `before` and `after`; `before all` of several overlays goes by their names.
    fn ordered_endings(&mut self, endings: &[(tree::Ending, Layer)]) -> Vec<(tree::Ending, Layer)> {
        let (mut first, mut rest, mut placed) = (Vec::new(), Vec::new(), Vec::new());
        for entry in endings {
            match &entry.0.order {
                None => rest.push(entry.clone()),
                Some(EndingOrder::First) => first.push(entry.clone()),
                Some(EndingOrder::Before(name)) => placed.push((entry.clone(), name.clone(), true)),
                Some(EndingOrder::After(name)) => placed.push((entry.clone(), name.clone(), false)),
            }
        }
        let mut all: Vec<_> = first.into_iter().chain(rest).collect();
        for (entry, name, before) in placed {
            let place = all
                .iter()
                .position(|(e, _)| e.name.as_ref().is_some_and(|n| n.text == name.text));
            match place {
                Some(place) => all.insert(if before { place } else { place + 1 }, entry),
                None => {
                    let known: Vec<String> = all
                        .iter()
                        .filter_map(|(e, _)| e.name.as_ref())
                        .map(|n| n.text.clone())
                        .collect();
                    self.report(errors::unknown_ending(&name, &known));
                    all.push(entry);
                }
            }
        }
        all
    }

    fn ending(&mut self, ending: &tree::Ending) {
        let id = self.add_ending(ending);
        let mut skips = Vec::new();
        match self.truth(&ending.when) {
            super::Val::Const(0, _) => skips.push(self.jump()),
            super::Val::Const(..) => {}
            val => {
                let test = self.reg(val);
                skips.push(self.jump_unless(test));
            }
        }
        if let Some(name) = &ending.name {
            let target = Target::Ending(name.text.clone());
            for index in self.rules.for_target(&target, Moment::Before) {
                self.splice(index, super::Found::default());
            }
            for index in self.rules.for_target(&target, Moment::Instead) {
                let over = self.splice_instead(index, super::Found::default());
                skips.push(over);
            }
        }
        match &ending.verdict {
            Verdict::Win(set) => self.win_or_lose(set, None, true),
            Verdict::Lose(set) => self.win_or_lose(set, None, false),
            Verdict::Draw => {}
            Verdict::Judged(block) => self.block(block),
        }
        self.before_end();
        self.emit(Op::End { ending: id });
        self.land_all(skips);
    }

    fn add_ending(&mut self, ending: &tree::Ending) -> EndingId {
        let id = EndingId(self.out.endings.len() as u16);
        let (verdict, set) = match &ending.verdict {
            Verdict::Win(set) => (VerdictKind::Win, Some(set)),
            Verdict::Lose(set) => (VerdictKind::Lose, Some(set)),
            Verdict::Draw => (VerdictKind::Draw, None),
            Verdict::Judged(_) => (VerdictKind::Judged, None),
        };
        let team = set.and_then(|set| self.team_of_verdict(set));
        let name = match &ending.name {
            Some(name) => name.text.clone(),
            None => self
                .sources
                .slice(ending.when.span)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" "),
        };
        let title = ending.title.as_ref().map(Text::plain);
        self.out.endings.push(Ending {
            name,
            title,
            verdict,
            team,
            // What holds whatever has happened is for when nothing else does.
            placed: ending.order.is_some() || ending.is_for_all_else(),
            origin: ending.when.span,
        });
        id
    }

    fn team_of_verdict(&self, set: &Expr) -> Option<omerta_core::rules::GroupId> {
        let name = set.bare_name()?;
        let super::Meaning::Group(group) = self.symbols.get(&name.text)?.meaning else {
            return None;
        };
        (self.group(group).kind == GroupKind::Team).then_some(group)
    }

    pub(super) fn win_or_lose(&mut self, set: &Expr, when: Option<&Expr>, win: bool) {
        let mut skips = Vec::new();
        if let Some(when) = when {
            let val = self.truth(when);
            let test = self.reg(val);
            skips.push(self.jump_unless(test));
        }
        let set = self.wanted(set, Kind::Players);
        self.emit(if win { Op::Win { set } } else { Op::Lose { set } });
        self.land_all(skips);
    }

    /// Rules that come in when the game is about to be over; who wins stands by then.
    fn before_end(&mut self) {
        for index in self.rules.for_target(&Target::End, Moment::Before) {
            self.splice(index, super::Found::default());
        }
    }

    pub(super) fn judge(&mut self) {
        self.effects.judges = true;
        let base = self.temps(1);
        let proc = self.judge_proc;
        self.emit(Op::Enter { proc, base });
    }

    pub(super) fn end_game(&mut self) {
        self.effects.judges = true;
        self.before_end();
        self.emit(Op::End {
            ending: EndingId(u16::MAX),
        });
    }
}
