//! What a rulebook is made of: headings, paragraphs, lists and tables, before they are Markdown or HTML.

use omerta_play::words::with_a_capital;
use std::collections::BTreeSet;

/// Words inside a line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Inline {
    /// Plain words.
    Words(String),
    /// Words that matter.
    Strong(String),
    /// Words that are read aloud or shown.
    Said(String),
    /// A name that is told about elsewhere on the page, under this anchor.
    Term(String, String),
}

/// A line with what belongs under it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Line {
    /// What it says.
    pub words: Vec<Inline>,
    /// What belongs under it.
    pub inner: Vec<Line>,
    /// Where links lead that are about it.
    pub anchor: Option<String>,
    /// The question that is put to players, in its own words.
    pub asks: Option<String>,
}

/// A part of a page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// A heading; the title of the page is of level 1.
    Heading { level: u8, text: String, anchor: String },
    /// A paragraph.
    Paragraph(Vec<Inline>),
    /// A list; a numbered one says an order.
    List { numbered: bool, lines: Vec<Line> },
    /// A table with a head.
    Table {
        head: Vec<String>,
        rows: Vec<Vec<String>>,
    },
}

impl Line {
    /// A line of words.
    pub fn of(words: Vec<Inline>) -> Line {
        Line {
            words,
            ..Line::default()
        }
    }

    /// A line of plain words.
    pub fn plain(words: impl Into<String>) -> Line {
        Line::of(vec![Inline::Words(words.into())])
    }

    /// With lines under it.
    pub fn with(self, inner: Vec<Line>) -> Line {
        Line { inner, ..self }
    }

    /// Adds the anchors that it and what is under it lead to.
    pub fn add_terms(&self, found: &mut BTreeSet<String>) {
        add_terms(&self.words, found);
        self.inner.iter().for_each(|line| line.add_terms(found));
    }

    /// As the goal of links.
    pub fn at(self, anchor: String) -> Line {
        Line {
            anchor: Some(anchor),
            ..self
        }
    }
}

fn add_terms(words: &[Inline], found: &mut BTreeSet<String>) {
    found.extend(words.iter().filter_map(|part| match part {
        Inline::Term(_, anchor) => Some(anchor.clone()),
        _ => None,
    }));
}

/// A page in the making.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Page {
    /// What the page is called.
    pub title: String,
    /// What stands on it.
    pub blocks: Vec<Block>,
}

impl Page {
    /// A page with its title.
    pub fn titled(title: &str) -> Page {
        let mut page = Page {
            title: title.to_owned(),
            ..Page::default()
        };
        page.heading(1, title, "top");
        page
    }

    /// The anchors that its words lead to.
    pub fn terms(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for block in &self.blocks {
            match block {
                Block::Paragraph(words) => add_terms(words, &mut found),
                Block::List { lines, .. } => lines.iter().for_each(|line| line.add_terms(&mut found)),
                Block::Heading { .. } | Block::Table { .. } => {}
            }
        }
        found
    }

    /// Adds a heading with an anchor.
    pub fn heading(&mut self, level: u8, text: &str, anchor: &str) {
        self.blocks.push(Block::Heading {
            level,
            text: with_a_capital(text),
            anchor: anchor.to_owned(),
        });
    }

    /// Adds a list under a heading of its own, if there is anything in it.
    pub fn section(&mut self, title: &str, anchor: &str, numbered: bool, lines: Vec<Line>) {
        if !lines.is_empty() {
            self.heading(2, title, anchor);
            self.list(numbered, lines);
        }
    }

    /// Adds a paragraph, if there is anything in it.
    pub fn paragraph(&mut self, words: Vec<Inline>) {
        if !words.is_empty() {
            self.blocks.push(Block::Paragraph(words));
        }
    }

    /// Adds a paragraph of plain words, if there are any.
    pub fn plain(&mut self, words: &str) {
        if !words.is_empty() {
            self.paragraph(vec![Inline::Words(words.to_owned())]);
        }
    }

    /// Adds a list, if there is anything in it.
    pub fn list(&mut self, numbered: bool, lines: Vec<Line>) {
        if !lines.is_empty() {
            self.blocks.push(Block::List { numbered, lines });
        }
    }

    /// Adds a table, if it has rows.
    pub fn table(&mut self, head: &[&str], rows: Vec<Vec<String>>) {
        if !rows.is_empty() {
            let head = head.iter().map(|cell| (*cell).to_owned()).collect();
            self.blocks.push(Block::Table { head, rows });
        }
    }
}
