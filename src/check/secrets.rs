//! Secrets that everybody hears: who is called, and the card of whom he has named.

use crate::advice::within;
use crate::departed::circle_in;
use crate::look::{Look, names};
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::source::Span;
use omerta_syntax::tree::{
    Ask, Block, Domain, Expr, ItemKind, Name, Part, Question, Shown, Statement, StatementKind, Text,
    TextPiece,
};
use omerta_syntax::walk::{self, for_each_statement, holds};
use std::collections::{BTreeMap, BTreeSet};

impl<'a> Look<'a> {
    /// What a part says to everybody about the one who is called, or about the card of whom he has named in secret.
    pub fn check_secrets(&self, diagnostics: &mut Vec<Diagnostic>) {
        let open = self.kinds().any(|kind| match kind {
            ItemKind::Zone { is_role, seen_by, .. } => {
                *is_role && seen_by.as_ref().is_some_and(|by| self.is_all(by))
            }
            _ => false,
        });
        if open {
            return;
        }
        let present = self.present();
        let gone_by = present.map_or_else(BTreeSet::new, |present| self.leaving(present, true));
        let opening = self.opening_events(&gone_by);
        let open = self.course.scenes_that(&all_are_meant);
        for (card, parts) in self.kinds().filter_map(ItemKind::called) {
            for part in parts {
                let is_known = Self::comes_forward(part, &gone_by)
                    || self.is_known(card, &opening)
                    || self.is_called_openly(card, &open);
                self.told_in(part, (&opening, &gone_by), is_known, diagnostics);
            }
        }
    }

    fn is_all(&self, who: &Expr) -> bool {
        who.is_name("players") || self.present().is_some_and(|name| who.is_name(name))
    }

    /// Whether everybody learns elsewhere who holds a card, or whoever is called need not hold it.
    fn is_known(&self, card: &Name, opening: &BTreeSet<&str>) -> bool {
        self.kinds().any(|kind| {
            let tells = |slot: &Expr| names(slot, &card.text) && card_of(slot).is_none();
            let is_card = |of: &Expr| names(of, &card.text);
            let tells = |kind: &StatementKind| match kind {
                StatementKind::Say { text, .. } => slots(text).into_iter().any(tells),
                StatementKind::Do(happen) => {
                    opening.contains(happen.event.text.as_str()) && happen.of.as_ref().is_some_and(is_card)
                }
                _ => false,
            };
            circle_in(kind).is_some_and(|(of, _)| of.text == card.text) || holds(kind, &tells)
        })
    }

    /// Whether a card is called where everybody sits with open eyes: only where all wait or vote as well.
    fn is_called_openly(&self, card: &Name, open: &BTreeSet<&str>) -> bool {
        let calls = |kind: &StatementKind| matches!(kind, StatementKind::Call { card: called, .. } if called.is_name(&card.text));
        let is_open = |kind: &ItemKind| match kind {
            ItemKind::Rule(rule) => {
                let mut scenes = rule.happening.names.iter();
                let plays = |kind: &StatementKind| matches!(kind, StatementKind::Play { scene, .. } if open.contains(scene.text.as_str()));
                holds(&rule.body, &|kind| all_are_meant(kind) || plays(kind))
                    || scenes.any(|name| open.contains(name.text.as_str()))
            }
            ItemKind::Scene { name, .. } => open.contains(name.text.as_str()),
            _ => false,
        };
        let mut callers = self.kinds().filter(|kind| holds(*kind, &calls)).peekable();
        callers.peek().is_some() && callers.all(is_open)
    }

    /// Whether he who is called comes forward of his own will: he shows himself, is asked whether he does, accuses openly with
    /// his name, somebody leaves by what he does, or the game is over.
    fn comes_forward(part: &Part, gone_by: &BTreeSet<String>) -> bool {
        let names_me = |kind: &StatementKind| match kind {
            StatementKind::Say { text, .. } => slots(text).into_iter().any(|slot| slot.is_name("me")),
            _ => false,
        };
        let names_me = holds(&part.body, &names_me);
        let comes = |kind: &StatementKind| match kind {
            StatementKind::Do(happen) => {
                let of = happen.of.as_ref();
                of.is_some_and(|of| names(of, "me")) || gone_by.contains(&happen.event.text)
            }
            StatementKind::Show { what, .. } => matches!(what, Shown::Value(of) if names(of, "me")),
            kind if lets_choose(kind) => true,
            StatementKind::Ask(ask) => ask.openly && names_me,
            StatementKind::End => true,
            _ => false,
        };
        holds(&part.body, &comes)
    }

    fn told_in(
        &self,
        part: &'a Part,
        (opening, gone_by): (&BTreeSet<&str>, &BTreeSet<String>),
        is_known: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        // What he is asked whether he does, or chooses out of some deeds, he may do before everybody's ears.
        let is_free = holds(&part.body, &lets_choose);
        let (mut answers, mut found) = (BTreeSet::new(), BTreeMap::new());
        let mut tests: Vec<(&Expr, Span)> = Vec::new();
        for_each_statement(&part.body, &mut |statement: &'a Statement| {
            let is_tested = |name: &str| {
                let mut around = tests.iter().filter(|(_, block)| within(statement.span, *block));
                around.any(|(test, _)| names(test, name))
            };
            match &statement.kind {
                StatementKind::If(test, ..) => tests.push((test, statement.span)),
                StatementKind::Let { name, value } => {
                    match card_of(value).filter(|of| answers.contains(of.text.as_str())) {
                        Some(of) => drop(found.insert(name.text.as_str(), of)),
                        None => drop(found.remove(name.text.as_str())),
                    }
                }
                StatementKind::Ask(ask) if ask.open_to.is_some() => {}
                StatementKind::Ask(ask) if ask.openly => {
                    let is_told = ask.who.is_name("me") && !is_known && self.is_ours(statement.span);
                    diagnostics.extend(is_told.then(|| asked_openly(statement.span)));
                }
                StatementKind::Ask(ask) => answers.extend(self.named_in_secret(ask)),
                StatementKind::Do(happen) if opening.contains(happen.event.text.as_str()) => {
                    let of = happen.of.as_ref().and_then(Expr::bare_name);
                    // Once it lies open it may be spoken of.
                    let of = of.filter(|of| answers.remove(of.text.as_str()) && !is_tested(&of.text));
                    let of = of.filter(|_| self.is_ours(statement.span));
                    diagnostics.extend(of.map(|of| said_to_all(of, statement.span)));
                }
                // The card of whoever leaves is open then.
                StatementKind::Do(happen) if gone_by.contains(&happen.event.text) => {
                    answers.retain(|name| happen.of.as_ref().is_none_or(|of| !names(of, name)));
                }
                kind if self.reaches_all(kind) && self.is_ours(statement.span) => {
                    if let StatementKind::Say { text, .. } | StatementKind::Tell { text, .. } = kind
                        && !is_known
                        && !is_tested("me")
                    {
                        let mine = slots(text).into_iter().filter(|slot| slot.is_name("me"));
                        diagnostics.extend(mine.map(|slot| caller_named(slot.span)));
                    }
                    walk::Part::Statement(statement).parts(&mut |part| {
                        let walk::Part::Expr(slot) = part else { return };
                        let of = card_of(slot).filter(|of| answers.contains(of.text.as_str()));
                        let of = of.or_else(|| found.get(slot.bare_name()?.text.as_str()).copied());
                        let of = of.filter(|_| !is_free);
                        diagnostics.extend(of.map(|of| said_to_all(of, slot.span)));
                    });
                }
                _ => {}
            }
        });
    }

    /// Whom somebody names in an answer of his, where they are still there.
    fn named_in_secret(&self, ask: &'a Ask) -> Vec<&'a str> {
        let is_there = |set: &Expr| {
            let mut words = ["players", "others"].into_iter().chain(self.present());
            words.any(|word| names(set, word))
        };
        let is_meant = |domain: &Domain| matches!(domain, Domain::Set(set) if is_there(set));
        let picks = ask.picks().map(|pick| (&pick.name, &pick.domain));
        let named = ask.asked_for().into_iter().chain(picks);
        let named = named.filter(|(_, domain)| is_meant(domain));
        named.map(|(name, _)| name.text.as_str()).collect()
    }

    /// The events by which everybody hears the card of whom they happen to, whatever holds.
    fn opening_events(&self, gone_by: &BTreeSet<String>) -> BTreeSet<&'a str> {
        let events = self.kinds().filter_map(|kind| match kind {
            ItemKind::Event { name, body, of, .. } => Some((name, body, &of.as_ref()?.name)),
            _ => None,
        });
        let tells = |body: &Block, whom: &Name| {
            let mut told = body.statements.iter().filter(|one| self.reaches_all(&one.kind));
            told.any(|statement| {
                let mut tells = false;
                walk::Part::Statement(statement).parts(&mut |part| {
                    let of = match part {
                        walk::Part::Expr(slot) => card_of(slot),
                        _ => None,
                    };
                    tells |= of.is_some_and(|of| of.text == whom.text);
                });
                tells
            })
        };
        // The card of whoever leaves by it is open then.
        let opening = events.filter(|(name, body, whom)| tells(body, whom) && !gone_by.contains(&name.text));
        opening.map(|(name, ..)| name.text.as_str()).collect()
    }

    /// `say …`, `tell players …`, `show … to players`
    fn reaches_all(&self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Say { .. } => true,
            StatementKind::Tell { who, .. } | StatementKind::Show { who, .. } => self.is_all(who),
            _ => false,
        }
    }
}

/// Whether all wait, or somebody is asked who is not called.
fn all_are_meant(kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Wait { .. } => true,
        StatementKind::Ask(ask) => !ask.who.is_name("me"),
        _ => false,
    }
}

/// The values that stand in a text, in its wordings as well; not those that only say which wording.
fn slots(text: &Text) -> Vec<&Expr> {
    fn of<'t>(pieces: &'t [TextPiece], slots: &mut Vec<&'t Expr>) {
        for piece in pieces {
            match piece {
                TextPiece::Words(_) => {}
                TextPiece::Slot(value) | TextPiece::Several(value) => slots.push(value),
                TextPiece::Choice { none, one, many, .. } => {
                    [none, one, many].into_iter().for_each(|pieces| of(pieces, slots));
                }
            }
        }
    }
    let mut slots = Vec::new();
    of(&text.pieces, &mut slots);
    slots
}

/// Whose card a value tells: `role of suspect`, `team of suspect`.
fn card_of(value: &Expr) -> Option<&Name> {
    let (name, of) = value.read_of()?;
    of.bare_name()
        .filter(|_| matches!(name.text.as_str(), "role" | "team" | "card"))
}

/// Whether somebody is asked whether he does something, or to choose out of some deeds.
fn lets_choose(kind: &StatementKind) -> bool {
    matches!(kind, StatementKind::Ask(ask) if matches!(ask.question, Question::Whether(_) | Question::Menu(..)))
}

mistakes! {
    fn caller_named(slot: Span) = warning "said-to-all" ("M0754", slot):
        "everybody hears who is called here, and so who holds the card", "said to all",
        help "leave `{me}` out, or `tell` it to those who may know";

    fn asked_openly(ask: Span) = warning "said-to-all" ("M0754", ask):
        "everybody sees who is asked here, and so who holds the card", "`openly` shows it to all",
        help "leave `openly` out, or write whom it is open to: `openly to …`";

    fn said_to_all(whom: &Name, span: Span) = warning "said-to-all" ("M0754", span):
        format!("everybody hears the card of `{}`, who was named in secret", whom.text), "said to all",
        help format!("write `show card of {} to me`, or `tell me \"…\"`", whom.text);
}
