//! What is written of rules without playing them: the book in all its forms, cards, the course, what overlays and
//! options change.

use super::{Net, subjects::subjects};
use omerta_book::{
    book,
    cards::{Paper, cards, pages, roles_of},
    diff::difference,
    graph::{drawing::drawing, steps, text::text},
    html::html,
    markdown::markdown,
    subject::Subject,
    summary,
};
use std::{fmt::Write, iter};

#[test]
fn books_cards_courses_and_differences_are_as_before() {
    let mut net = Net::new("papers");
    for subject in subjects() {
        subject.bench.with_sources(|sources| {
            let rules = Subject::of(&subject.laid, sources);
            let mut add = |channel: &str, text: &str| net.add(&subject.name, channel, text);
            let whole = book(rules);
            add("book", &markdown(&whole));
            add("html", &html(&whole));
            let short = summary(rules);
            add("summary", &markdown(&short));
            add("html", &html(&short));
            let (least, most) = rules.rules.seats;
            let mut numbers = vec![least, 5, 16, most];
            numbers.sort_unstable();
            numbers.dedup();
            for players in iter::once(None).chain(numbers.into_iter().map(Some)) {
                let Some(roles) = roles_of(rules, players) else {
                    continue;
                };
                add("cards", &cards(rules, &roles));
                add("cards", &pages(rules, &roles, Paper::A4, false));
                if players.is_none() {
                    add("cards", &pages(rules, &roles, Paper::Letter, true));
                }
            }
            add("course", &text("Course", &steps(rules)));
            add("drawing", &drawing("Course", &steps(rules)));
        });
    }
    differences(&mut net);
    net.holds();
}

/// Each subject against the one before it, where both are of one base; and both ways round, for what is gone in one
/// comes in the other.
fn differences(net: &mut Net) {
    for pair in subjects().windows(2) {
        let [one, other] = pair else { continue };
        if one.laid.bench.rules.name != other.laid.bench.rules.name {
            continue;
        }
        for (one, other) in [(one, other), (other, one)] {
            let mut lines = format!("{} and {}\n", one.name, other.name);
            one.bench.with_sources(|texts| {
                let first = Subject::of(&one.laid, texts);
                other.bench.with_sources(|texts| {
                    for part in difference(first, Subject::of(&other.laid, texts)) {
                        writeln!(lines, "{}\n  {}", part.head, part.lines.join("\n  ")).unwrap();
                    }
                });
            });
            net.add(&other.name, "differences", &lines);
        }
    }
}
