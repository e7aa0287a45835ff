//! The commands of a game under way: a table, each with its names, its help and what it does.

use super::desk::{Desk, Rolling};
use crate::{
    diagnostic::close_name,
    engine::Viewer,
    faces::{files, render::Format, workbench::Wanted},
    play::save::{Save, SaveError},
};
use std::path::Path;

/// How many events `log` shows.
const LATEST: usize = 30;
/// How many answers `random` gives at the most.
const MOST_RANDOM: usize = 100_000;

/// What a command comes to: nothing more to say, or why it could not be done.
pub type Done = Result<(), String>;

/// A command.
pub struct Command {
    /// Its name, then the other words that do the same.
    pub names: &'static [&'static str],
    /// What may stand behind it.
    pub takes: &'static str,
    /// One line of help.
    pub about: &'static str,
    /// More of it.
    pub more: &'static str,
    /// How it is typed.
    pub example: &'static str,
    /// What may stand behind it now, for completion.
    pub completes: fn(&Desk) -> Vec<String>,
    /// What it does with what stands behind it.
    pub run: fn(&mut Desk, &str) -> Done,
}

fn nothing(_: &Desk) -> Vec<String> {
    Vec::new()
}

/// All commands, in the order in which `help` lists them.
pub static COMMANDS: &[Command] = &[
    Command {
        names: &["help", "?"],
        takes: "[TOPIC]",
        about: "what may be typed; of a topic, more",
        more: "Topics are the commands and `answers`, `offers`, `chance`.",
        example: "help undo",
        completes: |_| topics().map(str::to_owned).collect(),
        run: help,
    },
    Command {
        names: &["table", "seats"],
        takes: "",
        about: "who sits where, with which card and which marks, as the host sees it",
        more: "Also the cards that lie on the table and what the rules count.",
        example: "table",
        completes: nothing,
        run: |desk, _| {
            let text = desk.table_text();
            desk.out.push_str(&text);
            Ok(())
        },
    },
    Command {
        names: &["offers"],
        takes: "",
        about: "what may be done besides answering, and by whom",
        more: "An offer is taken up with `NAME does OFFER`, by the host with `host does OFFER`.",
        example: "offers",
        completes: nothing,
        run: |desk, _| {
            let text = desk.offers_text();
            desk.out.push_str(&text);
            Ok(())
        },
    },
    Command {
        names: &["log", "history"],
        takes: "[SEAT | public | host] [all]",
        about: "what has happened, as somebody knows it",
        more: "Without a name it is the host's. The numbers are those that `why` takes.",
        example: "log Ann",
        completes: viewers,
        run: log,
    },
    Command {
        names: &["why"],
        takes: "[NUMBER | WORDS]",
        about: "what led to the last thing told, with the lines of the rules",
        more: "With words, the last event that has these words in it; with a number, that one of the log.",
        example: "why wakes",
        completes: nothing,
        run: |desk, given| {
            let text = desk.why_text(given).ok_or_else(|| match given.is_empty() {
                true => "nothing has happened yet".to_owned(),
                false => format!("nothing with the words `{given}` has happened; `log all` shows what has"),
            })?;
            desk.out.push_str(&text);
            Ok(())
        },
    },
    Command {
        names: &["undo", "back"],
        takes: "[NUMBER]",
        about: "take back the last answer, with what came of it",
        more: "As often as you like. What chance rolled comes out the same when the same is answered again.",
        example: "undo 3",
        completes: nothing,
        run: |desk, given| {
            step(desk, given, Desk::undo, "there is nothing to take back")?;
            let text = desk.taken_back();
            desk.line(text);
            Ok(())
        },
    },
    Command {
        names: &["redo"],
        takes: "[NUMBER]",
        about: "give again what was taken back",
        more: "Until something else is answered.",
        example: "redo",
        completes: nothing,
        run: |desk, given| step(desk, given, Desk::redo, "nothing was taken back"),
    },
    Command {
        names: &["random"],
        takes: "[NUMBER | end]",
        about: "let players who toss coins answer, once or so many times",
        more: "`random end` plays to the end. They take up no offers.",
        example: "random 5",
        completes: |_| vec!["end".to_owned()],
        run: random,
    },
    Command {
        names: &["roll"],
        takes: "[by-hand | by-seed]",
        about: "let chance decide; who rolls the dice from now on",
        more: "Dice, coins and deals come from the seed by themselves. After `roll by-hand` you are \
               asked for each, and `roll` lets the seed decide once.",
        example: "roll by-hand",
        completes: |_| vec!["by-hand".to_owned(), "by-seed".to_owned()],
        run: roll,
    },
    Command {
        names: &["save"],
        takes: "FILE",
        about: "keep the game in a file",
        more: "The file holds the names of the rules, the table and all answers.",
        example: "save friday.game",
        completes: nothing,
        run: save,
    },
    Command {
        names: &["load"],
        takes: "FILE",
        about: "go on with a game that was kept",
        more: "If its rules have changed since, it is played again as far as it fits.",
        example: "load friday.game",
        completes: nothing,
        run: load,
    },
    Command {
        names: &["quit", "exit", "bye"],
        takes: "",
        about: "leave",
        more: "The end of the input does the same.",
        example: "quit",
        completes: nothing,
        run: |desk, _| {
            desk.done = true;
            Ok(())
        },
    },
];

/// Topics of `help` that are no commands.
const TOPICS: &[(&str, &str)] = &[
    (
        "answers",
        "An answer is the name of an option, its number, or as much of the name as is clear. `pass` is\n\
         nobody, where that may be answered. At a wait, `go` or an empty line goes on. Where an answer and\n\
         a command have the same name, `:undo` is the command.",
    ),
    (
        "offers",
        "What somebody may do at any pause stands open besides the question: `Ann does put-up Bob`,\n\
         `host does warn Bob`. `offers` lists what is open and to whom.",
    ),
    (
        "chance",
        "Dice, coins and deals come from the seed: the same seed and the same answers give the same game.\n\
         `roll by-hand` lets you put in what real dice show.",
    ),
];

fn topics() -> impl Iterator<Item = &'static str> {
    COMMANDS
        .iter()
        .map(|command| command.names[0])
        .chain(TOPICS.iter().map(|(topic, _)| *topic))
}

/// A command by one of its names.
pub fn named(word: &str) -> Option<&'static Command> {
    COMMANDS
        .iter()
        .find(|command| command.names.iter().any(|name| name.eq_ignore_ascii_case(word)))
}

/// The one command that begins so.
pub fn begun(word: &str) -> Option<&'static Command> {
    let word = word.to_lowercase();
    let mut begun = COMMANDS
        .iter()
        .filter(|command| command.names[0].starts_with(&word));
    begun
        .next()
        .filter(|_| begun.next().is_none() && !word.is_empty())
}

// ---- What they do

fn help(desk: &mut Desk, topic: &str) -> Done {
    if topic.is_empty() {
        return help_all(desk);
    }
    let word = topic.trim_start_matches(':');
    let text = TOPICS
        .iter()
        .find(|(name, _)| *name == word)
        .map(|(_, text)| *text);
    let command = named(word);
    if text.is_none() && command.is_none() {
        let close = close_name(word, topics());
        let hint = close.map_or_else(
            || "`help` lists all".to_owned(),
            |c| format!("did you mean `help {c}`?"),
        );
        return Err(format!("there is no help about `{word}`; {hint}"));
    }
    if let Some(command) = command {
        desk.line(format!("  {} {}", command.names.join(", "), command.takes));
        desk.line(format!("    {}", command.about));
        desk.line(format!("    {}", command.more));
        desk.line(format!("    for instance `{}`", command.example));
    }
    for line in text.unwrap_or_default().lines() {
        desk.line(format!("  {line}"));
    }
    Ok(())
}

fn help_all(desk: &mut Desk) -> Done {
    desk.line("  Answer with a name, a number, or the beginning of a name; `pass` is nobody.");
    desk.line("  What stands open besides is done with `NAME does OFFER`, or `host does OFFER`.\n");
    let wide = COMMANDS
        .iter()
        .map(|command| command.names[0].len())
        .max()
        .unwrap_or(0);
    for command in COMMANDS {
        desk.line(format!("  {:wide$}  {}", command.names[0], command.about));
    }
    desk.line("\n  `help TOPIC` tells more: a command, or `answers`, `offers`, `chance`.");
    Ok(())
}

fn viewers(desk: &Desk) -> Vec<String> {
    let names = desk.session.table().names.iter().cloned();
    names
        .chain(["public", "host", "all"].map(str::to_owned))
        .collect()
}

fn log(desk: &mut Desk, given: &str) -> Done {
    let mut viewer = Viewer::Host;
    let mut most = LATEST;
    for word in given.split_whitespace() {
        match word.to_lowercase().as_str() {
            "all" => most = usize::MAX,
            "host" => viewer = Viewer::Host,
            "public" | "everybody" => viewer = Viewer::Public,
            _ => viewer = Viewer::Seat(seat(desk, word)?),
        }
    }
    let text = desk.log_text(viewer, most);
    desk.out.push_str(if text.is_empty() {
        "      nothing yet\n"
    } else {
        &text
    });
    Ok(())
}

/// A seat by its name or the beginning of it.
fn seat(desk: &Desk, word: &str) -> Result<u8, String> {
    let names = &desk.session.table().names;
    let lower = word.to_lowercase();
    let exact = names.iter().position(|name| name.to_lowercase() == lower);
    let begun: Vec<usize> = (0..names.len())
        .filter(|seat| names[*seat].to_lowercase().starts_with(&lower))
        .collect();
    match (exact, begun[..].first()) {
        (Some(seat), _) => Ok(seat as u8),
        (None, Some(seat)) if begun.len() == 1 => Ok(*seat as u8),
        _ => {
            let close = close_name(word, names.iter().map(String::as_str));
            let hint = close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"));
            Err(format!("nobody here is called `{word}`{hint}"))
        }
    }
}

fn step(desk: &mut Desk, given: &str, one: fn(&mut Desk) -> bool, none: &str) -> Done {
    let times = match given {
        "" => 1,
        given => given
            .parse::<usize>()
            .map_err(|_| format!("`{given}` is no number of answers"))?,
    };
    let done = (0..times).take_while(|_| one(desk)).count();
    if done == 0 { Err(none.to_owned()) } else { Ok(()) }
}

fn random(desk: &mut Desk, given: &str) -> Done {
    let times = match given {
        "" => 1,
        "end" => MOST_RANDOM,
        given => given
            .parse::<usize>()
            .map_err(|_| format!("`{given}` is no number; `random end` plays on"))?,
    };
    let done = (0..times.min(MOST_RANDOM)).take_while(|_| desk.random()).count();
    if done == 0 {
        Err("nothing is asked any more".to_owned())
    } else {
        Ok(())
    }
}

fn roll(desk: &mut Desk, given: &str) -> Done {
    match given {
        "by-hand" => {
            desk.rolling = Rolling::ByHand;
            desk.line("  from now on you say what chance decides; `roll` lets the seed do it once");
            Ok(())
        }
        "by-seed" => {
            desk.rolling = Rolling::BySeed;
            while desk.roll() {}
            Ok(())
        }
        "" if desk.roll() => Ok(()),
        "" => Err("chance is not asked now; by default it decides by itself".to_owned()),
        other => Err(format!(
            "`{other}` is no way to roll; it is `by-hand` or `by-seed`"
        )),
    }
}

// ---- Files

fn save(desk: &mut Desk, file: &str) -> Done {
    if file.is_empty() {
        return Err("name a file: `save friday.game`".to_owned());
    }
    let path = Path::new(file);
    if files::is_there(path) {
        let known = files::read(path).map_err(|error| format!("{error:#}"))?;
        if Save::from_text(&known).is_err() {
            return Err(format!(
                "`{file}` is there already and is no saved game; choose another name"
            ));
        }
    }
    let mut save = Save::of(&desk.session);
    save.ruleset.clone_from(&desk.wanted.base);
    save.overlays.clone_from(&desk.wanted.overlays);
    files::write(path, &save.to_text()).map_err(|error| format!("{error:#}"))?;
    desk.line(format!("  kept in `{file}`"));
    Ok(())
}

fn load(desk: &mut Desk, file: &str) -> Done {
    if file.is_empty() {
        return Err("name a file: `load friday.game`".to_owned());
    }
    let text = files::read(Path::new(file)).map_err(|error| format!("{error:#}"))?;
    let save = Save::from_text(&text).map_err(|error| refusal(file, &error))?;
    let wanted = Wanted {
        base: save.ruleset.clone(),
        overlays: save.overlays.clone(),
        options: save.options.clone(),
    };
    let laid = desk.bench.lay(&wanted).map_err(|problems| {
        let problems = desk
            .bench
            .render(&problems, Format::Short, crate::faces::render::Style::PLAIN);
        format!("the rules of `{file}` cannot be used:\n{problems}")
    })?;
    let loaded = save
        .load(laid.bench.rules, laid.bench.hooks)
        .map_err(|error| refusal(file, &error))?;
    if loaded.other_rules {
        desk.line("  note: the rules have changed since this game was kept");
    }
    if let Some(stopped) = &loaded.stopped {
        let given = stopped.at;
        desk.line(format!(
            "  note: only {given} of its {} answers fit the rules as they are now",
            stopped.of
        ));
    }
    desk.replace(loaded.session, wanted);
    let text = desk.table_text();
    desk.out.push_str(&text);
    Ok(())
}

fn refusal(file: &str, error: &SaveError) -> String {
    match error {
        SaveError::TooLong { bytes } => format!("`{file}` is too long for a saved game ({bytes} bytes)"),
        SaveError::Malformed { message } => format!("`{file}` is no saved game: {message}"),
        SaveError::Version { found } => {
            format!("`{file}` was kept by another omerta (form {found}), and this one cannot read it")
        }
        SaveError::NoSuchRole { name } => {
            format!("`{file}` has a card `{name}`, and the rules have no such role any more")
        }
        SaveError::Start(_) => format!("`{file}` has a table that its rules do not allow"),
    }
}
