//! Pairs to what is expected.

use super::{Reader, Rule, blame, child, inner, maybe, only};
use crate::{
    play_tree::{AskedFact, Audience, CaseCount, Denial, Fact, Quoted, SetupVerdict, Way, Wording},
    tree::{Expr, Int},
};
use omerta_core::diagnostic::Repair;
use pest::iterators::Pair;

impl Reader {
    /// A fact; `None` when an expression in it was not one, which has been blamed.
    pub(super) fn read_expect(&mut self, pair: Pair<'_, Rule>) -> Option<Fact> {
        let fact = pair.into_inner().last();
        self.read_fact(fact.expect("the grammar puts a fact there"))
    }

    fn read_fact(&mut self, fact: Pair<'_, Rule>) -> Option<Fact> {
        match fact.as_rule() {
            Rule::in_cases => self.read_in_cases(fact),
            Rule::alike => Some(Fact::Alike {
                who: self.read_people(child(&fact, Rule::people))?,
                differs: maybe(&fact, Rule::differs).is_some(),
            }),
            Rule::knows => Some(Fact::Knows {
                who: self.read_people(child(&fact, Rule::people))?,
                denied: maybe(&fact, Rule::kw_cannot).is_some(),
                what: self.read_condition(&child(&fact, Rule::condition))?,
            }),
            Rule::cards_in => self.read_cards_in(&fact),
            Rule::condition => self.read_condition(&fact).map(Fact::Holds),
            Rule::said => Some(self.read_said(&fact)),
            Rule::told => self.read_told(&fact),
            Rule::asked => self.read_asked(&fact),
            Rule::open_offer => self.read_open(&fact),
            Rule::tally => self.read_tally(fact),
            Rule::drawn => self.read_drawn(fact),
            Rule::happened => self.read_happened(&fact),
            Rule::applied => Some(Fact::Applied {
                denial: self.read_denial(&fact),
                rule: self.name(child(&fact, Rule::name)),
            }),
            Rule::winners => self.exprs(child(&fact, Rule::phrases)).map(Fact::Winners),
            Rule::losers => self.exprs(child(&fact, Rule::phrases)).map(Fact::Losers),
            Rule::nobody_wins => Some(Fact::NobodyWins),
            Rule::is_draw => Some(Fact::Draw),
            Rule::ended_by => Some(Fact::EndedBy(self.read_ending(&fact))),
            Rule::setup_fact => Some(self.read_setup(&fact)),
            Rule::fault_fact => Some(Fact::Fault(maybe(&fact, Rule::code).map(|code| self.name(code)))),
            _ => Some(Fact::GoesOn),
        }
    }

    fn read_in_cases(&mut self, pair: Pair<'_, Rule>) -> Option<Fact> {
        let count = match (maybe(&pair, Rule::kw_some), maybe(&pair, Rule::int)) {
            (_, Some(int)) => CaseCount::Exactly(self.int(int)),
            (Some(_), None) => CaseCount::Some,
            (None, None) => CaseCount::No,
        };
        let fact = pair.into_inner().last().expect("the grammar puts a fact there");
        let fact = Box::new(self.read_fact(fact)?);
        Some(Fact::InCases { count, fact })
    }

    fn read_cards_in(&mut self, pair: &Pair<'_, Rule>) -> Option<Fact> {
        let named = |p: &Pair<'_, Rule>| matches!(p.as_rule(), Rule::name | Rule::int);
        let mut names = pair
            .clone()
            .into_inner()
            .filter(named)
            .map(|name| self.name(name));
        let zone = names.next().expect("the grammar puts a zone there");
        let of = names.next();
        Some(Fact::CardsIn {
            zone,
            of,
            cards: self.exprs(child(pair, Rule::phrases))?,
        })
    }

    /// A condition; `never shown card` is none.
    fn read_condition(&mut self, pair: &Pair<'_, Rule>) -> Option<Expr> {
        let denied = ["not ", "never "]
            .iter()
            .any(|word| pair.as_str().starts_with(word));
        let start = self.span(pair).start as usize;
        let nobody = blame::nobody_learns(self.source, pair.as_str(), start).filter(|_| denied);
        match nobody.or_else(|| blame::half_said(pair.as_str(), self.span(pair))) {
            Some(problem) => {
                self.diagnostics.push(problem);
                None
            }
            None => self.read_clauses(pair),
        }
    }

    /// `out is exactly Ann, Bob`: who stands with a comma beside an end of a comparison belongs to that end.
    fn read_clauses(&mut self, pair: &Pair<'_, Rule>) -> Option<Expr> {
        let clauses: Vec<_> = inner(pair.clone(), Rule::clause).collect();
        let read: Vec<_> = clauses.iter().map(|clause| self.expr(clause)).collect();
        if read.contains(&None)
            && let Some(line) = blame::repaired(&format!("expect {}", pair.as_str().trim()))
            && let Some(problem) = self.diagnostics.pop()
        {
            let (span, text) = (self.span(pair), line.trim_start_matches("expect ").to_owned());
            let written = Repair::instead(span, text);
            self.diagnostics
                .push(problem.help(format!("write `{line}`")).mend(written));
        }
        let mut read = read.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        let first = read.next().expect("the grammar puts a clause there");
        read.try_fold(first, |list, next| {
            let span = list.span.to(next.span);
            let (left_is, right_is) = (list.is_comparison(), next.is_comparison());
            match (left_is, right_is) {
                (_, false) => Some(list.joined_at_its_end(next)),
                (false, true) => Some(next.joined_at_its_front(list)),
                (true, true) => {
                    self.diagnostics.push(blame::two_conditions(span));
                    None
                }
            }
        })
    }

    fn read_denial(&mut self, pair: &Pair<'_, Rule>) -> Option<Denial> {
        let (denial, times) = (maybe(pair, Rule::denial), maybe(pair, Rule::times));
        if let Some(times) = times {
            if denial.is_some() || maybe(pair, Rule::kw_only).is_some() {
                self.diagnostics.push(blame::times_and_denial(self.span(&times)));
            }
            return Some(Denial::Times(self.int(child(&times, Rule::int))));
        }
        if maybe(pair, Rule::kw_only).is_some() {
            return Some(Denial::Only);
        }
        denial.map(|denial| {
            let yet = maybe(&denial, Rule::kw_yet).is_some();
            match only(denial).as_rule() {
                Rule::kw_never => Denial::Never,
                _ if yet => Denial::NotYet,
                _ => Denial::Not,
            }
        })
    }

    fn read_wording(&mut self, pair: &Pair<'_, Rule>) -> Wording {
        let texts = maybe(pair, Rule::texts).map(|texts| self.texts(texts));
        let words = texts.or_else(|| maybe(pair, Rule::words).map(|words| self.words(words)));
        if let Some(name) = maybe(pair, Rule::name) {
            return Wording::Named {
                name: self.name(name),
                containing: words,
            };
        }
        match (words, maybe(pair, Rule::kw_containing)) {
            (Some(words), Some(_)) => Wording::Containing(words),
            (Some(words), None) => Wording::Exactly(words),
            (None, _) => Wording::Anything(self.span(pair)),
        }
    }

    fn read_said(&mut self, pair: &Pair<'_, Rule>) -> Fact {
        Fact::Said {
            denial: self.read_denial(pair),
            wordings: self.read_wordings(pair),
        }
    }

    fn read_wordings(&mut self, pair: &Pair<'_, Rule>) -> Vec<Wording> {
        inner(pair.clone(), Rule::wording)
            .map(|wording| self.read_wording(&wording))
            .collect()
    }

    fn read_told(&mut self, pair: &Pair<'_, Rule>) -> Option<Fact> {
        let who = self.read_audience(only(child(pair, Rule::told_who)))?;
        let how = match only(child(pair, Rule::told_how)).as_rule() {
            Rule::kw_told => Way::Told,
            Rule::kw_shown => Way::Shown,
            _ => Way::Sees,
        };
        Some(Fact::Told {
            who,
            denial: self.read_denial(pair),
            how,
            wordings: self.read_wordings(pair),
        })
    }

    fn read_audience(&mut self, pair: Pair<'_, Rule>) -> Option<Audience> {
        match pair.as_rule() {
            Rule::nobody => Some(Audience::Nobody(self.span(&pair))),
            Rule::nobody_but => self.read_people(child(&pair, Rule::people)).map(Audience::Only),
            _ => self.read_people(pair).map(Audience::Each),
        }
    }

    fn read_asked(&mut self, pair: &Pair<'_, Rule>) -> Option<Fact> {
        let among = match maybe(pair, Rule::asked_among) {
            Some(among) => self.exprs(child(&among, Rule::phrases))?,
            None => Vec::new(),
        };
        Some(Fact::Asked(AskedFact {
            denial: self.read_denial(pair),
            who: self.read_people(child(pair, Rule::people))?,
            choice: maybe(pair, Rule::asked_for).map(|choice| self.name(child(&choice, Rule::name))),
            words: maybe(pair, Rule::asked_words).map(|words| self.read_wording(&words)),
            within: maybe(pair, Rule::asked_within).map(|within| {
                let count = self.int(child(&within, Rule::int)).value;
                let seconds = if maybe(&within, Rule::kw_minutes).is_some() {
                    60
                } else {
                    1
                };
                u32::try_from(count.saturating_mul(seconds)).unwrap_or(u32::MAX)
            }),
            among,
            or_pass: maybe(pair, Rule::or_pass).is_some(),
        }))
    }

    fn read_open(&mut self, pair: &Pair<'_, Rule>) -> Option<Fact> {
        let by = match maybe(pair, Rule::person) {
            Some(person) => Some(self.read_person(person)?),
            None => None,
        };
        let denied = maybe(pair, Rule::kw_not).is_some();
        Some(Fact::Open {
            denied,
            offer: self.name(child(pair, Rule::name)),
            by,
        })
    }

    fn read_tally(&mut self, pair: Pair<'_, Rule>) -> Option<Fact> {
        let link = self.name(child(&pair, Rule::name));
        let rows: Vec<_> = inner(pair, Rule::tally_row)
            .map(|row| self.read_tally_row(&row))
            .collect();
        Some(Fact::Tally {
            link,
            rows: rows.into_iter().collect::<Option<_>>()?,
        })
    }

    fn read_tally_row(&mut self, pair: &Pair<'_, Rule>) -> Option<(Int, Expr)> {
        let votes = self.int(child(pair, Rule::int));
        self.expr(&child(pair, Rule::phrase)).map(|of| (votes, of))
    }

    fn read_happened(&mut self, pair: &Pair<'_, Rule>) -> Option<Fact> {
        let of = self.maybe_expr(pair, Rule::done_to)?;
        let by = self.maybe_expr(pair, Rule::phrase)?;
        Some(Fact::Happened {
            denial: self.read_denial(pair),
            event: self.name(child(pair, Rule::name)),
            of,
            by,
        })
    }

    fn read_drawn(&mut self, pair: Pair<'_, Rule>) -> Option<Fact> {
        let (denial, name) = (self.read_denial(&pair), self.name(child(&pair, Rule::name)));
        let rows: Vec<_> = inner(pair, Rule::drawn_row)
            .map(|row| {
                let weight = maybe(&row, Rule::int).map(|weight| self.int(weight));
                self.expr(&child(&row, Rule::phrase))
                    .map(|outcome| (weight, outcome))
            })
            .collect();
        Some(Fact::Drawn {
            denial,
            name,
            rows: rows.into_iter().collect::<Option<_>>()?,
        })
    }

    fn read_ending(&mut self, pair: &Pair<'_, Rule>) -> Quoted {
        match maybe(pair, Rule::texts) {
            Some(texts) => self.texts(texts),
            None => {
                let name = self.name(child(pair, Rule::name));
                Quoted {
                    text: name.text,
                    span: name.span,
                }
            }
        }
    }

    fn read_setup(&mut self, pair: &Pair<'_, Rule>) -> Fact {
        let wordings = self.read_wordings(pair);
        let only = maybe(pair, Rule::kw_only).is_some();
        let verdict = match (maybe(pair, Rule::kw_no), maybe(pair, Rule::kw_warning)) {
            (Some(_), _) => SetupVerdict::NoWarning,
            (None, Some(_)) => SetupVerdict::Warning,
            (None, None) => SetupVerdict::Error,
        };
        Fact::Setup {
            verdict,
            wordings,
            only,
        }
    }
}
