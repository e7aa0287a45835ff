//! What is wrong with a scenario, and what did not hold: one function a mistake.

use omerta_core::mistakes;
use omerta_core::{
    codes,
    diagnostic::{Diagnostic, Repair, close_name},
    rules::Kind,
    source::Span,
};
use omerta_engine::FaultKind;
use omerta_syntax::{play_tree::SetupVerdict, tree::Name};

mistakes! {
    /// A scenario without `ruleset` or `seats`.
    pub(super) fn missing(what: &str, example: &str, span: Span) = error("M0920", span):
        format!("the scenario does not say its `{what}`"), "this scenario",
        help format!("add a line such as `{example}`");

    /// An event that happens to nobody, or of which nobody knows by whom, is asked about just that.
    pub(super) fn event_has_no(event: &str, word: &str, span: Span) = error("M0311", span):
        format!("the event `{event}` has no `{word}`"), "it never has anybody here",
        help format!("leave it out, or declare the event with `{word} …`");

    /// Two seats of one name.
    pub(super) fn same_name(name: &str, first: Span, again: Span) = error("M0933", again):
        format!("the game cannot begin: two players are called `{name}`"), "the second",
        also first, "the first",
        help "give each player a name of his own";

    /// A seat with a name of the rules.
    pub(super) fn name_of_rules(name: &str, span: Span) = error("M0933", span):
        format!("the game cannot begin: nobody can be called `{name}`"), "a word of these rules",
        help "give the player another name";

    /// `for each case of Ann { … }`
    pub(super) fn column_of_player(name: &str, span: Span) = error("M0933", span):
        format!("a column cannot be called `{name}`: somebody at the table is"),
        "a name of its own is needed",
        help "give it another name, here and in the lines that use it";

    /// Something that cannot be done by hand, or not here.
    pub(super) fn not_by_hand(why: &str, span: Span) = error("M0947", span):
        "this cannot be done by hand", why,
        help "by hand are `turn SEAT into ROLE`, `mark SEAT as MARK`, `link SEAT to SEAT as LINK`, `set NAME to VALUE`, \
         `set TEXT to \"…\"`, `do EVENT of SEAT`, while somebody is asked";

    /// A row with more or fewer cells than there are names.
    pub(super) fn cells(given: usize, wanted: usize, row: Span) = error("M0922", row):
        format!("the table names {wanted}, and this case has {given}"), "this row",
        help "give each name one cell, with commas between them";

    /// A column that has the name of another.
    pub(super) fn column_twice(name: &Name, first: Span) = error("M0204", name.span):
        format!("two columns are called `{}`", name.text), "again here",
        also first, "first here",
        help "give one of them another name";

    /// A case that stands in its table already.
    pub(super) fn row_twice(row: Span) = error("M0922", row):
        "this case stands in the table already", "the same again",
        help "write another case here, or leave it out";

    /// A question that no line answers; `line` would.
    pub(super) fn unanswered(question: &str, line: &str, span: Span) = error(codes::UNANSWERED, span):
        "the game asks what no line answers", format!("on the way from here: {question}"),
        help format!("answer it with a line such as `{line}`, or let `otherwise pass` answer what is left open");

    /// A question that no line answers, and `otherwise pass` cannot.
    pub(super) fn no_pass(question: &str, is_menu: bool, line: &str, span: Span) = error(codes::UNANSWERED, span):
        "the game asks what no line answers", format!("on the way from here: {question}"),
        help format!("{why}, so `otherwise pass` does not: answer it with a line such as `{line}`"),
        where why = match is_menu {
            true => "none of the branches that are open asks for nothing",
            false => "nobody cannot be answered here",
        };

    /// The same, where a line further down has the answer.
    pub(super) fn answered_below(unanswered: &Diagnostic, answer: Span) = error(codes::UNANSWERED, label.span):
        "the game asks this before its answer", label.text.clone(),
        also answer, "this would answer it, and comes only when all above it has been given",
        help "put the two beside each other: lines with nothing between them wait together, in any order",
        where label = &unanswered.labels[0];

    /// An answer to a question that `otherwise` has answered on the way to an earlier line.
    pub(super) fn filled_before(question: &str, span: Span) = error("M0924", span):
        "`otherwise` has answered this before", format!("already answered by `otherwise`: {question}"),
        help "put the line before the one above it, for on the way to that the question was put";

    /// An answer of some of those who answer as one.
    pub(super) fn asked_together(question: &str, all: &str, span: Span) = error("M0924", span):
        "several are asked together here, and not all of them are named", question,
        help format!("name all who answer as one: `{all} -> …`");

    /// An answer that was never asked for.
    pub(super) fn unasked(instead: &str, span: Span) = error("M0924", span):
        "nobody was asked for this answer", instead,
        help "name who is asked, or a scene in which they are; `expect never asked NAME` says that somebody must not be asked";

    /// A draw that was not made.
    pub(super) fn undrawn(name: &str, span: Span) = error("M0924", span):
        "nothing was drawn for this line", format!("`{name}` was not drawn so often"),
        help "look in which scene it is drawn, and how often";

    /// `Ann sees the same in every case` of cases that are one and the same game.
    pub(super) fn one_game(line: Span) = error("M0962", line):
        "the cases are one and the same game, and whoever looks at it sees the same",
        "nothing differs that could be seen",
        help "let a column of the table stand where the cases differ: in `seats`, in an answer or in a draw";

    /// `Ann sees the same in every case` where the cases are one and the same game so far.
    pub(super) fn one_game_so_far(line: Span) = warning "always-holds" ("M0752", line):
        "this line can never fail: up to where it looks the cases are one and the same game",
        "nothing has differed yet",
        help "put it behind the first line in which the cases differ";

    /// `repeat 0 times { ... }`
    pub(super) fn no_times(span: Span) = error("M0900", span):
        "`repeat 0 times` is nothing: no line in it is ever played or looked at", "not once",
        help "say how often, or take the block out";

    /// What can be refused nowhere, for it is no answer to what is asked.
    pub(super) fn misshapen(why: &str, span: Span) = error("M0948", span):
        "no rule has to refuse this: it is no answer to what is asked", why,
        help "write an answer as it might be given, so that it is refused because the rules forbid it";

    /// A refused offer whose scene does not come.
    pub(super) fn never_made(offer: &str, always: bool, span: Span) = error("M0928", span):
        format!("nobody is asked while `{offer}` may be offered"), "there is nothing to refuse here",
        help match always {
            true => "put the line into a scene in which somebody is asked something".to_owned(),
            false => format!("put the line into a scene in which the rules make the offer; `expect not open {offer}` says that it is not made here"),
        };

    /// A section of a scene that is running.
    pub(super) fn runs_already(scene: &str, nth: u32, span: Span) = error("M0949", span):
        format!("`{scene}` is running already"), format!("`{scene} {nth}` is running"),
        help format!("write `{scene} {nth} {{ … }}` for the one that is running, `{scene} {next} {{ … }}` for the next"),
        where next = nth.saturating_add(1);

    /// A section within one of a scene that is over before it begins.
    pub(super) fn begins_later(scene: &str, span: Span) = error("M0949", span):
        format!("`{scene}` begins when the scene around it is over"), "not within it",
        help "close the section before it with `}`, so that both stand side by side";

    /// A wait that does not come.
    pub(super) fn never_waits(instead: &str, span: Span) = error("M0926", span):
        "the host does not wait any more", instead,
        help "inside a section the wait must come before its scene is over";

    /// An answer for those who are in both of two sets, of which nobody is.
    pub(super) fn answers_for_nobody(span: Span) = error("M0924", span):
        "this answer is for nobody", "nobody is meant by what stands before `->`",
        help "words side by side are for those who are both; several people stand with commas between them: `Ann, Bob -> …`";

    /// An answer of those who hold a card that nobody holds, where the game waits for the answer of others.
    pub(super) fn held_by_nobody(question: &str, span: Span) = error("M0924", span):
        "this answer is for nobody",
        format!("nobody at the table is meant by what stands before `->`; {question}"),
        help "give the card to somebody, as in `seats Ann: Healer, Bob, …`, or name the player who answers";

    /// An answer of several that only some of them were asked for.
    pub(super) fn half_given(who: &str, span: Span) = error("M0924", span):
        "not all of them were asked for this answer", format!("never asked: {who}"),
        help "name only those who are asked, or see why the others are not";

    /// An answer that the game refuses.
    pub(super) fn refused(why: &str, span: Span) = error(codes::REFUSED_ANSWER, span):
        "this answer is refused", why,
        help "give an answer that may be given; if it should be refused, put `refused` before it";

    /// A branch of some other question.
    pub(super) fn another_question(asked: &str, span: Span) = error(codes::REFUSED_ANSWER, span):
        "this answers another question", format!("asked first: {asked}"),
        help "answer that one in a line of its own, or say which choice is meant: `Healer [choice] -> …`";

    /// An answer with too few picks.
    pub(super) fn pick_missing(pick: usize, why: &str, span: Span) = error(codes::REFUSED_ANSWER, span):
        "this answer is refused", format!("a {} pick is missing, and nobody is {why}", which(pick)),
        help "name as many as are asked for, with commas between them: `Healer -> Bob, Cid`";

    /// A name behind an answer or an offer that picks nobody and nothing.
    pub(super) fn picks_nothing(span: Span) = error(codes::REFUSED_ANSWER, span):
        "this answer is refused", "nothing is picked with it",
        help "leave the name out, or look which answer picks somebody";

    /// An answer with more picks than the question takes.
    pub(super) fn picks_too_many(given: usize, wanted: u8, span: Span) = error(codes::REFUSED_ANSWER, span):
        "this answer is refused", format!("{given} are named, and {asked}"),
        help "commas stand between the picks of one answer; for another question write another line",
        where asked = match wanted {
            1 => "one is asked for".to_owned(),
            wanted => format!("{wanted} are asked for"),
        };

    /// A scene that is over before a line comes to it.
    pub(super) fn scene_over(scene: &str, state: &str, span: Span) = error("M0926", span):
        format!("`{scene}` is over"), format!("the game has come further: {state}"),
        help "put the scenes in the order in which they are played";

    /// `Night 0`
    pub(super) fn counted_from_one(scene: &str, span: Span) = error("M0926", span):
        format!("there is no `{scene} 0`"), "scenes are counted from 1",
        help format!("write `{scene} 1`"),
        writes "1";

    /// Chance that no line decides.
    pub(super) fn undecided(chance: &str, span: Span) = error(codes::UNDECIDED_CHANCE, span):
        "chance decides what no line says", format!("on the way from here: {chance}"),
        help "say what is drawn with `draw NAME -> …` or `pile`, or use `otherwise random with seed 7`";

    /// An offer that never stands open.
    pub(super) fn never_open(offer: &str, instead: &str, span: Span) = error("M0928", span):
        format!("`{offer}` is not open to them"), instead,
        help "look in which scenes and to whom the rules make the offer, and whether this should stand above an answer";

    /// `Ann knows ...` behind the last answer of a section, of what is otherwise where the game rests next.
    pub(super) fn known_too_late(then: &str, now: &str, span: Span) = error(codes::NOT_SO, span):
        format!("what somebody knows is looked at where the game rests, and there this is {now}"),
        format!("{then} where the scene ends"),
        help "put the line before the last answer, or outside of the section behind `run to wait` or `run to` what comes next";

    /// `refused draw luck -> bad`
    pub(super) fn chance_refuses(draw: &str, span: Span) = error("M0948", span):
        "nobody is asked where chance decides, and nothing is refused", "a draw",
        help format!("say among what it is drawn: `expect drawn {draw} among …`, with all that may come out");

    /// Something that should have been refused.
    pub(super) fn accepted(at: Option<String>, span: Span) = error(codes::NOT_REFUSED, span):
        "this should be refused, and the rules allow it", format!("it was accepted{label}"),
        help "take `refused` away, or mend the rule that should forbid it",
        where label = at.map_or_else(String::new, |question| format!(" at a later question: {question}"));

    /// A scenario that lays a table, and nothing else.
    pub(super) fn says_nothing(title: Span) = warning "says-nothing" ("M0963", title):
        "nothing is played here, and nothing expected", "it holds whatever the rules say",
        help "say what people answer and what must come of it, as in `expect goes on`";

    /// A line that expects what is so in every game.
    pub(super) fn always_so(line: Span) = warning "always-holds" ("M0752", line):
        "this line can never fail: it is always so", "it holds whatever the game does",
        help "compare with what is so in this game: with a name, a number or a role that might be another";

    /// A line that expects of the cards what is so since they were dealt.
    pub(super) fn as_dealt(line: Span) = warning "always-holds" ("M0752", line):
        "this line can never fail: the cards lie as `seats` says, and nothing in these rules moves or turns one",
        "it holds whatever the game does",
        help "compare with what the game may change, or leave the line out";

    /// A line that looks for a mark behind the scene that takes it off.
    pub(super) fn is_over(line: Span, mark: &str) = warning "always-holds" ("M0752", line):
        format!("this line can never fail here: nobody is `{mark}` any more: the scene that gives it takes it off as it ends"),
        "it holds whatever the game does",
        help "look at it within that scene, or at what came of it, as in `expect Ann is out`";

    /// A line that says that somebody knows what is the same in every game.
    pub(super) fn known_anyway(line: Span, player: Option<&str>) = warning "always-holds" ("M0752", line):
        "this line can never fail: everybody knows what is the same in every game", "nothing that changes is named",
        help match player {
            Some(player) => format!("to know who {player} is is `knows role of {player}`"),
            None => "name what may be otherwise in another game: somebody's role, a mark, a number that is kept".to_owned(),
        };

    /// A line that looks for words which all words have in them.
    pub(super) fn any_words(line: Span) = warning "always-holds" ("M0752", line):
        "`containing \"\"` is so of all words", "nothing stands between the quotes",
        help "say which words they are; that it may be any is `anything`";

    /// A line that denies words which nothing says.
    pub(super) fn never_in_words(line: Span, words: Span, how: &str, place: &str) = warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing that is {how}{within} has these words"),
        "it holds whatever the game does",
        also words, format!("nothing that is {how}{within} has these words, {whoever}"),
        help look_elsewhere(place, "write the words as the rules have them, and see the line fail once"),
        where (within, whoever) = match place.starts_with('`') {
            true => (format!(" in {place}"), "whatever leads there"),
            false => (String::new(), "whoever sits there"),
        };

    /// A line that denies all words where there are none.
    pub(super) fn never_in_any_words(line: Span, how: &str, place: &str) = warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing in {place} is {how}"), "it holds whatever the game does",
        help look_elsewhere(place, "deny what the rules do say, show or ask, and see the line fail once");

    /// `otherwise host [prey] -> Ann` where players alone are asked for it.
    pub(super) fn never_used(line: Span, choice: &str, host: bool) = warning "unsayable" ("M0960", line):
        format!("this line is never used: nothing in these rules asks {whom} for `{choice}`"), "nothing is answered so",
        help "name those who are asked, or nobody: `otherwise [CHOICE] -> …`",
        where whom = if host { "the host" } else { "a player" };

    /// A line that denies warnings of rules that have none.
    pub(super) fn never_warned(line: Span, place: &str) = warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing in {place} warns of a table"), "it holds whatever the game does",
        help "leave the line out: a table that is refused fails without it";

    /// A line that denies an event which nothing makes happen.
    pub(super) fn never_made_happen(line: Span, event: &Name, place: &str) = warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing in {place} does `{}`", event.text), "it holds whatever the game does",
        help look_elsewhere(place, "deny what the rules do make happen, and see the line fail once");

    /// A line that denies a rule to which nothing leads.
    pub(super) fn never_applied(line: Span, rule: &Name, place: &str) = warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing in {place} comes to the rule `{}`", rule.text),
        "it holds whatever the game does",
        help look_elsewhere(place, "deny a rule that may come in, and see the line fail once");

    /// A line that denies a draw that is never made, or never with these weights.
    pub(super) fn never_drawn(line: Span, name: &Name, any: bool, place: &str) = warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing in {place} draws `{}`{so}", name.text),
        "it holds whatever the game does",
        help look_elsewhere(place, "write the words and weights as the rules have them, and see the line fail once"),
        where so = if any { "" } else { " with these weights" };

    /// A line that denies something of a set in which nobody is.
    pub(super) fn denied_of_nobody(line: Span) = warning "unsayable" ("M0960", line):
        "this line can never fail here: nobody is meant", "of nobody it holds whatever the game does",
        help "name those who are there, or leave out who is meant";

    /// `not happened departure of living` at the end of a scene in which somebody departs.
    pub(super) fn left_by_then(line: Span, who: &str) = warning "unsayable" ("M0960", line):
        "this line holds by whom it means: who is meant is seen where the line looks",
        format!("it came to {who}, who was meant then and is not any more"),
        help "name the players, or leave out who is meant";

    /// A line that denies a question which nothing asks.
    pub(super) fn never_asked(line: Span, choice: Option<&str>, (host, within): (bool, Option<u32>), place: &str) =
        warning "unsayable" ("M0960", line):
        format!("this line can never fail: nothing in {place} asks {whom} {what}{time}"), "it holds whatever the game does",
        help look_elsewhere(place, "deny what the rules do ask, and see the line fail once"),
        where whom = if host { "the host" } else { "a player" },
        where time = within.map_or_else(String::new, |within| format!(" within {within} seconds")),
        where what = choice.map_or_else(|| "anything".to_owned(), |choice| format!("for `{choice}`"));

    /// `living is not Ann`, where Ann lives and others do.
    pub(super) fn denied_of_some(line: Span) = warning "several-are" ("M0714", line):
        "it is so of some of them: `is not` says of several only that it is not so of all",
        "it holds though it is so of some",
        help "ask the other way round, as in `expect Ann is not living`, or write `expect no …` where it is so of none";

    /// A number or a word of several people, of whom only the first is looked at.
    pub(super) fn number_of_several(number: &str, at: Span) = warning "value-of-several" ("M0728", at):
        format!("`{number}` is that of one of them only, the first"), "several players",
        help "write a line for each, as in `expect lives of Ann is 2`; if all of them together, `sum of lives among (living)`";

    /// An offer that is closed because another one is dealt with, and so are all.
    pub(super) fn closed_meanwhile(line: Span) = warning "closed-meanwhile" ("M0964", line):
        "this line can never fail here: while an offer is dealt with, all others are closed",
        "it holds whatever else the rules say",
        help "put it behind the answers that this offer asks for";

    /// Rules that broke.
    pub(super) fn broken(kind: &FaultKind, why: &str, rule: Span, line: Span) = error(fault_code(kind), rule):
        format!("the rules broke: {why}"), "here",
        also line, "on the way from here",
        help match kind {
            FaultKind::Endless => "write `stop` where it should end, or `wait` where the host should go on",
            FaultKind::TooDeep(_) => "take one of them out of the ring, or put it under an `if` that ends it",
            FaultKind::TooManyPlans => "write `settle` where the plans are to come true, before more are made",
            FaultKind::TooLarge => "say how far the number may grow, as in `if coins is less than 1000 { … }`",
            FaultKind::DividedByNothing => "divide by a number that is never 0, or test it before",
            FaultKind::Hook { .. } => "mend the script: the place is that at which it stopped",
        };

    /// What is written in a line and cannot be worked out.
    pub(super) fn not_worked_out(code: &'static str, why: &str, span: Span) = error(code, span):
        format!("this cannot be worked out: {why}"), "here";

    /// A game without an end.
    pub(super) fn endless(limit: usize, span: Span, help: &str) = error("M0932", span):
        format!("the game goes on after {limit} answers"), "on the way from here",
        help help;

    /// A seat's card that is not there to be dealt.
    pub(super) fn cannot_deal(card: &str, to: &str, span: Span) = error("M0934", span):
        format!("`{card}` cannot be dealt to {to}"), "no such card is left",
        help "look at the order of the deal, and at the cards of the game: a line `cast` says which they are";

    /// A card named for a seat that was dealt others only.
    pub(super) fn not_dealt_so_far(card: &str, to: &str, span: Span) = error("M0934", span):
        format!("`{card}` is not dealt to {to} in this scenario"), "so many cards are not dealt to that seat",
        help "take it out; or go on, with answers or `run to`, to where the rules deal it";

    /// More of a card than the deck of the rules has.
    pub(super) fn not_in_the_deck(card: &str, has: usize, span: Span) = error("M0934", span):
        format!("`{card}` is named more often than it is in the deck of these rules"), label,
        help "a line `cast` names all the cards of a game that has others than the table of the rules",
        where label = match has {
            0 => "there is none".to_owned(),
            1 => "there is one".to_owned(),
            has => format!("there are {has}"),
        };

    /// A pile that lies as the rules lay it.
    pub(super) fn never_shuffled(zone: &str, span: Span) = error("M0934", span):
        format!("`{zone}` lies as the rules lay it, and no other way"),
        "nothing shuffles it or deals from it",
        help format!("take this line away, or write `shuffle {zone}` in the rules");

    /// A card to be laid aside that the game has not.
    pub(super) fn not_to_lie_aside(card: &str, span: Span) = error("M0934", span):
        format!("`{card}` cannot lie aside"), "no such card is left over",
        help "put one more into the cast, or take it from this line";

    /// A card of a pile that the game has not, or not so often.
    pub(super) fn not_to_lie_there(card: &str, zone: &str, has: usize, span: Span) = error("M0934", span):
        format!("`{card}` cannot lie in `{zone}`"), label,
        help format!("take it from this line, or say which cards are in the game, as `cast {card} {}, …`", has + 1),
        where label = match has {
            0 => "no such card is in this game".to_owned(),
            has => format!("this game has {has} of them, and this is one more"),
        };

    /// A card that shall lie aside when no other is left to be dealt.
    pub(super) fn must_be_dealt(card: &str, to: &str, span: Span) = error("M0934", span):
        format!("`{card}` cannot lie aside: {to} is dealt the last cards"),
        "no other card is left to be dealt",
        help "lay fewer cards aside than the rules leave over";

    /// Seats drawn where the rules say nothing of it.
    pub(super) fn not_by_lot(ruleset: &str, span: Span) = error("M0946", span):
        format!("`{ruleset}` does not draw who sits where"), "seats by lot",
        help "write `seats` and who sits where; or `players … seated by lot` in the rules";

    /// A line of a game in a scenario that wants the table to be refused.
    pub(super) fn in_no_game(line: Span) = error("M0933", line):
        "the game does not begin, as is expected, and this line is never looked at", "nothing is played here",
        help "take it out, or put it into a scenario of its own";

    /// The game cannot begin.
    pub(super) fn cannot_start(why: &str, span: Span) = error("M0933", span):
        format!("the game cannot begin: {why}"), "at this table",
        help "change the number of seats or cards";

    /// What was expected of the setup, and was otherwise; `begins` says whether the game could begin.
    pub(super) fn setup_holds(verdict: SetupVerdict, begins: bool, instead: &[String], span: Span) = error(codes::BETTER_SETUP, span):
        format!("{what}, and the scenario expects otherwise"), label,
        where what = match (verdict, begins) {
            (SetupVerdict::Error, true) => "the game can begin",
            (SetupVerdict::Error, false) => "the game cannot begin, for another reason",
            (SetupVerdict::Warning, true) => "no such warning is given",
            (SetupVerdict::NoWarning, true) => "the table is warned about",
            (SetupVerdict::Warning | SetupVerdict::NoWarning, false) => "the game cannot begin",
        },
        where label = match instead {
            [] => "nothing is said about this table".to_owned(),
            _ => format!("said is: {}", instead.join("; ")),
        };

    /// Lines that include one another in a ring.
    pub(super) fn include_ring(name: &str, span: Span) = error("M0936", span):
        format!("`{name}` includes itself"), "again",
        help "take one of the includes out";

    /// A line in a scene that belongs before all of them.
    pub(super) fn late_setup(span: Span) = error("M0937", span):
        "the table is laid before the game begins", "inside a scene",
        help "move the line out of the braces";

    /// An answer that is no single thing.
    pub(super) fn not_one(what: &str, wanted: &str, span: Span) = error(codes::NOT_ONE, span):
        format!("this is {what}, and {wanted} is wanted"), "this answer",
        help "name exactly one; names of players stand without quotes";

    /// A value where it is to be said what holds.
    pub(super) fn no_condition(kind: Kind, span: Span) = error(codes::WRONG_KIND, span):
        format!("this is {what}, and nothing is said of it that could hold or not"), "no condition",
        help help,
        where (what, help) = match kind {
            Kind::Number => ("a number", "say how many: `expect number of living is 4`"),
            Kind::Players => (
                "players",
                "say that there are some, or who: `expect some dying`, `expect dying is exactly Ann`",
            ),
            _ => ("a value", "say what it is: `expect role of Ann is Healer`"),
        };

    /// A set of cards of several sorts where one card is wanted.
    pub(super) fn several_cards(count: usize, span: Span) = error("M0938", span):
        format!("these are {count} cards, and one is wanted"), "this answer",
        help "name a role or a token, or where the card lies: `centre 2` is the second from the top";

    /// Several players where one is wanted, without a comma.
    pub(super) fn no_comma(span: Span) = error("M0938", span):
        "this is nobody, and one player is wanted", "nobody is both of them",
        help "put a comma between them, if one pick after the other is meant";

    /// A name of a table of cases for which nothing stands.
    pub(super) fn unused_case(name: &str, span: Span) = error("M0945", span):
        format!("no line uses `{name}`"), "a column for nothing",
        help format!("write `{name}` where the cell is to stand, `{{{name}}}` in a text, or take the column out");

    /// `3..2`, in which no number lies.
    pub(super) fn empty_range(span: Span) = error("M0922", span):
        "no number lies in this range", "makes no row",
        help "write the least number first: `1..200`";

    /// Something that is handed to included lines which none of them uses.
    pub(super) fn unused_param(name: &str, span: Span) = error("M0945", span):
        format!("no line uses `{name}`"), "given for nothing",
        help format!("write `{name}` where it is to stand, `{{{name}}}` in a text, or take it out");

    /// The cards of a zone that everybody has, of nobody; or of one that lies in the middle, of somebody.
    pub(super) fn whose_cards(zone: &str, of_each: bool, span: Span) = error(codes::UNKNOWN_IN_SCENARIO, span):
        message, "whose?",
        help help,
        where (message, help) = match of_each {
            true => (
                format!("everybody has a `{zone}`"),
                format!("say whose: `cards in {zone} Ann are …`"),
            ),
            false => (
                format!("`{zone}` is nobody's"),
                format!("write `cards in {zone} are …`"),
            ),
        };

    /// `nobody sees the same in every case`: nobody is asked about.
    pub(super) fn seen_by_nobody(line: Span) = error("M0938", line):
        "there is nobody whose view could be compared", "nobody",
        help "name those who must not be able to tell: `Ann, Bob see the same in every case`";

    /// `refused Healer does wait`, where nobody is one.
    pub(super) fn nobody_meant(what: &str, span: Span) = error("M0938", span):
        format!("this is nobody, and somebody who {what} is meant"), "by nobody",
        help "name those who are there; of nobody all is so, whatever the rules say";

    /// `Ann -> Bob, ...` to a question that is answered with that.
    pub(super) fn no_more_picks(span: Span) = error(codes::REFUSED_ANSWER, span):
        "this answer is refused", "no more is asked for: these are all the picks of the question",
        help "take `...` out";

    /// A line that compares the cases of a scenario without any.
    pub(super) fn one_case(span: Span) = error("M0962", span):
        "this line compares the cases of a scenario, and this one has only one", "compares nothing",
        help "give it a table: `for each case of victim { Bob; Cid }`, with the line for all of them";

    /// More cases than are run.
    pub(super) fn too_many_cases(count: Option<usize>, limit: usize, span: Span) = error("M0950", span):
        message, "none of them is run",
        help "split the table over several scenarios; several tables in one multiply",
        where message = match count {
            Some(count) => format!("the scenario has {count} cases, and {limit} is the most"),
            None => format!("the scenario has more cases than the {limit} there may be"),
        };

    /// Names that stand for names that stand for names, over and over.
    pub(super) fn grown(span: Span) = error("M0939", span):
        "what stands for these names is too much when everything is included", "too much here",
        help "hand on less, or split the scenario";

    /// Includes in includes that make a scenario endless.
    pub(super) fn too_long(limit: usize, span: Span) = error("M0939", span):
        format!("the scenario has more than {limit} lines when everything is included"), "included here",
        help "include less, or split the scenario";
}

/// The page about a fault.
pub fn fault_code(kind: &FaultKind) -> &'static str {
    match kind {
        FaultKind::Endless => "M0940",
        FaultKind::TooDeep(_) => "M0941",
        FaultKind::TooManyPlans => "M0942",
        FaultKind::TooLarge => "M0944",
        FaultKind::DividedByNothing => "M0961",
        FaultKind::Hook { .. } => "M0943",
    }
}

/// The codes of all of these.
pub(super) const FAULTS: [&str; 6] = ["M0940", "M0941", "M0942", "M0943", "M0944", "M0961"];

/// A name that nothing has.
pub(super) fn unknown<'a>(
    sort: &str,
    name: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let known: Vec<_> = known.into_iter().collect();
    let is = if sort == "words" { "are" } else { "is" };
    let meant = close_name(name, known.iter().copied());
    let help = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if known.is_empty() => format!("there {is} no {sort} here"),
        None => format!("there {is} {}", quoted(&known)),
    };
    let told = Diagnostic::error(
        codes::UNKNOWN_IN_SCENARIO,
        format!("there {is} no {sort} called `{name}`"),
        span,
        "unknown",
    );
    meaning(told.help(help), name, meant)
}

/// The name that was meant, to be written in the place of another.
fn meaning(told: Diagnostic, name: &str, meant: Option<&str>) -> Diagnostic {
    let Some(meant) = meant else { return told };
    let span = told.span();
    told.mend(Repair::respelt(span, name, meant))
}

/// A name that neither a player nor anything of the rules has.
pub(super) fn nobody_called<'a>(
    name: &str,
    span: Span,
    players: &'a [String],
    (known, given): (impl Iterator<Item = &'a str>, Option<String>),
) -> Diagnostic {
    let players: Vec<&str> = players.iter().map(String::as_str).collect();
    let meant = match given {
        Some(_) => None,
        None => close_name(name, players.iter().copied().chain(known)),
    };
    let help = match given.or_else(|| Some(format!("did you mean `{}`?", meant?))) {
        Some(help) => help,
        None => format!("at the table are {}", quoted(&players)),
    };
    let message = format!("there is nobody called `{name}` at the table, and nothing in the rules");
    let told = Diagnostic::error(codes::UNKNOWN_IN_SCENARIO, message, span, "unknown");
    meaning(told.help(help), name, meant)
}

/// Whose name the winners do not go by may be a player, a team or a role.
pub(super) fn nobody_wins_so(told: Diagnostic, groups: &[&str], players: &[&str]) -> Diagnostic {
    if told.code != codes::UNKNOWN_IN_SCENARIO || !told.repairs().is_empty() {
        return told;
    }
    let (groups, players) = (quoted(groups), quoted(players));
    told.help(format!(
        "who wins is a team, a role or a player: {groups}, {players}"
    ))
}

fn quoted(names: &[&str]) -> String {
    let names: Vec<_> = names.iter().take(12).map(|name| format!("`{name}`")).collect();
    names.join(", ")
}

/// The same, where a line of them has answered another question, which was put before.
pub(super) fn taken_before(unanswered: Diagnostic, (line, by): (Span, &str), asked: &str) -> Diagnostic {
    unanswered.also(
        line,
        format!("this has answered `{by}`; for the later one it would be `[{asked}] ->`"),
    )
}

/// The same in a line of its own, which may say so.
pub(super) fn may_be_refused(why: &str, line: Span) -> Diagnostic {
    refused(why, line).writes_in(line.before(line), "refused ")
}

/// One of several picks that the game refuses.
pub(super) fn pick_refused(pick: usize, why: &str, span: Span) -> Diagnostic {
    refused(&format!("the {} pick: {why}", which(pick)), span)
}

/// Which of several picks.
fn which(pick: usize) -> &'static str {
    let words = ["first", "second", "third", "fourth", "fifth"];
    words.get(pick).copied().unwrap_or("further")
}

/// A problem in a game whose rules hand nobody the card that is named at his seat.
pub(super) fn never_dealt(problem: Diagnostic, card: Span) -> Diagnostic {
    problem.also(
        card,
        "these rules have dealt nobody a card so far: `pile ZONE: …` says how a pile lies",
    )
}

/// A scene that does not begin any more.
pub(super) fn never_begins(scene: &str, before: usize, instead: &str, span: Span) -> Diagnostic {
    if before > 0 {
        let message = format!("`{scene}` does not begin again");
        let times = if before == 1 {
            "once".to_owned()
        } else {
            format!("{before} times")
        };
        let label = format!("it has begun {times} before; {instead}");
        return Diagnostic::error("M0926", message, span, label).help(
            "it was played within what stands above: put these lines there, or their section above that",
        );
    }
    Diagnostic::error(
        "M0926",
        format!("`{scene}` never begins"),
        span,
        instead.to_string(),
    )
    .help("count how often the scene begins, and look whether the game ends before")
}

/// An expectation that does not hold: what was there instead, and the event that made it so, with its rule.
pub(super) fn not_so(instead: &str, made: Option<(Span, String)>, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::NOT_SO, "this does not hold", span, instead.to_string());
    match made {
        Some((place, words)) => diagnostic.also(place, words),
        None => diagnostic,
    }
}

/// What a line denies is not to be found in a scene, or in all of the rules.
fn look_elsewhere(place: &str, otherwise: &str) -> String {
    match place.starts_with('`') {
        true => format!("look where it may come, and not within {place}, and see the line fail once"),
        false => otherwise.to_owned(),
    }
}

/// Of an answer without a name in brackets: which question it came to.
pub(super) fn came_to(mut refused: Diagnostic, question: &str, name: &str) -> Diagnostic {
    for label in refused.labels.iter_mut().take(1) {
        label.text = format!("this answers `{name}`: {question}");
    }
    let other = "where another question is meant, name it: `WHO [QUESTION] -> …`";
    let help = refused.help.take().map_or_else(String::new, |help| help + "; ");
    refused.help(help + other)
}

/// Lines that are included with more or less than they want.
pub(super) fn given(name: &str, given: usize, wanted: &[Name], span: Span) -> Diagnostic {
    let wanted: Vec<&str> = wanted.iter().map(|name| name.text.as_str()).collect();
    let are = if given == 1 { "is" } else { "are" };
    let (message, help) = match (wanted.is_empty(), wanted.len() == given) {
        (true, _) => (
            format!("`{name}` is included with nothing, and {given} {are} given"),
            format!("write `include {name}`, or `common {name} of …` with names for them"),
        ),
        (false, true) => (
            "a range makes rows of a table of cases, and here is none".to_owned(),
            "give one number".to_owned(),
        ),
        (false, false) => (
            format!("`{name}` wants {}, and {given} {are} given", quoted(&wanted)),
            format!("write `include {name} of …` with one for each, commas between them"),
        ),
    };
    Diagnostic::error("M0922", message, span, "included here").help(help)
}
