//! From trees to compiled rules, with all errors and warnings.
//!
//! Never runs a game and never stops at the first mistake: what could not be understood is left out,
//! and the walk goes on.

mod advice;
mod bits;
mod bounds;
mod cast;
mod collect;
mod conditions;
mod course;
mod crowd;
mod departed;
mod effects;
mod errors;
mod fast_program;
mod follow;
mod going_round;
mod grounds;
mod happening;
mod idle;
mod in_line;
mod in_vain;
pub mod index;
mod journey;
mod jumped;
mod known;
mod layer;
mod lean;
mod lint;
mod load;
mod look;
mod lower;
mod marked;
mod nobody;
mod opening;
mod order;
mod outlook;
mod overlay;
mod quicken;
mod ring;
mod secrets;
mod shorter;
mod spelt;
mod symbol;
mod table;
mod twice;
mod unfold;
mod unfold_events;
mod unjudged;

pub use happening::{handed, performs};
pub use layer::Layer;
pub use lint::drop_allowed;
pub use load::{Declared, Reading, Readings, Request};
pub use outlook::{AtMost, Turns};
pub use symbol::{Meaning, Symbols};
pub use table::in_their_order;

use collect::Collected;
use course::Course;
use lower::{Compiler, Lives, in_order::names_in_order, relocate::relocate, tire::tire};
use omerta_core::codes::{self, Class};
use omerta_core::diagnostic::{Diagnostic, Severity, told_in_groups};
use omerta_core::digest::Digest;
use omerta_core::rules::{
    Access, Kind, Op, OptionSetting, Proc, ProcId, ProcRole, Program, Reg, Ruleset, SceneId, Silent, Thunk,
};
use omerta_core::source::{Loader, SourceId, Sources, Span};
use omerta_core::written::{self, OF_RULES};
use omerta_syntax::tree::{Expr, Item, ItemKind};
use omerta_syntax::words;
use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, MutexGuard, PoisonError},
};
use table::{DefineTable, RuleTable};

/// What came out of a check.
pub struct Checked {
    /// The compiled rules; none when there was an error.
    pub rules: Option<Ruleset>,
    /// Everything that is wrong or surely not meant, in the order of its places.
    pub diagnostics: Vec<Diagnostic>,
    /// The names, for compiling expressions later.
    pub names: Names,
    /// The declarations as the overlays have left them, those of the base first.
    pub items: Vec<Declared>,
    /// The first lines of the ruleset, its libraries and the overlays, and the options they choose.
    pub heads: Vec<Item>,
    /// The options, sound or not.
    pub options: Vec<OptionSetting>,
}

/// The names of a checked ruleset.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// What each name stands for.
    pub symbols: Symbols,
    /// The rules that find all they read as it was, however often they come in.
    steady: BTreeSet<String>,
    defines: DefineTable,
    /// The order of the rules, wherever several wait for the same.
    pub turns: Vec<Turns>,
    bench: Bench,
}

impl Names {
    /// The sets in declarations of these rules that can be told to be no larger than so many.
    pub fn at_most(&self, rules: &Ruleset, items: &[Declared]) -> Vec<AtMost> {
        let counter = outlook::Counter {
            rules,
            symbols: &self.symbols,
            defines: &self.defines,
            items,
        };
        counter.sets()
    }
}

/// The tables that expressions are compiled against by themselves, between one and the next: they are large, and an
/// expression adds nothing to them.
#[derive(Default)]
struct Bench(Mutex<Option<Box<(Ruleset, Symbols)>>>);

impl Clone for Bench {
    fn clone(&self) -> Self {
        Bench::default()
    }
}

impl fmt::Debug for Bench {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Bench")
    }
}

impl Bench {
    fn kept(&self) -> MutexGuard<'_, Option<Box<(Ruleset, Symbols)>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Checks a ruleset with the overlays and options asked for, and compiles it.
pub fn check_ruleset(sources: &mut Sources, loader: &dyn Loader, request: &Request<'_>) -> Checked {
    check_one_of_many((sources, &Readings::default()), loader, request)
}

/// The same for one of many rulesets, with what their texts were read as.
pub fn check_one_of_many(
    (sources, readings): (&mut Sources, &Readings),
    loader: &dyn Loader,
    request: &Request<'_>,
) -> Checked {
    checked((sources, readings), loader, request, true)
}

/// The same where the rules are to be played, and nobody hears what is warned of.
pub fn check_to_play(
    (sources, readings): (&mut Sources, &Readings),
    loader: &dyn Loader,
    request: &Request<'_>,
) -> Checked {
    checked((sources, readings), loader, request, false)
}

fn checked(
    (sources, readings): (&mut Sources, &Readings),
    loader: &dyn Loader,
    request: &Request<'_>,
    warns: bool,
) -> Checked {
    let mut diagnostics = Vec::new();
    let mut gathered = load::gather((sources, readings), loader, request, &mut diagnostics);
    let heads = std::mem::take(&mut gathered.heads);
    overlay::check_fit(&gathered, &mut diagnostics);
    let (name, title, whole) = (gathered.name.clone(), gathered.title.clone(), gathered.whole);
    let overlays: Vec<String> = gathered.overlays.iter().map(|o| o.name.text.clone()).collect();
    let heads_of_overlays = gathered.overlays.iter().map(|overlay| overlay.name.span);
    let own = whole
        .into_iter()
        .chain(heads_of_overlays)
        .map(|span| span.source)
        .collect();
    let libraries = gathered.libraries.clone();
    let grounds = gathered.grounds();
    let mut merged = overlay::merge(gathered, &grounds, sources, &mut diagnostics);
    choose_options(sources, request, &mut merged, &mut diagnostics);
    bounds::check_bounds(&mut merged.items, &mut diagnostics);
    happening::spread(&mut merged.items);
    let mut collected = collect::collect(&merged.items, &merged.chosen, grounds, &mut diagnostics);
    collected.rules.name = name.as_ref().map_or_else(String::new, |n| n.text.clone());
    collected.rules.title = title.unwrap_or_else(|| collected.rules.name.clone());
    collected.rules.overlays = overlays;
    let is_library = collected.scripts.is_empty() && is_library(sources, whole);
    happening::place_rules(&mut collected, &merged.items, &mut diagnostics);
    bounds::check_params(
        &merged.items,
        &collected.rules,
        &collected.symbols,
        sources,
        &mut diagnostics,
    );
    check_published(&collected, &merged, &mut diagnostics);
    let mut poison = Vec::new();
    let (rules, names) = compile(
        collected,
        (sources, &merged.items),
        whole,
        (is_library, &mut poison),
        &mut diagnostics,
    );
    follow::drop_followers(sources, &poison, &mut diagnostics);
    let by = (rules.name.as_str(), &rules.overlays[..]);
    overlay::blame_removals(sources, &merged.removed, by, &mut diagnostics);
    advice::advise(sources, (loader, readings), &names.symbols, &mut diagnostics);
    advice::advise_statements(sources, &names.symbols, &mut diagnostics);
    advice::respell(sources, &names.symbols, &mut diagnostics);
    match diagnostics.iter().all(|d| d.severity != Severity::Error) {
        true if warns => lint_trees(
            sources,
            &rules,
            &names,
            &merged.items,
            whole
                .filter(|_| !is_library)
                .map(|whole| (whole.source, &own, &libraries)),
            &mut diagnostics,
        ),
        true => ring::lint(&rules, &names.steady, &merged.items, &mut diagnostics),
        false => {}
    }
    finish(sources, (merged, heads), rules, names, diagnostics)
}

/// What is published must be something. What a base or a library publishes may have gone with what another file has put
/// in the place of a declaration: that is no mistake of theirs. Where a text cannot be read whole, it may be what is
/// missing of it.
fn check_published(collected: &Collected, merged: &overlay::Merged, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.iter().any(|told| told.code.is_about_shape()) {
        return;
    }
    let happenings = happening::names_of(collected, &merged.items);
    for declared in &merged.items {
        let ItemKind::Publish(names) = &declared.item.kind else {
            continue;
        };
        let edited = merged
            .editors
            .iter()
            .any(|file| *file != declared.item.span.source);
        if edited || declared.layer == Layer::Base && !collected.rules.overlays.is_empty() {
            continue;
        }
        for name in names {
            let gone = merged.removed.contains_key(&name.text);
            if !gone && collected.symbols.get(&name.text).is_none() && !happenings.contains(&name.text) {
                let known = collected
                    .symbols
                    .declared()
                    .chain(happenings.iter().map(String::as_str))
                    .take(errors::guesses(diagnostics.len()));
                diagnostics.push(errors::publishes_nothing(name, known));
            }
        }
    }
}

/// The warnings that read the trees of a sound ruleset; `files` are the base's, all that are checked for themselves, and
/// the libraries that come with them.
fn lint_trees(
    sources: &Sources,
    rules: &Ruleset,
    names: &Names,
    items: &[load::Declared],
    files: Option<(SourceId, &BTreeSet<SourceId>, &BTreeSet<SourceId>)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    look_through(sources, (rules, names), items, files, diagnostics);
    if let Some(spelt) = spelt::SpeltOut::of(items) {
        let mut told = Vec::new();
        look_through_sets(sources, (rules, names), &spelt.items, files, &mut told);
        spelt.add(told, diagnostics);
    }
}

/// What is told of sets, whatever name they have.
fn look_through_sets(
    sources: &Sources,
    (rules, names): (&Ruleset, &Names),
    items: &[load::Declared],
    files: Option<(SourceId, &BTreeSet<SourceId>, &BTreeSet<SourceId>)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let symbols = (&names.symbols, &names.defines);
    crowd::lint(rules, symbols, sources, items, diagnostics);
    if let Some((base, own, libraries)) = files {
        let course = Course::new(items, base, own, libraries);
        course.replaced_for_good(diagnostics);
        in_vain::lint(rules, &course, diagnostics);
    }
}

fn look_through(
    sources: &Sources,
    (rules, names): (&Ruleset, &Names),
    items: &[load::Declared],
    files: Option<(SourceId, &BTreeSet<SourceId>, &BTreeSet<SourceId>)>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    crowd::lint(
        rules,
        (&names.symbols, &names.defines),
        sources,
        items,
        diagnostics,
    );
    ring::lint(rules, &names.steady, items, diagnostics);
    let Some((base, own, libraries)) = files else {
        return;
    };
    let course = Course::new(items, base, own, libraries);
    journey::lint(&course, diagnostics);
    unjudged::lint(&course, sources, diagnostics);
    in_vain::lint(rules, &course, diagnostics);
    let endings: Vec<_> = items
        .iter()
        .filter_map(|d| match &d.item.kind {
            ItemKind::Ending(ending) => Some(&**ending),
            _ => None,
        })
        .collect();
    let published = items.iter().filter_map(|d| match &d.item.kind {
        ItemKind::Publish(published) if own.contains(&d.item.span.source) => Some(published),
        _ => None,
    });
    let published = published.flatten().map(|name| name.text.as_str()).collect();
    let names = (&names.symbols, &names.defines);
    opening::lint(rules, names, &endings, &published, diagnostics);
}

/// Puts the diagnostics in order, drops what a comment allows, and keeps the rules only when nothing
/// is wrong.
fn finish(
    sources: &Sources,
    (merged, heads): (overlay::Merged, Vec<Item>),
    mut rules: Ruleset,
    names: Names,
    mut diagnostics: Vec<Diagnostic>,
) -> Checked {
    lint::drop_allowed(sources, &mut diagnostics);
    diagnostics.sort_by_key(|d| (d.span().source, d.span().start, d.code));
    diagnostics.dedup();
    told_in_groups(&mut diagnostics);
    let sound = diagnostics.iter().all(|d| d.severity != Severity::Error);
    if sound {
        rules.silent = Silent::by(fast_program::fast_program);
        rules.identity = identity(sources, &merged, &rules);
    }
    Checked {
        options: rules.options.clone(),
        rules: sound.then_some(rules),
        diagnostics,
        names,
        items: merged.items,
        heads,
    }
}

/// Notes which offers stand open to all alike: what they hang on asks nobody who he is.
fn offers_to_all_alike(rules: &mut Ruleset) {
    let Ruleset { offers, code, .. } = rules;
    let asks_who = |thunk: Thunk| {
        let code = code[thunk.at as usize..].iter().take_while(|op| **op != Op::Done);
        let mut asks = false;
        { code }.any(|op| !op.each_register(|reg, access| asks |= reg == Reg(0) && access == Access::Read))
            || asks
    };
    for offer in offers {
        let thunks = offer
            .when
            .into_iter()
            .chain(offer.target.map(|target| target.among));
        offer.alike = !{ thunks }.any(asks_who);
    }
}

/// Where options keep out all rules that may take the place of an event, nothing has to be decided.
fn events_that_options_decide(rules: &mut Ruleset) {
    let Ruleset { events, code, .. } = rules;
    for event in events {
        event.decide = event.decide.filter(|decide| may_be_some(code, *decide));
    }
}

/// Whether code ever comes to where it gives another number than 0.
fn may_be_some(code: &[Op], thunk: Thunk) -> bool {
    let (mut left, mut seen) = (vec![thunk.at], BTreeSet::new());
    while let Some(at) = left.pop() {
        match code[at as usize] {
            _ if !seen.insert(at) => {}
            Op::Small { to, value } if to == thunk.result && value != 0 => return true,
            Op::Jump { at: to } => left.push(to),
            Op::JumpIf { at: to, .. } | Op::JumpUnless { at: to, .. } => left.extend([to, at + 1]),
            Op::Done => {}
            _ => left.push(at + 1),
        }
    }
    false
}

fn is_library(sources: &Sources, whole: Option<Span>) -> bool {
    whole.is_some_and(|w| {
        sources
            .get(w.source)
            .text
            .lines()
            .any(|l| l.trim_start().starts_with("library "))
    })
}

/// Options from the command line or a scenario beat those an overlay chooses.
fn choose_options(
    sources: &mut Sources,
    request: &Request<'_>,
    merged: &mut overlay::Merged,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let known: Vec<String> = merged
        .items
        .iter()
        .filter_map(|d| match &d.item.kind {
            ItemKind::Option { name, .. } => Some(name.text.clone()),
            _ => None,
        })
        .collect();
    // What cannot be read may be the declaration of the option.
    let broken = diagnostics.iter().any(|d| d.code.is_about_shape());
    for (name, value) in request.options {
        let text = format!("{name}={value}");
        let id = sources.add("option", text.clone());
        let span = Span::new(id, 0, text.len());
        if known.contains(name) {
            merged.chosen.insert(name.clone(), (value.clone(), span));
        } else if !broken {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            diagnostics.push(errors::unknown_option(name, span, &known));
        }
    }
    for (name, (_, span)) in merged.chosen.iter().filter(|_| !broken) {
        if !known.contains(name) && !request.options.iter().any(|(n, _)| n == name) {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            diagnostics.push(errors::unknown_option(name, *span, &known));
        }
    }
}

/// Lowers everything.
fn compile(
    mut collected: Collected,
    (sources, items): (&Sources, &[load::Declared]),
    whole: Option<Span>,
    (is_library, poison): (bool, &mut Vec<Span>),
    diagnostics: &mut Vec<Diagnostic>,
) -> (Ruleset, Names) {
    let players_said = collected.players.is_some();
    if is_library {
        cast::leave_to_the_table(&mut collected.casts);
    }
    cast::casts(
        &mut collected.rules,
        &collected.casts,
        (players_said, is_library),
        diagnostics,
    );
    let ring = collected.rule_table.sort();
    if !ring.is_empty() {
        let names: Vec<_> = ring
            .iter()
            .map(|&rule| &collected.rule_table.list[rule].rule.name)
            .collect();
        diagnostics.push(errors::rules_in_a_ring(&names));
    }
    let rules = std::mem::take(&mut collected.rules);
    let mut symbols = std::mem::take(&mut collected.symbols);
    let mut compiler = Compiler::new(
        rules,
        &mut symbols,
        sources,
        &collected.defines,
        &collected.rule_table,
    );
    prepare(&mut compiler, &collected);
    compiler.ordered_names = names_in_order(items);
    compiler.batches = happening::batches(items, &course::several(items));
    let broken = diagnostics.iter().any(|d| d.code.is_about_shape());
    let is_nothing = diagnostics.iter().any(|d| d.code.is(Class::Nothing));
    if collected.scripts.is_empty() && !is_library && !broken && !is_nothing {
        compiler
            .diagnostics
            .push(errors::no_script(whole.unwrap_or_default()));
    }
    for (_, span, _) in collected.scripts.iter().skip(1) {
        compiler
            .diagnostics
            .push(errors::two_scripts(*span, collected.scripts[0].1));
    }
    lower_all(&mut compiler, &collected);
    compiler.unread_defines();
    let steady = compiler.check_order();
    let facts = compiler.lint_facts();
    poison.append(&mut compiler.poison);
    let (mut rules, aux, origins, mut found) = compiler.finish();
    relocate(&mut rules, aux, origins);
    offers_to_all_alike(&mut rules);
    events_that_options_decide(&mut rules);
    tire(&mut rules);
    found.extend(beyond_all_numbers(&rules).then(|| errors::too_much_to_work_out(whole.unwrap_or_default())));
    // What is too much to be worked out is too much to be kept in mind, too.
    if found.iter().any(|d| d.code == codes::TOO_MUCH_TO_WORK_OUT) {
        found.retain(|d| d.code != codes::TOO_MUCH_IN_MIND);
    }
    diagnostics.append(&mut found);
    let turns = outlook::turns(&collected.rule_table, &rules);
    if !is_library {
        lint::lint(&rules, &symbols, &collected, &facts, diagnostics);
    }
    (
        rules,
        Names {
            symbols,
            steady,
            defines: collected.defines,
            turns,
            bench: Bench::default(),
        },
    )
}

/// Whether there is more of something than can be told apart by its number.
fn beyond_all_numbers(rules: &Ruleset) -> bool {
    let Ruleset {
        procs,
        says,
        asks,
        draws,
        facts,
        constants,
        ..
    } = rules;
    let lengths = [
        procs.len(),
        says.len(),
        asks.len(),
        draws.len(),
        facts.len(),
        constants.len(),
    ];
    lengths.into_iter().any(|length| length > usize::from(u16::MAX))
}

/// Keeps a procedure for every scene and for the endings, so that calls can be written before them.
fn prepare(compiler: &mut Compiler<'_>, collected: &Collected) {
    let blank = Proc {
        role: ProcRole::Judgement,
        entry: 0,
        exit: 0,
        registers: 0,
        clears: Vec::new(),
    };
    for (index, decl) in collected.scenes.iter().enumerate() {
        compiler.out.scenes[index].proc = ProcId(compiler.out.procs.len() as u16);
        compiler.out.procs.push(blank.clone());
        compiler
            .scene_params
            .push(decl.params.iter().map(|(_, kind)| *kind).collect());
        let card = decl.params.first().map(|(name, _)| name.as_str());
        if happening::performs(card, &decl.body) {
            let id = SceneId(index as u16);
            if let Some(first) = compiler.calling {
                let (a, b) = (
                    compiler.out.scenes[index].origin,
                    compiler.out.scenes[first.index()].origin,
                );
                compiler.diagnostics.push(errors::two_performers(a, b));
            }
            compiler.calling = Some(id);
        }
    }
    compiler.judge_proc = ProcId(compiler.out.procs.len() as u16);
    compiler.out.procs.push(blank);
    compiler.out.purposes.push(String::new());
    let acts = |name: &str| words::is(name, |word| word.answer.is_some());
    let mut defines = collected.defines.list.iter();
    compiler.circle_define = defines.position(|d| acts(&d.name) && d.param == Some(Kind::Titles));
    if let Some(index) = compiler.circle_define {
        let name = collected.defines.list[index].name.clone();
        compiler.symbols.read.insert(name);
    }
    for (fact, life) in &collected.lives {
        let Some(Meaning::Scene(scene)) = compiler.symbols.meaning(&life.name.text) else {
            let scenes: Vec<&str> = compiler.out.scenes.iter().map(|s| s.name.as_str()).collect();
            let diagnostic = errors::life_needs_scene(&life.name, &scenes);
            compiler.diagnostics.push(diagnostic);
            continue;
        };
        let asked = compiler.asked_mark(&compiler.out.facts[fact.index()].name);
        let lives: &mut Lives = compiler.lives.entry(scene).or_default();
        let end = if life.to_end {
            &mut lives.at_end
        } else {
            &mut lives.at_start
        };
        // A link that is emptied forgets who was asked for it.
        end.extend([*fact].into_iter().chain(asked));
    }
}

fn lower_all(compiler: &mut Compiler<'_>, collected: &Collected) {
    for (what, who) in &collected.seen {
        compiler.seen_by(*what, who);
    }
    for (index, decl) in collected.scenes.iter().enumerate() {
        compiler.scene(SceneId(index as u16), decl);
    }
    for (index, decl) in collected.events.iter().enumerate() {
        compiler.event(omerta_core::rules::EventId(index as u16), decl);
    }
    for (title, ability, parts, layer) in &collected.parts {
        compiler.title_parts(*title, *ability, parts, *layer);
    }
    for (allow, layer) in &collected.offers {
        compiler.offer(allow, *layer);
    }
    compiler.endings(&collected.endings);
    for (item, layer) in &collected.checks {
        compiler.cast_check(item, *layer);
    }
    if let Some((body, _, layer)) = collected.scripts.first() {
        compiler.out.start = compiler.script(body, *layer);
    }
    if compiler.out.lets_write() {
        compiler.out.texts.push(SOMETHING_ELSE.to_owned());
    }
    // All questions stand by now.
    for (policy, span, layer) in &collected.policies {
        compiler.policy(policy, *span, *layer);
    }
}

/// An expression compiled by itself. `params` are names that stand for arguments, in order.
pub fn compile_expr(
    rules: &Ruleset,
    names: &Names,
    sources: &Sources,
    expr: &Expr,
    params: &[(String, Kind)],
) -> Result<Program, Vec<Diagnostic>> {
    let kept = names.bench.kept().take();
    let kept = kept.filter(|kept| kept.0.identity == rules.identity);
    let (out, mut symbols) = kept.map_or_else(|| (without_code(rules), names.symbols.clone()), |kept| *kept);
    let table = RuleTable::default();
    let mut compiler = Compiler::new(out, &mut symbols, sources, &names.defines, &table);
    let (result, kind, words, registers) = compiler.whole_expr(expr, params);
    let (mut out, _, _, diagnostics) = compiler.finish();
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let program = Program {
        code: std::mem::take(&mut out.code),
        constants: std::mem::take(&mut out.constants),
        result,
        registers,
        kind: Some(kind),
        words,
        texts: own_texts(&mut out, rules),
    };
    out.origins.clear();
    *names.bench.kept() = Some(Box::new((out, symbols)));
    Ok(program)
}

/// The texts that an expression has beside those of the rules, each by the constant that stands for it.
fn own_texts(out: &mut Ruleset, rules: &Ruleset) -> Vec<(u64, String)> {
    let first = rules.texts.len();
    let numbers = (OF_RULES + first as u32..).map(|number| written::word(number, number));
    numbers.zip(out.texts.drain(first..)).collect()
}

/// What random players write where they write nothing that the rules compare it with.
const SOMETHING_ELSE: &str = "…";

/// The tables of rules.
fn without_code(rules: &Ruleset) -> Ruleset {
    let mut tables = rules.clone();
    tables.code.clear();
    tables.origins.clear();
    tables.constants.clear();
    tables
}

/// A digest of everything that could change a game: the texts, the overlays, the options. How players
/// answer is no rule.
fn identity(sources: &Sources, merged: &overlay::Merged, rules: &Ruleset) -> u64 {
    let mut digest = Digest::default();
    let is_rule = |declared: &&load::Declared| !matches!(declared.item.kind, ItemKind::Policy(_));
    for declared in merged.items.iter().filter(is_rule) {
        digest.eat_words(sources.slice(declared.item.span));
    }
    for option in &rules.options {
        digest.eat(option.name.as_bytes());
        digest.eat(option.value.as_bytes());
    }
    digest.number()
}
