//! The walk: from the start of a game to every position that can come up, level by level, with equal
//! positions merged.
//!
//! Threads work out the steps of a level each for itself; what they found is put together in the order of the
//! positions. So the chain is the same on any number of threads.

use crate::{
    ballots::{Ballots, Outcome},
    bytes::{put, take},
    chain::{Chain, End, Step, To, Toll},
    key::{Form, Keys, Waits, pack, unpack},
    table::{Print, Table, print},
};
use omerta_core::rules::{Op, Ruleset, SceneId, Slot};
use omerta_engine::{Choice, Count, Filled, Game, Open, Position, Silence, Target, seats_in};
use omerta_play::chances::{Players, Way, gcd, plus};
use std::{
    collections::{BTreeMap, VecDeque},
    thread,
};

/// So many answers that are forced are given at once; then there is a position of its own, so that a game
/// which goes round for ever is seen to.
const MOST_FORCED: u32 = 256;
/// Steps have room for no more positions.
const MOST_POSITIONS: usize = 1 << 30;
/// So many bytes are wanted for each position that was looked at when the chain is solved.
const TO_SOLVE: usize = 40;
/// So many positions are handed to the threads at a time.
const PORTION: usize = 1 << 11;
/// The same where there is one.
const PORTION_OF_ONE: usize = 64;

/// Hears how far a walk is, where that is known; gives `false` to stop.
pub type Hears<'a> = dyn Fn(Option<Progress>) -> bool + Sync + 'a;

/// Why there can be no walk, or it breaks off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// A position has more ways to go on than can be counted.
    Uncountable,
    /// The rules, or a policy that is followed, ask scripts, and nobody knows what these read.
    Scripts,
}

/// How far a walk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many positions were looked at.
    pub walked: usize,
    /// How many are known.
    pub known: usize,
    /// How many ways from one to another were gone.
    pub steps: usize,
    /// Whether that is all, and what follows from it is being reckoned: whoever wants no more has this to wait for.
    pub bounds: bool,
}

/// What is walked.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// A game at its first pause.
    pub fresh: &'a Game,
    /// How positions are brought into their form.
    pub keys: &'a Keys,
    /// Who answers.
    pub players: &'a Players,
}

/// How it is walked.
pub struct Walk<'a> {
    /// What.
    pub ground: Ground<'a>,
    /// How many threads.
    pub threads: usize,
    /// No more positions than so many are looked at.
    pub most: usize,
    /// No more bytes than so many are kept, about.
    pub room: usize,
    /// Hears how far it is.
    pub progress: &'a Hears<'a>,
}

/// Positions kept as words, one after the other.
#[derive(Clone, Debug, Default)]
struct Kept {
    words: Vec<u64>,
    ends: Vec<usize>,
}

impl Kept {
    fn push(&mut self, words: &[u64]) {
        self.words.extend_from_slice(words);
        self.ends.push(self.words.len());
    }

    fn get(&self, number: usize) -> &[u64] {
        let from = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.words[from..self.ends[number]]
    }
}

/// Positions kept as bytes: of a level that waits there may be millions. Those that are found one after the other are
/// much alike, so all but the first of some tell only in which words they are not as that one.
#[derive(Default)]
struct Packed {
    bytes: Vec<u8>,
    ends: Vec<u32>,
    /// The words of the first of those that are added now.
    first: Vec<u64>,
}

impl Packed {
    /// So many are told by one.
    const ALIKE: usize = 16;

    fn push(&mut self, words: &[u64]) {
        if self.ends.len().is_multiple_of(Packed::ALIKE) {
            self.first.clear();
            self.first.extend_from_slice(words);
            words.iter().for_each(|word| put(&mut self.bytes, *word));
        } else {
            put(&mut self.bytes, words.len() as u64);
            let mut same = 0;
            for (at, &word) in words.iter().enumerate() {
                if self.first.get(at).copied().unwrap_or(0) == word {
                    same += 1;
                } else {
                    put(&mut self.bytes, same);
                    put(&mut self.bytes, word);
                    same = 0;
                }
            }
        }
        self.ends.push(self.bytes.len() as u32);
    }

    /// The place of the first byte of a position.
    fn start(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |before| self.ends[before]) as usize
    }

    fn read(&self, number: usize, words: &mut Vec<u64>) {
        let first = number - number % Packed::ALIKE;
        words.clear();
        let mut at = self.start(first);
        while at < self.ends[first] as usize {
            words.push(take(&self.bytes, &mut at));
        }
        if number == first {
            return;
        }
        let mut at = self.start(number);
        let count = take(&self.bytes, &mut at) as usize;
        words.resize(count, 0);
        let mut place = 0;
        while at < self.ends[number] as usize {
            place += take(&self.bytes, &mut at) as usize;
            words[place] = take(&self.bytes, &mut at);
            place += 1;
        }
    }

    /// How many bytes it takes.
    fn room(&self) -> usize {
        self.bytes.len() + self.ends.len() * size_of::<u32>()
    }
}

/// The positions of a level, in blocks that are given back one by one.
#[derive(Default)]
struct Level {
    blocks: VecDeque<Packed>,
    /// How many bytes those take that are full.
    room: usize,
}

impl Level {
    fn push(&mut self, words: &[u64]) {
        match self.blocks.back_mut().filter(|block| block.ends.len() < PORTION) {
            Some(block) => block.push(words),
            None => {
                if let Some(full) = self.blocks.back_mut() {
                    full.bytes.shrink_to_fit();
                    full.first = Vec::new();
                    self.room += full.room();
                }
                let mut block = Packed::default();
                block.push(words);
                self.blocks.push_back(block);
            }
        }
    }
}

/// Where a step leads before positions have numbers.
enum Leads {
    /// The position is the nth kept by the thread.
    Position(Print, usize),
    End(End),
}

/// A step before it has a number: where to, in how many cases, and which toll of those that were found.
type Lead = (Leads, u64, u32);

/// The steps that a thread has worked out.
#[derive(Default)]
struct Found {
    /// For each position how many cases it has, and its steps.
    positions: Vec<(u64, Vec<Lead>)>,
    kept: Kept,
    /// What is counted on them; there are few sorts.
    tolls: Vec<Toll>,
    failed: Option<Failure>,
    /// How many answers, or outcomes of rounds, were tried.
    tried: usize,
    /// Whether it was told to stop in the middle of a position.
    stopped: bool,
}

impl Found {
    fn toll(&mut self, answers: u32, begun: &[u32]) -> u32 {
        let same = |toll: &Toll| toll.answers == answers && toll.begun == begun;
        if let Some(known) = self.tolls.iter().position(same) {
            return known as u32;
        }
        self.tolls.push(Toll {
            answers,
            begun: begun.to_vec(),
        });
        self.tolls.len() as u32 - 1
    }
}

/// The outermost scenes: those that the script itself plays.
pub fn outermost(rules: &Ruleset) -> Vec<SceneId> {
    let script = &rules.procs[rules.start.index()];
    let code = rules.code[script.entry as usize..].iter();
    let own = code.take_while(|op| !matches!(op, Op::Return));
    let mut scenes: Vec<SceneId> = { own }
        .filter_map(|op| match op {
            Op::Enter { proc, .. } => {
                let scene = rules.scenes.iter().position(|scene| scene.proc == *proc)?;
                Some(SceneId(scene as u16))
            }
            _ => None,
        })
        .collect();
    scenes.sort_unstable();
    scenes.dedup();
    scenes
}

impl Walk<'_> {
    /// Walks as far as it may.
    pub fn run(self) -> Result<Chain, Failure> {
        let mut book = Book::default();
        let first = self.ground.first(self.progress);
        let mut level = Level::default();
        book.number_tolls(&first);
        let start = book.step(&first.positions[0].1[0], &first.kept, &mut level);
        let mut workers: Vec<Worker<'_>> = Vec::new();
        workers.resize_with(self.threads.max(1), || Worker::new(self.ground, self.progress));
        book.chain.start = Some(start);
        // One thread alone has no wait for others to make good.
        let portion = if self.threads > 1 { PORTION } else { PORTION_OF_ONE };
        let most = self.most.min(MOST_POSITIONS);
        // What a position takes, by those before it.
        let mut each = 1;
        while !level.blocks.is_empty() {
            let mut next = Level::default();
            while let Some(block) = level.blocks.pop_front() {
                level.room = level.room.saturating_sub(block.room());
                for from in (0..block.ends.len()).step_by(portion) {
                    let to = (from + portion)
                        .min(block.ends.len())
                        .min(from + most.saturating_sub(book.chain.walked));
                    let (mut stopped, mut tried) = (false, 0);
                    for found in steps_of(&mut workers, (&block, each), from..to) {
                        tried += found.tried;
                        if let Some(failure) = found.failed {
                            return Err(failure);
                        }
                        stopped |= found.stopped;
                        book.add(found, &mut next);
                        if stopped {
                            break;
                        }
                    }
                    each = tried / (to - from).max(1);
                    let progress = Progress {
                        walked: book.chain.walked,
                        known: book.table.len(),
                        steps: book.chain.steps.count(),
                        bounds: false,
                    };
                    let full = book.room() + level.room + next.room > self.room;
                    if stopped || full || !(self.progress)(Some(progress)) || book.chain.walked >= most {
                        return Ok(book.finish());
                    }
                }
            }
            level = next;
        }
        Ok(book.finish())
    }
}

impl Ground<'_> {
    /// Where the game stands when it begins.
    fn first(&self, progress: &Hears<'_>) -> Found {
        let mut worker = Worker::new(*self, progress);
        let mut found = Found::default();
        worker.game.clone_from(self.fresh);
        let step = worker.lead(0, &mut found);
        // What was counted before the first pause counts as well.
        for toll in &mut found.tolls {
            let before = worker.outermost.iter();
            let before = before.map(|scene| self.fresh.look().times(*scene) as u32);
            { toll.begun.iter_mut().zip(before) }.for_each(|(begun, before)| *begun += before);
        }
        found.positions.push((1, step.into_iter().collect()));
        found
    }
}

/// Works out the steps of some positions of a level, each worker those of his share; a position is about so many answers.
fn steps_of(
    workers: &mut [Worker<'_>],
    (level, each): (&Packed, usize),
    numbers: std::ops::Range<usize>,
) -> Vec<Found> {
    let worth = numbers.len() * each.div_ceil(4).max(1);
    let threads = workers.len().clamp(1, worth.div_ceil(64).max(1));
    let share = numbers.len().div_ceil(threads).max(1);
    let work = |worker: &mut Worker<'_>, from: usize| {
        let mut found = Found::default();
        for number in from..(from + share).min(numbers.end) {
            found.stopped = number % PORTION_OF_ONE == 0 && !(worker.progress)(None);
            if !found.stopped {
                level.read(number, &mut worker.words);
                worker.expand(&mut found);
            }
            if found.stopped {
                break;
            }
        }
        found
    };
    let starts: Vec<usize> = numbers.clone().step_by(share).collect();
    if let [only] = starts[..] {
        return vec![work(&mut workers[0], only)];
    }
    thread::scope(|scope| {
        let work = &work;
        let workers: Vec<_> = { workers.iter_mut().zip(&starts) }
            .map(|(worker, &from)| scope.spawn(move || work(worker, from)))
            .collect();
        let join = |worker: thread::ScopedJoinHandle<'_, Found>| {
            worker.join().expect("a thread that walks does not panic")
        };
        workers.into_iter().map(join).collect()
    })
}

/// The chain as it grows.
#[derive(Default)]
struct Book {
    chain: Chain,
    table: Table,
    ends: BTreeMap<End, u32>,
    tolls: BTreeMap<Toll, u32>,
    /// The sorts of positions, by their numbers of cases.
    sorts: BTreeMap<u64, u32>,
    /// The numbers of the tolls that are being put in.
    numbers: Vec<u32>,
}

impl Default for Table {
    fn default() -> Self {
        Table::new()
    }
}

impl Book {
    fn number_tolls(&mut self, found: &Found) {
        let (numbers, tolls) = (&mut self.numbers, &mut self.tolls);
        numbers.clear();
        numbers.extend(found.tolls.iter().map(|toll| numbered(tolls, toll)));
    }

    fn add(&mut self, found: Found, next: &mut Level) {
        self.number_tolls(&found);
        for (cases, steps) in &found.positions {
            let mut steps: Vec<Step> = { steps.iter() }
                .map(|step| self.step(step, &found.kept, next))
                .collect();
            steps.sort_unstable_by_key(|step| (step.to, step.toll));
            steps.dedup_by(|more, step| {
                let same = (more.to, more.toll) == (step.to, step.toll);
                step.cases += if same { more.cases } else { 0 };
                same
            });
            let sort = numbered(&mut self.sorts, cases);
            self.chain.steps.push(sort, &steps);
            self.chain.walked += 1;
        }
    }

    fn step(&mut self, (leads, cases, toll): &Lead, kept: &Kept, next: &mut Level) -> Step {
        let to = match leads {
            Leads::Position(print, number) => {
                let (position, new) = self.table.number(*print);
                if new {
                    next.push(kept.get(*number));
                }
                To::Position(position)
            }
            Leads::End(end) => To::End(numbered(&mut self.ends, end)),
        };
        Step {
            to,
            toll: self.numbers[*toll as usize],
            cases: *cases,
        }
    }

    /// How many bytes it takes, with what solving it will.
    fn room(&self) -> usize {
        self.table.room() + self.chain.steps.room() + self.chain.walked * TO_SOLVE
    }

    /// The chain.
    fn finish(mut self) -> Chain {
        self.chain.known = self.table.len();
        self.chain.ends = in_order(self.ends);
        self.chain.tolls = in_order(self.tolls);
        self.chain.sorts = in_order(self.sorts);
        self.chain
    }
}

fn numbered<T: Ord + Clone>(known: &mut BTreeMap<T, u32>, one: &T) -> u32 {
    let new = known.len() as u32;
    match known.get(one) {
        Some(number) => *number,
        None => {
            known.insert(one.clone(), new);
            new
        }
    }
}

fn in_order<T>(known: BTreeMap<T, u32>) -> Vec<T> {
    let mut all: Vec<(u32, T)> = known.into_iter().map(|(one, number)| (number, one)).collect();
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, one)| one).collect()
}

/// A round of ballots of which only the sums count.
struct Round {
    ballots: Ballots,
    /// Who votes, in order.
    voters: Vec<Voter>,
    /// The row of the ballots, and where they stand.
    slot: Slot,
    row: std::ops::Range<usize>,
    /// Where the last is asked.
    last: Position,
}

/// The positions behind a round, and which of its steps leads to each.
#[derive(Default)]
struct Known {
    table: Table,
    lead: Vec<usize>,
    /// The words of the last one and which step leads there: the next outcome often leads to the same.
    last: (Vec<u64>, usize),
    /// What is asked of the ballots behind the round, as a tree with its root in front.
    asked: Vec<Asked>,
}

/// What the rules do behind a round when so much is known of its ballots.
enum Asked {
    /// They ask for this; by the answer how they go on.
    More(Count, Vec<(u64, usize)>),
    /// Nothing more: by which step it leads on.
    Leads(usize),
}

impl Known {
    /// By which step an outcome leads on, where all is known that is asked of it: so many ballots name each.
    fn told(&self, named: &[i64]) -> Option<usize> {
        let mut at = 0;
        loop {
            match self.asked.get(at)? {
                Asked::Leads(lead) => return Some(*lead),
                Asked::More(count, answers) => {
                    let answer = count.with(named);
                    at = answers.iter().find(|(other, _)| *other == answer)?.1;
                }
            }
        }
    }

    /// Learns what was asked of the ballots of an outcome, and by which step that led on.
    fn learn(&mut self, counts: impl Iterator<Item = Count>, lead: usize) {
        let mut at = 0;
        for count in counts {
            if at == self.asked.len() {
                self.asked.push(Asked::More(count, Vec::new()));
            }
            let new = self.asked.len();
            let Asked::More(_, answers) = &mut self.asked[at] else {
                return;
            };
            let known = answers.iter().find(|(other, _)| *other == count.answer);
            at = known.map_or(new, |(_, next)| *next);
            if at == new {
                answers.push((count.answer, new));
            }
        }
        if at == self.asked.len() {
            self.asked.push(Asked::Leads(lead));
        }
    }
}

impl Round {
    /// How many ballots named each before the round was come to.
    fn before(&self) -> Vec<i64> {
        let row = &self.last.words[self.row.clone()];
        let mut named = vec![0; row.len()];
        let votes = |seat: usize| { self.voters.iter() }.any(|voter| usize::from(voter.seat) == seat);
        for (_, ballot) in row.iter().enumerate().filter(|(seat, _)| !votes(*seat)) {
            seats_in(*ballot).for_each(|named_by_it| named[named_by_it] += 1);
        }
        named
    }
}

/// One who votes: whom he may name, and whether nobody.
struct Voter {
    seat: u8,
    names: u64,
    pass: bool,
}

impl Voter {
    /// By the ways in which he can answer, where these are all alike.
    fn of(who: u64, ways: &[Way]) -> Option<Voter> {
        let mut voter = Voter {
            seat: who.trailing_zeros() as u8,
            names: 0,
            pass: false,
        };
        for (choice, share) in ways {
            match choice {
                Choice::Seat(seat) => voter.names |= 1 << seat,
                Choice::Pass => voter.pass = true,
                _ => return None,
            }
            if *share != ways[0].1 {
                return None;
            }
        }
        (who.count_ones() == 1 && !ways.is_empty()).then_some(voter)
    }
}

/// What a thread works with.
struct Worker<'a> {
    keys: &'a Keys,
    players: &'a Players,
    progress: &'a Hears<'a>,
    outermost: Vec<SceneId>,
    base: Game,
    game: Game,
    position: Position,
    spare: Position,
    form: Form,
    words: Vec<u64>,
    row: Vec<u64>,
    ways: Vec<Way>,
    begun: Vec<u32>,
}

impl<'a> Worker<'a> {
    fn new(walk: Ground<'a>, progress: &'a Hears<'a>) -> Worker<'a> {
        let mut position = Position::default();
        walk.fresh.stand(&mut position);
        Worker {
            keys: walk.keys,
            players: walk.players,
            progress,
            outermost: outermost(walk.fresh.rules()),
            base: walk.fresh.clone(),
            game: walk.fresh.clone(),
            position,
            spare: Position::default(),
            form: Form::default(),
            words: Vec::new(),
            row: Vec::new(),
            ways: Vec::new(),
            begun: Vec::new(),
        }
    }

    /// Works out the steps of the position whose words are at hand.
    fn expand(&mut self, found: &mut Found) {
        unpack(&self.words, &mut self.position);
        self.base.stand_at(&self.position);
        if self.close(found).is_some() {
            return;
        }
        let mut ways = std::mem::take(&mut self.ways);
        if self.players.ways(&self.base, &mut ways).is_err() {
            found.failed = Some(Failure::Uncountable);
            return;
        }
        if let Some(classes) = self.keys.classes(&mut self.position, &mut self.form) {
            merge(&mut ways, &classes);
        }
        let Some(cases) = common(&ways) else {
            found.failed = Some(Failure::Uncountable);
            return;
        };
        let asked = matches!(self.base.open(), Open::Ask(_));
        let mut steps = Vec::with_capacity(ways.len());
        found.tried += ways.len();
        for &(choice, (over, under)) in &ways {
            self.game.clone_from(&self.base);
            if self.game.apply(choice, &mut Silence).is_err() {
                continue;
            }
            if let Some((leads, _, toll)) = self.lead(u32::from(asked), found) {
                let own = u128::from(cases) / under * over;
                steps.push((leads, own as u64, toll));
            }
        }
        self.ways = ways;
        found.positions.push((cases, steps));
    }

    /// Where a game leads that has just gone on: past all that is forced, to a position or an end. `None` is
    /// never: a position is a game that waits, and what does not wait has ended.
    fn lead(&mut self, answers: u32, found: &mut Found) -> Option<Lead> {
        let toll = self.go_on(answers, found);
        if let Some(end) = End::of(&self.game, !self.keys.renames()) {
            return Some((Leads::End(end), 1, toll));
        }
        self.game.stand(&mut self.position);
        self.keys.tidy(&mut self.position, &mut self.form);
        Some((self.kept(found), 1, toll))
    }

    /// Gives all answers that are forced. Says what was counted since the position that was stood at.
    fn go_on(&mut self, mut answers: u32, found: &mut Found) -> u32 {
        for _ in 0..MOST_FORCED {
            let Some(choice) = self.players.forced(&self.game) else {
                break;
            };
            answers += u32::from(matches!(self.game.open(), Open::Ask(_)));
            if self.game.apply(choice, &mut Silence).is_err() {
                break;
            }
        }
        self.toll(answers, found)
    }

    /// Keeps a tidy position in its form.
    fn kept(&mut self, found: &mut Found) -> Leads {
        self.keys.rename(&mut self.position, &mut self.form);
        self.words.clear();
        pack(&self.position, &mut self.words);
        let number = found.kept.ends.len();
        found.kept.push(&self.words);
        Leads::Position(print(&self.words), number)
    }

    /// Where the game waits in a round in which it is all one whose ballot is whose: the steps to behind it, for all
    /// that can come of it. Nothing where it does not, or where what can come of it cannot be counted.
    fn close(&mut self, found: &mut Found) -> Option<()> {
        let round = self.round()?;
        let cases = round.ballots.cases()?;
        self.base.stand_at(&round.last);
        let (mut known, mut leads) = (Known::default(), Vec::<Lead>::new());
        let (before, mut named, mut rest) = (round.before(), Vec::new(), 0);
        let whole = round.ballots.each(&mut |outcome| {
            rest = (rest + 1) % PORTION_OF_ONE;
            found.stopped = rest == 0 && !(self.progress)(None);
            found.tried += 1;
            if found.stopped {
                return false;
            }
            named.clone_from(&before);
            for (count, (seat, ..)) in outcome.counts.iter().zip(&round.ballots.named) {
                named[usize::from(*seat)] += i64::from(*count);
            }
            // What the rules ask of the ballots is all that they know of them: most outcomes need not be played.
            if let Some(lead) = known.told(&named) {
                leads[lead].1 += outcome.cases;
                return true;
            }
            self.game.watch_counts(true);
            self.cast(&round, outcome);
            let answers = round.ballots.voters as u32;
            self.behind((answers, outcome.cases), &round, found, &mut known, &mut leads);
            true
        });
        self.game.watch_counts(false);
        whole?;
        if !found.stopped {
            found.positions.push((cases, leads));
        }
        Some(())
    }

    /// The round that the game waits in, where what comes of it can be counted: each may name the same, or all of
    /// them but himself, and all by the same chance.
    fn round(&mut self) -> Option<Round> {
        let now = self.keys.waiting_in(&self.position)?;
        let row = self.position.words[now.row.clone()].to_vec();
        let stray = |seat: usize| row[seat] != 0 && (now.asked & !now.who) >> seat & 1 == 0;
        if (0..row.len()).any(stray) {
            return None;
        }
        let (voters, last) = self.voters(&now)?;
        let named = voters.iter().fold(0, |sum, voter| sum | voter.names);
        let himself = |voter: &Voter| voter.names != named;
        let fits =
            |voter: &Voter| voter.pass == voters[0].pass && voter.names | 1 << voter.seat & named == named;
        if voters.len() < 2 || !voters.iter().all(fits) {
            return None;
        }
        self.spare.clone_from(&self.position);
        let classes = self.keys.classes_behind(&mut self.spare, &mut self.form);
        let asked = voters
            .iter()
            .fold(now.asked, |asked, voter| asked | 1 << voter.seat);
        let so = |seat: usize| {
            let own = voters
                .iter()
                .any(|voter| usize::from(voter.seat) == seat && himself(voter));
            let before = row.iter().filter(|ballot| **ballot >> seat & 1 == 1).count();
            (classes[seat], own, asked >> seat & 1, before)
        };
        let mut sorts: Vec<_> = seats_in(named).map(|seat| (so(seat), seat)).collect();
        sorts.sort_unstable();
        let mut sort = 0;
        let named = (0..sorts.len()).map(|place| {
            let ((_, own, ..), seat) = sorts[place];
            sort += u32::from(place > 0 && sorts[place - 1].0 != sorts[place].0);
            (seat as u8, sort, own)
        });
        let ballots = Ballots {
            voters: voters.len(),
            named: named.collect(),
            pass: voters[0].pass,
        };
        Some(Round {
            ballots,
            voters,
            slot: now.slot,
            row: now.row,
            last,
        })
    }

    /// Who votes in the round that the game waits in, and how the game stands where the last is asked.
    fn voters(&mut self, now: &Waits) -> Option<(Vec<Voter>, Position)> {
        let mut ways = std::mem::take(&mut self.ways);
        let (mut voters, mut who, mut asked) = (Vec::new(), now.who, now.asked);
        let (mut last, mut next) = (Position::default(), self.position.clone());
        self.game.clone_from(&self.base);
        let all = loop {
            let all = self.players.ways(&self.game, &mut ways);
            let Some(voter) = all.ok().and_then(|()| Voter::of(who, &ways)) else {
                break None;
            };
            voters.push(voter);
            std::mem::swap(&mut last, &mut next);
            if self.game.apply(ways[0].0, &mut Silence).is_err() {
                break None;
            }
            let more = self.game.stand(&mut next) && last.frames == next.frames;
            let then = more.then(|| self.keys.waiting_in(&next)).flatten();
            // In the next round, if it is the same question, others were asked.
            match then.filter(|then| then.asked == asked | then.who && then.who & asked == 0) {
                Some(then) => (who, asked) = (then.who, then.asked),
                None => break Some((voters, last)),
            }
        };
        self.ways = ways;
        all
    }

    /// Puts the game to where the round is over with an outcome.
    fn cast(&mut self, round: &Round, outcome: &Outcome<'_>) {
        let (last, voters) = (round.voters.len() - 1, &round.voters);
        let mut left = outcome.counts.iter().zip(&round.ballots.named);
        let last_names =
            left.position(|(count, (seat, ..))| *count > 0 && voters[last].names >> seat & 1 == 1);
        let ballots = { outcome.counts.iter().zip(&round.ballots.named).enumerate() }.flat_map(
            |(place, (count, named))| {
                let taken = u8::from(last_names == Some(place));
                (taken..*count).map(|_| 1 << named.0)
            },
        );
        self.row.clear();
        self.row.extend_from_slice(&round.last.words[round.row.clone()]);
        let ballots = ballots.chain(std::iter::repeat(0));
        voters[..last]
            .iter()
            .zip(ballots)
            .for_each(|(voter, ballot)| self.row[usize::from(voter.seat)] = ballot);
        self.game.clone_from(&self.base);
        self.game.put_words(round.row.start, &self.row);
        let choice = last_names.map_or(Choice::Pass, |place| Choice::Seat(round.ballots.named[place].0));
        let legal = self.game.apply(choice, &mut Silence);
        debug_assert!(legal.is_ok(), "{choice:?} of {:?}", round.ballots);
    }

    /// Adds where a game leads that has just gone on, to where others led.
    fn behind(
        &mut self,
        (answers, cases): (u32, u64),
        round: &Round,
        found: &mut Found,
        known: &mut Known,
        leads: &mut Vec<Lead>,
    ) {
        let toll = self.toll(answers, found);
        let counts: Vec<Count> = self.game.counts().to_vec();
        // Of other rows the answer is the same whatever came of this one.
        let all_told = counts.iter().all(|count| matches!(count.filled, Filled::Row(_)));
        let of_these = counts
            .into_iter()
            .filter(|count| count.filled == Filled::Row(round.slot));
        if let Some(end) = End::of(&self.game, !self.keys.renames()) {
            let same = |lead: &Lead| lead.2 == toll && matches!(&lead.0, Leads::End(other) if *other == end);
            let place = leads.iter().position(same).unwrap_or(leads.len());
            match leads.get_mut(place) {
                Some(lead) => lead.1 += cases,
                None => leads.push((Leads::End(end), cases, toll)),
            }
            if all_told {
                known.learn(of_these, place);
            }
            return;
        }
        // Most outcomes lead to the same few positions: only the first of these goes on.
        self.game.stand(&mut self.position);
        self.keys.tidy(&mut self.position, &mut self.form);
        let empty = |row: &[u64]| row.iter().all(|ballot| *ballot == 0);
        let forgotten = !empty(&self.row) && empty(&self.position.words[round.row.clone()]);
        self.words.clear();
        self.words.push(u64::from(toll));
        pack(&self.position, &mut self.words);
        if self.words != known.last.0 {
            let (number, new) = known.table.number(print(&self.words));
            known.last.0.clone_from(&self.words);
            known.last.1 = match new {
                true => leads.len(),
                false => known.lead[number as usize],
            };
            if new {
                let Some((to, _, toll)) = self.lead(answers, found) else {
                    return;
                };
                known.lead.push(leads.len());
                leads.push((to, 0, toll));
            }
        }
        leads[known.last.1].1 += cases;
        if all_told && forgotten {
            known.learn(of_these, known.last.1);
        }
    }

    /// What was counted since the position that was stood at.
    fn toll(&mut self, answers: u32, found: &mut Found) -> u32 {
        let (now, before) = (self.game.look(), self.base.look());
        let times = |scene: &SceneId| now.times(*scene).saturating_sub(before.times(*scene)) as u32;
        self.begun.clear();
        self.begun.extend(self.outermost.iter().map(times));
        found.toll(answers, &self.begun)
    }
}

/// Answers that differ by players who cannot be told apart become one.
fn merge(ways: &mut Vec<Way>, classes: &[u8]) {
    let mut seen: Vec<(u64, usize)> = Vec::new();
    let mut out: Vec<Way> = Vec::new();
    for &(choice, share) in ways.iter() {
        let known = sort_of(choice, classes).and_then(|sort| {
            let known = seen.iter().find(|(other, _)| *other == sort).map(|(_, at)| *at);
            if known.is_none() {
                seen.push((sort, out.len()));
            }
            known
        });
        match known {
            Some(at) => out[at].1 = plus(out[at].1, share),
            None => out.push((choice, share)),
        }
    }
    *ways = out;
}

/// What an answer is but for who of those alike is meant; nothing for answers that are left as they are.
fn sort_of(choice: Choice, classes: &[u8]) -> Option<u64> {
    let class = |seat: u8| {
        classes
            .get(usize::from(seat))
            .map_or(255, |class| u64::from(*class))
    };
    match choice {
        Choice::Seat(seat) => Some(class(seat)),
        Choice::Branch {
            branch,
            target: Target::Seat(seat),
        } => Some(1 << 60 | u64::from(branch) << 8 | class(seat)),
        Choice::Offer {
            offer,
            by: Some(by),
            target: Target::Seat(seat),
        } => {
            let own = u64::from(by == seat);
            Some(2 << 60 | u64::from(offer.0) << 24 | own << 16 | class(by) << 8 | class(seat))
        }
        Choice::Offer {
            offer,
            by: Some(by),
            target: Target::Nothing,
        } => Some(3 << 60 | u64::from(offer.0) << 8 | class(by)),
        _ => None,
    }
}

/// Of how many cases all chances are whole numbers of cases.
fn common(ways: &[Way]) -> Option<u64> {
    let mut cases: u128 = 1;
    for (_, (_, under)) in ways {
        cases = (cases / gcd(cases, *under)).checked_mul(*under)?;
    }
    u64::try_from(cases).ok()
}
