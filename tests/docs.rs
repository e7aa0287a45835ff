//! The pages of `docs/` are true: every block of rules checks and plays, every mistake is the mistake
//! it claims to be, every scenario passes.
//!
//! | Mark of a block | What is done with it |
//! |---|---|
//! | `mafia`, beginning with `ruleset` | checked without a word said about it, then played 50 times |
//! | `mafia`, else | read: it has the right shape |
//! | `mafia on=city` | laid on that ruleset as an overlay, or as the declarations of one: no errors |
//! | `mafia statements` | read as the body of a scene; with `on=city` checked as one laid on it |
//! | `mafia expressions` | read, one a line; with `on=city` checked as values there |
//! | `mafia-error M0203` | gives that code, M0951 to M0957 when played; without a code the one in the page's heading |
//! | `sh`, on a page | each `omerta` line is run, beside the page's own rulesets and scenarios |
//! | `console`, on a page | the same, each prints what stands below it; ` ... ` may stand for anything |
//! | `session`, on a page | a game from a pipe: what stands behind each prompt is typed, and it goes as shown |
//! | `json` | one value after the other |
//! | `python` | played with by `omerta sim --bot`, where there is a Python |
//! | `play` | run where its `ruleset` is bundled or stands on the page, else read |

use crate::errors::overlays_in;
use omerta::faces::render::{Format, Style, render};
use omerta_check::{Checked, Names, Request, check_ruleset, compile_expr};
use omerta_core::{
    diagnostic::{Diagnostic, Severity},
    rules::{Kind, Program, Ruleset},
    source::{Loaded, Loader, Sources, Span},
};
use omerta_engine::{Game, Hooks, Pending, Silence};
use omerta_hooks::{Scripts, check_scripts};
use omerta_play::{
    casting,
    chance::Chance,
    deal,
    policy::Policy,
    scenario::{Report, RulesSource, RulesWithScripts, run, tests_of},
};
use omerta_syntax::{
    parse_expr, parse_file, parse_scenarios,
    tree::{Expr, Name},
};
use omerta_workbench::{Workbench, bundle::Shelf, runner::run_text};
use std::{
    cell::RefCell,
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// How many random games a whole ruleset must survive.
const GAMES: u64 = 50;
/// How many answers a random game may take before it counts as endless.
const ANSWERS: usize = 20_000;

/// A block between fences.
pub(crate) struct Block {
    /// The file and the line of its first line.
    pub(crate) place: String,
    /// What stands behind the opening fence.
    mark: String,
    pub(crate) text: String,
}

impl Block {
    fn words(&self) -> impl Iterator<Item = &str> {
        self.mark.split_whitespace()
    }

    pub(crate) fn is(&self, language: &str) -> bool {
        self.words().next() == Some(language)
    }

    fn says(&self, word: &str) -> bool {
        self.words().skip(1).any(|other| other == word)
    }

    pub(crate) fn base(&self) -> Option<&str> {
        self.words().find_map(|word| word.strip_prefix("on="))
    }

    /// The first line that says something.
    pub(crate) fn head(&self) -> &str {
        let lines = self.text.lines().map(str::trim);
        lines
            .into_iter()
            .find(|line| !line.is_empty() && !line.starts_with("//"))
            .unwrap_or("")
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.head().starts_with("ruleset ")
    }

    /// The name behind the first word: of a ruleset, a library, an overlay.
    pub(crate) fn name(&self) -> Option<&str> {
        let mut words = self.head().split_whitespace();
        matches!(words.next(), Some("ruleset" | "library" | "overlay"))
            .then(|| words.next())
            .flatten()
    }
}

// ---- pages and their blocks

fn pages(folder: &Path, out: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("docs can be read");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            pages(&path, out);
        } else if path.extension().is_some_and(|ending| ending == "md") {
            out.push(path);
        }
    }
}

fn blocks(path: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(path).expect("a page can be read");
    let name = path
        .strip_prefix(env!("CARGO_MANIFEST_DIR"))
        .unwrap_or(path)
        .display()
        .to_string();
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in text.lines().enumerate() {
        match (open.as_mut(), line.trim_start().strip_prefix("```")) {
            (None, Some(mark)) => {
                open = Some(Block {
                    place: format!("{name}:{}", number + 2),
                    mark: mark.trim().into(),
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{name}: a block is never closed");
    blocks
}

pub(crate) fn all_pages() -> Vec<(PathBuf, Vec<Block>)> {
    let mut found = Vec::new();
    pages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("docs"), &mut found);
    found
        .into_iter()
        .map(|path| (path.clone(), blocks(&path)))
        .collect()
}

// ---- texts of a page before those of the bundle

/// The whole rulesets, libraries and overlays of a page, by name, then the bundled ones.
#[derive(Default)]
pub(crate) struct Page(BTreeMap<String, String>);

impl Page {
    pub(crate) fn of(blocks: &[Block]) -> Self {
        let named = blocks.iter().filter(|block| {
            block.is("mafia") && (block.base().is_none() || block.head().starts_with("overlay "))
        });
        Page(
            named
                .filter_map(|block| Some((block.name()?.to_owned(), block.text.clone())))
                .collect(),
        )
    }

    /// The same with one text more.
    fn with(&self, name: &str, text: &str) -> Self {
        let mut texts = self.0.clone();
        texts.insert(name.to_owned(), text.to_owned());
        Page(texts)
    }
}

impl Loader for Page {
    fn load(&self, path: &str) -> Option<Loaded> {
        match self.0.get(path) {
            Some(text) => Some(Loaded {
                name: path.to_owned(),
                text: text.clone(),
            }),
            None => Shelf::default().load(path),
        }
    }

    fn names(&self) -> Vec<String> {
        self.0.keys().cloned().chain(Shelf::default().names()).collect()
    }
}

fn check(page: &Page, root: &str, overlays: &[String]) -> (Sources, Checked) {
    let mut sources = Sources::default();
    let checked = check_ruleset(
        &mut sources,
        page,
        &Request {
            root,
            overlays,
            options: &[],
        },
    );
    (sources, checked)
}

fn shown(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    render(sources, diagnostics, Format::Short, Style::PLAIN)
}

fn errors(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    diagnostics
        .iter()
        .filter(|d| d.severity == Severity::Error)
        .cloned()
        .collect()
}

// ---- blocks of rules

/// What is wrong with a block of rules; nothing when all is well.
fn rules_fault(page: &Page, block: &Block) -> Option<String> {
    if block.says("statements") || block.says("expressions") {
        return piece_fault(page, block);
    }
    if let Some(base) = block.base() {
        let overlay = if block.head().starts_with("overlay ") {
            block.text.clone()
        } else {
            format!("overlay fragment on {base} {{ {}}}", block.text)
        };
        return laid_fault(page, base, &overlay, block.head().starts_with("overlay "));
    }
    if block.is_whole() {
        return whole_fault(page, block);
    }
    let mut sources = Sources::default();
    let id = sources.add("block", block.text.clone());
    let (_, diagnostics) = parse_file(id, &block.text);
    (!diagnostics.is_empty()).then(|| shown(&sources, &diagnostics))
}

/// Statements and expressions become the body of a scene.
fn piece_fault(page: &Page, block: &Block) -> Option<String> {
    let body = if block.says("expressions") {
        let lines = block
            .text
            .lines()
            .map(|line| match line.split("//").next().unwrap_or("").trim() {
                "" => "\n".to_owned(),
                expression => format!("show ({expression}) to living\n"),
            });
        lines.collect::<String>()
    } else {
        block.text.clone()
    };
    match block.base() {
        Some(base) => laid_fault(
            page,
            base,
            &format!("overlay fragment on {base} {{ scene Fragment {{ {body}}}\n}}\n"),
            false,
        ),
        None => {
            let text = format!("scene Fragment {{ {body}}}\n");
            let mut sources = Sources::default();
            let id = sources.add("block", text.clone());
            let (_, diagnostics) = parse_file(id, &text);
            (!diagnostics.is_empty()).then(|| shown(&sources, &diagnostics))
        }
    }
}

/// What is wrong with an overlay; a whole one has nothing to warn of either.
fn laid_fault(page: &Page, base: &str, overlay: &str, is_whole: bool) -> Option<String> {
    let name = overlay
        .split_whitespace()
        .skip_while(|word| *word != "overlay")
        .nth(1)
        .unwrap_or("fragment")
        .to_owned();
    let page = page.with(&name, overlay);
    let (sources, checked) = check(&page, base, &[name]);
    let wrong = match is_whole {
        true => checked.diagnostics.clone(),
        false => errors(&checked.diagnostics),
    };
    (!wrong.is_empty()).then(|| shown(&sources, &wrong))
}

fn whole_fault(page: &Page, block: &Block) -> Option<String> {
    let page = page.with("the block", &block.text);
    let (sources, checked) = check(&page, "the block", &[]);
    if !checked.diagnostics.is_empty() {
        return Some(shown(&sources, &checked.diagnostics));
    }
    let rules = Arc::new(checked.rules?);
    (0..GAMES).find_map(|number| game_fault(&rules, number))
}

/// Plays one random game, the table as large or as small as the number says.
fn game_fault(rules: &Arc<Ruleset>, number: u64) -> Option<String> {
    // A page about one mistake may show rules that say nothing of who plays: those are only checked.
    if rules.casts.is_empty() {
        return None;
    }
    let (from, to) = rules.seats;
    let players = from + (number % (u64::from(to - from) + 1)) as u8;
    let cast = match deal::from_table(rules, None, usize::from(players), Span::default()) {
        Ok(cast) => cast,
        Err(diagnostic) => return Some(format!("{players} players: {}", diagnostic.message)),
    };
    let scripts = Arc::new(Scripts::compile(rules).expect("scripts that can be read"));
    let mut chance = Chance::of_game(1, number);
    let hooks: Arc<dyn Hooks> = scripts.clone();
    let cast = casting::drawn(rules, &hooks, cast, usize::from(players), &mut chance);
    let game = Game::start(rules.clone(), scripts, players, &cast, &mut Silence);
    let mut game = match game {
        Ok(game) => game,
        Err(error) => return Some(format!("{players} players: {error:?}")),
    };
    let policy = Policy {
        offers_per_thousand: 100,
        calls_per_thousand: 100,
    };
    for _ in 0..ANSWERS {
        match policy.choose(&game, &mut chance) {
            Some(choice) => game
                .apply(choice, &mut Silence)
                .expect("a random answer is legal"),
            None => break,
        }
    }
    match game.pending() {
        Pending::Over(_) => None,
        pending => Some(format!("{players} players, game {number}: {pending:?}")),
    }
}

// ---- mistakes

/// The code a block claims to raise: one behind its mark, else that in the page's heading.
fn code_of(path: &Path, block: &Block) -> String {
    let heading = std::fs::read_to_string(path).expect("a page can be read");
    let heading = heading
        .lines()
        .next()
        .unwrap_or("")
        .trim_start_matches("# ")
        .split(':')
        .next()
        .unwrap_or("")
        .to_owned();
    let is_code = |word: &&str| word.len() == 5 && word.starts_with('M');
    block.words().find(is_code).unwrap_or(&heading).to_owned()
}

/// Codes of what is found by playing.
const PLAYED: std::ops::RangeInclusive<&str> = "M0951"..="M0959";

/// What playing a whole text finds.
fn found_by_playing(text: &str) -> Vec<Diagnostic> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.mafia");
    std::fs::write(&path, text).unwrap();
    let findings = crate::deep::played(&path, 300, 2, None).findings;
    findings.into_iter().map(|finding| finding.diagnostic).collect()
}

fn error_fault(page: &Page, path: &Path, block: &Block) -> Option<String> {
    let code = code_of(path, block);
    let mut found = Vec::new();
    let mut sources = Sources::default();
    let id = sources.add("block", block.text.clone());
    found.extend(parse_file(id, &block.text).1);
    let overlay = block.head().starts_with("overlay ");
    match block.base() {
        Some(base) => {
            let text = if overlay {
                block.text.clone()
            } else {
                format!("overlay fragment on {base} {{ {}}}", block.text)
            };
            let name = if overlay {
                block.name().unwrap_or("").to_owned()
            } else {
                "fragment".to_owned()
            };
            found.extend(check(&page.with(&name, &text), base, &[name]).1.diagnostics);
        }
        None => {
            // The overlays that stand in the text are laid on it.
            let overlays = overlays_in(&block.text);
            let page = overlays
                .iter()
                .fold(page.with("the block", &block.text), |page, name| {
                    page.with(name, &block.text)
                });
            let checked = check(&page, "the block", &overlays).1;
            found.extend(checked.diagnostics);
            found.extend(checked.rules.iter().flat_map(check_scripts));
            if PLAYED.contains(&code.as_str()) {
                found.extend(found_by_playing(&block.text));
            }
        }
    }
    let codes: Vec<&str> = found.iter().map(|d| d.code.0).collect();
    (!codes.contains(&code.as_str())).then(|| format!("{code} was expected, found {codes:?}"))
}

// ---- what is told

/// What is told of the mistake in a block of a page about errors, as a screen shows it, and its codes.
fn told_of(page: &[Block], path: &Path, block: &Block) -> (String, Vec<&'static str>) {
    if block.is("play-error") {
        return told_of_scenario(page, &block.text);
    }
    let mut sources = Sources::default();
    let id = sources.add("example.mafia", block.text.clone());
    let (_, found) = parse_file(id, &block.text);
    if !found.is_empty() {
        return as_shown(&sources, &found);
    }
    if let Some(base) = block.base() {
        let (sources, checked) = check(
            &Page::of(page).with("example.mafia", &block.text),
            base,
            &["example.mafia".to_owned()],
        );
        return as_shown(&sources, &checked.diagnostics);
    }
    let (sources, checked) = crate::errors::check(&block.text);
    let scripts = checked.rules.iter().flat_map(check_scripts);
    let found: Vec<Diagnostic> = checked.diagnostics.iter().cloned().chain(scripts).collect();
    if !found.is_empty() || !PLAYED.contains(&code_of(path, block).as_str()) {
        return as_shown(&sources, &found);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("example.mafia");
    std::fs::write(&path, &block.text).unwrap();
    let bench = Workbench::new(Shelf::beside(&path));
    let findings = crate::deep::played_on(&bench, &path, 300, 2, None).findings;
    let found: Vec<Diagnostic> = findings.into_iter().map(|finding| finding.diagnostic).collect();
    let (told, codes) = bench.with_sources(|sources| as_shown(sources, &found));
    // Playing finds more than one thing about rules that go wrong.
    (without_folder(&told, folder.path()), codes[..1].to_vec())
}

fn told_of_scenario(page: &[Block], text: &str) -> (String, Vec<&'static str>) {
    let folder = tempfile::tempdir().unwrap();
    lay_out(folder.path(), page);
    let path = folder.path().join("example.play");
    let ran = run_text(Shelf::beside(&path), "example.play", text, |_| true);
    let mut found = ran.problems.clone();
    let of = |report: &Report| [&report.diagnostics[..], &report.hollow[..]].concat();
    found.extend(ran.reports.iter().flat_map(of));
    let (told, codes) = ran.bench.with_sources(|sources| as_shown(sources, &found));
    (without_folder(&told, folder.path()), codes)
}

/// What is told, with the names of files alone.
fn without_folder(told: &str, folder: &Path) -> String {
    told.replace(&format!("{}/", folder.display()), "")
}

fn as_shown(sources: &Sources, found: &[Diagnostic]) -> (String, Vec<&'static str>) {
    let codes = found.iter().map(|diagnostic| diagnostic.code.0).collect();
    let shown = render(sources, found, Format::Human, Style::PLAIN);
    (shown.replace("text.mafia", "example.mafia"), codes)
}

/// A page in which each mistake has behind it what is told of it.
fn quoting(text: &str, quotes: &[String]) -> String {
    let (mut page, mut lines, mut quotes) = (String::new(), text.lines().peekable(), quotes.iter());
    while let Some(line) = lines.next() {
        page += &format!("{line}\n");
        if !line.starts_with("```mafia-error") && !line.starts_with("```play-error") {
            continue;
        }
        for line in lines.by_ref() {
            page += &format!("{line}\n");
            if line == "```" {
                break;
            }
        }
        let mut behind = lines.clone().skip_while(|line| line.is_empty());
        if behind.next() == Some("```told") {
            lines
                .by_ref()
                .skip_while(|line| line.is_empty())
                .find(|line| *line == "```");
        }
        let quote = quotes.next().map_or("", |quote| quote.trim());
        page += &format!("\n```told\n{quote}\n```\n");
    }
    page
}

/// Each page about an error shows the example's one message, word for word; `docs/generate` writes it anew.
#[test]
fn the_pages_about_errors_quote_what_is_told() {
    let mut faults = Vec::new();
    let about_errors =
        |(path, _): &(PathBuf, Vec<Block>)| path.parent().is_some_and(|folder| folder.ends_with("errors"));
    for (path, blocks) in all_pages().into_iter().filter(about_errors) {
        let mut quotes = Vec::new();
        for block in blocks
            .iter()
            .filter(|block| block.is("mafia-error") || block.is("play-error"))
        {
            let (quote, codes) = told_of(&blocks, &path, block);
            let is_its_own = |code: &&str| **code == code_of(&path, block);
            if codes.is_empty() || !codes.iter().all(is_its_own) {
                faults.push(format!("{}: {codes:?}\n{quote}", block.place));
            }
            quotes.push(quote);
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let page = quoting(&text, &quotes);
        if page == text {
            continue;
        }
        if std::env::var_os("OMERTA_RECORD").is_some() {
            std::fs::write(&path, page).unwrap();
        } else {
            faults.push(format!(
                "{} quotes something else: run `docs/generate` and read what it has changed",
                path.display()
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

// ---- scenarios

/// Compiles for the scenarios of a page.
struct PageBench<'a> {
    page: &'a Page,
    names: RefCell<(Sources, Names)>,
}

impl RulesSource for PageBench<'_> {
    fn rules(
        &self,
        base: &Name,
        overlays: &[Name],
        options: &[(Name, Name)],
    ) -> Result<RulesWithScripts, Vec<Diagnostic>> {
        let overlays: Vec<String> = overlays.iter().map(|name| name.text.clone()).collect();
        let options: Vec<(String, String)> = options
            .iter()
            .map(|(n, v)| (n.text.clone(), v.text.clone()))
            .collect();
        let mut sources = Sources::default();
        let request = Request {
            root: &base.text,
            overlays: &overlays,
            options: &options,
        };
        let Checked {
            rules,
            diagnostics,
            names,
            ..
        } = check_ruleset(&mut sources, self.page, &request);
        *self.names.borrow_mut() = (sources, names);
        match rules {
            Some(rules) => Ok(RulesWithScripts {
                hooks: Arc::new(Scripts::compile(&rules)?),
                rules: Arc::new(rules),
            }),
            None => Err(diagnostics),
        }
    }

    fn compile(
        &self,
        rules: &Ruleset,
        expr: &Expr,
        params: &[(String, Kind)],
    ) -> Result<Program, Diagnostic> {
        let (sources, names) = &*self.names.borrow();
        compile_expr(rules, names, sources, expr, params).map_err(|mut found| found.remove(0))
    }
}

fn scenario_fault(page: &Page, path: &Path, block: &Block) -> Option<String> {
    let mut sources = Sources::default();
    let id = sources.add("block", block.text.clone());
    let (file, diagnostics) = parse_scenarios(id, &block.text);
    if !diagnostics.is_empty() {
        let expected = block.is("play-error") && diagnostics.iter().all(|d| d.code.0 == code_of(path, block));
        return (!expected).then(|| shown(&sources, &diagnostics));
    }
    let base = block
        .text
        .lines()
        .find_map(|line| line.trim().strip_prefix("ruleset "));
    let base = base.and_then(|line| line.split_whitespace().next())?;
    page.load(base)?;
    let bench = PageBench {
        page,
        names: RefCell::default(),
    };
    if block.is("play-error") {
        let code = code_of(path, block);
        let reports = tests_of(&file)
            .iter()
            .map(|test| run(test, &bench))
            .collect::<Vec<_>>();
        let mut found: Vec<&str> = reports
            .iter()
            .flat_map(|report| report.diagnostics.iter().chain(&report.hollow))
            .map(|d| d.code.0)
            .collect();
        found.dedup();
        return (found != [&code]).then(|| format!("{code} was expected, found {found:?}"));
    }
    let failed: Vec<String> = tests_of(&file)
        .iter()
        .map(|test| run(test, &bench))
        .filter(|report| !report.passed() || !report.hollow.is_empty())
        .map(|report| {
            let said: Vec<String> = report
                .diagnostics
                .iter()
                .chain(&report.hollow)
                .map(|d| {
                    format!(
                        "{}: {} ({})",
                        d.code.0,
                        d.message,
                        d.labels.iter().map(|l| &*l.text).collect::<Vec<_>>().join("; ")
                    )
                })
                .collect();
            format!("`{}`: {}", report.name, said.join("\n  "))
        })
        .collect();
    (!failed.is_empty()).then(|| failed.join("\n"))
}

// ---- the facts

#[track_caller]
fn no_faults(wanted: &str, fault: impl Fn(&Page, &Path, &Block) -> Option<String>) {
    let mut faults = Vec::new();
    for (path, blocks) in all_pages() {
        let page = Page::of(&blocks);
        for block in blocks.iter().filter(|block| block.is(wanted)) {
            if let Some(why) = fault(&page, &path, block) {
                faults.push(format!("{} ({}):\n{why}", block.place, block.mark));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn rules_in_the_pages_can_be_checked_and_played() {
    no_faults("mafia", |page, _, block| rules_fault(page, block));
}

#[test]
fn mistakes_in_the_pages_are_those_they_claim_to_be() {
    no_faults("mafia-error", error_fault);
}

#[test]
fn what_playing_finds_is_mended_on_its_page() {
    no_faults("mafia", |_, path, block| {
        let code = code_of(path, block);
        if !PLAYED.contains(&code.as_str()) {
            return None;
        }
        let found = found_by_playing(&block.text);
        let found: Vec<&str> = found.iter().map(|diagnostic| diagnostic.code.0).collect();
        (!found.is_empty()).then(|| format!("{found:?}"))
    });
}

#[test]
fn scenarios_in_the_pages_pass() {
    no_faults("play", scenario_fault);
}

#[test]
fn mistakes_in_the_scenarios_of_the_pages_are_those_they_claim_to_be() {
    no_faults("play-error", scenario_fault);
}

#[test]
fn blocks_in_the_pages_carry_a_known_mark() {
    const KNOWN: &[&str] = &[
        "mafia",
        "mafia-error",
        "play",
        "play-error",
        "sh",
        "console",
        "session",
        "json",
        "rust",
        "text",
        "told",
        "toml",
        "python",
        "",
    ];
    let unknown = |block: &&Block| !KNOWN.contains(&block.words().next().unwrap_or(""));
    let all: Vec<Block> = all_pages().into_iter().flat_map(|(_, blocks)| blocks).collect();
    let faults: Vec<String> = all
        .iter()
        .filter(unknown)
        .map(|block| format!("{}: `{}`", block.place, block.mark))
        .collect();
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn expressions_in_the_pages_can_be_read() {
    for (_, blocks) in all_pages() {
        for block in blocks
            .iter()
            .filter(|block| block.is("mafia") && block.says("expressions"))
        {
            for line in block
                .text
                .lines()
                .filter_map(|l| l.split("//").next())
                .filter(|l| !l.trim().is_empty())
            {
                let mut sources = Sources::default();
                let id = sources.add("line", line);
                assert!(parse_expr(id, line.trim(), 0).is_ok(), "{}: {line}", block.place);
            }
        }
    }
}

/// What a line of a shell block hands to the program; `None` for other programs' lines.
fn words_for_us(line: &str) -> Option<&str> {
    let line = line
        .split(" #")
        .next()
        .unwrap_or("")
        .trim()
        .trim_start_matches("$ ");
    line.strip_prefix("cargo run --release -- ")
        .or_else(|| line.strip_prefix("omerta "))
}

/// Puts the rulesets and scenarios of a page into a folder, under the names their page gives them.
fn lay_out(folder: &Path, blocks: &[Block]) {
    for block in blocks {
        let named = |line: &str| {
            line.trim()
                .strip_prefix("ruleset ")
                .and_then(|rest| rest.split_whitespace().next())
                .map(str::to_owned)
        };
        let file = if block.is("mafia") && block.base().is_none() {
            block.name().map(|name| format!("{name}.mafia"))
        } else if block.is("play") {
            block
                .text
                .lines()
                .find_map(named)
                .map(|name| format!("{name}.play"))
        } else {
            None
        };
        if let Some(file) = file {
            std::fs::write(folder.join(file), &block.text).unwrap();
        }
    }
}

/// Runs a line as a shell would; standard input is empty.
fn shell(folder: &Path, line: &str) -> std::process::Output {
    let program = Path::new(env!("CARGO_BIN_EXE_omerta"));
    let usual = std::env::var_os("PATH").unwrap_or_default();
    let ours = [program.parent().unwrap().to_path_buf()];
    let path = std::env::join_paths(ours.into_iter().chain(std::env::split_paths(&usual))).unwrap();
    crate::program::command("sh", folder)
        .args(["-c", line])
        .env("PATH", path)
        .env("HOME", folder)
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn commands_in_the_pages_do_what_they_are_shown_for() {
    let mut faults = Vec::new();
    let mut ran = 0;
    for (_, blocks) in all_pages() {
        let folder = tempfile::tempdir().unwrap();
        lay_out(folder.path(), &blocks);
        for block in blocks.iter().filter(|block| block.is("sh")) {
            for words in block.text.lines().filter_map(words_for_us) {
                let output = shell(folder.path(), &format!("omerta {words}"));
                ran += 1;
                let fails = block.says("fails");
                if output.status.code() != Some(i32::from(fails)) {
                    let said = String::from_utf8_lossy(&output.stderr);
                    faults.push(format!(
                        "{}: omerta {words}\n{}\n{said}",
                        block.place, output.status
                    ));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
    assert!(ran > 0, "no page shows a command");
}

#[test]
fn json_in_the_pages_is_json() {
    for (_, blocks) in all_pages() {
        for block in blocks.iter().filter(|block| block.is("json")) {
            let values = serde_json::Deserializer::from_str(&block.text).into_iter::<serde_json::Value>();
            for value in values {
                assert!(value.is_ok(), "{}: {}", block.place, value.unwrap_err());
            }
        }
    }
}

/// Whether a text is as a pattern shows it; `...` in the pattern stands for any text.
fn is_like(text: &str, pattern: &str) -> bool {
    let mut parts = pattern.split("...");
    let first = parts.next().unwrap_or("");
    let Some(mut rest) = text.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[test]
fn a_pattern_is_like_what_it_shows() {
    assert!(is_like("a 12 b", "a ... b"));
    assert!(is_like("a", "a"));
    assert!(!is_like("a b", "a"));
    assert!(!is_like("a 12 c", "a ... b"));
    assert!(!is_like("ab", "ab...b"));
}

#[test]
fn what_the_pages_say_is_printed_is_printed() {
    let mut ran = 0;
    for (_, blocks) in all_pages() {
        let folder = tempfile::tempdir().unwrap();
        lay_out(folder.path(), &blocks);
        for block in blocks.iter().filter(|block| block.is("console")) {
            let mut printed = String::new();
            let mut shown = String::new();
            for line in block.text.lines() {
                if let Some(line) = line.strip_prefix("$ ") {
                    assert!(
                        is_like(printed.trim(), shown.trim()),
                        "{}: {printed}",
                        block.place
                    );
                    shown.clear();
                    printed = String::from_utf8(shell(folder.path(), line).stdout).unwrap();
                    ran += 1;
                } else {
                    shown.push_str(line);
                    shown.push('\n');
                }
            }
            assert!(
                is_like(printed.trim(), shown.trim()),
                "{}: {printed}",
                block.place
            );
        }
    }
    assert!(ran > 0, "no page shows what is printed");
}

/// What is typed at the prompts of a session: they stand at the beginning of a line, and what is
/// printed behind them is indented.
fn typed_in(session: &str) -> String {
    let is_prompt = |line: &&str| !line.starts_with([' ', '-', '$']) && !line.starts_with("error: ");
    let lines = session.lines().filter(is_prompt);
    let typed = lines.filter_map(|line| Some(line.split_once("> ")?.1));
    typed.map(|line| format!("{line}\n")).collect()
}

#[test]
fn sessions_in_the_pages_go_as_they_show() {
    let mut ran = 0;
    for (_, blocks) in all_pages() {
        let folder = tempfile::tempdir().unwrap();
        lay_out(folder.path(), &blocks);
        for block in blocks.iter().filter(|block| block.is("session")) {
            let (first, shown) = block.text.split_once('\n').unwrap_or((&block.text, ""));
            let line = first
                .strip_prefix("$ ")
                .expect("a session begins with its command");
            std::fs::write(folder.path().join("typed"), typed_in(shown)).unwrap();
            let output = shell(folder.path(), &format!("{line} 2>&1 < typed"));
            let printed = String::from_utf8(output.stdout).unwrap();
            assert!(
                is_like(printed.trim(), shown.trim()),
                "{}: {printed}",
                block.place
            );
            ran += 1;
        }
    }
    assert!(ran > 0, "no page shows a session");
}

/// Where there is no Python there is nothing to try the programs with; the lines themselves are
/// tested without it.
#[test]
fn programs_in_the_pages_can_play() {
    let folder = tempfile::tempdir().unwrap();
    if !shell(folder.path(), "python3 --version").status.success() {
        return;
    }
    for (_, blocks) in all_pages() {
        // What uses the package is run by its own tests: `python/tests/test_pages.py`.
        let bots = blocks
            .iter()
            .filter(|block| block.is("python") && !block.says("omerta"));
        for block in bots {
            std::fs::write(folder.path().join("bot.py"), &block.text).unwrap();
            let output = shell(
                folder.path(),
                "omerta sim --games 20 --threads 1 --bot 'all=python3 bot.py'",
            );
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{}: {said}", block.place);
        }
    }
}
