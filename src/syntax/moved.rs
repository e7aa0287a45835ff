//! Trees brought to another place: a declaration that stands unchanged in a later version of its text, only further
//! down, is not read anew.
//!
//! Names every part of every tree, so that one that is new does not stay behind.

use super::tree::{
    Allow, Amount, Ask, AskMode, BinaryOp, Block, Branch, CastCell, CastRow, CastRows, Clause, ClauseMode,
    Company, CompanyKind, CompareOp, Domain, Ending, EndingOrder, Expr, ExprKind, Face, Happen, Happening,
    InOrder, Int, Item, ItemKind, Kept, Life, Limit, MarkShape, Moment, Name, Of, OptionValue, OptionValues,
    OrNobody, Param, Part, Pattern, Pick, Place, Policy, PolicyLine, Query, Question, Range, Reseat, Role,
    Rule, RuleOrder, Script, Shown, Side, SideWhen, Statement, StatementKind, Text, TextPiece, Verdict,
};
use omerta_core::{
    rules::Kind,
    source::{SourceId, Span},
};
use std::sync::Arc;

/// From one place to another: as far as one byte of a text is from one of another.
#[derive(Clone, Copy)]
pub(super) struct Shift {
    /// The text in which the trees are to stand.
    source: SourceId,
    /// How much further on, modulo all numbers; nowhere, if not at all.
    by: Option<u32>,
}

impl Shift {
    /// From the place of one byte to that of another.
    pub fn between(from: Span, to: (SourceId, usize)) -> Shift {
        Shift {
            source: to.0,
            by: Some((to.1 as u32).wrapping_sub(from.start)),
        }
    }
}

impl Change for Shift {
    fn place(&mut self, span: &mut Span) {
        span.source = self.source;
        (span.start, span.end) = match self.by {
            Some(by) => (span.start.wrapping_add(by), span.end.wrapping_add(by)),
            None => (0, 0),
        };
    }
}

/// All in one place, such as what stands there for another name.
struct At(Span);

impl Change for At {
    fn place(&mut self, span: &mut Span) {
        *span = self.0;
    }
}

/// What is done to a tree on the way through all of it.
pub trait Change {
    /// To each place in a text.
    fn place(&mut self, _: &mut Span) {}
    /// To each expression, before its parts.
    fn expr(&mut self, _: &mut Expr) {}
}

/// A tree, or a part of one.
pub trait Moves {
    /// Goes through all of it.
    fn go<C: Change>(&mut self, change: &mut C);
}

impl Moves for Span {
    fn go<C: Change>(&mut self, change: &mut C) {
        change.place(self);
    }
}

impl Moves for Expr {
    fn go<C: Change>(&mut self, change: &mut C) {
        change.expr(self);
        self.kind.go(change);
        self.span.go(change);
    }
}

impl Expr {
    /// The same without its place: what is written alike is equal then.
    pub fn nowhere(&self) -> Expr {
        let mut expr = self.clone();
        expr.go(&mut Shift {
            source: SourceId(0),
            by: None,
        });
        expr
    }

    /// The same as it would be told in one place.
    pub fn at(&self, span: Span) -> Expr {
        let mut expr = self.clone();
        expr.go(&mut At(span));
        expr
    }
}

impl<T: Moves> Moves for Vec<T> {
    fn go<C: Change>(&mut self, change: &mut C) {
        self.iter_mut().for_each(|part| part.go(change));
    }
}

impl<T: Moves> Moves for Option<T> {
    fn go<C: Change>(&mut self, change: &mut C) {
        self.iter_mut().for_each(|part| part.go(change));
    }
}

impl<T: Moves> Moves for Box<T> {
    fn go<C: Change>(&mut self, change: &mut C) {
        T::go(self, change);
    }
}

impl<T: Moves + Clone> Moves for Arc<T> {
    fn go<C: Change>(&mut self, change: &mut C) {
        Arc::make_mut(self).go(change);
    }
}

impl<A: Moves, B: Moves> Moves for (A, B) {
    fn go<C: Change>(&mut self, change: &mut C) {
        self.0.go(change);
        self.1.go(change);
    }
}

/// Things without a place.
macro_rules! stays {
    ($($name:ty),*) => {
        $(impl Moves for $name {
            fn go<C: Change>(&mut self, _: &mut C) {}
        })*
    };
}

stays!(
    bool,
    i64,
    &str,
    String,
    Kind,
    ClauseMode,
    CompanyKind,
    MarkShape,
    Moment,
    BinaryOp,
    CompareOp,
    Of
);

/// What each tree is made of.
macro_rules! moves {
    () => {};
    (struct $name:ident { $($field:ident),* } $($rest:tt)*) => {
        impl Moves for $name {
            fn go<C: Change>(&mut self, change: &mut C) {
                let $name { $($field),* } = self;
                $($field.go(change);)*
            }
        }
        moves! { $($rest)* }
    };
    (enum $name:ident { $($variant:ident $(($($part:ident),*))? $({ $($field:ident),* })?),* $(,)? } $($rest:tt)*) => {
        impl Moves for $name {
            fn go<C: Change>(&mut self, change: &mut C) {
                match self {
                    $($name::$variant $(($($part),*))? $({ $($field),* })? => {
                        $($($part.go(change);)*)?
                        $($($field.go(change);)*)?
                    })*
                }
            }
        }
        moves! { $($rest)* }
    };
}

moves! {
    struct Item { kind, word, span }
    enum ItemKind {
        Ruleset { name, title }, Library { name, title }, Overlay { name, title, bases, items }, Use(a),
        Publish(a), Section { bases, items }, Players { range, by_lot }, Cast { only, name, title, rows },
        Require { name, test, message }, Warn { name, test, message }, Class { name, title },
        Team { name, title, classes, parts }, Role(a), Token { name, title, several, copies, faces },
        Zone { name, title, of_each, is_role, seen_by, backs }, Mark { names, shape, kept },
        Flag { names, kept }, Count { names, of_each, text, words, start, start_word, kept },
        Link { names, one, back, to, kept }, Define { name, param, value }, Clause(a),
        EventGroup { name, events }, Event { name, of, by, with, body }, Rule(a),
        Scene { name, title, params, body }, Script(a), Allow(a), Ending(a),
        Option { name, values, default, sentence }, Hook { name, param, gives, why, script }, Needs(a),
        Refuses(a), Replace(a), ReplaceCall { card, purpose, body }, Remove(a), Choose { name, value },
        Spare(a), Policy(a),
    }
    struct Clause { mode, value, name, param, when }
    enum CastRows { Table(a), Swaps { players, swaps } }
    struct CastRow { head, cells, span }
    enum CastCell { Range(a), Rest(a) }
    struct Role { name, title, several, side, else_sides, limit, company, parts }
    struct Company { kind, cards, when, span }
    struct Side { team, classes }
    struct SideWhen { option, value }
    struct Face { name, title }
    struct Part { purpose, body, span }
    struct Kept { seen_by, life, title }
    struct Life { to_end, name, span }
    struct Param { kind, name }
    struct Rule { name, order, moment, moment_span, each, happening, when, body }
    struct RuleOrder { before, name }
    struct Happening { names, of, by, with }
    struct Pattern { set, name }
    struct Allow { who, name, pick, during, when, title, body }
    struct Ending { name, order, verdict, when, title }
    struct Policy { name, title, lines }
    struct PolicyLine { questions, by, when, wishes }
    enum EndingOrder { First, Before(a), After(a) }
    enum Verdict { Win(a), Lose(a), Draw, Judged(a) }
    enum OptionValues { Words(a), Range(a) }
    enum OptionValue { Word(a), Int(a) }
    struct Script { text, span }
    struct Pick { name, domain }
    enum Domain { Set(a), Unseen(a), Numbers(a, b), Written { most }, Weighted(a) }
    struct Block { statements, span }
    struct Statement { kind, span }
    enum StatementKind {
        Say { text, name }, Tell { who, text, name }, Show { what, who, name }, Wait { limit, text, name },
        Ask(a), Draw { name, count, domain, openly }, If(test, then, otherwise),
        ForEach { name, among, order, from, body }, Repeat(a), Stop, Leave(a), Play { scene, of },
        Call { card, purpose }, Perform { card, purpose, by }, Do(a), Plan(a), Settle(a),
        Cancel { events, of, by }, Judgement, Win { set, when }, Lose { set, when }, End, Mark { set, names },
        Unmark { set, names }, Link { from, to, name }, Unlink { from, to, name }, Clear(a),
        Let { name, value }, Set { name, of, value }, Add { value, name, of, less }, Turn { set, role },
        Deal { from, to }, Shuffle(a), PutCast { place }, Put { token, place }, Swap { a, b }, Seats(a),
        Move { count, what, to, under }, Flip { what, face }, Nothing,
    }
    enum InOrder { Of(a), Random }
    struct Limit { count, minutes }
    enum Reseat { Swap { a, b }, Shuffle(a), Beside { who, right, of }, InOrder(a) }
    enum Shown { Text(a), Value(a) }
    struct Happen { event, of, by, with }
    struct Place { zone, of, span }
    struct Ask { who, mode, question, openly, open_to, text, limit, late }
    enum AskMode { One, Together, Each, InOrder(a) }
    enum Question { For { name, amount, domain, or_nobody }, Whether(a), Menu(a, b) }
    enum OrNobody { Never, Always, When(a) }
    struct Amount { count, up_to }
    struct Branch { name, title, pick, when, body, span }
    enum ExprKind {
        Int(a), Truth(a), Text(a), Query(a), Group(a), Narrow(a), Binary(op, left, right),
        Where { set, test }, NumberOf(a), During(a), Times(a), Planned(a), No(a), Some(a),
        Every { set, negated, is }, Compare(left, op, of, right), Cases { cases, otherwise }, Not(a),
        And(a), Or(a),
    }
    struct Query { name, number, count, of, among, weighing }
    struct Text { pieces, span }
    enum TextPiece { Words(a), Slot(a), Several(a), Choice { value, none, one, many } }
    struct Name { text, span }
    struct Range { from, to }
    struct Int { value, span }
}
