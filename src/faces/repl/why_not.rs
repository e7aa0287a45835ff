//! Why something may not be answered: which part of a set leaves somebody or something out, which
//! condition does not hold, which bound is passed, each with its line of the rules.

use super::desk::Done;
use super::given;
use super::{
    desk::Desk,
    line::is_offer,
    source::{flat, innermost},
};
use omerta_core::{
    rules::{AskKind, AskSite, Kind, Offer},
    source::{SourceId, Sources, Span},
};
use omerta_engine::{Asked, Choice, Domain as Open, OpenBranch, OpenOffer, Pending, Value, What};
use omerta_play::{
    names::seat_in,
    options::{self, Meant},
    words::listed,
};
use omerta_syntax::{
    parse_file,
    tree::{
        Allow, Ask, BinaryOp, Branch, ClauseMode, Domain, Expr, ExprKind, Item, ItemKind, OrNobody, Question,
    },
};
use std::ops::RangeInclusive;

/// How deep definitions are followed.
const DEEPEST: usize = 6;

/// A name of the place where an expression stands, and the seats it stands for.
type Known = (String, u64);

/// Who or what is missing in a set, and the names known where the set stands.
struct Missing<'a> {
    kind: Kind,
    number: u8,
    name: &'a str,
    known: &'a [Known],
}

/// `why not Bob`, `why not Ann -> Bob`, `why not shoot Bob`, `why not 9`, `why not pass`, `why not Ann does suspect Bob`
pub fn why_not(desk: &mut Desk, given: &str) -> Done {
    if given.is_empty() {
        return Err("name a choice: `why not Bob`".to_owned());
    }
    let named = desk.offer_named(given);
    let told = match desk.game().pending() {
        Pending::Over(_) | Pending::Broken(_) => return Err("nobody is asked any more".to_owned()),
        _ if is_offer(given) || named.is_some() => desk.why_no_offer(given)?,
        Pending::Chance(_) => return Err("it is chance that decides now, and nobody is asked".to_owned()),
        Pending::Ask(asked) => desk.why_no_answer(&asked, desk.answered_with(&asked, given))?,
    };
    match told {
        Told::Legal(line) => desk.line(format!("  {line}")),
        Told::Why(lines, place) => {
            desk.list(&lines, "");
            let text = desk.lines_of(place);
            desk.out.push_str(&text);
        }
    }
    Ok(())
}

/// What there is to say.
enum Told {
    /// Nothing is in the way.
    Legal(String),
    /// What is in the way, and the place of the rules to be shown.
    Why(Vec<String>, Span),
}

// ---- Answers
impl Desk {
    /// What stands behind the arrow of an answer, `Ann -> Bob`, where it is she who is asked.
    fn answered_with<'g>(&self, asked: &Asked, given: &'g str) -> &'g str {
        let is_asked = |who: &str| {
            let seat = seat_in(self.names(), who.trim());
            seat.is_ok_and(|seat| asked.who >> seat & 1 == 1) || asked.host && who.trim() == "host"
        };
        let behind = given.split_once("->").filter(|(who, _)| is_asked(who));
        behind.map_or(given, |(_, answer)| answer.trim())
    }

    fn why_no_answer(&self, asked: &Asked, given: &str) -> Result<Told, String> {
        // Of many numbers only the ends are listed.
        let number = match asked.domain {
            Open::Numbers { low, high, .. } => given.parse().ok().filter(|n| (low..=high).contains(n)),
            _ => None,
        };
        let meant = number.map_or_else(
            || options::meant(&self.answers(), given, self.names()),
            |number| Meant::Surely(Choice::Number(number)),
        );
        if let Meant::Surely(choice) | Meant::Begun(choice) = meant {
            let words = self.words().choice(self.game(), Some(asked.site), choice);
            return Ok(Told::Legal(match choice {
                Choice::Go => "`go` goes on".to_owned(),
                Choice::Pass => "`pass` may be answered".to_owned(),
                _ => format!("{words} may be chosen"),
            }));
        }
        let words = self.words();
        let site = words.rules.ask(asked.site);
        let options = words.options(self.game(), asked);
        let head = match asked.domain {
            Open::Go => return Err("nobody chooses here: `go` goes on".to_owned()),
            Open::Menu => format!("  to choose from: {options}"),
            _ => format!("  asked for {}, {options}", site.name),
        };
        let ask = self.ask_at(site.origin);
        let known = self.known(asked, ask.as_ref());
        let mut lines = vec![head];
        lines.extend(self.refusal_of(asked, site, ask.as_ref(), given, &known));
        if lines.len() == 1 {
            lines.push("  the question gives no such answer:".to_owned());
        }
        // Of a menu the branch that is meant says enough.
        let branch = match ask.as_ref().map(|ask| &ask.question) {
            Some(Question::Menu(_, written)) => {
                let names: Vec<&str> = written.iter().map(|branch| branch.name.text.as_str()).collect();
                the_one(&names, given::split(given).0).map_or(first_line(site.origin), |at| written[at].span)
            }
            _ => site.origin,
        };
        Ok(Told::Why(lines, branch))
    }

    fn refusal_of(
        &self,
        asked: &Asked,
        site: &AskSite,
        ask: Option<&Ask>,
        given: &str,
        known: &[Known],
    ) -> Vec<String> {
        let question = ask.map(|ask| &ask.question);
        if let (AskKind::Menu(branches), Some(Question::Menu(_, written))) = (&site.kind, question) {
            let names: Vec<&str> = branches.iter().map(|branch| branch.name.as_str()).collect();
            return self.why_no_branch(&names, written, given, known);
        }
        let (domain, or_nobody) = match question {
            Some(Question::For {
                domain, or_nobody, ..
            }) => (domain, or_nobody),
            Some(Question::Whether(_)) => {
                return vec!["  only `yes` or `no` may be answered here".to_owned()];
            }
            Some(Question::Menu(..)) | None => return Vec::new(),
        };
        match (asked.domain, domain) {
            _ if given == "pass" => self.why_no_pass(or_nobody, known),
            (Open::Numbers { low, high, .. }, Domain::Numbers(from, to)) => {
                vec![self.why_no_number(given, from.span.to(to.span), low..=high)]
            }
            (among, _) if self.is_picked(asked, among, given) => {
                vec![format!("  {given} has been picked already")]
            }
            (among, Domain::Set(set) | Domain::Unseen(set)) => self.why_not_among(among, set, given, known),
            _ => Vec::new(),
        }
    }

    fn why_no_number(&self, given: &str, bounds: Span, range: RangeInclusive<i64>) -> String {
        let is = match given.parse::<i64>() {
            Ok(_) => "is beyond",
            Err(_) => "is no number of",
        };
        let (low, high) = range.into_inner();
        let bounds = self.quoted(bounds);
        format!("  {given} {is} {bounds}: it goes from {low} to {high}")
    }

    fn why_no_pass(&self, or_nobody: &OrNobody, known: &[Known]) -> Vec<String> {
        match or_nobody {
            OrNobody::When(test) => self.unmet(test, known, 0),
            _ => vec!["  the question has no `or nobody`: an answer must be given".to_owned()],
        }
    }

    /// Why a branch of a menu stands closed, or does not pick what is named behind it.
    fn why_no_branch(&self, names: &[&str], written: &[Branch], given: &str, known: &[Known]) -> Vec<String> {
        let (word, target) = given::split(given);
        let Some(number) = the_one(names, word) else {
            let lines = self.why_no_target(names, written, given, known);
            if !lines.is_empty() {
                return lines;
            }
            let names = names.iter().map(|name| format!("`{name}`")).collect();
            return vec![format!("  the menu has only {}", listed(names, "and"))];
        };
        let Some(branch) = written.iter().find(|branch| branch.name.text == names[number]) else {
            return Vec::new();
        };
        let open = self.game().branches();
        let open: Vec<OpenBranch> = open.filter(|open| usize::from(open.branch) == number).collect();
        let set = branch.pick.as_ref().map(|pick| &pick.domain);
        match (open[..].first(), set) {
            (Some(open), Some(Domain::Set(set) | Domain::Unseen(set))) if !target.is_empty() => {
                let among = open.among.unwrap_or(Open::Go);
                self.why_not_among(among, set, target, known)
            }
            (Some(_), Some(_)) => vec![format!("  `{word}` wants a name behind it: `{word} NAME`")],
            (Some(_), None) => vec![format!("  `{word}` takes nothing behind it")],
            (None, set) => {
                let mut lines = match &branch.when {
                    Some(test) => self.unmet(test, known, 0),
                    None => Vec::new(),
                };
                if let (true, Some(Domain::Set(set) | Domain::Unseen(set))) = (lines.is_empty(), set) {
                    lines.push(self.is_empty(set));
                }
                lines.insert(0, format!("  `{}` stands closed:", names[number]));
                lines
            }
        }
    }

    /// Why the open branches of a menu do not pick what is named without one.
    fn why_no_target(&self, names: &[&str], written: &[Branch], given: &str, known: &[Known]) -> Vec<String> {
        let mut lines = Vec::new();
        for open in self.game().branches() {
            let name = names[usize::from(open.branch)];
            let pick = written.iter().find(|branch| branch.name.text == name);
            let pick = pick.and_then(|branch| branch.pick.as_ref());
            if let (Some(Domain::Set(set) | Domain::Unseen(set)), Some(among)) =
                (pick.map(|pick| &pick.domain), open.among)
                && self.is_something(among, given)
            {
                let why = self.why_not_among(among, set, given, known);
                if why.is_empty() {
                    lines.push(format!("  as `{name} {given}` it may be chosen"));
                }
                lines.extend(why.iter().map(|why| format!("  `{name}`: {}", why.trim_start())));
            }
        }
        lines
    }

    fn is_empty(&self, set: &Expr) -> String {
        format!("  nothing is left in {}", self.quoted(set.span))
    }

    /// Which part of a set leaves out what somebody named, if it is anything at all.
    fn why_not_among(&self, among: Open, set: &Expr, given: &str, known: &[Known]) -> Vec<String> {
        let Some((name, kind, number)) = self.thing_meant(among, given) else {
            let what = match among {
                Open::Titles { .. } => "no role and no team of these rules",
                Open::Cards { .. } => "no card of this game",
                _ => "nobody at the table",
            };
            return vec![format!("  `{given}` is {what}")];
        };
        let name = &*name;
        let missing = Missing {
            kind,
            number,
            name,
            known,
        };
        let mut lines = self.left_out(set, &missing, 0);
        lines.dedup();
        lines
    }

    /// What words stand for among all things of the kind that is asked for.
    fn thing_meant(&self, among: Open, given: &str) -> Option<(String, Kind, u8)> {
        let all = options::everything(self.game(), &self.words(), among);
        let choice = match options::meant(&all, given, self.names()) {
            Meant::Surely(choice) | Meant::Begun(choice) => choice,
            // Of cards that are alike one is as good as another.
            Meant::Either(words) => all.iter().find(|answer| answer.words == words[0])?.choice,
            Meant::Nothing { .. } => return None,
        };
        let name = all.iter().find(|answer| answer.choice == choice)?.words.clone();
        match choice {
            Choice::Seat(seat) => Some((name, Kind::Players, seat)),
            Choice::Card(card) => Some((self.card(card), Kind::Cards, card)),
            Choice::Title(title) => Some((name, Kind::Titles, u8::try_from(title).ok()?)),
            _ => None,
        }
    }

    /// `a wolf of Dee`
    fn card(&self, card: u8) -> String {
        let words = self.words();
        let title = words.choice(self.game(), None, Choice::Card(card));
        let holder = self.game().look().things()[usize::from(card)].seat;
        holder.map_or(title.clone(), |seat| format!("{title} of {}", words.seat(seat)))
    }

    /// Whether it is among the earlier picks of a question for several.
    fn is_picked(&self, asked: &Asked, among: Open, given: &str) -> bool {
        let Some((_, _, number)) = self.thing_meant(among, given) else {
            return false;
        };
        // Each pick is a question of its own, written at the same place.
        let origin = |site| self.hosted.session.table().rules.ask(site).origin;
        let events = self.hosted.session.log().events.iter().rev();
        let picks = events.filter_map(|event| match &event.what {
            What::Answered {
                site, who, answer, ..
            } => (*who == asked.who && origin(*site) == origin(asked.site)).then_some(answer),
            _ => None,
        });
        picks.take(usize::from(asked.pick.0)).any(|picked| match picked {
            Value::Players(bits) | Value::Titles(bits) => bits >> number & 1 == 1,
            Value::Cards(cards) => cards.iter().any(|(card, _)| *card == number),
            _ => false,
        })
    }

    fn is_something(&self, among: Open, given: &str) -> bool {
        self.thing_meant(among, given).is_some()
    }

    /// The names that are known where a question stands: who is asked.
    fn known(&self, asked: &Asked, ask: Option<&Ask>) -> Vec<Known> {
        let name = ask.and_then(|ask| ask.who.bare_name());
        let name = name.filter(|name| name.text != "me" && self.is_of_the_place(&name.text));
        let names = ["me".to_owned()]
            .into_iter()
            .chain(name.map(|name| name.text.clone()));
        names.map(|name| (name, asked.who)).collect()
    }

    /// Whether a name is declared nowhere in the rules: then the place gave it.
    fn is_of_the_place(&self, name: &str) -> bool {
        !self.declared().iter().any(|(declared, _)| declared == name) && name != "host"
    }
}

/// The line on which a place begins.
fn first_line(place: Span) -> Span {
    Span {
        end: place.start + 1,
        ..place
    }
}

/// The place of the one name that is given, in full or by its beginning.
fn the_one(names: &[&str], given: &str) -> Option<usize> {
    let given = given.to_lowercase();
    let exact = names.iter().position(|name| name.to_lowercase() == given);
    let mut begun = (0..names.len()).filter(|place| names[*place].to_lowercase().starts_with(&given));
    exact.or_else(|| begun.next().filter(|_| begun.next().is_none()))
}

// ---- Offers
impl Desk {
    /// The offer that a line is about: `Ann does NAME …`, or its name alone.
    fn offer_named(&self, given: &str) -> Option<usize> {
        let offers = &self.rules().offers;
        let word = match is_offer(given) {
            true => given.split_whitespace().nth(2)?,
            false => given,
        };
        let names: Vec<&str> = offers.iter().map(|offer| offer.name.as_str()).collect();
        match is_offer(given) {
            true => the_one(&names, word),
            false => names.iter().position(|name| name.eq_ignore_ascii_case(word)),
        }
    }

    /// What keeps an offer closed, in a sentence.
    pub fn why_closed(&self, given: &str) -> Option<String> {
        let Ok(Told::Why(lines, _)) = self.why_no_offer(given) else {
            return None;
        };
        let why: Vec<&str> = lines[1..].iter().map(|line| line.trim()).collect();
        (!why.is_empty()).then(|| why.join("; "))
    }

    fn why_no_offer(&self, given: &str) -> Result<Told, String> {
        if let Meant::Surely(_) | Meant::Begun(_) = options::meant(&self.offered(), given, self.names()) {
            return Ok(Told::Legal(format!("`{given}` is open")));
        }
        let rules = self.rules();
        let Some(number) = self.offer_named(given) else {
            let names = given::known(&rules.offers, |offer| &offer.name);
            let word = given.split_whitespace().nth(2).unwrap_or("");
            return Err(given::unknown("offer", word, &names));
        };
        let offer = &rules.offers[number];
        // What somebody writes is his own.
        let is_open = |head: &str| self.offered().iter().any(|answer| answer.words.starts_with(head));
        if given.split_once('"').is_some_and(|(head, _)| is_open(head)) {
            return Ok(Told::Legal(format!("`{given}` is open")));
        }
        // Nothing was named with it, where something must be.
        let words: Vec<&str> = given.split_whitespace().collect();
        if let [who, _, _] = words[..] {
            let (picks, open) = (format!("{who} does {} ", offer.name), self.offered());
            if let Some(answer) = open.iter().find(|answer| answer.words.starts_with(&picks)) {
                let words = &answer.words;
                let line = format!("`{given}` is open, and something is named with it: `{words}`");
                return Ok(Told::Legal(line));
            }
        }
        let is_open = self
            .game()
            .offers()
            .iter()
            .any(|open| open.offer.index() == number);
        if !is_offer(given) && is_open {
            let line = format!("`{given}` is open; `offers` tells to whom");
            return Ok(Told::Legal(line));
        }
        let allow = self.allow_at(offer.origin);
        let title = offer.title.as_ref().map(|title| format!(" ({title})"));
        let title = title.unwrap_or_default();
        let mut lines = vec![format!("  the offer `{}`{title}:", offer.name)];
        lines.extend(self.refusal_of_offer(offer, allow.as_deref(), given));
        if lines.len() == 1 {
            lines.push("  it is not open in this way".to_owned());
        }
        let head = allow.map_or(offer.origin, |allow| offer.origin.before(allow.body.span));
        Ok(Told::Why(lines, head))
    }

    fn refusal_of_offer(&self, offer: &Offer, allow: Option<&Allow>, given: &str) -> Vec<String> {
        if matches!(self.game().pending(), Pending::Chance(_)) {
            return vec!["  chance decides first: say what it rolls, or `roll`".to_owned()];
        }
        let scenes = self.scenes_of(offer);
        let look = self.game().look();
        if !offer.during.is_empty() && !offer.during.iter().any(|scene| look.during(*scene)) {
            let at = self.at(offer.origin);
            return vec![format!(
                "  it is open only during {scenes}{at}, and this is another scene"
            )];
        }
        let Some(allow) = allow else { return Vec::new() };
        let mut words = given.split_whitespace();
        let (who, target) = match is_offer(given) {
            true => (words.next(), words.skip(2).collect::<Vec<_>>().join(" ")),
            false => (None, String::new()),
        };
        let by = match (who, offer.who) {
            (None, _) => return self.closed_to_all(allow),
            (Some("host"), None) => 0,
            (Some("host"), Some(_)) => {
                return vec![format!(
                    "  it is for {}, and not for the host",
                    self.quoted(allow.who.span)
                )];
            }
            (Some(who), None) => {
                let name = &offer.name;
                return vec![format!(
                    "  it is the host's alone, and not {who}'s: `host does {name}`"
                )];
            }
            (Some(who), Some(_)) => match self.seat(who) {
                Ok(seat) => seat,
                Err(why) => return vec![format!("  {why}")],
            },
        };
        let name = self.words().seat(by);
        let known = match offer.who {
            Some(_) => vec![("me".to_owned(), 1_u64 << by)],
            None => Vec::new(),
        };
        if offer.who.is_some() {
            let missing = Missing {
                kind: Kind::Players,
                number: by,
                name: &name,
                known: &[],
            };
            let lines = self.left_out(&allow.who, &missing, 0);
            if !lines.is_empty() {
                return lines;
            }
        }
        if let Some(test) = &allow.when
            && let lines = self.unmet(test, &known, 0)
            && !lines.is_empty()
        {
            return lines;
        }
        match allow.pick.as_ref().map(|pick| &pick.domain) {
            Some(Domain::Set(set) | Domain::Unseen(set)) => {
                let among = match offer.target.map(|target| target.kind) {
                    Some(Kind::Cards) => Open::Cards {
                        among: 0,
                        pass: false,
                        unseen: false,
                    },
                    Some(Kind::Titles) => Open::Titles {
                        among: 0,
                        pass: false,
                    },
                    _ => Open::Seats {
                        among: 0,
                        pass: false,
                    },
                };
                match target.is_empty() {
                    true => vec![self.is_empty(set)],
                    false => self.why_not_among(among, set, &target, &known),
                }
            }
            Some(Domain::Numbers(from, to)) => {
                let is_this = |open: &OpenOffer| {
                    let this = &self.rules().offers[open.offer.index()];
                    this.origin == offer.origin && open.by == offer.who.map(|_| by)
                };
                let lines = self.game().offers().into_iter().filter(is_this);
                let lines = lines.filter_map(|open| match open.among? {
                    Open::Numbers { low, high, .. } => {
                        Some(self.why_no_number(&target, from.span.to(to.span), low..=high))
                    }
                    _ => None,
                });
                lines.collect()
            }
            _ => Vec::new(),
        }
    }

    /// Why nobody at all may take an offer up.
    fn closed_to_all(&self, allow: &Allow) -> Vec<String> {
        if self.word_of(&allow.who, &[]) == Some((Kind::Players, 0)) {
            return vec![format!("  nobody is in {}", self.quoted(allow.who.span))];
        }
        match &allow.when {
            Some(test) => self.unmet(test, &[], 0),
            None => allow
                .pick
                .iter()
                .filter_map(|pick| match &pick.domain {
                    Domain::Set(set) | Domain::Unseen(set) => Some(self.is_empty(set)),
                    _ => None,
                })
                .collect(),
        }
    }

    fn scenes_of(&self, offer: &Offer) -> String {
        let words = self.words();
        listed(
            offer.during.iter().map(|scene| words.scene(*scene)).collect(),
            "or",
        )
    }

    fn allow_at(&self, origin: Span) -> Option<Box<Allow>> {
        let text = self.text_of(origin.source)?;
        let (file, _) = parse_file(origin.source, &text);
        match &innermost(&file.items, origin)?.kind {
            ItemKind::Allow(allow) => Some(allow.clone()),
            ItemKind::Replace(inside) => match &inside.kind {
                ItemKind::Allow(allow) => Some(allow.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}

// ---- Conditions
impl Desk {
    /// Which parts of a condition that does not hold are to blame.
    fn unmet(&self, test: &Expr, known: &[Known], depth: usize) -> Vec<String> {
        let mut parts = Vec::new();
        conjuncts(test, &mut parts);
        let worked_out = parts.iter().map(|part| Some(self.word_of(part, known)?.1));
        let worked_out: Vec<Option<u64>> = worked_out.collect();
        let is_false = |part: usize| worked_out[part] == Some(0);
        // What hangs on names of its place cannot be worked out here; if all others hold, it is that.
        let all_hold = !(0..parts.len()).any(is_false);
        let is_to_blame = |part: &usize| {
            if all_hold {
                worked_out[*part].is_none()
            } else {
                is_false(*part)
            }
        };
        let mut lines = Vec::new();
        for part in (0..parts.len()).filter(is_to_blame) {
            let (expr, span) = (parts[part], parts[part].span);
            lines.push(format!("  `{}` does not hold{}", self.slice(span), self.at(span)));
            lines.extend(self.unmet_definition(expr, known, depth));
        }
        lines
    }

    /// A condition that is only a name: what was defined so.
    fn unmet_definition(&self, expr: &Expr, known: &[Known], depth: usize) -> Vec<String> {
        let Some(name) = expr.bare_name().filter(|_| depth < DEEPEST) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        self.for_each_item(|item| {
            if let ItemKind::Define { name: of, value, .. } = &item.kind
                && of.text == name.text
                && value.bare_name().is_none()
            {
                found.extend(self.unmet(value, known, depth + 1));
            }
        });
        found
    }
}

/// The parts of a condition that must all hold.
fn conjuncts<'a>(test: &'a Expr, parts: &mut Vec<&'a Expr>) {
    match &*test.kind {
        ExprKind::Group(inside) => conjuncts(inside, parts),
        ExprKind::And(all) => all.iter().for_each(|part| conjuncts(part, parts)),
        _ => parts.push(test),
    }
}

// ---- Sets
impl Desk {
    /// The kind and the value of an expression of the rules; nothing where it hangs on other names of
    /// its place than those known.
    fn word_of(&self, expr: &Expr, known: &[Known]) -> Option<(Kind, u64)> {
        let text = self.slice(expr.span);
        let stands = |word: &str| {
            text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
                .any(|it| it == word)
        };
        let is_used = |name: &str| stands(name) || name == "me" && stands("others");
        let used = known.iter().filter(|(name, _)| is_used(name));
        let (params, words): (Vec<(String, Kind)>, Vec<u64>) = used
            .map(|(name, seats)| ((name.clone(), Kind::Players), *seats))
            .unzip();
        let program = self.bench.compile(self.rules(), expr, &params).ok()?;
        Some((program.kind?, self.game().evaluate(&program, &words)))
    }

    /// Whether an expression is a set of that kind with the missing one in it.
    fn has(&self, expr: &Expr, missing: &Missing<'_>) -> Option<bool> {
        let (kind, set) = self.word_of(expr, missing.known)?;
        (kind == missing.kind).then(|| set >> missing.number & 1 == 1)
    }

    /// Which part of a set leaves somebody or something out.
    fn left_out(&self, expr: &Expr, missing: &Missing<'_>, depth: usize) -> Vec<String> {
        let holds = |expr: &Expr| self.has(expr, missing);
        let name = missing.name;
        if holds(expr) == Some(true) || depth > DEEPEST {
            return Vec::new();
        }
        let inner = |inner: &Expr| self.left_out(inner, missing, depth + 1);
        let found: Vec<String> = match &*expr.kind {
            ExprKind::Group(inside) => inner(inside),
            ExprKind::Narrow(parts) => parts.iter().flat_map(inner).collect(),
            ExprKind::Binary(BinaryOp::Without, left, right) => match (holds(left), holds(right)) {
                // Whoever is in the one and may not be chosen is in the other.
                (_, Some(true)) | (Some(true), None) => {
                    let (without, at) = (self.slice(right.span), self.at(right.span));
                    vec![format!("  {name} is left out by `without {without}`{at}")]
                }
                _ => inner(left),
            },
            ExprKind::Binary(_, left, right) => [inner(left), inner(right)].concat(),
            ExprKind::Where { set, test } => match holds(set) {
                Some(true) => vec![format!("  {name} fails the test {}", self.quoted(test.span))],
                _ => inner(set),
            },
            ExprKind::Query(query) if query.of.is_none() => {
                self.left_out_of(&query.name.text, missing, depth)
            }
            _ => Vec::new(),
        };
        let why = match (found.is_empty(), holds(expr)) {
            (false, _) => return found,
            (true, Some(_)) => "is not in",
            (true, None) => "is not in what was worked out as",
        };
        vec![format!("  {name} {why} {}", self.quoted(expr.span))]
    }

    /// Which part of a definition leaves it out: what somebody excludes, or what it says itself.
    fn left_out_of(&self, define: &str, missing: &Missing<'_>, depth: usize) -> Vec<String> {
        let mut excluded = Vec::new();
        let mut own = Vec::new();
        self.for_each_item(|item| match &item.kind {
            ItemKind::Clause(clause)
                if clause.mode == ClauseMode::Exclude
                    && clause.name.text == define
                    && self.may_hold(clause.when.as_ref(), missing.known)
                    && self.has(&clause.value, missing) == Some(true) =>
            {
                let (name, by) = (missing.name, self.quoted(item.span));
                excluded.push(format!("  {name} is left out by {by}"));
            }
            ItemKind::Define { name: of, value, .. } if of.text == define => {
                own.extend(self.left_out(value, missing, depth + 1));
            }
            _ => {}
        });
        excluded.extend(own);
        excluded.dedup();
        excluded
    }

    /// Whether a condition holds, where it can be worked out.
    fn may_hold(&self, test: Option<&Expr>, known: &[Known]) -> bool {
        let word = test.and_then(|test| self.word_of(test, known));
        word.is_none_or(|(_, word)| word != 0)
    }

    /// Every declaration of the rules; of a file that was read anew the last text holds.
    fn for_each_item(&self, mut visit: impl FnMut(&Item)) {
        let texts = |sources: &Sources| {
            let latest = sources.latest();
            latest.map(|(id, source)| (id, source.text.clone())).collect()
        };
        let texts: Vec<(SourceId, String)> = self.bench.with_sources(texts);
        for (id, text) in texts {
            let (file, _) = parse_file(id, &text);
            flat(&file.items).into_iter().for_each(&mut visit);
        }
    }

    fn slice(&self, span: Span) -> String {
        self.bench.with_sources(|sources| sources.slice(span).to_owned())
    }

    /// Words of the rules with their place: `` `living` (city.mafia:45) ``
    fn quoted(&self, span: Span) -> String {
        format!("`{}`{}", self.slice(span), self.at(span))
    }

    /// ` (city.mafia:45)`
    fn at(&self, span: Span) -> String {
        self.bench.with_sources(|sources| {
            let source = sources.get(span.source);
            format!(" ({}:{})", source.name, source.place(span.start as usize).line)
        })
    }
}
