//! Chance is pinned: what a seed gave once, it gives for ever, and it is fair.
//!
//! The pinned values come from the description in `docs/notes/randomness.md`, worked out in another
//! language from the published constants, not from a run of this crate.

use omerta_play::chance::{Chance, ChanceState};

#[test]
fn the_raw_stream_is_pinned() {
    let state = ChanceState::try_from("cafef00dd15ea5e5cafef00dd15ea5e5".to_string()).unwrap();
    let mut chance = Chance::restore(state);
    let words: Vec<String> = (0..4).map(|_| format!("{:016x}", chance.bits())).collect();
    assert_eq!(
        words,
        [
            "4f61d76f57ac7083",
            "18aa038360e594de",
            "48788d15ff62dbed",
            "8033ca2c02573aaf"
        ]
    );
}

#[test]
fn the_expansion_of_a_seed_is_pinned() {
    let state = |chance: Chance| String::from(chance.state());
    let seeds = [0, 1, 42, u64::MAX].map(|seed| state(Chance::of_seed(seed)));
    let expected = [
        "e220a8397b1dcdaf6e789e6aa1b965f5",
        "910a2dec89025cc1beeb8da1658eec67",
        "bdd732262feb6e9528efe333b266f103",
        "e4d971771b652c20e99ff867dbf682c9",
    ];
    assert_eq!(seeds, expected);
    let games = [(0, 0), (0, 1), (42, 0), (42, 1_000_000)].map(|(s, n)| state(Chance::of_game(s, n)));
    let expected = [
        "a706dd2f4d197e6fddfa3d6f55f82aab",
        "08b4fda8c892b50e86e613afe1cb8e2d",
        "57e1faba65107204dc4432704cd4b157",
        "5c96c91505c549999bb515202f1a2137",
    ];
    assert_eq!(games, expected);
}

#[test]
fn numbers_below_are_pinned() {
    let mut chance = Chance::of_seed(42);
    let numbers: Vec<u64> = [1, 2, 3, 6, 10, 64, 1000, 1 << 40, u64::MAX]
        .map(|n| chance.below(n))
        .to_vec();
    assert_eq!(
        numbers,
        [
            0,
            0,
            1,
            4,
            3,
            42,
            983,
            974_769_938_150,
            14_675_131_075_972_129_023
        ]
    );
}

#[test]
fn a_shuffle_is_pinned() {
    let mut list: Vec<u8> = (0..10).collect();
    Chance::of_seed(42).shuffle(&mut list);
    assert_eq!(list, [8, 1, 9, 6, 3, 2, 7, 4, 0, 5]);
}

#[test]
fn picked_bits_are_pinned() {
    let mut chance = Chance::of_seed(42);
    let masks = [1, 0b1010_1010, u64::MAX, 1 << 63, 0xf000_0000_0000_000f, 0x3ff];
    assert_eq!(masks.map(|mask| chance.pick_bit(mask)), [0, 1, 36, 63, 3, 6]);
}

#[test]
fn weighted_draws_are_pinned() {
    let mut chance = Chance::of_seed(42);
    let draws: Vec<usize> = (0..12).map(|_| chance.weighted(&[4, 0, 2, 1])).collect();
    assert_eq!(draws, [0, 0, 0, 2, 0, 2, 3, 3, 2, 0, 0, 2]);
}

#[test]
fn a_bit_picked_by_hand_is_the_bit_picked() {
    let mut masks = Chance::of_seed(7);
    for round in 0..20_000 {
        // Sparse, dense and plain masks in turn.
        let mask = match round % 3 {
            0 => masks.bits() & masks.bits() & masks.bits(),
            1 => masks.bits() | masks.bits(),
            _ => masks.bits(),
        };
        if mask == 0 {
            continue;
        }
        let (mut one, mut two) = (Chance::of_seed(round), Chance::of_seed(round));
        let rank = two.below(u64::from(mask.count_ones())) as usize;
        let by_hand = (0..64).filter(|bit| mask >> bit & 1 == 1).nth(rank).unwrap();
        assert_eq!(one.pick_bit(mask), by_hand, "in {mask:064b}");
        assert_eq!(one, two, "one pick is one draw");
    }
}

#[test]
fn picks_in_a_row_are_one_pick_after_the_other() {
    let mut masks = Chance::of_seed(11);
    for round in 0..20_000 {
        // Few and many, those who name those who are named, some of them, and others.
        let (seats, mask) = match round % 4 {
            0 => (masks.bits() & 0x3ff, masks.bits() & 0x3ff),
            1 => (masks.bits() & masks.bits(), masks.bits() & masks.bits()),
            2 => [masks.bits(); 2].into(),
            _ => [masks.bits() & masks.bits() & 0xfff; 2].into(),
        };
        let others = round / 4 % 2 == 0;
        if mask.count_ones() < 2 {
            continue;
        }
        let room = (round % 67).min(64) as usize;
        let (mut one, mut two) = (Chance::of_seed(round), Chance::of_seed(round));
        let mut picks = [0; 64];
        let count = one.pick_round(seats, mask, others, &mut picks[..room]);
        let asked = (0..64).filter(|seat| seats >> seat & 1 == 1).take(room);
        let by_one: Vec<u8> = asked
            .map(|seat| two.pick_bit(if others { mask & !(1 << seat) } else { mask }) as u8)
            .collect();
        assert_eq!(picks[..count], by_one, "{seats:064b} of {mask:064b}");
        assert_eq!(one, two, "as many draws");

        let room = room.min(mask.count_ones() as usize);
        one.pick_each(mask, &mut picks[..room]);
        let mut left = mask;
        for pick in &picks[..room] {
            let bit = two.pick_bit(left);
            assert_eq!(u32::from(*pick), bit, "out of {left:064b}");
            left &= !(1 << bit);
        }
        assert_eq!(one, two, "as many draws");
    }
}

#[test]
fn numbers_below_are_even() {
    let mut chance = Chance::of_seed(1);
    for n in [2, 3, 7, 10, 64] {
        let draws = (0..100_000).map(|_| chance.below(n) as usize);
        assert_even(draws, n as usize, &format!("below({n})"));
    }
}

/// The rejection is what this sees: without it, every third number would come twice as often.
#[test]
fn numbers_below_a_huge_bound_are_even() {
    let bound = 3 << 62;
    let mut chance = Chance::of_seed(2);
    assert_even(
        (0..90_000).map(|_| (chance.below(bound) % 3) as usize),
        3,
        "below(3 << 62) by threes",
    );
}

#[test]
fn picked_bits_are_even() {
    let mask: u64 = 0x8001_0000_7000_0013;
    let places: Vec<u32> = (0..64).filter(|bit| mask >> bit & 1 == 1).collect();
    let mut chance = Chance::of_seed(3);
    let draws = (0..100_000)
        .map(|_| chance.pick_bit(mask))
        .map(|bit| places.binary_search(&bit).unwrap());
    assert_even(draws, places.len(), "pick_bit");
}

#[test]
fn shuffles_are_even() {
    let mut chance = Chance::of_seed(4);
    let draws = (0..120_000).map(|_| {
        let mut list = [0, 1, 2, 3];
        chance.shuffle(&mut list);
        // The number of the order: for each place, how many smaller ones come after it.
        let smaller_after = |i: usize| list[i + 1..].iter().filter(|&&x| x < list[i]).count();
        smaller_after(0) * 6 + smaller_after(1) * 2 + smaller_after(2)
    });
    assert_even(draws, 24, "orders of four");
}

#[test]
fn weights_are_kept() {
    let mut chance = Chance::of_seed(5);
    // Three parts of one and one of three: counted by sixths, the draws must be even again.
    let draws = (0..120_000).map(|_| match chance.weighted(&[1, 2, 0, 3]) {
        0 => 0,
        1 => 1 + chance.below(2) as usize,
        3 => 3 + chance.below(3) as usize,
        other => panic!("outcome {other} weighs nothing"),
    });
    assert_even(draws, 6, "weighted");
}

#[test]
fn games_of_a_run_have_streams_of_their_own() {
    let mut seen = std::collections::BTreeSet::new();
    for seed in 0..100 {
        for number in 0..1000 {
            assert!(
                seen.insert(Chance::of_game(seed, number).bits()),
                "seed {seed}, game {number} repeats a stream"
            );
        }
    }
    // First draws of neighbours must be even too.
    assert_even(
        (0..100_000).map(|n| Chance::of_game(9, n).below(10) as usize),
        10,
        "first draws of a run",
    );
    assert_even(
        (0..100_000).map(|s| Chance::of_seed(s).below(10) as usize),
        10,
        "first draws of seeds",
    );
}

#[test]
fn a_saved_stream_goes_on_where_it_was() {
    let mut chance = Chance::of_seed(6);
    chance.bits();
    let saved = serde_json::to_string(&chance).unwrap();
    let mut restored: Chance = serde_json::from_str(&saved).unwrap();
    assert_eq!(restored, chance);
    assert_eq!(restored.bits(), chance.bits());
}

#[test]
fn a_spoilt_state_is_refused() {
    for bad in [
        "",
        "\"12\"",
        "\"cafef00dd15ea5e5cafef00dd15ea5e4\"",
        "\"+afef00dd15ea5e5cafef00dd15ea5e5\"",
        "7",
    ] {
        assert!(serde_json::from_str::<Chance>(bad).is_err(), "{bad} was taken");
    }
}

/// Pearson's chi-square against even chances. The bound is five standard deviations above the mean of
/// the statistic: with a fixed seed it passes or fails for good, and a generator that drops or doubles
/// an outcome exceeds it a hundredfold.
#[track_caller]
fn assert_even(draws: impl Iterator<Item = usize>, outcomes: usize, what: &str) {
    let mut counts = vec![0_u32; outcomes];
    let mut total = 0;
    for draw in draws {
        counts[draw] += 1;
        total += 1;
    }
    let expected = f64::from(total) / outcomes as f64;
    let statistic: f64 = counts
        .iter()
        .map(|&c| (f64::from(c) - expected).powi(2) / expected)
        .sum();
    let freedom = (outcomes - 1) as f64;
    let bound = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(
        statistic < bound,
        "{what}: chi-square {statistic:.1} with {freedom} degrees of freedom, {counts:?}"
    );
}

/// A cast that is mixed by hand, as it were, may have any role that the table leaves out: the first of them, too.
#[test]
fn every_role_that_no_table_has_comes_into_some_mixed_cast() {
    const RULES: &str = "ruleset deed \"Mixed\"\nuse std.table\n// allow-file never-dealt\nplayers 5\n\
        cast {\n  players 5\n  Wolf 1\n  Sheep rest\n}\nteam Flock\nteam Pack\n\
        role Bear of Pack\nrole Wolf of Pack\nrole Goat of Flock\nrole Sheep of Flock\nrole Hen of Flock\n\
        script {\n  play Deal\n  wait\n  judge\n}\nending one: win Flock when no living Pack\n\
        ending other: win Pack when some living Pack\n";
    let (_, checked) = crate::errors::check(RULES);
    let rules = checked.rules.expect("the rules are sound");
    let hooks: std::sync::Arc<dyn omerta_engine::Hooks> = std::sync::Arc::new(omerta_engine::NoHooks);
    let mut met = std::collections::BTreeSet::new();
    for seed in 0..60 {
        let cast = omerta_play::casting::mixed_for(&rules, &hooks, 5, &mut Chance::of_seed(seed)).unwrap();
        met.extend(
            cast.cards
                .iter()
                .map(|role| rules.groups[role.index()].name.clone()),
        );
    }
    let met: Vec<&str> = met.iter().map(String::as_str).collect();
    assert_eq!(met, ["Bear", "Goat", "Hen", "Sheep", "Wolf"]);
}
