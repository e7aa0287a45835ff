//! What could be expected in the place of an expectation that does not hold, where that is plain: for who has changed
//! the rules and means what comes of it.

use super::drive::Driver;
use crate::words::members;
use omerta_core::{diagnostic::close_sentence, rules::SayKind, source::Span};
use omerta_engine::{Happened, Pending, Viewer};
use omerta_syntax::{
    play_tree::{Audience, Fact, Quoted, Way, Wording},
    tree::{CompareOp, Expr, ExprKind},
};

impl Driver<'_> {
    /// What would hold, and in the place of what it is to be written.
    pub(super) fn holds_now(&self, fact: &Fact, line: Span) -> Option<(Span, String)> {
        match fact {
            Fact::Holds(expr) => self.compared_now(expr),
            Fact::Said {
                denial: None,
                wordings,
            } => said_now(wordings, &self.texts(SayKind::Say, Viewer::Host)),
            Fact::Told {
                who: Audience::Each(people),
                denial: None,
                how: how @ (Way::Told | Way::Shown),
                wordings,
            } => {
                let kind = if *how == Way::Told {
                    SayKind::Tell
                } else {
                    SayKind::Show
                };
                let who = members(self.people(people).ok()?).next()?;
                said_now(wordings, &self.texts(kind, Viewer::Seat(who)))
            }
            Fact::Winners(_) | Fact::NobodyWins | Fact::Draw | Fact::GoesOn => Some((line, self.end_now()?)),
            _ => None,
        }
    }

    /// The number that it is now, or the opposite.
    fn compared_now(&self, expr: &Expr) -> Option<(Span, String)> {
        let (left, op, right) = expr.comparison()?;
        match (op, &*right.kind) {
            (CompareOp::Is, ExprKind::Int(_)) => {
                let number = self
                    .value_words(left)
                    .filter(|words| words.parse::<i64>().is_ok());
                Some((right.span, number?))
            }
            (CompareOp::Is, _) => Some((between(left, right), " is not ".to_owned())),
            (CompareOp::IsNot, _) => Some((between(left, right), " is ".to_owned())),
            _ => None,
        }
    }

    /// The words of a sort that somebody got since it is looked at.
    fn texts(&self, kind: SayKind, who: Viewer) -> Vec<String> {
        let reaches = |event: &&Happened| who == Viewer::Host || event.audience.includes(who);
        let events = self.events(false).iter().filter(reaches);
        events
            .filter_map(|event| Some(self.spoken(event, kind)?.0))
            .collect()
    }

    fn end_now(&self) -> Option<String> {
        let Pending::Over(outcome) = self.session.game().pending() else {
            return Some("expect goes on".to_owned());
        };
        let names = members(outcome.winners).map(|seat| self.names().get(usize::from(seat)).cloned());
        let names: Option<Vec<String>> = names.collect();
        Some(match names?.join(", ") {
            nobody if nobody.is_empty() => "expect nobody wins".to_owned(),
            names => format!("expect winners {names}"),
        })
    }
}

/// What stands between the sides of a comparison.
fn between(left: &Expr, right: &Expr) -> Span {
    Span::new(
        left.span.source,
        left.span.end as usize,
        right.span.start as usize,
    )
}

/// Of some words that were said those that are most like the ones that are expected, or the only ones.
fn said_now(wordings: &[Wording], said: &[String]) -> Option<(Span, String)> {
    let [Wording::Exactly(Quoted { text, span })] = wordings else {
        return None;
    };
    let only = || (said.len() == 1).then(|| said[0].as_str());
    let now = close_sentence(text, said.iter().map(String::as_str)).or_else(only)?;
    let is_plain = !now.contains(['"', '\\', '{', '}', '\n']);
    is_plain.then(|| (*span, format!("\"{now}\"")))
}
