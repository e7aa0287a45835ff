//! What could be written at a place of a file of scenarios.

use crate::{
    RulesetRequest, bundle::default_game, complete::Offers, lookup::title_of, moments::moment_at,
    people::some_names, project::Project,
};
use omerta_check::index::Pot;
use omerta_core::{rules::GroupId, source::Span};
use omerta_play::deal;
use omerta_syntax::{
    names::{NameUse, Role, Sort},
    senses::{self, Language},
};
use std::{ops::Range, path::Path};

/// What a line of a scenario may begin with, each with an example; those first that are wanted most often in a scenario.
const STEPS: &[(&str, &str)] = &[
    ("expect", "expect Ann is living"),
    ("run to", "run to SCENE"),
    ("refused", "refused Ann -> Bob"),
    ("draw", "draw NAME -> VALUE"),
    ("repeat", "repeat 2 times { }"),
    ("include", "include NAME"),
    ("snapshot", "snapshot \"NAME\""),
];
/// The same of what lays the table.
const SETUP: &[(&str, &str)] = &[
    ("ruleset", "ruleset NAME"),
    ("seats", "seats Ann: ROLE, Bob: ROLE"),
    ("cast", "cast ROLE 1"),
    ("set", "set OPTION = VALUE"),
    ("otherwise pass", "otherwise pass"),
    ("otherwise random", "otherwise random with seed 1"),
    ("aside", "aside ROLE"),
    ("seats by lot", "seats by lot Ann, Bob, Cid"),
    ("for each case of", "for each case of NAME { }"),
    ("covers", "covers CODE"),
    ("common", "common NAME { }"),
];
/// What stands in those examples for something that is to be filled in.
const PLACES: &[&str] = &["ROLE", "SCENE", "NAME", "OPTION", "VALUE", "CODE", "TITLE"];

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

/// How many times of a scene are offered.
const TIMES: u32 = 3;

/// What is told of a word of scenarios.
fn told(word: &str) -> Option<String> {
    let told = senses::usually(Language::Scenarios, word);
    told.map(|told| told.trim_end_matches('.').to_owned())
}

/// The scenario around a byte, or what stands before the first.
fn part_around(text: &str, offset: usize) -> Range<usize> {
    let is_head = |line: &str| {
        ["play ", "play\"", "common "]
            .iter()
            .any(|head| line.starts_with(head))
    };
    let behind = text.match_indices('\n').map(|(at, _)| at + 1);
    let starts: Vec<usize> = std::iter::once(0)
        .chain(behind)
        .filter(|at| is_head(&text[*at..]))
        .collect();
    let start = { starts.iter() }.rfind(|start| **start <= offset);
    let end = starts.iter().find(|start| **start > offset);
    start.copied().unwrap_or(0)..end.copied().unwrap_or(text.len())
}

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
            // Behind a colon stands a card, and behind a comma the next player, where they have names.
            ("seats", last)
                if !last.ends_with([':', '+'])
                    && last != "plus"
                    && !before
                        .get(1)
                        .is_some_and(|second| second.starts_with(|sign: char| sign.is_ascii_digit())) => {}
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
            ("expect", "said" | "told" | "shown" | "sees" | "see" | "then") => {
                self.offer_pot(path, Pot::Wording, &mut offers);
                ["containing", "anything"]
                    .iter()
                    .for_each(|word| offers.add(word, "word", told(word)));
            }
            ("expect", "expect") => {
                FACTS
                    .iter()
                    .for_each(|fact| offers.add(fact, "word", told(fact.split(' ').next().unwrap_or(fact))));
                self.offer_people((path, &text, offset), &mut offers);
                self.offer_things(path, &mut offers);
            }
            ("expect", _) => {
                self.offer_people((path, &text, offset), &mut offers);
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
                self.offer_people((path, &text, offset), &mut offers);
            }
            (scene, last) if self.is_scene(path, scene) => {
                if before.len() == 1 {
                    let next = Self::next_time((&text, line_start), scene);
                    for time in next..next + TIMES {
                        offers.add(&time.to_string(), "time", None);
                    }
                }
                if before.len() == 1 || last.bytes().all(|sign| sign.is_ascii_digit()) {
                    offers.add_text("{", "whole", told("section"), "{ … }".to_owned());
                }
            }
            _ => {
                self.offer_people((path, &text, offset), &mut offers);
                ["->", "does"]
                    .iter()
                    .for_each(|word| offers.add(word, "word", None));
            }
        }
        offers.is_place = text
            .get(offers.word.clone())
            .is_some_and(|letters| PLACES.contains(&letters));
        Some(offers)
    }

    /// What a line may begin with; inside of a scene, what may be answered there comes first.
    fn offer_line(&mut self, path: &Path, at: (&str, usize), offers: &mut Offers) {
        if let Some(moment) = moment_at(self, path, at.0, at.1) {
            for answer in moment.answers() {
                offers.add(&answer, "answer", None);
            }
        }
        let is_inside = part_around(at.0, at.1).start > 0;
        let lines = |lines: &[(&str, &str)], offers: &mut Offers| {
            for (name, example) in lines {
                let first = name.split(' ').next().unwrap_or(name);
                offers.add_text(name, "whole", told(first), (*example).to_owned());
            }
        };
        if is_inside {
            lines(&STEPS[..1], offers);
            self.offer_sections(path, at, offers);
        }
        if let Some(scenario) = self.scenario(path, at) {
            offers.add_text("scenario", "whole", told("play"), scenario);
        }
        lines(&[("play", "play \"TITLE\"")], offers);
        if is_inside {
            lines(STEPS, offers);
            self.offer_people((path, at.0, at.1), offers);
        }
        lines(SETUP, offers);
        lines(STEPS, offers);
    }

    /// Each scene as a section, for the time that comes next.
    fn offer_sections(&mut self, path: &Path, at: (&str, usize), offers: &mut Offers) {
        let mut scenes = Offers::of(offers.word.clone());
        self.offer_declared(path, &mut scenes, &|word| word == "scene");
        for scene in scenes.all {
            let next = Self::next_time(at, &scene.label);
            let title = scene.detail.or_else(|| told("section"));
            offers.add_text(
                &scene.label,
                "whole",
                title,
                format!("{} {next} {{ … }}", scene.label),
            );
        }
    }

    fn is_scene(&mut self, path: &Path, name: &str) -> bool {
        let contexts = self.contexts(path);
        let mut indices = contexts.iter().map(|context| &context.index);
        indices.any(|index| {
            let mut things = index.of_pot(Pot::Declared(Sort::Thing));
            things.any(|(known, used)| known == name && index.item_of(used).word == "scene")
        })
    }

    /// The time of a scene that no line of the scenario above speaks of.
    fn next_time((text, offset): (&str, usize), scene: &str) -> u32 {
        let part = part_around(text, offset);
        let times = text[part.start..offset].lines().filter_map(|line| {
            let rest = line.trim_start().strip_prefix(scene)?;
            let time: String = rest
                .trim_start()
                .chars()
                .take_while(char::is_ascii_digit)
                .collect();
            time.parse::<u32>().ok()
        });
        times.max().map_or(1, |last| last.saturating_add(1))
    }

    /// A whole scenario that holds, with cards out of the smallest table of the rules.
    fn scenario(&mut self, path: &Path, (text, offset): (&str, usize)) -> Option<String> {
        let contexts = self.contexts(path);
        let wanted = match contexts.first() {
            Some(context) => context.asked.wanted.clone(),
            None => RulesetRequest {
                base: default_game().0.to_owned(),
                ..RulesetRequest::default()
            },
        };
        let bench = self.laid_for(&self.shelf_of(path), &wanted);
        let laid = bench.lay(&wanted).ok()?;
        let rules = &laid.bench.rules;
        let (fewest, most) = rules.seats;
        let (players, cast) = (fewest.max(1)..=most).find_map(|players| {
            let cast = deal::from_table(rules, None, usize::from(players), Span::default());
            Some((players, cast.ok()?))
        })?;
        let names = some_names(players);
        let seat = |(name, card): (&String, &GroupId)| format!("{name}: {}", rules.groups[card.index()].name);
        let dealt: Vec<String> = names.iter().zip(&cast.cards).map(seat).collect();
        let base = match contexts.first() {
            Some(_) => String::new(),
            None => format!("ruleset {}\n", wanted.base),
        };
        let head = format!("play \"what it shows\"\n{base}");
        let ways = [
            format!("{head}seats {}\nexpect goes on\n", dealt.join(", ")),
            format!(
                "{head}seats {}\notherwise random with seed 1\nexpect goes on\n",
                names.join(", ")
            ),
        ];
        // Of a file that is still without rules nothing can be tried before they are named.
        ways.into_iter().find(|way| {
            let tried = format!("{}{way}", &text[..offset]);
            moment_at(self, path, &tried, tried.len()).is_some()
        })
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
                offers.add(rest, "answer", None);
            }
        }
        if offers.all.is_empty() {
            moment
                .things()
                .iter()
                .for_each(|thing| offers.add(thing, "answer", None));
        }
    }

    /// Who sits in the scenario around a byte, or else at the head of the file.
    fn offer_people(&mut self, (path, text, offset): (&Path, &str, usize), offers: &mut Offers) {
        let names = self.names(path);
        let head = part_around(text, 0);
        let mut seated = [part_around(text, offset), head].into_iter().map(|part| {
            let is_here = |used: &&NameUse| {
                matches!(used.role, Role::Binds { .. })
                    && used.name.text.starts_with(char::is_uppercase)
                    && part.contains(&(used.name.span.start as usize))
            };
            let all = names.uses.iter().map(|(_, used)| used).filter(is_here);
            all.map(|used| used.name.text.clone()).collect::<Vec<_>>()
        });
        let people = seated.find(|people| !people.is_empty());
        for name in people.unwrap_or_default() {
            offers.add(&name, "player", None);
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
