//! Diagnostics as they are shown.

use omerta::faces::render::{self, Colour, Format, Style, render};
use omerta_core::diagnostic::{Diagnostic, Label};
use omerta_core::source::{Sources, Span};
use omerta_workbench::explain;

/// Two files, and the span of a word in one of them.
struct Texts(Sources);

impl Texts {
    fn new() -> Self {
        let mut sources = Sources::default();
        sources.add(
            "city.mafia",
            "ruleset city\nrole Docter of Town\n  at most 1\n\nrole Дон of Gang\n",
        );
        sources.add("std/vote.mafia", "library vote\nscene Vote {\n}\n");
        Texts(sources)
    }

    #[track_caller]
    fn span(&self, word: &str) -> Span {
        let (id, source) = self
            .0
            .iter()
            .find(|(_, source)| source.text.contains(word))
            .unwrap();
        let start = source.text.find(word).unwrap();
        Span::new(id, start, start + word.len())
    }

    fn show(&self, diagnostics: &[Diagnostic], format: Format) -> String {
        render(&self.0, diagnostics, format, Style::PLAIN)
    }
}

fn two_files(texts: &Texts) -> Diagnostic {
    Diagnostic::error(
        "M0000",
        "two things are called `Gang`",
        texts.span("Gang"),
        "here",
    )
    .also(texts.span("Дон"), "beside it")
    .also(texts.span("Vote"), "and in the library")
    .help("rename one of them")
}

#[test]
fn a_drawing_shows_every_label_in_its_own_file() {
    let texts = Texts::new();
    insta::assert_snapshot!(texts.show(&[two_files(&texts)], Format::Human), @"
    error[M0000]

      × two things are called `Gang`
       ╭─[city.mafia:5:13]
     4 │ 
     5 │ role Дон of Gang
       ·      ─┬─    ──┬─
       ·       │       ╰── here
       ·       ╰── beside it
       ╰────
       ╭─[std/vote.mafia:2:7]
     1 │ library vote
     2 │ scene Vote {
       ·       ──┬─
       ·         ╰── and in the library
     3 │ }
       ╰────
      help: rename one of them

    1 error
    ");
}

#[test]
fn a_narration_says_the_same_in_sentences() {
    let texts = Texts::new();
    let shown = render(
        &texts.0,
        &[two_files(&texts)],
        Format::Human,
        Style::PLAIN.narrated(),
    );
    insta::assert_snapshot!(shown, @"
    error M0000: two things are called `Gang`
    In city.mafia, line 5, column 13: here.
      The line reads: role Дон of Gang
    In city.mafia, line 5, column 6: beside it.
      The line reads: role Дон of Gang
    In std/vote.mafia, line 2, column 7: and in the library.
      The line reads: scene Vote {
    Help: rename one of them

    1 error
    ");
}

#[test]
fn a_warning_says_how_to_silence_it() {
    let texts = Texts::new();
    let warning = Diagnostic::warning(
        "M0700",
        "spare-role",
        "nobody is `Docter`",
        texts.span("Docter"),
        "",
    );
    insta::assert_snapshot!(texts.show(std::slice::from_ref(&warning), Format::Human), @"
    warning[M0700]

      ⚠ nobody is `Docter`
       ╭─[city.mafia:2:6]
     1 │ ruleset city
     2 │ role Docter of Town
       ·      ──────
     3 │   at most 1
       ╰────
      help: if it is meant, write `// allow spare-role` above it

    1 warning
    ");
    insta::assert_snapshot!(texts.show(&[two_files(&texts), warning], Format::Short), @"
    city.mafia:5:13: error[M0000]: two things are called `Gang`
    city.mafia:2:6: warning[M0700]: nobody is `Docter`
    1 error, 1 warning
    ");
}

#[test]
fn programs_get_every_field() {
    let texts = Texts::new();
    let shown = texts.show(&[two_files(&texts)], Format::Json);
    let value: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let pretty = serde_json::to_string_pretty(&value).unwrap();
    insta::assert_snapshot!(pretty, @r#"
    {
      "diagnostics": [
        {
          "code": "M0000",
          "help": "rename one of them",
          "labels": [
            {
              "end": {
                "byte": 65,
                "column": 17,
                "line": 5
              },
              "file": "city.mafia",
              "start": {
                "byte": 61,
                "column": 13,
                "line": 5
              },
              "text": "here"
            },
            {
              "end": {
                "byte": 57,
                "column": 9,
                "line": 5
              },
              "file": "city.mafia",
              "start": {
                "byte": 51,
                "column": 6,
                "line": 5
              },
              "text": "beside it"
            },
            {
              "end": {
                "byte": 23,
                "column": 11,
                "line": 2
              },
              "file": "std/vote.mafia",
              "start": {
                "byte": 19,
                "column": 7,
                "line": 2
              },
              "text": "and in the library"
            }
          ],
          "lint": null,
          "message": "two things are called `Gang`",
          "severity": "error"
        }
      ],
      "version": 1
    }
    "#);
    assert_eq!(
        texts.show(&[], Format::Json),
        "{\"version\":1,\"diagnostics\":[]}\n"
    );
}

#[test]
fn a_message_cannot_command_the_terminal_or_break_the_json() {
    let mut sources = Sources::default();
    let text = "role \u{1b}[31mX\u{7}\r\n \u{202e}tfel\r";
    let id = sources.add("a\u{1b}.mafia", text);
    let spans = (0..=text.len() + 3).flat_map(|start| [0, 1, 5, 90].map(|n| Span::new(id, start, start + n)));
    for span in spans {
        let diagnostic =
            Diagnostic::error("M0000", "odd \u{1}\u{1b}]0;x\u{7}", span, "odd\u{9b}").help("\u{2066}");
        for style in [Style::PLAIN, Style::PLAIN.narrated()] {
            for format in [Format::Human, Format::Short] {
                let shown = render(&sources, std::slice::from_ref(&diagnostic), format, style);
                let unseen = shown.find(|c: char| c.is_control() && c != '\n');
                assert_eq!(unseen, None, "{shown:?}");
                assert!(!shown.contains(['\u{202e}', '\u{2066}']), "{shown:?}");
                assert!(shown.contains("M0000"), "{shown}");
            }
        }
        let shown = render(&sources, &[diagnostic], Format::Json, Style::PLAIN);
        assert!(
            serde_json::from_str::<serde_json::Value>(&shown).is_ok(),
            "{shown:?}"
        );
    }
}

#[test]
fn colour_comes_only_when_asked_for() {
    let texts = Texts::new();
    let coloured = Style {
        colour: Colour::On,
        ..Style::PLAIN
    };
    let shown = render(&texts.0, &[two_files(&texts)], Format::Human, coloured);
    assert!(shown.contains("\u{1b}["), "{shown}");
    assert!(!texts.show(&[two_files(&texts)], Format::Human).contains('\u{1b}'));
}

#[test]
fn a_place_behind_the_last_letter_is_shown_at_the_last_letter() {
    let texts = Texts::new();
    let (id, source) = texts.0.iter().next().unwrap();
    let end = source.text.len();
    let open = Diagnostic::error(
        "M0000",
        "the file ends here",
        Span::new(id, end, end),
        "a `}` is missing",
    );
    insta::assert_snapshot!(texts.show(std::slice::from_ref(&open), Format::Human), @"
    error[M0000]

      × the file ends here
       ╭─[city.mafia:5:17]
     4 │ 
     5 │ role Дон of Gang
       ·                 ┬
       ·                 ╰── a `}` is missing
       ╰────

    1 error
    ");
    assert!(
        texts.show(&[open], Format::Short).starts_with("city.mafia:6:1: "),
        "the true place for programs"
    );
}

#[test]
fn a_tall_label_shrinks_to_its_first_line() {
    let mut sources = Sources::default();
    let id = sources.add("tall.mafia", "x\n".repeat(1000));
    let tall = Diagnostic::error("M0000", "never closed", Span::new(id, 2, 1999), "from here");
    let shown = render(&sources, &[tall], Format::Human, Style::PLAIN);
    assert!(shown.lines().count() < 15, "{shown}");
}

#[test]
fn a_line_without_end_is_not_shown_whole() {
    let mut sources = Sources::default();
    let id = sources.add(
        "long.mafia",
        format!("{} oops {}\n", "ä".repeat(100_000), "b ".repeat(100_000)),
    );
    let long = Diagnostic::error("M0000", "odd word", Span::new(id, 200_001, 200_005), "this one");
    let shown = render(&sources, &[long], Format::Human, Style::PLAIN);
    assert!(
        shown.len() < 1000 && shown.contains("oops"),
        "{} bytes",
        shown.len()
    );
}

#[test]
fn only_fifty_are_shown_and_all_are_counted() {
    let texts = Texts::new();
    let many = vec![two_files(&texts); 60];
    for format in [Format::Human, Format::Short] {
        // One more than are shown, and just so many.
        let more = "and 1 more; mend these first, or ask for `--format json` to see all\n51 errors\n";
        assert!(texts.show(&many[..51], format).ends_with(more));
        assert!(!texts.show(&many[..50], format).contains("mend these first"));
        assert!(texts.show(&many[..1], format).ends_with("1 error\n"));
        let shown = texts.show(&many, format);
        assert_eq!(shown.matches("M0000").count(), 50);
        assert!(
            shown.contains("and 10 more") && shown.ends_with("60 errors\n"),
            "{shown}"
        );
    }
    assert_eq!(texts.show(&many, Format::Json).matches("M0000").count(), 60);
    assert_eq!(texts.show(&[], Format::Human), "");
}

/// A thousand mistakes in a big file: the lines are found by index, not by reading from the start.
#[test]
fn many_mistakes_in_a_big_file_are_shown_at_once() {
    let mut sources = Sources::default();
    let text = "role Somebody of Town\n".repeat(20_000);
    let id = sources.add("big.mafia", &*text);
    let at = |n: usize| Span::new(id, n * 22 + 5, n * 22 + 13);
    let many: Vec<_> = (0..1000)
        .map(|n| Diagnostic::error("M0000", "odd", at(n * 19), "this"))
        .collect();
    let start = std::time::Instant::now();
    assert!(render(&sources, &many, Format::Json, Style::PLAIN).len() > 1000);
    assert!(render(&sources, &many, Format::Human, Style::PLAIN).contains("950 more"));
    assert!(start.elapsed().as_secs() < 5, "took {:?}", start.elapsed());
}

/// A stream whose reader has gone, or which is full.
struct Broken(std::io::ErrorKind);

impl std::io::Write for Broken {
    fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_reader_who_has_gone_is_no_failure() {
    use std::io::ErrorKind;
    assert!(render::write(&mut Broken(ErrorKind::BrokenPipe), "words").is_ok());
    assert!(render::write(&mut Broken(ErrorKind::StorageFull), "words").is_err());
}

#[test]
fn labels_may_be_missing() {
    let texts = Texts::new();
    let bare = Diagnostic {
        labels: Vec::<Label>::new(),
        ..two_files(&texts)
    };
    for format in [Format::Human, Format::Short, Format::Json] {
        assert!(
            texts
                .show(std::slice::from_ref(&bare), format)
                .contains("two things")
        );
    }
}

#[test]
fn an_unknown_code_gets_a_sentence() {
    let unknown = explain::explain("no such").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "there is no error `no such`; `omerta explain` lists all of them"
    );
}

#[test]
fn every_listed_code_is_explained_however_it_is_typed() {
    for line in explain::list().lines() {
        let (code, title) = line.split_once("  ").unwrap();
        let page = explain::explain(code).unwrap();
        assert!(page.starts_with(&format!("# {code}: {title}\n")), "{page}");
        let number: u16 = code[1..].parse().unwrap();
        for typed in [code.to_lowercase(), format!("m{number}"), format!(" {number} ")] {
            assert_eq!(explain::explain(&typed), Ok(page), "{typed}");
        }
    }
}
