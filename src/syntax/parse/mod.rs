//! Runs the grammar over one declaration after the other and builds the tree.
//!
//! Pairs of the parser generator are turned into trees here at once and go no further.

mod expressions;
mod items;
mod statements;
mod texts;

use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

use pest::{
    Token as PestToken,
    iterators::{Pair, Pairs},
};

use crate::{
    blame,
    grammar::{Chunk, Rule, run},
    mistakes,
    moved::{Moves, Shift},
    recover,
    split::{self, Braces, Splitter},
    token::{self, Flaw, FlawKind, Scan, TokenKind},
    tree, words,
};
use omerta_core::{
    diagnostic::Diagnostic,
    source::{SourceId, Span},
};

/// So many declarations of a file are read.
const MOST_DECLARATIONS: usize = 10_000;
/// So many of them may be overlays: each is checked with all that stands beside it.
const MOST_OVERLAYS: usize = 64;
/// Once so many mistakes are known, no further declaration is looked into.
const MOST_MISTAKES: usize = 1_000;

/// What came of a file.
pub(super) struct Parsed {
    /// The declarations that have the right shape.
    pub file: tree::File,
    /// What is wrong with the others.
    pub diagnostics: Vec<Diagnostic>,
    /// The bytes at which declarations, statements, parts, rows and branches begin.
    pub beginnings: BTreeSet<usize>,
}

/// Declarations of a version of a text that was read before, by their letters.
#[derive(Default)]
pub struct Known<'k>(BTreeMap<&'k str, &'k Arc<tree::Item>>);

impl<'k> Known<'k> {
    /// Adds those of a text on whose lines nothing is wrong; what is known already stays.
    pub fn add(&mut self, text: &'k str, items: &'k [Arc<tree::Item>], problems: &[Diagnostic]) {
        if problems.len() >= MOST_MISTAKES {
            return;
        }
        for item in items {
            if let tree::ItemKind::Overlay { items, .. } | tree::ItemKind::Section { items, .. } = &item.kind
            {
                self.add(text, items, problems);
                continue;
            }
            let (start, end) = (item.span.start as usize, item.span.end as usize);
            let line_start = text[..start].rfind('\n').unwrap_or(0);
            let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at);
            let is_here = |problem: &Diagnostic| {
                let span = problem.span();
                span.start as usize <= line_end && line_start <= span.end as usize
            };
            if !problems.iter().any(is_here) {
                self.0.entry(&text[start..end]).or_insert(item);
            }
        }
    }

    /// The tree of a piece of a text, at its place.
    fn tree(&self, chunk: Chunk<'_>) -> Option<Arc<tree::Item>> {
        let known = *self.0.get(chunk.text)?;
        let is_here = known.span == chunk.span(0, chunk.text.len());
        let mut item = known.clone();
        if !is_here {
            item.go(&mut Shift::between(known.span, (chunk.source, chunk.offset)));
        }
        Some(item)
    }
}

/// Parses a file, of which some declarations may be known.
pub(super) fn parse(source: SourceId, text: &str, known: &Known<'_>) -> Parsed {
    let scan = token::scan(text);
    let braces = split::match_braces(&scan.tokens);
    let patched = scan.patch(text);
    let lines = token::line_starts(text);
    let flawed = scan.flawed_lines(&lines);
    let mut reader = FileReader {
        source,
        text: &patched,
        known,
        splitter: Splitter {
            text: &patched,
            tokens: &scan.tokens,
            braces: &braces,
        },
        lines: &lines,
        flawed: &flawed,
        diagnostics: flaw_diagnostics((source, text), &scan, &braces),
        beginnings: BTreeSet::new(),
    };
    let items = reader.items(0..scan.tokens.len());
    let FileReader {
        mut diagnostics,
        beginnings,
        ..
    } = reader;
    diagnostics.sort_by_key(|diagnostic| diagnostic.span().start);
    Parsed {
        file: tree::File { items },
        diagnostics,
        beginnings,
    }
}

/// Reads one expression; `offset` is where the text begins in its source.
pub fn parse_expr(source: SourceId, text: &str, offset: usize) -> Result<tree::Expr, Diagnostic> {
    if let Some(problem) = mistakes::unreadable(source, text) {
        return Err(problem);
    }
    let scan = token::scan(text);
    let braces = split::match_braces(&scan.tokens);
    let chunk = Chunk { source, text, offset };
    if let Some(index) = braces.deep.first() {
        return Err(mistakes::deep_nesting(
            chunk.span(scan.tokens[*index].start, scan.tokens[*index].end),
        ));
    }
    let mut builder = Builder::new(chunk);
    let expr = builder.whole_expr(chunk)?;
    match builder.diagnostics.into_iter().next() {
        Some(diagnostic) => Err(diagnostic),
        None => Ok(expr),
    }
}

fn flaw_diagnostics((source, text): (SourceId, &str), scan: &Scan, braces: &Braces) -> Vec<Diagnostic> {
    let span_of = |index: &usize| Span::new(source, scan.tokens[*index].start, scan.tokens[*index].end);
    let flaws = scan
        .flaws
        .iter()
        .take(MOST_MISTAKES)
        .map(|flaw| flaw_diagnostic((source, text), flaw));
    let open = braces
        .open
        .iter()
        .take(MOST_MISTAKES)
        .map(|index| mistakes::open_brace(span_of(index)));
    let stray = braces.stray.iter().take(MOST_MISTAKES).map(|index| {
        match unopened_above(&text[..scan.tokens[*index].start]) {
            Some((head, line)) => mistakes::brace_of(span_of(index), head, line),
            None => mistakes::stray_brace(span_of(index)),
        }
    });
    flaws.chain(open).chain(stray).collect()
}

/// The declaration without a brace under which the lines stand that a text ends with, and its line.
fn unopened_above(text: &str) -> Option<(&str, usize)> {
    let lines = text.lines().enumerate().collect::<Vec<_>>();
    let told = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    let mut above = { lines.into_iter().rev() }
        .filter(|(_, line)| told(line))
        .peekable();
    above.next_if(|(_, line)| line.starts_with(char::is_whitespace))?;
    let (number, head) = above.find(|(_, line)| !line.starts_with(char::is_whitespace))?;
    let begins = head.split_whitespace().next().is_some_and(words::names_something);
    (begins && !head.contains(['{', '}'])).then_some((head.trim_end(), number + 1))
}

fn flaw_diagnostic((source, text): (SourceId, &str), flaw: &Flaw) -> Diagnostic {
    let letters = &text[flaw.start..flaw.end];
    let span = Span::new(source, flaw.start, flaw.end);
    match flaw.kind {
        FlawKind::OpenText => mistakes::open_text(span),
        FlawKind::OpenScript => mistakes::open_script(Span::new(source, flaw.start, flaw.start + 3)),
        FlawKind::CurlyQuotes => {
            let inside = letters.trim_matches(|letter| "“”„‟«»‘’‚\"".contains(letter));
            mistakes::curly_quotes(span).writes(format!("\"{inside}\""))
        }
        FlawKind::QuotesInSlot => mistakes::quotes_in_slot(span),
        FlawKind::HashComment => {
            let remark = letters.trim_start_matches('#');
            mistakes::hash_comment(span).writes(format!("//{remark}"))
        }
        FlawKind::LongText => mistakes::long_text(span),
    }
}

/// Goes through the declarations of a file.
struct FileReader<'t> {
    source: SourceId,
    text: &'t str,
    known: &'t Known<'t>,
    splitter: Splitter<'t>,
    lines: &'t [usize],
    flawed: &'t BTreeSet<usize>,
    diagnostics: Vec<Diagnostic>,
    beginnings: BTreeSet<usize>,
}

impl<'t> FileReader<'t> {
    fn items(&mut self, tokens: Range<usize>) -> Vec<Arc<tree::Item>> {
        let declarations = self.splitter.declarations(tokens);
        let is_overlay = |range: &&Range<usize>| self.splitter.first_word(range) == "overlay";
        let overlay = declarations.iter().filter(is_overlay).nth(MOST_OVERLAYS);
        let beyond = [
            (overlay.cloned(), MOST_OVERLAYS, "overlays"),
            (
                declarations.get(MOST_DECLARATIONS).cloned(),
                MOST_DECLARATIONS,
                "declarations",
            ),
        ];
        let mut end = declarations.len();
        for (range, most, what) in beyond {
            let Some(range) = range else { continue };
            let word = self.chunk(&(range.start..range.start + 1));
            let span = word.span(0, word.text.len());
            self.report(vec![mistakes::too_many(span, most, what)]);
            end = end.min(declarations.partition_point(|other| other.start < range.start));
        }
        declarations
            .into_iter()
            .take(end)
            .filter_map(|range| self.item_or_overlay(range))
            .collect()
    }

    fn item_or_overlay(&mut self, range: Range<usize>) -> Option<Arc<tree::Item>> {
        self.beginnings.insert(self.splitter.tokens[range.start].start);
        match self.splitter.first_word(&range) {
            "overlay" => self.overlay(range),
            "on" => self.no_section(range),
            _ => self.item(range),
        }
    }

    fn chunk(&self, range: &Range<usize>) -> Chunk<'t> {
        let tokens = &self.splitter.tokens[range.clone()];
        let start = tokens.first().map_or(0, |token| token.start);
        let end = tokens.last().map_or(start, |token| token.end);
        Chunk {
            source: self.source,
            text: &self.text[start..end],
            offset: start,
        }
    }

    fn item(&mut self, range: Range<usize>) -> Option<Arc<tree::Item>> {
        if self.diagnostics.len() >= MOST_MISTAKES || self.is_too_deep(&range) || self.has_open_brace(&range)
        {
            return None;
        }
        let chunk = self.chunk(&range);
        if let Some(item) = self.known.tree(chunk) {
            return Some(item);
        }
        match run(chunk, Rule::one_item) {
            Ok(pair) => Some(Arc::new(
                self.build(chunk, pair, |builder, pair| builder.one_item(pair)),
            )),
            Err(error) => {
                self.report(recover::all_mistakes(chunk, error));
                self.report_texts(&range);
                None
            }
        }
    }

    /// Looks into the texts of a declaration of which no tree was built.
    fn report_texts(&mut self, range: &Range<usize>) {
        let texts = self.splitter.tokens[range.clone()]
            .iter()
            .filter(|token| token.kind == TokenKind::Text);
        for token in texts {
            let chunk = Chunk {
                source: self.source,
                text: token.text(self.text),
                offset: token.start,
            };
            let mut builder = Builder::new(chunk);
            builder.literal_alone(chunk);
            self.report(builder.diagnostics);
        }
    }

    fn overlay(&mut self, range: Range<usize>) -> Option<Arc<tree::Item>> {
        let (chunk, head, inside) = self.braced(&range);
        let built = self.head(head, Rule::one_overlay_head, Builder::overlay_head);
        let items = self.items_inside(&range, inside, Self::section);
        let (name, title, bases) = built?;
        let kind = tree::ItemKind::Overlay {
            name,
            title,
            bases,
            items,
        };
        Some(around(chunk, kind))
    }

    /// The head of a declaration with declarations inside.
    fn head<T>(
        &mut self,
        head: Chunk<'t>,
        rule: Rule,
        build: fn(&mut Builder, Pair<'t, Rule>) -> T,
    ) -> Option<T> {
        match run(head, rule) {
            Ok(pair) => Some(self.build(head, pair, build)),
            Err(error) => {
                self.report(vec![blame::blame(head, &error)]);
                None
            }
        }
    }

    /// The declarations between the braces of another, behind which nothing follows; an overlay among them is a
    /// mistake.
    fn items_inside(
        &mut self,
        range: &Range<usize>,
        inside: Range<usize>,
        section: fn(&mut Self, Range<usize>) -> Option<Arc<tree::Item>>,
    ) -> Vec<Arc<tree::Item>> {
        let (mut items, close) = (Vec::new(), inside.end);
        for inner in self.splitter.declarations(inside) {
            self.beginnings.insert(self.splitter.tokens[inner.start].start);
            match self.splitter.first_word(&inner) {
                "overlay" => self.misplaced(&inner, mistakes::nested_overlay),
                "on" => items.extend(section(self, inner)),
                _ => items.extend(self.item(inner)),
            }
        }
        self.expect_end_after(close, range);
        items
    }

    /// A section where none can stand.
    fn no_section(&mut self, range: Range<usize>) -> Option<Arc<tree::Item>> {
        self.misplaced(&range, mistakes::misplaced_section);
        None
    }

    /// `on town { … }`; another section or an overlay among its declarations is a mistake.
    fn section(&mut self, range: Range<usize>) -> Option<Arc<tree::Item>> {
        let (chunk, head, inside) = self.braced(&range);
        let built = self.head(head, Rule::one_section_head, Builder::section_head);
        let items = self.items_inside(&range, inside, Self::no_section);
        let kind = tree::ItemKind::Section { bases: built?, items };
        Some(around(chunk, kind))
    }

    /// All of a declaration with a block, its head up to the opening brace, and the tokens between
    /// the braces.
    fn braced(&self, range: &Range<usize>) -> (Chunk<'t>, Chunk<'t>, Range<usize>) {
        let open = range
            .clone()
            .find(|index| self.splitter.tokens[*index].kind == TokenKind::Open);
        let head = range.start..open.map_or(range.end, |open| open + 1);
        let close = open
            .and_then(|open| self.splitter.braces.closing(open))
            .unwrap_or(range.end);
        (self.chunk(range), self.chunk(&head), head.end..close)
    }

    /// Reports a declaration that must not stand here, at its first word.
    fn misplaced(&mut self, range: &Range<usize>, mistake: fn(Span) -> Diagnostic) {
        let word = self.chunk(&(range.start..range.start + 1));
        self.report(vec![mistake(word.span(0, word.text.len()))]);
    }

    /// Nothing may follow the brace that closes an overlay on its line.
    fn expect_end_after(&mut self, close: usize, range: &Range<usize>) {
        let next = (close + 1..range.end).find(|index| self.splitter.tokens[*index].is_solid());
        if let Some(next) = next {
            let chunk = self.chunk(&(next..next + 1));
            self.report(vec![mistakes::missing_end(
                chunk.span(0, chunk.text.len()),
                chunk.text,
            )]);
        }
    }

    fn is_too_deep(&mut self, range: &Range<usize>) -> bool {
        let Some(index) = self.splitter.braces.deep_in(range) else {
            return false;
        };
        let chunk = self.chunk(&(index..index + 1));
        self.report(vec![mistakes::deep_nesting(chunk.span(0, 1))]);
        true
    }

    /// Whether a brace in the run is never closed, which has been reported already.
    fn has_open_brace(&self, range: &Range<usize>) -> bool {
        let open = &self.splitter.braces.open;
        let first = open.partition_point(|index| *index < range.start);
        open.get(first).is_some_and(|index| *index < range.end)
    }

    fn build<T>(
        &mut self,
        chunk: Chunk<'t>,
        pair: Pair<'t, Rule>,
        build: impl FnOnce(&mut Builder, Pair<'t, Rule>) -> T,
    ) -> T {
        let begins = beginnings(&pair).into_iter().map(|at| chunk.offset + at);
        self.beginnings.extend(begins);
        let mut builder = Builder::new(chunk);
        let built = build(&mut builder, pair);
        self.report(builder.diagnostics);
        built
    }

    /// Keeps what is wrong, unless its line holds a broken text or comment that explains it.
    fn report(&mut self, found: Vec<Diagnostic>) {
        let (lines, flawed) = (self.lines, self.flawed);
        let is_news = |diagnostic: &Diagnostic| {
            let line = token::line_of(lines, diagnostic.span().start as usize);
            !flawed.contains(&line)
        };
        self.diagnostics.extend(found.into_iter().filter(is_news));
    }
}

/// Where statements, parts, rows and branches begin in a chunk.
fn beginnings(pair: &Pair<'_, Rule>) -> Vec<usize> {
    let starts = pair.clone().tokens().filter_map(|token| match token {
        PestToken::Start {
            rule: Rule::statement | Rule::part | Rule::cast_row | Rule::table_row | Rule::menu_branch,
            pos,
        } => Some(pos.pos()),
        _ => None,
    });
    starts.collect()
}

/// Turns pairs of one chunk into trees.
pub(super) struct Builder {
    source: SourceId,
    offset: usize,
    /// What is wrong with texts and numbers, which the grammar takes as they come.
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Builder {
    fn new(chunk: Chunk<'_>) -> Self {
        Builder {
            source: chunk.source,
            offset: chunk.offset,
            diagnostics: Vec::new(),
        }
    }

    fn report(&mut self, mistake: Diagnostic) {
        self.diagnostics.push(mistake);
    }

    /// What follows one another by a rule, each read.
    fn each<'t, T>(
        &mut self,
        cursor: &mut Cursor<'t>,
        rule: Rule,
        read: fn(&mut Self, Pair<'t, Rule>) -> T,
    ) -> Vec<T> {
        std::iter::from_fn(|| self.maybe(cursor, rule, read)).collect()
    }

    /// What comes next, if it is by a rule, read.
    fn maybe<'t, T>(
        &mut self,
        cursor: &mut Cursor<'t>,
        rule: Rule,
        read: fn(&mut Self, Pair<'t, Rule>) -> T,
    ) -> Option<T> {
        cursor.accept(rule).map(|pair| read(self, pair))
    }

    fn span(&self, pair: &Pair<'_, Rule>) -> Span {
        let (start, end) = (pair.as_span().start(), solid_end(pair.clone()));
        Span::new(self.source, self.offset + start, self.offset + end)
    }
}

/// Where the last word or sign of a pair ends. The pair itself may end later: blanks before a part
/// that turned out to be missing belong to it.
fn solid_end(pair: Pair<'_, Rule>) -> usize {
    let mut last = pair;
    loop {
        let inner = last
            .clone()
            .into_inner()
            .rfind(|inner| !inner.as_str().is_empty());
        match inner {
            Some(inner) => last = inner,
            None => return last.as_span().end(),
        }
    }
}

/// Walks over the parts of a pair in order. Keywords and signs are stepped over unless asked for.
struct Cursor<'t> {
    pairs: Pairs<'t, Rule>,
}

impl<'t> Cursor<'t> {
    fn into(pair: Pair<'t, Rule>) -> Self {
        Cursor {
            pairs: pair.into_inner(),
        }
    }

    /// The next part, if it is of this rule.
    fn accept(&mut self, rule: Rule) -> Option<Pair<'t, Rule>> {
        let mut ahead = self.pairs.clone();
        loop {
            let pair = ahead.next()?;
            if pair.as_rule() == rule {
                self.pairs = ahead;
                return Some(pair);
            }
            if !is_noise(pair.as_rule()) {
                return None;
            }
        }
    }

    /// Whether the next part is of this rule; it is stepped over then.
    fn has(&mut self, rule: Rule) -> bool {
        self.accept(rule).is_some()
    }

    /// The next part, which the grammar says is of this rule.
    fn presume(&mut self, rule: Rule) -> Pair<'t, Rule> {
        self.accept(rule)
            .unwrap_or_else(|| panic!("the grammar puts {rule:?} here"))
    }

    /// The next part of whatever rule, keywords and signs left out.
    fn next(&mut self) -> Option<Pair<'t, Rule>> {
        self.pairs.by_ref().find(|pair| !is_noise(pair.as_rule()))
    }

    /// The next part, which the grammar says is there.
    fn presume_next(&mut self) -> Pair<'t, Rule> {
        self.next().expect("the grammar puts something here")
    }

    /// All parts of this rule that follow one another.
    fn all(&mut self, rule: Rule) -> Vec<Pair<'t, Rule>> {
        std::iter::from_fn(|| self.accept(rule)).collect()
    }
}

/// The only part of a pair that is neither keyword nor sign.
fn only(pair: Pair<'_, Rule>) -> Pair<'_, Rule> {
    Cursor::into(pair).presume_next()
}

// INVARIANT: the grammar file has its signs in one run and its keywords last.
fn is_noise(rule: Rule) -> bool {
    rule >= Rule::kw_add || (Rule::terminator..=Rule::over_sign).contains(&rule) || rule == Rule::EOI
}

/// A declaration with others inside it.
fn around(chunk: Chunk<'_>, kind: tree::ItemKind) -> Arc<tree::Item> {
    Arc::new(tree::Item {
        kind,
        word: words::first(chunk.text),
        span: chunk.span(0, chunk.text.len()),
    })
}
