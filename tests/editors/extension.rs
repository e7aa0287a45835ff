//! The VS Code folder holds together, and what its snippets write is well-formed.

use super::{Language, read, root};
use fancy_regex::Regex;
use serde_json::Value;

fn json(name: &str) -> Value {
    serde_json::from_str(&read(&format!("grammar/vscode/{name}"))).unwrap()
}

/// The part of the manifest that is about a language.
fn part(manifest: &Value, kind: &str, key: &str, language: Language) -> Value {
    let list = manifest["contributes"][kind].as_array().unwrap();
    let found = list.iter().find(|entry| entry[key] == language.ending());
    found
        .unwrap_or_else(|| panic!("{kind}: nothing for {language:?}"))
        .clone()
}

#[test]
fn the_manifest_names_what_is_there() {
    let manifest = json("package.json");
    for language in Language::ALL {
        let own = part(&manifest, "languages", "id", language);
        assert_eq!(own["extensions"][0], format!(".{}", language.ending()));
        let grammar = part(&manifest, "grammars", "language", language);
        let snippets = part(&manifest, "snippets", "language", language);
        let path = |value: &Value| value.as_str().unwrap().trim_start_matches("./").to_owned();
        for file in [&own["configuration"], &grammar["path"], &snippets["path"]] {
            assert!(
                root().join("grammar/vscode").join(path(file)).is_file(),
                "{file} is missing"
            );
        }
        assert_eq!(json(&path(&grammar["path"]))["scopeName"], grammar["scopeName"]);
    }
}

#[test]
fn the_brackets_and_comments_are_those_of_the_grammars() {
    for language in Language::ALL {
        let configuration = json(&format!("{}.language-configuration.json", language.ending()));
        let pest = language.pest();
        let sign = |name: &str| {
            let rule = pest
                .lines()
                .find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix("= { \""));
            rule.map(|rest| rest[..1].to_owned())
        };
        let pairs = ["brace", "paren", "bracket"]
            .map(|kind| Some([sign(&format!("{kind}_open"))?, sign(&format!("{kind}_close"))?]));
        let pairs: Vec<[String; 2]> = pairs.into_iter().flatten().collect();
        assert_eq!(configuration["brackets"], serde_json::to_value(pairs).unwrap());
        assert!(pest.contains(&format!(
            "({} ~ (!\"\\n\" ~ ANY)* |",
            configuration["comments"]["lineComment"]
        )));
        for rule in ["increaseIndentPattern", "decreaseIndentPattern"] {
            let pattern = Regex::new(configuration["indentationRules"][rule].as_str().unwrap()).unwrap();
            let (yes, no) = match rule {
                "increaseIndentPattern" => ("scene Night {  // a { here", "say \"{dying}\" // {"),
                _ => ("  } else {", "say \"}\""),
            };
            assert!(
                pattern.is_match(yes).unwrap() && !pattern.is_match(no).unwrap(),
                "{rule}"
            );
        }
    }
}

/// What a snippet writes if nobody changes anything.
fn written(body: &Value) -> String {
    let lines: Vec<&str> = body
        .as_array()
        .unwrap()
        .iter()
        .map(|line| line.as_str().unwrap())
        .collect();
    let choices = Regex::new(r"\$\{\d+\|([^,|]*)[^}]*\}").unwrap();
    let named = Regex::new(r"\$\{\d+:([^}]*)\}").unwrap();
    let bare = Regex::new(r"\$\d+").unwrap();
    let text = lines.join("\n") + "\n";
    let text = choices.replace_all(&text, "$1").into_owned();
    let text = named.replace_all(&text, "$1").into_owned();
    bare.replace_all(&text, "").into_owned()
}

/// The server offers whole declarations and lines by the words that they begin with: nobody shall see each twice.
#[test]
fn snippets_offer_nothing_that_the_server_offers() {
    for language in Language::ALL {
        let snippets = json(&format!("snippets/{}.json", language.ending()));
        for (name, snippet) in snippets.as_object().unwrap() {
            let prefix = snippet["prefix"].as_str().unwrap();
            let is_of_server = omerta_syntax::words::is_of_a_grammar(prefix);
            assert!(!is_of_server, "{name}: `{prefix}` is a word of the language");
        }
    }
}

#[test]
fn snippets_write_what_can_be_read() {
    for language in Language::ALL {
        let snippets = json(&format!("snippets/{}.json", language.ending()));
        for (name, snippet) in snippets.as_object().unwrap() {
            let text = written(&snippet["body"]);
            let mistakes = language.mistakes(&text);
            let said: Vec<&String> = mistakes.iter().map(|mistake| &mistake.message).collect();
            assert!(said.is_empty(), "{name}: {said:?}\n{text}");
        }
    }
}
