//! Lines that cannot fail, and lines that had nothing to look at: a scenario may be green because of them.
//!
//! The first is a static look: what is denied, held against the text of the rules: words against every text in them with the
//! names at the table in its slots; and what is said of marks and cards, against all that these may be. The second is asked of
//! a line that holds, where it is looked at.

use super::{
    always::{always_holds, reads_roles},
    blame,
    drive::Driver,
    expand::{Test, claims, is_setup},
    notes::fits,
    rules::{RulesSource, RulesWithScripts},
    setup,
};
use crate::{session::Session, words::with_a_capital};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{
        AskSite, DrawKind, EventId, FactShape, Kind, Op, Phrase, PhrasePiece, RuleId, Ruleset, SayKind,
        SaySite, SceneId, SeenBy, Slot,
        reach::{Reach, cards_stay},
    },
    source::Span,
};
use omerta_engine::{Domain, Happened, What};
use omerta_syntax::{
    play_tree::{
        AskedFact, Audience, Deed, Denial, Fact, Goal, Line, LineKind, Person, Section, SetupVerdict, Way,
        Wording,
    },
    settled,
    tree::{CompareOp, Expr, ExprKind, Int, Name, Of},
    walk::for_each_expr,
};
use std::collections::BTreeSet;

impl Test {
    /// Its lines that say what must come of it, with those in sections; what is said of all cases together is said
    /// by the test of them alone.
    pub fn claims(&self) -> Vec<&Line> {
        self.claims_of(!self.cases.is_empty())
    }

    /// Its lines that speak of all cases together, or its others.
    fn claims_of(&self, together: bool) -> Vec<&Line> {
        let is_across = |line: &Line| matches!(&line.kind, LineKind::Expect(fact) if fact.is_across());
        let mut claims = self.all_claims();
        claims.retain(|line| is_across(line) == together);
        claims
    }

    pub(super) fn all_claims(&self) -> Vec<&Line> {
        claims(&self.lines)
    }
}

/// The lines that expect what is so in every game, and words that all words have.
pub(super) fn always_so(test: &Test) -> Vec<Diagnostic> {
    let settled = test.settled.iter().map(|line| blame::always_so(*line));
    settled
        .chain(test.wordless.iter().map(|words| blame::any_words(*words)))
        .collect()
}

/// The lines that hold whatever the marks and the cards are of which they speak, and those that expect what was dealt where
/// nobody's card becomes another; asked behind a game in which they held.
pub(super) fn held_anyway(test: &Test, source: &dyn RulesSource, session: &Session) -> Vec<Diagnostic> {
    let (game, names) = (session.game(), &session.table().names);
    let rules = game.rules();
    let seats = names.iter().map(|seat| (seat.clone(), Kind::Players));
    let seats: Vec<_> = seats.collect();
    let each: Vec<u64> = (0..names.len().min(64)).map(|seat| 1 << seat).collect();
    let by_hand = is_led_by_hand(&test.lines);
    let mut others = None;
    let mut found = Vec::new();
    let mut stands = Vec::new();
    in_scenes(&test.lines, None, &mut stands);
    for line in test.claims() {
        let LineKind::Expect(fact) = &line.kind else {
            continue;
        };
        let stand = stands.iter().find(|stand| stand.line.span == line.span);
        let stand = stand.filter(|_| !by_hand);
        let expr = match fact.of_one_game() {
            Fact::Holds(expr) => expr,
            Fact::Knows {
                denied: false, what, ..
            } => {
                let program = source.compile(rules, what, &seats).ok();
                if program.is_some_and(|program| reads_roles(rules, &program) == Some(false)) {
                    let player = what.bare_name().map(|name| name.text.as_str());
                    let player = player.filter(|name| names.iter().any(|known| known == name));
                    found.push(blame::known_anyway(line.span, player));
                }
                continue;
            }
            _ => continue,
        };
        if test.settled.contains(&line.span) {
            continue;
        }
        // What is so in no case is never so.
        let is_so = !fact.is_in_no_case();
        let compiled = |rules: &Ruleset, expr: &Expr| source.compile(rules, expr, &seats).ok();
        let always = |rules: &Ruleset| match counted(expr) {
            // How many there are of anything is no more than there are players.
            Some(set) => {
                let people = compiled(rules, set).is_some_and(|set| set.kind == Some(Kind::Players));
                people && settled::by_range(expr.inside(), (Some(0), Some(names.len() as i64))) == Some(is_so)
            }
            // What else is so by a definition may be there to show what that says.
            None => {
                let program = Some(expr).filter(|expr| is_so && is_one_or_the_other(expr));
                let program = program.and_then(|expr| compiled(rules, expr));
                let truth = program.filter(|program| program.kind == Some(Kind::Truth));
                truth.is_some_and(|program| always_holds(game, &program, &each, &[]))
            }
        };
        let may_be_dealt =
            test.dealt.contains(&line.span) && !by_hand && names_roles_alone(expr, rules, names);
        // Whether it is about the cards that everybody was dealt and keeps, or about nothing that changes.
        let as_dealt = |rules: &Ruleset| {
            let program = compiled(rules, expr).filter(|_| may_be_dealt)?;
            let reads = reads_roles(rules, &program)?;
            (!reads || cards_stay(rules)).then_some(reads)
        };
        // The mark that nobody carries there, if the line holds by that.
        let over = |rules: &Ruleset| {
            let over = over_there(rules, stand.filter(|_| is_so)?, &session.log().events);
            let program = Some(over.as_slice()).filter(|over| !over.is_empty());
            let program = program.and_then(|_| compiled(rules, expr))?;
            let read = |(slot, _): &&(Slot, String)| {
                let reads = |op: &Op| op.fact_read() == Some(*slot);
                program.code.iter().any(reads)
            };
            let mark = over.iter().find(read)?.1.clone();
            let slots: Vec<Slot> = over.iter().map(|(slot, _)| *slot).collect();
            let truth = program.kind == Some(Kind::Truth);
            (truth && always_holds(game, &program, &each, &slots)).then_some(mark)
        };
        let dealt = as_dealt(rules);
        let ended = over(rules);
        let told = match (dealt, &ended) {
            (Some(true), _) => blame::as_dealt(line.span),
            (Some(false), _) => blame::always_so(line.span),
            _ if always(rules) => blame::always_so(line.span),
            (None, Some(mark)) => blame::is_over(line.span, mark),
            (None, None) => continue,
        };
        let others = others.get_or_insert_with(|| setup::other_rules(test, source, rules));
        let is_sure = |other: &RulesWithScripts| match dealt {
            Some(_) => as_dealt(&other.rules) == dealt,
            None if ended.is_some() => is_alike(rules, &other.rules) && over(&other.rules) == ended,
            None => is_alike(rules, &other.rules) && always(&other.rules),
        };
        if others.iter().all(is_sure) {
            found.push(told);
        }
    }
    found
}

/// Whether a test names players and roles and nothing else: what a definition says, and who is of which team, a line may be
/// there to show.
fn names_roles_alone(test: &Expr, rules: &Ruleset, names: &[String]) -> bool {
    let roles = &rules.groups[..rules.roles.len()];
    let is_known = |name: &Name| {
        roles.iter().any(|role| role.name == name.text)
            || names.contains(&name.text)
            || name.text == "players"
    };
    let mut alone = true;
    for_each_expr(test, &mut |expr| {
        alone &= match (expr.bare_name(), &*expr.kind) {
            (Some(name), _) => is_known(name),
            (None, ExprKind::Query(query)) => matches!(query.name.text.as_str(), "role" | "seat"),
            _ => true,
        };
    });
    alone
}

/// Those who are counted in a test of how many they are.
fn counted(test: &Expr) -> Option<&Expr> {
    match &*test.inside().kind {
        ExprKind::Compare(left, _, Of::All, _) => match &*left.inside().kind {
            ExprKind::NumberOf(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a test says of somebody that he is this or that: `Ann is out or Ann is living`.
fn is_one_or_the_other(test: &Expr) -> bool {
    let ExprKind::Or(parts) = &*test.inside().kind else {
        return false;
    };
    let of = |part: &Expr| match &*part.inside().kind {
        ExprKind::Compare(left, CompareOp::Is, Of::All, _) => left.bare_name().map(|name| name.text.clone()),
        _ => None,
    };
    let first = parts.first().and_then(of);
    first.is_some() && parts.iter().all(|part| of(part) == first)
}

/// Whether what is compiled for some rules means the same in a game by others.
fn is_alike(rules: &Ruleset, other: &Ruleset) -> bool {
    let facts =
        |rules: &Ruleset| -> Vec<_> { rules.facts.iter().map(|fact| (fact.slot, fact.shape)).collect() };
    let groups =
        |rules: &Ruleset| -> Vec<_> { rules.groups.iter().map(|group| group.name.clone()).collect() };
    facts(rules) == facts(other) && groups(rules) == groups(other)
}

// ---- What nothing says, asks or does

/// The lines that deny what cannot come, by the text of these rules: words that nothing says at this table, a question that
/// nothing asks, an event or a rule to which nothing leads; not what may come by the same rules without their overlays, or
/// with another value of an option. What is said of all cases `together` is looked at in each of them.
pub(super) fn hollow(
    test: &Test,
    together: bool,
    source: &dyn RulesSource,
    rules: &Ruleset,
    names: &[String],
) -> Vec<Diagnostic> {
    let mut others = None;
    let mut hollow = Vec::new();
    // What chance is to give is laid like the table.
    let is_laid = |kind: &LineKind| is_setup(kind) || matches!(kind, LineKind::Deed(Deed::Draw { .. }));
    if test.lines.iter().all(|line| is_laid(&line.kind)) {
        hollow.push(blame::says_nothing(test.span));
    }
    let by_hand = is_led_by_hand(&test.lines);
    for line in test.lines.iter().filter(|_| !together) {
        let LineKind::Standing { who, choice, .. } = &line.kind else {
            continue;
        };
        let hosts = who.iter().filter(|who| matches!(who, Person::Host(_))).count();
        let asks = |rules: &Ruleset, lets_be: bool| {
            let place = Place::of(rules, names, None, true, lets_be);
            place.may_ask(Some(choice), hosts > 0, None)
        };
        if who.is_empty() || hosts > 0 && hosts < who.len() || asks(rules, true) {
            continue;
        }
        let others = others.get_or_insert_with(|| setup::other_rules(test, source, rules));
        if !others.iter().any(|other| asks(&other.rules, false)) {
            hollow.push(blame::never_used(line.span, &choice.text, hosts > 0));
        }
    }
    let mut lines = Vec::new();
    in_scenes(&test.lines, None, &mut lines);
    let claims = test.claims_of(together).into_iter();
    let claims: BTreeSet<Span> = claims.map(|claim| claim.span).collect();
    for Stand {
        line,
        fact,
        within,
        goes,
        ..
    } in lines
        .into_iter()
        .filter(|stand| claims.contains(&stand.line.span))
    {
        if goes.is_some_and(|goes| is_so_there(fact, goes)) {
            hollow.push(blame::always_so(line.span));
        }
        // What a host does may lead to anything.
        let scene = within.filter(|_| !by_hand && !super::moment::sees_all(fact));
        let Some(denied) = Denied::of(fact).filter(|denied| !by_hand || matches!(denied, Denied::Words(..)))
        else {
            continue;
        };
        // Of what the rules do nowhere that is told.
        let mut places = [None].into_iter().chain(scene.map(Some));
        let silent = places.find_map(|scene| {
            let silent = denied.in_vain(&Place::of(rules, names, scene, by_hand, true))?;
            let others = others.get_or_insert_with(|| setup::other_rules(test, source, rules));
            let is_such = |other: &RulesWithScripts| {
                let place = Place::of(&other.rules, names, scene, by_hand, false);
                denied.in_vain(&place).is_some()
            };
            others.iter().all(is_such).then_some((silent, scene))
        });
        if let Some((silent, scene)) = silent {
            let place = scene.map_or("these rules".to_owned(), |scene| format!("`{}`", scene.text));
            hollow.push(denied.told(line.span, silent, &place));
        }
    }
    hollow
}

/// A scene that goes on where a line stands, and for which time.
type Goes<'t> = (&'t Name, Option<&'t Int>);

/// Where a line stands that expects something.
struct Stand<'t> {
    line: &'t Line,
    fact: &'t Fact,
    /// The scene in whose section it stands.
    within: Option<&'t Name>,
    /// The one that surely goes on there: it is the same, or the one that was run to just before.
    goes: Option<Goes<'t>>,
    /// The one whose section ends just before.
    past: Option<&'t Name>,
}

/// The lines that expect something, and where each stands.
fn in_scenes<'t>(lines: &'t [Line], within: Option<Goes<'t>>, found: &mut Vec<Stand<'t>>) {
    let (mut goes, mut past) = (within, None);
    for line in lines {
        match &line.kind {
            LineKind::Expect(fact) => found.push(Stand {
                line,
                fact,
                within: within.map(|(scene, _)| scene),
                goes,
                past,
            }),
            LineKind::Section(Section { scene, nth, lines }) => {
                in_scenes(lines, Some((scene, nth.as_ref())), found);
                (goes, past) = (within, Some(scene));
            }
            LineKind::RunTo(Goal::Scene { scene, nth }) => {
                (goes, past) = (Some((scene, nth.as_ref())), None);
            }
            _ => (goes, past) = (within, None),
        }
    }
}

/// The marks that nobody can carry where a line stands: each went off as the scene before ended, and nothing but that
/// scene gives it.
fn over_there(rules: &Ruleset, stand: &Stand<'_>, events: &[Happened]) -> Vec<(Slot, String)> {
    let id = |name: &Name| {
        let named = rules.scenes.iter().position(|scene| scene.name == name.text);
        named.map(|at| SceneId(at as u16))
    };
    let goes = stand.goes.and_then(|(scene, nth)| Some((id(scene)?, nth)));
    let past = stand.past.and_then(id);
    // Whether this time of one scene, or each, began behind another, with nobody asked in between.
    let comes_behind = |one: SceneId, time: Option<&Int>, other: SceneId| {
        let mut is_behind = false;
        let before = events.iter().filter_map(|event| match event.what {
            What::SceneEnded { scene } if scene == other => {
                is_behind = true;
                None
            }
            What::Asked { .. } => {
                is_behind = false;
                None
            }
            What::SceneBegan { scene, nth } if scene == one => {
                let is_meant = time.is_none_or(|time| time.value == i64::from(nth));
                is_meant.then_some(is_behind)
            }
            _ => None,
        });
        before.reduce(|all, one| all && one) == Some(true)
    };
    let mut over = Vec::new();
    for at in (0..rules.scenes.len()).map(|at| SceneId(at as u16)) {
        let proc = rules.scenes[at.index()].proc;
        let clears = &rules.procs[proc.index()].clears;
        let plays = |one: SceneId, other: SceneId| {
            let other = rules.scenes[other.index()].proc;
            Reach::of_scene(rules, one).has(|op| matches!(op, Op::Enter { proc, .. } if *proc == other))
        };
        // Where it asks, it may have begun again.
        let asks = || Reach::of_scene(rules, at).has(|op| matches!(op, Op::Ask { .. }));
        let is_past = match (goes, past) {
            _ if clears.is_empty() => false,
            (Some((goes, nth)), _) => comes_behind(goes, nth, at) && !plays(goes, at) && !plays(at, goes),
            (None, past) => past == Some(at) && !asks(),
        };
        if !is_past {
            continue;
        }
        let beside = Reach::beside_scene(rules, at);
        for id in clears {
            let fact = &rules.facts[id.index()];
            let is_mark = matches!(
                fact.shape,
                FactShape::Mark | FactShape::MarkInOrder { .. } | FactShape::MarkOne
            );
            if is_mark && !beside.has(|op| matches!(op, Op::Mark { fact, .. } if fact == id)) {
                over.push((fact.slot, fact.name.clone()));
            }
        }
    }
    over
}

/// Whether a line says that the scene is running where it stands, or for which time.
fn is_so_there(fact: &Fact, (scene, nth): Goes<'_>) -> bool {
    let Fact::Holds(test) = fact.of_one_game() else {
        return false;
    };
    match &*test.inside().kind {
        ExprKind::During(named) => named.text == scene.text,
        ExprKind::Compare(left, ..) => match (&*left.inside().kind, nth) {
            (ExprKind::Times(named), Some(nth)) if named.text == scene.text => {
                let nth = Some(nth.value);
                settled::by_range(test.inside(), (nth, nth)) == Some(true)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Where something is to come that is denied: what can come there, at this table.
struct Place<'r> {
    reach: Reach<'r>,
    rules: &'r Ruleset,
    names: &'r [String],
    /// Whether all of the rules are meant.
    is_whole: bool,
    /// Whether a name that nothing in these rules has is let be: that is a mistake of its own.
    lets_be: bool,
}

impl<'r> Place<'r> {
    fn of(
        rules: &'r Ruleset,
        names: &'r [String],
        scene: Option<&Name>,
        by_hand: bool,
        lets_be: bool,
    ) -> Place<'r> {
        let named = |scene: &Name| rules.scenes.iter().position(|known| known.name == scene.text);
        let scene = scene.and_then(named).map(|scene| SceneId(scene as u16));
        Place {
            reach: match scene {
                Some(scene) => Reach::of_scene(rules, scene),
                None if by_hand => Reach::of_all(rules),
                None => Reach::of_game(rules),
            },
            rules,
            names,
            is_whole: scene.is_none(),
            lets_be,
        }
    }

    /// Whether an event may happen; who plans it may be waited for.
    fn may_happen(&self, event: &Name) -> bool {
        let Some(named) = self
            .rules
            .events
            .iter()
            .position(|known| known.name == event.text)
        else {
            return self.lets_be;
        };
        let named = EventId(named as u16);
        let plans = |op: &Op| matches!(op, Op::Plan { event, .. } if *event == named);
        self.reach.does(named) || self.is_whole && self.reach.has(plans)
    }

    /// Whether a rule may come in.
    fn may_apply(&self, rule: &Name) -> bool {
        let is_named = |id: RuleId| self.rules.rules[id.index()].0 == rule.text;
        let is_known = self.rules.rules.iter().any(|(name, _)| *name == rule.text);
        let applies = |op: &Op| matches!(op, Op::Applied { rule } if is_named(*rule));
        !is_known && self.lets_be || self.reach.has(applies)
    }

    /// Whether a draw may be made, and be from these words with these weights; what else is drawn hangs on the game.
    fn may_draw(&self, name: &Name, rows: &[(Option<Int>, Expr)]) -> bool {
        let draws = || self.rules.draws.iter().filter(|draw| draw.name == name.text);
        let draws_it =
            |op: &Op| matches!(op, Op::Draw { site, .. } if self.rules.draws[site.index()].name == name.text);
        match draws().next() {
            None => return self.lets_be,
            Some(_) if rows.is_empty() || !self.reach.has(draws_it) => return self.reach.has(draws_it),
            Some(_) => {}
        }
        let may = draws().any(|draw| match &draw.kind {
            DrawKind::Weighted(outcomes) => super::expect::are_outcomes(rows, outcomes),
            _ => true,
        });
        // A word that is no outcome is a mistake of its own.
        let is_outcome = |row: &Expr| {
            let word = super::substitute::expr_words(row);
            draws().any(|draw| matches!(&draw.kind, DrawKind::Weighted(all) if all.iter().any(|(known, _)| *known == word)))
        };
        may || !rows.iter().all(|(_, row)| is_outcome(row))
    }

    /// Whether a question may be put to players, or to the host.
    fn may_ask(&self, choice: Option<&Name>, host: bool, within: Option<u32>) -> bool {
        let asks = &self.rules.asks;
        let is_named = |ask: &AskSite| choice.is_none_or(|choice| ask.name == choice.text);
        if !asks.iter().any(is_named) {
            return choice.is_some() && self.lets_be;
        }
        let is_such = |ask: &AskSite| {
            is_named(ask) && ask.host == host && within.is_none_or(|within| ask.limit == Some(within))
        };
        self.reach
            .has(|op| matches!(op, Op::Ask { site, .. } if is_such(&asks[site.index()])))
    }
}

/// What a line denies.
enum Denied<'t> {
    Event(&'t Name),
    Rule(&'t Name),
    Question {
        choice: Option<&'t Name>,
        host: bool,
        within: Option<u32>,
    },
    /// A draw from words with these weights.
    Draw(&'t Name, &'t [(Option<Int>, Expr)]),
    /// What the host is warned of before the game begins.
    Setup(&'t [Wording]),
    /// Words that go out in one of these ways; the line fails only where all of them come.
    Words(Ways, &'t [Wording]),
}

impl<'t> Denied<'t> {
    fn of(fact: &'t Fact) -> Option<Denied<'t>> {
        // What is so in no case is denied of each.
        let in_no_case = fact.is_in_no_case();
        let fact = fact.of_one_game();
        let is_not = |denial: &Option<Denial>| denial.is_some_and(Denial::is_not) != in_no_case;
        if let Some((ways, wordings)) = denied_words(fact, &is_not) {
            return Some(Denied::Words(ways, wordings));
        }
        match fact {
            Fact::Happened { denial, event, .. } if is_not(denial) => Some(Denied::Event(event)),
            Fact::Applied { denial, rule } if is_not(denial) => Some(Denied::Rule(rule)),
            Fact::Drawn { denial, name, rows } if is_not(denial) => Some(Denied::Draw(name, rows)),
            Fact::Setup {
                verdict: SetupVerdict::NoWarning,
                wordings,
                ..
            } if !in_no_case => Some(Denied::Setup(wordings)),
            Fact::Asked(AskedFact {
                denial,
                who,
                choice,
                within,
                ..
            }) if is_not(denial) => {
                let is_host = |person: &Person| matches!(person, Person::Host(_));
                let host = who.iter().all(is_host);
                let is_one = host || !who.iter().any(is_host);
                (is_one && !who.is_empty()).then_some(Denied::Question {
                    choice: choice.as_ref(),
                    host,
                    within: *within,
                })
            }
            _ => None,
        }
    }

    /// The place of what cannot come there, if so.
    fn in_vain(&self, place: &Place<'_>) -> Option<Option<Span>> {
        match self {
            Denied::Event(event) => (!place.may_happen(event)).then_some(None),
            Denied::Rule(rule) => (!place.may_apply(rule)).then_some(None),
            Denied::Draw(name, rows) => (!place.may_draw(name, rows)).then_some(None),
            Denied::Question { choice, host, within } => {
                (!place.may_ask(*choice, *host, *within)).then_some(None)
            }
            Denied::Setup(wordings) => {
                let warnings = || place.rules.cast_checks.iter().filter(|check| check.warning);
                if wordings.is_empty() && warnings().next().is_none() {
                    return Some(None);
                }
                let is_said =
                    |wording: &&Wording| warnings().any(|check| fits(wording, &check.message, None, &[]));
                let silent = wordings.iter().find(|wording| !is_said(wording));
                silent.map(|wording| Some(place_of(wording)))
            }
            Denied::Words(ways, wordings) => {
                let vocabulary = Vocabulary::of(place);
                let mut silent = wordings
                    .iter()
                    .filter(|wording| !vocabulary.can_be(*ways, wording));
                silent.next().map(|wording| Some(place_of(wording)))
            }
        }
    }

    fn told(&self, line: Span, silent: Option<Span>, place: &str) -> Diagnostic {
        match self {
            Denied::Event(event) => blame::never_made_happen(line, event, place),
            Denied::Rule(rule) => blame::never_applied(line, rule, place),
            Denied::Draw(name, rows) => blame::never_drawn(line, name, rows.is_empty(), place),
            Denied::Question { choice, host, within } => {
                let choice = choice.map(|name| name.text.as_str());
                blame::never_asked(line, choice, (*host, *within), place)
            }
            Denied::Setup([]) => blame::never_warned(line, place),
            Denied::Setup(_) => blame::never_in_words(line, silent.unwrap_or(line), "warned of", place),
            Denied::Words(ways, [Wording::Anything(_)]) => {
                blame::never_in_any_words(line, ways.in_words(), place)
            }
            Denied::Words(ways, _) => {
                blame::never_in_words(line, silent.unwrap_or(line), ways.in_words(), place)
            }
        }
    }
}

/// Whether the host does something by hand, which may be anything.
fn is_led_by_hand(lines: &[Line]) -> bool {
    lines.iter().any(|line| match &line.kind {
        LineKind::Deed(Deed::ByHand { .. }) => true,
        LineKind::Section(section) => is_led_by_hand(&section.lines),
        _ => false,
    })
}

/// In which way words go out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ways {
    /// To some ears, by the rules.
    Spoken(SayKind),
    /// As a question, or as what a wait says.
    Asked,
    /// However it comes to somebody.
    Seen,
}

impl Ways {
    fn in_words(self) -> &'static str {
        match self {
            Ways::Spoken(SayKind::Say) => "said to all",
            Ways::Spoken(SayKind::Tell) => "told to some",
            Ways::Spoken(SayKind::Show) => "shown to some",
            Ways::Asked => "asked",
            Ways::Seen => "said, shown or asked",
        }
    }
}

/// The words that a line denies; it fails only where all of them come.
fn denied_words<'t>(
    fact: &'t Fact,
    is_not: &impl Fn(&Option<Denial>) -> bool,
) -> Option<(Ways, &'t [Wording])> {
    match fact {
        Fact::Said { denial, wordings } if is_not(denial) => Some((Ways::Spoken(SayKind::Say), wordings)),
        Fact::Told {
            who,
            denial,
            how,
            wordings,
        } if is_not(denial) != (denial.is_none() && matches!(who, Audience::Nobody(_))) => {
            let ways = match how {
                Way::Told => Ways::Spoken(SayKind::Tell),
                Way::Shown => Ways::Spoken(SayKind::Show),
                Way::Sees => Ways::Seen,
            };
            Some((ways, wordings))
        }
        Fact::Asked(AskedFact {
            denial,
            words: Some(words),
            ..
        }) if is_not(denial) => Some((Ways::Asked, std::slice::from_ref(words))),
        _ => None,
    }
}

fn place_of(wording: &Wording) -> Span {
    match wording {
        Wording::Exactly(text) | Wording::Containing(text) => text.span,
        Wording::Named { name, .. } => name.span,
        Wording::Anything(span) => *span,
    }
}

/// Words of the program's own that stand in the lines of a view.
const OF_THE_PROGRAM: &str = "begins is over Rule applies Planned Called off of by By hand turn into mark unmark as link unlink to set \
    do does The host waits asked are together for goes on when table ready Chance To be seen A token is turned becomes No longer nobody \
    any more game over Nobody wins win Lost yes no and or nothing among go pass outcome branch card one all you Shown , from";

/// The same where cards lie of which some see the backs.
const OF_BACKS: &str = "a card cards face down away";

/// What values may be in words.
struct Vocabulary<'r> {
    rules: &'r Ruleset,
    says: Vec<&'r SaySite>,
    asks: Vec<&'r AskSite>,
    people: Vec<String>,
    things: Vec<String>,
}

/// What stands in every slot: numbers, and what joins several.
const JOINTS: &str = "0 1 2 3 4 5 6 7 8 9 - nobody Nobody yes Yes no No nothing Nothing";

impl<'r> Vocabulary<'r> {
    fn of(
        Place {
            reach, rules, names, ..
        }: &Place<'r>,
    ) -> Vocabulary<'r> {
        let rules = *rules;
        let (mut says, mut asks) = (BTreeSet::new(), BTreeSet::new());
        for op in reach.code() {
            match op {
                Op::Say { site, .. } => drop(says.insert(site.index())),
                Op::Ask { site, .. } => drop(asks.insert(site.index())),
                _ => {}
            }
        }
        let joints = || JOINTS.split(' ').chain([", ", " and "]).map(str::to_owned);
        let titles = { rules.groups.iter() }.flat_map(|group| {
            [Some(&group.title), group.several.as_ref()]
                .into_iter()
                .flatten()
                .cloned()
        });
        let zones = rules.zones.iter().map(|zone| zone.title.clone());
        let places = ["card ".to_owned(), with_a_capital("card "), " of ".to_owned()];
        let things = titles
            .chain(zones)
            .flat_map(|title| [with_a_capital(&title), title]);
        Vocabulary {
            rules,
            says: says.into_iter().map(|site| &rules.says[site]).collect(),
            asks: asks.into_iter().map(|site| &rules.asks[site]).collect(),
            people: names.iter().cloned().chain(joints()).collect(),
            things: { things.chain(places) }
                .chain(names.iter().cloned())
                .chain(joints())
                .collect(),
        }
    }

    /// Whether words can ever go out in these ways.
    fn can_be(&self, ways: Ways, wording: &Wording) -> bool {
        let says = self.says.iter();
        let known = |name: &Name| self.rules.words.contains(&name.text);
        // A name that nothing has is a mistake of its own.
        if matches!(wording, Wording::Named { name, .. } if !known(name)) {
            return true;
        }
        let said = |kind: Option<SayKind>| {
            says.clone()
                .filter(move |say| kind.is_none_or(|kind| say.kind == kind))
                .any(|say| match wording {
                    Wording::Anything(_) => true,
                    Wording::Exactly(text) => self.reads(&say.phrase, &text.text, true),
                    Wording::Containing(text) => self.reads(&say.phrase, &text.text, false),
                    Wording::Named { name, containing } => {
                        let named = say.word.map(|word| &self.rules.words[word.index()]);
                        let words = containing.as_ref();
                        named == Some(&name.text)
                            && words.is_none_or(|text| self.reads(&say.phrase, &text.text, false))
                    }
                })
        };
        match ways {
            Ways::Spoken(kind) => said(Some(kind)),
            Ways::Asked => self.can_be_asked(wording, true),
            Ways::Seen if matches!(wording, Wording::Anything(_)) => true,
            Ways::Seen => said(None) || self.can_be_asked(wording, false) || self.can_be_a_line(wording),
        }
    }

    fn can_be_asked(&self, wording: &Wording, whole: bool) -> bool {
        let (text, whole) = match wording {
            Wording::Exactly(text) => (text, whole),
            Wording::Containing(text) => (text, false),
            Wording::Named { .. } => return false,
            Wording::Anything(_) => return true,
        };
        self.asks.iter().any(|ask| match &ask.text {
            Some(phrase) => self.reads(phrase, &text.text, whole),
            None if whole => ask.name == text.text,
            None => ask.name.contains(&text.text),
        })
    }

    /// Whether a line of a view that is not words of the rules may have these words: each of them stands
    /// somewhere among the names of the rules and of the seats.
    fn can_be_a_line(&self, wording: &Wording) -> bool {
        let (Wording::Exactly(text) | Wording::Containing(text)) = wording else {
            return matches!(wording, Wording::Anything(_));
        };
        let rules = self.rules;
        if rules.lets_write() {
            return true;
        }
        let branches = rules.asks.iter().flat_map(|ask| ask.kind.branches());
        let drawn = rules.draws.iter().flat_map(|draw| match &draw.kind {
            DrawKind::Weighted(words) => words.as_slice(),
            _ => &[],
        });
        let drawn = drawn.map(|(word, _)| word);
        let titles = rules.endings.iter().filter_map(|ending| ending.title.as_ref());
        let names = { self.people.iter().chain(&self.things).chain(titles) }
            .chain(rules.scenes.iter().flat_map(|scene| [&scene.name, &scene.title]))
            .chain(rules.groups.iter().map(|group| &group.name))
            .chain(rules.events.iter().map(|event| &event.name))
            .chain(rules.rules.iter().map(|(name, _)| name))
            .chain(rules.facts.iter().flat_map(|fact| [&fact.name, &fact.title]))
            .chain({ rules.facts.iter() }.flat_map(|fact| fact.words.iter().flat_map(|(a, b)| [a, b])))
            .chain(rules.offers.iter().map(|offer| &offer.name))
            .chain(rules.asks.iter().map(|ask| &ask.name))
            .chain(rules.draws.iter().map(|draw| &draw.name))
            .chain(drawn)
            .chain(branches.map(|branch| &branch.name));
        let shows_backs = { rules.zones.iter() }.any(|zone| zone.backs != SeenBy::Nobody);
        let own = [OF_THE_PROGRAM]
            .into_iter()
            .chain(shows_backs.then_some(OF_BACKS));
        let names: Vec<&str> = names.map(String::as_str).chain(own).collect();
        let is_letter = |c: char| c.is_alphanumeric();
        let mut words = text.text.split(|c| !is_letter(c)).filter(|word| !word.is_empty());
        words.all(|word| {
            let number = word.chars().all(|c| c.is_ascii_digit());
            number || names.iter().any(|name| name.contains(word))
        })
    }

    /// Whether a text can be what comes of a phrase, or, where it is not the whole of it, can stand in it.
    fn reads(&self, phrase: &Phrase, text: &str, whole: bool) -> bool {
        let mut reading = Reading {
            text,
            whole,
            ends: BTreeSet::from([0]),
            inside: false,
        };
        self.read(&phrase.pieces, &mut reading);
        reading.inside || reading.ends.contains(&text.len())
    }

    fn read(&self, pieces: &[PhrasePiece], reading: &mut Reading<'_>) {
        for piece in pieces {
            if reading.inside || reading.ends.is_empty() {
                return;
            }
            match piece {
                PhrasePiece::Words(words) => reading.ends = reading.after(words),
                PhrasePiece::Slot { kind: Kind::Text, .. } => reading.anything(),
                PhrasePiece::Slot { kind, words, .. } => {
                    let values = match kind {
                        Kind::Players => &self.people,
                        _ => &self.things,
                    };
                    reading.slot(values, words);
                }
                PhrasePiece::Choice { none, one, many, .. } => {
                    let before = reading.ends.clone();
                    let mut after = BTreeSet::new();
                    for pieces in [none, one, many] {
                        reading.ends.clone_from(&before);
                        self.read(pieces, reading);
                        after.append(&mut reading.ends);
                    }
                    reading.ends = after;
                }
            }
        }
    }
}

/// How far a text has been found in a phrase that is gone through.
struct Reading<'t> {
    text: &'t str,
    /// Whether the text must be all of the phrase.
    whole: bool,
    /// Up to where the text may have been read here.
    ends: BTreeSet<usize>,
    /// Whether all of it was found before the phrase has ended.
    inside: bool,
}

impl Reading<'_> {
    /// Up to where the text may have been read behind these words.
    fn after(&mut self, words: &str) -> BTreeSet<usize> {
        let mut after = BTreeSet::new();
        for &at in &self.ends {
            let left = &self.text[at..];
            if left.starts_with(words) {
                after.insert(at + words.len());
            }
            self.inside |= !self.whole && words.starts_with(left);
        }
        if !self.whole {
            // The text may begin anywhere in them, and behind them.
            self.inside |= words.contains(self.text);
            let starts = words.char_indices().map(|(at, _)| &words[at..]);
            after.extend(starts.filter(|end| self.text.starts_with(end)).map(str::len));
            after.insert(0);
        }
        after
    }

    /// People write whatever they like.
    fn anything(&mut self) {
        let first = self.ends.first().copied().unwrap_or(0);
        let ends = (first..=self.text.len()).filter(|at| self.text.is_char_boundary(*at));
        self.ends.extend(ends);
        self.inside |= !self.whole;
    }

    /// Any number of values stand in a slot, one behind the other.
    fn slot(&mut self, values: &[String], words: &[String]) {
        loop {
            let before = self.ends.len();
            for value in values.iter().chain(words) {
                let after = self.after(value);
                self.ends.extend(after);
            }
            if self.inside || self.ends.len() == before {
                return;
            }
        }
    }
}

// ---- Lines that had nothing to look at

impl Driver<'_> {
    /// Whether a line that denies something of people denies it of nobody, as it stands there.
    pub(super) fn denies_of_nobody(&self, fact: &Fact) -> bool {
        let is_nobody = |person: &Person| matches!(self.by(person), Ok(Some(0)));
        let is_empty = |set: &Option<Expr>| set.as_ref().is_some_and(|set| self.seats(set) == Ok(0));
        match fact {
            Fact::Asked(AskedFact {
                denial: Some(denial),
                who,
                ..
            })
            | Fact::Told {
                denial: Some(denial),
                who: Audience::Each(who),
                ..
            } => denial.is_not() && who.iter().all(is_nobody),
            Fact::Happened {
                denial: Some(denial),
                of,
                by,
                ..
            } => denial.is_not() && (is_empty(of) || is_empty(by)),
            _ => false,
        }
    }

    /// Who was among those of whom a line denies an event when the scene of it began, and is not where the line looks.
    pub(super) fn left_by_then(&self, fact: &Fact) -> Option<String> {
        let Fact::Happened {
            denial: Some(denial),
            event,
            of: Some(meant),
            by,
        } = fact
        else {
            return None;
        };
        let by = by.as_ref().map_or(Ok(u64::MAX), |by| self.seats(by)).ok()?;
        let meant = self.compile(meant).ok().filter(|_| denial.is_not())?;
        let whole = super::moment::sees_all(fact);
        let events = self.events(whole).iter().zip(self.range(whole).start..);
        let met = events.filter_map(|(happened, at)| match &happened.what {
            What::Occurred {
                event: id,
                of,
                by: doer,
            } if self.rules().events[id.index()].name == event.text && (by == u64::MAX || doer & by != 0) => {
                Some((*of, at))
            }
            _ => None,
        });
        let was_meant = |(of, at): (u64, usize)| {
            let then = self.session.game().still(self.session.still_by(at)?);
            let met = then.try_evaluate(&meant, &self.each_seat()).ok()? & of;
            (met != 0).then(|| self.words().seats(met))
        };
        { met }.find_map(was_meant)
    }

    /// Whether there was anything that a line which holds could have met. What must come has met it.
    pub(super) fn has_compared(&self, fact: &Fact) -> bool {
        let has_spoken = |whole: bool, kind: SayKind| {
            let mut events = self.events(whole).iter();
            events.any(|event| self.spoken(event, kind).is_some())
        };
        let whole = super::moment::sees_all(fact);
        match fact {
            Fact::Said {
                denial: Some(denial), ..
            } if denial.is_not() => has_spoken(whole, SayKind::Say),
            Fact::Told { who, denial, how, .. } if denial.is_some() || matches!(who, Audience::Nobody(_)) => {
                let somebody = match who {
                    Audience::Each(people) | Audience::Only(people) => people
                        .iter()
                        .any(|person| !matches!(self.by(person), Ok(Some(0)))),
                    Audience::Nobody(_) => true,
                };
                let heard = match how {
                    Way::Told => has_spoken(whole, SayKind::Tell),
                    Way::Shown => has_spoken(whole, SayKind::Show),
                    Way::Sees => !self.events(whole).is_empty(),
                };
                somebody && heard
            }
            Fact::Asked(AskedFact {
                denial: Some(_), who, ..
            }) => {
                let host = who.iter().any(|who| matches!(who, Person::Host(_)));
                let is_such = |domain: Domain| host || domain != Domain::Go;
                self.prompts_in(whole).any(|prompt| is_such(prompt.asked.domain))
            }
            Fact::Drawn { denial: Some(_), .. } => self.draws_in(whole).next().is_some(),
            Fact::Happened { denial: Some(_), .. } => {
                let mut events = self.events(whole).iter();
                events.any(|event| matches!(event.what, What::Occurred { .. }))
            }
            Fact::Applied { denial: Some(_), .. } => {
                let mut events = self.events(whole).iter();
                events.any(|event| matches!(event.what, What::RuleApplied { .. }))
            }
            _ => true,
        }
    }
}
