//! As one first writes it: players with names, lists, a map of votes and a log of sentences.

use std::collections::BTreeMap;

use omerta_play::chance::Chance;

use super::{MAFIA, SEATS, Winner};

/// What a card says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    Mafia,
    Doctor,
    Detective,
    Town,
}

struct Player {
    name: String,
    role: Role,
    alive: bool,
}

/// A game with everything that was said in it.
struct Game {
    players: Vec<Player>,
    log: Vec<String>,
}

/// One game.
pub fn play(chance: &mut Chance) -> Winner {
    play_with_log(chance).0
}

/// One game, and what was said in it.
pub fn play_with_log(chance: &mut Chance) -> (Winner, Vec<String>) {
    let mut game = Game::deal(chance);
    for round in 1.. {
        game.log.push(format!("Night {round} falls."));
        game.night(chance);
        if let Some(winner) = game.winner() {
            return (winner, game.log);
        }
        game.log.push(format!("Day {round} breaks."));
        game.day(chance);
        if let Some(winner) = game.winner() {
            return (winner, game.log);
        }
    }
    unreachable!("somebody leaves until somebody wins")
}

impl Game {
    fn deal(chance: &mut Chance) -> Self {
        let mut cards = vec![Role::Mafia; MAFIA];
        cards.extend([Role::Doctor, Role::Detective]);
        cards.resize(SEATS, Role::Town);
        chance.shuffle(&mut cards);
        let player = |(seat, role)| Player {
            name: format!("Player {}", seat + 1),
            role,
            alive: true,
        };
        Game {
            players: cards.into_iter().enumerate().map(player).collect(),
            log: Vec::new(),
        }
    }

    fn night(&mut self, chance: &mut Chance) {
        let hunted = pick(chance, &self.living(|_, player| player.role != Role::Mafia));
        let doctor = self.holder(Role::Doctor);
        let treated = doctor.map(|me| pick(chance, &self.living(|seat, _| seat != me)));
        if let Some(me) = self.holder(Role::Detective) {
            let seen = pick(chance, &self.living(|seat, _| seat != me));
            let player = &self.players[seen];
            self.log.push(format!(
                "The detective learns that {} is {:?}.",
                player.name, player.role
            ));
        }
        if treated == Some(hunted) {
            self.log
                .push(format!("{} was attacked and lives.", self.players[hunted].name));
        } else {
            self.leave(hunted, "was found dead");
        }
    }

    fn day(&mut self, chance: &mut Chance) {
        let mut votes: BTreeMap<usize, u32> = BTreeMap::new();
        for voter in self.living(|_, _| true) {
            let candidate = pick(chance, &self.living(|seat, _| seat != voter));
            *votes.entry(candidate).or_default() += 1;
            let (voter, candidate) = (&self.players[voter].name, &self.players[candidate].name);
            self.log.push(format!("{voter} votes for {candidate}."));
        }
        let most = votes.values().copied().max().unwrap_or(0);
        let top: Vec<usize> = votes
            .iter()
            .filter(|(_, v)| **v == most)
            .map(|(seat, _)| *seat)
            .collect();
        match top[..] {
            [one] => self.leave(one, "was voted out"),
            _ => self.log.push("The vote is tied and nobody leaves.".to_string()),
        }
    }

    fn leave(&mut self, seat: usize, how: &str) {
        let player = &mut self.players[seat];
        player.alive = false;
        self.log
            .push(format!("{} {how}; the card was {:?}.", player.name, player.role));
    }

    fn living(&self, wanted: impl Fn(usize, &Player) -> bool) -> Vec<usize> {
        let players = self.players.iter().enumerate();
        players
            .filter(|(seat, player)| player.alive && wanted(*seat, player))
            .map(|(seat, _)| seat)
            .collect()
    }

    fn holder(&self, role: Role) -> Option<usize> {
        self.living(|_, player| player.role == role).first().copied()
    }

    fn winner(&self) -> Option<Winner> {
        let mafia = self.living(|_, player| player.role == Role::Mafia).len();
        let others = self.living(|_, player| player.role != Role::Mafia).len();
        match mafia {
            0 => Some(Winner::Town),
            _ if mafia >= others => Some(Winner::Mafia),
            _ => None,
        }
    }
}

fn pick(chance: &mut Chance, seats: &[usize]) -> usize {
    seats[chance.below(seats.len() as u64) as usize]
}
