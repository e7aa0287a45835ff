//! Marks, flags, counts, words and links, and where each lies among the words of a game.

use super::{Collector, Seen, asked_name};
use crate::errors;
use crate::layer::Layer;
use crate::load::Declared;
use crate::symbol::Meaning;
use omerta_core::rules::{Fact, FactId, FactShape, Kind, SeenBy, Slot};
use omerta_core::source::Span;
use omerta_syntax::tree::{self, ItemKind, Kept, MarkShape, Name, Text};
use std::collections::BTreeMap;

impl Collector<'_> {
    pub(super) fn facts(&mut self, items: &[Declared]) {
        for d in items {
            match &d.item.kind {
                ItemKind::Mark { names, shape, kept } => {
                    let shape = match shape {
                        MarkShape::Many => FactShape::Mark,
                        MarkShape::One => FactShape::MarkOne,
                        MarkShape::InOrder => FactShape::MarkInOrder { order: Slot(0) },
                    };
                    self.add_facts(names, shape, 0, kept, d.layer);
                }
                ItemKind::Flag { names, kept } => {
                    self.add_facts(names, FactShape::Flag, 0, kept, d.layer);
                }
                ItemKind::Count {
                    names,
                    of_each,
                    text,
                    words,
                    start,
                    start_word,
                    kept,
                } => {
                    let shape = if *of_each {
                        FactShape::CountOfEach
                    } else {
                        FactShape::Count
                    };
                    let words: Vec<(String, String)> = words
                        .iter()
                        .map(|word| {
                            let name = word.name.text.clone();
                            let title = word.title.as_ref().map(Text::plain);
                            (name.clone(), title.unwrap_or(name))
                        })
                        .collect();
                    let start = match start_word {
                        Some(word) => self.start_word(word, &words),
                        None => start.map_or(0, |s| s.value),
                    };
                    let ids = self.add_facts(names, shape, start, kept, d.layer);
                    for id in ids {
                        let fact = &mut self.out.rules.facts[id.index()];
                        fact.words.clone_from(&words);
                        fact.text = *text;
                    }
                }
                ItemKind::Link {
                    names,
                    one,
                    back,
                    to,
                    kept,
                } => {
                    let shape = FactShape::Link { one: *one, to: *to };
                    let ids = self.add_facts(names, shape, 0, kept, d.layer);
                    if let (Some(back), Some(id)) = (back, ids.first()) {
                        if *to != Kind::Players {
                            self.report(errors::back_of_no_players(back, *to));
                        }
                        self.declare(back, Meaning::Back(*id), d.layer);
                    }
                }
                _ => {}
            }
        }
    }

    /// Which of some words the game begins with.
    fn start_word(&mut self, word: &Name, words: &[(String, String)]) -> i64 {
        let place = words.iter().position(|(name, _)| *name == word.text);
        place.unwrap_or_else(|| {
            let known: Vec<String> = words.iter().map(|(name, _)| name.clone()).collect();
            self.report(errors::no_such_word(&word.text, word.span, &known));
            0
        }) as i64
    }

    fn add_facts(
        &mut self,
        names: &[Name],
        shape: FactShape,
        start: i64,
        kept: &Kept,
        layer: Layer,
    ) -> Vec<FactId> {
        let mut ids = Vec::new();
        for name in names {
            let id = FactId(self.out.rules.facts.len() as u16);
            let seen_by = self.seen_by(kept.seen_by.as_ref(), Seen::Fact(id), shape.is_of_each());
            let title = kept.title.as_ref().map_or_else(|| name.text.clone(), Text::plain);
            let fact = Fact {
                name: name.text.clone(),
                title,
                shape,
                slot: Slot(0),
                start,
                origin: name.span,
                hidden: false,
                words: Vec::new(),
                text: false,
                seen_by,
            };
            self.out.rules.facts.push(fact);
            self.declare(name, Meaning::Fact(id), layer);
            if let Some(life) = &kept.life {
                self.out.lives.push((id, life.clone()));
            }
            ids.push(id);
        }
        self.counted.extend(&ids);
        ids
    }

    /// A hidden mark for every `ask each … for NAME`: who was asked.
    pub(super) fn asked(&mut self, items: &[Declared]) {
        let mut names: BTreeMap<String, Span> = BTreeMap::new();
        for d in items {
            omerta_syntax::walk::for_each_statement(&d.item.kind, &mut |statement| {
                let tree::StatementKind::Ask(ask) = &statement.kind else {
                    return;
                };
                let each = matches!(ask.mode, tree::AskMode::Each | tree::AskMode::InOrder(_));
                if let (true, tree::Question::For { name, .. }) = (each, &ask.question) {
                    names.entry(name.text.clone()).or_insert(name.span);
                }
            });
        }
        for (name, origin) in names {
            let name = asked_name(&name);
            let (title, shape) = (name.clone(), FactShape::Mark);
            self.out.rules.facts.push(Fact {
                name,
                title,
                shape,
                slot: Slot(0),
                start: 0,
                origin,
                hidden: true,
                words: Vec::new(),
                text: false,
                seen_by: SeenBy::Nobody,
            });
        }
    }

    /// One word for each mark, flag, count and scene; then the rows, the last with the places of the seats where
    /// these move.
    pub(super) fn slots(&mut self, items: &[Declared]) {
        let mut seats_move = false;
        for d in items {
            omerta_syntax::walk::for_each_statement(&d.item.kind, &mut |statement| {
                seats_move |= matches!(statement.kind, tree::StatementKind::Seats(_));
            });
        }
        let rules = &mut self.out.rules;
        let is_row = |shape: FactShape| matches!(shape, FactShape::CountOfEach | FactShape::Link { .. });
        let mut next = 0;
        for fact in rules.facts.iter_mut().filter(|f| !is_row(f.shape)) {
            fact.slot = Slot(next);
            next += 1;
        }
        for scene in &mut rules.scenes {
            scene.times = Slot(next);
            next += 1;
        }
        rules.scalars = next;
        for fact in &mut rules.facts {
            if is_row(fact.shape) {
                fact.slot = Slot(next);
                next += 1;
            } else if let FactShape::MarkInOrder { order } = &mut fact.shape {
                *order = Slot(next);
                next += 1;
            }
        }
        if seats_move {
            rules.places = Some(Slot(next));
            next += 1;
        }
        rules.rows = next - rules.scalars;
    }
}
