//! The scripts of a ruleset: compiled once, asked often.

use crate::{
    answer::{argument, variable, word},
    errors::{self, Failure, diagnose},
    sandbox::{LONGEST_SCRIPT, MOST_STEPS, Sandbox},
    scan::never_works,
    snapshot::{Names, Snapshot},
};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{Hook, HookId, Ruleset},
};
use omerta_engine::{FaultKind, Hooks, Look};
use rhai::{AST, Dynamic};
use std::sync::{Arc, OnceLock, atomic::AtomicBool};

/// The steps that all scripts of a ruleset take together when they are rehearsed.
const STEPS_OF_A_REHEARSAL: u32 = 5 * MOST_STEPS;

/// All hooks of a ruleset, ready to be asked.
pub struct Scripts {
    sandbox: Sandbox,
    scripts: Vec<AST>,
    names: Arc<Names>,
    /// Once this is set no script goes on.
    stop: OnceLock<Arc<AtomicBool>>,
}

impl Scripts {
    /// Reads all scripts, or says of each what is wrong with it.
    pub fn compile(rules: &Ruleset) -> Result<Scripts, Vec<Diagnostic>> {
        let sandbox = Sandbox::new();
        let mut wrong = Vec::new();
        let mut scripts = Vec::new();
        for (index, hook) in rules.hooks.iter().enumerate() {
            match read(&sandbox, hook) {
                Ok(script) => scripts.push(script),
                Err(failure) => wrong.extend(diagnose(rules, &failure.of(HookId(index as u16)))),
            }
        }
        if wrong.is_empty() {
            Ok(Scripts {
                sandbox,
                scripts,
                names: Arc::new(Names::of(rules)),
                stop: OnceLock::new(),
            })
        } else {
            Err(wrong)
        }
    }

    fn run(
        &self,
        at: usize,
        (hook, handed): (&Hook, u64),
        table: Snapshot,
        steps: &mut u32,
    ) -> Result<u64, Failure> {
        let seats = table.seats;
        let param = hook
            .param
            .as_ref()
            .map(|(name, kind)| (variable(name), argument(*kind, handed, &table)));
        let param = param.as_ref().map(|(name, value)| (name.as_str(), value.clone()));
        let tag = Dynamic::from(Arc::new(table));
        let value = self
            .sandbox
            .run(&self.scripts[at], param, tag, (steps, self.stop.get()))
            .map_err(|error| errors::runtime(&error))?;
        word(hook.gives, &value, seats).map_err(errors::wrong_answer)
    }

    /// What is wrong with a script at any table, as far as one call at an untouched one shows it, or a look at the text.
    fn rehearse(&self, rules: &Ruleset, at: usize, steps: &mut u32) -> Option<Diagnostic> {
        let hook = &rules.hooks[at];
        let table = Snapshot::rehearsal(rules, &self.names);
        let may = MOST_STEPS.min(*steps);
        let mut left = may;
        let failed = self.run(at, (hook, 1), table, &mut left).err();
        *steps -= may - left;
        // What is left after many long ones says nothing of a further one.
        let failed = failed.filter(|_| left > 0 || may == MOST_STEPS);
        let failure = failed
            .filter(|failure| failure.always)
            .or_else(|| never_works(&hook.script, hook.gives))?;
        diagnose(rules, &failure.of(HookId(at as u16)))
    }
}

impl Hooks for Scripts {
    fn heed(&self, stop: &Arc<AtomicBool>) {
        // Whoever came first goes on being heard.
        let _ = self.stop.set(stop.clone());
    }

    fn answer(
        &self,
        hook: HookId,
        argument: u64,
        look: &Look<'_>,
        steps: &mut u32,
    ) -> Result<u64, FaultKind> {
        let table = Snapshot::of(look, &self.names);
        let may = MOST_STEPS.min(*steps);
        let mut left = may;
        let asked = (look.rules().hook(hook), argument);
        let answer = self.run(hook.index(), asked, table, &mut left);
        *steps -= may - left;
        answer.map_err(|failure| match left {
            // Not this script alone took too long, but all together.
            0 if may < MOST_STEPS => FaultKind::Endless,
            _ => failure.of(hook),
        })
    }
}

/// What is wrong with the scripts of a ruleset: those that cannot be read, and those that go wrong
/// whatever stands on the table, such as by an unknown name.
pub fn check_scripts(rules: &Ruleset) -> Vec<Diagnostic> {
    match Scripts::compile(rules) {
        Ok(scripts) => {
            let mut steps = STEPS_OF_A_REHEARSAL;
            (0..rules.hooks.len())
                .filter_map(|at| scripts.rehearse(rules, at, &mut steps))
                .collect()
        }
        Err(wrong) => wrong,
    }
}

fn read(sandbox: &Sandbox, hook: &Hook) -> Result<AST, Failure> {
    if hook.script.len() > LONGEST_SCRIPT {
        return Err(errors::too_long());
    }
    let param = hook.param.as_ref().map(|(name, _)| variable(name));
    if let Some(name) = &param
        && sandbox.compile(&format!("let {name} = 0;"), None).is_err()
    {
        return Err(errors::unusable_param(name));
    }
    let read = sandbox.compile(&hook.script, param.as_deref());
    read.map_err(|error| errors::unreadable(&error, param.as_deref()))
}
