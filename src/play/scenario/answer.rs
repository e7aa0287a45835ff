//! From what stands behind the arrow to a choice of the engine.

use super::{blame, drive::Driver, substitute::expr_words};
use crate::options;
use crate::words::{TIME_UP, listed, members};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{AskKind, GroupId, Kind, Program, ZoneId},
    source::Span,
};
use omerta_engine::{Asked, Choice, Domain, Place, Target};
use omerta_syntax::tree::{Expr, ExprKind, Name};

impl Driver<'_> {
    /// An answer to a question.
    pub(super) fn choice(&self, asked: &Asked, expr: &Expr) -> Result<Choice, Diagnostic> {
        match asked.domain {
            _ if self.is_word(expr, &[TIME_UP]) => Ok(Choice::TimeUp),
            Domain::Menu => self.branch(asked, expr),
            domain => self.plain(domain, expr),
        }
    }

    /// An answer or an outcome that is one thing.
    pub(super) fn plain(&self, domain: Domain, expr: &Expr) -> Result<Choice, Diagnostic> {
        if self.is_pass(expr) {
            return Ok(Choice::Pass);
        }
        match domain {
            Domain::Seats { .. } => self.one_seat(expr).map(Choice::Seat),
            Domain::Cards { among, .. } => self.one_card(among, expr).map(Choice::Card),
            Domain::Titles { .. } => self.one_title(expr).map(|title| Choice::Title(title.0)),
            Domain::Numbers { .. } => self.number(expr).map(Choice::Number),
            Domain::YesNo => self
                .truth(expr)
                .map(|truth| if truth { Choice::Yes } else { Choice::No }),
            Domain::Words { .. } => self.word(expr),
            Domain::Go => Ok(Choice::Go),
            Domain::Text { .. } => self.text(expr),
            Domain::Menu => Err(blame::not_one("no branch", "a branch of the menu", expr.span)),
        }
    }

    /// `pass`, `nobody`.
    pub(super) fn is_pass(&self, expr: &Expr) -> bool {
        self.is_word(expr, &["pass", "nobody"])
    }

    /// One of some words.
    pub(super) fn is_word(&self, expr: &Expr, words: &[&str]) -> bool {
        let word = expr.bare_name().map(|name| name.text.as_str());
        word.is_some_and(|word| words.contains(&word))
    }

    fn one_seat(&self, expr: &Expr) -> Result<u8, Diagnostic> {
        let set = self.seats(expr)?;
        match set.count_ones() {
            1 => Ok(set.trailing_zeros() as u8),
            0 if self.are_players(expr) => Err(blame::no_comma(expr.span)),
            0 => Err(blame::not_one("nobody", "one player", expr.span)),
            _ => Err(blame::not_one(&self.words().seats(set), "one player", expr.span)),
        }
    }

    /// `Ann Fay`: players side by side, which are those who are both.
    fn are_players(&self, expr: &Expr) -> bool {
        let is_player = |part: &Expr| {
            part.bare_name()
                .is_some_and(|name| self.names().contains(&name.text))
        };
        matches!(&*expr.kind, ExprKind::Narrow(parts) if parts.iter().all(is_player))
    }

    /// A card by its role or token, or by any expression over cards.
    fn one_card(&self, among: u64, expr: &Expr) -> Result<u8, Diagnostic> {
        let named = expr
            .bare_name()
            .and_then(|name| self.rules().group_named(&name.text));
        let found = match (named, self.place_of(expr)) {
            (Some(group), _) => self.card_of(among, group),
            (None, Some(place)) => self.card_at(among, place),
            (None, None) => {
                let program = self.compile(expr)?;
                let set = self.worked_out(&program, expr.span)?;
                self.only_card(&program, set, (among, expr.span))?
            }
        };
        found.ok_or_else(|| {
            let name = match self.place_of(expr) {
                Some(_) => options::cards_placed,
                None => options::cards_named,
            };
            let names = name(self.game(), &self.words(), among);
            blame::refused(
                &format!("no such card may be chosen here: among {}", listed(names, "and")),
                expr.span,
            )
        })
    }

    /// The card that is meant by a set: any of them where they are alike.
    fn only_card(
        &self,
        program: &Program,
        set: u64,
        (among, at): (u64, Span),
    ) -> Result<Option<u8>, Diagnostic> {
        let things = self.game().look().things();
        let is_meant = |card: &u8| match program.kind {
            Some(Kind::Players) => things[usize::from(*card)]
                .seat
                .is_some_and(|seat| set >> seat & 1 == 1),
            _ => set >> card & 1 == 1,
        };
        let meant: Vec<u8> = members(among).filter(is_meant).collect();
        let mut shown = meant.iter().map(|card| things[usize::from(*card)].shown());
        let first = shown.next();
        match shown.all(|other| Some(other) == first) {
            true => Ok(meant.first().copied()),
            false => Err(blame::several_cards(meant.len(), at)),
        }
    }

    /// `centre 2`, `hand Ann 2`: where a card lies, counted from the top.
    fn place_of(&self, expr: &Expr) -> Option<Place> {
        let zone = |name: &Name| {
            let at = self.rules().zones.iter().position(|zone| zone.name == name.text);
            at.map(|at| ZoneId(at as u8))
        };
        let numbered = |expr: &Expr| {
            let (name, number) = expr.numbered_name()?;
            Some((name.clone(), u8::try_from(number.value).unwrap_or(0)))
        };
        let place = |zone, seat, from_top| Place { zone, seat, from_top };
        match &*expr.kind {
            ExprKind::Group(inner) => self.place_of(inner),
            ExprKind::Narrow(parts) => {
                let [first, last] = &parts[..] else { return None };
                let (player, from_top) = numbered(last)?;
                let seat = self.names().iter().position(|name| *name == player.text)?;
                Some(place(zone(first.bare_name()?)?, Some(seat as u8), from_top))
            }
            _ => {
                let (name, from_top) = numbered(expr)?;
                Some(place(zone(&name)?, None, from_top))
            }
        }
    }

    /// The card of a set that lies there.
    fn card_at(&self, among: u64, place: Place) -> Option<u8> {
        let look = self.game().look();
        members(among).find(|card| look.place(usize::from(*card)) == Some(place))
    }

    /// The card of a set that an expression names, by what it shows or by where it lies.
    pub(super) fn card_named(&self, among: u64, expr: &Expr) -> Result<Option<u8>, Diagnostic> {
        match self.place_of(expr) {
            Some(place) => Ok(self.card_at(among, place)),
            None => Ok(self.card_of(among, self.one_title(expr)?)),
        }
    }

    /// The first card of a set that shows a role, a token or a face.
    pub(super) fn card_of(&self, among: u64, group: GroupId) -> Option<u8> {
        let things = self.game().look().things();
        let shows = |card: &u8| {
            things
                .get(usize::from(*card))
                .is_some_and(|thing| thing.shown() == group || thing.group == group)
        };
        members(among).find(shows)
    }

    pub(super) fn one_title(&self, expr: &Expr) -> Result<GroupId, Diagnostic> {
        if let Some(group) = expr
            .bare_name()
            .and_then(|name| self.rules().group_named(&name.text))
        {
            return Ok(group);
        }
        let program = self.compile(expr)?;
        let set = self.worked_out(&program, expr.span)?;
        let is_title = program.kind.is_none_or(|kind| kind == Kind::Titles);
        match (is_title, set.count_ones()) {
            (false, _) => Err(blame::not_one(
                &format!("`{}`", expr_words(expr)),
                "one role or team",
                expr.span,
            )),
            (true, 1) => Ok(GroupId(set.trailing_zeros() as u16)),
            _ => Err(blame::not_one(
                &self.words().titles(set),
                "one role or team",
                expr.span,
            )),
        }
    }

    pub(super) fn number(&self, expr: &Expr) -> Result<i64, Diagnostic> {
        match &*expr.kind {
            ExprKind::Int(number) => Ok(*number),
            _ => {
                let program = self.compile(expr)?;
                match program.kind {
                    Some(Kind::Number) => Ok(self.worked_out(&program, expr.span)? as i64),
                    _ => {
                        let given = format!("`{}`", expr_words(expr));
                        Err(blame::not_one(&given, "a number", expr.span))
                    }
                }
            }
        }
    }

    fn truth(&self, expr: &Expr) -> Result<bool, Diagnostic> {
        match &*expr.kind {
            ExprKind::Truth(truth) => Ok(*truth),
            _ => Err(blame::not_one(
                "neither `yes` nor `no`",
                "`yes` or `no`",
                expr.span,
            )),
        }
    }

    fn text(&self, expr: &Expr) -> Result<Choice, Diagnostic> {
        match &*expr.kind {
            ExprKind::Text(text) => Ok(self.with_text(Choice::TO_WRITE, Some(text))),
            // A cell of a case comes in brackets.
            ExprKind::Group(inner) => self.text(inner),
            _ => Err(blame::not_one(
                &format!("`{}`", expr_words(expr)),
                "a text in quotation marks",
                expr.span,
            )),
        }
    }

    fn word(&self, expr: &Expr) -> Result<Choice, Diagnostic> {
        let weights = self.session.game().weights();
        let given = expr_words(expr);
        let found = weights.iter().position(|(word, _)| *word == given);
        let known = weights.iter().map(|(word, _)| word.as_str());
        let found = found.ok_or_else(|| blame::unknown("outcome", &given, expr.span, known))?;
        Ok(Choice::Word(found as u16))
    }

    /// `put-up Cid`, `pass`
    fn branch(&self, asked: &Asked, expr: &Expr) -> Result<Choice, Diagnostic> {
        let AskKind::Menu(branches) = &self.rules().ask(asked.site).kind else {
            return Ok(Choice::Pass);
        };
        let known = || branches.iter().map(|branch| branch.name.as_str());
        let Some((name, pick)) = head_and_rest(expr) else {
            return Err(blame::unknown("branch", &expr_words(expr), expr.span, known()));
        };
        let found = branches.iter().position(|branch| branch.name == name.text);
        if found.is_none() && self.is_pass(expr) {
            return Ok(Choice::Pass);
        }
        let branch = found.ok_or_else(|| blame::unknown("branch", &name.text, name.span, known()))? as u8;
        let target = match self.session.game().branches().find(|open| open.branch == branch) {
            Some(open) => self.target(open.among, pick.as_ref())?,
            // It is closed, whatever is picked.
            None => Target::Nothing,
        };
        Ok(Choice::Branch { branch, target })
    }

    /// What a branch or an offer picks.
    pub(super) fn target(&self, among: Option<Domain>, pick: Option<&Expr>) -> Result<Target, Diagnostic> {
        let (among, pick) = match (among, pick) {
            (Some(among), Some(pick)) => (among, pick),
            (None, Some(pick)) => return Err(blame::picks_nothing(pick.span)),
            (_, None) => return Ok(Target::Nothing),
        };
        Ok(self.plain(among, pick)?.target())
    }
}

/// `put-up Cid` as `put-up` and `Cid`.
pub(super) fn head_and_rest(expr: &Expr) -> Option<(Name, Option<Expr>)> {
    if let Some(name) = expr.bare_name() {
        return Some((name.clone(), None));
    }
    match &*expr.kind {
        // A cell of a case comes in brackets.
        ExprKind::Group(inner) => head_and_rest(inner),
        ExprKind::Narrow(parts) => {
            let (first, rest) = parts.split_first()?;
            let name = first.bare_name()?.clone();
            let span = rest.first()?.span.to(rest.last()?.span);
            let pick = match rest {
                [only] => only.clone(),
                _ => Expr {
                    kind: Box::new(ExprKind::Narrow(rest.to_vec())),
                    span,
                },
            };
            Some((name, Some(pick)))
        }
        _ => {
            let (name, number) = expr.numbered_name()?;
            let pick = Expr {
                kind: Box::new(ExprKind::Int(number.value)),
                span: number.span,
            };
            Some((name.clone(), Some(pick)))
        }
    }
}
