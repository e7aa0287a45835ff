//! One page for the players: the sides, the cards, how it goes and how it ends. Nothing of what the host
//! alone sees or does, and no numbers of cards: what of the deck is known, the table decides.

use crate::{
    course::{Called, questions},
    deeds::{AGAIN, begun, is_host},
    english::sentence,
    page::{Inline, Line, Page},
    phrases::{Teller, plain, words},
    remarks::for_readers,
    roles::Told,
    setup, standing,
    subject::Subject,
};
use omerta_play::words::with_a_capital;
use omerta_syntax::tree::{Allow, Block, ClauseMode, Expr, ItemKind, Name, Statement, StatementKind};
use omerta_syntax::walk::blocks_in;

/// The page for players.
pub fn summary(subject: Subject<'_>) -> Page {
    let teller = Teller::of(subject);
    let mut page = Page::titled(&subject.rules.title);
    setup::add_head(&mut page, subject);
    page.heading(2, "Who plays", "roles");
    for (id, team) in subject.teams() {
        let told = subject.roles().filter(|told| told.role.team == Some(id));
        let lines: Vec<Line> = told.map(|told| role(&teller, &told)).collect();
        if !lines.is_empty() {
            page.heading(3, &team.title, &format!("team-{}", team.name));
            page.list(false, lines);
        }
    }
    let alone = subject.roles().filter(|told| told.role.team.is_none());
    let alone: Vec<Line> = alone.map(|told| role(&teller, &told)).collect();
    if !alone.is_empty() {
        let has_teams = subject.teams().next().is_some();
        page.heading(3, if has_teams { "On no team" } else { "Everybody" }, "team");
        page.list(false, alone);
    }
    add_course(&mut page, &teller);
    add_offers(&mut page, &teller);
    add_victory(&mut page, &teller.spelling());
    standing::add_words_used(&mut page, &teller);
    page
}

/// `The doctor: Whom do you treat?`
fn role(teller: &Teller<'_>, told: &Told<'_>) -> Line {
    let remark = teller.subject.remark(told.above(teller.subject));
    let asked: Vec<Inline> = questions_of(teller, told)
        .into_iter()
        .flat_map(|question| words![" ", Inline::Said(question)])
        .collect();
    let remark = match remark.is_empty() {
        true => String::new(),
        false => format!(" {}", sentence(&remark)),
    };
    Line::of(words![
        Inline::Strong(with_a_capital(&told.group.title)),
        ".",
        remark,
        asked
    ])
}

/// What a role is asked, in all its calls, in those of its team and in those in whose circle it is put.
pub fn questions_of(teller: &Teller<'_>, told: &Told<'_>) -> Vec<String> {
    let subject = teller.subject;
    let team = told.role.team.map(|team| subject.name(team));
    let others = subject.kinds().filter_map(|(kind, _)| match kind {
        ItemKind::Clause(clause) if clause.mode == ClauseMode::Include && clause.name.text == "circle" => {
            let is_it = |part: &Expr| part.is_name(&told.group.name);
            let whose = clause
                .param
                .as_ref()
                .filter(|_| clause.value.words().iter().any(is_it))?;
            Some(whose.name.text.as_str())
        }
        _ => None,
    });
    let others = team.into_iter().chain(others);
    let others = others.filter_map(|card| Some((card, subject.parts_on(card)?)));
    let mut found = Vec::new();
    for (name, parts) in [(told.group.name.as_str(), told.parts)].into_iter().chain(others) {
        let card = Name::new(name, told.span);
        for part in parts {
            let called = Called {
                scene: "",
                card: &card,
                purpose: part.purpose.as_ref(),
                when: Vec::new(),
            };
            found.extend(questions(teller, &called));
        }
    }
    found.dedup();
    found
}

/// The scenes of the script and nothing else of it: what is done in them the host tells.
fn add_course(page: &mut Page, teller: &Teller<'_>) {
    if let Some(script) = teller.subject.script() {
        page.heading(2, "How it goes", "course");
        page.list(true, scenes(&teller.spelling(), script));
    }
}

fn scenes(teller: &Teller<'_>, block: &Block) -> Vec<Line> {
    let line = |statement: &Statement| match &statement.kind {
        StatementKind::Play { scene, .. } => {
            let subject = teller.subject;
            let name = with_a_capital(&subject.spoken(&scene.text));
            let told = subject.scene(&scene.text);
            let told = told.map_or_else(String::new, |(.., span)| for_readers(subject.sources, span));
            vec![match told.is_empty() {
                true => Line::plain(name),
                false => Line::of(words![Inline::Strong(name), ". ", told]),
            }]
        }
        StatementKind::Call { card, .. } => {
            let whom = match card.bare_name() {
                Some(card) => teller.subject.called(&card.text),
                None => plain(&teller.expr(card)),
            };
            vec![Line::plain(format!("A call of {whom}"))]
        }
        StatementKind::Repeat(body) => vec![Line::plain(AGAIN[0]).with(scenes(teller, body))],
        StatementKind::ForEach { body, .. } => {
            let head = teller.remarked_statement(statement).into_iter().next();
            let (head, inner) = (head.unwrap_or_else(|| Line::plain("")), scenes(teller, body));
            match inner.is_empty() {
                true => Vec::new(),
                false => vec![Line::of(head.words).with(inner)],
            }
        }
        StatementKind::If(test, then, otherwise) => {
            let otherwise = || -> Vec<Line> {
                let block = otherwise.iter();
                block.flat_map(|block| scenes(teller, block)).collect()
            };
            let told = match teller.test(test) {
                Err(true) => return scenes(teller, then),
                Err(false) => return otherwise(),
                Ok(told) => told,
            };
            let (then, otherwise) = (scenes(teller, then), otherwise());
            let head = match then.is_empty() {
                true if otherwise.is_empty() => return Vec::new(),
                true => words!["If ", teller.untruth(test), ":"],
                false => words!["If ", told, ":"],
            };
            match then.is_empty() || otherwise.is_empty() {
                true => vec![Line::of(head).with([then, otherwise].concat())],
                false => vec![
                    Line::of(head).with(then),
                    Line::plain("Otherwise:").with(otherwise),
                ],
            }
        }
        StatementKind::Ask(ask) if !is_host(&ask.who) => {
            let text = ask.text.as_ref().map(|text| Inline::Said(teller.text(text)));
            let text = text.map_or_else(Vec::new, |text| words![": ", text]);
            let inside = blocks_in(statement);
            let inner = inside.into_iter().flat_map(|block| scenes(teller, block));
            let head = words!["A question to ", teller.expr(&ask.who), text];
            vec![Line::of(head).with(inner.collect())]
        }
        _ => blocks_in(statement)
            .into_iter()
            .flat_map(|block| scenes(teller, block))
            .collect(),
    };
    begun(block.statements.iter().flat_map(line).collect())
}

/// What players may do; what only the host may is no business of theirs.
fn add_offers(page: &mut Page, teller: &Teller<'_>) {
    let offers = teller.subject.kinds().filter_map(|(kind, _)| match kind {
        ItemKind::Allow(allow) if !is_host(&allow.who) => Some(&**allow),
        _ => None,
    });
    let teller = teller.with("me", "whoever does it").spelling();
    let line = |allow: &Allow| {
        let when = teller.when(allow.when.as_ref())?;
        Some(Line::of(words![teller.offered(allow), when, "."]))
    };
    let lines = offers.filter_map(line);
    page.section("What you may do in between", "offers", false, lines.collect());
}

/// The endings as players are told them.
fn add_victory(page: &mut Page, teller: &Teller<'_>) {
    let endings = teller.subject.endings();
    let lines: Vec<Line> = endings.filter_map(|ending| teller.ending(ending)).collect();
    page.section("How it ends", "victory", true, lines);
    page.section(
        "Decided along the way",
        "verdicts",
        false,
        teller.verdicts_elsewhere(None),
    );
}
