//! Pairs to lines: what stands before the first scene, the scenes, and the steps in them.

use super::{Reader, Rule, child, inner, maybe, only, unescape};
use crate::{
    play_tree::{
        Case, Cases, CastCount, CastEntry, Cell, Deed, Goal, Line, LineKind, Otherwise, Person, Seat, Section,
    },
    tree::{Expr, Name},
};
use pest::iterators::Pair;

impl Reader {
    /// A line; `None` when an expression in it was not one, which has been blamed.
    pub(super) fn read_line(&mut self, pair: Pair<'_, Rule>) -> Option<Line> {
        let span = self.span(&pair);
        let kind = self.read_kind(only(pair))?;
        Some(Line { kind, span })
    }

    fn read_kind(&mut self, pair: Pair<'_, Rule>) -> Option<LineKind> {
        match pair.as_rule() {
            Rule::ruleset => Some(self.read_ruleset(&pair)),
            Rule::set => Some(self.read_set(pair)),
            Rule::covers => Some(LineKind::Covers(self.read_codes(pair))),
            Rule::seats => Some(LineKind::Seats(self.read_seats(pair))),
            Rule::seats_by_lot => Some(LineKind::SeatsByLot(self.read_seats(pair))),
            Rule::cast => Some(LineKind::Cast(self.read_cast(pair))),
            Rule::aside => Some(LineKind::Aside(self.names(child(&pair, Rule::names)))),
            Rule::pile => Some(self.read_pile(&pair)),
            Rule::otherwise => self.read_otherwise(&pair),
            Rule::cases => self.read_cases(pair).map(LineKind::Cases),
            Rule::section => Some(LineKind::Section(self.read_section(pair))),
            Rule::include => Some(LineKind::Include {
                name: self.name(child(&pair, Rule::name)),
                given: self.read_case(pair)?,
            }),
            Rule::repeated => Some(LineKind::Repeat {
                times: self.int(child(&pair, Rule::int)),
                lines: self.read_lines(pair),
            }),
            Rule::run_to => Some(LineKind::RunTo(self.read_goal(&pair))),
            Rule::snapshot => Some(LineKind::Snapshot(
                maybe(&pair, Rule::texts).map(|t| self.texts(t)),
            )),
            Rule::refused => self.read_refused(pair),
            Rule::expect => self.read_expect(pair).map(LineKind::Expect),
            _ => self.read_deed(pair).map(LineKind::Deed),
        }
    }

    fn read_ruleset(&mut self, pair: &Pair<'_, Rule>) -> LineKind {
        let mut named = inner(pair.clone(), Rule::base).map(|named| self.name_or_path(only(named)));
        let base = named.next().expect("the grammar puts a base there");
        let overlays = named.collect();
        LineKind::Ruleset { base, overlays }
    }

    fn name_or_path(&self, pair: Pair<'_, Rule>) -> Name {
        match pair.as_rule() {
            Rule::text => Name::new(unescape(pair.as_str()), self.span(&pair)),
            _ => self.name(pair),
        }
    }

    fn read_set(&mut self, pair: Pair<'_, Rule>) -> LineKind {
        let option = self.name(child(&pair, Rule::name));
        let value = pair.into_inner().last().expect("the grammar puts a value there");
        LineKind::Set {
            option,
            value: self.name(value),
        }
    }

    fn read_codes(&mut self, pair: Pair<'_, Rule>) -> Vec<Name> {
        inner(pair, Rule::code).map(|code| self.name(code)).collect()
    }

    fn read_seats(&mut self, pair: Pair<'_, Rule>) -> Vec<Seat> {
        if let Some(numbered) = maybe(&pair, Rule::numbered_seats) {
            return self.read_numbered(numbered);
        }
        inner(pair, Rule::seat)
            .map(|seat| {
                let name = Some(self.name(child(&seat, Rule::name)));
                let cards = maybe(&seat, Rule::hand).map_or(Vec::new(), |hand| self.names(hand));
                Seat { name, cards }
            })
            .collect()
    }

    fn read_numbered(&mut self, pair: Pair<'_, Rule>) -> Vec<Seat> {
        let count = self.int(child(&pair, Rule::int)).value;
        let mut seats: Vec<_> = inner(pair, Rule::hand)
            .map(|hand| Seat {
                name: None,
                cards: self.names(hand),
            })
            .collect();
        // No table has more than 64 seats; one more is enough for the engine to refuse it.
        let wanted = count.clamp(0, 65) as usize;
        seats.resize(
            wanted.max(seats.len()),
            Seat {
                name: None,
                cards: Vec::new(),
            },
        );
        seats
    }

    fn read_cast(&mut self, pair: Pair<'_, Rule>) -> Vec<CastEntry> {
        inner(pair, Rule::cast_entry)
            .map(|entry| {
                let name = self.name(child(&entry, Rule::name));
                let rest = maybe(&entry, Rule::kw_rest).map(|rest| CastCount::Rest(self.span(&rest)));
                let count =
                    rest.or_else(|| maybe(&entry, Rule::int).map(|int| CastCount::Cards(self.int(int))));
                CastEntry { name, count }
            })
            .collect()
    }

    fn read_pile(&mut self, pair: &Pair<'_, Rule>) -> LineKind {
        LineKind::Pile {
            zone: self.name(child(pair, Rule::name)),
            cards: self.names(child(pair, Rule::names)),
        }
    }

    fn read_otherwise(&mut self, pair: &Pair<'_, Rule>) -> Option<LineKind> {
        if let Some(standing) = maybe(pair, Rule::standing) {
            let who = match maybe(&standing, Rule::people) {
                Some(people) => self.read_people(people)?,
                None => Vec::new(),
            };
            return Some(LineKind::Standing {
                who,
                choice: self.name(child(&child(&standing, Rule::choice), Rule::name)),
                answer: self.expr(&standing.clone().into_inner().last()?)?,
            });
        }
        Some(LineKind::Otherwise(match maybe(pair, Rule::random) {
            Some(random) => match maybe(&random, Rule::int) {
                Some(seed) => Otherwise::Random(self.int(seed)),
                None => Otherwise::RandomOf(self.name(child(&random, Rule::name))),
            },
            None => Otherwise::Pass,
        }))
    }

    fn read_cases(&mut self, pair: Pair<'_, Rule>) -> Option<Cases> {
        let names = self.names(child(&pair, Rule::names));
        let rows: Vec<_> = inner(pair, Rule::case).map(|case| self.read_case(case)).collect();
        Some(Cases {
            names,
            rows: rows.into_iter().collect::<Option<_>>()?,
        })
    }

    fn read_case(&mut self, pair: Pair<'_, Rule>) -> Option<Case> {
        let span = self.span(&pair);
        let cells: Vec<_> = inner(pair, Rule::cell)
            .map(|cell| self.read_cell(only(cell)))
            .collect();
        Some(Case {
            cells: cells.into_iter().collect::<Option<_>>()?,
            span,
        })
    }

    fn read_cell(&mut self, pair: Pair<'_, Rule>) -> Option<Cell> {
        match pair.as_rule() {
            Rule::row_texts => Some(Cell::Text(self.texts(pair))),
            Rule::cell_range => {
                let mut ends = inner(pair, Rule::int).map(|end| self.int(end));
                Some(Cell::Range {
                    from: ends.next()?,
                    to: ends.next()?,
                })
            }
            _ => self.expr(&pair).map(Cell::Expr),
        }
    }

    fn read_section(&mut self, pair: Pair<'_, Rule>) -> Section {
        let scene = self.name(child(&pair, Rule::name));
        let nth = maybe(&pair, Rule::int).map(|int| self.int(int));
        Section {
            scene,
            nth,
            lines: self.read_lines(pair),
        }
    }

    fn read_goal(&mut self, pair: &Pair<'_, Rule>) -> Goal {
        match maybe(pair, Rule::name) {
            // A scene of that name stands in backticks.
            Some(word) if word.as_str() == "wait" => {
                Goal::Wait(maybe(pair, Rule::int).map(|int| self.int(int)))
            }
            Some(scene) => Goal::Scene {
                scene: self.name(scene),
                nth: maybe(pair, Rule::int).map(|int| self.int(int)),
            },
            None => Goal::End,
        }
    }

    fn read_refused(&mut self, pair: Pair<'_, Rule>) -> Option<LineKind> {
        let reason = maybe(&pair, Rule::words).map(|words| self.words(words));
        let is_deed = |p: &Pair<'_, Rule>| {
            matches!(
                p.as_rule(),
                Rule::draw | Rule::offer | Rule::by_hand | Rule::answer
            )
        };
        let deed = pair
            .into_inner()
            .find(is_deed)
            .expect("the grammar puts a deed there");
        Some(LineKind::Refused {
            deed: self.read_deed(deed)?,
            reason,
        })
    }

    fn read_deed(&mut self, pair: Pair<'_, Rule>) -> Option<Deed> {
        match pair.as_rule() {
            Rule::draw => Some(Deed::Draw {
                name: self.name(child(&pair, Rule::name)),
                outcomes: self.exprs(child(&pair, Rule::phrases))?,
            }),
            Rule::offer => self.read_offer(&pair),
            Rule::by_hand => Some(Deed::ByHand {
                words: inner(pair, Rule::hand_word)
                    .map(|word| self.hand_word(only(word)))
                    .collect(),
            }),
            _ => self.read_answer(&pair),
        }
    }

    fn hand_word(&mut self, pair: Pair<'_, Rule>) -> Name {
        match pair.as_rule() {
            Rule::hand_number => Name::new(pair.as_str(), self.span(&pair)),
            // As it was typed: the sentence is read as a whole.
            Rule::text => Name::new(format!("\"{}\"", unescape(pair.as_str())), self.span(&pair)),
            _ => self.name(pair),
        }
    }

    fn read_offer(&mut self, pair: &Pair<'_, Rule>) -> Option<Deed> {
        let by = self.read_person(child(pair, Rule::person))?;
        let offer = self.name(child(pair, Rule::name));
        let target = match self.maybe_expr(pair, Rule::written)? {
            None => self.maybe_expr(pair, Rule::phrase)?,
            written => written,
        };
        Some(Deed::Offer { by, offer, target })
    }

    fn read_answer(&mut self, pair: &Pair<'_, Rule>) -> Option<Deed> {
        let who = self.read_people(child(pair, Rule::people))?;
        let choice = maybe(pair, Rule::choice).map(|choice| self.name(child(&choice, Rule::name)));
        Some(Deed::Answer {
            who,
            choice,
            answers: self.read_replies(pair)?,
            more: maybe(&child(pair, Rule::replies), Rule::more).is_some(),
        })
    }

    fn read_replies(&mut self, pair: &Pair<'_, Rule>) -> Option<Vec<Expr>> {
        self.exprs(only(child(pair, Rule::replies)))
    }

    /// An expression that may be missing; `None` when it was not one, which has been blamed.
    pub(super) fn maybe_expr(&mut self, pair: &Pair<'_, Rule>, rule: Rule) -> Option<Option<Expr>> {
        match maybe(pair, rule) {
            Some(found) => self.expr(&found).map(Some),
            None => Some(None),
        }
    }

    pub(super) fn read_people(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Person>> {
        let people: Vec<_> = inner(pair, Rule::person)
            .map(|person| self.read_person(person))
            .collect();
        people.into_iter().collect()
    }

    pub(super) fn read_person(&mut self, pair: Pair<'_, Rule>) -> Option<Person> {
        let pair = only(pair);
        match pair.as_rule() {
            Rule::kw_host => Some(Person::Host(self.span(&pair))),
            _ => self.expr(&pair).map(Person::Seats),
        }
    }
}
