//! Role cards to cut out: one SVG, nine cards a sheet of A4, a card for each role or one for each card of
//! a cast.

use crate::markup::escaped;
use crate::{
    phrases::{Teller, plain},
    roles::{Told, clauses},
    subject::Subject,
    summary::questions_of,
};
use omerta_core::rules::GroupId;
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::Verdict;

/// A card in millimetres, and where the first one lies.
const CARD: (u32, u32) = (63, 88);
const CORNER: (u32, u32) = (10, 16);
const SHEET: (u32, u32) = (210, 297);
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

/// The sheets with a card for each of these roles.
pub fn cards(subject: Subject<'_>, roles: &[GroupId]) -> String {
    let cards: Vec<Card> = roles.iter().filter_map(|role| card(subject, *role)).collect();
    let sheets = cards.len().div_ceil(9).max(1) as u32;
    let (wide, high) = (SHEET.0, SHEET.1 * sheets);
    let title = escaped(&subject.rules.title);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}mm\" height=\"{high}mm\" viewBox=\"0 0 {wide} {high}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{title}: role cards</title>\n<desc id=\"desc\">{}</desc>\n\
         <rect width=\"{wide}\" height=\"{high}\" fill=\"#fff\"/>\n",
        escaped(&listed(&cards))
    );
    for (number, card) in cards.iter().enumerate() {
        out.push_str(&drawn(card, number as u32));
    }
    out + "</svg>\n"
}

/// A card for each role, or those of the default cast for so many players.
pub fn roles_of(subject: Subject<'_>, players: Option<u8>) -> Option<Vec<GroupId>> {
    let rules = subject.rules;
    let Some(players) = players else {
        return Some((0..rules.roles.len()).map(|role| GroupId(role as u16)).collect());
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
    text.extend(Some(subject.remark(told.span)).filter(|remark| !remark.is_empty()));
    text.extend(questions_of(&teller, &told));
    text.extend(aims(&teller, &told));
    text.extend(clauses(&teller, &told).iter().map(|line| plain(&line.words)));
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

/// How its side wins, as people are told.
fn aims(teller: &Teller<'_>, told: &Told<'_>) -> Vec<String> {
    let name = |id: GroupId| teller.subject.name(id);
    let sides = [Some(told.group.name.as_str()), told.role.team.map(name)];
    let endings = teller.subject.endings().filter(|ending| match &ending.verdict {
        Verdict::Win(who) => who
            .bare_name()
            .is_some_and(|who| sides.contains(&Some(who.text.as_str()))),
        _ => false,
    });
    let titles = endings.filter_map(|ending| ending.title.as_ref());
    titles
        .map(|title| format!("You win when {}.", lower(&teller.text(title))))
        .collect()
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

fn drawn(card: &Card, number: u32) -> String {
    let (sheet, place) = (number / 9, number % 9);
    let x = CORNER.0 + place % 3 * CARD.0;
    let y = sheet * SHEET.1 + CORNER.1 + place / 3 * CARD.1;
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
        "<g transform=\"translate({x} {y})\" font-family=\"Georgia,serif\">\n\
         <rect x=\"0\" y=\"0\" width=\"{0}\" height=\"{1}\" fill=\"none\" stroke=\"#999\" stroke-width=\"0.2\" stroke-dasharray=\"2 1.5\"/>\n\
         <rect x=\"2.5\" y=\"2.5\" width=\"58\" height=\"83\" rx=\"2.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"0.8\"/>\n\
         <text x=\"31.5\" y=\"13\" font-size=\"{2}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"#000\">{3}</text>\n\
         <text x=\"31.5\" y=\"18.5\" font-size=\"3.2\" text-anchor=\"middle\" fill=\"{colour}\">{sign} {4}</text>\n\
         <line x1=\"8\" x2=\"55\" y1=\"21\" y2=\"21\" stroke=\"{colour}\" stroke-width=\"0.3\"/>\n",
        CARD.0,
        CARD.1,
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
    out + "</g>\n"
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
