//! The text of the rules: where a thing is declared, coloured; and what led to an event.

use super::desk::{Desk, Done};
use super::given;
use crate::faces::{console::paint, render::Colour};
use omerta_core::{
    rules::AskKind,
    source::{SourceId, Span},
};
use omerta_syntax::{
    Sort, parse_file, runs,
    tree::{Ask, Item, ItemKind, Name, Question, StatementKind},
    walk::for_each_statement,
};
use std::sync::Arc;

// ---- Where things are declared
impl Desk {
    /// Every declared name with its place.
    pub fn declared(&self) -> Vec<(String, Span)> {
        let rules = self.rules();
        let names = self.bench.names(rules);
        let mut all: Vec<(String, Span)> = names
            .symbols
            .iter()
            .map(|(name, symbol)| (name.to_owned(), symbol.span))
            .collect();
        all.extend(rules.rules.iter().cloned());
        all.extend(
            rules
                .endings
                .iter()
                .map(|ending| (ending.name.clone(), ending.origin)),
        );
        all.extend(
            rules
                .offers
                .iter()
                .map(|offer| (offer.name.clone(), offer.origin)),
        );
        let words = rules.says.iter().filter_map(|say| Some((say.word?, say.origin)));
        all.extend(words.map(|(word, origin)| (rules.words[word.index()].clone(), origin)));
        all.extend(rules.asks.iter().map(|ask| (ask.name.clone(), ask.origin)));
        all.retain(|(name, span)| !name.is_empty() && span.end > 0);
        all
    }

    /// The branches of menus that are called so or pick something under that name, and the draws of it.
    fn picked(&self, name: &str) -> Vec<Span> {
        let menus = self.rules().asks.iter().filter_map(|site| match site.kind {
            AskKind::Menu(_) => self.ask_at(site.origin),
            _ => None,
        });
        let is = |known: &Name| known.text.eq_ignore_ascii_case(name);
        let mut places: Vec<Span> = menus
            .flat_map(|ask| match ask.question {
                Question::Menu(_, branches) => branches,
                _ => Vec::new(),
            })
            .filter(|branch| is(&branch.name) || branch.pick.as_ref().is_some_and(|pick| is(&pick.name)))
            .map(|branch| branch.span)
            .collect();
        let draws = self
            .rules()
            .draws
            .iter()
            .filter(|draw| draw.name.eq_ignore_ascii_case(name));
        places.extend(draws.map(|draw| draw.origin));
        places
    }

    /// The question that stands at a place.
    pub fn ask_at(&self, origin: Span) -> Option<Ask> {
        let text = self.text_of(origin.source)?;
        let (file, _) = parse_file(origin.source, &text);
        let item = innermost(&file.items, origin)?;
        let mut found = None;
        for_each_statement(&item.kind, &mut |statement| {
            let holds = statement.span.start <= origin.start && origin.start < statement.span.end;
            if let (true, StatementKind::Ask(ask)) = (holds, &statement.kind) {
                found = Some((**ask).clone());
            }
        });
        found
    }

    /// The declaration that a place stands in, with its lines.
    fn declaration(&self, place: Span) -> Option<Span> {
        let text = self.text_of(place.source)?;
        let (file, _) = parse_file(place.source, &text);
        innermost(&file.items, place).map(|item| item.span)
    }

    /// A text of the rules, if this is one.
    pub fn text_of(&self, id: SourceId) -> Option<String> {
        self.bench.with_sources(|sources| {
            let is_there = sources.iter().any(|(known, _)| known == id);
            is_there.then(|| sources.get(id).text.clone())
        })
    }

    /// Lines of the rules with their numbers, coloured.
    pub fn lines_of(&self, span: Span) -> String {
        let (name, first, text) = self.bench.with_sources(|sources| {
            let source = sources.get(span.source);
            let (from, to) = (source.place(span.start as usize), source.place(span.end as usize));
            let last = if to.column == 1 && to.line > from.line {
                to.line - 1
            } else {
                to.line
            };
            let bytes = source.line_range(from.line).start..source.line_range(last).end;
            (source.name.clone(), from.line, source.text[bytes].to_owned())
        });
        let coloured = coloured(self.manners.colour, &text);
        let dim = |text: &str| paint(self.manners.colour, "2", text);
        let lines = coloured.trim_end().lines().enumerate();
        let lines = lines.map(|(index, line)| format!("{} {line}\n", dim(&format!("{:5}", first + index))));
        format!("  {}\n{}", dim(&name), lines.collect::<String>())
    }
}

/// A text of the language in the colours of its words.
pub fn coloured(colour: Colour, text: &str) -> String {
    let mut out = String::new();
    let mut at = 0;
    for (run, sort) in runs(text) {
        out.push_str(&text[at..run.start]);
        let words = &text[run.clone()];
        let capital = words.starts_with(char::is_uppercase);
        let code = match sort {
            Sort::Keyword => "1;34",
            Sort::Word if capital => "36",
            Sort::Number => "35",
            Sort::Text => "32",
            Sort::Comment => "2",
            Sort::Word | Sort::Sign => "",
        };
        match code {
            "" => out.push_str(words),
            // A colour ends with its line.
            code => {
                let lines: Vec<String> = words.split('\n').map(|line| paint(colour, code, line)).collect();
                out.push_str(&lines.join("\n"));
            }
        }
        at = run.end;
    }
    out.push_str(&text[at..]);
    out
}

/// The declaration that a place stands in, inside overlays too.
pub fn innermost(items: &[Arc<Item>], place: Span) -> Option<&Item> {
    let holds = |item: &&Arc<Item>| item.span.start <= place.start && place.start < item.span.end;
    let item = items.iter().find(holds)?;
    let within = inside(item).and_then(|items| innermost(items, place));
    Some(within.unwrap_or(item))
}

/// `source cure`
pub fn source(desk: &mut Desk, given: &str) -> Done {
    if given.is_empty() {
        return Err("name a role, a rule, a scene: anything the rules declare".to_owned());
    }
    let declared = desk.declared();
    let same = |exact: bool| {
        let is = move |name: &str| {
            if exact {
                name == given
            } else {
                name.eq_ignore_ascii_case(given)
            }
        };
        let mut places: Vec<Span> = Vec::new();
        for (_, span) in declared.iter().filter(|(name, _)| is(name)) {
            let whole = desk.declaration(*span).unwrap_or(*span);
            if !places.contains(&whole) {
                places.push(whole);
            }
        }
        places
    };
    let found = [same(true), same(false), desk.picked(given)];
    let Some(found) = found.into_iter().find(|found| !found.is_empty()) else {
        let names: Vec<String> = declared.into_iter().map(|(name, _)| name).collect();
        return Err(given::unknown_of_many("name", given, &names));
    };
    for place in found {
        let text = desk.lines_of(place);
        desk.out.push_str(&text);
    }
    Ok(())
}

// ---- Why
/// `why`, `why 12`, `why Ann`, `why wakes`
pub fn why(desk: &mut Desk, given: &str) -> Done {
    let of_seat = match given {
        "" => None,
        given => desk.seat(given).ok(),
    };
    let number = of_seat
        .and_then(|seat| desk.last_of(seat))
        .map(|number| number.to_string());
    let text = desk.why_text(number.as_deref().unwrap_or(given));
    let text = text.ok_or_else(|| match given.is_empty() {
        true => "nothing has happened yet".to_owned(),
        false => format!("nothing with the words `{given}` has happened; `log all` shows what has"),
    })?;
    desk.out.push_str(&text);
    Ok(())
}

/// The declarations of a file, those inside overlays too.
pub fn flat(items: &[Arc<Item>]) -> Vec<&Item> {
    let mut all = Vec::new();
    for item in items {
        match inside(item) {
            Some(items) => all.extend(flat(items)),
            None => all.push(item),
        }
    }
    all
}

/// What an overlay or a section of one holds.
fn inside(item: &Item) -> Option<&[Arc<Item>]> {
    match &item.kind {
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => Some(items),
        _ => None,
    }
}
