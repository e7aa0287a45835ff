//! The codes that something depends on: what else is said, dropped or read in another way because of
//! them. Whoever looks for a code looks for its name or its class, and never for its letters.

use crate::diagnostic::Code;

/// What a mistake means for what else is found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    /// A name stands for nothing, or not for what is wanted: it may be declared elsewhere.
    Missing,
    /// Something is not there that a declaration would have brought.
    NotThere,
    /// A declaration names what an overlay may have taken out.
    Removable,
    /// Many names may be missing after it.
    MissesMuch,
    /// Files and overlays do not go together at all.
    NoFit,
    /// It is about a pair, which its first name alone does not tell apart.
    OfAPair,
    /// Nobody uses something.
    Unused,
    /// There is no text that could be a ruleset.
    Nothing,
    /// It is about a set, and so about a name for it.
    OfASet,
    /// A game is not as a scenario expects it.
    Verdict,
}

macro_rules! codes {
    ($($name:ident = $code:literal $says:literal $($class:ident)*;)*) => {
        $(#[doc = $says] pub const $name: Code = Code($code);)*

        impl Code {
            /// Whether it is of a class.
            pub fn is(self, class: Class) -> bool {
                let classes: &[Class] = match self.0 {
                    $($code => &[$(Class::$class),*],)*
                    _ => &[],
                };
                classes.contains(&class)
            }
        }
    };
}

codes! {
    STRAY_BRACE = "M0008" "A brace that closes nothing.";
    UNKNOWN_DECLARATION = "M0014" "A declaration that begins with a word that begins none.";
    UNKNOWN_STATEMENT = "M0015" "A statement that begins with a word that begins none.";
    MISSING_BLOCK = "M0016" "A missing block.";
    MISFIT = "M0019" "Something that does not fit.";
    STATEMENT_OUTSIDE = "M0028" "A statement outside of any block.";
    NO_SUCH_FILE = "M0101" "There is no such ruleset or file." MissesMuch NoFit Nothing;
    NO_HEAD = "M0102" "A file that does not say what it is." Nothing;
    USE_OF_A_RULESET = "M0104" "A whole ruleset cannot be used." MissesMuch;
    NO_SUCH_OVERLAY = "M0105" "The file holds no overlay of that name." NoFit;
    UNKNOWN_NAME = "M0201" "A name that nobody declared." Missing NotThere Removable;
    NOT_A_SIDE = "M0202" "A name that should be a role, a team or a class." Missing NotThere Removable;
    BUILT_IN_NAME = "M0205" "A name the language keeps for itself.";
    IT_OUTSIDE = "M0209" "`it` and `that` where they stand for nobody.";
    NO_VALUE = "M0212" "A scene or an event where a value was expected.";
    WRONG_KIND = "M0301" "A value of another kind.";
    EVENT_OF_PLAYERS = "M0323" "An event happens to players.";
    UNKNOWN_ROW = "M0406" "A row for a role that is not there." NotThere;
    TOO_MANY_NAMES = "M0409" "More names or zones than fit." MissesMuch;
    UNKNOWN_HAPPENING = "M0501" "Nothing that happens is called so." Missing NotThere Removable;
    UNKNOWN_RULE = "M0505" "`before` or `after` a rule that is not there." Missing NotThere Removable;
    NO_PERFORMER = "M0507" "Nothing says how a call goes." NotThere;
    UNKNOWN_ENDING = "M0508" "An ending placed next to one that is not there." NotThere Removable;
    NO_SCRIPT = "M0509" "A game without a beginning.";
    LIFE_WITHOUT_SCENE = "M0511" "Remembered until something that is no scene." NotThere Removable;
    TOO_MUCH_TO_WORK_OUT = "M0513" "More than can be worked out.";
    TOO_MUCH_IN_MIND = "M0515" "Too many things kept in mind at once.";
    NOT_FOR_THIS_BASE = "M0601" "An overlay laid on a base it is not for." NoFit;
    REFUSED_OVERLAY = "M0602" "Two overlays that refuse each other." NoFit;
    NEEDED_OVERLAY = "M0603" "An overlay without the one it needs." NotThere NoFit;
    OVERLAYS_IN_NO_ORDER = "M0605" "Two overlays whose order would decide." OfAPair;
    NOTHING_TO_REPLACE = "M0607" "Nothing of that name to replace." Missing NotThere;
    NOTHING_TO_REMOVE = "M0608" "Nothing of that name to remove." Missing NotThere;
    NO_CALL_TO_REPLACE = "M0609" "A call of a role or team that is not there." NotThere;
    NO_PART_TO_REPLACE = "M0610" "A part that the role does not have." NotThere;
    NOT_PUBLISHED = "M0612" "A name of the base that is not published.";
    UNKNOWN_OPTION = "M0613" "An option that is not there." NotThere;
    RULES_IN_NO_ORDER = "M0701" "Rules whose order matters and is not said." OfAPair;
    NEVER_READ = "M0704" "Something remembered that nothing depends on." Unused;
    NEVER_SET = "M0705" "Something read that nothing sets." Unused;
    OPTION_UNREAD = "M0706" "An option that changes nothing." Unused;
    NEVER_SETTLED = "M0707" "A plan that is never settled." Unused;
    NEVER_HAPPENS = "M0708" "An event that nothing causes." Unused;
    NEVER_CALLED = "M0710" "A part that nobody calls." Unused;
    NEVER_DEALT = "M0711" "A role that nobody is dealt." Unused;
    NEVER_PLAYED = "M0718" "A scene that is never played." Unused;
    NEVER_OPEN = "M0719" "An offer that is never open." Unused;
    THROUGH_NOBODY = "M0725" "What happens through somebody, who may be nobody." OfASet;
    VALUE_OF_SEVERAL = "M0728" "A value of several of whom one is looked at." OfASet;
    REPLACED_UNCOUNTED = "M0729" "A scene that is counted no more." OfASet;
    NOBODY_IS_BOTH = "M0745" "A set that nobody is in." OfASet;
    DEPARTED = "M0746" "A set in which those are who have left." OfASet;
    LASTING_MARK = "M0747" "A mark that is never taken off." OfASet;
    TOLD_TO_ALL = "M0754" "A secret that all hear." OfASet;
    SETS_OFF_ITSELF = "M0755" "A rule that does what it waits for." OfASet;
    CHANGES_NOTHING = "M0759" "Something that changes nothing." OfASet;
    SPENT_FOR_NOTHING = "M0760" "What is spent where nobody is named." OfASet;
    WAY_OF_NOBODY = "M0761" "A test that goes one way for nobody." OfASet;
    JUMPED_OVER = "M0762" "A number that may be passed." OfASet;
    UNKNOWN_IN_SCENARIO = "M0921" "An unknown name in a scenario.";
    UNANSWERED = "M0923" "A question that no line answers.";
    REFUSED_ANSWER = "M0925" "An answer that the game refuses.";
    NOT_ONE = "M0938" "An answer of another sort than is asked for.";
    NOT_SO = "M0929" "An expectation that does not hold." Verdict;
    NOT_REFUSED = "M0930" "Something that should be refused and is not." Verdict;
    BETTER_SETUP = "M0935" "A setup that is better than expected." Verdict;
    UNDECIDED_CHANCE = "M0927" "Chance that no line decides.";
}
