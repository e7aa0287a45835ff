//! What could be written at a place of a file of scenarios.

use crate::{complete::Offers, lookup::title_of, moments::moment_at, project::Project};
use omerta_check::index::Pot;
use omerta_syntax::names::{Role, Sort};
use std::path::Path;

/// What a line of a scenario may begin with, each with an example.
const LINES: &[(&str, &str)] = &[
    ("ruleset", "ruleset NAME"),
    ("set", "set OPTION = VALUE"),
    ("covers", "covers CODE"),
    ("seats", "seats Ann: ROLE, Bob: ROLE"),
    ("seats by lot", "seats by lot Ann, Bob, Cid"),
    ("cast", "cast ROLE 1"),
    ("aside", "aside ROLE"),
    ("otherwise pass", "otherwise pass"),
    ("otherwise random", "otherwise random with seed 1"),
    ("for each case of", "for each case of NAME { }"),
    ("include", "include NAME"),
    ("repeat", "repeat 2 times { }"),
    ("run to", "run to SCENE"),
    ("snapshot", "snapshot \"NAME\""),
    ("draw", "draw NAME -> VALUE"),
    ("refused", "refused Ann -> Bob"),
    ("expect", "expect Ann is living"),
    ("play", "play \"TITLE\""),
    ("common", "common NAME { }"),
];

/// What may be expected.
const FACTS: &[&str] = &[
    "said",
    "asked",
    "told",
    "knows",
    "cannot know",
    "happened",
    "applied",
    "winners",
    "losers",
    "nobody wins",
    "draw",
    "ended by",
    "goes on",
    "open",
    "tally of",
    "cards in",
    "drawn",
    "setup error",
    "never",
    "not",
    "only",
];

impl Project {
    pub(crate) fn offers_of_play(&mut self, path: &Path, offset: usize) -> Option<Offers> {
        let text = self.text(path)?;
        // What stands in braces on one line counts from its brace.
        let line_start = text[..offset].rfind(['\n', '{', ';']).map_or(0, |end| end + 1);
        let line = &text[line_start..offset];
        if line.matches('"').count() % 2 == 1 || line.contains("//") {
            return None;
        }
        let is_letter = |letter: char| letter.is_alphanumeric() || "-_.`".contains(letter);
        let begun = line.trim_end_matches(is_letter).len();
        let before: Vec<&str> = line[..begun].split_whitespace().collect();
        let mut offers = Offers::of(line_start + begun..offset);
        let first = before.first().copied().unwrap_or_default();
        let last = before.last().copied().unwrap_or_default();
        match (first, last) {
            ("", _) => self.offer_line(path, (&text, line_start), &mut offers),
            ("ruleset", "ruleset") => offers.add_files(self, path, "ruleset"),
            ("ruleset", _) if before.contains(&"with") => offers.add_files(self, path, "overlay"),
            ("ruleset", _) => offers.add("with", "word", None),
            ("set", "set") => self.offer_declared(path, &mut offers, &|word| word == "option"),
            ("set", "=") => self.offer_values(path, before.get(1).copied().unwrap_or_default(), &mut offers),
            ("seats" | "cast" | "aside" | "pile", _) => {
                self.offer_declared(path, &mut offers, &|word| word == "role")
            }
            ("run", "to") => {
                self.offer_declared(path, &mut offers, &|word| word == "scene");
                ["end", "wait"]
                    .iter()
                    .for_each(|word| offers.add(word, "word", None));
            }
            ("expect", "happened") => self.offer_declared(path, &mut offers, &|word| word == "event"),
            ("expect", "applied") => self.offer_pot(path, Pot::Declared(Sort::Rule), &mut offers),
            ("expect", "by") => self.offer_pot(path, Pot::Declared(Sort::Ending), &mut offers),
            ("expect", "of") if before.contains(&"tally") => {
                self.offer_declared(path, &mut offers, &|word| word == "link");
            }
            ("expect", "expect") => {
                FACTS.iter().for_each(|fact| offers.add(fact, "word", None));
                self.offer_people(path, &mut offers);
                self.offer_things(path, &mut offers);
            }
            ("expect", _) => {
                self.offer_people(path, &mut offers);
                self.offer_things(path, &mut offers);
            }
            ("include", "include") => {
                let names = self.names(path);
                let commons = names
                    .uses
                    .iter()
                    .filter(|(_, used)| matches!(used.role, Role::Binds { .. }));
                commons.for_each(|(_, used)| offers.add(&used.name.text, "common", None));
            }
            _ if before.contains(&"->") || before.contains(&"does") => {
                self.offer_answers(path, (&text, line_start), &before, &mut offers);
                self.offer_people(path, &mut offers);
            }
            _ => {
                self.offer_people(path, &mut offers);
                ["->", "does"]
                    .iter()
                    .for_each(|word| offers.add(word, "word", None));
            }
        }
        Some(offers)
    }

    /// What a line may begin with; inside of a scene, what may be answered there comes first.
    fn offer_line(&mut self, path: &Path, at: (&str, usize), offers: &mut Offers) {
        if let Some(moment) = moment_at(self, path, at.0, at.1) {
            for answer in moment.answers() {
                offers.add(&answer, "answer", Some("may be answered here".to_owned()));
            }
        }
        for (name, example) in LINES {
            offers.add_text(name, "whole", Some((*example).to_owned()), (*example).to_owned());
        }
        self.offer_declared(path, offers, &|word| word == "scene");
        self.offer_people(path, offers);
    }

    /// What the one who answers on this line may say.
    fn offer_answers(&mut self, path: &Path, at: (&str, usize), before: &[&str], offers: &mut Offers) {
        let Some(moment) = moment_at(self, path, at.0, at.1) else {
            return;
        };
        let sign = before
            .iter()
            .position(|word| *word == "->" || *word == "does")
            .unwrap_or_default();
        let head = before[..=sign].join(" ");
        for answer in moment.answers() {
            if let Some(rest) = answer.strip_prefix(&format!("{head} ")) {
                offers.add(rest, "answer", Some("may be answered here".to_owned()));
            }
        }
        if offers.all.is_empty() {
            moment
                .things()
                .iter()
                .for_each(|thing| offers.add(thing, "answer", None));
        }
    }

    fn offer_people(&mut self, path: &Path, offers: &mut Offers) {
        let names = self.names(path);
        for (_, used) in &names.uses {
            if matches!(used.role, Role::Binds { .. }) && used.name.text.starts_with(char::is_uppercase) {
                offers.add(&used.name.text, "player", None);
            }
        }
    }

    fn offer_things(&mut self, path: &Path, offers: &mut Offers) {
        let read = |word: &str| !matches!(word, "event" | "scene" | "option" | "allow" | "rule");
        self.offer_declared(path, offers, &read);
    }

    fn offer_declared(&mut self, path: &Path, offers: &mut Offers, is: &dyn Fn(&str) -> bool) {
        for context in self.contexts(path).iter() {
            for (name, used) in context.index.of_pot(Pot::Declared(Sort::Thing)) {
                let item = context.index.item_of(used);
                if is(item.word) {
                    offers.add(name, item.word, title_of(item));
                }
            }
        }
    }

    fn offer_pot(&mut self, path: &Path, pot: Pot, offers: &mut Offers) {
        for context in self.contexts(path).iter() {
            context
                .index
                .of_pot(pot)
                .for_each(|(name, _)| offers.add(name, "declared", None));
        }
    }

    fn offer_values(&mut self, path: &Path, option: &str, offers: &mut Offers) {
        for context in self.contexts(path).iter() {
            for (text, value) in context.index.of_pot(Pot::Word) {
                let item = context.index.item_of(value);
                if omerta_syntax::walk::declared_in(&item.kind)
                    .iter()
                    .any(|owner| owner.text == option)
                {
                    offers.add(text, "value", None);
                }
            }
        }
        ["yes", "no"]
            .iter()
            .for_each(|word| offers.add(word, "word", None));
    }
}
