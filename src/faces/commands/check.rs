//! `omerta check`: all errors and warnings of all files.

use super::{
    deep::{self, Wished},
    sim::INTERRUPTED,
};
use crate::faces::{
    console::{Console, UNREAD},
    render::{Format, Renders},
};
use anyhow::Result;
use omerta_core::{
    diagnostic::{Code, Diagnostic},
    source::Loader,
};
use omerta_syntax::{parse_file, tree::File};
use omerta_workbench::{
    RulesetRequest, Workbench,
    asked::asked_of,
    bundle::{self, Shelf},
    files, is_wrong, runner,
};
use std::{collections::BTreeSet, path::Path, process::ExitCode};

/// The words of the command.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
A ruleset is checked with all it uses, an overlay on every base it names, a library by itself. Scenarios \
are played, and what is wrong in their lines is told; whether they hold says `omerta test`.

Examples:
  omerta check mine.mafia                   every mistake, drawn in its place
  omerta check .                            everything in this folder and below
  omerta check --format short mine.mafia    a line each, for editors
  omerta check --format json mine.mafia     one document for programs
  omerta check --deep mine.mafia            plays it, too, and finds what the text does not show
  omerta check --deep mine.mafia --seconds 60 --write found.play

Exit: 0 nothing is wrong (there may be warnings), 1 errors, 2 a file could not be read,
130 the games of `--deep` were interrupted.")]
pub struct Words {
    /// Rulesets, overlays, libraries and scenarios: paths, folders, or bundled names
    #[arg(required = true, value_name = "FILES")]
    files: Vec<String>,
    /// How mistakes are shown
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    #[command(flatten)]
    deep: deep::Words,
}

/// Runs the command.
pub fn check(words: &Words, console: Console) -> Result<ExitCode> {
    let mut checker = Checker::default();
    let files = files::with_those_in_folders(&words.files)?;
    let read = files
        .iter()
        .filter_map(|file| console.or_complain(checker.file(file)))
        .count();
    if read == 0 {
        return Ok(ExitCode::from(UNREAD));
    }
    let mut found = checker.found();
    let (mut games, mut stopped) = (String::new(), false);
    if words.deep.are_wanted() && !is_wrong(&found) {
        let (findings, by_hand) = deep::play(&words.deep, &checker.playable, console);
        stopped = by_hand;
        games = deep::scenarios(&words.deep, &findings);
        found.extend(findings.into_iter().map(|finding| finding.diagnostic));
    }
    let text = checker.texts.render(&found, words.format, console.out);
    console.say(&text)?;
    deep::hand_out(&words.deep, &games, words.format == Format::Human, console)?;
    if stopped {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if read < files.len() {
        return Ok(ExitCode::from(UNREAD));
    }
    if words.format == Format::Human && found.is_empty() {
        console.talk(&match files.len() {
            1 => "1 file, nothing to mend\n".to_owned(),
            many => format!("{many} files, nothing to mend\n"),
        });
    }
    Ok(ExitCode::from(u8::from(is_wrong(&found))))
}

/// Everything found so far. All files share their texts, so that one report can show them.
#[derive(Default)]
struct Checker {
    texts: Workbench,
    found: Vec<Diagnostic>,
    /// The rules among the files that can be played.
    playable: Vec<Wished>,
}

impl Checker {
    /// Checks a file, or what is bundled under that name.
    fn file(&mut self, file: &str) -> Result<()> {
        let path = Path::new(file);
        if !files::is_there(path) && bundle::bundled(file).is_some() {
            let text = bundle::bundled(file).map_or_else(String::new, |loaded| loaded.text);
            self.rules(&Shelf::default(), file, &text);
            return Ok(());
        }
        let text = files::read(path)?;
        if path.extension().is_some_and(|ending| ending == "play") {
            let bench = self.texts.with_loader(Shelf::beside(path));
            self.found.extend(runner::mistakes_in(bench, file, &text));
        } else {
            self.rules(&Shelf::beside(path), &rules_name(file), &text);
        }
        Ok(())
    }

    /// A file of rules: by itself unless it only holds overlays, and each overlay on its bases.
    fn rules(&mut self, shelf: &Shelf, name: &str, text: &str) {
        let id = self.texts.add(name, text);
        let (File { items, .. }, _) = parse_file(id, text);
        let bench = self.texts.with_loader(shelf.clone());
        let own = shelf.load(name).map(|loaded| loaded.name);
        for asked in asked_of(shelf, name, &items) {
            let laid = bench.lay_at(&asked.wanted, &asked.places);
            let found = laid.map_or_else(|problems| problems, |laid| laid.warnings);
            // What its base is warned of without it is for whoever wrote that.
            let alone = RulesetRequest {
                base: asked.wanted.base.clone(),
                ..RulesetRequest::default()
            };
            let alone = asked
                .elsewhere
                .then(|| bench.lay_at(&alone, &asked.places).ok())
                .flatten();
            let theirs: BTreeSet<_> = { alone.iter() }
                .flat_map(|laid| &laid.warnings)
                .map(|found| self.told_as(found))
                .collect();
            let is_theirs = |found: &Diagnostic| theirs.contains(&self.told_as(found));
            let found: Vec<Diagnostic> = found.into_iter().filter(|found| !is_theirs(found)).collect();
            self.found.extend(found);
            if asked.playable {
                self.playable.push(Wished {
                    wanted: asked.wanted,
                    bench: self.texts.with_loader(shelf.clone()),
                    own: own.clone().filter(|_| asked.elsewhere),
                });
            }
        }
    }

    /// What was found, each thing once: an overlay is read anew for each base.
    fn found(&self) -> Vec<Diagnostic> {
        let mut seen = BTreeSet::new();
        let is_new = |diagnostic: &&Diagnostic| seen.insert(self.told_as(diagnostic));
        self.found.iter().filter(is_new).cloned().collect()
    }

    /// What makes two messages one: the place, whichever reading of its text it is in, and the words.
    fn told_as(&self, diagnostic: &Diagnostic) -> (String, u32, u32, Code, String) {
        let span = diagnostic.span();
        let place = self
            .texts
            .with_sources(|sources| sources.get(span.source).name.clone());
        (
            place,
            span.start,
            span.end,
            diagnostic.code,
            diagnostic.message.clone(),
        )
    }
}

/// A path is a path even without a slash or an ending that shows it.
fn rules_name(file: &str) -> String {
    match file.contains(['/', '\\']) || file.ends_with(".mafia") {
        true => file.to_owned(),
        false => format!("./{file}"),
    }
}
