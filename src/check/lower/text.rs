//! Words that go out: said, told, shown, and the slots in them.

use super::{Compiler, Val, errors};
use crate::effects::Touch;
use omerta_core::rules::{Kind, Op, Phrase, PhrasePiece, Reg, SayId, SayKind, SaySite, WordId};
use omerta_core::source::Span;
use omerta_syntax::tree::{
    Ask, Branch, Expr, ExprKind, Moment, Name, Query, Question, Shown, Text, TextPiece,
};

impl Compiler<'_> {
    /// A text with its slots as thunks.
    pub(super) fn phrase(&mut self, text: &Text) -> Phrase {
        Phrase {
            pieces: self.pieces(&text.pieces),
        }
    }

    fn pieces(&mut self, pieces: &[TextPiece]) -> Vec<PhrasePiece> {
        pieces.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&mut self, piece: &TextPiece) -> PhrasePiece {
        match piece {
            TextPiece::Words(words) => PhrasePiece::Words(words.clone()),
            TextPiece::Slot(expr) => self.slot_piece(|c| c.value(expr, None)),
            TextPiece::Several(titles) => {
                let (value, kind) = self.thunk(|c| c.wanted_val(titles, Kind::Titles));
                let groups = self.out.groups.iter();
                let words = groups.map(|group| group.for_several().unwrap_or_else(|| group.title.clone()));
                PhrasePiece::Slot {
                    value,
                    kind,
                    words: words.collect(),
                }
            }
            TextPiece::Choice {
                value,
                none,
                one,
                many,
            } => {
                let (value, kind) = self.slot(value);
                PhrasePiece::Choice {
                    value,
                    kind,
                    none: self.pieces(none),
                    one: self.pieces(one),
                    many: self.pieces(many),
                }
            }
        }
    }

    /// A slot, with the words for a value that is one of some.
    fn slot_piece(&mut self, make: impl FnOnce(&mut Self) -> Val) -> PhrasePiece {
        let mut words = Vec::new();
        let (value, kind) = self.thunk(|c| {
            let val = make(c);
            if let Val::Word(_, alternatives) = val {
                words = c.alternatives[alternatives].titles();
            }
            val
        });
        PhrasePiece::Slot { value, kind, words }
    }

    fn slot(&mut self, expr: &Expr) -> (omerta_core::rules::Thunk, Kind) {
        self.thunk(|c| c.value(expr, None))
    }

    // ---- say, tell, show

    pub(super) fn say(&mut self, text: &Text, name: Option<&Name>, span: Span) {
        let phrase = self.phrase(text);
        let who = Reg(0);
        self.words(SayKind::Say, phrase, name, who, span);
    }

    pub(super) fn tell(&mut self, who: &Expr, text: &Text, name: Option<&Name>, span: Span) {
        let who = self.players(who);
        let phrase = self.phrase(text);
        self.words(SayKind::Tell, phrase, name, who, span);
    }

    pub(super) fn show(&mut self, what: &Shown, who: &Expr, name: Option<&Name>, span: Span) {
        let who = self.players(who);
        match what {
            Shown::Text(text) => {
                let phrase = self.phrase(text);
                self.words(SayKind::Show, phrase, name, who, span);
            }
            Shown::Value(expr) => {
                // What is about nobody is not shown.
                let mut people = Vec::new();
                self.local_names(expr, &mut people);
                let mut skips = Vec::new();
                for (person, _) in &people {
                    if let Some(Val::Reg(reg, _)) = self.local_value(person) {
                        skips.push(self.jump_unless(reg));
                    }
                }
                let phrase = self.labelled(expr, people);
                self.words(SayKind::Show, phrase, name, who, span);
                self.land_all(skips);
            }
        }
    }

    /// A value with what it is in front: `card of {p}: {card of p}`. Only a single question is put in
    /// front of its answer; how a longer expression is put together is the host's business.
    fn labelled(&mut self, expr: &Expr, slots: Vec<(String, Span)>) -> Phrase {
        let answer = self.slot_piece(|c| c.value(expr, None));
        let kind = match &answer {
            PhrasePiece::Slot { kind, .. } => *kind,
            _ => Kind::Players,
        };
        let only_a_name = slots.len() == 1 && slots[0].1 == expr.span;
        if only_a_name || !is_plain_question(expr) {
            return Phrase { pieces: vec![answer] };
        }
        if kind == Kind::Cards
            && let Some(pieces) = self.before_whom(expr)
        {
            return Phrase {
                pieces: pieces.into_iter().chain([answer]).collect(),
            };
        }
        let mut pieces = Vec::new();
        let mut at = expr.span.start;
        for (name, span) in slots {
            let words = self
                .sources
                .slice(Span {
                    start: at,
                    end: span.start,
                    ..expr.span
                })
                .to_owned();
            if !words.is_empty() {
                pieces.push(PhrasePiece::Words(words));
            }
            let piece = self.slot_piece(|c| c.local_value(&name).unwrap_or(Val::Const(0, Kind::Players)));
            pieces.push(piece);
            at = span.end;
        }
        let rest = self
            .sources
            .slice(Span {
                start: at,
                ..expr.span
            })
            .to_owned();
        pieces.push(PhrasePiece::Words(format!("{rest}: ")));
        pieces.push(answer);
        Phrase { pieces }
    }

    /// `card of {holder}: `. Cards lie before somebody, and whoever is shown them sees before whom.
    fn before_whom(&mut self, expr: &Expr) -> Option<[PhrasePiece; 3]> {
        let ExprKind::Query(Query {
            name, of: Some(of), ..
        }) = &*expr.kind
        else {
            return None;
        };
        let (value, kind) = self.slot(of);
        (kind == Kind::Players).then(|| {
            [
                PhrasePiece::Words(format!("{} of ", name.text)),
                PhrasePiece::Slot {
                    value,
                    kind,
                    words: Vec::new(),
                },
                PhrasePiece::Words(": ".to_owned()),
            ]
        })
    }

    /// The names of players in an expression that stand for this moment's people, from left to right.
    fn local_names(&self, expr: &Expr, out: &mut Vec<(String, Span)>) {
        match &*expr.kind {
            ExprKind::Query(Query {
                name,
                number: None,
                count: None,
                of,
                ..
            }) => {
                if of.is_none()
                    && self
                        .local_value(&name.text)
                        .is_some_and(|v| v.kind() == Kind::Players)
                {
                    out.push((name.text.clone(), name.span));
                }
                if let Some(of) = of {
                    self.local_names(of, out);
                }
            }
            ExprKind::Query(Query { of: Some(of), .. }) => self.local_names(of, out),
            ExprKind::Group(inner) => self.local_names(inner, out),
            ExprKind::Narrow(items) => items.iter().for_each(|i| self.local_names(i, out)),
            ExprKind::Binary(_, left, right) | ExprKind::Compare(left, _, _, right) => {
                self.local_names(left, out);
                self.local_names(right, out);
            }
            ExprKind::And(items) | ExprKind::Or(items) => items.iter().for_each(|i| self.local_names(i, out)),
            _ => {}
        }
    }

    /// Sends words out, unless a rule on their name stands in the way.
    fn words(&mut self, kind: SayKind, phrase: Phrase, name: Option<&Name>, who: Reg, span: Span) {
        self.effects.write(Touch::Words);
        let is_blank =
            |piece: &PhrasePiece| matches!(piece, PhrasePiece::Words(words) if words.trim().is_empty());
        // Words with a name may be there for the rules that wait for them.
        if name.is_none() && phrase.pieces.iter().all(is_blank) {
            self.report(errors::says_nothing(span));
        }
        let word = name.map(|n| self.word(n));
        let site = SayId(self.out.says.len() as u16);
        self.out.says.push(SaySite {
            kind,
            word,
            question: None,
            phrase,
            origin: span,
        });
        let Some(name) = name else {
            self.emit(Op::Say { site, who });
            return;
        };
        let people = (kind != SayKind::Say).then_some(who);
        self.word_rules(&name.text, Moment::Before, people);
        let skips = self.word_instead(&name.text, people);
        self.emit(Op::Say { site, who });
        self.word_rules(&name.text, Moment::After, people);
        self.land_all(skips);
    }

    fn word(&mut self, name: &Name) -> WordId {
        let place = self.out.words.iter().position(|w| *w == name.text);
        let index = place.unwrap_or_else(|| {
            self.out.words.push(name.text.clone());
            self.out.words.len() - 1
        });
        WordId(index as u16)
    }

    /// What an open ballot says of each voter, to everybody or to some.
    pub(super) fn say_answer(&mut self, ask: &Ask, (who, answer): (Reg, Val), to: Option<Reg>, span: Span) {
        let answer = vec![self.slot_piece(|_| answer)];
        self.say_pieces(ask, (who, answer), to, span);
    }

    /// The same of a branch that was chosen, with what was picked in it.
    pub(super) fn say_branch(
        &mut self,
        ask: &Ask,
        (branch, picked): (&Branch, Option<Val>),
        (who, to): (Reg, Option<Reg>),
        span: Span,
    ) {
        let title = branch.title.as_ref().map(Text::plain);
        let title = title.unwrap_or_else(|| branch.name.text.clone());
        let mut answer = vec![PhrasePiece::Words(title)];
        if let Some(picked) = picked {
            answer.push(PhrasePiece::Words(" ".to_owned()));
            answer.push(self.slot_piece(|_| picked));
        }
        self.say_pieces(ask, (who, answer), to, span);
    }

    fn say_pieces(&mut self, ask: &Ask, (who, answer): (Reg, Vec<PhrasePiece>), to: Option<Reg>, span: Span) {
        let name = match &ask.question {
            Question::For { name, .. } | Question::Whether(name) | Question::Menu(Some(name), _) => {
                Some(name)
            }
            Question::Menu(None, branches) => branches.first().map(|branch| &branch.name),
        };
        let name = name.map_or_else(String::new, |name| name.text.clone());
        let asked = match self.is_host(&ask.who) {
            true => PhrasePiece::Words("The host".to_owned()),
            false => self.slot_piece(|_| Val::Reg(who, Kind::Players)),
        };
        let mut pieces = vec![
            asked,
            PhrasePiece::Words(format!(", {}: ", name.replace('-', " "))),
        ];
        pieces.extend(answer);
        let how = if to.is_some() { SayKind::Tell } else { SayKind::Say };
        let site = SayId(self.out.says.len() as u16);
        self.out.says.push(SaySite {
            kind: how,
            word: None,
            question: Some(name),
            phrase: Phrase { pieces },
            origin: span,
        });
        self.emit(Op::Say {
            site,
            who: to.unwrap_or(who),
        });
    }
}

/// A name, `card of p`, or `p is Baker`.
fn is_plain_question(expr: &Expr) -> bool {
    match &*expr.kind {
        ExprKind::Query(_) => true,
        ExprKind::Compare(left, _, _, right) => is_plain_question(left) && is_plain_question(right),
        _ => false,
    }
}
