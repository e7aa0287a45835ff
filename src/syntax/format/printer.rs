//! Writes an outline: indentation, spaces between words, which blocks stay on one line, columns of
//! cast tables.

use crate::format::outline::{Block, Line, Lines, Piece, Remark};

/// How wide a line with a block on it may be.
const WIDTH: usize = 100;
/// How far a block is indented.
const INDENT: usize = 2;
/// How far a line is indented that goes on below.
const HANGING: usize = 4;

/// What the lines of a block are.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineKind {
    /// Declarations: those of several lines are set apart by blank lines.
    Declarations,
    /// Rows of a cast table.
    Rows,
    /// Scenarios and what stands before them: each scenario is set apart.
    Scenarios,
    /// All else.
    Statements,
}

/// Writes a file of scenarios.
pub(super) fn print_scenarios(file: &Lines<'_>) -> String {
    let mut printer = Printer { out: String::new() };
    printer.lines(file, LineKind::Scenarios, 0);
    printer.out
}

/// Writes a file.
pub(super) fn print(file: &Lines<'_>) -> String {
    let mut printer = Printer { out: String::new() };
    printer.lines(file, LineKind::Declarations, 0);
    printer.out
}

struct Printer {
    out: String,
}

impl Printer {
    fn lines(&mut self, lines: &Lines<'_>, kind: LineKind, indent: usize) {
        let widths = if kind == LineKind::Rows {
            column_widths(&lines.lines)
        } else {
            Vec::new()
        };
        let mut tall_before = false;
        for (index, line) in lines.lines.iter().enumerate() {
            let printed = match kind {
                LineKind::Rows => row(line, &widths, indent),
                _ => LinePrinter::print(line, kind, indent),
            };
            let tall = printed.contains('\n');
            let apart = match kind {
                LineKind::Declarations => index > 0 && (tall || tall_before),
                LineKind::Scenarios => index > 0 && begins_part(line),
                LineKind::Rows | LineKind::Statements => false,
            };
            self.remarks(&line.remarks, apart, indent);
            if line.blank_above || (apart && line.remarks.is_empty()) {
                self.out.push('\n');
            }
            self.out.push_str(&printed);
            self.end_line(line.remark);
            tall_before = tall;
        }
        let apart = tall_before && kind == LineKind::Declarations;
        self.remarks(&lines.closing, apart, indent);
    }

    fn remarks(&mut self, remarks: &[Remark<'_>], apart: bool, indent: usize) {
        for (index, remark) in remarks.iter().enumerate() {
            if remark.blank_above || (apart && index == 0) {
                self.out.push('\n');
            }
            self.out.push_str(&" ".repeat(indent));
            self.end_line_with(remark.text);
        }
    }

    fn end_line(&mut self, remark: Option<&str>) {
        match remark {
            Some(remark) => {
                self.out.push_str("  ");
                self.end_line_with(remark);
            }
            None => self.out.push('\n'),
        }
    }

    fn end_line_with(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }
}

/// Writes one line with its blocks, the last line end left out.
struct LinePrinter {
    out: String,
    indent: usize,
    /// A word must begin a new line.
    breaks: bool,
    last: String,
}

impl LinePrinter {
    fn print(line: &Line<'_>, kind: LineKind, indent: usize) -> String {
        let inner = inner_kind(line, kind);
        if has_short_blocks(line) {
            let flat = Self::pieces(line, None, indent);
            if flat.lines().all(|line| line.chars().count() <= WIDTH) || !has_blocks(line) {
                return flat;
            }
        }
        Self::pieces(line, Some(inner), indent)
    }

    /// Writes the pieces, blocks opened up as lines of a kind or, without one, on one line.
    fn pieces(line: &Line<'_>, open: Option<LineKind>, indent: usize) -> String {
        let mut printer = LinePrinter {
            out: " ".repeat(indent),
            indent,
            breaks: false,
            last: String::new(),
        };
        for piece in &line.pieces {
            match piece {
                Piece::Word(word) => printer.word(word),
                Piece::Break => printer.breaks = true,
                Piece::Remark(remark) => printer.remark(remark),
                Piece::Block(block) => printer.block(block, open),
            }
        }
        printer.out
    }

    fn word(&mut self, word: &str) {
        self.space_before(word);
        self.out.push_str(word);
        self.last = word.to_string();
    }

    fn space_before(&mut self, word: &str) {
        if self.breaks {
            self.out.push('\n');
            let hanging = if word.starts_with("\"\"\"") { 0 } else { HANGING };
            self.out.push_str(&" ".repeat(self.indent + hanging));
            self.breaks = false;
        } else if !self.last.is_empty() && spaced(&self.last, word) {
            self.out.push(' ');
        }
    }

    fn remark(&mut self, remark: &str) {
        if self.breaks {
            self.space_before("");
        } else {
            self.out.push_str("  ");
        }
        self.out.push_str(remark);
        self.breaks = true;
    }

    fn block(&mut self, block: &Block<'_>, open: Option<LineKind>) {
        self.space_before("{");
        match open {
            Some(kind) if !is_empty(block) => self.open_block(block, kind),
            _ => self.short_block(block),
        }
        self.last = "}".to_string();
    }

    fn open_block(&mut self, block: &Block<'_>, kind: LineKind) {
        self.out.push('{');
        let mut inner = Printer { out: String::new() };
        inner.end_line(block.remark);
        inner.lines(&block.body, kind, self.indent + INDENT);
        self.out.push_str(&inner.out);
        self.out.push_str(&" ".repeat(self.indent));
        self.out.push('}');
    }

    fn short_block(&mut self, block: &Block<'_>) {
        self.out.push_str("{ ");
        for line in &block.body.lines {
            self.out.push_str(&Self::pieces(line, None, 0));
            self.out.push(' ');
        }
        self.out.push('}');
    }
}

/// Whether a line begins a scenario, or lines for several.
fn begins_part(line: &Line<'_>) -> bool {
    matches!(line.pieces.first(), Some(Piece::Word("play" | "common")))
}

/// What stands in the blocks of a line.
fn inner_kind(line: &Line<'_>, kind: LineKind) -> LineKind {
    let word = |index| match line.pieces.get(index) {
        Some(Piece::Word(word)) => *word,
        _ => "",
    };
    let first = if word(0) == "replace" { word(1) } else { word(0) };
    match first {
        "overlay" | "on" if kind == LineKind::Declarations => LineKind::Declarations,
        "cast" | "define" if kind == LineKind::Declarations => LineKind::Rows,
        _ => LineKind::Statements,
    }
}

fn has_blocks(line: &Line<'_>) -> bool {
    line.pieces.iter().any(|piece| matches!(piece, Piece::Block(_)))
}

/// Whether every block of a line may stay on one line.
fn has_short_blocks(line: &Line<'_>) -> bool {
    line.pieces.iter().all(|piece| match piece {
        Piece::Block(block) => is_short(block),
        _ => true,
    })
}

fn is_short(block: &Block<'_>) -> bool {
    is_empty(block)
        || (block.on_one_line && block.body.lines.len() <= 1 && block.body.lines.iter().all(has_short_blocks))
}

fn is_empty(block: &Block<'_>) -> bool {
    block.body.lines.is_empty() && block.body.closing.is_empty() && block.remark.is_none()
}

/// Whether a space stands between two words.
fn spaced(before: &str, after: &str) -> bool {
    !matches!(before, "(" | "[" | "..") && !matches!(after, "," | ":" | ")" | "]" | "..")
}

/// The cells of a row; `4..5` is one.
fn cells(line: &Line<'_>) -> Vec<String> {
    let mut cells: Vec<String> = Vec::new();
    let mut joins = false;
    for piece in &line.pieces {
        let Piece::Word(word) = piece else { continue };
        joins = joins || *word == "..";
        match cells.last_mut() {
            Some(cell) if joins => cell.push_str(word),
            _ => cells.push(word.to_string()),
        }
        joins = matches!(*word, ".." | "-");
    }
    cells
}

fn column_widths(rows: &[Line<'_>]) -> Vec<usize> {
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        for (column, cell) in cells(row).iter().enumerate() {
            let width = cell.chars().count();
            match widths.get_mut(column) {
                Some(widest) => *widest = width.max(*widest),
                None => widths.push(width),
            }
        }
    }
    widths
}

fn row(line: &Line<'_>, widths: &[usize], indent: usize) -> String {
    let cells = cells(line);
    let padded = cells.iter().zip(widths).map(|(cell, width)| {
        let blanks = width.saturating_sub(cell.chars().count());
        format!("{cell}{}", " ".repeat(blanks))
    });
    let row = padded.collect::<Vec<_>>().join("  ");
    format!("{}{}", " ".repeat(indent), row.trim_end())
}
