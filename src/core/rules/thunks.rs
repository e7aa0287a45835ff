//! Every place in the tables of a ruleset that names code which only works a value out.

use super::{AnsweredBy, Phrase, PhrasePiece, Ruleset, SeenBy, Thunk};

/// The walk, to read the places or to change them.
macro_rules! for_each_thunk {
    ($name:ident, $pieces:ident, $iter:ident, $as:ident $(, $mut:tt)?) => {
        impl Ruleset {
            /// Goes through all of them.
            pub fn $name(& $($mut)? self, visit: &mut dyn FnMut(& $($mut)? Thunk)) {
                let asked = self.asks.$iter().filter_map(|ask| ask.text.$as());
                let said = self.says.$iter().map(|say| & $($mut)? say.phrase);
                asked.chain(said).for_each(|phrase| $pieces(& $($mut)? phrase.pieces, visit));
                for offer in self.offers.$iter() {
                    offer.who.$iter().chain(offer.when.$iter()).for_each(&mut *visit);
                    offer.target.$iter().for_each(|target| visit(& $($mut)? target.among));
                }
                self.events.$iter().filter_map(|event| event.decide.$as()).for_each(&mut *visit);
                self.cast_checks.$iter().for_each(|check| visit(& $($mut)? check.test));
                for line in self.policies.$iter().flat_map(|policy| policy.lines.$iter()) {
                    if let AnsweredBy::Seats(by) = & $($mut)? line.by {
                        visit(by);
                    }
                    line.when.$iter().chain(line.wishes.$iter().flatten()).for_each(&mut *visit);
                }
                let of_zones = self.zones.$iter().flat_map(|zone| [& $($mut)? zone.seen_by, & $($mut)? zone.backs]);
                let of_facts = self.facts.$iter().map(|fact| & $($mut)? fact.seen_by);
                for seen_by in of_zones.chain(of_facts) {
                    if let SeenBy::Seats(thunk) = seen_by {
                        visit(thunk);
                    }
                }
            }
        }

        fn $pieces(pieces: & $($mut)? [PhrasePiece], visit: &mut dyn FnMut(& $($mut)? Thunk)) {
            for piece in pieces {
                match piece {
                    PhrasePiece::Words(_) => {}
                    PhrasePiece::Slot { value, .. } => visit(value),
                    PhrasePiece::Choice { value, none, one, many, .. } => {
                        visit(value);
                        [none, one, many].into_iter().for_each(|pieces| $pieces(pieces, visit));
                    }
                }
            }
        }
    };
}

for_each_thunk!(for_each_thunk, in_pieces, iter, as_ref);
for_each_thunk!(for_each_thunk_mut, in_pieces_mut, iter_mut, as_mut, mut);

impl Phrase {
    /// Goes through what is worked out for these words.
    pub fn each_value(&self, visit: &mut dyn FnMut(Thunk)) {
        in_pieces(&self.pieces, &mut |value| visit(*value));
    }
}
