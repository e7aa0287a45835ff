//! Who answers what: takes what has come and hands it to the server or to the requests. A panic in one is an error
//! answer and a line in the log, not the end.

use crate::{
    events::Event,
    requests,
    server::{Refusal, Server},
};
use lsp_server::{ErrorCode, Message, Request};
use serde_json::Value;
use std::{
    collections::VecDeque,
    panic::{AssertUnwindSafe, catch_unwind},
};

/// Whether the server goes on.
pub enum Step {
    /// It does.
    On,
    /// The client has taken its leave, as it should or not.
    End(bool),
}

/// Whether a request is taken back by something that has come already; it is answered then.
pub fn is_taken_back(server: &Server, request: &Request, waiting: &mut VecDeque<Event>) -> bool {
    let takes_back = |event: &Event| match event {
        Event::Message(Message::Notification(told)) if told.method == "$/cancelRequest" => {
            told.params.get("id") == serde_json::to_value(&request.id).ok().as_ref()
        }
        _ => false,
    };
    let Some(at) = waiting.iter().position(takes_back) else {
        return false;
    };
    waiting.remove(at);
    let refusal = Refusal::because(ErrorCode::RequestCanceled, "taken back");
    server.answer(request.id.clone(), Err(refusal));
    true
}

/// Takes what has come.
pub fn take(server: &mut Server, event: Event) -> Step {
    match event {
        Event::Gone => return Step::End(false),
        Event::Message(Message::Response(_)) => {}
        Event::Message(Message::Request(asked)) => request(server, asked),
        Event::Message(Message::Notification(told)) if told.method == "exit" => {
            return Step::End(server.ending);
        }
        Event::Message(Message::Notification(told)) => {
            let method = told.method.clone();
            let done = catch_unwind(AssertUnwindSafe(|| server.told(told)));
            if done.is_err() {
                server.went_wrong(&format!("`{method}` went wrong"));
            }
        }
        Event::Ran(ran) => server.ran(ran),
        Event::Rated(rated) => server.rated(rated),
    }
    Step::On
}

fn request(server: &mut Server, request: Request) {
    let Request { id, method, params } = request;
    if method == "shutdown" {
        server.ending = true;
        server.refuse_waiting();
        return server.answer(id, Ok(Value::Null));
    }
    if server.ending {
        let refusal = Refusal::because(ErrorCode::InvalidRequest, "the server was told to stop");
        return server.answer(id, Err(refusal));
    }
    if method == "omerta/rest" {
        return server.await_rest(id);
    }
    let done = catch_unwind(AssertUnwindSafe(|| {
        server.listens.iter().for_each(|listens| listens(&method));
        requests::answer(server, &method, params)
    }));
    let result = done.unwrap_or_else(|_| {
        server.went_wrong(&format!("`{method}` went wrong"));
        Err(Refusal::because(ErrorCode::InternalError, "a mistake in omerta"))
    });
    server.answer(id, result);
}
