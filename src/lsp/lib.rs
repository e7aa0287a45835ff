//! Answers editors while rules and scenarios are written: the language server, all but its streams.
//!
//! What is true of a text is found out in the rooms below; here it becomes answers of the protocol. One thread
//! answers, in the order in which things are asked; another runs scenarios.

mod background;
mod desk;
mod events;
mod notices;
mod rating;
mod requests;
mod server;
mod shelves;
mod wire;

use desk::Step;
use events::{Event, STACK};
use lsp_server::{Connection, Message};
use rating::Rater;
use server::{Beside, Server};

pub use server::Surroundings;

use std::{
    collections::VecDeque,
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread,
    time::Duration,
};

/// How long nothing must have come before what hangs on a text is looked at: what an editor asks right behind a letter
/// is answered before.
const BREATH: Duration = Duration::from_millis(5);

/// The same where much hangs on it: the keys must have rested.
const REST: Duration = Duration::from_millis(80);

/// How long nobody must have written before scenarios are run.
const QUIET: Duration = Duration::from_millis(150);

/// Answers a client until it leaves; says whether it took its leave as it should.
pub fn serve(connection: Connection, surroundings: Surroundings) -> bool {
    let run = move || answer(&connection, surroundings);
    let thread = thread::Builder::new().stack_size(STACK).spawn(run);
    thread.is_ok_and(|thread| thread.join().unwrap_or(false))
}

fn answer(connection: &Connection, surroundings: Surroundings) -> bool {
    let Ok((id, params)) = connection.initialize_start() else {
        return false;
    };
    let (tell, events) = channel();
    let beside = Beside {
        runner: background::start(tell.clone()),
        rater: Rater::new(tell.clone()),
    };
    let sender = connection.sender.clone();
    // A client that has gone hears nothing, and that is told by the end of its messages.
    let say = Box::new(move |message| drop(sender.send(message)));
    let mut server = Server::begin(say, surroundings, params, beside);
    let result = serde_json::to_value(requests::abilities(server.encoding)).unwrap_or_default();
    if connection.initialize_finish(id, result).is_err() {
        return false;
    }
    let messages = connection.receiver.clone();
    thread::spawn(move || {
        let told = messages
            .iter()
            .all(|message| tell.send(Event::Message(message)).is_ok());
        if told {
            let _ = tell.send(Event::Gone);
        }
    });
    server.opened(&requests::watched());
    turn(&mut server, &events)
}

/// Goes from one event to the next; between them some of what can wait is done.
fn turn(server: &mut Server, events: &Receiver<Event>) -> bool {
    let mut waiting = VecDeque::new();
    let mut rests = false;
    loop {
        let Some(event) = next(server, events, &mut waiting, &mut rests) else {
            return false;
        };
        let Some(event) = event else { continue };
        rests &= !matches!(event, Event::Message(_));
        // What has come meanwhile may take back what was asked before.
        waiting.extend(events.try_iter());
        if let Event::Message(Message::Request(request)) = &event
            && desk::is_taken_back(server, request, &mut waiting)
        {
            continue;
        }
        match desk::take(server, event) {
            Step::On => {}
            Step::End(well) => return well,
        }
    }
}

/// What comes next; within, nothing where something was done instead.
fn next(
    server: &mut Server,
    events: &Receiver<Event>,
    waiting: &mut VecDeque<Event>,
    rests: &mut bool,
) -> Option<Option<Event>> {
    if let Some(event) = waiting.pop_front() {
        return Some(Some(event));
    }
    *rests |= server.is_awaited();
    let rest = if server.has_much_work() { REST } else { BREATH };
    let (patience, works) = match (server.has_work(), server.has_runs()) {
        (true, _) if *rests || server.is_written() => (Duration::ZERO, true),
        (true, _) => (rest, true),
        (false, true) if server.is_awaited() => (Duration::ZERO, false),
        (false, true) => (QUIET, false),
        (false, false) => {
            server.rest();
            return events.recv().ok().map(Some);
        }
    };
    match events.recv_timeout(patience) {
        Ok(event) => Some(Some(event)),
        Err(RecvTimeoutError::Disconnected) => None,
        Err(RecvTimeoutError::Timeout) => {
            *rests |= patience == rest;
            match works {
                true => server.work(),
                false => server.start_runs(),
            }
            Some(None)
        }
    }
}
