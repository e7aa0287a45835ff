//! How sure one may be of a share that was counted.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an estimate is no part of a game"
)]

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

    /// Whether a value lies between the bounds.
    pub fn holds(self, value: f64) -> bool {
        (self.low..=self.high).contains(&value)
    }
}

/// Wilson's interval for `hits` of `of`. Of nothing, anything may be true.
pub fn wilson(hits: u64, of: u64) -> Interval {
    if of == 0 {
        return Interval {
            share: 0.0,
            low: 0.0,
            high: 1.0,
        };
    }
    let n = of as f64;
    let share = hits as f64 / n;
    let spread = Z * Z / n;
    let middle = (share + spread / 2.0) / (1.0 + spread);
    let reach = Z * (share * (1.0 - share) / n + spread / (4.0 * n)).sqrt() / (1.0 + spread);
    Interval {
        share,
        // Where nothing or everything was hit, the bound is the share itself and not a rounding beside it.
        low: if hits == 0 { 0.0 } else { middle - reach },
        high: if hits == of { 1.0 } else { middle + reach },
    }
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
