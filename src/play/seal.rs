//! A seal on what is kept: a digest of all that stands in a text, so that one that was changed is not taken for one
//! that was kept.

use omerta_core::digest::Digest;
use omerta_core::written::is_unseen;
use serde_json::Value;

/// The field that holds the digest, the last of the text.
const FIELD: &str = "digest";

/// A JSON object as it is kept, with the digest of the rest as its last field.
pub fn sealed(text: &str) -> String {
    let body = text.trim_end();
    let body = body.strip_suffix('}').unwrap_or(body).trim_end();
    let digest = serde_json::from_str(text).map_or_else(|_| String::new(), |value| digest_of(&value));
    let (before, after) = match text.contains('\n') && body.contains('\n') {
        true => ("\n  ", "\n"),
        false => ("", ""),
    };
    format!("{body},{before}\"{FIELD}\": \"{digest}\"{after}}}\n")
}

/// Whether a text says another digest than what stands in it has. One that says none was kept by an earlier program,
/// or its reader took it out.
pub fn is_broken(text: &str) -> bool {
    let Ok(mut value) = serde_json::from_str::<Value>(text) else {
        return false;
    };
    let said = value.as_object_mut().and_then(|object| object.remove(FIELD));
    said.is_some_and(|said| said.as_str() != Some(&digest_of(&value)))
}

/// Whether somewhere in a text stands a sign that nobody sees.
pub fn holds_unseen(text: &str) -> bool {
    fn any(value: &Value) -> bool {
        let unseen = |words: &str| words.chars().any(is_unseen);
        match value {
            Value::String(words) => unseen(words),
            Value::Array(all) => all.iter().any(any),
            Value::Object(all) => all.iter().any(|(name, value)| unseen(name) || any(value)),
            Value::Null | Value::Bool(_) | Value::Number(_) => false,
        }
    }
    serde_json::from_str(text).is_ok_and(|value| any(&value))
}

/// In whatever layout it stands.
fn digest_of(value: &Value) -> String {
    format!("{:016x}", Digest::of(&value.to_string()))
}
