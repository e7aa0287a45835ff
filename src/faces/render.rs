//! Diagnostics as words on a screen, as one line each, and as JSON for programs.
//!
//! Our own `Diagnostic` is the truth; the graphical form borrows its drawing from a crate, the other
//! forms are written here. The JSON form is stable and versioned: `docs/reference/json.md`.
#![expect(
    clippy::disallowed_methods,
    reason = "asks the environment whether colour is wanted"
)]

use std::{
    borrow::{Borrow, Cow},
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    fmt, io,
};

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteError, MietteSpanContents, SourceCode,
    SourceSpan, SpanContents,
};
use serde::Serialize;
use textwrap::WordSplitter;

use omerta_core::{
    codes,
    diagnostic::{Diagnostic, Label, Severity},
    source::{Source, SourceId, Sources, Span},
};
use omerta_play::{events::json_line, words::listed};
use omerta_workbench::Workbench;

/// More diagnostics than this help nobody who reads them.
const SHOWN: usize = 50;
/// A snippet leaves out a line longer than this.
const LONG_LINE: usize = 400;
/// A label over more lines than this shrinks to its first.
const TALL_LABEL: usize = 8;
/// The version of the JSON form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// For whom diagnostics are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Format {
    /// Drawn snippets with labels and help.
    Human,
    /// One line each: `path:line:column: error[CODE]: message`.
    Short,
    /// One JSON document.
    Json,
}

/// How the human form looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    /// Escape codes for colour.
    pub colour: Colour,
    /// Drawn or told.
    pub shape: Shape,
    /// Columns on the screen.
    pub width: usize,
}

/// Whether escape codes for colour are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// They are.
    On,
    /// They are not.
    Off,
}

/// How the human form shows a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// With the lines of the text and marks under them.
    Drawn,
    /// In sentences, for a screen reader.
    Narrated,
}

impl Style {
    /// What a file or a pipe gets, and what tests pin.
    pub const PLAIN: Style = Style {
        colour: Colour::Off,
        shape: Shape::Drawn,
        width: 100,
    };

    /// What suits a stream: colour on a terminal unless `NO_COLOR` is set, the width from `COLUMNS` or of the terminal.
    pub fn of_stream(stream: &impl io::IsTerminal) -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let colour = if stream.is_terminal() && !set("NO_COLOR") && !dumb {
            Colour::On
        } else {
            Colour::Off
        };
        let columns = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok());
        let of_terminal = || {
            let (columns, _) = terminal_size::terminal_size().filter(|_| stream.is_terminal())?;
            Some(usize::from(columns.0))
        };
        let width = columns
            .or_else(of_terminal)
            .unwrap_or(Style::PLAIN.width)
            .clamp(40, 200);
        Style {
            colour,
            shape: Shape::Drawn,
            width,
        }
    }

    /// The same, told in sentences.
    #[must_use]
    pub fn narrated(self) -> Self {
        Style {
            shape: Shape::Narrated,
            ..self
        }
    }
}

/// Diagnostics drawn with the places in the texts of a workbench.
pub trait Renders {
    /// The diagnostics as text.
    fn render(&self, diagnostics: &[Diagnostic], format: Format, style: Style) -> String;
}

impl Renders for Workbench {
    fn render(&self, diagnostics: &[Diagnostic], format: Format, style: Style) -> String {
        self.with_sources(|sources| render(sources, diagnostics, format, style))
    }
}

/// Writes diagnostics in a format. The human and the short form end with a summary and stop after
/// fifty; JSON holds them all. Without diagnostics the first two are empty.
pub fn render(sources: &Sources, diagnostics: &[Diagnostic], format: Format, style: Style) -> String {
    match format {
        Format::Human => {
            let texts = undrawn(sources);
            let told = told_once(sources, diagnostics);
            render_list(&told, "\n", |diagnostic| {
                human(sources, &texts, diagnostic, style)
            })
        }
        Format::Short => render_list(diagnostics, "", |diagnostic| short(sources, diagnostic)),
        Format::Json => json(sources, diagnostics),
    }
}

/// What one line mends for all places is told at the first, with the lines of the others.
fn told_once<'d>(sources: &Sources, diagnostics: &'d [Diagnostic]) -> Vec<Cow<'d, Diagnostic>> {
    let mut told: Vec<Cow<'_, Diagnostic>> = Vec::new();
    let mut again: BTreeMap<(&str, SourceId), (usize, BTreeSet<usize>)> = BTreeMap::new();
    for diagnostic in diagnostics {
        if diagnostic.code == codes::NOT_PUBLISHED {
            let span = diagnostic.span();
            let first = again.entry((&diagnostic.message, span.source));
            let (first, lines) = first.or_insert((told.len(), BTreeSet::new()));
            if *first < told.len() {
                lines.insert(sources.get(span.source).place(span.start as usize).line);
                continue;
            }
        }
        told.push(Cow::Borrowed(diagnostic));
    }
    for (first, lines) in again.into_values().filter(|(_, lines)| !lines.is_empty()) {
        let s = if lines.len() == 1 { "" } else { "s" };
        let lines = listed(lines.iter().map(usize::to_string).collect(), "and");
        let diagnostic = told[first].to_mut();
        let again = format!(
            "`{}` stands in line{s} {lines}, too",
            sources.slice(diagnostic.span())
        );
        diagnostic.help = diagnostic.help.take().map(|help| format!("{help}; {again}"));
    }
    told
}

/// Writes a finished text. A reader who has gone away (`omerta … | head`) is no failure.
pub fn write(out: &mut dyn io::Write, text: &str) -> io::Result<()> {
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        done => done,
    }
}

/// `2 errors, 1 warning`; empty when there is neither.
pub fn summary<D: Borrow<Diagnostic>>(diagnostics: &[D]) -> String {
    let of = |severity| move |d: &&D| (*d).borrow().severity == severity;
    let count = |severity| diagnostics.iter().filter(of(severity)).count();
    let words = |number, word| match number {
        0 => None,
        1 => Some(format!("1 {word}")),
        _ => Some(format!("{number} {word}s")),
    };
    let parts = [
        words(count(Severity::Error), "error"),
        words(count(Severity::Warning), "warning"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn render_list<D: Borrow<Diagnostic>>(
    diagnostics: &[D],
    gap: &str,
    one: impl Fn(&Diagnostic) -> String,
) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(SHOWN) {
        out.push_str(&one(diagnostic.borrow()));
        out.push_str(gap);
    }
    let hidden = diagnostics.len().saturating_sub(SHOWN);
    if hidden > 0 {
        out.push_str(&format!(
            "and {hidden} more; mend these first, or ask for `--format json` to see all\n"
        ));
    }
    if !diagnostics.is_empty() {
        out.push_str(&summary(diagnostics));
        out.push('\n');
    }
    out
}

/// One diagnostic as it is drawn in a file or a pipe, without a summary.
pub fn drawn(sources: &Sources, diagnostic: &Diagnostic) -> String {
    human(sources, &undrawn(sources), diagnostic, Style::PLAIN)
}

/// The texts as they may go to a terminal, by their numbers: each from when something is first drawn in it.
type Texts<'a> = Vec<OnceCell<Cow<'a, str>>>;

fn undrawn<'a>(sources: &Sources) -> Texts<'a> {
    sources.iter().map(|_| OnceCell::new()).collect()
}

fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

fn short(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let severity = severity_word(diagnostic.severity);
    let message = diagnostic.message.replace('\n', " ");
    let line = format!("{severity}[{}]: {}", diagnostic.code.0, visible(&message));
    match diagnostic.labels.first() {
        Some(label) => format!("{}: {line}\n", place_words(sources, label.span)),
        None => format!("{line}\n"),
    }
}

/// `city.mafia:3:6`
fn place_words(sources: &Sources, span: Span) -> String {
    let source = sources.get(span.source);
    let place = source.place(span.start as usize);
    format!("{}:{}:{}", visible(&source.name), place.line, place.column)
}

/// The repair, and for a warning how to silence it.
fn help_words(diagnostic: &Diagnostic) -> Option<String> {
    let silence = diagnostic
        .lint
        .map(|lint| format!("if it is meant, write `// allow {lint}` above it"));
    let parts: Vec<String> = diagnostic.help.clone().into_iter().chain(silence).collect();
    (!parts.is_empty()).then(|| visible(&parts.join("\n")).into_owned())
}

// ---- The human form -----------------------------------------------------------------------------

fn human<'t>(sources: &'t Sources, texts: &Texts<'t>, diagnostic: &Diagnostic, style: Style) -> String {
    let too_long = |label: &Label| {
        let source = sources.get(label.span.source);
        source
            .line_range(source.place(label.span.start as usize).line)
            .len()
            > LONG_LINE
    };
    if style.shape == Shape::Narrated || diagnostic.labels.iter().any(too_long) {
        return narrated(sources, diagnostic);
    }
    let theme = match style.colour {
        Colour::On => GraphicalTheme::unicode(),
        Colour::Off => GraphicalTheme::unicode_nocolor(),
    };
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_links(false)
        // A name is not broken at its hyphens: it is to be copied.
        .with_word_splitter(WordSplitter::NoHyphenation)
        .with_width(style.width);
    let mut out = String::new();
    match handler.render_report(&mut out, &Drawn::new(sources, texts, diagnostic)) {
        Ok(()) => out,
        Err(_) => narrated(sources, diagnostic),
    }
}

/// The same facts in sentences: a screen reader gets nothing from marks under a line.
fn narrated(sources: &Sources, diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    let severity = severity_word(diagnostic.severity);
    let mut line = |words: fmt::Arguments<'_>| out.push_str(&format!("{words}\n"));
    line(format_args!(
        "{severity} {}: {}",
        diagnostic.code.0,
        visible(&diagnostic.message)
    ));
    for label in &diagnostic.labels {
        let source = sources.get(label.span.source);
        let place = source.place(label.span.start as usize);
        let words = if label.text.is_empty() {
            "here"
        } else {
            &label.text
        };
        let (name, words) = (visible(&source.name), visible(words));
        line(format_args!(
            "In {name}, line {}, column {}: {words}.",
            place.line, place.column
        ));
        line(format_args!(
            "  The line reads: {}",
            excerpt(source, label.span).trim()
        ));
    }
    if let Some(help) = help_words(diagnostic) {
        line(format_args!("Help: {}", help.replace('\n', "; ")));
    }
    out
}

/// The line a span begins in, or what stands around the span when the line is long.
fn excerpt(source: &Source, span: Span) -> Cow<'_, str> {
    let line = source.line_range(source.place(span.start as usize).line);
    if line.len() <= LONG_LINE {
        return visible(source.text.get(line).unwrap_or(""));
    }
    let start = (span.start as usize).clamp(line.start, line.end);
    let from = source
        .text
        .floor_char_boundary(start.saturating_sub(LONG_LINE / 4).max(line.start));
    let to = source
        .text
        .floor_char_boundary((start + LONG_LINE / 4).min(line.end));
    Cow::Owned(format!("… {} …", visible(&source.text[from..to])))
}

/// A diagnostic in the shape the drawing crate asks for. All texts lie end to end in one run of
/// offsets, with a gap between them, so that one diagnostic can point into several files.
struct Drawn<'a> {
    diagnostic: &'a Diagnostic,
    texts: Vec<DrawnText<'a>>,
    message: Cow<'a, str>,
    help: Option<String>,
}

/// One text of those a diagnostic points into.
struct DrawnText<'a> {
    id: SourceId,
    source: &'a Source,
    /// As it is printed: as long as the original, byte for byte.
    text: &'a str,
    /// The offset of its first byte among all.
    base: usize,
}

impl<'a> Drawn<'a> {
    fn new<'t: 'a>(sources: &'t Sources, printable: &'a Texts<'t>, diagnostic: &'a Diagnostic) -> Self {
        // The main file comes first, for the drawing follows the offsets.
        let mut texts: Vec<DrawnText<'_>> = Vec::new();
        for label in &diagnostic.labels {
            let id = label.span.source;
            if texts.iter().all(|text| text.id != id) {
                let base = texts.last().map_or(0, |text| text.base + text.text.len() + 1);
                let source = sources.get(id);
                texts.push(DrawnText {
                    id,
                    source,
                    text: printable[id.0 as usize].get_or_init(|| visible(&source.text)),
                    base,
                });
            }
        }
        Drawn {
            diagnostic,
            texts,
            message: visible(&diagnostic.message),
            help: help_words(diagnostic),
        }
    }

    fn label(&self, index: usize, label: &Label) -> Option<LabeledSpan> {
        let text = self.texts.iter().find(|text| text.id == label.span.source)?;
        let (start, end) = text.drawable(label.span);
        let words = (!label.text.is_empty()).then(|| visible(&label.text).into_owned());
        let span = (text.base + start, end - start);
        Some(match index {
            0 => LabeledSpan::new_primary_with_span(words, span),
            _ => LabeledSpan::new_with_span(words, span),
        })
    }
}

impl DrawnText<'_> {
    /// The part of a span that can be drawn: within the text, not behind its last letter, not over
    /// more lines than help, and on letter borders.
    fn drawable(&self, span: Span) -> (usize, usize) {
        let last = self.text.trim_end().len();
        let start = (span.start as usize).min(last);
        let mut end = (span.end as usize).clamp(start, self.text.len());
        let line = self.source.place(start).line;
        if self.source.place(end).line - line > TALL_LABEL {
            end = self.source.line_range(line).end.max(start);
        }
        (
            self.text.floor_char_boundary(start),
            self.text.ceil_char_boundary(end),
        )
    }
}

impl SourceCode for Drawn<'_> {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        after: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let (start, end) = (span.offset(), span.offset() + span.len());
        let holds = |text: &&DrawnText<'_>| text.base <= start && end <= text.base + text.text.len();
        let DrawnText {
            source, text, base, ..
        } = self.texts.iter().find(holds).ok_or(MietteError::OutOfBounds)?;
        let place = source.place(start - base);
        let last = source
            .place((end - base).saturating_sub(1).max(start - base))
            .line;
        let short = |line: &usize| source.line_range(*line).len() <= LONG_LINE;
        let from = (place.line.saturating_sub(before).max(1)..place.line)
            .find(short)
            .unwrap_or(place.line);
        let to = (last + 1..=(last + after).min(source.line_count()))
            .take_while(short)
            .last()
            .unwrap_or(last);
        let bytes = source.line_range(from).start..source.line_range(to).end;
        let column = if before == 0 { place.column - 1 } else { 0 };
        Ok(Box::new(MietteSpanContents::new_named(
            visible(&source.name).into_owned(),
            &text.as_bytes()[bytes.clone()],
            (base + bytes.start, bytes.len()).into(),
            from - 1,
            column,
            to - from + 1,
        )))
    }
}

impl miette::Diagnostic for Drawn<'_> {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(format!(
            "{}[{}]",
            severity_word(self.diagnostic.severity),
            self.diagnostic.code.0
        )))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Error => miette::Severity::Error,
            Severity::Warning => miette::Severity::Warning,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help
            .as_ref()
            .map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let labels = self.diagnostic.labels.iter().enumerate();
        Some(Box::new(
            labels.filter_map(|(index, label)| self.label(index, label)),
        ))
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(self)
    }
}

impl fmt::Display for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl fmt::Debug for Drawn<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.diagnostic, f)
    }
}

impl std::error::Error for Drawn<'_> {}

/// A text as it may go to a terminal: characters that could move the cursor or turn the direction of
/// writing become marks of the same length.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        let line_end = letter == '\r' && letters.peek() == Some(&'\n');
        match letter.len_utf8() {
            _ if line_end || !is_unseen(letter) => out.push(letter),
            1 => out.push('?'),
            2 => out.push('¿'),
            _ => out.push('\u{fffd}'),
        }
    }
    Cow::Owned(out)
}

fn is_unseen(letter: char) -> bool {
    let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || letter.is_control() && !matches!(letter, '\n' | '\t')
}

// ---- The form for programs ----------------------------------------------------------------------

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    diagnostics: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    code: &'static str,
    severity: Severity,
    message: &'a str,
    lint: Option<&'static str>,
    labels: Vec<EntryLabel<'a>>,
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct EntryLabel<'a> {
    file: &'a str,
    text: &'a str,
    start: EntryPlace,
    end: EntryPlace,
}

/// Lines and columns count from one, columns in characters; bytes count from nought.
#[derive(Serialize)]
struct EntryPlace {
    line: usize,
    column: usize,
    byte: u32,
}

fn json(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let entries = diagnostics.iter().map(|diagnostic| Entry {
        code: diagnostic.code.0,
        severity: diagnostic.severity,
        message: &diagnostic.message,
        lint: diagnostic.lint,
        labels: diagnostic
            .labels
            .iter()
            .map(|label| entry_label(sources, label))
            .collect(),
        help: diagnostic.help.as_deref(),
    });
    let document = Document {
        version: VERSION,
        diagnostics: entries.collect(),
    };
    json_line(&document)
}

fn entry_label<'a>(sources: &'a Sources, label: &'a Label) -> EntryLabel<'a> {
    let source = sources.get(label.span.source);
    let place = |byte: u32| {
        let place = source.place(byte as usize);
        EntryPlace {
            line: place.line,
            column: place.column,
            byte,
        }
    };
    let (start, end) = (place(label.span.start), place(label.span.end));
    EntryLabel {
        file: &source.name,
        text: &label.text,
        start,
        end,
    }
}
