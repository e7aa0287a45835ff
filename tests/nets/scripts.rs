//! What comes of each word of scripts behind each name there is, with a seat and without, and of each name misspelt.

use super::Net;
use crate::hooks::told;

/// Every sort of thing that a script may name, and one that there is not.
const NAMES: [&str; 15] = [
    "asleep", "named", "off", "fouls", "quiet", "likes", "fond", "motto", "will", "empty", "Herder", "Sheep",
    "Meadow", "Day", "nothing",
];
/// The words that read something by its name.
const WORDS: [&str; 7] = ["members", "number", "flag", "linked", "text", "times", "during"];
/// What may stand behind the name: seats at which something stands, the last one, one too many.
const SEATS: [&str; 4] = ["", ", 2", ", 4", ", 5"];

#[test]
fn scripts_read_and_are_told_as_before() {
    let mut net = Net::new("scripts");
    for name in NAMES {
        for word in WORDS {
            for seat in SEATS {
                let read = format!("{word}(\"{name}\"{seat})");
                net.add(name, word, &told("gives players", &read));
                // The value itself, which is known once the day has come.
                let value =
                    format!("if number(\"quiet\") == 5 && players().len() == 4 {{ throw `${{{read}}}` }} 1");
                net.add(name, word, &told("gives number", &value));
            }
            let misspelt = format!("{word}(\"{}\")", &name[..name.len() - 1]);
            net.add(name, word, &told("gives players", &misspelt));
            let misspelt = format!("{word}(\"{}\", 1)", &name[1..]);
            net.add(name, word, &told("gives players", &misspelt));
        }
    }
    net.holds();
}
