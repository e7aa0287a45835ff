//! What each seat has got to know, as rows of small numbers, for programs that learn.
//!
//! A row takes in the events whose audience its seat is in, and nothing else: what stands in it is what
//! [`omerta_engine::Log::view`] tells that seat, counted. What has a number in it follows from the rules.

use omerta_core::rules::{GroupId, Kind, MOST_CARDS, PhrasePiece, Ruleset, SayId};
use omerta_engine::{Audience, Listener, Value, What, seats_in};
use std::sync::Arc;

/// No seat, no card's place, no question.
const NONE: u8 = u8::MAX;

/// A run of numbers in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// What it tells.
    pub name: &'static str,
    /// Where it begins.
    pub start: usize,
    /// How many numbers it has.
    pub size: usize,
}

/// Where everything stands in a row.
#[derive(Clone, Debug)]
pub struct Layout {
    seats: usize,
    groups: usize,
    /// For each thing said: its place among those that name seats, and among those that carry a number.
    names_seats: Vec<Option<usize>>,
    carries_number: Vec<Option<usize>>,
    blocks: Vec<Block>,
    width: usize,
}

/// The blocks in their order, as places in [`Layout::blocks`].
#[derive(Clone, Copy)]
enum Part {
    Me,
    Question,
    News,
    Said,
    Named,
    Number,
    Lies,
    Told,
    Answers,
    Passed,
}

impl Layout {
    /// The layout for rules and so many seats.
    pub fn new(rules: &Ruleset, seats: u8) -> Layout {
        let (seats, groups, says) = (usize::from(seats), rules.groups.len(), rules.says.len());
        let with = |wanted: fn(Kind) -> bool| {
            let mut next = 0;
            let mut numbered = |carries: bool| {
                next += usize::from(carries);
                carries.then(|| next - 1)
            };
            let says = { rules.says.iter() }.map(|say| numbered(carries(&say.phrase.pieces, wanted)));
            let says: Vec<Option<usize>> = says.collect();
            (says, next)
        };
        let (names_seats, naming) = with(|kind| kind == Kind::Players);
        let (carries_number, numbering) =
            with(|kind| matches!(kind, Kind::Number | Kind::Truth | Kind::Word));
        let mut width = 0;
        let blocks = [
            ("me", seats),
            ("question", rules.asks.len()),
            ("news", says),
            ("said", says),
            ("named", naming * seats),
            ("number", numbering),
            ("lies", seats * groups),
            ("told", seats * (groups + 2)),
            ("answers", seats * seats),
            ("passed", seats),
        ];
        let blocks = blocks.map(|(name, size)| {
            width += size;
            Block {
                name,
                start: width - size,
                size,
            }
        });
        Layout {
            seats,
            groups,
            names_seats,
            carries_number,
            blocks: blocks.into(),
            width,
        }
    }

    /// How many numbers a row has.
    pub fn width(&self) -> usize {
        self.width
    }

    /// What the numbers of a row tell, in order.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// All seats.
    fn all(&self) -> u64 {
        let beyond = u64::MAX.checked_shl(self.seats as u32);
        beyond.map_or(u64::MAX, |beyond| !beyond)
    }

    fn at(&self, part: Part) -> usize {
        self.blocks[part as usize].start
    }
}

/// Whether words may carry a value of a kind.
fn carries(pieces: &[PhrasePiece], wanted: fn(Kind) -> bool) -> bool {
    pieces.iter().any(|piece| match piece {
        PhrasePiece::Words(_) => false,
        PhrasePiece::Slot { kind, .. } => wanted(*kind),
        PhrasePiece::Choice {
            kind,
            none,
            one,
            many,
            ..
        } => {
            wanted(*kind)
                || [none, one, many]
                    .into_iter()
                    .any(|pieces| carries(pieces, wanted))
        }
    })
}

/// The rows of all seats.
#[derive(Debug)]
pub struct Knowledge {
    layout: Arc<Layout>,
    rows: Vec<i8>,
    minds: Vec<Mind>,
}

/// What a seat keeps in mind beside its row.
#[derive(Clone, Copy, Debug)]
struct Mind {
    /// The question that is put to it.
    question: Option<u16>,
    /// Whom it named last.
    named: u8,
    /// At which seat each card lies that it has seen.
    lies: [u8; MOST_CARDS],
}

impl Knowledge {
    /// Nobody has heard anything.
    pub fn new(layout: Arc<Layout>) -> Knowledge {
        let minds = Vec::with_capacity(layout.seats);
        let mut knowledge = Knowledge {
            rows: vec![0; layout.seats * layout.width],
            minds,
            layout,
        };
        knowledge.clear();
        knowledge
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.rows.fill(0);
        let mind = Mind {
            question: None,
            named: NONE,
            lies: [NONE; MOST_CARDS],
        };
        self.minds.clear();
        self.minds.resize(self.layout.seats, mind);
        let me = self.layout.at(Part::Me);
        for seat in 0..self.layout.seats {
            self.row_mut(seat)[me + seat] = 1;
        }
    }

    /// The layout of the rows.
    pub fn layout(&self) -> &Arc<Layout> {
        &self.layout
    }

    /// What a seat knows.
    pub fn row(&self, seat: u8) -> &[i8] {
        let width = self.layout.width;
        self.rows
            .get(usize::from(seat) * width..(usize::from(seat) + 1) * width)
            .unwrap_or(&[])
    }

    fn row_mut(&mut self, seat: usize) -> &mut [i8] {
        self.parts(seat).1
    }

    /// The layout beside the row and the mind of a seat, which are written.
    fn parts(&mut self, seat: usize) -> (&Layout, &mut [i8], &mut Mind) {
        let width = self.layout.width;
        let row = &mut self.rows[seat * width..(seat + 1) * width];
        (&self.layout, row, &mut self.minds[seat])
    }

    fn turned(&mut self, seat: usize, of: u8, role: GroupId) {
        let at = self.layout.at(Part::Lies) + usize::from(of) * self.layout.groups;
        let end = at + self.layout.groups;
        let row = self.row_mut(seat);
        row[at..end].fill(0);
        row[at + role.index()] = 1;
    }

    fn asked(&mut self, seat: usize, question: Option<u16>) {
        let (layout, row, mind) = self.parts(seat);
        let start = layout.at(Part::Question);
        let before = std::mem::replace(&mut mind.question, question);
        if let Some(before) = before {
            row[start + usize::from(before)] = 0;
        }
        if let Some(now) = question {
            row[start + usize::from(now)] = 1;
        }
    }

    /// Who named whom last, as far as the seat has heard of it. With its own answer what was new is no longer.
    fn answered(&mut self, seat: usize, who: u64, answer: &Value) {
        let mine = who >> seat & 1 == 1;
        let picked = picked(answer);
        let (layout, row, mind) = self.parts(seat);
        let (answers, passed) = (layout.at(Part::Answers), layout.at(Part::Passed));
        for by in seats_in(who).filter(|by| *by < layout.seats) {
            let whom = &mut row[answers + by * layout.seats..][..layout.seats];
            whom.fill(0);
            seats_in(picked)
                .filter(|of| *of < layout.seats)
                .for_each(|of| whom[of] = 1);
            row[passed + by] = i8::from(matches!(answer, Value::Nobody));
        }
        if mine {
            row[layout.at(Part::News)..layout.at(Part::Said)].fill(0);
            if let Some(named) = seats_in(picked).next() {
                mind.named = named as u8;
            }
            self.asked(seat, None);
        }
    }

    /// What is said in public reaches every seat: whatever is the same for all of them is worked out once.
    fn said(&mut self, seats: u64, site: SayId, values: &[Value]) {
        let (layout, say) = (&*self.layout, site.index());
        let (news, said, told) = (
            layout.at(Part::News),
            layout.at(Part::Said),
            layout.at(Part::Told),
        );
        let of_each = layout.groups + 2;
        let named = values.iter().fold(0, |set, value| set | picked(value)) & layout.all();
        let naming = layout.names_seats[say].map(|place| layout.at(Part::Named) + place * layout.seats);
        let numbering = layout.carries_number[say].map(|place| layout.at(Part::Number) + place);
        let number = numbering.zip(values.iter().rev().find_map(number));
        for seat in seats_in(seats) {
            let row = &mut self.rows[seat * layout.width..][..layout.width];
            row[news + say] = 1;
            more(&mut row[said + say]);
            if values.is_empty() {
                continue;
            }
            if let Some(naming) = naming {
                seats_in(named).for_each(|of| more(&mut row[naming + of]));
            }
            if let Some((place, number)) = number {
                row[place] = number;
            }
            // What is told is told of those it names, or else of whom the seat has named last.
            let about = match (named, self.minds[seat].named) {
                (0, NONE) => 0,
                (0, after) => 1 << after,
                (named, _) => named,
            };
            for of in seats_in(about) {
                let told = &mut row[told + of * of_each..][..of_each];
                values.iter().for_each(|value| tell(told, value, layout.groups));
            }
        }
    }

    fn moved(&mut self, seat: usize, cards: &[(u8, GroupId)], to: Option<u8>) {
        let (layout, row, mind) = self.parts(seat);
        let start = layout.at(Part::Lies);
        for (card, group) in cards {
            let now = to.unwrap_or(NONE);
            let Some(lies) = mind.lies.get_mut(usize::from(*card)) else {
                continue;
            };
            let before = std::mem::replace(lies, now);
            let place = |at: u8| start + usize::from(at) * layout.groups + group.index();
            if usize::from(before) < layout.seats {
                row[place(before)] = (row[place(before)] - 1).max(0);
            }
            if usize::from(now) < layout.seats {
                more(&mut row[place(now)]);
            }
        }
    }
}

impl Clone for Knowledge {
    fn clone(&self) -> Self {
        let (layout, rows, minds) = (self.layout.clone(), self.rows.clone(), self.minds.clone());
        Knowledge { layout, rows, minds }
    }

    /// Of a table that is laid alike; nothing is allocated.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.layout, &other.layout) {
            self.layout.clone_from(&other.layout);
        }
        self.rows.clone_from(&other.rows);
        self.minds.clone_from(&other.minds);
    }
}

impl Listener for Knowledge {
    fn hears_host(&self) -> bool {
        false
    }

    fn hear(&mut self, what: What, audience: Audience, _: u32, _: usize, _: bool) {
        let all = self.layout.all();
        let seats: u64 = match audience {
            Audience::Host => return,
            Audience::Seats(seats) => seats & all,
            Audience::All => all,
        };
        let each = seats_in(seats);
        match &what {
            What::Said { site, values } => self.said(seats, *site, values),
            What::Asked { site, .. } => each.for_each(|seat| self.asked(seat, Some(site.0))),
            What::Answered { who, answer, .. } => each.for_each(|seat| self.answered(seat, *who, answer)),
            What::Moved { cards, seat: to, .. } => each.for_each(|seat| self.moved(seat, cards, *to)),
            What::Turned { seat: of, role } => each.for_each(|seat| self.turned(seat, *of, *role)),
            _ => {}
        }
    }
}

fn more(count: &mut i8) {
    *count = count.saturating_add(1);
}

/// The seats of a value.
fn picked(value: &Value) -> u64 {
    match value {
        Value::Players(seats) => *seats,
        Value::Branch {
            target: Some(target), ..
        } => picked(target),
        _ => 0,
    }
}

/// A value as a small number.
fn number(value: &Value) -> Option<i8> {
    Some(match value {
        Value::Number(number) => (*number).clamp(i8::MIN.into(), i8::MAX.into()) as i8,
        Value::Truth(truth) => i8::from(*truth),
        Value::Word(word) => (*word).min(126) as i8 + 1,
        _ => return None,
    })
}

/// Titles, cards, yes and no, as told of a seat.
fn tell(told: &mut [i8], value: &Value, groups: usize) {
    match value {
        Value::Titles(titles) => {
            { seats_in(*titles).filter(|title| *title < groups) }.for_each(|title| more(&mut told[title]))
        }
        Value::Cards(cards) => cards.iter().for_each(|(_, group)| more(&mut told[group.index()])),
        Value::Truth(truth) => more(&mut told[groups + usize::from(*truth)]),
        _ => {}
    }
}
