//! The player who believes what he has seen and looks ahead: he uses what he knows, and knows no more than that.

use super::{laid, limited, play};
use omerta::faces::sim::{BotWanted, House};
use omerta_engine::Choice;
use omerta_measure::sim::{Limits, Shard, Simulator};
use omerta_workbench::ReadyRules;

const LIMITS: Limits = Limits {
    answers: 20_000,
    offers_per_thousand: 0,
    calls_per_thousand: 0,
};

fn names(players: u8) -> Vec<String> {
    (1..=players).map(|seat| format!("P{seat}")).collect()
}

fn table(laid: &ReadyRules, players: u8, careful: &str, offers_per_thousand: u32) -> Simulator {
    let limits = Limits {
        offers_per_thousand,
        ..LIMITS
    };
    let simulator = limited(laid, players, limits);
    let bot = BotWanted::read(careful, &laid.bench.rules, &names(players)).unwrap();
    let invited = bot.invited(&House::of(&names(players), 1), &simulator.players());
    simulator.inviting(vec![invited])
}

fn guess() -> ReadyRules {
    laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/guess.mafia"))
}

/// In how many of the games a team won.
fn won(simulator: &mut Simulator, laid: &ReadyRules, games: u64, team: &str) -> u64 {
    let team = laid.bench.rules.group_named(team).unwrap();
    let mut won = 0;
    for number in 0..games {
        let seen = simulator.play(number).unwrap();
        assert!(seen.wrong.is_none());
        let winners = seen.winners;
        won += u64::from(simulator.game().look().group(team) & winners != 0);
    }
    won
}

/// Who was told the secret uses it each time; who was not is right in one of four games, as by chance.
#[test]
fn he_uses_what_he_was_told_and_guesses_the_rest() {
    let laid = guess();
    let mut all = table(&laid, 5, "all=careful 40", 0);
    let games = 160;
    assert_eq!(won(&mut all, &laid, games, "Eye"), games);
    // Forty are to be expected; four times the spread of such a count is 22.
    let guessed = won(&mut all, &laid, games, "Dark");
    assert!((18..=62).contains(&guessed), "{guessed} of {games} guessed right");
}

/// A card that lies on its face is picked by where it lies: whoever looks ahead finds the prize in one of three cases, as
/// all do, and each time where he was shown it.
#[test]
fn he_does_not_see_the_faces_of_cards() {
    let laid = laid(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/sim/backs.mafia"));
    let mut all = table(&laid, 3, "all=careful 24", 0);
    let games = 90;
    let found = won(&mut all, &laid, games, "Finders");
    // Thirty are to be expected; four times the spread of such a count is 18.
    assert!((12..=48).contains(&found), "{found} of {games}");
    assert_eq!(won(&mut all, &laid, games, "Shown"), games);
}

/// An offer is taken up where it helps: who accuses by chance wins at times, who says nothing never does.
#[test]
fn he_takes_up_an_offer_that_helps_him() {
    let laid = guess();
    let taken = |choice: &Choice| matches!(choice, Choice::Offer { .. });
    let mut fools = table(&laid, 5, "Fool=careful 40", 0);
    let mut others = table(&laid, 5, "Seer=careful 40", 0);
    for game in 0..20 {
        assert_eq!(
            fools
                .answers(game)
                .unwrap()
                .iter()
                .filter(|choice| taken(choice))
                .count(),
            1
        );
        assert!(!others.answers(game).unwrap().iter().any(taken));
    }
}

/// Where the dead show their cards, a team that thinks does clearly better than one that does not.
#[test]
fn a_careful_team_wins_more_often() {
    let laid = laid("city");
    let games = 24;
    let mut alone = table(&laid, 6, "Town=careful 40", 500);
    let with = won(&mut alone, &laid, games, "Town");
    let usual = Limits {
        offers_per_thousand: 500,
        ..LIMITS
    };
    let without = won(&mut limited(&laid, 6, usual), &laid, games, "Town");
    assert!(
        with > 2 * without && 2 * with > games,
        "{with} against {without} of {games}"
    );
}

/// The same games on any number of threads, and however they are split.
#[test]
fn the_same_seed_gives_the_same_games() {
    let laid = guess();
    let once = play(&table(&laid, 5, "all=careful 20", 500), 40, Shard::WHOLE, 1);
    let again = play(&table(&laid, 5, "all=careful 20", 500), 40, Shard::WHOLE, 2);
    assert_eq!(once, again);
}

#[test]
fn how_much_thought_is_a_number() {
    let laid = guess();
    let refused = |bot: &str| {
        BotWanted::read(bot, &laid.bench.rules, &names(5))
            .unwrap_err()
            .to_string()
    };
    for words in [
        "all=careful 0",
        "all=careful much",
        "all=careful 200 games",
        "all=careful 9999999",
    ] {
        assert!(
            refused(words).contains("is no number of games to play on: write `careful 200`"),
            "{words}"
        );
    }
    let read = |bot: &str| BotWanted::read(bot, &laid.bench.rules, &names(5)).unwrap();
    assert_eq!(read("all=careful").careful(), Some(Ok(200)));
    assert_eq!(read("all=careful 7").careful(), Some(Ok(7)));
    assert_eq!(read("all=./careful 7").careful(), None);
}
