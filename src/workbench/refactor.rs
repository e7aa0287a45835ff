//! Changes of a text that leave the game as it is: what they are, each tried before it is offered.

use crate::{
    findings::At,
    lookup::Edit,
    project::{FileKind, Project},
    repairs::Fix,
};
use omerta_core::source::{Source, Sources};
use omerta_syntax::{
    names::{Role, names_of},
    parse_file,
    tree::{Item, ItemKind, Statement},
    walk::{Part, declared_in},
};
use std::{collections::BTreeSet, ops::Range, path::Path, sync::Arc};

/// What can be made of a range of a file.
pub fn refactorings(project: &mut Project, path: &Path, range: &Range<usize>) -> Vec<Fix> {
    if FileKind::of(path) != Some(FileKind::Rules) || project.bundled_name(path).is_some() {
        return Vec::new();
    }
    let Some(text) = project.text(path) else {
        return Vec::new();
    };
    let mut sources = Sources::default();
    let id = sources.add(project.name_of(path), text.clone());
    let source = sources.shared(id);
    let items = parse_file(id, &text).0.items;
    let found = [scene_of(&source, &items, range), remark(&source, &items, range)];
    let found: Vec<Fix> = found.into_iter().flatten().collect();
    let errors = |project: &Project, fix: Option<&Fix>| {
        let texts = fix.map_or_else(|| Some(Default::default()), |fix| project.edited(&fix.edits))?;
        let check = project.check_with(path, &texts);
        Some(check.findings.iter().filter(|found| found.is_error()).count())
    };
    let before = errors(project, None);
    found
        .into_iter()
        .filter(|fix| errors(project, Some(fix)) == before)
        .collect()
}

fn edit(source: &Arc<Source>, range: Range<usize>, text: String) -> Edit {
    let at = At {
        source: source.clone(),
        range,
    };
    Edit { at, text }
}

fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |end| end + 1)
}

/// The statements that are chosen as a scene of its own, played in their place: where they need no name from around
/// them and nothing around them needs one of theirs.
fn scene_of(source: &Arc<Source>, items: &[Item], range: &Range<usize>) -> Option<Fix> {
    let item = items.iter().find(|item| {
        let span = item.span.start as usize..item.span.end as usize;
        span.start <= range.start && range.end <= span.end
    })?;
    if !matches!(item.kind, ItemKind::Scene { .. } | ItemKind::Script(_)) {
        return None;
    }
    let chosen = chosen(item, &source.text, range)?;
    let inside = |span: omerta_core::source::Span| {
        chosen.start <= span.start as usize && span.end as usize <= chosen.end
    };
    let names = names_of(item);
    let locals = |is_inside: bool| -> BTreeSet<u32> {
        let here = names.iter().filter(|used| inside(used.name.span) == is_inside);
        here.filter_map(|used| used.local).collect()
    };
    if locals(true).intersection(&locals(false)).next().is_some() {
        return None;
    }
    let name = free_name(items);
    let indent: String = source.text[line_start(&source.text, chosen.start)..chosen.start]
        .chars()
        .take_while(|letter| letter.is_whitespace())
        .collect();
    let body = source.text[chosen.clone()].lines().map(|line| {
        let line = line.strip_prefix(indent.as_str()).unwrap_or(line);
        if line.is_empty() {
            String::new()
        } else {
            format!("  {line}")
        }
    });
    let body: Vec<String> = body.collect();
    let before = line_start(&source.text, item.span.start as usize);
    Some(Fix {
        title: "Make a scene of these lines".to_owned(),
        edits: vec![
            edit(
                source,
                before..before,
                format!("scene {name} {{\n{}\n}}\n\n", body.join("\n")),
            ),
            edit(source, chosen, format!("play {name}")),
        ],
        sure: false,
    })
}

/// The bytes of the whole statements of one block that a range covers.
fn chosen(item: &Item, text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let trimmed = text.get(range.clone())?;
    let start = range.start + (trimmed.len() - trimmed.trim_start().len());
    let end = range.start + trimmed.trim_end().len();
    if start >= end {
        return None;
    }
    let mut found = None;
    Part::from(&item.kind).each(&mut |part| {
        if let Part::Block(block) = part {
            let first = block
                .statements
                .iter()
                .position(|one| one.span.start as usize == start);
            let last = block
                .statements
                .iter()
                .position(|one| one.span.end as usize == end);
            if let (Some(first), Some(last)) = (first, last)
                && first <= last
                && block.statements[first..=last].iter().all(may_move)
            {
                found = Some(start..end);
            }
        }
        true
    });
    found
}

/// Whether a statement means the same in a scene of its own: it leaves nothing and stops nothing around it.
fn may_move(statement: &Statement) -> bool {
    use omerta_syntax::tree::StatementKind as Kind;
    let mut moves = true;
    Part::Statement(statement).each(&mut |part| {
        if let Part::Statement(inner) = part {
            moves &= !matches!(inner.kind, Kind::Stop | Kind::Leave(_) | Kind::Let { .. });
        }
        true
    });
    moves
}

fn free_name(items: &[Item]) -> String {
    let used: BTreeSet<String> = { items.iter() }
        .flat_map(|item| names_of(item).into_iter().map(|used| used.name.text))
        .collect();
    let mut names = (1..).map(|number| match number {
        1 => "New-scene".to_owned(),
        more => format!("New-scene-{more}"),
    });
    names.find(|name| !used.contains(name)).unwrap_or_default()
}

/// A remark for players above a role that has none.
fn remark(source: &Arc<Source>, items: &[Item], range: &Range<usize>) -> Option<Fix> {
    let holds = |item: &&Item| {
        let line = line_start(&source.text, item.span.start as usize);
        let end = source.text[line..]
            .find('\n')
            .map_or(source.text.len(), |end| line + end);
        matches!(item.kind, ItemKind::Role(_)) && line <= range.start && range.end <= end
    };
    let item = items.iter().find(holds)?;
    let line = line_start(&source.text, item.span.start as usize);
    let above = source.text[..line]
        .trim_end_matches('\n')
        .rsplit('\n')
        .next()
        .unwrap_or_default();
    if above.trim_start().starts_with("//") {
        return None;
    }
    let name = declared_in(&item.kind).first()?.text.clone();
    let parts = names_of(item)
        .iter()
        .any(|used| used.role == Role::Binds { asked: true });
    let words = if parts {
        "What you do when you are called."
    } else {
        "What you are to know of this card."
    };
    Some(Fix {
        title: format!("Write what players are told of `{name}`"),
        edits: vec![edit(source, line..line, format!("/// {words}\n"))],
        sure: false,
    })
}
