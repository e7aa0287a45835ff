//! What the host sees: what has just happened, the question that is open, the prompt, the table.

use super::{
    desk::{Desk, Done},
    halt::halted,
};
use crate::faces::{
    console::paint,
    render::{Format, Renders, Style},
};
use omerta_core::rules::{AskKind, AskSite, GroupId, SayKind};
use omerta_engine::{Asked, Audience, Choice, Domain, Fault, Happened, Pending, Target, Viewer, What};
use omerta_hooks::diagnose;
use omerta_play::{
    options::{self, Answer},
    session::written,
    story::is_outermost,
    words::{is_within_a_scene, listed, same_words, terms, time},
};

/// Lines are no longer than this, however wide the screen.
const LONGEST: usize = 100;
/// So many things that happened at once are told, and how many more there are: more than a long game of a bundled
/// ruleset from its first answer to its end.
const MOST_NEWS: usize = 50_000;
/// So many offers are told by name under a question.
const MOST_OFFERS: usize = 4;

// ---- What happened
impl Desk {
    /// Prints what has happened since the host looked last.
    pub fn tell_news(&mut self) {
        if halted() {
            self.shown = self.log().events.len();
            return self.line("  ... (`log all` tells the rest)");
        }
        let from = self.shown.min(self.log().events.len());
        let all = &self.log().events[from..];
        let news: Vec<Happened> = all.iter().take(MOST_NEWS).cloned().collect();
        let untold = all.len() - news.len();
        let (first, numbered) = (from, (from..).zip(&news));
        self.shown = from + news.len() + untold;
        // A ballot is one thing to hear of, and the same answer of several is one.
        let told = numbered.filter(|(_, happened)| !halted() && self.is_news(happened));
        let told: Vec<(usize, &Happened)> = told.collect();
        let mut from = 0;
        while let Some((_, happened)) = told.get(from).filter(|_| !halted()) {
            from += 1;
            if let Some(header) = self.header_of(happened) {
                self.header = Some(header);
                continue;
            }
            let run = &told[from - 1..];
            let once_more = self
                .words()
                .told_by_ballot((self.log(), Viewer::Host), run, first);
            if once_more > 0 {
                from += once_more - 1;
                continue;
            }
            let several = self
                .words()
                .ballot((self.log(), Viewer::Host), run, first)
                .map(|(count, text)| (count, self.said_to(happened, &text)));
            let Some((count, line)) = several
                .or_else(|| self.answered(&news[..run[0].0 - first], run))
                .or_else(|| Some((1, self.news_line(happened)?)))
            else {
                continue;
            };
            from += count - 1;
            self.tell_header();
            self.line(line);
        }
        if halted() {
            self.line("  ... (`log all` tells the rest)");
        } else if untold > 0 {
            self.line(format!("  ... and {untold} more things (`log all` tells them)"));
        }
        self.tell_winners();
        self.tell_header();
    }

    /// Who has won while the game goes on: nothing that happens says so.
    fn tell_winners(&mut self) {
        let winners = self.game().look().winners();
        let new = winners & !std::mem::replace(&mut self.won, winners);
        if new != 0 && !matches!(self.game().pending(), Pending::Over(_)) {
            let has = if new.count_ones() == 1 { "has" } else { "have" };
            let line = format!("{} {has} won, and the game goes on.", self.words().seats(new));
            self.line(format!("  {}", paint(self.manners.colour, "2", &line)));
        }
    }

    fn is_news(&self, happened: &Happened) -> bool {
        self.header_of(happened).is_some() || self.news_line(happened).is_some()
    }

    /// An answer, or the same one to the same question of several, one after the other; behind the question, where that
    /// was put and answered in one go and nobody has read it.
    fn answered(&self, before: &[Happened], events: &[(usize, &Happened)]) -> Option<(usize, String)> {
        let of = |(_, event): &(usize, &Happened)| match &event.what {
            What::Answered {
                site,
                who,
                answer,
                host,
            } if !self.words().is_wait(*site) => Some((*site, answer.clone(), *who, *host)),
            _ => None,
        };
        let (site, answer, who, host) = of(events.first()?)?;
        let others = events[1..].iter().map_while(of);
        let mut all = vec![who];
        for other in others.take_while(|other| !host && other.0 == site && other.1 == answer) {
            // Who answers once more was asked once more.
            if all.contains(&other.2) {
                break;
            }
            all.push(other.2);
        }
        let words = self.words();
        let of_the_scene = before.iter().rev().take_while(|event| is_within_a_scene(event));
        let unread = { of_the_scene }.find_map(|event| match &event.what {
            What::Asked {
                site: asked, values, ..
            } if *asked == site => words.was_put(site, values),
            _ => None,
        });
        let said = words.answer_told(site, &answer);
        let who = match host {
            true => "The host".to_owned(),
            false => listed(all.iter().map(|seats| words.seats(*seats)).collect(), "and"),
        };
        let put = unread.map_or_else(String::new, |put| format!("{put} "));
        let line = paint(self.manners.colour, "2", &format!("{who}: {put}{said}"));
        Some((all.len(), format!("  {line}")))
    }

    /// What was said to everybody, or to some.
    fn said_to(&self, happened: &Happened, text: &str) -> String {
        match happened.audience {
            Audience::All => format!("  {} {text}", paint(self.manners.colour, "33", "»")),
            Audience::Seats(seats) => {
                let to = self.words().seats(seats);
                format!("  {} To {to}: {text}", paint(self.manners.colour, "35", "·"))
            }
            _ => format!("  {} {text}", paint(self.manners.colour, "35", "·")),
        }
    }

    /// A scene in which nothing is told and nothing asked needs no header.
    fn tell_header(&mut self) {
        if let Some(header) = self.header.take() {
            self.line(header);
        }
    }

    fn header_of(&self, happened: &Happened) -> Option<String> {
        let What::SceneBegan { scene, nth } = happened.what else {
            return None;
        };
        let name = self.words().scene(scene);
        let header = paint(self.manners.colour, "1", &format!("-- {name} {nth} --"));
        is_outermost(self.log(), happened).then(|| format!("\n{header}"))
    }

    /// A thing as the host wants to hear of it while he plays; `log` has the rest.
    fn news_line(&self, happened: &Happened) -> Option<String> {
        let words = self.words();
        let text = words.told(happened, Viewer::Host)?;
        let colour = |code: &str, text: &str| paint(self.manners.colour, code, text);
        match &happened.what {
            What::Said { site, .. } if words.rules.says[site.index()].kind == SayKind::Say => {
                Some(match happened.audience {
                    Audience::All => format!("  {} {text}", colour("33", "»")),
                    _ => format!("  {} {text}", colour("35", "·")),
                })
            }
            What::Said { .. } => Some(format!("  {} {text}", colour("35", "·"))),
            // The host knows that he went on.
            What::Answered { site, host: true, .. }
                if matches!(words.rules.asks[site.index()].kind, AskKind::Wait) =>
            {
                None
            }
            What::ByHand { .. } => Some(format!("  {}", colour("1;35", &text))),
            What::Answered { .. } | What::OfferTaken { .. } => Some(format!("  {}", colour("2", &text))),
            What::Turned { .. } | What::Flipped { .. } | What::Reseated { .. } => {
                Some(format!("  {} {text}", colour("35", "·")))
            }
            What::Drew { site, .. } if words.rules.draws[site.index()].shuffle.is_none() => {
                Some(format!("  {} {text}", colour("36", "·")))
            }
            What::Ended { .. } => Some(format!("\n{}", colour("1", &text))),
            _ => None,
        }
    }

    /// The whole log as somebody knows it, for the host with the number of each event; the last `most` of them.
    pub fn log_text(&self, viewer: Viewer, most: usize) -> String {
        let words = self.words();
        let heard = self.log().view(viewer).filter_map(|(number, happened)| {
            let text = words.told(happened, viewer).filter(|text| !text.is_empty())?;
            Some((number, happened, text))
        });
        let mut heard: Vec<(usize, &Happened, String)> = heard.collect();
        if most < usize::MAX {
            heard = without_empty_scenes(heard);
        }
        let events: Vec<(usize, &Happened)> =
            heard.iter().map(|(number, event, _)| (*number, *event)).collect();
        let (mut lines, mut from) = (Vec::new(), 0);
        while let Some((number, _, text)) = heard.get(from) {
            let once_more = words.told_by_ballot((self.log(), viewer), &events[from..], usize::MAX);
            if once_more > 0 {
                from += once_more;
                continue;
            }
            let (count, text) = words
                .ballot((self.log(), viewer), &events[from..], usize::MAX)
                .unwrap_or((1, text.clone()));
            // The numbers of all events would show anybody else where something hidden happened.
            lines.push(match viewer {
                Viewer::Host => format!("{number:4}  {text}\n"),
                _ => format!("      {text}\n"),
            });
            from += count;
        }
        let left_out = lines.len().saturating_sub(most);
        let whole = match viewer {
            Viewer::Host => "log all".to_owned(),
            Viewer::Public => "log public all".to_owned(),
            Viewer::Seat(seat) => format!("log {} all", words.seat(seat)),
        };
        let head = match left_out {
            0 => String::new(),
            _ => format!("      ({left_out} before; `{whole}` has them)\n"),
        };
        format!("{head}{}", lines[left_out..].concat())
    }
}

// ---- What is asked
impl Desk {
    /// Prints the question that is open with its options, or how it ended.
    pub fn tell_pending(&mut self) {
        let text = self.pending_text();
        self.out.push_str(&text);
    }

    /// Says something about the game.
    pub fn show(&mut self, about: fn(&Desk) -> String) -> Done {
        let text = about(self);
        self.out.push_str(&text);
        Ok(())
    }

    fn pending_text(&self) -> String {
        let game = self.game();
        let words = self.words();
        match game.pending() {
            Pending::Ask(asked) => self.question_text(&asked),
            Pending::Chance(drawn) => {
                format!(
                    "\nChance, {}\n{}",
                    words.chance(game, &drawn),
                    self.numbered(&self.answers())
                )
            }
            Pending::Over(_) => {
                "`log`, `why`, `undo` and `save FILE` still work; `quit` leaves.\n".to_owned()
            }
            Pending::Broken(fault) => self.fault_text(&fault),
        }
    }

    fn fault_text(&self, fault: &Fault) -> String {
        let rules = self.rules();
        let shown = match diagnose(rules, &fault.kind) {
            Some(problem) => self.bench.render(&[problem], Format::Human, self.style()),
            None => {
                let place = self
                    .place(fault.at)
                    .map_or_else(String::new, |place| format!("\n  at {place}"));
                format!("The rules went wrong: {}{place}\n", self.words().fault(fault))
            }
        };
        format!("\n{shown}`undo` takes the last answer back.\n")
    }

    fn style(&self) -> Style {
        Style {
            colour: self.manners.colour,
            ..Style::PLAIN
        }
    }

    fn question_text(&self, asked: &Asked) -> String {
        let game = self.game();
        let words = self.words();
        let put = words.put(game, asked);
        let offers = self.offer_hint();
        if asked.domain == Domain::Go {
            let site = words.rules.ask(asked.site);
            let put = if put.is_empty() || site.text.is_none() && site.name == AskSite::WAIT {
                "When the table is ready"
            } else {
                &put
            };
            let most = asked
                .limit
                .map(|limit| format!(", after {} at the latest", time(limit)));
            let most = most.unwrap_or_default();
            return format!("\n{} `go` goes on{most}.\n{offers}", finished(put));
        }
        let head = paint(
            self.manners.colour,
            "1",
            &format!("{}: {put}{}", self.whose(asked), terms(asked)),
        );
        format!("\n{head}\n{}{offers}", self.numbered(&self.answers()))
    }

    /// `Ann, the doctor`, `Bob and Gus, together`, `The host`
    pub fn whose(&self, asked: &Asked) -> String {
        let words = self.words();
        match asked.who.count_ones() {
            _ if asked.host => "The host".to_owned(),
            1 => {
                let roles = self.game().look().roles_of(asked.who);
                let role = if roles == 0 {
                    String::new()
                } else {
                    format!(", {}", words.titles(roles))
                };
                format!("{}{role}", words.seats(asked.who))
            }
            _ => format!("{}, together", words.seats(asked.who)),
        }
    }

    /// What stands open besides, as it is put to people; a long list is left to `offers`.
    fn offer_hint(&self) -> String {
        let game = self.game();
        if !game.has_offers() {
            return String::new();
        }
        let mut open: Vec<usize> = game.offers().iter().map(|open| open.offer.index()).collect();
        open.dedup();
        let name = |offer: &usize| {
            let offer = &self.words().rules.offers[*offer];
            let title = offer.title.as_ref().map(|title| format!(" ({title})"));
            format!("`{}`{}", offer.name, title.unwrap_or_default())
        };
        let hint = match open.len() {
            0 => return String::new(),
            1..=MOST_OFFERS => {
                let names = listed(open.iter().map(name).collect(), "and");
                format!("  open besides: {names}; `offers` tells who")
            }
            many => format!("  {many} things may be done besides; `offers` lists them"),
        };
        paint(self.manners.colour, "2", &hint) + "\n"
    }

    /// All answers to what is pending.
    pub fn answers(&self) -> Vec<Answer> {
        options::answers(self.game(), &self.words())
    }

    /// Options with their numbers, as many to a line as fit.
    fn numbered(&self, answers: &[Answer]) -> String {
        let is_number = |answer: &Answer| matches!(answer.choice, Choice::Number(_));
        let writes = options::most_letters(self.game()).is_some();
        if writes || answers.is_empty() || answers.iter().any(is_number) {
            return self.range_text();
        }
        let labels = self.labels(answers);
        let digits = answers.len().to_string().len();
        let rows = |from: usize, labels: &[Option<String>]| -> String {
            let lengths = labels.iter().flatten().map(|label| label.chars().count());
            let width = lengths.max().unwrap_or(0);
            let per_line = (self.manners.width.min(LONGEST) / (width + digits + 4)).max(1);
            let cell = |(index, label): (usize, &Option<String>)| {
                let number = paint(self.manners.colour, "36", &format!("{:digits$}", index + 1));
                label.as_ref().map(|label| format!("{number} {label:width$}"))
            };
            let cells: Vec<String> = (from..).zip(labels).filter_map(cell).collect();
            { cells.chunks(per_line) }
                .map(|row| format!("  {}\n", row.join("   ").trim_end()))
                .collect()
        };
        // A branch that picks somebody stands under its title; those that pick nobody are their titles.
        let mut out = String::new();
        let mut at = 0;
        for group in answers.chunk_by(|a, b| branch_of(a) == branch_of(b)) {
            if let Some(title) = branch_of(&group[0]).and_then(|branch| self.heads(branch)) {
                out.push_str(&format!("  {title}:\n"));
            }
            out.push_str(&rows(at, &labels[at..at + group.len()]));
            at += group.len();
        }
        out
    }

    /// How answers are put to people: cards by their titles, like ones once, branches that pick nobody by
    /// theirs. Nothing for a card like one before it.
    pub fn labels(&self, answers: &[Answer]) -> Vec<Option<String>> {
        let bare = options::without_branches(answers);
        let (words, things) = (self.words(), self.game().look().things());
        let card = |answer: &Answer| card_of(answer).map(|card| &things[usize::from(card)]);
        let unseen = matches!(
            self.game().pending(),
            Pending::Ask(Asked {
                domain: Domain::Cards { unseen: true, .. },
                ..
            })
        );
        let mut seats: Vec<Option<u8>> = answers.iter().filter_map(card).map(|thing| thing.seat).collect();
        seats.dedup();
        // A card that is not seen is called by its place; for a branch, too.
        let is_seen = |answer: &Answer, shown: GroupId| {
            let name = answer.words.split(' ').nth(1);
            branch_of(answer).is_none() || name == Some(&words.rules.groups[shown.index()].name)
        };
        let title = |answer: &Answer| {
            let thing = card(answer).filter(|thing| !unseen && is_seen(answer, thing.shown()))?;
            let of = thing.seat.filter(|_| seats.len() > 1);
            let of = of.map_or_else(String::new, |seat| format!(" of {}", words.seat(seat)));
            let branch =
                branch_of(answer).map_or_else(String::new, |_| format!("{} ", first_words(answer, 1)));
            Some(format!("{branch}{}{of}", words.group(thing.shown())))
        };
        let titles: Vec<Option<String>> = answers.iter().map(title).collect();
        let label = |(at, answer): (usize, &Answer)| match (&titles[at], answer.choice) {
            (Some(title), _) => {
                let alike = |other: &&Option<String>| other.as_ref() == Some(title);
                let all = titles.iter().filter(alike).count();
                match titles[..at].iter().any(|other| alike(&other)) {
                    true => None,
                    false if all > 1 => Some(format!("{title} ×{all}")),
                    false => Some(title.clone()),
                }
            }
            (
                None,
                Choice::Branch {
                    branch,
                    target: Target::Nothing,
                },
            ) => Some(match self.branch_title(branch) {
                Some((title, name)) if same_words(&title, &name) => title,
                Some((title, name)) => format!("{title} ({name})"),
                None => answer.words.clone(),
            }),
            (None, Choice::Pass) if self.has_picked() => Some("no more".to_owned()),
            // Above it stands what it is picked for.
            (None, Choice::Branch { branch, .. }) if self.heads(branch).is_some() => {
                Some(bare[at].unwrap_or(&answer.words).to_owned())
            }
            _ => Some(answer.words.clone()),
        };
        answers.iter().enumerate().map(label).collect()
    }

    /// Whether a further one of several picks is asked for.
    fn has_picked(&self) -> bool {
        matches!(self.game().pending(), Pending::Ask(asked) if asked.pick.0 > 0)
    }

    /// The answer whose title somebody has typed.
    pub fn titled(&self, answers: &[Answer], given: &str) -> Option<Choice> {
        let labels = self.labels(answers);
        let plain = |label: &String| label.split(['×', '(']).next().unwrap_or("").trim().to_lowercase();
        let is = |label: &Option<String>| label.as_ref().map(plain) == Some(given.trim().to_lowercase());
        let at = labels.iter().position(is).or_else(|| {
            // By its name a card is meant that is told with all that look like it, and with them alone.
            let is_so_called = |at: &usize| {
                let name = first_words(&answers[*at], 1 + usize::from(branch_of(&answers[*at]).is_some()));
                card_of(&answers[*at]).is_some() && same_words(&name, given.trim())
            };
            let mut called = (0..answers.len()).filter(is_so_called);
            called.next().filter(|_| called.all(|at| labels[at].is_none()))
        })?;
        Some(answers[at].choice)
    }

    /// The title of a branch, where it says more than its name.
    fn heads(&self, branch: u8) -> Option<String> {
        let (title, name) = self.branch_title(branch)?;
        Some(title).filter(|title| !same_words(title, &name))
    }

    /// The title of a branch of the menu that is asked, and its name; nothing where it has no title.
    fn branch_title(&self, branch: u8) -> Option<(String, String)> {
        let asked = self.game().asked()?;
        let AskKind::Menu(branches) = &self.words().rules.ask(asked.site).kind else {
            return None;
        };
        let branch = branches.get(usize::from(branch))?;
        Some((branch.title.clone()?, branch.name.clone()))
    }

    fn range_text(&self) -> String {
        let domain = match self.game().pending() {
            Pending::Ask(asked) => asked.domain,
            Pending::Chance(drawn) => drawn.domain,
            _ => return String::new(),
        };
        match domain {
            Domain::Numbers { low, high, pass } => {
                format!(
                    "  a number from {low} to {high}{}\n",
                    if pass { ", or pass" } else { "" }
                )
            }
            Domain::Text { most, pass } => {
                let pass = if pass { ", or `pass`" } else { "" };
                format!(
                    "  a text of up to {most} letters{pass}; in quotation marks if it begins like a command\n"
                )
            }
            _ => String::new(),
        }
    }

    /// The moment in a few words: `Dusk 1, Ann, 7 options`
    pub fn moment(&self) -> String {
        let game = self.game();
        let look = game.look();
        let scene = look.scenes().next().map(|scene| {
            let name = self.words().scene(scene);
            format!("{name} {}, ", look.times(scene))
        });
        let scene = scene.unwrap_or_default();
        match game.pending() {
            Pending::Ask(asked) if asked.domain == Domain::Go => format!("{scene}go"),
            Pending::Ask(asked) if matches!(asked.domain, Domain::Text { .. }) => {
                format!("{scene}{}, a text", self.who(&asked))
            }
            Pending::Ask(asked) => format!("{scene}{}, {}", self.who(&asked), self.how_many()),
            Pending::Chance(_) => format!("{scene}chance, {}", self.how_many()),
            Pending::Over(_) => "over".to_owned(),
            Pending::Broken(_) => format!("{scene}broken"),
        }
    }

    fn who(&self, asked: &Asked) -> String {
        match asked.who.count_ones() {
            _ if asked.host => "host".to_owned(),
            0..=3 => self.words().seats(asked.who),
            many => format!("{many} together"),
        }
    }

    fn how_many(&self) -> String {
        match self.answers().len() {
            0 => "a number".to_owned(),
            1 => "1 option".to_owned(),
            many => format!("{many} options"),
        }
    }
}

/// Some events without the scenes in which none of the others happened.
fn without_empty_scenes(events: Vec<(usize, &Happened, String)>) -> Vec<(usize, &Happened, String)> {
    let mut kept: Vec<(usize, &Happened, String)> = Vec::new();
    for event in events {
        let last = kept.last().map(|(_, happened, _)| &happened.what);
        match (last, &event.1.what) {
            (Some(What::SceneBegan { scene, .. }), What::SceneEnded { scene: over }) if scene == over => {
                kept.pop();
            }
            _ => kept.push(event),
        }
    }
    kept
}

/// A sentence that ends in a stop of its own, or gets one.
fn finished(words: &str) -> String {
    match words.ends_with(['.', '!', '?', ':']) {
        true => words.to_owned(),
        false => format!("{words}."),
    }
}

// ---- Back and why
impl Desk {
    /// Which answer was taken back last, and how many more up to the place where the game stood; whether they came by
    /// one line, and so go together.
    pub fn taken_back(&self, at: usize, is_line: bool) -> String {
        let Some(first) = self.hosted.session.undone().first() else {
            return String::new();
        };
        let game = self.game();
        let (who, site) = match game.pending() {
            Pending::Ask(asked) if asked.host => ("the host".to_owned(), Some(asked.site)),
            Pending::Ask(asked) => (self.who(&asked), Some(asked.site)),
            _ => ("chance".to_owned(), None),
        };
        let mut choice = self.words().choice(game, site, first.with_text(0));
        if let Some(text) = written(*first, self.hosted.session.texts()) {
            choice = choice.replace("\"…\"", &format!("\"{text}\""));
        }
        let words = match first {
            Choice::Offer { .. } | Choice::ByHand(_) => choice,
            Choice::Go => "the host went on".to_owned(),
            _ => format!("{who}: {choice}"),
        };
        let taken = at.saturating_sub(self.hosted.session.cursor());
        let (more, redo) = match (taken, is_line) {
            (0 | 1, _) => (String::new(), "`redo` gives it again".to_owned()),
            (2, true) => (" and one more".to_owned(), "`redo` gives both again".to_owned()),
            (many, true) => (
                format!(" and {} more", many - 1),
                "`redo` gives all again".to_owned(),
            ),
            (many, false) => {
                let more = if many == 2 {
                    "one".to_owned()
                } else {
                    (many - 1).to_string()
                };
                (
                    format!(" and {more} more"),
                    format!("`redo` gives this one again, `redo {many}` all"),
                )
            }
        };
        paint(
            self.manners.colour,
            "2",
            &format!("  taken back: {words}{more} ({redo})"),
        )
    }

    /// The latest event, or the latest with these words, and what led to it, each with its line in
    /// the rules.
    pub fn why_text(&self, given: &str) -> Option<String> {
        let words = self.words();
        let events = &self.log().events;
        let said = |happened: &Happened| words.told(happened, Viewer::Host).unwrap_or_default();
        let wanted = given.to_lowercase();
        let fits = |happened: &Happened| match given.is_empty() {
            true => self.news_line(happened).is_some(),
            false => said(happened).to_lowercase().contains(&wanted),
        };
        let number = match given
            .parse::<usize>()
            .ok()
            .filter(|number| *number < events.len())
        {
            Some(number) => number,
            None => events.iter().rposition(fits)?,
        };
        let mut out = String::new();
        for (depth, index) in [number].into_iter().chain(self.log().causes(number)).enumerate() {
            let happened = &events[index];
            let because = if depth == 0 { "" } else { "because: " };
            out.push_str(&format!("  {because}{}\n", said(happened)));
            if let Some(place) = self.place_of(happened) {
                out.push_str(&paint(self.manners.colour, "2", &format!("      {place}")));
                out.push('\n');
            }
        }
        Some(out)
    }

    /// The line of the rules that made an event; what was done by hand no line has made.
    pub fn place_of(&self, happened: &Happened) -> Option<String> {
        let by_hand = |happened: &Happened| matches!(happened.what, What::ByHand { .. });
        let cause = happened.cause.map(|cause| &self.log().events[cause as usize]);
        match by_hand(happened) || cause.is_some_and(by_hand) {
            true => None,
            false => self.place(happened.at),
        }
    }

    /// `city.mafia:88: say "…"`
    fn place(&self, at: u32) -> Option<String> {
        let origin = *self.rules().origins.get(at as usize)?;
        if origin.end == 0 {
            return None;
        }
        self.bench.with_sources(|sources| {
            let source = sources.get(origin.source);
            let line = source.place(origin.start as usize).line;
            let text = source
                .text
                .get(source.line_range(line))
                .unwrap_or_default()
                .trim();
            Some(format!("{}:{line}: {text}", source.name))
        })
    }
}

/// The branch of a menu that an answer is.
fn branch_of(answer: &Answer) -> Option<u8> {
    match answer.choice {
        Choice::Branch { branch, target } if target != Target::Nothing => Some(branch),
        _ => None,
    }
}

/// The card that an answer picks, by itself or for a branch.
fn card_of(answer: &Answer) -> Option<u8> {
    match answer.choice {
        Choice::Card(card)
        | Choice::Branch {
            target: Target::Card(card),
            ..
        } => Some(card),
        _ => None,
    }
}

/// The first words of an answer, which say what it is and not where that lies.
fn first_words(answer: &Answer, count: usize) -> String {
    let words: Vec<&str> = answer.words.split(' ').take(count).collect();
    words.join(" ")
}
