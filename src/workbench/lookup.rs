//! What a name in a text stands for, where else that is spoken of, and what must be written to call it otherwise.

use crate::{
    bundle::bundled,
    findings::{At, Finding},
    project::{Context, FileKind, Project},
};
use omerta_check::{
    Readings,
    index::{Access, Pot, Target, Use},
};
use omerta_core::{
    diagnostic::Severity,
    source::{Loader, Source, Sources, Span},
};
use omerta_syntax::{
    is_name,
    names::{NameUse, Role, names_of},
    play_names::{PlayNames, names_of_play},
    play_tree::PlayFile,
    senses,
    tree::{Item, ItemKind, Name},
    walk::Space,
    words,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

/// How many of those that use a library are looked through for what it leaves to them.
const MOST_USERS: usize = 8;

/// A name at a place of a text.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its letters.
    pub text: String,
    /// Where they stand.
    pub range: Range<usize>,
    /// What it is there.
    pub role: Role,
    /// What it stands for.
    pub what: What,
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// Something known only inside of a declaration or of a file of scenarios: all its places in that text.
    Inside(Vec<Place>),
    /// An answer or a draw of which others speak by its name.
    Question,
    /// Something declared.
    Declared(Pot),
    /// A text.
    Text,
    /// A ruleset or an overlay.
    Head,
    /// A word of the language, or nothing that is known.
    Nothing,
}

/// A place that speaks of something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Place {
    /// Where.
    pub at: At,
    /// What is done with it there.
    pub access: Access,
}

/// What is put in the place of some bytes of a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edit {
    /// Where.
    pub at: At,
    /// What is written there instead.
    pub text: String,
}

impl Edit {
    /// Other words in a place of a text.
    pub fn new(source: &Arc<Source>, range: Range<usize>, text: impl Into<String>) -> Edit {
        let (source, text) = (source.clone(), text.into());
        let at = At { source, range };
        Edit { at, text }
    }
}

/// The names of one text.
pub struct Names {
    /// The texts: this one alone.
    pub sources: Sources,
    /// The names with the number of the declaration they stand in.
    pub uses: Vec<(usize, NameUse)>,
    /// The declarations.
    pub items: Vec<Arc<Item>>,
    /// In scenarios, the places of texts in quotes, with who may sit at the table there.
    pub texts: Vec<(Span, BTreeSet<u32>)>,
}

impl Names {
    /// All names of a text of rules.
    fn of_rules(name: &str, text: &str, readings: &Readings) -> Names {
        let mut sources = Sources::default();
        let id = sources.add(name, text);
        let items = readings.of(&sources, id).items.clone();
        let numbered = items.iter().enumerate();
        let uses = numbered.flat_map(|(at, item)| names_of(item).into_iter().map(move |used| (at, used)));
        Names {
            uses: uses.collect(),
            sources,
            items,
            texts: Vec::new(),
        }
    }

    /// All names of a text of scenarios.
    fn of_scenarios(name: &str, text: &str, tree: &PlayFile) -> Names {
        let mut sources = Sources::default();
        sources.add(name, text);
        let PlayNames { uses, texts } = names_of_play(tree, text);
        Names {
            sources,
            uses: uses.into_iter().map(|used| (0, used)).collect(),
            items: Vec::new(),
            texts,
        }
    }

    /// The name that stands at a byte, or ends there.
    pub fn at(&self, offset: usize) -> Option<&(usize, NameUse)> {
        let holds = |(_, used): &&(usize, NameUse)| {
            let span = used.name.span;
            span.start as usize <= offset && offset <= span.end as usize
        };
        // Of two that touch, the one that begins here.
        self.uses.iter().rfind(holds)
    }

    fn place(&self, used: &NameUse) -> Place {
        let access = match used.role {
            Role::Binds { .. } => Access::Declares,
            _ => Access::Reads,
        };
        Place {
            at: At::of(&self.sources, used.name.span),
            access,
        }
    }
}

impl Project {
    /// The names of a file as it is now.
    pub fn names(&self, path: &Path) -> Names {
        let text = self.text(path).unwrap_or_default();
        let name = self.name_of(path);
        match FileKind::of(path) {
            Some(FileKind::Play) => {
                let read = self.scenarios_of((path, &name, &text));
                Names::of_scenarios(&name, &text, &read.tree)
            }
            _ => Names::of_rules(&name, &text, self.readings()),
        }
    }

    /// What messages call a file.
    pub fn name_of(&self, path: &Path) -> String {
        self.bundled_name(path)
            .unwrap_or_else(|| path.display().to_string())
    }

    /// The rulesets that a file has to do with: its own, and those that use it where it has none but itself.
    pub fn all_contexts(&mut self, path: &Path) -> Vec<std::sync::Arc<Vec<Context>>> {
        let own = self.contexts(path);
        let is_library = own
            .iter()
            .all(|context| !context.asked.playable && !context.asked.elsewhere);
        let mut all = vec![own];
        if is_library {
            for other in self.dependants(path).into_iter().take(MOST_USERS) {
                all.push(self.contexts(&other));
            }
        }
        all
    }

    /// What stands at a byte of a file.
    pub fn name_at(&mut self, path: &Path, offset: usize) -> Option<Named> {
        let names = self.names(path);
        let Some((item, used)) = names.at(offset).cloned() else {
            return self.word_at(path, offset);
        };
        let what = self.what(path, &names, item, &used);
        Some(Named {
            text: used.name.text.clone(),
            range: used.name.span.start as usize..used.name.span.end as usize,
            role: used.role,
            what,
        })
    }

    /// A word of the language where it stands; where a declaration is broken, a word of it is what its letters say.
    fn word_at(&mut self, path: &Path, offset: usize) -> Option<Named> {
        let text = self.text(path)?;
        let (range, _) = omerta_syntax::runs(&text).into_iter().rfind(|(range, sort)| {
            let is_word = matches!(sort, omerta_syntax::Sort::Word | omerta_syntax::Sort::Keyword);
            is_word && range.start <= offset && offset <= range.end
        })?;
        let letters = text[range.clone()].trim_matches('`').to_owned();
        let mut what = What::Nothing;
        let language = FileKind::language_of(path);
        let standing = senses::standing(&text, language, &range);
        let is_of_the_language = standing.iter().any(|word| word.range == range);
        let contexts = match is_of_the_language {
            true => Vec::new(),
            false => self.all_contexts(path),
        };
        for contexts in contexts {
            let pot = contexts
                .iter()
                .find_map(|context| context.index.resolve(Role::Reads, &letters));
            if let Some(pot) = pot {
                what = What::Declared(pot);
                break;
            }
        }
        Some(Named {
            text: letters,
            range,
            role: Role::Reads,
            what,
        })
    }

    fn what(&mut self, path: &Path, names: &Names, item: usize, used: &NameUse) -> What {
        match used.role {
            Role::Uses(Space::File) => return What::Text,
            Role::Uses(Space::Head | Space::Overlay | Space::Base) => return What::Head,
            _ => {}
        }
        if let Some(local) = used.local {
            let kept = FileKind::of(path) == Some(FileKind::Rules) && self.is_kept(path, used);
            if !kept {
                let same = |(at, other): &&(usize, NameUse)| *at == item && other.local == Some(local);
                let group: Vec<&NameUse> = names.uses.iter().filter(same).map(|(_, used)| used).collect();
                let asked = group.iter().any(|used| used.role == Role::Binds { asked: true });
                if asked && self.is_spoken_of(path, &used.name.text) {
                    return What::Question;
                }
                return What::Inside(group.into_iter().map(|used| names.place(used)).collect());
            }
        }
        for contexts in self.all_contexts(path) {
            for context in contexts.iter() {
                match context.index.resolve(used.role, &used.name.text) {
                    Some(Pot::Question) => return What::Question,
                    Some(pot) => return What::Declared(pot),
                    None => {}
                }
            }
        }
        What::Nothing
    }

    /// Whether an answer goes into something declared.
    fn is_kept(&mut self, path: &Path, used: &NameUse) -> bool {
        let name = self.name_of(path);
        let contexts = self.all_contexts(path);
        contexts.iter().flat_map(|all| all.iter()).any(|context| {
            let source = context.sources.iter().find(|(_, source)| source.name == name);
            let here = source.and_then(|(id, _)| context.index.at(id, used.name.span.start as usize));
            here.is_some_and(|here| matches!(here.target, Target::Global(_)))
        })
    }

    /// Whether anything speaks of a question by its name.
    fn is_spoken_of(&mut self, path: &Path, name: &str) -> bool {
        let mut spoken = false;
        self.each_context(path, &mut |context, play| {
            let speaks = |used: &Use| used.text == name && used.target == Target::Global(Pot::Question);
            let said = |(_, used): &(usize, NameUse)| {
                used.name.text == name
                    && used.local.is_none()
                    && context.index.resolve(used.role, name) == Some(Pot::Question)
            };
            spoken |= context.index.uses.iter().any(speaks);
            spoken |= play.is_some_and(|play| play.uses.iter().any(said));
        });
        spoken
    }

    /// All rulesets of the project in which a text is read, and the scenarios that are played by them.
    fn each_context(&mut self, path: &Path, see: &mut dyn FnMut(&Context, Option<&Names>)) {
        let name = self.name_of(path);
        let mut roots: BTreeSet<PathBuf> = self.files().into_iter().collect();
        roots.insert(path.to_path_buf());
        for root in roots {
            let contexts = self.contexts(&root);
            let concerned = |context: &&Context| {
                root == path || context.sources.iter().any(|(_, source)| source.name == name)
            };
            let concerned: Vec<&Context> = contexts.iter().filter(concerned).collect();
            if concerned.is_empty() {
                continue;
            }
            let is_play = FileKind::of(&root) == Some(FileKind::Play);
            let play = is_play.then(|| self.names(&root));
            concerned
                .into_iter()
                .for_each(|context| see(context, play.as_ref()));
        }
    }

    /// Where something is declared.
    pub fn declarations(&mut self, path: &Path, named: &Named) -> Vec<At> {
        let mut found = Vec::new();
        match &named.what {
            What::Inside(places) => {
                let declares = |place: &&Place| place.access == Access::Declares;
                found.extend(places.iter().find(declares).map(|place| place.at.clone()));
            }
            What::Text => found.extend(self.text_named(path, &named.text)),
            What::Head => found.extend(self.head_named(path, named)),
            What::Question | What::Declared(_) => {
                let pot = named.pot();
                for contexts in self.all_contexts(path) {
                    for context in contexts.iter() {
                        let all = context.index.declarations(pot, &named.text);
                        let all = all.into_iter().map(|used| At::of(&context.sources, used.span));
                        all.for_each(|at| push_new(&mut found, at));
                    }
                    if !found.is_empty() {
                        break;
                    }
                }
            }
            What::Nothing => {}
        }
        found
    }

    fn text_named(&self, path: &Path, text: &str) -> Option<At> {
        let loaded = self.shelf_of(path).load_used(text, &self.name_of(path))?;
        Some(beginning(loaded.name, loaded.text))
    }

    /// The ruleset or overlay that goes by a name.
    fn head_named(&self, path: &Path, named: &Named) -> Option<At> {
        let shelf = self.shelf_of(path);
        let here = self.name_of(path);
        let loaded = match named.role {
            Role::Uses(Space::Overlay) => shelf.load_overlay(&named.text, &here).into_iter().next(),
            Role::Uses(Space::Base) => shelf.load(&named.text),
            _ => None,
        };
        let loaded = match loaded {
            Some(loaded) => (loaded.name, loaded.text),
            None => (here, self.text(path)?),
        };
        let names = Names::of_rules(&loaded.0, &loaded.1, self.readings());
        let short = named.text.rsplit(['.', '/', ':']).next().unwrap_or_default();
        let heads = names
            .uses
            .iter()
            .filter(|(_, used)| used.role == Role::Uses(Space::Head));
        let head = heads.clone().find(|(_, used)| used.name.text == short);
        let place = head
            .or(heads.clone().next())
            .map(|(_, used)| names.place(used).at);
        Some(place.unwrap_or_else(|| beginning(loaded.0, loaded.1)))
    }

    /// All places that speak of something.
    pub fn places(&mut self, path: &Path, named: &Named) -> Vec<Place> {
        match &named.what {
            What::Inside(places) => places.clone(),
            What::Text | What::Nothing => Vec::new(),
            What::Head => self.places_of_head(&named.text),
            What::Question | What::Declared(_) => self.places_of_global(path, named),
        }
    }

    fn places_of_global(&mut self, path: &Path, named: &Named) -> Vec<Place> {
        let (pot, text) = (named.pot(), named.text.as_str());
        let declared = self.declarations(path, named);
        let mut found = Vec::new();
        let mut homes: Vec<PathBuf> = { declared.iter() }
            .filter_map(|at| self.path_of(&at.source.name))
            .collect();
        homes.push(path.to_path_buf());
        homes.sort();
        homes.dedup();
        for home in homes {
            self.each_context(&home, &mut |context, play| {
                let here = context.index.declarations(pot, text);
                let is_it = |used: &&Use| declared.contains(&At::of(&context.sources, used.span));
                if !here.iter().any(is_it) {
                    return;
                }
                for used in same(context, named) {
                    let place = Place {
                        at: At::of(&context.sources, used.span),
                        access: used.access,
                    };
                    push_new(&mut found, place);
                }
                for (_, used) in play.iter().flat_map(|play| &play.uses) {
                    let meant = used.name.text == text
                        && used.local.is_none()
                        && context.index.resolve(used.role, text) == Some(pot);
                    if let (true, Some(play)) = (meant, play) {
                        push_new(&mut found, play.place(used));
                    }
                }
            });
        }
        found.sort_by(|a, b| {
            (&a.at.source.name, a.at.range.start).cmp(&(&b.at.source.name, b.at.range.start))
        });
        found
    }

    fn places_of_head(&mut self, text: &str) -> Vec<Place> {
        let mut found = Vec::new();
        for path in self.files() {
            let names = self.names(&path);
            let is_it = |used: &NameUse| {
                matches!(used.role, Role::Uses(Space::Head | Space::Overlay | Space::Base))
                    && used.name.text == text
            };
            for (_, used) in names.uses.iter().filter(|(_, used)| is_it(used)) {
                let mut place = names.place(used);
                if used.role == Role::Uses(Space::Head) {
                    place.access = Access::Declares;
                }
                push_new(&mut found, place);
            }
        }
        found
    }

    // ---- Calling something otherwise

    /// Whether something can be called otherwise at all; the reason where it cannot.
    pub fn may_rename(&mut self, path: &Path, named: &Named) -> Result<(), String> {
        let text = &named.text;
        match &named.what {
            // An option that is one or the other is a test by these very words.
            _ if ["yes", "no"].contains(&text.as_str()) => {
                return Err(format!("`{text}` is what makes an option a test"));
            }
            What::Nothing if self.is_of_the_language(path, named) => {
                return Err(format!("`{text}` is a word of the language"));
            }
            What::Nothing => {
                let is_mistake = |found: &Finding| found.diagnostic.severity == Severity::Error;
                let is_sound = !self.check(path).findings.iter().any(is_mistake);
                return Err(match is_sound {
                    true => format!("`{text}` is declared nowhere: there is nothing to call otherwise"),
                    false => format!("nothing is known of `{text}`: mend the mistakes first"),
                });
            }
            What::Text => {
                return Err(
                    "this is the name of a file: call the file otherwise in the list of files".to_owned(),
                );
            }
            What::Head => {
                return Err(
                    "rulesets and overlays are also known by their files: give the file another name, too"
                        .to_owned(),
                );
            }
            What::Inside(_) | What::Question | What::Declared(_) => {}
        }
        let declared = self.declarations(path, named);
        let inside = declared.iter().find(|at| self.is_bundled(&at.source.name));
        match inside {
            Some(at) => Err(format!(
                "`{text}` is declared in `{}`, which comes with omerta and cannot be changed",
                at.source.name
            )),
            None => Ok(()),
        }
    }

    fn is_of_the_language(&self, path: &Path, named: &Named) -> bool {
        let letters = self.text(path).unwrap_or_default();
        let standing = senses::standing(&letters, FileKind::language_of(path), &named.range);
        words::is_of_the_language(&named.text) || standing.iter().any(|word| word.range == named.range)
    }

    fn is_bundled(&self, name: &str) -> bool {
        let path = Path::new(name);
        !path.is_absolute() && bundled(name).is_some() || self.bundled_name(path).is_some()
    }

    /// What is to be written so that something is called otherwise everywhere; the reason where that cannot be.
    pub fn rename(&mut self, path: &Path, named: &Named, new: &str) -> Result<Vec<Edit>, String> {
        self.may_rename(path, named)?;
        if new == named.text {
            return Ok(Vec::new());
        }
        if !is_name(new) {
            return Err(format!(
                "`{new}` is no name: names are letters, digits, `-` and `_`, a letter first"
            ));
        }
        if words::find(new).is_some() {
            return Err(format!("`{new}` is a word of the language"));
        }
        let mut places = self.places(path, named);
        if matches!(named.what, What::Inside(_)) && FileKind::of(path) == Some(FileKind::Play) {
            places.extend(self.in_quotes(path, named)?);
        }
        self.is_free(path, &places, new)?;
        let edits = places.into_iter().map(|place| Edit {
            at: place.at,
            text: new.to_owned(),
        });
        Ok(edits.collect())
    }

    /// Players are also spoken of in what is expected to be said, there where the rules do not say that word themselves.
    fn in_quotes(&mut self, path: &Path, named: &Named) -> Result<Vec<Place>, String> {
        let names = self.names(path);
        let here = names.at(named.range.start).and_then(|(_, used)| used.local);
        let Some(player) = here else {
            return Ok(Vec::new());
        };
        let name = named.text.as_str();
        let said = self.said_by_rules(path, name);
        let mut found = Vec::new();
        for (span, _) in names.texts.iter().filter(|(_, sits)| sits.contains(&player)) {
            let at = At::of(&names.sources, *span);
            let letters = at.letters();
            for from in words_in(letters, name) {
                let (before, behind) = (&letters[..from], &letters[from + name.len()..]);
                let own = said.iter().filter(|(left, right)| {
                    agree(before.trim_start_matches('"').chars().rev(), left.chars().rev())
                        && agree(behind.trim_end_matches('"').chars(), right.chars())
                });
                match own.count() {
                    0 => {
                        let start = at.range.start + from;
                        found.push(Place {
                            at: At {
                                source: at.source.clone(),
                                range: start..start + name.len(),
                            },
                            access: Access::Reads,
                        });
                    }
                    _ if letters.trim_matches('"') == name => {
                        return Err(format!(
                            "the rules say the word `{name}`, too: the text {letters} may be either of them"
                        ));
                    }
                    _ => {}
                }
            }
        }
        Ok(found)
    }

    /// Where the rules that a file is played by say a word themselves: what they say before it and behind it.
    fn said_by_rules(&mut self, path: &Path, word: &str) -> Vec<(String, String)> {
        let mut said = BTreeSet::new();
        for context in self.contexts(path).iter() {
            let is_rules = |name: &str| FileKind::of(Path::new(name)) != Some(FileKind::Play);
            for (_, source) in context
                .sources
                .iter()
                .filter(|(_, source)| is_rules(&source.name))
            {
                let texts = omerta_syntax::runs(&source.text).into_iter();
                for (range, _) in texts.filter(|(_, sort)| *sort == omerta_syntax::Sort::Text) {
                    for words in own_words(&source.text[range]) {
                        let parts = words_in(words, word).into_iter();
                        said.extend(
                            parts.map(|at| (words[..at].to_owned(), words[at + word.len()..].to_owned())),
                        );
                    }
                }
            }
        }
        said.into_iter().collect()
    }

    /// Whether a name stands for nothing yet wherever it would be written.
    fn is_free(&mut self, path: &Path, places: &[Place], new: &str) -> Result<(), String> {
        let mut touched: BTreeMap<String, PathBuf> = BTreeMap::new();
        for place in places {
            let name = &place.at.source.name;
            if self.is_bundled(name) {
                return Err(format!(
                    "`{name}` speaks of it, which comes with omerta and cannot be changed"
                ));
            }
            let file = self.path_of(name).unwrap_or_else(|| path.to_path_buf());
            touched.insert(name.clone(), file);
        }
        for (name, file) in touched {
            if self
                .check(&file)
                .findings
                .iter()
                .any(|found| found.is_about_shape() && found.at.source.name == name)
            {
                return Err(format!("mend the mistakes in `{}` first", short(&name)));
            }
            let mut taken = self
                .names(&file)
                .uses
                .iter()
                .any(|(_, used)| used.name.text == new);
            self.each_context(&file, &mut |context, play| {
                taken |= context.index.uses.iter().any(|used| used.text == new);
                taken |= play.is_some_and(|play| play.uses.iter().any(|(_, used)| used.name.text == new));
            });
            if taken {
                return Err(format!("`{new}` is taken already"));
            }
        }
        Ok(())
    }
}

impl Named {
    fn pot(&self) -> Pot {
        match self.what {
            What::Declared(pot) => pot,
            _ => Pot::Question,
        }
    }
}

/// What speaks of the same in a ruleset; of a question, also all that is done with its answer.
fn same<'c>(context: &'c Context, named: &Named) -> Vec<&'c Use> {
    let (pot, text) = (named.pot(), named.text.as_str());
    let mut targets = BTreeSet::from([Target::Global(pot)]);
    if pot == Pot::Question {
        let asks = |used: &&Use| used.text == text && used.role == Role::Binds { asked: true };
        targets.extend(context.index.uses.iter().filter(asks).map(|used| used.target));
    }
    let is_same = |used: &&Use| used.text == text && targets.contains(&used.target);
    context.index.uses.iter().filter(is_same).collect()
}

/// The parts of a text of rules, quotes included, that are said as they stand there: nothing of its slots.
fn own_words(text: &str) -> Vec<&str> {
    let mut parts = text.trim_matches('"').split('{');
    let mut found: Vec<&str> = parts.next().into_iter().collect();
    for part in parts {
        let (slot, rest) = part.split_once('}').unwrap_or((part, ""));
        // `{guilty: one way|the other}`
        let ways = slot.split_once(": ").map_or("", |(_, ways)| ways);
        found.extend(ways.split('|').chain([rest]));
    }
    found
}

/// Where a name stands in a text as a word of its own.
fn words_in(text: &str, name: &str) -> Vec<usize> {
    let is_letter = |letter: Option<char>| letter.is_some_and(|l| l.is_alphanumeric() || l == '_');
    let all = text.match_indices(name).map(|(at, _)| at);
    let whole = all.filter(|at| {
        let behind = text[at + name.len()..].chars().next();
        !is_letter(text[..*at].chars().next_back()) && !is_letter(behind)
    });
    whole.collect()
}

/// Whether two texts are the same as far as both of them go.
fn agree(one: impl Iterator<Item = char>, other: impl Iterator<Item = char>) -> bool {
    one.zip(other).all(|(one, other)| one == other)
}

/// The end of a path.
pub fn short(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

fn beginning(name: String, text: String) -> At {
    let mut sources = Sources::default();
    let id = sources.add(name, text);
    At::of(&sources, Span::new(id, 0, 0))
}

fn push_new<T: PartialEq>(all: &mut Vec<T>, one: T) {
    if !all.contains(&one) {
        all.push(one);
    }
}

/// The title that a declaration gives, and the names it declares.
pub fn title_of(item: &Item) -> Option<String> {
    let title = match &item.kind {
        ItemKind::Ruleset { title, .. }
        | ItemKind::Library { title, .. }
        | ItemKind::Overlay { title, .. }
        | ItemKind::Class { title, .. }
        | ItemKind::Team { title, .. }
        | ItemKind::Token { title, .. }
        | ItemKind::Zone { title, .. }
        | ItemKind::Scene { title, .. }
        | ItemKind::Cast { title, .. } => title.as_ref(),
        ItemKind::Mark { kept, .. }
        | ItemKind::Flag { kept, .. }
        | ItemKind::Count { kept, .. }
        | ItemKind::Link { kept, .. } => kept.title.as_ref(),
        ItemKind::Role(role) => role.title.as_ref(),
        ItemKind::Allow(allow) => allow.title.as_ref(),
        ItemKind::Ending(ending) => ending.title.as_ref(),
        ItemKind::Policy(policy) => policy.title.as_ref(),
        ItemKind::Option { sentence, .. } => Some(sentence),
        ItemKind::Require { message, .. } | ItemKind::Warn { message, .. } => Some(message),
        ItemKind::Replace(inner) => return title_of(inner),
        _ => None,
    };
    title.map(omerta_syntax::tree::Text::plain)
}

/// The name that stands at the head of a declaration.
pub fn head_of(item: &Item) -> Option<&Name> {
    match &item.kind {
        ItemKind::Ruleset { name, .. } | ItemKind::Library { name, .. } | ItemKind::Overlay { name, .. } => {
            Some(name)
        }
        ItemKind::Replace(inner) => head_of(inner),
        kind => omerta_syntax::walk::declared_in(kind).into_iter().next(),
    }
}
