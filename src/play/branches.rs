//! The branches of a game: several lists of answers that begin alike, each by its name.
//!
//! The branch that is being played is with whoever plays it; the others wait here. Which grew out of
//! which is read from the answers alone.

use crate::session::Session;
use omerta_engine::Choice;

/// What the first branch is called.
const FIRST: &str = "main";

/// So many branches a game has at the most; each is as large as the game.
pub const MOST_BRANCHES: usize = 100;

/// What is kept of a branch, by its name.
pub type Kept<T> = (String, Vec<T>);

/// Branches that wait, and the name of the one that is being played.
#[derive(Clone)]
pub struct Branches {
    /// The name of the branch that is being played.
    pub here: String,
    /// All names in the order in which they were made.
    names: Vec<String>,
    waiting: Vec<(String, Session)>,
}

/// A branch in the tree of all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Twig {
    /// Its name.
    pub name: String,
    /// The twig it grew out of; none for the first.
    pub parent: Option<usize>,
    /// How many answers it shares with that.
    pub shared: usize,
    /// How many it has.
    pub length: usize,
}

impl Default for Branches {
    fn default() -> Self {
        Branches {
            here: FIRST.to_owned(),
            names: vec![FIRST.to_owned()],
            waiting: Vec::new(),
        }
    }
}

impl Branches {
    /// How much has happened in all that wait.
    pub fn happened(&self) -> usize {
        let heard = |(_, session): &(String, Session)| session.log().events.len();
        self.waiting.iter().map(heard).sum()
    }

    /// All names, in the order in which the branches were made.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// All branches in their order with the answers of those that wait, and the texts in these; nothing
    /// where there is but one.
    pub fn kept(&self) -> (Vec<Kept<Choice>>, Vec<Kept<String>>) {
        let answers = |name: &String| {
            let waiting = self.waiting.iter().find(|(known, _)| known == name);
            let answers = waiting.map(|(_, session)| [session.answers(), session.undone()].concat());
            (name.clone(), answers.unwrap_or_default())
        };
        let texts = |(name, session): &(String, Session)| (name.clone(), session.texts().to_vec());
        match self.waiting.is_empty() {
            true => (Vec::new(), Vec::new()),
            false => (
                self.names.iter().map(answers).collect(),
                { self.waiting.iter().map(texts) }
                    .filter(|(_, texts)| !texts.is_empty())
                    .collect(),
            ),
        }
    }

    /// The branches that were kept, each played anew as `again` says.
    pub fn restore(
        here: &str,
        kept: &[(String, Vec<Choice>)],
        mut again: impl FnMut(&str, &[Choice]) -> Option<Session>,
    ) -> Branches {
        let mut branches = Branches::default();
        if kept.is_empty() {
            return branches;
        }
        (branches.here, branches.names) = (here.to_owned(), Vec::new());
        for (name, answers) in kept {
            if name == here {
                branches.names.push(name.clone());
            } else if let Some(session) = again(name, answers) {
                branches.put(name, session);
            }
        }
        branches
    }

    /// Lays a branch aside.
    fn put(&mut self, name: &str, session: Session) {
        if !self.names.iter().any(|known| known == name) {
            self.names.push(name.to_owned());
        }
        self.waiting.retain(|(known, _)| known != name);
        self.waiting.push((name.to_owned(), session));
    }

    /// The branch played goes on under a new name; what it was waits under the old one. `false` when
    /// the name is taken.
    pub fn fork(&mut self, name: &str, session: &Session) -> bool {
        if self.names.iter().any(|known| known == name) {
            return false;
        }
        let old = std::mem::replace(&mut self.here, name.to_owned());
        self.names.push(name.to_owned());
        self.put(&old, session.clone());
        true
    }

    /// Takes a branch up, for the one that was played.
    pub fn switch(&mut self, name: &str, session: &Session) -> Option<Session> {
        let place = self.waiting.iter().position(|(known, _)| known == name)?;
        let (name, taken) = self.waiting.remove(place);
        let old = std::mem::replace(&mut self.here, name);
        self.put(&old, session.clone());
        Some(taken)
    }

    /// Drops the branch played and takes up the one it grew out of; nothing when it grew out of none.
    pub fn leave(&mut self, session: &Session) -> Option<Session> {
        let tree = self.tree(session);
        let here = tree.iter().position(|twig| twig.name == self.here)?;
        let next = tree[tree[here].parent?].name.clone();
        let left = self.here.clone();
        let taken = self.switch(&next, session)?;
        self.waiting.retain(|(name, _)| *name != left);
        self.names.retain(|name| *name != left);
        Some(taken)
    }

    /// A branch by name; the one played is given.
    pub fn get<'a>(&'a self, name: &str, session: &'a Session) -> Option<&'a Session> {
        if name == self.here {
            return Some(session);
        }
        let waiting = self.waiting.iter().find(|(known, _)| known == name);
        waiting.map(|(_, session)| session)
    }

    /// Plays all that wait anew, each as `again` says; those that it gives nothing for are dropped.
    pub fn renew(&mut self, again: impl Fn(&Session) -> Option<Session>) {
        let renewed = self.waiting.drain(..);
        self.waiting = renewed
            .filter_map(|(name, session)| Some((name, again(&session)?)))
            .collect();
        let Branches { here, names, waiting } = self;
        names.retain(|name| name == here || waiting.iter().any(|(known, _)| known == name));
    }

    /// All branches, each with the one it grew out of: of those before it, the one it shares most with.
    pub fn tree(&self, session: &Session) -> Vec<Twig> {
        let mut tree: Vec<Twig> = Vec::new();
        let mut all: Vec<Vec<Choice>> = Vec::new();
        for name in &self.names {
            let Some(branch) = self.get(name, session) else {
                continue;
            };
            let answers = [branch.answers(), branch.undone()].concat();
            let shared = |other: &Vec<Choice>| answers.iter().zip(other).take_while(|(a, b)| a == b).count();
            let parent = (0..all.len()).rev().max_by_key(|place| shared(&all[*place]));
            tree.push(Twig {
                name: name.clone(),
                parent,
                shared: parent.map_or(0, |parent| shared(&all[parent])),
                length: answers.len(),
            });
            all.push(answers);
        }
        tree
    }
}
