//! Texts by id: many of them, the same ones again, and several rulesets that are checked at once.

use omerta_core::source::{Loaded, Loader, Sources};
use omerta_workbench::{RulesetRequest, Workbench};
use std::{
    sync::{Arc, Mutex, mpsc},
    thread,
    time::Duration,
};

#[test]
fn seventy_thousand_texts_keep_their_ids() {
    let mut sources = Sources::default();
    let ids: Vec<_> = (0..70_000)
        .map(|number| sources.add("typed", format!("print {number}")))
        .collect();
    for (number, id) in ids.iter().enumerate() {
        assert_eq!(sources.get(*id).text, format!("print {number}"));
    }
    assert_eq!(sources.count(), 70_000);
}

#[test]
fn the_same_text_under_the_same_name_is_kept_once_and_is_the_latest_again() {
    let mut sources = Sources::default();
    let first = sources.add("a.mafia", "one");
    let second = sources.add("a.mafia", "two");
    let other = sources.add("b.mafia", "one");
    assert!(first != second && first != other);
    assert_eq!(sources.add("a.mafia", "one"), first);
    assert_eq!(sources.count(), 3);
    let latest: Vec<_> = sources.latest().map(|(id, _)| id).collect();
    assert_eq!(latest, [first, other]);
}

/// Two small rulesets; whoever loads the slow one waits until he is told to go on.
struct Slow(Mutex<mpsc::Receiver<()>>);

impl Loader for Slow {
    fn load(&self, path: &str) -> Option<Loaded> {
        if path == "slow" {
            let told = self.0.lock().unwrap().recv_timeout(Duration::from_secs(60));
            told.expect("rules that are checked keep nobody from others");
        }
        let text = format!(
            "ruleset {path} \"Small\"\nplayers 1..3\nrole Sheep \"a sheep\"\ncast {{ Sheep rest }}\nscript {{ wait }}\n"
        );
        Some(Loaded {
            name: format!("{path}.mafia"),
            text,
        })
    }

    fn names(&self) -> Vec<String> {
        Vec::new()
    }
}

#[test]
fn rules_are_laid_while_others_are_being_checked() {
    let (go_on, told) = mpsc::channel();
    let bench = Workbench::reading(Arc::new(Slow(Mutex::new(told))));
    let wanted = |base: &str| RulesetRequest {
        base: base.to_owned(),
        ..RulesetRequest::default()
    };
    thread::scope(|scope| {
        let slow = scope.spawn(|| bench.lay(&wanted("slow")));
        let fast = bench.lay(&wanted("fast"));
        // Once for each time that the texts of the other have come in between.
        go_on.send(()).and_then(|()| go_on.send(())).unwrap();
        let slow = slow.join().unwrap();
        for (laid, name) in [(fast, "fast"), (slow, "slow")] {
            let laid = laid.unwrap_or_else(|problems| panic!("{problems:?}"));
            let origin = laid.bench.rules.asks[0].origin;
            let file = bench.with_sources(|sources| sources.get(origin.source).name.clone());
            assert_eq!(file, format!("{name}.mafia"));
        }
    });
}

#[test]
fn rules_that_are_checked_anew_add_no_text() {
    let bench = Workbench::default();
    let wanted = RulesetRequest {
        base: "city".to_owned(),
        ..RulesetRequest::default()
    };
    let count = || bench.with_sources(Sources::count);
    assert!(bench.lay(&wanted).is_ok());
    let before = count();
    assert!(bench.check_anew(&wanted).is_ok());
    assert_eq!(count(), before);
}
