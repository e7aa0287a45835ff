//! Standing offers: who may take up which, at a pause.

use crate::ask::{check_target, is_void, pick_domain};
use crate::choice::{Comers, Domain, Due, Illegal, OpenOffer, OpenTo, Target};
use crate::compute::{EvalError, PureEval};
use crate::facts::{first, seats_in};
use crate::look::Look;
use omerta_core::rules::{Offer, OfferId};

/// Shows every offer that some of those who come may take up now, of those that may be due: by offer, then the host, then the seats in order.
pub(super) fn each_open(
    eval: PureEval<'_>,
    Due { comers, known }: Due,
    mut see: impl FnMut(OpenTo),
) -> Result<(), Stuck> {
    let Look { rules, board } = eval.look;
    let mut show = |number: usize| {
        let offer = OfferId(number as u16);
        open_to_all(eval, offer, &mut see).map_err(|why| Stuck { offer, why })
    };
    if let Some(known) = known {
        return seats_in(known).try_for_each(show);
    }
    let is_due = board.due(rules);
    let offers = rules.offers.iter().enumerate();
    let mut due = offers.filter(|(_, offer)| comers.are_meant(offer) && is_due(offer));
    due.try_for_each(|(number, _)| show(number))
}

/// Shows to whom an offer stands open, of those that it is made to.
#[inline(always)]
fn open_to_all(eval: PureEval<'_>, id: OfferId, see: &mut impl FnMut(OpenTo)) -> Result<(), EvalError> {
    let offer = &eval.look.rules.offers[id.index()];
    let mut open = |by: Option<u64>| -> Result<(), EvalError> {
        if let Some(among) = open_to(eval, offer, by.map_or(0, first))? {
            see(OpenTo { offer: id, by, among });
        }
        Ok(())
    };
    match offer.who {
        None => open(None),
        Some(who) => match eval.value(who, &[0])? & eval.look.players() {
            0 => Ok(()),
            who if offer.alike => open(Some(who)),
            who => seats_in(who).try_for_each(|seat| open(Some(1 << seat))),
        },
    }
}

/// Whether an offer stands open cannot be worked out.
pub(super) struct Stuck {
    pub(super) offer: OfferId,
    pub(super) why: EvalError,
}

/// Every offer that somebody may take up now, in the same order.
pub(super) fn open_offers(eval: PureEval<'_>) -> Result<Vec<OpenOffer>, Stuck> {
    let mut open = Vec::new();
    let any = Due {
        comers: Comers::ALL,
        known: None,
    };
    each_open(eval, any, |offer| open.extend(offer.each()))?;
    Ok(open)
}

/// What the offer picks, if it is taken up with this target; an error where it may not be.
pub(super) fn check_offer(
    eval: PureEval<'_>,
    id: OfferId,
    by: Option<u8>,
    target: Target,
) -> Result<u64, Illegal> {
    let refused = Illegal::NoOffer { offer: id };
    let Some(offer) = eval.look.rules.offers.get(id.index()) else {
        return Err(refused);
    };
    let allowed = match (offer.who, by) {
        (None, None) => true,
        // Scripts that fail have broken the game at this pause already.
        (Some(who), Some(_)) => eval.value(who, &[0]).unwrap_or(0) & eval.look.players() & seat_bit(by) != 0,
        (None, Some(_)) | (Some(_), None) => false,
    };
    if !allowed || !eval.look.board.due(eval.look.rules)(offer) {
        return Err(refused);
    }
    let among = open_to(eval, offer, seat_bit(by)).ok().flatten().ok_or(refused)?;
    check_target(eval.look, among, target)
}

/// Among what an offer picks, as it stands for one who is among those it is made to (nobody is the host): nothing
/// where it does not stand open to him.
fn open_to(eval: PureEval<'_>, offer: &Offer, me: u64) -> Result<Option<Option<Domain>>, EvalError> {
    if let Some(when) = offer.when
        && eval.value(when, &[me])? == 0
    {
        return Ok(None);
    }
    let among = match offer.target {
        Some(target) => pick_domain(target.kind, eval.value(target.among, &[me])?, false),
        None => None,
    };
    let open = among.is_none_or(|among| !is_void(among));
    Ok(open.then_some(among))
}

/// A seat as a set; the host is nobody.
pub(super) fn seat_bit(seat: Option<u8>) -> u64 {
    seat.map_or(0, |seat| 1u64.checked_shl(u32::from(seat)).unwrap_or(0))
}
