//! A thousand scenarios of ten steps, as `omerta test` runs them: from their texts to their reports,
//! rules checked anew for each file. On one thread and on all, one beside the other in one run.

use std::{hint::black_box, sync::Arc, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use omerta_workbench::{
    bundle::Shelf,
    runner::{Plan, Text, run_suite},
};

const FILES: usize = 20;
const SCENARIOS: usize = 50;

/// One scenario: four answers, two scenes, four things expected.
const SCENARIO: &str = r#"
Night 1 {
  expect asked Mafia for victim
  Mafia -> Dee
  Doctor -> Dee
  Commissioner -> Eve
  expect said deed
}
Dawn 1 {
  expect Dee is living
  expect said cures
}
Day 2 { Ann does suspect-of Bob }
"#;

fn texts() -> Vec<Text> {
    let head = "ruleset city\nseats Ann: Doctor, Bob: Mafioso, Cid: Commissioner, Dee: Civilian, Eve: Civilian\n\
                otherwise pass\n";
    let text = |file: usize| {
        let plays = (0..SCENARIOS).map(|number| format!("play \"number {number}\"{SCENARIO}\n"));
        Text {
            name: format!("{file}.play"),
            text: format!("{head}{}", plays.collect::<String>()),
            loader: Arc::new(Shelf::default()),
            folder: None,
            kept: Default::default(),
        }
    };
    (0..FILES).map(text).collect()
}

fn measure(criterion: &mut Criterion) {
    let texts = texts();
    let all = Plan::default();
    let one = Plan {
        threads: 1,
        ..Plan::default()
    };
    let rans = run_suite(&texts, &one);
    let held: usize = rans.iter().map(|ran| ran.count().0).sum();
    assert_eq!(held, FILES * SCENARIOS, "what is measured holds");
    let mut group = criterion.benchmark_group("a thousand scenarios");
    group.throughput(Throughput::Elements((FILES * SCENARIOS) as u64));
    for (name, plan) in [("one thread", &one), ("all threads", &all)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| black_box(run_suite(&texts, plan).len()))
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10).warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(5));
    targets = measure
}
criterion_main!(benches);
