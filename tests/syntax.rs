//! From text to trees and back: what parses, what is said about what does not, and the one layout.

use std::fmt::Write as _;

use omerta_check::Readings;
use omerta_core::{
    diagnostic::Diagnostic,
    source::{SourceId, Sources},
};
use omerta_syntax::{format, is_unfinished, parse_expr, parse_file, tree};
use proptest::prelude::{Just, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

const SOURCE: SourceId = SourceId(0);
const EVERY_CONSTRUCT: &str = include_str!("syntax/every_construct.mafia");

fn render(text: &str, diagnostics: &[Diagnostic]) -> String {
    let mut sources = Sources::default();
    let id = sources.add("test", text);
    let mut page = String::new();
    for diagnostic in diagnostics {
        let place = sources.get(id).place(diagnostic.span().start as usize);
        let label = &diagnostic.labels[0].text;
        let help = diagnostic.help.as_deref().unwrap_or("");
        writeln!(
            page,
            "{} {}:{} {}",
            diagnostic.code.0, place.line, place.column, diagnostic.message
        )
        .expect("a string takes all");
        writeln!(page, "      {label}\n      help: {help}").expect("a string takes all");
    }
    page
}

/// Source and messages on one page.
fn page(text: &str) -> String {
    let (_, diagnostics) = parse_file(SOURCE, text);
    format!("{text}\n----\n{}", render(text, &diagnostics))
}

#[track_caller]
fn parsed(text: &str) -> tree::File {
    let (file, diagnostics) = parse_file(SOURCE, text);
    assert!(diagnostics.is_empty(), "{text}\n{}", render(text, &diagnostics));
    file
}

fn codes(text: &str) -> Vec<&'static str> {
    parse_file(SOURCE, text)
        .1
        .iter()
        .map(|diagnostic| diagnostic.code.0)
        .collect()
}

#[track_caller]
fn formatted(text: &str) -> String {
    format(SOURCE, text).unwrap_or_else(|diagnostics| panic!("{text}\n{}", render(text, &diagnostics)))
}

/// The tree as text, without its spans.
fn shape(file: &tree::File) -> String {
    let mut shape = String::new();
    let debug = format!("{file:?}");
    let mut rest = debug.as_str();
    while let Some(at) = rest.find("0:") {
        let end = rest[at + 2..]
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .map_or(rest.len(), |len| at + 2 + len);
        shape.push_str(&rest[..at]);
        rest = &rest[end..];
    }
    shape + rest
}

#[track_caller]
fn assert_layout_keeps_the_tree(text: &str) {
    let once = formatted(text);
    assert_eq!(
        shape(&parsed(text)),
        shape(&parsed(&once)),
        "{text}\n----\n{once}"
    );
    assert_eq!(once, formatted(&once));
}

#[test]
fn every_construct_parses() {
    assert_eq!(parsed(EVERY_CONSTRUCT).items.len(), 80);
}

#[test]
fn every_construct_is_in_the_one_layout() {
    assert_eq!(formatted(EVERY_CONSTRUCT), EVERY_CONSTRUCT);
}

#[test]
fn the_layout_of_every_construct_on_few_lines_keeps_the_tree() {
    assert_layout_keeps_the_tree(
        &EVERY_CONSTRUCT
            .replace("  ", " ")
            .replace(" {\n", "\n\n{ // open\n"),
    );
}

#[test]
fn statements_on_one_line_are_set_on_lines_of_their_own() {
    let text = "scene Night { say \"a\"; call Mafia }\nscene Day { nothing }\nscene Dawn {\n stop }\n";
    insta::assert_snapshot!(formatted(text), @r#"
    scene Night {
      say "a"
      call Mafia
    }

    scene Day { nothing }

    scene Dawn {
      stop
    }
    "#);
}

#[test]
fn remarks_and_single_blank_lines_stay_in_their_places() {
    let text = "\n\n// head\n\n\n\nteam A   // a\nteam B\nscene N // n\n{ // open\n\n  // above\n  say \"x\" ; // x\n\n\n  if a { stop } // no\n  // yes\n  else { leave }\n  // last\n}\n// end";
    insta::assert_snapshot!(formatted(text), @r#"
    // head

    team A  // a
    team B

    scene N  // n
        {  // open
      // above
      say "x"  // x

      if a { stop }  // no
          // yes
          else { leave }
      // last
    }

    // end
    "#);
}

/// A remark at the end of a line may say what is allowed on that line, so it stays on it.
#[test]
fn a_remark_at_the_end_of_a_line_stays_on_that_line() {
    let text = "scene Day {\nif a // one\n{ say \"a\" }\nif b and // two\nc // three\n{ // four\nsay \"b\"\n} // five\nelse // six\n{\nsay \"c\"\n}\n\
                if d // seven\n// eight\n{ say \"d\" } // nine\n}\nrule r: after Day // ten\n{ nothing }";
    insta::assert_snapshot!(formatted(text), @r#"
    scene Day {
      if a {  // one
        say "a"
      }
      if b and  // two
          c  // three
          {  // four
        say "b"
      } else {  // five
        // six
        say "c"
      }
      if d {  // seven
        // eight
        say "d"
      }  // nine
    }

    rule r: after Day {  // ten
      nothing
    }
    "#);
}

#[test]
fn cast_tables_stand_in_columns() {
    let text = "cast {\nplayers 4..5 6 .. 8\nMafioso 1 2 // two\n  Civilian rest rest\n}";
    insta::assert_snapshot!(formatted(text), @r"
    cast {
      players   4..5  6..8
      Mafioso   1     2  // two
      Civilian  rest  rest
    }
    ");
    // A letter is one column, however many bytes it has.
    insta::assert_snapshot!(formatted("cast {\nplayers 3 4..6\nДиктатор 1 1\nSheep rest rest\n}"), @r"
    cast {
      players   3     4..6
      Диктатор  1     1
      Sheep     rest  rest
    }
    ");
}

#[test]
fn tables_of_values_stand_in_columns() {
    let text =
        "define worth of number n {\nplayers 5..6 7 .. 10 12\n1 -1 10 0 // one\n2 12 -3 -10\n30 2 four 5\n}";
    insta::assert_snapshot!(formatted(text), @r"
    define worth of number n {
      players  5..6  7..10  12
      1        -1    10     0  // one
      2        12    -3     -10
      30       2     four   5
    }
    ");
}

#[test]
fn a_block_stays_on_one_line_of_a_hundred_columns_and_is_opened_beyond() {
    let flat = |columns: usize| {
        let words = columns - "scene Night { say \"\" }".len();
        format!("scene Night {{ say \"{}\" }}\n", "ü".repeat(words))
    };
    for columns in [40, 99, 100] {
        assert_eq!(formatted(&flat(columns)), flat(columns));
    }
    for columns in [101, 140] {
        let opened = flat(columns).replace("{ say", "{\n  say").replace(" }", "\n}");
        assert_eq!(formatted(&flat(columns)), opened);
    }
}

#[test]
fn what_people_bring_along_from_elsewhere_is_recognised() {
    insta::assert_snapshot!(page(include_str!("syntax/from_elsewhere.mafia")));
}

#[test]
fn a_mistake_in_one_declaration_hides_none_in_the_next() {
    insta::assert_snapshot!(page(include_str!("syntax/many_mistakes.mafia")));
}

/// The statements of a scene, and the columns at which a mistake is told: what stands round a broken statement is
/// looked at, and what only follows from it is not told.
#[test]
fn a_mistake_in_one_statement_hides_none_in_the_next() {
    for (line, wanted) in [
        ("wait; tell 5; wait", &[12_usize][..]),
        ("mark; wait", &[4]),
        ("mark; wait; mark", &[4, 16]),
        ("mark; mark; mark", &[4, 10, 16]),
        ("mark | wait | mark", &[4, 14]),
        ("mark |  | say \"x\"; mark; wait", &[4, 19]),
        ("mark \"x\" | \"y\" | mark", &[5, 17]),
        ("ask host | when 5 for p from players | mark", &[8, 39]),
        ("if some players { mark }; mark", &[23, 30]),
        (
            "if some players { mark | wait } | else { mark | wait } | mark",
            &[22, 41, 53],
        ),
        ("if some players { mark; wait; mark | wait }; wait", &[22, 34]),
        (
            "if some players { mark; wait } else { mark; wait }; mark",
            &[22, 42, 56],
        ),
        ("for each p { wait }; mark", &[11, 25]),
        ("repeat { mark; wait }; mark", &[13, 27]),
        // Where the head cannot be read, its block is.
        ("repeat 3 of 4 times { mark; wait }; mark", &[9, 26, 40]),
        ("for each p of 3 of { mark; wait }; mark", &[16, 25, 39]),
        ("if some of { mark; wait }; mark", &[8, 17, 31]),
    ] {
        let body = line.replace(" | ", "\n");
        let text = format!("scene A {{\n{body}\n}}\n");
        let (_, found) = parse_file(SOURCE, &text);
        let places: Vec<usize> = found
            .iter()
            .map(|d| d.span().start as usize - "scene A {\n".len())
            .collect();
        assert_eq!(places, wanted, "{line}: {}", render(&text, &found));
    }
}

#[test]
fn a_missing_brace_costs_one_declaration() {
    let text = "scene A {\n  if x {\n    stop\n}\nscene B { nothing }\noverlay o on city {\n  scene C {\n    stop\n  rule r: after x { nothing }\n}\nteam T\n";
    let (file, diagnostics) = parse_file(SOURCE, text);
    insta::assert_snapshot!(render(text, &diagnostics), @"
    M0007 2:8 this `{` is never closed
          opened here
          help: put a `}` where the block ends
    M0007 7:11 this `{` is never closed
          opened here
          help: put a `}` where the block ends
    ");
    assert_eq!(file.items.len(), 3, "B, the overlay and T");
}

#[test]
fn every_page_about_a_mistake_shows_that_mistake_and_its_repair() {
    let mut pages = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/errors")).expect("the pages") {
        let path = entry.expect("a page").path();
        let code = path.file_stem().expect("a name").to_string_lossy().to_string();
        if !code.starts_with("M00") {
            continue;
        }
        pages += 1;
        let text = std::fs::read_to_string(&path).expect("a page");
        assert!(text.starts_with(&format!("# {code}: ")), "{code}");
        for wrong in fenced(&text, "mafia-error") {
            let found = codes(wrong);
            assert!(
                !found.is_empty() && found.iter().all(|found| *found == code),
                "{code}: {found:?}"
            );
        }
        for right in fenced(&text, "mafia") {
            parsed(right);
        }
    }
    assert_eq!(pages, 37);
}

/// The blocks of a page between fences of this kind.
fn fenced<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let opening = format!("```{kind}\n");
    text.split(opening.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap_or(""))
        .collect()
}

#[test]
fn names_are_in_normal_form_and_without_backticks() {
    let file = parsed("team `from`\nteam Cafe\u{301}");
    let names: Vec<&str> = file
        .items
        .iter()
        .filter_map(|item| match &item.kind {
            tree::ItemKind::Team { name, .. } => Some(name.text.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["from", "Café"]);
}

#[test]
fn texts_are_cut_into_words_slots_and_choices() {
    let file = parsed(r#"scene A { say "a \"{x}\" {{b}}" " and {y: no | one {y} | many}" }"#);
    insta::assert_snapshot!(shape(&file));
}

#[test]
fn spans_leave_out_the_blanks_and_remarks_behind() {
    let text = "scene A {\n  do kill of p // why\n}";
    let file = parsed(text);
    let tree::ItemKind::Scene { body, .. } = &file.items[0].kind else {
        panic!("a scene")
    };
    let span = body.statements[0].span;
    assert_eq!(&text[span.start as usize..span.end as usize], "do kill of p");
}

#[test]
fn an_expression_by_itself_has_its_places_moved() {
    let expr = parse_expr(SOURCE, "living Mafia", 100).expect("an expression");
    assert_eq!((expr.span.start, expr.span.end), (100, 112));
    let error = parse_expr(SOURCE, "living ==", 100).expect_err("no expression");
    assert_eq!((error.code.0, error.span().start), ("M0011", 107));
}

#[test]
fn input_with_something_open_is_unfinished() {
    for open in [
        "scene A {",
        "define x = (a",
        "say \"a",
        "hook x gives number \"y\" \"\"\" 1",
        "{ \"}\"",
    ] {
        assert!(is_unfinished(open), "{open}");
    }
    for closed in ["scene A { }", "say \"{\"", "", "// {", "}", "say \"a\nsay b"] {
        assert!(!is_unfinished(closed), "{closed}");
    }
}

#[test]
fn sixty_four_brackets_are_not_too_deep_and_one_more_is() {
    let nested = |depth: usize| format!("define x = {}a{}", "(".repeat(depth), ")".repeat(depth));
    let blocks = |depth: usize| {
        format!(
            "scene A {}{}",
            "{ if a ".repeat(depth - 1) + "{ stop",
            " }".repeat(depth)
        )
    };
    assert_eq!(codes(&nested(64)), [""; 0]);
    assert_eq!(codes(&nested(65)), ["M0002"]);
    assert_eq!(codes(&blocks(64)), [""; 0]);
    assert_eq!(codes(&blocks(65)), ["M0002"]);
}

#[test]
fn words_that_nest_without_brackets_are_bounded_as_well() {
    for word in [
        "not ",
        "a of ",
        "no ",
        "number of ",
        "every ",
        "a where ",
        "some ",
    ] {
        let text = format!("define x = {}a\nteam T", word.repeat(20_000));
        assert_eq!(parse_file(SOURCE, &text).1.len(), 1, "{word}");
    }
    let chain = format!(
        "scene A {{ if a {{ stop }} {} }}",
        "else if a { stop }".repeat(20_000)
    );
    assert_eq!(codes(&chain), ["M0002"]);
    assert_eq!(codes(&format!("{}team T", "replace ".repeat(20_000))), ["M0002"]);
}

#[test]
fn what_is_joined_is_as_deep_as_it_is_long() {
    for sign in [" plus ", " without ", " else ", " + ", " * "] {
        let chain = |parts: usize| format!("define x = {}", vec!["a"; parts].join(sign));
        assert_eq!(codes(&chain(501)), [""; 0], "{sign}");
        assert_eq!(codes(&chain(502)), ["M0002"], "{sign}");
        assert_eq!(codes(&chain(20_000)), ["M0002"], "{sign}");
    }
    // Brackets do not begin anew; another expression does.
    let inner = vec!["a"; 251].join(" plus ");
    assert_eq!(codes(&format!("define x = ({inner}) plus ({inner})")), ["M0002"]);
    assert_eq!(
        codes(&format!(
            "define x = {inner}\ndefine y = {inner}\ndefine z = {inner}"
        )),
        [""; 0]
    );
}

#[test]
fn a_mistake_inside_deep_brackets_is_found_once_and_at_once() {
    for word in [
        "no (",
        "number of (",
        "yes (",
        "a of (",
        "not (",
        "some (",
        "a among (",
        "a is no (",
        "(",
    ] {
        let text = format!("define x = {}=", word.repeat(60));
        assert_eq!(parse_file(SOURCE, &text).1.len(), 1, "{word}");
        let closed = format!("define x = {}={}", word.repeat(60), ")".repeat(60));
        assert_eq!(parse_file(SOURCE, &closed).1.len(), 1, "{word}");
    }
}

#[test]
fn bounds_have_errors_of_their_own() {
    assert_eq!(codes(&"\n".repeat((1 << 19) + 1)), ["M0001"]);
    for (length, told) in [(4_000, &[][..]), (4_001, &["M0003"])] {
        assert_eq!(
            codes(&format!("team A \"{}\"", "x".repeat(length))),
            told,
            "{length}"
        );
    }
    assert_eq!(codes("players 99999999999999999999"), ["M0004"]);
}

#[test]
fn a_file_that_is_no_text_is_one_mistake() {
    for bytes in [
        &b"\x7fELF\x02\0\0 { } # \" x"[..],
        b"ruleset x\n\xff\xfe{\x80",
        b"\0",
    ] {
        let text = String::from_utf8_lossy(bytes);
        assert_eq!(codes(&text), ["M0032"], "{text:?}");
        let (_, problems) = omerta_syntax::parse_play(SOURCE, &text);
        let found: Vec<_> = problems.iter().map(|problem| problem.code.0).collect();
        assert_eq!(found, ["M0032"], "{text:?}");
    }
    assert_eq!(codes("team A \"村人, Ревизор, é\""), [""; 0]);
}

/// What moves a cursor, colours or turns the direction of writing is in no text, no remark and no script.
#[test]
fn a_sign_that_nobody_sees_is_a_mistake_wherever_it_stands() {
    for sign in [
        '\u{1}', '\u{7}', '\u{8}', '\u{c}', '\u{1b}', '\u{7f}', '\u{85}', '\u{9b}', '\u{200b}', '\u{200f}',
        '\u{2028}', '\u{202e}', '\u{2066}', '\u{feff}',
    ] {
        for text in [
            format!("team A \"to{sign}gether\""),
            format!("// to{sign}gether\nteam A"),
            format!("team{sign}A"),
            format!("hook h gives number \"x\" \"\"\" 1{sign} \"\"\""),
        ] {
            assert_eq!(codes(&text), ["M0011"], "{text:?}");
            let (_, problems) = omerta_syntax::parse_play(SOURCE, &text);
            assert!(
                problems.iter().all(|problem| problem.code.0 == "M0011") && !problems.is_empty(),
                "{text:?}"
            );
        }
    }
    // Letters that are joined, tabs, both ends of a line, and a mark of the order of bytes at the beginning.
    for text in ["team A \"👩\u{200d}🚀 می\u{200c}خواهم\"", "team\tA\r\n\r\n"] {
        assert_eq!(codes(text), [""; 0], "{text:?}");
    }
}

#[test]
fn a_mebibyte_of_broken_blocks_ends_in_messages() {
    for line in [
        "scene A {\n",
        "}\n",
        "{ ( \n",
        "say \"\n",
        "# “\n",
        "scene A { x }\n",
        "\"\"\"\" ",
        "“",
        "`",
        "` ",
        "{",
        "(",
        "\\",
    ] {
        let text = line.repeat((1 << 17) / line.len());
        assert!(!codes(&text).is_empty(), "{line}");
    }
}

#[test]
fn the_scanner_and_the_grammar_know_the_same_letters() {
    assert_sound("link \u{3d000}vote one back voters").unwrap();
}

/// An edit by the share of the text at which it begins, how much it takes out, and what it puts in.
fn edit() -> impl Strategy<Value = (f64, usize, &'static str)> {
    let put_in = [
        "",
        " ",
        "\n",
        "{",
        "}",
        "\"",
        "// ",
        "#",
        "mark other-thing\n",
        "}\n\nscene Late {\n",
        "é🐺",
        "rule x",
    ];
    (0.0..1.0_f64, 0..40_usize, prop::sample::select(put_in.to_vec()))
}

proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 60, failure_persistence: None, ..Default::default() })]
    /// What is known of a version of a text spares reading what stands unchanged in another; what comes of it is what
    /// reading all of it anew comes to, places and mistakes included.
    #[test]
    fn versions_of_a_text_are_read_as_if_nothing_were_known(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((edit(), 0..3_u32), 1..9),
    ) {
        let texts: Vec<&str> = { omerta_workbench::bundle::all() }.filter_map(|file| file.contents_utf8()).collect();
        let readings = Readings::default();
        let mut text = which.get(&texts).to_string();
        for ((share, length, put_in), number) in edits {
            let near = |mut at: usize| {
                while !text.is_char_boundary(at) { at -= 1; }
                at
            };
            let start = near((share * text.len() as f64) as usize);
            let end = near((start + length).min(text.len())).max(start);
            text.replace_range(start..end, put_in);
            let mut sources = Sources::default();
            for other in 0..number {
                sources.add(format!("{other}"), "");
            }
            let id = sources.add("text", text.as_str());
            let known = readings.of(&sources, id);
            let (anew, problems) = parse_file(id, &text);
            prop_assert_eq!(&known.items, &anew.items, "{}", text);
            prop_assert_eq!(&known.problems, &problems, "{}", text);
        }
    }
}

fn assert_sound(text: &str) -> Result<(), proptest::test_runner::TestCaseError> {
    let (file, diagnostics) = parse_file(SOURCE, text);
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        let (start, end) = (label.span.start as usize, label.span.end as usize);
        prop_assert!(text.get(start..end).is_some(), "{:?} in {text:?}", label);
    }
    let _ = (is_unfinished(text), parse_expr(SOURCE, text, 0));
    prop_assert_eq!(format(SOURCE, text).is_ok(), diagnostics.is_empty());
    if let Ok(once) = format(SOURCE, text) {
        let (again, diagnostics) = parse_file(SOURCE, &once);
        prop_assert!(
            diagnostics.is_empty(),
            "{text:?}\n{once}\n{}",
            render(&once, &diagnostics)
        );
        prop_assert_eq!(shape(&file), shape(&again), "{}\n----\n{}", text, once);
        prop_assert_eq!(format(SOURCE, &once).ok(), Some(once));
    }
    Ok(())
}

/// Lines that are good by themselves, so that many soups of them parse.
fn good_piece() -> impl Strategy<Value = String> {
    let lines: Vec<String> = EVERY_CONSTRUCT.split("\n\n").map(str::to_string).collect();
    prop::sample::select(lines)
}

fn noise() -> impl Strategy<Value = String> {
    let signs = [
        "\n",
        ";",
        "{",
        "}",
        "(",
        ")",
        "\"",
        "\"\"\"",
        "// x\n",
        " // y\n",
        "=",
        ":",
        ",",
        "..",
        "-",
        "“",
        "#",
        "`",
        "\\",
        "role A",
        "scene B",
        "nothing",
        "stop",
        "when",
        "else",
        "of",
        "if a",
        "overlay o on p",
        "\r\n",
        "\n\n\n",
        "é",
        "|",
    ];
    prop_oneof![
        prop::sample::select(signs.to_vec()).prop_map(str::to_string),
        Just(" ".to_string()),
        ".{0,3}"
    ]
}

proptest! {
    #![proptest_config(proptest::test_runner::Config { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_text_ends_in_a_tree_or_messages(text in "(?s).{0,200}") {
        assert_sound(&text)?;
    }

    #[test]
    fn any_soup_of_words_ends_in_a_tree_or_messages(words in prop::collection::vec(noise(), 0..60)) {
        assert_sound(&words.join(" "))?;
    }

    #[test]
    fn a_good_text_with_noise_in_it_is_laid_out_or_blamed(
        piece in good_piece(), noise in noise(), at in any::<prop::sample::Index>(), cut in 0usize..4,
    ) {
        let mut letters: Vec<char> = piece.chars().collect();
        let at = at.index(letters.len() + 1);
        let end = (at + cut).min(letters.len());
        letters.splice(at..end, noise.chars());
        assert_sound(&letters.into_iter().collect::<String>())?;
    }

    #[test]
    fn line_ends_and_remarks_between_any_words_keep_the_layout_stable(
        piece in good_piece(), places in prop::collection::vec((any::<prop::sample::Index>(), 0usize..5), 0..6),
    ) {
        let mut words: Vec<String> = piece.split(' ').map(str::to_string).collect();
        for (place, kind) in places {
            let gap = ["\n", "\n\n", " // remark\n", ";", "\n// above\n"][kind];
            words.insert(place.index(words.len() + 1), gap.to_string());
        }
        assert_sound(&words.join(" "))?;
    }
}

#[test]
fn hard_blanks_of_a_copied_page_are_blanks() {
    let text = "mark hurt\nscene Night {\n  mark living as hurt\n  say \"Good night.\"\n}\n";
    for blank in ["\u{a0}", "\u{202f}", "\u{3000}"] {
        let copied = text
            .replace("  ", &blank.repeat(2))
            .replace("mark living", &format!("mark{blank}living"));
        assert_eq!(shape(&parsed(&copied)), shape(&parsed(text)), "{copied:?}");
        assert_eq!(formatted(&copied), formatted(text));
    }
}
