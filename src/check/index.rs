//! Where each name of a ruleset is declared and used: with its libraries and overlays, before those are laid on.
//!
//! Made of the trees alone, so that it also knows what is wrong, replaced or never called.

use crate::layer::Layer;
use crate::load::{Declared, Readings, Request, gather};
use omerta_core::source::{Loader, Sources, Span};
use omerta_syntax::names::{NameUse, Role, Sort, names_of};
use omerta_syntax::tree::{Item, ItemKind};
use omerta_syntax::walk::Space;
use std::collections::{BTreeMap, BTreeSet};

/// Names that are looked for together.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Pot {
    /// What the rules declare of a sort.
    Declared(Sort),
    /// Questions and draws by the name of their answer.
    Question,
    /// Words that something may be.
    Word,
    /// Texts with a name.
    Wording,
    /// What cards are called for.
    Purpose,
}

const THING: Pot = Pot::Declared(Sort::Thing);

impl Pot {
    /// The pots in which the name of such a place is looked for, one after the other.
    pub fn of(role: Role) -> &'static [Pot] {
        match role {
            Role::Declares { sort, .. } => match sort {
                Sort::Thing => &[THING],
                Sort::Rule => &[Pot::Declared(Sort::Rule)],
                Sort::Ending => &[Pot::Declared(Sort::Ending)],
                Sort::Check => &[Pot::Declared(Sort::Check)],
                Sort::Cast => &[Pot::Declared(Sort::Cast)],
                Sort::Policy => &[Pot::Declared(Sort::Policy)],
            },
            Role::Binds { .. } => &[THING],
            Role::Reads => &[THING, Pot::Word],
            Role::Names => &[THING],
            Role::Uses(space) => Pot::of_space(space),
        }
    }

    fn of_space(space: Space) -> &'static [Pot] {
        match space {
            Space::Beside | Space::Thing | Space::Changed => &[THING],
            Space::Wording => &[Pot::Wording],
            Space::Branch | Space::Choice | Space::Word => &[Pot::Word],
            Space::Part | Space::Purpose => &[Pot::Purpose],
            Space::Happening => &[THING, Pot::Wording, Pot::Declared(Sort::Ending)],
            Space::Rule => &[Pot::Declared(Sort::Rule)],
            Space::Ending => &[Pot::Declared(Sort::Ending)],
            Space::Question => &[THING, Pot::Question, Pot::Word],
            Space::Anything => &[
                THING,
                Pot::Declared(Sort::Rule),
                Pot::Declared(Sort::Ending),
                Pot::Wording,
                Pot::Declared(Sort::Check),
                Pot::Declared(Sort::Cast),
                Pot::Declared(Sort::Policy),
            ],
            Space::Head | Space::Overlay | Space::Base | Space::File => &[],
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Target {
    /// Something known only inside: the number of the declaration, and its own in there.
    Local(usize, u32),
    /// Something of a pot, by its letters.
    Global(Pot),
    /// A word of the language, or nothing.
    Nothing,
}

/// What is done with what a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// It is declared.
    Declares,
    /// Its declaration is put in the place of another.
    Replaces,
    /// It is changed.
    Writes,
    /// It is read.
    Reads,
}

/// A name at its place, with what it stands for.
#[derive(Clone, Debug)]
pub struct Use {
    /// The letters.
    pub text: String,
    /// Where they stand.
    pub span: Span,
    /// What it is at its place.
    pub role: Role,
    /// What it stands for.
    pub target: Target,
    /// What is done with it.
    pub access: Access,
    /// The number of the declaration it stands in.
    pub item: usize,
}

/// All names of a ruleset.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The declarations as they stand in the texts, in the order of the layers.
    pub items: Vec<Declared>,
    /// The names of all of them.
    pub uses: Vec<Use>,
    /// The name of the ruleset.
    pub base: String,
    declared: BTreeMap<Pot, BTreeMap<String, Vec<usize>>>,
    /// The names by where they stand.
    by_place: Vec<usize>,
    published: BTreeSet<String>,
}

/// The names of a ruleset with its overlays.
pub fn index_of(
    (sources, readings): (&mut Sources, &Readings),
    loader: &dyn Loader,
    request: &Request<'_>,
) -> Index {
    let gathered = gather((sources, readings), loader, request, &mut Vec::new());
    let mut index = Index {
        base: gathered.name.map_or_else(String::new, |name| name.text),
        items: gathered.items,
        ..Index::default()
    };
    index.fill();
    index
}

impl Index {
    fn fill(&mut self) {
        let names: Vec<Vec<NameUse>> = self
            .items
            .iter()
            .map(|declared| names_of(&declared.item))
            .collect();
        for (item, names) in names.iter().enumerate() {
            if let ItemKind::Publish(published) = &self.items[item].item.kind {
                self.published
                    .extend(published.iter().map(|name| name.text.clone()));
            }
            for used in names {
                self.uses.push(Use {
                    text: used.name.text.clone(),
                    span: used.name.span,
                    role: used.role,
                    target: Target::Nothing,
                    access: access(used.role),
                    item,
                });
            }
        }
        self.note_declarations();
        let locals = names.iter().flatten().map(|used| used.local);
        let locals: Vec<Option<u32>> = locals.collect();
        for (at, local) in locals.into_iter().enumerate() {
            self.uses[at].target = self.target(at, local);
            if matches!(
                (self.uses[at].role, self.uses[at].target),
                (Role::Binds { .. }, Target::Global(_))
            ) {
                self.uses[at].access = Access::Writes;
            }
        }
    }

    fn note_declarations(&mut self) {
        for (at, used) in self.uses.iter().enumerate() {
            if let Some(pot) = pot_declared(used.role) {
                let of_pot = self.declared.entry(pot).or_default();
                of_pot.entry(used.text.clone()).or_default().push(at);
            }
        }
        self.by_place = (0..self.uses.len()).collect();
        let uses = &self.uses;
        self.by_place
            .sort_by_key(|at| (uses[*at].span.source, uses[*at].span.start));
    }

    fn declared(&self, pot: Pot, name: &str) -> Option<&Vec<usize>> {
        self.declared.get(&pot)?.get(name)
    }

    fn target(&self, at: usize, local: Option<u32>) -> Target {
        let used = &self.uses[at];
        match local {
            // Answers may go where something declared keeps them.
            Some(local) if !self.is_kept(&used.text) => Target::Local(used.item, local),
            _ => self
                .resolve(used.role, &used.text)
                .map_or(Target::Nothing, Target::Global),
        }
    }

    fn is_kept(&self, name: &str) -> bool {
        let declared = self.declared(THING, name);
        let word = |at: &usize| self.items[self.uses[*at].item].item.word;
        declared.is_some_and(|all| {
            all.iter().any(|at| {
                matches!(
                    word(at),
                    "mark" | "link" | "count" | "word" | "text" | "flag" | "replace"
                )
            })
        })
    }

    /// In which pot a name stands that is meant at such a place.
    pub fn resolve(&self, role: Role, name: &str) -> Option<Pot> {
        let holds = |pot: &&Pot| self.declared(**pot, name).is_some();
        Pot::of(role).iter().find(holds).copied()
    }

    /// The places that declare something, those that only replace it left out where there are others.
    pub fn declarations(&self, pot: Pot, name: &str) -> Vec<&Use> {
        let all = self.declared(pot, name);
        let all: Vec<&Use> = all.into_iter().flatten().map(|at| &self.uses[*at]).collect();
        let first: Vec<&Use> = { all.iter().copied() }
            .filter(|used| used.access != Access::Replaces)
            .collect();
        if first.is_empty() { all } else { first }
    }

    /// The name that stands at a place, or ends there.
    pub fn at(&self, source: omerta_core::source::SourceId, offset: usize) -> Option<&Use> {
        let begins = |at: &usize| (self.uses[*at].span.source, self.uses[*at].span.start as usize);
        let behind = self.by_place.partition_point(|at| begins(at) <= (source, offset));
        // Names do not overlap; of two that touch, the first.
        let near = self.by_place[behind.saturating_sub(2)..behind].iter();
        let holds = |used: &&Use| used.span.source == source && offset <= used.span.end as usize;
        near.map(|at| &self.uses[*at]).find(holds)
    }

    /// The declaration in which a use stands: itself, or the one that an overlay puts in another's place.
    pub fn item_of(&self, used: &Use) -> &Item {
        match &self.items[used.item].item.kind {
            ItemKind::Replace(inner) => inner,
            _ => &self.items[used.item].item,
        }
    }

    /// The layer in which a use stands.
    pub fn layer_of(&self, used: &Use) -> Layer {
        self.items[used.item].layer
    }

    /// Whether overlays may speak of it.
    pub fn is_published(&self, name: &str) -> bool {
        self.published.contains(name)
    }

    /// The names of a pot with where they are declared first.
    pub fn of_pot(&self, wanted: Pot) -> impl Iterator<Item = (&str, &Use)> {
        let of_pot = self.declared.get(&wanted).into_iter().flatten();
        of_pot.map(|(name, all)| (name.as_str(), &self.uses[all[0]]))
    }
}

fn access(role: Role) -> Access {
    match role {
        Role::Declares { replaced: true, .. } => Access::Replaces,
        Role::Declares { .. } | Role::Binds { .. } => Access::Declares,
        Role::Uses(
            Space::Beside | Space::Wording | Space::Branch | Space::Part | Space::Choice | Space::Head,
        ) => Access::Declares,
        Role::Uses(Space::Changed) => Access::Writes,
        Role::Reads | Role::Names | Role::Uses(_) => Access::Reads,
    }
}

/// The pot into which a place puts a name.
fn pot_declared(role: Role) -> Option<Pot> {
    match role {
        Role::Declares { sort, .. } => Some(Pot::Declared(sort)),
        Role::Binds { asked: true } => Some(Pot::Question),
        Role::Uses(Space::Beside) => Some(THING),
        Role::Uses(Space::Wording) => Some(Pot::Wording),
        Role::Uses(Space::Branch | Space::Choice) => Some(Pot::Word),
        Role::Uses(Space::Part) => Some(Pot::Purpose),
        _ => None,
    }
}
