//! `help`: the commands by what they are for, one of them, and topics that are no commands.

use crate::faces::repl::{
    desk::{Command, Desk, Done},
    walk,
};
use omerta_core::diagnostic::close_name;
use omerta_play::words::listed;

/// Topics of `help` that are no commands.
const TOPICS: &[(&str, &str)] = &[
    (
        "answers",
        "An answer is the name of an option, its number, or as much of the name as is clear. `pass` is \
         nobody, where that may be answered. At a wait, `go` or an empty line goes on. Where an answer and \
         a command have the same name, `:undo` is the command.\n\
         Several at once, the next question after each: `Bob, Cid, pass`. For those who are named, over \
         waits: `Ann -> Bob`, `Ann, Cid -> Bob`; one for each of a set: `players -> Bob`. When one of \
         them is refused, none is given.",
    ),
    (
        "offers",
        "What somebody may do at any pause comes on top of the question: `Ann does OFFER Bob`, \
         `host does OFFER Bob`. `offers` lists what is open and to whom.",
    ),
    (
        "chance",
        "Dice, coins and deals come from the seed: the same seed and the same answers give the same game.\n\
         `roll by-hand` lets you put in what real dice show.",
    ),
];

/// What there is help about.
pub fn topics(desk: &Desk) -> impl Iterator<Item = &'static str> {
    let groups = desk.commands.0.iter().map(|group| group.topic);
    let names = desk.commands.all().map(|command| command.names[0]);
    let others = TOPICS.iter().map(|(topic, _)| *topic);
    names.chain(groups).chain(others).chain(["all"])
}

/// `help`
pub fn help(desk: &mut Desk, topic: &str) -> Done {
    match topic {
        "" => help_short(desk),
        "all" => help_all(desk),
        topic => return help_about(desk, topic),
    }
    Ok(())
}

fn help_about(desk: &mut Desk, topic: &str) -> Done {
    let word = topic.trim_start_matches(':');
    let text = TOPICS.iter().find(|(name, _)| *name == word);
    let group = desk.commands.0.iter().find(|group| group.topic == word);
    let command = desk.commands.named(word).filter(|(_, rest)| rest.is_empty());
    let wide = widest(desk);
    if let Some((command, _)) = command {
        help_of(desk, command);
    } else if let Some(group) = group {
        desk.line(format!("  {}", group.about));
        for command in group.commands {
            desk.line(format!("  {:wide$}  {}", command.names[0], command.about));
            desk.line(format!("  {:wide$}  {}", "", examples(desk, command)));
        }
    } else if let Some((_, text)) = text {
        text.lines().for_each(|line| desk.line(format!("  {line}")));
    } else {
        let hint = close_name(word, topics(desk)).map_or_else(
            || "`help` lists all".to_owned(),
            |c| format!("did you mean `help {c}`?"),
        );
        return Err(format!("there is no help about `{word}`; {hint}"));
    }
    Ok(())
}

fn help_of(desk: &mut Desk, command: &Command) {
    let head = format!("  {} {}", command.names.join(", "), command.takes);
    desk.line(head.trim_end());
    desk.line(format!("    {}", command.about));
    if !command.more.is_empty() {
        desk.line(format!("    {}", command.more));
    }
    desk.line(format!("    for instance {}", examples(desk, command)));
}

/// What may be typed, with a scene of the rules at hand.
fn examples(desk: &Desk, command: &Command) -> String {
    let examples = format!("`{}`", command.examples.join("`, `"));
    examples.replace("SCENE", &walk::some_scene(desk))
}

/// The commands by what they are for; a screen of it.
fn help_short(desk: &mut Desk) {
    desk.line("  Answer with a name, a number, or the beginning of a name; `pass` is nobody.");
    desk.line("  Whatever else is open is done with `NAME does OFFER`, or `host does OFFER`.");
    let scene = walk::some_scene(desk);
    desk.line(format!(
        "  To begin with: `who`, `table`, `to {scene}`, `undo`, `why`, `narrate`.\n"
    ));
    let wide = desk
        .commands
        .0
        .iter()
        .map(|group| group.topic.len())
        .max()
        .unwrap_or(0);
    for group in desk.commands.0 {
        let names: Vec<&str> = group.commands.iter().map(|command| command.names[0]).collect();
        desk.line(format!("  {:wide$}  {}", group.topic, names.join(", ")));
    }
    let more: Vec<String> = TOPICS
        .iter()
        .map(|(topic, _)| format!("`help {topic}`"))
        .collect();
    desk.line(format!(
        "\n  `help undo` tells of one, `help time` of a group, `help all` of all; also {}.",
        listed(more, "and")
    ));
}

/// Every command with what it does.
fn help_all(desk: &mut Desk) {
    let wide = widest(desk);
    for group in desk.commands.0 {
        desk.line(format!("\n  {}: {}", group.topic, group.about));
        for command in group.commands {
            desk.line(format!("  {:wide$}  {}", command.names[0], command.about));
        }
    }
}

fn widest(desk: &Desk) -> usize {
    desk.commands
        .all()
        .map(|command| command.names[0].len())
        .max()
        .unwrap_or(0)
}
