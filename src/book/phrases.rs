//! Texts and expressions in words: the author's own, with names as one says them, and without what the
//! options in force have settled.

use crate::{
    page::Inline,
    subject::{Settled, Subject, spoken},
};
use omerta_play::words::with_a_capital;
use omerta_syntax::{
    Sort, runs,
    tree::{CompareOp, Domain, Expr, ExprKind, OrNobody, Text, TextPiece},
};
use std::collections::BTreeMap;

/// Tells in words, with some names standing for others: `me` for the doctor.
#[derive(Clone)]
pub struct Teller<'a> {
    /// What is told about.
    pub subject: Subject<'a>,
    /// What names stand for here.
    pub bound: BTreeMap<String, String>,
    /// The calls that are being told, one in the other.
    pub calls: Vec<String>,
}

impl<'a> Teller<'a> {
    /// With no name standing for another.
    pub fn of(subject: Subject<'a>) -> Self {
        Teller {
            subject,
            bound: BTreeMap::new(),
            calls: Vec::new(),
        }
    }

    /// With a name standing for something.
    pub fn with(&self, name: &str, words: &str) -> Self {
        let mut other = self.clone();
        other.bound.insert(name.to_owned(), words.to_owned());
        other
    }

    // ---- Texts

    /// A text with its slots as they would be filled.
    pub fn text(&self, text: &Text) -> String {
        with_a_capital(self.pieces(&text.pieces).trim())
    }

    /// What is shown, which is no sentence.
    pub fn shown(&self, text: &Text) -> String {
        self.pieces(&text.pieces).trim().to_owned()
    }

    fn pieces(&self, pieces: &[TextPiece]) -> String {
        let piece = |piece: &TextPiece| match piece {
            TextPiece::Words(words) => words.clone(),
            TextPiece::Slot(value) => self.slot(value),
            TextPiece::Several(titles) => self.title_for_several(titles),
            TextPiece::Choice { none, one, many, .. } => {
                let ways = [none, one, many].map(|way| self.pieces(way).trim().to_owned());
                let mut told: Vec<String> = Vec::new();
                for way in ways {
                    if !way.is_empty() && !told.contains(&way) {
                        told.push(way);
                    }
                }
                told.join(" / ")
            }
        };
        pieces.iter().map(piece).collect()
    }

    fn slot(&self, value: &Expr) -> String {
        let name = value.bare_name().map(|name| name.text.as_str());
        match name.and_then(|name| self.bound.get(name)) {
            // A person and not the card.
            Some(_) if name == Some("me") => "‹name›".to_owned(),
            Some(words) => words.clone(),
            None => format!("‹{}›", self.plain(value)),
        }
    }

    /// The title for several of a role that is named; of one that is worked out it is not known yet.
    fn title_for_several(&self, titles: &Expr) -> String {
        let group = titles
            .bare_name()
            .and_then(|name| self.subject.rules.group_named(&name.text));
        let several = group.and_then(|group| self.subject.rules.groups[group.index()].several.clone());
        several.unwrap_or_else(|| self.slot(titles))
    }

    // ---- Expressions

    /// An expression, names as terms.
    pub fn expr(&self, expr: &Expr) -> Vec<Inline> {
        let text = self.subject.sources.slice(expr.span);
        let mut out: Vec<Inline> = Vec::new();
        let mut end = 0;
        for (run, sort) in runs(text) {
            if run.start > end && !out.is_empty() {
                out.push(Inline::Words(" ".to_owned()));
            }
            end = run.end;
            let word = &text[run];
            out.push(match sort {
                Sort::Comment => continue,
                Sort::Word | Sort::Keyword => self.word(word),
                _ => Inline::Words(word.to_owned()),
            });
        }
        joined(out)
    }

    fn word(&self, word: &str) -> Inline {
        if let Some(words) = self.bound.get(word) {
            return Inline::Words(words.clone());
        }
        if let Some(value) = self.subject.option(word) {
            return Inline::Words(format!("{} ({value})", spoken(word)));
        }
        if let Some(zone) = self.subject.zone(word) {
            return Inline::Words(zone.to_owned());
        }
        let term = self.subject.term(word);
        term.unwrap_or_else(|| Inline::Words(spoken(word)))
    }

    /// An expression as plain words.
    pub fn plain(&self, expr: &Expr) -> String {
        plain(&self.expr(expr))
    }

    // ---- Tests

    /// What is left of a test once the options in force are known.
    pub fn test(&self, expr: &Expr) -> Result<Vec<Inline>, bool> {
        match &*expr.kind {
            ExprKind::Group(inner) => {
                let inner = self.test(inner)?;
                let open = [Inline::Words("(".to_owned())].into_iter();
                let whole = open.chain(inner).chain([Inline::Words(")".to_owned())]);
                Ok(joined(whole.collect()))
            }
            ExprKind::And(parts) => self.several(parts, false),
            ExprKind::Or(parts) => self.several(parts, true),
            ExprKind::Not(inner) => match self.test(inner) {
                Err(known) => Err(!known),
                Ok(words) => {
                    let not = [Inline::Words("not ".to_owned())].into_iter();
                    Ok(joined(not.chain(words).collect()))
                }
            },
            _ => match self.settled(expr) {
                Settled::Yes => Err(true),
                Settled::No => Err(false),
                Settled::Open => Ok(self.expr(expr)),
            },
        }
    }

    /// Parts joined by `and`, or by `or`: one that is settled is left out, or settles the whole.
    fn several(&self, parts: &[Expr], or: bool) -> Result<Vec<Inline>, bool> {
        let mut left: Vec<Inline> = Vec::new();
        for part in parts {
            match self.test(part) {
                Err(known) if known == or => return Err(or),
                Err(_) => {}
                Ok(words) => {
                    if !left.is_empty() {
                        left.push(Inline::Words(if or { " or " } else { " and " }.to_owned()));
                    }
                    left.extend(words);
                }
            }
        }
        match left.is_empty() {
            true => Err(!or),
            false => Ok(joined(left)),
        }
    }

    fn settled(&self, expr: &Expr) -> Settled {
        let settled = |holds: bool| if holds { Settled::Yes } else { Settled::No };
        let value = |expr: &Expr| {
            expr.bare_name()
                .filter(|name| !self.bound.contains_key(&name.text))
                .and_then(|name| self.subject.option(&name.text))
        };
        match &*expr.kind {
            ExprKind::Truth(truth) => settled(*truth),
            ExprKind::Compare {
                left,
                op: op @ (CompareOp::Is | CompareOp::IsNot),
                half: false,
                right,
            } => {
                let Some(value) = value(left) else {
                    return Settled::Open;
                };
                let same = self.subject.sources.slice(right.span).trim_matches('`') == value;
                settled(same == (*op == CompareOp::Is))
            }
            _ => match value(expr) {
                Some("yes") => Settled::Yes,
                Some("no") => Settled::No,
                _ => Settled::Open,
            },
        }
    }

    /// `, when TEST`; nothing where it surely holds, and no value where it surely does not.
    pub fn when(&self, when: Option<&Expr>) -> Option<Vec<Inline>> {
        let Some(when) = when else {
            return Some(Vec::new());
        };
        match self.test(when) {
            Err(true) => Some(Vec::new()),
            Err(false) => None,
            Ok(words) => {
                let head = [Inline::Words(", when ".to_owned())].into_iter();
                Some(head.chain(words).collect())
            }
        }
    }

    // ---- Domains

    /// Among what one picks.
    pub fn domain(&self, domain: &Domain) -> Vec<Inline> {
        match domain {
            Domain::Set(set) => self.expr(set),
            Domain::Unseen(set) => {
                let mut words = self.expr(set);
                words.push(Inline::Words(", by their backs".to_owned()));
                words
            }
            Domain::Numbers(from, to) => {
                let mut words = self.expr(from);
                words.push(Inline::Words(" to ".to_owned()));
                words.extend(self.expr(to));
                words
            }
            Domain::Written { most } => {
                vec![Inline::Words(format!("a text of up to {} letters", most.value))]
            }
            Domain::Weighted(ways) => {
                let all: i64 = ways.iter().map(|(weight, _)| weight.value).sum();
                let way = |(weight, name): &(omerta_syntax::tree::Int, omerta_syntax::tree::Name)| {
                    format!("{} ({} in {all})", spoken(&name.text), weight.value)
                };
                let ways: Vec<String> = ways.iter().map(way).collect();
                vec![Inline::Words(ways.join(", "))]
            }
        }
    }

    /// `, or nobody`
    pub fn or_nobody(&self, or_nobody: &OrNobody) -> Vec<Inline> {
        match or_nobody {
            OrNobody::Never => Vec::new(),
            OrNobody::Always => vec![Inline::Words(", or nobody".to_owned())],
            OrNobody::When(test) => match self.test(test) {
                Err(false) => Vec::new(),
                Err(true) => vec![Inline::Words(", or nobody".to_owned())],
                Ok(words) => {
                    let head = [Inline::Words(", or nobody when ".to_owned())].into_iter();
                    head.chain(words).collect()
                }
            },
        }
    }
}

/// Plain words side by side as one.
pub fn joined(parts: Vec<Inline>) -> Vec<Inline> {
    let mut out: Vec<Inline> = Vec::new();
    for part in parts {
        match (out.last_mut(), part) {
            (Some(Inline::Words(before)), Inline::Words(words)) => before.push_str(&words),
            (_, part) => out.push(part),
        }
    }
    out
}

/// A line without any of its marks.
pub fn plain(parts: &[Inline]) -> String {
    let words = |part: &Inline| match part {
        Inline::Words(words) | Inline::Strong(words) | Inline::Term(words, _) => words.clone(),
        Inline::Said(words) => format!("“{words}”"),
    };
    parts.iter().map(words).collect()
}
