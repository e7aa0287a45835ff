//! Files: keeping a game, and going on with one that was kept.

use super::super::{
    desk::{Desk, Done},
    halt::{STOPPED, halted},
    left::{Own, refusal, title_of},
    places,
};
use crate::faces::{
    console::Console,
    render::{Format, Renders, Style},
};
use anyhow::{Result, anyhow};
use omerta_core::plural::so_many;
use omerta_play::{
    branches::{Branches, MOST_BRANCHES},
    save::{Save, SaveError},
    session::MOST_HAPPENED,
};
use omerta_workbench::{Workbench, files};
use std::{collections::BTreeMap, path::Path};

/// The session as it is kept, with all its branches.
pub fn kept(desk: &Desk) -> Save {
    let mut save = Save::of(&desk.hosted.session);
    save.ruleset.clone_from(&desk.wanted.base);
    save.overlays.clone_from(&desk.wanted.overlays);
    (save.branches, save.texts_of) = desk.branches.kept();
    if !save.branches.is_empty() {
        save.here.clone_from(&desk.branches.here);
    }
    save
}

/// Keeps the game in a file, and takes no other file's place.
pub fn save(desk: &mut Desk, file: &str) -> Done {
    if file.is_empty() {
        return Err("name a file: `save friday.game`".to_owned());
    }
    let (path, save) = (Path::new(file), kept(desk));
    let is_ours = desk.held.as_ref().is_some_and(|(held, _)| held == path);
    let taken = (!is_ours).then(|| files::hold(path)).transpose();
    let taken = taken.map_err(|error| format!("{error:#}"))?;
    if files::is_there(path) {
        let known = files::read(path).map_err(|error| format!("{error:#}"))?;
        let lost = match Save::from_text(&known) {
            Ok(known) if is_ours || save.goes_on_from(&known) => None,
            Ok(known) if save.is_game_of(&known) => {
                Some("holds this game as it went on otherwise; choose another name, or `load` it")
            }
            Ok(_) => Some("holds another game; choose another name"),
            Err(_) => Some("is there already and is no saved game; choose another name"),
        };
        if let Some(why) = lost {
            return Err(format!("`{file}` {why}"));
        }
    }
    if let Some(hold) = taken {
        desk.held = Some((path.to_owned(), hold));
    }
    files::write(path, &save.to_text()).map_err(|error| format!("{error:#}"))?;
    desk.line(format!("  kept in `{file}`"));
    Ok(())
}

/// Takes a file for this desk alone, until it takes another.
fn hold(desk: &mut Desk, path: &Path) -> Done {
    if desk.held.as_ref().is_some_and(|(held, _)| held == path) {
        return Ok(());
    }
    let held = files::hold(path).map_err(|error| format!("{error:#}"))?;
    desk.held = Some((path.to_owned(), held));
    Ok(())
}

/// Goes on with a kept game.
pub fn load(desk: &mut Desk, file: &str) -> Done {
    if file.is_empty() {
        return Err("name a file: `load friday.game`".to_owned());
    }
    let text = files::read(Path::new(file)).map_err(|error| format!("{error:#}"))?;
    let mut save = Save::from_text(&text).map_err(|error| refusal(file, &error))?;
    for rules in [&mut save.ruleset].into_iter().chain(&mut save.overlays) {
        *rules = files::or_beside(Path::new(file), rules);
    }
    let before = of_worth(desk);
    put_on(desk, &save, file)?;
    lay_aside(desk, before);
    if let Err(why) = hold(desk, Path::new(file)) {
        desk.line(format!("  note: {why}"));
    }
    desk.show(Desk::table_text)
}

/// Puts the session that was left on a desk that was laid for it.
pub fn take_up(desk: &mut Desk, save: &Save, own: Own) -> Result<()> {
    let is_whole = put_on(desk, save, "the session that was left").map_err(|why| anyhow!("{why}"))?;
    desk.another = false;
    desk.own = Some(own);
    desk.aside.clone_from(&save.aside);
    // What no longer fits is there again once the rules are what they were.
    let whole = Save {
        aside: Vec::new(),
        ..save.clone()
    };
    lay_aside(desk, (!is_whole).then_some(whole));
    Ok(())
}

// ---- Games laid aside
/// The game on the desk, where anything has been answered in it.
pub fn of_worth(desk: &Desk) -> Option<Save> {
    let is_untouched = desk.hosted.session.undone().is_empty()
        && desk.hosted.session.cursor() == places::first_question(&desk.hosted.session)
        && desk.branches.names().len() == 1;
    (!is_untouched).then(|| kept(desk))
}

/// Keeps a game for another one's sake, and says so.
pub fn lay_aside(desk: &mut Desk, game: Option<Save>) {
    let Some(game) = game else { return };
    let what = title_of(&game);
    desk.aside.push(game);
    let number = desk.aside.len();
    desk.line(format!(
        "  {what}: laid aside as game {number}; `games {number}` takes it up again"
    ));
}

/// `games`, `games 1`
pub fn games(desk: &mut Desk, given: &str) -> Done {
    if given.is_empty() {
        let lines: Vec<String> = (desk.aside.iter().enumerate())
            .map(|(index, game)| format!("  {} {}", index + 1, title_of(game)))
            .collect();
        desk.list(
            &lines,
            "no game is laid aside; `open` and `load` lay this one aside for another",
        );
        return Ok(());
    }
    let place = given
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1));
    let Some(place) = place.filter(|place| *place < desk.aside.len()) else {
        return Err(format!(
            "there is no game {given}; `games` lists those laid aside"
        ));
    };
    let (game, before) = (desk.aside[place].clone(), of_worth(desk));
    if put_on(desk, &game, &format!("game {given}"))? {
        desk.aside.remove(place);
    }
    lay_aside(desk, before);
    desk.show(Desk::table_text)
}

/// Keeps the session for `play --resume`; nobody has to ask for it, so that it cannot be kept is no
/// reason to stop, but it is said, once.
pub fn leave(desk: &mut Desk) {
    if let Err(why) = try_to_leave(desk)
        && !std::mem::replace(&mut desk.unkept, true)
    {
        desk.line(format!("  this session is not kept for `play --resume`: {why:#}"));
    }
}

fn try_to_leave(desk: &mut Desk) -> Result<()> {
    let own = match desk.own.take() {
        Some(own) => own,
        None => Own::begin()?,
    };
    let place = own.place.clone();
    desk.another = false;
    desk.own = Some(own);
    let mut save = kept(desk);
    save.aside.clone_from(&desk.aside);
    for game in [&mut save.ruleset]
        .into_iter()
        .chain(save.aside.iter_mut().map(|game| &mut game.ruleset))
    {
        // A folder called like a ruleset is none.
        if files::is_file_there(Path::new(game))
            && let Ok(whole) = std::path::absolute(Path::new(game))
        {
            *game = whole.display().to_string();
        }
    }
    files::write(&place, &save.to_text())
}

/// Opens another game in the stead of this one.
pub fn open(desk: &mut Desk, given: &str) -> Done {
    let opened = (desk.opener)(given, Console::of_program()).map_err(|error| format!("{error:#}"))?;
    let Some((mut opened, welcome)) = opened else {
        return Err("the game stays as it was".to_owned());
    };
    let before = of_worth(desk);
    (opened.manners, opened.rest) = (desk.manners, desk.rest.clone());
    (opened.out, opened.aside) = (std::mem::take(&mut desk.out), std::mem::take(&mut desk.aside));
    (opened.own, opened.held) = (desk.own.take(), desk.held.take());
    *desk = opened;
    lay_aside(desk, before);
    desk.line(welcome);
    desk.show(Desk::table_text)?;
    desk.tell_news();
    Ok(())
}

/// Puts a kept game on the desk; says whether all of its answers fit the rules.
fn put_on(desk: &mut Desk, save: &Save, file: &str) -> Result<bool, String> {
    let asked = Workbench::asked(&save.ruleset, &save.overlays, &save.options);
    let (bench, wanted) = asked.map_err(|error| format!("{error:#}"))?;
    let laid = bench.lay(&wanted).map_err(|problems| {
        let problems = bench.render(&problems, Format::Short, Style::PLAIN);
        format!("the rules of `{file}` cannot be used:\n{problems}")
    })?;
    let (rules, hooks) = (laid.bench.rules, laid.bench.hooks);
    let loaded = save
        .load_until(&halted, rules.clone(), hooks.clone())
        .map_err(|error| match error {
            SaveError::Halted => STOPPED.to_owned(),
            error => refusal(file, &error),
        })?;
    // Nothing on the desk is touched before all has been played again.
    let mut branch = Save::of(&loaded.session);
    let (mut room, mut left_out) = (2 * MOST_HAPPENED, Vec::new());
    let (mut places, mut texts_of) = (MOST_BRANCHES, BTreeMap::new());
    texts_of.extend(save.texts_of.iter().map(|(name, texts)| (name.as_str(), texts)));
    let branches = Branches::restore(&save.here, &save.branches, |name, answers| {
        if places == 0 || room == 0 {
            left_out.push(name.to_owned());
            return None;
        }
        branch.answers = answers.to_vec();
        branch.texts = texts_of.get(name).map_or_else(Vec::new, |texts| texts.to_vec());
        branch.undone.clear();
        let loaded = branch.load_until(&halted, rules.clone(), hooks.clone());
        let session = loaded.ok()?.session;
        places -= 1;
        room = room.saturating_sub(session.log().events.len());
        Some(session)
    });
    let hosted = desk.hosted.with(&halted, loaded.session);
    let hosted = hosted.filter(|_| !halted());
    let hosted = hosted.ok_or_else(|| STOPPED.to_owned())?;
    desk.another = true;
    if loaded.other_rules {
        desk.line("  note: the rules have changed since this game was kept");
    }
    if let Some(stopped) = &loaded.stopped {
        let given = stopped.at;
        desk.line(format!(
            "  note: of its {} only {given} fit the rules as they are now",
            so_many(stopped.of, "answer")
        ));
    }
    desk.bench = bench;
    desk.replace(hosted, branches, wanted);
    if let Some(first) = left_out.first() {
        let count = left_out.len();
        desk.line(format!(
            "  note: these are more branches than can be kept: `{first}` and what follows are left out ({count})"
        ));
    }
    for lost in desk.renew_stops() {
        desk.line(format!("  `{lost}` means nothing in this game"));
    }
    if desk.following.is_some() {
        desk.following = Some(desk.stamps());
    }
    Ok(loaded.stopped.is_none())
}
