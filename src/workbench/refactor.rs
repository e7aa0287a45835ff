//! Changes of a text that leave the game as it is: what they are, each tried before it is offered.

use crate::{
    bundle::bundled,
    files,
    findings::Finding,
    lookup::{Edit, head_of},
    project::{FileCheck, FileKind, Project},
    repairs::{Fix, apply, line_start, listed, remarked},
};
use omerta_core::{
    diagnostic::Repair,
    source::{Source, Sources},
};
use omerta_syntax::{
    names::{Role, names_of},
    same_words,
    tree::{Expr, Item, ItemKind, Statement},
    walk::{Part, declared_in},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
    sync::Arc,
};

/// What a change of a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sort {
    /// Something is taken out and gets a name.
    Extract,
    /// Something is written otherwise.
    Rewrite,
}

/// What can be made of a range of a file.
pub fn refactorings(project: &Project, path: &Path, range: &Range<usize>) -> Vec<(Sort, Fix)> {
    if FileKind::of(path) != Some(FileKind::Rules) || project.bundled_name(path).is_some() {
        return Vec::new();
    }
    let Some(text) = project.text(path) else {
        return Vec::new();
    };
    let (source, items) = (
        source_of(project, path, &text),
        &project.reading(path, &text).items,
    );
    let mut found = [
        scene_of(&source, items, range),
        definition_of(&source, items, range),
        overlay_of(project, path, (&source, items), range),
        remark(&source, items, range),
    ];
    if found.iter().all(Option::is_none) {
        return Vec::new();
    }
    let told = |check: &FileCheck| {
        let errors = check.findings.iter().filter(|found| found.is_error()).count();
        (errors, check.findings.len())
    };
    let known = project.known(path);
    let (errors, all) = told(&known.unwrap_or_else(|| project.check_with(path, &BTreeMap::new()).into()));
    let holds = |fix: &Fix| {
        let texts = project.edited(&fix.edits);
        let after = texts.map(|texts| told(&project.check_with(path, &texts)));
        after.is_some_and(|after| after.0 <= errors && after.1 <= all)
    };
    let sorts = [Sort::Extract, Sort::Extract, Sort::Rewrite, Sort::Rewrite];
    let found = sorts.into_iter().zip(&mut found);
    let found = found.filter_map(|(sort, fix)| Some((sort, fix.take().filter(holds)?)));
    found.collect()
}

/// A text by itself, under the name of its file.
fn source_of(project: &Project, path: &Path, text: &str) -> Arc<Source> {
    let mut sources = Sources::default();
    let id = sources.add(project.name_of(path), text);
    sources.shared(id)
}

/// The declaration that holds a range, the innermost of those in overlays.
fn around<'i>(items: &'i [Arc<Item>], range: &Range<usize>) -> Option<&'i Item> {
    let item = items.iter().find(|item| {
        let span = item.span.start as usize..item.span.end as usize;
        span.start <= range.start && range.end <= span.end
    })?;
    match &item.kind {
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => around(items, range),
        _ => Some(item),
    }
}

/// A declaration more before another, as far in as that, with what stands for it there.
fn taken_out(
    source: &Arc<Source>,
    item: &Item,
    lines: &str,
    (place, name): (Range<usize>, String),
) -> Vec<Edit> {
    let line = line_start(&source.text, item.span.start as usize);
    let indent = indent_of(&source.text[line..]);
    let before = remarked(&source.text, line);
    let lines: Vec<String> = { lines.lines() }.map(|line| indented(line, &indent)).collect();
    vec![
        Edit::new(source, before..before, format!("{}\n\n", lines.join("\n"))),
        Edit::new(source, place, name),
    ]
}

fn indent_of(line: &str) -> String {
    { line.chars() }
        .take_while(|letter| matches!(letter, ' ' | '\t'))
        .collect()
}

fn indented(line: &str, indent: &str) -> String {
    match line.is_empty() {
        true => String::new(),
        false => format!("{indent}{line}"),
    }
}

/// A range without the spaces at its ends; nothing where there is nothing else.
fn trimmed(text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let inside = text.get(range.clone())?;
    let start = range.start + (inside.len() - inside.trim_start().len());
    let end = range.start + inside.trim_end().len();
    (start < end).then_some(start..end)
}

/// The value that is chosen, as a definition: of nobody, or of the one name that it needs from around it.
fn definition_of(source: &Arc<Source>, items: &[Arc<Item>], range: &Range<usize>) -> Option<Fix> {
    let item = around(items, range)?;
    let chosen = trimmed(&source.text, range)?;
    let letters = &source.text[chosen.clone()];
    let is_chosen =
        |expr: &Expr| expr.span.start as usize == chosen.start && expr.span.end as usize == chosen.end;
    let mut is_value = false;
    Part::from(&item.kind).each(&mut |part| {
        is_value |= matches!(part, Part::Expr(expr) if is_chosen(expr));
        true
    });
    if !is_value || !letters.contains(' ') {
        return None;
    }
    let inside = |at: u32| chosen.contains(&(at as usize));
    let names = names_of(item);
    let needed = { names.iter() }.filter(|used| used.local.is_some() && inside(used.name.span.start));
    let needed: BTreeSet<&str> = needed.map(|used| used.name.text.as_str()).collect();
    let name = free_name(items, "new-definition");
    let (head, said) = match Vec::from_iter(needed)[..] {
        [] => (name.clone(), name),
        [one] => (format!("{name} of {one}"), format!("({name} of {one})")),
        _ => return None,
    };
    Some(Fix {
        title: "Make a definition of this".to_owned(),
        edits: taken_out(
            source,
            item,
            &format!("define {head} = {letters}"),
            (chosen, said),
        ),
        sure: false,
    })
}

/// A declaration that is another than in the text that was saved, or than in the ruleset of that name that comes with
/// the program: as a change that an overlay makes, behind the ruleset as it was.
fn overlay_of(
    project: &Project,
    path: &Path,
    (source, items): (&Arc<Source>, &[Arc<Item>]),
    range: &Range<usize>,
) -> Option<Fix> {
    let text = &source.text;
    let base = items
        .iter()
        .find(|item| matches!(item.kind, ItemKind::Ruleset { .. }))?;
    let base = &head_of(base)?.text;
    let touches =
        |item: &&Arc<Item>| item.span.start as usize <= range.end && range.start <= item.span.end as usize;
    let item = items.iter().find(touches)?;
    let is_head = |kind: &ItemKind| {
        matches!(
            kind,
            ItemKind::Ruleset { .. } | ItemKind::Overlay { .. } | ItemKind::Use(_) | ItemKind::Publish(_)
        )
    };
    if is_head(&item.kind) {
        return None;
    }
    let key = |item: &Item| {
        (
            item.word,
            declared_in(&item.kind).first().map(|name| name.text.clone()),
        )
    };
    let letters = |text: &str, item: &Item| text[item.span.start as usize..item.span.end as usize].to_owned();
    let (now, whole) = (
        letters(text, item),
        item.span.start as usize..item.span.end as usize,
    );
    let saved = files::read(path).ok();
    let with_program = bundled(base).map(|loaded| loaded.text);
    let (place, was, written) = [saved, with_program].into_iter().flatten().find_map(|old| {
        let before = project.reading(path, &old);
        match before.items.iter().find(|other| key(other) == key(item)) {
            Some(other) if same_words(&letters(&old, other), &now) => None,
            Some(other) => Some((whole.clone(), letters(&old, other), format!("replace {now}"))),
            None => {
                let start = remarked(text, line_start(text, whole.start));
                let end = text[whole.end..]
                    .find('\n')
                    .map_or(text.len(), |end| whole.end + end + 1);
                Some((start..end, String::new(), text[start..whole.end].to_owned()))
            }
        }
    })?;
    let name = free_name(items, "house");
    let body: Vec<String> = { written.lines() }.map(|line| indented(line, "  ")).collect();
    let before = format!("{}{was}{}", &text[..place.start], &text[place.end..]);
    let before = before.trim_end();
    let laid_on = format!(
        "{before}\n\noverlay {name} \"House rules\" on {base} {{\n{}\n}}\n",
        body.join("\n")
    );
    let (done, is_sound) = published(project, path, laid_on);
    if !is_sound {
        return None;
    }
    let common = |a: &mut dyn Iterator<Item = char>, b: &mut dyn Iterator<Item = char>| {
        let alike = a.zip(b).take_while(|(a, b)| a == b);
        alike.map(|(letter, _)| letter.len_utf8()).sum::<usize>()
    };
    let front = common(&mut text.chars(), &mut done.chars());
    let back = common(&mut text[front..].chars().rev(), &mut done[front..].chars().rev());
    Some(Fix {
        title: "Take this change out of the ruleset, into an overlay at the end of the file".to_owned(),
        edits: vec![Edit::new(
            source,
            front..text.len() - back,
            done[front..done.len() - back].to_owned(),
        )],
        sure: false,
    })
}

/// How often what an overlay wants of its base is published, and looked at again.
const MOST_PUBLISHED: usize = 8;

/// A text whose ruleset publishes what its overlays change, and whether all is well with it.
fn published(project: &Project, path: &Path, mut text: String) -> (String, bool) {
    for _ in 0..MOST_PUBLISHED {
        let texts = [(path.to_path_buf(), text.clone())].into_iter().collect();
        let found = project.check_with(path, &texts).findings;
        let repairs = found.iter().flat_map(|finding| finding.diagnostic.repairs());
        let wanted = repairs.filter_map(|repair| match repair {
            Repair::Publish { name, .. } => Some(name.clone()),
            _ => None,
        });
        let Some(name) = wanted.into_iter().next() else {
            return (text, !found.iter().any(Finding::is_error));
        };
        let source = source_of(project, path, &text);
        match apply(&text, &[&listed(&source, "publish", &name)]) {
            Some(after) => text = after,
            None => break,
        }
    }
    (text, false)
}

/// The statements that are chosen as a scene of its own, played in their place: where they need no name from around
/// them and nothing around them needs one of theirs.
fn scene_of(source: &Arc<Source>, items: &[Arc<Item>], range: &Range<usize>) -> Option<Fix> {
    let item = around(items, range)?;
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
    let name = free_name(items, "New-scene");
    let indent = indent_of(&source.text[line_start(&source.text, chosen.start)..]);
    let body = source.text[chosen.clone()].lines().map(|line| {
        let line = line.strip_prefix(indent.as_str()).unwrap_or(line);
        indented(line, "  ")
    });
    let body: Vec<String> = body.collect();
    let lines = format!("scene {name} {{\n{}\n}}", body.join("\n"));
    Some(Fix::perhaps(
        "Make a scene of these lines",
        taken_out(source, item, &lines, (chosen, format!("play {name}"))),
    ))
}

/// The bytes of the whole statements of one block that a range covers.
fn chosen(item: &Item, text: &str, range: &Range<usize>) -> Option<Range<usize>> {
    let Range { start, end } = trimmed(text, range)?;
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

/// A name that no declaration speaks of yet.
fn free_name(items: &[Arc<Item>], wanted: &str) -> String {
    let used: BTreeSet<String> = { items.iter() }
        .flat_map(|item| names_of(item).into_iter().map(|used| used.name.text))
        .chain(items.iter().filter_map(|item| Some(head_of(item)?.text.clone())))
        .collect();
    let mut names = (1..).map(|number| match number {
        1 => wanted.to_owned(),
        more => format!("{wanted}-{more}"),
    });
    names.find(|name| !used.contains(name)).unwrap_or_default()
}

/// A remark for players above a role that has none.
fn remark(source: &Arc<Source>, items: &[Arc<Item>], range: &Range<usize>) -> Option<Fix> {
    let holds = |item: &&Item| {
        let line = line_start(&source.text, item.span.start as usize);
        let end = source.text[line..]
            .find('\n')
            .map_or(source.text.len(), |end| line + end);
        matches!(item.kind, ItemKind::Role(_)) && line <= range.start && range.end <= end
    };
    let item = around(items, range).filter(holds)?;
    let line = line_start(&source.text, item.span.start as usize);
    if remarked(&source.text, line) < line {
        return None;
    }
    let indent = indent_of(&source.text[line..]);
    let name = declared_in(&item.kind).first()?.text.clone();
    let parts = names_of(item)
        .iter()
        .any(|used| used.role == Role::Binds { asked: true });
    let words = if parts {
        "What you do when you are called."
    } else {
        "What you are to know of this card."
    };
    Some(Fix::perhaps(
        format!("Write what players are told of `{name}`"),
        vec![Edit::new(source, line..line, format!("{indent}/// {words}\n"))],
    ))
}
