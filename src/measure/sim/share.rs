//! How sure one may be of a share that was counted.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

use super::tally::{Record, Together};

/// Two-sided, for 95 in a hundred.
const Z: f64 = 1.959_963_984_540_054;

/// A share that was counted, with the bounds between which the true one lies, 95 times in 100.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize)]
pub struct Interval {
    /// What was counted.
    pub share: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Half of its width: what people mean by "plus or minus".
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// The same in hundredths, rounded up.
    pub fn hundredths(self) -> u32 {
        (self.half_width() * 100.0).ceil() as u32
    }

    /// Whether a value lies between the bounds.
    pub fn holds(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Wilson's interval for `hits` of `of`. Of nothing, anything may be true.
pub fn wilson(hits: u64, of: u64) -> Interval {
    around(hits, of, of as f64, Z)
}

/// The interval for the seats of one role. Those of one game win and lose together, so that they say
/// as much as fewer seats would say that had each a game of its own: Wilson's interval for so many.
///
/// How many that is comes of how far the games lie from the common share (the design effect of a
/// ratio over clusters). Two games of the usual size in which all won and two in which none did are
/// added for that estimate alone: a handful of games, or a share of nearly nothing, would otherwise be
/// taken for surer than they are. Where no game has two such seats it is Wilson's interval as it is.
pub fn of_seats(record: Record, together: Together) -> Interval {
    let Record { held, won, .. } = record;
    if together.held_squared == held {
        return wilson(won, held);
    }
    let (all, hits, squares) = (held as f64, won as f64, together.held_squared as f64);
    let games = together.games as f64;
    let usual = squares / all;
    let share = (hits + 2.0 * usual) / (all + 4.0 * usual);
    let added = usual * usual;
    let spread = together.won_squared as f64 + 2.0 * added
        - 2.0 * share * (together.won_times_held as f64 + 2.0 * added)
        + share * share * (squares + 4.0 * added);
    let alone = share * (1.0 - share) * (all + 4.0 * usual);
    let few = games / (games - 1.0).max(1.0);
    around(won, held, all * alone / (spread * few), quantile(games - 1.0))
}

/// Wilson's interval for a share that is as sure as one of `sure` that hang on nothing.
fn around(hits: u64, of: u64, sure: f64, z: f64) -> Interval {
    if of == 0 {
        return Interval {
            share: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let share = hits as f64 / of as f64;
    let spread = z * z / sure;
    let middle = (share + spread / 2.0) / (1.0 + spread);
    let reach = z * (share * (1.0 - share) / sure + spread / (4.0 * sure)).sqrt() / (1.0 + spread);
    Interval {
        share,
        // Where nothing or everything was hit, the bound is the share itself and not a rounding beside it.
        low: if hits == 0 { 0.0 } else { middle - reach },
        high: if hits == of { 1.0 } else { middle + reach },
    }
}

/// The bound for a spread that was itself estimated, from so many games and one: Student's, by the
/// usual series from the normal one.
fn quantile(free: f64) -> f64 {
    let free = free.max(1.0);
    let first = (Z.powi(3) + Z) / 4.0;
    let second = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0;
    let third = (3.0 * Z.powi(7) + 19.0 * Z.powi(5) + 17.0 * Z.powi(3) - 15.0 * Z) / 384.0;
    Z + first / free + second / free.powi(2) + third / free.powi(3)
}

/// A mean of what is never below nought, with the bounds between which the true one lies, 95 times in 100: `sum` and
/// `squares` of so many. One alone tells nothing of it.
pub fn mean(sum: u64, squares: u64, of: u64) -> Interval {
    let n = of.max(1) as f64;
    let share = sum as f64 / n;
    let spread = (squares as f64 / n - share * share).max(0.0) * n / (n - 1.0).max(1.0);
    let reach = match of {
        0 | 1 => f64::INFINITY,
        _ => quantile(n - 1.0) * (spread / n).sqrt(),
    };
    Interval {
        share,
        low: (share - reach).max(0.0),
        high: share + reach,
    }
}

/// In what share of runs chance alone would make alike seats win as unlike as these did: `won` are the
/// wins of each seat, `pairs` the games in which two of them won both, as a tally has them.
///
/// The squares of how far the seats lie from their mean are held against a chi-square whose mean and
/// spread come of how seats win together (Box; where each pair is like any other, it is Cochran's Q).
pub fn by_chance(won: &[u64], pairs: &[u64], games: u64) -> f64 {
    let seats = won.len();
    let (n, k) = (games.max(1) as f64, seats.max(1) as f64);
    let mut both = vec![0.0; seats * seats];
    let mut pairs = pairs.iter();
    for (seat, &won) in won.iter().enumerate() {
        both[seat * seats + seat] = won as f64 / n;
        for other in seat + 1..seats {
            let share = pairs.next().map_or(0.0, |&pair| pair as f64 / n);
            both[seat * seats + other] = share;
            both[other * seats + seat] = share;
        }
    }
    let rows: Vec<f64> = both
        .chunks(seats.max(1))
        .map(|row| row.iter().sum::<f64>() / k)
        .collect();
    let all = rows.iter().sum::<f64>() / k;
    let (mut trace, mut squares) = (0.0, 0.0);
    for (seat, row) in both.chunks(seats.max(1)).enumerate() {
        trace += row[seat] - 2.0 * rows[seat] + all;
        let centred = |(other, share): (usize, &f64)| (share - rows[seat] - rows[other] + all).powi(2);
        squares += row.iter().enumerate().map(centred).sum::<f64>();
    }
    if trace <= 1e-12 || squares <= 1e-12 {
        return 1.0;
    }
    let middle = won.iter().map(|&won| won as f64).sum::<f64>() / k;
    let apart: f64 = won.iter().map(|&won| (won as f64 - middle).powi(2)).sum();
    let free = trace * trace / squares;
    above_chi_square(apart * trace / (n * squares), free)
}

/// How likely a chi-square is above a value: by the cube root, which is nearly normal.
fn above_chi_square(value: f64, free: f64) -> f64 {
    let spread = 2.0 / (9.0 * free);
    let normal = ((value / free).cbrt() - (1.0 - spread)) / spread.sqrt();
    above_normal(normal)
}

/// How likely a normal is above a value, to six digits.
fn above_normal(value: f64) -> f64 {
    const SERIES: [f64; 5] = [
        1.061_405_429,
        -1.453_152_027,
        1.421_413_741,
        -0.284_496_736,
        0.254_829_592,
    ];
    let x = value.abs() / std::f64::consts::SQRT_2;
    let step = 1.0 / (1.0 + 0.327_591_1 * x);
    let sum = SERIES.iter().fold(0.0, |sum, part| (sum + part) * step);
    let tail = sum * (-x * x).exp() / 2.0;
    if value < 0.0 { 1.0 - tail } else { tail }
}

/// How much larger the second share is than the first, with the bounds that Newcombe makes of the
/// two intervals.
pub fn difference(first: Interval, second: Interval) -> Interval {
    let share = second.share - first.share;
    let down = ((second.share - second.low).powi(2) + (first.high - first.share).powi(2)).sqrt();
    let up = ((second.high - second.share).powi(2) + (first.share - first.low).powi(2)).sqrt();
    Interval {
        share,
        low: share - down,
        high: share + up,
    }
}
