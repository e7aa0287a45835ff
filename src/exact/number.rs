//! The two sorts of numbers a chain is solved in: whole numbers modulo a prime, of which fractions are put
//! together, and intervals of floats that surely hold the value.
#![expect(
    clippy::disallowed_types,
    clippy::float_arithmetic,
    reason = "an interval is proven by rounding outward"
)]

/// Numbers to reckon with. Nothing is ever taken away, so that intervals stay narrow.
pub trait Field: Sync {
    /// A number.
    type Number: Copy + Send + Sync;
    /// 0
    fn zero(&self) -> Self::Number;
    /// A whole number.
    fn whole(&self, number: u64) -> Self::Number;
    /// The sum.
    fn plus(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// The product.
    fn times(&self, a: Self::Number, b: Self::Number) -> Self::Number;
    /// One by another; nothing where that is no number.
    fn over(&self, a: Self::Number, b: Self::Number) -> Option<Self::Number>;
}

/// Whole numbers modulo a prime, in the form of Montgomery.
#[derive(Clone, Copy, Debug)]
pub struct Modulo {
    /// The prime.
    pub prime: u64,
    inverse: u64,
    square: u64,
}

impl Modulo {
    /// Modulo an odd number below 2^63.
    pub fn new(prime: u64) -> Modulo {
        let inverse = (0..6).fold(prime, |x, _| {
            x.wrapping_mul(2_u64.wrapping_sub(prime.wrapping_mul(x)))
        });
        let whole = (1_u128 << 64) % u128::from(prime);
        let square = (whole * whole % u128::from(prime)) as u64;
        Modulo {
            prime,
            inverse: inverse.wrapping_neg(),
            square,
        }
    }

    fn reduce(&self, product: u128) -> u64 {
        let factor = (product as u64).wrapping_mul(self.inverse);
        let sum = (product + u128::from(factor) * u128::from(self.prime)) >> 64;
        let sum = sum as u64;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    /// The number itself.
    pub fn plain(&self, number: u64) -> u64 {
        self.reduce(u128::from(number))
    }

    fn power(&self, mut base: u64, mut exponent: u64) -> u64 {
        let mut power = self.whole(1);
        while exponent > 0 {
            if exponent & 1 == 1 {
                power = self.times(power, base);
            }
            base = self.times(base, base);
            exponent >>= 1;
        }
        power
    }
}

impl Field for Modulo {
    type Number = u64;

    fn zero(&self) -> u64 {
        0
    }

    fn whole(&self, number: u64) -> u64 {
        self.reduce(u128::from(number % self.prime) * u128::from(self.square))
    }

    fn plus(&self, a: u64, b: u64) -> u64 {
        let sum = a + b;
        if sum >= self.prime { sum - self.prime } else { sum }
    }

    fn times(&self, a: u64, b: u64) -> u64 {
        self.reduce(u128::from(a) * u128::from(b))
    }

    fn over(&self, a: u64, b: u64) -> Option<u64> {
        (b != 0).then(|| self.times(a, self.power(b, self.prime - 2)))
    }
}

/// The primes below 2^62, the largest first.
pub fn primes() -> impl Iterator<Item = u64> {
    (0..)
        .map(|number| (1_u64 << 62) - 1 - 2 * number)
        .filter(|number| is_prime(*number))
}

/// By the test of Miller and Rabin with bases that leave no doubt below 2^64.
fn is_prime(number: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if BASES.iter().any(|base| number.is_multiple_of(*base)) {
        return BASES.contains(&number);
    }
    let (field, twos) = (Modulo::new(number), (number - 1).trailing_zeros());
    let (one, minus_one) = (field.whole(1), field.whole(number - 1));
    BASES.iter().all(|base| {
        let mut power = field.power(field.whole(*base), (number - 1) >> twos);
        if power == one || power == minus_one {
            return true;
        }
        (1..twos).any(|_| {
            power = field.times(power, power);
            power == minus_one
        })
    })
}

/// Between which two floats a value lies.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Between {
    /// Not below this.
    pub low: f64,
    /// Not above this.
    pub high: f64,
}

impl Between {
    /// From one to the other.
    pub fn new(low: f64, high: f64) -> Between {
        Between { low, high }
    }

    /// Anything up to a bound; where there is none, anything at all.
    pub fn anything(most: Option<u64>) -> Between {
        Between::new(0.0, most.map_or(f64::INFINITY, |most| most as f64))
    }

    /// Whether it is surely 0.
    pub fn is_nothing(&self) -> bool {
        self.high == 0.0
    }

    /// The same, and no higher than another may be.
    pub fn at_most(self, other: Between) -> Between {
        Between::new(self.low, self.high.min(other.high))
    }

    /// From where it begins to where another ends.
    pub fn up_to(self, other: Between) -> Between {
        Between::new(self.low, other.high)
    }

    /// The float in its middle.
    pub fn middle(&self) -> f64 {
        (self.low + self.high) / 2.0
    }

    fn outward(low: f64, high: f64) -> Between {
        let low = if low > 0.0 { low.next_down() } else { low };
        Between {
            low,
            high: high.next_up(),
        }
    }
}

/// Intervals of numbers that are never below 0.
#[derive(Clone, Copy, Debug)]
pub struct Intervals;

impl Field for Intervals {
    type Number = Between;

    fn zero(&self) -> Between {
        Between::new(0.0, 0.0)
    }

    fn whole(&self, number: u64) -> Between {
        let near = number as f64;
        match number < 1 << 53 {
            true => Between::new(near, near),
            false => Between::outward(near, near),
        }
    }

    fn plus(&self, a: Between, b: Between) -> Between {
        if b.high == 0.0 {
            return a;
        }
        if a.high == 0.0 {
            return b;
        }
        Between::outward(a.low + b.low, a.high + b.high)
    }

    fn times(&self, a: Between, b: Between) -> Between {
        if a.high == 0.0 || b.high == 0.0 {
            return self.zero();
        }
        Between::outward(a.low * b.low, a.high * b.high)
    }

    fn over(&self, a: Between, b: Between) -> Option<Between> {
        (b.low > 0.0).then(|| match a.high == 0.0 {
            true => a,
            false => Between::outward(a.low / b.high, a.high / b.low),
        })
    }
}
