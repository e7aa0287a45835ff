//! Where a question and a draw keep their words, counted from their first register: the one layout for whoever
//! writes them and whoever reads them.

use super::Reg;

macro_rules! frames {
    ($($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $word:ident = $at:expr;)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name(pub Reg);

        impl $name {
            $(
                $(#[$of])*
                #[inline]
                pub const fn $word(self) -> Reg {
                    Reg(self.0.0 + $at)
                }
            )*
        }
    )*};
}

frames! {
    /// The registers of a question, by the first of them.
    AskFrame {
        /// Who is asked; several give one answer together.
        who = 0;
        /// Among what; of numbers the lowest.
        among = 1;
        /// Of numbers the highest.
        highest = 2;
        /// Of several picks: how many there shall be.
        wanted = 2;
        /// What was picked, or nothing; the number, the truth, the branch.
        answer = 3;
        /// Of a menu: what was picked with the branch.
        picked = 4;
        /// Of several picks: how many there have been.
        given = 4;
        /// Of numbers: whether one was named.
        named = 4;
        /// Of [`super::Pass::When`]: whether nobody may be the answer.
        pass = 5;
    }
    /// The registers of a draw, by the first of them.
    DrawFrame {
        /// Among what; of numbers the lowest. Nothing where words are drawn.
        among = 0;
        /// Of numbers the highest.
        highest = 1;
        /// Of a deal: whose card it is.
        seat = 1;
        /// What came out; of words the number.
        outcome = 2;
    }
}

impl AskFrame {
    /// Of a menu: whether a branch stands open, and among what it picks.
    #[inline]
    pub const fn branch(self, branch: u16) -> (Reg, Reg) {
        let open = self.0.0 + 5 + 2 * branch;
        (Reg(open), Reg(open + 1))
    }
}
