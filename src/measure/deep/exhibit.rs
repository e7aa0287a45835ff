//! The games that show a finding, as scenarios.

use super::{game::Seated, sight::Example};
use omerta_check::Readings;
use omerta_engine::{Choice, Domain, Game, Log, Pending, What};
use omerta_play::{
    chance::Chance,
    policy,
    session::{Session, Table},
    words::{members, quoted},
};
use omerta_workbench::{
    bundle::Shelf,
    written::{Tail, Written},
};

/// The seed by which a game without an end is gone on with, and for how many answers.
const ON: u64 = 1;
const ON_FOR: usize = 400;

/// A game that is to be shown.
#[derive(Clone)]
pub struct Exhibit {
    title: String,
    seated: Seated,
    answers: Vec<Choice>,
    kind: Kind,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Kind {
    /// It ends with its last answer, or breaks.
    Whole,
    /// It goes on, and on.
    WithoutEnd,
    /// A question is put after the last answer.
    UpToAQuestion,
    /// These words go out before anybody answers again; or something else happens.
    Words(Option<String>),
}

impl Exhibit {
    /// A game to its end.
    pub fn of_game(title: &str, example: &Example) -> Exhibit {
        Exhibit::new(title, &example.seated, &example.run.all, Kind::Whole)
    }

    /// A game that never ends.
    pub fn without_end(title: &str, example: &Example) -> Exhibit {
        Exhibit::new(title, &example.seated, &example.run.all, Kind::WithoutEnd)
    }

    /// A game up to a question.
    pub fn up_to_a_question(title: &str, seated: &Seated, answers: &[Choice]) -> Exhibit {
        Exhibit::new(title, seated, answers, Kind::UpToAQuestion)
    }

    /// A game up to words that everybody hears.
    pub fn of_words(title: &str, seated: &Seated, (answers, heard): (&[Choice], &Option<String>)) -> Exhibit {
        Exhibit::new(title, seated, answers, Kind::Words(heard.clone()))
    }

    fn new(title: &str, seated: &Seated, answers: &[Choice], kind: Kind) -> Exhibit {
        Exhibit {
            title: title.replace(['"', '{', '}'], "'"),
            seated: seated.clone(),
            answers: answers.to_vec(),
            kind,
        }
    }

    /// What it is called.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The scenario, as it would stand in a file beside a shelf; or why there is none.
    pub fn text(&self, shelf: (&Shelf, &Readings)) -> Result<String, String> {
        let replayed = Session::replay(self.seated.table.clone(), &self.answers, &[]);
        let (session, stopped) = replayed.map_err(|_| "it did not begin".to_owned())?;
        if stopped.is_some() {
            return Err("its answers no longer fit".to_owned());
        }
        let lines = match &self.kind {
            Kind::Whole => None,
            Kind::Words(heard) => {
                let heard = heard
                    .iter()
                    .map(|words| format!("expect said {}\n", quoted(words)));
                let is_over = matches!(session.game().pending(), Pending::Over(_));
                let on = (!is_over).then(|| "expect goes on\n".to_owned());
                Some(heard.chain(on).collect::<String>()).filter(|lines| !lines.is_empty())
            }
            Kind::WithoutEnd => Some(further(session.game(), session.table())),
            Kind::UpToAQuestion => question(&session),
        };
        let written = Written {
            session: &session,
            wanted: &self.seated.wanted,
            title: &self.title,
            table: match self.kind {
                Kind::WithoutEnd => "otherwise random with seed 1\n",
                Kind::Whole | Kind::UpToAQuestion | Kind::Words(_) => "",
            },
            tail: lines.as_deref().map_or(Tail::Outcome, Tail::Lines),
        };
        written.text_on(shelf)
    }
}

/// The scene that a game without an end has come to some time later.
fn further(game: &Game, table: &Table) -> String {
    let (mut game, mut log) = (game.clone(), Log::default());
    let mut chance = Chance::of_seed(ON);
    for _ in 0..ON_FOR {
        let choice = match game.pending() {
            Pending::Ask(asked) if asked.domain == Domain::Go => Choice::Go,
            Pending::Ask(asked) => policy::answer(&game, &asked, &mut chance),
            Pending::Chance(drawn) => policy::outcome(&game, &drawn, &mut chance),
            Pending::Over(_) | Pending::Broken(_) => break,
        };
        if game.apply(choice, &mut log).is_err() {
            break;
        }
    }
    let scene = log.events.iter().rev().find_map(|happened| match happened.what {
        What::SceneBegan { scene, nth } => Some((scene, nth)),
        _ => None,
    });
    let run = scene.map_or_else(String::new, |(scene, nth)| {
        format!("run to {} {nth}\n", table.rules.scenes[scene.index()].name)
    });
    format!("{run}expect goes on\n")
}

/// Who is asked, and among whom; nothing where it is no choice among players.
fn question(session: &Session) -> Option<String> {
    let asked = session.game().asked()?;
    let Domain::Seats { among, pass } = asked.domain else {
        return None;
    };
    let table = session.table();
    let words = table.words();
    let who: Vec<String> = members(asked.who).map(|seat| words.seat(seat)).collect();
    let options: Vec<String> = members(among).map(|seat| words.seat(seat)).collect();
    let or_pass = if pass { " or pass" } else { "" };
    let name = &table.rules.ask(asked.site).name;
    let asked_is_one = who.len() == 1 && !asked.host;
    asked_is_one.then(|| {
        format!(
            "expect asked {} for {name} among {}{or_pass}\nexpect goes on\n",
            who.join(" plus "),
            options.join(", ")
        )
    })
}
