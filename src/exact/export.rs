//! A chain as text for model checkers: in the form of DRN, with fractions, or in the language of PRISM.

use crate::chain::{Chain, End, Step, To};
use omerta_core::gather;
use omerta_play::chances::gcd;
use std::fmt::Write as _;

/// What a chain is written as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// Each state with its steps, chances as fractions.
    Drn,
    /// One module with one variable.
    Prism,
}

/// Adds words to a text.
macro_rules! add {
    ($out:expr, $($words:tt)*) => {
        write!($out, $($words)*).expect("a text takes everything")
    };
}

/// The chain as text. States are the positions, then the ends; `endings` are their names by number.
pub fn export(chain: &Chain, endings: &[String], form: Form) -> String {
    let model = Model { chain, endings };
    match form {
        Form::Drn => model.drn(),
        Form::Prism => model.prism(),
    }
}

struct Model<'a> {
    chain: &'a Chain,
    endings: &'a [String],
}

impl Model<'_> {
    fn states(&self) -> usize {
        self.chain.positions() + self.chain.ends.len()
    }

    fn state(&self, to: To) -> usize {
        match to {
            To::Position(position) => position as usize,
            To::End(end) => self.chain.positions() + end as usize,
        }
    }

    /// Where the game begins.
    fn start(&self) -> usize {
        self.chain.start.map_or(0, |step| self.state(step.to))
    }

    /// Where a state leads, and with what chance; ends stay, and so does what was not looked at.
    fn steps(&self, state: usize) -> Vec<(usize, (u128, u128))> {
        let mut all: Vec<(usize, u128)> = Vec::new();
        for step in self.chain.of(state) {
            let to = self.state(step.to);
            *gather::under(&mut all, to) += u128::from(step.cases);
        }
        if all.is_empty() {
            return vec![(state, (1, 1))];
        }
        all.sort_unstable();
        let of = u128::from(self.chain.cases(state));
        let lowest = |(to, cases)| {
            let common = gcd(cases, of);
            (to, (cases / common, of / common))
        };
        all.into_iter().map(lowest).collect()
    }

    /// How many answers are given in a state, on average.
    fn answers(&self, state: usize) -> (u128, u128) {
        if state >= self.chain.positions() {
            return (0, 1);
        }
        let answered = |step: Step| {
            let answers = self.chain.tolls[step.toll as usize].answers;
            u128::from(step.cases) * u128::from(answers)
        };
        let sum: u128 = self.chain.of(state).map(answered).sum();
        let of = u128::from(self.chain.cases(state));
        let common = gcd(sum, of);
        (sum / common, of / common)
    }

    fn labels(&self, state: usize) -> String {
        let mut labels = String::new();
        if state == self.start() {
            labels.push_str(" init");
        }
        if let Some(end) = state.checked_sub(self.chain.positions()) {
            add!(labels, " {}", self.label(&self.chain.ends[end]));
        } else if self.chain.is_open(state) {
            labels.push_str(" open");
        }
        labels
    }

    fn label(&self, end: &End) -> String {
        let name = match end.ending {
            _ if end.broken => "broken",
            None => "no_ending",
            Some(ending) => self.endings.get(usize::from(ending)).map_or("", String::as_str),
        };
        // Both take letters of English alone; of another, its number keeps two names apart.
        let plain = |letter: char| match letter {
            _ if letter.is_ascii_alphanumeric() => letter.to_string(),
            _ if letter.is_ascii() => "_".to_owned(),
            _ => format!("{:x}", u32::from(letter)),
        };
        format!("end_{}", name.chars().map(plain).collect::<String>())
    }

    fn drn(&self) -> String {
        let states = self.states();
        let mut out = format!(
            "@type: DTMC\n@value_type: rational\n@parameters\n\n@reward_models\nanswers\n@nr_states\n{states}\n\
             @nr_choices\n{states}\n@model\n"
        );
        for state in 0..states {
            let (over, under) = self.answers(state);
            add!(
                out,
                "state {state} [{}]{}\n\taction 0 [0]\n",
                fraction(over, under),
                self.labels(state)
            );
            for (to, (over, under)) in self.steps(state) {
                add!(out, "\t\t{to} : {}\n", fraction(over, under));
            }
        }
        out
    }

    fn prism(&self) -> String {
        let states = self.states();
        let mut out = format!(
            "dtmc\n\nmodule game\n  s : [0..{}] init {};\n",
            states.saturating_sub(1).max(1),
            self.start()
        );
        for state in 0..states {
            let steps = self.steps(state);
            let steps: Vec<String> = { steps.into_iter() }
                .map(|(to, (over, under))| format!("{}:(s'={to})", fraction(over, under)))
                .collect();
            add!(out, "  [] s={state} -> {};\n", steps.join(" + "));
        }
        out.push_str("endmodule\n\n");
        let mut labels: Vec<(String, Vec<usize>)> = Vec::new();
        for (number, end) in self.chain.ends.iter().enumerate() {
            let (label, state) = (self.label(end), self.chain.positions() + number);
            gather::under(&mut labels, label).push(state);
        }
        let open = (0..self.chain.positions()).filter(|state| self.chain.is_open(*state));
        labels.push(("open".to_owned(), open.collect()));
        labels.retain(|(_, states)| !states.is_empty());
        for (label, states) in labels {
            let states: Vec<String> = states.iter().map(|state| format!("s={state}")).collect();
            add!(out, "label \"{label}\" = {};\n", states.join(" | "));
        }
        out.push_str("\nrewards \"answers\"\n");
        for state in 0..self.chain.positions() {
            let (over, under) = self.answers(state);
            if over > 0 {
                add!(out, "  s={state} : {};\n", fraction(over, under));
            }
        }
        out.push_str("endrewards\n");
        out
    }
}

fn fraction(over: u128, under: u128) -> String {
    match under {
        1 => over.to_string(),
        _ => format!("{over}/{under}"),
    }
}
