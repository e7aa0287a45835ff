//! What could be written at a place: words of the language that may stand there, and names of the sort that is
//! wanted, each with what is to be known of it.

use crate::{
    lookup::title_of,
    project::{Context, FileKind, Project},
};
use omerta_check::{
    Layer,
    index::{Index, Pot, Use},
};
use omerta_core::source::Loader;
use omerta_syntax::{
    names::Sort,
    place::{Expected, expected_at, expected_in_text},
    senses::{self, Begun},
    words::{self, WORDS, Word},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::Path,
};

/// Something that could be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Offer {
    /// What it is called.
    pub label: String,
    /// What it is: the word its declaration begins with, `word` for words of the language, `whole` for an example
    /// of all of a declaration or statement.
    pub sort: &'static str,
    /// What people see of it, or what it is for.
    pub detail: Option<String>,
    /// What is written.
    pub text: String,
}

/// Everything that could be written in the place of some bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Offers {
    /// The bytes: the word that was begun, empty where none was.
    pub word: Range<usize>,
    /// The offers, best first.
    pub all: Vec<Offer>,
    /// Whether that word only stands for what is to be filled in.
    pub is_place: bool,
    labels: BTreeSet<String>,
}

/// Which names are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Wanted {
    /// Nothing that is known: a new name.
    New,
    /// Declarations that begin with one of these words.
    Declared(&'static [&'static str]),
    /// Something of another pot.
    Of(Pot),
    /// What a rule waits for.
    Happening,
    /// Anything declared.
    Anything,
    /// Bases, overlays, libraries.
    Base,
    Overlay,
    Library,
    /// The values of an option.
    ValueOf,
    /// Whatever a value may begin with.
    Value,
}

const FACTS: &[&str] = &["mark", "flag", "count", "link", "word", "text"];
const CALLED: &[&str] = &["role", "team"];

impl Project {
    /// What could be written at a byte of a file of rules.
    pub fn offers(&mut self, path: &Path, offset: usize) -> Option<Offers> {
        if FileKind::of(path) == Some(FileKind::Play) {
            return self.offers_of_play(path, offset);
        }
        let text = self.text(path)?;
        let expected = expected_at(&text, offset).or_else(|| expected_in_text(&text, offset))?;
        let mut offers = Offers::of(expected.word.clone());
        if expected.declaration {
            let reading = self.reading(path, &text);
            let is_there = |word: &str| reading.items.iter().any(|item| item.word == word);
            let may_stand = |word: &str| match word {
                "needs" | "refuses" | "on" => expected.in_overlay,
                "overlay" => !expected.in_overlay,
                "ruleset" | "library" => !expected.in_overlay && !is_there("ruleset") && !is_there("library"),
                "script" | "cast" => expected.in_overlay || !is_there(word),
                _ => true,
            };
            offers.add_wholes(Begun::Declaration, |word| {
                word.declaration.filter(|_| may_stand(word.name))
            });
            return Some(offers);
        }
        if expected.statement {
            offers.add_wholes(Begun::Statement, |word| word.statement);
            return Some(offers);
        }
        let wanted = wanted(&expected);
        if wanted == Wanted::Value && self.add_settled(path, &expected, &mut offers) {
            return Some(offers);
        }
        self.add_wanted(path, wanted, (&expected, &text), &mut offers);
        let is_truth = |word: &str| matches!(word, "yes" | "no");
        for word in &expected.words {
            if !(wanted == Wanted::Value && is_truth(word) && wants_set(&expected)) {
                offers.add_word(word);
            }
        }
        Some(offers)
    }

    /// Adds the words that something may be which is compared or set; says whether there are any, for then nothing else
    /// may stand there.
    fn add_settled(&mut self, path: &Path, expected: &Expected, offers: &mut Offers) -> bool {
        for contexts in self.all_contexts(path) {
            contexts
                .iter()
                .for_each(|context| offers.add_values_of(&context.index, expected));
        }
        let is_settled = !offers.all.is_empty();
        if is_settled && expected.words.iter().any(|word| word == "not") {
            offers.add_word("not");
        }
        is_settled
    }

    fn add_wanted(&mut self, path: &Path, wanted: Wanted, at: (&Expected, &str), offers: &mut Offers) {
        match wanted {
            Wanted::New => {}
            Wanted::Base => offers.add_files(self, path, "ruleset"),
            Wanted::Overlay => offers.add_files(self, path, "overlay"),
            Wanted::Library => offers.add_files(self, path, "library"),
            _ => {
                if let (Wanted::Value, (expected, text)) = (wanted, at) {
                    // What this very statement makes known is not known in it yet.
                    let is_new = |name: &str| {
                        let mut pairs = expected.before.windows(2);
                        pairs.any(|pair| {
                            matches!(&*pair[0], "for" | "let" | "draw" | "each") && pair[1] == name
                        })
                    };
                    for name in known_inside(expected, text) {
                        if !is_new(&name) {
                            offers.add(&name, "local", None);
                        }
                    }
                }
                let all = self.all_contexts(path);
                for context in all.iter().flat_map(|all| all.iter()) {
                    offers.add_names(context, wanted, at.0);
                }
                if wanted == Wanted::Value {
                    offers.add_values(at);
                }
            }
        }
    }
}

impl Offers {
    /// No offers in the place of some bytes.
    pub fn of(word: Range<usize>) -> Offers {
        Offers {
            word,
            ..Offers::default()
        }
    }

    /// Adds an offer that is not there yet.
    pub fn add(&mut self, label: &str, sort: &'static str, detail: Option<String>) {
        self.add_text(label, sort, detail, label.to_owned());
    }

    /// The same, where something else is written than it is called.
    pub fn add_text(&mut self, label: &str, sort: &'static str, detail: Option<String>, text: String) {
        if self.labels.insert(label.to_owned()) {
            self.all.push(Offer {
                label: label.to_owned(),
                sort,
                detail,
                text,
            });
        }
    }

    fn add_word(&mut self, word: &str) {
        self.add(word, "word", None);
    }

    /// Whole declarations or statements, as examples to be filled.
    fn add_wholes(&mut self, begun: Begun, example: impl Fn(&Word) -> Option<&'static str>) {
        for word in WORDS {
            if let Some(example) = example(word) {
                let told = senses::of_beginning(word.name, begun);
                let told = told.map(|told| told.trim_end_matches('.').to_owned());
                self.add_text(word.name, "whole", told, example.to_owned());
            }
        }
    }

    /// The rulesets, overlays or libraries that lie beside a file or are bundled.
    pub fn add_files(&mut self, project: &mut Project, path: &Path, sort: &'static str) {
        let shelf = project.shelf_of(path);
        let head = |text: &str| -> Option<(String, String)> {
            let line = text.lines().find(|line| line.starts_with(&format!("{sort} ")))?;
            let name = line.split_whitespace().nth(1)?;
            let title = line.split('"').nth(1).unwrap_or_default();
            Some((name.trim_matches('`').to_owned(), title.to_owned()))
        };
        let here = project.name_of(path);
        for loaded in shelf.beside().into_iter().filter(|loaded| loaded.name != here) {
            if let Some((name, title)) = head(&loaded.text) {
                let stem = Path::new(&loaded.name)
                    .file_stem()
                    .map(|stem| stem.to_string_lossy().into_owned());
                let called = if sort == "library" {
                    stem.unwrap_or(name)
                } else {
                    name
                };
                self.add(&called, sort, Some(title));
            }
        }
        for name in shelf.names() {
            let found = shelf.load(&name).and_then(|loaded| head(&loaded.text));
            if let Some((_, title)) = found {
                self.add(&name, sort, Some(title));
            }
        }
    }

    fn add_names(&mut self, context: &Context, wanted: Wanted, expected: &Expected) {
        let index = &context.index;
        match wanted {
            Wanted::Declared(sorts) => {
                self.add_declared(index, expected, &|word| sorts.contains(&word));
            }
            Wanted::Of(pot) => index
                .of_pot(pot)
                .for_each(|(name, _)| self.add(name, pot_word(pot), None)),
            Wanted::Happening => {
                self.add_declared(index, expected, &|word| matches!(word, "event" | "scene"));
                for pot in [Pot::Wording, Pot::Declared(Sort::Ending)] {
                    index
                        .of_pot(pot)
                        .for_each(|(name, _)| self.add(name, pot_word(pot), None));
                }
                ["ability", "choice", "end"]
                    .iter()
                    .for_each(|word| self.add_word(word));
            }
            Wanted::Anything => {
                let sorts = [Sort::Thing, Sort::Rule, Sort::Ending, Sort::Check, Sort::Policy];
                for sort in sorts {
                    let pot = Pot::Declared(sort);
                    index
                        .of_pot(pot)
                        .for_each(|(name, used)| self.add(name, word_of(index, used), title(index, used)));
                }
            }
            Wanted::ValueOf => self.add_values_of(index, expected),
            Wanted::Value => {
                // What happens to whom is no card in a zone, and options are read where something is tested.
                let before: Vec<&str> = expected.before.iter().map(String::as_str).collect();
                let to_whom = matches!(
                    before[..],
                    ["do" | "plan", _, "of"] | ["ask" | "mark" | "unmark" | "tell" | "call"]
                );
                let read = |word: &str| match word {
                    "event" | "scene" | "allow" | "option" => false,
                    "zone" => !to_whom,
                    _ => true,
                };
                self.add_declared(index, expected, &read);
                if !wants_set(expected) {
                    self.add_declared(index, expected, &|word| word == "option");
                }
            }
            Wanted::New | Wanted::Base | Wanted::Overlay | Wanted::Library => {}
        }
    }

    /// Declared names; of those of a base an overlay sees what is published, and what always stands open.
    fn add_declared(&mut self, index: &Index, expected: &Expected, is: &dyn Fn(&str) -> bool) {
        for (name, used) in index.of_pot(Pot::Declared(Sort::Thing)) {
            let word = word_of(index, used);
            let open = matches!(word, "role" | "team" | "class" | "token" | "option" | "zone");
            let hidden = expected.in_overlay
                && index.layer_of(used) == Layer::Base
                && !open
                && !index.is_published(name);
            if is(word) && !hidden && !is_language(name) {
                self.add(name, word, title(index, used));
            }
        }
    }

    /// The words that the option, draw or word may be that is compared or chosen.
    fn add_values_of(&mut self, index: &Index, expected: &Expected) {
        let Some(name) = compared(expected) else { return };
        for (text, value) in index.of_pot(Pot::Word) {
            let item = index.item_of(value);
            let owners = omerta_syntax::walk::declared_in(&item.kind);
            if owners.iter().any(|owner| owner.text == name) {
                self.add(text, "value", Some(format!("of {name}")));
            }
        }
        let is_switch = index
            .of_pot(Pot::Declared(Sort::Thing))
            .any(|(known, used)| known == name && word_of(index, used) == "flag");
        if is_switch {
            self.add_word("yes");
            self.add_word("no");
        }
    }

    fn add_values(&mut self, (expected, text): (&Expected, &str)) {
        let head = text
            .get(expected.item_start..expected.word.start)
            .unwrap_or_default();
        let wheres = expected.before.iter().filter(|word| *word == "where").count();
        // Outside of a call, an offer or a question nobody in particular acts.
        let acts = !matches!(&*expected.item, "script" | "scene" | "ending") || head.contains("ask ");
        let fits = |word: &str| match word {
            "it" => wheres > 0,
            "that" => wheres > 1,
            "me" | "others" => acts,
            "yes" | "no" => !wants_set(expected),
            _ => true,
        };
        let after_ask =
            expected.before.first().is_some_and(|first| first == "ask") && expected.before.len() == 1;
        for word in WORDS.iter().filter(|word| word.value.is_some()) {
            let kept = matches!(word.value, Some(words::Value::Kept));
            let host = word.name == "host";
            if !kept && fits(word.name) && (!host || after_ask || expected.item == "allow") {
                self.add_word(word.name);
            }
        }
        self.add_word("number of");
    }
}

fn is_language(name: &str) -> bool {
    words::stands_alone(name)
}

fn word_of(index: &Index, used: &Use) -> &'static str {
    index.item_of(used).word
}

fn title(index: &Index, used: &Use) -> Option<String> {
    title_of(index.item_of(used))
}

pub(crate) fn pot_word(pot: Pot) -> &'static str {
    match pot {
        Pot::Declared(Sort::Rule) => "rule",
        Pot::Declared(Sort::Ending) => "ending",
        Pot::Declared(Sort::Cast) => "cast",
        Pot::Declared(Sort::Policy) => "policy",
        Pot::Declared(_) => "declared",
        Pot::Question => "question",
        Pot::Word => "value",
        Pot::Wording => "wording",
        Pot::Purpose => "purpose",
    }
}

/// Whether only people, cards or the like can stand there, and no yes or no.
fn wants_set(expected: &Expected) -> bool {
    let first = expected.before.first().map_or("", String::as_str);
    let last = expected.before.last().map_or("", String::as_str);
    let acts_on = matches!(
        first,
        "do" | "plan" | "mark" | "unmark" | "show" | "tell" | "call" | "ask"
    );
    acts_on
        || matches!(
            last,
            "some" | "no" | "every" | "of" | "from" | "plus" | "without" | "among"
        )
}

/// The name before `is`, `is not`, or that an option's value is chosen for.
fn compared(expected: &Expected) -> Option<&str> {
    let before = &expected.before;
    let end = before.len();
    let last = before.last()?.as_str();
    let at = match last {
        "is" | "=" => end.checked_sub(2)?,
        "not" if before.get(end.wrapping_sub(2)).is_some_and(|word| word == "is") => end.checked_sub(3)?,
        "to" if before.first().is_some_and(|first| first == "set") => 1,
        _ => return None,
    };
    before.get(at).map(String::as_str)
}

/// Which names are wanted, by the words before.
fn wanted(expected: &Expected) -> Wanted {
    let before: Vec<&str> = expected.before.iter().map(String::as_str).collect();
    let first = before.first().copied().unwrap_or_default();
    // In a list, what stands before its commas counts.
    let mut end = before.len();
    while end >= 2 && before[end - 1] == "," {
        end -= 2;
    }
    let last = if end == 0 { "" } else { before[end - 1] };
    let has = |word: &str| before.contains(&word);
    if expected.value {
        return Wanted::Value;
    }
    if !expected.name && last != "=" {
        return Wanted::New;
    }
    match (first, last) {
        ("use", _) => Wanted::Library,
        ("needs" | "refuses", _) if before.len() <= 1 || last == first => Wanted::Overlay,
        ("overlay" | "on", "on") => Wanted::Base,
        ("publish" | "remove", _) => Wanted::Anything,
        ("play", "play") => Wanted::Declared(&["scene"]),
        ("do" | "plan" | "settle" | "cancel", last) if last == first => Wanted::Declared(&["event"]),
        ("mark" | "unmark", "as") => Wanted::Declared(&["mark"]),
        ("link" | "unlink", "as") => Wanted::Declared(&["link"]),
        ("clear", _) => Wanted::Declared(FACTS),
        ("leave", _) => Wanted::Declared(&["scene"]),
        ("set", "set") => Wanted::Declared(&["count", "flag", "word", "text"]),
        ("add", "to") | ("subtract", "from") => Wanted::Declared(&["count", "define"]),
        ("raise" | "lower", _) | ("include", "in") | ("exclude", "from") => Wanted::Declared(&["define"]),
        ("call" | "perform", "to") => Wanted::Of(Pot::Purpose),
        ("flip", "to") => Wanted::Declared(&["token"]),
        ("put", "put") => Wanted::Declared(&["token"]),
        ("deal" | "shuffle" | "swap" | "move" | "put", _) => Wanted::Declared(&["zone"]),
        ("choose", "choose") => Wanted::Declared(&["option"]),
        ("choose" | "option", "=") => Wanted::ValueOf,
        ("role", "of") => Wanted::Declared(&["team"]),
        ("role" | "team", "is") => Wanted::Declared(&["class"]),
        ("role", "replaces" | "needs" | "refuses" | "then") => Wanted::Declared(&["role"]),
        ("role", "when") => Wanted::Declared(&["option"]),
        ("rule", "before" | "after") if !has(":") => Wanted::Of(Pot::Declared(Sort::Rule)),
        ("rule", "before" | "after" | "of" | "each") => Wanted::Happening,
        ("ending", "before" | "after") => Wanted::Of(Pot::Declared(Sort::Ending)),
        (_, "during" | "times") => Wanted::Declared(&["scene", "event"]),
        (_, "planned") => Wanted::Declared(&["event"]),
        (_, "until") => Wanted::Declared(&["scene", "event"]),
        (_, "of") if has("until") => Wanted::Declared(&["scene", "event"]),
        ("event", "is") => Wanted::Declared(&["event"]),
        ("replace", "call") => Wanted::Declared(CALLED),
        ("replace", word) => WORDS
            .iter()
            .find(|known| known.name == word && known.declaration.is_some())
            .map_or(Wanted::New, |known| declared_by(&known.name)),
        _ if expected.item == "cast" && before.is_empty() => Wanted::Declared(&["role"]),
        (_, "with" | "for") if expected.item == "cast" => Wanted::Declared(&["role"]),
        _ if expected.item == "policy" && !has(":") => Wanted::Of(Pot::Question),
        _ => Wanted::New,
    }
}

/// The declarations that begin with a word: nothing else may stand in the place of one.
fn declared_by(word: &'static &'static str) -> Wanted {
    match *word {
        "rule" => Wanted::Of(Pot::Declared(Sort::Rule)),
        "ending" => Wanted::Of(Pot::Declared(Sort::Ending)),
        "require" | "warn" => Wanted::Of(Pot::Declared(Sort::Check)),
        "policy" => Wanted::Of(Pot::Declared(Sort::Policy)),
        _ => Wanted::Declared(std::slice::from_ref(word)),
    }
}

/// The names that the declaration has made known so far: behind the words that make one known.
fn known_inside(expected: &Expected, text: &str) -> Vec<String> {
    let head = text
        .get(expected.item_start..expected.word.start)
        .unwrap_or_default();
    let words: Vec<&str> = omerta_syntax::runs(head)
        .into_iter()
        .map(|(range, _)| &head[range])
        .collect();
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for (at, pair) in words.windows(2).enumerate() {
        let (word, name) = (pair[0], pair[1]);
        let next = words.get(at + 2).copied().unwrap_or_default();
        let made = match word {
            "let" => next == "=",
            "for" => next == "from",
            "each" | "draw" => matches!(next, "of" | "from"),
            "as" | "by" | "of" | "with" | "and" => at < 14 || word == "as" && is_rule_head(&words[..at]),
            "whether" => true,
            _ => matches!(word, "role" | "card" | "number") && at > 1,
        };
        let is_name = omerta_syntax::is_name(name)
            && words::find(name).is_none()
            && name.starts_with(char::is_lowercase);
        if made && is_name && (word != "as" || is_rule_head(&words[..at])) && in_head(&words[..at], word) {
            found.entry(name).or_insert(at);
        }
    }
    let mut names: Vec<(usize, &str)> = found.into_iter().map(|(name, at)| (at, name)).collect();
    names.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    names.into_iter().map(|(_, name)| name.to_owned()).collect()
}

/// Whether the words are still those before the first block.
fn is_rule_head(before: &[&str]) -> bool {
    !before.contains(&"{")
}

/// `of p`, `by k`, `with n` make something known only at the head of a declaration.
fn in_head(before: &[&str], word: &str) -> bool {
    let only_there = matches!(word, "by" | "of" | "with" | "and" | "role" | "card" | "number");
    let heads = matches!(
        before.first(),
        Some(&"event" | &"scene" | &"define" | &"hook" | &"add" | &"raise" | &"lower")
    );
    !only_there || is_rule_head(before) && heads
}
