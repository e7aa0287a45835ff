//! Standing offers: what the host or a player may do at any pause.

use super::{Compiler, Val, errors};
use crate::layer::Layer;
use omerta_core::rules::{Kind, Offer, OfferId, OfferTarget, ProcRole};
use omerta_syntax::tree::{Allow, Domain, Text};

impl Compiler<'_> {
    pub(crate) fn offer(&mut self, allow: &Allow, layer: Layer) {
        self.layer = layer;
        let before = std::mem::replace(&mut self.here, allow.name.span);
        let host = allow.who.bare_name().is_some_and(|n| n.text == "host");
        let me: &[(&str, Kind)] = if host {
            &[("", Kind::Players)]
        } else {
            &[("me", Kind::Players)]
        };
        let who = (!host).then(|| {
            self.free_thunk(&[("", Kind::Players)], |c| {
                c.wanted_val(&allow.who, Kind::Players)
            })
            .0
        });
        let target = allow.pick.as_ref().and_then(|pick| {
            let set = match &pick.domain {
                Domain::Set(set) => set,
                Domain::Numbers(low, high) => {
                    let (among, kind) = self.free_thunk(me, |c| c.between(low, high));
                    return Some(OfferTarget { kind, among });
                }
                Domain::Unseen(set) => {
                    self.report(errors::no_unseen_here(set.span));
                    return None;
                }
                Domain::Written { most } => {
                    let most = Val::Const(most.value as u64, Kind::Text);
                    let (among, kind) = self.free_thunk(me, |_| most);
                    return Some(OfferTarget { kind, among });
                }
                // The grammar knows weights in draws alone.
                Domain::Weighted(_) => return None,
            };
            let (among, kind) = self.free_thunk(me, |c| c.value(set, None));
            if !matches!(kind, Kind::Players | Kind::Cards | Kind::Titles) {
                let text = self.sources.slice(set.span).to_owned();
                self.report(errors::sets_only(&text, set.span, kind));
            }
            Some(OfferTarget { kind, among })
        });
        let when = allow
            .when
            .as_ref()
            .map(|when| self.free_thunk(me, |c| c.wanted_val(when, Kind::Truth)).0);
        let during = allow
            .during
            .iter()
            .filter_map(|name| self.scene_named(name))
            .collect();
        let picked = allow.pick.as_ref().map_or("", |p| p.name.text.as_str());
        let kind = target.map_or(Kind::Players, |t| t.kind);
        let arguments = [me[0], (picked, kind)];
        let id = OfferId(self.out.offers.len() as u16);
        self.here = before;
        let body = self.simple_proc(ProcRole::Offer(id), &arguments, |c| c.block(&allow.body));
        self.out.offers.push(Offer {
            name: allow.name.text.clone(),
            title: allow.title.as_ref().map(Text::plain),
            who,
            target,
            during,
            when,
            alike: false,
            body,
            origin: allow.name.span,
        });
    }
}
