//! The table of all commands: what they are called, what they take, what `help` says of them.

use super::super::desk::{Command, Group};
use super::{
    super::{desk::Desk, export, inspect, meddle, narrate, odds, places, reload, source, walk, why_not},
    help, keep, log, time,
};
use omerta_workbench::bundle;

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

fn bundled_names() -> Vec<String> {
    let stem = |file: &include_dir::File<'_>| Some(file.path().file_stem()?.to_string_lossy().into_owned());
    bundle::all().filter_map(stem).collect()
}

/// All commands by what they are for.
pub static GROUPS: &[Group] = &[
    Group {
        topic: "looking",
        about: "how things stand, and why",
        commands: LOOKING,
    },
    Group {
        topic: "going on",
        about: "let the game run on, and say where it stops",
        commands: STEPPING,
    },
    Group {
        topic: "time",
        about: "back, forth, and to one side",
        commands: TIME,
    },
    Group {
        topic: "changing",
        about: "put things right by hand, or play by other rules",
        commands: CHANGING,
    },
    Group {
        topic: "keeping",
        about: "games as files",
        commands: KEEPING,
    },
];

const LOOKING: &[Command] = &[
    Command::new(&["help", "?"], help::help)
        .takes("[TOPIC]")
        .about("what may be typed; of a topic, more")
        .more("Topics are the commands, their groups, and `answers`, `offers`, `chance`.")
        .typed(&["help undo", "help time"])
        .completes(|desk| help::topics(desk).map(str::to_owned).collect()),
    Command::new(&["table"], |desk, _| desk.show(Desk::table_text))
        .about("who sits where, with which card and which marks, as the host sees it")
        .more("Drawn where there is room for it; also the cards that lie on the table and what the rules count.")
        .typed(&["table"]),
    Command::new(&["seats"], |desk, _| desk.show(Desk::seats_text))
        .about("the same as a list")
        .typed(&["seats"]),
    Command::new(&["log", "history"], log::log)
        .takes("[SEAT | public | host] [all]")
        .about("what has happened, as somebody knows it")
        .more("Without a name it is the host's. The numbers are those that `why` and `goto event` take.")
        .typed(&["log Ann", "log public all"])
        .completes(log::viewers),
    Command::new(&["view"], inspect::view)
        .takes("SEAT")
        .about("what somebody knows that not everybody does, and what he is asked")
        .typed(&["view Ann"])
        .completes(|desk| desk.names().to_vec()),
    Command::new(&["who"], inspect::who)
        .about("who is asked now, who would be next after which answer, and who may do what besides")
        .typed(&["who"]),
    Command::new(&["offers"], |desk, _| desk.show(Desk::offers_text))
        .about("what may be done besides answering, and by whom")
        .more("An offer is taken up with `NAME does OFFER`, by the host with `host does OFFER`.")
        .typed(&["offers"]),
    Command::new(&["tally"], inspect::tally)
        .about("who is named by whom so far, and what is counted for whom")
        .more("Also votes that lie face down and are not laid open yet, and raised hands. Where the rules compare them \
               with something, as with half of the living, it says how many are needed.")
        .typed(&["tally"]),
    Command::new(&["why"], source::why)
        .takes("[NUMBER | SEAT | WORDS]")
        .about("what led to the last thing told, with the lines of the rules")
        .more("With words, the last event that has these words in it; with a number, that one of the log; with \
               a seat, the last thing that happened to it.")
        .typed(&["why wakes", "why Ann"])
        .completes(|desk| desk.names().to_vec()),
    Command::new(&["why not"], why_not::why_not)
        .takes("CHOICE")
        .about("which part of the rules forbids an answer, or keeps an offer closed")
        .more("A seat, a card, a role, a number, `pass`, a branch of a menu with or without its target, or an offer: \
               the set, the test or the limit that is in the way, with its line.")
        .typed(&["why not Ann", "why not pass", "why not host does warn Ann"])
        .completes(|desk| {
            let mut all = desk.names().to_vec();
            all.extend(desk.rules().offers.iter().map(|offer| offer.name.clone()));
            all
        }),
    Command::new(&["source"], source::source)
        .takes("NAME")
        .about("the lines of the rules that declare a role, a rule, a scene, anything with a name")
        .typed(&["source vote"])
        .completes(|desk| desk.declared().into_iter().map(|(name, _)| name).collect()),
    Command::new(&["print"], inspect::print)
        .takes_language("EXPR")
        .about("the value of any expression of the language")
        .more("Names of seats stand for those who sit there. A line with an open bracket goes on on the next.")
        .typed(&["print number of players", "print role of Ann"])
        .completes(inspect::names),
    Command::new(&["what if"], inspect::what_if)
        .takes("ANSWER")
        .about("what would come of an answer, and who wins then; it is taken back at once")
        .typed(&["what if Bob", "what if Ann -> Bob, Cid -> Bob"])
        .completes(|desk| desk.answers().into_iter().map(|answer| answer.words).collect()),
    Command::new(&["odds"], odds::odds)
        .about("who wins how often from here, and after each answer")
        .more("Exactly where all positions from here on can be walked in some seconds; else by games that are played \
               on, which is said. Everybody chooses as `rest` says, and takes up an offer in half of the pauses.")
        .typed(&["odds"]),
    Command::new(&["worlds"], odds::worlds)
        .takes("SEAT | public")
        .about("what somebody can know: which cards may lie where, with what chance, and what follows from what")
        .more("Every deal and every choice that he did not make is tried; what would have told him something else, or \
               asked him something else, is left out. Where there are too many, some are drawn, which is said.")
        .typed(&["worlds Ann", "worlds public"])
        .completes(|desk| {
            let mut all = desk.names().to_vec();
            all.push("public".to_owned());
            all
        }),
    Command::new(&["event"], inspect::event)
        .takes("[NUMBER]")
        .about("what the last answer led to, one event at a time, with the line of the rules that made it")
        .typed(&["event", "event 5"]),
];

const STEPPING: &[Command] = &[
    Command::new(&["step"], walk::step)
        .takes("[NUMBER]")
        .about("one answer by a player left to himself, or as many as you say")
        .more("`rest` says how they answer.")
        .typed(&["step", "step 5"]),
    Command::new(&["next"], walk::next)
        .about("on to the next scene of the script")
        .typed(&["next"]),
    Command::new(&["to"], walk::to)
        .takes("SCENE [NUMBER] | SEAT | end")
        .about("on until a scene begins, or somebody is asked")
        .typed(&["to SCENE", "to SCENE 3", "to Ann"])
        .completes(walk::places),
    Command::new(&["end"], walk::end)
        .about("on to the end of the game")
        .typed(&["end"]),
    Command::new(&["rest"], walk::rest)
        .takes("[random | pass | POLICY]")
        .about("how players answer whom you leave to themselves")
        .more("`random` tosses coins, `pass` does as little as the rules allow, a policy goes by its own lines. Nobody takes up an offer.")
        .typed(&["rest pass"])
        .completes(|desk| {
            let policies = desk.rules().policies.iter().map(|policy| policy.name.as_str());
            words(&["random", "pass"].into_iter().chain(policies).collect::<Vec<_>>())
        }),
    Command::new(&["random"], time::random)
        .takes("[NUMBER | end]")
        .about("answer by tossing a coin, once or as often as you say")
        .more("`random end` plays to the end. Nobody takes up an offer, and nothing stops on the way.")
        .typed(&["random 5", "random end"])
        .completes(|_| words(&["end"])),
    Command::new(&["roll"], time::roll)
        .takes("[by-hand | by-seed]")
        .about("roll once; or say who rolls the dice from now on")
        .more("Dice, coins and deals come from the seed by themselves. After `roll by-hand` you are \
               asked for each, and `roll` lets the seed decide once.")
        .typed(&["roll by-hand"])
        .completes(|_| words(&["by-hand", "by-seed"])),
    Command::new(&["break"], walk::stop)
        .takes_language("[EVENT | RULE | SCENE | SEAT | if EXPR | off [NUMBER]]")
        .about("where `step`, `next`, `to` and `end` stop of themselves")
        .more("At an event, at a rule that takes effect, at a scene, when a seat is asked, or when a condition \
               comes to hold. Without a word it lists them.")
        .typed(&["break Ann", "break if number of players is 3", "break off"])
        .completes(walk::stops_known),
    Command::new(&["watch"], walk::watch)
        .takes_language("[EXPR | off [NUMBER]]")
        .about("show a value whenever it changes")
        .more("Without a word it lists what is watched.")
        .typed(&["watch number of players", "watch off 1"])
        .completes(inspect::names),
];

const TIME: &[Command] = &[
    Command::new(&["undo", "back"], |desk, given| {
            let one = if given.is_empty() {
                Desk::undo_line
            } else {
                Desk::undo
            };
            let at = desk.hosted.session.cursor();
            time::repeat(desk, given, one, "there is nothing to take back")?;
            let text = desk.taken_back(at, given.is_empty());
            desk.line(text);
            Ok(())
        })
        .takes("[NUMBER]")
        .about("take back what the last line did, or as many answers as you say")
        .more("As often as you like. What chance rolled comes out the same when the same is answered again.")
        .typed(&["undo", "undo 3"]),
    Command::new(&["redo"], |desk, given| {
            let one = if given.is_empty() {
                Desk::redo_line
            } else {
                Desk::redo
            };
            time::repeat(desk, given, one, "nothing was taken back since the last answer")
        })
        .takes("[NUMBER]")
        .about("give again what was taken back")
        .more("Until something else is answered.")
        .typed(&["redo"]),
    Command::new(&["goto"], places::goto)
        .takes("SCENE [NUMBER] | start | end | event NUMBER | NUMBER")
        .about("to any place of the game played so far")
        .more("A scene's beginning, the first question, the last, the answer that led to an event of the log, or \
               the place behind so many answers. What lies behind it can be given again with `redo`.")
        .typed(&["goto SCENE 2", "goto start", "goto event 40"])
        .completes(places::known_places),
    Command::new(&["branch"], places::branch)
        .takes("[NAME]")
        .about("play on from here under a new name, and leave what was as it is")
        .typed(&["branch what-if-Bob"]),
    Command::new(&["branches", "tree"], places::branches)
        .about("the branches as a tree: which grew out of which, and where")
        .typed(&["branches"]),
    Command::new(&["switch"], places::switch)
        .takes("NAME")
        .about("go on with another branch, where it was left")
        .typed(&["switch main"])
        .completes(|desk| desk.branches.names().to_vec()),
    Command::new(&["compare"], places::compare)
        .takes("NAME [NAME]")
        .about("where two branches part, and how their tables differ")
        .typed(&["compare main what-if-Bob"])
        .completes(|desk| desk.branches.names().to_vec()),
    Command::new(&["leave"], places::leave)
        .about("drop this branch and go back to the one it grew out of")
        .typed(&["leave"]),
];

const CHANGING: &[Command] = &[
    Command::new(&["by hand"], meddle::by_hand)
        .takes("DEED")
        .about("turn a card, set a mark, a link or a number, or let an event happen")
        .more("`turn SEAT into ROLE`, `mark SEAT as MARK`, `unmark SEAT as MARK`, `link SEAT to SEAT as LINK`, \
               `unlink SEAT as LINK`, `set NAME [of SEAT] to VALUE`, `do EVENT [of SEAT] [by SEAT]`. The rules \
               that wait for it come into force; the log says that it was done by hand, and `undo` takes it back.")
        .typed(&["by hand do departure of Ann", "by hand set round to 3"])
        .completes(meddle::sentences),
    Command::new(&["reload"], reload::reload)
        .about("read the rules again, give the same answers, and show where the game differs")
        .more("When the rules are wrong, the mistakes are shown and the game stays as it was.")
        .typed(&["reload"]),
    Command::new(&["watch file", "follow"], reload::watch_file)
        .takes("[off]")
        .about("`reload` whenever a file of the rules is written")
        .typed(&["watch file", "watch file off"])
        .completes(|_| words(&["off"])),
];

const KEEPING: &[Command] = &[
    Command::new(&["narrate"], narrate::narrate)
        .about("what comes next, to be read aloud: the words that all will hear whatever is answered")
        .more("Nothing secret stands in it.")
        .typed(&["narrate"]),
    Command::new(&["export"], export::export)
        .takes("FILE.play [TITLE]")
        .about("write the game as a scenario, with what was said and a snapshot: a test for `omerta test`")
        .typed(&["export bug.play", "export bug.play the doctor is asked twice"]),
    Command::new(&["save"], keep::save)
        .takes("FILE")
        .about("keep the game in a file, with all its branches")
        .more("The file holds the names of the rules, the table and all answers.")
        .typed(&["save friday.game"]),
    Command::new(&["load"], keep::load)
        .takes("FILE")
        .about("go on with a game that was kept")
        .more("If its rules have changed since, it is played again as far as it fits.")
        .typed(&["load friday.game"]),
    Command::new(&["open"], keep::open)
        .takes("[RULESET] [--players N] [--names A,B] [--seed S] [--with OVERLAY] [--set OPTION=VALUE] …")
        .about("another game, with the words of `omerta play`")
        .more("This one is laid aside if anything was answered in it: `games` lists those laid aside.")
        .typed(&["open --players 12 --seed 7", "open ./mine.mafia"])
        .completes(|_| bundled_names()),
    Command::new(&["games"], keep::games)
        .takes("[NUMBER]")
        .about("the games that were laid aside for this one; with a number, go on with that one")
        .more("`open` and `load` lay the game on the table aside, with its branches. `omerta play --resume` has them all.")
        .typed(&["games", "games 1"])
        .completes(|desk| (1..=desk.aside.len()).map(|number| number.to_string()).collect()),
    Command::new(&["quit", "exit", "bye"], |desk, _| {
            desk.done = true;
            Ok(())
        })
        .about("leave")
        .more("The end of the input does the same. `omerta play --resume` goes on where a session at a terminal was left.")
        .typed(&["quit"]),
];
