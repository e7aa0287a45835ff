//! What is answered to each command of the prompt, at several points of a game of all rulesets, there and back again.

use super::{
    Net,
    subjects::{Subject, subjects},
};
use omerta::faces::{
    console::Console,
    render::Style,
    repl::{Desk, outfit},
};
use omerta_play::{hosted::Hosted, session::Table};
use omerta_workbench::Workbench;
use std::fmt::Write;

/// Typed at each point; `A`, `B` and `C` are seats, `O` the first answer that may be given.
const LOOKING: &str = "who; tally; offers; table; seats; log; log public all; log B; view A; view C; why; why A; why 3; \
    why not A; why not B; why not pass; why not yes; why not 2; narrate; event; event 4; break; watch; branches; \
    print number of players; print players without A; print role of B; print team of C; print card of A; print left of B; \
    print number of (players without B); print A is B; print winners; print round plus 1";
/// Typed between two points, in turn.
const GOING: [&str; 6] = [
    "what if O; step; break A; watch number of living; to B; step 3; undo; redo; redo; goto event 3; goto start; redo; goto end",
    "branch other; O; random 4; compare main; undo 2; branch third; random 2; switch main; branches; random 3; compare other third; switch third; leave",
    "rest pass; what if O; next; break off; watch off; roll by-hand; step 2; roll; roll by-seed; undo; undo",
    "rest random; host does O; A does O; O, O; A -> B; B -> A, C -> A; nobody; 1; 3; go",
    "random 8; goto 5; what if B; O; branches; undo 3; random 6",
    "random 60; what if O; log A all; who; undo; redo; goto start; goto end; narrate",
];
/// How many of the things that may stand behind a command are tried of each.
const COMPLETED: usize = 3;

/// Of every so manieth ruleset.
const EVERY: usize = 2;
/// A game in which more has happened is left there.
const LONGEST: usize = 600;

struct Typing<'a> {
    desk: Desk,
    told: &'a mut String,
}

impl Typing<'_> {
    fn line(&mut self, line: &str) {
        if self.desk.log().events.len() > LONGEST {
            return;
        }
        let (first, seats) = (self.first(), self.desk.names().to_vec());
        let word = |word: &str| match word {
            "A" => seats[0].clone(),
            "B" => seats[1 % seats.len()].clone(),
            "C" => seats[2 % seats.len()].clone(),
            "O" => first.clone(),
            _ => word.to_owned(),
        };
        let whole: Vec<String> = line
            .split(' ')
            .map(|piece| match piece.strip_suffix([',', ')']) {
                Some(inner) => word(inner) + &piece[inner.len()..],
                None => word(piece),
            })
            .collect();
        let line = whole.join(" ");
        let refused = self.desk.take(&line).err();
        let shown = std::mem::take(&mut self.desk.out);
        writeln!(self.told, "> {line}\n{shown}").unwrap();
        if let Some(why) = refused {
            writeln!(self.told, "! {why}").unwrap();
        }
    }

    /// The first answer that completion offers: the host sees it before any command.
    fn first(&self) -> String {
        let game = self.desk.game();
        let answers = omerta_play::options::answers(game, &self.desk.words());
        answers
            .first()
            .map_or("go".to_owned(), |answer| answer.words.clone())
    }

    fn lines(&mut self, lines: &str) {
        lines.split(';').for_each(|line| self.line(line.trim()));
    }

    /// What may stand behind each command, and what comes of some of it.
    fn completed(&mut self) {
        for command in self.desk.commands.all() {
            let all = (command.completes)(&self.desk);
            writeln!(self.told, "{}: {}", command.names[0], all.join(", ")).unwrap();
            if !["why", "why not", "source", "log", "by hand", "break"].contains(&command.names[0]) {
                continue;
            }
            let step = (all.len() / COMPLETED).max(1);
            for more in all.iter().step_by(step).take(COMPLETED + 1) {
                let line = format!("{} {more}", command.names[0]);
                self.line(if line.ends_with(" to") {
                    "by hand set round to 3"
                } else {
                    &line
                });
                if command.names[0] == "by hand" {
                    self.lines("log; undo");
                }
            }
        }
        self.line("break off");
    }

    /// The table as it is drawn.
    fn drawn(&mut self) {
        for (drawn, width) in [(true, 120), (true, 60), (false, 40)] {
            (self.desk.manners.drawn, self.desk.manners.width) = (drawn, width);
            self.lines("table; who");
        }
        self.desk.manners.width = 100;
    }
}

fn desk(subject: &Subject) -> Option<Desk> {
    let table = subject.session_table(subject.casts.first()?, 5);
    let console = Console {
        out: Style::PLAIN,
        err: Style::PLAIN,
    };
    let bench = Workbench::reading(subject.table.loader.clone()?);
    let laid = bench.lay(&subject.table.wanted).ok()?;
    let table = Table {
        rules: laid.bench.rules,
        hooks: laid.bench.hooks,
        ..table
    };
    let hosted = Hosted::start(table).ok()?;
    let outfit = outfit(console, true, |_, _| Ok(None));
    Some(Desk::of(bench, subject.table.wanted.clone(), hosted, outfit))
}

#[test]
fn the_prompt_answers_as_before() {
    let mut net = Net::new("prompt");
    for (number, subject) in subjects().iter().enumerate().step_by(EVERY) {
        let Some(desk) = desk(subject) else { continue };
        let mut told = String::new();
        let mut typing = Typing {
            desk,
            told: &mut told,
        };
        typing.lines(LOOKING);
        for turn in 0..2 {
            typing.lines(GOING[(number / EVERY + turn * 3) % GOING.len()]);
            typing.lines(LOOKING);
            if turn == 0 {
                typing.completed();
            } else {
                typing.drawn();
            }
        }
        net.add(&subject.name, "typed", &told);
    }
    net.holds();
}
