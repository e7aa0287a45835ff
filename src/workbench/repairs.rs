//! What mends a finding, as edits of texts. Only what does mend it is offered: each is tried first, and the file
//! checked with it.

use crate::{
    findings::{At, Finding},
    lookup::Edit,
    project::{FileCheck, Project},
};
use omerta_core::{
    codes,
    diagnostic::Repair,
    source::{Source, Sources, Span},
};
use omerta_syntax::{
    parse_file,
    tree::{Item, ItemKind},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// Something that mends a finding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    /// What it does, for people.
    pub title: String,
    /// How.
    pub edits: Vec<Edit>,
    /// Whether it is surely meant.
    pub sure: bool,
}

impl Fix {
    /// What may be meant.
    pub fn perhaps(title: impl Into<String>, edits: Vec<Edit>) -> Fix {
        let (title, sure) = (title.into(), false);
        Fix { title, edits, sure }
    }
}

impl Project {
    /// What mends a finding of a file.
    pub fn fixes(&mut self, path: &Path, finding: &Finding) -> Vec<Fix> {
        let mut found = Vec::new();
        for (number, repair) in finding.diagnostic.repairs().iter().enumerate() {
            if let Some(fix) = self.written(finding, repair, number == 0) {
                found.push(fix);
            }
        }
        if let Some(lint) = finding.diagnostic.lint {
            found.push(allowed(&finding.at, lint));
        }
        found.retain(|fix| self.mends(path, finding, fix));
        found
    }

    fn written(&self, finding: &Finding, repair: &Repair, first: bool) -> Option<Fix> {
        match repair {
            Repair::Instead { span, was, text } => {
                let at = place(finding, *span, was.as_deref())?;
                // What is expected may be right, and the rules wrong.
                let is_expected = finding.diagnostic.code == codes::NOT_SO;
                let title = match text.as_str() {
                    text if is_expected => format!("Expect what comes now: `{}`", text.trim()),
                    "" => format!("Take out `{}`", at.letters()),
                    text if text.contains('\n') => "Write it as it should be".to_owned(),
                    text => format!("Write `{text}`"),
                };
                let (text, sure) = (text.clone(), first && !is_expected);
                let edits = vec![Edit { at, text }];
                Some(Fix { title, edits, sure })
            }
            Repair::Declare(line) => Some(Fix::perhaps(
                format!("Declare it: `{line}`"),
                vec![declared(&finding.at, line)],
            )),
            Repair::Publish { name, declared } => {
                let at = related(finding, *declared)?;
                let edit = listed(&at.source, "publish", name);
                Some(Fix::perhaps(format!("Publish `{name}` for overlays"), vec![edit]))
            }
            Repair::Use(library) => Some(Fix::perhaps(
                format!("Use `{library}`"),
                vec![listed(&finding.at.source, "use", library)],
            )),
        }
    }

    /// Whether a file has what was found no more after some edits, and no mistake instead.
    fn mends(&self, path: &Path, finding: &Finding, fix: &Fix) -> bool {
        let Some(texts) = self.edited(&fix.edits) else {
            return false;
        };
        let before = self.known(path).unwrap_or_default();
        let after = self.check_with(path, &texts);
        let count = |check: &FileCheck, wanted: &Finding| {
            let same = |other: &&Finding| {
                other.diagnostic.code == wanted.diagnostic.code
                    && other.diagnostic.message == wanted.diagnostic.message
            };
            check.findings.iter().filter(same).count()
        };
        let gone = count(&after, finding) < count(&before, finding) || count(&before, finding) == 0;
        let errors = after.findings.iter().filter(|found| found.is_error());
        let mut worse = errors.filter(|found| count(&after, found) > count(&before, found));
        // Behind a mistake that hid them, others may come to light.
        let uncovers = finding.is_about_shape() && !after.findings.iter().any(Finding::is_about_shape);
        gone && (uncovers || worse.next().is_none())
    }

    /// The texts after some edits, by path; nothing where one of them comes with the program.
    pub fn edited(&self, edits: &[Edit]) -> Option<BTreeMap<PathBuf, String>> {
        let mut by_text: BTreeMap<PathBuf, Vec<&Edit>> = BTreeMap::new();
        for edit in edits {
            let path = self.path_of(&edit.at.source.name)?;
            if self.bundled_name(&path).is_some() {
                return None;
            }
            by_text.entry(path).or_default().push(edit);
        }
        let text = |(path, edits): (PathBuf, Vec<&Edit>)| {
            let text = edits.first()?.at.source.text.clone();
            Some((path, apply(&text, &edits)?))
        };
        by_text.into_iter().map(text).collect()
    }

    /// All sure repairs of a file at once, those that do not stand in each other's way.
    pub fn fix_all(&mut self, path: &Path, findings: &[Finding]) -> Option<Fix> {
        let mut edits: Vec<Edit> = Vec::new();
        let mut mended = 0;
        for finding in findings {
            let Some(fix) = self.fixes(path, finding).into_iter().find(|fix| fix.sure) else {
                continue;
            };
            let apart = |edit: &Edit| edits.iter().all(|other| !overlap(&edit.at, &other.at));
            if fix.edits.iter().all(apart) {
                edits.extend(fix.edits);
                mended += 1;
            }
        }
        let fix = Fix {
            title: format!("Mend all that is sure ({mended})"),
            edits,
            sure: true,
        };
        (mended > 1).then_some(fix)
    }
}

fn overlap(one: &At, other: &At) -> bool {
    one.source.name == other.source.name
        && one.range.start <= other.range.end
        && other.range.start <= one.range.end
}

/// A text after some edits of it; nothing where two of them touch.
pub fn apply(text: &str, edits: &[&Edit]) -> Option<String> {
    let mut sorted: Vec<&&Edit> = edits.iter().collect();
    sorted.sort_by_key(|edit| (edit.at.range.start, edit.at.range.end));
    let mut out = String::new();
    let mut done = 0;
    for edit in sorted {
        out.push_str(text.get(done..edit.at.range.start)?);
        out.push_str(&edit.text);
        done = edit.at.range.end;
    }
    out.push_str(text.get(done..)?);
    Some(out)
}

/// The place that a repair is about, in the text as it is now.
fn place(finding: &Finding, span: Span, was: Option<&str>) -> Option<At> {
    let here = finding.diagnostic.span();
    if span.source != here.source {
        return None;
    }
    // What was found may have moved since, and all around it with it.
    let shift = |at: u32| (finding.at.range.start + at as usize).checked_sub(here.start as usize);
    let range = shift(span.start)?..shift(span.end)?;
    let source = finding.at.source.clone();
    let letters = source.text.get(range.clone())?;
    let Some(was) = was else {
        return Some(At { source, range });
    };
    let mut found = letters.match_indices(was);
    let (from, _) = found.next()?;
    let once = found.next().is_none() || letters == was;
    let start = range.start + from;
    once.then_some(At {
        source,
        range: start..start + was.len(),
    })
}

/// Another place of the finding.
fn related(finding: &Finding, span: Span) -> Option<At> {
    let labels = finding.diagnostic.labels.iter().skip(1);
    let at = labels.zip(&finding.related).find(|(label, _)| label.span == span);
    at.map(|(_, (at, _))| at.clone())
}

fn items_of(text: &str) -> Vec<Arc<Item>> {
    let id = Sources::default().add("", "");
    parse_file(id, text).0.items
}

/// Where the remarks begin that stand above a line.
pub(crate) fn remarked(text: &str, mut line: usize) -> usize {
    while line > 0 {
        let above = line_start(text, line - 1);
        if !text[above..line].trim_start().starts_with("//") {
            break;
        }
        line = above;
    }
    line
}

/// Where the line of a byte begins.
pub(crate) fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// A declaration more, before the one in which a place stands, its remarks included.
fn declared(place: &At, line: &str) -> Edit {
    let text = &place.source.text;
    let start = remarked(text, declaration_start(text, place.range.start));
    let indent: String = text[start..]
        .chars()
        .take_while(|letter| *letter == ' ')
        .collect();
    Edit::new(&place.source, start..start, format!("{indent}{line}\n"))
}

/// The first byte of the line on which the declaration begins that holds a byte.
fn declaration_start(text: &str, offset: usize) -> usize {
    let mut best = 0;
    let mut open: Vec<Arc<Item>> = items_of(text);
    while let Some(item) = open.pop() {
        let span = item.span.start as usize..=item.span.end as usize;
        if !span.contains(&offset) {
            continue;
        }
        match &item.kind {
            ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => {
                open.extend(items.iter().cloned());
            }
            _ => best = best.max(item.span.start as usize),
        }
    }
    line_start(text, best)
}

/// A name more in the line of a text that begins with a word, or such a line.
pub(crate) fn listed(source: &Arc<Source>, word: &str, name: &str) -> Edit {
    let items = items_of(&source.text);
    let line = items.iter().rfind(|item| match &item.kind {
        ItemKind::Publish(_) => word == "publish",
        ItemKind::Use(_) => word == "use",
        _ => false,
    });
    if let Some(line) = line {
        let end = line.span.end as usize;
        return Edit::new(source, end..end, format!(", {name}"));
    }
    let is_head = |item: &&Arc<Item>| {
        matches!(
            item.kind,
            ItemKind::Ruleset { .. } | ItemKind::Library { .. } | ItemKind::Use(_)
        )
    };
    let head = items
        .iter()
        .rfind(is_head)
        .map_or(0, |item| item.span.end as usize);
    let behind = source.text[head..]
        .find('\n')
        .map_or(source.text.len(), |end| head + end);
    match head {
        0 => Edit::new(source, 0..0, format!("{word} {name}\n")),
        _ => Edit::new(source, behind..behind, format!("\n{word} {name}")),
    }
}

/// A remark that allows what a warning is about.
fn allowed(place: &At, lint: &str) -> Fix {
    let text = &place.source.text;
    let start = text[..place.range.start].rfind('\n').map_or(0, |end| end + 1);
    let indent: String = text[start..]
        .chars()
        .take_while(|letter| letter.is_whitespace() && *letter != '\n')
        .collect();
    Fix::perhaps(
        format!("Allow it here: `// allow {lint}`"),
        vec![Edit::new(
            &place.source,
            start..start,
            format!("{indent}// allow {lint}\n"),
        )],
    )
}
