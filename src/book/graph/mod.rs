//! The course of a game as a drawing: the scenes in the order of the script, one inside the other, what is
//! repeated, where the ways part, and whom the host calls, numbered in their order.

pub mod drawing;
pub mod text;

use crate::{
    Called,
    course::questions,
    english::in_the_middle,
    phrases::{Teller, plain},
    subject::{Subject, spoken},
};
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{Block, Expr, Moment, Statement, StatementKind};
use omerta_syntax::walk::blocks_in;

/// A step of the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// A scene with what is in it; one that was drawn before is only named.
    Scene { name: String, inner: Vec<Step> },
    /// Steps that are repeated, with how often or for whom.
    Repeat { head: String, inner: Vec<Step> },
    /// Steps that are taken only under a condition.
    Way { when: String, inner: Vec<Step> },
    /// The host calls somebody: which call of the game it is, whom, what they are asked.
    Call {
        number: usize,
        who: String,
        asked: Vec<String>,
    },
    /// The endings are tested, or the game is decided without them.
    Verdict(String),
}

/// The steps of a ruleset's script.
pub fn steps(subject: Subject<'_>) -> Vec<Step> {
    let mut builder = Builder {
        teller: Teller::of(subject),
        drawn: Vec::new(),
        calls: 0,
    };
    let script = subject.script();
    script.map_or_else(Vec::new, |script| builder.block(script))
}

struct Builder<'a> {
    teller: Teller<'a>,
    /// The scenes that have been drawn.
    drawn: Vec<&'a str>,
    calls: usize,
}

impl<'a> Builder<'a> {
    fn block(&mut self, block: &'a Block) -> Vec<Step> {
        block
            .statements
            .iter()
            .flat_map(|statement| self.statement(statement))
            .collect()
    }

    fn statement(&mut self, statement: &'a Statement) -> Vec<Step> {
        match &statement.kind {
            StatementKind::Play { scene, .. } => vec![self.scene(&scene.text)],
            StatementKind::Repeat(body) => self.repeat("again and again".to_owned(), body),
            StatementKind::ForEach { body, .. } => {
                let head = self.words(statement);
                self.repeat(head.trim_end_matches(':').to_owned(), body)
            }
            StatementKind::Judgement => vec![Step::Verdict("is the game over?".to_owned())],
            StatementKind::Win { .. } | StatementKind::Lose { .. } | StatementKind::End => {
                let words = self.words(statement);
                vec![Step::Verdict(words.trim_end_matches('.').to_owned())]
            }
            StatementKind::Call { card, purpose } => match card.bare_name() {
                Some(card) => {
                    let purpose = purpose.as_ref();
                    vec![self.call(&Called {
                        scene: "",
                        card,
                        purpose,
                        when: Vec::new(),
                    })]
                }
                None => {
                    self.calls += 1;
                    vec![Step::Call {
                        number: self.calls,
                        who: with_a_capital(&plain(&self.teller.expr(card))),
                        asked: Vec::new(),
                    }]
                }
            },
            StatementKind::If(test, then, otherwise) => self.fork(test, then, otherwise.as_ref()),
            _ => blocks_in(statement)
                .into_iter()
                .flat_map(|block| self.block(block))
                .collect(),
        }
    }

    /// What is repeated without any step is drawn as its scene.
    fn repeat(&mut self, head: String, body: &'a Block) -> Vec<Step> {
        let inner = self.block(body);
        let repeat = (!inner.is_empty()).then_some(Step::Repeat { head, inner });
        repeat.into_iter().collect()
    }

    /// The words of a statement, without what stands under them.
    fn words(&self, statement: &Statement) -> String {
        let lines = self.teller.spelling().remarked_statement(statement).into_iter();
        plain(
            &lines
                .take(1)
                .flat_map(|line| in_the_middle(line.words))
                .collect::<Vec<_>>(),
        )
    }

    /// A scene, with what rules put before it, in its place and after it.
    fn scene(&mut self, name: &'a str) -> Step {
        let mut inner = Vec::new();
        if !self.drawn.contains(&name) {
            self.drawn.push(name);
            inner.extend(self.rules(name, Moment::Before));
            inner.extend(self.rules(name, Moment::Instead));
            if let Some((_, body, _)) = self.teller.subject.scene(name) {
                inner.extend(self.block(body));
            }
            inner.extend(self.rules(name, Moment::After));
        }
        Step::Scene {
            name: self.teller.subject.spoken(name),
            inner,
        }
    }

    fn rules(&mut self, scene: &'a str, moment: Moment) -> Vec<Step> {
        let rules: Vec<_> = self.teller.subject.rules_at(scene, moment).collect();
        let mut found = Vec::new();
        for (rule, _) in rules {
            let Some(when) = self.teller.condition(rule.when.as_ref()) else {
                continue;
            };
            let inner = self.block(&rule.body);
            match when.is_empty() {
                _ if inner.is_empty() => {}
                true => found.extend(inner),
                false => found.push(Step::Way {
                    when: format!("when {}", plain(&when)),
                    inner,
                }),
            }
        }
        found
    }

    /// Two ways; one that has no step in it is not drawn, and neither is one the options close.
    fn fork(&mut self, test: &'a Expr, then: &'a Block, otherwise: Option<&'a Block>) -> Vec<Step> {
        let words = match self.teller.test(test) {
            Err(true) => return self.block(then),
            Err(false) => return otherwise.map_or_else(Vec::new, |block| self.block(block)),
            Ok(words) => plain(&words),
        };
        let way = |when: String, inner: Vec<Step>| (!inner.is_empty()).then_some(Step::Way { when, inner });
        let yes = self.block(then);
        let no = otherwise.map_or_else(Vec::new, |block| self.block(block));
        let otherwise = match yes.is_empty() {
            true => format!("unless {words}"),
            false => "otherwise".to_owned(),
        };
        way(format!("if {words}"), yes)
            .into_iter()
            .chain(way(otherwise, no))
            .collect()
    }

    fn call(&mut self, called: &Called<'a>) -> Step {
        self.calls += 1;
        let title = self.teller.subject.title_of(&called.card.text);
        let title = with_a_capital(title.unwrap_or(&called.card.text));
        let to = called.purpose;
        let to = to.map_or_else(String::new, |to| format!(", to {}", spoken(&to.text)));
        Step::Call {
            number: self.calls,
            who: format!("{title}{to}"),
            asked: questions(&self.teller, called),
        }
    }
}
