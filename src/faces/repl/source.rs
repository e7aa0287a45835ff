//! The text of the rules: where a thing is declared, coloured; and which part of it leaves somebody
//! out of what may be answered.

use super::{command, desk::Desk};
use crate::{
    check::for_each_statement,
    engine::{Choice, Pending},
    faces::{console::paint, options},
    rules::Kind,
    source::{SourceId, Span},
    syntax::{
        Sort, parse_file, runs,
        tree::{BinaryOp, Domain, Expr, ExprKind, Item, ItemKind, Question, StatementKind},
    },
};
use std::collections::BTreeMap;

// ---- Where things are declared
impl Desk {
    /// Every declared name with its place.
    pub fn declared(&self) -> Vec<(String, Span)> {
        let rules = &self.session.table().rules;
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
        all.extend(rules.asks.iter().map(|ask| (ask.name.clone(), ask.origin)));
        all.retain(|(name, span)| !name.is_empty() && span.end > 0);
        all
    }

    /// The declaration that a place stands in, with its lines.
    fn declaration(&self, place: Span) -> Option<Span> {
        let text = self.text_of(place.source)?;
        let (file, _) = parse_file(place.source, &text);
        innermost(&file.items, place).map(|item| item.span)
    }

    fn text_of(&self, id: SourceId) -> Option<String> {
        self.bench.with_sources(|sources| {
            let is_there = sources.iter().any(|(known, _)| known == id);
            is_there.then(|| sources.get(id).text.clone())
        })
    }

    /// Lines of the rules with their numbers, coloured.
    fn lines_of(&self, span: Span) -> String {
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
        let coloured = self.coloured(&text);
        let dim = |text: &str| paint(self.manners.colour, "2", text);
        let lines = coloured.trim_end().lines().enumerate();
        let lines = lines.map(|(index, line)| format!("{} {line}\n", dim(&format!("{:5}", first + index))));
        format!("  {}\n{}", dim(&name), lines.collect::<String>())
    }

    /// A text of the language in the colours of its words.
    pub fn coloured(&self, text: &str) -> String {
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
                    let lines: Vec<String> = words
                        .split('\n')
                        .map(|line| paint(self.manners.colour, code, line))
                        .collect();
                    out.push_str(&lines.join("\n"));
                }
            }
            at = run.end;
        }
        out.push_str(&text[at..]);
        out
    }
}

fn innermost(items: &[Item], place: Span) -> Option<&Item> {
    let holds = |item: &&Item| item.span.start <= place.start && place.start < item.span.end;
    let item = items.iter().find(holds)?;
    let within = inside(item).and_then(|items| innermost(items, place));
    Some(within.unwrap_or(item))
}

/// `source cure`
pub fn source(desk: &mut Desk, given: &str) -> command::Done {
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
    let found = Some(same(true))
        .filter(|found| !found.is_empty())
        .unwrap_or_else(|| same(false));
    if found.is_empty() {
        let names: Vec<String> = declared.into_iter().map(|(name, _)| name).collect();
        let hint = command::unknown("name", given, &names);
        return Err(hint.split("; there is ").next().unwrap_or(&hint).to_owned());
    }
    for place in found {
        let text = desk.lines_of(place);
        desk.out.push_str(&text);
    }
    Ok(())
}

// ---- Why
/// `why`, `why 12`, `why Ann`, `why wakes`
pub fn why(desk: &mut Desk, given: &str) -> command::Done {
    let of_seat = match given {
        "" => None,
        given => command::seat(desk, given).ok(),
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

/// `why not Bob`
pub fn why_not(desk: &mut Desk, given: &str) -> command::Done {
    let Pending::Ask(asked) = desk.session.game().pending() else {
        return Err("nobody is asked now".to_owned());
    };
    if given.is_empty() {
        return Err("name a choice: `why not Bob`".to_owned());
    }
    if let options::Meant::Surely(_) = options::meant(&desk.answers(), given) {
        return Err(format!("`{given}` may be chosen"));
    }
    let words = desk.words();
    let may = words.options(desk.session.game(), &asked);
    let site = words.rules.ask(asked.site).clone();
    let mut lines = vec![format!("  asked for {}, {may}", site.name)];
    let set = desk.set_asked(site.origin);
    let seat = match desk.wished(given) {
        Some(Choice::Seat(seat)) => Some(seat),
        _ => None,
    };
    match (set, seat.filter(|_| desk.asked_among().is_some())) {
        (Some(set), Some(seat)) => {
            let name = desk.words().seat(seat);
            lines.extend(desk.left_out(&set, seat, &name, 0));
        }
        _ => lines.push("  the question gives no such answer:".to_owned()),
    }
    desk.list(&lines, "");
    let text = desk.lines_of(site.origin);
    desk.out.push_str(&text);
    Ok(())
}

/// How deep definitions are followed.
const DEEPEST: usize = 6;

impl Desk {
    /// From what the question at a place lets people choose.
    fn set_asked(&self, origin: Span) -> Option<Expr> {
        let text = self.text_of(origin.source)?;
        let (file, _) = parse_file(origin.source, &text);
        let item = innermost(&file.items, origin)?;
        let mut found = None;
        for_each_statement(&item.kind, &mut |statement| {
            let holds = statement.span.start <= origin.start && origin.start < statement.span.end;
            if let (true, StatementKind::Ask(ask)) = (holds, &statement.kind)
                && let Question::For {
                    domain: Domain::Set(set),
                    ..
                } = &ask.question
            {
                found = Some(set.clone());
            }
        });
        found
    }

    /// Which seats an expression of the rules gives; nothing where it hangs on names of its place.
    fn seats_of(&self, expr: &Expr) -> Option<u64> {
        let table = self.session.table();
        let me = match self.session.game().pending() {
            Pending::Ask(asked) => asked.who,
            _ => 0,
        };
        let text = self.text_of(expr.span.source)?;
        let words = text.get(expr.span.start as usize..expr.span.end as usize)?;
        // Who is asked stands for himself; nothing else of the place is known here.
        let own = |word: &str| {
            words
                .split(|c: char| !c.is_alphanumeric() && c != '-')
                .any(|it| it == word)
        };
        let params: Vec<(String, Kind)> = match own("me") || own("others") {
            true => vec![("me".to_owned(), Kind::Players)],
            false => Vec::new(),
        };
        let program = self.bench.compile(&table.rules, expr, &params).ok()?;
        let is_seats = matches!(program.kind, Some(Kind::Players));
        is_seats.then(|| self.session.game().evaluate(&program, &[me]))
    }

    /// Which part of a set leaves a seat out.
    fn left_out(&self, expr: &Expr, seat: u8, name: &str, depth: usize) -> Vec<String> {
        let holds = |expr: &Expr| self.seats_of(expr).map(|set| set >> seat & 1 == 1);
        let text = self
            .bench
            .with_sources(|sources| sources.slice(expr.span).to_owned());
        let here = |why: &str| vec![format!("  {name} {why} `{text}`{}", self.at(expr.span))];
        if holds(expr) == Some(true) || depth > DEEPEST {
            return Vec::new();
        }
        let inner = |inner: &Expr| self.left_out(inner, seat, name, depth + 1);
        let found: Vec<String> = match &*expr.kind {
            ExprKind::Group(inside) => inner(inside),
            ExprKind::Narrow(parts) => parts.iter().flat_map(inner).collect(),
            ExprKind::Binary {
                op: BinaryOp::Without,
                left,
                right,
            } => match (holds(left), holds(right)) {
                // Whoever is in the one and may not be chosen is in the other.
                (_, Some(true)) | (Some(true), None) => vec![format!(
                    "  {name} is left out by `without {}`{}",
                    self.slice(right),
                    self.at(right.span)
                )],
                _ => inner(left),
            },
            ExprKind::Binary { left, right, .. } => [inner(left), inner(right)].concat(),
            ExprKind::Where { set, test } => match holds(set) {
                Some(true) => vec![format!(
                    "  {name} fails the test `{}`{}",
                    self.slice(test),
                    self.at(test.span)
                )],
                _ => inner(set),
            },
            ExprKind::Query(query) if query.of.is_none() => {
                self.left_out_of(&query.name.text, seat, name, depth)
            }
            _ => Vec::new(),
        };
        match (found.is_empty(), holds(expr)) {
            (false, _) => found,
            (true, Some(_)) => here("is not in"),
            (true, None) => here("is not in what was worked out as"),
        }
    }

    /// Which part of a definition leaves a seat out: what somebody excludes, or what it says itself.
    fn left_out_of(&self, define: &str, seat: u8, name: &str, depth: usize) -> Vec<String> {
        // A file that was read anew stands there twice; its last text holds.
        let ids: BTreeMap<String, SourceId> = self.bench.with_sources(|sources| {
            sources
                .iter()
                .map(|(id, source)| (source.name.clone(), id))
                .collect()
        });
        let mut excluded = Vec::new();
        let mut own = Vec::new();
        for id in ids.into_values() {
            let text = self.text_of(id).unwrap_or_default();
            let (file, _) = parse_file(id, &text);
            for item in flat(&file.items) {
                match &item.kind {
                    ItemKind::Exclude { value, name: of, .. }
                        if of.text == define
                            && self.seats_of(value).is_some_and(|set| set >> seat & 1 == 1) =>
                    {
                        let text = self
                            .bench
                            .with_sources(|sources| sources.slice(item.span).to_owned());
                        excluded.push(format!("  {name} is left out by `{text}`{}", self.at(item.span)));
                    }
                    ItemKind::Define { name: of, value, .. } if of.text == define => {
                        own.extend(self.left_out(value, seat, name, depth + 1));
                    }
                    _ => {}
                }
            }
        }
        excluded.extend(own);
        excluded.dedup();
        excluded
    }

    fn slice(&self, expr: &Expr) -> String {
        self.bench
            .with_sources(|sources| sources.slice(expr.span).to_owned())
    }

    /// ` (city.mafia:45)`
    fn at(&self, span: Span) -> String {
        self.bench.with_sources(|sources| {
            let source = sources.get(span.source);
            format!(" ({}:{})", source.name, source.place(span.start as usize).line)
        })
    }
}

/// The declarations of a file, those inside overlays too.
fn flat(items: &[Item]) -> Vec<&Item> {
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
fn inside(item: &Item) -> Option<&[Item]> {
    match &item.kind {
        ItemKind::Overlay { items, .. } | ItemKind::Section { items, .. } => Some(items),
        _ => None,
    }
}
