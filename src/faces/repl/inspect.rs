//! Looking closer: expressions evaluated on the spot, what a seat knows, who may be asked next, the
//! votes so far, and what would come of an answer.

use super::desk::{Desk, Done};
use super::given;
use omerta_core::{
    codes,
    diagnostic::{Diagnostic, Repair},
    gather,
    rules::{AskSite, Fact, FactId, FactShape, Kind, Program, SceneId},
    source::Span,
};
use omerta_engine::{Audience, Domain, Fault, FaultKind, Happened, Pending, Silence, Value, Viewer, What};
use omerta_play::{
    story::is_outermost,
    words::{Words, listed, members, terms},
};
use omerta_syntax::parse_expr;
use omerta_workbench::needed::{Bar, bars};
use std::collections::BTreeSet;

// ---- Expressions
impl Desk {
    /// An expression of the language, compiled against the rules that are played; names of seats
    /// stand for those who sit there.
    pub fn program(&self, text: &str) -> Result<Program, String> {
        if text.trim().is_empty() {
            return Err("an expression is wanted, such as `number of players`".to_owned());
        }
        if omerta_syntax::is_unfinished(text) {
            return Err(format!("`{text}` breaks off: a bracket or a quote is still open"));
        }
        self.program_with(text, &[])
    }

    /// The same with names of people besides those of the seats.
    fn program_with(&self, text: &str, others: &[String]) -> Result<Program, String> {
        let table = self.hosted.session.table();
        let id = self.bench.add("what was typed", text);
        let expr = parse_expr(id, text, 0).map_err(|problem| sentence(&problem))?;
        let people: Vec<_> = { table.names.iter().chain(others) }
            .map(|name| (name.clone(), Kind::Players))
            .collect();
        let compiled = self.bench.compile(&table.rules, &expr, &people);
        compiled.map_err(|problems| problems.first().map_or_else(String::new, sentence))
    }

    /// The word that a program gives now.
    pub fn evaluate(&self, program: &Program) -> u64 {
        self.try_evaluate(program).unwrap_or(0)
    }

    fn try_evaluate(&self, program: &Program) -> Result<u64, FaultKind> {
        self.evaluate_with(program, &[])
    }

    fn evaluate_with(&self, program: &Program, others: &[u64]) -> Result<u64, FaultKind> {
        let seats = (0..self.names().len()).map(|seat| 1 << seat);
        let given: Vec<u64> = seats.chain(others.iter().copied()).collect();
        self.game().try_evaluate(program, &given)
    }

    /// That value in words.
    pub fn value_of(&self, program: &Program) -> String {
        let word = match self.try_evaluate(program) {
            Ok(word) => word,
            Err(kind) => return self.words().fault(&Fault { kind, at: 0 }),
        };
        let told = self.words().worked_out(program, self.game().look(), word);
        told.unwrap_or_default()
    }

    /// The seats that words stand for: a name, a role, any set.
    pub fn seats_meant(&self, text: &str) -> Result<u64, String> {
        if let Ok(seat) = self.seat(text) {
            return Ok(1 << seat);
        }
        let program = self.program(text)?;
        match program.kind {
            Some(Kind::Players) => Ok(self.evaluate(&program)),
            _ => Err(format!("`{text}` is nobody at the table")),
        }
    }
}

/// What is wrong, in one line.
fn sentence(problem: &Diagnostic) -> String {
    let help = problem.help.as_ref();
    let is_near = |repair: &Repair| matches!(repair, Repair::Instead { .. });
    // At the table nothing can be declared.
    let helps = problem.code != codes::UNKNOWN_NAME || problem.repairs().iter().any(is_near);
    match help.filter(|_| helps) {
        Some(help) => format!("{}; {help}", problem.message),
        None => problem.message.clone(),
    }
}

/// `print number of living`
pub fn print(desk: &mut Desk, given: &str) -> Done {
    let program = desk.program(given)?;
    let value = desk.value_of(&program);
    desk.line(format!("  {value}"));
    Ok(())
}

/// Names that an expression may begin with.
pub fn names(desk: &Desk) -> Vec<String> {
    let table = desk.hosted.session.table();
    let mut names = table.names.clone();
    names.extend(desk.declared().into_iter().map(|(name, _)| name));
    names
}

// ---- What a seat knows
/// `view Ann`
pub fn view(desk: &mut Desk, given: &str) -> Done {
    if given.is_empty() {
        let name = desk.words().seat(0);
        return Err(format!("whose? `view {name}`, or a seat by its number"));
    }
    let seat = desk.seat(given)?;
    let viewer = Viewer::Seat(seat);
    let words = desk.words();
    let (name, game) = (words.seat(seat), desk.game());
    let mut lines = Vec::new();
    let mut to_all = 0;
    for (_, happened) in desk.log().view(viewer) {
        let Some(text) = words.told(happened, viewer).filter(|text| !text.is_empty()) else {
            continue;
        };
        match happened.audience {
            Audience::All => to_all += 1,
            _ => lines.push(format!("  {text}")),
        }
    }
    lines.push(match to_all {
        0 => "  Nothing was said to everybody yet.".to_owned(),
        1 => "  And one thing that everybody heard (`log public`).".to_owned(),
        many => format!("  And {many} things that everybody heard (`log public`)."),
    });
    if let Some(asked) = game.asked().filter(|asked| asked.who >> seat & 1 == 1) {
        let with = match asked.who & !(1 << seat) {
            0 => String::new(),
            others => format!(", together with {}", words.seats(others)),
        };
        let (put, among) = (words.put(game, &asked), words.options(game, &asked));
        lines.push(format!("  Asked now{with}: {put}{} ({among})", terms(&asked)));
    }
    for open in game.offers().iter().filter(|open| open.by == Some(seat)) {
        lines.push(format!("  May: {}", words.rules.offers[open.offer.index()].name));
    }
    let table = desk.table_seen(viewer);
    match table.trim().is_empty() {
        true => desk.line(format!("  {name} has seen nothing lie on the table.")),
        false => {
            desk.line(format!("  What {name} has seen lie on the table:"));
            desk.out.push_str(&table);
        }
    }
    desk.line(format!("  What {name} alone, or with some others, knows:"));
    desk.list(&lines, "");
    Ok(())
}

// ---- Who may be asked
/// `who`
pub fn who(desk: &mut Desk, _: &str) -> Done {
    let (game, words) = (desk.game(), desk.words());
    let mut lines = Vec::new();
    match game.pending() {
        Pending::Ask(asked) => lines.push(format!("  now: {}", words.question(game, &asked))),
        Pending::Chance(drawn) => lines.push(format!("  now chance: {}", words.chance(game, &drawn))),
        Pending::Over(_) | Pending::Broken(_) => return Err("nobody is asked any more".to_owned()),
    }
    let mut next: Vec<(String, Vec<String>)> = Vec::new();
    for answer in desk.answers() {
        let mut tried = game.clone();
        if tried.apply(answer.choice, &mut Silence).is_err() {
            continue;
        }
        let then = match tried.pending() {
            Pending::Ask(asked) if asked.domain == Domain::Go => {
                match words.rules.ask(asked.site).name.as_str() {
                    AskSite::WAIT => "the host goes on".to_owned(),
                    name => format!("the host goes on ({name})"),
                }
            }
            Pending::Ask(asked) => {
                let who = match asked.host {
                    true => "the host".to_owned(),
                    false => words.seats(asked.who),
                };
                match words.rules.ask(asked.site).text {
                    Some(_) => format!("{who}: {}", words.put(&tried, &asked)),
                    None => format!("{who}, for {}", words.rules.ask(asked.site).name),
                }
            }
            Pending::Chance(drawn) => format!("chance, {}", words.rules.draws[drawn.site.index()].name),
            Pending::Over(_) => "nobody: the game is over".to_owned(),
            Pending::Broken(_) => "nobody: the rules go wrong".to_owned(),
        };
        gather::under(&mut next, then).push(answer.words);
    }
    if let [(only, _)] = &next[..] {
        lines.push(format!("  next: {only}"));
    } else {
        let line = |(then, answers): &(String, Vec<String>)| {
            format!("  after {}: {then}", listed(answers.clone(), "or"))
        };
        lines.extend(next.iter().map(line));
    }
    // Who may do the same, and all of it, is one line.
    let mut may: Vec<(String, Vec<&str>)> = Vec::new();
    for open in game.offers() {
        let who = open
            .by
            .map_or_else(|| "the host".to_owned(), |seat| words.seat(seat));
        let offer = words.rules.offers[open.offer.index()].name.as_str();
        gather::under(&mut may, who).push(offer);
    }
    while let Some((_, offers)) = may.first().cloned() {
        let alike = may.extract_if(.., |(_, other)| *other == offers);
        let names = alike.map(|(who, _)| who).collect();
        lines.push(format!("  {} may: {}", listed(names, "and"), offers.join(", ")));
    }
    desk.list(&lines, "");
    Ok(())
}

// ---- Votes and numbers
/// `tally`
pub fn tally(desk: &mut Desk, _: &str) -> Done {
    let words = desk.words();
    let facts = words.rules.facts.iter().enumerate();
    let facts = facts.flat_map(|(index, fact)| tally_of(desk, &words, FactId(index as u16), fact));
    let lines: Vec<String> = hands(desk, &words).into_iter().chain(facts).collect();
    desk.list(
        &lines,
        "nobody has named anybody, and nothing is counted for anybody",
    );
    Ok(())
}

impl Desk {
    /// `, in Day 1`: when somebody was named last, where that was in a scene of the script that is over.
    fn of_before(&self, named: FactId) -> String {
        let events = &self.log().events;
        let outermost = |until: usize| {
            let began = |event: &&Happened| match event.what {
                What::SceneBegan { .. } => is_outermost(self.log(), event),
                _ => false,
            };
            events[..until].iter().rev().find(began)
        };
        let is_it = |event: &Happened| matches!(event.what, What::Linked { fact, .. } if fact == named);
        let last = events.iter().rposition(is_it);
        let (Some(then), Some(now)) = (last.and_then(outermost), outermost(events.len())) else {
            return String::new();
        };
        match &then.what {
            What::SceneBegan { scene, nth } if then.what != now.what => {
                format!(", in {} {nth}", self.words().scene(*scene))
            }
            _ => String::new(),
        }
    }

    /// `; 4 are needed`, where the rules compare the voices with one number: in a scene that is running, or, while they are
    /// asked for, in any.
    fn needed(&self, name: &str, asked: Option<Span>) -> String {
        let laid = self.bench.lay(&self.wanted).ok();
        let Some(laid) = laid.filter(|_| !self.hosted.is_over()) else {
            return String::new();
        };
        let bars = self
            .bench
            .with_sources(|sources| bars(&laid, sources, name, asked));
        let look = self.game().look();
        let running = |bar: &Bar| {
            let (scene, _) = bar.scene.as_ref()?;
            look.scenes()
                .find(|id| self.game().rules().scenes[id.index()].name == *scene)
        };
        let (inside, outside): (Vec<&Bar>, Vec<&Bar>) = bars.iter().partition(|bar| running(bar).is_some());
        let asked = self.game().asked();
        let is_asked = asked.is_some_and(|asked| self.game().rules().ask(asked.site).name == name);
        let may_come = |bar: &&Bar| is_asked || bar.scene.is_none();
        let bars = match inside.is_empty() {
            true => outside.into_iter().filter(may_come).collect(),
            false => inside,
        };
        let numbers = bars.into_iter().filter_map(|bar| self.voices(bar, running(bar)));
        let numbers: BTreeSet<u64> = numbers.collect();
        match numbers.into_iter().collect::<Vec<u64>>()[..] {
            [] => String::new(),
            [1] => "; 1 is needed".to_owned(),
            [one] => format!("; {one} are needed"),
            // The rules look at it twice, and which of the two counts they alone know.
            _ => String::new(),
        }
    }

    /// How many voices come up to a bar as the game stands.
    fn voices(&self, bar: &Bar, scene: Option<SceneId>) -> Option<u64> {
        let names = bar.scene.as_ref().map_or(&[][..], |(_, names)| names);
        let handed = scene.and_then(|scene| self.game().handed(scene, names.len()));
        let names = if handed.is_some() { names } else { &[] };
        let program = self.program_with(&bar.of, names).ok()?;
        let value = self.evaluate_with(&program, &handed.unwrap_or_default()).ok()?;
        match program.kind {
            Some(Kind::Players) => Some(bar.voices(value.count_ones().into())),
            Some(Kind::Number) => Some(bar.voices(value)),
            _ => None,
        }
    }
}

/// Who has said yes and no so far to the question that goes round.
fn hands(desk: &Desk, words: &Words<'_>) -> Vec<String> {
    let Some(asked) = desk.game().asked() else {
        return Vec::new();
    };
    let (mut yes, mut no) = (0_u64, 0_u64);
    for happened in desk.log().events.iter().rev() {
        match &happened.what {
            What::Asked { .. } => {}
            What::Answered {
                site,
                who,
                answer: Value::Truth(truth),
                host: false,
            } if *site == asked.site => *(if *truth { &mut yes } else { &mut no }) |= who,
            _ => break,
        }
    }
    let line = |(answer, who): (&str, u64)| {
        let told = || format!("    {} {answer}: {}", who.count_ones(), words.seats(who));
        (who != 0).then(told)
    };
    let site = words.rules.ask(asked.site);
    let head = (yes | no != 0).then(|| {
        let needed = desk.needed(&site.name, Some(site.origin));
        format!("  {}, so far{needed}", site.name)
    });
    let lines = [("yes", yes), ("no", no)].into_iter().filter_map(line);
    head.into_iter().chain(lines).collect()
}

/// Who is named by whom in a link, or the numbers of a count; also answers that lie face down.
fn tally_of(desk: &Desk, words: &Words<'_>, id: FactId, fact: &Fact) -> Vec<String> {
    let look = desk.game().look();
    // What lies face down is of interest until the question is over.
    let asked = desk.game().asked();
    let is_asked = asked.is_some_and(|asked| words.rules.ask(asked.site).name == fact.name);
    if fact.hidden && !is_asked {
        return Vec::new();
    }
    let face_down = if fact.hidden { ", not laid open yet" } else { "" };
    let seats = || 0..look.seats();
    match fact.shape {
        FactShape::Link {
            to: Kind::Players, ..
        } => {
            let named = seats().fold(0, |set, seat| set | look.fact_of(id, seat));
            let mut named: Vec<(u8, u64)> = members(named)
                .map(|seat| {
                    let by = seats().filter(|from| look.fact_of(id, *from) >> seat & 1 == 1);
                    (seat, by.fold(0, |set, from| set | 1 << from))
                })
                .collect();
            named.sort_by_key(|(_, by)| std::cmp::Reverse(by.count_ones()));
            let line = |(seat, by): &(u8, u64)| {
                let (count, whom, by) = (by.count_ones(), words.seat(*seat), words.seats(*by));
                format!("    {count} {whom}: {by}")
            };
            let head = (!named.is_empty()).then(|| {
                let needed = desk.needed(&fact.name, None);
                format!("  {}{}{face_down}{needed}", fact.shown(), desk.of_before(id))
            });
            head.into_iter().chain(named.iter().map(line)).collect()
        }
        FactShape::CountOfEach if !fact.hidden && fact.words.is_empty() && !fact.text => {
            let counted = seats().map(|seat| (seat, look.fact_of(id, seat) as i64));
            let mut counted: Vec<(u8, i64)> = counted.collect();
            // What everybody has from the start nobody was given.
            match counted.iter().all(|(_, number)| *number == fact.start) {
                true => counted.clear(),
                false => counted.retain(|(_, number)| *number != 0),
            }
            let line = |(seat, number): &(u8, i64)| format!("    {number} {}", words.seat(*seat));
            let head = (!counted.is_empty()).then(|| format!("  {}", fact.shown()));
            head.into_iter().chain(counted.iter().map(line)).collect()
        }
        _ => Vec::new(),
    }
}

// ---- Trying
/// `what if Bob`
pub fn what_if(desk: &mut Desk, given: &str) -> Done {
    if given.is_empty() {
        return Err("name an answer: `what if Bob`".to_owned());
    }
    let (kept, shown) = (desk.hosted.clone(), desk.shown);
    let tried = desk.answer_line_given(given);
    if tried.is_ok() {
        desk.line(format!("  if {given}:"));
        desk.tell_news();
        desk.tell_pending();
        let odds = desk.odds_since(kept.session.game());
        odds.into_iter().flatten().for_each(|line| desk.line(line));
    }
    desk.put_back(kept);
    (desk.shown, desk.header) = (shown, None);
    if tried.is_ok() {
        desk.line("  (taken back)");
    }
    tried
}

// ---- One event at a time
/// `event`, `event 5`
pub fn event(desk: &mut Desk, given: &str) -> Done {
    let times = given::times(given)?;
    let latest = desk.hosted.session.events_of(desk.hosted.session.cursor());
    if !latest.contains(&desk.traced) {
        desk.traced = latest.start;
    }
    if latest.is_empty() {
        return Err("the last answer led to nothing".to_owned());
    }
    for _ in 0..times {
        let number = desk.traced;
        let Some(happened) = desk.log().events.get(number).cloned() else {
            break;
        };
        let words = desk.words().told(&happened, Viewer::Host).unwrap_or_default();
        let place = desk.place_of(&happened);
        let place = place.map_or_else(String::new, |place| format!("\n        {place}"));
        desk.line(format!("{number:4}  {words}{place}"));
        desk.traced += 1;
    }
    if desk.traced >= latest.end {
        desk.line("      that is all the last answer led to; `event` begins again");
        desk.traced = latest.start;
    }
    Ok(())
}

// ---- Why
impl Desk {
    /// The last event that had to do with a seat.
    pub fn last_of(&self, seat: u8) -> Option<usize> {
        let concerns = |happened: &Happened| match &happened.what {
            What::Occurred { of, .. } => of >> seat & 1 == 1,
            What::Marked { seats, .. } | What::Unmarked { seats, .. } => seats >> seat & 1 == 1,
            What::Turned { seat: it, .. } => *it == seat,
            What::Reseated { moved, .. } => moved >> seat & 1 == 1,
            _ => false,
        };
        self.log().events.iter().rposition(concerns)
    }
}
