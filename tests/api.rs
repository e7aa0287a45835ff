//! The library for other programs: what it promises, seen from outside.

use omerta::{
    Answer, Arena, Asked, Counts, Event, Eyes, Feature, Game, GameError, Load, LoadError, Mistake, Numbers,
    Outcome, Place, Question, Rules, Scenarios, Setting, Simulation, Table, Title, Tried, Turn,
};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const TINY: &str = "ruleset tiny \"A tiny game\"\nuse std.table\nuse lamp\nplayers 3..6\n\
    option lit: yes | no = yes \"whether it is light\"\n\
    cast {\n  players 3..6\n  Wolf 1\n  Sheep rest\n}\n\
    team Flock \"the flock\"\nteam Pack \"the pack\"\n\
    role Sheep \"a sheep\" of Flock\nrole Wolf \"a wolf\" of Pack\n\
    script {\n  play Deal\n  if lit {\n    play Lighting\n  }\n  ask players together for suspect from players \"Who is the wolf?\"\n  \
    draw luck from 1 good, 1 bad\n  tell suspect \"They mean you.\"\n  do departure of suspect\n  judge\n}\n\
    ending caught: win Flock when no living Pack \"the wolf is caught\"\n\
    ending missed: win Pack when some out and some living Pack \"the wolf is still about\"\n";
const LAMP: &str = "library lamp\npublish Lighting\nscene Lighting {\n  say \"A lamp is lit.\"\n}\n";
const DARK: &str =
    "overlay dark on tiny {\n  replace scene Lighting {\n    say \"The lamp stays dark.\"\n  }\n}\n";

fn tiny() -> Load {
    Load::text(TINY)
        .beside("lamp.mafia", LAMP)
        .beside("dark.mafia", DARK)
}

fn words(events: &[Event]) -> Vec<&str> {
    events.iter().map(|event| event.words.as_str()).collect()
}

/// What compiles here compiles with every later version of the same number.
#[test]
fn the_names_and_signatures_of_the_promise_stand() {
    let _: fn(Load) -> Result<Rules, LoadError> = Load::load;
    let _: fn(Load, &'static str) -> Load = Load::overlay;
    let _: fn(Load, &'static str, &'static str) -> Load = Load::option;
    let _: fn(Load, &'static str, &'static str) -> Load = Load::beside;
    let _: fn(&Rules) -> Title = Rules::title;
    let _: fn(&Rules) -> &[String] = Rules::overlays;
    let _: fn(&Rules) -> Vec<Setting> = Rules::options;
    let _: fn(&Rules) -> std::ops::RangeInclusive<u8> = Rules::players;
    let _: [fn(&Rules) -> Vec<Title>; 2] = [Rules::roles, Rules::teams];
    let _: fn(&Rules) -> Vec<Mistake> = Rules::warnings;
    let _: fn(&Rules) -> String = Rules::identity;
    let _: fn(&Rules, &Table) -> Result<Game, GameError> = Rules::begin;
    let _: fn(&Rules, &str) -> Result<Game, GameError> = Rules::restore;
    let _: fn(Table, u8) -> Table = Table::players;
    let _: fn(Table, u64) -> Table = Table::seed;
    let _: fn(Table) -> Table = Table::chance_by_hand;
    let _: fn(&Game) -> Option<Question> = Game::asked;
    let _: [fn(&Game) -> Vec<Answer>; 2] = [Game::legal, Game::offers];
    let _: fn(&mut Game, &Answer) -> Result<(), GameError> = Game::apply;
    let _: fn(&mut Game, &str) -> Result<(), GameError> = Game::answer;
    let _: fn(&mut Game) -> Option<Answer> = Game::random_answer;
    let _: [fn(&mut Game) -> bool; 2] = [Game::undo, Game::redo];
    let _: fn(&Game) -> Game = Game::replay;
    let _: fn(&Game, Eyes) -> Vec<Event> = Game::view;
    let _: fn(&Game, u8) -> Vec<Title> = Game::roles_of;
    let _: fn(&Game) -> Option<Outcome> = Game::outcome;
    let _: [fn(&Game) -> Option<String>; 1] = [Game::fault];
    let _: fn(&Game) -> String = Game::save;
    let _: fn(Table, u64) -> Simulation = Simulation::new;
    type Run = fn(&Simulation, &Rules, &(dyn Fn(u64) + Sync), &AtomicBool) -> Result<Numbers, GameError>;
    let _: Run = Simulation::run;
    let _: fn(Simulation, u64, u64) -> Simulation = Simulation::shard;
    let _: fn(Simulation, &'static str, u32) -> Simulation = Simulation::careful;
    let _: fn(&str) -> Result<Numbers, GameError> = Numbers::read;
    let _: fn(Vec<String>) -> Result<Numbers, GameError> = Numbers::merge;
    let _: fn(&Rules, &Table) -> Result<Arena, GameError> = Rules::arena;
    let _: fn(&Rules) -> Vec<(String, String)> = Rules::texts;
    let _: fn(&Rules) -> &str = Rules::source;
    let _: fn(&Mistake) -> &str = Mistake::drawn;
    let _: fn(&Game) -> Vec<(Answer, u32)> = Game::chances;
    let _: fn(&Arena) -> Turn = Arena::turn;
    let _: fn(&Arena) -> Vec<Feature> = Arena::features;
    let _: fn(&mut Arena, u32) -> Result<(), GameError> = Arena::step;
    let _: fn(&'static str, &'static str) -> Scenarios = Scenarios::text;
    let _: fn(&Scenarios, &str) -> Vec<Tried> = Scenarios::run;
    fn is_shared<T: Send + Sync>() {}
    let _: fn(&Game, &Game) -> bool = PartialEq::eq;
    let _: fn(Arena) -> Result<Arena, GameError> = Arena::with_offers;
    is_shared::<Arena>();
    is_shared::<Rules>();
    is_shared::<Game>();
}

#[test]
fn texts_in_memory_find_their_libraries_overlays_and_options() {
    let rules = tiny().load().unwrap();
    assert_eq!((rules.title().name, rules.players()), ("tiny".to_owned(), 3..=6));
    assert_eq!(
        rules
            .roles()
            .iter()
            .map(|role| role.title.as_str())
            .collect::<Vec<_>>(),
        ["a sheep", "a wolf"]
    );
    assert_eq!(rules.teams().len(), 2);
    let heard = |load: Load| {
        let game = load.load().unwrap().begin(&Table::new().players(3)).unwrap();
        words(&game.view(Eyes::Everybody)).join(" ")
    };
    assert!(heard(tiny()).contains("A lamp is lit."));
    assert!(heard(tiny().overlay("dark")).contains("The lamp stays dark."));
    assert!(!heard(tiny().option("lit", "no")).contains("lamp"));
    assert_ne!(
        tiny().overlay("dark").load().unwrap().identity(),
        rules.identity()
    );
}

#[test]
fn what_is_wrong_comes_as_data_with_its_place() {
    let LoadError::Wrong(mistakes) = Load::text(TINY.replace("from players", "from plaiers"))
        .beside("lamp.mafia", LAMP)
        .load()
        .unwrap_err()
    else {
        panic!("the rules are read and wrong")
    };
    let first = &mistakes[0];
    assert_eq!((first.code, first.is_warning), ("M0201", false));
    let Place {
        text, line, bytes, ..
    } = &first.places[0];
    assert_eq!((text.as_str(), *line), ("rules.mafia", 20));
    assert_eq!(
        &TINY.replace("from players", "from plaiers")[bytes.clone()],
        "plaiers"
    );
    assert!(
        first.help.as_deref().is_some_and(|help| help.contains("players")),
        "{first}"
    );
    assert!(matches!(
        Load::named("./no-such.mafia").load(),
        Err(LoadError::Unusable(_))
    ));
    assert!(matches!(
        Load::named("no-such-game").load(),
        Err(LoadError::Wrong(_))
    ));
    assert!(matches!(
        tiny().option("lit", "perhaps").load(),
        Err(LoadError::Wrong(_))
    ));
}

#[test]
fn a_table_that_the_rules_do_not_know_is_refused() {
    let rules = tiny().load().unwrap();
    let refused = |table: &Table| rules.begin(table).unwrap_err();
    // With cards of one's own nothing but the number of seats is in the way.
    for players in [1, 2, 7, 64] {
        let told = refused(&Table::new().players(players).cast("Wolf 1, Sheep rest")).to_string();
        assert_eq!(told, format!("{players} play, and the game is for 3 to 6"));
    }
    assert!(matches!(
        refused(&Table::new().players(2)),
        GameError::Cast(_) | GameError::Table(_)
    ));
    assert!(matches!(
        refused(&Table::new().names(["Ann", "Ann", "Bob"])),
        GameError::Table(_)
    ));
    assert!(matches!(
        refused(&Table::new().players(3).cast("Dragon 3")),
        GameError::Cast(_)
    ));
}

#[test]
fn games_are_equal_at_one_table_under_one_ruleset_with_the_same_answers_alone() {
    let begun = |load: Load, table: &Table| load.load().unwrap().begin(table).unwrap();
    let table = || {
        let people = Table::new().names(["Ann", "Bob", "Cid"]);
        people.cast("Wolf 1, Sheep rest").seed(4)
    };
    let game = begun(tiny(), &table());
    assert!(game == begun(tiny(), &table()));
    let others = [
        ("names", tiny(), table().names(["Ann", "Bob", "Dee"])),
        ("seats", tiny(), table().names(["Ann", "Bob", "Cid", "Dee"])),
        ("cards", tiny(), table().cast("Wolf 2, Sheep rest")),
        ("seed", tiny(), table().seed(5)),
        ("who rolls", tiny(), table().chance_by_hand()),
        ("overlay", tiny().overlay("dark"), table()),
        ("option", tiny().option("lit", "no"), table()),
    ];
    for (what, load, table) in others {
        assert!(game != begun(load, &table), "{what}");
    }
    let mut further = game.clone();
    further.apply(&game.legal()[0]).unwrap();
    assert!(further != game, "an answer more");
    assert!(further.undo() && further == game, "and taken back");
}

#[test]
fn an_answer_is_given_by_its_value_or_its_words_and_an_illegal_one_changes_nothing() {
    let rules = tiny().load().unwrap();
    let mut game = rules
        .begin(&Table::new().names(["Ann", "Bob", "Cid"]).seed(4))
        .unwrap();
    let question = game.asked().unwrap();
    assert_eq!((question.asked, question.seats), (Asked::Seats, vec![0, 1, 2]));
    assert_eq!(question.words, "Who is the wolf?");
    let before = game.save();
    assert!(matches!(game.answer("Dee"), Err(GameError::Illegal(_))));
    assert_eq!(game.save(), before);
    let legal = game.legal();
    assert_eq!(
        legal
            .iter()
            .map(|answer| answer.words.as_str())
            .collect::<Vec<_>>(),
        ["Ann", "Bob", "Cid"]
    );
    let mut other = game.clone();
    game.apply(&legal[1]).unwrap();
    other.answer("b").unwrap();
    assert_eq!(game.view(Eyes::Host), other.view(Eyes::Host));
    assert!(game.outcome().is_some() && game.asked().is_none());
    assert!(matches!(game.apply(&legal[1]), Err(GameError::Illegal(_))));
}

#[test]
fn a_question_says_how_many_seconds_there_are_and_takes_that_they_are_over() {
    let script =
        "ask host for bid from 1..9 within 1 minute else {\n    say \"Late.\"\n  }\n  ask players together";
    let rules = Load::text(TINY.replace("ask players together", script)).beside("lamp.mafia", LAMP);
    let mut game = rules.load().unwrap().begin(&Table::new().players(3)).unwrap();
    assert_eq!(game.asked().unwrap().seconds, Some(60));
    game.answer("time-up").unwrap();
    assert!(words(&game.view(Eyes::Everybody)).contains(&"Late."));
    assert_eq!(game.asked().unwrap().seconds, None);
    assert!(game.answer("time-up").is_err());
}

#[test]
fn what_somebody_writes_is_an_answer_of_its_own_within_its_bounds() {
    let script = "ask seat 1 to write claim up to 8 letters or nobody \"Who are you?\"\n  say \"{claim}\"\n  \
                  if claim is \"the fool\" {\n    say \"Ha!\"\n  }\n  ask players together";
    let rules = Load::text(TINY.replace("ask players together", script)).beside("lamp.mafia", LAMP);
    let rules = rules.load().unwrap();
    let mut game = rules.begin(&Table::new().players(3)).unwrap();
    assert_eq!(game.asked().unwrap().letters, Some(8));
    let legal: Vec<String> = game.legal().into_iter().map(|answer| answer.words).collect();
    assert_eq!(legal, ["pass"]);
    for (refused, why) in [
        (
            "123456789",
            "that is 9 letters long, and at most 8 may be written",
        ),
        (" ", "nothing is written there"),
        (
            "a\nb",
            "a text stands on one line, and each sign of it can be seen",
        ),
        (
            "a\u{202e}b",
            "a text stands on one line, and each sign of it can be seen",
        ),
    ] {
        let before = game.save();
        assert_eq!(game.answer(refused).unwrap_err().to_string(), why);
        assert_eq!(game.save(), before);
    }
    game.answer("\"pass\"").unwrap();
    assert!(words(&game.view(Eyes::Everybody)).contains(&"pass"));
    assert!(game.undo());
    game.answer(" THE fool ").unwrap();
    let said = |game: &Game| words(&game.view(Eyes::Everybody)).join("; ");
    assert!(said(&game).contains("THE fool; Ha!"), "{}", said(&game));
    assert_eq!(game.asked().unwrap().letters, None);
    let mut again = rules.restore(&game.save()).unwrap();
    assert_eq!(said(&again), said(&game));
    assert!(again.undo());
    again.answer("pass").unwrap();
    assert!(said(&again).contains("nothing") && !said(&again).contains("Ha!"));
}

#[test]
fn sixty_four_numbers_are_listed_and_of_more_only_the_ends_are_told() {
    let asked = |last: u32| {
        let script = format!(
            "ask host for bid from 1..{last} \"How many?\"\n  say \"{{bid}}\"\n  ask players together"
        );
        let rules = Load::text(TINY.replace("ask players together", &script)).beside("lamp.mafia", LAMP);
        rules.load().unwrap().begin(&Table::new().players(3)).unwrap()
    };
    let (mut few, mut many) = (asked(64), asked(65));
    assert_eq!((few.legal().len(), few.asked().unwrap().numbers), (64, None));
    assert_eq!(
        (many.legal().len(), many.asked().unwrap().numbers),
        (0, Some((1, 65)))
    );
    few.answer("64").unwrap();
    assert!(many.answer("66").is_err());
    many.answer("65").unwrap();
}

#[test]
fn each_seat_sees_what_it_was_told_and_no_more() {
    let rules = tiny().load().unwrap();
    let mut game = rules
        .begin(&Table::new().names(["Ann", "Bob", "Cid"]).seed(4))
        .unwrap();
    game.answer("Bob").unwrap();
    let told = |eyes| {
        words(&game.view(eyes))
            .iter()
            .any(|words| words.contains("They mean you."))
    };
    assert!(told(Eyes::Seat(1)) && told(Eyes::Host));
    assert!(!told(Eyes::Seat(0)) && !told(Eyes::Everybody));
}

#[test]
fn going_back_keeping_and_replaying_give_the_same_game() {
    let rules = Load::named("city").load().unwrap();
    let mut game = rules.begin(&Table::new().players(8).seed(9)).unwrap();
    for _ in 0..20 {
        let answer = game.random_answer().unwrap();
        game.apply(&answer).unwrap();
    }
    let whole = game.view(Eyes::Host);
    let restored = rules.restore(&game.save()).unwrap();
    assert_eq!(restored.view(Eyes::Host), whole);
    let mut again = game.replay();
    assert!(again.view(Eyes::Host).len() < whole.len());
    while again.redo() {}
    assert_eq!(again.view(Eyes::Host), whole);
    assert!(game.undo());
    assert!(game.view(Eyes::Host).len() < whole.len());
    assert!(matches!(rules.restore("{}"), Err(GameError::Save(_))));
    assert!(matches!(
        tiny().load().unwrap().restore(&game.save()),
        Err(GameError::Save(_))
    ));
}

#[test]
fn chance_may_be_answered_by_hand() {
    let rules = tiny().load().unwrap();
    let table = Table::new().names(["Ann", "Bob", "Cid"]).chance_by_hand();
    let mut game = rules.begin(&table).unwrap();
    let mut drawn = 0;
    while let Some(question) = game.asked() {
        drawn += u32::from(question.asked == Asked::Chance);
        let answer = game.legal().swap_remove(0);
        game.apply(&answer).unwrap();
    }
    assert!(drawn >= 3, "{drawn} cards and coins were asked for");
}

#[test]
fn many_games_come_to_the_same_numbers_on_any_number_of_threads_and_can_be_stopped() {
    let rules = tiny().load().unwrap();
    let played = AtomicU64::new(0);
    let count = |games: u64| {
        played.fetch_add(games, Ordering::Relaxed);
    };
    let table = Table::new().players(4).seed(3);
    let run = |threads: usize, stop: bool| {
        let simulation = Simulation::new(table.clone(), 600).threads(threads);
        simulation.run(&rules, &count, &AtomicBool::new(stop)).unwrap()
    };
    let numbers = run(1, false);
    assert_eq!(played.swap(0, Ordering::Relaxed), 600);
    assert_eq!((numbers.games, numbers.wrong), (600, 0));
    assert_eq!(run(2, false), numbers);
    assert_eq!(run(1_000_000, false), numbers, "as many as the machine gives");
    assert_eq!(run(1, true).games, 0);
    let team = |name: &str| {
        numbers
            .counts
            .iter()
            .find(|counts| counts.kind == "team" && counts.name == name)
    };
    let Counts {
        won,
        share,
        low,
        high,
        ..
    } = team("Flock").unwrap();
    assert_eq!(won + team("Pack").unwrap().won, 600);
    assert!(low < share && share < high, "{low} {share} {high}");
    let wrong = Simulation::new(table.clone(), 1).policy("no-such");
    assert!(matches!(
        wrong.run(&rules, &count, &AtomicBool::new(false)),
        Err(GameError::Table(_))
    ));
}

#[test]
fn careful_players_use_what_they_were_shown() {
    let text = "ruleset look \"One look\"\nuse std.table\nplayers 3\ncast {\n  Wolf 1\n  Seer 1\n  Sheep rest\n}\n\
        team Flock \"the flock\"\nteam Pack \"the pack\"\nrole Sheep \"a sheep\" of Flock\n\
        role Seer \"a seer\" of Flock\nrole Wolf \"a wolf\" of Pack\nscript {\n  play Deal\n  \
        ask Seer for suspect from living others \"Whom do you look at?\"\n  show team of suspect to Seer\n  \
        ask Seer for prey from living others \"Whom do you shoot?\"\n  do departure of prey\n  judge\n}\n\
        ending shot: win Flock when no living Wolf\nending missed: win Pack when some living Wolf\n";
    let rules = Load::text(text).load().unwrap();
    let simulation = || Simulation::new(Table::new().players(3).seed(1), 24).threads(1);
    let run = |simulation: Simulation| simulation.run(&rules, &|_| {}, &AtomicBool::new(false));
    let won = |simulation| {
        let numbers = run(simulation).unwrap();
        let flock = |counts: &&Counts| counts.kind == "team" && counts.name == "Flock";
        numbers.counts.iter().find(flock).unwrap().won
    };
    assert!(won(simulation()) < 24, "by chance he misses");
    for careful in ["Seer", "Flock", "all"] {
        assert_eq!(won(simulation().careful(careful, 40)), 24, "{careful}");
    }
    assert_eq!(won(simulation().policy("careful")), 24);
    assert!(matches!(
        run(simulation().careful("Fox", 40)),
        Err(GameError::Table(_))
    ));
}

/// A game of which every part of the outcome is another: who won, who lost, what each holds, and how it broke.
#[test]
fn how_it_ended_and_what_each_holds_is_told_by_seats() {
    let begun = |script: &str| {
        let head = "ruleset duel \"A duel\"\nuse std.table\nplayers 3\ncast {\n  Wolf 1\n  Sheep rest\n}\n\
            team Flock \"the flock\"\nteam Pack \"the pack\"\nrole Sheep \"a sheep\" of Flock\n\
            role Wolf \"a wolf\" of Pack\ncount steps\nmark shot\n";
        let text = format!(
            "{head}script {{\n  play Deal\n{script}\n}}\nending shot-down: win players without shot when some shot\n"
        );
        let rules = Load::text(text).load().unwrap();
        rules
            .begin(&Table::new().names(["Ann", "Bob", "Cid"]).seed(2))
            .unwrap()
    };
    let mut game = begun("  ask host for prey from players\n  mark prey as shot\n  lose shot\n  judge");
    let titles = |seat: u8| {
        let roles = game.roles_of(seat).into_iter();
        roles.map(|role| (role.name, role.title)).collect::<Vec<_>>()
    };
    let held: Vec<_> = (0..3).map(titles).collect();
    let sheep = vec![("Sheep".to_owned(), "a sheep".to_owned())];
    let wolf = vec![("Wolf".to_owned(), "a wolf".to_owned())];
    assert_eq!(held, [wolf, sheep.clone(), sheep]);
    assert!(game.outcome().is_none() && game.fault().is_none());
    assert!(
        format!("{game:?}").contains("\"Ann\", \"Bob\", \"Cid\""),
        "{game:?}"
    );
    game.answer("Bob").unwrap();
    let Outcome {
        ending,
        winners,
        losers,
        ..
    } = game.outcome().unwrap();
    assert_eq!(
        (ending.as_deref(), winners, losers),
        (Some("shot-down"), vec![0, 2], vec![1])
    );
    let broken = begun("  repeat {\n    set steps to 1\n  }");
    assert!(broken.outcome().is_none() && broken.asked().is_none());
    assert_eq!(
        broken.fault().as_deref(),
        Some("the rules go on and on without a pause")
    );
}

#[test]
fn rules_travel_as_their_texts_and_a_mistake_brings_its_drawing() {
    let rules = tiny().overlay("dark").load().unwrap();
    let texts = rules.texts();
    let names: Vec<&str> = texts.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        (names, rules.source()),
        (vec!["rules.mafia", "lamp", "dark.mafia"], "rules.mafia")
    );
    let there = texts
        .into_iter()
        .fold(Load::named("rules.mafia"), |load, (name, text)| {
            load.beside(name, text)
        });
    assert_eq!(there.overlay("dark").load().unwrap().identity(), rules.identity());
    assert!(Load::named("city").load().unwrap().texts().is_empty());
    let Err(LoadError::Wrong(mistakes)) = Load::text("ruleset empty").load() else {
        panic!("there is no script")
    };
    assert!(
        mistakes[0].drawn().contains("1 │ ruleset empty"),
        "{}",
        mistakes[0].drawn()
    );
}

#[test]
fn parts_of_a_run_come_to_the_whole_and_a_missing_one_is_named() {
    let rules = tiny().load().unwrap();
    let simulation = Simulation::new(Table::new().players(5).seed(9), 601).threads(1);
    let run = |simulation: &Simulation| simulation.run(&rules, &|_| {}, &AtomicBool::new(false)).unwrap();
    let whole = run(&simulation);
    let parts: Vec<String> = (1..=3)
        .map(|part| run(&simulation.clone().shard(part, 3)).run)
        .collect();
    assert_eq!(Numbers::merge(parts.iter().rev()).unwrap(), whole);
    assert_eq!(Numbers::read(&whole.run).unwrap(), whole);
    let refused = |parts: &[&String]| Numbers::merge(parts).unwrap_err().to_string();
    assert_eq!(refused(&[&parts[0], &parts[2]]), "part 2/3 is missing");
    assert!(refused(&[&parts[0], &parts[0], &parts[1]]).contains("part 1/3 is there twice"));
    assert!(matches!(Numbers::read("{}"), Err(GameError::Save(_))));
}

#[test]
fn scenarios_say_what_did_not_hold_and_where() {
    let text =
        "ruleset city\n\nplay \"eight\"\n  seats 8\n\nplay \"nine\"\n  seats 8\n  expect nobody is living\n";
    let suite = Scenarios::text("mine.play", text);
    assert_eq!(
        (suite.names(), suite.file()),
        (vec!["eight".to_owned(), "nine".to_owned()], "mine.play")
    );
    let came: Vec<(String, bool)> = suite
        .run("")
        .into_iter()
        .map(|one| (one.name, one.passed))
        .collect();
    assert_eq!(came, [("eight".to_owned(), true), ("nine".to_owned(), false)]);
    let failed = &suite.run("nine")[0];
    assert_eq!(
        (
            failed.mistakes[0].places[0].text.as_str(),
            failed.mistakes[0].places[0].line
        ),
        ("mine.play", 8)
    );
    let unreadable = Scenarios::text("mine.play", "play {").run("");
    assert_eq!(
        (unreadable[0].name.as_str(), unreadable[0].passed),
        ("mine.play", false)
    );
    assert!(
        Scenarios::bundled()
            .iter()
            .any(|suite| suite.file() == "city.play")
    );
    assert!(matches!(
        Scenarios::read("no-such.play"),
        Err(LoadError::Unusable(_))
    ));
}

/// A snapshot that nobody has accepted yet is named by its file, with the scenario that it is of.
#[test]
fn scenarios_name_the_snapshots_that_are_not_as_they_were() {
    let text = "ruleset city\nseats 8\notherwise random with seed 3\n\nplay \"one\"\n  run to end\n\n\
        play \"two\"\n  run to end\n  snapshot\n";
    let came = Scenarios::text("mine.play", text).run("");
    let snapshots: Vec<usize> = came.iter().map(|one| one.snapshots.len()).collect();
    assert_eq!(snapshots, [0, 1], "{came:?}");
    assert!(came[1].snapshots[0].contains("two"), "{came:?}");
}

/// Whoever has no card in sight takes each card of the others for as likely.
#[test]
fn what_somebody_can_know_is_told_by_the_cards_that_may_lie_at_each_seat() {
    let table = Table::new().players(3).seed(1);
    let game = tiny().load().unwrap().begin(&table).unwrap();
    let told = |eyes: Eyes| {
        let worlds = game.worlds(eyes).unwrap();
        let seat = |held: &Vec<omerta::Held>| {
            let one = held
                .iter()
                .map(|held| format!("{} {}", held.role, held.millionths));
            one.collect::<Vec<_>>().join(", ")
        };
        worlds.seats.iter().map(seat).collect::<Vec<_>>()
    };
    let open = "Sheep 666666, Wolf 333333";
    let all = told(Eyes::Everybody);
    assert!(
        all.iter().all(|seat| seat.replace("666667", "666666") == open),
        "{all:?}"
    );
    let own: Vec<String> = (0..3)
        .map(|seat| told(Eyes::Seat(seat))[usize::from(seat)].clone())
        .collect();
    let wolf = own.iter().position(|held| held == "Wolf 1000000").unwrap();
    for seat in 0..3 {
        let held = told(Eyes::Seat(seat as u8));
        for (at, held) in held.iter().enumerate() {
            match (at == seat, seat == wolf) {
                (true, true) => assert_eq!(held, "Wolf 1000000"),
                (true, false) | (false, true) => assert_eq!(held, "Sheep 1000000"),
                (false, false) => assert_eq!(held, "Sheep 500000, Wolf 500000"),
            }
        }
    }
}

#[test]
fn what_chance_may_give_has_its_weight() {
    let game = tiny()
        .load()
        .unwrap()
        .begin(&Table::new().players(3).chance_by_hand())
        .unwrap();
    assert!(game.is_chance_by_hand());
    let weights: Vec<u32> = game.chances().iter().map(|(_, weight)| *weight).collect();
    assert_eq!(weights, [1, 1, 1]);
    let kept = game.rules().restore(&game.save()).unwrap().chance_by_hand();
    assert_eq!(kept.chances(), game.chances());
    assert!(kept == game);
}

/// The words of an answer give it, whoever thought of it.
#[test]
fn what_coins_answer_can_be_given_by_its_words() {
    for name in ["city", "village", "sport", "vendetta"] {
        let rules = Load::named(name).load().unwrap();
        let mut game = rules.begin(&Table::new().seed(4)).unwrap();
        let mut given = 0;
        while let Some(answer) = game.random_answer().filter(|_| given < 60) {
            let mut by_words = game.clone();
            by_words
                .answer(&answer.words)
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            game.apply(&answer).unwrap();
            assert!(by_words == game, "{name}: {}", answer.words);
            given += 1;
        }
    }
}
