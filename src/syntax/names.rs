//! Every name of a text, with what it is there: for whoever looks for the uses of one, renames it or colours it.
//!
//! Looks nothing up that is declared; which names are known only inside, and where, is all that is found out here.

use crate::tree::{Item, ItemKind, Name, Question, Statement, StatementKind};
use crate::walk::{Part, Space};

/// A name at its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NameUse {
    /// The name.
    pub name: Name,
    /// What it is there.
    pub role: Role,
    /// The number of the name that is known only inside and stands there, counted from the beginning of the
    /// declaration.
    pub local: Option<u32>,
}

/// What a name is at its place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Role {
    /// The declaration of something global, of a sort; `replaced` where it stands for another declaration.
    Declares { sort: Sort, replaced: bool },
    /// Makes something known inside; `asked` where it is an answer or a draw, of which others may speak.
    Binds { asked: bool },
    /// Read by an expression.
    Reads,
    /// The scene or the event of a condition.
    Names,
    /// Something else.
    Uses(Space),
}

/// Which declarations have their names in one pot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Sort {
    /// Whatever rules speak of: roles, marks, scenes, events, definitions, options and the rest.
    Thing,
    /// A rule.
    Rule,
    /// An ending.
    Ending,
    /// `require`, `warn`
    Check,
    /// A cast.
    Cast,
    /// A policy.
    Policy,
}

impl Sort {
    /// In which pot the names of a declaration are.
    pub fn of(kind: &ItemKind) -> Sort {
        match kind {
            ItemKind::Rule(_) => Sort::Rule,
            ItemKind::Ending(_) => Sort::Ending,
            ItemKind::Require { .. } | ItemKind::Warn { .. } => Sort::Check,
            ItemKind::Cast { .. } => Sort::Cast,
            ItemKind::Policy(_) => Sort::Policy,
            ItemKind::Replace(inner) => Sort::of(&inner.kind),
            _ => Sort::Thing,
        }
    }
}

/// The names of one declaration with all that is inside it, from front to back.
pub fn names_of(item: &Item) -> Vec<NameUse> {
    let mut reader = Reader::default();
    reader.item(&item.kind, false);
    reader.found.sort_by_key(|found| found.name.span.start);
    reader.found
}

#[derive(Default)]
struct Reader {
    found: Vec<NameUse>,
    /// The names that are known at the place, the innermost last.
    scope: Vec<(String, u32)>,
    locals: u32,
}

impl Reader {
    fn add(&mut self, name: &Name, role: Role, local: Option<u32>) {
        self.found.push(NameUse {
            name: name.clone(),
            role,
            local,
        });
    }

    fn known(&self, name: &Name) -> Option<u32> {
        let known = self.scope.iter().rev().find(|(known, _)| *known == name.text);
        known.map(|(_, local)| *local)
    }

    fn bind(&mut self, name: &Name, local: u32, asked: bool) {
        self.add(name, Role::Binds { asked }, Some(local));
        self.scope.push((name.text.clone(), local));
    }

    fn bind_anew(&mut self, name: &Name) {
        self.locals += 1;
        self.bind(name, self.locals, false);
    }

    /// An answer or the like: where a name so called is known, that has a new value.
    fn bind_given(&mut self, name: &Name, asked: bool) {
        let local = self.known(name).unwrap_or_else(|| {
            self.locals += 1;
            self.locals
        });
        self.bind(name, local, asked);
    }

    fn item(&mut self, kind: &ItemKind, replaced: bool) {
        let known = self.scope.len();
        let sort = Sort::of(kind);
        let replaces = matches!(kind, ItemKind::Replace(_));
        let mut parts = Vec::new();
        Part::Item(kind).parts(&mut |part| parts.push(part));
        for part in parts {
            match part {
                Part::Item(inner) => self.item(inner, replaces),
                Part::Declares(name) => self.add(name, Role::Declares { sort, replaced }, None),
                Part::Binds(name) => self.bind_anew(name),
                part => self.part(part),
            }
        }
        self.scope.truncate(known);
    }

    fn part(&mut self, part: Part<'_>) {
        match part {
            Part::Item(kind) => self.item(kind, false),
            Part::Block(block) => {
                let known = self.scope.len();
                for statement in &block.statements {
                    self.statement(statement);
                }
                self.scope.truncate(known);
            }
            Part::Statement(statement) => self.statement(statement),
            Part::Expr(_) => {
                let mut parts = Vec::new();
                part.parts(&mut |inner| parts.push(inner));
                parts.into_iter().for_each(|part| self.part(part));
            }
            Part::Reads(name) => self.add(name, Role::Reads, self.known(name)),
            Part::Names(name) => self.add(name, Role::Names, None),
            Part::Uses(name, space) => self.add(name, Role::Uses(space), None),
            Part::Declares(name) | Part::Binds(name) => self.bind_given(name, false),
        }
    }

    /// What a statement makes known is known behind it; what a loop or a branch does, in its block alone.
    fn statement(&mut self, statement: &Statement) {
        let kind = &statement.kind;
        let (passing, asked) = match kind {
            StatementKind::ForEach { .. } => (true, false),
            StatementKind::Draw { .. } | StatementKind::Ask(_) => (false, true),
            _ => (false, false),
        };
        let menu = menu_name(kind);
        let (mut later, mut inside): (Vec<&Name>, Vec<&Name>) = (Vec::new(), Vec::new());
        let mut parts = Vec::new();
        Part::Statement(statement).parts(&mut |part| parts.push(part));
        for part in parts {
            match part {
                Part::Binds(name) if passing || menu.is_some_and(|menu| menu != Some(name)) => {
                    inside.push(name);
                }
                Part::Binds(name) => later.push(name),
                Part::Block(_) => {
                    let known = self.scope.len();
                    if menu.is_none() {
                        later.drain(..).for_each(|name| self.bind_given(name, asked));
                    }
                    let outer = self.scope.len();
                    inside.drain(..).for_each(|name| self.bind_anew(name));
                    self.part(part);
                    self.scope.truncate(outer.max(known));
                }
                part => self.part(part),
            }
        }
        later.into_iter().for_each(|name| self.bind_given(name, asked));
    }
}

/// The name of a menu, where a statement asks one.
fn menu_name(kind: &StatementKind) -> Option<Option<&Name>> {
    let StatementKind::Ask(ask) = kind else {
        return None;
    };
    match &ask.question {
        Question::Menu(name, _) => Some(name.as_ref()),
        Question::For { .. } | Question::Whether(_) => None,
    }
}
