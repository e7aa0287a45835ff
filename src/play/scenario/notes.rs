//! What is noted while a game is brought forward: the questions and draws that came, the part of the game that
//! is looked at, and the answers that wait for their questions.

use omerta_core::{
    rules::{AskId, Program, Ruleset, SceneId},
    source::Span,
};
use omerta_engine::{Asked, Drawn, What};
use omerta_syntax::{
    play_tree::{Person, Quoted, Wording},
    tree::Expr,
};

/// Whom a pin is for.
#[derive(Clone, Debug)]
pub(super) enum Who {
    Host,
    /// A player without a name, by the number of the seat.
    Seat(u64),
    /// Worked out anew at every question: who is living changes.
    Seats(Program),
}

/// An answer waiting for its question. `Ann, Bob -> Cid` makes two.
#[derive(Clone, Debug)]
pub(super) struct Pin<'t> {
    pub(super) who: Who,
    pub(super) choice: Option<&'t str>,
    pub(super) answers: &'t [Expr],
    /// Everybody of its line: they may be asked together.
    pub(super) line: &'t [Person],
    pub(super) span: Span,
    /// Its place among all lines that waited.
    pub(super) order: usize,
    /// Whether the picks behind its answers are given by a line further down.
    pub(super) more: bool,
    /// The pick of the question being answered that its first answer is for.
    pub(super) from: Option<u8>,
    /// The seats that have answered by it.
    pub(super) used: u64,
    /// How many questions it has answered, and the last of them.
    pub(super) times: u32,
    pub(super) took: Option<AskId>,
    /// Whether it has been used up.
    pub(super) spent: bool,
    /// Whether anybody has answered by it.
    pub(super) met: bool,
}

impl<'t> Pin<'t> {
    /// The answer for a pick: what stands behind `...` goes on with the pick that is asked for.
    pub(super) fn answer_at(&self, pick: u8) -> Option<&'t Expr> {
        let from = self.from.unwrap_or(pick);
        self.answers.get(usize::from(pick.saturating_sub(from)))
    }

    /// Whether it ends with that pick, and another line gives those behind it.
    pub(super) fn is_cut_at(&self, pick: u8) -> bool {
        let from = self.from.unwrap_or(pick);
        self.more && usize::from(pick.saturating_sub(from)) + 1 >= self.answers.len()
    }
}

/// An answer that must be refused, waiting for its question.
#[derive(Clone, Debug)]
pub(super) struct Refusal<'t> {
    pub(super) pin: Pin<'t>,
    pub(super) reason: Option<&'t Quoted>,
    /// The innermost scene in which it was found to name a branch of another question, and how often that had ended by then:
    /// it waits for the other question until it ends once more.
    pub(super) within: Option<(SceneId, usize)>,
}

/// Outcomes waiting for their draws.
#[derive(Clone, Debug)]
pub(super) struct DrawPin<'t> {
    pub(super) name: &'t str,
    pub(super) outcomes: &'t [Expr],
    pub(super) next: usize,
    pub(super) span: Span,
}

impl DrawPin<'_> {
    pub(super) fn waits_for(&self, draw: &str) -> bool {
        self.name == draw && self.next < self.outcomes.len()
    }
}

/// A question as it was put.
#[derive(Clone, Debug)]
pub(super) struct Prompt {
    /// How long the log was.
    pub(super) at: usize,
    pub(super) asked: Asked,
    /// The names of the branches that stood open.
    pub(super) branches: Vec<String>,
    /// How it was put: `Whom do you treat?`
    pub(super) put: String,
    /// In words, with to whom and among what.
    pub(super) text: String,
    /// The offers that stood open to players, where somebody wants to know.
    pub(super) open: Vec<(u8, String)>,
}

impl Prompt {
    /// The offers that stood open to a seat.
    pub(super) fn open_to(&self, seat: u8) -> String {
        let theirs = self.open.iter().filter(|(to, _)| *to == seat);
        let theirs: Vec<&str> = theirs.map(|(_, offer)| offer.as_str()).collect();
        match theirs.is_empty() {
            true => "nothing".to_owned(),
            false => theirs.join(", "),
        }
    }
}

/// A draw as it was made.
#[derive(Clone, Debug)]
pub(super) struct Draw {
    /// How long the log was.
    pub(super) at: usize,
    pub(super) drawn: Drawn,
    /// Words with their weights, where it is one of words.
    pub(super) weights: Vec<(String, u32)>,
    /// In words.
    pub(super) text: String,
}

/// What a line saw that is about all cases, in one of them.
#[derive(Clone, Debug)]
pub(super) enum Seen {
    /// Whether it was so.
    So(bool),
    /// What each of these has seen, and the way to there: games that went it are one up to there.
    Sights(Vec<Sight>, u64),
}

/// What has come to somebody, line by line.
#[derive(Clone, Debug)]
pub(super) struct Sight {
    pub(super) who: String,
    /// Up to the beginning of the section.
    pub(super) before: usize,
    pub(super) lines: Vec<String>,
}

impl Sight {
    pub(super) fn before(&self) -> &[String] {
        &self.lines[..self.before]
    }
}

/// The part of the game an expectation looks at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Window {
    /// The scene, and for which time it began; the whole game where there is none.
    pub(super) scene: Option<(SceneId, u32)>,
    /// The place in the log where it began.
    pub(super) start: usize,
}

/// Where a scene begins and ends for a section: what rules hang on its beginning and on its end is
/// part of it.
pub(super) struct Edges {
    scene: SceneId,
    hung: bool,
    /// How many scenes of that name lie in the one that is looked at.
    depth: u32,
    /// Where the scene was about to begin, while it has not: a rule may yet take its place.
    near: Option<(usize, u32)>,
}

impl Edges {
    pub(super) fn of(scene: SceneId, rules: &Ruleset) -> Edges {
        Edges {
            scene,
            hung: rules.scenes[scene.index()].hung,
            depth: 0,
            near: None,
        }
    }

    /// Takes in the next event; says where the scene begins with it, and for which time.
    pub(super) fn opens(&mut self, at: usize, what: &What) -> Option<(usize, u32)> {
        match what {
            What::SceneNears { scene, nth } if *scene == self.scene => {
                self.near = Some((at, *nth));
                None
            }
            What::ScenePassed { scene } if *scene == self.scene => {
                self.near = None;
                None
            }
            // Behind the place where it was about to begin it is the same one that begins.
            What::SceneBegan { scene, nth } if *scene == self.scene => {
                self.near.take().or((!self.hung).then_some((at, *nth)))
            }
            _ => None,
        }
    }

    /// Where the scene is about to begin and waits for a rule.
    pub(super) fn near(&self) -> Option<(usize, u32)> {
        self.near
    }

    /// Whether the scene begins with an event, and for which time; or ends with it: `Some(None)`.
    pub(super) fn edge(&self, what: &What) -> Option<Option<u32>> {
        match *what {
            What::SceneNears { scene, nth } if scene == self.scene => Some(Some(nth)),
            What::ScenePassed { scene } if scene == self.scene => Some(None),
            What::SceneBegan { scene, nth } if scene == self.scene && !self.hung => Some(Some(nth)),
            What::SceneEnded { scene } if scene == self.scene && !self.hung => Some(None),
            _ => None,
        }
    }

    /// Takes in the next event behind the beginning; says whether the scene is over with it.
    pub(super) fn closes(&mut self, what: &What) -> bool {
        let edge = self.edge(what);
        let (begins, ends) = (matches!(edge, Some(Some(_))), edge == Some(None));
        let is_over = ends && self.depth == 0;
        self.depth = (self.depth + u32::from(begins)).saturating_sub(u32::from(ends));
        is_over
    }
}

/// Whether words are those that are meant. `word` is the name they carry in the rules; `names` are those of the players.
pub(super) fn fits(wording: &Wording, words: &str, word: Option<&str>, names: &[String]) -> bool {
    match wording {
        Wording::Exactly(text) => words == text.text,
        Wording::Containing(text) => has(words, &text.text, names),
        Wording::Named { name, containing } => {
            let has = |text: &Quoted| has(words, &text.text, names);
            word == Some(&name.text) && containing.as_ref().is_none_or(has)
        }
        Wording::Anything(_) => true,
    }
}

/// Whether words have these in them, with no player's name cut in two: `Ann` is not in `Anna is out`.
pub(super) fn has(words: &str, part: &str, names: &[String]) -> bool {
    let is_whole = |start: usize, end: usize| {
        let before = words[..start].chars().next_back();
        let behind = words[end..].chars().next();
        !before.into_iter().chain(behind).any(char::is_alphanumeric)
    };
    let cuts = |at: usize| {
        let of_name = |name: &String| {
            let places = words
                .match_indices(name.as_str())
                .map(|(start, name)| (start, start + name.len()));
            places
                .filter(|(start, end)| is_whole(*start, *end))
                .any(|(start, end)| start < at && at < end)
        };
        names.iter().any(of_name)
    };
    let mut places = words.match_indices(part);
    places.any(|(start, part)| !cuts(start) && !cuts(start + part.len()))
}
