//! The room a script runs in: which words there are, and how much of anything.
//!
//! Nothing here knows the time, prints, reads, loads or draws; floats and modules are not even
//! compiled in.

use crate::words;
use rhai::{
    AST, Dynamic, Engine, Module, OptimizationLevel, ParseError, Scope, Shared,
    packages::{
        ArithmeticPackage, BasicArrayPackage, BasicFnPackage, BasicIteratorPackage, BasicMapPackage,
        BasicStringPackage, LogicPackage, MoreStringPackage, Package,
    },
};

/// The most steps of one call. Rhai measures what is put into a place, not the whole it becomes part
/// of, so a map may grow key by key: steps times the largest value bound all that a script can hold
/// (some 60 MB for the worst one known).
pub(super) const MOST_STEPS: u64 = 100_000;
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
            .set_max_operations(MOST_STEPS)
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

    /// Runs a script over what it may read.
    pub(super) fn run(
        &self,
        ast: &AST,
        variable: Option<(&str, Dynamic)>,
        tag: Dynamic,
    ) -> Result<Dynamic, Box<rhai::EvalAltResult>> {
        let mut scope = Scope::new();
        if let Some((name, value)) = variable {
            scope.push_dynamic(name, value);
        }
        self.engine(tag).eval_ast_with_scope(&mut scope, ast)
    }
}
