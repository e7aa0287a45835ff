//! Fractions put together from what is left of them modulo primes.

use crate::number::Modulo;
use num_bigint::{BigInt, BigUint, Sign};

/// A fraction in lowest terms, never below 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fraction {
    /// What is divided.
    pub over: BigUint,
    /// By what.
    pub under: BigUint,
}

impl Fraction {
    /// A whole number.
    pub fn whole(number: u64) -> Fraction {
        Fraction {
            over: number.into(),
            under: 1_u32.into(),
        }
    }

    /// One by another; nothing where that is no number.
    pub fn divided(&self, by: &Fraction) -> Option<Fraction> {
        let zero = BigUint::from(0_u32);
        (by.over != zero).then(|| Fraction::new(&self.over * &by.under, &self.under * &by.over))
    }

    /// In lowest terms; `under` is not 0.
    pub fn new(over: BigUint, under: BigUint) -> Fraction {
        let zero = BigUint::from(0_u32);
        let (mut a, mut b) = (over.clone(), under.clone());
        while b != zero {
            (a, b) = (b.clone(), a % b);
        }
        Fraction {
            over: over / &a,
            under: under / a,
        }
    }

    /// So many digits behind the point, rounded.
    pub fn decimal(&self, places: u32) -> String {
        let scale = BigUint::from(10_u32).pow(places);
        let doubled = &self.over * scale * 2_u32 + &self.under;
        let rounded = (doubled / (&self.under * 2_u32)).to_string();
        let places = places as usize;
        let digits = format!("{rounded:0>width$}", width = places + 1);
        let (whole, behind) = digits.split_at(digits.len() - places);
        match places {
            0 => whole.to_owned(),
            _ => format!("{whole}.{behind}"),
        }
    }

    /// Whether it is the number that is left modulo a prime.
    fn is(&self, field: &Modulo, rest: u64) -> bool {
        let (over, under) = (modulo(&self.over, field.prime), modulo(&self.under, field.prime));
        under != 0 && u128::from(rest) * u128::from(under) % u128::from(field.prime) == u128::from(over)
    }
}

impl std::fmt::Display for Fraction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.under == BigUint::from(1_u32) {
            true => write!(f, "{}", self.over),
            false => write!(f, "{}/{}", self.over, self.under),
        }
    }
}

fn modulo(number: &BigUint, prime: u64) -> u64 {
    (number % prime).iter_u64_digits().next().unwrap_or(0)
}

/// Numbers of which more and more is known: what is left of each modulo one prime after the other.
#[derive(Debug)]
pub struct Builder {
    product: BigUint,
    known: Vec<BigUint>,
    guess: Vec<Option<Fraction>>,
    /// A number that is put together alone until it is right: to try all of them after every prime takes long.
    scout: usize,
    /// How many primes were taken in, and with how many it is tried again: each try takes longer than the last.
    primes: (usize, usize),
}

/// Another try is made when there are so much more primes than at the last one: one in so many.
const MORE: usize = 24;

impl Builder {
    /// Of so many numbers.
    pub fn new(count: usize) -> Builder {
        Builder {
            product: 1_u32.into(),
            known: vec![BigUint::from(0_u32); count],
            guess: vec![None; count],
            scout: 0,
            primes: (0, 0),
        }
    }

    /// Takes in what is left modulo one more prime. Says whether that only confirmed what was known; nothing where it shall
    /// not go on.
    pub fn add(&mut self, field: &Modulo, rests: &[u64], go_on: &dyn Fn() -> bool) -> Option<bool> {
        let right = |(guess, rest): (&Option<Fraction>, &u64)| {
            guess.as_ref().is_some_and(|guess| guess.is(field, *rest))
        };
        let mut wrong: Vec<usize> = { self.guess.iter().zip(rests).enumerate() }
            .filter(|(_, pair)| !right(*pair))
            .map(|(number, _)| number)
            .collect();
        let inverse = inverse(modulo(&self.product, field.prime), field.prime);
        for (known, rest) in self.known.iter_mut().zip(rests) {
            let prime = u128::from(field.prime);
            let has = u128::from(modulo(known, field.prime));
            let missing = (u128::from(*rest) + prime - has) % prime * u128::from(inverse) % prime;
            *known += &self.product * missing;
        }
        self.product *= field.prime;
        let confirmed = wrong.is_empty();
        self.primes.0 += 1;
        match wrong.contains(&self.scout) {
            true if self.primes.0 < self.primes.1 => wrong.clear(),
            true => {
                self.primes.1 = self.primes.0 + self.primes.0 / MORE + 1;
                wrong = vec![self.scout];
            }
            false => self.scout = wrong.first().copied().unwrap_or_default(),
        }
        for number in wrong {
            go_on().then_some(())?;
            self.guess[number] = fraction(&self.known[number], &self.product, go_on);
        }
        Some(confirmed)
    }

    /// The numbers as far as they are known.
    pub fn finish(self) -> Option<Vec<Fraction>> {
        self.guess.into_iter().collect()
    }
}

fn inverse(number: u64, prime: u64) -> u64 {
    let (mut base, mut exponent, mut power) = (u128::from(number), prime - 2, 1_u128);
    let prime = u128::from(prime);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = power * base % prime;
        }
        base = base * base % prime;
        exponent >>= 1;
    }
    power as u64
}

/// After so many divisions it is asked whether to go on.
const SOON: usize = 1 << 8;

/// The one fraction that is short beside a modulus and has a given rest (Wang); nothing where there is none, or where it
/// shall not go on.
fn fraction(rest: &BigUint, modulus: &BigUint, go_on: &dyn Fn() -> bool) -> Option<Fraction> {
    let bound = (modulus / 2_u32).sqrt();
    let zero = BigInt::from(0);
    let (mut a, mut b) = (BigInt::from(modulus.clone()), BigInt::from(rest.clone()));
    let (mut x, mut y) = (zero.clone(), BigInt::from(1));
    let bound = BigInt::from(bound);
    let mut divisions = 0_usize;
    while b > bound {
        divisions += 1;
        if divisions.is_multiple_of(SOON) {
            go_on().then_some(())?;
        }
        let quotient = &a / &b;
        (a, b) = (b.clone(), a - &quotient * b);
        (x, y) = (y.clone(), x - quotient * y);
    }
    if y == zero || BigInt::from(y.magnitude().clone()) > bound || y.sign() == Sign::Minus && b != zero {
        return None;
    }
    Some(Fraction {
        over: b.magnitude().clone(),
        under: y.magnitude().clone(),
    })
}
