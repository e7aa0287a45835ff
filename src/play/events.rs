//! A game as lines of JSON: its table, each event as the host and as everybody heard it, its outcome.
//!
//! The form is stable and versioned: `docs/reference/json.md`.

use crate::{
    scenario::Report,
    session::{Session, Table},
    words::{Words, members, values_in},
};
use omerta_core::{
    diagnostic::Diagnostic,
    rules::{Kind, Ruleset, SayKind, ZoneId},
    source::{Sources, Span},
    written::is_unseen,
};
use omerta_engine::{Audience, Happened, Left, Outcome, Pending, Place, Value, Viewer, What};
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

/// The version of the form; it changes when a program that reads it would have to.
const VERSION: u32 = 1;

/// A scenario that was run: a line for its table, one for each event, one for its outcome.
pub fn scenario(report: &Report, sources: &Sources) -> String {
    let mut out = String::new();
    if let Some(session) = &report.session {
        add(&mut out, &table(&report.name, session));
        for (number, happened) in session.log().events.iter().enumerate() {
            add(&mut out, &event(session, sources, number, happened));
        }
    }
    add(&mut out, &outcome(report, sources));
    out
}

fn add(out: &mut String, line: &impl Serialize) {
    out.push_str(&json_line(line));
}

/// Plain data as one line of JSON. Signs that move a cursor or turn the direction of writing stand in it by their numbers,
/// so that a terminal shows it as it is.
pub fn json_line(data: &impl Serialize) -> String {
    let text = serde_json::to_string(data).expect("texts and numbers always have a JSON form");
    let mut line = String::with_capacity(text.len() + 1);
    for letter in text.chars() {
        match is_unseen(letter) {
            true => line += &format!("\\u{:04x}", u32::from(letter)),
            false => line.push(letter),
        }
    }
    line + "\n"
}

/// What is played: the ruleset with the identity of its rules, overlays, options, seats.
pub fn about_table(table: &Table) -> Json {
    let options: Map<String, Json> = table
        .rules
        .settings()
        .map(|(name, value)| (name, json!(value)))
        .collect();
    json!({
        "ruleset": table.rules.name,
        "identity": table.rules.identity_text(),
        "overlays": table.rules.overlays,
        "options": options,
        "seats": table.names,
        "seed": table.seed,
    })
}

fn table(name: &str, session: &Session) -> Json {
    let mut line = about_table(session.table());
    line["kind"] = json!("table");
    line["version"] = json!(VERSION);
    line["name"] = json!(name);
    line
}

fn event(session: &Session, sources: &Sources, number: usize, happened: &Happened) -> Json {
    let table = session.table();
    let words = table.words();
    let (what, about) = about(&happened.what, &words, Viewer::Host);
    json!({
        "kind": "event",
        "number": number,
        "what": what,
        "about": about,
        "audience": audience(happened.audience, &table.names),
        "host": words.event(happened, Viewer::Host),
        "public": words.event(happened, Viewer::Public),
        "cause": happened.cause,
        "place": place(&table.rules, sources, happened.at),
    })
}

fn audience(audience: Audience, names: &[String]) -> Json {
    match audience {
        Audience::All => json!("all"),
        Audience::Host => json!("host"),
        Audience::Seats(set) => json!(seats(set, names)),
    }
}

fn seats(set: u64, names: &[String]) -> Vec<&str> {
    members(set)
        .filter_map(|seat| names.get(usize::from(seat)))
        .map(String::as_str)
        .collect()
}

fn place(rules: &Ruleset, sources: &Sources, at: u32) -> Json {
    rules
        .origins
        .get(at as usize)
        .map_or(Json::Null, |span| place_of(sources, *span))
}

/// A place in a text.
pub fn place_of(sources: &Sources, span: Span) -> Json {
    let source = sources.get(span.source);
    let place = source.place(span.start as usize);
    json!({ "file": source.name, "line": place.line, "column": place.column })
}

/// What an event is called, and what it is about for somebody in its audience, by the names in the rules.
pub fn about(what: &What, words: &Words<'_>, viewer: Viewer) -> (&'static str, Json) {
    let rules = words.rules;
    let seats = |set: &u64| json!(seats(*set, words.names));
    let occurrence = |event: &omerta_core::rules::EventId, of: &u64, by: &u64| json!({ "name": rules.events[event.index()].name, "of": seats(of), "by": seats(by) });
    let fact = |fact: &omerta_core::rules::FactId| rules.facts[fact.index()].name.clone();
    let group = |group: &omerta_core::rules::GroupId| rules.groups.get(group.index()).map(|g| g.name.clone());
    match what {
        What::SceneBegan { scene, nth } => (
            "scene-began",
            json!({ "name": rules.scenes[scene.index()].name, "nth": nth }),
        ),
        What::SceneEnded { scene } => ("scene-ended", json!({ "name": rules.scenes[scene.index()].name })),
        What::SceneNears { scene, nth } => (
            "scene-nears",
            json!({ "name": rules.scenes[scene.index()].name, "nth": nth }),
        ),
        What::ScenePassed { scene } => (
            "scene-passed",
            json!({ "name": rules.scenes[scene.index()].name }),
        ),
        What::Performed { title, who } => ("performed", json!({ "name": group(title), "seats": seats(who) })),
        What::Occurred { event, of, by } => ("occurred", occurrence(event, of, by)),
        What::Planned { event, of, by } => ("planned", occurrence(event, of, by)),
        What::Cancelled { event, of, by } => ("cancelled", occurrence(event, of, by)),
        What::RuleApplied { rule } => ("rule-applied", json!({ "name": rules.rules[rule.index()].0 })),
        What::Marked { fact: id, seats: set } => ("marked", json!({ "name": fact(id), "seats": seats(set) })),
        What::Unmarked { fact: id, seats: set } => {
            ("unmarked", json!({ "name": fact(id), "seats": seats(set) }))
        }
        What::Counted {
            fact: id,
            seats: set,
            value,
        } => (
            "counted",
            json!({ "name": fact(id), "seats": seats(set), "value": counted(&rules.facts[id.index()], *value) }),
        ),
        What::Kept {
            fact: id,
            seats: set,
            text,
        } => (
            "kept",
            json!({ "name": fact(id), "seats": seats(set), "value": value(&Value::Text(text.clone()), words) }),
        ),
        What::Cleared { fact: id } => ("cleared", json!({ "name": fact(id) })),
        What::Linked { fact: id, from, to } => ("linked", linked(words, id, *from, *to)),
        What::Unlinked { fact: id, from, to } => ("unlinked", linked(words, id, *from, *to)),
        What::Flipped { face, .. } => ("flipped", json!({ "name": group(face) })),
        What::Turned { seat, role } => (
            "turned",
            json!({ "seats": seats(&(1 << seat)), "name": group(role) }),
        ),
        What::Reseated { moved, seats: places } => {
            let places: Vec<String> = places.iter().map(|seat| words.seat(*seat)).collect();
            ("reseated", json!({ "seats": seats(moved), "value": places }))
        }
        What::ByHand { deed, text } => ("by-hand", json!({ "words": words.deed(*deed, text.as_deref()) })),
        What::Ended {
            ending,
            winners,
            losers,
        } => (
            "ended",
            json!({
                "name": ending.map(|ending| rules.ending(ending).name.clone()),
                "winners": seats(winners),
                "losers": seats(losers),
            }),
        ),
        _ => said_or_answered(what, words, viewer),
    }
}

/// A number, or the word that it stands for.
fn counted(fact: &omerta_core::rules::Fact, value: i64) -> Json {
    let word = usize::try_from(value)
        .ok()
        .and_then(|value| fact.words.get(value));
    word.map_or_else(|| json!(value), |(word, _)| json!(word))
}

fn linked(words: &Words<'_>, id: &omerta_core::rules::FactId, from: u64, to: u64) -> Json {
    let fact = &words.rules.facts[id.index()];
    let to = match fact.shape.links_to() {
        Some(Kind::Titles) => value(&Value::Titles(to), words),
        // Which cards they are is nobody's business but the host's; how many, the story tells.
        Some(Kind::Cards) => json!(to.count_ones()),
        _ => value(&Value::Players(to), words),
    };
    json!({ "name": fact.name, "seats": seats(from, words.names), "value": to })
}

fn said_or_answered(what: &What, words: &Words<'_>, viewer: Viewer) -> (&'static str, Json) {
    let rules = words.rules;
    let asked = |who: u64, host: bool| match host {
        true => json!("host"),
        false => json!(seats(who, words.names)),
    };
    match what {
        What::Asked { site, who, host, .. } => {
            let site = rules.ask(*site);
            let mut about = json!({ "name": site.name, "of": asked(*who, *host) });
            if let Some(seconds) = site.limit {
                about["seconds"] = json!(seconds);
            }
            ("asked", about)
        }
        What::Answered {
            site,
            who,
            host,
            answer,
        } => (
            "answered",
            json!({ "name": rules.ask(*site).name, "of": asked(*who, *host), "value": value(answer, words) }),
        ),
        What::OfferTaken { offer, by, target } => (
            "offer-taken",
            json!({
                "name": rules.offers[offer.index()].name,
                "of": asked(by.map_or(0, |seat| 1 << seat), by.is_none()),
                "value": target.as_ref().map(|target| value(target, words)),
            }),
        ),
        What::Drew { site, outcome } => (
            "drew",
            json!({ "name": rules.draws[site.index()].name, "value": value(outcome, words) }),
        ),
        What::Said { site, values } => {
            let site = &rules.says[site.index()];
            let name = site.word.map(|word| rules.words[word.index()].clone());
            // What has no name is known by how it sounds: the same words may come of other values.
            let told = match viewer {
                Viewer::Host => values.iter().collect(),
                _ if site.question.is_some() => values.iter().collect(),
                _ if name.is_some() || site.kind == SayKind::Show => values_in(&site.phrase, values),
                _ => Vec::new(),
            };
            let values: Vec<Json> = told.into_iter().map(|one| value(one, words)).collect();
            let mut about = json!({ "name": name, "values": values });
            if let Some(question) = &site.question {
                about["question"] = json!(question);
            }
            ("said", about)
        }
        What::Moved {
            cards,
            left,
            zone,
            seat,
        } => {
            let cards = value(&Value::Cards(cards.clone()), words);
            (
                "moved",
                moved(cards, *left, Some((*zone, *seat)), (words, viewer)),
            )
        }
        What::Backs {
            count, left, came, ..
        } => ("backs", moved(json!(count), *left, *came, (words, viewer))),
        What::Looked { cards } => (
            "looked",
            json!({ "value": value(&Value::Cards(cards.clone()), words) }),
        ),
        _ => ("other", Json::Null),
    }
}

/// What came where, and whence, for somebody who is told of it.
fn moved(
    cards: Json,
    left: Option<Left>,
    came: Option<(ZoneId, Option<u8>)>,
    (words, viewer): (&Words<'_>, Viewer),
) -> Json {
    let place = |zone: ZoneId, seat: Option<u8>| {
        json!({
            "name": words.rules.zones[zone.index()].name,
            "seats": seat.map(|seat| seats(1 << seat, words.names)),
        })
    };
    let mut about = came.map_or_else(|| json!({}), |(zone, seat)| place(zone, seat));
    about["value"] = cards;
    if let Some(left) = left.filter(|left| left.seen_by.includes(viewer)) {
        about["from"] = place(left.zone, left.seat);
    }
    about
}

/// A value by the names in the rules: seats, cards and titles as lists.
fn value(of: &Value, words: &Words<'_>) -> Json {
    let group = |id: omerta_core::rules::GroupId| words.rules.groups.get(id.index()).map(|g| g.name.as_str());
    match of {
        Value::Nobody => Json::Null,
        Value::TimeUp => json!("time-up"),
        Value::Players(set) => json!(seats(*set, words.names)),
        Value::Cards(cards) => json!(cards.iter().map(|(_, id)| group(*id)).collect::<Vec<_>>()),
        Value::Places(places) => {
            let place = |place: &Place| {
                json!({
                    "zone": words.rules.zones[place.zone.index()].name,
                    "seat": place.seat.map(|seat| words.seat(seat)),
                    "number": place.from_top,
                })
            };
            json!(places.iter().map(place).collect::<Vec<_>>())
        }
        Value::Titles(set) => {
            let titles = members(*set).map(|title| group(omerta_core::rules::GroupId(u16::from(title))));
            json!(titles.collect::<Vec<_>>())
        }
        Value::Number(number) => json!(number),
        Value::Truth(truth) => json!(truth),
        Value::Branch { branch, target } => {
            json!({ "branch": branch, "value": target.as_ref().map(|target| value(target, words)) })
        }
        Value::Word(word) => json!(word),
        Value::Text(text) if text.is_empty() => Json::Null,
        Value::Text(text) => json!(text),
    }
}

fn outcome(report: &Report, sources: &Sources) -> Json {
    let end = report
        .session
        .as_ref()
        .map(|session| (session, session.game().pending()));
    let over = match &end {
        Some((session, Pending::Over(outcome))) => Some((*session, *outcome)),
        _ => None,
    };
    let ending = |(session, Outcome { ending, .. }): (&Session, Outcome)| {
        ending.map(|ending| session.table().rules.ending(ending).name.clone())
    };
    let of = |set: fn(Outcome) -> u64| {
        over.map_or_else(Vec::new, |(session, outcome)| {
            seats(set(outcome), &session.table().names)
        })
    };
    json!({
        "kind": "outcome",
        "version": VERSION,
        "name": report.name,
        "passed": report.passed(),
        "over": over.is_some(),
        "ending": over.and_then(ending),
        "winners": of(|outcome| outcome.winners),
        "losers": of(|outcome| outcome.losers),
        "problems": problems(&report.diagnostics, sources),
    })
}

/// What is wrong, a thing each.
pub fn problems(problems: &[Diagnostic], sources: &Sources) -> Json {
    json!(
        problems
            .iter()
            .map(|problem| self::problem(problem, sources))
            .collect::<Vec<_>>()
    )
}

fn problem(problem: &Diagnostic, sources: &Sources) -> Json {
    json!({
        "code": problem.code.0,
        "severity": problem.severity,
        "message": problem.message,
        "label": problem.labels[0].text,
        "place": place_of(sources, problem.span()),
        "help": problem.help,
    })
}
