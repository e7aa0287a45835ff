//! Policies: what simulated players answer to which question.

use super::{Compiler, errors};
use crate::layer::Layer;
use omerta_core::digest::Digest;
use omerta_core::rules::{AnsweredBy, AskId, AskKind, Kind, Matter, OfferId, Policy, PolicyLine};
use omerta_core::source::Span;
use omerta_syntax::tree::{self, Expr, Name, Text};

/// What may be decided, with the kind of what is wished for it.
type Wanted = (Matter, Kind);

impl Compiler<'_> {
    pub(crate) fn policy(&mut self, policy: &tree::Policy, span: Span, layer: Layer) {
        self.layer = layer;
        let mut digest = Digest::default();
        digest.eat_words(self.sources.slice(span));
        let lines = policy.lines.iter().filter_map(|line| self.policy_line(line));
        let lines = lines.collect();
        self.out.policies.push(Policy {
            name: policy.name.text.clone(),
            title: policy.title.as_ref().map(Text::plain),
            lines,
            identity: digest.number(),
            origin: policy.name.span,
        });
    }

    fn policy_line(&mut self, line: &tree::PolicyLine) -> Option<PolicyLine> {
        let found: Vec<(&Name, Vec<Wanted>)> = line
            .questions
            .iter()
            .map(|name| (name, self.matters_named(&name.text)))
            .collect();
        for (name, wanted) in &found {
            if wanted.is_empty() && self.knows_its_questions() {
                self.report_no_question(name);
            }
        }
        let mut wanted = found
            .iter()
            .flat_map(|(name, wanted)| wanted.iter().map(move |w| (*name, w)));
        let (first, &(_, kind)) = wanted.next()?;
        if let Some((other, &(_, another))) = wanted.find(|(_, (_, other))| *other != kind) {
            self.report(errors::unlike_questions((first, kind), (other, another)));
        }
        let me = [("me", Kind::Players)];
        let by = match &line.by {
            None => AnsweredBy::Anybody,
            Some(by) if self.is_host(by) => AnsweredBy::Host,
            Some(by) => AnsweredBy::Seats(self.free_thunk(&me, |c| c.wanted_val(by, Kind::Players)).0),
        };
        let when = line.when.as_ref();
        let when = when.map(|when| self.free_thunk(&me, |c| c.wanted_val(when, Kind::Truth)).0);
        let wish = |wish: &Expr| {
            let is_nobody = wish.is_nobody();
            (!is_nobody).then(|| self.free_thunk(&me, |c| c.wanted_val(wish, kind)).0)
        };
        Some(PolicyLine {
            wishes: line.wishes.iter().map(wish).collect(),
            matters: found
                .into_iter()
                .flat_map(|(_, wanted)| wanted)
                .map(|(matter, _)| matter)
                .collect(),
            by,
            when,
            origin: line.questions.first().map(|name| name.span).unwrap_or_default(),
        })
    }

    /// Whether what the policy speaks of must be there: another overlay may have taken a question away.
    fn knows_its_questions(&self) -> bool {
        match self.layer {
            Layer::Base => self.out.overlays.is_empty(),
            Layer::Overlay(_) => self.out.overlays.len() == 1,
        }
    }

    /// Every question and every offer of that name, and every menu with an answer of that name.
    fn matters_named(&self, name: &str) -> Vec<Wanted> {
        let mut out = Vec::new();
        for (index, site) in self.out.asks.iter().enumerate() {
            let id = AskId(index as u16);
            let plain = match &site.kind {
                AskKind::Menu(branches) => {
                    let named = branches
                        .iter()
                        .enumerate()
                        .filter(|(_, branch)| branch.name == name);
                    out.extend(named.map(|(at, branch)| (Matter::Branch(id, at as u8), wished(branch.pick))));
                    continue;
                }
                AskKind::Wait | AskKind::Text => continue,
                AskKind::Seats => Kind::Players,
                AskKind::Cards => Kind::Cards,
                AskKind::Titles => Kind::Titles,
                AskKind::Numbers => Kind::Number,
                AskKind::YesNo => Kind::Truth,
            };
            if site.name == name {
                out.push((Matter::Question(id), plain));
            }
        }
        let offers = self
            .out
            .offers
            .iter()
            .enumerate()
            .filter(|(_, offer)| offer.name == name);
        out.extend(offers.map(|(index, offer)| {
            let kind = wished(offer.target.map(|target| target.kind));
            (Matter::Offer(OfferId(index as u16)), kind)
        }));
        out
    }

    fn report_no_question(&mut self, name: &Name) {
        let known: Vec<String> = self
            .out
            .asks
            .iter()
            .flat_map(|site| match &site.kind {
                AskKind::Menu(branches) => branches.iter().map(|branch| branch.name.clone()).collect(),
                AskKind::Wait => Vec::new(),
                _ => vec![site.name.clone()],
            })
            .chain(self.out.offers.iter().map(|offer| offer.name.clone()))
            .collect();
        self.report(errors::no_such_question(name, &known));
    }
}

/// What is wished of a branch or an offer: something that it picks, or, where it picks nothing or somebody writes,
/// whether at all.
fn wished(pick: Option<Kind>) -> Kind {
    pick.filter(|kind| *kind != Kind::Text).unwrap_or(Kind::Truth)
}
