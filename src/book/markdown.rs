//! A page as Markdown.

use crate::page::{Block, Inline, Line, Page};

/// The page as Markdown.
pub fn markdown(page: &Page) -> String {
    let mut out = String::new();
    for block in &page.blocks {
        if !out.is_empty() {
            out.push('\n');
        }
        match block {
            Block::Heading { level, text, .. } => {
                out.push_str(&format!(
                    "{} {}\n",
                    "#".repeat(usize::from(*level)),
                    escaped(text)
                ));
            }
            Block::Paragraph(words) => out.push_str(&format!("{}\n", inlines(words))),
            Block::List { numbered, lines } => list(lines, *numbered, 0, &mut out),
            Block::Table { head, rows } => table(head, rows, &mut out),
        }
    }
    out
}

fn list(lines: &[Line], numbered: bool, indent: usize, out: &mut String) {
    for (number, line) in lines.iter().enumerate() {
        let sign = match numbered {
            true => format!("{}. ", number + 1),
            false => "- ".to_owned(),
        };
        out.push_str(&format!("{}{sign}{}\n", " ".repeat(indent), inlines(&line.words)));
        list(&line.inner, false, indent + sign.len(), out);
    }
}

fn table(head: &[String], rows: &[Vec<String>], out: &mut String) {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells
            .iter()
            .map(|cell| escaped(cell).replace('|', "\\|"))
            .collect();
        format!("| {} |\n", cells.join(" | "))
    };
    out.push_str(&line(head));
    out.push_str(&format!("|{}\n", "---|".repeat(head.len())));
    for row in rows {
        out.push_str(&line(row));
    }
}

fn inlines(words: &[Inline]) -> String {
    let part = |part: &Inline| match part {
        Inline::Words(words) => escaped(words),
        Inline::Strong(words) => {
            let inner = words.trim_end();
            format!("**{}**{}", escaped(inner), &words[inner.len()..])
        }
        Inline::Said(words) => format!("“{}”", escaped(words)),
        Inline::Term(words, _) => format!("*{}*", escaped(words)),
    };
    words.iter().map(part).collect()
}

/// Words of an author mean no mark-up.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for letter in text.chars() {
        if matches!(letter, '\\' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '&') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
