//! The course of a game for a terminal: one step a line, what is inside indented.

use super::Step;

/// The steps as text.
pub fn text(title: &str, steps: &[Step]) -> String {
    let mut out = format!("{title}\n");
    add(steps, 1, &mut out);
    out
}

fn add(steps: &[Step], depth: usize, out: &mut String) {
    for step in steps {
        out.push_str(&"  ".repeat(depth));
        let (words, inner) = words(step);
        out.push_str(&words);
        out.push('\n');
        add(inner, depth + 1, out);
    }
}

/// A step in words, and what is inside it.
pub fn words(step: &Step) -> (String, &[Step]) {
    match step {
        Step::Scene { name, inner } => (name.clone(), inner),
        Step::Repeat { head, inner } => (format!("{head}:"), inner),
        Step::Way { when, inner } => (format!("{when}:"), inner),
        Step::Call { number, who, asked } => {
            let asked: Vec<String> = asked.iter().map(|words| format!(" “{words}”")).collect();
            (format!("{number}. {who}{}", asked.concat()), &[])
        }
        Step::Verdict(words) => (words.clone(), &[]),
    }
}
