//! What authors wrote above a declaration, as sentences for readers. `///` lines are meant for them;
//! where there are none, the plain remark is taken, without what is for authors: allowances, rulers,
//! and the numbers of a ledger.

use omerta_core::source::{Sources, Span};
use omerta_play::words::with_a_capital;

/// The sentences above a declaration; empty where there are none.
pub fn above(sources: &Sources, span: Span) -> String {
    let told = for_readers(sources, span);
    if !told.is_empty() {
        return told;
    }
    let lines = lines_above(sources, span);
    let plain = lines.iter().filter_map(|line| line.strip_prefix("//"));
    // The first paragraph says what it is; what follows is for whoever changes it.
    let first = plain
        .map(str::trim)
        .skip_while(|line| line.is_empty())
        .take_while(|line| !line.is_empty());
    let kept = first.filter(|line| !is_allowance(line) && !is_ruler(line));
    sentences(&joined(kept))
}

/// The `///` lines above a declaration alone.
pub fn for_readers(sources: &Sources, span: Span) -> String {
    let lines = lines_above(sources, span);
    joined(lines.iter().filter_map(|line| line.strip_prefix("///")))
}

/// The numbers of rulings that stand above a declaration or in its own lines: `Q12`.
pub fn rulings(sources: &Sources, span: Span) -> Vec<String> {
    let source = sources.get(span.source);
    let last = source.place(span.end as usize).line;
    let tail = &source.text[span.end as usize..source.line_range(last).end.max(span.end as usize)];
    let mut text = lines_above(sources, span).join("\n");
    text.push('\n');
    text.push_str(tail);
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|letter: char| !letter.is_alphanumeric()) {
        let digits = word.strip_prefix('Q').unwrap_or("");
        let is_ruling = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        if is_ruling && !found.iter().any(|known| known == word) {
            found.push(word.to_owned());
        }
    }
    found
}

/// Whether nothing stands before it on its line.
pub fn begins_its_line(sources: &Sources, span: Span) -> bool {
    let source = sources.get(span.source);
    let start = span.start as usize;
    let line = source.line_range(source.place(start).line);
    source.text[line.start..start].trim().is_empty()
}

/// The remarks on the lines right above, first to last.
fn lines_above(sources: &Sources, span: Span) -> Vec<&str> {
    let source = sources.get(span.source);
    let line = source.place(span.start as usize).line;
    let remark = |line: &usize| source.text[source.line_range(*line)].trim();
    let above = (1..line).rev().map(|line| remark(&line));
    let mut lines: Vec<&str> = above.take_while(|line| line.starts_with("//")).collect();
    lines.reverse();
    lines
}

fn joined<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    lines
        .map(str::trim)
        .collect::<Vec<_>>()
        .join(" ")
        .trim()
        .to_owned()
}

fn is_allowance(line: &str) -> bool {
    line.starts_with("allow ") || line.starts_with("allow-file ")
}

fn is_ruler(line: &str) -> bool {
    line.contains("----") || line.contains("====")
}

/// The sentences without a ledger's numbers: those before a sentence are left out, and so is a sentence
/// that speaks of one, or of which only a word or two are left.
fn sentences(text: &str) -> String {
    let text = without_brackets(text);
    let told: Vec<String> = text.split_inclusive(". ").filter_map(sentence).collect();
    told.join(" ")
}

fn sentence(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut numbers = 0;
    // `VEND-100 to -107`: a joint is one between two numbers alone.
    while let Some(word) = words.get(numbers) {
        let goes_on = words.get(numbers + 1).is_some_and(|next| is_number(next));
        let is_joint = numbers > 0 && goes_on && matches!(*word, "to" | "and");
        if !is_number(word) && !is_joint {
            break;
        }
        numbers += 1;
    }
    let (numbered, kept) = (numbers > 0, &words[numbers..]);
    let speaks_of_numbers = kept.iter().any(|word| is_number(word));
    let is_left_over = kept.is_empty() || numbered && kept.len() <= 2;
    (!is_left_over && !speaks_of_numbers).then(|| with_a_capital(&kept.join(" ")))
}

/// Without brackets that hold nothing but a ledger's numbers.
fn without_brackets(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('(') {
        let Some(close) = rest[open..].find(')') else {
            break;
        };
        let inside = &rest[open + 1..open + close];
        let is_numbers = inside
            .split([' ', ','])
            .filter(|word| !word.is_empty())
            .all(|word| is_number(word) || word == "to");
        let upto = open + close + 1;
        match is_numbers {
            true => out.push_str(rest[..open].trim_end()),
            false => out.push_str(&rest[..upto]),
        }
        rest = &rest[upto..];
    }
    out.push_str(rest);
    out
}

/// `VEND-012`, `-013,`, `Q45`, `C11`, `MOD-051..054,`, `-161..-164`
fn is_number(word: &str) -> bool {
    let word = word.trim_matches([',', '.', ':', ';']);
    let letters = word.bytes().filter(u8::is_ascii_alphabetic);
    let large = letters.into_iter().all(|letter| letter.is_ascii_uppercase());
    let signs = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '.');
    let ends = word.ends_with(|letter: char| letter.is_ascii_digit());
    large && ends && word.chars().all(signs) && !word.starts_with(|letter: char| letter.is_ascii_digit())
}
