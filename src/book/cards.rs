//! Role cards to cut out, nine to a sheet, a card for each role or one for each card of a cast: as one drawing, or as
//! pages for a printer, with backs if wished.

use crate::markup::escaped;
use crate::{
    page::Line,
    phrases::{Teller, plain},
    remarks::for_readers,
    roles::{Told, clauses},
    subject::Subject,
    summary::questions_of,
};
use omerta_core::rules::GroupId;
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{BinaryOp, Ending, Expr, ExprKind, Name, StatementKind, Verdict};
use omerta_syntax::walk::for_each_expr;

/// A card in tenths of a millimetre.
const CARD: (u32, u32) = (630, 880);

/// What the cards are printed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Paper {
    /// 210 by 297 millimetres.
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// A sheet in tenths of a millimetre.
    fn sheet(self) -> (u32, u32) {
        match self {
            Paper::A4 => (2100, 2970),
            Paper::Letter => (2159, 2794),
        }
    }

    /// Where the first card lies: nine are in the middle of the sheet, so that the backs meet them.
    fn corner(self) -> (u32, u32) {
        let (wide, high) = self.sheet();
        ((wide - 3 * CARD.0) / 2, (high - 3 * CARD.1) / 2)
    }
}

/// `10.5`
fn millimetres(tenths: u32) -> String {
    format!("{}.{}", tenths / 10, tenths % 10)
}

/// How many letters of the small print fit on a line.
const LETTERS: usize = 29;
/// How many lines fit under the title in large print, and in small.
const LINES: usize = 14;
const SMALL_LINES: usize = 18;

/// One card.
struct Card {
    title: String,
    team: String,
    /// What it says, in paragraphs.
    text: Vec<String>,
    /// The team's number, for its colour and its sign.
    side: usize,
}

/// The sheets with a card for each of these roles, as one drawing.
pub fn cards(subject: Subject<'_>, roles: &[GroupId]) -> String {
    let cards: Vec<Card> = roles.iter().filter_map(|role| card(subject, *role)).collect();
    let sheets = cards.chunks(9);
    let (wide, high) = Paper::A4.sheet();
    let size = (millimetres(wide), millimetres(high * sheets.len().max(1) as u32));
    let title = escaped(&subject.rules.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}mm\" height=\"{1}mm\" viewBox=\"0 0 {0} {1}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{title}: role cards</title>\n<desc id=\"desc\">{2}</desc>\n\
         <rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
        size.0,
        size.1,
        escaped(&listed(&cards))
    );
    for (number, sheet) in sheets.enumerate() {
        out.push_str(&drawn_sheet(
            sheet,
            Paper::A4,
            high * number as u32,
            Side::Front(drawn),
        ));
    }
    out + "</svg>\n"
}

/// The same as pages for a printer: a sheet each, and behind each, if wished, one with the backs.
pub fn pages(subject: Subject<'_>, roles: &[GroupId], paper: Paper, backs: bool) -> String {
    let cards: Vec<Card> = roles.iter().filter_map(|role| card(subject, *role)).collect();
    let (wide, high) = paper.sheet();
    let (wide, high) = (millimetres(wide), millimetres(high));
    let title = escaped(&subject.rules.title);
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n<title>{title}: role cards</title>\n\
         <style>\n@page{{size:{wide}mm {high}mm;margin:0}}\nbody{{margin:0;background:#fff}}\n\
         svg{{display:block;break-after:page;break-inside:avoid}}svg:last-child{{break-after:auto}}\n</style>\n</head>\n<body>\n"
    );
    for sheet in cards.chunks(9) {
        let back = backs.then(|| Side::Back(back_of(&subject.rules.title)));
        let sides = [Some(Side::Front(drawn)), back].into_iter().flatten();
        let sides = sides.map(|side| drawn_sheet(sheet, paper, 0, side));
        for (side, drawing) in sides.enumerate() {
            let label = if side == 0 {
                listed(sheet)
            } else {
                "the backs of these cards".to_owned()
            };
            out.push_str(&format!(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-label=\"{}\">\n{drawing}</svg>\n",
                escaped(&label)
            ));
        }
    }
    out + "</body>\n</html>\n"
}

/// What is seen of a card.
enum Side {
    /// What it says.
    Front(fn(&Card) -> String),
    /// The same for all.
    Back(String),
}

/// The cards of a sheet at their places. Backs go from right to left: the sheet is turned over its long edge.
fn drawn_sheet(cards: &[Card], paper: Paper, down: u32, side: Side) -> String {
    let (left, top) = paper.corner();
    let place = |(number, card): (usize, &Card)| {
        let (column, row) = (number as u32 % 3, number as u32 / 3);
        let (column, words) = match &side {
            Side::Front(drawn) => (column, drawn(card)),
            Side::Back(back) => (2 - column, back.clone()),
        };
        format!(
            "<g transform=\"translate({} {})\" font-family=\"Georgia,'DejaVu Serif',serif\">\n{CUT}{words}</g>\n",
            millimetres(left + column * CARD.0),
            millimetres(down + top + row * CARD.1),
        )
    };
    cards.iter().enumerate().map(place).collect()
}

/// The line along which a card is cut.
const CUT: &str = "<rect x=\"0\" y=\"0\" width=\"63\" height=\"88\" fill=\"none\" stroke=\"#999\" stroke-width=\"0.2\" stroke-dasharray=\"2 1.5\"/>\n";

/// The back: the same for all, so that it tells nothing.
fn back_of(title: &str) -> String {
    let lines = wrapped(title, 18);
    let first = 46 - 3 * lines.len() as u32;
    let line = |(number, words): (usize, &String)| {
        format!(
            "<text x=\"31.5\" y=\"{}\" font-size=\"5.5\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#333\">{}</text>\n",
            first + 7 * number as u32,
            escaped(words)
        )
    };
    let title: String = lines.iter().enumerate().map(line).collect();
    format!(
        "<rect x=\"4\" y=\"4\" width=\"55\" height=\"80\" rx=\"2.5\" fill=\"none\" stroke=\"#333\" stroke-width=\"0.8\"/>\n\
         <rect x=\"6.5\" y=\"6.5\" width=\"50\" height=\"75\" rx=\"1.5\" fill=\"none\" stroke=\"#333\" stroke-width=\"0.3\"/>\n{title}"
    )
}

/// A card for each role, or those of the default cast for so many players.
pub fn roles_of(subject: Subject<'_>, players: Option<u8>) -> Option<Vec<GroupId>> {
    let rules = subject.rules;
    let Some(players) = players else {
        return Some(rules.role_ids().collect());
    };
    let cast = rules.casts.iter().find(|cast| cast.name.is_none())?;
    let column = cast.column(usize::from(players))?;
    let mut cards = column.cards(rules.cards_for(usize::from(players)));
    // Of a row for several roles any may be in the game: a card of each.
    let drawn: Vec<GroupId> = { 0..rules.roles.len() }
        .map(|role| GroupId(role as u16))
        .filter(|role| !cards.contains(role) && cards.iter().any(|card| rules.is_of(*role, *card)))
        .collect();
    cards.retain(|card| !rules.is_open(*card));
    Some(cards.into_iter().chain(drawn).collect())
}

fn listed(cards: &[Card]) -> String {
    let titles: Vec<&str> = cards.iter().map(|card| card.title.as_str()).collect();
    titles.join(", ")
}

fn card(subject: Subject<'_>, role: GroupId) -> Option<Card> {
    let teller = Teller::of(subject);
    let told = subject
        .roles()
        .find(|told| subject.rules.group_named(&told.group.name) == Some(role))?;
    let team = told.role.team;
    let mut text = Vec::new();
    text.extend(Some(subject.remark(told.above(subject))).filter(|remark| !remark.is_empty()));
    text.extend(questions_of(&teller, &told));
    text.extend(aims(&teller, &told));
    // What is written for players says what the card counts as, in better words.
    if for_readers(subject.sources, told.above(subject)).is_empty() {
        text.extend(clauses(&teller, &told).iter().map(|line| plain(&line.words)));
    }
    Some(Card {
        title: with_a_capital(&told.group.title),
        team: team.map_or_else(String::new, |team| {
            with_a_capital(&subject.rules.groups[team.index()].title)
        }),
        text,
        side: team.map_or(0, |team| {
            1 + subject.teams().position(|(id, _)| id == team).unwrap_or(0)
        }),
    })
}

/// How its side wins, as people are told; where nothing says so of the side itself, whose victory it may be.
fn aims(teller: &Teller<'_>, told: &Told<'_>) -> Vec<String> {
    let name = |id: GroupId| teller.subject.name(id);
    let sides = [Some(told.group.name.as_str()), told.role.team.map(name)];
    let is_own = |who: &Expr| {
        let name = who.bare_name().map(|name| name.text.as_str());
        name.is_some() && sides.contains(&name)
    };
    let is_a_group = |name: &Name| teller.subject.rules.group_named(&name.text).is_some();
    // Whom no card tells by itself, and this one may be: `win highest of points`.
    let may_be_own = |who: &Expr| {
        let (mut names, mut spares) = (Vec::new(), false);
        for_each_expr(who, &mut |part| match &*part.kind {
            ExprKind::Query(query) => names.push(&query.name),
            ExprKind::Binary(op, ..) => spares |= *op == BinaryOp::Without,
            _ => {}
        });
        let groups: Vec<&&Name> = names.iter().filter(|name| is_a_group(name)).collect();
        let is_told = who.bare_name().is_some_and(is_a_group);
        let concerns = groups
            .iter()
            .any(|name| sides.contains(&Some(name.text.as_str())));
        !is_told && !who.is_nobody() && (groups.is_empty() || spares || concerns)
    };
    let of_ending = |ending: &Ending, whom: &dyn Fn(&Expr) -> Option<String>| -> Vec<String> {
        let test = match teller.test(&ending.when) {
            Err(false) => return Vec::new(),
            Err(true) => Vec::new(),
            Ok(test) => test,
        };
        let reason = match &ending.title {
            Some(title) => lower(teller.text(title).trim_end_matches('.')),
            None => plain(&test),
        };
        let joint = if ending.title.is_none() || is_clause(&reason) {
            " when"
        } else {
            ":"
        };
        match &ending.verdict {
            Verdict::Win(who) => { whom(who).into_iter() }
                .map(|wins| format!("{wins}{joint} {reason}."))
                .collect(),
            Verdict::Judged(body) => { body.statements.iter() }
                .filter_map(|statement| match &statement.kind {
                    StatementKind::Win { set, when } => {
                        let wins = whom(set)?;
                        let when = when
                            .as_ref()
                            .map(|when| format!(", and {}", plain(&teller.truth(when))));
                        Some(format!("{wins}{joint} {reason}{}.", when.unwrap_or_default()))
                    }
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        }
    };
    let endings = || teller.subject.endings();
    let own = |who: &Expr| is_own(who).then(|| "You win".to_owned());
    let elsewhere = teller.verdicts_elsewhere(Some(&is_own));
    let elsewhere = elsewhere.iter().map(flat);
    let span = told.above(teller.subject);
    let told: Vec<String> = endings()
        .flat_map(|ending| of_ending(ending, &own))
        .chain(elsewhere)
        .collect();
    // Where the card has a remark, that is for its author to say.
    if !told.is_empty() || !teller.subject.remark(span).is_empty() {
        return told;
    }
    let of_some = |who: &Expr| {
        let whom = may_be_own(who).then(|| plain(&teller.spelling().expr(who)));
        whom.map(|whom| format!("Victory for {whom}"))
    };
    endings().flat_map(|ending| of_ending(ending, &of_some)).collect()
}

/// A line with what stands under it, as one.
fn flat(line: &Line) -> String {
    let inner: Vec<String> = line.inner.iter().map(flat).collect();
    [&[plain(&line.words)], &inner[..]].concat().join(" ")
}

/// Whether a title is a sentence, as far as its words show it: `no wolf is left`, `the road rules`.
fn is_clause(title: &str) -> bool {
    const VERBS: [&str; 16] = [
        "is", "are", "was", "were", "has", "have", "had", "can", "cannot", "do", "does", "did", "will",
        "came", "rule", "rules",
    ];
    const ARTICLES: [&str; 4] = ["the", "a", "an", "no"];
    let words: Vec<&str> = title.split(' ').collect();
    let acts = |words: &[&str]| matches!(words, [article, noun, verb, ..] if ARTICLES.contains(article) && !noun.ends_with('s') && verb.ends_with('s'));
    words.iter().any(|word| VERBS.contains(word)) || acts(&words)
}

/// A title in the middle of a sentence, unless it begins with a name.
fn lower(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// Colours of sides that also differ in grey; each side has a sign besides.
const SIDES: [(&str, &str); 6] = [
    ("#6b7280", ""),
    ("#2d5a9c", "●"),
    ("#a8321f", "■"),
    ("#2f7a4f", "▲"),
    ("#7a4aa0", "◆"),
    ("#94690b", "★"),
];

fn drawn(card: &Card) -> String {
    // The first is that of nobody's side.
    let (colour, sign) = match card.side {
        0 => SIDES[0],
        side => SIDES[1 + (side - 1) % (SIDES.len() - 1)],
    };
    let lines = laid_out(&card.text);
    // In tenths of a millimetre: how far the lines are apart.
    let (letter, step) = if lines.len() > LINES {
        ("2.5", 32)
    } else {
        ("3.2", 42)
    };
    let size = |words: &str| if words.chars().count() > 17 { "4.4" } else { "6" };
    let mut out = format!(
        "<rect x=\"2.5\" y=\"2.5\" width=\"58\" height=\"83\" rx=\"2.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.8\"/>\n\
         <text x=\"31.5\" y=\"13\" font-size=\"{0}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#000\">{1}</text>\n\
         <text x=\"31.5\" y=\"18.5\" font-size=\"3.2\" text-anchor=\"middle\" fill=\"{colour}\">{sign} {2}</text>\n\
         <line x1=\"8\" x2=\"55\" y1=\"21\" y2=\"21\" stroke=\"{colour}\" stroke-width=\"0.3\"/>\n",
        size(&card.title),
        escaped(&card.title),
        escaped(&card.team),
    );
    for (line, words) in lines.iter().enumerate() {
        let tenths = 265 + line * step;
        if !words.is_empty() {
            let words = escaped(words);
            out.push_str(&format!(
                "<text x=\"6.5\" y=\"{}.{}\" font-size=\"{letter}\" fill=\"#000\">{words}</text>\n",
                tenths / 10,
                tenths % 10
            ));
        }
    }
    out
}

/// Paragraphs as lines that fit on a card, an empty one between two paragraphs.
fn laid_out(paragraphs: &[String]) -> Vec<String> {
    let all: usize = paragraphs
        .iter()
        .map(|text| text.chars().count() / LETTERS + 2)
        .sum();
    let letters = if all > LINES { LETTERS * 4 / 3 } else { LETTERS };
    let mut lines: Vec<String> = Vec::new();
    for paragraph in paragraphs {
        if !lines.is_empty() {
            lines.push(String::new());
        }
        lines.extend(wrapped(paragraph, letters));
    }
    // What does not fit is in the book; that something is missing shall be seen.
    if lines.len() > SMALL_LINES {
        lines.truncate(SMALL_LINES - 1);
        lines.push("…".to_owned());
    }
    lines
}

/// Words in lines of so many letters; a longer word is cut.
pub fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        while word.len() > letters {
            let rest = word.split_off(letters);
            lines.push(word.into_iter().collect());
            word = rest;
        }
        let word: String = word.into_iter().collect();
        let last = lines.last_mut().expect("there is always a line");
        if last.is_empty() {
            *last = word;
        } else if last.chars().count() + word.chars().count() < letters {
            last.push(' ');
            last.push_str(&word);
        } else {
            lines.push(word);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

/// What the card of a role says: its title, its side, and its paragraphs.
pub fn told(subject: Subject<'_>, role: &str) -> Option<(String, String, Vec<String>)> {
    let card = card(subject, subject.rules.group_named(role)?)?;
    Some((card.title, card.team, card.text))
}
