//! What is put to whoever answers: a question or a draw, with all that may be answered. It is the same whether
//! the game has paused there or would have to, were no answer ready.

use crate::ask::{
    Answer, ask_domain, came_out, check_answer, check_outcome, check_target, draw_domain, given, open_branch,
    open_branches, which_open,
};
use crate::choice::{Choice, Comers, Domain, Due, Illegal, OpenBranch, OpenOffer, OpenTo, Reply, Target};
use crate::compute::PureEval;
use crate::look::{Hooks, Look};
use crate::offers::{check_offer, each_open, seat_bit};
use crate::state::Board;
use omerta_core::rules::{AskId, AskSite, Branch, DrawId, DrawKind, OfferId, OfferTimes, Ruleset};
use std::cell::Cell;

/// So many sorts of offers are looked at once; one behind them is looked for anew.
const AT_HAND: usize = 8;

/// Which question, or which draw.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Site {
    /// Somebody has to choose.
    Ask(AskId),
    /// Chance has to decide.
    Draw(DrawId),
}

/// The same, looked up.
#[derive(Clone, Copy)]
enum Put<'a> {
    Question(&'a AskSite),
    Draw(&'a DrawKind),
}

/// What stays as it is from one pause to the next, where nobody listens.
pub(super) struct Fixed<'a> {
    pub(super) rules: &'a Ruleset,
    pub(super) hooks: &'a dyn Hooks,
    /// When offers stand open, where that is known of all at once.
    pub(super) times: Option<&'a OfferTimes>,
}

/// A question or a draw that has to be answered.
pub struct Pause<'a> {
    pub(super) site: Site,
    put: Put<'a>,
    pub(super) look: Look<'a>,
    pub(super) hooks: &'a dyn Hooks,
    /// The registers that begin with its own.
    pub(super) regs: &'a [u64],
    /// As in [`Fixed`].
    times: Option<&'a OfferTimes>,
    /// The offer that was last shown: whoever takes it up need not have it looked at again.
    shown: Cell<Option<OpenTo>>,
}

/// An answer that may be given, worked out for whoever takes it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Legal {
    Offer(OfferId, Option<u8>, u64),
    Answer(Answer),
    Outcome(u64),
}

impl<'a> Pause<'a> {
    #[inline]
    pub(super) fn new(
        site: Site,
        &Fixed { rules, hooks, times }: &Fixed<'a>,
        board: &'a Board,
        regs: &'a [u64],
    ) -> Self {
        let put = match site {
            Site::Ask(site) => Put::Question(rules.ask(site)),
            Site::Draw(site) => Put::Draw(&rules.draws[site.index()].kind),
        };
        Pause {
            site,
            put,
            look: Look { rules, board },
            hooks,
            regs,
            times,
            shown: Cell::new(None),
        }
    }

    /// Which it is.
    #[inline]
    pub fn site(&self) -> Site {
        self.site
    }

    /// The game as it stands.
    #[inline]
    pub fn look(&self) -> Look<'a> {
        self.look
    }

    #[inline]
    fn eval(&self) -> PureEval<'a> {
        PureEval::of_rules(self.look.rules, self.hooks, self.look.board)
    }

    /// What may be answered.
    #[inline(always)]
    pub fn domain(&self) -> Domain {
        match self.put {
            Put::Question(question) => ask_domain(question, self.regs),
            Put::Draw(kind) => draw_domain(kind, self.regs),
        }
    }

    /// The branches of a menu, open or not.
    #[inline]
    fn all_branches(&self) -> &'a [Branch] {
        match self.put {
            Put::Question(site) => site.kind.branches(),
            _ => &[],
        }
    }

    /// The branches that stand open, of a menu.
    pub fn branches(&self) -> impl Iterator<Item = OpenBranch> + use<'a> {
        open_branches(self.all_branches(), self.regs)
    }

    /// How many of them do.
    #[inline]
    pub fn count_branches(&self) -> usize {
        which_open(self.all_branches(), self.regs).count()
    }

    /// One of those that stand open, by its place among them.
    #[inline]
    pub fn branch(&self, place: usize) -> Option<OpenBranch> {
        let branches = self.all_branches();
        let mut before = place;
        let nth = which_open(branches, self.regs).find(|_| {
            let found = before == 0;
            before = before.wrapping_sub(1);
            found
        });
        open_branch(branches, self.regs, nth?)
    }

    /// The words with their weights, of a draw among words.
    pub fn weights(&self) -> &'a [(String, u32)] {
        match self.put {
            Put::Draw(DrawKind::Weighted(words)) => words,
            _ => &[],
        }
    }

    /// The offers that may stand open to some of those who come.
    #[inline]
    pub fn due(&self, comers: Comers) -> Due {
        let known = self
            .times
            .map(|times| self.look.board.due_by(times) & comers.offers(times));
        Due { comers, known }
    }

    /// One of the standing offers of those that somebody may take up instead: they are counted by offer, then the host, then
    /// the seats in order, and it is said which of so many it shall be. Whoever takes it up need not have it looked at again.
    pub fn one_offer(&self, due: Due, which: impl FnOnce(u64) -> u64) -> Option<OpenOffer> {
        let each = |see: &mut dyn FnMut(OpenTo)| {
            if let Site::Ask(_) = self.site {
                // A script that fails breaks the game elsewhere.
                each_open(self.eval(), due, see).unwrap_or_default();
            }
        };
        let (mut sorts, mut count, mut at_hand) = (0, 0, [None; AT_HAND]);
        each(&mut |open| {
            if let Some(place) = at_hand.get_mut(sorts) {
                *place = Some(open);
            }
            sorts += 1;
            count += open.count();
        });
        if count == 0 {
            return None;
        }
        let mut left = which(count.into()) as u32;
        let mut is_it = |open: &OpenTo| match left.checked_sub(open.count()) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        };
        let mut found = at_hand.iter().flatten().find(|open| is_it(open)).copied();
        if found.is_none() {
            // It is one of those behind.
            let mut sort = 0;
            each(&mut |open| {
                if sort >= AT_HAND && found.is_none() && is_it(&open) {
                    found = Some(open);
                }
                sort += 1;
            });
        }
        self.shown.set(found);
        found.map(|open| open.nth(left))
    }

    /// What is said, where it may be.
    #[inline(always)]
    pub(super) fn taken(&self, reply: Reply) -> Option<Legal> {
        match (reply, self.put) {
            (Reply::Choice(choice), _) => self.legal(choice).ok(),
            (reply, Put::Question(question)) => given(question, self.regs, reply).map(Legal::Answer),
            (Reply::Word(word), Put::Draw(kind)) => {
                came_out(kind, self.regs, word).then_some(Legal::Outcome(word))
            }
            (Reply::Nothing | Reply::Branch(..), Put::Draw(_)) => None,
        }
    }

    /// What is said, as whoever hears it is told; nothing where nothing is said or it fits nothing that was asked.
    pub fn choice(&self, reply: Reply) -> Option<Choice> {
        let one = |domain: Domain, set: u64| domain.target(set.trailing_zeros());
        Some(match (reply, self.domain()) {
            (Reply::Nothing, _) => return None,
            (Reply::Choice(choice), _) => choice,
            (Reply::Word(0), domain) if domain.set().is_some() => Choice::Pass,
            (Reply::Word(word), domain) if domain.set().is_some() => one(domain, word).choice(),
            (Reply::Word(0), Domain::YesNo) => Choice::No,
            (Reply::Word(_), Domain::YesNo) => Choice::Yes,
            (Reply::Word(_), Domain::Go) => Choice::Go,
            (Reply::Word(word), Domain::Numbers { .. }) => Choice::Number(word as i64),
            (Reply::Branch(branch, picked), Domain::Menu) => {
                let OpenBranch { among, .. } =
                    open_branch(self.all_branches(), self.regs, usize::from(branch))?;
                let target = among.map_or(Target::Nothing, |domain| one(domain, picked));
                Choice::Branch { branch, target }
            }
            (Reply::Word(_) | Reply::Branch(..), _) => return None,
        })
    }

    /// Whether an answer may be given, or why not.
    pub fn may(&self, choice: Choice) -> Result<(), Illegal> {
        self.legal(choice).map(|_| ())
    }

    #[inline(always)]
    pub(super) fn legal(&self, choice: Choice) -> Result<Legal, Illegal> {
        let look = self.look;
        match (self.put, choice) {
            (Put::Question(_), Choice::Offer { offer, by, target }) => {
                let picked = match self.shown.get() {
                    Some(shown) if is_made_to(shown, offer, by) => check_target(look, shown.among, target),
                    _ => check_offer(self.eval(), offer, by, target),
                };
                picked.map(|picked| Legal::Offer(offer, by, picked))
            }
            (Put::Question(question), _) => {
                check_answer(look, question, self.regs, &choice).map(Legal::Answer)
            }
            (Put::Draw(kind), _) => check_outcome(look, kind, self.regs, &choice).map(Legal::Outcome),
        }
    }
}

/// Whether an open offer is that one, and made to him; nobody is the host.
fn is_made_to(open: OpenTo, offer: OfferId, by: Option<u8>) -> bool {
    open.offer == offer
        && open.by.is_some() == by.is_some()
        && open.by.is_none_or(|who| who & seat_bit(by) != 0)
}
