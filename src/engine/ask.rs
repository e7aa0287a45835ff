//! What may be answered: domains worked out from registers, and answers checked against them.

use crate::choice::{Asked, Choice, Domain, Drawn, Illegal, OpenBranch, Reply, Target};
use crate::event::Value;
use crate::facts::{member, seats_in};
use crate::look::Look;
use omerta_core::rules::{
    AskFrame, AskId, AskKind, AskSite, Branch, DrawFrame, DrawId, DrawKind, Kind, Pass, Reg, Ruleset,
    Shuffle, unpacked,
};
use omerta_core::written::cleaned;

/// A question and a draw in registers that begin with theirs.
pub(super) const ASK: AskFrame = AskFrame(Reg(0));
pub(super) const DRAW: DrawFrame = DrawFrame(Reg(0));

/// A legal answer as words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Answer {
    /// The set, number, truth, branch or word.
    pub(super) word: u64,
    /// What was picked with a branch.
    pub(super) picked: u64,
    /// How it came about.
    pub(super) by: By,
}

/// How an answer came about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum By {
    /// Something was named.
    Naming,
    /// Nobody was.
    Passing,
    /// The time was up.
    Time,
}

impl Answer {
    pub(super) fn plain(word: u64) -> Self {
        Answer {
            word,
            picked: 0,
            by: By::Naming,
        }
    }

    /// 1 where something was named.
    pub(super) fn names(self) -> u64 {
        u64::from(self.by == By::Naming)
    }
}

/// The question as it is put with these operands.
pub(super) fn asked(rules: &Ruleset, id: AskId, regs: &[u64]) -> Asked {
    let site = rules.ask(id);
    // Several picks keep their number, and how many there shall be, beside the question.
    let pick = if site.pick.1 > 1 {
        (regs[ASK.given().index()] as u8, regs[ASK.wanted().index()] as u8)
    } else {
        (0, 1)
    };
    let who = if site.host { 0 } else { regs[ASK.who().index()] };
    Asked {
        site: id,
        who,
        host: site.host,
        domain: ask_domain(site, regs),
        pick,
        limit: site.limit,
    }
}

#[inline]
pub(super) fn ask_domain(site: &AskSite, regs: &[u64]) -> Domain {
    let (among, pass) = (regs[ASK.among().index()], may_pass(site, regs));
    match site.kind {
        AskKind::Seats => Domain::Seats { among, pass },
        AskKind::Cards => Domain::Cards {
            among,
            pass,
            unseen: site.unseen,
        },
        AskKind::Titles => Domain::Titles { among, pass },
        AskKind::Numbers => Domain::Numbers {
            low: among as i64,
            high: regs[ASK.highest().index()] as i64,
            pass,
        },
        AskKind::Text => Domain::Text {
            most: among as u32,
            pass,
        },
        AskKind::YesNo => Domain::YesNo,
        AskKind::Wait => Domain::Go,
        AskKind::Menu(_) => Domain::Menu,
    }
}

#[inline]
fn may_pass(site: &AskSite, regs: &[u64]) -> bool {
    match site.pass {
        Pass::Never => false,
        Pass::Always => true,
        Pass::When => regs[ASK.pass().index()] != 0,
    }
}

/// The chance as it stands with these operands.
pub(super) fn drawn(rules: &Ruleset, id: DrawId, regs: &[u64]) -> Drawn {
    let site = &rules.draws[id.index()];
    let seat = match site.shuffle {
        Some(Shuffle::Deal(_)) => seats_in(regs[DRAW.seat().index()]).next().map(|seat| seat as u8),
        Some(Shuffle::Pile(_) | Shuffle::Seats) | None => None,
    };
    Drawn {
        site: id,
        domain: draw_domain(&site.kind, regs),
        seat,
    }
}

#[inline]
pub(super) fn draw_domain(kind: &DrawKind, regs: &[u64]) -> Domain {
    let (among, pass) = (regs[DRAW.among().index()], false);
    match kind {
        DrawKind::Seats => Domain::Seats { among, pass },
        DrawKind::Cards => Domain::Cards {
            among,
            pass,
            unseen: false,
        },
        DrawKind::Titles => Domain::Titles { among, pass },
        DrawKind::Numbers => Domain::Numbers {
            low: among as i64,
            high: regs[DRAW.highest().index()] as i64,
            pass,
        },
        DrawKind::Weighted(words) => Domain::Words {
            count: words.len() as u16,
        },
    }
}

/// Whether somebody is asked and something can be answered.
#[inline(always)]
pub(super) fn can_be_answered(site: &AskSite, regs: &[u64]) -> bool {
    let anything = match site.kind {
        AskKind::Seats | AskKind::Cards | AskKind::Titles => {
            regs[ASK.among().index()] != 0 || may_pass(site, regs)
        }
        AskKind::Numbers => {
            regs[ASK.among().index()] as i64 <= regs[ASK.highest().index()] as i64 || may_pass(site, regs)
        }
        AskKind::Menu(ref branches) => which_open(branches, regs).next().is_some(),
        AskKind::Text | AskKind::YesNo | AskKind::Wait => true,
    };
    anything && (site.host || regs[ASK.who().index()] != 0)
}

/// What stands in the place of an answer where there is none: nobody, or none of the branches.
pub(super) fn no_answer(site: &AskSite) -> Answer {
    let word = match &site.kind {
        AskKind::Menu(branches) => branches.len() as u64,
        _ => 0,
    };
    Answer {
        by: By::Passing,
        ..Answer::plain(word)
    }
}

/// Whether chance has anything to decide among.
#[inline]
pub(super) fn can_come_out(kind: &DrawKind, regs: &[u64]) -> bool {
    match kind {
        DrawKind::Seats | DrawKind::Cards | DrawKind::Titles => regs[DRAW.among().index()] != 0,
        DrawKind::Numbers => regs[DRAW.among().index()] as i64 <= regs[DRAW.highest().index()] as i64,
        DrawKind::Weighted(words) => words.iter().any(|(_, weight)| *weight != 0),
    }
}

/// Whether there is nothing to pick.
pub(super) fn is_void(domain: Domain) -> bool {
    match domain {
        Domain::Numbers { low, high, .. } => low > high,
        _ => domain.set() == Some(0),
    }
}

/// What a pick of that kind picks among; nothing for kinds that nobody can pick among.
#[inline]
pub(super) fn pick_domain(kind: Kind, among: u64, unseen: bool) -> Option<Domain> {
    let pass = false;
    match kind {
        Kind::Players => Some(Domain::Seats { among, pass }),
        Kind::Cards => Some(Domain::Cards { among, pass, unseen }),
        Kind::Titles => Some(Domain::Titles { among, pass }),
        Kind::Number => {
            let (low, high) = unpacked(among);
            Some(Domain::Numbers { low, high, pass })
        }
        Kind::Text => Some(Domain::Text {
            most: among as u32,
            pass,
        }),
        Kind::Truth | Kind::Word => None,
    }
}

/// The branches of a menu that stand open.
pub(super) fn open_branches<'a>(
    branches: &'a [Branch],
    regs: &'a [u64],
) -> impl Iterator<Item = OpenBranch> + 'a {
    (0..branches.len()).filter_map(|branch| open_branch(branches, regs, branch))
}

/// The numbers of those branches.
#[inline]
pub(super) fn which_open(branches: &[Branch], regs: &[u64]) -> impl Iterator<Item = usize> {
    let words = regs[ASK.branch(0).0.index()..].chunks_exact(2);
    let open = words.zip(0..branches.len()).filter(|(words, _)| words[0] != 0);
    open.map(|(_, branch)| branch)
}

#[inline]
pub(super) fn open_branch(branches: &[Branch], regs: &[u64], branch: usize) -> Option<OpenBranch> {
    let Branch { pick, unseen, .. } = branches.get(branch)?;
    let (open, among) = ASK.branch(branch as u16);
    (regs[open.index()] != 0).then(|| OpenBranch {
        branch: branch as u8,
        among: pick.and_then(|kind| pick_domain(kind, regs[among.index()], *unseen)),
    })
}

/// An answer that is said as words, where it may be given.
#[inline(always)]
pub(super) fn given(site: &AskSite, regs: &[u64], reply: Reply) -> Option<Answer> {
    match reply {
        Reply::Word(word) => given_word(site, regs, word),
        Reply::Branch(branch, picked) => given_branch(site, regs, (branch, picked)),
        Reply::Nothing | Reply::Choice(_) => None,
    }
}

#[inline(always)]
pub(super) fn given_word(site: &AskSite, regs: &[u64], word: u64) -> Option<Answer> {
    let may_be = match site.kind {
        AskKind::Seats | AskKind::Cards | AskKind::Titles => {
            if word == 0 {
                return may_pass(site, regs).then(|| Answer {
                    by: By::Passing,
                    ..Answer::plain(0)
                });
            }
            is_one_of(word, regs[ASK.among().index()])
        }
        AskKind::YesNo => word <= 1,
        AskKind::Wait => word == 1,
        AskKind::Numbers => is_between(word, regs[ASK.among().index()], regs[ASK.highest().index()]),
        AskKind::Text | AskKind::Menu(_) => false,
    };
    may_be.then(|| Answer::plain(word))
}

#[inline(always)]
pub(super) fn given_branch(site: &AskSite, regs: &[u64], (branch, picked): (u8, u64)) -> Option<Answer> {
    let AskKind::Menu(branches) = &site.kind else {
        return None;
    };
    let pick = branches.get(usize::from(branch))?.pick;
    let (open, among) = ASK.branch(branch.into());
    let may_be = match pick {
        None => picked == 0,
        Some(Kind::Players | Kind::Cards | Kind::Titles) => is_one_of(picked, regs[among.index()]),
        Some(Kind::Number | Kind::Text | Kind::Truth | Kind::Word) => false,
    };
    (may_be && regs[open.index()] != 0).then(|| Answer {
        picked,
        ..Answer::plain(branch.into())
    })
}

/// Whether something may come out of a draw.
#[inline(always)]
pub(super) fn came_out(kind: &DrawKind, regs: &[u64], word: u64) -> bool {
    let among = regs[DRAW.among().index()];
    match kind {
        DrawKind::Seats | DrawKind::Cards | DrawKind::Titles => is_one_of(word, among),
        DrawKind::Numbers => is_between(word, among, regs[DRAW.highest().index()]),
        DrawKind::Weighted(_) => false,
    }
}

#[inline(always)]
fn is_between(number: u64, low: u64, high: u64) -> bool {
    (low as i64..=high as i64).contains(&(number as i64))
}

#[inline(always)]
fn is_one_of(one: u64, set: u64) -> bool {
    one.is_power_of_two() && one & set != 0
}

/// An answer to a question, checked.
#[inline(never)]
pub(super) fn check_answer(
    look: Look<'_>,
    site: &AskSite,
    regs: &[u64],
    choice: &Choice,
) -> Result<Answer, Illegal> {
    match (&site.kind, choice) {
        (AskKind::Menu(branches), &Choice::Branch { branch, target }) => {
            let open = open_branch(branches, regs, usize::from(branch)).ok_or(Illegal::Closed { branch })?;
            Ok(Answer {
                picked: check_target(look, open.among, target)?,
                ..Answer::plain(u64::from(branch))
            })
        }
        (kind, Choice::TimeUp) if site.limit.is_some() => Ok(Answer {
            by: By::Time,
            ..Answer::plain(match kind {
                // None of the branches.
                AskKind::Menu(branches) => branches.len() as u64,
                AskKind::Wait => 1,
                _ => 0,
            })
        }),
        _ => Ok(Answer {
            by: match choice {
                Choice::Pass => By::Passing,
                _ => By::Naming,
            },
            ..Answer::plain(check_plain(look, ask_domain(site, regs), choice)?)
        }),
    }
}

/// An outcome of chance, checked.
#[inline(never)]
pub(super) fn check_outcome(
    look: Look<'_>,
    kind: &DrawKind,
    regs: &[u64],
    choice: &Choice,
) -> Result<u64, Illegal> {
    let wanted = draw_domain(kind, regs);
    match (kind, choice) {
        (_, Choice::ByHand(_)) => Err(Illegal::NoDeed),
        (DrawKind::Weighted(words), &Choice::Word(word)) => match words.get(usize::from(word)) {
            Some((_, weight)) if *weight > 0 => Ok(u64::from(word)),
            _ => Err(Illegal::NotAmong { wanted }),
        },
        _ => check_plain(look, wanted, choice),
    }
}

/// An answer that is one word.
fn check_plain(look: Look<'_>, wanted: Domain, choice: &Choice) -> Result<u64, Illegal> {
    let among_those = |among, number| member(number, among).ok_or(Illegal::NotAmong { wanted });
    match (wanted, choice) {
        (Domain::Seats { among, .. }, &Choice::Seat(number))
        | (Domain::Cards { among, .. }, &Choice::Card(number)) => among_those(among, number.into()),
        (Domain::Titles { among, .. }, &Choice::Title(number)) => among_those(among, number.into()),
        (Domain::Numbers { low, high, .. }, &Choice::Number(number)) => {
            if (low..=high).contains(&number) {
                Ok(number as u64)
            } else {
                Err(Illegal::NotAmong { wanted })
            }
        }
        (Domain::YesNo, Choice::Yes) | (Domain::Go, Choice::Go) => Ok(1),
        (Domain::YesNo, Choice::No) => Ok(0),
        (Domain::Text { .. }, &Choice::Text(number)) => {
            check_text(wanted, look.written(number).unwrap_or_default())?;
            Ok(look.text_word(number))
        }
        (_, Choice::Pass) => check_pass(wanted),
        _ => Err(Illegal::WrongKind { wanted }),
    }
}

fn check_pass(wanted: Domain) -> Result<u64, Illegal> {
    match wanted.pass() {
        Some(true) => Ok(0),
        Some(false) => Err(Illegal::NotAmong { wanted }),
        None => Err(Illegal::WrongKind { wanted }),
    }
}

/// What a branch or an offer picks, checked.
pub(super) fn check_target(look: Look<'_>, among: Option<Domain>, target: Target) -> Result<u64, Illegal> {
    match (among, target) {
        (None, Target::Nothing) => Ok(0),
        (None, _) => Err(Illegal::WrongKind { wanted: Domain::Menu }),
        (Some(wanted), Target::Nothing) => Err(Illegal::WrongKind { wanted }),
        (Some(wanted), target) => check_plain(look, wanted, &target.choice()),
    }
}

/// Whether a text may be the answer to such a question.
pub(super) fn check_text(wanted: Domain, text: &str) -> Result<(), Illegal> {
    match wanted {
        Domain::Text { most, .. } => cleaned(text, most).map(|_| ()).map_err(Illegal::Unwritable),
        _ => Err(Illegal::WrongKind { wanted }),
    }
}

/// An answer as a value for the log.
pub(super) fn answer_value(look: Look<'_>, site: &AskSite, answer: Answer) -> Value {
    let kind = match &site.kind {
        _ if answer.by == By::Time => return Value::TimeUp,
        AskKind::Menu(branches) => {
            let branch = answer.word as u8;
            let target = branches.get(usize::from(branch)).and_then(|branch| {
                Some(match branch.pick? {
                    Kind::Cards if branch.unseen => Value::Places(look.places(answer.picked)),
                    kind => look.value(kind, answer.picked),
                })
            });
            return Value::Branch {
                branch,
                target: target.map(Box::new),
            };
        }
        _ if answer.by == By::Passing => return Value::Nobody,
        AskKind::Cards if site.unseen => return Value::Places(look.places(answer.word)),
        AskKind::Seats => Kind::Players,
        AskKind::Cards => Kind::Cards,
        AskKind::Titles => Kind::Titles,
        AskKind::Numbers => Kind::Number,
        AskKind::Text => Kind::Text,
        AskKind::YesNo | AskKind::Wait => Kind::Truth,
    };
    look.value(kind, answer.word)
}

/// An outcome of chance as a value for the log.
pub(super) fn outcome_value(look: Look<'_>, kind: &DrawKind, outcome: u64) -> Value {
    match kind {
        DrawKind::Seats => look.value(Kind::Players, outcome),
        DrawKind::Cards => look.value(Kind::Cards, outcome),
        DrawKind::Titles => look.value(Kind::Titles, outcome),
        DrawKind::Numbers => look.value(Kind::Number, outcome),
        DrawKind::Weighted(_) => look.value(Kind::Word, outcome),
    }
}
