//! What happens: events, scenes, rules and their order, questions.

use super::wording::{On, kind_name, list, or_elsewhere};
use crate::effects::Quarrel;
use crate::layer::Layer;
use omerta_core::codes;
use omerta_core::diagnostic::Diagnostic;
use omerta_core::mistakes;
use omerta_core::rules::Kind;
use omerta_core::source::Span;
use omerta_syntax::tree::{Name, Rule};

/// Names that there are, as they stand behind what they are.
fn in_brackets(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        names => format!(" ({})", list(names)),
    }
}

mistakes! {
    /// A rule that waits for something nobody declared.
    pub fn unknown_happening(name: &Name, (known, events, scenes): (&[&str], &[&str], &[&str]), on: On<'_>) = error(codes::UNKNOWN_HAPPENING, name.span):
        format!("nothing that happens{place} is called `{}`", name.text),
        "no event, scene, words or ending of that name",
        near &name.text, known, else or_elsewhere(name, on, help),
        where place = match on.1 {
            Layer::Base => String::new(),
            Layer::Overlay(_) => format!(" in {}", on.0.name(on.1)),
        },
        where help = format!(
            "a rule waits for an event{}, a scene{}, words with `as NAME`, a named ending, `ability` or `choice`",
            in_brackets(events), in_brackets(scenes),
        );

    /// `after cure`, where `cure` is a rule.
    pub fn happening_is_a_rule(name: &Name, rule: &Rule) = error(codes::UNKNOWN_HAPPENING, name.span):
        format!("`{}` is a rule, and a rule waits for what happens, not for a rule", name.text),
        "a rule",
        also rule.name.span, "this one, with what it waits for itself",
        help format!(
            "it waits for {}: write a rule on that, too, and before its colon `{} {}` where that one shall come first",
            list(&rule.happening.names), "after", name.text
        );

    /// `do visit of p`, where `visit` is several events.
    pub fn several_events(name: &Name) = error("M0518", name.span):
        format!("`{}` is a name for several events, and one is wanted", name.text), "which of them?",
        help "name one event; in a rule, `do same of q` does the one that the rule is about to somebody else";

    /// `do same of q` anywhere but in a rule on an event.
    pub fn same_as_nothing(name: &Name) = error("M0518", name.span):
        "`same` is the event that a rule is about, and this is no rule on an event", "the same as what?",
        help "name the event, as in `do kill of q`";

    /// A pattern at a place the happening does not have.
    pub fn pattern_without_place(span: Span, word: &str, names: &[Name]) = error("M0502", span):
        format!("{} has no `{word}`", list(names)), "nothing to compare with",
        help match names {
            [end] if end.text == "end" => "what comes when a scene is over is a rule `after` it: `rule howl: after Dusk { … }`",
            _ => "put the test after `when` instead",
        };

    /// `before blow with n and r` where a blow is handed one thing.
    pub fn handed_no_more(span: Span, number: usize, names: &[Name]) = error("M0502", span):
        format!("{} is handed {} and no more", list(names), match number {
            1 => "one thing".to_owned(),
            more => format!("{more} things"),
        }), "there is nothing for it",
        help match number {
            1 => "several people who are one thing are joined by `plus`; for one thing more, declare it with `and`",
            _ => "take it out, or declare one more with `and`",
        };

    /// `instead of each Dusk`: only events come several at once.
    pub fn each_of_no_event(name: &Name, moment: Span) = error("M0503", moment):
        format!("`each` is for events that come several at once, and `{}` is none", name.text), "not here",
        help "take `each` out: such a rule comes in every time as it is";

    /// A moment a happening does not have.
    pub fn moment_not_possible(name: &Name, moment: Span, can: &[&str]) = error("M0503", moment):
        format!("a rule can come only {} `{}`", can.join(" or "), name.text), "not here",
        help format!("write `{}`", can[0]),
        writes can[0];
}

/// Rules that wait for each other.
pub fn rules_in_a_ring(names: &[&Name]) -> Diagnostic {
    let message = format!("the rule `{}` would have to come before itself", names[0].text);
    let label = "its `before` and `after` run in a circle";
    let base = Diagnostic::error("M0504", message, names[0].span, label);
    let all = names[1..]
        .iter()
        .fold(base, |d, name| d.also(name.span, "and this one with it"));
    all.help("remove one of the words `before` or `after`")
}

mistakes! {
    /// `before` or `after` a rule that is not there.
    pub fn unknown_rule(name: &Name, known: &[&str]) = error(codes::UNKNOWN_RULE, name.span):
        format!("there is no rule `{}`", name.text), "not declared",
        near &name.text, known, else format!("there are {}", list(known));

    /// A define that needs itself.
    pub fn define_needs_itself(name: &Name, declared: Span) = error("M0506", name.span):
        format!("working out `{}` needs `{}` itself", name.text, name.text), "asked for here",
        also declared, "while working this out",
        help "say one of them by what is known without it: a mark, a role, a count";

    /// `call` without a scene that performs.
    pub fn nothing_performs(span: Span) = error(codes::NO_PERFORMER, span):
        "nothing says how a call goes", "called here",
        help "write a scene of a role with `perform` in it";
}

/// Two rules whose order decides.
pub fn rules_in_no_order(
    one: &Rule,
    two: &Rule,
    quarrel: Quarrel,
    over: Option<&str>,
    overlays: bool,
) -> Diagnostic {
    let (a, b) = (&one.name.text, &two.name.text);
    let why = match quarrel {
        Quarrel::Over(_) => format!("both touch {}", over.unwrap_or("the same thing")),
        Quarrel::BothAsk => "both ask somebody, and the order of questions can be seen".to_owned(),
        Quarrel::OneMayEnd => "one may end the game before the other comes in".to_owned(),
        Quarrel::BothReplace => "both take the place of the same thing, and only the first does".to_owned(),
    };
    let message = format!("it matters which of the rules `{a}` and `{b}` comes first: {why}");
    let help = format!("write `rule {b} after {a}: …`, or `before`");
    if overlays {
        return Diagnostic::error(codes::OVERLAYS_IN_NO_ORDER, message, two.name.span, "this one")
            .also(one.name.span, "and this one")
            .help(format!(
                "leave one of the overlays out; or let the second say `needs` and `rule {b} after {a}: …`"
            ));
    }
    Diagnostic::warning(
        codes::RULES_IN_NO_ORDER,
        "unordered-rules",
        message,
        two.name.span,
        "this one",
    )
    .also(one.name.span, "and this one")
    .help(help)
}

/// The last pair that is told of many.
pub fn and_more_in_no_order(last: Diagnostic) -> Diagnostic {
    let repair = last.help.clone().unwrap_or_default();
    last.help(format!(
        "{repair}; there are more pairs of rules on this happening of which it matters, and they are not told"
    ))
}

mistakes! {
    /// An ending placed next to one that is not there.
    pub fn unknown_ending(name: &Name, known: &[String]) = error(codes::UNKNOWN_ENDING, name.span):
        format!("there is no ending `{}`", name.text), "not declared",
        near &name.text, known, else "give the ending a name: `ending NAME: win … when …`";

    /// A policy for a question that nobody asks.
    pub fn no_such_question(name: &Name, known: &[String]) = error("M0516", name.span):
        format!("nothing is asked for by the name of `{}`", name.text), "no question, no answer in a menu, no offer",
        near &name.text, known,
        else "name what stands behind `for` in `ask … for NAME from …`, an answer of a menu, or an offer (`allow … to NAME`)";

    /// Questions in one line of a policy that want different things.
    pub fn unlike_questions((first, kind): (&Name, Kind), (other, another): (&Name, Kind)) = error("M0517", other.span):
        format!("`{}` is answered with {kind} and `{}` with {another}", first.text, other.text), "answered otherwise",
        also first.span, "the first question of the line",
        help "write a line for each; the same name for two questions of different kinds needs another name in the rules",
        where (kind, another) = (kind_name(kind), kind_name(another));

    /// The game has no beginning.
    pub fn no_script(span: Span) = error(codes::NO_SCRIPT, span):
        "the ruleset has no `script`", "where does the game begin?",
        help "write `script { … }` with the scenes in the order they are played";

    /// Two beginnings.
    pub fn two_scripts(span: Span, first: Span) = error("M0510", span):
        "the ruleset has two scripts", "again here",
        also first, "first here",
        help "an overlay that means to change it says `replace`, or puts rules around the scenes";

    /// A lifetime that names no scene.
    pub fn life_needs_scene(name: &Name, scenes: &[&str]) = error(codes::LIFE_WITHOUT_SCENE, name.span):
        format!("`{}` is not a scene", name.text), "what is remembered lasts until a scene",
        near &name.text, scenes, else match scenes.first() {
            Some(scene) => format!(
                "declare `scene {} {{ … }}`, or name a scene that is there: `until {scene}`, `until end of {scene}`",
                name.text
            ),
            None => format!("declare `scene {} {{ … }}`, or leave `until` out", name.text),
        };

    /// Defines that lead to defines, and rules that lead to rules, without an end.
    pub fn too_much_to_work_out(span: Span) = error(codes::TOO_MUCH_TO_WORK_OUT, span):
        "this leads to more than can be worked out", "goes on and on from here",
        help "let definitions build on fewer others, and rules set off fewer rules";

    /// A rule on words that says the same words.
    pub fn rule_sets_itself_off(rule: &Name) = error("M0514", rule.span):
        format!("the rule `{}` would set itself off for ever", rule.text), "waits for what it does itself",
        help "let it say the words without their `as` name, or ask in it without making a new choice";

    /// A rule that plays or does what it waits for, whatever holds.
    pub fn rule_begins_itself(rule: &Name, to_somebody: bool) = error("M0514", rule.span):
        format!("the rule `{}` would set itself off for ever", rule.text), "begins what it waits for",
        help match to_somebody {
            true => "let it happen to those alone to whom it has not happened yet: name who is still there, or leave out whom it has marked",
            false => "for twice instead of once put it under `if` with a flag that is set meanwhile; for again and again write `repeat` where the scene is played",
        };

    /// A scene that plays itself, an event that does itself, at once or by what they begin, whatever holds.
    pub fn begins_itself(name: &Name) = error("M0514", name.span):
        format!("`{}` begins itself again before it is over, for ever", name.text), "begun again within itself",
        help "put it under `if`; for again and again let a `repeat` begin it";

    /// A rule instead of an event that tests what it changes.
    pub fn tested_at_once(rule: &Name, fact: &str, moment: Span) = warning "tested-at-once" ("M0723", moment):
        format!("`{}` is decided for all at once, though it changes `{fact}`, on which it depends", rule.text),
        "all are decided before the first is done",
        help "write `instead of each`: then they are decided one after the other, and the second sees what the first has changed";

    /// A rule before an event that has somebody win, though the event may be replaced.
    pub fn wins_too_early(rule: &Name, other: &Name, moment: Span) = warning "wins-too-early" ("M0724", moment):
        format!("`{}` decides before it is known whether it happens", rule.text), "comes in even where it is replaced",
        also other.span, "this rule may take its place",
        help "write `after`: such rules come in only where it did happen";

    /// Two scenes that perform calls.
    pub fn two_performers(span: Span, first: Span) = error("M0512", span):
        "two scenes say how a call goes", "`perform` here",
        also first, "and here",
        help "keep one of them, or `replace` it";

    /// A procedure that needs more registers than a frame has.
    pub fn body_too_large(span: Span) = error(codes::TOO_MUCH_IN_MIND, span):
        "too many things are kept in mind at once", "from here on it is too much",
        help "move a part of it into a scene of its own: what is named there is forgotten at its end";
}
