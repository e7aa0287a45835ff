//! What is put to whoever answers: a question or a draw, with all that may be answered. It is the same whether
//! the game has paused there or would have to, were no answer ready.

use crate::ask::{Answer, ask_domain, check_answer, check_outcome, draw_domain, open_branches};
use crate::choice::{Choice, Comers, Domain, Illegal, OpenBranch, OpenTo};
use crate::compute::PureEval;
use crate::look::{Hooks, Look};
use crate::offers::{check_offer, each_open};
use omerta_core::rules::{AskId, AskKind, DrawId, DrawKind, OfferId};

/// Which question, or which draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// Somebody has to choose.
    Ask(AskId),
    /// Chance has to decide.
    Draw(DrawId),
}

/// A question or a draw that has to be answered.
#[derive(Clone, Copy)]
pub struct Pause<'a> {
    pub(super) site: Site,
    pub(super) look: Look<'a>,
    pub(super) hooks: &'a dyn Hooks,
    /// The registers that begin with its own.
    pub(super) regs: &'a [u64],
}

/// An answer that may be given, worked out for whoever takes it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Legal {
    Offer(OfferId, Option<u8>, u64),
    Answer(Answer),
    Outcome(u64),
}

impl<'a> Pause<'a> {
    /// Which it is.
    #[inline]
    pub fn site(&self) -> Site {
        self.site
    }

    /// The game as it stands.
    pub fn look(&self) -> Look<'a> {
        self.look
    }

    fn eval(&self) -> PureEval<'a> {
        PureEval::of_rules(self.look.rules, self.hooks, self.look.board)
    }

    /// What may be answered.
    #[inline(always)]
    pub fn domain(&self) -> Domain {
        let rules = self.look.rules;
        match self.site {
            Site::Ask(site) => ask_domain(rules.ask(site), self.regs),
            Site::Draw(site) => draw_domain(&rules.draws[site.index()].kind, self.regs),
        }
    }

    /// The branches that stand open, of a menu.
    pub fn branches(&self) -> impl Iterator<Item = OpenBranch> + use<'a> {
        let rules = self.look.rules;
        let branches = match self.site {
            Site::Ask(site) => match &rules.ask(site).kind {
                AskKind::Menu(branches) => branches.as_slice(),
                _ => &[],
            },
            Site::Draw(_) => &[],
        };
        open_branches(branches, self.regs)
    }

    /// The words with their weights, of a draw among words.
    pub fn weights(&self) -> &'a [(String, u32)] {
        match self.site {
            Site::Draw(site) => match &self.look.rules.draws[site.index()].kind {
                DrawKind::Weighted(words) => words,
                _ => &[],
            },
            Site::Ask(_) => &[],
        }
    }

    /// Shows every standing offer that some of those who come may take up instead: by offer, then the host, then the
    /// seats in order.
    pub fn each_offer(&self, comers: Comers, see: impl FnMut(OpenTo)) {
        if let Site::Ask(_) = self.site {
            // A script that fails breaks the game elsewhere.
            each_open(self.eval(), comers, see).unwrap_or_default();
        }
    }

    /// Whether an answer may be given, or why not.
    pub fn may(&self, choice: Choice) -> Result<(), Illegal> {
        self.legal(choice).map(|_| ())
    }

    #[inline(always)]
    pub(super) fn legal(&self, choice: Choice) -> Result<Legal, Illegal> {
        let look = self.look;
        match (self.site, choice) {
            (Site::Ask(_), Choice::Offer { offer, by, target }) => {
                check_offer(self.eval(), offer, by, target).map(|picked| Legal::Offer(offer, by, picked))
            }
            (Site::Ask(site), _) => {
                check_answer(look, look.rules.ask(site), self.regs, &choice).map(Legal::Answer)
            }
            (Site::Draw(site), _) => {
                let kind = &look.rules.draws[site.index()].kind;
                check_outcome(look, kind, self.regs, &choice).map(Legal::Outcome)
            }
        }
    }
}
