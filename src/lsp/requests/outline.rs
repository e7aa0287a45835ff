//! What a text is made of: its outline, what folds, what is inside of what, and where it leads.

use super::names::location;
use crate::{
    server::{Refusal, Server},
    wire::Lines,
};
use gen_lsp_types::{
    BaseSymbolInformation, DocumentLink, DocumentLinkParams, DocumentSymbol, DocumentSymbolParams,
    DocumentSymbolResponse, FoldingRange, FoldingRangeKind, FoldingRangeParams, SelectionRange,
    SelectionRangeParams, SymbolInformation, SymbolKind, WorkspaceSymbolParams, WorkspaceSymbolResponse,
};
use omerta_core::source::{Sources, Span};
use omerta_syntax::{
    Head, Sort, heads,
    names::Role,
    tree::{Item, ItemKind},
    walk::Space,
};
use omerta_workbench::{
    findings::At,
    lookup::{head_of, title_of},
    project::{FileKind, Project},
};
use std::{ops::Range, path::Path, sync::Arc};

/// How many symbols of a folder are told at once.
const MOST_SYMBOLS: usize = 500;

/// Something in the outline of a text.
pub struct Entry {
    /// Its name.
    pub name: String,
    /// What else is to be told of it.
    pub detail: Option<String>,
    /// The word it begins with.
    pub word: &'static str,
    /// All of it.
    pub whole: Range<usize>,
    /// Its name.
    pub head: Range<usize>,
    /// What is inside.
    pub inside: Vec<Entry>,
}

impl Entry {
    /// With nothing inside.
    fn alone(word: &'static str, name: &str, whole: Range<usize>, head: Range<usize>) -> Entry {
        Entry {
            name: name.to_owned(),
            detail: Some(word.to_owned()),
            word,
            whole,
            head,
            inside: Vec::new(),
        }
    }
}

/// The outline of a text.
pub fn entries(project: &Project, path: &Path, text: &str) -> Vec<Entry> {
    if FileKind::of(path) != Some(FileKind::Play) {
        let read = project.reading(path, text);
        let mut all = of_items(&read.items);
        // What cannot be read is there all the same: nothing shall go and come again while it is written.
        if !read.problems.is_empty() {
            heads(text)
                .into_iter()
                .for_each(|head| put_in(&mut all, head, text));
        }
        return all;
    }
    let read = project.scenarios_of((path, &project.name_of(path), text));
    let tree = &read.tree;
    let commons = tree.commons.iter().map(|common| {
        Entry::alone(
            "common",
            &common.name.text,
            bytes(common.span),
            bytes(common.name.span),
        )
    });
    let plays = { tree.plays.iter() }
        .map(|play| Entry::alone("play", &play.title.text, bytes(play.span), bytes(play.title.span)));
    let mut all: Vec<Entry> = commons.chain(plays).collect();
    all.sort_by_key(|entry| entry.whole.start);
    all
}

/// A declaration among others, unless it is there.
fn put_in(all: &mut Vec<Entry>, head: Head, text: &str) {
    match { all.iter_mut() }.find(|entry| entry.whole.contains(&head.whole.start)) {
        Some(around) if matches!(around.word, "overlay" | "on") => put_in(&mut around.inside, head, text),
        Some(_) => {}
        None => {
            let place = all.partition_point(|entry| entry.whole.start < head.whole.start);
            let name = text[head.name.clone()].trim_matches('`');
            all.insert(place, Entry::alone(head.word, name, head.whole, head.name));
        }
    }
}

fn of_items(items: &[Arc<Item>]) -> Vec<Entry> {
    items.iter().map(|item| entry(item)).collect()
}

fn entry(item: &Item) -> Entry {
    let whole = bytes(item.span);
    let inside = match &item.kind {
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => of_items(items),
        _ => Vec::new(),
    };
    let (name, head) = match (head_of(item), &item.kind) {
        (Some(name), _) => (name.text.clone(), bytes(name.span)),
        (None, ItemKind::Section { bases, .. }) => {
            let names: Vec<&str> = bases.iter().map(|base| base.text.as_str()).collect();
            (format!("on {}", names.join(", ")), whole.clone())
        }
        (None, _) => (item.word.to_owned(), whole.start..whole.start),
    };
    let title = title_of(item).map(|title| format!("“{title}”"));
    Entry {
        name,
        detail: Some(match title {
            Some(title) => format!("{} {title}", item.word),
            None => item.word.to_owned(),
        }),
        word: item.word,
        head: head.start.clamp(whole.start, whole.end)..head.end.clamp(whole.start, whole.end),
        whole,
        inside,
    }
}

fn bytes(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// As what a declaration is shown, by the word it begins with.
pub fn kind(word: &str) -> SymbolKind {
    match word {
        "ruleset" | "library" | "overlay" | "on" => SymbolKind::Module,
        "role" => SymbolKind::Class,
        "team" => SymbolKind::Namespace,
        "class" => SymbolKind::Interface,
        "token" => SymbolKind::Struct,
        "zone" => SymbolKind::Array,
        "mark" | "flag" | "link" | "count" | "word" | "text" => SymbolKind::Variable,
        "define" | "hook" | "add" | "raise" | "lower" | "include" | "exclude" => SymbolKind::Function,
        "event" => SymbolKind::Event,
        "scene" | "script" | "play" => SymbolKind::Method,
        "rule" | "allow" => SymbolKind::Operator,
        "option" => SymbolKind::Enum,
        "cast" | "common" => SymbolKind::Object,
        "policy" => SymbolKind::Interface,
        _ => SymbolKind::Constant,
    }
}

/// The outline of a document.
pub fn symbols(server: &mut Server, params: DocumentSymbolParams) -> Option<DocumentSymbolResponse> {
    let path = server.path(&params.text_document.uri);
    let text = server.project.text(&path)?;
    let lines = Lines::of(&text, server.encoding);
    let all = entries(&server.project, &path, &text)
        .iter()
        .map(|entry| symbol(entry, &lines))
        .collect();
    Some(DocumentSymbolResponse::DocumentSymbolList(all))
}

#[expect(deprecated, reason = "a field of the protocol that has to be filled")]
fn symbol(entry: &Entry, lines: &Lines<'_>) -> DocumentSymbol {
    let inside: Vec<DocumentSymbol> = entry.inside.iter().map(|entry| symbol(entry, lines)).collect();
    DocumentSymbol {
        // Clients refuse an empty name.
        name: if entry.name.trim().is_empty() {
            entry.word.to_owned()
        } else {
            entry.name.clone()
        },
        detail: entry.detail.clone(),
        kind: kind(entry.word),
        tags: None,
        deprecated: None,
        range: lines.range(&entry.whole),
        selection_range: lines.range(&entry.head),
        children: (!inside.is_empty()).then_some(inside),
    }
}

/// What is declared anywhere in the folders, by some of its letters.
#[expect(deprecated, reason = "a field of the protocol that has to be filled")]
pub fn workspace_symbols(
    server: &mut Server,
    params: WorkspaceSymbolParams,
) -> Option<WorkspaceSymbolResponse> {
    let mut found = Vec::new();
    for path in server.project.files() {
        let Some(text) = server.project.text(&path) else {
            continue;
        };
        let mut sources = Sources::default();
        let id = sources.add(server.project.name_of(&path), text.clone());
        let mut open: Vec<(Entry, Option<String>)> = entries(&server.project, &path, &text)
            .into_iter()
            .map(|entry| (entry, None))
            .collect();
        while let Some((entry, container)) = open.pop() {
            if has_letters(&entry.name, &params.query) && entry.head.start < entry.head.end {
                let at = At::of(&sources, Span::new(id, entry.head.start, entry.head.end));
                found.extend(location(server, &at).map(|location| SymbolInformation {
                    deprecated: None,
                    location,
                    base_symbol_information: BaseSymbolInformation {
                        name: entry.name.clone(),
                        kind: kind(entry.word),
                        tags: None,
                        container_name: container.clone().or_else(|| Some(entry.word.to_owned())),
                    },
                }));
            }
            let inside = entry.inside.into_iter();
            open.extend(inside.map(|inside| (inside, Some(entry.name.clone()))));
        }
        if found.len() >= MOST_SYMBOLS {
            break;
        }
    }
    Some(WorkspaceSymbolResponse::SymbolInformationList(found))
}

/// Whether the letters stand in a name in this order, be there others between them.
fn has_letters(name: &str, wanted: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut wanted = wanted
        .chars()
        .flat_map(char::to_lowercase)
        .filter(|letter| !letter.is_whitespace());
    wanted.all(|letter| letters.any(|other| other == letter))
}

/// Braces over several lines, and remarks.
pub fn folding(server: &mut Server, params: FoldingRangeParams) -> Option<Vec<FoldingRange>> {
    let path = server.path(&params.text_document.uri);
    let text = server.project.text(&path)?;
    let lines = Lines::of(&text, server.encoding);
    let line = |at: usize| lines.position(at).line;
    let mut folds = Vec::new();
    let mut fold = |from: u32, to: u32, kind: Option<FoldingRangeKind>| {
        if to > from {
            folds.push(FoldingRange {
                start_line: from,
                end_line: to,
                kind,
                ..FoldingRange::default()
            });
        }
    };
    for (from, to) in braces(&text) {
        // The line of the brace that closes stays to be seen.
        fold(line(from), line(to).saturating_sub(1), None);
    }
    for (from, to) in remarks(&text) {
        fold(line(from), line(to), Some(FoldingRangeKind::Comment));
    }
    let plays = entries(&server.project, &path, &text).into_iter();
    for entry in plays.filter(|entry| entry.word == "play") {
        let end = text[..entry.whole.end].trim_end().len();
        fold(line(entry.whole.start), line(end), None);
    }
    folds.sort_by_key(|fold| (fold.start_line, fold.end_line));
    folds.dedup_by_key(|fold| fold.start_line);
    Some(folds)
}

/// The first bytes of braces with those that close them.
fn braces(text: &str) -> Vec<(usize, usize)> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for (range, sort) in omerta_syntax::runs(text) {
        match (&text[range.clone()], sort) {
            ("{", Sort::Sign) => open.push(range.start),
            ("}", Sort::Sign) => found.extend(open.pop().map(|from| (from, range.start))),
            _ => {}
        }
    }
    found
}

/// Remarks that follow one another, line by line.
fn remarks(text: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let runs = omerta_syntax::runs(text).into_iter();
    for (range, _) in runs.filter(|(_, sort)| *sort == Sort::Comment) {
        let follows = |last: &&mut (usize, usize)| {
            let between = &text[last.1..range.start];
            between.trim().is_empty() && between.matches('\n').count() == 1
        };
        match found.last_mut().filter(follows) {
            Some(last) => last.1 = range.end,
            None => found.push((range.start, range.end)),
        }
    }
    found
}

/// From the word at a place outwards: what is in brackets, the block, the declaration, all of it.
pub fn selection(server: &mut Server, params: SelectionRangeParams) -> Option<Vec<SelectionRange>> {
    let path = server.path(&params.text_document.uri);
    let text = server.project.text(&path)?;
    let lines = Lines::of(&text, server.encoding);
    let around = |position| {
        let at = lines.offset(position);
        let mut ranges: Vec<Range<usize>> = around(&server.project, &path, &text, at);
        ranges.sort_by_key(|range| range.len());
        ranges.dedup();
        let mut outer: Option<Box<SelectionRange>> = None;
        for range in ranges.iter().rev() {
            let parent = outer.take();
            outer = Some(Box::new(SelectionRange {
                range: lines.range(range),
                parent,
            }));
        }
        *outer.unwrap_or_default()
    };
    Some(params.positions.into_iter().map(around).collect())
}

/// What is around a byte, each within another.
fn around(project: &Project, path: &Path, text: &str, at: usize) -> Vec<Range<usize>> {
    let holds = |range: &Range<usize>| range.start <= at && at <= range.end;
    let line_start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line_end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let line = text[line_start..line_end].trim_start();
    let line_start = line_end - line.len();
    let mut found = vec![0..text.len(), line_start.min(at)..line_end];
    let mut runs = omerta_syntax::runs(text).into_iter().map(|(range, _)| range);
    found.extend(runs.rfind(&holds));
    let inside = braces(text).into_iter().map(|(from, to)| from..to + 1);
    let mut all: Vec<Range<usize>> = inside.filter(&holds).collect();
    let mut open = entries(project, path, text);
    while let Some(entry) = open.pop() {
        if holds(&entry.whole) {
            all.push(entry.whole.clone());
            open.extend(entry.inside);
        }
    }
    // What does not lie within the next larger one would be refused.
    all.sort_by_key(Range::len);
    for range in all {
        let nests = |other: &Range<usize>| {
            (other.start <= range.start && range.end <= other.end)
                || (range.start <= other.start && other.end <= range.end)
        };
        if found.iter().all(nests) {
            found.push(range);
        }
    }
    found
}

/// Texts that are used, and rulesets and overlays that are named.
pub fn links(server: &mut Server, params: DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>, Refusal> {
    let path = server.path(&params.text_document.uri);
    let names = server.project.names(&path);
    let mut links = Vec::new();
    for (_, used) in &names.uses {
        if !matches!(used.role, Role::Uses(Space::File | Space::Base | Space::Overlay)) {
            continue;
        }
        let offset = used.name.span.start as usize;
        let Some(named) = server.project.name_at(&path, offset) else {
            continue;
        };
        let Some(at) = server.project.declarations(&path, &named).into_iter().next() else {
            continue;
        };
        // A link that leads nowhere would be asked about once more.
        if let Some(target) = server.uri_of_text(&at.source.name) {
            let from = At::of(&names.sources, used.name.span);
            links.push(DocumentLink {
                range: crate::wire::range_of(&from, server.encoding),
                target: Some(target),
                ..DocumentLink::default()
            });
        }
    }
    Ok(Some(links))
}
