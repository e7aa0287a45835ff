//! The scripts of a ruleset: compiled once a thread, asked often.
//!
//! What Rhai reads a script into stays on its thread. Where threads could share it, a closure that is in the way of its
//! own variable would be slept for, and no count of steps knows of that.

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
use std::{
    cell::RefCell,
    rc::Rc,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
};

/// The steps that all scripts of a ruleset take together when they are rehearsed.
const STEPS_OF_A_REHEARSAL: u32 = 5 * MOST_STEPS;

/// The scripts of so many rulesets are kept on a thread: of those that were asked last.
const MOST_RULESETS: usize = 4;

/// The number of a ruleset, with what its scripts were read into, as far as they were asked here.
type Known = (u64, Vec<Option<Rc<AST>>>);

thread_local! {
    static SANDBOX: Sandbox = Sandbox::new();
    /// The one that was asked last stands last.
    static KNOWN: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// All hooks of a ruleset, ready to be asked.
pub struct Scripts {
    /// Which these are, among all that were ever read.
    number: u64,
    names: Arc<Names>,
    /// Once this is set no script goes on.
    stop: OnceLock<Arc<AtomicBool>>,
}

impl Scripts {
    /// Reads all scripts, or says of each what is wrong with it.
    pub fn compile(rules: &Ruleset) -> Result<Scripts, Vec<Diagnostic>> {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let mut wrong = Vec::new();
        let mut scripts = Vec::new();
        for (index, hook) in rules.hooks.iter().enumerate() {
            match read(hook) {
                Ok(script) => scripts.push(Some(Rc::new(script))),
                Err(failure) => wrong.extend(diagnose(rules, &failure.of(HookId(index as u16)))),
            }
        }
        if wrong.is_empty() {
            keep((number, scripts));
            Ok(Scripts {
                number,
                names: Arc::new(Names::of(rules)),
                stop: OnceLock::new(),
            })
        } else {
            Err(wrong)
        }
    }

    /// What a script was read into on this thread.
    fn script(&self, at: usize, hook: &Hook) -> Result<Rc<AST>, Failure> {
        let mut known =
            KNOWN.with_borrow_mut(
                |all| match all.iter().position(|(number, _)| *number == self.number) {
                    Some(place) => all.remove(place),
                    None => (self.number, Vec::new()),
                },
            );
        if known.1.len() <= at {
            known.1.resize(at + 1, None);
        }
        let script = match &known.1[at] {
            Some(script) => script.clone(),
            None => Rc::new(read(hook)?),
        };
        known.1[at] = Some(script.clone());
        keep(known);
        Ok(script)
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
        let script = self.script(at, hook)?;
        let value = SANDBOX
            .with(|sandbox| sandbox.run(&script, param, tag, (steps, self.stop.get())))
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

/// Keeps scripts as those that were asked last.
fn keep(known: Known) {
    KNOWN.with_borrow_mut(|all| {
        if all.len() == MOST_RULESETS {
            all.remove(0);
        }
        all.push(known);
    });
}

fn read(hook: &Hook) -> Result<AST, Failure> {
    if hook.script.len() > LONGEST_SCRIPT {
        return Err(errors::too_long());
    }
    let param = hook.param.as_ref().map(|(name, _)| variable(name));
    if let Some(name) = &param
        && SANDBOX.with(|sandbox| sandbox.compile(&format!("let {name} = 0;"), None).is_err())
    {
        return Err(errors::unusable_param(name));
    }
    let read = SANDBOX.with(|sandbox| sandbox.compile(&hook.script, param.as_deref()));
    read.map_err(|error| errors::unreadable(&error, param.as_deref()))
}
