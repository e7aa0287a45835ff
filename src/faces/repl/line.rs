//! One line that a host typed: an answer, a command, or an offer taken up.

use super::desk::{Command, Read};
use super::given::split;
use super::{desk::Desk, editor::Understood};
use omerta_core::{
    diagnostic::close_name,
    rules::{AskKind, Branch},
    written::is_unseen,
};
use omerta_engine::{Asked, Choice, Domain, Happened, OpenOffer, Pending, What};
use omerta_play::{
    options::{self, Answer, Line, Meant},
    story::is_outermost,
    words::{TIME_UP, listed, members},
};

/// An answer for somebody goes over so many waits, and no more: some rules wait for ever.
const MOST_WAITS: usize = 100;

impl Desk {
    /// Does what lines say that came together, as when they are pasted, one after the other; what of
    /// them could not be done. A sentence of the language may go on on the next line.
    pub fn take_block(&mut self, block: &str) -> Result<(), String> {
        let mut open = String::new();
        for line in block.lines() {
            open.push_str(line.trim());
            if self.commands.is_unfinished(&open) {
                open.push(' ');
                continue;
            }
            self.take(&std::mem::take(&mut open))?;
        }
        // An empty line is one, too.
        match open.is_empty() && !block.trim().is_empty() {
            true => Ok(()),
            false => self.take(&open),
        }
    }

    /// Does what a line says; why not, where it cannot be done. What is printed stands in `out`. A sign that nobody
    /// sees may have come along with a paste: nothing is guessed in its place.
    pub fn take(&mut self, line: &str) -> Result<(), String> {
        if let Some((at, sign)) =
            (line.chars().enumerate()).find(|(_, sign)| is_unseen(*sign) && *sign != '\t')
        {
            let (at, code) = (at + 1, u32::from(sign));
            return Err(format!(
                "sign {at} of the line cannot be seen (U+{code:04X}): write the line without it"
            ));
        }
        let before = self.place_in_game();
        let here = self.hosted.session.cursor();
        self.follow();
        let done = self
            .parts(line)
            .into_iter()
            .try_for_each(|part| self.take_part(part));
        let there = self.hosted.session.cursor();
        self.lines.retain(|start| *start < there);
        match std::mem::take(&mut self.another) {
            // As after a session that is taken up, its answers are taken back one by one.
            true => self.lines.clear(),
            false if there > here => self.lines.push(here),
            false => {}
        }
        if self.hosted.session.undone().is_empty() {
            self.taken_back.clear();
        }
        if self.place_in_game() != before && !self.done {
            self.tell_pending();
        }
        done
    }

    fn take_part(&mut self, part: &str) -> Result<(), String> {
        let before = self.place_in_game();
        let done = match part.strip_prefix(':') {
            Some(command) => self.command(command),
            None if part.is_empty() => self.empty_line(),
            None => self.answer_or_command(part),
        };
        if self.place_in_game() != before && !self.done {
            self.tell_news();
            self.tell_watches();
        }
        done
    }

    /// The parts of a line between `;`, unless somebody is writing.
    fn parts<'l>(&self, line: &'l str) -> Vec<&'l str> {
        let line = line.trim();
        match line.contains('"') || options::most_letters(self.game()).is_some() {
            true => vec![line],
            false => line.split(';').map(str::trim).collect(),
        }
    }

    /// What changes when the game is brought elsewhere.
    pub fn place_in_game(&self) -> (usize, u64, usize, usize) {
        let session = &self.hosted.session;
        (
            session.cursor(),
            session.table().rules.identity,
            session.undone().len(),
            self.branches
                .names()
                .iter()
                .position(|name| *name == self.branches.here)
                .unwrap_or(0),
        )
    }

    /// An empty line goes on at a wait, and asks again elsewhere.
    fn empty_line(&mut self) -> Result<(), String> {
        match self.game().pending() {
            Pending::Ask(asked) if asked.domain == Domain::Go => self.answer(Choice::Go),
            _ => {
                self.tell_pending();
                Ok(())
            }
        }
    }

    fn command(&mut self, line: &str) -> Result<(), String> {
        match self.commands.read(line) {
            Read::Command(command, rest) => (command.run)(self, rest),
            Read::Several(names) => Err(several_commands(line, &names)),
            Read::Nothing => {
                let (word, _) = split(line);
                Err(format!(
                    "there is no command `{word}`{}",
                    self.meant_command(word)
                ))
            }
        }
    }

    /// What is given in full goes before what only begins so, and an answer before a command.
    fn answer_or_command(&mut self, line: &str) -> Result<(), String> {
        if options::most_letters(self.game()).is_some() {
            return self.text_or_command(line);
        }
        if let Some(Line::Text(answer, text)) = self.to_write(line) {
            return self.write(answer, text);
        }
        if let Some((names, answer)) = line.split_once("->")
            && self.to_write(answer).is_some()
        {
            return self.for_whom(names, answer.trim());
        }
        // A wait lists only `go`, and its time may be over all the same.
        if options::limit(self.game()).is_some() && line.eq_ignore_ascii_case(TIME_UP) {
            return self.answer(Choice::TimeUp);
        }
        let answers = self.answers();
        let meant = options::meant(&answers, line, self.names());
        if let Meant::Surely(choice) = meant {
            return self.answer(choice);
        }
        if let Some((command, rest)) = self.command_in(line) {
            return (command.run)(self, rest);
        }
        if line.contains("->") || line.contains(',') {
            return self.several(line);
        }
        if is_offer(line) {
            return self.offer(line);
        }
        match meant {
            Meant::Surely(choice) | Meant::Begun(choice) => self.answer(choice),
            _ if self.titled(&answers, line).is_some() => self.one(line),
            Meant::Either(all) => Err(format!("`{line}` could be {}", choices(&all))),
            Meant::Nothing { close } => match self.meant_offer(line) {
                Some(meant) => Err(format!("`{line}` means nothing here; did you mean `{meant}`?")),
                None => self.nothing(line, &answers, close.as_deref()),
            },
        }
    }

    /// The command that a line begins with; one that answers for players, or says what one does, is none, whatever they are called.
    fn command_in<'l>(&self, line: &'l str) -> Option<(&'static Command, &'l str)> {
        let sits = |name: &str| self.names().iter().any(|known| same_name(known, name.trim()));
        let is_theirs = match line.split_once("->") {
            Some((names, _)) => names.split(',').all(sits),
            None => is_offer(line) && sits(split(line).0),
        };
        self.commands.named(line).filter(|_| !is_theirs)
    }

    /// Where somebody is to write, a line is what he writes, unless it is a command or an offer in full.
    fn text_or_command(&mut self, line: &str) -> Result<(), String> {
        if let Some((command, rest)) = self.command_in(line) {
            return (command.run)(self, rest);
        }
        if let Meant::Surely(choice) = options::meant(&self.offered(), line, self.names())
            && is_offer(line)
        {
            return self.answer(choice);
        }
        if let Some((names, text)) = line.split_once("->") {
            let known = |name: &str| name == "host" || self.seats_meant(name).is_ok();
            if names.split(',').all(|name| known(name.trim())) {
                return self.for_whom(names, text.trim());
            }
        }
        self.one(line)
    }

    /// `Ann dos accuse Bob`: the offer that was nearly named.
    fn meant_offer(&self, line: &str) -> Option<String> {
        let mut words = line.split_whitespace();
        let (who, does, name) = (words.next()?, words.next()?, words.next()?);
        let offers = &self.rules().offers;
        let names = || offers.iter().map(|offer| offer.name.as_str());
        let begun = || names().find(|known| known.starts_with(name));
        let name = close_name(name, names()).or_else(begun)?;
        close_name(does, ["does"])?;
        let rest: Vec<&str> = [who, "does", name].into_iter().chain(words).collect();
        Some(rest.join(" "))
    }

    /// The open offers that have the word behind `does` in their titles, where none goes by it.
    fn titled_so(&self, line: &str) -> Option<String> {
        let name = line.split_whitespace().nth(2)?.to_lowercase();
        let offers = &self.rules().offers;
        if name.len() < 3 || offers.iter().any(|offer| offer.name.starts_with(&name)) {
            return None;
        }
        let is_titled = |title: &str| {
            let words = title.split(|letter: char| !letter.is_alphanumeric());
            { words }.any(|word| word.to_lowercase() == name)
        };
        let open = self.game().offers();
        let open = offers.iter().enumerate().filter(|(id, offer)| {
            let title = offer.title.as_deref().unwrap_or_default();
            is_titled(title) && open.iter().any(|open| open.offer.index() == *id)
        });
        let names: Vec<String> = open.map(|(_, offer)| format!("`{}`", offer.name)).collect();
        (!names.is_empty()).then(|| listed(names, "or"))
    }

    /// An answer, as `what if` tries it.
    pub fn answer_line_given(&mut self, line: &str) -> Result<(), String> {
        match self.to_write(line).is_none() && (line.contains("->") || line.contains(',')) {
            true => self.several(line),
            false => self.one(line),
        }
    }

    /// Answers one after the other; when one is refused, none was given.
    fn several(&mut self, line: &str) -> Result<(), String> {
        let kept = self.hosted.clone();
        let shown = self.shown_for_picks();
        let mut who = None;
        if let Some(missing) = omerta_syntax::missing_in(line) {
            return Err(format!("{missing}: `{line}`; nothing was answered"));
        }
        for (at, part) in line.split(',').enumerate() {
            let (whose, answer) = match part.split_once("->") {
                Some((names, answer)) => (Some(names), answer),
                None if line.contains("->") && self.is_name_of_answerer(part, line) => {
                    // `Ann, Cid -> Bob`: names before the arrow wait for it.
                    who = Some(join(who, part));
                    continue;
                }
                None => (None, part),
            };
            let done = match whose {
                Some(names) => {
                    let names = join(who.take(), names);
                    self.for_whom(&names, answer.trim())
                }
                None => match self.shown_at((&shown, at), answer.trim()) {
                    Some(choice) => self.answer(choice),
                    None => self.one(answer.trim()),
                },
            };
            if let Err(why) = done {
                self.put_back(kept);
                return Err(format!("`{}`: {why}; nothing was answered", part.trim()));
            }
        }
        Ok(())
    }

    /// What was listed at a question for several picks: the numbers of one line are those that were seen.
    fn shown_for_picks(&self) -> Vec<Answer> {
        match self.game().pending() {
            Pending::Ask(asked) if asked.pick.1 > 1 && !matches!(asked.domain, Domain::Numbers { .. }) => {
                self.answers()
            }
            _ => Vec::new(),
        }
    }

    /// The answer of that number, for a further pick of the question for which they were listed; so many
    /// answers were given since.
    fn shown_at(&self, (shown, given): (&[Answer], usize), number: &str) -> Option<Choice> {
        let asked = self.game().asked()?;
        let at = number.parse::<usize>().ok()?.checked_sub(1)?;
        let further = given > 0 && given == usize::from(asked.pick.0);
        let shown = shown.get(at).filter(|_| further)?;
        Some(shown.choice)
    }

    /// Whether a part without an arrow stands before one: then it names somebody who answers.
    fn is_name_of_answerer(&self, part: &str, line: &str) -> bool {
        let at = part.as_ptr() as usize - line.as_ptr() as usize;
        let first_arrow = line.find("->").unwrap_or(0);
        at < first_arrow
    }

    /// One answer to what is asked now.
    fn one(&mut self, line: &str) -> Result<(), String> {
        match self.to_write(line) {
            Some(Line::Choice(choice)) => return self.answer(choice),
            Some(Line::Text(answer, text)) => return self.write(answer, text),
            None => {}
        }
        if is_offer(line) {
            return self.offer(line);
        }
        let answers = self.answers();
        if line.eq_ignore_ascii_case("go") && !self.is_waiting() {
            return Err(self.nothing_to_go_on_from(&answers));
        }
        let titled = self.titled(&answers, line);
        match options::meant(&answers, line, self.names()) {
            Meant::Surely(choice) | Meant::Begun(choice) => self.answer(choice),
            Meant::Either(all) => match titled {
                Some(choice) => self.answer(choice),
                None => Err(format!("`{line}` could be {}", choices(&all))),
            },
            Meant::Nothing { close } => match titled.or_else(|| self.unlisted(line)) {
                Some(choice) => self.answer(choice),
                None => Err(self.why_not(line, &answers, close.as_deref())),
            },
        }
    }

    /// An answer for those who are named, one for each who is asked by himself; waits are gone over.
    fn for_whom(&mut self, names: &str, answer: &str) -> Result<(), String> {
        let host = names.trim() == "host";
        let mut set = 0;
        for name in names.split(',').filter(|_| !host) {
            set |= self.seats_meant(name.trim())?;
        }
        let (mut asked_for, mut waits) = (None, 0);
        let from = self.log().events.len();
        while let Pending::Ask(asked) = self.game().pending() {
            if asked.domain == Domain::Go && !host && asked_for.is_none() {
                if waits == MOST_WAITS {
                    return Err(format!(
                        "none of them is asked within {MOST_WAITS} waits; go on to where they are"
                    ));
                }
                waits += 1;
                self.answer(Choice::Go)?;
                self.check_not_far(from)?;
                continue;
            }
            let is_theirs = match host {
                true => asked.host,
                false => asked.who != 0 && asked.who & !set == 0,
            };
            if !is_theirs || asked_for.is_some_and(|site| site != asked.site) {
                break;
            }
            self.one(answer)?;
            asked_for = Some(asked.site);
            set &= !asked.who;
            if set != 0 && self.is_further_pick(&asked) {
                self.one("pass")?;
            }
            if host {
                break;
            }
        }
        // Behind the next scene a line for several would be taken for whoever of them is asked there.
        let log = self.log();
        let begins = |happened: &&Happened| matches!(happened.what, What::SceneBegan { .. });
        let mut begun = log.events[from..].iter().filter(begins);
        if waits > 0 && set != 0 && asked_for.is_some() && begun.any(|scene| is_outermost(log, scene)) {
            let others = self.words().seats(set);
            return Err(format!(
                "in this scene none of them is asked, and in the next not {others}; go on first, or name those who are"
            ));
        }
        match (asked_for, self.game().pending()) {
            (Some(_), _) => Ok(()),
            (None, Pending::Ask(asked)) => Err(match asked.host {
                true => "it is the host who is asked".to_owned(),
                false => {
                    let are = if asked.who.count_ones() == 1 { "is" } else { "are" };
                    format!("it is {} who {are} asked", self.words().seats(asked.who))
                }
            }),
            (None, _) => Err("nobody is asked".to_owned()),
        }
    }

    /// Whether those who have just been asked may name somebody else besides: where the next ones are to answer, the
    /// first are done.
    fn is_further_pick(&self, asked: &Asked) -> bool {
        match self.game().pending() {
            Pending::Ask(again) => again.who == asked.who && again.pick == (asked.pick.0 + 1, asked.pick.1),
            _ => false,
        }
    }

    /// An answer for somebody goes over the waits of this scene and of the next, and no further: what was
    /// meant for one question must not become the answer to another.
    fn check_not_far(&self, from: usize) -> Result<(), String> {
        let log = self.log();
        let begins = |happened: &&Happened| {
            matches!(happened.what, What::SceneBegan { .. }) && is_outermost(log, happened)
        };
        let mut begun = log.events[from.min(log.events.len())..].iter().filter(begins);
        match begun.nth(1).map(|second| &second.what) {
            Some(What::SceneBegan { scene, nth }) => {
                let name = self.words().scene(*scene);
                Err(format!(
                    "none of them is asked before {name} {nth}; go there first"
                ))
            }
            _ => Ok(()),
        }
    }

    fn nothing(&mut self, line: &str, answers: &[Answer], close: Option<&str>) -> Result<(), String> {
        if let Some(choice) = self.unlisted(line) {
            return self.answer(choice);
        }
        let (word, behind) = split(line);
        if word.eq_ignore_ascii_case("go") {
            return match behind {
                "" => Err(self.nothing_to_go_on_from(answers)),
                "on" => self.one("go"),
                place => Err(format!(
                    "`go` goes on where the host waits; to a place it is `goto {place}`"
                )),
            };
        }
        match self.commands.read(line) {
            Read::Command(command, rest) if word.len() > 1 => (command.run)(self, rest),
            Read::Several(names) if word.len() > 1 => Err(several_commands(line, &names)),
            _ => Err(self.why_not(line, answers, close)),
        }
    }

    /// What is an answer and is not listed as it was given: a number of many, the place of a card that shows what it is.
    fn unlisted(&self, line: &str) -> Option<Choice> {
        let (game, words) = (self.game(), self.words());
        options::number(game, &words, line).or_else(|| options::placed(game, &words, line))
    }

    /// Whether the host waits, and nobody is to choose.
    fn is_waiting(&self) -> bool {
        matches!(self.game().pending(), Pending::Ask(asked) if asked.domain == Domain::Go)
    }

    /// `go` where nobody waits.
    fn nothing_to_go_on_from(&self, answers: &[Answer]) -> String {
        match self.game().pending() {
            Pending::Ask(asked) => format!(
                "here it is {} who must answer: {}; `step` lets chance answer",
                if asked.host {
                    "the host".to_owned()
                } else {
                    self.words().seats(asked.who)
                },
                self.all_of(answers)
            ),
            Pending::Chance(_) => "chance decides here: say what it rolls, or `roll`".to_owned(),
            Pending::Over(_) => "the game is over; `undo` goes back, `open` begins another".to_owned(),
            Pending::Broken(_) => "the rules went wrong; `undo` goes back".to_owned(),
        }
    }

    /// `host does ring` of the line `ring`, where such an offer is open.
    fn as_a_deed(&self, line: &str) -> Option<String> {
        let (word, _) = split(line);
        let game = self.game();
        let open = game.offers();
        let is_named = |open: &&OpenOffer| self.rules().offers[open.offer.index()].name == word;
        let open = open.iter().find(is_named)?;
        let who = open.by.map_or("host".to_owned(), |seat| self.words().seat(seat));
        Some(format!("{who} does {line}"))
    }

    /// Why a line means nothing here, and what would.
    fn why_not(&self, line: &str, answers: &[Answer], close: Option<&str>) -> String {
        let hint = close.map_or_else(String::new, |close| format!("; did you mean `{close}`?"));
        let (word, _) = split(line);
        match self.game().pending() {
            Pending::Over(_) => format!("the game is over{}", self.meant_command(word)),
            Pending::Broken(_) => format!(
                "the rules went wrong; `undo` goes back{}",
                self.meant_command(word)
            ),
            _ if let Some(deed) = self.as_a_deed(line) => {
                format!("`{line}` is no answer; who comes with an offer says so: `{deed}`")
            }
            _ if close.is_none() && self.commands.close(word).is_some() => {
                format!("`{line}` is no answer{}", self.meant_command(word))
            }
            Pending::Ask(asked) if asked.domain == Domain::Go => {
                format!("`{line}` does nothing here{hint}; `go` goes on, `help` tells what else")
            }
            Pending::Ask(_) if self.names().iter().any(|name| same_name(name, line)) => {
                format!(
                    "`{line}` may not be chosen here; it can be {}",
                    self.all_of(answers)
                )
            }
            _ if answers.is_empty() => {
                format!("`{line}` is no answer{hint}; a number is asked for")
            }
            _ if close.is_some() => format!("`{line}` is no answer{hint}"),
            _ => format!("`{line}` is no answer; it can be {}", self.all_of(answers)),
        }
    }

    /// What may be answered, or the beginning of it where it is long; cards by their titles.
    fn all_of(&self, answers: &[Answer]) -> String {
        let labels = self.labels(answers).into_iter().zip(answers);
        let shown = labels.filter_map(|(label, answer)| match answer.choice {
            Choice::Card(_) => label,
            _ => Some(answer.words.clone()),
        });
        let shown: Vec<String> = shown.collect();
        let more = shown.len().saturating_sub(12);
        match more {
            _ if answers.is_empty() => "a number".to_owned(),
            0 => omerta_play::words::listed(shown, "or"),
            more => format!("{}, and {more} more", shown[..12].join(", ")),
        }
    }

    fn answer(&mut self, choice: Choice) -> Result<(), String> {
        self.give(choice).map_err(|illegal| match choice.text() {
            Some(0) => {
                let site = self.game().asked().map(|asked| asked.site);
                let words = self.words().choice(self.game(), site, choice);
                format!("what is written stands behind it: `{words}`")
            }
            _ => self.words().refusal(self.game(), &illegal),
        })
    }

    fn to_write<'l>(&self, line: &'l str) -> Option<Line<'l>> {
        let open = [self.answers(), self.offered()].concat();
        options::to_write(self.game(), &open, line)
    }

    /// Gives an answer with a text in it.
    pub fn write(&mut self, answer: Choice, text: &str) -> Result<(), String> {
        match self.hosted.write(answer, Some(text)) {
            Ok(choice) => self.answer(choice),
            Err(illegal) => Err(self.words().refusal(self.game(), &illegal)),
        }
    }

    /// `Ann does put-up Bob`
    fn offer(&mut self, line: &str) -> Result<(), String> {
        let all = self.offered();
        match options::meant(&all, line, self.names()) {
            Meant::Surely(choice) | Meant::Begun(choice) => self.answer(choice),
            Meant::Either(several) => Err(format!("`{line}` could be {}", choices(&several))),
            Meant::Nothing { .. } if let Some(choice) = options::number(self.game(), &self.words(), line) => {
                self.answer(choice)
            }
            Meant::Nothing { .. } if let Some(titled) = self.titled_so(line) => {
                Err(format!("`{line}` is not open; did you mean {titled}?"))
            }
            Meant::Nothing { close } => Err(match (close, self.meant_offer(line)) {
                (Some(close), _) => format!("`{line}` is not open; did you mean `{close}`?"),
                (None, Some(meant)) if meant != line => {
                    format!("`{line}` is not open; did you mean `{meant}`?")
                }
                (None, Some(_)) => match self.why_closed(line) {
                    Some(why) => format!("`{line}` is not open: {why}"),
                    None => format!("`{line}` is not open; `offers` lists what is"),
                },
                (None, None) => format!("`{line}` is not open; `offers` lists what is"),
            }),
        }
    }

    /// Everything that could be done besides answering.
    pub fn offered(&self) -> Vec<Answer> {
        let game = self.game();
        let words = self.words();
        game.offers()
            .iter()
            .flat_map(|open| options::offered(game, &words, open))
            .collect()
    }

    fn meant_command(&self, word: &str) -> String {
        match self.commands.close(word) {
            Some(close) => format!("; did you mean the command `{close}`?"),
            None => "; `help` lists what may be typed".to_owned(),
        }
    }

    /// Every line that would be understood now, for completion.
    pub fn understood(&self) -> Understood {
        let mut lines: Vec<String> = self.answers().into_iter().map(|answer| answer.words).collect();
        let answers = lines.len();
        let mut abouts = self.titles();
        lines.extend(self.offered().into_iter().map(|answer| answer.words));
        lines.extend(self.with_who_answers(&lines[..answers]));
        for command in self.commands.all() {
            let name = command.names[0];
            lines.push(name.to_owned());
            lines.extend(
                (command.completes)(self)
                    .iter()
                    .map(|more| format!("{name} {more}")),
            );
            abouts.push((name.to_owned(), command.about.to_owned()));
            // The first word of `what if` is no command; it is told as what it may become.
            let (first, _) = split(name);
            abouts.push((first.to_owned(), command.about.to_owned()));
        }
        Understood {
            lines,
            answers,
            abouts,
            width: self.manners.width,
        }
    }

    /// The same answers with those before them who may give them: `Eve -> Bob`.
    fn with_who_answers(&self, answers: &[String]) -> Vec<String> {
        let Pending::Ask(asked) = self.game().pending() else {
            return Vec::new();
        };
        let words = self.words();
        let who: Vec<String> = match asked.host {
            true => vec!["host".to_owned()],
            false => members(asked.who).map(|seat| words.seat(seat)).collect(),
        };
        let lines = who
            .iter()
            .flat_map(|who| answers.iter().map(move |answer| format!("{who} -> {answer}")));
        lines.collect()
    }

    /// How branches and offers are put to people, by the words that begin them.
    fn titles(&self) -> Vec<(String, String)> {
        let words = self.words();
        let branches = match self.game().pending() {
            Pending::Ask(asked) => match &words.rules.ask(asked.site).kind {
                AskKind::Menu(branches) => branches.as_slice(),
                _ => &[],
            },
            _ => &[],
        };
        let of_branch = |branch: &Branch| Some((branch.name.clone(), branch.title.clone()?));
        let mut titles: Vec<(String, String)> = branches.iter().filter_map(of_branch).collect();
        for open in self.game().offers() {
            let offer = &words.rules.offers[open.offer.index()];
            let who = open.by.map_or_else(|| "host".to_owned(), |seat| words.seat(seat));
            titles.extend(
                offer
                    .title
                    .clone()
                    .map(|title| (format!("{who} does {}", offer.name), title)),
            );
        }
        titles
    }
}

/// Whether a line takes up an offer: `Ann does …`.
pub fn is_offer(line: &str) -> bool {
    line.split_whitespace()
        .nth(1)
        .is_some_and(|word| word.eq_ignore_ascii_case("does"))
}

/// Names gathered before an arrow.
fn join(before: Option<String>, name: &str) -> String {
    match before {
        Some(before) => format!("{before},{name}"),
        None => name.to_owned(),
    }
}

fn several_commands(line: &str, names: &[&str]) -> String {
    let all = names.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "`{line}` could be the command {}",
        omerta_play::words::listed(all, "or")
    )
}

fn same_name(name: &str, given: &str) -> bool {
    name.to_lowercase() == given.to_lowercase()
}

fn choices(all: &[String]) -> String {
    let all = all.iter().take(8).map(|words| format!("`{words}`")).collect();
    omerta_play::words::listed(all, "or")
}
