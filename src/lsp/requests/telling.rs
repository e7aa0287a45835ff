//! What is told of the word under the pointer.

use super::place::place_of;
use crate::{
    server::{Server, Stepped},
    wire::Lines,
};
use gen_lsp_types::{Contents, Hover, HoverParams, MarkupContent, MarkupKind};
use omerta_book::{cards, remarks, subject::Subject};
use omerta_check::{
    Layer,
    index::{Access, Pot},
};
use omerta_core::source::{Sources, Span};
use omerta_play::words::listed;
use omerta_syntax::{
    names::{Role, Sort},
    play_tree::Play,
    senses::{self, Begun, Language, Standing},
    tree::ItemKind,
    walk::Space,
    words,
};
use omerta_workbench::{
    lookup::{Named, What, short, title_of},
    moments::moment_at,
    project::{Context, FileKind},
    reference,
};
use std::{ops::Range, path::Path};

/// What is told of a name, or of a word of the language.
pub fn hover(server: &mut Server, params: HoverParams) -> Option<Hover> {
    let (path, offset) = place_of(server, &params.text_document_position_params)?;
    let text = server.project.text(&path).unwrap_or_default();
    let (about, range) = about(server, &path, (&text, offset));
    let standing = standing(server, &path, (&text, offset));
    let parts: Vec<String> = about.into_iter().chain(standing).collect();
    if parts.is_empty() {
        return None;
    }
    let value = parts.join("\n\n---\n\n");
    Some(Hover {
        contents: Contents::MarkupContent(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(Lines::of(&text, server.encoding).range(&range)),
    })
}

/// What is told of what stands at a byte, and of which bytes: a cell of a cast, a word or a sign of the language, a name.
fn about(server: &mut Server, path: &Path, (text, offset): (&str, usize)) -> (Option<String>, Range<usize>) {
    if let Some((range, told)) = server.project.cell_at(path, offset) {
        return (Some(format!("`{}` — {told}", &text[range.clone()])), range);
    }
    let standing = senses::standing(text, FileKind::language_of(path), &(offset..offset));
    // Of two that touch, the one that begins here.
    let here = |word: &&Standing| word.range.start <= offset && offset <= word.range.end;
    if let Some((word, told)) = { standing.iter() }
        .rfind(here)
        .and_then(|word| Some((word, word.told?)))
    {
        let letters = &text[word.range.clone()];
        return (
            Some(of_the_language(letters, told, word.begins)),
            word.range.clone(),
        );
    }
    match server.project.name_at(path, offset) {
        Some(named) => (told(server, path, &named), named.range),
        None => (None, offset..offset),
    }
}

/// A word or a sign of the language: what it means there, with an example of what it begins.
fn of_the_language(letters: &str, told: &str, begins: Option<Begun>) -> String {
    let what = match letters.starts_with(char::is_alphabetic) {
        true => "word",
        false => "sign",
    };
    let example = words::find(letters).and_then(|word| match begins? {
        Begun::Declaration => word.declaration,
        Begun::Statement => word.statement,
    });
    let example = example.filter(|example| *example != letters);
    let example = example.map_or_else(String::new, |example| format!("\n\n```mafia\n{example}\n```"));
    format!("`{letters}` — a {what} of the language\n\n{told}{example}")
}

/// In a scenario: how its game stands before the line.
fn standing(server: &Server, path: &Path, (text, offset): (&str, usize)) -> Option<String> {
    if FileKind::of(path) != Some(FileKind::Play) {
        return None;
    }
    // Where somebody steps, it is told how the game stands behind the line.
    let number = text[..offset].matches('\n').count();
    let is_stepped =
        |stepped: &&Stepped| stepped.path == path && stepped.told.range.start.line as usize == number;
    if server
        .stepped
        .as_ref()
        .is_some_and(|stepped| is_stepped(&stepped))
    {
        return None;
    }
    let line = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let name = server.project.name_of(path);
    let read = server.project.scenarios_of((path, &name, text));
    // Above a scenario and behind it no game is on.
    let is_inside = |play: &Play| (play.title.span.start as usize) < line && line < play.span.end as usize;
    if !read.tree.plays.iter().any(is_inside) {
        return None;
    }
    let moment = moment_at(&server.project, path, text, line)?;
    let lines: Vec<String> = moment.standing().iter().map(|line| format!("- {line}")).collect();
    Some(format!(
        "Before this line: {}\n\n{}",
        moment.waits_for(),
        lines.join("\n")
    ))
}

fn told(server: &mut Server, path: &Path, named: &Named) -> Option<String> {
    match &named.what {
        What::Declared(pot) => declared(server, path, named, *pot),
        What::Inside(places) => Some(inside(path, named, places.len())),
        What::Question => Some(format!(
            "`{}` — the answer to a question, or what is drawn",
            named.text
        )),
        What::Text | What::Head => head(server, path, named),
        What::Nothing => language(path, named),
    }
}

/// A word that stands for a value, as the reference has it; another one of a line that cannot be read.
fn language(path: &Path, named: &Named) -> Option<String> {
    let text = named.text.as_str();
    let of_values = || reference::about(text);
    let usually = |language| senses::usually(language, text).map(str::to_owned);
    let told = match FileKind::language_of(path) {
        Language::Rules => of_values().or_else(|| usually(Language::Rules)),
        Language::Scenarios => {
            { usually(Language::Scenarios).or_else(of_values) }.or_else(|| usually(Language::Rules))
        }
    }?;
    Some(of_the_language(text, &told, None))
}

fn inside(path: &Path, named: &Named, places: usize) -> String {
    let times = match places - 1 {
        0 => "and nowhere else".to_owned(),
        1 => "and once more".to_owned(),
        more => format!("and {more} times more"),
    };
    match FileKind::of(path) {
        Some(FileKind::Play) => format!("`{}` — known in this file; here {times}", named.text),
        _ => format!("`{}` — known only here inside; here {times}", named.text),
    }
}

/// A ruleset, an overlay or a library: its title, and what is written above it.
fn head(server: &mut Server, path: &Path, named: &Named) -> Option<String> {
    let at = server.project.declarations(path, named).into_iter().next()?;
    let mut sources = Sources::default();
    let id = sources.add(at.source.name.clone(), at.source.text.clone());
    let (file, _) = omerta_syntax::parse_file(id, &at.source.text);
    let is_head = |kind: &ItemKind| {
        matches!(
            kind,
            ItemKind::Ruleset { .. } | ItemKind::Library { .. } | ItemKind::Overlay { .. }
        )
    };
    let inside = |item: &omerta_syntax::tree::Item| {
        let span = item.span.start as usize..=item.span.end as usize;
        is_head(&item.kind) && (named.what == What::Text || span.contains(&at.range.start))
    };
    let item = file.items.iter().find(|item| inside(item))?;
    let title = title_of(item).map_or_else(String::new, |title| format!(" “{title}”"));
    let mut out = vec![format!("{} `{}`{title}", item.word, named.text)];
    let remark = remarks::above(&sources, item.span);
    out.extend(Some(remark).filter(|remark| !remark.is_empty()));
    Some(out.join("\n\n"))
}

/// Something declared: what it is, its title, what is written above it, and what the rules make of it.
fn declared(server: &mut Server, path: &Path, named: &Named, pot: Pot) -> Option<String> {
    let all = server.project.all_contexts(path);
    let contexts: Vec<&Context> = all.iter().flat_map(|all| all.iter()).collect();
    let found = contexts.iter().find_map(|context| {
        let declared = context.index.declarations(pot, &named.text);
        declared.first().map(|used| (*context, (*used).clone()))
    });
    let (context, used) = found?;
    let item = context.index.item_of(&used);
    let title = title_of(item).map_or_else(String::new, |title| format!(" — “{title}”"));
    let what = match (pot, used.role) {
        (Pot::Declared(Sort::Thing), Role::Uses(Space::Beside)) => {
            format!("of {} `{}`", item.word, head_name(item))
        }
        (Pot::Declared(_), _) => format!("{} `{}`{title}", item.word, named.text),
        (Pot::Word, _) => format!("`{}` — a word that {} may be", named.text, owner(item)),
        (Pot::Wording, _) => format!(
            "`{}` — words that are said or shown\n\n```mafia\n{}\n```",
            named.text,
            line_around(&context.sources, used.span)
        ),
        (Pot::Purpose, _) => format!("`{}` — what a card is called for", named.text),
        (Pot::Question, _) => format!("`{}` — an answer", named.text),
    };
    let mut out = vec![what];
    let remark = remarks::above(&context.sources, item.span);
    let of_rules = match pot {
        Pot::Declared(Sort::Thing) => of_rules(server, path, &named.text, item.word),
        _ => None,
    };
    // What a card says already is not said twice.
    let is_new = |remark: &String| {
        !of_rules
            .as_ref()
            .is_some_and(|told| told.contains(remark.as_str()))
    };
    out.extend(Some(remark).filter(|remark| !remark.is_empty() && is_new(remark)));
    if let Pot::Declared(Sort::Thing) = pot {
        out.push(format!("```mafia\n{}\n```", first_line(context, item.span)));
    }
    out.extend(of_rules);
    out.push(origin(context, &used));
    Some(out.join("\n\n"))
}

fn head_name(item: &omerta_syntax::tree::Item) -> &str {
    omerta_workbench::lookup::head_of(item).map_or("", |name| name.text.as_str())
}

fn owner(item: &omerta_syntax::tree::Item) -> String {
    match head_name(item) {
        "" => "something".to_owned(),
        name => format!("`{name}`"),
    }
}

/// The line on which something stands.
fn line_around(sources: &Sources, span: Span) -> String {
    let text = &sources.get(span.source).text;
    let start = text[..span.start as usize].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next().unwrap_or_default();
    line.trim().to_owned()
}

/// The first line of a declaration.
fn first_line(context: &Context, span: Span) -> String {
    let text = context.sources.slice(span);
    let line = text.lines().next().unwrap_or_default();
    // A brace that is closed further down would dangle.
    line.strip_suffix('{').unwrap_or(line).trim_end().to_owned()
}

/// Where it comes from.
fn origin(context: &Context, used: &omerta_check::index::Use) -> String {
    let source = context.sources.get(used.span.source);
    let line = source.place(used.span.start as usize).line;
    let layer = match context.index.layer_of(used) {
        Layer::Base => "",
        Layer::Overlay(_) => ", by an overlay",
    };
    let open = match context.index.is_published(&used.text) {
        true => "; published: overlays, files that change this game, may change it",
        false => "",
    };
    let replaced = match used.access {
        Access::Replaces => ", in the place of another",
        _ => "",
    };
    format!("*{} {line}{layer}{replaced}{open}*", short(&source.name))
}

/// What the compiled rules say: the card of a role, who is called in a scene.
fn of_rules(server: &mut Server, path: &Path, name: &str, word: &str) -> Option<String> {
    let check = server.project.check(path);
    let (asked, bench) = check.benches.first()?;
    let laid = bench.lay(&asked.wanted).ok()?;
    bench.with_sources(|sources| {
        let subject = Subject::of(&laid, sources);
        match word {
            "role" => card(subject, name),
            "scene" => calls(subject, name),
            "option" => option(subject, name),
            _ => None,
        }
    })
}

fn card(subject: Subject<'_>, name: &str) -> Option<String> {
    let (title, team, text) = cards::told(subject, name)?;
    let of = if team.is_empty() {
        String::new()
    } else {
        format!(" ({team})")
    };
    let lines: Vec<String> = text.iter().map(|line| format!("> {line}")).collect();
    Some(format!("> **{title}**{of}\n>\n{}", lines.join("\n>\n")))
}

/// What an option decides, what it is here and may be else, and the numbers of the rulings that it answers.
fn option(subject: Subject<'_>, name: &str) -> Option<String> {
    let option = subject.rules.options.iter().find(|option| option.name == name)?;
    let others = option.values.iter().filter(|value| **value != option.value);
    let others: Vec<String> = others.map(|value| format!("`{value}`")).collect();
    let mut out = format!("Here it is `{}`", option.value);
    if !others.is_empty() {
        out.push_str(&format!("; it may also be {}", listed(others, "or")));
    }
    if option.value != option.default {
        out.push_str(&format!(". Where nobody chooses it is `{}`", option.default));
    }
    out.push('.');
    let rulings = subject.rulings(name);
    if !rulings.is_empty() {
        out.push_str(&format!("\n\nIt settles {}.", listed(rulings, "and")));
    }
    Some(out)
}

fn calls(subject: Subject<'_>, name: &str) -> Option<String> {
    let calls = subject.calls_in(name);
    let called: Vec<String> = { calls.iter() }
        .map(|called| match called.purpose {
            Some(purpose) => format!("`{}` to {}", called.card.text, purpose.text),
            None => format!("`{}`", called.card.text),
        })
        .collect();
    (!called.is_empty()).then(|| format!("Called, in this order: {}.", called.join(", ")))
}
