//! Scenes, the script, the parts of roles and teams.

use super::Found;
use super::event::{BLANK, in_registers, named};
use super::{Compiler, Home};
use crate::layer::Layer;
use crate::table::{SceneDecl, Target};
use omerta_core::rules::{Op, Part, Proc, ProcId, ProcRole, Reg, SceneId};
use omerta_syntax::tree::{self, Block, Moment};

impl Compiler<'_> {
    /// Lowers a scene into the procedure that was kept for it.
    ///
    /// Facts that live until the scene are cleared first, so that its before-rules find them gone;
    /// facts that live until its end go last, so that its after-rules still find them.
    pub(crate) fn scene(&mut self, id: SceneId, decl: &SceneDecl) {
        self.layer = decl.layer;
        self.effects = crate::effects::Effects::default();
        let arguments = named(&decl.params);
        let saved = self.begin_proc(&arguments, true);
        self.home = Home {
            scene: Some(id),
            exits: Vec::new(),
            can_leave: true,
        };
        let entry = self.label();
        let kinds = decl.params.iter().map(|(_, kind)| *kind);
        let mut handed = in_registers(0, kinds).into_iter();
        let mut found = Found {
            of: handed.next().flatten(),
            ..Found::default()
        };
        for (place, thing) in found.with.iter_mut().zip(handed) {
            *place = thing;
        }
        let target = Target::Scene(id);
        let lives = self.lives.get(&id).cloned().unwrap_or_default();
        for fact in &lives.at_start {
            self.emit(Op::Clear { fact: *fact });
        }
        let [before, instead, after] = [Moment::Before, Moment::Instead, Moment::After]
            .map(|moment| self.rules.for_target(&target, moment));
        let hung = !(before.is_empty() && instead.is_empty() && after.is_empty());
        self.out.scenes[id.index()].hung = hung;
        if hung {
            self.here = self.out.scenes[id.index()].origin;
            self.emit(Op::Nears { scene: id });
        }
        for index in before {
            self.splice(index, found);
        }
        let replaced: Vec<usize> = instead
            .into_iter()
            .map(|index| self.scene_instead(id, index, found))
            .collect();
        self.here = self.out.scenes[id.index()].origin;
        self.emit(Op::Began { scene: id });
        self.block(&decl.body);
        let exits = std::mem::take(&mut self.home.exits);
        self.land_all(exits);
        let exit = self.label();
        self.here = self.out.scenes[id.index()].origin;
        self.emit(Op::Ended { scene: id });
        for index in after {
            self.splice(index, found);
        }
        if hung {
            self.here = self.out.scenes[id.index()].origin;
            self.emit(Op::Passed { scene: id });
        }
        self.land_all(replaced);
        for fact in &lives.at_end {
            self.emit(Op::Clear { fact: *fact });
        }
        self.emit(Op::Return);
        let registers = self.end_proc(saved);
        let proc = self.out.scenes[id.index()].proc;
        let role = ProcRole::Scene(id);
        self.out.procs[proc.index()] = Proc {
            role,
            entry,
            exit,
            registers,
            clears: lives.at_end,
        };
        let effects = std::mem::take(&mut self.effects);
        self.scene_effects.insert(id, effects);
    }

    /// A rule that takes a scene's place; what it plays of the same scene it does not meet again.
    fn scene_instead(&mut self, scene: SceneId, index: usize, found: Found) -> usize {
        let handed: Vec<Reg> = [found.of]
            .iter()
            .chain(&found.with)
            .flatten()
            .map(|(place, _)| *place)
            .collect();
        let rule = self.rules.list[index].clone();
        let id = omerta_core::rules::RuleId(index as u16);
        let over = self.jump();
        let proc = self.simple_proc(ProcRole::Rule(id), &BLANK[..handed.len().max(1)], |c| {
            c.as_rule(index, |c| {
                c.bind_happening(&rule.rule, found);
                c.apply_rule(id, &rule.rule);
            });
        });
        self.land(over);
        let running = self.fresh(|to| Op::Running { to, proc });
        let mut skips = vec![self.jump_if(running)];
        self.as_rule(index, |c| skips.extend(c.rule_test(&rule.rule, found)));
        self.emit(Op::Replaced { scene });
        let base = self.temps(handed.len().max(1) as u16);
        for place in handed {
            self.copy(Reg(base.0 + place.0), place);
        }
        self.emit(Op::Enter { proc, base });
        let replaced = self.jump();
        self.land_all(skips);
        replaced
    }

    /// The script, where the game begins.
    pub(crate) fn script(&mut self, body: &Block, layer: Layer) -> ProcId {
        self.layer = layer;
        self.simple_proc(ProcRole::Script, &[], |c| c.block(body))
    }

    /// The parts that hang on a role or team.
    pub(crate) fn title_parts(
        &mut self,
        title: omerta_core::rules::GroupId,
        ability: bool,
        parts: &[tree::Part],
        layer: Layer,
    ) {
        for part in parts {
            self.layer = layer;
            let purpose = self.purpose(part.purpose.as_ref());
            let proc = self.placed_at(part.span, |c| c.part(title, ability, &part.body));
            self.out.parts.push(Part { title, purpose, proc });
        }
    }
}
