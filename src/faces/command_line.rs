//! The command line.
#![expect(clippy::print_stdout, reason = "a face")]

use super::bundle::Shelf;
use super::render::{Format, Style, render};
use crate::check::{Request, check_ruleset};
use crate::engine::{Game, NoHooks, Silence};
use crate::play::{chance::Chance, deal, policy::Policy};
use crate::source::Sources;
use std::process::ExitCode;
use std::sync::Arc;

/// Runs the program.
pub fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    let mut sources = Sources::default();
    let overlays: Vec<String> = args.get(4).map(|s| s.split(',').map(str::to_owned).collect()).unwrap_or_default();
    let request = Request { root: &args[1], overlays: &overlays, options: &[] };
    let shelf = if args[1].contains('/') { Shelf::beside(std::path::Path::new(&args[1])) } else { Shelf::default() };
    let checked = check_ruleset(&mut sources, &shelf, &request);
    let _ = Format::Human;
    print!("{}", render(&sources, &checked.diagnostics, Format::Human, Style::PLAIN));
    let Some(rules) = checked.rules else { return ExitCode::from(1) };
    println!("{} ops, {} procs", rules.code.len(), rules.procs.len());
    let rules = Arc::new(rules);
    let n: u8 = args.get(2).and_then(|s| s.parse().ok()).unwrap_or(8);
    let games: u64 = args.get(3).and_then(|s| s.parse().ok()).unwrap_or(1000);
    let mut ends = std::collections::BTreeMap::new();
    let start = std::time::Instant::now();
    for i in 0..games {
        let cast = deal::from_table(&rules, None, usize::from(n), crate::source::Span::default()).expect("cast");
        let mut chance = Chance::of_game(1, i);
        let mut game = Game::start(rules.clone(), Arc::new(NoHooks), n, &cast, &mut Silence).expect("start");
        let policy = Policy { offers_per_thousand: 300 };
        let mut steps = 0;
        while let Some(choice) = policy.choose(&game, &mut chance) {
            game.apply(choice, &mut Silence).expect("legal");
            steps += 1;
            if steps > 10_000 { break; }
        }
        let key = match game.pending() {
            crate::engine::Pending::Over(o) => o.ending.map_or("none".to_owned(), |e| rules.ending(e).name.clone()),
            other => format!("{other:?}"),
        };
        *ends.entry(key).or_insert(0) += 1;
    }
    println!("{ends:?} {:?}/s", games as f64 / start.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
