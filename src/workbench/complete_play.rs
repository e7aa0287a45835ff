//! What could be written at a place of a file of scenarios.

use crate::{
    RulesetRequest,
    bundle::default_game,
    complete::{Offers, pot_word},
    lookup::title_of,
    moments::moment_at,
    people::some_names,
    project::Project,
};
use omerta_check::index::Pot;
use omerta_core::{
    rules::GroupId,
    source::{Loader, Span},
};
use omerta_play::{by_hand, deal};
use omerta_syntax::{
    names::Sort,
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

/// What may be expected, with the rule of the grammar that reads its first word.
const FACTS: &[(&str, &str)] = &[
    ("said", "said"),
    ("asked", "asked"),
    ("happened", "happened"),
    ("applied", "applied"),
    ("winners", "winners"),
    ("losers", "losers"),
    ("nobody wins", "nobody_wins"),
    ("draw", "is_draw"),
    ("ended by", "ended_by"),
    ("goes on", "goes_on"),
    ("open", "open_offer"),
    ("tally of", "tally"),
    ("cards in", "cards_in"),
    ("drawn", "drawn"),
    ("setup error", "setup_fact"),
    ("never", "denial"),
    ("not", "denial"),
    ("only", "said"),
];
/// What may follow those of whom something is expected.
const OF_PEOPLE: &[(&str, &str)] = &[
    ("told", "told_how"),
    ("shown", "told_how"),
    ("sees", "told_how"),
    ("knows", "knows"),
    ("cannot know", "knows"),
    ("only told", "told"),
    ("not told", "denial"),
    ("never told", "denial"),
];

/// How many times of a scene are offered.
const TIMES: u32 = 3;

/// What is told of a word of scenarios.
fn told(word: &str) -> Option<String> {
    let told = senses::usually(Language::Scenarios, word);
    told.map(|told| told.trim_end_matches('.').to_owned())
}

fn offer_facts(facts: &[(&str, &str)], offers: &mut Offers) {
    for (fact, rule) in facts {
        let first = fact.split(' ').next().unwrap_or(fact);
        let told = senses::told(Language::Scenarios, first, rule);
        offers.add(fact, "word", told.map(str::to_owned));
    }
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

/// Who is seated by the last line of some that seats people; nothing where none does.
fn seated(lines: &str) -> Option<Vec<String>> {
    let starts = lines
        .match_indices("seats ")
        .map(|(at, word)| (at, at + word.len()));
    let begins = |at: usize| {
        lines[..at]
            .rsplit(['\n', ';'])
            .next()
            .is_some_and(|before| before.trim().is_empty())
    };
    let (_, behind) = starts.filter(|(at, _)| begins(*at)).last()?;
    let mut seats = String::new();
    // A list goes on behind a comma.
    for line in lines[behind..].lines() {
        let line = line.split(['{', ';']).next().unwrap_or(line);
        let line = line.split("//").next().unwrap_or(line).trim();
        seats.push_str(line);
        if !line.ends_with([',', ':']) {
            break;
        }
    }
    let seats = seats.strip_prefix("by lot ").unwrap_or(&seats);
    let names: Vec<String> = { seats.split(',') }
        .filter_map(|seat| Some(seat.split(':').next()?.trim().to_owned()))
        .filter(|name| !name.is_empty())
        .collect();
    match names.first()?.parse() {
        Ok(players) => Some(some_names(players)),
        Err(_) => Some(names),
    }
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
                offer_facts(FACTS, &mut offers);
                self.offer_people((&text, offset), &mut offers);
                self.offer_things(path, &mut offers);
            }
            ("expect", last) => {
                let is_behind_people = before.len() == 2 && !last.ends_with(',');
                if is_behind_people && !FACTS.iter().any(|(fact, _)| fact.split(' ').next() == Some(last)) {
                    let is = senses::usually(Language::Rules, "is").map(str::to_owned);
                    offers.add("is", "word", is);
                    offer_facts(OF_PEOPLE, &mut offers);
                }
                self.offer_people((&text, offset), &mut offers);
                self.offer_things(path, &mut offers);
            }
            ("include", "include") => {
                let commons = text.lines().filter_map(|line| line.strip_prefix("common "));
                let names = commons.filter_map(|rest| rest.split([' ', '{']).find(|name| !name.is_empty()));
                names.for_each(|name| offers.add(name, "common", None));
            }
            ("otherwise", "otherwise") => ["pass", "random with seed 1", "["]
                .iter()
                .for_each(|words| offers.add(words, "word", None)),
            ("by", "hand") | ("refused", "hand") => {
                by_hand::beginnings().for_each(|word| offers.add(word, "word", None));
            }
            _ if last.contains('[') && !last.contains(']') => {
                if let Some(moment) = moment_at(self, path, &text, line_start) {
                    for answer in moment.answers() {
                        let asked = answer.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
                        asked
                            .into_iter()
                            .for_each(|(name, _)| offers.add(name, "question", None));
                    }
                }
                self.offer_pot(path, Pot::Question, &mut offers);
            }
            (_, "does") => {
                if let Some(moment) = moment_at(self, path, &text, line_start) {
                    moment.offers().for_each(|name| offers.add(name, "answer", None));
                }
                self.offer_declared(path, &mut offers, &|word| word == "allow");
            }
            _ if before.contains(&"->") || before.contains(&"does") => {
                self.offer_answers(path, (&text, line_start), &before, &mut offers);
                self.offer_people((&text, offset), &mut offers);
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
                self.offer_people((&text, offset), &mut offers);
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
        }
        let scenario = self.scenario(path, at);
        if let Some((scenario, _)) = &scenario {
            offers.add_text("scenario", "whole", told("play"), scenario.clone());
        }
        lines(&[("play", "play \"TITLE\"")], offers);
        if is_inside {
            self.offer_sections(path, at, offers);
            lines(STEPS, offers);
            self.offer_people(at, offers);
        }
        if let Some((_, seats)) = scenario {
            lines(&SETUP[..1], offers);
            offers.add_text("seats", "whole", told("seats"), seats);
        }
        lines(SETUP, offers);
        lines(STEPS, offers);
    }

    /// Each scene as a section, for the time that comes next; those of libraries last.
    fn offer_sections(&mut self, path: &Path, at: (&str, usize), offers: &mut Offers) {
        let mut scenes = Vec::new();
        for context in self.contexts(path).iter() {
            for (name, used) in context.index.of_pot(Pot::Declared(Sort::Thing)) {
                let item = context.index.item_of(used);
                if item.word == "scene" {
                    let mut lines = context.sources.get(used.span.source).text.lines();
                    let is_of_library = lines.any(|line| line.starts_with("library "));
                    scenes.push((is_of_library, name.to_owned(), title_of(item)));
                }
            }
        }
        scenes.sort_by_key(|(is_of_library, ..)| *is_of_library);
        for (_, name, title) in scenes {
            let next = Self::next_time(at, &name);
            let title = title.or_else(|| told("section"));
            offers.add_text(&name, "whole", title, format!("{name} {next} {{ … }}"));
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

    /// What a scenario is played by: what the file names, or the rules that lie beside it, or those that most begin with.
    fn wanted_for(&mut self, path: &Path) -> (RulesetRequest, bool) {
        if let Some(context) = self.contexts(path).first() {
            return (context.asked.wanted.clone(), true);
        }
        let is_game = |text: &str| text.lines().any(|line| line.starts_with("ruleset "));
        let beside = self.shelf_of(path).beside();
        let mut all = Offers::default();
        if beside.iter().any(|loaded| is_game(&loaded.text)) {
            all.add_files(self, path, "ruleset");
        }
        let base = all.all.first().map_or(default_game().0, |offer| &offer.label);
        let wanted = RulesetRequest {
            base: base.to_owned(),
            ..RulesetRequest::default()
        };
        (wanted, false)
    }

    /// A whole scenario that holds, and who sits there with which cards: those of the smallest table of the rules.
    fn scenario(&mut self, path: &Path, (text, offset): (&str, usize)) -> Option<(String, String)> {
        let (wanted, is_named) = self.wanted_for(path);
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
        let seats = format!("seats {}", dealt.join(", "));
        let base = match is_named {
            true => String::new(),
            false => format!("ruleset {}\n", wanted.base),
        };
        let head = format!("play \"what it shows\"\n{base}");
        let ways = [
            // Where the head of the file says who sits there.
            format!("{head}expect goes on\n"),
            format!("{head}{seats}\nexpect goes on\n"),
            format!(
                "{head}seats {}\notherwise random with seed 1\nexpect goes on\n",
                names.join(", ")
            ),
        ];
        let holds = |way: &String| {
            let tried = format!("{}{way}", &text[..offset]);
            moment_at(self, path, &tried, tried.len()).is_some()
        };
        Some((ways.into_iter().find(holds)?, seats))
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
    fn offer_people(&self, (text, offset): (&str, usize), offers: &mut Offers) {
        let own = seated(&text[part_around(text, offset)]);
        let people = own.or_else(|| seated(&text[part_around(text, 0)]));
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
                .for_each(|(name, _)| offers.add(name, pot_word(pot), None));
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
        // What is none of its words may be a switch.
        if offers.all.is_empty() {
            ["yes", "no"]
                .iter()
                .for_each(|word| offers.add(word, "word", None));
        }
    }
}
