//! The room a script runs in: which words there are, and how much of anything.
//!
//! Nothing here knows the time, prints, reads, loads or draws; floats and modules are not even
//! compiled in.

use crate::words;
use rhai::{
    AST, Array, Dynamic, Engine, EvalAltResult, FnPtr, ImmutableString, Map, Module, OptimizationLevel,
    ParseError, Position, Scope, Shared,
    packages::{
        ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
        BasicStringPackage, LogicPackage, MoreStringPackage, Package,
    },
};
use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

/// The most steps of one call, those of functions that are handed to others included.
pub(super) const MOST_STEPS: u32 = 100_000;
/// The longest script, in bytes.
pub(super) const LONGEST_SCRIPT: usize = 1 << 14;
/// The most functions inside one another.
const DEEPEST_CALLS: usize = 16;
/// The most brackets and blocks inside one another, in the script and in its functions.
const DEEPEST_NESTING: (usize, usize) = (32, 16);
/// The longest text, in bytes; texts inside an array count together.
const LONGEST_TEXT: usize = 4_096;
/// The most members of an array, those of arrays inside it included.
const LARGEST_ARRAY: usize = 256;
/// The most entries of a map, likewise.
const LARGEST_MAP: usize = 256;
/// The most of all that a variable holds, arrays and maps inside one another counted together. Rhai measures
/// what is put into a place, not the whole it becomes part of; this is looked at where a variable is read.
const LARGEST_WHOLE: usize = 1_024;
/// To read a variable is a step, and one more for so much that it holds (of a text, for so many times sixteen bytes):
/// it is copied, and what takes no step of its own goes through all of it.
const HELD_PER_STEP: usize = 32;
/// The most variables at one time.
const MOST_VARIABLES: usize = 64;
/// The most functions of one script.
const MOST_FUNCTIONS: usize = 16;

/// What Rhai has and a script has not: ways to load, to print and to run a text.
const FORBIDDEN: &[&str] = &["eval", "import", "export", "print", "debug"];

/// The words a script may use, shared by all calls.
pub(super) struct Sandbox {
    modules: Vec<Shared<Module>>,
}

impl Sandbox {
    pub(super) fn new() -> Self {
        let modules = vec![
            ArithmeticPackage::new().as_shared_module(),
            LogicPackage::new().as_shared_module(),
            BasicStringPackage::new().as_shared_module(),
            MoreStringPackage::new().as_shared_module(),
            BasicIteratorPackage::new().as_shared_module(),
            BasicArrayPackage::new().as_shared_module(),
            BasicMapPackage::new().as_shared_module(),
            BasicFnPackage::new().as_shared_module(),
            words::module().into(),
        ];
        Sandbox { modules }
    }

    /// An engine for one call: what scripts read goes with it as its tag, for an engine that several
    /// threads share has one tag for all. Making one costs some pointers.
    fn engine(&self, tag: Dynamic) -> Engine {
        let mut engine = Engine::new_raw();
        for module in &self.modules {
            engine.register_global_module(module.clone());
        }
        for word in FORBIDDEN {
            engine.disable_symbol(*word);
        }
        engine
            .set_optimization_level(OptimizationLevel::None)
            .set_strict_variables(true)
            .set_fail_on_invalid_map_property(true)
            .set_max_call_levels(DEEPEST_CALLS)
            .set_max_expr_depths(DEEPEST_NESTING.0, DEEPEST_NESTING.1)
            .set_max_string_size(LONGEST_TEXT)
            .set_max_array_size(LARGEST_ARRAY)
            .set_max_map_size(LARGEST_MAP)
            .set_max_variables(MOST_VARIABLES)
            .set_max_functions(MOST_FUNCTIONS)
            .set_default_tag(tag);
        engine
    }

    /// Reads a script that may use one variable.
    pub(super) fn compile(&self, script: &str, variable: Option<&str>) -> Result<AST, ParseError> {
        let mut scope = Scope::new();
        if let Some(variable) = variable {
            scope.push(variable, ());
        }
        self.engine(Dynamic::UNIT).compile_with_scope(&scope, script)
    }

    /// Runs a script over what it may read, within so many steps; takes those off that it took.
    pub(super) fn run(
        &self,
        ast: &AST,
        variable: Option<(&str, Dynamic)>,
        tag: Dynamic,
        (steps, stop): (&mut u32, Option<&Arc<AtomicBool>>),
    ) -> Result<Dynamic, Box<EvalAltResult>> {
        let mut scope = Scope::new();
        if let Some((name, value)) = variable {
            scope.push_dynamic(name, value);
        }
        // Rhai's own count forgets what functions did that were handed to `map`, `filter` and their like.
        let left = Arc::new(AtomicU32::new(*steps));
        let (counted, stop) = (left.clone(), stop.cloned());
        let mut engine = self.engine(tag);
        engine.on_progress(move |_| {
            let one_less = |left: u32| left.checked_sub(1);
            let stopped = counted.fetch_update(Ordering::Relaxed, Ordering::Relaxed, one_less);
            let is_ended = stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
            (stopped.is_err() || is_ended).then_some(Dynamic::UNIT)
        });
        weigh_what_is_read(&mut engine, left.clone());
        let value = engine.eval_ast_with_scope(&mut scope, ast);
        *steps = left.load(Ordering::Relaxed);
        value
    }
}

/// Stops a script where it reads a variable that holds too much, and counts steps for what holds much.
#[expect(
    deprecated,
    reason = "it is not: Rhai marks so what may look otherwise in a later version"
)]
fn weigh_what_is_read(engine: &mut Engine, left: Arc<AtomicU32>) {
    engine.on_var(move |name, _, context| {
        let held = context.scope().get(name);
        match held.map_or(Some(LARGEST_WHOLE), |value| room_left(value, LARGEST_WHOLE)) {
            Some(room) => {
                let text = held.and_then(|value| value.read_lock::<ImmutableString>());
                let held = LARGEST_WHOLE - room + text.map_or(0, |text| text.len() / 16);
                let steps = (held / HELD_PER_STEP) as u32;
                let fewer = |left: u32| Some(left.saturating_sub(steps));
                // Where none is left, the next step is one too many.
                let _ = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fewer);
                Ok(None)
            }
            None => {
                let what = "more in arrays and maps than fits".to_owned();
                Err(EvalAltResult::ErrorDataTooLarge(what, Position::NONE).into())
            }
        }
    });
}

/// What is left of some room beside a value; nothing where it does not fit.
fn room_left(value: &Dynamic, room: usize) -> Option<usize> {
    if let Some(array) = value.read_lock::<Array>() {
        let room = room.checked_sub(array.len())?;
        return array.iter().try_fold(room, |room, one| room_left(one, room));
    }
    if let Some(map) = value.read_lock::<Map>() {
        let room = room.checked_sub(map.len())?;
        return map.values().try_fold(room, |room, one| room_left(one, room));
    }
    // What a function has been given beforehand.
    if let Some(function) = value.read_lock::<FnPtr>() {
        let given = function.curry();
        let room = room.checked_sub(given.len())?;
        return given.iter().try_fold(room, |room, one| room_left(one, room));
    }
    Some(room)
}
