//! Reads `.play` files.
//!
//! A file is cut at its scenarios first, so that a mistake in one leaves the others readable.
//! Expressions are read by the parser of rules; here one only sees where they end.

mod blame;
mod facts;
mod grammar;
mod lines;
mod split;

use crate::{
    play_tree::{Common, Line, LineKind, Play, PlayFile, Quoted},
    token,
    tree::{Expr, Int, Name},
};
use grammar::Rule;
use omerta_core::{
    diagnostic::Diagnostic,
    source::{SourceId, Span},
};
use pest::iterators::Pair;
use split::{Chunk, ChunkKind};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
};

/// Reads a file of scenarios: those that have the right shape, and everything that is wrong with
/// the others, in the order of their places.
pub fn parse_play(source: SourceId, text: &str) -> (PlayFile, Vec<Diagnostic>) {
    let mut reader = Reader {
        source,
        offset: 0,
        diagnostics: Vec::new(),
        bare: BTreeMap::new(),
    };
    let mut file = PlayFile::default();
    if let Some(problem) = crate::mistakes::unreadable(source, text) {
        return (file, vec![problem]);
    }
    for chunk in split::split(text) {
        reader.offset = chunk.range.start;
        reader.read_chunk(&chunk, &text[chunk.range.clone()], &mut file);
    }
    let mut problems = reader.diagnostics;
    problems.extend(three_quotes(source, text));
    (file, problems)
}

/// Reads a file whose scenarios are to be played: as [`parse_play`], and lines that no scenario begins with are told.
pub fn parse_scenarios(source: SourceId, text: &str) -> (PlayFile, Vec<Diagnostic>) {
    let (file, mut problems) = parse_play(source, text);
    let plays = |line: &&Line| {
        matches!(
            line.kind,
            LineKind::Section(_)
                | LineKind::RunTo(_)
                | LineKind::Deed(_)
                | LineKind::Refused { .. }
                | LineKind::Expect(_)
        )
    };
    let first = file.preamble.iter().find(plays);
    if let (true, true, Some(line)) = (problems.is_empty(), file.plays.is_empty(), first) {
        problems.push(blame::of_no_scenario(line.span));
    }
    if problems.is_empty() && !file.plays.is_empty() {
        problems.extend(never_included(&file));
    }
    (file, problems)
}

/// The lines with a name that nothing in their file includes, but perhaps themselves.
fn never_included(file: &PlayFile) -> Vec<Diagnostic> {
    let mut included = BTreeSet::new();
    let plays = file.plays.iter().flat_map(|play| &play.lines);
    plays
        .chain(&file.preamble)
        .for_each(|line| includes(line, "", &mut included));
    for common in &file.commons {
        let lines = common.lines.iter();
        lines.for_each(|line| includes(line, &common.name.text, &mut included));
    }
    // Which one a misspelt name means is told where that stands.
    let is_known = |name: &&str| file.commons.iter().any(|common| common.name.text == **name);
    if !included.iter().all(is_known) {
        return Vec::new();
    }
    let unused = { file.commons.iter() }.filter(|common| !included.contains(common.name.text.as_str()));
    unused.map(|common| blame::never_included(&common.name)).collect()
}

/// Notes the names of the lines that a line includes, if it is not one itself that has that name.
fn includes<'t>(line: &'t Line, within: &str, found: &mut BTreeSet<&'t str>) {
    match &line.kind {
        LineKind::Include { name, .. } if name.text != within => {
            found.insert(&name.text);
        }
        LineKind::Section(section) => section
            .lines
            .iter()
            .for_each(|line| includes(line, within, found)),
        LineKind::Repeat { lines, .. } => lines.iter().for_each(|line| includes(line, within, found)),
        _ => {}
    }
}

/// Where three quotes in a row would keep all that follows from being read as it stands.
fn three_quotes(source: SourceId, text: &str) -> Option<Diagnostic> {
    if !text.contains("\"\"\"") {
        return None;
    }
    let flaws = token::scan(text).flaws;
    let open = flaws
        .iter()
        .find(|flaw| flaw.kind == token::FlawKind::OpenScript)?;
    Some(crate::mistakes::no_script_here(Span::new(
        source,
        open.start,
        open.start + 3,
    )))
}

/// Shows what was read of each part of a text that some bytes are in, with where it begins; of one that cannot be read, its lines.
pub(super) fn each_part(text: &str, around: &Range<usize>, see: &mut dyn FnMut(Pair<'_, Rule>, usize)) {
    for chunk in split::split(text) {
        let part = &text[chunk.range.clone()];
        let start = chunk.range.start;
        if chunk.range.end < around.start || around.end < start || split::too_deep(part).is_some() {
            continue;
        }
        match grammar::read(chunk.kind.rule(), part) {
            Ok(pairs) => pairs.for_each(|pair| see(pair, start)),
            Err(_) => {
                for (at, line) in token::lines_around(part, start, around) {
                    let close = if line.trim_end().ends_with('{') { "\n}" } else { "" };
                    let line = format!("{}{close}", line.trim_end());
                    let rules = [Rule::one_preamble, chunk.kind.rule()];
                    let read = rules.map(|rule| grammar::read(rule, &line).ok());
                    let first = read.into_iter().flatten().next();
                    first.into_iter().flatten().for_each(|pair| see(pair, at));
                }
            }
        }
    }
}

/// Where the scenarios and the lines for all of them begin.
pub(super) fn parts(text: &str) -> Vec<usize> {
    let is_part = |chunk: &Chunk| chunk.kind != ChunkKind::Preamble;
    let chunks = split::split(text);
    chunks
        .iter()
        .filter(|chunk| is_part(chunk))
        .map(|chunk| chunk.range.start)
        .collect()
}

impl ChunkKind {
    /// What the grammar takes it for.
    fn rule(self) -> Rule {
        match self {
            ChunkKind::Preamble => Rule::one_preamble,
            ChunkKind::Common => Rule::one_common,
            ChunkKind::Play => Rule::one_play,
        }
    }
}

/// Turns pairs into the tree, and collects what is wrong on the way.
struct Reader {
    source: SourceId,
    /// Where the text being read begins in its source.
    offset: usize,
    diagnostics: Vec<Diagnostic>,
    /// Phrases that were read as a name and nothing else, with that name: most of a scenario is names.
    bare: BTreeMap<String, String>,
}

impl Reader {
    fn read_chunk(&mut self, chunk: &Chunk, text: &str, file: &mut PlayFile) {
        if let Some(at) = split::too_deep(text) {
            self.diagnostics.push(blame::deep_nesting(Span::new(
                self.source,
                self.offset + at,
                self.offset + at + 1,
            )));
            return;
        }
        match grammar::read(chunk.kind.rule(), text) {
            Ok(mut pairs) => {
                let pair = pairs.next().expect("a rule that fits gives one pair");
                let told = self.diagnostics.len();
                self.read_whole(chunk.kind, pair, file);
                for problem in self.diagnostics[told..].iter_mut() {
                    blame::by_ear(problem, self.offset, text);
                }
            }
            Err(error) => {
                let mut problem = blame::unexpected(self.source, self.offset, text, &error);
                let at = problem.span().start as usize - self.offset;
                if chunk.kind == ChunkKind::Common && split::is_closed(&text[..at]) {
                    problem = problem.help(blame::LATE_HEAD);
                }
                self.diagnostics.push(problem);
            }
        }
    }

    fn read_whole(&mut self, kind: ChunkKind, pair: Pair<'_, Rule>, file: &mut PlayFile) {
        match kind {
            ChunkKind::Preamble => file.preamble = self.read_lines(pair),
            ChunkKind::Common => {
                let common = self.read_common(pair);
                let first = file
                    .commons
                    .iter()
                    .find(|known| known.name.text == common.name.text);
                let twice = first.map(|first| blame::common_twice(&common.name, first.name.span));
                self.diagnostics.extend(twice);
                file.commons.push(common);
            }
            ChunkKind::Play => {
                let play = self.read_play(pair);
                file.plays.push(play);
            }
        }
    }

    fn read_common(&mut self, pair: Pair<'_, Rule>) -> Common {
        let span = self.span(&pair);
        let name = self.name(child(&pair, Rule::name));
        let params = maybe(&pair, Rule::names).map_or(Vec::new(), |names| self.names(names));
        Common {
            name,
            params,
            lines: self.read_lines(pair),
            span,
        }
    }

    fn read_play(&mut self, pair: Pair<'_, Rule>) -> Play {
        let title = self.texts(child(&pair, Rule::texts));
        let lines = self.read_lines(pair);
        let span = lines.last().map_or(title.span, |line| title.span.to(line.span));
        Play { title, lines, span }
    }

    fn read_lines(&mut self, pair: Pair<'_, Rule>) -> Vec<Line> {
        pair.into_inner()
            .filter(|p| p.as_rule() == Rule::line)
            .filter_map(|line| self.read_line(line))
            .collect()
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let span = pair.as_span();
        let end = span.start() + pair.as_str().trim_end().len();
        Span::new(self.source, self.offset + span.start(), self.offset + end)
    }

    fn name(&self, pair: Pair<'_, Rule>) -> Name {
        let text = pair.as_str().trim_matches('`');
        let text = crate::token::composed(text);
        Name::new(text, self.span(&pair))
    }

    fn names(&self, pair: Pair<'_, Rule>) -> Vec<Name> {
        pair.into_inner()
            .filter(|p| p.as_rule() == Rule::name)
            .map(|p| self.name(p))
            .collect()
    }

    /// A number; one beyond all measure is blamed and read as nought.
    fn int(&mut self, pair: Pair<'_, Rule>) -> Int {
        let span = self.span(&pair);
        let value = pair.as_str().parse().unwrap_or_else(|_| {
            self.diagnostics.push(blame::large_number(span));
            0
        });
        Int { value, span }
    }

    fn texts(&mut self, pair: Pair<'_, Rule>) -> Quoted {
        let span = self.span(&pair);
        let text = pair
            .into_inner()
            .map(|p| unescape(p.as_str()))
            .collect::<Vec<_>>()
            .concat();
        let text = crate::token::composed(&text);
        Quoted { text, span }
    }

    /// A text; the name of a case as a text that holds nothing else.
    fn words(&mut self, pair: Pair<'_, Rule>) -> Quoted {
        let words = only(pair);
        match words.as_rule() {
            Rule::texts => self.texts(words),
            _ => {
                let name = self.name(words);
                Quoted {
                    text: format!("{{{}}}", name.text),
                    span: name.span,
                }
            }
        }
    }

    /// An expression; `None` when it was not one, which has been blamed.
    fn expr(&mut self, pair: &Pair<'_, Rule>) -> Option<Expr> {
        let (span, text) = (self.span(pair), pair.as_str().trim_end());
        if let Some(name) = self.bare.get(text) {
            let text = name.clone();
            return Some(Expr::named(Name { text, span }));
        }
        match crate::parse::parse_expr(self.source, text, span.start as usize) {
            Ok(expr) => {
                if let Some(name) = expr.bare_name().filter(|name| name.span == span) {
                    self.bare.insert(text.to_owned(), name.text.clone());
                }
                Some(expr)
            }
            Err(diagnostic) => {
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Expressions with commas between them; `None` when one of them was not one.
    fn exprs(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Expr>> {
        let phrases = { pair.into_inner() }
            .filter(|p| matches!(p.as_rule(), Rule::phrase | Rule::worded | Rule::written));
        let read: Vec<_> = phrases.map(|phrase| self.expr(&phrase)).collect();
        read.into_iter().collect()
    }
}

/// The pairs of one rule inside a pair.
fn inner(pair: Pair<'_, Rule>, rule: Rule) -> impl Iterator<Item = Pair<'_, Rule>> {
    pair.into_inner().filter(move |p| p.as_rule() == rule)
}

/// The first pair of one rule inside a pair, where the grammar may leave it out.
fn maybe<'i>(pair: &Pair<'i, Rule>, rule: Rule) -> Option<Pair<'i, Rule>> {
    pair.clone().into_inner().find(|p| p.as_rule() == rule)
}

/// The first pair of one rule inside a pair, where the grammar makes sure of it.
fn child<'i>(pair: &Pair<'i, Rule>, rule: Rule) -> Pair<'i, Rule> {
    maybe(pair, rule).expect("the grammar puts it there")
}

/// The only pair inside a pair.
fn only(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    pair.into_inner().next().expect("the grammar puts it there")
}

/// A text without its quotes and escapes.
fn unescape(quoted: &str) -> String {
    let mut words = String::new();
    let mut chars = quoted[1..quoted.len() - 1].chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => words.extend(
                chars
                    .next()
                    .map(|escaped| if escaped == 'n' { '\n' } else { escaped }),
            ),
            (plain, false) => words.push(plain),
        }
    }
    words
}
